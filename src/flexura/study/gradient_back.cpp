// Backwards through a run: what the weighted results feel goes from the last state to the first (run_events.hpp).

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>

#include "flexura/integrate/newmark_tangent.hpp"
#include "flexura/solve/start_equations.hpp"
#include "flexura/study/gradient_run.hpp"
#include "flexura/study/number_cotangent.hpp"
#include "flexura/study/number_products.hpp"
#include "flexura/study/run_events.hpp"
#include "flexura/study/scene_variation.hpp"
#include "flexura/study/sensor_cotangent.hpp"
#include "flexura/study/state_carry.hpp"
#include "flexura/study/table_samples.hpp"

namespace flexura {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

class BackwardGradient final : public GradientRun {
 public:
  BackwardGradient(const SceneDocument& document, const ReadScene& read, const GradientQuestion& question)
      : GradientRun(document, question),
        read_(read),
        events_(document, here_.scene(), question.most_bytes, question.stop) {
    check_memory();
    for (size_t p = 0; p < numbers_.size(); ++p) {
      out_.numbers.push_back(numbers_[p].value);
      if (!samples_.take(document, here_.scene(), numbers_[p], p)) ways_.push_back({.place = p});
    }
    find_changes();
    throw_problems();
  }

  const Derivatives& go() {
    const Clock::time_point start = Clock::now();
    if (const std::string failure = events_.run(*this); !failure.empty()) throw GradientError(failure);
    if (ends_due(nullptr)) read_event();
    check_moments();
    prepare_way_back();
    run_seconds_ = seconds_since(start);
    return out_;
  }

  WeightedGradient result(const Weights& weights_of) {
    WeightedGradient out;
    go();
    const std::vector<double> weights = weights_of(out_);
    if (weights.size() != out_.values.size())
      refuse("weights", fmt::format("{} weights for {} values", weights.size(), out_.values.size()));
    const Clock::time_point turned = Clock::now();
    out.gradient = gradient(weights);
    out.run_seconds = run_seconds_;
    out.back_seconds = seconds_since(turned);
    out.state_bytes = events_.most_bytes();
    out.steps_again = events_.steps_again();
    out.item_evaluations = products().evaluations();
    out.values = std::move(out_);
    return out;
  }

  Derivatives by_results() {
    go();
    const size_t results = out_.values.size();
    for (size_t i = 0; i < results; ++i) {
      std::vector<double> weights(results, 0.0);
      weights[i] = 1;
      const std::vector<double> slopes = gradient(weights);
      out_.jacobian.insert(out_.jacobian.end(), slopes.begin(), slopes.end());
    }
    out_.way = GradientWay::backwards;
    return std::move(out_);
  }

  void enter(int model, const AnalysisSpec& analysis, const State<double>& state) override {
    const bool first = model_ < 0, changes = model != model_;
    if (ends_due(&analysis)) read_event();
    const bool begins_anew = !first && changes && carry(model_, model).begins_anew();
    enter_model(model);
    begin_analysis(analysis);
    if (changes) parts_[model].factor = factor_;
    here_.enter(model, analysis);
    here_.follow(state);
    for (Way& way : ways_) {
      if (first) look_at(way, state);
      if (begins_anew && way.change.models[model].values) follow_from_here(way);
      if (!way.follows) continue;
      const bool starts = first ? way.starts : begins_anew;
      if (begins_anew) {
        way.copies->set_states(unchanging(last_));
        way.start[events_.size()].before = way.copies->slopes(last_).q;
      }
      for (size_t k = 0; k < way.copies->size(); ++k) way.copies->copy(k).enter(model, analysis);
      if (starts) way.start[events_.size()].state = way.copies->slopes(state);
    }
    note(RunEvent::enter, state);
  }
  void rest(const State<double>& state) override {
    here_.follow(state);
    here_.rest();
    note(RunEvent::rest, state);
  }
  void open(const State<double>& state, double end) override {
    if (std::unique_ptr<NewmarkTangent>& step = steps_[{model_, analysis_}]; step == nullptr) {
      begin_motion();
      if (dynamic_cast<NewmarkTangent*>(step_.get()) == nullptr)
        refuse("analysis." + analysis_->name,
               "no derivative backwards but of generalized-alpha, hht and newmark: differentiate forwards");
      step.reset(static_cast<NewmarkTangent*>(step_.release()));
    }
    here_.follow(state);
    here_.open_signals(end);
    note(RunEvent::open, state).end = end;
    if (is_due(state.t)) read_event();
  }
  void step(const State<double>& state) override {
    here_.advance(last_.t, state.t);
    note(RunEvent::step, state);
    if (is_due(state.t)) read_event();
  }

 private:
  /// What the number changes of a state that begins where the scene says, and of places in the model before, which never move there.
  struct Start {
    State<Tangent> state;
    std::vector<Tangent> before;
  };
  struct Way {
    size_t place;
    SceneChange change = {};
    std::optional<SceneVariation> copies = {};                   ///< where they are needed on the way
    std::map<size_t, Start> start = {};                          ///< by event that begins anew
    std::map<int, std::unique_ptr<DualResidual>> residual = {};  ///< by model, made where a motion begins
    bool starts = false, moves_signals = false, reads = false;   ///< it changes the start, signals, what sensors read
    bool follows = false;                                        ///< any of them: copies go along
  };
  /// What flows or rubs at rest; and forces where something does: a way of the size of what they are read by would leave what is stuck.
  void check_memory() {
    const bool rests = std::ranges::any_of(here_.scene().timeline.analyses,
                                           [](const AnalysisSpec& a) { return a.finds_equilibria(); });
    const SceneModel& first = here_.scene().models.front();
    const auto of_force = std::ranges::find_if(row_.sensors, [&](const ReadSensor& s) {
      const Quantity* quantity = first.sensors[s.sensor].quantity;
      return quantity != nullptr && quantity->needs != 0;
    });
    for (const SceneModel& model : here_.scene().models)
      for (const ItemBatch& items : model.model.topology->batches) {
        if (items.history == 0 || items.type->info.role == Role::conservative) continue;
        const std::string& name = model.model.topology->item_names[items.names[0]];
        if (rests && has_none_at_rest(items)) {
          problems_.push_back(
              problem("model", fmt::format("no derivative of an equilibrium of what flows or rubs ({})", name)));
        } else if (of_force != row_.sensors.end()) {
          problems_.push_back(problem("sensor." + first.sensors[of_force->sensor].name,
                                      fmt::format("no derivative backwards of forces where something flows or rubs "
                                                  "({}): differentiate forwards, or read places",
                                                  name)));
        }
      }
  }
  /// Of the models, by each number.
  void find_changes() {
    std::vector<SceneNumber> numbers;
    for (const Way& way : ways_) numbers.push_back(numbers_[way.place]);
    std::vector<std::optional<SceneChange>> changes =
        changes_together(here_.scene(), read_, numbers, question_.relative_step);
    for (size_t k = 0; k < ways_.size(); ++k) {
      if (changes[k]) {
        ways_[k].change = std::move(*changes[k]);
      } else if ((ways_[k].copies = vary(numbers[k], read_))) {
        ways_[k].change = ways_[k].copies->change();
      }
    }
  }
  /// Of what a model takes over from another.
  const StateCarry& carry(int from, int to) {
    std::unique_ptr<StateCarry>& found = carries_[{from, to}];
    const std::vector<SceneModel>& models = here_.scene().models;
    if (found == nullptr) found = std::make_unique<StateCarry>(models[from], models[to]);
    return *found;
  }
  /// Copies go along from here on, as they are by themselves.
  void follow_from_here(Way& way) {
    if (way.copies) return;
    way.follows = true;
    way.copies = vary(numbers_[way.place], read_);
    throw_problems();
    for (size_t e = 0; e < events_.size(); ++e)
      for (size_t k = 0; k < way.copies->size() && events_[e].kind == RunEvent::enter; ++k)
        way.copies->copy(k).enter(events_[e].model, *events_[e].analysis);
  }
  /// What the number changes beside the equations: where it does not, no copies go along.
  void look_at(Way& way, const State<double>& state) {
    way.starts = way.change.moves_start(here_.scene(), model_, moved_to_start(state));
    for (const SceneChange::OfModel& change : way.change.models) {
      way.moves_signals = way.moves_signals || change.signals;
      way.reads = way.reads ||
                  std::ranges::any_of(row_.sensors, [&](const ReadSensor& s) { return change.sensors[s.sensor] != 0; });
    }
    way.follows = way.starts || way.moves_signals || way.reads;
    if (!way.follows) {
      way.copies.reset();
    } else if (!way.copies) {
      way.copies = vary(numbers_[way.place], read_);
      throw_problems();
    }
  }
  /// Whether the start had to be made consistent.
  bool moved_to_start(const State<double>& state) {
    constexpr double rounding = 1e-13;
    const auto moved = [&](const std::vector<double>& from, const std::vector<double>& to) {
      double most = 0, size = 0;
      for (int i = 0; i < topology().ncoord; ++i) {
        most = std::max(most, std::fabs(to[i] - from[i]));
        size = std::max(size, std::fabs(to[i]));
      }
      return most > rounding * size;
    };
    const Assembler<double>& assembler = here_.system().assembler;
    return moved(assembler.initial_q(), state.q) || moved(assembler.initial_v(), state.v);
  }
  const Values& direction_of(const Way& way) const { return way.change.models[model_].direction; }
  DualResidual& residual_of(Way& way) {
    std::unique_ptr<DualResidual>& residual = way.residual[model_];
    if (residual == nullptr)
      residual = std::make_unique<DualResidual>(model().topology, model().values, direction_of(way));
    return *residual;
  }
  RunEvent& note(RunEvent::Kind kind, const State<double>& state) {
    last_ = state;
    return events_.note(kind, *analysis_, model_, state, here_.signals());
  }
  void read_event() {
    here_.follow(last_);
    events_.back().row = static_cast<int>(out_.times.size());
    read_row(last_.t);
    rows_.push_back({last_, readings_, {}});
  }

  /// What the way back through a model takes.
  struct Part {
    std::shared_ptr<TangentFactor> factor;
    std::unique_ptr<DualResidual> plain;
    std::unique_ptr<NumberProducts> products;
    std::vector<int> signals_asked;  ///< whose values anything feels
    std::vector<char> moves_places;  ///< of each signal
  };
  Part& part() { return parts_.at(model_); }
  NumberProducts& products() { return *part().products; }
  void use_model(int model) {
    model_ = model;
    factor_ = part().factor;
  }

  /// Signals of an event, which do not change.
  void set_signals(DualResidual& residual, std::span<const SignalValue> signals) {
    const size_t n = signals.size();
    u_.assign(n, Tangent(0.0)), du_.assign(n, Tangent(0.0)), ddu_.assign(n, Tangent(0.0));
    for (size_t i = 0; i < n; ++i) u_[i] = signals[i].u, du_[i] = signals[i].du, ddu_[i] = signals[i].ddu;
    residual.assembler.set_signals(u_, du_, ddu_);
  }
  /// For each signal and rate: `felt` += what `value` gives with that changing by 1. `accelerations`: constraints are asked for theirs, which
  /// those of all signals are in.
  void for_signals(size_t e, SignalCotangent& felt, bool accelerations, auto&& value) {
    DualResidual& plain = *part().plain;
    if (part().signals_asked.empty()) return;
    set_signals(plain, events_.signals(e));
    for (const int i : part().signals_asked) {
      std::vector<Tangent>* parts[] = {&u_, &du_, &ddu_};
      std::vector<double>* to[] = {&felt.u, &felt.du, &felt.ddu};
      for (int which = 0; which < (accelerations || part().moves_places[i] ? 3 : 2); ++which) {
        (*parts[which])[i].d = 1;
        plain.assembler.set_signals(u_, du_, ddu_);
        (*to[which])[i] += value();
        (*parts[which])[i].d = 0;
      }
    }
    plain.assembler.set_signals(u_, du_, ddu_);
  }

  void prepare_way_back() {
    for (auto& [model, part] : parts_) {
      use_model(model);
      prepare(part);
    }
    sensors_ = std::make_unique<SensorCotangent>(row_);
    find_first_change();
  }
  void prepare(Part& part) {
    const Model& model = this->model();
    part.plain = std::make_unique<DualResidual>(model.topology, model.values, no_direction(model.values));
    const bool any_moves_signals = std::ranges::any_of(ways_, &Way::moves_signals);
    part.moves_places.assign(topology().signals.size(), 0);
    for (const Dependent& d : topology().dependents)
      for (const Drive& drive : d.drives) part.moves_places[drive.signal] = 1;
    for (size_t i = 0; i < topology().signals.size(); ++i)
      if (const int signal = topology().signals[i].signal; signal >= 0 && (any_moves_signals || samples_.has(signal)))
        part.signals_asked.push_back(static_cast<int>(i));
    std::vector<const Values*> directions;
    for (const Way& way : ways_) directions.push_back(&direction_of(way));
    part.products = std::make_unique<NumberProducts>(model, directions, part.signals_asked);
  }

  std::vector<double> gradient(const std::vector<double>& weights) {
    gradient_.assign(out_.numbers.size(), 0.0);
    felt_.clear();
    const size_t columns = out_.columns.size();
    const bool any_moves_signals = std::ranges::any_of(ways_, &Way::moves_signals);
    if (any_moves_signals) felt_.assign(events_.size(), SignalCotangent(0));
    for (auto& [model, part] : parts_) part.products->clear();
    use_model(events_.back().model);
    z_ = next_ = Cotangent(topology());
    have_after_ = false;
    bool any = false;
    for (size_t e = events_.size(); e-- > 0;) {
      const RunEvent& event = events_[e];
      if (question_.stop != nullptr && question_.stop->load()) throw GradientError("interrupted on the way back");
      const size_t signals = topology().signals.size();
      SignalCotangent felt(signals), by_sensors(signals);
      if (event.row >= 0) {
        rows_[event.row].weights = std::span(weights).subspan(event.row * columns, columns);
        add_sensors(e, rows_[event.row], by_sensors);
      }
      any = any || event.row >= 0;
      if (any && !z_.is_zero()) {
        step_back(e, felt);
        have_after_ = true;
      }
      if (event.kind != RunEvent::enter && signals > 0)
        for (const SignalCotangent* of : {&felt, &by_sensors})
          samples_.add(event.t, event.kind != RunEvent::step, event.kind == RunEvent::rest, topology(), *of, gradient_);
      if (any_moves_signals) felt_[e] = std::move(felt);
      if (e > 0 && events_[e - 1].model != model_) {
        take_over(e);
      }
    }
    have_after_ = false;
    for (size_t k = 0; k < ways_.size(); ++k) {
      Way& way = ways_[k];
      for (auto& [model, part] : parts_) gradient_[way.place] += part.products->slope(k);
      if (way.moves_signals) gradient_[way.place] += felt_of_signals(*way.copies, events_, felt_);
      if (way.reads) gradient_[way.place] += felt_of_sensors(*way.copies, events_, rows_, row_);
    }
    return std::move(gradient_);
  }

  /// From the model of an event to that of the one before. What copies had of places that never moved there is felt by relations.
  void take_over(size_t e) {
    z_ = carry(events_[e - 1].model, model_).back(z_);
    for (const Way& way : ways_)
      if (const auto found = way.start.find(e); found != way.start.end())
        for (size_t i = 0; i < z_.q.size(); ++i) gradient_[way.place] -= z_.q[i] * found->second.before[i].d;
    use_model(events_[e - 1].model);
    next_ = Cotangent(topology());
    have_after_ = false;
  }

  void step_back(size_t e, SignalCotangent& felt) {
    if (!have_after_ || loaded_ != e) events_.load(e, after_);
    const bool needs_before = e > 0 && (events_[e].kind == RunEvent::step || events_[e].kind == RunEvent::open);
    if (needs_before) events_.load(e - 1, before_);
    past_.assign(topology().history, 0.0);
    products().set_signals(events_.signals(e));
    if (events_[e].kind == RunEvent::step) back_through_memory(before_.history, after_.t - before_.t, felt);
    if (events_[e].kind == RunEvent::rest) back_through_memory(after_.history, forever, felt);
    fold(felt);
    switch (events_[e].kind) {
      case RunEvent::enter:
        back_through_enter(e);
        break;
      case RunEvent::rest:
        back_through_rest(e, felt);
        break;
      case RunEvent::open:
        back_through_open(e, felt);
        break;
      case RunEvent::step:
        back_through_step(e, felt);
        break;
    }
    if (needs_before) std::swap(after_, before_), loaded_ = e - 1;
  }

  /// Whether the state before an event depends on any of the numbers.
  void find_first_change() {
    first_change_ = events_.size();
    for (size_t e = events_.size(); e-- > 0;)
      if (events_[e].kind == RunEvent::rest || events_[e].kind == RunEvent::step) first_change_ = e;
    for (const Way& way : ways_)
      for (const auto& [e, start] : way.start)
        for (const auto* x : {&start.state.q, &start.state.v, &start.state.history})
          starts_elsewhere_ = starts_elsewhere_ || std::ranges::any_of(*x, [](const Tangent& t) { return t.d != 0; });
  }

  void add_sensors(size_t e, const ReadEvent& row, SignalCotangent& felt) {
    here_.enter(model_, *events_[e].analysis);
    here_.follow(row.state);
    here_.set_signals(events_.signals(e));
    sensors_->go_on_from(row.readings);
    sensors_->add(here_, row.state, row.weights, z_);
    if (samples_.any()) sensors_->add_signals(here_, row.state, row.weights, felt);
  }

  /// What dependents feel, by numbers and to their masters.
  void fold(SignalCotangent& felt) {
    products().places(after_, z_);
    fold_dependents(topology(), model().values, z_, felt);
  }

  bool remembers() const { return topology().history > 0; }
  /// What is evaluated is so much later than this was remembered.
  void look_back(const std::vector<double>& history, double h) {
    if (remembers()) products().look_back(history, h);
  }

  /// What is remembered at the end of an event comes from what was before, and from the end.
  void back_through_memory(const std::vector<double>& history, double h, SignalCotangent& felt) {
    if (!remembers()) return;
    look_back(history, h);
    const std::vector<double> next = std::exchange(z_.history, std::vector<double>(history.size(), 0.0));
    products().memory(after_, next.data(), z_, felt, past_.data());
  }

  void back_through_equations(const State<double>& at, std::span<const double> mu, bool inertia, double* past,
                              SignalCotangent& felt) {
    products().equations(at, mu, inertia, factor_->system.assembler, felt, past);
  }

  void back_through_step(size_t e, SignalCotangent& felt) {
    NewmarkTangent& step = *steps_.at({model_, events_[e].analysis});
    if (const std::string problem = step.begin(before_, after_, events_.signals(e)); !problem.empty())
      throw GradientError(problem);
    next_.clear();
    if (next_.q.empty()) next_ = Cotangent(topology());
    const std::vector<double> mu = step.backward(z_, next_);
    back_through_equations(after_, mu, true, past_.data(), felt);
    next_.history = past_;
    std::swap(z_, next_);
  }

  void back_through_rest(size_t e, SignalCotangent& felt) {
    State<double> polished = after_;
    if (!factor_->polish(polished, events_.signals(e)))
      throw GradientError("the equations of the equilibrium are singular: it has no derivative");
    std::vector<double> mu(z_.q.begin(), z_.q.begin() + topology().ny);
    factor_->refine_transposed(mu);
    back_through_equations(polished, mu, false, nullptr, felt);
    z_.clear();
  }

  void back_through_enter(size_t e) {
    for (const Way& way : ways_) {
      const auto found = way.start.find(e);
      if (found == way.start.end()) continue;
      const State<Tangent>& start = found->second.state;
      double sum = 0;
      for (int i = 0; i < topology().ny; ++i) sum += z_.q[i] * start.q[i].d;
      for (int i = 0; i < topology().ncoord; ++i) sum += z_.v[i] * start.v[i].d;
      for (size_t k = 0; k < z_.history.size(); ++k) sum += z_.history[k] * start.history[k].d;
      gradient_[way.place] += sum;
    }
  }

  /// Accelerations and multipliers from positions and velocities, and these from those before.
  void back_through_open(size_t e, SignalCotangent& felt) {
    const int ncoord = topology().ncoord, ny = topology().ny;
    factor_->system.assembler.set_signals(events_.signals(e));
    DualResidual& plain = *part().plain;
    set_signals(plain, events_.signals(e));
    if (remembers()) factor_->system.assembler.set_history(after_.history, 0);
    look_back(after_.history, 0);
    const std::vector<Tangent> past(after_.history.begin(), after_.history.end());
    if (remembers()) plain.assembler.set_history(past, 0);
    StartEquations equations(*factor_, plain);
    if (const std::string problem = equations.factor(after_); !problem.empty()) throw GradientError(problem);
    std::vector<double> a(z_.a.begin(), z_.a.begin() + ncoord);
    for (int i = 0; i < ncoord; ++i) a[i] += z_.a_alg[i];
    const std::vector<double> mu = equations.solve(a, std::span(z_.q).subspan(ncoord, ny - ncoord));
    std::fill(z_.a.begin(), z_.a.end(), 0.0);
    std::fill(z_.a_alg.begin(), z_.a_alg.end(), 0.0);
    std::fill(z_.q.begin() + ncoord, z_.q.begin() + ny, 0.0);
    State<Tangent> state = unchanging(after_);
    for (Way& way : ways_) {
      if (!way.change.models[model_].values) continue;
      DualResidual& residual = residual_of(way);
      set_signals(residual, events_.signals(e));
      if (remembers()) residual.assembler.set_history(past, 0);
      StartEquations own(*factor_, residual);
      State<Tangent> moved = state;  // places move with the number, and with nothing else
      gradient_[way.place] += own.start(moved, mu);
    }
    for_signals(e, felt, true, [&] { return equations.start(state, mu); });
    const bool matters = e > first_change_ || starts_elsewhere_;
    const auto columns = [&](std::vector<Tangent>& x, std::vector<double>& to, auto&& value) {
      for (int i = 0; i < ncoord && matters; ++i) {
        x[i].d = 1;
        to[i] += value();
        x[i].d = 0;
      }
    };
    columns(state.q, z_.q, [&] { return equations.start(state, mu); });
    columns(state.v, z_.v, [&] { return equations.start(state, mu); });
    if (remembers()) products().past_of_forces(after_, mu, z_.history.data());
    back_through_memory(before_.history, 0, felt);
    fold(felt);
    z_.history = past_;
    if (!equations.has_rows()) return;

    const std::vector<double> nothing(ny - ncoord, 0.0);
    const std::vector<double> nu = equations.solve(z_.v, nothing);
    std::fill(z_.v.begin(), z_.v.end(), 0.0);
    State<double> projected = after_, from = after_;
    from.v = before_.v;
    const std::vector<double> m = equations.impulses(from);
    std::copy(m.begin(), m.end(), projected.q.begin() + ncoord);
    State<Tangent> after = unchanging(projected), start = unchanging(from);
    for (Way& way : ways_) {
      if (!way.change.models[model_].values) continue;
      set_signals(residual_of(way), events_.signals(e));
      StartEquations own(*factor_, residual_of(way));
      State<Tangent> moved = after;
      gradient_[way.place] += own.project(moved, start, nu);
    }
    const auto value = [&] { return equations.project(after, start, nu); };
    for_signals(e, felt, false, value);
    for (int i = 0; i < ncoord && matters; ++i) {
      after.q[i].d = start.q[i].d = 1;
      z_.q[i] += value();
      after.q[i].d = start.q[i].d = 0;
    }
    columns(start.v, z_.v, value);
  }

  const ReadScene& read_;
  RunEvents events_;
  std::map<int, Part> parts_;  ///< by model
  std::map<std::pair<int, int>, std::unique_ptr<StateCarry>> carries_;
  std::map<std::pair<int, const AnalysisSpec*>, std::unique_ptr<NewmarkTangent>> steps_;
  std::vector<ReadEvent> rows_;
  std::vector<Way> ways_;
  TableSamples samples_;
  std::unique_ptr<SensorCotangent> sensors_;
  std::vector<SignalCotangent> felt_;  ///< by event, for the copies
  Cotangent z_, next_;
  std::vector<double> past_;  ///< what is felt of what was remembered before an event
  State<double> before_, after_;
  size_t loaded_ = 0;  ///< event of after_
  bool have_after_ = false;
  std::vector<double> gradient_;
  std::vector<Tangent> u_, du_, ddu_;
  double run_seconds_ = 0;
  size_t first_change_ = 0;
  bool starts_elsewhere_ = false;
};

}  // namespace

WeightedGradient differentiate_backwards(const SceneDocument& document, const ReadScene& read,
                                         const GradientQuestion& question, const Weights& weights) {
  return BackwardGradient(document, read, question).result(weights);
}

Derivatives differentiate_by_results(const SceneDocument& document, const ReadScene& read,
                                     const GradientQuestion& question) {
  return BackwardGradient(document, read, question).by_results();
}

}  // namespace flexura

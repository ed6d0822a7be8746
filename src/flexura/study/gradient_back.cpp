// Backwards through a run: the states that it went through are kept, and what the weighted results feel goes from the last to the first.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <numeric>

#include "flexura/solve/constraint_matrix.hpp"
#include "flexura/study/gradient_run.hpp"
#include "flexura/study/scene_variation.hpp"
#include "flexura/study/sensor_cotangent.hpp"
#include "flexura/study/table_samples.hpp"

namespace flexura {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

/// Products of what a motion's start is solved with (GeneralizedAlpha::start, Constraints::project_velocities):
///
///     K [da; dλ] = [dR; −dΦ̈]                          at what starts
///     K [dv₁; dm] = [d(−Φ_qᵀ m − M (v₁ − v₀)); −dΦ̇]     at what is projected,     K = [M Φ_qᵀ; Φ_q 0] = Kᵀ
class StartEquations {
 public:
  StartEquations(TangentFactor& factor, DualResidual& residual)
      : factor_(factor), residual_(residual), matrix_(factor.system), topology_(factor.system.topology()) {
    for (auto* x : {&phi_, &rate_, &second_}) x->assign(topology_.ny, Tangent(0.0));
    force_.assign(residual.assembler.residual_size(), Tangent(0.0));
  }
  bool has_rows() const { return !matrix_.rows().empty(); }
  /// Why they cannot be differentiated, or "".
  std::string factor(const State<double>& state) {
    if (topology_.ny - topology_.ncoord != static_cast<int>(matrix_.rows().size()))
      return "unknowns without inertia where motion begins: differentiate forwards";
    if (!matrix_.factor(state.t, state.q, state.v))
      return "singular equations where motion begins: differentiate forwards";
    return {};
  }
  /// K⁻¹ of what is felt. What the matrix has where there is no mass is taken out again.
  std::vector<double> solve(std::span<const double> coordinates, std::span<const double> multipliers) {
    constexpr int most_passes = 30;
    std::vector<double> felt(topology_.ny, 0.0), y(topology_.ny, 0.0), left;
    std::copy_n(coordinates.begin(), topology_.ncoord, felt.begin());
    std::copy(multipliers.begin(), multipliers.end(), felt.begin() + topology_.ncoord);
    double before = std::numeric_limits<double>::infinity();
    for (int pass = 0; pass < most_passes; ++pass) {
      left = y;
      std::fill(left.begin() + topology_.ncoord, left.end(), 0.0);
      left = factor_.mass_times(left);
      for (const auto& c : matrix_.couplings()) {
        left[c.column] += matrix_.value(c) * y[c.row];
        left[c.row] += matrix_.value(c) * y[c.column];
      }
      double size = 0;
      for (const int i : matrix_.free_massless()) left[i] = felt[i];  // their accelerations stay 0
      for (int i = 0; i < topology_.ny; ++i) {
        left[i] = felt[i] - left[i];
        size = std::max(size, std::fabs(left[i]));
      }
      if (pass > 1 && !(size < 0.5 * before)) break;
      before = size;
      matrix_.solve(left);
      for (int i = 0; i < topology_.ny; ++i) y[i] += left[i];
    }
    return y;
  }
  /// μ · [dR; −dΦ̈].
  double start(State<Tangent>& state, std::span<const double> mu) {
    const std::span<const Tangent> r = residual_.at(state, true);
    double sum = 0;
    for (int i = 0; i < topology_.ncoord; ++i) sum += mu[i] * r[i].d;
    return sum - rows(state, second_, mu);
  }
  /// μ · [d(−Φ_qᵀ m − M (v₁ − v₀)); −dΦ̇]; `state` has v₁ and m as its multipliers, which do not change.
  double project(State<Tangent>& state, const State<Tangent>& from, std::span<const double> mu) {
    State<Tangent> before = from;
    Assembler<Tangent>& assembler = residual_.assembler;
    assembler.expand(state.q.data(), state.v.data(), state.a.data());
    assembler.expand(before.q.data(), before.v.data(), before.a.data());
    assembler.forces_of(Role::constraint, state.t, state.q.data(), state.v.data(), force_.data());
    std::vector<Tangent> without = state.q, penalty(force_.size());  // of some constraints, which no projection has
    std::fill(without.begin() + topology_.ncoord, without.begin() + topology_.ny, Tangent(0.0));
    assembler.forces_of(Role::constraint, state.t, without.data(), state.v.data(), penalty.data());
    for (size_t i = 0; i < force_.size(); ++i) force_[i] -= penalty[i];
    for (size_t i = 0; i < before.v.size(); ++i) before.v[i] = state.v[i] - before.v[i];
    assembler.subtract_mass_times(before.v.data(), Tangent(1.0), force_.data());
    assembler.reduce(force_.data());
    double sum = 0;
    for (int i = 0; i < topology_.ncoord; ++i) sum += mu[i] * force_[i].d;
    return sum - rows(state, rate_, mu);
  }
  /// m of the projection that led from v₀ to v₁, with the signals that are set.
  std::vector<double> impulses(const State<double>& from) {
    State<Tangent> state = unchanging(from);
    residual_.assembler.expand(state.q.data(), state.v.data(), state.a.data());
    rows(state, rate_, std::vector<double>(topology_.ny, 0.0));
    std::vector<double> rates(topology_.ny, 0.0);
    for (const int row : matrix_.rows()) rates[row] = -rate_[row].v;
    const std::vector<double> y =
        solve(std::vector<double>(topology_.ncoord, 0.0), std::span(rates).subspan(topology_.ncoord));
    return {y.begin() + topology_.ncoord, y.end()};
  }

 private:
  double rows(const State<Tangent>& state, const std::vector<Tangent>& of, std::span<const double> mu) {
    residual_.assembler.constraint_motion(state.t, state.q.data(), state.v.data(), state.a.data(),
                                          {phi_.data(), rate_.data(), second_.data()});
    double sum = 0;
    for (const int row : matrix_.rows()) sum += mu[row] * of[row].d;
    return sum;
  }

  TangentFactor& factor_;
  DualResidual& residual_;
  ConstraintMatrix<double> matrix_;
  const Topology& topology_;
  std::vector<Tangent> phi_, rate_, second_, force_;
};

class BackwardGradient final : public GradientRun {
 public:
  BackwardGradient(const SceneDocument& document, const ReadScene& read, const GradientQuestion& question)
      : GradientRun(document, question) {
    for (const SceneModel& model : here_.scene().models)
      if (model.model.topology->history > 0)
        refuse("model", "no derivative backwards of what remembers (friction, relaxation): differentiate forwards");
    std::vector<Problem> problems;
    const std::vector<SceneNumber> numbers = find_scene_numbers(document, question.wrt);
    for (size_t p = 0; p < numbers.size(); ++p) {
      out_.numbers.push_back(numbers[p].value);
      if (samples_.take(document, here_.scene(), numbers[p], p)) continue;
      try {
        ways_.push_back({p, SceneVariation(here_.scene(), read, numbers[p], question.relative_step), {}, {}});
      } catch (const InputError& error) {
        problems.insert(problems.end(), error.problems().begin(), error.problems().end());
      }
    }
    if (!problems.empty()) throw InputError(std::move(problems));
  }

  WeightedGradient result(const Weights& weights_of) {
    WeightedGradient out;
    const Clock::time_point start = Clock::now();
    run();
    if (question_.times.empty()) read_event();
    if (out_.times.size() < question_.times.size())
      refuse("times", fmt::format("{} of {} times are ends of steps", out_.times.size(), question_.times.size()));
    out.run_seconds = seconds_since(start);
    const Clock::time_point turned = Clock::now();
    const std::vector<double> weights = weights_of(out_);
    if (weights.size() != out_.values.size())
      refuse("weights", fmt::format("{} weights for {} values", weights.size(), out_.values.size()));
    gradient_.assign(out_.numbers.size(), 0.0);
    go_back(weights);
    for (const Event& e : events_)
      out.state_bytes += (3 * e.state.q.size() + e.state.a_alg.size() + e.state.lags.size() + e.state.loads.size() +
                          9 * e.signals.size()) *
                         sizeof(double);
    out.gradient = std::move(gradient_);
    out.values = std::move(out_);
    out.back_seconds = seconds_since(turned);
    return out;
  }

  void enter(int model, const AnalysisSpec& analysis, const State<double>& state) override {
    if (model_ >= 0 && model != model_)
      refuse("analysis." + analysis.name,
             "no derivative backwards through a change of the model: differentiate forwards");
    const bool first = model_ < 0;
    analysis_ = &analysis;
    enter_model(model);
    here_.enter(model, analysis);
    here_.follow(state);
    for (Way& way : ways_) {
      for (size_t k = 0; k < way.number.size(); ++k) way.number.copy(k).enter(model, analysis);
      if (first) way.start = way.number.slopes(state);
    }
    note(Event::enter, state);
  }
  void rest(const State<double>& state) override {
    here_.follow(state);
    here_.rest();
    note(Event::rest, state);
  }
  void open(const State<double>& state, double end) override {
    begin_motion();
    here_.follow(state);
    here_.open_signals(end);
    note(Event::open, state).end = end;
    if (is_due(state.t)) read_event();
  }
  void step(const State<double>& state) override {
    here_.advance(events_.back().state.t, state.t);
    here_.follow(state);
    note(Event::step, state);
    if (is_due(state.t)) read_event();
  }

 private:
  struct Event {
    enum Kind { enter, rest, open, step } kind;
    State<double> state;
    std::vector<SignalValue> signals;
    const AnalysisSpec* analysis;  ///< of here_
    double end = 0;
    int row = -1;  ///< of the values, read here
    SignalCotangent felt{0}, felt_by_sensors{0};
  };
  struct Way {
    size_t place;
    SceneVariation number;
    State<Tangent> start;
    std::unique_ptr<DualResidual> residual;
  };

  Event& note(Event::Kind kind, const State<double>& state) {
    const std::vector<AnalysisSpec>& all = here_.scene().timeline.analyses;
    const auto own = std::find_if(all.begin(), all.end(), [&](const auto& a) { return a.name == analysis_->name; });
    events_.push_back({kind, state, {here_.signals().begin(), here_.signals().end()}, &*own});
    last_ = state;
    return events_.back();
  }
  void read_event() {
    here_.follow(events_.back().state);
    events_.back().row = static_cast<int>(out_.times.size());
    read_row(events_.back().state.t);
  }

  /// Signals of an event, which do not change.
  void set_signals(DualResidual& residual, const Event& event) {
    const size_t n = event.signals.size();
    u_.assign(n, Tangent(0.0)), du_.assign(n, Tangent(0.0)), ddu_.assign(n, Tangent(0.0));
    for (size_t i = 0; i < n; ++i)
      u_[i] = event.signals[i].u, du_[i] = event.signals[i].du, ddu_[i] = event.signals[i].ddu;
    residual.assembler.set_signals(u_, du_, ddu_);
  }
  /// For each signal and rate: `felt` += what `value` of the residual with that changing by 1 gives.
  void for_signals(const Event& event, SignalCotangent& felt, auto&& value) {
    set_signals(*plain_, event);
    for (size_t i = 0; i < event.signals.size(); ++i) {
      if (topology().signals[i].signal < 0 || (ways_.empty() && !samples_.has(topology().signals[i].signal))) continue;
      std::vector<Tangent>* parts[] = {&u_, &du_, &ddu_};
      std::vector<double>* to[] = {&felt.u, &felt.du, &felt.ddu};
      for (int which = 0; which < (moves_places_ ? 3 : 2); ++which) {
        (*parts[which])[i].d = 1;
        plain_->assembler.set_signals(u_, du_, ddu_);
        (*to[which])[i] += value();
        (*parts[which])[i].d = 0;
      }
    }
    plain_->assembler.set_signals(u_, du_, ddu_);
  }

  void go_back(const std::vector<double>& weights) {
    const Model& model = this->model();
    plain_ = std::make_unique<DualResidual>(model.topology, model.values, no_direction(model.values));
    for (Way& way : ways_)
      if (way.number.moves_values(model_))
        way.residual = std::make_unique<DualResidual>(model.topology, model.values, way.number.direction(model_));
    moves_places_ = std::ranges::any_of(topology().dependents, [](const Dependent& d) { return !d.drives.empty(); });
    const size_t signals = topology().signals.size(), columns = out_.columns.size();
    z_ = Cotangent(topology());
    SensorCotangent sensors(row_);
    find_first_change();
    for (size_t e = events_.size(); e-- > 0;) {
      Event& event = events_[e];
      event.felt = event.felt_by_sensors = SignalCotangent(signals);
      if (question_.stop != nullptr && question_.stop->load()) throw GradientError("interrupted on the way back");
      if (event.row >= 0) add_sensors(event, sensors, std::span(weights).subspan(event.row * columns, columns));
      if (z_.is_zero()) continue;
      fold(event);
      switch (event.kind) {
        case Event::enter:
          back_through_enter(e);
          break;
        case Event::rest:
          back_through_rest(event);
          break;
        case Event::open:
          back_through_open(event, events_[e - 1], e);
          break;
        case Event::step:
          back_through_step(event, events_[e - 1]);
          break;
      }
    }
    contract_signals();
  }

  /// Whether the state before an event depends on any of the numbers.
  void find_first_change() {
    const auto changes = [](const Event& e) { return e.kind == Event::rest || e.kind == Event::step; };
    first_change_ = static_cast<size_t>(std::ranges::find_if(events_, changes) - events_.begin());
    for (const Way& way : ways_)
      for (const auto* x : {&way.start.q, &way.start.v})
        starts_elsewhere_ = starts_elsewhere_ || std::ranges::any_of(*x, [](const Tangent& t) { return t.d != 0; });
  }

  void add_sensors(Event& event, SensorCotangent& sensors, std::span<const double> weights) {
    here_.enter(model_, *event.analysis);
    here_.follow(event.state);
    here_.set_signals(event.signals);
    sensors.add(here_, event.state, weights, z_);
    if (samples_.any()) sensors.add_signals(here_, event.state, weights, event.felt_by_sensors);
    weights_[event.row] = {weights.begin(), weights.end()};
  }

  /// What dependents feel, by numbers and to their masters.
  void fold(Event& event) {
    for (Way& way : ways_) {
      if (!way.residual) continue;
      State<Tangent> state = unchanging(event.state);
      set_signals(*way.residual, event);
      way.residual->assembler.expand(state.q.data(), state.v.data(), state.a.data());
      for (int i = topology().ny; i < topology().nq; ++i)
        gradient_[way.place] += z_.q[i] * state.q[i].d + z_.v[i] * state.v[i].d + z_.a[i] * state.a[i].d;
    }
    fold_dependents(topology(), model().values, z_, event.felt);
  }

  double dot(std::span<const double> mu, std::span<const Tangent> r) const {
    double sum = 0;
    for (size_t i = 0; i < mu.size(); ++i) sum += mu[i] * r[i].d;
    return sum;
  }

  void back_through_equations(Event& event, const State<double>& at, std::span<const double> mu, bool inertia) {
    State<Tangent> state = unchanging(at);
    for (Way& way : ways_) {
      if (!way.residual) continue;
      set_signals(*way.residual, event);
      gradient_[way.place] += dot(mu, way.residual->at(state, inertia));
    }
    for_signals(event, event.felt, [&] { return dot(mu, plain_->at(state, inertia)); });
  }

  void back_through_step(Event& event, const Event& before) {
    if (const std::string problem = step_->begin(before.state, event.state, event.signals); !problem.empty())
      throw GradientError(problem);
    next_ = Cotangent(topology());
    const std::vector<double> mu = step_->backward(z_, next_);
    back_through_equations(event, event.state, mu, true);
    std::swap(z_, next_);
  }

  void back_through_rest(Event& event) {
    State<double> polished = event.state;
    if (!factor_->polish(polished, event.signals))
      throw GradientError("the equations of the equilibrium are singular: it has no derivative");
    std::vector<double> mu(z_.q.begin(), z_.q.begin() + topology().ny);
    factor_->solve_transposed(mu);
    back_through_equations(event, polished, mu, false);
    z_.clear();
  }

  void back_through_enter(size_t e) {
    if (e > 0) return;
    for (const Way& way : ways_) {
      double sum = 0;
      for (int i = 0; i < topology().ny; ++i) sum += z_.q[i] * way.start.q[i].d;
      for (int i = 0; i < topology().ncoord; ++i) sum += z_.v[i] * way.start.v[i].d;
      gradient_[way.place] += sum;
    }
  }

  /// Accelerations and multipliers from positions and velocities, and these from those before.
  void back_through_open(Event& event, const Event& before, size_t e) {
    const int ncoord = topology().ncoord, ny = topology().ny;
    factor_->system.assembler.set_signals(event.signals);
    StartEquations equations(*factor_, *plain_);
    State<double> expanded = event.state;
    if (const std::string problem = equations.factor(expanded); !problem.empty()) throw GradientError(problem);
    std::vector<double> a(z_.a.begin(), z_.a.begin() + ncoord);
    for (int i = 0; i < ncoord; ++i) a[i] += z_.a_alg[i];
    const std::vector<double> mu = equations.solve(a, std::span(z_.q).subspan(ncoord, ny - ncoord));
    std::fill(z_.a.begin(), z_.a.end(), 0.0);
    std::fill(z_.a_alg.begin(), z_.a_alg.end(), 0.0);
    std::fill(z_.q.begin() + ncoord, z_.q.begin() + ny, 0.0);
    State<Tangent> state = unchanging(event.state);
    for (Way& way : ways_) {
      if (!way.residual) continue;
      set_signals(*way.residual, event);
      StartEquations own(*factor_, *way.residual);
      gradient_[way.place] += own.start(state, mu);
    }
    for_signals(event, event.felt, [&] { return equations.start(state, mu); });
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
    if (!equations.has_rows()) return;

    const std::vector<double> nothing(ny - ncoord, 0.0);
    const std::vector<double> nu = equations.solve(z_.v, nothing);
    std::fill(z_.v.begin(), z_.v.end(), 0.0);
    State<double> projected = event.state, from = event.state;
    from.v = before.state.v;
    const std::vector<double> m = equations.impulses(from);
    std::copy(m.begin(), m.end(), projected.q.begin() + ncoord);
    State<Tangent> after = unchanging(projected), start = unchanging(from);
    for (Way& way : ways_) {
      if (!way.residual) continue;
      set_signals(*way.residual, event);
      StartEquations own(*factor_, *way.residual);
      gradient_[way.place] += own.project(after, start, nu);
    }
    const auto value = [&] { return equations.project(after, start, nu); };
    for_signals(event, event.felt, value);
    for (int i = 0; i < ncoord && matters; ++i) {
      after.q[i].d = start.q[i].d = 1;
      z_.q[i] += value();
      after.q[i].d = start.q[i].d = 0;
    }
    columns(start.v, z_.v, value);
  }

  /// Signals at every event, and sensors' own changes.
  void contract_signals() {
    std::vector<double> row(out_.columns.size());
    for (Way& way : ways_) {
      double sum = 0;
      for (size_t e = 0; e < events_.size(); ++e) {
        const Event& event = events_[e];
        for (size_t k = 0; k < way.number.size(); ++k) {
          SceneCopy& copy = way.number.copy(k);
          copy.enter(model_, *event.analysis);
          if (event.kind == Event::step) copy.advance(events_[e - 1].state.t, event.state.t);
          copy.set_state(event.state);
          if (event.kind == Event::rest) copy.rest();
          if (event.kind == Event::open) copy.open_signals(event.end);
        }
        if (event.kind == Event::enter) continue;
        way.number.signals(event.signals, u_, du_, ddu_);
        for (size_t i = 0; i < u_.size(); ++i)
          sum += event.felt.u[i] * u_[i].d + event.felt.du[i] * du_[i].d + event.felt.ddu[i] * ddu_[i].d;
        if (event.row < 0) continue;
        std::vector<double> weighted(way.number.size());
        for (size_t k = 0; k < way.number.size(); ++k) {
          row_.read(way.number.copy(k), row);
          weighted[k] = std::inner_product(row.begin(), row.end(), weights_[event.row].begin(), 0.0);
        }
        sum += way.number.slope([&](size_t k) { return weighted[k]; });
      }
      gradient_[way.place] += sum;
    }
    for (const Event& event : events_)
      if (event.kind != Event::enter)
        for (const SignalCotangent* felt : {&event.felt, &event.felt_by_sensors})
          samples_.add(event.state.t, event.kind != Event::step, event.kind == Event::rest, topology(), *felt,
                       gradient_);
  }

  std::vector<Event> events_;
  std::vector<Way> ways_;
  TableSamples samples_;
  std::map<int, std::vector<double>> weights_;  ///< by row
  std::unique_ptr<DualResidual> plain_;
  Cotangent z_, next_;
  std::vector<double> gradient_;
  std::vector<Tangent> u_, du_, ddu_;
  size_t first_change_ = 0;
  bool moves_places_ = false, starts_elsewhere_ = false;
};

}  // namespace

WeightedGradient differentiate_backwards(const SceneDocument& document, const ReadScene& read,
                                         const GradientQuestion& question, const Weights& weights) {
  return BackwardGradient(document, read, question).result(weights);
}

}  // namespace flexura

// The run, and what is noted on the way.

#include "flexura/study/gradient_back.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "flexura/load/gas_line.hpp"

namespace flexura {
namespace {

using Clock = std::chrono::steady_clock;

/// Whose flow is as smooth as what it is read by.
bool carries_gas(std::string_view name) {
  return name == GasLine::name || name == GasSupply::name || name == GasInflow::name;
}

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

}  // namespace

BackwardGradient::BackwardGradient(const SceneDocument& document, const ReadScene& read,
                                   const GradientQuestion& question)
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

const Derivatives& BackwardGradient::go() {
  const Clock::time_point start = Clock::now();
  if (const std::string failure = events_.run(*this); !failure.empty()) throw GradientError(failure);
  if (ends_due(nullptr)) read_event();
  check_moments();
  prepare_way_back();
  run_seconds_ = seconds_since(start);
  return out_;
}

WeightedGradient BackwardGradient::result(const Weights& weights_of) {
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
  for (const auto& [model, part] : parts_) out.item_evaluations += part.products->evaluations();
  out.values = std::move(out_);
  return out;
}

Derivatives BackwardGradient::by_results() {
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

void BackwardGradient::enter(int model, const AnalysisSpec& analysis, const State<double>& state) {
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
    if (way.change.models[model].signals) refuse_moved_jumps(*way.copies, analysis, state.t);
    if (starts) way.start[events_.size()].state = way.copies->slopes(state);
  }
  note(RunEvent::enter, state);
}

void BackwardGradient::rest(const State<double>& state) {
  here_.follow(state);
  here_.rest();
  note(RunEvent::rest, state);
}

void BackwardGradient::open(const State<double>& state, double end) {
  if (const std::pair key{model_, analysis_}; !steps_.contains(key) && !driven_.contains(key)) {
    begin_motion();
    if (dynamic_cast<KinematicTangent*>(step_.get()) != nullptr) {
      driven_[key].reset(static_cast<KinematicTangent*>(step_.release()));
    } else if (dynamic_cast<NewmarkTangent*>(step_.get()) != nullptr) {
      steps_[key].reset(static_cast<NewmarkTangent*>(step_.release()));
    } else {
      refuse("analysis." + analysis_->name,
             "no derivative backwards but of generalized-alpha, hht and newmark: differentiate forwards");
    }
  }
  here_.follow(state);
  here_.open_signals(end);
  note(RunEvent::open, state).end = end;
  if (is_due(state.t)) read_event();
}

void BackwardGradient::step(const State<double>& state) {
  here_.advance(last_.t, state.t);
  note(RunEvent::step, state);
  if (is_due(state.t)) read_event();
}

void BackwardGradient::check_memory() {
  const bool rests =
      std::ranges::any_of(here_.scene().timeline.analyses, [](const AnalysisSpec& a) { return a.finds_equilibria(); });
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
      } else if (of_force != row_.sensors.end() && !carries_gas(items.type->info.name)) {
        problems_.push_back(problem("sensor." + first.sensors[of_force->sensor].name,
                                    fmt::format("no derivative backwards of forces where something rubs "
                                                "({}): differentiate forwards, or read places",
                                                name)));
      }
    }
}

void BackwardGradient::find_changes() {
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

const StateCarry& BackwardGradient::carry(int from, int to) {
  std::unique_ptr<StateCarry>& found = carries_[{from, to}];
  const std::vector<SceneModel>& models = here_.scene().models;
  if (found == nullptr) found = std::make_unique<StateCarry>(models[from], models[to]);
  return *found;
}

void BackwardGradient::follow_from_here(Way& way) {
  if (way.copies) return;
  way.follows = true;
  way.copies = vary(numbers_[way.place], read_);
  throw_problems();
  for (size_t e = 0; e < events_.size(); ++e)
    for (size_t k = 0; k < way.copies->size() && events_[e].kind == RunEvent::enter; ++k)
      way.copies->copy(k).enter(events_[e].model, *events_[e].analysis);
}

void BackwardGradient::look_at(Way& way, const State<double>& state) {
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

bool BackwardGradient::moved_to_start(const State<double>& state) {
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

RunEvent& BackwardGradient::note(RunEvent::Kind kind, const State<double>& state) {
  last_ = state;
  return events_.note(kind, *analysis_, model_, state, here_.signals());
}

void BackwardGradient::read_event() {
  here_.follow(last_);
  events_.back().row = static_cast<int>(out_.times.size());
  read_row(last_.t);
  rows_.push_back({last_, readings_, {}});
}

WeightedGradient differentiate_backwards(const SceneDocument& document, const ReadScene& read,
                                         const GradientQuestion& question, const Weights& weights) {
  return with_shorter_steps(question, [&](const GradientQuestion& of, DifferenceDoubt& doubt) {
    BackwardGradient gradient(document, read, of);
    WeightedGradient out = gradient.result(weights);
    doubt = gradient.doubt();
    return out;
  });
}

Derivatives differentiate_by_results(const SceneDocument& document, const ReadScene& read,
                                     const GradientQuestion& question) {
  return with_shorter_steps(question, [&](const GradientQuestion& of, DifferenceDoubt& doubt) {
    BackwardGradient gradient(document, read, of);
    Derivatives out = gradient.by_results();
    doubt = gradient.doubt();
    return out;
  });
}

}  // namespace flexura

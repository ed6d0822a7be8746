#include "flexura/study/gradient.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "flexura/study/gradient_run.hpp"
#include "flexura/study/mode_slopes.hpp"
#include "flexura/study/scene_variation.hpp"
#include "flexura/study/sensor_cotangent.hpp"

namespace flexura {
namespace {

class ForwardGradient final : public GradientRun {
 public:
  ForwardGradient(const SceneDocument& document, const ReadScene& read, const GradientQuestion& question)
      : GradientRun(document, question), sensors_(row_) {
    for (const SceneNumber& number : numbers_) {
      if (std::optional<SceneVariation> copies = vary(number, read))
        ways_.push_back({std::move(*copies), {}, {}, -1, false});
      out_.numbers.push_back(number.value);
    }
    throw_problems();
  }

  const DifferenceDoubt& doubt() const { return doubt_; }

  Derivatives result() {
    run();
    if (ends_due(nullptr)) record(last_.t);
    check_moments();
    return std::move(out_);
  }

  void enter(int model, const AnalysisSpec& analysis, const State<double>& state) override {
    const bool first = model_ < 0, changes = model != model_;
    if (ends_due(&analysis)) record(last_.t);
    begin_analysis(analysis);
    enter_model(model);
    here_.enter(model, analysis);
    here_.follow(state);
    for (Way& way : ways_) {
      if (!first && changes) way.number.set_states(way.state);
      for (size_t k = 0; k < way.number.size(); ++k) way.number.copy(k).enter(model, analysis);
      if (way.number.change().models[model].signals) refuse_moved_jumps(way.number, analysis, state.t);
      if (changes) {
        way.state = way.number.slopes(state);
        way.residual =
            std::make_unique<DualResidual>(this->model().topology, this->model().values, way.number.direction(model));
      }
    }
    last_ = state;
  }

  void rest(const State<double>& state) override {
    for (const ItemBatch& items : topology().batches)
      if (has_none_at_rest(items))
        refuse(
            "analysis." + analysis_->name,
            fmt::format("no derivative of an equilibrium with what flows or rubs ({}): it follows from the load steps",
                        topology().item_names[items.names[0]]));
    here_.follow(state);
    here_.rest();
    State<double> polished = state;
    if (!factor_->polish(polished, here_.signals()))
      throw GradientError("the equations of the equilibrium are singular: it has no derivative");
    for (Way& way : ways_) {
      for (size_t k = 0; k < way.number.size(); ++k) {
        way.number.copy(k).set_state(state);
        way.number.copy(k).rest();
      }
      State<Tangent> next = unchanging(polished);
      set_signals(way);
      way.residual->assembler.set_history(next.history, forever);
      if (!factor_->solve_tangent(*way.residual, next, {.inertia = false}, way.number.negligible(state)))
        throw GradientError("the equations of the equilibrium are singular: it has no derivative");
      if (way.residual->assembler.has_history())
        way.residual->assembler.remember(next.t, next.q.data(), next.v.data(), next.history.data());
      accept(way, std::move(next), state);
    }
    last_ = state;
  }

  void until(double t) override { until_ = t; }
  void open(const State<double>& state, double end) override {
    begin_motion();
    here_.follow(last_);
    here_.open_signals(end);
    for (Way& way : ways_) {
      way.number.set_states(way.state);
      for (size_t k = 0; k < way.number.size(); ++k)
        if (!way.number.copy(k).open(end))
          throw GradientError("no accelerations beside the state that motion begins at");
      way.state = way.number.slopes(state);
    }
    last_ = state;
    here_.follow(state);
    step_->until(until_);
    step_->open(state, end);
    if (is_due(state.t)) record(state.t);
  }

  void modes(const State<double>& state, const Modes& modes) override {
    ModeDerivatives out{.analysis = analysis_->name,
                        .frequencies = modes.frequency,
                        .first = repeated_modes(modes),
                        .slopes = {},
                        .eigenvalue_slopes = {},
                        .problem = why_no_slopes(modes, state)};
    const size_t count = modes.frequency.size(), numbers = ways_.size();
    if (out.problem.empty()) {
      out.slopes.resize(count * numbers);
      out.eigenvalue_slopes.resize(count * numbers);
      for (size_t p = 0; p < numbers; ++p) {
        const std::vector<double> eigenvalues = eigenvalue_slopes(modes, ways_[p].number, ways_[p].state);
        const std::vector<double> frequencies = frequency_slopes(modes, eigenvalues);
        for (size_t k = 0; k < count; ++k) {
          out.eigenvalue_slopes[k * numbers + p] = eigenvalues[k];
          out.slopes[k * numbers + p] = frequencies[k];
        }
      }
    }
    out_.modes.push_back(std::move(out));
  }

  void step(const State<double>& state) override {
    const double before = last_.t;
    const std::vector<SignalValue> end = here_.signals_within(before, state.t);
    if (const std::string problem = step_->begin(last_, state, end); !problem.empty()) throw GradientError(problem);
    std::vector<std::vector<SignalValue>> plain;
    for (const double t : step_->times()) plain.push_back(t == state.t ? end : here_.signals_within(before, t));
    std::vector<TangentSignals> signals(plain.size());
    for (Way& way : ways_) {
      for (size_t k = 0; k < plain.size(); ++k)
        way.number.signals_within(plain[k], before, step_->times()[k], signals[k].u, signals[k].du, signals[k].ddu);
      State<Tangent> next = unchanging(state);
      if (!step_->forward(*way.residual, way.state, next, signals, way.number.negligible(state)))
        throw GradientError(
            fmt::format("the tangent of the step that ends at t = {:.6g} s does not converge", state.t));
      accept(way, std::move(next), state);
      for (size_t k = 0; k < way.number.size(); ++k) way.number.copy(k).advance(before, state.t);
    }
    here_.advance(before, state.t);
    last_ = state;
    if (is_due(state.t)) record(state.t);
  }
  void checkpoint(const RunCheckpoint&) override {
    if (step_ != nullptr) step_->reset();
  }

 private:
  struct Way {
    SceneVariation number;
    State<Tangent> state;
    std::unique_ptr<DualResidual> residual;
    int plain_model = -1;  ///< of which is known whether
    bool plain = false;    ///< the row is linear, and the number does not show in it but by the state
  };

  void set_signals(Way& way) {
    way.number.signals(here_.signals(), u_, du_, ddu_);
    way.residual->assembler.set_signals(u_, du_, ddu_);
  }

  /// The values of the run, to the bit.
  static void accept(Way& way, State<Tangent> next, const State<double>& state) {
    const auto take = [](std::vector<Tangent>& to, const std::vector<double>& from) {
      for (size_t i = 0; i < to.size(); ++i) to[i].v = from[i];
    };
    take(next.q, state.q);
    take(next.v, state.v);
    take(next.a, state.a);
    take(next.a_alg, state.a_alg);
    take(next.history, state.history);
    way.state = std::move(next);
  }

  void record(double t) {
    here_.follow(last_);
    read_row(t);
    const size_t columns = out_.columns.size(), numbers = ways_.size();
    const size_t first = out_.jacobian.size();
    out_.jacobian.resize(first + columns * numbers);
    std::vector<std::vector<double>> rows;
    // Of few rows it is not worth to look which numbers are read.
    const bool many = question_.times.size() > static_cast<size_t>(topology().ncoord);
    for (size_t p = 0; p < numbers; ++p) {
      Way& way = ways_[p];
      if (many && way.plain_model != model_) {
        way.plain_model = model_;
        way.plain = !way.number.moves_reference(model_) && sensors_.is_plain(here_, way.number, last_);
      }
      if (many && way.plain) {
        const std::vector<double> moved = sensors_.along(way.state);
        for (size_t c = 0; c < columns; ++c) out_.jacobian[first + c * numbers + p] = moved[c];
        continue;
      }
      // A part that grows is strained by that unless its nodes go along, and what slides is at a kink unless its memory does; else the state
      // moves as far as it reads best.
      const bool together = way.number.moves_reference(model_) || topology().history > 0;
      if (together)
        way.number.set_states(way.state);
      else
        way.number.set_states(unchanging(last_));
      rows.assign(way.number.size(), std::vector<double>(columns));
      for (size_t k = 0; k < way.number.size(); ++k) row_.read(way.number.copy(k), rows[k]);
      const std::vector<double> moved =
          together ? std::vector<double>(columns, 0.0) : row_.along(here_, last_, way.state);
      std::vector<SceneVariation::Difference> differences;
      for (size_t c = 0; c < columns; ++c) {
        differences.push_back(way.number.difference([&](size_t k) { return rows[k][c]; }));
        out_.jacobian[first + c * numbers + p] = differences[c].value + moved[c];
      }
      note_doubts(way.number, differences, rows[0], &out_.jacobian[first + p], numbers, t);
    }
  }

  /// Of sensors that jump or bend between the copies, as far as that is more than rounding: what places that are off by their last
  /// digits make of the reading.
  void note_doubts(SceneVariation& number, std::span<const SceneVariation::Difference> differences,
                   std::span<const double> reading, const double* derivatives, size_t stride, double t) {
    std::vector<double> other;
    for (size_t c = 0; c < differences.size(); ++c) {
      double scale = 1e-300;
      for (size_t k = 0; k < differences.size(); ++k)
        if (out_.sensors[k] == out_.sensors[c]) scale = std::max(scale, std::fabs(derivatives[k * stride]));
      if (!number.exceeds_rounding(differences[c])) continue;
      if (other.empty()) other = reading_off_by_rounding(number.copy(0), row_);
      if (differences[c].error * number.step() <= 100 * std::fabs(other[c] - reading[c])) continue;
      doubt_.note(differences[c].error / scale,
                  [&] { return switch_text(number.path(), out_.columns[c], t, number.step()); });
    }
    doubt_.note(number.doubt().size, [&] { return number.doubt().text; });
  }

  std::vector<Way> ways_;
  SensorCotangent sensors_;
  std::vector<Tangent> u_, du_, ddu_;
  double until_ = 0;  ///< [s] that steps may look on to
};

}  // namespace

Derivatives differentiate(const SceneDocument& document, const ReadScene& read, const GradientQuestion& question) {
  return with_shorter_steps(question, [&](const GradientQuestion& of, DifferenceDoubt& doubt) {
    ForwardGradient gradient(document, read, of);
    Derivatives out = gradient.result();
    doubt = gradient.doubt();
    return out;
  });
}

}  // namespace flexura

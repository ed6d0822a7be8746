#include "flexura/study/gradient.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "flexura/study/gradient_run.hpp"
#include "flexura/study/scene_variation.hpp"

namespace flexura {
namespace {

class ForwardGradient final : public GradientRun {
 public:
  ForwardGradient(const SceneDocument& document, const ReadScene& read, const GradientQuestion& question)
      : GradientRun(document, question) {
    std::vector<Problem> problems;
    for (const SceneNumber& number : find_scene_numbers(document, question.wrt)) {
      try {
        ways_.push_back({SceneVariation(here_.scene(), read, number, question.relative_step), {}, {}});
      } catch (const InputError& error) {
        problems.insert(problems.end(), error.problems().begin(), error.problems().end());
      }
      out_.numbers.push_back(number.value);
    }
    if (!problems.empty()) throw InputError(std::move(problems));
  }

  Derivatives result() {
    run();
    if (question_.times.empty()) record(last_.t);
    if (out_.times.size() < question_.times.size())
      refuse("times", fmt::format("{} of {} times are ends of steps", out_.times.size(), question_.times.size()));
    return std::move(out_);
  }

  void enter(int model, const AnalysisSpec& analysis, const State<double>& state) override {
    const bool first = model_ < 0, changes = model != model_;
    analysis_ = &analysis;
    enter_model(model);
    here_.enter(model, analysis);
    here_.follow(state);
    for (Way& way : ways_) {
      if (!first && changes) way.number.set_states(way.state);
      for (size_t k = 0; k < way.number.size(); ++k) way.number.copy(k).enter(model, analysis);
      if (changes) {
        way.state = way.number.slopes(state);
        way.residual =
            std::make_unique<DualResidual>(this->model().topology, this->model().values, way.number.direction(model));
      }
    }
    last_ = state;
  }

  void rest(const State<double>& state) override {
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
    if (is_due(state.t)) record(state.t);
  }

  void step(const State<double>& state) override {
    here_.advance(last_.t, state.t);
    here_.follow(state);
    if (const std::string problem = step_->begin(last_, state, here_.signals()); !problem.empty())
      throw GradientError(problem);
    for (Way& way : ways_) {
      for (size_t k = 0; k < way.number.size(); ++k) way.number.copy(k).advance(last_.t, state.t);
      set_signals(way);
      State<Tangent> next = unchanging(state);
      if (!step_->forward(*way.residual, way.state, next, way.number.negligible(state)))
        throw GradientError(
            fmt::format("the tangent of the step that ends at t = {:.6g} s does not converge", state.t));
      accept(way, std::move(next), state);
    }
    last_ = state;
    if (is_due(state.t)) record(state.t);
  }

 private:
  struct Way {
    SceneVariation number;
    State<Tangent> state;
    std::unique_ptr<DualResidual> residual;
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
    for (size_t p = 0; p < numbers; ++p) {
      Way& way = ways_[p];
      // A part that grows is strained by that unless its nodes go along; else the state moves as far as it reads best.
      const bool together = way.number.moves_reference(model_);
      if (together)
        way.number.set_states(way.state);
      else
        way.number.set_states(unchanging(last_));
      rows.assign(way.number.size(), std::vector<double>(columns));
      for (size_t k = 0; k < way.number.size(); ++k) row_.read(way.number.copy(k), rows[k]);
      const std::vector<double> moved =
          together ? std::vector<double>(columns, 0.0) : row_.along(here_, last_, way.state);
      for (size_t c = 0; c < columns; ++c)
        out_.jacobian[first + c * numbers + p] = way.number.slope([&](size_t k) { return rows[k][c]; }) + moved[c];
    }
  }

  std::vector<Way> ways_;
  std::vector<Tangent> u_, du_, ddu_;
};

}  // namespace

Derivatives differentiate(const SceneDocument& document, const ReadScene& read, const GradientQuestion& question) {
  return ForwardGradient(document, read, question).result();
}

}  // namespace flexura

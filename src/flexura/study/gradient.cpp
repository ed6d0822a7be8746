#include "flexura/study/gradient.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "flexura/solve/extent.hpp"
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
      for (size_t k = 0; k < way.number.size(); ++k) read_columns(way.number.copy(k), rows[k]);
      const std::vector<double> moved = together ? std::vector<double>(columns, 0.0) : along(way.state);
      for (size_t c = 0; c < columns; ++c)
        out_.jacobian[first + c * numbers + p] = way.number.slope([&](size_t k) { return rows[k][c]; }) + moved[c];
    }
  }

  /// What sensors make of the change of a state: of its positions, velocities and so on one after the other, differences of the
  /// largest step that is a small one for all of them.
  std::vector<double> along(const State<Tangent>& state) {
    const size_t ncoord = topology().ncoord, ny = topology().ny;
    std::vector<double> out(out_.columns.size(), 0.0);
    const double size = std::min(1.0, extent(topology(), last_.q));
    const auto add = [&](const std::vector<Tangent>& from, std::vector<double> State<double>::* part, size_t first,
                         size_t last, double least) {
      double scale = least;
      for (size_t i = first; i < last && part != &State<double>::q; ++i) scale = std::max(scale, std::fabs(from[i].v));
      add_along(from, part, first, last, scale, out);
    };
    add(state.q, &State<double>::q, 0, ncoord, size);
    add(state.q, &State<double>::q, ncoord, ny, 1);
    add(state.v, &State<double>::v, 0, ncoord, 1e-3);
    add(state.a, &State<double>::a, 0, ncoord, 1e-3);
    add(state.history, &State<double>::history, 0, state.history.size(), 1e-3);
    here_.set_state(last_);
    return out;
  }
  void add_along(const std::vector<Tangent>& from, std::vector<double> State<double>::* part, size_t first, size_t last,
                 double scale, std::vector<double>& out) {
    constexpr double share = 1e-4, offsets[] = {-3, -2, -1, 1, 2, 3},
                     weights[] = {-1.0 / 60, 0.15, -0.75, 0.75, -0.15, 1.0 / 60};
    double fastest = 0;
    for (size_t i = first; i < last; ++i) fastest = std::max(fastest, std::fabs(from[i].d));
    if (fastest == 0) return;
    const double step = share * scale / fastest;
    std::vector<double> row(out.size()), start;
    for (int k = 0; k < 6; ++k) {
      State<double> moved = last_;
      for (size_t i = first; i < last; ++i) (moved.*part)[i] += offsets[k] * step * from[i].d;
      here_.set_state(moved);
      read_columns(here_, row);
      if (k == 0) start = row;
      for (size_t c = 0; c < out.size(); ++c) out[c] += weights[k] / step * (row[c] - start[c]);
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

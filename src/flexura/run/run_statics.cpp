// Analyses at a fixed time: equilibria and modes.

#include <fmt/format.h>

#include "flexura/run/run.hpp"
#include "flexura/solve/arc_length.hpp"
#include "flexura/solve/modes.hpp"
#include "flexura/solve/statics.hpp"

namespace flexura {

bool Run::statics(const AnalysisSpec& analysis) {
  const auto accept = [&](double factor, const State<double>& s) {
    recorder_.load_step(factor, s, active_.probe(), progress_, energies());
    System<double>& system = active_.system();
    // The state at hand is shown before a solver sets the signals of its first step.
    if (factor == 0) system.assembler.set_signals(system.drives.blend(s.t, s.lags, s.loads, 0.0));
    recorder_.draw_load_step(factor, s, system.assembler);
    show(analysis, factor, 1.0);
  };
  const bool fine = analysis.arc_length ? arc_length(analysis, accept) : load_steps(analysis, accept);
  if (!fine) return false;
  rebase();
  close_segment();
  return true;
}

bool Run::arc_length(const AnalysisSpec& analysis, const AcceptLoadStep& accept) {
  ArcLengthOptions options;
  options.tolerance = analysis.tolerance;
  options.max_iterations = analysis.max_iterations;
  options.first_step = 0.5 * analysis.load_step;
  options.stop = [this] { return stop_asked(); };
  active_.set_signals(active_.state.t);
  ArcLength solver(active_.system(), options);
  const ArcLengthReport report = solver.solve(active_.state, accept);
  progress_.load_steps += report.points;
  progress_.iterations += report.iterations;
  progress_.factorizations += report.factorizations;
  for (const CriticalPoint& point : report.critical)
    summary_.critical.push_back(
        fmt::format("analysis '{}': {} at {:.6g} of the loads, {} unstable directions before and {} after",
                    analysis.name, point.type == CriticalPoint::Type::limit ? "limit point" : "bifurcation",
                    point.load_factor, point.unstable_before, point.unstable_after));
  recorder_.critical_points(analysis.name, report.critical);
  if (report.stopped) return false;
  if (!report.converged)
    return fail(
        fmt::format("statics: the path of equilibria in analysis '{}' was followed over {} points, at the last "
                    "one with {:.4g} of the loads\ntry: smaller loads, or a smaller load_step",
                    analysis.name, report.points, report.load_factor));
  if (report.unstable > 0)
    summary_.warnings.push_back(fmt::format("analysis '{}' ends in an unstable equilibrium", analysis.name));
  return true;
}

bool Run::load_steps(const AnalysisSpec& analysis, const AcceptLoadStep& accept) {
  StaticOptions options;
  options.newton.tolerance = analysis.tolerance;
  options.newton.max_iterations = analysis.max_iterations;
  options.first_step = analysis.load_step;
  options.stop = [this] { return stop_asked(); };
  StaticSolver solver(active_.system(), options);
  const StaticReport report = solver.solve(active_.state, accept);
  progress_.load_steps += report.load_steps;
  progress_.iterations += report.iterations;
  if (report.stopped) return false;
  if (!report.converged) {
    return fail(
        fmt::format("statics: no equilibrium beyond {:.4g} of the loads in analysis '{}': |r| = {:.2g} after {} "
                    "iterations; largest: {}\ntry: smaller loads, a better initial shape, or a dynamic "
                    "analysis with damping: the structure may buckle or snap there",
                    report.load_factor, analysis.name, report.last.worst_force, report.last.iterations,
                    culprit(active_.topology(), report.last.worst)));
  }
  if (report.unstable)
    summary_.warnings.push_back(fmt::format("analysis '{}' ends in an unstable equilibrium", analysis.name));
  return true;
}

bool Run::modes(const AnalysisSpec& analysis) {
  active_.set_signals(active_.state.t);
  ModesOptions options;
  options.count = analysis.mode_count;
  const Modes modes = solve_modes(active_.system(), active_.state, options);
  if (!modes.converged) return fail(fmt::format("modes: analysis '{}': {}", analysis.name, modes.problem));
  if (!modes.warning.empty())
    summary_.warnings.push_back(fmt::format("analysis '{}': {}", analysis.name, modes.warning));
  if (modes.unstable > 0)
    summary_.warnings.push_back(
        fmt::format("analysis '{}': the state is unstable, {} modes grow", analysis.name, modes.unstable));
  recorder_.modes(analysis.name, active_.state.q, modes.frequency, modes.eigenvalue, modes.shapes);
  close_segment();
  return true;
}

}  // namespace flexura

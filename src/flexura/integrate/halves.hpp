#pragma once

#include "flexura/base/stop_request.hpp"
#include "flexura/solve/newton.hpp"

namespace flexura {

/// Goes on after a step from s.t to t1 that did not converge: in two halves by advance(s, end), and those again, `halvings` times at
/// most. What it took is added to the report. False where nothing was tried; where the pieces do not converge either, s is what it was.
template <class S>
bool advance_in_halves(SolveReport<S>& report, State<S>& s, double t1, int halvings, const auto& advance) {
  if (all(report.converged) || halvings == 0 || stop_requested()) return false;
  const State<S> first = s;
  for (const double end : {0.5 * (s.t + t1), t1}) {
    SolveReport<S> half = advance(s, end);
    advance_in_halves(half, s, end, halvings - 1, advance);
    report.converged = half.converged;
    report.iterations += half.iterations;
    report.factorizations += half.factorizations;
    if (!all(report.converged)) break;
  }
  if (!all(report.converged)) s = first;
  return true;
}

}  // namespace flexura

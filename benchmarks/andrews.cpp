/// Andrews' squeezing mechanism, 0.03 s: 8 coordinates, 7 constraints, eighth order with step size control; least of 200.

#include "tests/support/andrews.hpp"

#include <fmt/format.h>

#include "benchmarks/models.hpp"
#include "flexura/integrate/runge_kutta.hpp"

using namespace flexura;
using namespace flexura::bench;

namespace {

double worst_error(const test::Andrews& m, const State<double>& s) {
  test::AndrewsAngles angle, rate;
  test::andrews_angles(m, s.q, s.v, angle, rate);
  double out = 0;
  for (int i = 0; i < 7; ++i) {
    const double difference = std::remainder(angle[i] - test::andrews_end[i], 2 * std::numbers::pi);
    out = std::max(
        {out, std::fabs(difference / test::andrews_end[i]), std::fabs(rate[i] / test::andrews_end_rates[i] - 1)});
  }
  return out;
}

}  // namespace

int main() {
  constexpr int repeats = 200;
  const test::Andrews m = test::andrews();
  const Values* values = &m.model.values;
  System<double> system(m.model.topology, {&values, 1});
  fmt::print("method  projection  tolerance  worst error  steps  rejected  evaluations      ms  us/evaluation\n");
  for (const ButcherTableau* method : {&dormand_prince_8, &dormand_prince_5})
    for (const Projection projection : {Projection::both, Projection::none})
      for (const double tolerance : {1e-6, 1e-7, 5e-8, 1e-8, 1e-10, 1e-12}) {
        RungeKutta integrator(system, {.method = method,
                                       .projection = projection,
                                       .relative = tolerance,
                                       .absolute_q = 1e-2 * tolerance,
                                       .absolute_v = tolerance});
        double best = 1e9, error = 0;
        RungeKuttaReport report;
        for (int k = 0; k < repeats; ++k) {
          State<double> state = system.initial_state(0);
          const double begin = seconds();
          integrator.start(state);
          report = integrator.advance(state, 0.03);
          best = std::min(best, seconds() - begin);
          if (!report.converged) return 1;
          error = worst_error(m, state);
        }
        fmt::print("{:6}  {:10}  {:9.0e}  {:11.1e}  {:5}  {:8}  {:11}  {:6.2f}  {:13.2f}\n", method->order,
                   projection == Projection::both ? "both" : "none", tolerance, error, report.accepted, report.rejected,
                   report.evaluations, best * 1e3, best / static_cast<double>(report.evaluations) * 1e6);
      }
  return 0;
}

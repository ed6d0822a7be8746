/// Andrews' squeezing mechanism, 0.03 s: 8 coordinates, 7 constraints, embedded Runge–Kutta and Adams; least of 200.

#include "tests/support/andrews.hpp"

#include <fmt/format.h>

#include "benchmarks/models.hpp"
#include "flexura/integrate/adams.hpp"
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

constexpr int repeats = 200;

template <class Integrator>
bool measure(const char* name, const test::Andrews& m, System<double>& system, Integrator& integrator,
             Projection projection, double tolerance) {
  double best = 1e9, error = 0;
  long accepted = 0, rejected = 0, evaluations = 0;
  for (int k = 0; k < repeats; ++k) {
    State<double> state = system.initial_state(0);
    const double begin = seconds();
    integrator.start(state);
    const auto report = integrator.advance(state, 0.03);
    best = std::min(best, seconds() - begin);
    if (!report.converged) return false;
    accepted = report.accepted, rejected = report.rejected, evaluations = report.evaluations;
    error = worst_error(m, state);
  }
  fmt::print("{:>6}  {:10}  {:9.0e}  {:11.1e}  {:5}  {:8}  {:11}  {:6.2f}  {:13.2f}\n", name,
             projection == Projection::both ? "both" : "none", tolerance, error, accepted, rejected, evaluations,
             best * 1e3, best / static_cast<double>(evaluations) * 1e6);
  return true;
}

}  // namespace

int main() {
  const test::Andrews m = test::andrews();
  const Values* values = &m.model.values;
  System<double> system(m.model.topology, {&values, 1});
  fmt::print("method  projection  tolerance  worst error  steps  rejected  evaluations      ms  us/evaluation\n");
  constexpr double tolerances[] = {1e-6, 1e-7, 5e-8, 1e-8, 1e-10, 1e-12};
  for (const Projection projection : {Projection::both, Projection::none}) {
    for (const ButcherTableau* method : {&dormand_prince_8, &dormand_prince_5})
      for (const double tolerance : tolerances) {
        RungeKutta integrator(system, {.method = method,
                                       .projection = projection,
                                       .relative = tolerance,
                                       .absolute_q = 1e-2 * tolerance,
                                       .absolute_v = tolerance});
        if (!measure(method->order == 8 ? "8" : "5", m, system, integrator, projection, tolerance)) return 1;
      }
    for (const double tolerance : tolerances) {
      Adams integrator(
          system,
          {.projection = projection, .relative = tolerance, .absolute_q = 1e-2 * tolerance, .absolute_v = tolerance});
      if (!measure("Adams", m, system, integrator, projection, tolerance)) return 1;
    }
  }
  return 0;
}

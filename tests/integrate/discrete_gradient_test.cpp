// Forces over a step: for every registered term with an energy, and whatever the step, f·Δx = −ΔV.

#include <gtest/gtest.h>

#include "flexura/solve/system.hpp"
#include "tests/support/term_setting.hpp"

namespace flexura::test {
namespace {

class EveryEnergy : public EveryTerm {};

// Rounding: energies of the order of one to a thousand, 5 Gauss points.
TEST_P(EveryEnergy, ForcesOverAStepDoExactlyItsWork) {
  if (!info().has_energy) GTEST_SKIP() << "no energy";
  for (int sample = 0; sample < 6; ++sample) {
    const Setting s = setting(term(), random_items(term(), 3, random), random);
    const Values* values = &s.model.values;
    System<double> system(s.model.topology, {&values, 1}, {.unsymmetric = true});
    system.assembler.set_signals(s.signals);
    const size_t n = s.q.size();
    double size = sample < 3 ? 0.2 : 1e-3;
    std::vector<double> way(n), end(n), mid(n), still(n, 0.0), r(system.assembler.residual_size());
    for (double& x : way) x = random.uniform(-1, 1);
    const auto go = [&] {
      for (size_t i = 0; i < n; ++i) {
        end[i] = s.q[i] + size * way[i];
        mid[i] = 0.5 * (s.q[i] + end[i]);
      }
      return system.assembler.potential_energy(0, end.data());
    };
    while (!std::isfinite(go())) size *= 0.5;  // some laws end: Gent's chains are stretched out
    const auto input = [&](const std::vector<double>& q) { return system.assembler.input(0, q.data(), still.data()); };
    system.assembler.step_residual(input(s.q), input(mid), input(end), r.data());
    double work = 0, scale = 0;
    for (size_t i = 0; i < n; ++i) {
      work += r[i] * (end[i] - s.q[i]);
      scale += std::fabs(r[i] * (end[i] - s.q[i]));
    }
    const double before = system.assembler.potential_energy(0, s.q.data());
    const double after = system.assembler.potential_energy(0, end.data());
    EXPECT_GT(std::fabs(after - before), 1e-6 * scale);
    EXPECT_NEAR(work, before - after, 1e-13 * cancellation(info()) * (scale + std::fabs(before) + std::fabs(after)));
  }
}

INSTANTIATE_TEST_SUITE_P(Terms, EveryEnergy, ::testing::ValuesIn(all_term_cases()), case_name);

}  // namespace
}  // namespace flexura::test

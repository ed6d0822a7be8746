#pragma once
// Items of a registered term in a configuration, and the fixture of the suites over all of them.

#include <gtest/gtest.h>

#include "tests/support/dense.hpp"
#include "tests/support/term_sample.hpp"

namespace flexura::test {

/// One or more items of a case with a configuration: coordinates, velocities and signals, what they remember and how long ago.
struct Setting {
  Model model;
  std::vector<double> q, v;
  std::vector<SignalValue> signals;
  std::vector<double> history;
  double h = 0;
};

/// Signals and memory of a setting.
template <class D>
void put(D& dense, const Setting& s) {
  dense.assembler.set_signals(s.signals);
  dense.assembler.set_history({s.history.begin(), s.history.end()}, s.h);
}

inline Setting setting(const TermCase& c, const std::vector<ItemNumbers>& items, Random& random, double size = 0.25) {
  Setting s{model_of(c, items), {}, {}, {}, {}, 0};
  if (is_full_plate(c.type->info.name) || is_full_beam(c.type->info.name))
    size *= 0.3;  // a stretch that every law can bear
  s.q.assign(s.model.topology->nq, 0.0);
  s.v.assign(s.model.topology->nq, 0.0);
  for (size_t n = 0; n < items.size(); ++n) {
    const std::vector<double> x = near_reference(items[n], size, random);
    const std::vector<int> at = local_places(s.model, static_cast<int>(n));
    for (size_t i = 0; i < at.size(); ++i) {
      s.q[at[i]] = x[i];
      s.v[at[i]] = random.uniform(-2, 2);
    }
  }
  for (size_t k = 0; k < s.model.topology->signals.size(); ++k)
    s.signals.push_back({random.uniform(0.5, 2), random.uniform(-1, 1), random.uniform(-1, 1)});
  for (int k = 0; k < s.model.topology->history; ++k) s.history.push_back(random.uniform(-0.3, 0.3));
  if (!s.history.empty()) s.h = random.spread(0.02, 2);
  return s;
}

inline std::vector<ItemNumbers> random_items(const TermCase& c, int count, Random& random) {
  std::vector<ItemNumbers> items;
  for (int n = 0; n < count; ++n) items.push_back(random_item(*c.type, random));
  return items;
}

inline double largest(const std::vector<double>& x) {
  double out = 0;
  for (double xi : x) out = std::max(out, std::fabs(xi));
  return out;
}

class EveryTerm : public ::testing::TestWithParam<TermCase> {
 protected:
  const TermCase& term() const { return GetParam(); }
  const TermInfo& info() const { return GetParam().type->info; }
  Random random{20260101};
};

/// For INSTANTIATE_TEST_SUITE_P.
inline std::string case_name(const ::testing::TestParamInfo<TermCase>& info) { return info.param.name(); }

/// Rounding over that of other terms: in a solid that has grown, and between the branches of a wall of rubber, stresses far larger than
/// what is left of them cancel. Measured: 2.6 and 7.8.
inline double cancellation(const TermInfo& info) { return info.name.starts_with("composite_") ? 10 : 1; }

}  // namespace flexura::test

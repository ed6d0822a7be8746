#include <gtest/gtest.h>

#include <vector>

#include "flexura/signal/signal_set.hpp"
#include "tests/support/count_allocations.hpp"

namespace flexura {
namespace {

TEST(SignalSet, UsesNoHeapOnceFinished) {
  SignalSet set;
  const auto parsed = [](const char* text) { return Expression::parse(text, {}, ExpressionScope::signals).expression; };
  set.add("lag of lag", LagSignal{.of = "lag", .tau = 0.2});
  set.add("lag", LagSignal{.of = "mix", .tau = 0.1});
  set.add("mix", parsed("if(t < 1, signal(table), signal(sine)) + min(t, 2)^1.5 * mod(t, 0.3) + signal(chirp)"));
  set.add("table", TableSignal({0, 1, 2}, {0, 5, 3}, Interpolation::spline, 2.5));
  set.add("sine", SineSignal{});
  set.add("chirp", ChirpSignal{.f1 = 3});
  set.add("smooth", SmoothStepSignal{});
  set.add("ramp", RampSignal{});
  set.add("constant", 3.0);
  ASSERT_TRUE(set.finish().empty());
  std::vector<double> x(set.state_size()), u(set.size());
  std::vector<SignalValue> values(set.size());

  const long before = test::allocations();
  set.initial_state(0, x);
  double sum = 0;
  for (int i = 0; i < 1000; ++i) {
    const double t = 0.003 * i;
    set.values(t, x, values);
    set.evaluate(t, x, u);
    set.advance(t, t + 0.003, x, x);
    sum += u[0] + values[1].ddu;
    set.evaluate(t, u);
  }
  const long used = test::allocations() - before;
  EXPECT_EQ(used, 0);
  EXPECT_NE(sum, 0);
  EXPECT_GT(before, 0) << "the counter counts";
}

}  // namespace
}  // namespace flexura

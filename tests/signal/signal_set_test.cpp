#include "flexura/signal/signal_set.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "differences.hpp"

namespace flexura {
namespace {

using Numbers = std::vector<double>;

Expression parsed(std::string_view text) {
  ParsedExpression result = Expression::parse(text, {}, ExpressionScope::signals);
  EXPECT_TRUE(result.ok()) << text;
  return result.expression;
}

std::string all(const std::vector<SignalProblem>& problems) {
  std::string text;
  for (const SignalProblem& p : problems)
    text += p.signal + "." + p.field + ": " + p.message + (p.nearest.empty() ? "" : "; nearest: " + p.nearest) + "\n";
  return text;
}

/// Lag states at the end of n equal steps.
Numbers run(const SignalSet& set, double t0, double t1, int n) {
  Numbers x(set.state_size()), next(set.state_size());
  set.initial_state(t0, x);
  for (int i = 0; i < n; ++i) {
    set.advance(t0 + (t1 - t0) * i / n, i + 1 == n ? t1 : t0 + (t1 - t0) * (i + 1) / n, x, next);
    x = next;
  }
  return x;
}

TEST(SignalSet, EvaluatesInTheOrderOfReferencesNotOfAddition) {
  SignalSet set;
  const int sum = set.add("sum", parsed("2 * signal(pump) + signal('slow one')"));
  const int slow = set.add("slow one", LagSignal{.of = "pump", .tau = 1});
  const int pump = set.add("pump", parsed("t^2"));
  const int bare = set.add("", 4.0);
  ASSERT_EQ(all(set.finish()), "");
  Numbers u(4);
  set.evaluate(3, u);
  EXPECT_EQ(u[pump], 9);
  EXPECT_EQ(u[slow], 9) << "at rest";
  EXPECT_EQ(u[sum], 27);
  EXPECT_EQ(u[bare], 4);
  set.evaluate(3, Numbers{5}, u);
  EXPECT_EQ(u[slow], 5);
  EXPECT_EQ(u[sum], 23);
  EXPECT_EQ(set.find("pump"), pump);
  EXPECT_EQ(set.find(""), -1);
  EXPECT_TRUE(set.is_constant(bare));
  EXPECT_FALSE(set.is_constant(sum));
  std::vector<SignalValue> values(4);
  set.values(3, Numbers{5}, values);
  EXPECT_EQ(values[slow].du, 4);   // (9 − 5)/1
  EXPECT_EQ(values[slow].ddu, 2);  // (6 − 4)/1
  EXPECT_EQ(values[sum].du, 2 * 6 + 4);
  EXPECT_EQ(values[sum].ddu, 2 * 2 + 2);
  EXPECT_EQ(values[sum].u, u[sum]);
}

TEST(SignalSet, ReportsAllProblemsAndNamesCyclesInFull) {
  SignalSet set;
  set.add("a", LagSignal{.of = "b", .tau = 1});
  set.add("b", parsed("signal(c) + signal(pmup)"));
  set.add("c", LagSignal{.of = "a", .tau = -1});
  set.add("pump", RampSignal{.duration = -1});
  set.add("pump", 1.0);
  set.add("self", parsed("signal(self)"));
  EXPECT_EQ(all(set.finish()),
            "b.expression: there is no signal named 'pmup'; nearest: pump\n"
            "c.tau: must be greater than 0 [s]\n"
            "pump.duration: must be 0 or greater [s]\n"
            "pump.name: there are two signals of this name\n"
            "a.of: the signal depends on itself: 'a' -> 'b' -> 'c' -> 'a'\n"
            "self.expression: the signal depends on itself: 'self' -> 'self'\n");
}

// x' = (u − x)/tau with u = r t from rest: x = r (t − tau (1 − e^(−t/tau))). The step is exact for linear input, so that only rounding
// remains, for stiff and slow lags and for few and many steps.
TEST(LagSignal, IsExactForARampAtAnyStep) {
  for (const double tau : {1e-6, 0.01, 1.0, 300.0, 1e7}) {
    for (const int steps : {1, 7, 1000}) {
      SignalSet set;
      set.add("u", parsed("3 * t"));
      set.add("x", LagSignal{.of = "u", .tau = tau});
      ASSERT_EQ(all(set.finish()), "");
      const double t = 2, exact = 3 * (t + tau * std::expm1(-t / tau));
      // for t ≪ tau the closed form itself cancels: its rounding is tau ε
      EXPECT_NEAR(run(set, 0, t, steps)[0], exact, 1e-13 * exact + 3 * tau * 3e-16) << tau << " " << steps;
    }
  }
}

TEST(LagSignal, IsExactForAJumpAtTheEndOfAStep) {
  SignalSet set;
  set.add("u", RampSignal{.from = 0, .to = 1, .start = 1, .duration = 0});
  set.add("x", LagSignal{.of = "u", .tau = 0.3});
  ASSERT_EQ(all(set.finish()), "");
  EXPECT_EQ(run(set, 0, 1, 4)[0], 0);
  EXPECT_NEAR(run(set, 0, 3, 6)[0], 1 - std::exp(-2 / 0.3), 1e-15);  // rounding
}

TEST(LagSignal, StartsAtItsInitialValue) {
  SignalSet set;
  set.add("u", 2.0);
  set.add("x", LagSignal{.of = "u", .tau = 0.5, .initial = 10});
  ASSERT_EQ(all(set.finish()), "");
  EXPECT_NEAR(run(set, 0, 1, 3)[0], 2 + 8 * std::exp(-2), 1e-14);  // rounding
}

// Steady part and transient of a lag driven by sin(w t) from rest, and of a lag of it: to 1e-12 whatever the step.
TEST(LagSignal, OfASineIsExactAtAnyStep) {
  const double w = 5, tau = 0.2, t = 1.3;
  SignalSet set;
  set.add("x2", LagSignal{.of = "x1", .tau = tau});
  set.add("u", SineSignal{.frequency = w / (2 * std::numbers::pi)});
  set.add("x1", LagSignal{.of = "u", .tau = tau});
  ASSERT_EQ(all(set.finish()), "");
  const double wt = w * tau, d = 1 + wt * wt, decay = std::exp(-t / tau);
  const double exact1 = (std::sin(w * t) - wt * std::cos(w * t) + wt * decay) / d;
  const double exact2 = ((1 - wt * wt) * std::sin(w * t) - 2 * wt * std::cos(w * t)) / (d * d) +
                        decay * (2 * wt / (d * d) + wt / d * t / tau);
  for (const int n : {1, 3, 20, 1000}) {
    const Numbers x = run(set, 0, t, n);
    EXPECT_NEAR(x[0], exact2, 2e-12) << n;
    EXPECT_NEAR(x[1], exact1, 2e-12) << n;
  }
}

// Lags far faster and far slower than the step, of a sine: the closed form of the one before.
TEST(LagSignal, OfASineIsExactForAnyTimeConstant) {
  const double w = 5, t = 1.3;
  for (const double tau : {1e-7, 1e-4, 0.02, 0.3, 10.0, 1e5}) {
    SignalSet set;
    set.add("u", SineSignal{.frequency = w / (2 * std::numbers::pi)});
    set.add("x", LagSignal{.of = "u", .tau = tau});
    ASSERT_EQ(all(set.finish()), "");
    const double wt = w * tau, d = 1 + wt * wt, decay = std::exp(-t / tau);
    const double exact = (std::sin(w * t) - wt * std::cos(w * t) + wt * decay) / d;
    for (const int n : {1, 7, 100}) EXPECT_NEAR(run(set, 0, t, n)[0], exact, 4e-12) << tau << " " << n;
  }
}

// A jump within a step that no list of breaks names is found by halving; one that ends again between two nodes by its list alone.
TEST(LagSignal, FindsJumpsWithinAStep) {
  SignalSet set;
  set.add("u", parsed("if(t < 0.3, 0, 1)"));
  set.add("x", LagSignal{.of = "u", .tau = 0.5});
  set.add("pulse", parsed("if(t < 0.3, 0, if(t < 0.301, 1, 0))"));
  set.add("y", LagSignal{.of = "pulse", .tau = 0.5});
  ASSERT_EQ(all(set.finish()), "");
  Numbers x(2), next(2), breaks;
  set.initial_state(0, x);
  set.advance(0, 1, x, next);
  EXPECT_NEAR(next[0], 1 - std::exp(-1.4), 2e-12);
  set.breakpoints(0, 1, breaks);
  set.advance(0, 1, x, next, breaks);
  EXPECT_NEAR(next[0], 1 - std::exp(-1.4), 2e-12);
  EXPECT_NEAR(next[1], std::exp(-1.398) - std::exp(-1.4), 2e-12);
}

// The source of a lag may switch with the lag itself, as a thermostat's: u jumps where x passes 0.5.
TEST(LagSignal, OfWhatSwitchesWithALag) {
  SignalSet set;
  set.add("one", 1.0);
  set.add("x", LagSignal{.of = "one", .tau = 0.5, .initial = 0});
  set.add("u", parsed("if(signal(x) < 0.5, 0, 1)"));
  set.add("y", LagSignal{.of = "u", .tau = 0.25});
  ASSERT_EQ(all(set.finish()), "");
  const double passes = 0.5 * std::log(2.0);
  for (const int n : {1, 5}) EXPECT_NEAR(run(set, 0, 1, n)[1], 1 - std::exp(-(1 - passes) / 0.25), 4e-12) << n;
}

TEST(LagSignal, DerivativesAgreeWithCentralDifferencesOfFinelyAdvancedStates) {
  SignalSet set;
  set.add("u", parsed("sin(3*t) + t^2"));
  set.add("x", LagSignal{.of = "u", .tau = 0.4});
  set.add("y", parsed("signal(x)^2 * cos(t)"));
  ASSERT_EQ(all(set.finish()), "");
  const double h = 1e-3;
  for (const double t : {0.3, 0.8, 1.9}) {
    std::vector<SignalValue> at[3];
    for (int k : {0, 1, 2}) {
      at[k].resize(3);
      const double time = t + (k - 1) * h;
      set.values(time, run(set, 0, time, 20000), at[k]);
    }
    for (const int s : {1, 2}) {
      const double du = (at[2][s].u - at[0][s].u) / (2 * h), ddu = (at[2][s].du - at[0][s].du) / (2 * h);
      EXPECT_NEAR(at[1][s].du, du, 1e-4);    // h²/6 times third derivatives of some hundred
      EXPECT_NEAR(at[1][s].ddu, ddu, 1e-3);  // the same of fourth ones
      EXPECT_NE(at[1][s].ddu, 0);
    }
  }
}

TEST(LagSignal, DependsOnTheStepsOnlyNotOnTheThreadOrTheOrderOfAddition) {
  SignalSet set, swapped;
  set.add("u", parsed("exp(-t) * signal(v)"));
  set.add("v", SineSignal{.frequency = 2});
  set.add("x", LagSignal{.of = "u", .tau = 0.1});
  swapped.add("x", LagSignal{.of = "u", .tau = 0.1});
  swapped.add("u", parsed("exp(-t) * signal(v)"));
  swapped.add("v", SineSignal{.frequency = 2});
  ASSERT_EQ(all(set.finish()) + all(swapped.finish()), "");
  const Numbers here = run(set, 0, 1, 100);
  Numbers there;
  std::thread([&] { there = run(set, 0, 1, 100); }).join();
  EXPECT_EQ(here, there);
  EXPECT_EQ(here, run(swapped, 0, 1, 100));
}

TEST(SignalSet, CollectsBreakpointsOnceInOrder) {
  SignalSet set;
  set.add("late", RampSignal{.start = 2, .duration = 1});
  set.add("early", parsed("step(t - 0.5) + (t > 2)"));
  set.add("switch", parsed("if(signal(late) < 0.5, 0, 1)"));
  set.add("x", LagSignal{.of = "late", .tau = 1});
  ASSERT_EQ(all(set.finish()), "");
  Numbers found;
  set.breakpoints(0, 10, found);
  ASSERT_EQ(found.size(), 4U);
  EXPECT_EQ(found[0], 0.5);
  EXPECT_EQ(found[1], std::nextafter(2.0, 3));  // the later of 2 and its neighbour, after which t > 2 holds
  EXPECT_NEAR(found[2], 2.5, 1e-15);
  EXPECT_EQ(found[3], 3);
}

// ── Inputs ───────────────────────────────────────────────────────────────────────────────────────────────────────────

TEST(InputSignal, IsAStateThatOnlyTheProgramChanges) {
  SignalSet set;
  const int slow = set.add("slow", LagSignal{.of = "pump", .tau = 0.5});
  const int pump = set.add("pump", InputSignal{3});
  const int twice = set.add("twice", parsed("2 * signal(pump)"));
  ASSERT_EQ(all(set.finish()), "");
  EXPECT_EQ(set.inputs(), std::vector<int>{pump});
  EXPECT_EQ(set.input_state(slow), -1);
  EXPECT_EQ(set.input_state(twice), -1);
  const int state = set.input_state(pump);
  ASSERT_TRUE(state >= 0 && state < set.state_size());
  EXPECT_FALSE(set.is_constant(pump));
  Numbers x(2), next(2), u(3);
  set.initial_state(0, x);
  EXPECT_EQ(x, (Numbers{3, 3})) << "the lag begins at rest";
  x[state] = 5;
  set.evaluate(0, x, u);
  EXPECT_EQ(u[twice], 10);
  std::vector<SignalValue> values(3);
  set.values(0, x, values);
  EXPECT_EQ(values[pump].u, 5);
  EXPECT_EQ(values[pump].du, 0);
  EXPECT_EQ(values[pump].ddu, 0);
  EXPECT_EQ(values[twice].u, 10);
  set.advance(0, 0.1, x, next);
  EXPECT_EQ(next[state], 5);
  EXPECT_NEAR(next[1 - state], 5 - 2 * std::exp(-0.2), 1e-15) << "the lag goes from 3 to 5";
  set.restart_lags(0.1, next);
  EXPECT_EQ(next, (Numbers{5, 5})) << "a static analysis keeps what was set";
  set.evaluate(0, u);
  EXPECT_EQ(u[pump], 3) << "without states an input has its first value";
  Numbers times;
  set.breakpoints(0, 1, times);
  EXPECT_TRUE(times.empty());
}

TEST(InputSignal, StartsAtAFiniteNumber) {
  SignalSet set;
  set.add("pump", InputSignal{NAN});
  EXPECT_EQ(all(set.finish()), "pump.value: must be a finite number\n");
}

}  // namespace
}  // namespace flexura

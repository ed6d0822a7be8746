#include "flexura/math/taped.hpp"

#include <gtest/gtest.h>

#include "flexura/math/dual.hpp"
#include "flexura/math/turn_fit.hpp"

namespace flexura {
namespace {

TEST(Taped, SlopesOfTheExampleOfItsHeader) {
  Tape<double> tape;
  const Tape<double>::Scope scope(tape);
  const Taped<double> x = Taped<double>::unknown(2), y = x * sin(x);
  tape.seed(y, 1);
  tape.sweep();
  EXPECT_DOUBLE_EQ(tape.gradient(x), std::sin(2.0) + 2 * std::cos(2.0));
}

/// The turn that fits three moving vectors, one number of it.
template <class T>
T fitted(const std::vector<T>& x) {
  TurnFit<3, T> fit;
  Vec<3, T> moment{};
  for (int k = 0; k < 3; ++k) {
    const Vec<3, T> e = Vec<3, T>::load(&x[6 * k]), f = Vec<3, T>::load(&x[6 * k + 3]);
    fit.add(e);
    moment += fit.moment(e, f);
  }
  const Vec<3, T> turn = fit(moment);
  return sqrt(dot(turn, turn)) / (T(2.0) - cos(turn[0]) * turn[1]);
}

// The same operations forwards by duals: only rounding is between them.
TEST(Taped, BackwardsIsForwards) {
  std::vector<double> at(18);
  for (int i = 0; i < 18; ++i) at[i] = std::sin(1.3 * i + 0.2);
  Tape<double> tape;
  const Tape<double>::Scope scope(tape);
  std::vector<Taped<double>> x;
  for (const double value : at) x.push_back(Taped<double>::unknown(value));
  tape.seed(fitted(x), 1);
  tape.sweep();
  for (int i = 0; i < 18; ++i) {
    std::vector<Dual<double>> y(at.begin(), at.end());
    y[i].d = 1;
    const double forward = fitted(y).d;
    EXPECT_NE(forward, 0);
    EXPECT_NEAR(tape.gradient(x[i]), forward, 1e-13 * (1 + std::fabs(forward)));
  }
}

}  // namespace
}  // namespace flexura

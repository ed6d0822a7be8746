#include "flexura/signal/lag_panel.hpp"

#include <cmath>

#include "flexura/signal/panel_ends.hpp"

namespace flexura {
namespace {

constexpr int n = LagPanel::nodes;
/// Below it, Gauss's rule of the integral is exact to 1e-13 of u − ū; above it, so is the polynomial p.
constexpr double large = 4;

using Row = std::array<double, n>;

/// Legendre's polynomials of 2 x − 1, degrees 0 … n − 1.
Row legendre(double x) {
  const double y = 2 * x - 1;
  Row p{1, y};
  for (int k = 1; k + 1 < n; ++k) p[k + 1] = ((2 * k + 1) * y * p[k] - k * p[k - 1]) / (k + 1);
  return p;
}

struct GaussRule {
  Row place{0.019855071751231884158, 0.10166676129318663020, 0.23723379504183550709, 0.40828267875217509753,
            0.59171732124782490247,  0.76276620495816449291, 0.89833323870681336980, 0.98014492824876811584};
  Row weight{0.050614268145188129576, 0.11119051722668723527, 0.15685332293894364367, 0.18134189168918099148,
             0.18134189168918099148,  0.15685332293894364367, 0.11119051722668723527, 0.050614268145188129576};
  std::array<Row, n> coefficient;            ///< [k][j]: of degree k, by the value at node j
  std::array<Row, n + 1> polynomials;        ///< at the nodes and at 1
  std::array<std::array<Row, n>, n + 1> by;  ///< [i][m][j]: the value at place_m s_i by that at node j

  GaussRule() {
    for (int j = 0; j < n; ++j) {
      const Row p = legendre(place[j]);
      for (int k = 0; k < n; ++k) coefficient[k][j] = (2 * k + 1) * weight[j] * p[k];
    }
    for (int i = 0; i <= n; ++i) {
      polynomials[i] = legendre(target(i));
      for (int m = 0; m < n; ++m) {
        const Row p = legendre(target(i) * place[m]);
        for (int j = 0; j < n; ++j) {
          by[i][m][j] = 0;
          for (int k = 0; k < n; ++k) by[i][m][j] += p[k] * coefficient[k][j];
        }
      }
    }
  }
  /// Node i, or the end.
  double target(int i) const { return i < n ? place[i] : 1.0; }
};

const GaussRule& rule() {
  static const GaussRule rule;
  return rule;
}

double dot(const Row& a, const Row& b) {
  double sum = 0;
  for (int j = 0; j < n; ++j) sum += a[j] * b[j];
  return sum;
}

/// Legendre coefficients of p with p + p'/a = u, from the highest degree down.
Row particular(double a, const Row& u) {
  Row p{};
  for (int k = n - 1; k >= 0; --k) {
    double rate = 0;
    for (int m = k + 1; m < n; m += 2) rate += p[m];
    p[k] = dot(rule().coefficient[k], u) - 2 * (2 * k + 1) / a * rate;
  }
  return p;
}

}  // namespace

const std::array<double, n>& LagPanel::places() { return rule().place; }

double extrapolated(std::span<const double, LagPanel::nodes> u, int end) {
  const Row at = legendre(end);
  double sum = 0;
  for (int k = 0; k < n; ++k)
    for (int j = 0; j < n; ++j) sum += at[k] * rule().coefficient[k][j] * u[j];
  return sum;
}

LagPanel::LagPanel(double a, double start, std::span<const double, nodes> u, bool within) {
  const GaussRule& gauss = rule();
  const double level = u[n / 2];
  Row rest;
  for (int j = 0; j < n; ++j) rest[j] = u[j] - level;
  Row p{};
  double before = 0;
  if (a >= large) {
    p = particular(a, rest);
    before = dot(p, legendre(0));
  }
  for (int i = within ? 0 : n; i <= n; ++i) {
    const double as = a * gauss.target(i);
    double more = 0;
    if (a >= large) {
      more = dot(p, gauss.polynomials[i]) - std::exp(-as) * before;
    } else {
      for (int m = 0; m < n; ++m)
        more += gauss.weight[m] * std::exp(-as * (1 - gauss.place[m])) * dot(gauss.by[i][m], rest);
      more *= as;
    }
    (i < n ? at[i] : end) = start - std::expm1(-as) * (level - start) + more;
  }
}

}  // namespace flexura

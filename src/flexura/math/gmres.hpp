#pragma once
// A x = b where A is known by its products alone: the x of least |b − A x| in the space of b, A b, A² b, … [saad1986].
//
// Modified Gram–Schmidt, twice, and Givens rotations; no restarts: who wants more digits solves for what is left.

#include <cmath>
#include <span>
#include <vector>

namespace flexura {

struct GmresReport {
  int products = 0;
  double left = 0;  ///< |b − A x| / |b|, by the rotations
};

/// x [n] of b [n]; `apply(v, to)` makes A v. Ends at |b − A x| ≤ tolerance |b|, after `most` products, or where the space ends.
template <class Apply>
GmresReport gmres(std::span<const double> b, std::span<double> x, double tolerance, int most, Apply&& apply) {
  const std::size_t n = b.size();
  const auto dot = [n](std::span<const double> p, std::span<const double> q) {
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) sum += p[i] * q[i];
    return sum;
  };
  GmresReport report;
  for (double& value : x) value = 0;
  const double size = std::sqrt(dot(b, b));
  if (!(size > 0)) return report;
  std::vector<std::vector<double>> basis{{b.begin(), b.end()}}, columns;
  for (double& value : basis[0]) value /= size;
  std::vector<double> cosine, sine, left{size};
  for (report.left = 1; report.products < most && report.left > tolerance;) {
    const std::size_t k = columns.size();
    std::vector<double> w(n), column(k + 2, 0.0);
    apply(std::span<const double>(basis[k]), std::span<double>(w));
    ++report.products;
    const double before = std::sqrt(dot(w, w));
    for (int pass = 0; pass < 2; ++pass)
      for (std::size_t j = 0; j <= k; ++j) {
        const double part = dot(basis[j], w);
        column[j] += part;
        for (std::size_t i = 0; i < n; ++i) w[i] -= part * basis[j][i];
      }
    const double rest = std::sqrt(dot(w, w));
    const bool ends = !(rest > 1e-14 * before);
    column[k + 1] = ends ? 0 : rest;
    for (std::size_t j = 0; j < k; ++j) {
      const double upper = column[j], lower = column[j + 1];
      column[j] = cosine[j] * upper + sine[j] * lower;
      column[j + 1] = cosine[j] * lower - sine[j] * upper;
    }
    const double length = std::hypot(column[k], column[k + 1]);
    if (!(length > 0)) break;  // A has no inverse on this space
    cosine.push_back(column[k] / length);
    sine.push_back(column[k + 1] / length);
    column[k] = length;
    left.push_back(-sine[k] * left[k]);
    left[k] *= cosine[k];
    columns.push_back(std::move(column));
    report.left = std::fabs(left.back()) / size;
    if (ends) break;
    for (double& value : w) value /= rest;
    basis.push_back(std::move(w));
  }
  std::vector<double> y(columns.size());
  for (std::size_t k = columns.size(); k-- > 0;) {
    double sum = left[k];
    for (std::size_t j = k + 1; j < columns.size(); ++j) sum -= columns[j][k] * y[j];
    y[k] = sum / columns[k][k];
    for (std::size_t i = 0; i < n; ++i) x[i] += y[k] * basis[k][i];
  }
  return report;
}

}  // namespace flexura

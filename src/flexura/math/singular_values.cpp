#include "flexura/math/singular_values.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace flexura {
namespace {

double product(const double* a, const double* b, size_t n) { return std::inner_product(a, a + n, b, 0.0); }

/// a, b ← c a − s b, s a + c b.
void turn(double* a, double* b, size_t n, double c, double s) {
  for (size_t i = 0; i < n; ++i) {
    const double old = a[i];
    a[i] = c * old - s * b[i];
    b[i] = s * old + c * b[i];
  }
}

}  // namespace

SingularValues::SingularValues(std::span<const double> matrix, int columns)
    : rows_(columns > 0 ? matrix.size() / columns : 0), values_(columns) {
  const size_t n = values_.size();
  std::vector<double> a(matrix.begin(), matrix.end()), v(n * n, 0.0);
  for (size_t k = 0; k < n; ++k) v[k * n + k] = 1;
  bool turned = true;
  for (int sweep = 0; turned && sweep < 60; ++sweep) {  // six to ten are usual
    turned = false;
    for (size_t q = 1; q < n; ++q)
      for (size_t p = 0; p < q; ++p) {
        double *ap = &a[p * rows_], *aq = &a[q * rows_];
        const double pp = product(ap, ap, rows_), qq = product(aq, aq, rows_), pq = product(ap, aq, rows_);
        if (!(std::fabs(pq) > std::numeric_limits<double>::epsilon() * std::sqrt(pp * qq))) continue;
        turned = true;
        const double half = (qq - pp) / (2 * pq), t = std::copysign(1 / (std::fabs(half) + std::hypot(1, half)), half);
        const double c = 1 / std::hypot(1, t), s = c * t;
        turn(ap, aq, rows_, c, s);
        turn(&v[p * n], &v[q * n], n, c, s);
      }
  }
  std::vector<double> length(n);
  for (size_t k = 0; k < n; ++k) length[k] = std::sqrt(product(&a[k * rows_], &a[k * rows_], rows_));
  std::vector<size_t> order(n);
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t i, size_t j) { return length[i] > length[j]; });
  for (size_t k = 0; k < n; ++k) {
    values_[k] = length[order[k]];
    turned_.insert(turned_.end(), &a[order[k] * rows_], &a[order[k] * rows_] + rows_);
    right_.insert(right_.end(), &v[order[k] * n], &v[order[k] * n] + n);
  }
}

std::vector<double> SingularValues::solve(std::span<const double> b) const {
  const size_t n = values_.size();
  const double share = static_cast<double>(n) * std::numeric_limits<double>::epsilon();
  std::vector<double> x(n, 0.0);
  for (size_t k = 0; k < n; ++k) {
    if (!(values_[k] > share * values_[0])) break;
    const double weight = product(&turned_[k * rows_], b.data(), rows_) / values_[k] / values_[k];
    for (size_t i = 0; i < n; ++i) x[i] += weight * right_[k * n + i];
  }
  return x;
}

}  // namespace flexura

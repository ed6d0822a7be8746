#include "flexura/part/rigid_frame.hpp"

#include <algorithm>
#include <cmath>

namespace flexura::detail {

Triple triple(const std::vector<double>& x) { return {x[0], x[1], x.size() > 2 ? x[2] : 0.0}; }
Triple unit_axis(int k) {
  Triple axis{};
  axis[k] = 1;
  return axis;
}

std::array<Triple, 2> perpendiculars(const Triple& n) {
  int least = 0;
  for (int i = 1; i < 3; ++i)
    if (std::fabs(n[i]) < std::fabs(n[least])) least = i;
  Triple seed{};
  seed[least] = 1;
  const Triple second = cross(n, seed);
  const Triple unit = (1 / norm(second)) * second;
  return {cross(unit, n), unit};
}

namespace {

/// Homogeneous coordinates, lengths in units of `extent`.
std::array<double, 4> homogeneous(const BodyPlace& place, double extent) {
  return {place.is_point ? 1.0 : 0.0, place.local[0] / extent, place.local[1] / extent, place.local[2] / extent};
}

}  // namespace

BodyBasis::BodyBasis(std::vector<BodyPlace> places) : places_(std::move(places)) {
  // Vectors are unit vectors, or about so; points as far from each other as the body is large.
  extent_ = 0;
  for (const BodyPlace& a : places_)
    if (a.is_point) extent_ = std::max(extent_, norm(a.local - places_[0].local));
  if (extent_ == 0) extent_ = 1;
  // Least squares by the normal equations: columns are far from parallel, so little is lost.
  const int n = size();
  std::vector<double> normal(static_cast<size_t>(n) * n), columns(static_cast<size_t>(n) * 4);
  for (int a = 0; a < n; ++a) {
    const auto h = homogeneous(places_[a], extent_);
    std::copy(h.begin(), h.end(), columns.begin() + 4 * a);
  }
  inverse_ = columns;  // right-hand sides Bᵀ, replaced by (BᵀB)⁻¹ Bᵀ
  for (int a = 0; a < n; ++a)
    for (int b = 0; b < n; ++b)
      for (int k = 0; k < 4; ++k) normal[a * n + b] += columns[4 * a + k] * columns[4 * b + k];
  for (int p = 0; p < n; ++p) {  // Gauss–Jordan with pivoting by rows
    int best = p;
    for (int i = p + 1; i < n; ++i)
      if (std::fabs(normal[i * n + p]) > std::fabs(normal[best * n + p])) best = i;
    for (int j = 0; j < n; ++j) std::swap(normal[p * n + j], normal[best * n + j]);
    for (int k = 0; k < 4; ++k) std::swap(inverse_[4 * p + k], inverse_[4 * best + k]);
    const double pivot = normal[p * n + p];
    for (int j = 0; j < n; ++j) normal[p * n + j] /= pivot;
    for (int k = 0; k < 4; ++k) inverse_[4 * p + k] /= pivot;
    for (int i = 0; i < n; ++i) {
      if (i == p) continue;
      const double factor = normal[i * n + p];
      for (int j = 0; j < n; ++j) normal[i * n + j] -= factor * normal[p * n + j];
      for (int k = 0; k < 4; ++k) inverse_[4 * i + k] -= factor * inverse_[4 * p + k];
    }
  }
}

std::optional<std::vector<double>> BodyBasis::weights(const BodyPlace& place) const {
  const auto wanted = homogeneous(place, extent_);
  std::vector<double> c(places_.size(), 0.0);
  // The second pass removes what rounding left in the first.
  for (int pass = 0; pass < 2; ++pass) {
    auto rest = wanted;
    for (int a = 0; a < size(); ++a)
      for (int k = 0; k < 4; ++k) rest[k] -= c[a] * homogeneous(places_[a], extent_)[k];
    for (int a = 0; a < size(); ++a)
      for (int k = 0; k < 4; ++k) c[a] += inverse_[4 * a + k] * rest[k];
  }
  // Exact where it is one of the basis.
  for (int a = 0; a < size(); ++a)
    if (places_[a].is_point == place.is_point && norm(places_[a].local - place.local) <= 1e-14 * extent_) {
      std::fill(c.begin(), c.end(), 0.0);
      c[a] = 1;
    }
  // A weight of rounding would tie what is fixed to what moves: a rod between places on an axis that is held had a gradient of it, and no
  // factor takes that for none.
  const double rounding = 1e-13 * (1 + norm(place.local) / extent_);
  for (double& x : c)
    if (std::fabs(x) < rounding) x = 0;
  double gap = 0;
  for (int k = 0; k < 4; ++k) {
    double sum = -wanted[k];
    for (int a = 0; a < size(); ++a) sum += c[a] * homogeneous(places_[a], extent_)[k];
    gap = std::max(gap, std::fabs(sum));
  }
  if (gap > 1e-9 * (1 + norm(place.local) / extent_)) return {};
  return c;
}

std::vector<double> BodyBasis::mass_matrix(double mass, const Triple& center,
                                           const std::array<double, 9>& second_moment) const {
  double sigma[4][4];
  sigma[0][0] = mass;
  for (int i = 0; i < 3; ++i) {
    sigma[0][i + 1] = sigma[i + 1][0] = mass * center[i] / extent_;
    for (int j = 0; j < 3; ++j) sigma[i + 1][j + 1] = second_moment[3 * i + j] / (extent_ * extent_);
  }
  std::vector<double> m;
  for (int a = 0; a < size(); ++a)
    for (int b = 0; b <= a; ++b) {
      double sum = 0;
      for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j) sum += inverse_[4 * a + i] * sigma[i][j] * inverse_[4 * b + j];
      m.push_back(sum);
    }
  return m;
}

}  // namespace flexura::detail

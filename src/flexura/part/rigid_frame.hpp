#pragma once
// Geometry of rigid bodies: frames, and what of a body is a combination of which of its points and vectors.

#include <array>
#include <optional>
#include <vector>

#include "flexura/math/triple.hpp"

namespace flexura::detail {

/// Planar coordinates get z = 0.
Triple triple(const std::vector<double>& x);
Triple unit_axis(int k);
/// Two unit vectors that complete the unit vector n to a right-handed frame (n, first, second).
std::array<Triple, 2> perpendiculars(const Triple& n);

/// Origin and axes (unit, right-handed) of a body in space.
struct RigidFrame {
  Triple origin{};
  std::array<Triple, 3> axes{Triple{1, 0, 0}, Triple{0, 1, 0}, Triple{0, 0, 1}};

  Triple to_space(const Triple& local) const { return origin + turned(local); }
  Triple to_local(const Triple& point) const { return turned_back(point - origin); }
  Triple turned(const Triple& local) const { return local[0] * axes[0] + local[1] * axes[1] + local[2] * axes[2]; }
  Triple turned_back(const Triple& v) const { return {dot(v, axes[0]), dot(v, axes[1]), dot(v, axes[2])}; }
};

/// A point or vector of a body, in its frame.
struct BodyPlace {
  bool is_point = true;
  Triple local{};
};

/// Points and vectors that span a body: 2 (a line), 3 (planar) or 4 (spatial); the first is a point.
class BodyBasis {
 public:
  explicit BodyBasis(std::vector<BodyPlace> places);
  int size() const { return static_cast<int>(places_.size()); }
  const BodyPlace& operator[](int i) const { return places_[i]; }
  /// c with place = Σ c_a basis_a. Nothing if the basis does not span it (a place off the line of a rod).
  std::optional<std::vector<double>> weights(const BodyPlace& place) const;
  /// m_ab = ∫ ρ c_a c_b dV, lower triangle by rows, from mass, centre and E = ∫ ρ x xᵀ dV about the frame's origin (by
  /// rows); for a rod the moment about the line counts as none.
  std::vector<double> mass_matrix(double mass, const Triple& center, const std::array<double, 9>& second_moment) const;

 private:
  std::vector<BodyPlace> places_;
  std::vector<double> inverse_;  ///< [size × 4]: c = inverse (κ, X), κ = 1 for points, 0 for vectors
  double extent_ = 1;
};

}  // namespace flexura::detail

#pragma once
// Directions carried by a solid: of fibres, of growth.

#include "flexura/element/solid_shape.hpp"
#include "flexura/math/vec.hpp"

namespace flexura {

/// Directions of an item, orthonormal rows.
template <class T>
struct SolidDirections {
  T center[3], axes[9];

  SolidDirections() = default;
  SolidDirections(const Vec<3, T>& c, const Vec<3, T>& axis, const Vec<3, T>& first) {
    const Vec<3, T> z = axis / norm(axis), across = first - dot(first, z) * z, x = across / norm(across);
    c.store(center);
    x.store(axes);
    cross(z, x).store(axes + 3);
    z.store(axes + 6);
  }
  /// From the axis away, around it, along it; on the axis as along the axes.
  void about_axis(const T (&X)[3], T (&e)[9]) const {
    const Vec<3, T> z = Vec<3, T>::load(axes + 6);
    Vec<3, T> out{X[0] - center[0], X[1] - center[1], X[2] - center[2]};
    const T size = norm(out);
    out = out - dot(out, z) * z;
    const T radius = norm(out);
    const auto is_off = radius > T(1e-12) * size;
    const T per = T(1.0) / select(is_off, radius, T(1.0));
    for (int i = 0; i < 3; ++i) out[i] = select(is_off, per * out[i], axes[i]);
    out.store(e);
    cross(z, out).store(e + 3);
    z.store(e + 6);
  }
  /// Of unit length, by components along the axes, or at X where `about` is 1; zero if they are.
  void along(const T* component, const T& about, const T (&X)[3], T* a) const {
    T round[9];
    about_axis(X, round);
    const auto is_about = about > T(0.5);
    Vec<3, T> sum{T(0.0), T(0.0), T(0.0)};
    for (int d = 0; d < 3; ++d)
      for (int i = 0; i < 3; ++i)
        sum[i] = fma(component[d], select(is_about, round[3 * d + i], axes[3 * d + i]), sum[i]);
    const T size = norm(sum);
    (T(1.0) / select(size > T(0.0), size, T(1.0)) * sum).store(a);
  }
};

/// Σ N_n X_n
template <class T>
void solid_position(const SolidFunctions& f, int nodes, const T* X, T (&at)[3]) {
  for (int i = 0; i < 3; ++i) {
    at[i] = X[i];
    for (int n = 1; n < nodes; ++n) at[i] = fma(T(f.value[n]), X[3 * n + i] - X[i], at[i]);
  }
}

}  // namespace flexura

#pragma once

#include "flexura/math/vec.hpp"

namespace flexura {

/// A triangle free of stress, of which the reference is stretched along its first two directions.
template <class T>
struct TriangleShape {
  T axes[9];      ///< rows: first direction, across it, the normal
  T slope[3][2];  ///< B_i of the three linear functions, along the first two
  T volume;       ///< [m³]

  TriangleShape() = default;
  /// along: first direction, made tangent.
  TriangleShape(const T* X, const Vec<3, T>& along, const T& thickness, const T& stretch_1, const T& stretch_2) {
    const Vec<3, T> first = Vec<3, T>::load(X + 3) - Vec<3, T>::load(X),
                    second = Vec<3, T>::load(X + 6) - Vec<3, T>::load(X), area = cross(first, second);
    const T twice = norm(area);
    const Vec<3, T> normal = area / twice, tangent = along - dot(along, normal) * normal, e1 = tangent / norm(tangent),
                    e2 = cross(normal, e1);
    e1.store(axes), e2.store(axes + 3), normal.store(axes + 6);
    const T across = stretch_1 / twice, down = stretch_2 / twice;
    slope[1][0] = across * dot(second, e2), slope[1][1] = -(down * dot(second, e1));
    slope[2][0] = -(across * dot(first, e2)), slope[2][1] = down * dot(first, e1);
    for (int a = 0; a < 2; ++a) slope[0][a] = -(slope[1][a] + slope[2][a]);
    volume = T(0.5) * twice * thickness / (stretch_1 * stretch_2);
  }
};

}  // namespace flexura

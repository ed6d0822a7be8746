#pragma once

#include "flexura/math/vec.hpp"

namespace flexura {

/// Directions along and across a line in space that has no torsion: it bends in planes across e, a direction of space.
///
///      n ↑  e ⊙      t = g/‖g‖,  n = e × t/‖e × t‖,  b = t × n:  b = e as long as the line stays in a plane across e
///        └──→ t      planar with e out of the plane; not defined where g is along e
template <class T>
struct LineFrame {
  Vec<3, T> e, t, n, b;
  T size, lean;  ///< ‖g‖, ‖e × t‖

  LineFrame(const Vec<3, T>& g, const Vec<3, T>& normal) : e(normal), size(norm(g)) {
    t = g / size;
    const Vec<3, T> across = cross(e, t);
    lean = norm(across);
    n = across / lean;
    b = cross(t, n);
  }
  /// f_t t + f_n n + f_b b.
  Vec<3, T> force(const Vec<3, T>& f) const { return f[0] * t + f[1] * n + f[2] * b; }
  /// What that changes by along δg:  δt = (δg − t t·δg)/‖g‖,  δn = (e × δt − n n·(e × δt))/‖e × t‖,  δb = δt × n + t × δn
  Vec<3, T> change(const Vec<3, T>& f, const Vec<3, T>& dg) const {
    const Vec<3, T> dt = (dg - dot(t, dg) * t) / size;
    const Vec<3, T> turned = cross(e, dt);
    const Vec<3, T> dn = (turned - dot(n, turned) * n) / lean;
    return f[0] * dt + f[1] * dn + f[2] * (cross(dt, n) + cross(t, dn));
  }
};

/// The i-th axis of space.
template <class T>
Vec<3, T> axis_of_space(int i) {
  return {T(i == 0 ? 1.0 : 0.0), T(i == 1 ? 1.0 : 0.0), T(i == 2 ? 1.0 : 0.0)};
}

}  // namespace flexura

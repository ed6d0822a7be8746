#pragma once

#include "flexura/term/term.hpp"

namespace flexura {

/// Moment on three orthonormal vectors of a section or body, fixed in space.
///
///      d₃ ↑ ↗ d₂      f_i = ½ s(t) M × d_i:   Σ d_i × f_i = s M,  power s M·ω       K_ii = −½ s [M]×, unsymmetric
///         └──→ d₁
struct FrameMoment3d {
  static constexpr std::string_view name = "frame_moment_3d";
  static constexpr int dim = 3;
  static constexpr std::array slots{SlotKind::vector, SlotKind::vector, SlotKind::vector, SlotKind::signal};
  static constexpr bool symmetric = false;
  static constexpr Role role = Role::load;
  static constexpr SlotSource sources[] = {{"at", 0}, {"at", 0}, {"at", 0}, {"signal", 0}};
  static constexpr SceneForm scene{"load", "moment", "moment on a body or a node of a beam, fixed in space", sources};

  template <class T>
  struct Params {
    Vec<3, T> moment;
  };
  static void fields(auto& p, auto&& field) {
    field(p.moment, Field{.name = "moment", .unit = "N m", .doc = "moment, multiplied by the signal"});
  }

  template <class T>
  static void residual(const Params<T>& p, const NoOptions&, const Context<T>& c, const T* x, const T*, T* r) {
    const Vec<3, T> m = (T(0.5) * c.sig[0]) * p.moment;
    for (int i = 0; i < 9; i += 3) {
      r[i] = m[1] * x[i + 2] - m[2] * x[i + 1];
      r[i + 1] = m[2] * x[i] - m[0] * x[i + 2];
      r[i + 2] = m[0] * x[i + 1] - m[1] * x[i];
    }
  }
  template <class T>
  static void tangent(const Params<T>& p, const NoOptions&, const Context<T>& c, const T*, const T*, double, T* K) {
    const Vec<3, T> m = (T(0.5) * c.sig[0]) * p.moment;
    for (int i = 0; i < 81; ++i) K[i] = T(0.0);
    for (int a = 0; a < 9; a += 3)
      for (int i = 0; i < 3; ++i) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        K[(a + i) * 9 + a + j] = m[k];
        K[(a + j) * 9 + a + i] = -m[k];
      }
  }
};

}  // namespace flexura

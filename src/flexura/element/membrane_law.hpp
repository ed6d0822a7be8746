#pragma once
// A sheet's law: what a law of material/hyperelastic.hpp says of a wall whose faces are free.
//
//     plane stress    ψ(C₁₁, C₂₂, C₁₂) = min over C₃₃ of W + U           S₃₃ = 0
//     tension field   the least ψ of all that wrinkling can make of C: C + a t⊗t, a ≥ 0 [pipkin1994]. With C₁ ≥ C₂ its principal values
//                     and w(C₁) the width of a strip that is only pulled:
//                         taut      C₂ ≥ w(C₁)          plane stress
//                         wrinkled  C₂ < w(C₁), C₁ > 1  S = S₁(C₁) n⊗n: a strip along n, of which the rest is folded away
//                         slack     C₁ ≤ 1              S = 0           (isotropic laws without memory)
//
// Components 11, 22, 12 with the factors 1, 1, 2 in products:  dS_p = ½ Σ f_q D_pq dC_q.

#include "flexura/element/membrane.hpp"
#include "flexura/material/relaxing_law.hpp"

namespace flexura {

inline constexpr int plane_voigt[3] = {0, 1, 5};
inline constexpr double plane_factor[3] = {1, 1, 2};

template <class T>
struct SheetPoint {
  T energy;         ///< per natural volume [Pa]
  T S[3], D[3][3];  ///< [Pa]
  T through;        ///< C₃₃
  T change;         ///< J of the material itself
};

/// wall: W at point 0, as PlainLaw.
template <class T, class Wall = PlainLaw<T>>
struct SheetLaw {
  Wall wall;
  const ElasticConstants<T>& constants;  ///< of U
  bool only_tension;

  SheetPoint<T> operator()(const T (&c)[3]) const {
    if (!only_tension) return plane(c);
    const T mean = T(0.5) * (c[0] + c[1]), half = T(0.5) * (c[0] - c[1]), radius = sqrt(fma(half, half, c[2] * c[2]));
    const T first = mean + radius, second = mean - radius, pulled = max(first, T(1.0));
    const T width = free_width(pulled);
    constexpr double rounding = 1e-12;  // what rests is taut
    const auto is_taut = second > width - T(rounding);
    T held[3];
    for (int p = 0; p < 3; ++p) held[p] = select(is_taut, c[p], T(p < 2 ? 1.0 : 0.0));
    const SheetPoint<T> flat = plane(held);
    // n⊗n, and G = n⊗t + t⊗n, along which S₁ turns with the principal directions
    const T per = T(1.0) / select(is_taut, T(1.0), radius), cosine = per * half, sine = per * c[2];
    const T n[3] = {T(0.5) * (T(1.0) + cosine), T(0.5) * (T(1.0) - cosine), T(0.5) * sine},
            G[3] = {-sine, sine, cosine};
    T S[6], D[21];
    const T strip[6] = {pulled, width, width, T(0.0), T(0.0), T(0.0)};
    whole(strip, S, D);
    const T is_pulled = select(first > T(1.0), T(1.0), T(0.0));
    const T S1 = is_pulled * S[0], D12 = D[triangle(1, 0)];
    const T stiff = is_pulled * (D[0] - T(2.0) * D12 * D12 / (D[triangle(1, 1)] + D[triangle(2, 1)]));
    const T turn = T(0.5) * S1 * per;
    SheetPoint<T> out;
    out.energy = select(is_taut, flat.energy, is_pulled * energy(strip));
    out.through = select(is_taut, flat.through, width);
    out.change = select(is_taut, flat.change, width * sqrt(pulled));
    for (int p = 0; p < 3; ++p) {
      out.S[p] = select(is_taut, flat.S[p], S1 * n[p]);
      for (int q = 0; q < 3; ++q)
        out.D[p][q] = select(is_taut, flat.D[p][q], fma(stiff * n[p], n[q], turn * G[p] * G[q]));
    }
    return out;
  }
  /// Of the wall before its faces are free.
  void whole(const T (&C)[6], T (&S)[6], T (&D)[21]) const {
    const VolumeChange<T> change(C);
    wall.stiffness(0, C, S, D);
    add_volume_stress(constants, change, S);
    add_volume_stiffness(constants, change, D);
  }

 private:
  SheetPoint<T> plane(const T (&c)[3]) const {
    SheetPoint<T> out;
    out.through = free_thickness(c);
    const T C[6] = {c[0], c[1], out.through, T(0.0), T(0.0), c[2]};
    T S[6], D[21];
    whole(C, S, D);
    const T per = T(1.0) / D[triangle(2, 2)];
    for (int p = 0; p < 3; ++p) {
      const int a = plane_voigt[p];
      out.S[p] = S[a];
      for (int q = 0; q < 3; ++q) {
        const int b = plane_voigt[q];
        out.D[p][q] = D[triangle(a, b)] - per * D[triangle(a, 2)] * D[triangle(2, b)];
      }
    }
    out.energy = energy(C);
    out.change = sqrt(out.through * fma(c[0], c[1], -(c[2] * c[2])));
    return out;
  }
  T energy(const T (&C)[6]) const { return wall.energy(0, C) + volume_energy(constants, VolumeChange<T>(C).J); }
  /// C₃₃ at which S₃₃ = 0.
  T free_thickness(const T (&c)[3]) const {
    return free_of_stress(T(1.0) / fma(c[0], c[1], -(c[2] * c[2])), [&](const T& C33, T& stress, T& slope) {
      const T C[6] = {c[0], c[1], C33, T(0.0), T(0.0), c[2]};
      T S[6], D[21];
      whole(C, S, D);
      stress = S[2], slope = T(0.5) * D[triangle(2, 2)];
    });
  }
  /// C₂₂ = C₃₃ at which S₂₂ = S₃₃ = 0.
  T free_width(const T& C11) const {
    return free_of_stress(T(1.0) / sqrt(C11), [&](const T& w, T& stress, T& slope) {
      const T C[6] = {C11, w, w, T(0.0), T(0.0), T(0.0)};
      T S[6], D[21];
      whole(C, S, D);
      stress = S[1], slope = T(0.5) * (D[triangle(1, 1)] + D[triangle(2, 1)]);
    });
  }
  /// Newton's method from the volume that stays, by a factor of two at most; lanes stop one by one, so that each has the bits that it
  /// has alone.
  static T free_of_stress(T x, const auto& law) {
    constexpr double close = 1e-14;
    constexpr int most = 60;
    T moves(1.0);
    for (int k = 0; k < most && any(moves > T(0.5)); ++k) {
      T stress, slope;
      law(x, stress, slope);
      const T newton = x - stress / slope, low = T(0.5) * x, high = T(2.0) * x;
      const T bounded = select(newton > low, select(newton < high, newton, high), low);
      const T next = select(slope > T(0.0), bounded, select(stress > T(0.0), low, high));
      const T step = abs(next - x);
      x = select(moves > T(0.5), next, x);
      moves = select(step > T(close) * next, moves, T(0.0));
    }
    return x;
  }
};

}  // namespace flexura

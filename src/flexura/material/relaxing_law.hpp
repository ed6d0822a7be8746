#pragma once
// Rubber that relaxes: the Prony series of prony.hpp on the stress of W, which U does not share [simo1987, holzapfel1996].
//
//     S = S_U + s DEV[g∞ S̃ + Σ Q_i],   Q̇_i + Q_i/τ_i = g_i dS̃/dt,   S_W = s DEV[S̃]          e = ½ (s C − 1)
//     isochoric   s = J^(−2/3),  DEV[N] = N − ⅓ (N:C) C⁻¹: what relaxes never resists a change of volume
//     else        s = 1,         DEV[N] = N
//
// With S̃ linear over a step from t_n (E, β: prony.hpp)  Q = E Q_n + g β (S̃ − S̃_n), so
//
//     S_W → a S_W + s DEV[N],   a = g∞ + Σ g β,   N = Σ (E Q_n − g β S̃_n),
//
// the stress of the potential a W + N:e: a step is one of an elastic body, its tangent symmetric and exact. Held still, the stress of
// W falls as the series says, at any strain.
//
// Energy: what a branch stores follows ψ̇ = Q:ė − 2 ψ/τ, of a linear law ψ = ½ Q:(g D)⁻¹:Q. With e linear over the step too,
//
//     A = Q_n:(e − e_n),  B = W − W_n − S̃_n:(e − e_n),   ψ = E² ψ_n + E β A + β² g B
//     lost: (1 − E²) (ψ_n + b A + b² g B) + l g B,   b = β/(1 + E),  l: `along` of MaxwellStep
//
// together the work of Q over the step, to third order in it. W is not convex where volumes change much: a loss that came out negative
// is stored, and less than nothing is remembered as nothing.
//
// History of an item: of S̃ and then of each Q a group [ψ | its product with e | itself at each point], for S̃ with W in place of ψ; products and energies
// are sums over the points by weight.

#include "flexura/material/hyperelastic.hpp"
#include "flexura/material/prony.hpp"
#include "flexura/math/cube_root.hpp"
#include "flexura/math/vec.hpp"

namespace flexura {

/// W as it is.
template <class T>
struct PlainLaw {
  LawChoice choice;
  const ElasticConstants<T>& constants;

  T energy(int, const T (&C)[6]) const { return elastic_energy(choice, constants, C); }
  void stress(int, const T (&C)[6], T (&S)[6]) const { elastic_stress(choice, constants, C, S); }
  void stiffness(int, const T (&C)[6], T (&S)[6], T (&D)[21]) const { elastic_stiffness(choice, constants, C, S, D); }
};

constexpr bool is_isochoric(LawChoice choice) {
  return choice.form == VolumeForm::isochoric && choice.law != ElasticLaw::st_venant_kirchhoff &&
         choice.law != ElasticLaw::yeoh_paper;
}

/// N:X of symmetric tensors.
template <class T>
T double_product(const T* N, const T* X) {
  T sum = N[0] * X[0];
  for (int p = 1; p < 6; ++p) sum = fma(T(p < 3 ? 1.0 : 2.0) * N[p], X[p], sum);
  return sum;
}

/// What relaxes: W, its strain e and the stress S̃ that belongs to it.
template <class T>
struct ShapeLaw {
  LawChoice choice;
  const ElasticConstants<T>& constants;

  T energy(const T (&C)[6]) const { return elastic_energy(choice, constants, C); }
  void strain(const T (&C)[6], T (&e)[6]) const {
    if (!is_isochoric(choice)) {
      for (int p = 0; p < 6; ++p) e[p] = T(0.5) * (p < 3 ? C[p] - T(1.0) : C[p]);
      return;
    }
    const VolumeChange<T> change(C);
    const T scale = inverse_cube_root(change.J * change.J);
    for (int p = 0; p < 6; ++p) e[p] = T(0.5) * (p < 3 ? fma(scale, C[p], T(-1.0)) : scale * C[p]);
  }
  void stress(const T (&C)[6], T (&S)[6]) const {
    elastic_stress(choice, constants, C, S);
    if (!is_isochoric(choice)) return;
    const VolumeChange<T> change(C);
    const T root = T(1.0) / inverse_cube_root(change.J * change.J);
    for (T& s : S) s = root * s;
  }
};

/// a W + N:e at each point.
template <class T>
struct LawOfStep {
  LawChoice choice;
  const ElasticConstants<T>& constants;
  T factor;       ///< a
  const T* rest;  ///< N of each point

  T energy(int k, const T (&C)[6]) const {
    T e[6];
    ShapeLaw<T>{choice, constants}.strain(C, e);
    return fma(factor, elastic_energy(choice, constants, C), double_product(rest + 6 * k, e));
  }
  void stress(int k, const T (&C)[6], T (&S)[6]) const {
    elastic_stress(choice, constants, C, S);
    for (T& s : S) s = factor * s;
    const T* N = rest + 6 * k;
    if (!is_isochoric(choice)) {
      for (int p = 0; p < 6; ++p) S[p] += N[p];
      return;
    }
    const VolumeChange<T> change(C);
    const T scale = inverse_cube_root(change.J * change.J), third = T(1.0 / 3) * double_product(N, C);
    for (int p = 0; p < 6; ++p) S[p] = fma(scale, fma(-third, change.inverse[p], N[p]), S[p]);
  }
  void stiffness(int k, const T (&C)[6], T (&S)[6], T (&D)[21]) const {
    elastic_stiffness(choice, constants, C, S, D);
    for (T& s : S) s = factor * s;
    for (T& d : D) d = factor * d;
    const T* N = rest + 6 * k;
    if (!is_isochoric(choice)) {
      for (int p = 0; p < 6; ++p) S[p] += N[p];
      return;
    }
    const VolumeChange<T> change(C);
    const T(&i)[6] = change.inverse;
    const T scale = inverse_cube_root(change.J * change.J), third = T(1.0 / 3) * double_product(N, C);
    T M[6];  // 2/3 s (N − ⅓ (N:C) C⁻¹/1), the part that stands beside C⁻¹
    for (int p = 0; p < 6; ++p) {
      S[p] = fma(scale, fma(-third, i[p], N[p]), S[p]);
      M[p] = T(2.0 / 3) * scale * fma(T(-0.5) * third, i[p], N[p]);
    }
    const T both = T(2.0) * scale * third;
    for (int p = 0; p < 6; ++p)
      for (int q = 0; q <= p; ++q) D[triangle(p, q)] += fma(both, change.product(p, q), -fma(M[p], i[q], i[p] * M[q]));
  }
};

/// The series of an item, and what it does with the numbers that the item remembers.
template <class T>
struct Relaxation {
  int branches;
  T share[most_branches], time[most_branches], lasting;  ///< g, τ, g∞

  Relaxation() = default;
  Relaxation(int count, const Vec<most_branches, T>& shares, const Vec<most_branches, T>& times)
      : branches(count), lasting(1.0) {
    for (int i = 0; i < most_branches; ++i) {
      share[i] = shares.c[i], time[i] = times.c[i];
      if (i < count) lasting -= shares.c[i];
    }
  }

  int groups() const { return branches > 0 ? 1 + branches : 0; }
  static constexpr int group(int points) { return 2 + 6 * points; }
  static constexpr int history(int points, int branches) { return branches > 0 ? (1 + branches) * group(points) : 0; }

  /// a and N of a step of h from `past`.
  [[gnu::noinline]] void over_step(int points, const T* past, double h, T& factor, T* rest) const {
    factor = lasting;
    for (int k = 0; k < 6 * points; ++k) rest[k] = T(0.0);
    for (int i = 0; i < branches; ++i) {
      const MaxwellStep<T> step(time[i], h);
      const T gain = share[i] * step.gain;
      const T *S = past + 2, *Q = past + (1 + i) * group(points) + 2;
      factor += gain;
      for (int k = 0; k < 6 * points; ++k) rest[k] = fma(step.keep, Q[k], fma(-gain, S[k], rest[k]));
    }
  }

  /// Sums over the points: W, and e with S̃ and each Q of `past`.
  struct Sums {
    T energy, product[1 + most_branches];
  };
  /// law: as ShapeLaw; at(k, C): the weight of point k, and C there.
  [[gnu::noinline]] Sums sums(const auto& law, int points, const T* past, auto&& at) const {
    Sums out;
    out.energy = T(0.0);
    for (T& p : out.product) p = T(0.0);
    for (int k = 0; k < points; ++k) {
      T C[6], e[6];
      const T weight = at(k, C);
      out.energy = fma(weight, law.energy(C), out.energy);
      law.strain(C, e);
      for (int i = 0; i < groups(); ++i)
        out.product[i] = fma(weight, double_product(past + i * group(points) + 2 + 6 * k, e), out.product[i]);
    }
    return out;
  }

  /// What a branch has stored at the end of a step, and lost in it.
  struct Energies {
    T stored, lost;
  };
  Energies energies(int i, int points, const T* past, double h, const Sums& now) const {
    const MaxwellStep<T> step(time[i], h);
    const T* own = past + (1 + i) * group(points);
    const T before = own[0], A = now.product[1 + i] - own[1];
    const T B = share[i] * (now.energy - past[0] - (now.product[0] - past[1]));
    const T lost = max(fma(step.spent, fma(step.turn, fma(step.turn, B, A), before), step.along * B), T(0.0));
    // ψ_n and the work: E² ψ_n + E β A + β² g B with the loss
    const T work = fma(fma(step.keep, step.gain, step.spent * step.turn), A,
                       fma(step.gain, step.gain, fma(step.spent * step.turn, step.turn, step.along)) * B);
    return {before + work - lost, lost};
  }
  /// V of W and the branches.
  T stored(int points, const T* past, double h, const Sums& now) const {
    T sum = lasting * now.energy;
    for (int i = 0; i < branches; ++i) sum += energies(i, points, past, h, now).stored;
    return sum;
  }
  T lost(int points, const T* past, double h, const Sums& now) const {
    T sum(0.0);
    for (int i = 0; i < branches; ++i) sum += energies(i, points, past, h, now).lost;
    return sum;
  }

  [[gnu::noinline]] void remember(const auto& law, int points, const T* past, double h, auto&& at, T* next) const {
    const Sums now = sums(law, points, past, at);
    for (int i = 0; i < branches; ++i)
      next[(1 + i) * group(points)] = max(energies(i, points, past, h, now).stored, T(0.0));
    for (int k = 0; k < points; ++k) {
      T C[6], S[6];
      at(k, C);
      law.stress(C, S);
      const T* before = past + 2 + 6 * k;
      for (int p = 0; p < 6; ++p) next[2 + 6 * k + p] = S[p];
      for (int i = 0; i < branches; ++i) {
        const MaxwellStep<T> step(time[i], h);
        const int first = (1 + i) * group(points) + 2 + 6 * k;
        for (int p = 0; p < 6; ++p)
          next[first + p] = fma(step.keep, past[first + p], share[i] * step.gain * (S[p] - before[p]));
      }
    }
    const Sums after = sums(law, points, next, at);
    next[0] = after.energy;
    for (int i = 0; i <= branches; ++i) next[i * group(points) + 1] = after.product[i];
  }
};

}  // namespace flexura

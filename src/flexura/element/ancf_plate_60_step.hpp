#pragma once
// The full plate's discrete gradient: forces f with f·(x₁ − x₀) = −(V₁ − V₀).
//
// Strains are quadratic in the coordinates, so that B(x̄) Δx = Δε exactly, and whatever stress there is leaves momenta as they are
// [simo1992]. The stress of a point is W's mean along the straight way from C₀ to C₁, by three Gauss points, and what large strains leave,
// of the seventh order in them, along Δε [gonzalez1996]. Of the change of volume, k/2 Δ(b²) = k b̄ Δb, and with the mean of the cofactor,
// quadratic in C and so by Simpson's rule,
//
//     Δ det C = cof:ΔC,   ΔJ = Δ det C/(√det G (√det C₀ + √det C₁))
//
// Nothing is closed along the motion of the whole element, which turns back: its thickness, which hardly has inertia, does so in every step.

#include <limits>

#include "flexura/element/ancf_plate_60_kernel.hpp"

namespace flexura {

/// ∂θ/∂ε between two configurations: Δθ = Σ first Δε.
template <class T>
[[gnu::noinline]] void volume_secant(ElasticLaw law, const PlateMetric<T>& metric, const T (&C0)[6], const T (&C1)[6],
                                     T (&first)[6]) {
  T middle[6];
  for (int p = 0; p < 6; ++p) middle[p] = T(0.5) * (C0[p] + C1[p]);
  if (law == ElasticLaw::st_venant_kirchhoff) {
    const PlateVolume<T> linear(law, metric, middle);
    for (int p = 0; p < 6; ++p) first[p] = linear.first[p];
    return;
  }
  const VolumeChange<T> a(C0), m(middle), b(C1);
  const T share = T(1.0 / 3) / (metric.root * (a.J + b.J));
  for (int p = 0; p < 6; ++p)
    first[p] = share * fma(a.J * a.J, a.inverse[p], fma(T(4.0) * m.J * m.J, m.inverse[p], b.J * b.J * b.inverse[p]));
}

/// S with S:Δε = ΔW of a point, but for rounding ρ: of what is beyond it, g − ρ²/g.
template <class T>
[[gnu::noinline]] void stress_secant(const PlateLaw<T>& law, const PlateMetric<T>& metric, int k, const T (&C0)[6],
                                     const T (&C1)[6], T (&S)[6]) {
  constexpr int many = 3;
  T change[6], Cartesian[6], at[many][6];
  for (int p = 0; p < 6; ++p) change[p] = C1[p] - C0[p], S[p] = T(0.0);
  for (int g = 0; g < many; ++g) {
    T C[6];
    for (int p = 0; p < 6; ++p) C[p] = fma(T(Gauss<many>::x[g]), change[p], C0[p]);
    law.stress(metric, k, C, at[g]);
    for (int p = 0; p < 6; ++p) S[p] = fma(T(Gauss<many>::w[g]), at[g][p], S[p]);
  }
  to_cartesian(metric.a, change, Cartesian);
  const T W0 = law.energy(metric, k, C0), W1 = law.energy(metric, k, C1), square = double_product(Cartesian, Cartesian);
  T gap = W1 - W0, size = abs(W0) + abs(W1), stiff(0.0);
  for (int p = 0; p < 6; ++p) {
    gap = fma(T(p < 3 ? -0.5 : -1.0) * S[p], change[p], gap);
    size = fma(abs(S[p]), abs(C0[p]) + abs(C1[p]), size);
    stiff = fma(abs(at[many - 1][p] - at[0][p]), abs(C0[p]) + abs(C1[p]), stiff);
  }
  const auto moves = square > T(0.0);
  size += stiff / sqrt(select(moves, square, T(1.0)));  // what W is the difference of
  const T rounding = T(4 * std::numeric_limits<double>::epsilon()) * size;
  const auto beyond = moves & (abs(gap) > rounding);
  gap = select(beyond, gap - rounding * (rounding / select(beyond, gap, T(1.0))), T(0.0));
  const T factor = T(2.0) * gap / select(moves, square, T(1.0));
  const PlateTurn<T> turn(metric.a);
  for (int p = 0; p < 6; ++p) S[p] = fma(factor, turn.row(p, Cartesian), S[p]);
}

template <class T>
void AncfPlate60Kernel::discrete_gradient(const Data<T>& data, const Options& o, const Context<T>&, const T* x0,
                                          const T* x1, T* r) {
  const Strains<T> before(data, o, x0), after(data, o, x1);
  const PlateLaw<T> law = law_of(data, o);
  T middle[dofs], sum[dofs];
  for (int i = 0; i < dofs; ++i) middle[i] = T(0.5) * (x0[i] + x1[i]), sum[i] = T(0.0);
  const Places<T> now(data, middle);
  for (int s = 0; s < places; ++s) {
    const Rows<T> rows(now, s);
    for (int l = 0; l < layers; ++l) {
      const int k = layers * s + l;
      const PlateMetric<T>& metric = data.metric[k];
      T S[6], first[6];
      stress_secant(law, metric, k, before.C[k], after.C[k], S);
      volume_secant(o.law, metric, before.C[k], after.C[k], first);
      for (int p = 0; p < 6; ++p) S[p] = fma(T(0.5) * (before.pressure[k] + after.pressure[k]), first[p], S[p]);
      for (int p = 0; p < 6; ++p) {
        const T w = -(metric.weight * S[p]);
        for (int i = 0; i < dofs; ++i) sum[i] = fma(w, rows.b[l][p][i], sum[i]);
      }
    }
  }
  for (int i = 0; i < dofs; ++i) r[i] = data.factor[i / 3 % functions] * sum[i];
}

}  // namespace flexura

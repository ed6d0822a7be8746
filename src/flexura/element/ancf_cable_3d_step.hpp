#pragma once
// The spatial cable's discrete gradient: forces f with f·(x₁ − x₀) = −(V₁ − V₀) exactly.
//
// The energy depends on the invariants g = d·d, c = d·s and h = s·s of each point, Q = a (g h − c²) with a = gᵐ⁻¹. Their differences are
// exact with mean values, Δg = 2 d̄·Δd, Δc = d̄·Δs + s̄·Δd, Δh = 2 s̄·Δs, and forces along d̄ and s̄ that come of them turn with the
// cable: linear and angular momentum are kept. For products Δ(u w) = ū Δw + w̄ Δu, K̄ ΔK = ½ ΔQ, and with i = 1/g
//
//     Δi/Δg = −i₀ i₁,   Δ(i²) = (i₀ + i₁) Δi,   Δ(i³) = (i₀² + i₀ i₁ + i₁²) Δi
//
// without a small denominator anywhere [simo1992, in the form of gonzalez1996]. A mean turn of the element, which other items have,
// would not do: about its own line what is nearly straight has none.

#include "flexura/element/ancf_cable_3d_kernel.hpp"

namespace flexura {

template <class T>
void AncfCable3dKernel::discrete_gradient(const Data<T>& data, const Options& o, const Context<T>&, const T* x0,
                                          const T* x1, T* r) {
  const CubicLine<3, T> e0(x0, data.inv_l), e1(x1, data.inv_l);
  const auto mean = [](const Vec<3, T>& a, const Vec<3, T>& b) { return T(0.5) * (a + b); };
  const auto mean_of = [](const T& a, const T& b) { return T(0.5) * (a + b); };
  CubicForces<3, T> f;
  for (int at = 0; at < stretch_count(is_reduced(o)); ++at) {
    const CubicShape sh = cubic_shape(stretch_place(is_reduced(o), at));
    const Vec<3, T> d0 = e0.d(sh), d1 = e1.d(sh);
    const T g0 = dot(d0, d0), g1 = dot(d1, d1), iJ = data.inv_J2[at];
    T strain, slope = iJ;  // of the mean d
    if (o.axial == Axial::green) {
      strain = T(0.5) * (mean_of(g0, g1) * iJ - T(1.0));
    } else {
      const T sum = sqrt(g0) + sqrt(g1);
      strain = T(0.5) * sum * iJ - T(1.0);
      slope = T(2.0) * iJ / sum;
    }
    f.subtract(sh.f, (data.axial_weight[at] * strain * slope) * mean(d0, d1));
  }
  const bool geometric = o.curvature == Curvature::geometric;
  for (int at = 0; at < bend_points; ++at) {
    const CubicShape sh = cubic_shape(Bend::x[at]);
    const Vec<3, T> d0 = e0.d(sh), d1 = e1.d(sh), s0 = e0.s(sh, data.inv_l), s1 = e1.s(sh, data.inv_l);
    const Bending<T> b0(d0, s0, geometric), b1(d1, s1, geometric);
    const Vec<3, T> d = mean(d0, d1), s = mean(s0, s1);
    const T c0 = dot(d0, s0), c1 = dot(d1, s1), h0 = dot(s0, s0), h1 = dot(s1, s1), i0 = b0.inv_g, i1 = b1.inv_g;
    const T a0 = b0.alpha * i0, a1 = b1.alpha * i1, a = mean_of(a0, a1);
    const T slope_a = -(geometric ? i0 * i0 + i0 * i1 + i1 * i1 : i0 + i1) * i0 * i1;  // Δa/Δg
    const T across = mean_of(dot(b0.u, b0.u) * b0.g, dot(b1.u, b1.u) * b1.g);          // of g h − c²
    const T K = mean_of(sqrt(b0.Q + data.delta2[at]), sqrt(b1.Q + data.delta2[at]));
    const T factor = data.bend_weight[at] * (T(1.0) - data.kappa0[at] / K), g = mean_of(b0.g, b1.g),
            c = mean_of(c0, c1);
    f.subtract(sh.f, (factor * (a * mean_of(h0, h1) + slope_a * across)) * d - (factor * a * c) * s);
    f.subtract(sh.df, (data.inv_l * factor * a) * (g * s - c * d));
  }
  f.to_nodes(data.inv_l, r);
}

}  // namespace flexura

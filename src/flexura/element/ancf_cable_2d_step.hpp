#pragma once
// The planar cable's discrete gradient: forces f with f·(x₁ − x₀) = −(V₁ − V₀) exactly.
//
// The energy depends on the invariants g = d·d, c = d × s, s·s and e = s·(τ₀ d + κ₀ J d) of each point. They are bilinear,
// so their differences are exact with mean values, Δg = 2 d̄·Δd, Δc = d̄ × Δs + Δd × s̄, and the forces that follow turn with
// the cable: linear and angular momentum are kept. For products Δ(u w) = ū Δw + w̄ Δu, and with b = 1/√g
//
//     Δb/Δg = −b₀ b₁/(√g₀ + √g₁),   Δ(b²)/Δg = −b₀² b₁²,   Δ(b³)/Δg = (b₀² + b₀ b₁ + b₁²) Δb/Δg
//
// without a small denominator anywhere [simo1992, in the form of gonzalez1996].

#include "flexura/element/ancf_cable_2d_kernel.hpp"

namespace flexura {

template <class T>
void AncfCable2dKernel::discrete_gradient(const Data<T>& data, const Options& o, const Context<T>&, const T* x0,
                                          const T* x1, T* r) {
  const Basis<T> e0(x0, data.inv_l), e1(x1, data.inv_l);
  const auto mean = [](const Vec<2, T>& a, const Vec<2, T>& b) { return T(0.5) * (a + b); };
  const auto mean_of = [](const T& a, const T& b) { return T(0.5) * (a + b); };
  Forces<T> f;
  if (o.axial == Axial::chord) {
    const Vec<2, T> c0 = Vec<2, T>::load(x0 + 4) - Vec<2, T>::load(x0),
                    c1 = Vec<2, T>::load(x1 + 4) - Vec<2, T>::load(x1);
    const T sum = norm(c0) + norm(c1), strain = T(0.5) * sum / data.L - T(1.0);
    f.p[0] -= (T(2.0) * data.axial_weight[0] * strain / (data.L * sum * data.inv_l)) * mean(c0, c1);
  } else {
    for (int g = 0; g < stretch_count(is_reduced(o)); ++g) {
      const Shape sh = shape(stretch_place(is_reduced(o), g));
      const Vec<2, T> d0 = e0.d(sh), d1 = e1.d(sh);
      const T g0 = dot(d0, d0), g1 = dot(d1, d1);
      T strain, slope = data.inv_J2[g];  // of the mean d
      if (o.axial == Axial::green) {
        strain = T(0.5) * (mean_of(g0, g1) * data.inv_J2[g] - T(1.0));
      } else {
        const T sum = sqrt(g0) + sqrt(g1);
        strain = T(0.5) * sum * data.inv_J2[g] - T(1.0);
        slope = T(2.0) * data.inv_J2[g] / sum;
      }
      f.subtract(sh.f, (data.axial_weight[g] * strain * slope) * mean(d0, d1));
    }
  }
  for (int g = 0; g < bend_points; ++g) {
    const Shape sh = shape(Gauss<bend_points>::x[g]);
    const Vec<2, T> d0 = e0.d(sh), d1 = e1.d(sh), s0 = e0.s(sh, data.inv_l), s1 = e1.s(sh, data.inv_l);
    const Vec<2, T> d = mean(d0, d1), s = mean(s0, s1);
    const T b0 = T(1.0) / norm(d0), b1 = T(1.0) / norm(d1);
    const T slope = -b0 * b1 / (T(1.0) / b0 + T(1.0) / b1);  // Δb/Δg
    Vec<2, T> fd, fs;
    if (o.curvature == Curvature::simplified) {
      const auto turned = [&](const Vec<2, T>& a) { return data.tau0[g] * a + data.kappa0[g] * perp(a); };
      const T weight = data.bend_weight[g], b = mean_of(b0, b1);
      const T e = mean_of(dot(s0, turned(d0)), dot(s1, turned(d1)));
      fs = weight * (s - b * turned(d));
      fd = -weight * (T(2.0) * e * slope * d + b * (data.tau0[g] * s - data.kappa0[g] * perp(s)));
    } else {
      const bool geometric = o.curvature == Curvature::geometric;
      const T a0 = geometric ? b0 * b0 * b0 : b0 * b0, a1 = geometric ? b1 * b1 * b1 : b1 * b1;
      const T slope_a = geometric ? (b0 * b0 + b0 * b1 + b1 * b1) * slope : -a0 * a1;
      const T c0 = cross(d0, s0), c1 = cross(d1, s1), a = mean_of(a0, a1);
      const T moment = data.bend_weight[g] * (mean_of(c0 * a0, c1 * a1) - data.kappa0[g]);
      fd = moment * (T(2.0) * mean_of(c0, c1) * slope_a * d - a * perp(s));
      fs = (moment * a) * perp(d);
    }
    f.subtract(sh.f, fd);
    f.subtract(sh.df, data.inv_l * fs);
  }
  f.to_nodes(data.inv_l, r);
}

}  // namespace flexura

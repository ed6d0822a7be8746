#pragma once

#include "flexura/element/composite_law.hpp"
#include "flexura/element/composite_membrane.hpp"
#include "flexura/element/membrane_kernel.hpp"

namespace flexura {

/// Membranes that are woven, relax, have fibres, grow or are damped: the triangle of membrane_kernel.hpp with another law.
///
///     isotropic     ψ = min over C₃₃ of W by relaxing_law.hpp + U + Σ fibre_law.hpp       the wall of composite_solid_kernel.hpp, S₃₃ = 0
///     orthotropic   ψ = ½ E:Q:E + Σ fibre_law.hpp, Q relaxes as W; C₃₃ = 1
///     growth        F = F_e F_g,  F_g = diag λ_i,  λ_i = 1 + growth_i u_i(t):  B/λ, V λ₁λ₂λ₃                       [rodriguez1994]
///     damping       S = θ D₀:Ė besides. Orthotropic: D₀ = Q. Else D₀:Ė = 2 μ (Ė + β² tr Ė 1), β = λ/(λ + 2 μ) at rest: what the damping
///                   2 μ θ Ė of a solid is in a thin wall of small strains, whose thickness the elastic law says
///
/// The state of relaxation is at the C₃₃ that a step ends with, so S₃₃ = 0 at the end of each; what the thickness takes within the step,
/// of third order in it, stands in no account.                                                        Units: SI.
struct CompositeMembraneKernel : CompositeMembrane {
  using Plain = MembraneKernel;
  template <class T>
  using Sheet = Plain::Sheet<T>;
  template <class T>
  using Edges = Plain::Edges<T>;
  static constexpr int most_history = Relaxation<double>::history(1, most_branches);
  static int history(const Options& o) { return Relaxation<double>::history(1, o.count()); }

  template <class T>
  struct Data {
    ElasticConstants<T> constants, shape;  ///< and those of what relaxes
    T trace_bulk, mass;
    Sheet<T> sheet;
    T moduli[sheet_moduli], viscous[3][3];  ///< Q; θ D₀
    Relaxation<T> relaxation;
    FibreLaw<T> fibre[most_fibres];
    T direction[3 * most_fibres], growth[3];
  };
  template <class T>
  static Data<T> prepare(const Params<T>& p, const Options& o, const T* X) {
    Data<T> data;
    for (int i = 0; i < most_elastic_constants; ++i) data.constants.c[i] = p.constants[i];
    data.constants.bulk = p.bulk;
    data.trace_bulk = split_shape(o.elastic.law, data.constants, data.shape);
    data.sheet = Sheet<T>({X, p.first, p.thickness, p.stretch[0], p.stretch[1]});
    data.mass = T(1.0 / 12) * p.rho * data.sheet.shape.volume;
    for (int i = 0; i < sheet_moduli; ++i) data.moduli[i] = p.moduli[i];
    data.relaxation = Relaxation<T>(o.count(), p.share, p.time);
    for (int f = 0; f < most_fibres; ++f) {
      data.fibre[f] = {p.fibre_stiffness[f], p.fibre_exponent[f], p.fibre_compression[f]};
      const Vec<3, T> along{p.fibre_direction[2 * f], p.fibre_direction[2 * f + 1], T(0.0)};
      const T size = norm(along);
      (T(1.0) / select(size > T(0.0), size, T(1.0)) * along).store(data.direction + 3 * f);
    }
    for (int i = 0; i < 3; ++i) data.growth[i] = p.growth[i];
    set_viscous(data, o, p.retardation);
    return data;
  }
  template <class T>
  static void set_viscous(Data<T>& data, const Options& o, const T& time) {
    T D[3][3];
    if (o.weave == Weave::orthotropic) {
      for (int p = 0; p < 3; ++p)
        for (int q = 0; q < 3; ++q) D[p][q] = OrthotropicSheet<T>{data.moduli}.modulus(p, q);
    } else {
      const T rest[6] = {T(1.0), T(1.0), T(1.0), T(0.0), T(0.0), T(0.0)};
      T S[6], whole[21];
      SheetLaw<T>{{{o.elastic.law, o.elastic.form}, data.constants}, data.constants, false}.whole(rest, S, whole);
      const T shear = whole[triangle(5, 5)], thinner = whole[triangle(1, 0)] / whole[triangle(0, 0)];
      const T both = T(2.0) * shear * thinner * thinner;
      for (auto& row : D)
        for (T& entry : row) entry = T(0.0);
      D[0][0] = D[1][1] = fma(T(2.0), shear, both), D[0][1] = D[1][0] = both, D[2][2] = shear;
    }
    for (int p = 0; p < 3; ++p)
      for (int q = 0; q < 3; ++q) data.viscous[p][q] = time * D[p][q];
  }
  template <class T>
  static void mass(const Data<T>& data, T* m) {
    constexpr int all = slots_of<CompositeMembrane>;
    for (int i = 0; i < nodes; ++i)
      for (int j = 0; j < nodes; ++j) m[i * all + j] = i == j ? T(2.0) * data.mass : data.mass;
  }

  /// The triangle as it is in a step: grown, its law partly relaxed.
  template <class T>
  struct Step {
    const Data<T>& data;
    const Options& o;
    Sheet<T> sheet;
    T factor, rest[6];

    Step(const Data<T>& of, const Options& options, const Context<T>& c) : data(of), o(options), sheet(of.sheet) {
      data.relaxation.over_step(1, c.past, c.h, factor, rest);
      if (o.grows == Grows::no) return;
      T volume(1.0);
      for (int i = 0; i < 3; ++i) {
        const T stretch = fma(data.growth[i], c.sig[i], T(1.0));
        volume = volume * stretch;
        if (i == 2) continue;
        const T per = T(1.0) / stretch;
        for (auto& B : sheet.shape.slope) B[i] = per * B[i];
      }
      sheet.shape.volume = volume * sheet.shape.volume;
      sheet.set_metric();
    }
    Step(const Step&) = delete;

    bool woven() const { return o.weave == Weave::orthotropic; }
    LawChoice choice() const { return {o.elastic.law, o.elastic.form}; }
    CompositeLaw<T> wall() const {
      return {{choice(), data.shape, factor, rest}, data.trace_bulk, {o.fibres(), data.fibre, data.direction}};
    }
    SheetPoint<T> operator()(const T (&c)[3]) const {
      if (woven()) return woven_point(c);
      return SheetLaw<T, CompositeLaw<T>>{wall(), data.constants, o.elastic.carries == Membrane::Carries::tension}(c);
    }
    SheetPoint<T> woven_point(const T (&c)[3]) const {
      const OrthotropicSheet<T> law{data.moduli};
      const T C[6] = {c[0], c[1], T(1.0), T(0.0), T(0.0), c[2]};
      T S[6], D[21];
      law.stress(C, S);
      for (int p = 0; p < 6; ++p) S[p] = fma(factor, S[p], rest[p]);
      for (T& d : D) d = T(0.0);
      for (int p = 0; p < 3; ++p)
        for (int q = 0; q <= p; ++q) D[triangle(plane_voigt[p], plane_voigt[q])] = factor * law.modulus(p, q);
      wall().fibres.add_stiffness(0, C, S, D);
      SheetPoint<T> out;
      out.energy = T(0.0);  // that of a step is no one's
      out.through = T(1.0);
      out.change = sqrt(fma(c[0], c[1], -(c[2] * c[2])));
      for (int p = 0; p < 3; ++p) {
        out.S[p] = S[plane_voigt[p]];
        for (int q = 0; q < 3; ++q) out.D[p][q] = D[triangle(plane_voigt[p], plane_voigt[q])];
      }
      return out;
    }

    /// C with the thickness of the step; for Relaxation.
    void whole(const T (&c)[3], T (&C)[6]) const {
      C[0] = c[0], C[1] = c[1], C[2] = (*this)(c).through, C[3] = C[4] = T(0.0), C[5] = c[2];
    }
    auto point(const T (&C)[6]) const {
      return [this, &C](int, T(&out)[6]) {
        for (int p = 0; p < 6; ++p) out[p] = C[p];
        return sheet.shape.volume;
      };
    }
    /// with(law): of what relaxes.
    auto with_shape(auto&& with) const {
      if (woven()) return with(OrthotropicSheet<T>{data.moduli});
      return with(ShapeLaw<T>{choice(), data.shape});
    }
    typename Relaxation<T>::Sums sums(const Context<T>& c, const T (&C)[6]) const {
      return with_shape([&](const auto& law) { return data.relaxation.sums(law, 1, c.past, point(C)); });
    }
  };

  /// Ė, and the stress θ D₀:Ė.
  template <class T>
  struct Viscous {
    Vec<3, T> w[3];
    T rate[3], S[3];
    Viscous(const Data<T>& data, const Sheet<T>& sheet, const Edges<T>& now, const T* v) {
      T s[3];
      for (int e = 0; e < 3; ++e) {
        w[e] = Vec<3, T>::load(v + 3 * Plain::edges[e][1]) - Vec<3, T>::load(v + 3 * Plain::edges[e][0]);
        s[e] = dot(now.d[e], w[e]);
      }
      for (int p = 0; p < 3; ++p)
        rate[p] = fma(sheet.metric[p][0], s[0], fma(sheet.metric[p][1], s[1], sheet.metric[p][2] * s[2]));
      for (int p = 0; p < 3; ++p)
        S[p] =
            fma(data.viscous[p][0], rate[0], fma(data.viscous[p][1], rate[1], T(2.0) * data.viscous[p][2] * rate[2]));
    }
  };

  template <class T>
  static void residual(const Data<T>& data, const Options& o, const Context<T>& c, const T* x, const T* v, T* r) {
    const Step<T> step(data, o, c);
    const Edges<T> now(step.sheet, x);
    SheetPoint<T> at = step(now.c);
    if (o.damped == Damped::yes) {
      const Viscous<T> viscous(data, step.sheet, now, v);
      for (int p = 0; p < 3; ++p) at.S[p] += viscous.S[p];
    }
    Plain::add_up(step.sheet, now, at.S, r);
  }
  template <class T>
  static void tangent(const Data<T>& data, const Options& o, const Context<T>& c, const T* x, const T* v, double cd,
                      T* K) {
    const Step<T> step(data, o, c);
    const Edges<T> now(step.sheet, x);
    SheetPoint<T> at = step(now.c);
    if (o.damped == Damped::no) return Plain::add_up(step.sheet, now, at.S, at.D, K);
    const Viscous<T> viscous(data, step.sheet, now, v);
    for (int p = 0; p < 3; ++p) at.S[p] += viscous.S[p];
    Plain::add_up(step.sheet, now, at.S, at.D, K);
    // ∂Ė = M (w + c_d d)·δd
    for (int e = 0; e < 3; ++e)
      for (int f = 0; f < 3; ++f) {
        const T G = step.sheet.stiffness(data.viscous, e, f);
        const Vec<3, T> along = viscous.w[f] + T(cd) * now.d[f];
        for (int m = 0; m < 2; ++m)
          for (int n = 0; n < 2; ++n)
            for (int i = 0; i < 3; ++i)
              for (int j = 0; j < 3; ++j)
                K[(3 * Plain::edges[e][m] + i) * 9 + 3 * Plain::edges[f][n] + j] +=
                    T(m == n ? 1.0 : -1.0) * (G * now.d[e][i] * along[j]);
      }
  }
  template <class T>
  static T energy(const Data<T>& data, const Options& o, const Context<T>& c, const T* x) {
    const Step<T> step(data, o, c);
    const Edges<T> now(step.sheet, x);
    if (o.elastic.carries == Membrane::Carries::tension) return step.sheet.shape.volume * step(now.c).energy;
    T C[6];
    step.whole(now.c, C);
    const T beside = step.woven() ? step.wall().fibres.energy(0, C)
                                  : step.wall().beside(0, C) + volume_energy(data.constants, VolumeChange<T>(C).J);
    return fma(step.sheet.shape.volume, beside, data.relaxation.stored(1, c.past, c.h, step.sums(c, C)));
  }
  template <class T>
  static T loss(const Data<T>& data, const Options& o, const Context<T>& c, const T* x, const T*) {
    if (o.count() == 0) return T(0.0);
    const Step<T> step(data, o, c);
    T C[6];
    step.whole(Edges<T>(step.sheet, x).c, C);
    return data.relaxation.lost(1, c.past, c.h, step.sums(c, C));
  }
  template <class T>
  static void remember(const Data<T>& data, const Options& o, const Context<T>& c, const T* x, const T*, T* next) {
    if (o.count() == 0) return;
    const Step<T> step(data, o, c);
    T C[6];
    step.whole(Edges<T>(step.sheet, x).c, C);
    step.with_shape([&](const auto& law) { data.relaxation.remember(law, 1, c.past, c.h, step.point(C), next); });
  }
  template <class T>
  static T dissipation(const Data<T>& data, const Options& o, const Context<T>& c, const T* x, const T* v) {
    if (o.damped == Damped::no) return T(0.0);
    const Step<T> step(data, o, c);
    const Viscous<T> viscous(data, step.sheet, Edges<T>(step.sheet, x), v);
    T sum(0.0);
    for (int p = 0; p < 3; ++p) sum = fma(T(plane_factor[p]) * viscous.S[p], viscous.rate[p], sum);
    return step.sheet.shape.volume * sum;
  }

  template <class T>
  static void probe(const Data<T>& data, const Options& o, const Context<T>& c, const T* x, double xi, double eta,
                    double, T* out) {
    const Step<T> step(data, o, c);
    const Edges<T> now(step.sheet, x);
    const SheetPoint<T> at = step(now.c);
    Plain::read(step.sheet, now, at, xi, eta, out);
    const T C[6] = {now.c[0], now.c[1], at.through, T(0.0), T(0.0), now.c[2]};
    T longest(0.0);
    for (int f = 0; f < o.fibres(); ++f) {
      T A[6];
      dyad(data.direction + 3 * f, A);
      longest = max(longest, sqrt(fibre_strain(A, C) + T(1.0)));
    }
    out[fibre_probe] = o.fibres() > 0 ? longest : T(1.0);
  }
};

}  // namespace flexura

#pragma once

#include "flexura/element/ancf_cable_3d.hpp"
#include "flexura/element/cubic_line.hpp"
#include "flexura/math/dual.hpp"
#include "flexura/math/quadrature.hpp"

namespace flexura {

/// Spatial ANCF cable, gradient deficient: it stretches and bends, and has neither torsion nor section directions.
///
///      r₀,g₀ o~~~~~~~~~o r₁,g₁        d = r_x, s = r_xx of cubic_line.hpp;  g = d·d, γ = d·s/g, u = s − γ d ⊥ d
///
/// Energy, with J = ‖R_x‖ of the reference R and dS = J dx:
///     ½ ∫ EA ε² dS         green: ε = (g/J² − 1)/2            engineering: ε = √g/J − 1                   [gerstmayr2008]
///     ½ ∫ EI (κ − κ₀)² dS  material: κ = ‖d × s‖/(‖d‖² J)     geometric: κ = ‖d × s‖/‖d‖³
/// κ is a scalar: the plane of bending is free, also where κ₀ > 0. As a function of Q = gᵐ u·u (m = −1, −2; κ = √Q/J, √Q)
/// the energy of a straight reference is ½ EI Q, smooth at κ = 0. With κ₀ > 0 it has a cone there: K = √(Q + δ²) replaces
/// √Q, in the reference too, δ = 1e-3 √Q₀; this softens EI by 1e-6 and leaves the reference free of stress.
/// Damping (Kelvin–Voigt): of stretch N = EA (ε + θ_s ε̇); of bending on the rate of κ: a bend that turns about the
/// tangent loses nothing, since without torsion it cannot be told from the material's spin. Where the element is straight
/// (κ < ε = 0.01/l) the whole rate of k is damped instead, with a smooth passage:
///     k = g^{m/2} u,  k° = its rate seen from the tangent,  damped: k° − c ν (ν·k°),  ν = t × k,
///     c = 1/Q for Q ≥ ε², (2 − Q/ε²)/ε² below
/// Mass: ∫ ρA r̈·δr dS, constant. Quadrature: 5 Gauss points for stretch, reduced 3 of Lobatto; 3 Gauss points for bending,
/// 5 for mass.  Units: SI.
struct AncfCable3dKernel : AncfCable3d {
  static constexpr int axial_points = 5, bend_points = 3;
  static bool is_reduced(const Options& o) { return o.integration == Integration::reduced; }
  using Bend = Gauss<bend_points>;

  template <class T>
  struct Data {
    T inv_l;
    T axial_weight[axial_points];  ///< EA w l J
    T inv_J2[axial_points];        ///< 1/J² (green), 1/J (engineering)
    T bend_weight[bend_points];    ///< EI w l J / J² (material), EI w l J (geometric)
    T kappa0[bend_points];         ///< K of the reference; 0 where it is straight
    T delta2[bend_points];         ///< δ²; 1 where the reference is straight
    T spin2;                       ///< ε²
    T stretch_retardation, bend_retardation;
    T mass[10];               ///< lower triangle of ∫ ρA S_a S_b J dx over (r₀, g₀, r₁, g₁)
    T EA, EI, reference[12];  ///< for probes
  };

  template <class T>
  static Data<T> prepare(const Params<T>& p, const Options& o, const T* X) {
    Data<T> data;
    data.inv_l = T(1.0) / p.length;
    const CubicLine<3, T> line(X, data.inv_l);
    data.EA = p.EA;
    data.EI = p.EI;
    for (int i = 0; i < 12; ++i) data.reference[i] = X[i];
    data.stretch_retardation = p.stretch_retardation;
    data.bend_retardation = p.bend_retardation;
    for (T& m : data.mass) m = T(0.0);
    for (int g = 0; g < axial_points; ++g) data.axial_weight[g] = T(0.0), data.inv_J2[g] = T(1.0);
    for (int g = 0; g < stretch_count(is_reduced(o)); ++g) {
      const T J = norm(line.d(cubic_shape(stretch_place(is_reduced(o), g))));
      data.axial_weight[g] = p.EA * p.length * J * T(stretch_weight(is_reduced(o), g));
      data.inv_J2[g] = o.axial == Axial::green ? T(1.0) / (J * J) : T(1.0) / J;
    }
    for (int g = 0; g < axial_points; ++g) {
      const T J = norm(line.d(cubic_shape(Gauss<5>::x[g])));
      const T weight = p.rhoA * p.length * J * T(Gauss<5>::w[g]);
      const std::array<double, 4> c = cubic_position_shape(Gauss<5>::x[g]);
      const T S[4] = {T(c[0]), p.length * T(c[1]), T(c[2]), p.length * T(c[3])};
      for (int a = 0, k = 0; a < 4; ++a)
        for (int b = 0; b <= a; ++b, ++k) data.mass[k] += weight * S[a] * S[b];
    }
    const T small = T(1e-2) * data.inv_l;
    data.spin2 = small * small;
    for (int g = 0; g < bend_points; ++g) {
      const CubicShape sh = cubic_shape(Bend::x[g]);
      const Bending<T> b(line.d(sh), line.s(sh, data.inv_l), o.curvature == Curvature::geometric);
      const T J2 = b.g, weight = p.EI * p.length * sqrt(J2) * T(Bend::w[g]);
      data.bend_weight[g] = o.curvature == Curvature::material ? weight / J2 : weight;
      // Rounding bends a straight reference; 1e-9 of the element's length is none.
      const auto curved = dot(b.u, b.u) > T(1e-18) * data.inv_l * data.inv_l * b.g;
      data.delta2[g] = select(curved, T(1e-6) * b.Q, T(1.0));
      data.kappa0[g] = select(curved, sqrt(b.Q + data.delta2[g]), T(0.0));
    }
    return data;
  }

  template <class T>
  static void mass(const Data<T>& data, T* m) {
    for (int a = 0, k = 0; a < 4; ++a)
      for (int b = 0; b <= a; ++b, ++k) m[a * 4 + b] = m[b * 4 + a] = data.mass[k];
  }

  /// Q and its half gradients:  q_d = −αγ u + (m Q/g) d,  q_s = α u,  α = gᵐ.
  template <class T>
  struct Bending {
    Vec<3, T> d, u;
    T m, g, inv_g, gamma, alpha, Q;
    [[gnu::always_inline]] Bending(const Vec<3, T>& d_, const Vec<3, T>& s, bool geometric) : d(d_) {
      m = T(geometric ? -2.0 : -1.0);
      g = dot(d, d);
      inv_g = T(1.0) / g;
      gamma = dot(d, s) * inv_g;
      u = s - gamma * d;
      alpha = geometric ? inv_g * inv_g : inv_g;
      Q = alpha * dot(u, u);
    }
    Vec<3, T> qd() const { return (m * Q * inv_g) * d - (alpha * gamma) * u; }
    Vec<3, T> qs() const { return alpha * u; }
    /// k° for the velocities of d and s, times 1/β = g^{−m/2}; and its part that is damped.
    Vec<3, T> rate(const Vec<3, T>& vd, const Vec<3, T>& vs) const {
      const Vec<3, T> w = vs - gamma * vd;
      return w - (dot(d, w) * inv_g) * d + (m * dot(d, vd) * inv_g) * u;
    }
    /// ν/β and c.
    Vec<3, T> turn() const { return {d[1] * u[2] - d[2] * u[1], d[2] * u[0] - d[0] * u[2], d[0] * u[1] - d[1] * u[0]}; }
    T part(const T& spin2) const {
      return select(Q > spin2, T(1.0) / max(Q, spin2), (T(2.0) - Q / spin2) / spin2) * alpha * inv_g;
    }
    Vec<3, T> damped_rate(const Vec<3, T>& rate, const T& spin2) const {
      const Vec<3, T> n = turn();
      return rate - (part(spin2) * dot(n, rate)) * n;
    }
    /// rate · damped_rate, without the rounding of their difference: nothing in a rigid spin.
    T loss(const Vec<3, T>& rate, const T& spin2) const {
      const Vec<3, T> damped = damped_rate(rate, spin2);
      const T straight = T(1.0) - Q / spin2, along = dot(turn(), rate);
      return dot(damped, damped) + select(Q > spin2, T(0.0), part(spin2) * along * along * straight * straight);
    }
  };

  /// Forces of bending on d and s.
  template <bool damped, class T>
  static void bend_force(const Data<T>& data, int at, const Bending<T>& b, const Vec<3, T>& vd, const Vec<3, T>& vs,
                         Vec<3, T>& fd, Vec<3, T>& fs) {
    const T w = data.bend_weight[at];
    const T factor = w * (T(1.0) - data.kappa0[at] / sqrt(b.Q + data.delta2[at]));
    fd = factor * b.qd();
    fs = factor * b.qs();
    if constexpr (damped) add_bend_loss(w * data.bend_retardation, data.spin2, b, vd, vs, fd, fs);
  }
  template <class T>
  static void add_bend_loss(const T& theta, const T& spin2, const Bending<T>& b, const Vec<3, T>& vd,
                            const Vec<3, T>& vs, Vec<3, T>& fd, Vec<3, T>& fs) {
    const Vec<3, T> a = (theta * b.alpha) * b.damped_rate(b.rate(vd, vs), spin2);
    fd += (b.m * b.inv_g * dot(b.u, a)) * b.d - b.gamma * a;
    fs += a;
  }
  /// Strain ε of stretch, or with its rate; N ∂ε/∂d = force · d.
  template <bool damped, class T>
  [[gnu::always_inline]] static T stretch_force(const Data<T>& data, const Options& o, int at, const Vec<3, T>& d,
                                                const Vec<3, T>& vd) {
    const T iJ = data.inv_J2[at], g = dot(d, d);
    if (o.axial == Axial::green) {
      T strain = T(0.5) * (g * iJ - T(1.0));
      if constexpr (damped) strain += data.stretch_retardation * dot(d, vd) * iJ;
      return data.axial_weight[at] * strain * iJ;
    }
    const T length = sqrt(g);
    T strain = length * iJ - T(1.0);
    if constexpr (damped) strain += data.stretch_retardation * dot(d, vd) * iJ / length;
    return data.axial_weight[at] * strain * iJ / length;
  }

  template <class T>
  static void residual(const Data<T>& data, const Options& o, const Context<T>&, const T* x, const T* v, T* r) {
    if (o.damped == Damped::yes) {
      residual_of<true>(data, o, x, v, r);
    } else {
      residual_of<false>(data, o, x, x, r);
    }
  }
  template <bool damped, bool reduced, class T>
  [[gnu::always_inline]] static void add_stretch(const Data<T>& data, const Options& o, const CubicLine<3, T>& e,
                                                 const CubicLine<3, T>& ev, CubicForces<3, T>& f) {
    for_each_index<StretchRule<reduced>::count>([&](auto g) __attribute__((always_inline)) {
      constexpr CubicShape sh = cubic_shape(StretchRule<reduced>::x[g]);
      const Vec<3, T> d = e.d(sh);
      f.subtract(sh.f, stretch_force<damped>(data, o, g, d, ev.d(sh)) * d);
    });
  }
  template <bool damped, class T>
  static void residual_of(const Data<T>& data, const Options& o, const T* x, const T* v, T* r) {
    const CubicLine<3, T> e(x, data.inv_l), ev(v, data.inv_l);
    CubicForces<3, T> f;
    is_reduced(o) ? add_stretch<damped, true>(data, o, e, ev, f) : add_stretch<damped, false>(data, o, e, ev, f);
    for_each_index<bend_points>([&](auto g) __attribute__((always_inline)) {
      constexpr CubicShape sh = cubic_shape(Bend::x[g]);
      const Bending<T> b(e.d(sh), e.s(sh, data.inv_l), o.curvature == Curvature::geometric);
      Vec<3, T> fd, fs;
      bend_force<damped>(data, g, b, ev.d(sh), ev.s(sh, data.inv_l), fd, fs);
      f.subtract(sh.f, fd);
      f.subtract(sh.df, data.inv_l * fs);
    });
    f.to_nodes(data.inv_l, r);
  }

  /// Derivatives of the forces on d and s: 3 × 3 blocks.
  template <class T>
  struct Block {
    T a[3][3];
    void fill(const T& isotropic) {
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) a[i][j] = i == j ? isotropic : T(0.0);
    }
    [[gnu::always_inline]] void add(const Vec<3, T>& x, const Vec<3, T>& y) {
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) a[i][j] = fma(x[i], y[j], a[i][j]);
    }
  };

  // Bending without damping, times w φ with φ = 1 − κ₀/K:
  //     ss  α P                                           P = I − d dᵀ/g
  //     sd  α (−γ P + ((2m/g) u dᵀ − d uᵀ/g))             ds its transpose
  //     dd  αγ² P + (mQ/g) I − (α/g) u uᵀ − αγ(2m − 1)/g (u dᵀ + d uᵀ) + (2m(m − 1) Q/g²) d dᵀ
  // and w κ₀/K³ (q_d, q_s)(q_d, q_s)ᵀ.
  template <class T>
  [[gnu::always_inline]] static void bend_tangent(const Data<T>& data, int at, const Bending<T>& b, Block<T>& dd,
                                                  Block<T>& sd, Block<T>& ss) {
    const T K = sqrt(b.Q + data.delta2[at]), ratio = data.kappa0[at] / K, w = data.bend_weight[at];
    const T f = w * (T(1.0) - ratio), fa = f * b.alpha;
    const Vec<3, T> qd = b.qd(), qs = b.qs();
    const T extra = w * ratio / (K * K);
    ss.fill(fa);
    ss.add((-fa * b.inv_g) * b.d, b.d);
    ss.add(extra * qs, qs);
    sd.fill(-fa * b.gamma);
    sd.add(b.d, (fa * b.inv_g) * (b.gamma * b.d - b.u));
    sd.add((T(2.0) * b.m * fa * b.inv_g) * b.u, b.d);
    sd.add(extra * qs, qd);
    const T ag = fa * b.gamma, mQ = b.m * f * b.Q * b.inv_g;
    dd.fill(ag * b.gamma + mQ);
    const Vec<3, T> both = (ag * (T(1.0) - T(2.0) * b.m) * b.inv_g) * b.u;
    dd.add(both, b.d);
    dd.add(b.d, both);
    dd.add((T(2.0) * (b.m - T(1.0)) * mQ * b.inv_g - ag * b.gamma * b.inv_g) * b.d, b.d);
    dd.add((-fa * b.inv_g) * b.u, b.u);
    dd.add(extra * qd, qd);
  }

  template <class T>
  static void tangent(const Data<T>& data, const Options& o, const Context<T>&, const T* x, const T* v, double cd,
                      T* K) {
    if (o.damped == Damped::yes) return damped_tangent(data, o, x, v, cd, K);
    is_reduced(o) ? elastic_tangent<true>(data, o, x, K) : elastic_tangent<false>(data, o, x, K);
  }
  template <bool reduced, class T>
  static void elastic_tangent(const Data<T>& data, const Options& o, const T* x, T* K) {
    using Stretch = StretchRule<reduced>;
    const CubicLine<3, T> e(x, data.inv_l);
    Block<T> A[axial_points], dd[bend_points], sd[bend_points], ss[bend_points];
    for_each_index<Stretch::count>([&](auto g) __attribute__((always_inline)) {
      constexpr CubicShape sh = cubic_shape(Stretch::x[g]);
      const Vec<3, T> d = e.d(sh);
      const T iJ = data.inv_J2[g], w = data.axial_weight[g] * iJ, square = dot(d, d);
      if (o.axial == Axial::green) {
        A[g].fill(w * (T(0.5) * (square * iJ - T(1.0))));
        A[g].add((w * iJ) * d, d);
      } else {
        const T inv = T(1.0) / sqrt(square), isotropic = w * (iJ - inv);
        A[g].fill(isotropic);
        A[g].add(((w * iJ - isotropic) * inv * inv) * d, d);
      }
    });
    for_each_index<bend_points>([&](auto g) __attribute__((always_inline)) {
      constexpr CubicShape sh = cubic_shape(Bend::x[g]);
      bend_tangent(data, g, Bending<T>(e.d(sh), e.s(sh, data.inv_l), o.curvature == Curvature::geometric), dd[g], sd[g],
                   ss[g]);
      for (auto& row : sd[g].a)
        for (T& entry : row) entry *= data.inv_l;
      for (auto& row : ss[g].a)
        for (T& entry : row) entry *= data.inv_l * data.inv_l;
    });
    T H[9][9];
    for_each_index<9>([&](auto pair) __attribute__((always_inline)) {
      constexpr int k = pair / 3, l = pair % 3;
      if constexpr (k >= l) {
        for_each_index<9>([&](auto entry) __attribute__((always_inline)) {
          constexpr int i = entry / 3, j = entry % 3;
          T sum = T(0.0);
          for_each_index<Stretch::count>([&](auto g) __attribute__((always_inline)) {
            constexpr CubicShape sh = cubic_shape(Stretch::x[g]);
            sum = fma(T(sh.f[k] * sh.f[l]), A[g].a[i][j], sum);
          });
          for_each_index<bend_points>([&](auto g) __attribute__((always_inline)) {
            constexpr CubicShape sh = cubic_shape(Bend::x[g]);
            sum = fma(T(sh.f[k] * sh.f[l]), dd[g].a[i][j], sum);
            sum = fma(T(sh.df[k] * sh.f[l]), sd[g].a[i][j], sum);
            sum = fma(T(sh.f[k] * sh.df[l]), sd[g].a[j][i], sum);
            sum = fma(T(sh.df[k] * sh.df[l]), ss[g].a[i][j], sum);
          });
          H[3 * k + i][3 * l + j] = sum;
        });
      }
    });
    spread_cubic<3, false>(H, data.inv_l, K);
  }

  /// With Kelvin–Voigt damping: unsymmetric. The loss in bending is differentiated at its point by dual numbers, in the
  /// six directions of (d, s).
  template <class T>
  static void damped_tangent(const Data<T>& data, const Options& o, const T* x, const T* v, double cd, T* K) {
    const CubicLine<3, T> e(x, data.inv_l), ev(v, data.inv_l);
    T H[9][9];
    for (auto& row : H)
      for (T& h : row) h = T(0.0);
    const auto add = [&](const double(&alpha)[3], const double(&beta)[3], const T(&a)[3][3], const T& scale) {
      for (int k = 0; k < 3; ++k)
        for (int l = 0; l < 3; ++l) {
          const T w = T(alpha[k] * beta[l]) * scale;
          for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) H[3 * k + i][3 * l + j] = fma(w, a[i][j], H[3 * k + i][3 * l + j]);
        }
    };
    for (int g = 0; g < stretch_count(is_reduced(o)); ++g) {
      const CubicShape sh = cubic_shape(stretch_place(is_reduced(o), g));
      const Vec<3, T> d = e.d(sh), vd = ev.d(sh);
      const T iJ = data.inv_J2[g], theta = data.stretch_retardation, w = data.axial_weight[g] * iJ;
      const T force = stretch_force<true>(data, o, g, d, vd);
      Block<T> A;
      A.fill(force);
      if (o.axial == Axial::green) {
        A.add(w * d, iJ * d + (theta * iJ) * (vd + T(cd) * d));
      } else {
        const T inv = T(1.0) / norm(d);
        const Vec<3, T> n = inv * d;
        const T rate = dot(n, vd);
        A.add(w * n, iJ * n + (theta * iJ) * (inv * (vd - rate * n) + T(cd) * n));
        A.add((-force) * n, n);
      }
      add(sh.f, sh.f, A.a, T(1.0));
    }
    using Path = Dual<T>;
    for (int g = 0; g < bend_points; ++g) {
      const CubicShape sh = cubic_shape(Bend::x[g]);
      const bool geometric = o.curvature == Curvature::geometric;
      const Vec<3, T> d = e.d(sh), s = e.s(sh, data.inv_l), vd = ev.d(sh), vs = ev.s(sh, data.inv_l);
      Block<T> dd, sd, ss, ds;
      bend_tangent(data, g, Bending<T>(d, s, geometric), dd, sd, ss);
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) ds.a[i][j] = sd.a[j][i];
      const Path theta(data.bend_weight[g] * data.bend_retardation, T(0.0)), spin2(data.spin2, T(0.0));
      for (int c = 0; c < 6; ++c) {
        Vec<3, Path> path[4], fd, fs;  // d, s and their rates
        for (int i = 0; i < 3; ++i) {
          const T of_d = T(c == i ? 1.0 : 0.0), of_s = T(c == 3 + i ? 1.0 : 0.0);
          path[0][i] = Path(d[i], of_d), path[1][i] = Path(s[i], of_s);
          path[2][i] = Path(vd[i], T(cd) * of_d), path[3][i] = Path(vs[i], T(cd) * of_s);
          fd[i] = fs[i] = Path(T(0.0), T(0.0));
        }
        add_bend_loss(theta, spin2, Bending<Path>(path[0], path[1], geometric), path[2], path[3], fd, fs);
        for (int i = 0; i < 3; ++i) {
          (c < 3 ? dd : ds).a[i][c % 3] += fd[i].d;
          (c < 3 ? sd : ss).a[i][c % 3] += fs[i].d;
        }
      }
      add(sh.f, sh.f, dd.a, T(1.0));
      add(sh.df, sh.f, sd.a, data.inv_l);
      add(sh.f, sh.df, ds.a, data.inv_l);
      add(sh.df, sh.df, ss.a, data.inv_l * data.inv_l);
    }
    spread_cubic<3, true>(H, data.inv_l, K);
  }

  template <class T>
  static T energy(const Data<T>& data, const Options& o, const Context<T>&, const T* x) {
    const CubicLine<3, T> e(x, data.inv_l);
    T sum = T(0.0);
    for (int g = 0; g < stretch_count(is_reduced(o)); ++g) {
      const Vec<3, T> d = e.d(cubic_shape(stretch_place(is_reduced(o), g)));
      const T strain = o.axial == Axial::green ? T(0.5) * (dot(d, d) * data.inv_J2[g] - T(1.0))
                                               : sqrt(dot(d, d)) * data.inv_J2[g] - T(1.0);
      sum += data.axial_weight[g] * strain * strain;
    }
    for (int g = 0; g < bend_points; ++g) {
      const CubicShape sh = cubic_shape(Bend::x[g]);
      const Bending<T> b(e.d(sh), e.s(sh, data.inv_l), o.curvature == Curvature::geometric);
      const T bent = sqrt(b.Q + data.delta2[g]) - data.kappa0[g];
      sum += data.bend_weight[g] * select(value_of(data.kappa0[g]) > ValueOf<T>(0.0), bent * bent, b.Q);
    }
    return T(0.5) * sum;
  }

  // For tangents of predicted stresses (term_batch.hpp): ε at the points of stretch. Those of bending follow the bend.
  static constexpr int strain_count = axial_points;
  template <class T>
  static void strains(const Data<T>& data, const Options& o, const T* x, T* e) {
    const CubicLine<3, T> line(x, data.inv_l);
    for (int g = 0; g < axial_points; ++g) e[g] = T(0.0);
    for (int g = 0; g < stretch_count(is_reduced(o)); ++g) {
      const Vec<3, T> d = line.d(cubic_shape(stretch_place(is_reduced(o), g)));
      e[g] = o.axial == Axial::green ? T(0.5) * (dot(d, d) * data.inv_J2[g] - T(1.0))
                                     : sqrt(dot(d, d)) * data.inv_J2[g] - T(1.0);
    }
  }
  /// A stretch ε − ε̂ is that of a longer reference times its own stretch: J² (1 + 2 ε̂), or J (1 + ε̂).
  template <class T>
  static void set_free(Data<T>& data, const Options& o, const T& factor, const T* shift) {
    for (int g = 0; g < axial_points; ++g) {
      const T stretch = T(1.0) + T(o.axial == Axial::green ? 2.0 : 1.0) * shift[g];
      data.axial_weight[g] *= factor * stretch * stretch;
      data.inv_J2[g] /= stretch;
    }
  }

  /// Section force along the tangent, curvature (never negative) and section moment at ξ, without damping; the force that
  /// stretch alone makes. Of geometric curvature as in the plane: M = B/λ, N = EA ε ε_λ − M κ.
  static constexpr std::string_view probes[] = {"axial_force", "curvature", "moment", "stretch_force"};
  template <class T>
  static void probe(const Data<T>& data, const Options& o, const T* x, double xi, T* out) {
    const CubicLine<3, T> e(x, data.inv_l), reference(data.reference, data.inv_l);
    const CubicShape sh = cubic_shape(xi);
    const bool geometric = o.curvature == Curvature::geometric;
    const Bending<T> b(e.d(sh), e.s(sh, data.inv_l), geometric);
    const Bending<T> b0(reference.d(sh), reference.s(sh, data.inv_l), geometric);
    const T J = sqrt(b0.g), stretch = sqrt(b.g) / J, per_length = geometric ? T(1.0) : T(1.0) / J;
    out[0] = data.EA * (o.axial == Axial::green ? T(0.5) * (stretch * stretch - T(1.0)) * stretch : stretch - T(1.0));
    out[1] = sqrt(b.Q) * per_length;
    out[2] = data.EI * (sqrt(b.Q) - sqrt(b0.Q)) * per_length;
    out[3] = out[0];
    if (geometric) {
      out[2] /= stretch;
      out[0] -= out[2] * out[1];
    }
  }

  /// Power lost in the Kelvin–Voigt dampers [W].
  template <class T>
  static T dissipation(const Data<T>& data, const Options& o, const Context<T>&, const T* x, const T* v) {
    if (o.damped == Damped::no) return T(0.0);
    const CubicLine<3, T> e(x, data.inv_l), ev(v, data.inv_l);
    T stretch = T(0.0), bend = T(0.0);
    for (int g = 0; g < stretch_count(is_reduced(o)); ++g) {
      const CubicShape sh = cubic_shape(stretch_place(is_reduced(o), g));
      const Vec<3, T> d = e.d(sh);
      T rate = dot(d, ev.d(sh)) * data.inv_J2[g];
      if (o.axial == Axial::engineering) rate /= norm(d);
      stretch += data.axial_weight[g] * rate * rate;
    }
    for (int g = 0; g < bend_points; ++g) {
      const CubicShape sh = cubic_shape(Bend::x[g]);
      const Bending<T> b(e.d(sh), e.s(sh, data.inv_l), o.curvature == Curvature::geometric);
      const Vec<3, T> rate = b.rate(ev.d(sh), ev.s(sh, data.inv_l));
      bend += data.bend_weight[g] * b.alpha * b.loss(rate, data.spin2);
    }
    return data.stretch_retardation * stretch + data.bend_retardation * bend;
  }

  /// Between two configurations, for methods that conserve energy and momenta: ancf_cable_3d_step.hpp.
  template <class T>
  static void discrete_gradient(const Data<T>& data, const Options& o, const Context<T>&, const T* x0, const T* x1,
                                T* r);
};

}  // namespace flexura

#include "flexura/element/ancf_cable_3d_step.hpp"  // IWYU pragma: keep

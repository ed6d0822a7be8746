#pragma once

#include "flexura/element/ancf_cable_2d.hpp"
#include "flexura/element/cubic_line.hpp"
#include "flexura/element/viscoelastic.hpp"
#include "flexura/math/quadrature.hpp"

namespace flexura {

/// Planar ANCF cable, gradient deficient, with a curved stress-free reference.
///
///      r₀,g₀ o~~~~~~~~~o r₁,g₁        g = ∂r/∂x, x ∈ [0, l] a parameter, ξ = x/l
///
///     r(ξ): cubic Hermite;  d = r_x = φ·(Δ, g₀, g₁),  s = r_xx = φ′·(Δ, g₀, g₁)/l,  Δ = (r₁ − r₀)/l
///     φ = (6ξ − 6ξ², 1 − 4ξ + 3ξ², 3ξ² − 2ξ)                                   [rong2024 eqs 1–8, gerstmayr2008]
///
/// Energy, with J = ‖R_x‖ of the reference R and dS = J dx:
///     ½ ∫ EA ε² dS       green: ε = (d·d/J² − 1)/2    engineering: ε = ‖d‖/J − 1   [rong2024 eqs 9–14, gerstmayr2008]
///                        chord: one ε = (‖r₁ − r₀‖ − L)/L                          [kato2020 eqs 8–13]
///     ½ ∫ EI (κ − κ₀)² dS  material:  κ = (d × s)/(‖d‖² J)       geometric: κ = (d × s)/‖d‖³
///                          simplified: |κ − κ₀|² → ‖s − τ₀ t − κ₀ n‖² / J⁴, t, n = tangent and normal of d, τ₀ and
///                          κ₀ the components of R_xx: for a straight reference ‖r_xx‖²      [kato2020 eqs 14–22]
/// Damping (Kelvin–Voigt): N = EA (ε + θ_s ε̇), M = EI (κ − κ₀ + θ_b κ̇); strain rates vanish in a rigid motion.
/// Mass: ∫ ρA r̈·δr dS, constant. Quadrature: 5 Gauss points for stretch, reduced 3 of Lobatto; 3 Gauss points for
/// bending, 5 for mass.
/// Units: SI.
struct AncfCable2dKernel : AncfCable2d {
  static constexpr int axial_points = 5, bend_points = 3;
  static bool is_reduced(const Options& o) { return o.integration == Integration::reduced; }

  template <class T>
  struct Data {
    T inv_l, L;                    ///< 1/l, reference chord
    T axial_weight[axial_points];  ///< EA w l J (engineering, green), [0]: EA L (chord)
    T inv_J2[axial_points];        ///< 1/J² (green), 1/J (engineering)
    T bend_weight[bend_points];    ///< EI w l J / J^2 (material), EI w l J (geometric), EI w l J / J^4 (simplified)
    T kappa0[bend_points];         ///< reference (d × s)/‖d‖² (material), /‖d‖³ (geometric), normal part (simplified)
    T tau0[bend_points];           ///< tangential part of R_xx (simplified)
    T stretch_retardation, bend_retardation;
    T mass[10];              ///< lower triangle of ∫ ρA S_a S_b J dx over (r₀, g₀, r₁, g₁)
    T EA, EI, reference[8];  ///< for probes
  };

  using Shape = CubicShape;
  static constexpr Shape shape(double x) { return cubic_shape(x); }
  static constexpr std::array<double, 4> position_shape(double x) { return cubic_position_shape(x); }
  template <class T>
  using Basis = CubicLine<2, T>;

  template <class T>
  static Data<T> prepare(const Params<T>& p, const Options& o, const T* X) {
    Data<T> data;
    data.inv_l = T(1.0) / p.length;
    const Basis<T> basis(X, data.inv_l);
    data.L = norm(Vec<2, T>::load(X + 4) - Vec<2, T>::load(X));
    data.EA = p.EA;
    data.EI = p.EI;
    for (int i = 0; i < 8; ++i) data.reference[i] = X[i];
    data.stretch_retardation = p.stretch_retardation;
    data.bend_retardation = p.bend_retardation;
    for (int g = 0; g < axial_points; ++g) data.axial_weight[g] = T(0.0), data.inv_J2[g] = T(1.0);
    for (int g = 0; g < stretch_count(is_reduced(o)); ++g) {
      const T J = norm(basis.d(shape(stretch_place(is_reduced(o), g))));
      data.axial_weight[g] = p.EA * p.length * J * T(stretch_weight(is_reduced(o), g));
      data.inv_J2[g] = o.axial == Axial::green ? T(1.0) / (J * J) : T(1.0) / J;
    }
    if (o.axial == Axial::chord) data.axial_weight[0] = p.EA * data.L;
    for (int g = 0; g < bend_points; ++g) {
      const Shape s = shape(Gauss<3>::x[g]);
      const Vec<2, T> d = basis.d(s), dd = basis.s(s, data.inv_l);
      const T J2 = dot(d, d), J = sqrt(J2);
      const T weight = p.EI * p.length * J * T(Gauss<3>::w[g]);
      data.tau0[g] = dot(d, dd) / J;
      switch (o.curvature) {
        case Curvature::material:
          data.bend_weight[g] = weight / J2, data.kappa0[g] = cross(d, dd) / J2;
          break;
        case Curvature::geometric:
          data.bend_weight[g] = weight, data.kappa0[g] = cross(d, dd) / (J2 * J);
          break;
        case Curvature::simplified:
          data.bend_weight[g] = weight / (J2 * J2), data.kappa0[g] = cross(d, dd) / J;
          break;
      }
    }
    for (T& m : data.mass) m = T(0.0);
    for (int g = 0; g < axial_points; ++g) {
      const T J = norm(basis.d(shape(Gauss<5>::x[g])));
      const T weight = p.rhoA * p.length * J * T(Gauss<5>::w[g]);
      const std::array<double, 4> c = position_shape(Gauss<5>::x[g]);
      const T S[4] = {T(c[0]), p.length * T(c[1]), T(c[2]), p.length * T(c[3])};
      for (int a = 0, k = 0; a < 4; ++a)
        for (int b = 0; b <= a; ++b, ++k) data.mass[k] += weight * S[a] * S[b];
    }
    return data;
  }

  template <class T>
  static void mass(const Data<T>& data, T* m) {
    for (int a = 0, k = 0; a < 4; ++a)
      for (int b = 0; b <= a; ++b, ++k) m[a * 4 + b] = m[b * 4 + a] = data.mass[k];
  }

  template <class T>
  using Forces = CubicForces<2, T>;

  /// κ as a function of (d, s) with g = d·d:  κ = (d × s) g^−p,  p = 1 (material) or 3/2 (geometric).
  ///     κ_d = −J s g^−p − 2p c g^(−p−1) d,   κ_s = J d g^−p,   c = d × s,   J = turn by +90°
  template <class T>
  struct Bend {
    Vec<2, T> d, s, kd, ks;
    T c, gp, gp1, inv_g, kappa;
    [[gnu::always_inline]] Bend(const Vec<2, T>& d_, const Vec<2, T>& s_, bool geometric) : d(d_), s(s_) {
      c = cross(d, s);
      const T g = dot(d, d);
      inv_g = T(1.0) / g;
      gp = geometric ? inv_g * sqrt(inv_g) : inv_g;
      gp1 = gp * inv_g;
      kappa = c * gp;
      const T two_p = T(geometric ? 3.0 : 2.0);
      kd = -gp * perp(s) - (two_p * c * gp1) * d;
      ks = gp * perp(d);
    }
  };

  template <class T>
  static void residual(const Data<T>& data, const Options& o, const Context<T>&, const T* x, const T* v, T* r) {
    if (o.damped == Damped::yes) {
      residual_of<true>(data, o, x, v, r);
    } else {
      residual_of<false>(data, o, x, x, r);
    }
  }
  template <bool damped, class T>
  static void residual_of(const Data<T>& data, const Options& o, const T* x, const T* v, T* r) {
    const Basis<T> e(x, data.inv_l), ev(v, data.inv_l);
    Forces<T> f;
    switch (o.axial) {
      case Axial::green:
        f = is_reduced(o) ? stretch_force<Axial::green, damped, true>(data, e, ev)
                          : stretch_force<Axial::green, damped, false>(data, e, ev);
        break;
      case Axial::engineering:
        f = is_reduced(o) ? stretch_force<Axial::engineering, damped, true>(data, e, ev)
                          : stretch_force<Axial::engineering, damped, false>(data, e, ev);
        break;
      case Axial::chord:
        f = chord_force<damped>(data, x, ev);
        break;
    }
    switch (o.curvature) {
      case Curvature::material:
        f = bend_force<Curvature::material, damped>(data, e, ev, f);
        break;
      case Curvature::geometric:
        f = bend_force<Curvature::geometric, damped>(data, e, ev, f);
        break;
      case Curvature::simplified:
        f = bend_force<Curvature::simplified, damped>(data, e, ev, f);
        break;
    }
    f.to_nodes(data.inv_l, r);
  }

  template <bool damped, class T>
  static Forces<T> chord_force(const Data<T>& data, const T* x, const Basis<T>& ev) {
    const Vec<2, T> chord = Vec<2, T>::load(x + 4) - Vec<2, T>::load(x);
    const T l = norm(chord);
    T strain = l / data.L - T(1.0);
    if constexpr (damped) strain += data.stretch_retardation * dot(chord, ev.p[0]) / (data.inv_l * l * data.L);
    // ½ EA L ε²: force EA ε along the chord; Δ = chord/l_param, so the force on Δ is EA ε n / inv_l.
    Forces<T> f;
    f.p[0] -= (data.axial_weight[0] * strain / (data.L * l * data.inv_l)) * chord;
    return f;
  }
  template <Axial axial, bool damped, bool reduced, class T>
  static Forces<T> stretch_force(const Data<T>& data, const Basis<T>& e, const Basis<T>& ev) {
    Forces<T> f;
    for_each_index<StretchRule<reduced>::count>([&](auto g) __attribute__((always_inline)) {
      constexpr Shape sh = shape(StretchRule<reduced>::x[g]);
      const Vec<2, T> d = e.d(sh);
      T force;  // N ∂ε/∂d = force · d
      if constexpr (axial == Axial::green) {
        T strain = T(0.5) * (dot(d, d) * data.inv_J2[g] - T(1.0));
        if constexpr (damped) strain += data.stretch_retardation * dot(d, ev.d(sh)) * data.inv_J2[g];
        force = data.axial_weight[g] * strain * data.inv_J2[g];
      } else {
        const T length = sqrt(dot(d, d));
        T strain = length * data.inv_J2[g] - T(1.0);
        if constexpr (damped) strain += data.stretch_retardation * dot(d, ev.d(sh)) * data.inv_J2[g] / length;
        force = data.axial_weight[g] * strain * data.inv_J2[g] / length;
      }
      f.subtract(sh.f, force * d);
    });
    return f;
  }
  template <Curvature curvature, bool damped, class T>
  static Forces<T> bend_force(const Data<T>& data, const Basis<T>& e, const Basis<T>& ev, Forces<T> f) {
    for_each_index<bend_points>([&](auto g) __attribute__((always_inline)) {
      constexpr Shape sh = shape(Gauss<bend_points>::x[g]);
      const Vec<2, T> d = e.d(sh), s = e.s(sh, data.inv_l);
      Vec<2, T> fd, fs;
      if constexpr (curvature == Curvature::simplified) {
        Vec<2, T> a = simplified_strain(data, g, d, s);
        if constexpr (damped) a += data.bend_retardation * simplified_rate(d, s, ev.d(sh), ev.s(sh, data.inv_l));
        simplified_force(d, s, data.bend_weight[g] * a, fd, fs);
      } else {
        const Bend<T> b(d, s, curvature == Curvature::geometric);
        T strain = b.kappa - data.kappa0[g];
        if constexpr (damped) strain += data.bend_retardation * (dot(b.kd, ev.d(sh)) + dot(b.ks, ev.s(sh, data.inv_l)));
        const T moment = data.bend_weight[g] * strain;
        fd = moment * b.kd;
        fs = moment * b.ks;
      }
      f.subtract(sh.f, fd);
      f.subtract(sh.df, data.inv_l * fs);
    });
    return f;
  }

  // Simplified curvature: u = s − m, m = τ₀ t + κ₀ n, t = d/‖d‖, n = J t.  E = ½ w u·u.
  // Its rate is that of its components along t and n:  ů = ṡ − ω J s, ω = n·ḋ/‖d‖, zero in a rigid motion, so that with
  // a = u + θ ů the force is  w (−(Js·a) n/‖d‖, a)  on (d, s).  Elastic part: u·Js = u·Jm.
  template <class T>
  static Vec<2, T> simplified_strain(const Data<T>& data, int g, const Vec<2, T>& d, const Vec<2, T>& s) {
    const Vec<2, T> t = d / norm(d);
    return s - data.tau0[g] * t - data.kappa0[g] * perp(t);
  }
  template <class T>
  static Vec<2, T> simplified_rate(const Vec<2, T>& d, const Vec<2, T>& s, const Vec<2, T>& vd, const Vec<2, T>& vs) {
    return vs - (cross(d, vd) / dot(d, d)) * perp(s);
  }
  /// Forces on (d, s) of the stress a.
  template <class T>
  static void simplified_force(const Vec<2, T>& d, const Vec<2, T>& s, const Vec<2, T>& a, Vec<2, T>& fd,
                               Vec<2, T>& fs) {
    fd = (-dot(perp(s), a) / dot(d, d)) * perp(d);
    fs = a;
  }

  /// 2×2 blocks H_kl = ∂²E/∂p_k∂p_l over p = (Δ, g₀, g₁).
  template <class T>
  struct Hessian {
    T h[6][6];
    Hessian() = default;
    explicit Hessian(double value) {
      for (auto& row : h)
        for (T& x : row) x = T(value);
    }
    /// Adds α_k β_l A.
    void add(const double (&alpha)[3], const double (&beta)[3], const T (&A)[2][2]) {
      for (int k = 0; k < 3; ++k)
        for (int l = 0; l < 3; ++l) {
          const T w = T(alpha[k] * beta[l]);
          for (int i = 0; i < 2; ++i)
            for (int j = 0; j < 2; ++j) h[2 * k + i][2 * l + j] = fma(w, A[i][j], h[2 * k + i][2 * l + j]);
        }
    }
  };

  // Tangent without damping. A point adds to the block of p_k and p_l, with Y_k = φ_k y_d + φ′_k y_s/l,
  //     stretch     φ_k φ_l A,   A = N/(‖d‖ J) I + (…) d dᵀ
  //     bending     W Y_k Y_lᵀ + φ_k φ_l B + (φ_k φ′_l − φ′_k φ_l)/l M g^−p [0 1; −1 0]
  //                 y_d = κ_d − (2pλ/g) d, y_s = κ_s, λ = κ − κ₀, M = W λ, g = d·d
  //                 B = (4p/g²) M ((1 − p) κ − p λ) d dᵀ − (2p/g) M κ I
  // It is the Hessian W (κ_a κ_bᵀ + λ κ_ab) of curvature_tangent with its square completed. Simplified curvature, u = s − m:
  //     w (φ′_k I/l + φ_k u_dᵀ)(φ′_l I/l + φ_l u_d) + φ_k φ_l w u·u_dd,   u_d = −Jm nᵀ/‖d‖
  template <class T>
  struct Block {
    T xx, xy, yy;
  };
  /// isotropic I + along d dᵀ
  template <class T>
  [[gnu::always_inline]] static Block<T> block(const T& isotropic, const T& along, const Vec<2, T>& d) {
    const T x = along * d[0], y = along * d[1];
    return {fma(x, d[0], isotropic), x * d[1], fma(y, d[1], isotropic)};
  }
  template <class T>
  struct Points {
    Block<T> A[axial_points], B[bend_points];
    Vec<2, T> Y[bend_points][3], WY[bend_points][3];
    T turn[bend_points];
    T C[bend_points][2][2], w[bend_points];  ///< simplified curvature: w u_d/l, w/l²
  };
  template <Axial axial, bool reduced, class T>
  static void stretch_points(const Data<T>& data, const Basis<T>& e, Points<T>& points) {
    for_each_index<StretchRule<reduced>::count>([&](auto g) __attribute__((always_inline)) {
      constexpr Shape sh = shape(StretchRule<reduced>::x[g]);
      const Vec<2, T> d = e.d(sh);
      const T dd = dot(d, d), iJ = data.inv_J2[g], w = data.axial_weight[g] * iJ;
      if constexpr (axial == Axial::green) {
        points.A[g] = block(w * (T(0.5) * (dd * iJ - T(1.0))), w * iJ, d);
      } else {
        const T inv = T(1.0) / sqrt(dd), isotropic = w * (iJ - inv);
        points.A[g] = block(isotropic, (w * iJ - isotropic) * inv * inv, d);
      }
    });
  }
  /// One strain ε = ‖c‖/L − 1, c = Δ/inv_l: its block of (Δ, Δ) is EA/inv_l² (n nᵀ/L + ε P/‖c‖).
  template <class T>
  static Block<T> chord_block(const Data<T>& data, const T* x) {
    const Vec<2, T> c = Vec<2, T>::load(x + 4) - Vec<2, T>::load(x);
    const T inv = T(1.0) / norm(c), k = data.axial_weight[0] / (data.L * data.inv_l * data.inv_l);
    const T isotropic = k * (T(1.0) / data.L - inv);
    return block(isotropic, (k / data.L - isotropic) * inv * inv, c);
  }
  /// B = w (u_dᵀ u_d + u·u_dd) = w/‖d‖² ((Js·u)(t nᵀ + n tᵀ) + (Js·Jm) n nᵀ),  C = w u_d/l
  template <class T>
  static void simplified_points(const Data<T>& data, const Basis<T>& e, Points<T>& points) {
    for_each_index<bend_points>([&](auto g) __attribute__((always_inline)) {
      constexpr Shape sh = shape(Gauss<bend_points>::x[g]);
      const Vec<2, T> d = e.d(sh), s = e.s(sh, data.inv_l);
      const T inv = T(1.0) / norm(d), w = data.bend_weight[g];
      const Vec<2, T> t = inv * d, n = perp(t), m = data.tau0[g] * t + data.kappa0[g] * n;
      const T both = w * inv * inv * dot(perp(s), s - m), along = w * inv * inv * dot(s, m);
      points.B[g] = {fma(along * n[0], n[0], T(2.0) * both * t[0] * n[0]),
                     fma(along * n[0], n[1], both * (t[0] * n[1] + n[0] * t[1])),
                     fma(along * n[1], n[1], T(2.0) * both * t[1] * n[1])};
      const Vec<2, T> ud = (-data.inv_l * w * inv) * perp(m);
      for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j) points.C[g][i][j] = ud[i] * n[j];
      points.w[g] = data.inv_l * data.inv_l * w;
    });
  }
  template <Curvature curvature, class T>
  static void bend_points_of(const Data<T>& data, const Basis<T>& e, Points<T>& points) {
    constexpr double p = curvature == Curvature::geometric ? 1.5 : 1.0;
    for_each_index<bend_points>([&](auto g) __attribute__((always_inline)) {
      constexpr Shape sh = shape(Gauss<bend_points>::x[g]);
      const Vec<2, T> d = e.d(sh);
      const Bend<T> b(d, e.s(sh, data.inv_l), curvature == Curvature::geometric);
      const T lambda = b.kappa - data.kappa0[g], W = data.bend_weight[g], M = W * lambda;
      const T a = T(2 * p) * b.inv_g, aM = a * M;
      const Vec<2, T> yd = b.kd - (a * lambda) * d, ys = data.inv_l * b.ks;
      for_each_index<3>([&](auto k) __attribute__((always_inline)) {
        for (int i = 0; i < 2; ++i) points.Y[g][k][i] = fma(T(sh.f[k]), yd[i], T(sh.df[k]) * ys[i]);
        points.WY[g][k] = W * points.Y[g][k];
      });
      points.B[g] = block(-aM * b.kappa, aM * T(2.0) * b.inv_g * (T(1 - p) * b.kappa - T(p) * lambda), d);
      points.turn[g] = data.inv_l * M * b.gp;
    });
  }
  /// The block of p_k and p_l, k ≥ l, of `stretch` points of stretch.
  template <int k, int l, int stretch, bool simplified, class T>
  [[gnu::always_inline]] static void sum_points(const Points<T>& points, Hessian<T>& H) {
    Block<T> sum{T(0.0), T(0.0), T(0.0)};
    const auto add = [&](double weight, const Block<T>& A) __attribute__((always_inline)) {
      const T w = T(weight);
      sum = {fma(w, A.xx, sum.xx), fma(w, A.xy, sum.xy), fma(w, A.yy, sum.yy)};
    };
    if constexpr (stretch > 0)
      for_each_index<stretch>([&](auto g) __attribute__((always_inline)) {
        constexpr Shape sh = shape(StretchRule < stretch == 3 > ::x[g]);
        add(sh.f[k] * sh.f[l], points.A[g]);
      });
    for_each_index<bend_points>([&](auto g) __attribute__((always_inline)) {
      constexpr Shape sh = shape(Gauss<bend_points>::x[g]);
      add(sh.f[k] * sh.f[l], points.B[g]);
    });
    T xx = sum.xx, xy = sum.xy, yx = sum.xy, yy = sum.yy;
    for_each_index<bend_points>([&](auto g) __attribute__((always_inline)) {
      constexpr Shape sh = shape(Gauss<bend_points>::x[g]);
      if constexpr (simplified) {
        constexpr double kl = sh.f[k] * sh.df[l], lk = sh.df[k] * sh.f[l];
        const T same = T(sh.df[k] * sh.df[l]) * points.w[g];
        const auto& C = points.C[g];
        xx = fma(T(kl + lk), C[0][0], xx) + same;
        yy = fma(T(kl + lk), C[1][1], yy) + same;
        xy = fma(T(lk), C[0][1], fma(T(kl), C[1][0], xy));
        yx = fma(T(lk), C[1][0], fma(T(kl), C[0][1], yx));
      } else {
        const Vec<2, T>&left = points.WY[g][k], &right = points.Y[g][l];
        xx = fma(left[0], right[0], xx);
        yx = fma(left[1], right[0], yx);
        yy = fma(left[1], right[1], yy);
        if constexpr (k != l) {
          const T turn = T(sh.f[k] * sh.df[l] - sh.df[k] * sh.f[l]) * points.turn[g];
          xy = fma(left[0], right[1], xy) + turn;
          yx -= turn;
        }
      }
    });
    H.h[2 * k][2 * l] = xx;
    H.h[2 * k][2 * l + 1] = k == l ? yx : xy;
    H.h[2 * k + 1][2 * l] = yx;
    H.h[2 * k + 1][2 * l + 1] = yy;
  }

  template <class T>
  static void tangent(const Data<T>& data, const Options& o, const Context<T>&, const T* x, const T* v, double cd,
                      T* K) {
    if (o.damped == Damped::yes) return damped_tangent(data, o, x, v, cd, K);
    const Basis<T> e(x, data.inv_l);
    Points<T> points;
    switch (o.axial) {
      case Axial::green:
        is_reduced(o) ? stretch_points<Axial::green, true>(data, e, points)
                      : stretch_points<Axial::green, false>(data, e, points);
        break;
      case Axial::engineering:
        is_reduced(o) ? stretch_points<Axial::engineering, true>(data, e, points)
                      : stretch_points<Axial::engineering, false>(data, e, points);
        break;
      case Axial::chord:
        break;
    }
    switch (o.curvature) {
      case Curvature::material:
        bend_points_of<Curvature::material>(data, e, points);
        break;
      case Curvature::geometric:
        bend_points_of<Curvature::geometric>(data, e, points);
        break;
      case Curvature::simplified:
        simplified_points(data, e, points);
        break;
    }
    Hessian<T> H;
    if (o.axial == Axial::chord) {
      sum_all<0, true>(points, H);
      const Block<T> A = chord_block(data, x);
      H.h[0][0] += A.xx;
      H.h[1][0] += A.xy;
      H.h[0][1] += A.xy;
      H.h[1][1] += A.yy;
    } else if (o.curvature == Curvature::simplified) {
      is_reduced(o) ? sum_all<3, true>(points, H) : sum_all<5, true>(points, H);
    } else {
      is_reduced(o) ? sum_all<3, false>(points, H) : sum_all<5, false>(points, H);
    }
    spread_cubic<2, false>(H.h, data.inv_l, K);
  }
  template <int stretch, bool simplified, class T>
  static void sum_all(const Points<T>& points, Hessian<T>& H) {
    sum_points<0, 0, stretch, simplified>(points, H);
    sum_points<1, 0, stretch, simplified>(points, H);
    sum_points<1, 1, stretch, simplified>(points, H);
    sum_points<2, 0, stretch, simplified>(points, H);
    sum_points<2, 1, stretch, simplified>(points, H);
    sum_points<2, 2, stretch, simplified>(points, H);
  }

  /// Tangent with Kelvin–Voigt damping, for every option: unsymmetric.
  template <class T>
  static void damped_tangent(const Data<T>& data, const Options& o, const T* x, const T* v, double cd, T* K) {
    const Basis<T> e(x, data.inv_l), ev(v, data.inv_l);
    Hessian<T> H(0.0);
    if (o.axial == Axial::chord) {
      // p₀ = Δ: chord c = Δ/inv_l.  F = k ε c/(L l): dF = k/(L l) (ε I + (∂ε/∂c) …)
      const Vec<2, T> c = Vec<2, T>::load(x + 4) - Vec<2, T>::load(x);
      const T l = norm(c);
      const Vec<2, T> n = c / l;
      const Vec<2, T> vc = ev.p[0] / data.inv_l;
      const T theta = data.stretch_retardation, along = T(1.0) + theta * T(cd);
      const T strain = l / data.L - T(1.0) + theta * dot(n, vc) / data.L;
      const T k = data.axial_weight[0] / (data.L * data.inv_l * data.inv_l);
      T A[2][2];
      const Vec<2, T> turned = (vc - dot(n, vc) * n) / l;  // ∂(n·vc)/∂c
      for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j) {
          const T P = (i == j ? T(1.0) : T(0.0)) - n[i] * n[j];
          A[i][j] = k * (n[i] * (along * n[j] + theta * turned[j]) / data.L + strain * P / l);
        }
      static constexpr double first[3] = {1, 0, 0};
      H.add(first, first, A);
    } else {
      for (int g = 0; g < stretch_count(is_reduced(o)); ++g) {
        const Shape sh = shape(stretch_place(is_reduced(o), g));
        const Vec<2, T> d = e.d(sh), vd = ev.d(sh);
        const T w = data.axial_weight[g], iJ = data.inv_J2[g], theta = data.stretch_retardation;
        T A[2][2];
        if (o.axial == Axial::green) {
          const T strain = T(0.5) * (dot(d, d) * iJ - T(1.0)) + theta * dot(d, vd) * iJ;
          const Vec<2, T> gradient = iJ * d + (theta * iJ) * (vd + T(cd) * d);  // ∂(ε + θ ε̇)/∂d + c_d ∂/∂ḋ
          const T wJ = w * iJ, diagonal = wJ * strain;
          for (int i = 0; i < 2; ++i)
            for (int j = 0; j < 2; ++j) A[i][j] = wJ * d[i] * gradient[j] + (i == j ? diagonal : T(0.0));
        } else {
          const T length = sqrt(dot(d, d));
          const Vec<2, T> n = d / length;
          const T rate = dot(n, vd), strain = length * iJ - T(1.0) + theta * rate * iJ;
          const Vec<2, T> gradient = iJ * n + (theta * iJ) * ((vd - rate * n) / length + T(cd) * n);
          const T wJ = w * iJ, turn = wJ * strain / length;
          for (int i = 0; i < 2; ++i)
            for (int j = 0; j < 2; ++j)
              A[i][j] = wJ * n[i] * gradient[j] + turn * ((i == j ? T(1.0) : T(0.0)) - n[i] * n[j]);
        }
        H.add(sh.f, sh.f, A);
      }
    }
    for (int g = 0; g < bend_points; ++g) {
      const Shape sh = shape(Gauss<3>::x[g]);
      const Vec<2, T> d = e.d(sh), s = e.s(sh, data.inv_l);
      T dd[2][2], ds[2][2], sd[2][2], ss[2][2];
      if (o.curvature == Curvature::simplified) {
        simplified_tangent(data, g, d, s, ev.d(sh), ev.s(sh, data.inv_l), cd, dd, ds, sd, ss);
      } else {
        curvature_tangent(data, g, Bend<T>(d, s, o.curvature == Curvature::geometric),
                          o.curvature == Curvature::geometric ? 1.5 : 1.0, ev.d(sh), ev.s(sh, data.inv_l), cd, dd, ds,
                          sd, ss);
      }
      for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j) {
          ds[i][j] = data.inv_l * ds[i][j];
          sd[i][j] = data.inv_l * sd[i][j];
          ss[i][j] = data.inv_l * data.inv_l * ss[i][j];
        }
      H.add(sh.f, sh.f, dd);
      H.add(sh.f, sh.df, ds);
      H.add(sh.df, sh.f, sd);
      H.add(sh.df, sh.df, ss);
    }
    spread_cubic<2, true>(H.h, data.inv_l, K);
  }

  /// Derivatives of w (κ − κ₀ + θ κ̇) ∂κ.
  ///     κ_dd = 2p g^(−p−1) (J s dᵀ + d (J s)ᵀ − c I) + 4p(p+1) c g^(−p−2) d dᵀ,  κ_ds = −J g^−p − 2p g^(−p−1) d (J d)ᵀ
  template <class T>
  static void curvature_tangent(const Data<T>& data, int g, const Bend<T>& b, double p, const Vec<2, T>& vd,
                                const Vec<2, T>& vs, double cd, T (&dd)[2][2], T (&ds)[2][2], T (&sd)[2][2],
                                T (&ss)[2][2]) {
    const T a = T(2 * p) * b.gp1, q = T(4 * p * (p + 1)) * b.c * b.gp1 * b.inv_g;
    const Vec<2, T> Js = perp(b.s), Jd = perp(b.d);
    T kdd[2][2], kds[2][2];
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 2; ++j) {
        kdd[i][j] = a * (Js[i] * b.d[j] + b.d[i] * Js[j] - (i == j ? b.c : T(0.0))) + q * b.d[i] * b.d[j];
        const T J_ij = i == j ? T(0.0) : (i == 0 ? -b.gp : b.gp);
        kds[i][j] = -J_ij - a * b.d[i] * Jd[j];
      }
    const T w = data.bend_weight[g];
    const T theta = data.bend_retardation;
    const T strain = b.kappa - data.kappa0[g] + theta * (dot(b.kd, vd) + dot(b.ks, vs));
    Vec<2, T> gd = b.kd, gs = b.ks;  // ∂(κ + θ κ̇)/∂(d, s) + c_d ∂/∂(ḋ, ṡ)
    for (int j = 0; j < 2; ++j) {
      gd[j] +=
          theta * (kdd[0][j] * vd[0] + kdd[1][j] * vd[1] + kds[j][0] * vs[0] + kds[j][1] * vs[1] + T(cd) * b.kd[j]);
      gs[j] += theta * (kds[0][j] * vd[0] + kds[1][j] * vd[1] + T(cd) * b.ks[j]);
    }
    const T moment = w * strain;
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 2; ++j) {
        dd[i][j] = fma(w * b.kd[i], gd[j], moment * kdd[i][j]);
        ds[i][j] = fma(w * b.kd[i], gs[j], moment * kds[i][j]);
        sd[i][j] = fma(w * b.ks[i], gd[j], moment * kds[j][i]);
        ss[i][j] = w * b.ks[i] * gs[j];
      }
  }

  /// Derivatives of the force above, with p = Js, a_d = −Jm nᵀ/‖d‖ − θ p ω_dᵀ − c_d θ p nᵀ/‖d‖,
  /// a_s = (1 + c_d θ) I − θ ω J and ω_d = −((t·ḋ) n + (n·ḋ) t)/‖d‖²:
  ///     dd = −w n (a_dᵀ p)ᵀ/‖d‖ + w (p·a)(t nᵀ + n tᵀ)/‖d‖²,   ds = −w n (Jᵀa + a_sᵀ p)ᵀ/‖d‖,   sd = w a_d,   ss = w a_s
  template <class T>
  static void simplified_tangent(const Data<T>& data, int g, const Vec<2, T>& d, const Vec<2, T>& s,
                                 const Vec<2, T>& vd, const Vec<2, T>& vs, double cd, T (&dd)[2][2], T (&ds)[2][2],
                                 T (&sd)[2][2], T (&ss)[2][2]) {
    const T length = norm(d), inv = T(1.0) / length;
    const Vec<2, T> t = inv * d, n = perp(t), p = perp(s);
    const Vec<2, T> m = data.tau0[g] * t + data.kappa0[g] * n, m1 = perp(m);
    const T w = data.bend_weight[g];
    const T theta = data.bend_retardation, omega = dot(n, vd) * inv;
    const Vec<2, T> a = s - m + theta * (vs - omega * p);
    const T pa = dot(p, a), along = T(1.0) + theta * T(cd), turning = theta * omega;
    const Vec<2, T> dw = (-inv * inv) * (dot(t, vd) * n + dot(n, vd) * t);
    for (int j = 0; j < 2; ++j) {
      const Vec<2, T> ad = (-inv * n[j]) * m1 - (theta * (dw[j] + T(cd) * inv * n[j])) * p;
      Vec<2, T> e{T(j == 0 ? 1.0 : 0.0), T(j == 0 ? 0.0 : 1.0)};
      const Vec<2, T> Je = perp(e), as = along * e - turning * Je;
      const T pad = dot(p, ad), column = dot(Je, a) + dot(p, as);
      for (int i = 0; i < 2; ++i) {
        dd[i][j] = w * inv * (inv * pa * (t[i] * n[j] + n[i] * t[j]) - pad * n[i]);
        sd[i][j] = w * ad[i];
        ds[i][j] = -w * inv * column * n[i];
        ss[i][j] = w * as[i];
      }
    }
  }

  template <class T>
  static T energy(const Data<T>& data, const Options& o, const Context<T>&, const T* x) {
    const Basis<T> e(x, data.inv_l);
    T sum = T(0.0);
    if (o.axial == Axial::chord) {
      const T strain = norm(Vec<2, T>::load(x + 4) - Vec<2, T>::load(x)) / data.L - T(1.0);
      sum += data.axial_weight[0] * strain * strain;
    } else {
      for (int g = 0; g < stretch_count(is_reduced(o)); ++g) {
        const Vec<2, T> d = e.d(shape(stretch_place(is_reduced(o), g)));
        const T strain = o.axial == Axial::green ? T(0.5) * (dot(d, d) * data.inv_J2[g] - T(1.0))
                                                 : sqrt(dot(d, d)) * data.inv_J2[g] - T(1.0);
        sum += data.axial_weight[g] * strain * strain;
      }
    }
    for (int g = 0; g < bend_points; ++g) {
      const Shape sh = shape(Gauss<3>::x[g]);
      const Vec<2, T> d = e.d(sh), s = e.s(sh, data.inv_l);
      if (o.curvature == Curvature::simplified) {
        const Vec<2, T> u = simplified_strain(data, g, d, s);
        sum += data.bend_weight[g] * dot(u, u);
      } else {
        const T strain = Bend<T>(d, s, o.curvature == Curvature::geometric).kappa - data.kappa0[g];
        sum += data.bend_weight[g] * strain * strain;
      }
    }
    return T(0.5) * sum;
  }

  // For viscoelastic.hpp: stretch at its points (the chord's once), then bending; simplified: along t, then along n.
  static constexpr int strain_count = axial_points + 2 * bend_points;
  template <class T>
  static void strains(const Data<T>& data, const Options& o, const T* x, T* e) {
    const Basis<T> at(x, data.inv_l);
    for (int k = 0; k < strain_count; ++k) e[k] = T(0.0);
    for (int g = 0; g < stretch_count(is_reduced(o)); ++g) {
      const Vec<2, T> d = at.d(shape(stretch_place(is_reduced(o), g)));
      e[g] = o.axial == Axial::green         ? T(0.5) * (dot(d, d) * data.inv_J2[g] - T(1.0))
             : o.axial == Axial::engineering ? sqrt(dot(d, d)) * data.inv_J2[g] - T(1.0)
                                             : T(0.0);
    }
    if (o.axial == Axial::chord) e[0] = norm(Vec<2, T>::load(x + 4) - Vec<2, T>::load(x)) / data.L - T(1.0);
    for (int g = 0; g < bend_points; ++g) {
      const Shape sh = shape(Gauss<3>::x[g]);
      const Vec<2, T> d = at.d(sh), s = at.s(sh, data.inv_l);
      if (o.curvature == Curvature::simplified) {
        const Vec<2, T> t = d / norm(d);
        e[axial_points + g] = dot(s, t) - data.tau0[g];
        e[axial_points + bend_points + g] = cross(t, s) - data.kappa0[g];
      } else {
        e[axial_points + g] = Bend<T>(d, s, o.curvature == Curvature::geometric).kappa - data.kappa0[g];
      }
    }
  }
  /// A stretch ε − ε̂ is that of a longer reference times its own stretch: J² (1 + 2 ε̂), or J (1 + ε̂).
  template <class T>
  static void set_free(Data<T>& data, const Options& o, const T& factor, const T* shift) {
    for (int g = 0; g < axial_points; ++g) {
      const T stretch = T(1.0) + T(o.axial == Axial::green ? 2.0 : 1.0) * shift[g];
      data.axial_weight[g] *= factor * stretch * stretch;
      data.inv_J2[g] /= stretch;
      if (o.axial == Axial::chord && g == 0) data.L *= stretch;
    }
    for (int g = 0; g < bend_points; ++g) {
      data.bend_weight[g] *= factor;
      if (o.curvature == Curvature::simplified) {
        data.tau0[g] += shift[axial_points + g];
        data.kappa0[g] += shift[axial_points + bend_points + g];
      } else {
        data.kappa0[g] += shift[axial_points + g];
      }
    }
    const T inverse = T(1.0) / max(factor, T(1e-100));  // C θ stays
    data.stretch_retardation *= inverse;
    data.bend_retardation *= inverse;
  }

  // With λ = ‖d‖/J and k = dθ/dS the forces of a section are N = ∂W/∂λ and M = ∂W/∂k, of bending too: of
  //     W = ½ EI (k − k₀)² (material)     M = B             N = EA ε ε_λ
  //         ½ EI (k/λ − κ₀)²  (geometric)      M = B/λ         N = EA ε ε_λ − M κ       B = EI times the strain of bending
  //         ½ EI (λ k − κ₀)² + … (simplified)  M = B λ         N = EA ε ε_λ + M κ       κ = k/λ
  /// Section force along the tangent, curvature and section moment at ξ, counter-clockwise, without damping; the force that
  /// stretch alone makes.
  static constexpr std::string_view probes[] = {"axial_force", "curvature", "moment", "stretch_force"};
  template <class T>
  static void probe(const Data<T>& data, const Options& o, const T* x, double xi, T* out) {
    const Basis<T> e(x, data.inv_l), reference(data.reference, data.inv_l);
    const Shape sh = shape(xi);
    const Vec<2, T> d = e.d(sh), s = e.s(sh, data.inv_l), D = reference.d(sh), S = reference.s(sh, data.inv_l);
    const T J = norm(D), stretch = norm(d) / J;
    switch (o.axial) {
      case Axial::green:
        out[0] = data.EA * T(0.5) * (stretch * stretch - T(1.0)) * stretch;
        break;
      case Axial::engineering:
        out[0] = data.EA * (stretch - T(1.0));
        break;
      case Axial::chord:
        out[0] = data.EA * (norm(Vec<2, T>::load(x + 4) - Vec<2, T>::load(x)) / data.L - T(1.0));
        break;
    }
    const T turn = cross(d, s) / dot(d, d), turn0 = cross(D, S) / dot(D, D);  // dθ/dx
    switch (o.curvature) {
      case Curvature::material:
        out[1] = turn / J, out[2] = data.EI * (turn - turn0) / J;
        break;
      case Curvature::geometric:
        out[1] = turn / norm(d), out[2] = data.EI * (turn / norm(d) - turn0 / J);
        break;
      case Curvature::simplified:
        out[1] = turn / norm(d);
        out[2] = data.EI * (cross(d, s) / norm(d) - cross(D, S) / J) / (J * J);
        break;
    }
    bend_to_section(o, stretch, out);
  }
  /// From EA ε ε_λ, κ, B.
  template <class T>
  static void bend_to_section(const Options& o, const T& stretch, T* out) {
    out[3] = out[0];
    if (o.curvature == Curvature::geometric) {
      out[2] /= stretch;
      out[0] -= out[2] * out[1];
    } else if (o.curvature == Curvature::simplified) {
      out[2] *= stretch;
      out[0] += out[2] * out[1];
    }
  }

  /// Where stiffnesses are `factor` times as large and the stress-free strains are those at the points.
  template <class T>
  static void probe(const Data<T>& data, const Options& o, const T* x, double xi, const T& factor, const T* shift,
                    T* out) {
    probe(data, o, x, xi, out);
    const Basis<T> e(x, data.inv_l), reference(data.reference, data.inv_l);
    const Shape sh = shape(xi);
    const T J = norm(reference.d(sh)), stretch = norm(e.d(sh)) / J;
    T axial = o.axial == Axial::chord ? shift[0] : T(0.0), bend = T(0.0);
    for (int g = 0; g < stretch_count(is_reduced(o)) && o.axial != Axial::chord; ++g)
      axial = fma(T(is_reduced(o) ? lagrange<Lobatto3, 3>(g, xi) : lagrange<Gauss<5>, axial_points>(g, xi)), shift[g],
                  axial);
    const T* bends = shift + axial_points + (o.curvature == Curvature::simplified ? bend_points : 0);
    for (int g = 0; g < bend_points; ++g) bend = fma(T(lagrange<Gauss<3>, bend_points>(g, xi)), bends[g], bend);
    const T scale = o.curvature == Curvature::material    ? T(1.0) / J
                    : o.curvature == Curvature::geometric ? T(1.0)
                                                          : T(1.0) / (J * J);
    const T B = o.curvature == Curvature::geometric    ? out[2] * stretch
                : o.curvature == Curvature::simplified ? out[2] / stretch
                                                       : out[2];
    out[0] = factor * (out[3] - data.EA * axial * (o.axial == Axial::green ? stretch : T(1.0)));
    out[2] = factor * (B - data.EI * bend * scale);
    bend_to_section(o, stretch, out);
  }

  /// Power lost in the Kelvin–Voigt dampers [W].
  template <class T>
  static T dissipation(const Data<T>& data, const Options& o, const Context<T>&, const T* x, const T* v) {
    if (o.damped == Damped::no) return T(0.0);
    const Basis<T> e(x, data.inv_l), ev(v, data.inv_l);
    T stretch = T(0.0), bend = T(0.0);
    if (o.axial == Axial::chord) {
      const Vec<2, T> c = Vec<2, T>::load(x + 4) - Vec<2, T>::load(x);
      const T rate = dot(c, ev.p[0]) / (data.inv_l * norm(c) * data.L);
      stretch += data.axial_weight[0] * rate * rate;
    } else {
      for (int g = 0; g < stretch_count(is_reduced(o)); ++g) {
        const Shape sh = shape(stretch_place(is_reduced(o), g));
        const Vec<2, T> d = e.d(sh);
        T rate = dot(d, ev.d(sh)) * data.inv_J2[g];
        if (o.axial == Axial::engineering) rate /= norm(d);
        stretch += data.axial_weight[g] * rate * rate;
      }
    }
    for (int g = 0; g < bend_points; ++g) {
      const Shape sh = shape(Gauss<3>::x[g]);
      const Vec<2, T> d = e.d(sh), vd = ev.d(sh), vs = ev.s(sh, data.inv_l);
      if (o.curvature == Curvature::simplified) {
        const Vec<2, T> rate = simplified_rate(d, e.s(sh, data.inv_l), vd, vs);
        bend += data.bend_weight[g] * dot(rate, rate);
      } else {
        const Bend<T> b(d, e.s(sh, data.inv_l), o.curvature == Curvature::geometric);
        const T rate = dot(b.kd, vd) + dot(b.ks, vs);
        bend += data.bend_weight[g] * rate * rate;
      }
    }
    return data.stretch_retardation * stretch + data.bend_retardation * bend;
  }

  /// Between two configurations, for methods that conserve energy and momenta: ancf_cable_2d_step.hpp.
  template <class T>
  static void discrete_gradient(const Data<T>& data, const Options& o, const Context<T>&, const T* x0, const T* x1,
                                T* r);
};

using ViscoelasticAncfCable2d = Viscoelastic<AncfCable2dKernel>;

}  // namespace flexura

#include "flexura/element/ancf_cable_2d_step.hpp"  // IWYU pragma: keep

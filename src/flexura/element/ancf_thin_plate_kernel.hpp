#pragma once

#include "flexura/element/ancf_thin_plate.hpp"
#include "flexura/element/surface_place.hpp"
#include "flexura/element/thin_plate_shape.hpp"
#include "flexura/material/convected.hpp"

namespace flexura {

/// Thin ANCF plate or shell: four nodes × (r, r_x, r_y), 36 coordinates; any curved reference is free of stress.
///
///       3 o─────────o 2        x ∈ [0, a], y ∈ [0, b];  ξ = x/a, η = y/b
///     η ↑ │    n    │          r = Σ N_i r_i + N_i^x a r_x,i + N_i^y b r_y,i       plate_shape.hpp [ghoneimy2025 eqs 18–24]
///       0 o─────────o 1        n = r_ξ × r_η/‖·‖, outwards of the face "top"
///           → ξ
///
/// Energy of Koiter in the reference metric, with A, B of the reference for a, b of surface_place.hpp:
///     U = ½ ∫ eᵀ C e dA,   e = (ε_11, ε_22, 2ε_12, κ_11, κ_22, 2κ_12),  ε = (a − A)/2,  κ = B − b
/// so that a fibre at the height z along n has the strain ε + z κ. C: the laminate's A, B, D (N = A ε + B κ,
/// M = B ε + D κ) in axes along the reference's r_ξ and across it in the plate's plane, turned into convected components.
/// The paper's curvature n/‖n‖³ [ghoneimy2025 eq 37] is `cubed_normal`: b (J₀/J)² in place of b.
/// Thickness factor f, bilinear from the corners: A f, B f², D f³, mass f.
/// Damping (Kelvin–Voigt): C (e + θ ė).   Mass: ∫ ρ_h r̈·δr dA, constant; no rotary inertia.
/// Quadrature: full 4 × 4 points, reduced 3 × 3; mass 5 × 5.   Units: SI.
struct AncfThinPlateKernel : AncfThinPlate {
  // ── Per-item data ────────────────────────────────────────────────────────────────────────────────────────────────
  static constexpr int most_places = 16;
  template <class T>
  struct Point {
    T C[21];       ///< lower triangle, with the weight w J₀
    T A[3], B[3];  ///< of the reference: a_αβ and b_αβ
    T square;      ///< J₀²
  };
  template <class T>
  struct Data {
    T factor[3];  ///< 1, a, b: of r, r_x, r_y
    T retardation;
    Point<T> point[most_places];
    T mass[78];  ///< lower triangle of ∫ ρ_h S_i S_j dA
    T reference[36], thickness, thickness_factor[4], A[6], B[6], D[6], top[6], bottom[6];  ///< for probes
  };

  template <class T>
  static void scaled(const T (&factor)[3], const T* x, T (&e)[36]) {
    for (int i = 0; i < 36; ++i) e[i] = factor[i / 3 % 3] * x[i];
  }
  /// h at a place, from scaled coordinates.
  template <class T>
  static void derivatives(const double* d, std::ptrdiff_t stride, const T* e, Vec<3, T> (&h)[5]) {
    for (Vec<3, T>& x : h) x = {T(0.0), T(0.0), T(0.0)};
    for (int i = 0; i < 12; ++i)
      for (int k = 0; k < 5; ++k)
        for (int c = 0; c < 3; ++c) h[k][c] = fma(T(d[i * stride + k]), e[3 * i + c], h[k][c]);
  }
  template <int side, class T>
  static void derivatives(int place, const T* e, Vec<3, T> (&h)[5]) {
    const auto& rule = thin_plate_rule<side>;
    derivatives(rule.d[0][place], static_cast<std::ptrdiff_t>(sizeof(rule.d[0]) / sizeof(double)), e, h);
  }
  template <class T>
  static T bilinear(const T (&corner)[4], double xi, double eta) {
    return fma(T((1 - xi) * (1 - eta)), corner[0],
               fma(T(xi * (1 - eta)), corner[1], fma(T(xi * eta), corner[2], T((1 - xi) * eta) * corner[3])));
  }

  /// Strains in axes along r_ξ and across it, as a matrix on (ε_11, ε_22, 2ε_12):  [p²; q² r² qr; 2pq · pr].
  template <class T>
  struct Axes {
    T p, q, r;
    explicit Axes(const SurfacePlace<T>& s) {
      const T along = sqrt(s.a[0]), across = s.J / along;
      p = T(1.0) / along;
      r = T(1.0) / across;
      q = -(s.a[2] / along) * p * r;
    }
    void rows(T (&t)[3][3]) const {
      const T zero(0.0);
      const T all[3][3] = {{p * p, zero, zero}, {q * q, r * r, q * r}, {T(2.0) * p * q, zero, p * r}};
      for (int i = 0; i < 9; ++i) t[i / 3][i % 3] = all[i / 3][i % 3];
    }
  };
  template <class T>
  static Data<T> prepare(const Params<T>& p, const Options& o, const T* X) {
    Data<T> data;
    data.factor[0] = T(1.0), data.factor[1] = p.length, data.factor[2] = p.width;
    data.retardation = p.retardation;
    data.thickness = p.thickness;
    for (int i = 0; i < 36; ++i) data.reference[i] = X[i];
    for (int i = 0; i < 4; ++i) data.thickness_factor[i] = p.thickness_factor.c[i];
    for (int i = 0; i < 6; ++i) {
      data.A[i] = p.A.c[i], data.B[i] = p.B.c[i], data.D[i] = p.D.c[i];
      data.top[i] = p.top.c[i], data.bottom[i] = p.bottom.c[i];
    }
    T e[36];
    scaled(data.factor, X, e);
    for (Point<T>& point : data.point) point = {};
    if (o.integration == Integration::full) {
      prepare_points<4>(p, e, data);
    } else {
      prepare_points<3>(p, e, data);
    }
    prepare_mass(p, e, data);
    return data;
  }
  template <int side, class T>
  static void prepare_points(const Params<T>& p, const T* e, Data<T>& data) {
    for (int k = 0; k < side * side; ++k) {
      Vec<3, T> h[5];
      derivatives<side>(k, e, h);
      const SurfacePlace<T> s(h);
      Point<T>& point = data.point[k];
      for (int i = 0; i < 3; ++i) point.A[i] = s.a[i], point.B[i] = s.b[i];
      point.square = s.J * s.J;
      const T f = bilinear(data.thickness_factor, Gauss<side>::x[k % side], Gauss<side>::x[k / side]);
      const T w = T(thin_plate_rule<side>.weight[k]) * s.J * f;
      T t[3][3];
      Axes<T>(s).rows(t);
      const auto turned = [&](const Vec<6, T>& m, int i, int j) {
        T sum(0.0);
        for (int a = 0; a < 3; ++a)
          for (int b = 0; b < 3; ++b) sum += t[a][i] * m.c[triangle(a, b)] * t[b][j];
        return sum;
      };
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
          if (j <= i) point.C[triangle(i, j)] = w * turned(p.A, i, j);
          point.C[triangle(3 + i, j)] = w * f * turned(p.B, i, j);
          if (j <= i) point.C[triangle(3 + i, 3 + j)] = w * f * f * turned(p.D, i, j);
        }
    }
  }
  template <class T>
  static void prepare_mass(const Params<T>& p, const T* e, Data<T>& data) {
    for (T& m : data.mass) m = T(0.0);
    for (int k = 0; k < 25; ++k) {
      const double xi = Gauss<5>::x[k % 5], eta = Gauss<5>::x[k / 5];
      const ThinPlateShape shape = ThinPlateShape::at(xi, eta);
      Vec<3, T> h[5];
      derivatives(shape.d[0], 5, e, h);
      const T weight = T(Gauss<5>::w[k % 5] * Gauss<5>::w[k / 5]) * p.rho_h * bilinear(data.thickness_factor, xi, eta) *
                       norm(cross(h[0], h[1]));
      for (int i = 0; i < 12; ++i)
        for (int j = 0; j <= i; ++j)
          data.mass[triangle(i, j)] +=
              weight * T(shape.value[i]) * data.factor[i % 3] * T(shape.value[j]) * data.factor[j % 3];
    }
  }
  template <class T>
  static void mass(const Data<T>& data, T* m) {
    for (int i = 0; i < 12; ++i)
      for (int j = 0; j < 12; ++j) m[i * 12 + j] = data.mass[triangle(i, j)];
  }

  // ── Energy and force ─────────────────────────────────────────────────────────────────────────────────────────────
  template <class T>
  static void strain(const Point<T>& point, const Options& o, const SurfacePlace<T>& s, T (&e)[6]) {
    const T b = o.curvature == Curvature::koiter ? T(1.0) : point.square / (s.J * s.J);
    for (int k = 0; k < 3; ++k) {
      const T twice = T(k == 2 ? 2.0 : 1.0);
      e[k] = T(0.5) * twice * (s.a[k] - point.A[k]);
      e[3 + k] = twice * (point.B[k] - b * s.b[k]);
    }
  }
  /// Rate of e with the velocities v of h.
  template <class T>
  static void strain_rate(const Point<T>& point, const Options& o, const SurfacePlace<T>& s, const Vec<3, T> (&v)[5],
                          T (&rate)[6]) {
    const bool koiter = o.curvature == Curvature::koiter;
    const T b = koiter ? T(1.0) : point.square / (s.J * s.J);
    const T stretch = koiter ? T(0.0) : T(-2.0) * b * (dot(s.dual[0], v[0]) + dot(s.dual[1], v[1]));
    rate[0] = dot(s.h[0], v[0]);
    rate[1] = dot(s.h[1], v[1]);
    rate[2] = dot(s.h[0], v[1]) + dot(s.h[1], v[0]);
    for (int k = 0; k < 3; ++k) {
      const T turn = dot(s.n, v[2 + k] - s.gamma[0][k] * v[0] - s.gamma[1][k] * v[1]);
      rate[3 + k] = T(k == 2 ? -2.0 : -1.0) * (b * turn + stretch * s.b[k]);
    }
  }
  template <class T>
  static void times(const T (&C)[21], const T (&e)[6], T (&stress)[6]) {
    for (int i = 0; i < 6; ++i) {
      T sum = C[triangle(i, 0)] * e[0];
      for (int j = 1; j < 6; ++j) sum = fma(C[triangle(i, j)], e[j], sum);
      stress[i] = sum;
    }
  }
  /// ∂U/∂h for the stresses.
  template <class T>
  static void force(const Point<T>& point, const Options& o, const SurfacePlace<T>& s, const T (&stress)[6],
                    Vec<3, T> (&f)[5]) {
    const bool koiter = o.curvature == Curvature::koiter;
    const T b = koiter ? T(1.0) : point.square / (s.J * s.J);
    const T M[3] = {b * stress[3], b * stress[4], T(2.0) * b * stress[5]};
    T turn[2];
    for (int c = 0; c < 2; ++c) turn[c] = fma(M[0], s.gamma[c][0], fma(M[1], s.gamma[c][1], M[2] * s.gamma[c][2]));
    f[0] = stress[0] * s.h[0] + stress[2] * s.h[1] + turn[0] * s.n;
    f[1] = stress[1] * s.h[1] + stress[2] * s.h[0] + turn[1] * s.n;
    for (int k = 0; k < 3; ++k) f[2 + k] = -M[k] * s.n;
    if (koiter) return;
    const T spread = T(2.0) * fma(M[0], s.b[0], fma(M[1], s.b[1], M[2] * s.b[2]));
    for (int c = 0; c < 2; ++c) f[c] += spread * s.dual[c];
  }
  /// The forces of a point on h; v: velocities of h, read where damped.
  template <bool damped, class T>
  static void force_at(const Point<T>& point, const T& retardation, const Options& o, const Vec<3, T> (&h)[5],
                       const Vec<3, T> (&v)[5], Vec<3, T> (&f)[5]) {
    const SurfacePlace<T> s(h);
    T e[6], stress[6];
    strain(point, o, s, e);
    if constexpr (damped) {
      T rate[6];
      strain_rate(point, o, s, v, rate);
      for (int i = 0; i < 6; ++i) e[i] = fma(retardation, rate[i], e[i]);
    }
    times(point.C, e, stress);
    force(point, o, s, stress, f);
  }

  template <class T>
  static void residual(const Data<T>& data, const Options& o, const Context<T>&, const T* x, const T* v, T* r) {
    const bool is_full = o.integration == Integration::full;
    if (o.damped == Damped::yes) {
      is_full ? residual_of<4, true>(data, o, x, v, r) : residual_of<3, true>(data, o, x, v, r);
    } else {
      is_full ? residual_of<4, false>(data, o, x, v, r) : residual_of<3, false>(data, o, x, v, r);
    }
  }
  template <int side, bool damped, class T>
  static void residual_of(const Data<T>& data, const Options& o, const T* x, const T* v, T* r) {
    T e[36], rate[36], sum[36];
    scaled(data.factor, x, e);
    if constexpr (damped) scaled(data.factor, v, rate);
    for (T& s : sum) s = T(0.0);
    for (int k = 0; k < side * side; ++k) {
      Vec<3, T> h[5], f[5];
      derivatives<side>(k, e, h);
      if constexpr (damped) {
        Vec<3, T> hv[5];
        derivatives<side>(k, rate, hv);
        force_at<damped>(data.point[k], data.retardation, o, h, hv, f);
      } else {
        force_at<damped>(data.point[k], data.retardation, o, h, h, f);
      }
      for (int i = 0; i < 12; ++i) {
        const double(&d)[5] = thin_plate_rule<side>.d[i][k];
        for (int c = 0; c < 3; ++c)
          sum[3 * i + c] -= fma(T(d[0]), f[0][c],
                                fma(T(d[1]), f[1][c], fma(T(d[2]), f[2][c], fma(T(d[3]), f[3][c], T(d[4]) * f[4][c]))));
      }
    }
    scaled(data.factor, sum, e);
    for (int i = 0; i < 36; ++i) r[i] = e[i];
  }

  template <class T>
  static T energy(const Data<T>& data, const Options& o, const Context<T>&, const T* x) {
    return o.integration == Integration::full ? energy_of<4>(data, o, x) : energy_of<3>(data, o, x);
  }
  template <int side, class T>
  static T energy_of(const Data<T>& data, const Options& o, const T* x) {
    T scaled_x[36], sum(0.0);
    scaled(data.factor, x, scaled_x);
    for (int k = 0; k < side * side; ++k) {
      Vec<3, T> h[5];
      derivatives<side>(k, scaled_x, h);
      T e[6], stress[6];
      strain(data.point[k], o, SurfacePlace<T>(h), e);
      times(data.point[k].C, e, stress);
      for (int i = 0; i < 6; ++i) sum = fma(T(0.5) * e[i], stress[i], sum);
    }
    return sum;
  }
  /// Power lost in the Kelvin–Voigt dampers [W].
  template <class T>
  static T dissipation(const Data<T>& data, const Options& o, const Context<T>&, const T* x, const T* v) {
    if (o.damped == Damped::no) return T(0.0);
    return o.integration == Integration::full ? dissipation_of<4>(data, o, x, v) : dissipation_of<3>(data, o, x, v);
  }
  template <int side, class T>
  static T dissipation_of(const Data<T>& data, const Options& o, const T* x, const T* v) {
    T e[36], ev[36], sum(0.0);
    scaled(data.factor, x, e);
    scaled(data.factor, v, ev);
    for (int k = 0; k < side * side; ++k) {
      Vec<3, T> h[5], hv[5];
      derivatives<side>(k, e, h);
      derivatives<side>(k, ev, hv);
      T rate[6], stress[6];
      strain_rate(data.point[k], o, SurfacePlace<T>(h), hv, rate);
      times(data.point[k].C, rate, stress);
      for (int i = 0; i < 6; ++i) sum = fma(rate[i], stress[i], sum);
    }
    return data.retardation * sum;
  }

  /// See `probes`.
  template <class T>
  static void probe(const Data<T>& data, const Options& o, const T* x, double xi, double eta, T* out) {
    const ThinPlateShape shape = ThinPlateShape::at(xi, eta);
    T now[36], before[36];
    scaled(data.factor, x, now);
    scaled(data.factor, data.reference, before);
    Vec<3, T> h[5], H[5];
    derivatives(shape.d[0], 5, now, h);
    derivatives(shape.d[0], 5, before, H);
    const SurfacePlace<T> s(h), S(H);
    Point<T> point{};
    for (int i = 0; i < 3; ++i) point.A[i] = S.a[i], point.B[i] = S.b[i];
    point.square = S.J * S.J;
    T e[6], t[3][3], turned[6];
    strain(point, o, s, e);
    Axes<T>(S).rows(t);
    for (int part = 0; part < 6; part += 3)
      for (int i = 0; i < 3; ++i) turned[part + i] = t[i][0] * e[part] + t[i][1] * e[part + 1] + t[i][2] * e[part + 2];
    const T f = bilinear(data.thickness_factor, xi, eta);
    const auto product = [&](const auto& matrix, const T* strains, int i) {
      T sum = matrix[triangle(i, 0)] * strains[0];
      for (int j = 1; j < 3; ++j) sum += matrix[triangle(i, j)] * strains[j];
      return sum;
    };
    for (int i = 0; i < 3; ++i) {
      out[force_probe + i] = f * product(data.A, turned, i) + f * f * product(data.B, turned + 3, i);
      out[moment_probe + i] = f * f * product(data.B, turned, i) + f * f * f * product(data.D, turned + 3, i);
    }
    for (int face = 0; face < 2; ++face) {
      const T z = T(face == 0 ? 0.5 : -0.5) * f * data.thickness;
      T strains[3];
      for (int i = 0; i < 3; ++i) strains[i] = turned[i] + z * turned[3 + i];
      T* stress = out + top_probe + 3 * face;
      for (int i = 0; i < 3; ++i) stress[i] = product(face == 0 ? data.top : data.bottom, strains, i);
      out[von_mises_probe + face] =
          sqrt(stress[0] * stress[0] - stress[0] * stress[1] + stress[1] * stress[1] + T(3.0) * stress[2] * stress[2]);
    }
    for (int i = 0; i < 6; ++i) out[strain_probe + i] = T(i % 3 == 2 ? 0.5 : 1.0) * turned[i];
    out[thickness_probe] = f * data.thickness;
  }

  // ── Tangent ──────────────────────────────────────────────────────────────────────────────────────────────────────
  template <class T>
  static void tangent(const Data<T>& data, const Options& o, const Context<T>&, const T* x, const T* v, double cd,
                      T* K) {
    const bool is_full = o.integration == Integration::full;
    if (o.curvature == Curvature::koiter) {
      if (o.damped == Damped::yes) {
        is_full ? koiter_tangent<4, true>(data, o, x, v, cd, K) : koiter_tangent<3, true>(data, o, x, v, cd, K);
      } else {
        is_full ? koiter_tangent<4, false>(data, o, x, v, cd, K) : koiter_tangent<3, false>(data, o, x, v, cd, K);
      }
    } else {
      is_full ? general_tangent<4>(data, o, x, v, cd, K) : general_tangent<3>(data, o, x, v, cd, K);
    }
  }
  template <int side, bool damped, class T>
  static void koiter_tangent(const Data<T>& data, const Options& o, const T* x, const T* v, double cd, T* K);
  template <int side, class T>
  static void general_tangent(const Data<T>& data, const Options& o, const T* x, const T* v, double cd, T* K);
};

}  // namespace flexura

#include "flexura/element/ancf_thin_plate_tangent.hpp"  // IWYU pragma: keep

#pragma once

#include "flexura/element/cubic_line.hpp"
#include "flexura/term/term.hpp"

namespace flexura {

/// Bending stiffness of a planar cable that grows with the square of its curvature, EI(κ) = EI + EI₂ (κ − κ₀)²; the first
/// part is the cable's own.                                                                            [rong2024 section 5]
///
///      r₀,g₀ o~~~~~~~~~o r₁,g₁        U = ¼ ∫ EI₂ (κ − κ₀)⁴ dS,   M = EI₂ (κ − κ₀)³
///                                     κ = (d × s)/(‖d‖² J),  d = r_x, s = r_xx, J = ‖R_x‖ of the reference
///
/// With k = (d × s)/‖d‖², λ = k − k₀ and w = EI₂ l/J³ at a point:  ∂U = w λ³ ∂k,  ∂²U = 3 w λ² ∂k ∂kᵀ + w λ³ ∂²k,
///     k_d = −(J s + 2k d)/g,  k_s = J d/g,  k_ds = ([0 1; −1 0] − 2 d (J d)ᵀ/g)/g,  g = d·d, J: turn by +90°
///     k_dd = (2 (J s dᵀ + d (J s)ᵀ) + 8 k d dᵀ)/g² − 2 k I/g
/// Quadrature: 3 Gauss points. Units: SI.
struct BendStiffening2d {
  static constexpr std::string_view name = "bend_stiffening_2d";
  static constexpr int dim = 2;
  static constexpr std::array slots{SlotKind::point, SlotKind::vector, SlotKind::point, SlotKind::vector};
  static constexpr bool symmetric = true;
  static constexpr Role role = Role::conservative;
  static bool uses_velocity(const NoOptions&) { return false; }
  static constexpr int points = 3;

  template <class T>
  struct Params {
    T EI2, length;
  };
  static void fields(auto& p, auto&& field) {
    field(p.EI2,
          Field{.name = "EI2", .unit = "N m^4", .doc = "growth of EI with the square of the curvature", .min = 0});
    field(p.length, Field{.name = "length", .unit = "m", .doc = "length of the parameter x", .above = 0});
  }

  template <class T>
  struct Data {
    T inv_l, weight[points], k0[points];  ///< w, k₀
    T EI2, reference[8];
  };
  template <class T>
  static Data<T> prepare(const Params<T>& p, const NoOptions&, const T* X) {
    Data<T> data;
    data.inv_l = T(1.0) / p.length;
    data.EI2 = p.EI2;
    for (int i = 0; i < 8; ++i) data.reference[i] = X[i];
    const CubicLine<2, T> line(X, data.inv_l);
    for (int g = 0; g < points; ++g) {
      const CubicShape sh = cubic_shape(Gauss<points>::x[g]);
      const Vec<2, T> d = line.d(sh);
      const T J = norm(d);
      data.k0[g] = cross(d, line.s(sh, data.inv_l)) / (J * J);
      data.weight[g] = p.EI2 * p.length * T(Gauss<points>::w[g]) / (J * J * J);
    }
    return data;
  }

  /// k and its derivatives at a point.
  template <class T>
  struct Bend {
    Vec<2, T> d, Js, kd, ks;
    T inv_g, k;
    Bend(const Vec<2, T>& d_, const Vec<2, T>& s) : d(d_), Js(perp(s)) {
      inv_g = T(1.0) / dot(d, d);
      k = cross(d, s) * inv_g;
      kd = -inv_g * (Js + (T(2.0) * k) * d);
      ks = inv_g * perp(d);
    }
  };
  template <class T>
  static Bend<T> bend_at(const CubicLine<2, T>& line, const T& inv_l, const CubicShape& sh) {
    return Bend<T>(line.d(sh), line.s(sh, inv_l));
  }

  template <class T>
  static void residual(const Data<T>& data, const NoOptions&, const Context<T>&, const T* x, const T*, T* r) {
    const CubicLine<2, T> line(x, data.inv_l);
    CubicForces<2, T> f;
    for (int g = 0; g < points; ++g) {
      const CubicShape sh = cubic_shape(Gauss<points>::x[g]);
      const Bend<T> b = bend_at(line, data.inv_l, sh);
      const T lambda = b.k - data.k0[g], M = data.weight[g] * lambda * lambda * lambda;
      f.subtract(sh.f, M * b.kd);
      f.subtract(sh.df, (data.inv_l * M) * b.ks);
    }
    f.to_nodes(data.inv_l, r);
  }

  template <class T>
  static void tangent(const Data<T>& data, const NoOptions&, const Context<T>&, const T* x, const T*, double, T* K) {
    const CubicLine<2, T> line(x, data.inv_l);
    T H[6][6];
    for (auto& row : H)
      for (T& h : row) h = T(0.0);
    for (int g = 0; g < points; ++g) {
      const CubicShape sh = cubic_shape(Gauss<points>::x[g]);
      const Bend<T> b = bend_at(line, data.inv_l, sh);
      const T lambda = b.k - data.k0[g], square = T(3.0) * data.weight[g] * lambda * lambda,
              M = data.weight[g] * lambda * lambda * lambda, inv_g = b.inv_g, k8 = T(8.0) * b.k;
      const Vec<2, T> Jd = perp(b.d);
      T dd[2][2], ds[2][2], ss[2][2];
      for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j) {
          const T turn = T(static_cast<double>(j - i));
          T second = inv_g * inv_g * (T(2.0) * (b.Js[i] * b.d[j] + b.d[i] * b.Js[j]) + k8 * b.d[i] * b.d[j]);
          if (i == j) second -= T(2.0) * b.k * inv_g;
          dd[i][j] = square * b.kd[i] * b.kd[j] + M * second;
          ds[i][j] = square * b.kd[i] * b.ks[j] + M * inv_g * (turn - T(2.0) * inv_g * b.d[i] * Jd[j]);
          ss[i][j] = square * b.ks[i] * b.ks[j];
        }
      for (int p = 0; p < 3; ++p)
        for (int q = 0; q < 3; ++q) {
          const T ff = T(sh.f[p] * sh.f[q]), fs = data.inv_l * T(sh.f[p] * sh.df[q]),
                  sf = data.inv_l * T(sh.df[p] * sh.f[q]), s2 = data.inv_l * data.inv_l * T(sh.df[p] * sh.df[q]);
          for (int i = 0; i < 2; ++i)
            for (int j = 0; j < 2; ++j)
              H[2 * p + i][2 * q + j] += ff * dd[i][j] + fs * ds[i][j] + sf * ds[j][i] + s2 * ss[i][j];
        }
    }
    spread_cubic<2, true>(H, data.inv_l, K);
  }

  template <class T>
  static T energy(const Data<T>& data, const NoOptions&, const Context<T>&, const T* x) {
    const CubicLine<2, T> line(x, data.inv_l);
    T sum = T(0.0);
    for (int g = 0; g < points; ++g) {
      const T lambda = bend_at(line, data.inv_l, cubic_shape(Gauss<points>::x[g])).k - data.k0[g];
      sum += T(0.25) * data.weight[g] * (lambda * lambda) * (lambda * lambda);
    }
    return sum;
  }

  /// What it adds to those of the cable's element (ancf_cable_2d_kernel.hpp): M; the curvature alone stores this energy.
  static constexpr std::string_view probes[] = {"axial_force", "curvature", "moment", "stretch_force"};
  template <class T>
  static void probe(const Data<T>& data, const NoOptions&, const T* x, double xi, T* out) {
    const CubicShape sh = cubic_shape(xi);
    const CubicLine<2, T> line(x, data.inv_l), reference(data.reference, data.inv_l);
    const Bend<T> b = bend_at(line, data.inv_l, sh), b0 = bend_at(reference, data.inv_l, sh);
    const T change = (b.k - b0.k) / norm(b0.d);
    out[0] = out[1] = out[3] = T(0.0);
    out[2] = data.EI2 * change * change * change;
  }
};

}  // namespace flexura

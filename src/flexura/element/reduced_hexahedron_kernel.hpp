#pragma once

#include "flexura/element/hourglass.hpp"
#include "flexura/element/reduced_hexahedron.hpp"
#include "flexura/element/solid_tangent.hpp"
#include "flexura/element/symmetric_tensor.hpp"

namespace flexura {

/// Hexahedron of 8 nodes for thin walls and for speed: the law at one point, of the mean gradient, and hourglass modes that are held by
/// moduli at rest [flanagan1981, pian1986, belytschko1993].
///
///     F = Σ x_n B̄_nᵀ,  B̄_n = 1/V ∫ ∂N_n/∂X dV        q_α = Σ γ_nα x_n,  γ_nα = (h_nα − Σ_m h_mα X_m·B̄_n)/8
///
///     V (W(C) + k/2 (J − 1)²) + ½ eᵀ K e,    e_α = Fᵀ q_α
///
/// h: ηζ, ξζ, ξη, ξηζ. γ is normal to all homogeneous deformations, so that these have the law's energy however the element is
/// distorted. e: Green's strain of the modes, to first order of them. K = Gᵀ H⁻¹ G of the hybrid element's assumed stresses
/// (hourglass.hpp): of a cell with right angles, the stiffness of bending by E/(1 − ν²), whatever its aspect ratio and k; no shear
/// locking, no modes without energy. Where cells lean against each other along what bends, it locks as all
/// elements of 8 nodes that pass the patch test do [macneal1987].
/// Viscosity: S = 2 η Ė, and K (e + η/μ ė).   Mass: that of the solid of 8 nodes.
struct ReducedHexahedron8Kernel : ReducedHexahedron8 {
  static constexpr SolidRule rule{SolidKind::hexahedron_8,
                                  nodes,
                                  8,
                                  1,
                                  solid_table<SolidKind::hexahedron_8>.slope.data(),
                                  solid_table<SolidKind::hexahedron_8>.weight.data()};
  static constexpr int fields_of_node = 3 + hourglass_modes;  ///< B̄_n and γ_n

  template <class T>
  struct Data {
    ElasticConstants<T> constants;
    T viscosity, retardation, volume;
    RestModuli<T> rest;
    T field[fields_of_node * nodes];  ///< [node][B̄, γ]
    T stiffness[78];                  ///< lower triangle of K
    T shift;                          ///< of J in the tangent: set_free
    T reference[3 * nodes], mass[nodes * (nodes + 1) / 2];
  };

  template <class T>
  static Data<T> prepare(const Params<T>& p, const Options& o, const T* X) {
    Data<T> data;
    for (int i = 0; i < most_elastic_constants; ++i) data.constants.c[i] = p.constants[i];
    data.constants.bulk = p.bulk;
    const T one[6] = {T(1.0), T(1.0), T(1.0), T(0.0), T(0.0), T(0.0)};
    T S[6], D[21];
    elastic_stiffness({o.law, o.form}, data.constants, one, S, D);
    data.rest.shear = D[triangle(5, 5)] + S[0];  // a law with stress at rest is held by a pressure
    // A body without resistance to its volume would have no E: a millionth of the modulus of shear stands in.
    data.rest.bulk =
        max(p.bulk + T(1.0 / 3) * fma(T(2.0), D[triangle(0, 1)], D[triangle(0, 0)]), T(1e-6) * data.rest.shear);
    data.viscosity = p.viscosity;
    data.retardation = p.viscosity / data.rest.shear;
    data.shift = T(0.0);
    const Hourglass<T> hourglass(rule, X, data.rest);
    data.volume = hourglass.volume;
    for (int n = 0; n < nodes; ++n) {
      for (int a = 0; a < 3; ++a) data.field[fields_of_node * n + a] = hourglass.slope[3 * n + a];
      for (int a = 0; a < hourglass_modes; ++a)
        data.field[fields_of_node * n + 3 + a] = hourglass.mode[hourglass_modes * n + a];
    }
    hourglass.stiffness(data.stiffness);
    for (int i = 0; i < 3 * nodes; ++i) data.reference[i] = X[i];
    solid_mass(rule, p.rho, X, data.mass);
    return data;
  }
  template <class T>
  static void mass(const Data<T>& data, T* m) {
    for (int i = 0; i < nodes; ++i)
      for (int j = 0; j < nodes; ++j) m[i * nodes + j] = data.mass[triangle(i, j)];
  }

  /// F and q of places, or their rates of velocities.
  template <class T>
  struct Motion {
    T F[9], q[3 * hourglass_modes];

    Motion(const Data<T>& data, const T* x) {
      for (T& c : F) c = T(0.0);
      for (T& c : q) c = T(0.0);
      for (int n = 1; n < nodes; ++n) {
        const T* field = data.field + fields_of_node * n;
        for (int i = 0; i < 3; ++i) {
          const T d = x[3 * n + i] - x[i];
          for (int a = 0; a < 3; ++a) F[3 * i + a] = fma(field[a], d, F[3 * i + a]);
          for (int a = 0; a < hourglass_modes; ++a) q[3 * a + i] = fma(field[3 + a], d, q[3 * a + i]);
        }
      }
    }
  };
  /// e_α += Fᵀ q_α
  template <class T>
  static void add_strains(const T (&F)[9], const T (&q)[12], T (&e)[12]) {
    for (int m = 0; m < hourglass_modes; ++m)
      for (int a = 0; a < 3; ++a)
        e[3 * m + a] = fma(F[a], q[3 * m], fma(F[3 + a], q[3 * m + 1], fma(F[6 + a], q[3 * m + 2], e[3 * m + a])));
  }
  template <class T>
  static void times_stiffness(const Data<T>& data, const T (&e)[12], T (&s)[12]) {
    for (int i = 0; i < 12; ++i) {
      s[i] = T(0.0);
      for (int j = 0; j < 12; ++j) s[i] = fma(data.stiffness[triangle(i, j)], e[j], s[i]);
    }
  }
  template <class T>
  static void strains_of(const Motion<T>& now, T (&e)[12]) {
    for (T& c : e) c = T(0.0);
    add_strains(now.F, now.q, e);
  }
  /// ė
  template <class T>
  static void rates_of(const Motion<T>& now, const Motion<T>& rate, T (&e)[12]) {
    for (T& c : e) c = T(0.0);
    add_strains(rate.F, now.q, e);
    add_strains(now.F, rate.q, e);
  }
  template <class T>
  static SolidStrain<T> strain_of(const Motion<T>& now) {
    SolidStrain<T> strain;
    for (int i = 0; i < 9; ++i) strain.F[i] = now.F[i];
    solid_cofactors(strain.F, strain.cof);
    strain.J = solid_determinant(strain.F, strain.cof);
    return strain;
  }

  template <class T>
  [[gnu::noinline]] static void residual(const Data<T>& data, const Options& o, const Context<T>&, const T* x,
                                         const T* v, T* r) {
    const Motion<T> now(data, x);
    const SolidStrain<T> strain = strain_of(now);
    T C[6], S[6], e[12], s[12];
    strain.cauchy_green(C);
    elastic_stress({o.law, o.form}, data.constants, C, S);
    strains_of(now, e);
    if (o.damped == Damped::yes) {
      const Motion<T> rate(data, v);
      add_viscous_stress(data.viscosity, now.F, rate.F, S);
      T de[12];
      rates_of(now, rate, de);
      for (int i = 0; i < 12; ++i) e[i] = fma(data.retardation, de[i], e[i]);
    }
    times_stiffness(data, e, s);
    T flux[3][fields_of_node];  // by F and q
    const T pressure = data.constants.bulk * (strain.J - T(1.0));
    for (int i = 0; i < 3; ++i) {
      for (int a = 0; a < 3; ++a) {
        const T P =
            fma(now.F[3 * i], S[voigt[0][a]], fma(now.F[3 * i + 1], S[voigt[1][a]], now.F[3 * i + 2] * S[voigt[2][a]]));
        flux[i][a] = data.volume * fma(pressure, strain.cof[3 * i + a], P);
        for (int m = 0; m < hourglass_modes; ++m) flux[i][a] = fma(now.q[3 * m + i], s[3 * m + a], flux[i][a]);
      }
      for (int m = 0; m < hourglass_modes; ++m)
        flux[i][3 + m] =
            fma(now.F[3 * i], s[3 * m], fma(now.F[3 * i + 1], s[3 * m + 1], now.F[3 * i + 2] * s[3 * m + 2]));
    }
    for (int n = 0; n < nodes; ++n)
      for (int i = 0; i < 3; ++i) {
        T sum(0.0);
        for (int a = 0; a < fields_of_node; ++a) sum = fma(data.field[fields_of_node * n + a], flux[i][a], sum);
        r[3 * n + i] = -sum;
      }
  }

  template <class T>
  using Hessian = T[fields_of_node][fields_of_node][9];

  /// Of the law, by F.
  template <class T>
  static void add_law(const Data<T>& data, const Options& o, const Motion<T>& now, const Motion<T>& rate, double cd,
                      Hessian<T>& A) {
    SolidGaussPoint<T> center;
    center.weight = data.volume;
    const T none(0.0);
    const SolidView<T> view{rule,           {{o.law, o.form}, data.constants},
                            false,          o.damped == Damped::yes,
                            none,           data.constants.bulk,
                            data.viscosity, &center,
                            nullptr,        nullptr};
    const SolidStrain<T> strain = strain_of(now);
    SolidHessian<T> of_F;
    const T pressure = data.volume * data.constants.bulk * (strain.J - T(1.0) - data.shift);
    solid_hessian(view, 0, strain, pressure, rate.F, cd, of_F);
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b)
        for (int i = 0; i < 9; ++i) A[a][b][i] = of_F[a][b][i];
  }
  /// Of ½ eᵀ K e and its damping, by F and q: with Q = q + τ (q̇ + c_d q), Φ alike of F, s = K (e + τ ė).
  template <class T>
  [[gnu::noinline]] static void add_hourglass(const Data<T>& data, const Motion<T>& now, const Motion<T>* rate,
                                              double cd, Hessian<T>& A) {
    T Q[12], Phi[9], e[12], s[12];
    strains_of(now, e);
    for (int i = 0; i < 12; ++i) Q[i] = now.q[i];
    for (int i = 0; i < 9; ++i) Phi[i] = now.F[i];
    if (rate != nullptr) {
      T de[12];
      rates_of(now, *rate, de);
      for (int i = 0; i < 12; ++i) e[i] = fma(data.retardation, de[i], e[i]);
      for (int i = 0; i < 12; ++i) Q[i] = fma(data.retardation, fma(T(cd), now.q[i], rate->q[i]), Q[i]);
      for (int i = 0; i < 9; ++i) Phi[i] = fma(data.retardation, fma(T(cd), now.F[i], rate->F[i]), Phi[i]);
    }
    times_stiffness(data, e, s);
    T turned[12][fields_of_node][3];  // ∂s_(αa) by F_jb and q_βj
    for (int row = 0; row < 12; ++row)
      for (int j = 0; j < 3; ++j) {
        for (int b = 0; b < 3; ++b) {
          T sum(0.0);
          for (int m = 0; m < hourglass_modes; ++m)
            sum = fma(data.stiffness[triangle(row, 3 * m + b)], Q[3 * m + j], sum);
          turned[row][b][j] = sum;
        }
        for (int m = 0; m < hourglass_modes; ++m)
          turned[row][3 + m][j] = fma(data.stiffness[triangle(row, 3 * m)], Phi[3 * j],
                                      fma(data.stiffness[triangle(row, 3 * m + 1)], Phi[3 * j + 1],
                                          data.stiffness[triangle(row, 3 * m + 2)] * Phi[3 * j + 2]));
      }
    for (int b = 0; b < fields_of_node; ++b)
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
          for (int a = 0; a < 3; ++a) {
            T sum = b < 3 ? A[a][b][3 * i + j] : T(0.0);
            for (int m = 0; m < hourglass_modes; ++m) sum = fma(now.q[3 * m + i], turned[3 * m + a][b][j], sum);
            if (i == j && b >= 3) sum += s[3 * (b - 3) + a];
            A[a][b][3 * i + j] = sum;
          }
          for (int m = 0; m < hourglass_modes; ++m) {
            T sum = i == j && b < 3 ? s[3 * m + b] : T(0.0);
            for (int a = 0; a < 3; ++a) sum = fma(now.F[3 * i + a], turned[3 * m + a][b][j], sum);
            A[3 + m][b][3 * i + j] = sum;
          }
        }
  }

  template <class T>
  [[gnu::noinline]] static void tangent(const Data<T>& data, const Options& o, const Context<T>&, const T* x,
                                        const T* v, double cd, T* K) {
    const bool damped = o.damped == Damped::yes;
    const Motion<T> now(data, x), rate = damped ? Motion<T>(data, v) : now;
    const Motion<T>* moving = damped ? &rate : nullptr;
    Hessian<T> A;
    add_law(data, o, now, rate, cd, A);
    add_hourglass(data, now, moving, cd, A);
    for (int n = 0; n < nodes; ++n) {
      T row[fields_of_node][9];  // Σ_a field_na A_ab
      for (int b = 0; b < fields_of_node; ++b)
        for (int i = 0; i < 9; ++i) {
          T sum(0.0);
          for (int a = 0; a < fields_of_node; ++a) sum = fma(data.field[fields_of_node * n + a], A[a][b][i], sum);
          row[b][i] = sum;
        }
      for (int m = 0; m < (damped ? nodes : n + 1); ++m)
        for (int i = 0; i < 9; ++i) {
          T sum(0.0);
          for (int b = 0; b < fields_of_node; ++b) sum = fma(row[b][i], data.field[fields_of_node * m + b], sum);
          K[(3 * n + i / 3) * 3 * nodes + 3 * m + i % 3] = sum;
        }
    }
  }

  template <class T>
  [[gnu::noinline]] static T energy(const Data<T>& data, const Options& o, const Context<T>&, const T* x) {
    const Motion<T> now(data, x);
    const SolidStrain<T> strain = strain_of(now);
    T C[6], e[12], s[12], twice(0.0);
    strain.cauchy_green(C);
    strains_of(now, e);
    times_stiffness(data, e, s);
    for (int i = 0; i < 12; ++i) twice = fma(e[i], s[i], twice);
    const T change = strain.J - T(1.0), half = T(0.5) * data.constants.bulk * change;
    return fma(T(0.5), twice, data.volume * fma(half, change, elastic_energy({o.law, o.form}, data.constants, C)));
  }
  template <class T>
  [[gnu::noinline]] static T dissipation(const Data<T>& data, const Options& o, const Context<T>&, const T* x,
                                         const T* v) {
    if (o.damped == Damped::no) return T(0.0);
    const Motion<T> now(data, x), rate(data, v);
    T twice[6], de[12], s[12], sum(0.0), modes(0.0);
    for (T& c : twice) c = T(0.0);
    add_viscous_stress(T(1.0), now.F, rate.F, twice);
    for (int p = 0; p < 6; ++p) sum = fma(T(p < 3 ? 0.5 : 1.0) * twice[p], twice[p], sum);
    rates_of(now, rate, de);
    times_stiffness(data, de, s);
    for (int i = 0; i < 12; ++i) modes = fma(de[i], s[i], modes);
    return fma(data.retardation, modes, data.viscosity * data.volume * sum);
  }

  /// Stresses and Green's strain with those of the hourglass modes; stretches and the change of volume are means of the element.
  template <class T>
  [[gnu::noinline]] static void probe(const Data<T>& data, const Options& o, const T* x, double xi, double eta,
                                      double zeta, T* out) {
    const Motion<T> now(data, x);
    const SolidStrain<T> strain = strain_of(now);
    T C[6], S[6], e[12], bent[6], epsilon[6], sigma[6], square[3], twice(0.0);
    strain.cauchy_green(C);
    elastic_stress({o.law, o.form}, data.constants, C, S);
    strains_of(now, e);
    Hourglass<T>(rule, data.reference, data.rest).stress(e, {xi, eta, zeta}, bent);
    data.rest.strain(bent, epsilon);
    const T per = T(1.0) / strain.J, change = strain.J - T(1.0), pressure = data.constants.bulk * change;
    for (int p = 0; p < 6; ++p) {
      const int a = voigt_first[p], b = voigt_second[p];
      T inverse(0.0);  // of C, times J²
      for (int i = 0; i < 3; ++i) inverse = fma(strain.cof[3 * i + a], strain.cof[3 * i + b], inverse);
      S[p] += fma(pressure * per, inverse, bent[p]);
      twice = fma(T(p < 3 ? 1.0 : 2.0) * bent[p], epsilon[p], twice);
      out[Solid::piola_probe + p] = S[p];
      out[Solid::green_probe + p] = fma(T(0.5), p < 3 ? C[p] - T(1.0) : C[p], epsilon[p]);
    }
    for (int p = 0; p < 6; ++p) {
      const int a = voigt_first[p], b = voigt_second[p];
      sigma[p] = T(0.0);
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
          sigma[p] = fma(per * strain.F[3 * a + i] * strain.F[3 * b + j], S[voigt[i][j]], sigma[p]);
      out[Solid::cauchy_probe + p] = sigma[p];
    }
    principal_values(C, square);
    for (int i = 0; i < 3; ++i) out[Solid::stretch_probe + i] = sqrt(square[i]);
    out[Solid::volume_probe] = strain.J;
    out[Solid::pressure_probe] = T(-1.0 / 3) * (sigma[0] + sigma[1] + sigma[2]);
    out[Solid::energy_probe] =
        fma(T(0.5), fma(pressure, change, twice), elastic_energy({o.law, o.form}, data.constants, C));
    out[Solid::von_mises_probe] = von_mises_of(sigma);
  }

  // For tangents of predicted stresses, as the solid's.
  static constexpr int strain_count = 1;
  template <class T>
  static void strains(const Data<T>& data, const Options&, const T* x, T* c) {
    c[0] = strain_of(Motion<T>(data, x)).J - T(1.0);
  }
  template <class T>
  static void set_free(Data<T>& data, const Options&, const T&, const T* shift) {
    data.shift += shift[0];
  }
};

}  // namespace flexura

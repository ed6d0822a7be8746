#pragma once

#include "flexura/element/director_beam.hpp"
#include "flexura/element/director_curvature.hpp"
#include "flexura/element/viscoelastic.hpp"
#include "flexura/math/quadrature.hpp"
#include "flexura/math/unroll.hpp"

namespace flexura {

/// Spatial beam with torsion, shear and section directions: geometrically exact, of N nodes.
///
///     r₀,d₀ ├────┼────┤ r₂,d₂       d = (d₁, d₂, d₃) orthonormal at the nodes: constraints vector_length, inner_product;
///          ╱    ╱    ╱              d₁, d₂ along the principal axes of the section, d₃ its normal
///
/// r and d_i are Lagrange polynomials in ξ; ′ = d/dS, dS = ‖R_ξ‖ dξ of the reference R, which may be curved and twisted.
/// Strains less those of the reference, invariant in rigid motions [romero2002, betsch2002]:
///     Γ₁ = d₁·r′,  Γ₂ = d₂·r′ shear,  Γ₃ = d₃·r′/|d₃| stretch
///     K_k = ψ(p) κ_k,  κ_k = ½ (d_i′·d_j − d_j′·d_i), (i, j, k) cyclic:  bending about d₁ and d₂, torsion about d₃
/// Interpolated directors are shorter than 1: ψ and 1/|d₃| (director_curvature.hpp) make up for it, so that the end moment of one
/// element of three nodes rises up to 260° between its end sections, 2.7 % low at 180°.
/// Energy ½ ∫ Σ C_s e_s² dS, C = (GA₁, GA₂, EA, EI₁, EI₂, GJ), with N − 1 Gauss points: no locking.
/// Damping (Kelvin–Voigt): S_s = C_s (e_s + θ_s ė_s), ė zero in rigid motions.
/// Mass: ½ ∫ ρA ṙ² + ρI₂ ḋ₁² + ρI₁ ḋ₂² dS, constant, N Gauss points; ρI_i = ∫ ρ X_j² dA about d_i, as in EI_i.
///
/// With S_a the shape functions, e_j^a = ½ (S_a′ d_j − S_a d_j′), u = ∂p, n₃ = 1/|d₃|, e = n₃ d₃ the gradients are
///     Γ_i:  S_a′ d_i on r_a,  S_a r′ on d_i^a            κ_k:  e_j^a on d_i^a,  −e_i^a on d_j^a
///     Γ₃:   S_a′ e on r_a,  S_a n₃ (r′ − Γ₃ e) on d₃^a    u:   S_a d_i on d_i^a            ∂K_k = ψ ∂κ_k + ψ′ κ_k u
/// and ∂²Γ_i = S_a′ S_b (r_a, d_i^b),  ∂²κ_k = ½ (S_a′ S_b − S_a S_b′) (d_i^a, d_j^b),  ∂u = S_a S_b (d_i^a, d_i^b): multiples of the
/// identity;  ∂²Γ₃ = S_a′ S_b n₃ (1 − e eᵀ) (r_a, d₃^b) + S_a S_b n₃² (Γ₃ (3 e eᵀ − 1) − r′ eᵀ − e r′ᵀ) (d₃^a, d₃^b).
/// Over a step, with bars for means of the ends 0, 1 and m for the midpoint, κ, p, g = d₃·r′ and d₃·d₃ being quadratic:
///     ΔK_k = ψ̄ ∂κ_k(x_m) Δx + κ̄_k Δψ/Δp u(x_m) Δx,  ΔΓ₃ = n̄ ∂g(x_m) Δx − 2 ḡ n₀² n₁²/(n₀ + n₁) Σ S_a d₃(x_m)·Δd₃^a
/// exactly, so that these gradients with ½ (S₀ + S₁) conserve energy and momenta.  Units: SI.
template <int N>
struct DirectorBeamKernel : DirectorBeam<N> {
  using Base = DirectorBeam<N>;
  using typename Base::Damped, typename Base::Options, typename Base::Shape;
  template <class T>
  using Params = typename Base::template Params<T>;
  using Base::shape;
  static constexpr int n = 12 * N, points = N - 1;
  using Rule = Gauss<points>;

  template <class T>
  struct Strain {
    T e[6];  ///< Γ₁, Γ₂, Γ₃, K₁, K₂, K₃
  };
  template <class T>
  struct Data {
    T inv_J[points];         ///< 1/‖R_ξ‖
    T stiffness[points][6];  ///< C_s w J
    Strain<T> reference[points];
    T retardation[6];
    T mass[N * (N + 1) / 2];  ///< lower triangle of ∫ S_a S_b dS
    T rhoA, rhoI1, rhoI2, C[6], X[n];
  };

  /// r′, d_i and d_i′ at a point.
  template <class T>
  struct Section {
    Vec<3, T> dr, d[3], dd[3];
    [[gnu::always_inline]] Section(const T* x, const Shape& sh, const T& inv_J) {
      dr = combine(x, sh.df, inv_J);
      for (int i = 0; i < 3; ++i) {
        d[i] = combine(x + 3 * (i + 1), sh.f, T(1.0));
        dd[i] = combine(x + 3 * (i + 1), sh.df, inv_J);
      }
    }
    [[gnu::always_inline]] static Vec<3, T> combine(const T* x, const double (&c)[N], const T& factor) {
      Vec<3, T> sum = T(c[0]) * Vec<3, T>::load(x);
      for (int a = 1; a < N; ++a)
        for (int i = 0; i < 3; ++i) sum[i] = fma(T(c[a]), x[12 * a + i], sum[i]);
      return factor * sum;
    }
  };

  /// What the strains at a point are made of.
  template <class T>
  struct Measure {
    T kappa[3];
    CurvatureFactor<N, T> factor;
    T g, inv_length, stretch;  ///< d₃·r′, n₃, Γ₃

    [[gnu::always_inline]] explicit Measure(const Section<T>& x)
        : factor(CurvatureFactor<N, T>::p(x.d)),
          g(dot(x.d[2], x.dr)),
          inv_length(T(1.0) / sqrt(CurvatureFactor<N, T>::above_least(dot(x.d[2], x.d[2])))),
          stretch(inv_length * g) {
      for (int i = 0; i < 3; ++i) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        kappa[k] = T(0.5) * (dot(x.dd[i], x.d[j]) - dot(x.dd[j], x.d[i]));
      }
    }
    [[gnu::always_inline]] Strain<T> strain(const Section<T>& x) const {
      return {{dot(x.d[0], x.dr), dot(x.d[1], x.dr), stretch, factor.psi * kappa[0], factor.psi * kappa[1],
               factor.psi * kappa[2]}};
    }
  };
  template <class T>
  [[gnu::always_inline]] static Strain<T> strain(const Section<T>& x) {
    return Measure<T>(x).strain(x);
  }

  /// The gradients of a point: ∂Γ₃ is S_a′ pull on r_a and S_a tilt on d₃^a, ∂K_k = ψ ∂κ_k + along_k u.
  template <class T>
  struct Gradients {
    Vec<3, T> pull, tilt;
    T psi, along[3];

    [[gnu::always_inline]] Gradients(const Section<T>& x, const Measure<T>& m)
        : pull(m.inv_length * x.d[2]), tilt(m.inv_length * (x.dr - m.stretch * pull)), psi(m.factor.psi) {
      const T first = m.factor.first();
      for (int k = 0; k < 3; ++k) along[k] = first * m.kappa[k];
    }
    /// Those of a step from `a` to `b` with the midpoint `x`.
    Gradients(const Section<T>& x, const Measure<T>& a, const Measure<T>& b)
        : pull(T(0.5) * (a.inv_length + b.inv_length) * x.d[2]), psi(T(0.5) * (a.factor.psi + b.factor.psi)) {
      const T product = a.inv_length * b.inv_length;
      const T turn = (a.g + b.g) * (product * product / (a.inv_length + b.inv_length));
      tilt = T(0.5) * (a.inv_length + b.inv_length) * x.dr - turn * x.d[2];
      const T secant = T(-CurvatureFactor<N, T>::inverse_weight) * (a.factor.inverse * b.factor.inverse);
      for (int k = 0; k < 3; ++k) along[k] = T(0.5) * (a.kappa[k] + b.kappa[k]) * secant;
    }
  };

  /// Rates of κ and p.
  template <class T>
  struct Rates {
    T kappa[3], p;
    [[gnu::always_inline]] Rates(const Section<T>& x, const Section<T>& v)
        : p((dot(x.d[0], v.d[0]) + dot(x.d[1], v.d[1])) + dot(x.d[2], v.d[2])) {
      for (int i = 0; i < 3; ++i) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        kappa[k] =
            T(0.5) * ((dot(x.dd[i], v.d[j]) - dot(x.dd[j], v.d[i])) + (dot(v.dd[i], x.d[j]) - dot(v.dd[j], x.d[i])));
      }
    }
  };
  /// ∂e·v
  template <class T>
  [[gnu::always_inline]] static Strain<T> strain_rate(const Section<T>& x, const Section<T>& v, const Gradients<T>& at,
                                                      const Rates<T>& rates) {
    Strain<T> out;
    for (int i = 0; i < 2; ++i) out.e[i] = dot(x.d[i], v.dr) + dot(v.d[i], x.dr);
    out.e[2] = dot(at.pull, v.dr) + dot(at.tilt, v.d[2]);
    for (int k = 0; k < 3; ++k) out.e[3 + k] = fma(at.psi, rates.kappa[k], at.along[k] * rates.p);
    return out;
  }

  template <class T>
  static Data<T> prepare(const Params<T>& p, const Options&, const T* X) {
    Data<T> data;
    const T C[6] = {p.GA1, p.GA2, p.EA, p.EI1, p.EI2, p.GJ};
    for (int s = 0; s < 6; ++s) {
      data.C[s] = C[s];
      data.retardation[s] = s < 3 ? p.stretch_retardation : s < 5 ? p.bend_retardation : p.twist_retardation;
    }
    for (int i = 0; i < n; ++i) data.X[i] = X[i];
    const auto length = [&](const Shape& sh) { return norm(Section<T>::combine(X, sh.df, T(1.0))); };
    for (int g = 0; g < points; ++g) {
      const Shape sh = shape(Rule::x[g]);
      const T J = length(sh);
      data.inv_J[g] = T(1.0) / J;
      data.reference[g] = strain(Section<T>(X, sh, data.inv_J[g]));
      for (int s = 0; s < 6; ++s) data.stiffness[g][s] = C[s] * J * T(Rule::w[g]);
    }
    for (T& m : data.mass) m = T(0.0);
    for (int g = 0; g < N; ++g) {
      const Shape sh = shape(Gauss<N>::x[g]);
      const T weight = length(sh) * T(Gauss<N>::w[g]);
      for (int a = 0, k = 0; a < N; ++a)
        for (int b = 0; b <= a; ++b, ++k) data.mass[k] += weight * T(sh.f[a] * sh.f[b]);
    }
    data.rhoA = p.rhoA;
    data.rhoI1 = p.rhoI1;
    data.rhoI2 = p.rhoI2;
    return data;
  }

  template <class T>
  static void mass(const Data<T>& data, T* m) {
    const T density[4] = {data.rhoA, data.rhoI2, data.rhoI1, T(0.0)};
    for (int a = 0, k = 0; a < N; ++a)
      for (int b = 0; b <= a; ++b, ++k)
        for (int s = 0; s < 4; ++s)
          m[(4 * a + s) * 4 * N + 4 * b + s] = m[(4 * b + s) * 4 * N + 4 * a + s] = density[s] * data.mass[k];
  }

  /// w J S_s at point g.
  template <class T>
  [[gnu::always_inline]] static Strain<T> stress(const Data<T>& data, int g, const Strain<T>& e) {
    Strain<T> out;
    for (int s = 0; s < 6; ++s) out.e[s] = data.stiffness[g][s] * (e.e[s] - data.reference[g].e[s]);
    return out;
  }
  template <class T>
  [[gnu::always_inline]] static void add_loss(const Data<T>& data, int g, const Strain<T>& rate, Strain<T>& stress) {
    for (int s = 0; s < 6; ++s) stress.e[s] = fma(data.stiffness[g][s] * data.retardation[s], rate.e[s], stress.e[s]);
  }
  /// r −= Bᵀ S
  template <class T>
  [[gnu::always_inline]] static void subtract_force(const Shape& sh, const T& inv_J, const Section<T>& x,
                                                    const Gradients<T>& at, const Strain<T>& S, T* r) {
    // Conjugate to r′, d_i and d_i′.
    Vec<3, T> on_r = S.e[0] * x.d[0] + S.e[1] * x.d[1] + S.e[2] * at.pull, on_d[3], on_dd[3];
    const T along = fma(S.e[3], at.along[0], fma(S.e[4], at.along[1], S.e[5] * at.along[2])), half = T(0.5) * at.psi;
    for (int i = 0; i < 3; ++i) {
      const int j = (i + 1) % 3, k = (i + 2) % 3;
      const T Mk = half * S.e[3 + k], Mj = half * S.e[3 + j];
      on_d[i] = S.e[i] * (i == 2 ? at.tilt : x.dr) + along * x.d[i] - Mk * x.dd[j] + Mj * x.dd[k];
      on_dd[i] = inv_J * (Mk * x.d[j] - Mj * x.d[k]);
    }
    on_r = inv_J * on_r;
    for (int a = 0; a < N; ++a)
      for (int i = 0; i < 3; ++i) {
        r[12 * a + i] = fma(T(-sh.df[a]), on_r[i], r[12 * a + i]);
        for (int s = 0; s < 3; ++s) {
          T& to = r[12 * a + 3 * (s + 1) + i];
          to = fma(T(-sh.f[a]), on_d[s][i], fma(T(-sh.df[a]), on_dd[s][i], to));
        }
      }
  }

  template <class T>
  static void residual(const Data<T>& data, const Options& o, const Context<T>&, const T* x, const T* v, T* r) {
    for (int i = 0; i < n; ++i) r[i] = T(0.0);
    for_each_index<points>([&](auto g) __attribute__((always_inline)) {
      constexpr Shape sh = shape(Rule::x[g]);
      const Section<T> at(x, sh, data.inv_J[g]);
      const Measure<T> measure(at);
      const Gradients<T> gradients(at, measure);
      Strain<T> S = stress(data, g, measure.strain(at));
      if (o.damped == Damped::yes) {
        const Section<T> moving(v, sh, data.inv_J[g]);
        add_loss(data, g, strain_rate(at, moving, gradients, Rates<T>(at, moving)), S);
      }
      subtract_force(sh, data.inv_J[g], at, gradients, S, r);
    });
  }

  /// Elastic forces over a step from x0 to x1, whose work is the difference of the energies.
  template <class T>
  static void discrete_gradient(const Data<T>& data, const Options&, const Context<T>&, const T* x0, const T* x1,
                                T* r) {
    T middle[n];
    for (int i = 0; i < n; ++i) middle[i] = T(0.5) * (x0[i] + x1[i]), r[i] = T(0.0);
    for (int g = 0; g < points; ++g) {
      const Shape sh = shape(Rule::x[g]);
      const T inv_J = data.inv_J[g];
      const Section<T> at0(x0, sh, inv_J), at1(x1, sh, inv_J), at(middle, sh, inv_J);
      const Measure<T> m0(at0), m1(at1);
      const Strain<T> e0 = m0.strain(at0), e1 = m1.strain(at1);
      Strain<T> mean;
      for (int s = 0; s < 6; ++s) mean.e[s] = T(0.5) * (e0.e[s] + e1.e[s]);
      subtract_force(sh, inv_J, at, Gradients<T>(at, m0, m1), stress(data, g, mean), r);
    }
  }

  template <class T>
  static void tangent(const Data<T>& data, const Options& o, const Context<T>&, const T* x, const T* v, double cd,
                      T* K) {
    if (o.damped == Damped::yes) {
      tangent_of<true>(data, x, v, cd, K);
    } else {
      tangent_of<false>(data, x, x, cd, K);
    }
  }
  /// What a node adds to the gradients at a point.
  template <class T>
  struct NodeGradient {
    Vec<3, T> on_r[3], on_d[3];  ///< ∂Γ_i
    Vec<3, T> e[3], u[3];
    [[gnu::always_inline]] void set(const Section<T>& x, const Gradients<T>& at, const T& f, const T& df) {
      const Vec<3, T> shear = f * x.dr;
      for (int i = 0; i < 3; ++i) {
        on_r[i] = df * (i == 2 ? at.pull : x.d[i]);
        on_d[i] = i == 2 ? f * at.tilt : shear;
        e[i] = T(0.5) * (df * x.d[i] - f * x.dd[i]);
        u[i] = f * x.d[i];
      }
    }
  };
  /// Columns that a node's gradients are multiplied with: Σ ∂Γ_i (on_r, on_d)_iᵀ + Σ ∂κ_k (on d_i: first_k, on d_j: second_k)ᵀ.
  template <class T>
  struct NodeColumns {
    Vec<3, T> on_r[3], on_d[3], first[3], second[3];
  };
  /// Of directors, u zᵀ + y uᵀ; with damping also w u(v)ᵀ.
  template <class T>
  struct NodeDense {
    Vec<3, T> y[3], z[3], w[3], rate[3];
  };
  /// S₃ ∂²Γ₃ without the shape functions.
  template <class T>
  struct StretchCurvature {
    T rd[3][3], dd[3][3];
    [[gnu::always_inline]] StretchCurvature(const Section<T>& x, const Measure<T>& m, const Vec<3, T>& e, const T& S) {
      const T n = S * m.inv_length, nn = n * m.inv_length;
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
          const T ee = e[i] * e[j], one = T(i == j ? 1.0 : 0.0);
          rd[i][j] = n * (one - ee);
          dd[i][j] = nn * (m.stretch * (T(3.0) * ee - one) - (x.dr[i] * e[j] + e[i] * x.dr[j]));
        }
    }
  };

  /// Σ_s C_s ∂e_s (∂e_s + c_d θ ∂e_s + θ ∂²e_s v)ᵀ + S_s ∂²e_s. What multiplies u goes into y, z and w.
  template <bool damped, class T>
  static void tangent_of(const Data<T>& data, const T* x, const T* v, double cd, T* K) {
    for (int i = 0; i < n * n; ++i) K[i] = T(0.0);
    for_each_index<points>([&](auto g) __attribute__((always_inline)) {
      constexpr Shape sh = shape(Rule::x[g]);
      const T inv_J = data.inv_J[g];
      const Section<T> at(x, sh, inv_J);
      const Measure<T> m(at);
      const Gradients<T> gradients(at, m);
      Strain<T> S = stress(data, g, m.strain(at));
      NodeGradient<T> rows[N];
      for (int a = 0; a < N; ++a) rows[a].set(at, gradients, T(sh.f[a]), T(sh.df[a]) * inv_J);
      NodeColumns<T> columns[N];
      NodeDense<T> dense[N];
      if constexpr (damped) {
        set_damped_columns(data, g, at, Section<T>(v, sh, inv_J), m, gradients, cd, sh, rows, S, columns, dense);
      } else {
        set_columns(data.stiffness[g], m, gradients, S, rows, columns, dense);
      }
      const StretchCurvature<T> stretch(at, m, gradients.pull, S.e[2]);
      const T* M = S.e + 3;
      const T moments[3] = {gradients.psi * M[0], gradients.psi * M[1], gradients.psi * M[2]};
      const T along = fma(M[0], gradients.along[0], fma(M[1], gradients.along[1], M[2] * gradients.along[2]));
      for (int a = 0; a < N; ++a) {
        const T fa = T(sh.f[a]), dfa = T(sh.df[a]) * inv_J;
        for (int b = 0; b < (damped ? N : a + 1); ++b) {
          const T fb = T(sh.f[b]), dfb = T(sh.df[b]) * inv_J;
          T* block = K + 12 * a * n + 12 * b;
          add_columns(rows[a], columns[b], block);
          add_dense<damped>(rows[a], dense[a], rows[b], dense[b], block);
          add_geometric(S, moments, along * (fa * fb), fa, dfa, fb, dfb, block);
          add_stretch(stretch, fa * fb, dfa * fb, fa * dfb, block);
        }
      }
    });
  }
  template <class T>
  [[gnu::always_inline]] static void set_columns(const T* C, const Measure<T>& m, const Gradients<T>& at,
                                                 const Strain<T>& S, const NodeGradient<T> (&rows)[N],
                                                 NodeColumns<T> (&columns)[N], NodeDense<T> (&dense)[N]) {
    const T first = m.factor.first(), second = m.factor.second();
    T on_kappa[3], twice(0.0), weight[3];
    for (int k = 0; k < 3; ++k) {
      weight[k] = C[3 + k] * at.psi;
      on_kappa[k] = fma(weight[k], at.along[k], first * S.e[3 + k]);
      twice = fma(C[3 + k] * at.along[k], at.along[k], fma(second * S.e[3 + k], m.kappa[k], twice));
      weight[k] = weight[k] * at.psi;
    }
    const T on_u = T(0.5) * twice;
    for (int a = 0; a < N; ++a)
      for (int i = 0; i < 3; ++i) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        columns[a].on_r[i] = C[i] * rows[a].on_r[i];
        columns[a].on_d[i] = C[i] * rows[a].on_d[i];
        columns[a].first[k] = weight[k] * rows[a].e[j];
        columns[a].second[k] = -weight[k] * rows[a].e[i];
        dense[a].y[i] = dense[a].z[i] = curvature_gradient(on_kappa, rows[a].e, i) + on_u * rows[a].u[i];
      }
  }
  /// With the gradients of the velocity's section, B(v), and ∂²Γ₃ v. Adds what the rate gives to S.
  template <class T>
  [[gnu::always_inline]] static void set_damped_columns(const Data<T>& data, int g, const Section<T>& x,
                                                        const Section<T>& v, const Measure<T>& m,
                                                        const Gradients<T>& at, double cd, const Shape& sh,
                                                        const NodeGradient<T> (&rows)[N], Strain<T>& S,
                                                        NodeColumns<T> (&columns)[N], NodeDense<T> (&dense)[N]) {
    const Rates<T> rates(x, v);
    add_loss(data, g, strain_rate(x, v, at, rates), S);
    T now[6], past[6];
    for (int s = 0; s < 6; ++s) {
      past[s] = data.stiffness[g][s] * data.retardation[s];
      now[s] = fma(T(cd), past[s], data.stiffness[g][s]);
    }
    // ∂²Γ₃ v on r and d₃ without the shape functions
    const Vec<3, T>& e = at.pull;
    const T n3 = m.inv_length, ev = dot(e, v.d[2]);
    const Vec<3, T> stretch_r = n3 * (v.d[2] - ev * e);
    const Vec<3, T> stretch_d = n3 * (v.dr - dot(e, v.dr) * e) +
                                n3 * n3 * (m.stretch * (T(3.0) * ev * e - v.d[2]) - ev * x.dr - dot(x.dr, v.d[2]) * e);
    const T first = m.factor.first(), second = m.factor.second();
    // Of the columns of K_k: on ∂κ_k, ∂κ_k(v), u and u(v)
    T on_kappa[3], on_rate[3], y_kappa[3], w_kappa[3], z_kappa[3], z_rate[3], z_u(0.0), z_v(0.0);
    for (int k = 0; k < 3; ++k) {
      const T n = now[3 + k], p = past[3 + k], along = at.along[k];
      on_kappa[k] = fma(n, at.psi, p * (first * rates.p));
      on_rate[k] = p * at.psi;
      const T on_u = fma(n, along, p * fma(first, rates.kappa[k], m.kappa[k] * (second * rates.p)));
      const T on_v = p * along, bent = first * S.e[3 + k];
      y_kappa[k] = fma(at.psi, on_u, bent);
      w_kappa[k] = at.psi * on_v;
      z_kappa[k] = fma(along, on_kappa[k], bent);
      z_rate[k] = along * on_rate[k];
      z_u = fma(along, on_u, fma(second * S.e[3 + k], m.kappa[k], z_u));
      z_v = fma(along, on_v, z_v);
      on_kappa[k] = at.psi * on_kappa[k];
      on_rate[k] = at.psi * on_rate[k];
    }
    Vec<3, T> column_r[3], column_d[3];
    for (int i = 0; i < 3; ++i) {
      column_r[i] = now[i] * (i == 2 ? at.pull : x.d[i]) + past[i] * (i == 2 ? stretch_r : v.d[i]);
      column_d[i] = now[i] * (i == 2 ? at.tilt : x.dr) + past[i] * (i == 2 ? stretch_d : v.dr);
    }
    for (int a = 0; a < N; ++a) {
      const T f = T(sh.f[a]), df = T(sh.df[a]) * data.inv_J[g];
      Vec<3, T> e_v[3];
      for (int i = 0; i < 3; ++i) e_v[i] = T(0.5) * (df * v.d[i] - f * v.dd[i]);
      for (int i = 0; i < 3; ++i) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        columns[a].on_r[i] = df * column_r[i];
        columns[a].on_d[i] = f * column_d[i];
        columns[a].first[k] = on_kappa[k] * rows[a].e[j] + on_rate[k] * e_v[j];
        columns[a].second[k] = -(on_kappa[k] * rows[a].e[i] + on_rate[k] * e_v[i]);
        NodeDense<T>& d = dense[a];
        d.rate[i] = f * v.d[i];
        d.y[i] = curvature_gradient(y_kappa, rows[a].e, i);
        d.w[i] = curvature_gradient(w_kappa, rows[a].e, i);
        d.z[i] = curvature_gradient(z_kappa, rows[a].e, i) + curvature_gradient(z_rate, e_v, i) + z_u * rows[a].u[i] +
                 z_v * d.rate[i];
      }
    }
  }
  template <class T>
  [[gnu::always_inline]] static void add_outer(T* K, const Vec<3, T>& x, const Vec<3, T>& y) {
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) K[i * n + j] = fma(x[i], y[j], K[i * n + j]);
  }
  template <class T>
  [[gnu::always_inline]] static void add_identity(T* K, const T& x) {
    for (int i = 0; i < 3; ++i) K[i * n + i] += x;
  }
  template <class T>
  [[gnu::always_inline]] static void add_columns(const NodeGradient<T>& a, const NodeColumns<T>& b, T* K) {
    for_each_index<3>([&](auto index) __attribute__((always_inline)) {
      constexpr int i = index, j = (i + 1) % 3, k = (i + 2) % 3;
      constexpr int di = 3 * (i + 1), dj = 3 * (j + 1);
      // Γ_i on (r, d_i), κ_k on (d_i, d_j)
      add_outer(K, a.on_r[i], b.on_r[i]);
      add_outer(K + di, a.on_r[i], b.on_d[i]);
      add_outer(K + di * n, a.on_d[i], b.on_r[i]);
      add_outer(K + di * n + di, a.on_d[i], b.on_d[i]);
      const Vec<3, T> other = -a.e[i];
      add_outer(K + di * n + di, a.e[j], b.first[k]);
      add_outer(K + di * n + dj, a.e[j], b.second[k]);
      add_outer(K + dj * n + di, other, b.first[k]);
      add_outer(K + dj * n + dj, other, b.second[k]);
    });
  }
  template <bool damped, class T>
  [[gnu::always_inline]] static void add_dense(const NodeGradient<T>& rows_a, const NodeDense<T>& a,
                                               const NodeGradient<T>& rows_b, const NodeDense<T>& b, T* K) {
    for_each_index<9>([&](auto index) __attribute__((always_inline)) {
      constexpr int s = index / 3, t = index % 3;
      T* block = K + 3 * (s + 1) * n + 3 * (t + 1);
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
          T& to = block[i * n + j];
          to = fma(rows_a.u[s][i], b.z[t][j], fma(a.y[s][i], rows_b.u[t][j], to));
          if constexpr (damped) to = fma(a.w[s][i], b.rate[t][j], to);
        }
    });
  }
  /// Of κ, p, Γ₁ and Γ₂.
  template <class T>
  [[gnu::always_inline]] static void add_geometric(const Strain<T>& S, const T (&moments)[3], const T& along,
                                                   const T& fa, const T& dfa, const T& fb, const T& dfb, T* K) {
    const T rd = dfa * fb, dr = fa * dfb, turn = T(0.5) * (rd - dr);
    for_each_index<3>([&](auto index) __attribute__((always_inline)) {
      constexpr int i = index, j = (i + 1) % 3, k = (i + 2) % 3;
      constexpr int di = 3 * (i + 1), dj = 3 * (j + 1);
      if constexpr (i < 2) {
        add_identity(K + di, S.e[i] * rd);
        add_identity(K + di * n, S.e[i] * dr);
      }
      add_identity(K + di * n + di, along);
      add_identity(K + di * n + dj, moments[k] * turn);
      add_identity(K + dj * n + di, -moments[k] * turn);
    });
  }
  template <class T>
  [[gnu::always_inline]] static void add_stretch(const StretchCurvature<T>& s, const T& ff, const T& rd, const T& dr,
                                                 T* K) {
    constexpr int d3 = 9;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        T* to = K + i * n + j;
        to[d3] = fma(rd, s.rd[i][j], to[d3]);
        to[d3 * n] = fma(dr, s.rd[i][j], to[d3 * n]);
        to[d3 * n + d3] = fma(ff, s.dd[i][j], to[d3 * n + d3]);
      }
  }

  template <class T>
  static T energy(const Data<T>& data, const Options&, const Context<T>&, const T* x) {
    T sum = T(0.0);
    for (int g = 0; g < points; ++g) {
      const Strain<T> e = strain(Section<T>(x, shape(Rule::x[g]), data.inv_J[g]));
      for (int s = 0; s < 6; ++s) {
        const T strain = e.e[s] - data.reference[g].e[s];
        sum += data.stiffness[g][s] * strain * strain;
      }
    }
    return T(0.5) * sum;
  }

  // For viscoelastic.hpp: Γ and K at the points.
  static constexpr int strain_count = 6 * points;
  template <class T>
  static void strains(const Data<T>& data, const Options&, const T* x, T* e) {
    for (int g = 0; g < points; ++g) {
      const Strain<T> at = strain(Section<T>(x, shape(Rule::x[g]), data.inv_J[g]));
      for (int s = 0; s < 6; ++s) e[6 * g + s] = at.e[s] - data.reference[g].e[s];
    }
  }
  template <class T>
  static void set_free(Data<T>& data, const Options&, const T& factor, const T* shift) {
    const T inverse = T(1.0) / max(factor, T(1e-100));  // C θ stays
    for (int s = 0; s < 6; ++s) {
      for (int g = 0; g < points; ++g) {
        data.stiffness[g][s] *= factor;
        data.reference[g].e[s] += shift[6 * g + s];
      }
      data.C[s] *= factor;
      data.retardation[s] *= inverse;
    }
  }

  /// Stress resultants along and about d₁, d₂, d₃ at ξ: of the polynomial through the Gauss points, where the strains are
  /// most accurate. Without damping. `curvature` and `moment`: size of the bending; `stretch_force`
  /// as cables have it, which bend by another measure: the axial force.
  static constexpr std::string_view probes[] = {"axial_force",      "curvature",        "moment",
                                                "shear_force_1",    "shear_force_2",    "torque",
                                                "bending_moment_1", "bending_moment_2", "stretch_force"};
  template <class T>
  static void probe(const Data<T>& data, const Options&, const T* x, double xi, T* out) {
    T e[6], e0[6];
    for (T& value : e) value = T(0.0);
    for (T& value : e0) value = T(0.0);
    for (int g = 0; g < points; ++g) {
      double weight = 1;
      for (int h = 0; h < points; ++h)
        if (h != g) weight *= (xi - Rule::x[h]) / (Rule::x[g] - Rule::x[h]);
      const Strain<T> at = strain(Section<T>(x, shape(Rule::x[g]), data.inv_J[g]));
      for (int s = 0; s < 6; ++s) {
        e[s] += T(weight) * at.e[s];
        e0[s] += T(weight) * data.reference[g].e[s];
      }
    }
    T S[6];
    for (int s = 0; s < 6; ++s) S[s] = data.C[s] * (e[s] - e0[s]);
    out[0] = S[2];
    out[1] = sqrt(e[3] * e[3] + e[4] * e[4]);
    out[2] = sqrt(S[3] * S[3] + S[4] * S[4]);
    out[3] = S[0];
    out[4] = S[1];
    out[5] = S[5];
    out[6] = S[3];
    out[7] = S[4];
    out[8] = S[2];
  }

  /// Where stiffnesses are `factor` times as large and the stress-free strains are those at the points.
  template <class T>
  static void probe(const Data<T>& data, const Options& o, const T* x, double xi, const T& factor, const T* shift,
                    T* out) {
    Data<T> other = data;
    set_free(other, o, factor, shift);
    probe(other, o, x, xi, out);
  }

  /// Power lost in the Kelvin–Voigt dampers [W].
  template <class T>
  static T dissipation(const Data<T>& data, const Options& o, const Context<T>&, const T* x, const T* v) {
    T sum = T(0.0);
    if (o.damped == Damped::no) return sum;
    for (int g = 0; g < points; ++g) {
      const Shape sh = shape(Rule::x[g]);
      const Section<T> at(x, sh, data.inv_J[g]), moving(v, sh, data.inv_J[g]);
      const Strain<T> rate = strain_rate(at, moving, Gradients<T>(at, Measure<T>(at)), Rates<T>(at, moving));
      for (int s = 0; s < 6; ++s) sum += data.stiffness[g][s] * data.retardation[s] * rate.e[s] * rate.e[s];
    }
    return sum;
  }
};

using DirectorBeam2Kernel = DirectorBeamKernel<2>;
using DirectorBeam3Kernel = DirectorBeamKernel<3>;
using ViscoelasticDirectorBeam3 = Viscoelastic<DirectorBeam3Kernel>;

}  // namespace flexura

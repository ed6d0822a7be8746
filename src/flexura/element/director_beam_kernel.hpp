#pragma once

#include "flexura/element/director_beam.hpp"
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
/// Strains less those of the reference, invariant in rigid motions and quadratic in the coordinates [romero2002, betsch2002]:
///     Γ_i = d_i·r′        Γ₁, Γ₂ shear, Γ₃ stretch
///     K_k = ½ (d_i′·d_j − d_j′·d_i), (i, j, k) cyclic:  bending about d₁ and d₂, torsion about d₃
/// Energy ½ ∫ Σ C_s e_s² dS, C = (GA₁, GA₂, EA, EI₁, EI₂, GJ), with N − 1 Gauss points: no locking.
/// Damping (Kelvin–Voigt): S_s = C_s (e_s + θ_s ė_s), ė zero in rigid motions.
/// Mass: ½ ∫ ρA ṙ² + ρI₂ ḋ₁² + ρI₁ ḋ₂² dS, constant, N Gauss points; ρI_i = ∫ ρ X_j² dA about d_i, as in EI_i.
///
/// With S_a the shape functions and e_j^a = ½ (S_a′ d_j − S_a d_j′) the gradients of the strains are
///     Γ_i:  S_a′ d_i on r_a,  S_a r′ on d_i^a            K_k:  e_j^a on d_i^a,  −e_i^a on d_j^a
/// and ∂²Γ_i = S_a′ S_b (r_a, d_i^b),  ∂²K_k = ½ (S_a′ S_b − S_a S_b′) (d_i^a, d_j^b): multiples of the identity.
/// Over a step, forces −∫ B(x_m)ᵀ ½ (S₀ + S₁) dS conserve energy and momenta exactly.  Units: SI.
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
    Strain<T> strain() const { return bilinear(*this, *this); }
  };
  /// Symmetric bilinear form of the strains: strains for a = b, half their rate for b a velocity.
  template <class T>
  static Strain<T> bilinear(const Section<T>& a, const Section<T>& b) {
    Strain<T> out;
    const T half = T(0.5), quarter = T(0.25);
    for (int i = 0; i < 3; ++i) {
      const int j = (i + 1) % 3, k = (i + 2) % 3;
      out.e[i] = half * (dot(a.d[i], b.dr) + dot(b.d[i], a.dr));
      out.e[3 + k] =
          quarter * ((dot(a.dd[i], b.d[j]) - dot(a.dd[j], b.d[i])) + (dot(b.dd[i], a.d[j]) - dot(b.dd[j], a.d[i])));
    }
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
      data.reference[g] = Section<T>(X, sh, data.inv_J[g]).strain();
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

  /// w J S_s at point g, times `factor`, for strains e and (damped) half rates.
  template <class T>
  static Strain<T> stress(const Data<T>& data, int g, const Strain<T>& e) {
    Strain<T> out;
    for (int s = 0; s < 6; ++s) out.e[s] = data.stiffness[g][s] * (e.e[s] - data.reference[g].e[s]);
    return out;
  }
  template <class T>
  static void add_loss(const Data<T>& data, int g, const Section<T>& x, const Section<T>& v, Strain<T>& stress) {
    const Strain<T> half_rate = bilinear(x, v);
    for (int s = 0; s < 6; ++s)
      stress.e[s] = fma(data.stiffness[g][s] * data.retardation[s], half_rate.e[s] + half_rate.e[s], stress.e[s]);
  }
  /// r −= Bᵀ S
  template <class T>
  [[gnu::always_inline]] static void subtract_force(const Shape& sh, const T& inv_J, const Section<T>& x,
                                                    const Strain<T>& S, T* r) {
    // Conjugate to r′, d_i and d_i′.
    Vec<3, T> on_r = S.e[0] * x.d[0] + S.e[1] * x.d[1] + S.e[2] * x.d[2], on_d[3], on_dd[3];
    for (int i = 0; i < 3; ++i) {
      const int j = (i + 1) % 3, k = (i + 2) % 3;
      const T Mk = T(0.5) * S.e[3 + k], Mj = T(0.5) * S.e[3 + j];
      on_d[i] = S.e[i] * x.dr - Mk * x.dd[j] + Mj * x.dd[k];
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
      Strain<T> S = stress(data, g, at.strain());
      if (o.damped == Damped::yes) add_loss(data, g, at, Section<T>(v, sh, data.inv_J[g]), S);
      subtract_force(sh, data.inv_J[g], at, S, r);
    });
  }

  /// Elastic forces over a step from x0 to x1: B(x_m)(x₁ − x₀) = e₁ − e₀ exactly.
  template <class T>
  static void discrete_gradient(const Data<T>& data, const Options&, const Context<T>&, const T* x0, const T* x1,
                                T* r) {
    T middle[n];
    for (int i = 0; i < n; ++i) middle[i] = T(0.5) * (x0[i] + x1[i]), r[i] = T(0.0);
    for (int g = 0; g < points; ++g) {
      const Shape sh = shape(Rule::x[g]);
      const T inv_J = data.inv_J[g];
      const Strain<T> e0 = Section<T>(x0, sh, inv_J).strain(), e1 = Section<T>(x1, sh, inv_J).strain();
      Strain<T> mean;
      for (int s = 0; s < 6; ++s) mean.e[s] = T(0.5) * (e0.e[s] + e1.e[s]);
      subtract_force(sh, inv_J, Section<T>(middle, sh, inv_J), stress(data, g, mean), r);
    }
  }

  /// Gradients of the strains at a point of node a: S_a′ d_i, S_a r′ and e_i^a.
  template <class T>
  struct Gradient {
    Vec<3, T> on_r[3], along, e[3];
    [[gnu::always_inline]] Gradient(const Section<T>& x, const T& f, const T& df) {
      along = f * x.dr;
      for (int i = 0; i < 3; ++i) {
        on_r[i] = df * x.d[i];
        e[i] = T(0.5) * (on_r[i] - f * x.dd[i]);
      }
    }
  };
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
  static void tangent(const Data<T>& data, const Options& o, const Context<T>&, const T* x, const T* v, double cd,
                      T* K) {
    if (o.damped == Damped::yes) {
      tangent_of<true>(data, x, v, cd, K);
    } else {
      tangent_of<false>(data, x, x, cd, K);
    }
  }
  /// Σ_s C_s b_s ((1 + c_d θ) b_s + θ b_s(v))ᵀ + S_s ∂²e_s: the rate of a strain is B(x) v = B(v) x.
  template <bool damped, class T>
  static void tangent_of(const Data<T>& data, const T* x, const T* v, double cd, T* K) {
    for (int i = 0; i < n * n; ++i) K[i] = T(0.0);
    for_each_index<points>([&](auto g) __attribute__((always_inline)) {
      constexpr Shape sh = shape(Rule::x[g]);
      const T inv_J = data.inv_J[g];
      const Section<T> at(x, sh, inv_J);
      Strain<T> S = stress(data, g, at.strain());
      const T* C = data.stiffness[g];
      T now[6], past[6];
      Section<T> moving = at;
      if constexpr (damped) {
        moving = Section<T>(v, sh, inv_J);
        add_loss(data, g, at, moving, S);
        for (int s = 0; s < 6; ++s) {
          past[s] = C[s] * data.retardation[s];
          now[s] = fma(T(cd), past[s], C[s]);
        }
      }
      for (int a = 0; a < N; ++a) {
        const Gradient<T> left(at, T(sh.f[a]), T(sh.df[a]) * inv_J);
        for (int b = 0; b < (damped ? N : a + 1); ++b) {
          const T fb = T(sh.f[b]), dfb = T(sh.df[b]) * inv_J;
          T* block = K + 12 * a * n + 12 * b;
          if constexpr (damped) {
            const Gradient<T> right(at, fb, dfb), rate(moving, fb, dfb);
            add_material(left, right, now, block);
            add_material(left, rate, past, block);
          } else {
            add_material(left, Gradient<T>(at, fb, dfb), C, block);
          }
          add_geometric(S, T(sh.f[a]), T(sh.df[a]) * inv_J, fb, dfb, block);
        }
      }
    });
  }
  template <class T>
  [[gnu::always_inline]] static void add_material(const Gradient<T>& a, const Gradient<T>& b, const T* C, T* K) {
    for_each_index<3>([&](auto index) __attribute__((always_inline)) {
      constexpr int i = index, j = (i + 1) % 3, k = (i + 2) % 3;
      constexpr int di = 3 * (i + 1), dj = 3 * (j + 1);
      // Γ_i on (r, d_i), K_k on (d_i, d_j)
      const Vec<3, T> pull = C[i] * a.on_r[i], turn = C[i] * a.along;
      add_outer(K, pull, b.on_r[i]);
      add_outer(K + di, pull, b.along);
      add_outer(K + di * n, turn, b.on_r[i]);
      add_outer(K + di * n + di, turn, b.along);
      const Vec<3, T> first = C[3 + k] * a.e[j], second = -C[3 + k] * a.e[i];
      add_outer(K + di * n + di, first, b.e[j]);
      add_outer(K + dj * n + dj, -second, b.e[i]);
      add_outer(K + di * n + dj, -first, b.e[i]);
      add_outer(K + dj * n + di, second, b.e[j]);
    });
  }
  template <class T>
  [[gnu::always_inline]] static void add_geometric(const Strain<T>& S, const T& fa, const T& dfa, const T& fb,
                                                   const T& dfb, T* K) {
    const T rd = dfa * fb, dr = fa * dfb, turn = T(0.5) * (rd - dr);
    for_each_index<3>([&](auto index) __attribute__((always_inline)) {
      constexpr int i = index, j = (i + 1) % 3, k = (i + 2) % 3;
      constexpr int di = 3 * (i + 1), dj = 3 * (j + 1);
      add_identity(K + di, S.e[i] * rd);
      add_identity(K + di * n, S.e[i] * dr);
      add_identity(K + di * n + dj, S.e[3 + k] * turn);
      add_identity(K + dj * n + di, -S.e[3 + k] * turn);
    });
  }

  template <class T>
  static T energy(const Data<T>& data, const Options&, const Context<T>&, const T* x) {
    T sum = T(0.0);
    for (int g = 0; g < points; ++g) {
      const Strain<T> e = Section<T>(x, shape(Rule::x[g]), data.inv_J[g]).strain();
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
      const Strain<T> at = Section<T>(x, shape(Rule::x[g]), data.inv_J[g]).strain();
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
      const Strain<T> at = Section<T>(x, shape(Rule::x[g]), data.inv_J[g]).strain();
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
      const Strain<T> half = bilinear(Section<T>(x, sh, data.inv_J[g]), Section<T>(v, sh, data.inv_J[g]));
      for (int s = 0; s < 6; ++s) sum += T(4.0) * data.stiffness[g][s] * data.retardation[s] * half.e[s] * half.e[s];
    }
    return sum;
  }
};

using DirectorBeam2Kernel = DirectorBeamKernel<2>;
using DirectorBeam3Kernel = DirectorBeamKernel<3>;
using ViscoelasticDirectorBeam3 = Viscoelastic<DirectorBeam3Kernel>;

}  // namespace flexura

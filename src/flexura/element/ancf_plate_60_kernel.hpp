#pragma once

#include "flexura/element/full_plate_probe.hpp"
#include "flexura/element/plate_ties.hpp"

namespace flexura {

/// Full plate with r_zz: four nodes × (r, r_x, r_y, r_z, r_zz), 60 coordinates; r = m + ζ n + ½ ζ² w (full_plate.hpp).
///
/// With w the thickness changes linearly in ζ, as bending asks it to, and a wide plate bends with E/(1 − ν²) of any law.
/// Points: 3 × 3 on the surface, two in ζ. Strains are those of g_ξ = m_ξ + ζ n_ξ + ½ ζ² w_ξ, g_η, g_ζ = n + ζ w, but for
/// three parts that are tied to where they can vanish (plate_ties.hpp):
///     C_ξζ = g_ξ·g_ζ + (γ̃_ξ − m_ξ·n),  C_ηζ = g_η·g_ζ + (γ̃_η − m_η·n),  C_ζζ = g_ζ·g_ζ + (λ̃ − n·n)
/// less the same of the reference, which is free of stress.
///
/// Energy: ∫ W(C) dV + U. mixed: U = k/2 Σ_a b_a²,  b_a = ∫ φ_a θ dV,  θ = J − 1,  φ: 1, ξ, η, ξη, ζ made orthonormal on the
/// reference: k/2 θ̄² of the projection θ̄, so that nothing locks as k/μ → ∞. Without ξη one plate swells at no energy, with ξζ and
/// ηζ it locks. full: U of every point.
///
/// With rows B_p = ∂ε_p/∂x of the six strains of a point, ε = (C − G)/2, shears twice:
///     r = −Σ w S_p B_p,   K = Σ w D_pq B_p⊗B_q + k Σ_a v_a⊗v_a + Σ w S_p ∂B_p/∂x,   v_a = ∂b_a/∂x
struct AncfPlate60Kernel : AncfPlate60 {
  static constexpr int places = PlateShape::places, layers = 2, points = layers * places, modes = 5;
  static constexpr double zeta[layers] = {Gauss<2>::x[0] - 0.5, Gauss<2>::x[1] - 0.5};
  static constexpr double share(int point) { return PlateShape::weight(point / layers) / layers; }

  template <class T>
  using Frame = PlateFrame<2, T>;
  template <class T>
  struct Data {
    T factor[5];  ///< 1, a, b, t, t²
    ElasticConstants<T> constants;
    PlateMetric<T> metric[points];
    T mode[modes][points];  ///< φ_a w √det G
    T viscosity;
    T bubble[2];         ///< of the ties along ξ and η
    T shift[3][places];  ///< of C_ηζ, C_ξζ, C_ζζ: ties less local value in the reference
    T mass[count * (count + 1) / 2];
    T reference[dofs];  ///< for probes
  };

  // ── Reference ────────────────────────────────────────────────────────────────────────────────────────────────────
  template <class T>
  static Data<T> prepare(const Params<T>& p, const Options& o, const T* X) {
    Data<T> data;
    data.factor[0] = T(1.0), data.factor[1] = p.length, data.factor[2] = p.width, data.factor[3] = p.thickness;
    data.factor[4] = p.thickness * p.thickness;
    data.constants = split_constants(o.law, p.constants, p.bulk);
    data.viscosity = p.viscosity;
    T e[dofs];
    scale_plate<2>(data.factor, X, e);
    for (int s = 0; s < places; ++s) {
      const Frame<T> frame(plate_surface[s], e);
      for (int l = 0; l < layers; ++l) {
        Vec<3, T> g[3];
        frame.at(zeta[l], g);
        data.metric[layers * s + l] = PlateMetric<T>(g, share(layers * s + l));
      }
    }
    prepare_modes(data);
    PlateTies<T>::prepare_bubble(e, data.bubble);
    const PlateTies<T> ties(e, data.bubble);
    for (int s = 0; s < places; ++s) ties.shift(s, Frame<T>(plate_surface[s], e), data.shift, s);
    plate_mass<2>(p.rho, data.factor, e, data.mass);
    for (int i = 0; i < dofs; ++i) data.reference[i] = e[i];
    return data;
  }
  /// Gram–Schmidt, twice, in place. (Of arrays of its own g++ 12 lost what it made of duals in lanes: all modes were 0.)
  template <class T>
  [[gnu::noinline]] static void prepare_modes(Data<T>& data) {
    for (int k = 0; k < points; ++k) {
      const double x = PlateShape::Line::x[k / layers % 3] - 0.5, y = PlateShape::Line::x[k / layers / 3] - 0.5;
      const double all[modes] = {1, x, y, x * y, zeta[k % layers]};
      for (int a = 0; a < modes; ++a) data.mode[a][k] = T(all[a]);
    }
    const auto product = [&](const T(&f)[points], const T(&g)[points]) {
      T sum(0.0);
      for (int k = 0; k < points; ++k) sum = fma(data.metric[k].weight * f[k], g[k], sum);
      return sum;
    };
    for (int a = 0; a < modes; ++a) {
      T(&phi)[points] = data.mode[a];
      for (int again = 0; again < 2; ++again)
        for (int b = 0; b < a; ++b) {
          const T c = product(phi, data.mode[b]);
          for (int k = 0; k < points; ++k) phi[k] -= c * data.mode[b][k];
        }
      const T size = sqrt(product(phi, phi));
      for (T& f : phi) f = f / size;
    }
    for (int a = 0; a < modes; ++a)
      for (int k = 0; k < points; ++k) data.mode[a][k] = data.metric[k].weight * data.mode[a][k];
  }
  /// grow(metric, ζ): changes the reference of every point.
  template <class T>
  static void grow_reference(Data<T>& data, auto&& grow) {
    for (int k = 0; k < points; ++k) grow(data.metric[k], zeta[k % layers]);
    prepare_modes(data);
  }
  template <class T>
  static void mass(const Data<T>& data, T* m) {
    for (int i = 0; i < count; ++i)
      for (int j = 0; j < count; ++j) m[i * count + j] = data.mass[triangle(i, j)];
  }

  // ── Strains ──────────────────────────────────────────────────────────────────────────────────────────────────────
  /// What strains are quadratic in; of x or of v.
  template <class T>
  struct Places {
    T e[dofs];
    Frame<T> frame[places];
    PlateTies<T> ties;

    Places(const Data<T>& data, const T* x) {
      scale_plate<2>(data.factor, x, e);
      ties = PlateTies<T>(e, data.bubble);
      for (int s = 0; s < places; ++s) frame[s] = Frame<T>(plate_surface[s], e);
    }
  };
  /// All points of a configuration.
  template <class T>
  struct Strains : Places<T> {
    using Places<T>::frame, Places<T>::ties;
    T C[points][6];
    T pressure[points];  ///< k θ, or of its projection
    T energy;            ///< of U

    [[gnu::noinline]] Strains(const Data<T>& data, const Options& o, const T* x) : Places<T>(data, x) {
      for (int s = 0; s < places; ++s) {
        T shift[3][1];
        ties.shift(s, frame[s], shift, 0);
        for (int l = 0; l < layers; ++l) {
          Vec<3, T> g[3];
          frame[s].at(zeta[l], g);
          T(&c)[6] = C[layers * s + l];
          for (int p = 0; p < 6; ++p) c[p] = dot(g[voigt_first[p]], g[voigt_second[p]]);
          for (int p = 2; p < 5; ++p) c[p] += shift[p - 2][0] - data.shift[p - 2][s];
        }
      }
      T b[modes];
      for (T& sum : b) sum = T(0.0);
      energy = T(0.0);
      for (int k = 0; k < points; ++k) {
        const T theta = PlateVolume<T>(o.law, data.metric[k], C[k]).value;
        pressure[k] = data.constants.bulk * theta;
        for (int a = 0; a < modes; ++a) b[a] = fma(data.mode[a][k], theta, b[a]);
        if (o.volume == Volume::full) energy = fma(T(0.5) * data.metric[k].weight * pressure[k], theta, energy);
      }
      if (o.volume == Volume::reduced) {
        for (const T& part : b) energy = fma(T(0.5) * data.constants.bulk * part, part, energy);
        for (int k = 0; k < points; ++k) {
          T sum = data.mode[0][k] * b[0];
          for (int a = 1; a < modes; ++a) sum = fma(data.mode[a][k], b[a], sum);
          pressure[k] = data.constants.bulk * sum / data.metric[k].weight;
        }
      }
    }
  };
  template <class T>
  static PlateLaw<T> law_of(const Data<T>& data, const Options& o) {
    return {{o.choice(), data.constants}};
  }
  template <class T>
  static T energy(const Data<T>& data, const Options& o, const Context<T>&, const T* x) {
    const Strains<T> now(data, o, x);
    const PlateLaw<T> law = law_of(data, o);
    T sum = now.energy;
    for (int k = 0; k < points; ++k) sum = fma(data.metric[k].weight, law.energy(data.metric[k], k, now.C[k]), sum);
    return sum;
  }
  /// What composite_plate.hpp asks: the energy of U, and C of a point in Cartesian axes with the point's weight.
  template <class T>
  struct Points {
    const Data<T>& data;
    Strains<T> now;
    Points(const Data<T>& d, const Options& o, const T* x) : data(d), now(d, o, x) {}
    T volume_energy() const { return now.energy; }
    T operator()(int k, T (&C)[6]) const {
      to_cartesian(data.metric[k].a, now.C[k], C);
      return data.metric[k].weight;
    }
  };

  // ── Probes ───────────────────────────────────────────────────────────────────────────────────────────────────────
  static constexpr auto& probes = FullPlateProbes::names;
  /// mixed: the pressure is bilinear in ξ, η and linear in ζ, known from the points at the corners.
  template <class T>
  static void probe(const Data<T>& data, const Options& o, const T* x, double xi, double eta, T* out) {
    probe_of(law_of(data, o), data, o, x, xi, eta, [](PlateMetric<T>&, double) {}, out);
  }
  /// law: point 0, 1, 2 at the bottom, in the middle, at the top. grow: as of grow_reference, which data has seen.
  template <class Law, class T>
  static void probe_of(const PlateLaw<T, Law>& law, const Data<T>& data, const Options& o, const T* x, double xi,
                       double eta, auto&& grow, T* out) {
    const Strains<T> now(data, o, x);
    const PlateShape::Values v = PlateShape::at(xi, eta);
    constexpr double first = PlateShape::Line::x[0], width = 1 - 2 * first;
    const double u = (xi - first) / width, w = (eta - first) / width;
    const double weight[4] = {(1 - u) * (1 - w), u * (1 - w), (1 - u) * w, u * w};
    T middle(0.0), slope(0.0);
    for (int c = 0; c < 4; ++c) {
      const T* at = now.pressure + layers * (c % 2 * 2 + c / 2 * 6);
      middle = fma(T(0.5 * weight[c]), at[0] + at[1], middle);
      slope = fma(T(weight[c] / (zeta[1] - zeta[0])), at[1] - at[0], slope);
    }
    probe_full_plate<2>(
        law, Frame<T>(v, data.reference), Frame<T>(v, now.e),
        [&](int level, const T& theta) {
          return o.volume == Volume::full ? data.constants.bulk * theta : fma(T(0.5 * (level - 1)), slope, middle);
        },
        grow, out);
  }

  // ── Force ────────────────────────────────────────────────────────────────────────────────────────────────────────
  /// Rows of the strains over the coordinates, at both layers of a place.
  template <class T>
  struct Rows {
    T b[layers][6][dofs];

    [[gnu::noinline]] Rows(const Places<T>& now, int s) {
      const PlateShape::Values& v = plate_surface[s];
      const Frame<T>& frame = now.frame[s];
      T tied[3][dofs];
      now.ties.rows(s, tied);
      for (int l = 0; l < layers; ++l) {
        Vec<3, T> g[3];
        frame.at(zeta[l], g);
        for (int f = 0; f < count; ++f) {
          T c[3];
          plate_gradients<2>(v, f, zeta[l], c);
          for (int i = 0; i < 3; ++i) {
            const int at = 3 * f + i;
            b[l][0][at] = c[0] * g[0][i];
            b[l][1][at] = c[1] * g[1][i];
            b[l][2][at] = fma(c[2], g[2][i], tied[0][at]);
            b[l][3][at] = fma(c[1], g[2][i], fma(c[2], g[1][i], tied[1][at]));
            b[l][4][at] = fma(c[0], g[2][i], fma(c[2], g[0][i], tied[2][at]));
            b[l][5][at] = fma(c[0], g[1][i], c[1] * g[0][i]);
          }
        }
        for (int f = 0; f < count; ++f) subtract_local(v, f, frame, b[l]);
      }
    }
    /// n·n, m_η·n, m_ξ·n of the place.
    static void subtract_local(const PlateShape::Values& v, int f, const Frame<T>& frame, T (&row)[6][dofs]) {
      const int node = f / functions, k = f % functions;
      if (k > 3) return;
      for (int i = 0; i < 3; ++i) {
        const int at = 3 * f + i;
        if (k == 3) {
          const T L(v.f[node][3]);
          row[2][at] = fma(-L, frame.h[2][i], row[2][at]);
          row[3][at] = fma(-L, frame.h[1][i], row[3][at]);
          row[4][at] = fma(-L, frame.h[0][i], row[4][at]);
        } else {
          row[3][at] = fma(T(-v.dy[node][k]), frame.h[2][i], row[3][at]);
          row[4][at] = fma(T(-v.dx[node][k]), frame.h[2][i], row[4][at]);
        }
      }
    }
  };
  template <class T>
  static void residual(const Data<T>& data, const Options& o, const Context<T>&, const T* x, const T* v, T* r) {
    force_of(law_of(data, o), data, o, x, v, r);
  }
  template <class Law, class T>
  static void force_of(const PlateLaw<T, Law>& law, const Data<T>& data, const Options& o, const T* x, const T* v,
                       T* r) {
    const Strains<T> now(data, o, x);
    T sum[dofs], ev[dofs];
    for (T& f : sum) f = T(0.0);
    if (o.damped == Damped::yes) scale_plate<2>(data.factor, v, ev);
    for (int s = 0; s < places; ++s) {
      const Rows<T> rows(now, s);
      for (int l = 0; l < layers; ++l) {
        const int k = layers * s + l;
        T S[6];
        law.stress(data.metric[k], k, now.C[k], S);
        PlateVolume<T>(o.law, data.metric[k], now.C[k]).add_stress(now.pressure[k], S);
        if (o.damped == Damped::yes) add_viscous(data, k, rows.b[l], ev, S);
        for (int p = 0; p < 6; ++p) {
          const T w = -(data.metric[k].weight * S[p]);
          for (int i = 0; i < dofs; ++i) sum[i] = fma(w, rows.b[l][p][i], sum[i]);
        }
      }
    }
    for (int i = 0; i < dofs; ++i) r[i] = data.factor[i / 3 % functions] * sum[i];
  }
  /// ε̇ = B ė
  template <class T>
  static void strain_rate(const T (&b)[6][dofs], const T* ev, T (&rate)[6]) {
    for (int p = 0; p < 6; ++p) {
      rate[p] = b[p][0] * ev[0];
      for (int i = 1; i < dofs; ++i) rate[p] = fma(b[p][i], ev[i], rate[p]);
    }
  }
  template <class T>
  static void add_viscous(const Data<T>& data, int k, const T (&b)[6][dofs], const T* ev, T (&S)[6]) {
    T rate[6];
    strain_rate(b, ev, rate);
    add_viscous_stress(data.metric[k], data.viscosity, rate, S);
  }
  /// ∫ 2 η Ė:Ė dV
  template <class T>
  static T dissipation(const Data<T>& data, const Options& o, const Context<T>&, const T* x, const T* v) {
    if (o.damped == Damped::no) return T(0.0);
    const Places<T> now(data, x);
    T ev[dofs], sum(0.0);
    scale_plate<2>(data.factor, v, ev);
    for (int s = 0; s < places; ++s) {
      const Rows<T> rows(now, s);
      for (int l = 0; l < layers; ++l) {
        const PlateMetric<T>& metric = data.metric[layers * s + l];
        T rate[6];
        strain_rate(rows.b[l], ev, rate);
        sum = fma(metric.weight, viscous_power(metric, rate), sum);
      }
    }
    return data.viscosity * sum;
  }

  // ── Tangent ──────────────────────────────────────────────────────────────────────────────────────────────────────
  template <class T>
  static void tangent(const Data<T>& data, const Options& o, const Context<T>&, const T* x, const T* v, double cd,
                      T* K) {
    tangent_of(law_of(data, o), data, o, x, v, cd, K);
  }
  template <class Law, class T>
  static void tangent_of(const PlateLaw<T, Law>& law, const Data<T>& data, const Options& o, const T* x, const T* v,
                         double cd, T* K) {
    const Strains<T> now(data, o, x);
    T ev[dofs];
    if (o.damped == Damped::yes) scale_plate<2>(data.factor, v, ev);
    T volume[modes][dofs], stress[count][count];  // v_a and Σ w S_p ∂B_p/∂x, a number for each pair of functions
    T tension[3][places];                         // of the ties: Σ w S^ηζ, S^ξζ, S^ζζ
    for (auto& row : volume)
      for (T& v : row) v = T(0.0);
    for (auto& row : stress)
      for (T& v : row) v = T(0.0);
    for (int i = 0; i < dofs * dofs; ++i) K[i] = T(0.0);
    for (int s = 0; s < places; ++s) {
      const Rows<T> rows(now, s);
      T lines[layers * 6][dofs];
      for (auto& row : tension) row[s] = T(0.0);
      for (int l = 0; l < layers; ++l) {
        const int k = layers * s + l;
        const PlateMetric<T>& metric = data.metric[k];
        const PlateVolume<T> theta(o.law, metric, now.C[k]);
        T S[6], D[21];
        law.stiffness(metric, k, now.C[k], S, D);
        theta.add_stress(now.pressure[k], S);
        theta.add_stiffness(now.pressure[k], o.volume == Volume::full ? data.constants.bulk : T(0.0), D);
        if (o.damped == Damped::yes) add_viscous(data, k, rows.b[l], ev, S);
        for (T& d : D) d = metric.weight * d;
        for (T& stress_of : S) stress_of = metric.weight * stress_of;
        for (int c = 0; c < 3; ++c) tension[c][s] += S[c == 0 ? 2 : c + 2];
        for (int p = 0; p < 6; ++p)
          for (int i = 0; i < dofs; ++i) {
            T sum = D[triangle(p, 0)] * rows.b[l][0][i];
            for (int q = 1; q < 6; ++q) sum = fma(D[triangle(p, q)], rows.b[l][q][i], sum);
            lines[6 * l + p][i] = sum;
          }
        for (int a = 0; a < modes; ++a)
          for (int p = 0; p < 6; ++p) {
            const T c = data.mode[a][k] * theta.first[p];
            for (int i = 0; i < dofs; ++i) volume[a][i] = fma(c, rows.b[l][p][i], volume[a][i]);
          }
        add_stress(plate_surface[s], zeta[l], S, stress);
      }
      for (int l = 0; l < layers; ++l) add_products<6>(rows.b[l], lines + 6 * l, K);
    }
    if (o.volume == Volume::reduced) {
      T lines[modes][dofs];
      for (int a = 0; a < modes; ++a)
        for (int i = 0; i < dofs; ++i) lines[a][i] = data.constants.bulk * volume[a][i];
      add_products<modes>(volume, lines, K);
    }
    now.ties.add_stress(tension, stress);
    for (int i = 0; i < count; ++i)
      for (int j = 0; j <= i; ++j)
        for (int c = 0; c < 3; ++c) K[(3 * i + c) * dofs + 3 * j + c] += stress[i][j];
    if (o.damped == Damped::yes) add_damping(data, now, v, cd, K);
    for (int i = 0; i < dofs; ++i)
      for (int j = 0; j < (o.damped == Damped::yes ? dofs : i + 1); ++j)
        K[i * dofs + j] = data.factor[i / 3 % functions] * data.factor[j / 3 % functions] * K[i * dofs + j];
  }
  template <class T>
  [[gnu::noinline]] static void add_damping(const Data<T>& data, const Places<T>& now, const T* v, double cd, T* K) {
    const Places<T> moving(data, v);
    mirror<dofs>(K);
    for (int s = 0; s < places; ++s) {
      const Rows<T> rows(now, s), rates(moving, s);
      for (int l = 0; l < layers; ++l) {
        const PlateMetric<T>& metric = data.metric[layers * s + l];
        T M[21];
        viscous_stiffness(metric, metric.weight * data.viscosity, M);
        add_viscous_tangent<dofs>(M, rows.b[l], rates.b[l], cd, K);
      }
    }
  }
  /// K += Σ left_r ⊗ right_r, lower half and the block of two on the diagonal: two rows at a time, so that what is read is used twice.
  template <int many, class T>
  [[gnu::noinline]] static void add_products(const T (*left)[dofs], const T (*right)[dofs], T* K) {
    for (int i = 0; i < dofs; i += 2) {
      T first[many], second[many];
      for (int r = 0; r < many; ++r) first[r] = left[r][i], second[r] = left[r][i + 1];
      T *const upper = K + i * dofs, *const lower = upper + dofs;
      for (int j = 0; j < i + 2; ++j) {
        T a = upper[j], b = lower[j];
        for (int r = 0; r < many; ++r) {
          a = fma(first[r], right[r][j], a);
          b = fma(second[r], right[r][j], b);
        }
        upper[j] = a, lower[j] = b;
      }
    }
  }
  /// S^αβ c_iα c_jβ of all pairs of functions.
  template <class T>
  [[gnu::noinline]] static void add_stress(const PlateShape::Values& v, double zeta, const T (&S)[6],
                                           T (&stress)[count][count]) {
    for (int i = 0; i < count; ++i) {
      T c[3], line[3];
      plate_gradients<2>(v, i, zeta, c);
      for (int a = 0; a < 3; ++a) line[a] = fma(S[voigt[a][0]], c[0], fma(S[voigt[a][1]], c[1], S[voigt[a][2]] * c[2]));
      for (int j = 0; j <= i; ++j) {
        plate_gradients<2>(v, j, zeta, c);
        stress[i][j] = fma(line[0], c[0], fma(line[1], c[1], fma(line[2], c[2], stress[i][j])));
      }
    }
  }

  /// Between two configurations, for methods that conserve energy and momenta: ancf_plate_60_step.hpp.
  template <class T>
  static void discrete_gradient(const Data<T>& data, const Options& o, const Context<T>&, const T* x0, const T* x1,
                                T* r);
};

}  // namespace flexura

#include "flexura/element/ancf_plate_60_step.hpp"  // IWYU pragma: keep

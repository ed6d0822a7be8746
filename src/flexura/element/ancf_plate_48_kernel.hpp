#pragma once

#include "flexura/element/full_plate_probe.hpp"

namespace flexura {

/// Full plate of the paper: four nodes × (r, r_x, r_y, r_z), 48 coordinates; r = m + ζ n (full_plate.hpp) [xing2022 eqs 1–6].
///
/// Energy at 3 × 3 Gauss points of the surface and two in ζ, ψ = W(C) + k/2 θ², by one of two rules:
///     full:        all of ψ; the thickness cannot change linearly in ζ, as bending asks it to, and k → ∞ locks
///     selective:   W there, k/2 θ² at ζ = 0 only [xing2022 eq 25]. A change of volume in bending then costs nothing: a wide plate
///                  bends with 4μ/3 in place of E/(1 − ν²), three times too softly for rubber
///
/// With g_ξ = m_ξ + ζ n_ξ, g_η = m_η + ζ n_η, g_ζ = n the Hessian of a point is A_αβ = S^αβ I + D^αγβδ g_γ g_δᵀ. All points
/// over one place of the surface add up to a Hessian of (m_ξ, m_η | n, n_ξ, n_η), which is then contracted once:
///     K_ij = Σ_surface Σ_αβ c_iα Â_αβ c_jβ,   c_i = (N_ξ, N_η) of m's functions, (L, L_ξ, L_η) of n's
struct AncfPlate48Kernel : AncfPlate48 {
  static constexpr int places = PlateShape::places;
  static constexpr const auto& surface = plate_surface;
  /// Points of a rule over ζ lie behind one another: point k is over place k / layers at zeta[k % layers].
  static constexpr double zeta2[2] = {Gauss<2>::x[0] - 0.5, Gauss<2>::x[1] - 0.5}, zeta1[1] = {0};
  template <class T>
  using Frame = PlateFrame<1, T>;

  // ── Per-item data ────────────────────────────────────────────────────────────────────────────────────────────────
  template <class T>
  struct Data {
    T factor[5];  ///< 1, a, b, t: of r, r_x, r_y, r_z
    ElasticConstants<T> constants;
    PlateMetric<T> two[2 * places], one[places];
    T mass[count * (count + 1) / 2];
    T reference[dofs];  ///< for probes
  };
  template <class T>
  static Data<T> prepare(const Params<T>& p, const Options& o, const T* X) {
    Data<T> data;
    data.factor[0] = T(1.0), data.factor[1] = p.length, data.factor[2] = p.width, data.factor[3] = p.thickness;
    data.factor[4] = T(0.0);
    data.constants = split_constants(o.law, p.constants, p.bulk);
    T e[dofs];
    scale_plate<1>(data.factor, X, e);
    for (int s = 0; s < places; ++s) {
      const Frame<T> frame(surface[s], e);
      Vec<3, T> g[3];
      for (int l = 0; l < 2; ++l) {
        frame.at(zeta2[l], g);
        data.two[2 * s + l] = PlateMetric<T>(g, PlateShape::weight(s) / 2);
      }
      frame.at(0, g);
      data.one[s] = PlateMetric<T>(g, PlateShape::weight(s));
    }
    plate_mass<1>(p.rho, data.factor, e, data.mass);
    for (int i = 0; i < dofs; ++i) data.reference[i] = e[i];
    return data;
  }
  template <class T>
  static void mass(const Data<T>& data, T* m) {
    for (int i = 0; i < count; ++i)
      for (int j = 0; j < count; ++j) m[i * count + j] = data.mass[triangle(i, j)];
  }

  /// What is taken of ψ at the points of a rule.
  struct Parts {
    bool shape, volume;
  };
  static Parts in_layers(const Options& o) { return {true, o.volume == Volume::full}; }
  static Parts in_middle(const Options& o) { return {false, o.volume == Volume::reduced}; }

  /// Energy, and S and D where asked for, of a point; with its weight.
  template <class T>
  struct Point {
    const PlateLaw<T> law;
    const Parts parts;

    T energy(const PlateMetric<T>& m, const T (&C)[6]) const {
      T psi(0.0);
      if (parts.shape) psi = law.energy(m, C);
      if (parts.volume) {
        const T theta = PlateVolume<T>(law.choice.law, m, C).value;
        psi = fma(T(0.5) * law.constants.bulk * theta, theta, psi);
      }
      return m.weight * psi;
    }
    void stress(const PlateMetric<T>& m, const T (&C)[6], T (&S)[6]) const {
      for (T& s : S) s = T(0.0);
      if (parts.shape) law.stress(m, C, S);
      if (parts.volume) {
        const PlateVolume<T> theta(law.choice.law, m, C);
        theta.add_stress(law.constants.bulk * theta.value, S);
      }
      for (T& s : S) s = m.weight * s;
    }
    void stiffness(const PlateMetric<T>& m, const T (&C)[6], T (&S)[6], T (&D)[21]) const {
      for (T& s : S) s = T(0.0);
      for (T& d : D) d = T(0.0);
      if (parts.shape) law.stiffness(m, C, S, D);
      if (parts.volume) {
        const PlateVolume<T> theta(law.choice.law, m, C);
        theta.add_stress(law.constants.bulk * theta.value, S);
        theta.add_stiffness(law.constants.bulk * theta.value, law.constants.bulk, D);
      }
      for (T& s : S) s = m.weight * s;
      for (T& d : D) d = m.weight * d;
    }
  };
  template <class T>
  static void metric_of(const Vec<3, T> (&g)[3], T (&C)[6]) {
    for (int p = 0; p < 6; ++p) C[p] = dot(g[voigt_first[p]], g[voigt_second[p]]);
  }
  /// All places; e: scaled coordinates.
  template <class T>
  struct Frames {
    Frame<T> at[places];
    explicit Frames(const Data<T>& data, const T* x) {
      T e[dofs];
      scale_plate<1>(data.factor, x, e);
      for (int s = 0; s < places; ++s) at[s] = Frame<T>(surface[s], e);
    }
  };

  // ── Energy and force ─────────────────────────────────────────────────────────────────────────────────────────────
  template <class T>
  static T energy(const Data<T>& data, const Options& o, const Context<T>&, const T* x) {
    const Frames<T> frames(data, x);
    const PlateLaw<T> law{o.choice(), data.constants};
    T sum = energy_of(data.two, 2, zeta2, Point<T>{law, in_layers(o)}, frames.at);
    if (o.volume == Volume::reduced) sum += energy_of(data.one, 1, zeta1, Point<T>{law, in_middle(o)}, frames.at);
    return sum;
  }
  template <class T>
  [[gnu::noinline]] static T energy_of(const PlateMetric<T>* metric, int layers, const double* zeta,
                                       const Point<T>& point, const Frame<T>* frames) {
    T sum(0.0);
    for (int k = 0; k < layers * places; ++k) {
      Vec<3, T> g[3];
      T C[6];
      frames[k / layers].at(zeta[k % layers], g);
      metric_of(g, C);
      sum += point.energy(metric[k], C);
    }
    return sum;
  }

  template <class T>
  static void residual(const Data<T>& data, const Options& o, const Context<T>&, const T* x, const T*, T* r) {
    const Frames<T> frames(data, x);
    const PlateLaw<T> law{o.choice(), data.constants};
    Vec<3, T> force[places][5];
    for (auto& place : force)
      for (Vec<3, T>& f : place) f = {T(0.0), T(0.0), T(0.0)};
    add_force(data.two, 2, zeta2, Point<T>{law, in_layers(o)}, frames.at, force);
    if (o.volume == Volume::reduced) add_force(data.one, 1, zeta1, Point<T>{law, in_middle(o)}, frames.at, force);
    for (int n = 0; n < 4; ++n)
      for (int k = 0; k < 4; ++k) {
        Vec<3, T> sum{T(0.0), T(0.0), T(0.0)};
        for (int s = 0; s < places; ++s)
          for (int i = 0; i < 3; ++i) {
            const Vec<3, T>* f = force[s] + (k < 3 ? 0 : 3);
            sum[i] = fma(T(surface[s].dx[n][k]), f[0][i], fma(T(surface[s].dy[n][k]), f[1][i], sum[i]));
            if (k == 3) sum[i] = fma(T(surface[s].f[n][3]), force[s][2][i], sum[i]);
          }
        (-data.factor[k] * sum).store(r + 12 * n + 3 * k);
      }
  }
  /// ∂U/∂h of each place.
  template <class T>
  [[gnu::noinline]] static void add_force(const PlateMetric<T>* metric, int layers, const double* zeta,
                                          const Point<T>& point, const Frame<T>* frames,
                                          Vec<3, T> (&force)[places][5]) {
    for (int k = 0; k < layers * places; ++k) {
      Vec<3, T> g[3];
      T C[6], S[6];
      frames[k / layers].at(zeta[k % layers], g);
      metric_of(g, C);
      point.stress(metric[k], C, S);
      Vec<3, T>* f = force[k / layers];
      for (int a = 0; a < 3; ++a)
        for (int i = 0; i < 3; ++i) {
          const T P = fma(S[voigt[a][0]], g[0][i], fma(S[voigt[a][1]], g[1][i], S[voigt[a][2]] * g[2][i]));
          f[a][i] += P;
          if (a < 2) f[3 + a][i] = fma(T(zeta[k % layers]), P, f[3 + a][i]);
        }
    }
  }

  // ── Probes ───────────────────────────────────────────────────────────────────────────────────────────────────────
  static constexpr auto& probes = FullPlateProbes::names;
  /// selective: the pressure is that of the middle.
  template <class T>
  static void probe(const Data<T>& data, const Options& o, const T* x, double xi, double eta, T* out) {
    const PlateShape::Values v = PlateShape::at(xi, eta);
    T e[dofs], C[6];
    scale_plate<1>(data.factor, x, e);
    const Frame<T> before(v, data.reference), now(v, e);
    Vec<3, T> G[3], g[3];
    before.at(0, G);
    now.at(0, g);
    metric_of(g, C);
    const T middle = data.constants.bulk * PlateVolume<T>(o.law, PlateMetric<T>(G, 1), C).value;
    probe_full_plate<1>(
        PlateLaw<T>{o.choice(), data.constants}, before, now,
        [&](int, const T& theta) { return o.volume == Volume::full ? data.constants.bulk * theta : middle; }, out);
  }

  // ── Tangent ──────────────────────────────────────────────────────────────────────────────────────────────────────
  /// Moments over ζ of the blocks (ξξ, ηξ, ηη, ζξ, ζη, ζζ) of A at one place: Σ w A, Σ w ζ A, Σ w ζ² A.
  template <class T>
  struct Hessian {
    T a[3][6][9];
  };
  static constexpr int row_of[6] = {0, 1, 1, 2, 2, 2}, column_of[6] = {0, 0, 1, 0, 1, 2};

  template <class T>
  [[gnu::noinline]] static void add_hessian(const PlateMetric<T>* metric, int layers, const double* zeta,
                                            const Point<T>& point, const Frame<T>* frames, Hessian<T>* H) {
    for (int k = 0; k < layers * places; ++k) {
      Vec<3, T> g[3];
      T C[6], S[6], D[21];
      const double z = zeta[k % layers];
      frames[k / layers].at(z, g);
      metric_of(g, C);
      point.stiffness(metric[k], C, S, D);
      T Q[3][6][3];  // Q^α(βδ) = Σ_γ D^αγβδ g_γ
      for (int a = 0; a < 3; ++a)
        for (int q = 0; q < 6; ++q) {
          const T d[3] = {D[triangle(voigt[a][0], q)], D[triangle(voigt[a][1], q)], D[triangle(voigt[a][2], q)]};
          for (int i = 0; i < 3; ++i) Q[a][q][i] = fma(d[0], g[0][i], fma(d[1], g[1][i], d[2] * g[2][i]));
        }
      T(&moment)[3][6][9] = H[k / layers].a;
      for (int m = 0; m < 6; ++m) {
        const int a = row_of[m], b = column_of[m];
        for (int i = 0; i < 3; ++i)
          for (int j = 0; j < 3; ++j) {
            const T A = fma(Q[a][voigt[b][0]][i], g[0][j],
                            fma(Q[a][voigt[b][1]][i], g[1][j],
                                fma(Q[a][voigt[b][2]][i], g[2][j], i == j ? S[voigt[a][b]] : T(0.0))));
            moment[0][m][3 * i + j] += A;
            if (layers == 1) continue;  // ζ = 0
            moment[1][m][3 * i + j] = fma(T(z), A, moment[1][m][3 * i + j]);
            moment[2][m][3 * i + j] = fma(T(z * z), A, moment[2][m][3 * i + j]);
          }
      }
    }
  }

  /// B = Σ_k c_k block_k, blocks transposed where `turned`.
  template <int many, class T>
  static void combine(const double (&c)[many], const T* const (&block)[many], const bool (&turned)[many], T* B) {
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        T sum = T(c[0]) * block[0][turned[0] ? 3 * j + i : 3 * i + j];
        for (int k = 1; k < many; ++k) sum = fma(T(c[k]), block[k][turned[k] ? 3 * j + i : 3 * i + j], sum);
        B[3 * i + j] = sum;
      }
  }
  /// K_ij = Σ_places Σ_β B_β c_jβ, scaled.
  template <int many, class T>
  static void contract(const T (*B)[many][9], const double (*c)[many], const T& scale, T* block) {
    for (int i = 0; i < 9; ++i) block[i] = T(0.0);
    for (int s = 0; s < places; ++s)
      for (int k = 0; k < many; ++k)
        for (int i = 0; i < 9; ++i) block[i] = fma(T(c[s][k]), B[s][k][i], block[i]);
    for (int i = 0; i < 9; ++i) block[i] = scale * block[i];
  }
  template <class T>
  static void tangent(const Data<T>& data, const Options& o, const Context<T>&, const T* x, const T*, double, T* K) {
    const Frames<T> frames(data, x);
    const PlateLaw<T> law{o.choice(), data.constants};
    Hessian<T> H[places];
    for (Hessian<T>& h : H)
      for (auto& moment : h.a)
        for (auto& block : moment)
          for (T& a : block) a = T(0.0);
    add_hessian(data.two, 2, zeta2, Point<T>{law, in_layers(o)}, frames.at, H);
    if (o.volume == Volume::reduced) add_hessian(data.one, 1, zeta1, Point<T>{law, in_middle(o)}, frames.at, H);
    enum { xx, yx, yy, zx, zy, zz };
    for (int n = 0; n < 4; ++n) {
      for (int k = 0; k < 3; ++k) {
        T B[places][2][9];
        for (int s = 0; s < places; ++s) {
          const T(&A)[6][9] = H[s].a[0];
          const double(&c)[2] = plate_rows.surface[n][k][s];
          combine<2, T>(c, {A[xx], A[yx]}, {false, false}, B[s][0]);
          combine<2, T>(c, {A[yx], A[yy]}, {true, false}, B[s][1]);
        }
        for (int j = 0; j <= n; ++j)
          for (int l = 0; l < (j == n ? k + 1 : 3); ++l) {
            T block[9];
            contract<2, T>(B, plate_rows.surface[j][l], data.factor[k] * data.factor[l], block);
            put(block, 4 * n + k, 4 * j + l, K);
          }
      }
      T B[places][2][9], C[places][3][9];
      for (int s = 0; s < places; ++s) {
        const T(&A)[3][6][9] = H[s].a;
        const double(&c)[3] = plate_rows.director[n][s];
        combine<3, T>(c, {A[0][zx], A[1][xx], A[1][yx]}, {false, false, false}, B[s][0]);
        combine<3, T>(c, {A[0][zy], A[1][yx], A[1][yy]}, {false, true, false}, B[s][1]);
        combine<3, T>(c, {A[0][zz], A[1][zx], A[1][zy]}, {false, true, true}, C[s][0]);
        combine<3, T>(c, {A[1][zx], A[2][xx], A[2][yx]}, {false, false, false}, C[s][1]);
        combine<3, T>(c, {A[1][zy], A[2][yx], A[2][yy]}, {false, true, false}, C[s][2]);
      }
      for (int j = 0; j < 4; ++j) {
        T block[9];
        for (int l = 0; l < 3; ++l) {
          contract<2, T>(B, plate_rows.surface[j][l], data.factor[3] * data.factor[l], block);
          put(block, 4 * n + 3, 4 * j + l, K);
        }
        if (j > n) continue;
        contract<3, T>(C, plate_rows.director[j], data.factor[3] * data.factor[3], block);
        put(block, 4 * n + 3, 4 * j + 3, K);
      }
    }
  }
  /// Block of functions i and j into the lower half.
  template <class T>
  static void put(const T* block, int i, int j, T* K) {
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b) {
        if (i >= j) {
          K[(3 * i + a) * 48 + 3 * j + b] = block[3 * a + b];
        } else {
          K[(3 * j + b) * 48 + 3 * i + a] = block[3 * a + b];
        }
      }
  }
};

}  // namespace flexura

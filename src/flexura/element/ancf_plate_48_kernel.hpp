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
    T viscosity;
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
    data.viscosity = p.viscosity;
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
  /// grow(metric, ζ): changes the reference of every point.
  template <class T>
  static void grow_reference(Data<T>& data, auto&& grow) {
    for (int k = 0; k < 2 * places; ++k) grow(data.two[k], zeta2[k % 2]);
    for (PlateMetric<T>& metric : data.one) grow(metric, 0);
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
  template <class T, class Law>
  struct Point {
    const PlateLaw<T, Law> law;
    const Parts parts;

    const T& bulk() const { return law.law.constants.bulk; }
    PlateVolume<T> volume(const PlateMetric<T>& m, const T (&C)[6]) const { return {law.law.choice.law, m, C}; }
    T energy(const PlateMetric<T>& m, int k, const T (&C)[6]) const {
      T psi(0.0);
      if (parts.shape) psi = law.energy(m, k, C);
      if (parts.volume) {
        const T theta = volume(m, C).value;
        psi = fma(T(0.5) * bulk() * theta, theta, psi);
      }
      return m.weight * psi;
    }
    void stress(const PlateMetric<T>& m, int k, const T (&C)[6], T (&S)[6]) const {
      for (T& s : S) s = T(0.0);
      if (parts.shape) law.stress(m, k, C, S);
      if (parts.volume) {
        const PlateVolume<T> theta = volume(m, C);
        theta.add_stress(bulk() * theta.value, S);
      }
      for (T& s : S) s = m.weight * s;
    }
    void stiffness(const PlateMetric<T>& m, int k, const T (&C)[6], T (&S)[6], T (&D)[21]) const {
      for (T& s : S) s = T(0.0);
      for (T& d : D) d = T(0.0);
      if (parts.shape) law.stiffness(m, k, C, S, D);
      if (parts.volume) {
        const PlateVolume<T> theta = volume(m, C);
        theta.add_stress(bulk() * theta.value, S);
        theta.add_stiffness(bulk() * theta.value, bulk(), D);
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
  static PlateLaw<T> law_of(const Data<T>& data, const Options& o) {
    return {{o.choice(), data.constants}};
  }
  template <class T>
  static T energy(const Data<T>& data, const Options& o, const Context<T>&, const T* x) {
    return energy_of(law_of(data, o), in_layers(o), data, o, Frames<T>(data, x).at);
  }
  template <class T, class Law>
  static T energy_of(const PlateLaw<T, Law>& law, Parts layers, const Data<T>& data, const Options& o,
                     const Frame<T>* frames) {
    T sum = energy_of(data.two, 2, zeta2, Point<T, Law>{law, layers}, frames);
    if (o.volume == Volume::reduced) sum += energy_of(data.one, 1, zeta1, Point<T, Law>{law, in_middle(o)}, frames);
    return sum;
  }
  /// What composite_plate.hpp asks: the energy of U, and C of a point in Cartesian axes with the point's weight.
  static constexpr int points = 2 * places;
  template <class T>
  struct Points {
    const Data<T>& data;
    const Options& o;
    Frames<T> frames;
    Points(const Data<T>& d, const Options& options, const T* x) : data(d), o(options), frames(d, x) {}
    T volume_energy() const {
      return energy_of(law_of(data, o), {false, o.volume == Volume::full}, data, o, frames.at);
    }
    T operator()(int k, T (&C)[6]) const {
      Vec<3, T> g[3];
      T convected[6];
      frames.at[k / 2].at(zeta2[k % 2], g);
      metric_of(g, convected);
      to_cartesian(data.two[k].a, convected, C);
      return data.two[k].weight;
    }
  };
  template <class T, class Law>
  [[gnu::noinline]] static T energy_of(const PlateMetric<T>* metric, int layers, const double* zeta,
                                       const Point<T, Law>& point, const Frame<T>* frames) {
    T sum(0.0);
    for (int k = 0; k < layers * places; ++k) {
      Vec<3, T> g[3];
      T C[6];
      frames[k / layers].at(zeta[k % layers], g);
      metric_of(g, C);
      sum += point.energy(metric[k], k, C);
    }
    return sum;
  }

  template <class T>
  static void residual(const Data<T>& data, const Options& o, const Context<T>&, const T* x, const T* v, T* r) {
    force_of(law_of(data, o), data, o, x, v, r);
  }
  template <class Law, class T>
  static void force_of(const PlateLaw<T, Law>& law, const Data<T>& data, const Options& o, const T* x, const T* v,
                       T* r) {
    const Frames<T> frames(data, x);
    Vec<3, T> force[places][5];
    for (auto& place : force)
      for (Vec<3, T>& f : place) f = {T(0.0), T(0.0), T(0.0)};
    add_force(data.two, 2, zeta2, Point<T, Law>{law, in_layers(o)}, frames.at, force);
    if (o.volume == Volume::reduced) add_force(data.one, 1, zeta1, Point<T, Law>{law, in_middle(o)}, frames.at, force);
    if (o.damped == Damped::yes) add_viscous_force(data, frames.at, Frames<T>(data, v).at, force);
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
  template <class T, class Law>
  [[gnu::noinline]] static void add_force(const PlateMetric<T>* metric, int layers, const double* zeta,
                                          const Point<T, Law>& point, const Frame<T>* frames,
                                          Vec<3, T> (&force)[places][5]) {
    for (int k = 0; k < layers * places; ++k) {
      Vec<3, T> g[3];
      T C[6], S[6];
      frames[k / layers].at(zeta[k % layers], g);
      metric_of(g, C);
      point.stress(metric[k], k, C, S);
      add_pull(S, g, zeta[k % layers], force[k / layers]);
    }
  }
  template <class T>
  static void add_pull(const T (&S)[6], const Vec<3, T> (&g)[3], double zeta, Vec<3, T>* f) {
    for (int a = 0; a < 3; ++a)
      for (int i = 0; i < 3; ++i) {
        const T P = fma(S[voigt[a][0]], g[0][i], fma(S[voigt[a][1]], g[1][i], S[voigt[a][2]] * g[2][i]));
        f[a][i] += P;
        if (a < 2) f[3 + a][i] = fma(T(zeta), P, f[3 + a][i]);
      }
  }

  // ── Viscosity: at the points in layers ───────────────────────────────────────────────────────────────────────────
  /// g and ε̇, shears twice, of point k.
  template <class T>
  struct MovingPoint {
    Vec<3, T> g[3];
    T rate[6];
    MovingPoint(const Frame<T>* frames, const Frame<T>* rates, int k) {
      Vec<3, T> v[3];
      frames[k / 2].at(zeta2[k % 2], g);
      rates[k / 2].at(zeta2[k % 2], v);
      for (int p = 0; p < 6; ++p) {
        const int a = voigt_first[p], b = voigt_second[p];
        rate[p] = p < 3 ? dot(g[a], v[a]) : dot(g[a], v[b]) + dot(g[b], v[a]);
      }
    }
  };
  template <class T>
  [[gnu::noinline]] static void add_viscous_force(const Data<T>& data, const Frame<T>* frames, const Frame<T>* rates,
                                                  Vec<3, T> (&force)[places][5]) {
    for (int k = 0; k < 2 * places; ++k) {
      const MovingPoint<T> at(frames, rates, k);
      T S[6];
      for (T& s : S) s = T(0.0);
      add_viscous_stress(data.two[k], data.two[k].weight * data.viscosity, at.rate, S);
      add_pull(S, at.g, zeta2[k % 2], force[k / 2]);
    }
  }
  /// ∫ 2 η Ė:Ė dV
  template <class T>
  static T dissipation(const Data<T>& data, const Options& o, const Context<T>&, const T* x, const T* v) {
    if (o.damped == Damped::no) return T(0.0);
    const Frames<T> frames(data, x), rates(data, v);
    T sum(0.0);
    for (int k = 0; k < 2 * places; ++k)
      sum = fma(data.two[k].weight, viscous_power(data.two[k], MovingPoint<T>(frames.at, rates.at, k).rate), sum);
    return data.viscosity * sum;
  }
  /// B of point k over scaled coordinates.
  template <class T>
  static void rows(const Frame<T>* frames, int k, T (&b)[6][dofs]) {
    const PlateShape::Values& v = surface[k / 2];
    const double zeta = zeta2[k % 2];
    Vec<3, T> g[3];
    frames[k / 2].at(zeta, g);
    for (int f = 0; f < count; ++f) {
      const int node = f / 4, l = f % 4;
      const double power = l < 3 ? 1 : zeta;
      const T c[3] = {T(power * v.dx[node][l]), T(power * v.dy[node][l]), T(l < 3 ? 0.0 : v.f[node][3])};
      for (int p = 0; p < 6; ++p) {
        const int first = voigt_first[p], second = voigt_second[p];
        for (int i = 0; i < 3; ++i)
          b[p][3 * f + i] = p < 3 ? c[first] * g[first][i] : fma(c[first], g[second][i], c[second] * g[first][i]);
      }
    }
  }
  /// To K, scaled, of which the lower half is there.
  template <class T>
  [[gnu::noinline]] static void add_damping(const Data<T>& data, const Frame<T>* frames, const T* v, double cd, T* K) {
    const Frames<T> rates(data, v);
    T own[dofs * dofs];
    for (T& entry : own) entry = T(0.0);
    for (int k = 0; k < 2 * places; ++k) {
      T x[6][dofs], moving[6][dofs], M[21];
      rows(frames, k, x);
      rows(rates.at, k, moving);
      viscous_stiffness(data.two[k], data.two[k].weight * data.viscosity, M);
      add_viscous_tangent<dofs>(M, x, moving, cd, own);
    }
    mirror<dofs>(K);
    for (int i = 0; i < dofs; ++i)
      for (int j = 0; j < dofs; ++j)
        K[i * dofs + j] = fma(data.factor[i / 3 % 4] * data.factor[j / 3 % 4], own[i * dofs + j], K[i * dofs + j]);
  }

  // ── Probes ───────────────────────────────────────────────────────────────────────────────────────────────────────
  static constexpr auto& probes = FullPlateProbes::names;
  /// selective: the pressure is that of the middle.
  template <class T>
  static void probe(const Data<T>& data, const Options& o, const T* x, double xi, double eta, T* out) {
    probe_of(law_of(data, o), data, o, x, xi, eta, [](PlateMetric<T>&, double) {}, out);
  }
  /// law: point 0, 1, 2 at the bottom, in the middle, at the top. grow: as of grow_reference, which data has seen.
  template <class Law, class T>
  static void probe_of(const PlateLaw<T, Law>& law, const Data<T>& data, const Options& o, const T* x, double xi,
                       double eta, auto&& grow, T* out) {
    const PlateShape::Values v = PlateShape::at(xi, eta);
    T e[dofs], C[6];
    scale_plate<1>(data.factor, x, e);
    const Frame<T> before(v, data.reference), now(v, e);
    Vec<3, T> G[3], g[3];
    before.at(0, G);
    now.at(0, g);
    metric_of(g, C);
    PlateMetric<T> metric(G, 1);
    grow(metric, 0);
    const T middle = data.constants.bulk * PlateVolume<T>(o.law, metric, C).value;
    probe_full_plate<1>(
        law, before, now,
        [&](int, const T& theta) { return o.volume == Volume::full ? data.constants.bulk * theta : middle; }, grow,
        out);
  }

  // ── Tangent ──────────────────────────────────────────────────────────────────────────────────────────────────────
  /// Moments over ζ of the blocks (ξξ, ηξ, ηη, ζξ, ζη, ζζ) of A at one place: Σ w A, Σ w ζ A, Σ w ζ² A.
  template <class T>
  struct Hessian {
    T a[3][6][9];
  };
  static constexpr int row_of[6] = {0, 1, 1, 2, 2, 2}, column_of[6] = {0, 0, 1, 0, 1, 2};

  template <class T, class Law>
  [[gnu::noinline]] static void add_hessian(const PlateMetric<T>* metric, int layers, const double* zeta,
                                            const Point<T, Law>& point, const Frame<T>* frames, Hessian<T>* H) {
    for (int k = 0; k < layers * places; ++k) {
      Vec<3, T> g[3];
      T C[6], S[6], D[21];
      const double z = zeta[k % layers];
      frames[k / layers].at(z, g);
      metric_of(g, C);
      point.stiffness(metric[k], k, C, S, D);
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
  static void tangent(const Data<T>& data, const Options& o, const Context<T>&, const T* x, const T* v, double cd,
                      T* K) {
    tangent_of(law_of(data, o), data, o, x, v, cd, K);
  }
  template <class Law, class T>
  static void tangent_of(const PlateLaw<T, Law>& law, const Data<T>& data, const Options& o, const T* x, const T* v,
                         double cd, T* K) {
    const Frames<T> frames(data, x);
    Hessian<T> H[places];
    for (Hessian<T>& h : H)
      for (auto& moment : h.a)
        for (auto& block : moment)
          for (T& a : block) a = T(0.0);
    add_hessian(data.two, 2, zeta2, Point<T, Law>{law, in_layers(o)}, frames.at, H);
    if (o.volume == Volume::reduced) add_hessian(data.one, 1, zeta1, Point<T, Law>{law, in_middle(o)}, frames.at, H);
    if (o.damped == Damped::yes) add_viscous_hessian(data, frames.at, Frames<T>(data, v).at, H);
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
    if (o.damped == Damped::yes) add_damping(data, frames.at, v, cd, K);
  }
  /// The viscous stress as S^αβ I.
  template <class T>
  static void add_viscous_hessian(const Data<T>& data, const Frame<T>* frames, const Frame<T>* rates, Hessian<T>* H) {
    for (int k = 0; k < 2 * places; ++k) {
      const double z = zeta2[k % 2];
      T S[6];
      for (T& s : S) s = T(0.0);
      add_viscous_stress(data.two[k], data.two[k].weight * data.viscosity, MovingPoint<T>(frames, rates, k).rate, S);
      for (int m = 0; m < 6; ++m)
        for (int i = 0; i < 9; i += 4) {
          const T s = S[voigt[row_of[m]][column_of[m]]];
          H[k / 2].a[0][m][i] += s;
          H[k / 2].a[1][m][i] += T(z) * s;
          H[k / 2].a[2][m][i] += T(z * z) * s;
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

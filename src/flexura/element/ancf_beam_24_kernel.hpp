#pragma once

#include <optional>

#include "flexura/element/full_beam_damping.hpp"

namespace flexura {

/// Fully parameterised ANCF beam of two nodes and 24 coordinates (ancf_beam_24.hpp), its metric by full_beam_strains.hpp.
///
///     V = ∫ W(Ĉ) + k/2 θ(Ĉ)² dV      θ = J − 1, of St. Venant–Kirchhoff tr E                       [yakoub2001, xing2022]
///
/// full: Ĉ = C, k₁ = k₂ = a₁ = a₂ = 1, four Gauss points along the axis. r_y and r_z are the same all over a section, so what bending
/// stretches cannot get thinner: EI is too large by (1 − ν)/(1 + ν)(1 − 2ν). selective: θ on the axis alone; EI is too small, 4/9 of
/// what it should be where ν = ½.
///
/// enhanced: A section's point that is stretched more than its axis gets thinner than that, as under uniaxial tension,
///
///     F̂ = F diag(1, s₁, s₂),   s_i = (J₀/J)^ν_i,   J₀: of the axis at the same x       Ĉ_ij = s_i s_j C_ij
///
/// with ν_i Poisson's ratio of the law at rest. J/J₀ is the ratio of the stretches normal to the section; of a law that keeps
/// volume J s₁ s₂ = J₀ whatever the strain, so that bending asks for no change of volume. ν₁ = ν/(1 − ν), ν₂ = 0: a wide strip,
/// whose width along r_z bending does not change. The strains of shear are those of a section that warps by Saint-Venant's quadratic
/// function c y z, times the root of what its exact constant is of that: k_i² = correction factor, a₁ = (1 − c) f, a₂ = (1 + c) f,
/// c = (I₁ − I₂)/(I₁ + I₂), f² = `torsion`, I₁ = ∫ z² dA, I₂ = ∫ y² dA. Lobatto's three points, tied strains (full_beam_strains.hpp).
///
/// Forces and tangents: full_beam_point.hpp. Viscosity: 2 η Ė with Ė of e, to which bending adds −ν_i times the stretch beside that of the axis: a constant matrix.
/// Mass: ∫ ρ S_a S_b dV.                                                                                       Units: SI.
struct AncfBeam24Kernel : FullBeamDamping {
  static constexpr int strain_rows = 3 * beam_vectors;

  // ── Reference ────────────────────────────────────────────────────────────────────────────────────────────────────
  template <class T>
  static Data<T> prepare(const Params<T>& p, const Options& o, const T* X) {
    Data<T> data;
    const bool enhanced = o.strains == Strains::enhanced;
    data.inv_l = T(1.0) / p.length;
    data.size[0] = T(0.5) * p.size_1, data.size[1] = T(0.5) * p.size_2;
    data.constants = split_constants(o.law, p.constants, p.bulk);
    data.exponent[0] = enhanced ? p.contraction_1 : T(0.0), data.exponent[1] = enhanced ? p.contraction_2 : T(0.0);
    T shear[2] = {T(1.0), T(1.0)}, twist[2] = {T(1.0), T(1.0)};
    if (enhanced) {
      const T I1 = p.size_2 * p.size_2, I2 = p.size_1 * p.size_1, f = T(2.0) * sqrt(p.torsion) / (I1 + I2);
      shear[0] = sqrt(p.shear_1), shear[1] = sqrt(p.shear_2);
      twist[0] = I2 * f, twist[1] = I1 * f;
    }
    data.axis = SectionMap<T>(T(0.0), T(0.0), shear, twist, data.exponent);
    const BeamStations& stations = stations_of(o);
    const BeamVectors<T> u(X, data.inv_l);
    const RotationFactors<T> factors{BeamRotation<T>(u)};
    const T area = p.size_1 * p.size_2 * p.length *
                   (o.section == Section::rectangle ? T(1.0) : T(0.78539816339744830962) * (T(1.0) - p.hole * p.hole));
    const int points = section_points(o.section, o.points);
    for (int k = 0; k < points; ++k) {
      T y, z, share;
      section_point(o.section, o.points, p.hole, k, y, z, share);
      data.map[k] =
          SectionMap<T>(y * data.size[0] * data.inv_l, z * data.size[1] * data.inv_l, shear, twist, data.exponent);
    }
    for (int s = 0; s < stations.count; ++s) {
      T e[beam_parts], G[6];
      u.strains(stations.forms[s], e);
      if (enhanced) factors.apply(s == 1, e);
      data.axis.metric(e, G);
      data.at_axis[s] = PlateMetric<T>(G, T(stations.w[s]) * area);
      for (int k = 0; k < points; ++k) {
        T y, z, share;
        section_point(o.section, o.points, p.hole, k, y, z, share);
        data.map[k].metric(e, G);
        data.metric[s * points + k] = PlateMetric<T>(G, T(stations.w[s]) * area * share);
      }
      if (o.damped == Damped::yes) prepare_viscosity(data, o, s, p.viscosity);
    }
    prepare_mass(p, o, X, area, data.mass);
    return data;
  }
  /// Lower triangle: 5 points along the axis, the fine points of the section.
  template <class T>
  [[gnu::noinline]] static void prepare_mass(const Params<T>& p, const Options& o, const T* X, const T& area, T* mass) {
    for (int i = 0; i < count * (count + 1) / 2; ++i) mass[i] = T(0.0);
    const BeamVectors<T> u(X, T(1.0) / p.length);
    for (int k = 0; k < 5 * section_points(o.section, Points::fine); ++k) {
      const double x = Gauss<5>::x[k % 5];
      T y, z, share;
      section_point(o.section, Points::fine, p.hole, k / 5, y, z, share);
      y = T(0.5) * p.size_1 * y, z = T(0.5) * p.size_2 * z;
      const CubicShape m = cubic_shape(x);
      const T yl = y / p.length, zl = z / p.length;
      const Vec<3, T> gx = T(m.f[0]) * u.u[0] + T(m.f[1]) * u.u[1] + T(m.f[2]) * u.u[2] + yl * (u.u[4] - u.u[3]) +
                           zl * (u.u[6] - u.u[5]);
      const Vec<3, T> gy = T(1 - x) * u.u[3] + T(x) * u.u[4], gz = T(1 - x) * u.u[5] + T(x) * u.u[6];
      const T weight = T(Gauss<5>::w[k % 5]) * share * area * p.rho * dot(gx, cross(gy, gz));
      const auto f = cubic_position_shape(x);
      const T S[count] = {T(f[0]), T(f[1]) * p.length, T(1 - x) * y, T(1 - x) * z,
                          T(f[2]), T(f[3]) * p.length, T(x) * y,     T(x) * z};
      for (int i = 0; i < count; ++i)
        for (int j = 0; j <= i; ++j) mass[triangle(i, j)] = fma(weight * S[i], S[j], mass[triangle(i, j)]);
    }
  }
  template <class T>
  static void mass(const Data<T>& data, T* m) {
    for (int i = 0; i < count; ++i)
      for (int j = 0; j < count; ++j) m[i * count + j] = data.mass[triangle(i, j)];
  }

  // ── Energy and force ─────────────────────────────────────────────────────────────────────────────────────────────
  /// What composite_beam.hpp asks: the energy of U, and Ĉ of a point in Cartesian axes with the point's weight.
  template <class T>
  struct PointsNow {
    const Data<T>& data;
    const Options& o;
    RotationFactors<T> factors;
    std::optional<Station<T>> station[4];
    PointsNow(const Data<T>& d, const Options& options, const T* x)
        : PointsNow(d, options, BeamVectors<T>(x, d.inv_l)) {}
    PointsNow(const Data<T>& d, const Options& options, const BeamVectors<T>& u)
        : data(d), o(options), factors(BeamRotation<T>(u)) {
      for (int s = 0; s < stations(o); ++s) station[s].emplace(data, o, u, factors, s);
    }
    PointsNow(const PointsNow&) = delete;
    T volume_energy() const {
      T sum(0.0);
      for (int s = 0; s < stations(o); ++s) {
        const Station<T>& at = *station[s];
        if (has_volume_on_axis(o)) sum += energy_of(data.at_axis[s], at.axis);
        for (int k = 0; k < section_points(o.section, o.points) && !has_volume_on_axis(o); ++k) {
          T C[6];
          Contracted<T>(at, k).metric(C);
          sum += energy_of(at.metric(k), C);
        }
      }
      return sum;
    }
    T energy_of(const PlateMetric<T>& metric, const T (&C)[6]) const {
      const T theta = PlateVolume<T>(o.law, metric, C).value;
      return T(0.5) * metric.weight * data.constants.bulk * theta * theta;
    }
    T operator()(int k, T (&C)[6]) const {
      const int per = section_points(o.section, o.points);
      const Station<T>& at = *station[k / per];
      T hat[6];
      Contracted<T>(at, k % per).metric(hat);
      to_cartesian(at.metric(k % per).a, hat, C);
      return at.metric(k % per).weight;
    }
  };
  template <class T>
  static T energy(const Data<T>& data, const Options& o, const Context<T>&, const T* x) {
    const PointsNow<T> at(data, o, x);
    const PlainLaw<T> law = law_of(data, o).law;
    T sum = at.volume_energy();
    for (int k = 0; k < points(o); ++k) {
      T C[6];
      const T weight = at(k, C);
      sum = fma(weight, law.energy(k, C), sum);
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
    const BeamVectors<T> u(x, data.inv_l), rates(v, data.inv_l);
    const BeamRotation<T> rotation(u);
    const RotationFactors<T> factors(rotation);
    Vec<3, T> f[beam_vectors];
    RotationForce<T> by;
    for (Vec<3, T>& part : f) part = {T(0.0), T(0.0), T(0.0)};
    for (int s = 0; s < stations(o); ++s) {
      const Station<T> at(data, o, u, factors, s);
      T N[beam_parts];
      station_force(law, at, N, by);
      if (o.damped == Damped::yes) add_viscous_force(data, o, s, u, rates, N);
      const BeamForms& forms = stations_of(o).forms[s];
      for (int k = 0; k < forms.count; ++k) {
        const BeamForms::Entry& a = forms.entry[k];
        const T n = T(a.a) * N[a.p];
        for (int i = 0; i < 3; ++i) {
          f[a.i][i] = fma(-n, u.u[a.j][i], f[a.i][i]);
          if (a.i != a.j) f[a.j][i] = fma(-n, u.u[a.i][i], f[a.j][i]);
        }
      }
    }
    if (contracts(o)) {
      typename BeamRotation<T>::Gradient g[2];
      rotation.gradients(u, g);
      for (int i = 0; i < rotation.vectors; ++i) f[rotation.first + i] -= by.first[0] * g[0][i] + by.first[1] * g[1][i];
    }
    for (int i = 1; i < beam_vectors; ++i) f[i].store(r + 3 * beam_function[i]);
    f[0] = data.inv_l * f[0];
    f[0].store(r + 12);
    (-f[0]).store(r);
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
    constexpr int n = strain_rows;
    const BeamVectors<T> u(x, data.inv_l), rates(v, data.inv_l);
    const BeamRotation<T> rotation(u);
    const RotationFactors<T> factors(rotation);
    T H[n * n], G[beam_vectors][beam_vectors], across[2][n];
    RotationForce<T> by;
    for (T& h : H) h = T(0.0);
    for (auto& line : across)
      for (T& c : line) c = T(0.0);
    for (auto& row : G)
      for (T& g : row) g = T(0.0);
    for (int s = 0; s < stations(o); ++s) {
      const BeamForms& forms = stations_of(o).forms[s];
      const Station<T> at(data, o, u, factors, s);
      T N[beam_parts], M[beam_parts][beam_parts], b[beam_strains][n];
      station_stiffness(law, at, N, M, by);
      u.rows(forms, b);
      for (int k = 0; k < 2 && contracts(o); ++k)
        for (int p = 0; p < beam_strains; ++p)
          for (int i = 0; i < n; ++i) across[k][i] = fma(by.mixed[k][p], b[p][i], across[k][i]);
      add_material<n>(M, b, b, o.damped == Damped::yes, H);
      if (o.damped == Damped::yes) {
        T V[beam_strains][beam_strains], moving[beam_strains][n];
        add_viscous_force(data, o, s, u, rates, N);
        for (int p = 0; p < beam_strains; ++p)
          for (int q = 0; q < beam_strains; ++q) V[p][q] = data.viscous[s][triangle(p, q)];
        rates.rows(forms, moving);
        for (int p = 0; p < beam_strains; ++p)
          for (int i = 0; i < n; ++i) moving[p][i] = fma(T(cd), b[p][i], moving[p][i]);
        add_material<n>(V, b, moving, true, H);
      }
      for (int k = 0; k < forms.count; ++k) {
        const BeamForms::Entry& a = forms.entry[k];
        G[a.j][a.i] = fma(T(a.a), N[a.p], G[a.j][a.i]);  // i ≤ j
      }
    }
    for (int a = 0; a < beam_vectors; ++a)
      for (int b = 0; b <= a; ++b)
        for (int i = 0; i < 3; ++i) {
          H[(3 * a + i) * n + 3 * b + i] += G[a][b];
          if (a != b && o.damped == Damped::yes) H[(3 * b + i) * n + 3 * a + i] += G[a][b];
        }
    if (contracts(o)) add_rotation<n>(rotation, u, across, by, o.damped == Damped::yes, H);
    spread<n>(H, data.inv_l, o.damped == Damped::yes, K);
  }
  /// H += Σ c_s⊗g_s + g_s⊗c_s + V_s ∂g_s/∂u + Σ V_st g_s⊗g_t; lower half unless full.
  template <int n, class T>
  [[gnu::noinline]] static void add_rotation(const BeamRotation<T>& rotation, const BeamVectors<T>& u,
                                             const T (&c)[2][n], const RotationForce<T>& by, bool full, T* H) {
    typename BeamRotation<T>::Gradient parts[2];
    rotation.gradients(u, parts);
    T g[2][n], other[2][n];
    for (int i = 0; i < n; ++i) {
      const int k = i / 3 - rotation.first;
      for (int s = 0; s < 2; ++s) g[s][i] = k >= 0 && k < rotation.vectors ? parts[s][k][i % 3] : T(0.0);
      for (int s = 0; s < 2; ++s) other[s][i] = fma(by.second[s], g[0][i], fma(by.second[s + 1], g[1][i], c[s][i]));
    }
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < (full ? n : i + 1); ++j)
        for (int s = 0; s < 2; ++s) H[i * n + j] += fma(c[s][i], g[s][j], g[s][i] * other[s][j]);
    rotation.template add_curvature<n>(u, by.first, full, H);
  }
  /// H += Σ M_pq b_p⊗c_q; lower half unless full.
  template <int n, int m, class T>
  [[gnu::noinline]] static void add_material(const T (&M)[m][m], const T (&b)[beam_strains][n],
                                             const T (&c)[beam_strains][n], bool full, T* H) {
    T lines[beam_strains][n];
    for (auto& line : lines)
      for (T& x : line) x = T(0.0);
    for_each_index<beam_strains>([&](auto q) __attribute__((always_inline)) {
      constexpr int first = 3 * beam_row_first[q], end = 3 * beam_row_end[q];
      for (int p = 0; p < beam_strains; ++p)
        for (int j = first; j < end; ++j) lines[p][j] = fma(M[p][q], c[q][j], lines[p][j]);
    });
    for_each_index<beam_vectors>([&](auto a) __attribute__((always_inline)) {
      for (int i = 3 * a; i < 3 * a + 3; ++i)
        for (int j = 0; j < (full ? n : 3 * a + 3); ++j) {
          T sum = H[i * n + j];
          for_each_index<beam_strains>([&](auto p) __attribute__((always_inline)) {
            if constexpr (beam_row_first[p] <= a && a < beam_row_end[p]) sum = fma(b[p][i], lines[p][j], sum);
          });
          H[i * n + j] = sum;
        }
    });
  }
  /// K over the functions from H over u.
  template <int n, class T>
  static void spread(const T* H, const T& inv_l, bool full, T* K) {
    constexpr int of[count] = {0, 1, 3, 5, 0, 2, 4, 6};
    const T factor[count] = {-inv_l, T(1.0), T(1.0), T(1.0), inv_l, T(1.0), T(1.0), T(1.0)};
    for (int a = 0; a < count; ++a)
      for (int b = 0; b < (full ? count : a + 1); ++b)
        for (int i = 0; i < 3; ++i)
          for (int j = 0; j < 3; ++j) {
            const int row = 3 * of[a] + i, column = 3 * of[b] + j;
            const T& h = full || row >= column ? H[row * n + column] : H[column * n + row];
            K[(3 * a + i) * dofs + 3 * b + j] = factor[a] * factor[b] * h;
          }
  }

  // ── Probes ───────────────────────────────────────────────────────────────────────────────────────────────────────
  /// Stress resultants along and about r_y (1), what is across it in the section (2) and the section's normal. Without damping. The force
  /// is the polynomial through the stations; the moment is linear between those that the element's forces have at its nodes, so that a
  /// sensor at an end reads what a joint there transmits. `curvature` and `moment`: size of the bending; `stretch_force`: the axial force.
  static constexpr std::string_view probes[] = {"axial_force",      "curvature",        "moment",
                                                "shear_force_1",    "shear_force_2",    "torque",
                                                "bending_moment_1", "bending_moment_2", "stretch_force"};
  template <class T>
  static void probe(const Data<T>& data, const Options& o, const T* x, double xi, T* out) {
    probe_of(law_of(data, o), data, o, x, xi, out);
  }
  template <class Law, class T>
  static void probe_of(const PlateLaw<T, Law>& law, const Data<T>& data, const Options& o, const T* x, double xi,
                       T* out) {
    const BeamVectors<T> u(x, data.inv_l);
    const RotationFactors<T> factors{BeamRotation<T>(u)};
    Vec<3, T> force = force_between(law, data, o, u, factors, xi), moment[2];
    node_moments(law, data, o, x, moment);
    const Vec<3, T> here = T(xi) * moment[1] - T(1 - xi) * moment[0];
    const SectionVectors<T> at(u, xi), bent(u, contracts(o) ? 0.5 : xi);
    const Vec<3, T> across = cross(at.ny, at.nz);
    const Vec<3, T> d3 = T(1.0) / norm(across) * across, d1 = T(1.0) / norm(at.ny) * at.ny, d2 = cross(d3, d1);
    const T y = dot(bent.m, u.u[4] - u.u[3]), z = dot(bent.m, u.u[6] - u.u[5]);
    const T factor = contracts(o) ? factors.of[factors.bend].v : T(1.0);
    out[0] = out[8] = dot(force, d3);
    out[1] = data.inv_l * factor * sqrt(fma(y, y, z * z)) / norm(bent.m);
    out[3] = dot(force, d1), out[4] = dot(force, d2);
    out[5] = dot(here, d3), out[6] = dot(here, d1), out[7] = dot(here, d2);
    out[2] = sqrt(fma(out[6], out[6], out[7] * out[7]));
  }
  /// ∂V/∂r_x of the stations, at ξ; what bending adds is that of all of them where e₁ and e₂ are those of the middle.
  template <class Law, class T>
  static Vec<3, T> force_between(const PlateLaw<T, Law>& law, const Data<T>& data, const Options& o,
                                 const BeamVectors<T>& u, const RotationFactors<T>& factors, double xi) {
    const BeamStations& along = stations_of(o);
    const auto share = [&](int s) {
      double product = 1;
      for (int t = 0; t < along.count; ++t)
        if (t != s) product *= (xi - along.x[t]) / (along.x[s] - along.x[t]);
      return product / along.w[s];
    };
    const Vec<3, T> dy = u.u[4] - u.u[3], dz = u.u[6] - u.u[5];
    Vec<3, T> force{T(0.0), T(0.0), T(0.0)};
    for (int s = 0; s < along.count; ++s) {
      T N[beam_parts];
      RotationForce<T> rotation;
      station_force(law, Station<T>(data, o, u, factors, s), N, rotation);
      const SectionVectors<T> section(u, along.x[s]);
      force += T(share(s)) * (T(2.0) * N[0] * section.m + N[6] * section.ny + N[7] * section.nz);
      force += T(share(contracts(o) ? 1 : s)) * (N[1] * dy + N[2] * dz);
    }
    return data.inv_l * force;
  }
  /// Σ g × ∂V/∂g over r_x, r_y and r_z of each node: of the element on it, with the sign of what turns the node.
  template <class Law, class T>
  static void node_moments(const PlateLaw<T, Law>& law, const Data<T>& data, const Options& o, const T* x,
                           Vec<3, T> (&moment)[2]) {
    Options elastic = o;
    elastic.damped = Damped::no;
    T r[dofs];
    force_of(law, data, elastic, x, x, r);
    for (int n = 0; n < 2; ++n) {
      moment[n] = {T(0.0), T(0.0), T(0.0)};
      for (int k = 1; k < 4; ++k)
        moment[n] -= cross(Vec<3, T>::load(x + 12 * n + 3 * k), Vec<3, T>::load(r + 12 * n + 3 * k));
    }
  }
  template <class T>
  struct SectionVectors {
    Vec<3, T> m, ny, nz;
    SectionVectors(const BeamVectors<T>& u, double x) {
      const CubicShape c = cubic_shape(x);
      m = T(c.f[0]) * u.u[0] + T(c.f[1]) * u.u[1] + T(c.f[2]) * u.u[2];
      ny = T(1 - x) * u.u[3] + T(x) * u.u[4], nz = T(1 - x) * u.u[5] + T(x) * u.u[6];
    }
  };
};

}  // namespace flexura

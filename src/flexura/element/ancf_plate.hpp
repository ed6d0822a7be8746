#pragma once

#include "flexura/element/plate_shape.hpp"
#include "flexura/material/st_venant_kirchhoff.hpp"
#include "flexura/term/term.hpp"

namespace flexura {

/// Fully parameterised ANCF plate: four nodes × (r, r_x, r_y, r_z), 48 coordinates; curved references too.
///
///       3 o─────────o 2        x ∈ [0, a], y ∈ [0, b], z ∈ [−t/2, t/2];  ξ = x/a, η = y/b, ζ = z/t
///     η ↑ │         │
///       0 o─────────o 1        r = m(ξ, η) + ζ n(ξ, η)
///           → ξ                m = Σ N_i r_i + N_i^x a r_x,i + N_i^y b r_y,i,   n = Σ L_i t r_z,i   [xing2022 eqs 1–6]
///
/// N: the twelve functions of the rectangle without twist coordinates, cubic and ξ³η, ξη³; L: bilinear [ghoneimy2025 eq 23].
///
/// Energy: a list of (rule over ζ, density) at 3 × 3 Gauss points of the surface; St. Venant–Kirchhoff. With linear n the
/// thickness cannot change linearly in ζ, as bending asks it to, so all of ψ everywhere locks:
///     bending:     two points in ζ: ψ(λ', μ), λ' = 2λμ/(λ + 2μ);   ζ = 0: the rest, ψ(λ − λ', 0). Stretched, it is the solid;
///                  bent, where the thickness keeps its strain, it has the moduli of plane stress, E/(1 − ν²)
///     full:        two points: ψ(λ, μ)
///     poisson:     two points: ψ(0, E/2), as if ν = 0;   ζ = 0: the rest, ψ(λ, μ − E/2): a wide plate bends with E, too softly
///     volumetric:  two points: the deviatoric part;   ζ = 0: the volumetric part [xing2022 eq 25]. Volumetric strain of
///                  bending then costs nothing: a strip bends with μ in place of E, two to three times too softly
///
/// With g_ξ = m_ξ + ζ n_ξ, g_η = m_η + ζ n_η, g_ζ = n the Hessian of a point is A_αβ = S^αβ I + D^αγβδ g_γ g_δᵀ. All points
/// over one place of the surface add up to a Hessian of (m_ξ, m_η | n, n_ξ, n_η), which is then contracted once:
///     K_ij = Σ_surface Σ_αβ c_iα Â_αβ c_jβ,   c_i = (N_ξ, N_η) of m's functions, (L, L_ξ, L_η) of n's
/// Units: SI.
struct AncfPlate {
  static constexpr std::string_view name = "ancf_plate";
  static constexpr int dim = 3;
  static constexpr std::array slots = [] {
    std::array<SlotKind, 16> kinds{};
    for (int i = 0; i < 16; ++i) kinds[i] = i % 4 == 0 ? SlotKind::point : SlotKind::vector;
    return kinds;
  }();
  static constexpr Role role = Role::conservative;
  static constexpr bool symmetric = true;

  enum class Integration { poisson, volumetric, full, bending };
  struct Options {
    Integration integration = Integration::bending;
    bool operator==(const Options&) const = default;
  };
  static bool uses_velocity(const Options&) { return false; }
  static void options(auto& o, auto&& option) {
    static constexpr std::string_view rules[] = {"poisson", "volumetric", "full", "bending"};
    option(o.integration, Option{"integration", "what is integrated on the mid-surface only", rules});
  }

  template <class T>
  struct Params {
    T length, width, thickness, rho, E, nu;
  };
  static void fields(auto& p, auto&& field) {
    field(p.length, Field{.name = "length", .unit = "m", .doc = "length a of the parameter x", .above = 0});
    field(p.width, Field{.name = "width", .unit = "m", .doc = "length b of the parameter y", .above = 0});
    field(p.thickness, Field{.name = "thickness", .unit = "m", .doc = "length t of the parameter z", .above = 0});
    field(p.rho, Field{.name = "rho", .unit = "kg/m^3", .doc = "density", .min = 0});
    field(p.E, Field{.name = "E", .unit = "Pa", .doc = "Young's modulus", .min = 0});
    field(p.nu, Field{.name = "nu", .unit = "1", .doc = "Poisson's ratio", .min = 0, .below = 0.5});
  }

  static constexpr int places = PlateShape::places;
  static constexpr const auto& surface = plate_surface;
  /// Points of a rule over ζ lie behind one another: point k is over place k / layers at zeta[k % layers].
  static constexpr double zeta2[2] = {Gauss<2>::x[0] - 0.5, Gauss<2>::x[1] - 0.5}, zeta1[1] = {0};

  // ── Per-item data ────────────────────────────────────────────────────────────────────────────────────────────────
  template <class T, int N>
  struct Rule {
    T weight[N];      ///< w √det G dξ dη dζ
    T metric[6][N];   ///< G_αβ
    T inverse[6][N];  ///< G^αβ
  };
  template <class T>
  struct Data {
    T factor[4];  ///< 1, a, b, t: of r, r_x, r_y, r_z
    StVenantKirchhoff<T> everywhere, middle;
    Rule<T, 2 * places> two;
    Rule<T, places> one;
    T mass[136];  ///< lower triangle of ∫ ρ S_i S_j dV
  };

  /// h = (m_ξ, m_η, n, n_ξ, n_η) over a place.
  template <class T>
  struct Frame {
    Vec<3, T> h[5];
    Frame() = default;
    Frame(const PlateShape::Values& s, const T* e) {
      for (Vec<3, T>& x : h) x = {T(0.0), T(0.0), T(0.0)};
      for (int n = 0; n < 4; ++n) {
        for (int k = 0; k < 3; ++k) {
          const T* x = e + 12 * n + 3 * k;
          for (int i = 0; i < 3; ++i) {
            h[0][i] = fma(T(s.dx[n][k]), x[i], h[0][i]);
            h[1][i] = fma(T(s.dy[n][k]), x[i], h[1][i]);
          }
        }
        const T* x = e + 12 * n + 9;
        for (int i = 0; i < 3; ++i) {
          h[2][i] = fma(T(s.f[n][3]), x[i], h[2][i]);
          h[3][i] = fma(T(s.dx[n][3]), x[i], h[3][i]);
          h[4][i] = fma(T(s.dy[n][3]), x[i], h[4][i]);
        }
      }
    }
    /// g_ξ, g_η, g_ζ at ζ.
    void at(double zeta, Vec<3, T> (&g)[3]) const {
      for (int i = 0; i < 3; ++i) {
        g[0][i] = fma(T(zeta), h[3][i], h[0][i]);
        g[1][i] = fma(T(zeta), h[4][i], h[1][i]);
        g[2][i] = h[2][i];
      }
    }
  };
  template <class T>
  static void scaled(const T (&factor)[4], const T* x, T (&e)[48]) {
    for (int i = 0; i < 48; ++i) e[i] = factor[i / 3 % 4] * x[i];
  }
  template <class T>
  static T determinant(const Vec<3, T> (&g)[3]) {
    return g[0][0] * (g[1][1] * g[2][2] - g[1][2] * g[2][1]) + g[0][1] * (g[1][2] * g[2][0] - g[1][0] * g[2][2]) +
           g[0][2] * (g[1][0] * g[2][1] - g[1][1] * g[2][0]);
  }

  template <int layers, class T>
  static void reference_rule(const T* e, const double* zeta, Rule<T, layers * places>& rule) {
    for (int s = 0; s < places; ++s) {
      const Frame<T> frame(surface[s], e);
      for (int l = 0; l < layers; ++l) {
        const int k = s * layers + l;
        Vec<3, T> g[3];
        frame.at(zeta[l], g);
        T G[6];
        for (int p = 0; p < 6; ++p) rule.metric[p][k] = G[p] = dot(g[voigt_first[p]], g[voigt_second[p]]);
        const T volume = determinant(g), inv = T(1.0) / (volume * volume);
        rule.weight[k] = T(PlateShape::weight(s) / layers) * volume;
        rule.inverse[0][k] = inv * (G[1] * G[2] - G[3] * G[3]);
        rule.inverse[1][k] = inv * (G[0] * G[2] - G[4] * G[4]);
        rule.inverse[2][k] = inv * (G[0] * G[1] - G[5] * G[5]);
        rule.inverse[3][k] = inv * (G[4] * G[5] - G[0] * G[3]);
        rule.inverse[4][k] = inv * (G[3] * G[5] - G[1] * G[4]);
        rule.inverse[5][k] = inv * (G[3] * G[4] - G[2] * G[5]);
      }
    }
  }
  template <class T>
  static Data<T> prepare(const Params<T>& p, const Options& o, const T* X) {
    Data<T> data;
    data.factor[0] = T(1.0), data.factor[1] = p.length, data.factor[2] = p.width, data.factor[3] = p.thickness;
    const auto whole = StVenantKirchhoff<T>::of(p.E, p.nu);
    data.everywhere = whole;
    if (o.integration == Integration::poisson) data.everywhere = {T(0.0), T(0.5) * p.E};
    if (o.integration == Integration::bending)
      data.everywhere.lambda = T(2.0) * whole.lambda * whole.mu / (whole.lambda + T(2.0) * whole.mu);
    if (o.integration == Integration::volumetric) data.everywhere = whole.deviatoric();
    data.middle = {whole.lambda - data.everywhere.lambda, whole.mu - data.everywhere.mu};
    T e[48];
    scaled(data.factor, X, e);
    reference_rule<2>(e, zeta2, data.two);
    reference_rule<1>(e, zeta1, data.one);
    prepare_mass(data, p.rho, e);
    return data;
  }
  /// 5 × 5 × 3 points: exact for a flat reference.
  template <class T>
  static void prepare_mass(Data<T>& data, const T& rho, const T (&e)[48]) {
    for (T& m : data.mass) m = T(0.0);
    for (int k = 0; k < 75; ++k) {
      const int x = k % 5, y = k / 5 % 5, z = k / 25;
      const PlateShape::Values s = PlateShape::at(Gauss<5>::x[x], Gauss<5>::x[y]);
      const double zeta = Gauss<3>::x[z] - 0.5;
      Vec<3, T> g[3];
      Frame<T>(s, e).at(zeta, g);
      const T weight = T(Gauss<5>::w[x] * Gauss<5>::w[y] * Gauss<3>::w[z]) * rho * determinant(g);
      T S[16];
      for (int i = 0; i < 16; ++i) S[i] = T(s.f[i / 4][i % 4] * (i % 4 == 3 ? zeta : 1)) * data.factor[i % 4];
      for (int i = 0; i < 16; ++i)
        for (int j = 0; j <= i; ++j) data.mass[triangle(i, j)] += weight * S[i] * S[j];
    }
  }
  template <class T>
  static void mass(const Data<T>& data, T* m) {
    for (int i = 0; i < 16; ++i)
      for (int j = 0; j < 16; ++j) m[i * 16 + j] = data.mass[triangle(i, j)];
  }

  // ── Energy and force ─────────────────────────────────────────────────────────────────────────────────────────────
  template <int layers, class T>
  static void strains(const Rule<T, layers * places>& rule, const double* zeta, const Frame<T>* frames,
                      T (&strain)[6][layers * places]) {
    for (int k = 0; k < layers * places; ++k) {
      Vec<3, T> g[3];
      frames[k / layers].at(zeta[k % layers], g);
      for (int p = 0; p < 6; ++p)
        strain[p][k] = T(0.5) * (dot(g[voigt_first[p]], g[voigt_second[p]]) - rule.metric[p][k]);
    }
  }
  /// All places; e: scaled coordinates.
  template <class T>
  struct Frames {
    Frame<T> at[places];
    explicit Frames(const T* e) {
      for (int s = 0; s < places; ++s) at[s] = Frame<T>(surface[s], e);
    }
  };

  template <class T>
  static T energy(const Data<T>& data, const Options& o, const Context<T>&, const T* x) {
    T e[48];
    scaled(data.factor, x, e);
    const Frames<T> frames(e);
    T sum = energy_of<2>(data.two, zeta2, data.everywhere, frames.at);
    if (o.integration != Integration::full) sum += energy_of<1>(data.one, zeta1, data.middle, frames.at);
    return sum;
  }
  template <int layers, class T>
  static T energy_of(const Rule<T, layers * places>& rule, const double* zeta, const StVenantKirchhoff<T>& material,
                     const Frame<T>* frames) {
    T strain[6][layers * places], psi[layers * places], sum = T(0.0);
    strains<layers>(rule, zeta, frames, strain);
    material.energy(rule.inverse, strain, psi);
    for (int k = 0; k < layers * places; ++k) sum = fma(rule.weight[k], psi[k], sum);
    return sum;
  }

  template <class T>
  static void residual(const Data<T>& data, const Options& o, const Context<T>&, const T* x, const T*, T* r) {
    T e[48];
    scaled(data.factor, x, e);
    const Frames<T> frames(e);
    Vec<3, T> force[places][5];
    for (auto& place : force)
      for (Vec<3, T>& f : place) f = {T(0.0), T(0.0), T(0.0)};
    add_force<2>(data.two, zeta2, data.everywhere, frames.at, force);
    if (o.integration != Integration::full) add_force<1>(data.one, zeta1, data.middle, frames.at, force);
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
  template <int layers, class T>
  static void add_force(const Rule<T, layers * places>& rule, const double* zeta, const StVenantKirchhoff<T>& material,
                        const Frame<T>* frames, Vec<3, T> (&force)[places][5]) {
    T strain[6][layers * places], S[6][layers * places];
    strains<layers>(rule, zeta, frames, strain);
    material.stress(rule.inverse, strain, S);
    for (int k = 0; k < layers * places; ++k) {
      Vec<3, T> g[3];
      frames[k / layers].at(zeta[k % layers], g);
      Vec<3, T>* f = force[k / layers];
      for (int a = 0; a < 3; ++a) {
        const T w = rule.weight[k];
        for (int i = 0; i < 3; ++i) {
          const T P = w * fma(S[voigt[a][0]][k], g[0][i], fma(S[voigt[a][1]][k], g[1][i], S[voigt[a][2]][k] * g[2][i]));
          f[a][i] += P;
          if (a < 2) f[3 + a][i] = fma(T(zeta[k % layers]), P, f[3 + a][i]);
        }
      }
    }
  }

  // ── Tangent ──────────────────────────────────────────────────────────────────────────────────────────────────────
  /// Moments over ζ of the blocks (ξξ, ηξ, ηη, ζξ, ζη, ζζ) of A at one place: Σ w A, Σ w ζ A, Σ w ζ² A.
  template <class T>
  struct Hessian {
    T a[3][6][9];
  };
  static constexpr int row_of[6] = {0, 1, 1, 2, 2, 2}, column_of[6] = {0, 0, 1, 0, 1, 2};

  template <int layers, class T>
  static void add_hessian(const Rule<T, layers * places>& rule, const double* zeta,
                          const StVenantKirchhoff<T>& material, const Frame<T>* frames, Hessian<T>* H) {
    T strain[6][layers * places], S[6][layers * places], D[21][layers * places];
    strains<layers>(rule, zeta, frames, strain);
    material.stress(rule.inverse, strain, S);
    material.stiffness(rule.inverse, strain, D);
    for (int k = 0; k < layers * places; ++k) {
      Vec<3, T> g[3];
      const double z = zeta[k % layers];
      frames[k / layers].at(z, g);
      const T w = rule.weight[k];
      T Q[3][6][3];  // Q^α(βδ) = w Σ_γ D^αγβδ g_γ
      for (int a = 0; a < 3; ++a)
        for (int q = 0; q < 6; ++q) {
          const T d[3] = {w * D[triangle(voigt[a][0], q)][k], w * D[triangle(voigt[a][1], q)][k],
                          w * D[triangle(voigt[a][2], q)][k]};
          for (int i = 0; i < 3; ++i) Q[a][q][i] = fma(d[0], g[0][i], fma(d[1], g[1][i], d[2] * g[2][i]));
        }
      T(&moment)[3][6][9] = H[k / layers].a;
      for (int m = 0; m < 6; ++m) {
        const int a = row_of[m], b = column_of[m];
        const T s = w * S[voigt[a][b]][k];
        for (int i = 0; i < 3; ++i)
          for (int j = 0; j < 3; ++j) {
            const T A =
                fma(Q[a][voigt[b][0]][i], g[0][j],
                    fma(Q[a][voigt[b][1]][i], g[1][j], fma(Q[a][voigt[b][2]][i], g[2][j], i == j ? s : T(0.0))));
            moment[0][m][3 * i + j] += A;
            if (layers == 1) continue;  // ζ = 0
            moment[1][m][3 * i + j] = fma(T(z), A, moment[1][m][3 * i + j]);
            moment[2][m][3 * i + j] = fma(T(z * z), A, moment[2][m][3 * i + j]);
          }
      }
    }
  }

  /// B = Σ_k c_k block_k, blocks transposed where `turned`.
  template <int count, class T>
  static void combine(const double (&c)[count], const T* const (&block)[count], const bool (&turned)[count], T* B) {
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        T sum = T(c[0]) * block[0][turned[0] ? 3 * j + i : 3 * i + j];
        for (int k = 1; k < count; ++k) sum = fma(T(c[k]), block[k][turned[k] ? 3 * j + i : 3 * i + j], sum);
        B[3 * i + j] = sum;
      }
  }
  /// K_ij = Σ_places Σ_β B_β c_jβ, scaled.
  template <int count, class T>
  static void contract(const T (*B)[count][9], const double (*c)[count], const T& scale, T* block) {
    for (int i = 0; i < 9; ++i) block[i] = T(0.0);
    for (int s = 0; s < places; ++s)
      for (int k = 0; k < count; ++k)
        for (int i = 0; i < 9; ++i) block[i] = fma(T(c[s][k]), B[s][k][i], block[i]);
    for (int i = 0; i < 9; ++i) block[i] = scale * block[i];
  }
  template <class T>
  static void tangent(const Data<T>& data, const Options& o, const Context<T>&, const T* x, const T*, double, T* K) {
    T e[48];
    scaled(data.factor, x, e);
    const Frames<T> frames(e);
    Hessian<T> H[places];
    for (Hessian<T>& h : H)
      for (auto& moment : h.a)
        for (auto& block : moment)
          for (T& a : block) a = T(0.0);
    add_hessian<2>(data.two, zeta2, data.everywhere, frames.at, H);
    if (o.integration != Integration::full) add_hessian<1>(data.one, zeta1, data.middle, frames.at, H);
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

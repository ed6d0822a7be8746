#pragma once

#include "flexura/element/membrane_law.hpp"
#include "flexura/element/membrane_shape.hpp"
#include "flexura/element/solid_probe.hpp"

namespace flexura {

/// Membrane of three trusses [meijaard-truss]: Green's strain is constant and follows from the lengths of the edges alone; stresses become
/// forces along the edges. With the slopes B_i of the three linear functions in the natural plane, s = l² of the edge from i to j, V its
/// natural volume:
///
///     C = −½ Σ_edges s (B_i⊗B_j + B_j⊗B_i)            since Σ B_i = 0
///     t = 2 ∂(V ψ)/∂s = −V B_i·S B_j                    N/m; the edge's force is t l
///     r_i = Σ_j t_ij (x_j − x_i)                         along the edges
///     K = Σ t (e_i − e_j)(e_i − e_j)ᵀ ⊗ 1 + Σ_ef G_ef d_e d_fᵀ,   G = 2 ∂t/∂s = V M_e:D:M_f,  M = ∂C/∂s
///
/// ψ of plane stress, or of a tension field: membrane_law.hpp. Mass: ∫ ρ N_i N_j dV, m/6 at a node, m/12 between two.   Units: SI.
struct MembraneKernel : Membrane {
  static constexpr int edges[3][2] = {{0, 1}, {1, 2}, {2, 0}};

  template <class T>
  struct Sheet {
    TriangleShape<T> shape;
    T metric[3][3];  ///< M: component, edge

    Sheet() = default;
    explicit Sheet(const TriangleShape<T>& its_shape) : shape(its_shape) { set_metric(); }
    void set_metric() {
      for (int e = 0; e < 3; ++e) {
        const auto &i = shape.slope[edges[e][0]], &j = shape.slope[edges[e][1]];
        metric[0][e] = -(i[0] * j[0]), metric[1][e] = -(i[1] * j[1]);
        metric[2][e] = T(-0.5) * fma(i[0], j[1], i[1] * j[0]);
      }
    }
    /// t
    T force_density(const T (&S)[3], int e) const {
      T sum(0.0);
      for (int p = 0; p < 3; ++p) sum = fma(T(plane_factor[p]) * S[p], metric[p][e], sum);
      return shape.volume * sum;
    }
    /// V M_e:D:M_f
    T stiffness(const T (&D)[3][3], int e, int f) const {
      T sum(0.0);
      for (int p = 0; p < 3; ++p)
        for (int q = 0; q < 3; ++q)
          sum = fma(T(plane_factor[p] * plane_factor[q]) * metric[p][e] * metric[q][f], D[p][q], sum);
      return shape.volume * sum;
    }
  };
  template <class T>
  struct Data {
    ElasticConstants<T> constants;
    Sheet<T> sheet;
    T mass;  ///< m/12
  };
  template <class T>
  static SheetLaw<T> law(const Data<T>& data, const Options& o) {
    return {{{o.law, o.form}, data.constants}, data.constants, o.carries == Carries::tension};
  }

  template <class T>
  static Data<T> prepare(const Params<T>& p, const Options&, const T* X) {
    Data<T> data;
    for (int i = 0; i < most_elastic_constants; ++i) data.constants.c[i] = p.constants[i];
    data.constants.bulk = p.bulk;
    const Vec<3, T> along = Vec<3, T>::load(X + 3) - Vec<3, T>::load(X);
    data.sheet = Sheet<T>({X, along, p.thickness, p.stretch, p.stretch});
    data.mass = T(1.0 / 12) * p.rho * data.sheet.shape.volume;
    return data;
  }
  template <class T>
  static void mass(const Data<T>& data, T* m) {
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) m[3 * i + j] = i == j ? T(2.0) * data.mass : data.mass;
  }

  /// Vectors of the edges, and C.
  template <class T>
  struct Edges {
    Vec<3, T> d[3];
    T c[3];
    Edges(const Sheet<T>& sheet, const T* x) {
      T s[3];
      for (int e = 0; e < 3; ++e) {
        d[e] = Vec<3, T>::load(x + 3 * edges[e][1]) - Vec<3, T>::load(x + 3 * edges[e][0]);
        s[e] = dot(d[e], d[e]);
      }
      for (int p = 0; p < 3; ++p)
        c[p] = fma(sheet.metric[p][0], s[0], fma(sheet.metric[p][1], s[1], sheet.metric[p][2] * s[2]));
    }
  };

  /// Forces of the stress S.
  template <class T>
  static void add_up(const Sheet<T>& sheet, const Edges<T>& now, const T (&S)[3], T* r) {
    for (int i = 0; i < 9; ++i) r[i] = T(0.0);
    for (int e = 0; e < 3; ++e) {
      const T t = sheet.force_density(S, e);
      for (int i = 0; i < 3; ++i) {
        const T f = t * now.d[e][i];
        r[3 * edges[e][0] + i] += f;
        r[3 * edges[e][1] + i] -= f;
      }
    }
  }
  template <class T>
  static void residual(const Data<T>& data, const Options& o, const Context<T>&, const T* x, const T*, T* r) {
    const Edges<T> now(data.sheet, x);
    add_up(data.sheet, now, law(data, o)(now.c).S, r);
  }
  /// K of the stress S and its derivatives D.
  template <class T>
  static void add_up(const Sheet<T>& sheet, const Edges<T>& now, const T (&S)[3], const T (&D)[3][3], T* K) {
    for (int i = 0; i < 81; ++i) K[i] = T(0.0);
    for (int e = 0; e < 3; ++e) {
      const T t = sheet.force_density(S, e);
      for (int f = 0; f <= e; ++f)
        add_block(e, f, sheet.stiffness(D, e, f), e == f ? t : T(0.0), now.d[e], now.d[f], K);
    }
  }
  template <class T>
  static void tangent(const Data<T>& data, const Options& o, const Context<T>&, const T* x, const T*, double, T* K) {
    const Edges<T> now(data.sheet, x);
    const SheetPoint<T> at = law(data, o)(now.c);
    add_up(data.sheet, now, at.S, at.D, K);
  }
  template <class T>
  static T energy(const Data<T>& data, const Options& o, const Context<T>&, const T* x) {
    return data.sheet.shape.volume * law(data, o)(Edges<T>(data.sheet, x).c).energy;
  }

  template <class T>
  static void probe(const Data<T>& data, const Options& o, const T* x, double xi, double eta, double, T* out) {
    const Edges<T> now(data.sheet, x);
    const SheetPoint<T> at = law(data, o)(now.c);
    read(data.sheet, now, at, xi, eta, out);
    out[Solid::energy_probe] = at.energy;
  }
  /// All probes but the energy.
  template <class T>
  [[gnu::noinline]] static void read(const Sheet<T>& sheet, const Edges<T>& now, const SheetPoint<T>& at, double xi,
                                     double eta, T* out) {
    const TriangleShape<T>& shape = sheet.shape;
    const T C[6] = {now.c[0], now.c[1], at.through, T(0.0), T(0.0), now.c[2]};
    const T S[6] = {at.S[0], at.S[1], T(0.0), T(0.0), T(0.0), at.S[2]}, per = T(1.0) / at.change;
    Vec<3, T> f[2];  // F e₁, F e₂
    for (int a = 0; a < 2; ++a) f[a] = shape.slope[1][a] * now.d[0] - shape.slope[2][a] * now.d[2];
    T sigma[6];
    for (int p = 0; p < 6; ++p) {
      const int i = voigt_first[p], j = voigt_second[p];
      T strain(0.0), stress(0.0), cauchy(0.0);
      for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b) {
          const T turn = shape.axes[3 * a + i] * shape.axes[3 * b + j];
          strain = fma(turn, C[voigt[a][b]] - T(a == b ? 1.0 : 0.0), strain);
          stress = fma(turn, S[voigt[a][b]], stress);
          if (a < 2 && b < 2) cauchy = fma(S[voigt[a][b]] * f[a][i], f[b][j], cauchy);
        }
      sigma[p] = per * cauchy;
      out[Solid::green_probe + p] = T(0.5) * strain;
      out[Solid::piola_probe + p] = stress;
      out[Solid::cauchy_probe + p] = sigma[p];
    }
    T square[3];
    principal_values(C, square);
    for (int i = 0; i < 3; ++i) out[Solid::stretch_probe + i] = sqrt(square[i]);
    out[Solid::volume_probe] = at.change;
    out[Solid::pressure_probe] = T(-1.0 / 3) * (sigma[0] + sigma[1] + sigma[2]);
    out[Solid::von_mises_probe] = von_mises_of(sigma);
    const double opposite[3] = {eta, 1 - xi - eta, xi};  // 0 on the edge
    const int e = static_cast<int>(std::min_element(opposite, opposite + 3) - opposite);
    out[edge_probe] = sheet.force_density(at.S, e) * norm(now.d[e]);
  }

 private:
  /// G d_e d_fᵀ with its transpose where e ≠ f, and t 1.
  template <class T>
  static void add_block(int e, int f, const T& G, const T& t, const Vec<3, T>& de, const Vec<3, T>& df, T* K) {
    for (int m = 0; m < 2; ++m)
      for (int n = 0; n < 2; ++n) {
        const int a = 3 * edges[e][m], b = 3 * edges[f][n];
        const T sign(m == n ? 1.0 : -1.0);
        for (int i = 0; i < 3; ++i)
          for (int j = 0; j < 3; ++j) {
            const T k = sign * (G * de[i] * df[j] + (i == j ? t : T(0.0)));
            K[(a + i) * 9 + b + j] += k;
            if (e != f) K[(b + j) * 9 + a + i] += k;
          }
      }
  }
};

}  // namespace flexura

#pragma once

#include "flexura/element/solid.hpp"
#include "flexura/element/solid_probe.hpp"
#include "flexura/element/solid_tangent.hpp"

namespace flexura {

/// Solids of rubber and other hyperelastic matter on absolute positions: hexahedra of 8, 20, 27 nodes, tetrahedra of 4 and 10.
///
///       x = Σ N_i(ξ) x_i,   X = Σ N_i(ξ) X_i,   B_i = ∂N_i/∂X,   F = Σ x_i B_iᵀ,   C = FᵀF,   J = det F
///
/// full:    V = ∫ W(C) + k/2 (J − 1)² dV, at Gauss points: locks as k grows
/// mixed:   V = ∫ W(C) + k/2 (J̄ − 1)² dV, J̄ the projection of J on few modes m_a of X: 1, or 1, X, Y, Z
///
/// The mixed one is that of three fields, displacement, pressure and change of volume, the latter two of the modes in each element
/// and eliminated there [simo1985]. With ∫ m_a m_b dV = δ_ab,  c_a = ∫ m_a (J − 1) dV,  b_ai = ∂c_a/∂x_i = ∫ m_a cof F B_i dV:
///
///     ½ k Σ c_a²,   p = k Σ c_a m_a,   force −k Σ c_a b_a,   tangent k Σ b_a b_aᵀ + ∫ p ∂²J/∂x∂x dV
///
/// Of the tetrahedron of 10 nodes, J is held at the points besides: ½ (k − μ) Σ c_a² + ½ μ ∫ (J − 1)² dV (see holds_points).
/// W is evaluated point by point; its isochoric form knows J only as a direction. Locking, modes without energy and orders are in
/// docs/solids.md. Viscosity: S = 2 η Ė besides.   Mass: ∫ ρ N_i N_j dV by 4³ points.   Units: SI.
template <SolidKind its_kind>
struct SolidKernel : SolidElement<its_kind> {
  using Options = Solid::Options;
  using Damped = Solid::Damped;
  using SolidElement<its_kind>::kind, SolidElement<its_kind>::nodes;
  static constexpr int places = place_count(kind), modes = volume_modes(kind);
  static constexpr SolidRule rule{
      kind, nodes, places, modes, solid_table<kind>.slope.data(), solid_table<kind>.weight.data()};

  template <class T>
  using Params = Solid::Params<T>;

  template <class T>
  struct Data {
    ElasticConstants<T> constants;
    T viscosity, modal, pointwise;
    SolidGaussPoint<T> point[places];
    T mode[places * modes];       ///< m_a w at the points
    T shift[modes];               ///< of c_a in the tangent: set_free
    T polynomial[modes * modes];  ///< of m_a in 1 and X − X₀ seen from the centre's axes, for probes
    T center[12];                 ///< X₀, and those axes: rows of ∂ξ/∂X there
    T reference[3 * nodes];
    T mass[nodes * (nodes + 1) / 2];
  };
  template <class T>
  static SolidView<T> view(const Data<T>& data, const Options& o) {
    return {rule,
            {{o.law, o.form}, data.constants},
            o.formulation == Solid::Formulation::mixed,
            o.damped == Damped::yes,
            data.modal,
            data.pointwise,
            data.viscosity,
            data.point,
            data.mode,
            data.shift};
  }

  template <class T>
  static Data<T> prepare(const Params<T>& p, const Options& o, const T* X) {
    Data<T> data;
    for (int i = 0; i < most_elastic_constants; ++i) data.constants.c[i] = p.constants[i];
    data.constants.bulk = p.bulk;
    data.viscosity = p.viscosity;
    data.pointwise = o.formulation == Solid::Formulation::full ? p.bulk : T(0.0);
    if (holds_points(kind) && o.formulation == Solid::Formulation::mixed) {
      const T rest[6] = {T(1.0), T(1.0), T(1.0), T(0.0), T(0.0), T(0.0)};
      T S[6], D[21];
      elastic_stiffness({o.law, o.form}, data.constants, rest, S, D);
      data.pointwise = min(D[triangle(5, 5)], p.bulk);  // the modulus of shear at rest
    }
    data.modal = p.bulk - data.pointwise;
    for (int i = 0; i < 3 * nodes; ++i) data.reference[i] = X[i];
    for (T& c : data.shift) c = T(0.0);
    solid_points(rule, X, data.point);
    solid_modes(rule, X, data.point, data.mode, data.polynomial, data.center);
    solid_mass(rule, p.rho, X, data.mass);
    return data;
  }
  template <class T>
  static void mass(const Data<T>& data, T* m) {
    for (int i = 0; i < nodes; ++i)
      for (int j = 0; j < nodes; ++j) m[i * nodes + j] = data.mass[triangle(i, j)];
  }
  template <class T>
  static void residual(const Data<T>& data, const Options& o, const Context<T>&, const T* x, const T* v, T* r) {
    solid_force(view(data, o), x, v, r);
  }
  template <class T>
  static void tangent(const Data<T>& data, const Options& o, const Context<T>&, const T* x, const T* v, double cd,
                      T* K) {
    solid_tangent(view(data, o), x, v, cd, K);
  }
  template <class T>
  static T energy(const Data<T>& data, const Options& o, const Context<T>&, const T* x) {
    return solid_energy(view(data, o), x);
  }
  template <class T>
  static T dissipation(const Data<T>& data, const Options& o, const Context<T>&, const T* x, const T* v) {
    return o.damped == Damped::yes ? solid_dissipation(view(data, o), x, v) : T(0.0);
  }
  template <class T>
  static void probe(const Data<T>& data, const Options& o, const T* x, double xi, double eta, double zeta, T* out) {
    const SolidView<T> now = view(data, o);
    T C[6];
    const auto stays = [](T(&)[9]) {};
    solid_probe(now, now.law, {data.polynomial, data.center}, data.reference, x, xi, eta, zeta, stays, T(1.0), C, out);
    out[Solid::energy_probe] += now.law.energy(0, C);
    if constexpr (kind == SolidKind::tetrahedron_4)
      out[SolidElement<its_kind>::edge_probe] = tetrahedron_edge_force(rule, data.point[0], out + Solid::piola_probe, x,
                                                                       {1 - xi - eta - zeta, xi, eta, zeta});
  }

  // For tangents of predicted stresses (assembly/term_batch.hpp): the pressure is that which the last iteration foresaw, as if it
  // were an unknown of its own. Thin cells near incompressibility, whose volume is of third order in a step, need it.
  static constexpr int strain_count = modes;
  template <class T>
  static void strains(const Data<T>& data, const Options& o, const T* x, T* c) {
    SolidStrain<T> strain[places];
    solid_strains(view(data, o), x, strain);
    solid_volume(view(data, o), strain, c);
  }
  template <class T>
  static void set_free(Data<T>& data, const Options&, const T&, const T* shift) {
    for (int a = 0; a < modes; ++a) data.shift[a] += shift[a];
  }
};

using SolidHexahedron8Kernel = SolidKernel<SolidKind::hexahedron_8>;
using SolidHexahedron20Kernel = SolidKernel<SolidKind::hexahedron_20>;
using SolidHexahedron27Kernel = SolidKernel<SolidKind::hexahedron_27>;
using SolidTetrahedron4Kernel = SolidKernel<SolidKind::tetrahedron_4>;
using SolidTetrahedron10Kernel = SolidKernel<SolidKind::tetrahedron_10>;

}  // namespace flexura

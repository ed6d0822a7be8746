#pragma once

#include "flexura/element/solid_directions.hpp"
#include "flexura/element/solid_points.hpp"
#include "flexura/load/fibre_tension.hpp"

namespace flexura {

template <SolidKind its_kind>
struct FibreTensionKernel : FibreTension<its_kind> {
  using FibreTension<its_kind>::kind, FibreTension<its_kind>::nodes;
  static constexpr int places = place_count(kind);
  template <class T>
  using Params = typename FibreTension<its_kind>::template Params<T>;

  template <class T>
  struct Data {
    T weight[places];         ///< w factor
    T slope[places * nodes];  ///< a·B_i
  };
  template <class T>
  static Data<T> prepare(const Params<T>& p, const NoOptions&, const T* X) {
    Data<T> data;
    const SolidDirections<T> directions(p.center, p.axis, p.first);
    for (int k = 0; k < places; ++k) {
      const SolidPlace place = solid_place(kind, k);
      const SolidFunctions f = solid_functions(kind, place.x[0], place.x[1], place.x[2]);
      T G[9], inverse[9], at[3], a[3], along[3];
      solid_gradient(nodes, f.slope[0], X, G);
      data.weight[k] = T(place.weight) * p.factor * solid_inverse(G, inverse);
      solid_position(f, nodes, X, at);
      directions.along(p.direction.c, p.about, at, a);
      for (int i = 0; i < 3; ++i)
        along[i] = fma(inverse[3 * i], a[0], fma(inverse[3 * i + 1], a[1], inverse[3 * i + 2] * a[2]));
      for (int n = 0; n < nodes; ++n)
        data.slope[k * nodes + n] =
            fma(T(f.slope[n][0]), along[0], fma(T(f.slope[n][1]), along[1], T(f.slope[n][2]) * along[2]));
    }
    return data;
  }

  /// F a of place k, its length taken out.
  template <class T>
  struct Fibre {
    T length, u[3];
    Fibre(const Data<T>& data, int k, const T* x) {
      for (T& c : u) c = T(0.0);
      for (int n = 1; n < nodes; ++n)
        for (int i = 0; i < 3; ++i) u[i] = fma(data.slope[k * nodes + n], x[3 * n + i] - x[i], u[i]);
      length = sqrt(fma(u[0], u[0], fma(u[1], u[1], u[2] * u[2])));
      for (T& c : u) c = c / length;
    }
  };
  template <class T>
  static void residual(const Data<T>& data, const NoOptions&, const Context<T>& c, const T* x, const T*, T* r) {
    for (int i = 0; i < 3 * nodes; ++i) r[i] = T(0.0);
    for (int k = 0; k < places; ++k) {
      const Fibre<T> fibre(data, k, x);
      const T pull = -data.weight[k] * c.sig[0];
      for (int n = 0; n < nodes; ++n) {
        const T part = pull * data.slope[k * nodes + n];
        for (int i = 0; i < 3; ++i) r[3 * n + i] = fma(part, fibre.u[i], r[3 * n + i]);
      }
    }
  }
  template <class T>
  static void tangent(const Data<T>& data, const NoOptions&, const Context<T>& c, const T* x, const T*, double, T* K) {
    constexpr int n = 3 * nodes;
    for (int i = 0; i < n * n; ++i) K[i] = T(0.0);
    for (int k = 0; k < places; ++k) {
      const Fibre<T> fibre(data, k, x);
      const T pull = data.weight[k] * c.sig[0] / fibre.length;
      T P[9];
      for (int i = 0; i < 9; ++i) P[i] = fma(-fibre.u[i / 3], fibre.u[i % 3], T(i % 4 == 0 ? 1.0 : 0.0));
      for (int a = 0; a < nodes; ++a)
        for (int b = 0; b <= a; ++b) {
          const T part = pull * data.slope[k * nodes + a] * data.slope[k * nodes + b];
          for (int i = 0; i < 9; ++i) {
            T& entry = K[(3 * a + i / 3) * n + 3 * b + i % 3];
            entry = fma(part, P[i], entry);
          }
        }
    }
  }
};

using FibreTensionHexahedron8 = FibreTensionKernel<SolidKind::hexahedron_8>;
using FibreTensionHexahedron20 = FibreTensionKernel<SolidKind::hexahedron_20>;
using FibreTensionHexahedron27 = FibreTensionKernel<SolidKind::hexahedron_27>;
using FibreTensionTetrahedron4 = FibreTensionKernel<SolidKind::tetrahedron_4>;
using FibreTensionTetrahedron10 = FibreTensionKernel<SolidKind::tetrahedron_10>;

}  // namespace flexura

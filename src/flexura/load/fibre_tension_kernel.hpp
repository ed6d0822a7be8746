#pragma once

#include "flexura/element/full_plate_point.hpp"
#include "flexura/element/membrane_shape.hpp"
#include "flexura/element/solid_directions.hpp"
#include "flexura/element/solid_points.hpp"
#include "flexura/load/fibre_tension.hpp"

namespace flexura {

/// Tension along F a = Σ s_n x_n of places, whatever its length. from_first: where Σ s_n = 0, from the first node, so that an item far out
/// has no more rounding.
template <int places, int nodes, bool from_first>
struct TensionAtPlaces {
  template <class T>
  struct Data {
    T weight[places];         ///< w factor
    T slope[places * nodes];  ///< s_n
  };

  /// F a of place k, its length taken out.
  template <class T>
  struct Fibre {
    T length, u[3];
    Fibre(const Data<T>& data, int k, const T* x) {
      for (T& c : u) c = T(0.0);
      for (int n = 0; n < nodes; ++n)
        for (int i = 0; i < 3; ++i)
          u[i] = fma(data.slope[k * nodes + n], from_first ? x[3 * n + i] - x[i] : x[3 * n + i], u[i]);
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

template <SolidKind its_kind>
struct FibreTensionKernel : FibreTension<its_kind>, TensionAtPlaces<place_count(its_kind), node_count(its_kind), true> {
  using FibreTension<its_kind>::kind, FibreTension<its_kind>::nodes;
  static constexpr int places = place_count(kind);
  using Tension = TensionAtPlaces<places, nodes, true>;
  template <class T>
  using Params = typename FibreTension<its_kind>::template Params<T>;
  template <class T>
  using Data = typename Tension::template Data<T>;

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
};

template <int vectors>
struct PlateFibreTensionKernel : PlateFibreTension<vectors>,
                                 TensionAtPlaces<2 * PlateShape::places, FullPlate<vectors>::count, false> {
  using Plate = FullPlate<vectors>;
  static constexpr int layers = 2, places = layers * PlateShape::places, nodes = Plate::count;
  using Tension = TensionAtPlaces<places, nodes, false>;
  template <class T>
  using Params = typename PlateFibreTension<vectors>::template Params<T>;
  template <class T>
  using Data = typename Tension::template Data<T>;

  template <class T>
  static Data<T> prepare(const Params<T>& p, const NoOptions&, const T* X) {
    Data<T> data;
    const T factor[5] = {T(1.0), p.length, p.width, p.thickness, p.thickness * p.thickness};
    const T size = norm(p.direction);
    const Vec<3, T> along = T(1.0) / size * p.direction;
    T e[Plate::dofs];
    scale_plate<vectors>(factor, X, e);
    for (int k = 0; k < places; ++k) {
      const PlateShape::Values& shape = plate_surface[k / layers];
      const double zeta = Gauss<layers>::x[k % layers] - 0.5;
      Vec<3, T> g[3];
      PlateFrame<vectors, T>(shape, e).at(zeta, g);
      const PlateMetric<T> metric(g, PlateShape::weight(k / layers) / layers);
      data.weight[k] = p.factor * metric.weight;
      T a[3];  // of g_ξ, g_η, g_ζ: Σ_i d_i a_iα
      for (int alpha = 0; alpha < 3; ++alpha) {
        a[alpha] = T(0.0);
        for (int i = alpha; i < 3; ++i) a[alpha] = fma(along[i], metric.a[voigt[i][alpha]], a[alpha]);
      }
      for (int n = 0; n < nodes; ++n) {
        T c[3];
        plate_gradients<vectors>(shape, n, zeta, c);
        data.slope[k * nodes + n] = factor[n % Plate::functions] * fma(a[0], c[0], fma(a[1], c[1], a[2] * c[2]));
      }
    }
    return data;
  }
};

struct FibreTensionMembrane : MembraneFibreTension, TensionAtPlaces<1, 3, true> {
  using MembraneFibreTension::nodes;
  template <class T>
  using Params = MembraneFibreTension::Params<T>;
  template <class T>
  using Data = TensionAtPlaces<1, 3, true>::Data<T>;

  template <class T>
  static Data<T> prepare(const Params<T>& p, const NoOptions&, const T* X) {
    const TriangleShape<T> shape(X, p.first, p.thickness, p.stretch[0], p.stretch[1]);
    const Vec<2, T> along = (T(1.0) / norm(p.direction)) * p.direction;
    Data<T> data;
    data.weight[0] = p.factor * shape.volume;
    for (int n = 0; n < nodes; ++n) data.slope[n] = fma(along[0], shape.slope[n][0], along[1] * shape.slope[n][1]);
    return data;
  }
};

using FibreTensionHexahedron8 = FibreTensionKernel<SolidKind::hexahedron_8>;
using FibreTensionHexahedron20 = FibreTensionKernel<SolidKind::hexahedron_20>;
using FibreTensionHexahedron27 = FibreTensionKernel<SolidKind::hexahedron_27>;
using FibreTensionTetrahedron4 = FibreTensionKernel<SolidKind::tetrahedron_4>;
using FibreTensionTetrahedron10 = FibreTensionKernel<SolidKind::tetrahedron_10>;
using FibreTensionPlate48 = PlateFibreTensionKernel<1>;
using FibreTensionPlate60 = PlateFibreTensionKernel<2>;

}  // namespace flexura

#pragma once
// The law of solids and sheets that relax and have fibres, but for the change of volume.

#include "flexura/material/fibre_law.hpp"
#include "flexura/material/relaxing_law.hpp"

namespace flexura {

/// W by relaxing_law.hpp + ½ K (tr E)² + Σ fibre_law.hpp. Of St. Venant–Kirchhoff 2 μ dev E relaxes and the change of volume, ½ K (tr E)²,
/// does not.
template <class T>
struct CompositeLaw {
  LawOfStep<T> matrix;
  const T& trace_bulk;  ///< K of ½ K (tr E)²
  FibresAtPoints<T> fibres;

  T energy(int k, const T (&C)[6]) const { return matrix.energy(k, C) + beside(k, C); }
  /// What does not relax.
  T beside(int k, const T (&C)[6]) const {
    const T trace = trace_of(C);
    return fma(T(0.5) * trace_bulk * trace, trace, fibres.energy(k, C));
  }
  void stress(int k, const T (&C)[6], T (&S)[6]) const {
    matrix.stress(k, C, S);
    const T pull = trace_bulk * trace_of(C);
    for (int p = 0; p < 3; ++p) S[p] += pull;
    fibres.add_stress(k, C, S);
  }
  void stiffness(int k, const T (&C)[6], T (&S)[6], T (&D)[21]) const {
    matrix.stiffness(k, C, S, D);
    const T pull = trace_bulk * trace_of(C);
    for (int p = 0; p < 3; ++p) {
      S[p] += pull;
      for (int q = 0; q <= p; ++q) D[triangle(p, q)] += trace_bulk;
    }
    fibres.add_stiffness(k, C, S, D);
  }
  static T trace_of(const T (&C)[6]) { return T(0.5) * ((C[0] - T(1.0)) + (C[1] - T(1.0)) + (C[2] - T(1.0))); }
};

/// Its energy but for what relaxes.
template <class T>
struct LawBeside {
  const CompositeLaw<T>& law;
  T energy(int k, const T (&C)[6]) const { return law.beside(k, C); }
};

/// K, and in `shape` the constants of what relaxes.
template <class T>
T split_shape(ElasticLaw law, const ElasticConstants<T>& constants, ElasticConstants<T>& shape) {
  shape = constants;
  if (law != ElasticLaw::st_venant_kirchhoff) return T(0.0);
  shape.c[0] = T(-2.0 / 3) * shape.c[1];
  return fma(T(2.0 / 3), shape.c[1], constants.c[0]);
}

}  // namespace flexura

#pragma once
// The generated units of flexura_ensemble expand this, once per line of terms.def.

#include "flexura/assembly/make_batch.hpp"
#include "flexura/math/dual.hpp"
#include "flexura/term/kernels.hpp"

namespace flexura {

/// Kernels for items in lanes are the engine's.
template <Term E>
EnsembleTerm make_ensemble_term() {
  EnsembleTerm term{.name = E::name, .alone = &kernels_of<E, double>, .dual = &kernels_of<E, Dual<double>>};
  if constexpr (evaluated_alone<E>) term.in_lanes = &kernels_of<E, Lanes>;
  return term;
}

}  // namespace flexura

#define FLEXURA_REGISTER_ENSEMBLE(E)                                       \
  namespace flexura {                                                      \
  EnsembleTerm register_ensemble_##E() { return make_ensemble_term<E>(); } \
  }

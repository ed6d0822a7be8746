#pragma once
// The generated units of flexura_ensemble expand this, once per line of terms.def.

#include "flexura/assembly/make_batch.hpp"
#include "flexura/assembly/term_batch.hpp"

namespace flexura {

template <Term E>
EnsembleTerm make_ensemble_term() {
  return {E::name,
          [](const BatchItems& items) -> std::unique_ptr<Batch<double>> {
            return std::make_unique<TermBatch<E, double, 0>>(items);
          },
          [](const BatchItems& items) -> std::unique_ptr<Batch<Lanes>> {
            return std::make_unique<TermBatch<E, Lanes, 0>>(items);
          },
          [](const BatchItems& items) -> std::unique_ptr<Batch<Dual<double>>> {
            return std::make_unique<TermBatch<E, Dual<double>, 0>>(items);
          }};
}

}  // namespace flexura

#define FLEXURA_REGISTER_ENSEMBLE(E)                                       \
  namespace flexura {                                                      \
  EnsembleTerm register_ensemble_##E() { return make_ensemble_term<E>(); } \
  }

#include "flexura/assembly/make_batch.hpp"

#include <algorithm>

#include "flexura/assembly/term_batch.hpp"

namespace flexura {

#ifndef FLEXURA_ENSEMBLE

template <>
std::unique_ptr<Batch<double>> make_batch(const BatchItems& items) {
  const TermType& type = *items.batch->type;
  if (type.alone != nullptr) return std::make_unique<TermBatch<double, 0>>(items, *type.alone);
  return std::make_unique<TermBatch<double, native_lanes>>(items, *type.in_lanes);
}

#else

/// Both lists come from terms.def: every registered term has its entry.
const EnsembleTerm& ensemble_term(const TermType& type) {
  const std::span<const EnsembleTerm> terms = ensemble_terms();
  return *std::find_if(terms.begin(), terms.end(),
                       [&](const EnsembleTerm& term) { return term.name == type.info.name; });
}

template <>
std::unique_ptr<Batch<Lanes>> make_batch(const BatchItems& items) {
  const EnsembleTerm& term = ensemble_term(*items.batch->type);
  const Kernels<Lanes>* kernels = term.in_lanes != nullptr ? term.in_lanes : items.batch->type->in_lanes;
  return std::make_unique<TermBatch<Lanes, 0>>(items, *kernels);
}
template <>
std::unique_ptr<Batch<Dual<double>>> make_batch(const BatchItems& items) {
  return std::make_unique<TermBatch<Dual<double>, 0>>(items, *ensemble_term(*items.batch->type).dual);
}

std::unique_ptr<Batch<double>> make_batch_alone(const BatchItems& items) {
  return std::make_unique<TermBatch<double, 0>>(items, *ensemble_term(*items.batch->type).alone);
}

#endif

}  // namespace flexura

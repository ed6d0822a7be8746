#include "flexura/assembly/make_batch.hpp"

#include <algorithm>

namespace flexura {

#ifndef FLEXURA_ENSEMBLE

template <>
std::unique_ptr<Batch<double>> make_batch(const BatchItems& items) {
  return items.batch->type->make_solo(items);
}

#else

namespace {

/// Both lists come from terms.def: every registered term has its entry.
const EnsembleTerm& ensemble_term(const TermType& type) {
  const std::span<const EnsembleTerm> terms = ensemble_terms();
  return *std::find_if(terms.begin(), terms.end(),
                       [&](const EnsembleTerm& term) { return term.name == type.info.name; });
}

}  // namespace

template <>
std::unique_ptr<Batch<Lanes>> make_batch(const BatchItems& items) {
  return ensemble_term(*items.batch->type).make_lanes(items);
}
template <>
std::unique_ptr<Batch<Dual<double>>> make_batch(const BatchItems& items) {
  return ensemble_term(*items.batch->type).make_dual(items);
}

std::unique_ptr<Batch<double>> make_batch_alone(const BatchItems& items) {
  return ensemble_term(*items.batch->type).make_alone(items);
}

#endif

}  // namespace flexura

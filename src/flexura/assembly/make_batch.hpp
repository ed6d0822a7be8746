#pragma once
// Batches by the scalar of the simulation: of numbers from the engine's library, of lanes and duals from flexura_ensemble.

#include <memory>
#include <span>
#include <string_view>

#include "flexura/assembly/batch.hpp"
#include "flexura/math/dual.hpp"

namespace flexura {

template <class T>
struct Kernels;  // term/kernels.hpp
template <class V>
struct Taped;  // math/taped.hpp

/// A term's kernels for the scalars of flexura_ensemble, by its name.
struct EnsembleTerm {
  std::string_view name;
  const Kernels<double>* alone = nullptr;
  const Kernels<Dual<double>>* dual = nullptr;
  const Kernels<Lanes>* in_lanes = nullptr;  ///< nullptr: those of the TermType
  const Kernels<Dual<Lanes>>* dual_lanes =
      nullptr;                                   ///< of forces, masses and memory alone; nullptr: one item at a time
  const Kernels<Taped<Lanes>>* taped = nullptr;  ///< the same of what relaxes; nullptr: there are none
};

/// All terms of terms.def, in its order.
std::span<const EnsembleTerm> ensemble_terms();
const EnsembleTerm& ensemble_term(const TermType& type);

template <class S>
std::unique_ptr<Batch<S>> make_batch(const BatchItems& items);
template <>
std::unique_ptr<Batch<double>> make_batch(const BatchItems& items);
template <>
std::unique_ptr<Batch<Lanes>> make_batch(const BatchItems& items);
template <>
std::unique_ptr<Batch<Dual<double>>> make_batch(const BatchItems& items);

/// Items one at a time instead of in lanes, which gives the same bits: for AssemblerOptions::make_batch; of flexura_ensemble.
std::unique_ptr<Batch<double>> make_batch_alone(const BatchItems& items);

}  // namespace flexura

#pragma once
// The generated units of flexura_ensemble expand this, once per line of terms.def.

#include "flexura/assembly/make_batch.hpp"
#include "flexura/math/dual.hpp"
#include "flexura/math/taped.hpp"
#include "flexura/term/kernels.hpp"

namespace flexura {

/// Those of which products are taken (solve/item_products.hpp).
template <Term E, class T>
constexpr Kernels<T> make_product_kernels() {
  using Of = KernelsOf<E, T>;
  Kernels<T> k;
  k.shape = shape_of<E>();
  k.data_size = sizeof(DataOf<E, T>);
  k.read_options = Of::read_options;
  k.prepare = Of::template prepare<T>;
  if constexpr (!std::is_trivially_destructible_v<DataOf<E, T>>) k.destroy = Of::destroy;
  if constexpr (HasMass<E>) k.mass = Of::mass;
  if constexpr (HasResidual<E>) {
    k.residual = Of::residual;
    if constexpr (requires(const OptionsOf<E>& o) { E::uses_velocity(o); }) k.uses_velocity = Of::uses_velocity;
  }
  if constexpr (HasHistory<E>) k.remember = Of::remember;
  return k;
}
template <Term E, class T>
inline constexpr Kernels<T> product_kernels_of = make_product_kernels<E, T>();

/// Kernels for items in lanes are the engine's.
template <Term E>
EnsembleTerm make_ensemble_term() {
  EnsembleTerm term{.name = E::name, .alone = &kernels_of<E, double>, .dual = &kernels_of<E, Dual<double>>};
  if constexpr (evaluated_alone<E>) {
    term.in_lanes = &kernels_of<E, Lanes>;
  }
#ifndef FLEXURA_CORE_ONLY  // which takes no products
  else {
    term.dual_lanes = &product_kernels_of<E, Dual<Lanes>>;
    if constexpr (HasHistory<E> && E::role == Role::conservative) term.taped = &product_kernels_of<E, Taped<Lanes>>;
  }
#endif
  return term;
}

}  // namespace flexura

#define FLEXURA_REGISTER_ENSEMBLE(E)                                       \
  namespace flexura {                                                      \
  EnsembleTerm register_ensemble_##E() { return make_ensemble_term<E>(); } \
  }

#pragma once
// What a weighted sum of the items' forces, and of what they remember, feels of their own numbers and coordinates: exact, several items at
// a time, by kernels on duals, one evaluation for each number; what relaxes reads so many of its own memory that its kernels are gone
// through backwards instead (math/taped.hpp), one evaluation for all. Part of flexura_ensemble.
//
//     by_numbers     λ·∂f/∂(parameters, reference, damping) of each direction,     f = Q + M g − M a − α M v
//     by_state       λ·∂Q/∂(q, v, signals, past), each where it belongs
//
// Items without a direction or a seed are not evaluated.

#include <memory>
#include <span>
#include <vector>

#include "flexura/assembly/batch.hpp"

namespace flexura {

/// A way in which an item's own numbers may change.
struct ItemDirection {
  int item = 0;
  std::vector<double> parameters, reference;  ///< as the term has them; reference: local coordinates
  double mass_damping = 0;
};

/// A number of the state that an item reads: coordinate, velocity, signal (value or rate) or what it remembers.
struct ItemSeed {
  enum Of { q, v, signal, signal_rate, past } of = q;
  int item = 0, index = 0;  ///< local
  auto operator<=>(const ItemSeed&) const = default;
};

/// λ in full space [nq] and weights of what is remembered next [history]; either may be null.
struct ItemWeights {
  const double *force = nullptr, *next = nullptr;
};

/// Where by_state adds to [nq, nq, signals, signals, history].
struct StateProducts {
  double *q = nullptr, *v = nullptr, *u = nullptr, *du = nullptr, *past = nullptr;
};

/// Accelerations and gravity where masses are felt; null: they are not.
struct ItemInertia {
  const double *a = nullptr, *gravity = nullptr;
};

/// Of the items of one batch.
class ItemProducts {
 public:
  virtual ~ItemProducts() = default;
  // Both return how many times they evaluated the items of a block.

  /// sums[k] += what is felt of direction k.
  virtual long by_numbers(const In<double>& in, const ItemInertia& inertia, const ItemWeights& weights,
                          double* sums) const = 0;
  virtual long by_state(const In<double>& in, const ItemWeights& weights, const StateProducts& to) const = 0;
};

std::unique_ptr<ItemProducts> make_item_products(const Topology& topology, const Values& values, int batch,
                                                 std::span<const ItemDirection> directions,
                                                 std::vector<ItemSeed> seeds);

}  // namespace flexura

#pragma once
// What the equations of a state feel of any number of numbers of a scene at once: μᵀ ∂R/∂p, by the numbers of the items themselves.
//
//     R = Tᵀ (Q − C v − M a),    q = T y + b        μᵀ ∂R/∂p = Σ over items (Tμ)ᵀ ∂f/∂(own numbers) · ∂(own numbers)/∂p
//                                                              + the same by dependents, relations, signals and gravity
//
// Products of the first factors are summed over all steps; the second, which no step changes, comes once at the end. An item is
// differentiated in as many directions as numbers touch it, or as it has own numbers that change, whichever is less: more numbers cost
// no more evaluations then. Part of flexura_ensemble.

#include <memory>
#include <span>
#include <vector>

#include "flexura/integrate/newmark_tangent.hpp"
#include "flexura/solve/item_products.hpp"
#include "flexura/solve/state.hpp"
#include "flexura/solve/system.hpp"

namespace flexura {

class NumberProducts {
 public:
  /// `directions`: what the model's numbers change by with each number; `asked`: effective signals that something is asked of.
  NumberProducts(const Model& model, std::span<const Values* const> directions, std::span<const int> asked);

  /// Forgets what has been summed.
  void clear() { std::ranges::fill(sums_, 0.0); }
  /// ∂/∂(number) of all that has been added.
  double slope(size_t number) const;
  /// Kernels on duals that have been called, each of several items.
  long evaluations() const { return evaluations_; }

  // What follows is evaluated with these.
  void set_signals(std::span<const SignalValue> signals);
  void look_back(const std::vector<double>& past, double h) { past_ = past, since_ = h; }

  /// Adds μᵀ ∂R by the numbers; `felt` += by the signals, `past` (unless null) += by what is remembered. The state has its dependents;
  /// `assembler` has the signals and the history.
  void equations(const State<double>& state, std::span<const double> mu, bool inertia,
                 const Assembler<double>& assembler, SignalCotangent& felt, double* past);
  /// z.q and z.v += μᵀ ∂R by all coordinates but multipliers, dependents by themselves. What masters and signals have of these is left to
  /// fold_dependents.
  void by_state(const State<double>& state, std::span<const double> mu, const Assembler<double>& assembler,
                Cotangent& z);
  /// Adds what `next`, weights of what is remembered at the state, feels of the numbers; z.q, z.v, `felt` and `past` += by all else.
  void memory(const State<double>& state, const double* next, Cotangent& z, SignalCotangent& felt, double* past);
  /// Adds what dependents feel, z at these, of the numbers of their relations.
  void places(const State<double>& state, const Cotangent& z) { add_places(state, z.q.data(), z.v.data(), z.a.data()); }

 private:
  struct Use {  ///< of sums_
    size_t sum;
    double factor;
  };
  void find_relations(std::span<const Values* const> directions, std::span<const int> asked);
  void find_items(std::span<const Values* const> directions);
  std::vector<ItemDirection> directions_of(int batch, std::span<const Values* const> directions);
  std::vector<ItemSeed> seeds_of(int batch) const;
  void add_signals(const ItemBatch& items, int item, std::vector<ItemSeed>& out) const;
  std::vector<ItemSeed> seeds_of_memory(int batch) const;
  std::vector<ItemSeed> seeds_of_state(int batch, bool rates) const;
  void find_gravity(std::span<const Values* const> directions);
  In<double> input(const State<double>& state) const;
  void spread(std::span<const double> mu);
  void add_places(const State<double>& state, const double* q, const double* v, const double* a);
  void add_relations(const State<double>& state, std::span<const double> mu, bool inertia,
                     const Assembler<double>& assembler);
  void add_gravity(SignalCotangent& felt);

  const Topology& topology_;
  const Values& values_;
  std::vector<std::vector<Use>> uses_;  ///< by number
  std::vector<double>
      sums_;  ///< of directions of items; then of weights, bases and directions of relations, and of gravity
  std::vector<size_t> first_;                                  ///< of each batch in sums_
  size_t weights_ = 0, bases_ = 0, drives_ = 0, gravity_ = 0;  ///< where these begin
  std::vector<std::unique_ptr<ItemProducts>> items_, memory_;  ///< by batch; null: nothing to do
  std::vector<std::unique_ptr<ItemProducts>> state_;           ///< made when it is asked for
  std::vector<int> moved_, driven_;   ///< dependents whose relations change, and those that asked signals move
  std::vector<char> felt_dependent_;  ///< of them, either
  std::vector<char> asked_;           ///< by effective signal
  bool weights_change_ = false, gravity_felt_ = false;
  std::vector<double> totals_;  ///< mass that gravity acts on, by slot
  std::vector<double> u_, du_, ddu_, past_;
  double since_ = 0;
  std::vector<double> force_, q_, v_, a_, residual_;
  long evaluations_ = 0;
};

}  // namespace flexura

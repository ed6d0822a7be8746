#pragma once
// Gather → evaluate in lanes → scatter, for the items of any term: all that a batch knows of its term is a table of kernels.
//
// Kernel scalar and items per block:   T = Pack<L>, L items, for L > 0;   T = S, one item, for L = 0.

#include "flexura/assembly/batch.hpp"
#include "flexura/assembly/scatter.hpp"
#include "flexura/term/kernels.hpp"

namespace flexura {

/// Data of blocks, one after the other, as a table of kernels makes and reads them; T is what they are made of.
template <class T>
class BlockData {
 public:
  BlockData(size_t blocks, size_t size, void (*destroy)(void* data))
      : stride_((size + sizeof(Unit) - 1) / sizeof(Unit)), units_(blocks * stride_), destroy_(destroy) {}
  BlockData(const BlockData&) = delete;
  BlockData& operator=(const BlockData&) = delete;
  ~BlockData() {
    if (destroy_ == nullptr) return;
    for (size_t block = 0; block < made_; ++block) destroy_(&units_[block * stride_]);
  }

  /// make(data) constructs the next block's.
  void add(auto&& make) {
    make(static_cast<void*>(&units_[made_ * stride_]));
    ++made_;
  }
  const void* operator[](size_t block) const { return &units_[block * stride_]; }

 private:
  struct Unit {
    alignas(T) std::byte bytes[sizeof(T)];
  };
  size_t stride_, made_ = 0;
  std::vector<Unit> units_;
  void (*destroy_)(void* data);
};

template <class S, int L>
class TermBatch final : public Batch<S> {
  using Scalar = ItemScalar<S, L>;
  using T = typename Scalar::T;
  using V = ValueOf<S>;
  using Block = ItemBlock<S, L>;
  static constexpr bool in_lanes = Scalar::in_lanes;
  static constexpr int lanes = Scalar::lanes;

 public:
  TermBatch(const BatchItems& items, const Kernels<T>& kernels);

  void residual(int chunk, const In<S>& in, S* r) const override;
  void tangent(int chunk, const In<S>& in, double cd, V* values) const override;
  S energy(const In<S>& in) const override;
  S dissipation(const In<S>& in) const override;
  S loss(const In<S>& in) const override;
  void remember(int chunk, const In<S>& in, S* history) const override;
  void begin(const In<S>& in, S* history) const override;
  void probe(int item, const In<S>& in, const std::array<double, 3>& place, S* out) const override;
  void item_force(int item, const In<S>& in, S* local) const override;
  void constraint_motion(int chunk, const In<S>& in, const ConstraintMotion<S>& out) const override;
  void step_residual(int chunk, const In<S>& begin, const In<S>& mid, const In<S>& end, S* r) const override;
  void step_tangent(int chunk, const In<S>& begin, const In<S>& mid, const In<S>& end, double cd,
                    V* values) const override;
  void mass(int item, S* m) const override;

 private:
  /// A block over a step that keeps the energy; term_batch_step.cpp.
  class Step;

  void prepare(const BatchItems& items, int block);
  int block_count() const { return (count_ + lanes - 1) / lanes; }
  /// An elastic item for a tangent of predicted stresses.
  void predict(const void* data, const T* x0, const T* x, T* room, void* predicted) const;
  S sum(const In<S>& in, auto&& part) const;
  /// Of an item in all lanes; room: see Block::room().
  Context<T> context_of(int item, const In<S>& in, T* room) const;
  void put_history(const Block& b, const T* numbers, S* history) const;
  bool is_multiplier(int offset_in_q) const {
    return this->maps.first_multiplier <= offset_in_q && offset_in_q < this->maps.end_multiplier;
  }
  const void* data(const Block& b) const { return data_[b.index]; }

  const Kernels<T>& kernels_;
  BlockPlan<S> plan_;
  int n_, ns_, count_;
  bool uses_velocity_ = true;
  alignas(16) std::byte options_[most_options];
  BlockData<T> data_, data_along_;  ///< the latter for constraint_motion
  std::vector<T> inertia_;  ///< [blocks × slots]: what each slot has of the item's mass; empty where no step needs it
};

}  // namespace flexura

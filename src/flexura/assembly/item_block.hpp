#pragma once
// What kernels read of the items of a batch: as many at a time as a kernel's scalar has lanes.
//
// Kernel scalar and items per block:   T = Pack<L>, L items, for L > 0;   T = S, one item, for L = 0.

#include <type_traits>

#include "flexura/assembly/batch.hpp"
#include "flexura/math/entries.hpp"
#include "flexura/term/kernels.hpp"

namespace flexura {

template <class S, int L>
struct ItemScalar {
  static constexpr bool in_lanes = L > 0;
  static constexpr int lanes = in_lanes ? L : 1;
  static constexpr bool packed = L == 4;  ///< four coordinates of four items are transposed in registers
  using T = std::conditional_t<in_lanes, Pack<in_lanes ? L : 1>, S>;
};

/// The number of one item where a block holds several.
template <class S, int L>
[[gnu::always_inline]] inline S item_of(const typename ItemScalar<S, L>::T& numbers, int lane) {
  if constexpr (L > 0) {
    return reinterpret_cast<const double*>(&numbers)[lane];
  } else {
    return numbers;
  }
}

/// What all blocks of a batch have in common.
template <class S>
struct BlockPlan {
  TermShape shape;
  const ItemMaps<S>* maps = nullptr;
  std::vector<int> slot_of_chunk;      ///< the slot that begins at coordinate 4c; −1 if none does
  int history = 0, first_history = 0;  ///< numbers that an item remembers, and where the first item's are
  int chunks() const { return static_cast<int>(slot_of_chunk.size()); }
};

/// The blocks of a chunk, one after the other. A chunk begins at a multiple of the lanes.
template <class S, int L>
class ItemBlock {
  static constexpr bool in_lanes = ItemScalar<S, L>::in_lanes, packed = ItemScalar<S, L>::packed;
  static constexpr int lanes = ItemScalar<S, L>::lanes;

 public:
  using T = typename ItemScalar<S, L>::T;

  /// Numbers of signals and history that `room` has to hold.
  static int room(const BlockPlan<S>& plan) { return 2 * plan.shape.signals + plan.shape.most_history; }

  ItemBlock(const BlockPlan<S>& plan, int chunk, const In<S>& in, T* room)
      : first(plan.maps->chunk_first[chunk]),
        plan_(plan),
        maps_(*plan.maps),
        in_(in),
        last_(plan.maps->chunk_first[chunk + 1]),
        sig_(room),
        sig_rate_(room + plan.shape.signals),
        past_(room + 2 * static_cast<std::ptrdiff_t>(plan.shape.signals)) {
    context.t = in.t;
    if (plan.shape.signals > 0) {
      context.sig = sig_;
      context.sig_rate = sig_rate_;
    }
    if (plan.shape.remembers) {
      context.past = past_;
      context.h = in.h;
    }
    enter();
  }

  bool more() const { return first < last_; }
  void next() {
    first += lanes;
    enter();
  }
  /// Reads signals of another moment.
  void at(const In<S>& in) {
    context.t = in.t;
    if (plan_.shape.remembers) context.h = in.h;
    read_signals(in.sig, sig_);
    read_signals(in.sig_rate, sig_rate_);
  }
  void read_signals(const S* from, T* to) const {
    if (plan_.shape.signals == 0) return;
    for (int a = 0; a < plan_.shape.slots; ++a) {
      if (plan_.shape.kinds[a] != SlotKind::signal) continue;
      if constexpr (packed) {
        *to = T(typename T::Lanes{from[items_[0][a]], from[items_[1][a]], from[items_[2][a]], from[items_[3][a]]});
      } else if constexpr (in_lanes) {
        for (int lane = 0; lane < lanes; ++lane) to->set(lane, from[item(lane)[a]]);
      } else {
        *to = from[item(0)[a]];
      }
      ++to;
    }
  }
  /// Lanes beyond the last item repeat it; their results are never scattered.
  const int* item(int lane) const { return items_[lane]; }
  void gather(const S* from, T* x) const {
    const TermShape& shape = plan_.shape;
    if constexpr (packed) {
      const auto [i0, i1, i2, i3] = items_;
      if (maps_.gather_packs) {
        const int* slot = plan_.slot_of_chunk.data();
        for (const int* end = slot + plan_.chunks(); slot != end; ++slot, x += 4) {
          const int a = *slot;
          T part[4] = {load_entries<T>(from + i0[a]), load_entries<T>(from + i1[a]), load_entries<T>(from + i2[a]),
                       load_entries<T>(from + i3[a])};
          transpose(part);
          for (int k = 0; k < 4; ++k) x[k] = part[k];
        }
        return;
      }
      for (int a = 0; a < shape.slots; ++a) {
        const double *p0 = from + i0[a], *p1 = from + i1[a], *p2 = from + i2[a], *p3 = from + i3[a];
        for (int i = 0; i < shape.size(a); ++i) *x++ = T(typename T::Lanes{p0[i], p1[i], p2[i], p3[i]});
      }
    } else {
      if constexpr (!in_lanes) {
        if (maps_.gather_packs) {
          const int* at = item(0);
          for (const int a : plan_.slot_of_chunk) {
            for (int k = 0; k < 4; ++k) x[k] = from[at[a] + k];
            x += 4;
          }
          return;
        }
      }
      for (int a = 0; a < shape.slots; ++a)
        for (int i = 0; i < shape.size(a); ++i, ++x) {
          if constexpr (in_lanes) {
            for (int lane = 0; lane < lanes; ++lane) x->set(lane, from[item(lane)[a] + i]);
          } else {
            *x = from[item(0)[a] + i];
          }
        }
    }
  }

  int first, index = 0, filled = 0;  ///< item, block, items in it
  Context<T> context;

 private:
  void enter() {
    index = first / lanes;
    filled = last_ - first < lanes ? last_ - first : lanes;
    if (!more()) return;
    const int* gather = &maps_.gather[static_cast<size_t>(first) * plan_.shape.slots];
    for (int lane = 0; lane < lanes; ++lane)
      items_[lane] = gather + static_cast<std::ptrdiff_t>(lane < filled ? lane : filled - 1) * plan_.shape.slots;
    read_signals(in_.sig, sig_);
    read_signals(in_.sig_rate, sig_rate_);
    if (plan_.shape.remembers) recall();
  }
  void recall() {
    const S* from = in_.past + plan_.first_history;
    for (int lane = 0; lane < lanes; ++lane) {
      const S* number = from + static_cast<std::ptrdiff_t>(first + (lane < filled ? lane : filled - 1)) * plan_.history;
      for (int k = 0; k < plan_.history; ++k) {
        if constexpr (in_lanes) {
          past_[k].set(lane, number[k]);
        } else {
          past_[k] = number[k];
        }
      }
    }
  }

  const BlockPlan<S>& plan_;
  const ItemMaps<S>& maps_;
  const In<S>& in_;
  int last_;
  std::array<const int*, lanes> items_{};
  T *sig_, *sig_rate_, *past_;
};

}  // namespace flexura

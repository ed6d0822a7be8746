#pragma once
// Items that item_products.hpp evaluates several at a time: their data, what their kernels read of a state, and what they give.

#include <algorithm>
#include <span>
#include <vector>

#include "flexura/assembly/term_batch.hpp"
#include "flexura/solve/item_products.hpp"

namespace flexura {

/// Kernels on T = Dual<Pack<L>> or Taped<Pack<L>>, or one item at a time on Dual<double>, L = 1.
template <class T, int L>
class ItemBlocks {
 public:
  ItemBlocks(const Topology& topology, int batch, const Kernels<T>& kernels, size_t count)
      : topology_(topology),
        batch_(topology.batches[batch]),
        kernels_(kernels),
        n_(kernels.shape.dofs),
        ns_(kernels.shape.slots),
        room_(*this),
        data_(count, kernels.data_size, kernels.destroy) {
    kernels.read_options(batch_.options, options_);
    if (kernels.uses_velocity != nullptr) uses_velocity_ = kernels.uses_velocity(options_);
  }

 protected:
  using Seeds = std::vector<std::pair<ItemSeed::Of, int>>;
  struct Items {
    int item[L] = {};
    int filled = 0;
    Seeds seeds;
    std::vector<int> from, signals;  ///< [coordinates × lanes] in q, [signals × lanes]
  };

  // ── numbers as kernels have them: values of all lanes, and with duals their slopes behind ──
  static double* entries(T& number) { return reinterpret_cast<double*>(&number); }
  static const double* entries(const T& number) { return reinterpret_cast<const double*>(&number); }
  static constexpr double* StateProducts::* to_of[] = {&StateProducts::q, &StateProducts::v, &StateProducts::u,
                                                       &StateProducts::du, &StateProducts::past};

  /// Numbers that kernels read and write.
  struct Room {
    explicit Room(const ItemBlocks& of)
        : numbers(static_cast<size_t>(3) * of.n_ + 2 * of.kernels_.shape.signals + 2 * of.kernels_.shape.most_history,
                  T(0.0)),
          weights(static_cast<size_t>(L) * (of.n_ + of.kernels_.shape.most_history)) {
      const int signals = of.kernels_.shape.signals, history = of.kernels_.shape.most_history;
      x = numbers.data(), v = x + of.n_, forces = v + of.n_, sig = forces + of.n_, sig_rate = sig + signals;
      past = sig_rate + signals, next = past + history;
      of_force = weights.data(), of_next = of_force + static_cast<std::ptrdiff_t>(L) * of.n_;
      context.sig = sig, context.sig_rate = sig_rate;
      if (of.kernels_.shape.remembers) context.past = past;
    }
    T* part(ItemSeed::Of of) const {
      T* const parts[] = {x, v, sig, sig_rate, past};
      return parts[of];
    }
    std::vector<T> numbers;
    std::vector<double> weights;
    T *x, *v, *forces, *sig, *sig_rate, *past, *next;
    double *of_force, *of_next;
    Context<T> context;
  };

  /// Blocks of items with what they are asked for; sorts the seeds by item.
  static size_t count_blocks(std::vector<ItemSeed>& seeds) {
    std::ranges::sort(seeds, [](const ItemSeed& a, const ItemSeed& b) { return a.item < b.item; });
    size_t items = 0;
    for (size_t k = 0; k < seeds.size(); ++k) items += k == 0 || seeds[k].item != seeds[k - 1].item;
    return (items + L - 1) / L;
  }
  std::vector<Items> blocks_of(const std::vector<ItemSeed>& seeds) const {
    const auto reads = [&](const ItemSeed& seed) {
      return seed.of != ItemSeed::v || (uses_velocity_ && kernels_.shape.role != Role::constraint);
    };
    std::vector<Items> out;
    for (size_t k = 0; k < seeds.size();) {
      Items& items = out.emplace_back();
      while (k < seeds.size() && items.filled < L) {
        const int item = seeds[k].item;
        items.item[items.filled++] = item;
        for (; k < seeds.size() && seeds[k].item == item; ++k)
          if (reads(seeds[k])) items.seeds.emplace_back(seeds[k].of, seeds[k].index);
      }
      for (int lane = items.filled; lane < L; ++lane) items.item[lane] = items.item[items.filled - 1];
      std::ranges::sort(items.seeds);
      items.seeds.erase(std::ranges::unique(items.seeds).begin(), items.seeds.end());
      find_places(items);
    }
    return out;
  }

  int slot_of(int item, int a) const { return batch_.slots[static_cast<size_t>(item) * ns_ + a]; }
  /// Where a seed's number is in q, among the signals or in the history.
  int place_of(int item, ItemSeed::Of of, int index) const {
    if (of == ItemSeed::past) return batch_.first_history + item * batch_.history + index;
    int signal = 0;
    for (int a = 0; a < ns_; ++a) {
      const bool is_signal = kernels_.shape.kinds[a] == SlotKind::signal;
      if (of == ItemSeed::signal || of == ItemSeed::signal_rate) {
        if (is_signal && signal++ == index) return slot_of(item, a);
      } else if (!is_signal && kernels_.shape.offsets[a] <= index && index < kernels_.shape.offsets[a + 1]) {
        return topology_.slots[slot_of(item, a)].offset + index - kernels_.shape.offsets[a];
      }
    }
    return -1;
  }

  /// The next block's data. `change(lane)`: of duals, the slopes of an item's numbers; null: none.
  void prepare(const Values& values, int batch, const Items& items, auto&& change) {
    const int np = batch_.type->info.parameter_count();
    std::vector<T> numbers(np + 1, T(0.0)), X(n_ + 1, T(0.0));
    for (int lane = 0; lane < L; ++lane) {
      const int item = items.item[lane];
      const ItemDirection* slopes = change(lane);
      for (int k = 0; k < np; ++k) {
        entries(numbers[k])[lane] = values.parameters[batch][static_cast<size_t>(item) * np + k];
        if (slopes != nullptr) entries(numbers[k])[L + lane] = slopes->parameters[k];
      }
      for (int a = 0; a < ns_; ++a)
        for (int i = kernels_.shape.offsets[a]; i < kernels_.shape.offsets[a + 1]; ++i) {
          entries(X[i])[lane] =
              values.reference[topology_.slots[slot_of(item, a)].offset + i - kernels_.shape.offsets[a]];
          if (slopes != nullptr) entries(X[i])[L + lane] = slopes->reference[i];
        }
    }
    data_.add([&](void* data) { kernels_.prepare(numbers.data(), options_, X.data(), data); });
  }

  void find_places(Items& items) const {
    const TermShape& shape = kernels_.shape;
    items.from.resize(static_cast<size_t>(n_) * L);
    items.signals.resize(static_cast<size_t>(shape.signals) * L);
    for (int lane = 0; lane < L; ++lane)
      for (int a = 0, signal = 0; a < ns_; ++a) {
        const int slot = slot_of(items.item[lane], a);
        if (shape.kinds[a] == SlotKind::signal) {
          items.signals[L * signal++ + lane] = slot;
          continue;
        }
        for (int i = shape.offsets[a]; i < shape.offsets[a + 1]; ++i)
          items.from[L * i + lane] = topology_.slots[slot].offset + i - shape.offsets[a];
      }
  }
  /// Values; what stands behind them stays.
  void gather(const Items& items, const In<double>& in, const ItemWeights& weights) const {
    const auto put = [](const std::vector<int>& from, const double* values, T* to) {
      for (size_t k = 0; k < from.size(); k += L, ++to)
        for (int lane = 0; lane < L; ++lane) entries(*to)[lane] = values[from[k + lane]];
    };
    room_.context.t = in.t;
    put(items.from, in.q, room_.x);
    put(items.from, in.v, room_.v);
    put(items.signals, in.sig, room_.sig);
    put(items.signals, in.sig_rate, room_.sig_rate);
    if (weights.force != nullptr)
      for (size_t k = 0; k < items.from.size(); ++k) room_.of_force[k] = weights.force[items.from[k]];
    if (kernels_.shape.remembers) room_.context.h = in.h;
    for (int lane = 0; lane < L; ++lane) {
      const size_t first =
          static_cast<size_t>(batch_.first_history) + static_cast<size_t>(items.item[lane]) * batch_.history;
      for (int k = 0; k < batch_.history; ++k) {
        entries(room_.past[k])[lane] = in.past[first + k];
        if (weights.next != nullptr) room_.of_next[k * L + lane] = weights.next[first + k];
      }
    }
  }
  /// take(number, its weights by lane) of all that the kernels give.
  void evaluate(size_t block, const ItemWeights& weights, auto&& take) const {
    if (weights.force != nullptr && kernels_.residual != nullptr) {
      kernels_.residual(data_[block], options_, room_.context, room_.x, uses_velocity_ ? room_.v : room_.x,
                        room_.forces);
      for (int i = 0; i < n_; ++i) take(room_.forces[i], room_.of_force + i * L);
    }
    if (weights.next != nullptr && batch_.history > 0) {
      kernels_.remember(data_[block], options_, room_.context, room_.x, room_.v, room_.next);
      for (int i = 0; i < batch_.history; ++i) take(room_.next[i], room_.of_next + i * L);
    }
  }

  const Topology& topology_;
  const ItemBatch& batch_;
  const Kernels<T>& kernels_;
  int n_, ns_;
  mutable Room room_;  ///< one call at a time
  bool uses_velocity_ = true;
  alignas(16) std::byte options_[most_options];
  BlockData<T> data_;
};

}  // namespace flexura

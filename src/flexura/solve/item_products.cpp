#include "flexura/solve/item_products.hpp"

#include <algorithm>

#include "flexura/assembly/make_batch.hpp"
#include "flexura/assembly/term_batch.hpp"
#include "flexura/math/stack.hpp"

namespace flexura {
namespace {

/// Kernels on T = Dual<Pack<L>>, or one item at a time, T = Dual<double>.
template <class T, int L>
class Products final : public ItemProducts {
 public:
  Products(const Topology& topology, const Values& values, int batch, std::span<const ItemDirection> directions,
           std::vector<ItemSeed> seeds, const Kernels<T>& kernels)
      : topology_(topology),
        batch_(topology.batches[batch]),
        kernels_(kernels),
        n_(kernels.shape.dofs),
        ns_(kernels.shape.slots),
        room_(*this),
        by_number_((directions.size() + L - 1) / L, kernels.data_size, kernels.destroy),
        by_state_(blocks_of(seeds), kernels.data_size, kernels.destroy) {
    kernels.read_options(batch_.options, options_);
    if (kernels.uses_velocity != nullptr) uses_velocity_ = kernels.uses_velocity(options_);
    for (size_t first = 0; first < directions.size(); first += L) {
      Items items;
      const ItemDirection* changes[L];
      for (int lane = 0; lane < L; ++lane) {
        changes[lane] = &directions[std::min(first + lane, directions.size() - 1)];
        items.item[lane] = changes[lane]->item;
      }
      items.filled = static_cast<int>(std::min<size_t>(L, directions.size() - first));
      find_places(items);
      numbers_.push_back(items);
      by_number_.add([&](void* data) { prepare(values, batch, items, changes, data); });
      add_masses(values, batch, items, changes, by_number_[numbers_.size() - 1]);
    }
    const auto reads = [&](const ItemSeed& seed) {
      return seed.of != ItemSeed::v || (uses_velocity_ && kernels.shape.role != Role::constraint);
    };
    for (size_t k = 0; k < seeds.size();) {
      Items items;
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
      states_.push_back(items);
      by_state_.add([&](void* data) { prepare(values, batch, items, {}, data); });
    }
  }

  long by_numbers(const In<double>& in, const ItemInertia& inertia, const ItemWeights& weights,
                  double* sums) const override {
    for (size_t b = 0; b < numbers_.size(); ++b, sums += L) {
      const Items& items = numbers_[b];
      double felt[L] = {};
      gather(items, in, weights, room_);
      evaluate(by_number_[b], room_, weights, felt);
      if (!masses_.empty() && inertia.gravity != nullptr) add_inertia(masses_[b], in, inertia, weights, felt);
      for (int lane = 0; lane < items.filled; ++lane) sums[lane] += felt[lane];
    }
    return static_cast<long>(numbers_.size());
  }

  long by_state(const In<double>& in, const ItemWeights& weights, const StateProducts& to) const override {
    long evaluations = 0;
    for (size_t b = 0; b < states_.size(); ++b) {
      const Items& items = states_[b];
      gather(items, in, weights, room_);
      for (const auto& [of, index] : items.seeds) {
        double* felt_by = to.*to_of[of];
        if (felt_by == nullptr) continue;
        T& number = room_.part(of)[index];
        set_slope(number, 1);
        double felt[L] = {};
        evaluate(by_state_[b], room_, weights, felt);
        set_slope(number, 0);
        for (int lane = 0; lane < items.filled; ++lane) felt_by[place_of(items.item[lane], of, index)] += felt[lane];
        ++evaluations;
      }
    }
    return evaluations;
  }

 private:
  static constexpr double* StateProducts::* to_of[] = {&StateProducts::q, &StateProducts::v, &StateProducts::u,
                                                       &StateProducts::du, &StateProducts::past};
  struct Items {
    int item[L] = {};
    int filled = 0;
    std::vector<std::pair<ItemSeed::Of, int>> seeds;
    std::vector<int> from, signals;  ///< [coordinates × lanes] in q, [signals × lanes]
  };
  /// What a direction changes of an item's mass and damping, and where: slots with the offsets of their coordinates.
  struct Mass {
    int lane, row, column, size;
    bool point;  ///< gravity acts on the column
    double mass, damping;
  };
  /// Numbers that kernels read and write.
  struct Room {
    explicit Room(const Products& of)
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

  static size_t blocks_of(std::vector<ItemSeed>& seeds) {
    std::ranges::sort(seeds, [](const ItemSeed& a, const ItemSeed& b) { return a.item < b.item; });
    size_t items = 0;
    for (size_t k = 0; k < seeds.size(); ++k) items += k == 0 || seeds[k].item != seeds[k - 1].item;
    return (items + L - 1) / L;
  }
  static double* entries(T& number) { return reinterpret_cast<double*>(&number); }  // values, then slopes
  static void set_slope(T& number, double slope) { std::fill_n(entries(number) + L, L, slope); }
  static const double* slopes(const T& number) { return reinterpret_cast<const double*>(&number) + L; }

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

  void prepare(const Values& values, int batch, const Items& items, std::span<const ItemDirection* const> changes,
               void* data) const {
    const int np = batch_.type->info.parameter_count();
    std::vector<T> numbers(np + 1, T(0.0)), X(n_ + 1, T(0.0));
    for (int lane = 0; lane < L; ++lane) {
      const int item = items.item[lane];
      const ItemDirection* change = changes.empty() ? nullptr : changes[lane];
      for (int k = 0; k < np; ++k) {
        entries(numbers[k])[lane] = values.parameters[batch][static_cast<size_t>(item) * np + k];
        if (change != nullptr) entries(numbers[k])[L + lane] = change->parameters[k];
      }
      for (int a = 0; a < ns_; ++a)
        for (int i = kernels_.shape.offsets[a]; i < kernels_.shape.offsets[a + 1]; ++i) {
          entries(X[i])[lane] =
              values.reference[topology_.slots[slot_of(item, a)].offset + i - kernels_.shape.offsets[a]];
          if (change != nullptr) entries(X[i])[L + lane] = change->reference[i];
        }
    }
    kernels_.prepare(numbers.data(), options_, X.data(), data);
  }

  void add_masses(const Values& values, int batch, const Items& items, std::span<const ItemDirection* const> changes,
                  const void* data) {
    if (kernels_.mass == nullptr) return;
    std::vector<T> m(static_cast<size_t>(ns_) * ns_, T(0.0));
    kernels_.mass(data, m.data());
    std::vector<Mass>& of_block = masses_.emplace_back();
    const auto is_moved = [&](int a) {  // a multiplier has no mass
      return kernels_.shape.kinds[a] != SlotKind::signal &&
             !(kernels_.shape.role == Role::constraint && kernels_.shape.kinds[a] == SlotKind::scalar);
    };
    for (int lane = 0; lane < items.filled; ++lane)
      for (int a = 0; a < ns_; ++a)
        for (int b = 0; b < ns_; ++b) {
          if (!is_moved(a) || !is_moved(b)) continue;
          const double alpha = values.mass_damping[batch][items.item[lane]];
          const double value = entries(m[a * ns_ + b])[lane], change = slopes(m[a * ns_ + b])[lane];
          const double damping = alpha * change + changes[lane]->mass_damping * value;
          if (change == 0 && damping == 0) continue;
          const Slot &row = topology_.slots[slot_of(items.item[lane], a)],
                     &column = topology_.slots[slot_of(items.item[lane], b)];
          of_block.push_back(
              {lane, row.offset, column.offset, row.size, column.kind == SlotKind::point, change, damping});
        }
  }
  void add_inertia(const std::vector<Mass>& masses, const In<double>& in, const ItemInertia& inertia,
                   const ItemWeights& weights, double* felt) const {
    for (const Mass& m : masses)
      for (int i = 0; i < m.size; ++i) {
        double force = m.point ? m.mass * inertia.gravity[i] : 0;
        if (inertia.a != nullptr) force -= m.mass * inertia.a[m.column + i] + m.damping * in.v[m.column + i];
        felt[m.lane] += weights.force[m.row + i] * force;
      }
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
  /// Values; slopes stay 0.
  void gather(const Items& items, const In<double>& in, const ItemWeights& weights, Room& room) const {
    const auto put = [](const std::vector<int>& from, const double* values, T* to) {
      for (size_t k = 0; k < from.size(); k += L, ++to)
        for (int lane = 0; lane < L; ++lane) entries(*to)[lane] = values[from[k + lane]];
    };
    room.context.t = in.t;
    put(items.from, in.q, room.x);
    put(items.from, in.v, room.v);
    put(items.signals, in.sig, room.sig);
    put(items.signals, in.sig_rate, room.sig_rate);
    if (weights.force != nullptr)
      for (size_t k = 0; k < items.from.size(); ++k) room.of_force[k] = weights.force[items.from[k]];
    if (kernels_.shape.remembers) room.context.h = in.h;
    for (int lane = 0; lane < L; ++lane) {
      const size_t first =
          static_cast<size_t>(batch_.first_history) + static_cast<size_t>(items.item[lane]) * batch_.history;
      for (int k = 0; k < batch_.history; ++k) {
        entries(room.past[k])[lane] = in.past[first + k];
        if (weights.next != nullptr) room.of_next[k * L + lane] = weights.next[first + k];
      }
    }
  }

  /// felt += the weighted slopes of what the kernels give.
  void evaluate(const void* data, Room& room, const ItemWeights& weights, double* felt) const {
    if (weights.force != nullptr && kernels_.residual != nullptr) {
      kernels_.residual(data, options_, room.context, room.x, uses_velocity_ ? room.v : room.x, room.forces);
      add(room.forces, room.of_force, n_, felt);
    }
    if (weights.next != nullptr && batch_.history > 0) {
      kernels_.remember(data, options_, room.context, room.x, room.v, room.next);
      add(room.next, room.of_next, batch_.history, felt);
    }
  }
  static void add(const T* numbers, const double* weights, int count, double* felt) {
    for (int i = 0; i < count; ++i)
      for (int lane = 0; lane < L; ++lane) felt[lane] += weights[i * L + lane] * slopes(numbers[i])[lane];
  }

  const Topology& topology_;
  const ItemBatch& batch_;
  const Kernels<T>& kernels_;
  int n_, ns_;
  mutable Room room_;  ///< one call at a time
  bool uses_velocity_ = true;
  alignas(16) std::byte options_[most_options];
  BlockData<T> by_number_, by_state_;
  std::vector<Items> numbers_, states_;
  std::vector<std::vector<Mass>> masses_;  ///< of the blocks of numbers; empty: the term has none
};

}  // namespace

std::unique_ptr<ItemProducts> make_item_products(const Topology& topology, const Values& values, int batch,
                                                 std::span<const ItemDirection> directions,
                                                 std::vector<ItemSeed> seeds) {
  const EnsembleTerm& term = ensemble_term(*topology.batches[batch].type);
  if (term.dual_lanes != nullptr)
    return std::make_unique<Products<Dual<Lanes>, native_lanes>>(topology, values, batch, directions, std::move(seeds),
                                                                 *term.dual_lanes);
  return std::make_unique<Products<Dual<double>, 1>>(topology, values, batch, directions, std::move(seeds), *term.dual);
}

}  // namespace flexura

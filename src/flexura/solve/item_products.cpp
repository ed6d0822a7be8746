#include "flexura/solve/item_products.hpp"

#include "flexura/assembly/make_batch.hpp"
#include "flexura/math/taped.hpp"
#include "flexura/solve/item_blocks.hpp"

namespace flexura {
namespace {

class ByNumbers {
 public:
  virtual ~ByNumbers() = default;
  virtual long add(const In<double>& in, const ItemInertia& inertia, const ItemWeights& weights,
                   double* sums) const = 0;
};
class ByState {
 public:
  virtual ~ByState() = default;
  virtual long add(const In<double>& in, const ItemWeights& weights, const StateProducts& to) const = 0;
};

/// felt += the weighted slopes of what kernels on duals give.
template <class T, int L>
auto add_slopes_to(double* felt) {
  return [felt](const T& number, const double* weights) {
    const double* slopes = reinterpret_cast<const double*>(&number) + L;
    for (int lane = 0; lane < L; ++lane) felt[lane] += weights[lane] * slopes[lane];
  };
}

template <class T, int L>
class NumbersByDuals final : public ByNumbers, ItemBlocks<T, L> {
  using Base = ItemBlocks<T, L>;
  using Base::data_, Base::entries, Base::kernels_, Base::ns_, Base::topology_;
  using typename Base::Items;

 public:
  NumbersByDuals(const Topology& topology, const Values& values, int batch, std::span<const ItemDirection> directions,
                 const Kernels<T>& kernels)
      : Base(topology, batch, kernels, (directions.size() + L - 1) / L) {
    for (size_t first = 0; first < directions.size(); first += L) {
      Items items;
      const ItemDirection* changes[L];
      for (int lane = 0; lane < L; ++lane) {
        changes[lane] = &directions[std::min(first + lane, directions.size() - 1)];
        items.item[lane] = changes[lane]->item;
      }
      items.filled = static_cast<int>(std::min<size_t>(L, directions.size() - first));
      this->find_places(items);
      blocks_.push_back(items);
      this->prepare(values, batch, items, [&](int lane) { return changes[lane]; });
      add_masses(values, batch, items, changes, data_[blocks_.size() - 1]);
    }
  }

  long add(const In<double>& in, const ItemInertia& inertia, const ItemWeights& weights, double* sums) const override {
    for (size_t b = 0; b < blocks_.size(); ++b, sums += L) {
      double felt[L] = {};
      this->gather(blocks_[b], in, weights);
      this->evaluate(b, weights, add_slopes_to<T, L>(felt));
      if (!masses_.empty() && inertia.gravity != nullptr) add_inertia(masses_[b], in, inertia, weights, felt);
      for (int lane = 0; lane < blocks_[b].filled; ++lane) sums[lane] += felt[lane];
    }
    return static_cast<long>(blocks_.size());
  }

 private:
  /// What a direction changes of an item's mass and damping, and where: slots with the offsets of their coordinates.
  struct Mass {
    int lane, row, column, size;
    bool point;  ///< gravity acts on the column
    double mass, damping;
  };

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
          const double *entry = entries(m[a * ns_ + b]), value = entry[lane], change = entry[L + lane];
          const double damping = alpha * change + changes[lane]->mass_damping * value;
          if (change == 0 && damping == 0) continue;
          const Slot &row = topology_.slots[this->slot_of(items.item[lane], a)],
                     &column = topology_.slots[this->slot_of(items.item[lane], b)];
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

  std::vector<Items> blocks_;
  std::vector<std::vector<Mass>> masses_;  ///< empty: the term has none
};

/// Seed by seed.
template <class T, int L>
class StateByDuals final : public ByState, ItemBlocks<T, L> {
  using Base = ItemBlocks<T, L>;
  using Base::entries, Base::room_;
  using typename Base::Items;

 public:
  StateByDuals(const Topology& topology, const Values& values, int batch, std::vector<ItemSeed> seeds,
               const Kernels<T>& kernels)
      : Base(topology, batch, kernels, Base::count_blocks(seeds)), blocks_(this->blocks_of(seeds)) {
    for (const Items& items : blocks_) this->prepare(values, batch, items, no_change);
  }

  long add(const In<double>& in, const ItemWeights& weights, const StateProducts& to) const override {
    long evaluations = 0;
    for (size_t b = 0; b < blocks_.size(); ++b) {
      const Items& items = blocks_[b];
      this->gather(items, in, weights);
      for (const auto& [of, index] : items.seeds) {
        double* felt_by = to.*Base::to_of[of];
        if (felt_by == nullptr) continue;
        double* const slopes = entries(room_.part(of)[index]) + L;
        std::fill_n(slopes, L, 1.0);
        double felt[L] = {};
        this->evaluate(b, weights, add_slopes_to<T, L>(felt));
        std::fill_n(slopes, L, 0.0);
        for (int lane = 0; lane < items.filled; ++lane)
          felt_by[this->place_of(items.item[lane], of, index)] += felt[lane];
        ++evaluations;
      }
    }
    return evaluations;
  }

 private:
  static const ItemDirection* no_change(int) { return nullptr; }
  std::vector<Items> blocks_;
};

/// All seeds at once, from what the kernels give backwards.
template <int L>
class StateByTape final : public ByState, ItemBlocks<Taped<Pack<L>>, L> {
  using V = Pack<L>;
  using T = Taped<V>;
  using Base = ItemBlocks<T, L>;
  using Base::room_;
  using typename Base::Items;

 public:
  StateByTape(const Topology& topology, const Values& values, int batch, std::vector<ItemSeed> seeds,
              const Kernels<T>& kernels)
      : Base(topology, batch, kernels, Base::count_blocks(seeds)), blocks_(this->blocks_of(seeds)) {
    for (const Items& items : blocks_)
      this->prepare(values, batch, items, [](int) -> const ItemDirection* { return nullptr; });
  }

  long add(const In<double>& in, const ItemWeights& weights, const StateProducts& to) const override {
    for (size_t b = 0; b < blocks_.size(); ++b) {
      const Items& items = blocks_[b];
      const typename Tape<V>::Scope scope(tape_);
      this->gather(items, in, weights);
      const auto for_seeds = [&](auto&& use) {
        for (const auto& [of, index] : items.seeds)
          if (double* felt_by = to.*Base::to_of[of]; felt_by != nullptr)
            use(room_.part(of)[index], [&, of = of, index = index](int lane) -> double& {
              return felt_by[this->place_of(items.item[lane], of, index)];
            });
      };
      for_seeds([](T& number, auto&&) { number = T::unknown(number.v); });
      this->evaluate(b, weights, [&](const T& number, const double* by_lane) {
        V weight;
        for (int lane = 0; lane < L; ++lane) weight.set(lane, by_lane[lane]);
        tape_.seed(number, weight);
      });
      tape_.sweep();
      for_seeds([&](T& number, auto&& felt) {
        const V gradient = tape_.gradient(number);
        for (int lane = 0; lane < items.filled; ++lane) felt(lane) += gradient[lane];
        number.place = -1;
      });
    }
    return static_cast<long>(blocks_.size());
  }

 private:
  mutable Tape<V> tape_;
  std::vector<Items> blocks_;
};

class Products final : public ItemProducts {
 public:
  std::unique_ptr<ByNumbers> numbers;
  std::unique_ptr<ByState> state;

  long by_numbers(const In<double>& in, const ItemInertia& inertia, const ItemWeights& weights,
                  double* sums) const override {
    return numbers == nullptr ? 0 : numbers->add(in, inertia, weights, sums);
  }
  long by_state(const In<double>& in, const ItemWeights& weights, const StateProducts& to) const override {
    return state == nullptr ? 0 : state->add(in, weights, to);
  }
};

template <class T, int L>
void take_duals(Products& products, const Topology& topology, const Values& values, int batch,
                std::span<const ItemDirection> directions, std::vector<ItemSeed> seeds, const Kernels<T>& kernels) {
  if (!directions.empty())
    products.numbers = std::make_unique<NumbersByDuals<T, L>>(topology, values, batch, directions, kernels);
  if (!seeds.empty())
    products.state = std::make_unique<StateByDuals<T, L>>(topology, values, batch, std::move(seeds), kernels);
}

}  // namespace

std::unique_ptr<ItemProducts> make_item_products(const Topology& topology, const Values& values, int batch,
                                                 std::span<const ItemDirection> directions,
                                                 std::vector<ItemSeed> seeds) {
  auto products = std::make_unique<Products>();
  const EnsembleTerm& term = ensemble_term(*topology.batches[batch].type);
  if (term.taped != nullptr && topology.batches[batch].history > 0 && !seeds.empty())
    products->state =
        std::make_unique<StateByTape<native_lanes>>(topology, values, batch, std::exchange(seeds, {}), *term.taped);
  if (term.dual_lanes != nullptr) {
    take_duals<Dual<Lanes>, native_lanes>(*products, topology, values, batch, directions, std::move(seeds),
                                          *term.dual_lanes);
  } else {
    take_duals<Dual<double>, 1>(*products, topology, values, batch, directions, std::move(seeds), *term.dual);
  }
  return products;
}

}  // namespace flexura

#include "flexura/study/number_products.hpp"

#include <algorithm>
#include <array>
#include <map>

#include "flexura/assembly/make_batch.hpp"
#include "flexura/solve/dual_residual.hpp"

namespace flexura {
namespace {

/// What of an item changes, component by component.
void for_components(ItemDirection& direction, auto&& f) {
  for (double& x : direction.parameters) f(x);
  for (double& x : direction.reference) f(x);
  f(direction.mass_damping);
}

/// f(slot, its first local coordinate) of what an item reads but signals.
void for_coordinates(const Topology& topology, const ItemBatch& items, int item, auto&& f) {
  const std::vector<SlotKind>& kinds = items.type->info.slots;
  int coordinate = 0;
  for (size_t a = 0; a < kinds.size(); ++a) {
    if (kinds[a] == SlotKind::signal) continue;
    const Slot& slot = topology.slots[items.slots[static_cast<size_t>(item) * kinds.size() + a]];
    f(slot, coordinate);
    coordinate += slot.size;
  }
}

}  // namespace

NumberProducts::NumberProducts(const Model& model, std::span<const Values* const> directions,
                               std::span<const int> asked)
    : topology_(*model.topology), values_(model.values), uses_(directions.size()) {
  past_.assign(topology_.history, 0.0);
  for (auto* x : {&force_, &q_, &v_, &a_}) x->assign(topology_.nq, 0.0);
  find_relations(directions, asked);
  find_items(directions);
  const auto add_sums = [&](size_t& first, size_t count) {
    first = sums_.size();
    sums_.resize(first + count);
  };
  add_sums(weights_, values_.weights.size());
  add_sums(bases_, values_.bases.size());
  add_sums(drives_, values_.directions.size());
  add_sums(gravity_, 3 * values_.gravity.size());
  for (size_t p = 0; p < directions.size(); ++p) {
    const auto use = [&](size_t first, const std::vector<double>& direction) {
      for (size_t i = 0; i < direction.size(); ++i)
        if (direction[i] != 0) uses_[p].push_back({first + i, direction[i]});
    };
    use(weights_, directions[p]->weights);
    use(bases_, directions[p]->bases);
    use(drives_, directions[p]->directions);
    for (size_t k = 0; k < values_.gravity.size(); ++k)
      use(gravity_ + 3 * k, {std::begin(directions[p]->gravity[k].g), std::end(directions[p]->gravity[k].g)});
  }
  find_gravity(directions);
}

double NumberProducts::slope(size_t number) const {
  double sum = 0;
  for (const Use& use : uses_[number]) sum += use.factor * sums_[use.sum];
  return sum;
}

void NumberProducts::find_relations(std::span<const Values* const> directions, std::span<const int> asked) {
  asked_.assign(topology_.signals.size(), 0);
  for (const int signal : asked) asked_[signal] = 1;
  felt_dependent_.assign(topology_.dependents.size(), 0);
  for (size_t k = 0; k < topology_.dependents.size(); ++k) {
    const Dependent& d = topology_.dependents[k];
    const int size = topology_.slots[d.slot].size;
    bool moved = false;
    for (const Values* direction : directions) {
      const auto changes = [&](const std::vector<double>& x, int first, int count) {
        return any_change(std::span(x).subspan(first, count));
      };
      moved = moved || changes(direction->bases, d.base, size);
      for (const Weight& w : d.weights)
        if (changes(direction->weights, w.first, size * topology_.slots[w.master].size)) moved = weights_change_ = true;
      for (const Drive& drive : d.drives) moved = moved || changes(direction->directions, drive.first, size);
    }
    const bool driven = std::ranges::any_of(d.drives, [&](const Drive& drive) { return asked_[drive.signal] != 0; });
    if (moved) moved_.push_back(static_cast<int>(k));
    if (driven) driven_.push_back(static_cast<int>(k));
    felt_dependent_[k] = moved || driven;
  }
}

void NumberProducts::find_items(std::span<const Values* const> directions) {
  for (size_t b = 0; b < topology_.batches.size(); ++b) {
    const int batch = static_cast<int>(b);
    const std::vector<ItemDirection> own = directions_of(batch, directions);
    const auto make = [&](std::span<const ItemDirection> changes, std::vector<ItemSeed> seeds) {
      return changes.empty() && seeds.empty()
                 ? nullptr
                 : make_item_products(topology_, values_, batch, changes, std::move(seeds));
    };
    first_.push_back(sums_.size());
    sums_.resize(sums_.size() + own.size());
    items_.push_back(make(own, seeds_of(batch)));
    memory_.push_back(make({}, seeds_of_memory(batch)));
  }
}

std::vector<ItemDirection> NumberProducts::directions_of(int batch, std::span<const Values* const> directions) {
  const ItemBatch& items = topology_.batches[batch];
  const TermInfo& info = items.type->info;
  std::vector<ItemDirection> out;
  if (!info.has_residual && !info.has_mass) return out;
  const size_t np = static_cast<size_t>(info.parameter_count()), ns = info.slots.size();
  std::map<int, std::vector<std::pair<size_t, ItemDirection>>> touched;
  for (size_t p = 0; p < directions.size(); ++p) {
    const Values& d = *directions[p];
    const bool moves_reference = any_change(d.reference);
    if (!moves_reference && !any_change(d.parameters[batch]) && !any_change(d.mass_damping[batch])) continue;
    for (int i = 0; i < items.count; ++i) {
      const auto own = std::span(d.parameters[batch]).subspan(np * i, np);
      ItemDirection direction{i, {own.begin(), own.end()}, {}, d.mass_damping[batch][i]};
      for (size_t a = 0; a < ns; ++a) {
        if (info.slots[a] == SlotKind::signal) continue;
        const Slot& slot = topology_.slots[items.slots[ns * i + a]];
        direction.reference.insert(direction.reference.end(), d.reference.begin() + slot.offset,
                                   d.reference.begin() + slot.offset + slot.size);
      }
      if (any_change(own) || any_change(direction.reference) || direction.mass_damping != 0)
        touched[i].emplace_back(p, std::move(direction));
    }
  }
  const size_t first = sums_.size();
  for (auto& [item, changes] : touched) {
    std::vector<size_t> components;
    for (auto& [p, direction] : changes) {
      size_t k = 0;
      for_components(direction, [&](double& x) {
        if (x != 0) components.push_back(k);
        ++k;
      });
    }
    std::ranges::sort(components);
    components.erase(std::ranges::unique(components).begin(), components.end());
    if (changes.size() <= components.size()) {
      for (auto& [p, direction] : changes) {
        uses_[p].push_back({first + out.size(), 1});
        out.push_back(std::move(direction));
      }
      continue;
    }
    for (const size_t component : components) {
      ItemDirection unit = changes.front().second;
      size_t k = 0;
      for_components(unit, [&](double& x) { x = k++ == component ? 1 : 0; });
      for (auto& [p, direction] : changes) {
        k = 0;
        for_components(direction, [&](double& x) {
          if (k++ == component && x != 0) uses_[p].push_back({first + out.size(), x});
        });
      }
      out.push_back(std::move(unit));
    }
  }
  return out;
}

/// Coordinates of dependents that are felt, asked signals, and all that is remembered.
std::vector<ItemSeed> NumberProducts::seeds_of(int batch) const {
  const ItemBatch& items = topology_.batches[batch];
  std::vector<ItemSeed> out;
  if (!items.type->info.has_residual) return out;
  for (int i = 0; i < items.count; ++i) {
    add_signals(items, i, out);
    for_coordinates(topology_, items, i, [&](const Slot& slot, int first) {
      if (slot.dependent < 0 || felt_dependent_[slot.dependent] == 0) return;
      for (int k = first; k < first + slot.size; ++k) {
        out.push_back({ItemSeed::q, i, k});
        out.push_back({ItemSeed::v, i, k});
      }
    });
    for (int k = 0; k < items.history; ++k) out.push_back({ItemSeed::past, i, k});
  }
  return out;
}

/// Asked signals of an item.
void NumberProducts::add_signals(const ItemBatch& items, int item, std::vector<ItemSeed>& out) const {
  const TermInfo& info = items.type->info;
  const size_t ns = info.slots.size();
  int signal = 0;
  for (size_t a = 0; a < ns; ++a) {
    if (info.slots[a] != SlotKind::signal) continue;
    if (asked_[items.slots[static_cast<size_t>(item) * ns + a]] != 0) {
      out.push_back({ItemSeed::signal, item, signal});
      out.push_back({ItemSeed::signal_rate, item, signal});
    }
    ++signal;
  }
}

/// All that what is remembered follows from.
std::vector<ItemSeed> NumberProducts::seeds_of_memory(int batch) const {
  const ItemBatch& items = topology_.batches[batch];
  const TermInfo& info = items.type->info;
  std::vector<ItemSeed> out;
  for (int i = 0; i < items.count && items.history > 0; ++i) {
    for (int k = 0; k < info.dofs(); ++k) {
      out.push_back({ItemSeed::q, i, k});
      if (info.role != Role::conservative) out.push_back({ItemSeed::v, i, k});  // what relaxes knows no rates
    }
    add_signals(items, i, out);
    for (int k = 0; k < items.history; ++k) out.push_back({ItemSeed::past, i, k});
  }
  return out;
}

/// All coordinates that are no multipliers, and where `rates` their velocities.
std::vector<ItemSeed> NumberProducts::seeds_of_state(int batch, bool rates) const {
  const ItemBatch& items = topology_.batches[batch];
  std::vector<ItemSeed> out;
  if (!items.type->info.has_residual) return out;
  for (int i = 0; i < items.count; ++i)
    for_coordinates(topology_, items, i, [&](const Slot& slot, int first) {
      for (int k = first; k < first + slot.size && !slot.multiplier; ++k) {
        out.push_back({ItemSeed::q, i, k});
        if (rates) out.push_back({ItemSeed::v, i, k});
      }
    });
  return out;
}

void NumberProducts::find_gravity(std::span<const Values* const> directions) {
  for (size_t k = 0; k < values_.gravity.size(); ++k) {
    gravity_felt_ = gravity_felt_ || asked_[values_.gravity[k].signal] != 0;
    for (const Values* d : directions) gravity_felt_ = gravity_felt_ || any_change(d->gravity[k].g);
  }
  if (!gravity_felt_) return;
  totals_.assign(topology_.slots.size(), 0.0);
  const Values* values = &values_;
  for (size_t b = 0; b < topology_.batches.size(); ++b) {
    const ItemBatch& items = topology_.batches[b];
    const TermInfo& info = items.type->info;
    if (!info.has_mass) continue;
    const size_t ns = info.slots.size();
    std::vector<double> m(ns * ns);
    const auto batch = make_batch_alone({&topology_, &items, static_cast<int>(b), std::span(&values, 1)});
    for (int i = 0; i < items.count; ++i) {
      batch->mass(i, m.data());
      for (size_t a1 = 0; a1 < ns; ++a1)
        for (size_t a2 = 0; a2 < ns; ++a2)
          if (info.slots[a1] != SlotKind::signal && info.slots[a2] != SlotKind::signal &&
              topology_.slots[items.slots[ns * i + a2]].kind == SlotKind::point)
            totals_[items.slots[ns * i + a1]] += m[a1 * ns + a2];
    }
  }
}

void NumberProducts::set_signals(std::span<const SignalValue> signals) {
  const size_t n = signals.size();
  u_.resize(n), du_.resize(n), ddu_.resize(n);
  for (size_t i = 0; i < n; ++i) u_[i] = signals[i].u, du_[i] = signals[i].du, ddu_[i] = signals[i].ddu;
}

In<double> NumberProducts::input(const State<double>& state) const {
  return {state.t, state.q.data(), state.v.data(), u_.data(), du_.data(), nullptr, nullptr, past_.data(), since_};
}

/// force_ = T μ
void NumberProducts::spread(std::span<const double> mu) {
  std::ranges::fill(force_, 0.0);
  std::ranges::copy(mu, force_.begin());
  for (const Dependent& d : topology_.dependents) {
    const Slot& slot = topology_.slots[d.slot];
    for (const Weight& w : d.weights) {
      const Slot& master = topology_.slots[w.master];
      for (int i = 0; i < slot.size; ++i)
        for (int j = 0; j < master.size; ++j)
          force_[slot.offset + i] += values_.weights[w.first + i * master.size + j] * mu[master.offset + j];
    }
  }
}

void NumberProducts::equations(const State<double>& state, std::span<const double> mu, bool inertia,
                               const Assembler<double>& assembler, SignalCotangent& felt, double* past) {
  spread(mu);
  for (auto* x : {&q_, &v_, &a_}) std::ranges::fill(*x, 0.0);
  const In<double> in = input(state);
  std::array<double, 3> g{};
  for (const GravityField& field : values_.gravity)
    for (int i = 0; i < 3; ++i) g[i] += u_[field.signal] * field.g[i];
  for (size_t b = 0; b < items_.size(); ++b) {
    if (items_[b] == nullptr) continue;
    evaluations_ += items_[b]->by_numbers(in, {inertia ? state.a.data() : nullptr, g.data()}, {.force = force_.data()},
                                          sums_.data() + first_[b]);
    evaluations_ +=
        items_[b]->by_state(in, {.force = force_.data()}, {q_.data(), v_.data(), felt.u.data(), felt.du.data(), past});
  }
  if (gravity_felt_) add_gravity(felt);
  if (moved_.empty() && driven_.empty()) return;
  if (inertia) {
    assembler.subtract_mass_times(force_.data(), 1.0, a_.data());
    assembler.subtract_damping(force_.data(), v_.data());
  }
  add_places(state, q_.data(), v_.data(), a_.data());
  for (const int k : driven_) {
    const Dependent& d = topology_.dependents[k];
    const Slot& slot = topology_.slots[d.slot];
    for (const Drive& drive : d.drives)
      for (int i = 0; i < slot.size; ++i) {
        const double direction = values_.directions[drive.first + i];
        felt.u[drive.signal] += direction * q_[slot.offset + i];
        felt.du[drive.signal] += direction * v_[slot.offset + i];
        felt.ddu[drive.signal] += direction * a_[slot.offset + i];
      }
  }
  if (weights_change_) add_relations(state, mu, inertia, assembler);
}

/// μᵀ ∂Tᵀ/∂p r
void NumberProducts::add_relations(const State<double>& state, std::span<const double> mu, bool inertia,
                                   const Assembler<double>& assembler) {
  residual_.resize(assembler.residual_size());
  assembler.residual(state.t, state.q.data(), state.v.data(), residual_.data());
  if (inertia) {
    assembler.subtract_mass_times(state.a.data(), 1.0, residual_.data());
    assembler.subtract_damping(state.v.data(), residual_.data());
  }
  for (const int k : moved_) {
    const Dependent& d = topology_.dependents[k];
    const Slot& slot = topology_.slots[d.slot];
    for (const Weight& w : d.weights) {
      const Slot& master = topology_.slots[w.master];
      for (int i = 0; i < slot.size; ++i)
        for (int j = 0; j < master.size; ++j)
          sums_[weights_ + w.first + i * master.size + j] += residual_[slot.offset + i] * mu[master.offset + j];
    }
  }
}

void NumberProducts::add_places(const State<double>& state, const double* q, const double* v, const double* a) {
  for (const int k : moved_) {
    const Dependent& d = topology_.dependents[k];
    const Slot& slot = topology_.slots[d.slot];
    for (int i = 0; i < slot.size; ++i) {
      const double by_q = q[slot.offset + i], by_v = v[slot.offset + i], by_a = a[slot.offset + i];
      sums_[bases_ + d.base + i] += by_q;
      for (const Weight& w : d.weights) {
        const Slot& master = topology_.slots[w.master];
        double* to = &sums_[weights_ + w.first + i * master.size];
        for (int j = 0, from = master.offset; j < master.size; ++j, ++from)
          to[j] += by_q * state.q[from] + by_v * state.v[from] + by_a * state.a[from];
      }
      for (const Drive& drive : d.drives)
        sums_[drives_ + drive.first + i] +=
            by_q * u_[drive.signal] + by_v * du_[drive.signal] + by_a * ddu_[drive.signal];
    }
  }
}

void NumberProducts::add_gravity(SignalCotangent& felt) {
  std::array<double, 3> weight{};
  for (size_t s = 0; s < topology_.slots.size(); ++s)
    for (int i = 0; i < topology_.slots[s].size; ++i) weight[i] += totals_[s] * force_[topology_.slots[s].offset + i];
  for (size_t k = 0; k < values_.gravity.size(); ++k)
    for (int i = 0; i < 3; ++i) {
      const GravityField& field = values_.gravity[k];
      sums_[gravity_ + 3 * k + i] += u_[field.signal] * weight[i];
      felt.u[field.signal] += field.g[i] * weight[i];
    }
}

void NumberProducts::by_state(const State<double>& state, std::span<const double> mu,
                              const Assembler<double>& assembler, Cotangent& z) {
  for (size_t b = state_.size(); b < topology_.batches.size(); ++b) {
    const int batch = static_cast<int>(b);
    const std::vector<int>& moved = assembler.velocity_batches();
    std::vector<ItemSeed> seeds = seeds_of_state(batch, std::ranges::find(moved, batch) != moved.end());
    state_.push_back(seeds.empty() ? nullptr : make_item_products(topology_, values_, batch, {}, std::move(seeds)));
  }
  spread(mu);
  const In<double> in = input(state);
  for (const auto& items : state_)
    if (items != nullptr)
      evaluations_ += items->by_state(in, {.force = force_.data()}, {.q = z.q.data(), .v = z.v.data()});
  assembler.subtract_damping(force_.data(), z.v.data());
}

void NumberProducts::memory(const State<double>& state, const double* next, Cotangent& z, SignalCotangent& felt,
                            double* past) {
  const In<double> in = input(state);
  for (size_t b = 0; b < memory_.size(); ++b) {
    if (memory_[b] == nullptr) continue;
    if (items_[b] != nullptr) evaluations_ += items_[b]->by_numbers(in, {}, {.next = next}, sums_.data() + first_[b]);
    evaluations_ +=
        memory_[b]->by_state(in, {.next = next}, {z.q.data(), z.v.data(), felt.u.data(), felt.du.data(), past});
  }
}

}  // namespace flexura

#include "flexura/assembly/assembler.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <set>
#include <stdexcept>

#include "flexura/assembly/term_batch.hpp"
#include "flexura/math/entries.hpp"

namespace flexura {
namespace {

std::unique_ptr<Batch<double>> make(const TermType& type, const BatchItems& items, int lanes, double) {
  return type.make_solo(items, lanes);
}
std::unique_ptr<Batch<Lanes>> make(const TermType& type, const BatchItems& items, int, Lanes) {
  return type.make_ensemble(items);
}
std::unique_ptr<Batch<Dual<double>>> make(const TermType& type, const BatchItems& items, int, Dual<double>) {
  return type.make_dual(items);
}

template <class S>
std::vector<S> to_scalars(std::span<const Values* const> values, const std::vector<double>& (*get)(const Values&)) {
  std::vector<S> out(get(*values[0]).size());
  for (size_t i = 0; i < out.size(); ++i) out[i] = from_values(values, [&](const Values& v) { return get(v)[i]; }, S{});
  return out;
}

}  // namespace

template <class S>
Assembler<S>::~Assembler() = default;

template <class S>
Assembler<S>::Assembler(std::shared_ptr<const Topology> topology, std::span<const Values* const> values,
                        const AssemblerOptions& options)
    : topology_(std::move(topology)), nq_(topology_->nq), pool_(options.threads) {
  q0_ = to_scalars<S>(values, [](const Values& v) -> const std::vector<double>& { return v.q0; });
  v0_ = to_scalars<S>(values, [](const Values& v) -> const std::vector<double>& { return v.v0; });
  weights_ = to_scalars<S>(values, [](const Values& v) -> const std::vector<double>& { return v.weights; });
  bases_ = to_scalars<S>(values, [](const Values& v) -> const std::vector<double>& { return v.bases; });
  directions_ = to_scalars<S>(values, [](const Values& v) -> const std::vector<double>& { return v.directions; });
  for (size_t k = 0; k < values[0]->gravity.size(); ++k) {
    std::array<S, 3> g;
    for (int i = 0; i < 3; ++i) g[i] = from_values(values, [&](const Values& v) { return v.gravity[k].g[i]; }, S{});
    gravity_fields_.emplace_back(g, values[0]->gravity[k].signal);
  }
  for (size_t d = 0; d < topology_->dependents.size(); ++d)
    if (!topology_->dependents[d].weights.empty() || !topology_->dependents[d].drives.empty())
      moving_.push_back(static_cast<int>(d));
  const size_t signals = topology_->signals.size();
  u_.assign(signals, S(0.0));
  du_.assign(signals, S(0.0));
  ddu_.assign(signals, S(0.0));
  gravity_.assign(nq_, S(0.0));
  gravity_at_.fill(S(0.0));
  point_.assign(nq_, 0);
  for (const Slot& slot : topology_->slots) point_[slot.offset] = slot.kind == SlotKind::point;
  has_gravity_ = !gravity_fields_.empty();
  for (const Dependent& d : topology_->dependents) {  // fixed places never change: set once
    const Slot& slot = topology_->slots[d.slot];
    for (int i = 0; i < slot.size; ++i) {
      q0_[slot.offset + i] = bases_[d.base + i];
      v0_[slot.offset + i] = S(0.0);
    }
  }
  make_batches(values, options.lanes);
  make_mass();
  make_product();
  make_pattern();
  chunk_bounds();
  residual_maps();
  for (size_t b = 0; b < batches_.size(); ++b) pack_maps(*batches_[b], topology_->batches[b]);
}

template <class S>
void Assembler<S>::make_batches(std::span<const Values* const> values, int lanes) {
  for (size_t b = 0; b < topology_->batches.size(); ++b) {
    const ItemBatch& batch = topology_->batches[b];
    const BatchItems items{topology_.get(), &batch, static_cast<int>(b), values};
    batches_.push_back(make(*batch.type, items, lanes, S{}));
    const Batch<S>* made = batches_.back().get();
    if (made->has_residual) (made->role == Role::load ? load_batches_ : other_batches_).push_back(made);
    if (!batches_.back()->symmetric) pattern_.symmetric = false;
  }
  // Mass-proportional damping coefficients differ per item; they enter with the mass.
  damping_.values.clear();
  for (size_t b = 0; b < batches_.size(); ++b)
    for (int i = 0; i < topology_->batches[b].count; ++i)
      damping_.values.push_back(from_values(values, [&](const Values& v) { return v.mass_damping[b][i]; }, S{}));
}

template <class S>
void Assembler<S>::make_mass() {
  std::map<std::pair<int, int>, S> m, c;  // by slots
  size_t item_index = 0;
  const std::vector<S> coefficients = std::move(damping_.values);
  for (size_t b = 0; b < batches_.size(); ++b) {
    const ItemBatch& batch = topology_->batches[b];
    const int ns = static_cast<int>(batch.type->info.slots.size());
    std::vector<S> local(static_cast<size_t>(ns) * ns);
    for (int i = 0; i < batch.count; ++i, ++item_index) {
      if (!batches_[b]->has_mass) continue;
      batches_[b]->mass(i, local.data());
      const S alpha = coefficients[item_index];
      for (int a1 = 0; a1 < ns; ++a1)
        for (int a2 = 0; a2 < ns; ++a2) {
          const std::pair key(batch.slots[i * ns + a1], batch.slots[i * ns + a2]);
          const auto add = [&](auto& into, const S& x) {
            const auto [it, fresh] = into.try_emplace(key, S(0.0));
            it->second += x;
          };
          add(m, local[a1 * ns + a2]);
          if (any(!(alpha == S(0.0)))) {
            add(c, alpha * local[a1 * ns + a2]);
            has_damping_ = true;
          }
        }
    }
  }
  const auto compress = [&](const std::map<std::pair<int, int>, S>& from, MassMatrix& into) {
    into = {};
    for (const auto& [key, value] : from) {
      const Slot& row = topology_->slots[key.first];
      if (into.rows.empty() || into.rows.back().offset != row.offset)
        into.rows.push_back({row.offset, row.size, static_cast<int>(into.columns.size()), 0});
      ++into.rows.back().count;
      into.columns.push_back(topology_->slots[key.second].offset);
      into.values.push_back(value);
    }
  };
  compress(m, mass_);
  compress(c, damping_);
}

template <class S>
std::vector<std::pair<int, std::vector<S>>> Assembler<S>::masters(int slot) const {
  const Slot& s = topology_->slots[slot];
  std::vector<std::pair<int, std::vector<S>>> out;
  if (s.dependent < 0) {
    std::vector<S> identity(static_cast<size_t>(s.size) * s.size, S(0.0));
    for (int i = 0; i < s.size; ++i) identity[i * s.size + i] = S(1.0);
    out.emplace_back(slot, std::move(identity));
    return out;
  }
  for (const Weight& w : topology_->dependents[s.dependent].weights) {
    const int n = s.size * topology_->slots[w.master].size;
    out.emplace_back(w.master, std::vector<S>(weights_.begin() + w.first, weights_.begin() + w.first + n));
  }
  return out;
}

template <class S>
void Assembler<S>::make_pattern() {
  pattern_.sizes.assign(topology_->block_count, 0);
  pattern_.multipliers.assign(topology_->block_count, 0);
  for (const Slot& slot : topology_->slots) {
    if (slot.block < 0) continue;
    pattern_.sizes[slot.block] += slot.size;
    if (slot.multiplier) pattern_.multipliers[slot.block] = 1;
  }
  const auto blocks_of = [&](int slot, std::vector<int>& into) {
    const Slot& s = topology_->slots[slot];
    if (s.dependent < 0) {
      into.push_back(s.block);
    } else {
      for (const Weight& w : topology_->dependents[s.dependent].weights)
        into.push_back(topology_->slots[w.master].block);
    }
  };
  std::vector<int> blocks;
  for (const ItemBatch& batch : topology_->batches) {
    const std::vector<SlotKind>& kinds = batch.type->info.slots;
    const int ns = static_cast<int>(kinds.size());
    for (int i = 0; i < batch.count; ++i) {
      blocks.clear();
      for (int a = 0; a < ns; ++a)
        if (kinds[a] != SlotKind::signal) blocks_of(batch.slots[i * ns + a], blocks);
      std::sort(blocks.begin(), blocks.end());
      blocks.erase(std::unique(blocks.begin(), blocks.end()), blocks.end());
      for (size_t a = 0; a < blocks.size(); ++a)
        for (size_t b = 0; b < a; ++b) pattern_.pairs.emplace_back(blocks[b], blocks[a]);
    }
  }
  std::sort(pattern_.pairs.begin(), pattern_.pairs.end());
  pattern_.pairs.erase(std::unique(pattern_.pairs.begin(), pattern_.pairs.end()), pattern_.pairs.end());
}

template <class S>
void Assembler<S>::chunk_bounds() {
  constexpr int unit = 8;  // a multiple of every lane count, so that chunks do not depend on it
  const int chunks = topology_->chunks;
  for (size_t b = 0; b < batches_.size(); ++b) {
    const int count = topology_->batches[b].count;
    const int units = (count + unit - 1) / unit;
    std::vector<int>& first = batches_[b]->maps.chunk_first;
    for (int c = 0; c <= chunks; ++c)
      first.push_back(std::min(count, static_cast<int>(static_cast<long>(units) * c / chunks) * unit));
  }
}

template <class S>
void Assembler<S>::residual_maps() {
  std::map<int, int> owner;                  // slot → first chunk
  std::map<std::pair<int, int>, int> cells;  // (chunk, slot) → private offset
  private_ = 0;
  for (int chunk = 0; chunk < topology_->chunks; ++chunk)
    for (size_t b = 0; b < batches_.size(); ++b) {
      const ItemBatch& batch = topology_->batches[b];
      const std::vector<SlotKind>& kinds = batch.type->info.slots;
      const int ns = static_cast<int>(kinds.size());
      ItemMaps<S>& maps = batches_[b]->maps;
      maps.gather.resize(batch.slots.size());
      maps.scatter.resize(batch.slots.size());
      for (int k = maps.chunk_first[chunk] * ns; k < maps.chunk_first[chunk + 1] * ns; ++k) {
        const int slot = batch.slots[k];
        if (kinds[k % ns] == SlotKind::signal) {
          maps.gather[k] = slot;
          maps.scatter[k] = 0;
          continue;
        }
        const Slot& s = topology_->slots[slot];
        maps.gather[k] = s.offset;
        const int first = owner.try_emplace(slot, chunk).first->second;
        if (first == chunk) {
          maps.scatter[k] = s.offset;
        } else {
          const auto [cell, fresh] = cells.try_emplace({chunk, slot}, nq_ + private_);
          if (fresh) {
            private_ += s.size;
            residual_sums_.push_back({s.offset, cell->second, s.size});
          }
          maps.scatter[k] = cell->second;
        }
      }
    }
}

namespace {

/// The slot that holds each local coordinate, and its index in the slot.
struct LocalCoordinate {
  int slot, index;
};
std::vector<LocalCoordinate> local_coordinates(const TermInfo& info) {
  std::vector<LocalCoordinate> out;
  for (int a = 0; a < static_cast<int>(info.slots.size()); ++a)
    for (int i = 0; i < slot_size(info.slots[a], info.dim); ++i) out.push_back({a, i});
  return out;
}

}  // namespace

/// Whether the coordinates of every chunk lie side by side in all items.
template <class S>
void Assembler<S>::pack_maps(Batch<S>& batch, const ItemBatch& items) const {
  const std::vector<LocalCoordinate> local = local_coordinates(items.type->info);
  const int ns = static_cast<int>(items.type->info.slots.size()), n = static_cast<int>(local.size());
  const auto side_by_side = [&](const std::vector<int>& map) {
    if (n == 0 || n % 4 != 0) return false;
    for (int item = 0; item < items.count; ++item)
      for (int k = 0; k < n; ++k) {
        const LocalCoordinate &first = local[k - k % 4], &own = local[k];
        if (first.index != 0) return false;
        if (map[item * ns + own.slot] + own.index != map[item * ns + first.slot] + k % 4) return false;
      }
    return true;
  };
  batch.maps.gather_packs = side_by_side(batch.maps.gather);
  batch.maps.scatter_packs = side_by_side(batch.maps.scatter);
}

/// Finds the 4 × 4 blocks of local tangents that are 4 × 4 blocks of the matrix.
template <class S>
void Assembler<S>::block_maps(Batch<S>& batch, const ItemBatch& items) const {
  ItemMaps<S>& maps = batch.maps;
  const std::vector<LocalCoordinate> local = local_coordinates(items.type->info);
  const int ns = static_cast<int>(items.type->info.slots.size()), n = static_cast<int>(local.size()), chunks = n / 4;
  maps.in_blocks.assign(items.count, 0);
  maps.block_stride = 0;
  if (n == 0 || n % 4 != 0) return;
  maps.blocks.assign(static_cast<size_t>(items.count) * chunks * chunks, -1);
  maps.block_by_columns.assign(static_cast<size_t>(chunks) * chunks, 2);
  const auto place = [&](int item, int i, int j) -> std::int32_t {
    const Target& t = maps.targets[(static_cast<size_t>(item) * ns + local[i].slot) * ns + local[j].slot];
    return t.offset < 0 ? -1 : t.offset + local[i].index * t.row + local[j].index * t.column;
  };
  const auto block_of = [&](int item, int i) { return topology_->slots[items.slots[item * ns + local[i].slot]].block; };
  // A block is where its first entry is; the others must follow from it.
  const auto find = [&](int item, int c, int d) {
    const bool triangle = maps.symmetric_matrix && c == d;
    const std::int32_t first = place(item, 4 * c, 4 * d), next = place(item, 4 * c + 1, 4 * d);
    const std::int32_t below = place(item, 4 * c + 3, 4 * d);
    char& by_columns = maps.block_by_columns[c * chunks + d];
    if (first >= 0) {
      const Target& t = maps.targets[(static_cast<size_t>(item) * ns + local[4 * c].slot) * ns + local[4 * d].slot];
      const bool columns = t.row == 1;
      const int stride = columns ? t.column : t.row;
      if (next - first != t.row || (!columns && t.column != 1) || below - first != 3 * t.row) return false;
      if (maps.block_stride == 0) maps.block_stride = stride;
      if (by_columns == 2) by_columns = columns;
      if (stride != maps.block_stride || by_columns != columns) return false;
    }
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < (triangle ? i + 1 : 4); ++j) {
        const int row = by_columns == 1 ? 1 : maps.block_stride, column = by_columns == 1 ? maps.block_stride : 1;
        if (place(item, 4 * c + i, 4 * d + j) != (first < 0 ? -1 : first + i * row + j * column)) return false;
        if (block_of(item, 4 * c + i) != block_of(item, 4 * c) || block_of(item, 4 * d + j) != block_of(item, 4 * d))
          return false;
      }
    maps.blocks[(static_cast<size_t>(item) * chunks + c) * chunks + d] = first;
    return true;
  };
  for (int item = 0; item < items.count; ++item) {
    bool good = maps.reduced[item] < 0;
    for (int c = 0; c < chunks && good; ++c)
      for (int d = 0; d < (maps.symmetric_matrix ? c + 1 : chunks) && good; ++d) good = find(item, c, d);
    maps.in_blocks[item] = good;
  }
  for (char& by_columns : maps.block_by_columns) by_columns = by_columns == 1;
}

template <class S>
void Assembler<S>::set_layout(const MatrixLayout& layout) {
  if (layout.symmetric && !pattern_.symmetric)
    throw std::logic_error("a model with unsymmetric terms needs a layout with both triangles");
  value_count_ = layout.value_count;
  tangent_maps(layout);
  for (size_t b = 0; b < batches_.size(); ++b)
    if (batches_[b]->has_residual) block_maps(*batches_[b], topology_->batches[b]);
  make_base(layout);
}

template <class S>
void Assembler<S>::tangent_maps(const MatrixLayout& layout) {
  private_values_ = 0;
  tangent_sums_.clear();
  std::map<std::pair<int, int>, int> owner;            // block pair → first chunk
  std::map<std::array<int, 3>, std::ptrdiff_t> cells;  // chunk and block pair → private offset
  const auto place = [&](int chunk, int slot_a, int slot_b) -> Target {
    const Slot &a = topology_->slots[slot_a], &b = topology_->slots[slot_b];
    int i = a.block, j = b.block;
    if (layout.symmetric && i < j) return {};  // its transpose is scattered
    if (layout.symmetric && i == j && a.block_offset < b.block_offset) return {};
    Target t = layout.target(i, j);
    std::ptrdiff_t offset = t.offset;
    const std::pair key(i, j);
    if (owner.try_emplace(key, chunk).first->second != chunk) {
      const int rows = pattern_.sizes[i], columns = pattern_.sizes[j];
      const int span = (rows - 1) * t.row + (columns - 1) * t.column + 1;
      const auto [cell, fresh] = cells.try_emplace({chunk, i, j}, private_values_);
      if (fresh) {
        tangent_sums_.push_back({offset, private_values_, span});
        private_values_ += span;
      }
      offset = value_count_ + cell->second;
    }
    return {static_cast<std::int32_t>(offset + a.block_offset * t.row + b.block_offset * t.column), t.row, t.column};
  };
  for (int chunk = 0; chunk < topology_->chunks; ++chunk)
    for (size_t bi = 0; bi < batches_.size(); ++bi) {
      Batch<S>& batch = *batches_[bi];
      if (!batch.has_residual) continue;
      const ItemBatch& items = topology_->batches[bi];
      const std::vector<SlotKind>& kinds = items.type->info.slots;
      const int ns = static_cast<int>(kinds.size()), n = items.type->info.dofs();
      ItemMaps<S>& maps = batch.maps;
      maps.symmetric_matrix = layout.symmetric;
      maps.targets.resize(static_cast<size_t>(items.count) * ns * ns);
      maps.reduced.resize(items.count, -1);
      for (int item = maps.chunk_first[chunk]; item < maps.chunk_first[chunk + 1]; ++item) {
        const int* slots = &items.slots[item * ns];
        bool reduced = false;
        for (int a = 0; a < ns; ++a)
          if (kinds[a] != SlotKind::signal && topology_->slots[slots[a]].dependent >= 0)
            reduced |= !topology_->dependents[topology_->slots[slots[a]].dependent].weights.empty();
        if (!reduced) {
          for (int a = 0; a < ns; ++a)
            for (int b = 0; b < ns; ++b) {
              if (kinds[a] == SlotKind::signal || kinds[b] == SlotKind::signal) continue;
              if (topology_->slots[slots[a]].dependent >= 0 || topology_->slots[slots[b]].dependent >= 0) continue;
              Target& target = maps.targets[(static_cast<size_t>(item) * ns + a) * ns + b];
              // Of a symmetric matrix local pairs a ≥ b are scattered: the block may be the transposed one.
              if (layout.symmetric && a < b) continue;
              target = place(chunk, slots[a], slots[b]);
              if (layout.symmetric && target.offset < 0) {
                target = place(chunk, slots[b], slots[a]);
                std::swap(target.row, target.column);
              }
            }
          continue;
        }
        maps.reduced[item] = static_cast<int>(maps.reduced_items.size());
        ReducedItem r{.columns = 0,
                      .weights = static_cast<int>(maps.weights.size()),
                      .first = static_cast<int>(maps.masters.size()),
                      .count = 0,
                      .targets = static_cast<int>(maps.reduced_targets.size())};
        std::vector<int> unique;
        for (int a = 0; a < ns; ++a) {
          if (kinds[a] == SlotKind::signal) continue;
          for (const auto& [master, w] : masters(slots[a]))
            if (std::find(unique.begin(), unique.end(), master) == unique.end()) unique.push_back(master);
        }
        std::vector<int> column_of;
        for (int master : unique) {
          column_of.push_back(r.columns);
          maps.masters.push_back({topology_->slots[master].size, r.columns});
          r.columns += topology_->slots[master].size;
        }
        if (r.columns > 2 * n + 8)
          throw std::logic_error("an item depends on more coordinates than its tangent can hold: " +
                                 topology_->item_names[items.names[item]]);
        r.count = static_cast<int>(unique.size());
        maps.weights.resize(maps.weights.size() + static_cast<size_t>(n) * r.columns, V(0.0));
        int row = 0;
        for (int a = 0; a < ns; ++a) {
          if (kinds[a] == SlotKind::signal) continue;
          const int size = topology_->slots[slots[a]].size;
          for (const auto& [master, w] : masters(slots[a])) {
            const int at = column_of[std::find(unique.begin(), unique.end(), master) - unique.begin()];
            const int m = topology_->slots[master].size;
            for (int i = 0; i < size; ++i)
              for (int j = 0; j < m; ++j)
                maps.weights[r.weights + (row + i) * r.columns + at + j] += value_of(w[i * m + j]);
          }
          row += size;
        }
        for (int a : unique)
          for (int b : unique) maps.reduced_targets.push_back(place(chunk, a, b));
        maps.reduced_items.push_back(r);
      }
    }
  cells_.assign(value_count_ + private_values_, V(0.0));
}

template <class S>
void Assembler<S>::scatter_block(const MatrixLayout& layout, int slot_a, int slot_b, S m, std::vector<V>& into) const {
  const auto ma = masters(slot_a), mb = masters(slot_b);
  const int size = topology_->slots[slot_a].size;
  for (const auto& [sa, wa] : ma)
    for (const auto& [sb, wb] : mb) {
      const Slot &a = topology_->slots[sa], &b = topology_->slots[sb];
      if (layout.symmetric && (a.block < b.block || (a.block == b.block && a.block_offset < b.block_offset))) continue;
      const Target t = layout.target(a.block, b.block);
      for (int i = 0; i < a.size; ++i)
        for (int j = 0; j < b.size; ++j) {
          if (layout.symmetric && sa == sb && i < j) continue;
          V total = V(0.0);
          for (int k = 0; k < size; ++k)
            total += value_of(wa[k * a.size + i]) * value_of(m) * value_of(wb[k * b.size + j]);
          into[t.offset + (a.block_offset + i) * t.row + (b.block_offset + j) * t.column] += total;
        }
    }
}

template <class S>
void Assembler<S>::make_base(const MatrixLayout& layout) {
  std::map<int, int> slot_at;
  for (size_t s = 0; s < topology_->slots.size(); ++s) slot_at[topology_->slots[s].offset] = static_cast<int>(s);
  const auto fill = [&](const MassMatrix& m, std::vector<V>& into) {
    into.assign(value_count_, V(0.0));
    for (const auto& row : m.rows)
      for (int k = row.first; k < row.first + row.count; ++k)
        scatter_block(layout, slot_at[row.offset], slot_at[m.columns[k]], m.values[k], into);
  };
  fill(mass_, base_mass_);
  fill(damping_, base_damping_);
  base_.assign(value_count_, V(0.0));
  base_cm_ = base_cd_ = 0;
}

template <class S>
void Assembler<S>::set_signals(std::span<const SignalValue> signals) {
  for (size_t i = 0; i < u_.size(); ++i)
    u_[i] = S(signals[i].u), du_[i] = S(signals[i].du), ddu_[i] = S(signals[i].ddu);
  update_gravity();
}

template <class S>
void Assembler<S>::set_signals(std::span<const S> u, std::span<const S> du, std::span<const S> ddu) {
  std::copy(u.begin(), u.end(), u_.begin());
  std::copy(du.begin(), du.end(), du_.begin());
  std::copy(ddu.begin(), ddu.end(), ddu_.begin());
  update_gravity();
}

/// Gravity is M times a uniform acceleration of the points.
template <class S>
void Assembler<S>::update_gravity() {
  if (!has_gravity_) return;
  std::array<S, 3> g{S(0.0), S(0.0), S(0.0)};
  for (const auto& [field, signal] : gravity_fields_)
    for (int i = 0; i < 3; ++i) g[i] += u_[signal] * field[i];
  if (std::memcmp(&g, &gravity_at_, sizeof g) == 0) return;
  gravity_at_ = g;
  for (const auto& row : mass_.rows) {
    S total = S(0.0);
    for (int k = row.first; k < row.first + row.count; ++k)
      if (point_[mass_.columns[k]]) total += mass_.values[k];
    for (int i = 0; i < row.size; ++i) gravity_[row.offset + i] = total * g[i];
  }
}

template <class S>
void Assembler<S>::expand(S* q, S* v, S* a) const {
  for (int index : moving_) {
    const Dependent& d = topology_->dependents[index];
    const Slot& slot = topology_->slots[d.slot];
    for (int i = 0; i < slot.size; ++i) {
      S x = bases_[d.base + i], xd = S(0.0), xdd = S(0.0);
      for (const Weight& w : d.weights) {
        const Slot& master = topology_->slots[w.master];
        const S* row = &weights_[w.first + i * master.size];
        for (int j = 0; j < master.size; ++j) {
          x = fma(row[j], q[master.offset + j], x);
          xd = fma(row[j], v[master.offset + j], xd);
          xdd = fma(row[j], a[master.offset + j], xdd);
        }
      }
      for (const Drive& drive : d.drives) {
        const S& direction = directions_[drive.first + i];
        x = fma(direction, u_[drive.signal], x);
        xd = fma(direction, du_[drive.signal], xd);
        xdd = fma(direction, ddu_[drive.signal], xdd);
      }
      q[slot.offset + i] = x;
      v[slot.offset + i] = xd;
      a[slot.offset + i] = xdd;
    }
  }
}

template <class S>
void Assembler<S>::evaluate(const std::vector<const Batch<S>*>& batches, const In<S>& input, S* r) const {
  std::fill(r + nq_, r + nq_ + private_, S(0.0));
  pool_.for_each(topology_->chunks, [&](int chunk) {
    for (const Batch<S>* batch : batches) batch->residual(chunk, input, r);
  });
  for (const Sum& sum : residual_sums_)
    for (int i = 0; i < sum.size; ++i) r[sum.to + i] += r[sum.from + i];
}

template <class S>
void Assembler<S>::residual(double t, const S* q, const S* v, S* r, S* acting) const {
  const In<S> input = in(t, q, v);
  const auto copy = [&](const S* from, S* to) {
    for_entries<S>(nq_, [&]<class P>(int i) { store_entries(to + i, load_entries<P>(from + i)); });
  };
  copy(gravity_.data(), r);
  if (!load_batches_.empty()) evaluate(load_batches_, input, r);
  if (acting) copy(r, acting);
  evaluate(other_batches_, input, r);
}

template <class S>
void Assembler<S>::forces_of(Role role, double t, const S* q, const S* v, S* f) const {
  const In<S> input = in(t, q, v);
  if (has_gravity_ && role == Role::load) {
    std::copy(gravity_.begin(), gravity_.end(), f);
  } else {
    std::fill(f, f + nq_, S(0.0));
  }
  std::fill(f + nq_, f + nq_ + private_, S(0.0));
  for (int chunk = 0; chunk < topology_->chunks; ++chunk)
    for (const auto& batch : batches_)
      if (batch->has_residual && batch->role == role) batch->residual(chunk, input, f);
  for (const Sum& sum : residual_sums_)
    for (int i = 0; i < sum.size; ++i) f[sum.to + i] += f[sum.from + i];
}

template <class S>
void Assembler<S>::times(const MassMatrix& m, const S* x, const S& c, S* f) const {
  for (const auto& row : m.rows) {
    S total[3] = {S(0.0), S(0.0), S(0.0)};
    for (int k = row.first; k < row.first + row.count; ++k) {
      const S* from = x + m.columns[k];
      for (int i = 0; i < row.size; ++i) total[i] = fma(m.values[k], from[i], total[i]);
    }
    for (int i = 0; i < row.size; ++i) f[row.offset + i] = fma(c, total[i], f[row.offset + i]);
  }
}

template <class S>
void Assembler<S>::make_product() {
  std::map<std::pair<int, int>, S> damping;  // by offsets
  for (const auto& row : damping_.rows)
    for (int k = row.first; k < row.first + row.count; ++k)
      damping[{row.offset, damping_.columns[k]}] = damping_.values[k];
  const auto& rows = mass_.rows;
  const auto together = [&](size_t i) {
    if (i + 1 == rows.size() || rows[i].size != 2 || rows[i + 1].size != 2) return false;
    const auto column = mass_.columns.begin();
    return rows[i].offset + 2 == rows[i + 1].offset && rows[i].count == rows[i + 1].count &&
           std::equal(column + rows[i].first, column + rows[i].first + rows[i].count, column + rows[i + 1].first);
  };
  for (size_t i = 0; i < rows.size();) {
    const int n = together(i) ? 2 : 1;
    product_rows_.push_back({rows[i].offset, n, rows[i].size, static_cast<int>(product_mass_.size()), rows[i].count,
                             static_cast<int>(product_columns_.size())});
    for (int k = 0; k < rows[i].count; ++k) {
      const int column = mass_.columns[rows[i].first + k];
      product_columns_.push_back(column);
      for (int j = 0; j < n; ++j) {
        product_mass_.push_back(mass_.values[rows[i + j].first + k]);
        const auto found = damping.find({rows[i + j].offset, column});
        product_damping_.push_back(found == damping.end() ? S(0.0) : found->second);
      }
    }
    i += n;
  }
}

template <class S>
template <int rows, int size>
[[gnu::always_inline]] inline void Assembler<S>::product_row(int index, const S* a, const S* v, S* inertia, S* drag,
                                                             S* r) const {
  const ProductRow& row = product_rows_[index];
  const int* column = &product_columns_[row.columns];
  const S *m = &product_mass_[row.first], *c = &product_damping_[row.first];
  if constexpr (std::is_same_v<S, double> && rows == 2 && size == 2) {
    Pack<4> ma(0.0), cv(0.0);
    const auto twice = [](const double* x) {
      return Pack<4>(Pack<4>::Lanes(_mm256_broadcast_pd(reinterpret_cast<const __m128d*>(x))));
    };
    const auto each_twice = [](const double* x) {
      return Pack<4>(Pack<4>::Lanes(_mm256_permute4x64_pd(_mm256_castpd128_pd256(_mm_loadu_pd(x)), 0x50)));
    };
    if (has_damping_) {
      for (int k = 0; k < row.count; ++k) {
        ma = fma(each_twice(m + 2 * k), twice(a + column[k]), ma);
        cv = fma(each_twice(c + 2 * k), twice(v + column[k]), cv);
      }
    } else {
      for (int k = 0; k < row.count; ++k) ma = fma(each_twice(m + 2 * k), twice(a + column[k]), ma);
    }
    store_entries(inertia + row.offset, -ma);
    store_entries(drag + row.offset, -cv);
    store_entries(r + row.offset, load_entries<Pack<4>>(r + row.offset) - ma - cv);
  } else {
    S ma[rows * size], cv[rows * size];
    for (int i = 0; i < rows * size; ++i) ma[i] = cv[i] = S(0.0);
    for (int k = 0; k < row.count; ++k)
      for (int i = 0; i < rows * size; ++i) ma[i] = fma(m[rows * k + i / size], a[column[k] + i % size], ma[i]);
    if (has_damping_)
      for (int k = 0; k < row.count; ++k)
        for (int i = 0; i < rows * size; ++i) cv[i] = fma(c[rows * k + i / size], v[column[k] + i % size], cv[i]);
    for (int i = 0; i < rows * size; ++i) {
      inertia[row.offset + i] = -ma[i];
      drag[row.offset + i] = -cv[i];
      r[row.offset + i] = r[row.offset + i] - ma[i] - cv[i];
    }
  }
}

template <class S>
void Assembler<S>::add_inertia(const S* a, const S* v, S* inertia, S* drag, S* r) const {
  for (int i = 0; i < static_cast<int>(product_rows_.size()); ++i) {
    const ProductRow& row = product_rows_[i];
    if (row.rows == 2) {
      product_row<2, 2>(i, a, v, inertia, drag, r);
    } else if (row.size == 2) {
      product_row<1, 2>(i, a, v, inertia, drag, r);
    } else if (row.size == 3) {
      product_row<1, 3>(i, a, v, inertia, drag, r);
    } else {
      product_row<1, 1>(i, a, v, inertia, drag, r);
    }
  }
}

template <class S>
void Assembler<S>::subtract_mass_times(const S* x, S c, S* f) const {
  times(mass_, x, -c, f);
}

template <class S>
void Assembler<S>::subtract_damping(const S* v, S* f) const {
  if (has_damping_) times(damping_, v, S(-1.0), f);
}

template <class S>
void Assembler<S>::reduce(S* r) const {
  for (int index : moving_) {
    const Dependent& d = topology_->dependents[index];
    const Slot& slot = topology_->slots[d.slot];
    for (const Weight& w : d.weights) {
      const Slot& master = topology_->slots[w.master];
      for (int i = 0; i < slot.size; ++i)
        for (int j = 0; j < master.size; ++j)
          r[master.offset + j] = fma(weights_[w.first + i * master.size + j], r[slot.offset + i], r[master.offset + j]);
    }
  }
}

template <class S>
void Assembler<S>::tangent(double t, const S* q, const S* v, double cm, double cd, V* values) {
  if (cm != base_cm_ || cd != base_cd_) {
    for (std::ptrdiff_t i = 0; i < value_count_; ++i) base_[i] = V(cm) * base_mass_[i] + V(cd) * base_damping_[i];
    base_cm_ = cm;
    base_cd_ = cd;
  }
  const In<S> input = in(t, q, v);
  V* to = private_values_ > 0 ? cells_.data() : values;
  std::copy(base_.begin(), base_.end(), to);
  std::fill(to + value_count_, to + value_count_ + private_values_, V(0.0));
  pool_.for_each(topology_->chunks, [&](int chunk) {
    for (const auto& batch : batches_)
      if (batch->has_residual) batch->tangent(chunk, input, cd, to);
  });
  if (private_values_ == 0) return;
  for (const Sum& sum : tangent_sums_)
    for (int i = 0; i < sum.size; ++i) to[sum.to + i] += to[value_count_ + sum.from + i];
  std::copy(to, to + value_count_, values);
}

template <class S>
void Assembler<S>::mass_matrix(V* values) const {
  std::copy(base_mass_.begin(), base_mass_.end(), values);
}

template <class S>
S Assembler<S>::potential_energy(double t, const S* q) const {
  const In<S> input = in(t, q, q);
  S total = S(0.0);
  for (const auto& batch : batches_)
    if (batch->has_energy) total += batch->energy(input);
  return total;
}

template <class S>
S Assembler<S>::kinetic_energy(const S* v) const {
  S total = S(0.0);
  for (const auto& row : mass_.rows)
    for (int k = row.first; k < row.first + row.count; ++k)
      for (int i = 0; i < row.size; ++i) total += mass_.values[k] * v[row.offset + i] * v[mass_.columns[k] + i];
  return S(0.5) * total;
}

template <class S>
S Assembler<S>::item_dissipation(double t, const S* q, const S* v) const {
  const In<S> input = in(t, q, v);
  S total = S(0.0);
  for (const auto& batch : batches_)
    if (batch->has_dissipation) total += batch->dissipation(input);
  return total;
}

template <class S>
S Assembler<S>::dissipation(double t, const S* q, const S* v) const {
  S total = item_dissipation(t, q, v);
  for (const auto& row : damping_.rows)
    for (int k = row.first; k < row.first + row.count; ++k)
      for (int i = 0; i < row.size; ++i) total += damping_.values[k] * v[row.offset + i] * v[damping_.columns[k] + i];
  return total;
}

template <class S>
S Assembler<S>::inner(const S* a, const S* b) const {
  S total = S(0.0);
  for (int i = 0; i < nq_; ++i) total = fma(a[i], b[i], total);
  return total;
}

template <class S>
S Assembler<S>::total_mass() const {
  S total = S(0.0);
  for (const auto& row : mass_.rows)
    for (int k = row.first; k < row.first + row.count; ++k)
      if (point_[row.offset] && point_[mass_.columns[k]]) total += mass_.values[k];
  return total;
}

template class Assembler<double>;
template class Assembler<Lanes>;
template class Assembler<Dual<double>>;

}  // namespace flexura

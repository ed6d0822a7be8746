// Where everything goes: pattern, chunks, destinations of forces and tangents, constant part of the matrix.

#include <algorithm>
#include <map>
#include <stdexcept>

#include "flexura/assembly/assembler.hpp"
#include "flexura/math/instantiate.hpp"
#include "flexura/model/block_layout.hpp"

namespace flexura {

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
  pattern_.pairs = coupled_blocks(*topology_);
  for (size_t b = 0; b < batches_.size(); ++b) {
    if (batches_[b]->symmetric) continue;
    const ItemBatch& batch = topology_->batches[b];
    const std::vector<SlotKind>& kinds = batch.type->info.slots;
    for (size_t k = 0; k < batch.slots.size(); ++k) {
      if (kinds[k % kinds.size()] == SlotKind::signal) continue;
      const Slot& slot = topology_->slots[batch.slots[k]];
      if (slot.dependent < 0) {
        pattern_.skew[slot.block] = 1;
      } else {
        for (const Weight& w : topology_->dependents[slot.dependent].weights)
          pattern_.skew[topology_->slots[w.master].block] = 1;
      }
    }
  }
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
      maps.first_multiplier = topology_->ncoord;
      maps.end_multiplier = topology_->ny;
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
        for (int a = 0; a < ns; ++a) {
          if (kinds[a] == SlotKind::signal) continue;
          if (topology_->slots[slots[a]].dependent >= 0)
            reduced |= !topology_->dependents[topology_->slots[slots[a]].dependent].weights.empty();
          for (int b = 0; b < a; ++b) reduced |= kinds[b] != SlotKind::signal && slots[a] == slots[b];
        }
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

#define FLEXURA_INSTANTIATE(S)                                                                                 \
  template std::vector<std::pair<int, std::vector<S>>> Assembler<S>::masters(int) const;                       \
  template void Assembler<S>::make_pattern();                                                                  \
  template void Assembler<S>::chunk_bounds();                                                                  \
  template void Assembler<S>::residual_maps();                                                                 \
  template void Assembler<S>::pack_maps(Batch<S>&, const ItemBatch&) const;                                    \
  template void Assembler<S>::block_maps(Batch<S>&, const ItemBatch&) const;                                   \
  template void Assembler<S>::set_layout(const MatrixLayout&);                                                 \
  template void Assembler<S>::tangent_maps(const MatrixLayout&);                                               \
  template void Assembler<S>::scatter_block(const MatrixLayout&, int, int, S, std::vector<ValueOf<S>>&) const; \
  template void Assembler<S>::make_base(const MatrixLayout&);
FLEXURA_FOR_EACH_SCALAR(FLEXURA_INSTANTIATE)
#undef FLEXURA_INSTANTIATE

}  // namespace flexura

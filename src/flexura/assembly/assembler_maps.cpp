// Where everything goes: pattern, chunks, destinations of forces and tangents, constant part of the matrix.

#include <algorithm>
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
  struct Place {
    int owner = -1;             ///< the first chunk that touches the slot
    int chunk = -1, cell = -1;  ///< the last one with a cell of its own, and where that is
  };
  std::vector<Place> places(topology_->slots.size());
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
        Place& place = places[slot];
        if (place.owner < 0) place.owner = chunk;
        if (place.owner == chunk) {
          maps.scatter[k] = s.offset;
          continue;
        }
        if (place.chunk != chunk) {
          place.chunk = chunk;
          place.cell = nq_ + private_;
          private_ += s.size;
          residual_sums_.push_back({s.offset, place.cell, s.size});
        }
        maps.scatter[k] = place.cell;
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

namespace {

/// Where the tangents of pairs of slots go. The first chunk that adds to a pair of blocks does so in the matrix, every other
/// one in a cell of its own behind the values, which the sums add to it.
class TangentPlaces {
 public:
  struct Sum {
    std::ptrdiff_t to, from;  ///< `from` counts from the first cell
    int size;
  };

  TangentPlaces(const Topology& topology, const CouplingPattern& pattern, const MatrixLayout& layout)
      : topology_(topology), pattern_(pattern), layout_(layout), number_(layout.value_count, -1) {}

  /// Rows of the free slot `slot_a`, columns of `slot_b`; nowhere where the matrix holds only the transpose.
  Target place(int chunk, int slot_a, int slot_b) {
    const Slot &a = topology_.slots[slot_a], &b = topology_.slots[slot_b];
    if (layout_.symmetric && std::pair(a.block, a.block_offset) < std::pair(b.block, b.block_offset)) return {};
    const Target block = layout_.target(a.block, b.block);
    const std::ptrdiff_t first = first_entry(chunk, a.block, b.block, block);
    const std::ptrdiff_t offset = first + a.block_offset * block.row + b.block_offset * block.column;
    return {static_cast<std::int32_t>(offset), block.row, block.column};
  }
  bool symmetric() const { return layout_.symmetric; }
  const std::vector<Sum>& sums() const { return sums_; }
  std::ptrdiff_t cells() const { return cell_count_; }

 private:
  struct Place {
    int owner;                ///< the first chunk that adds to the pair of blocks
    int chunk = -1;           ///< the last one with a cell of its own
    std::ptrdiff_t cell = 0;  ///< where that is
  };

  std::ptrdiff_t first_entry(int chunk, int i, int j, const Target& block) {
    int& number = number_[block.offset];
    if (number < 0) {
      number = static_cast<int>(places_of_.size());
      places_of_.push_back({.owner = chunk});
    }
    Place& place = places_of_[number];
    if (place.owner == chunk) return block.offset;
    if (place.chunk != chunk) {
      place.chunk = chunk;
      place.cell = layout_.value_count + cell_count_;
      const int span = (pattern_.sizes[i] - 1) * block.row + (pattern_.sizes[j] - 1) * block.column + 1;
      sums_.push_back({block.offset, cell_count_, span});
      cell_count_ += span;
    }
    return place.cell;
  }

  const Topology& topology_;
  const CouplingPattern& pattern_;
  const MatrixLayout& layout_;
  std::vector<int> number_;  ///< of a pair of blocks in places_of_, by its first value; −1: none adds to it yet
  std::vector<Place> places_of_;
  std::vector<Sum> sums_;
  std::ptrdiff_t cell_count_ = 0;
};

/// Finds where the local tangents of a batch's items go: each pair of slots by itself, or, where slots are dependent or the
/// same, all of them through their masters.
template <class S>
class TangentMaps {
 public:
  TangentMaps(const Assembler<S>& assembler, const ItemBatch& items, ItemMaps<S>& maps, TangentPlaces& places)
      : assembler_(assembler), topology_(assembler.topology()), items_(items), maps_(maps), places_(places) {
    const std::vector<SlotKind>& kinds = items.type->info.slots;
    for (int a = 0; a < static_cast<int>(kinds.size()); ++a)
      if (kinds[a] != SlotKind::signal) rows_.push_back(a);
  }

  void clear() {
    const size_t ns = items_.type->info.slots.size();
    maps_.symmetric_matrix = places_.symmetric();
    maps_.targets.assign(items_.count * ns * ns, {});
    maps_.reduced.assign(items_.count, -1);
    maps_.reduced_items.clear();
    maps_.masters.clear();
    maps_.reduced_targets.clear();
    maps_.weights.clear();
    maps_.first_weight.clear();
  }

  void add(int chunk, int item) {
    if (goes_through_masters(item)) {
      reduce(chunk, item);
    } else {
      scatter(chunk, item);
    }
  }

 private:
  int slot_of(int item, int a) const { return items_.slots[item * items_.type->info.slots.size() + a]; }
  bool is_free(int slot) const { return topology_.slots[slot].dependent < 0; }

  bool goes_through_masters(int item) const {
    for (size_t k = 0; k < rows_.size(); ++k) {
      const int slot = slot_of(item, rows_[k]);
      if (!is_free(slot) && !topology_.dependents[topology_.slots[slot].dependent].weights.empty()) return true;
      for (size_t l = 0; l < k; ++l)
        if (slot_of(item, rows_[l]) == slot) return true;
    }
    return false;
  }

  void scatter(int chunk, int item) {
    const size_t ns = items_.type->info.slots.size();
    for (int a : rows_)
      for (int b : rows_) {
        // Of a symmetric matrix local pairs a ≥ b are scattered: the block may be the transposed one.
        if (places_.symmetric() && a < b) continue;
        const int slot_a = slot_of(item, a), slot_b = slot_of(item, b);
        if (!is_free(slot_a) || !is_free(slot_b)) continue;
        Target target = places_.place(chunk, slot_a, slot_b);
        if (target.offset < 0) {
          target = places_.place(chunk, slot_b, slot_a);
          std::swap(target.row, target.column);
        }
        maps_.targets[(item * ns + a) * ns + b] = target;
      }
  }

  void reduce(int chunk, int item) {
    const std::vector<int> masters = masters_of(item);
    ReducedItem r{.weights = static_cast<int>(maps_.first_weight.size()),
                  .first = static_cast<int>(maps_.masters.size()),
                  .count = static_cast<int>(masters.size()),
                  .targets = static_cast<int>(maps_.reduced_targets.size())};
    for (int master : masters) {
      maps_.masters.push_back({topology_.slots[master].size, r.columns});
      r.columns += topology_.slots[master].size;
    }
    add_weights(item, masters, r);
    for (int a : masters)
      for (int b : masters) maps_.reduced_targets.push_back(places_.place(chunk, a, b));
    maps_.reduced[item] = static_cast<int>(maps_.reduced_items.size());
    maps_.reduced_items.push_back(r);
  }

  /// Free slots, in the order in which the item's slots first need them.
  std::vector<int> masters_of(int item) const {
    std::vector<int> out;
    for (int a : rows_)
      for (const auto& [master, w] : assembler_.masters(slot_of(item, a)))
        if (std::find(out.begin(), out.end(), master) == out.end()) out.push_back(master);
    return out;
  }

  /// Ŵ: the item's coordinates by those of its masters.
  void add_weights(int item, const std::vector<int>& masters, const ReducedItem& r) {
    using V = ValueOf<S>;
    std::vector<std::vector<MasterWeight<V>>> columns(r.columns);
    int row = 0;
    for (int a : rows_) {
      const int slot = slot_of(item, a), size = topology_.slots[slot].size;
      for (const auto& [master, w] : assembler_.masters(slot)) {
        const auto k = std::find(masters.begin(), masters.end(), master) - masters.begin();
        const Master& m = maps_.masters[r.first + k];
        for (int i = 0; i < size; ++i)
          for (int j = 0; j < m.size; ++j) {
            const V value = value_of(w[i * m.size + j]);
            if (any(MaskOf<V>(!(value == V(0.0))))) columns[m.column + j].push_back({row + i, value});
          }
      }
      row += size;
    }
    for (const auto& column : columns) {
      maps_.first_weight.push_back(static_cast<int>(maps_.weights.size()));
      maps_.weights.insert(maps_.weights.end(), column.begin(), column.end());
    }
    maps_.first_weight.push_back(static_cast<int>(maps_.weights.size()));
  }

  const Assembler<S>& assembler_;
  const Topology& topology_;
  const ItemBatch& items_;
  ItemMaps<S>& maps_;
  TangentPlaces& places_;
  std::vector<int> rows_;  ///< local slots that are no signals
};

}  // namespace

template <class S>
void Assembler<S>::tangent_maps(const MatrixLayout& layout) {
  TangentPlaces places(*topology_, pattern_, layout);
  std::vector<std::pair<const Batch<S>*, TangentMaps<S>>> maps;
  for (size_t b = 0; b < batches_.size(); ++b)
    if (batches_[b]->has_residual)
      maps.emplace_back(batches_[b].get(), TangentMaps<S>(*this, topology_->batches[b], batches_[b]->maps, places));
  for (auto& [batch, map] : maps) map.clear();
  for (int chunk = 0; chunk < topology_->chunks; ++chunk)
    for (auto& [batch, map] : maps)
      for (int item = batch->maps.chunk_first[chunk]; item < batch->maps.chunk_first[chunk + 1]; ++item)
        map.add(chunk, item);
  tangent_sums_.clear();
  for (const auto& [to, from, size] : places.sums()) tangent_sums_.push_back({to, from, size});
  private_values_ = places.cells();
  cells_.assign(value_count_ + private_values_, V(0.0));
}

template <class S>
void Assembler<S>::scatter_block(const MatrixLayout& layout, int slot_a, int slot_b, S m, std::vector<V>& into) const {
  if (topology_->slots[slot_a].dependent < 0 && topology_->slots[slot_b].dependent < 0) {  // m I, as it is
    const Slot &a = topology_->slots[slot_a], &b = topology_->slots[slot_b];
    if (layout.symmetric && std::pair(a.block, a.block_offset) < std::pair(b.block, b.block_offset)) return;
    const Target t = layout.target(a.block, b.block);
    for (int i = 0; i < a.size; ++i)
      into[t.offset + (a.block_offset + i) * t.row + (b.block_offset + i) * t.column] += value_of(m);
    return;
  }
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
  std::vector<int> slot_at(nq_, -1);
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

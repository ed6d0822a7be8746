#pragma once
// Where kernels' numbers go: local forces of a block of items into a residual, local tangents into a matrix; item after item.

#include <algorithm>
#include <span>

#include "flexura/assembly/item_block.hpp"
#include "flexura/math/stack.hpp"

namespace flexura {

template <class S, int L>
class Scatter {
  using Scalar = ItemScalar<S, L>;
  using T = typename Scalar::T;
  using V = ValueOf<S>;
  static constexpr bool in_lanes = Scalar::in_lanes, packed = Scalar::packed;
  static constexpr int lanes = Scalar::lanes;
  using Block = ItemBlock<S, L>;

 public:
  /// symmetric: local tangents hold only their lower triangle.
  Scatter(const BlockPlan<S>& plan, bool symmetric)
      : plan_(plan), maps_(*plan.maps), n_(plan.shape.dofs), chunks_(plan.chunks()), symmetric_(symmetric) {}

  /// local: overwritten.
  void forces(const Block& b, T* local, S* r) const {
    const int ns = plan_.shape.slots;
    if constexpr (packed) {
      if (maps_.scatter_packs) {
        for (int c = 0; c < chunks_; ++c) transpose(local + 4 * c);
        for (int lane = 0; lane < b.filled; ++lane) {
          const int* to = &maps_.scatter[static_cast<size_t>(b.first + lane) * ns];
          const T* numbers = local + lane;
          for (const int a : plan_.slot_of_chunk) {
            double* entries = r + to[a];
            store_entries(entries, load_entries<T>(entries) + *numbers);
            numbers += 4;
          }
        }
        return;
      }
    }
    if constexpr (!in_lanes) {
      if (maps_.scatter_packs) {
        const int* to = &maps_.scatter[static_cast<size_t>(b.first) * ns];
        for (const int a : plan_.slot_of_chunk) {
          for (int k = 0; k < 4; ++k) r[to[a] + k] += local[k];
          local += 4;
        }
        return;
      }
    }
    for (int lane = 0; lane < b.filled; ++lane) {
      const int* to = &maps_.scatter[static_cast<size_t>(b.first + lane) * ns];
      const T* numbers = local;
      for (int a = 0; a < ns; ++a)
        for (int i = 0; i < plan_.shape.size(a); ++i) r[to[a] + i] += item_of<S, L>(*numbers++, lane);
    }
  }

  /// Numbers that `tangents` needs room for.
  int room() const { return packed ? 16 * chunks_ * chunks_ : 0; }

  void tangents(const Block& b, const T* local, V* values, T* room) const {
    if constexpr (packed) {
      if (chunks_ > 0) return blocks(b, local, values, room);
    }
    matrices(b, local, values);
  }

  /// Entry by entry.
  void matrices(const Block& b, const T* local, V* values) const {
    if constexpr (in_lanes) {
      for (int lane = 0; lane < b.filled; ++lane)
        matrix(b.first + lane, reinterpret_cast<const double*>(local) + lane, lanes, values);
    } else {
      matrix(b.first, local, 1, values);
    }
  }

  /// k: n × n by rows with `stride` between entries; of a symmetric term only the lower triangle is valid.
  void matrix(int item, const V* k, int stride, V* values) const {
    if (maps_.reduced[item] >= 0) return reduced<false>(maps_.reduced_items[maps_.reduced[item]], k, stride, values);
    if constexpr (!in_lanes) {
      if (chunks_ > 0 && maps_.in_blocks[item]) return item_blocks(item, k, values);
    }
    const int ns = plan_.shape.slots;
    const Target* targets = &maps_.targets[static_cast<size_t>(item) * ns * ns];
    for (int a = 0; a < ns; ++a)
      for (int b = 0; b < (maps_.symmetric_matrix ? a + 1 : ns); ++b)  // a symmetric matrix: hence a symmetric term
        add(targets[a * ns + b], a, b, maps_.symmetric_matrix && a == b, values,
            [&](int i, int j) { return k[entry(i, j) * stride]; });
  }

  /// k: n × n by rows, all of it valid; the matrix is unsymmetric.
  void whole_matrix(int item, const V* k, int stride, V* values) const {
    if (maps_.reduced[item] >= 0) return reduced<true>(maps_.reduced_items[maps_.reduced[item]], k, stride, values);
    const int ns = plan_.shape.slots;
    const Target* targets = &maps_.targets[static_cast<size_t>(item) * ns * ns];
    for (int a = 0; a < ns; ++a)
      for (int b = 0; b < ns; ++b)
        add(targets[a * ns + b], a, b, false, values, [&](int i, int j) { return k[(i * n_ + j) * stride]; });
  }

  int entry(int i, int j) const { return symmetric_ && i < j ? j * n_ + i : i * n_ + j; }

 private:
  /// The block of slots a and b, of which `lower` means only the lower triangle.
  [[gnu::always_inline]] void add(const Target& t, int a, int b, bool lower, V* values, auto&& number) const {
    if (t.offset < 0) return;
    V* to = values + t.offset;
    const int* offset = plan_.shape.offsets;
    const int rows = plan_.shape.size(a), columns = plan_.shape.size(b);
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < (lower ? i + 1 : columns); ++j)
        to[i * t.row + j * t.column] += number(offset[a] + i, offset[b] + j);
  }

  /// Local tangents of four items, 4 × 4 entries at a time; item after item, as `matrix` does. Of cables (two or three chunks of
  /// coordinates) the loops are unrolled: they take longer to scatter than to evaluate.
  void blocks(const Block& b, const T* local, V* values, T* room) const {
    switch (chunks_) {
      case 2:
        return blocks_of<2>(b, local, values, room);
      case 3:
        return blocks_of<3>(b, local, values, room);
      default:
        return blocks_of<0>(b, local, values, room);
    }
  }
  template <int count>
  void blocks_of(const Block& b, const T* local, V* values, T* room) const {
    if (maps_.symmetric_matrix) {
      blocks_of<count, true, true>(b, local, values, room);
    } else if (symmetric_) {
      blocks_of<count, false, true>(b, local, values, room);
    } else {
      blocks_of<count, false, false>(b, local, values, room);
    }
  }
  /// count: chunks, 0 if any; triangle: the matrix stores only one; symmetric: the local tangent holds only its lower triangle.
  template <int count, bool triangle, bool symmetric>
  void blocks_of(const Block& b, const T* local, V* values, T* turned) const {
    const int chunks = count > 0 ? count : chunks_, n = 4 * chunks;
    T* to = turned;  // [blocks][line][item]
    for (int c = 0; c < chunks; ++c)
      for (int d = 0; d < (triangle ? c + 1 : chunks); ++d, to += 16) {
        const bool by_columns = maps_.block_by_columns[c * chunks + d];
        if (symmetric && c == d) {
          turn_diagonal<triangle>(local + 4 * c * (n + 1), n, by_columns, to);
        } else if (symmetric && c < d) {
          turn(local + 4 * d * n + 4 * c, n, !by_columns, to);
        } else {
          turn(local + 4 * c * n + 4 * d, n, by_columns, to);
        }
      }
    const int stride = maps_.block_stride;
    for (int lane = 0; lane < b.filled; ++lane) {
      const int item = b.first + lane;
      if (!maps_.in_blocks[item]) {
        matrix(item, reinterpret_cast<const double*>(local) + lane, lanes, values);
        continue;
      }
      const std::int32_t* block = &maps_.blocks[static_cast<size_t>(item) * chunks * chunks];
      const T* from = turned + lane;
      for (int c = 0; c < chunks; ++c)
        for (int d = 0; d < (triangle ? c + 1 : chunks); ++d, from += 16) {
          if (block[c * chunks + d] < 0) continue;
          double* entries = values + block[c * chunks + d];
          for (int line = 0; line < 4; ++line, entries += stride)
            store_entries(entries, load_entries<T>(entries) + from[4 * line]);
        }
    }
  }
  /// The 4 × 4 entries at `from` of four items, by rows or columns: each line becomes four packs, one per item.
  [[gnu::always_inline]] static void turn(const T* from, int n, bool by_columns, T* to) {
    const int along = by_columns ? n : 1, across = by_columns ? 1 : n;
    for (int line = 0; line < 4; ++line) {
      T part[4] = {from[0], from[along], from[2 * along], from[3 * along]};
      transpose(part);
      for (int k = 0; k < 4; ++k) to[k] = part[k];
      from += across;
      to += 4;
    }
  }
  /// Of a block on the diagonal only the lower triangle is valid; of a stored triangle nothing above the diagonal.
  template <bool triangle>
  [[gnu::always_inline]] static void turn_diagonal(const T* from, int n, bool by_columns, T* to) {
    for (int line = 0; line < 4; ++line) {
      T part[4];
      for (int k = 0; k < 4; ++k) {
        const bool above = by_columns ? k < line : line < k;
        const int low = line < k ? k : line, high = line < k ? line : k;
        part[k] = triangle && above ? T(0.0) : from[low * n + high];
      }
      transpose(part);
      for (int k = 0; k < 4; ++k) to[4 * line + k] = part[k];
    }
  }

  void item_blocks(int item, const V* k, V* values) const {
    const std::int32_t* blocks = &maps_.blocks[static_cast<size_t>(item) * chunks_ * chunks_];
    const bool triangle = maps_.symmetric_matrix;
    const int stride = maps_.block_stride;
    for (int c = 0; c < chunks_; ++c)
      for (int d = 0; d < (triangle ? c + 1 : chunks_); ++d) {
        if (blocks[c * chunks_ + d] < 0) continue;
        V* to = values + blocks[c * chunks_ + d];
        const bool by_columns = maps_.block_by_columns[c * chunks_ + d];
        const int row = by_columns ? 1 : stride, column = by_columns ? stride : 1;
        for (int i = 0; i < 4; ++i)
          for (int j = 0; j < (triangle && c == d ? i + 1 : 4); ++j)
            to[i * row + j * column] += k[entry(4 * c + i, 4 * d + j)];
      }
  }

  /// Rows of constraints that hold what relations hold already: their gradient is nothing but rounding of what it is by a slot, which no
  /// factor tells from one.
  void find_empty_rows(const ReducedItem& item, const auto& k_of, const auto& weights, bool* is_empty) const {
    constexpr double rounding = 1e-13;
    std::fill(is_empty, is_empty + n_, false);
    if (plan_.shape.role != Role::constraint) return;
    V* all_of_slot = FLEXURA_STACK(V, n_);  // Σ |k| of a row over the slot of each column
    for (int s = 0; s < plan_.shape.slots; ++s) {
      if (plan_.shape.kinds[s] != SlotKind::scalar) continue;
      const int i = plan_.shape.offsets[s];
      for (int a = 0; a < plan_.shape.slots; ++a) {
        const int begin = plan_.shape.offsets[a], end = plan_.shape.offsets[a + 1];
        V sum = V(0.0);
        for (int j = begin; j < end; ++j) sum += abs(k_of(i, j));
        std::fill(all_of_slot + begin, all_of_slot + end, sum);
      }
      bool empty = true;
      for (int column = 0; column < item.columns && empty; ++column) {
        V total = V(0.0), size = V(0.0);
        for (const auto& [j, weight] : weights(column)) {
          total += k_of(i, j) * weight, size += all_of_slot[j] * abs(weight);
        }
        empty = all(MaskOf<V>(abs(total) <= V(rounding) * size));
      }
      is_empty[i] = empty;
    }
  }

  /// K̂ = Ŵᵀ K Ŵ, a master's columns at a time. whole: both triangles of K are valid.
  template <bool whole>
  void reduced(const ReducedItem& item, const V* k, int stride, V* values) const {
    constexpr int widest = 3;
    const auto weights = [&](int column) {
      const int* first = &maps_.first_weight[item.weights + column];
      return std::span(maps_.weights.data() + first[0], maps_.weights.data() + first[1]);
    };
    const auto k_of = [&](int i, int j) { return k[(whole ? i * n_ + j : entry(i, j)) * stride]; };
    bool* is_empty = FLEXURA_STACK(bool, n_);
    find_empty_rows(item, k_of, weights, is_empty);
    V* kw = FLEXURA_STACK(V, n_ * widest);
    for (int b = 0; b < item.count; ++b) {
      const Master& mb = maps_.masters[item.first + b];
      const auto row = weights(mb.column);
      if (mb.size == 1 && !row.empty() && is_empty[row[0].row]) continue;
      for (int c = 0; c < mb.size; ++c) {
        const auto w = weights(mb.column + c);
        for (int i = 0; i < n_; ++i) {
          V total = V(0.0);
          for (const auto& [j, weight] : w) total = fma(k_of(i, j), weight, total);
          kw[i * mb.size + c] = is_empty[i] ? V(0.0) : total;
        }
      }
      for (int a = 0; a < item.count; ++a) {
        const Target t = maps_.reduced_targets[item.targets + a * item.count + b];
        if (t.offset < 0) continue;
        const Master& ma = maps_.masters[item.first + a];
        const bool lower_only = a == b && maps_.symmetric_matrix;
        for (int r = 0; r < ma.size; ++r) {
          const auto w = weights(ma.column + r);
          for (int c = 0; c < (lower_only ? r + 1 : mb.size); ++c) {
            V total = V(0.0);
            for (const auto& [i, weight] : w) total = fma(weight, kw[i * mb.size + c], total);
            values[t.offset + r * t.row + c * t.column] += total;
          }
        }
      }
    }
  }

  const BlockPlan<S>& plan_;
  const ItemMaps<S>& maps_;
  int n_, chunks_;
  bool symmetric_;
};

}  // namespace flexura

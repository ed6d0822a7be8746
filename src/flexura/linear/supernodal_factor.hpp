#pragma once
// A = L D U without pivoting by dense fronts (multifrontal), for matrices with much fill such as those of meshes; in
// the order of a ValueLayout, up to branches that do not touch each other. L and U have unit diagonals; for a symmetric
// matrix U = Lᵀ and only L is kept; also of an unsymmetric one in fronts that hold nothing unsymmetric yet. U is stored
// transposed, so that both halves run through the same kernels.
//
// In each front values of A and the updates of the children are added up. Then, block by block of pivots k and tile by tile of
// rows i,
//
//        W(i, k) = A(i, k) − Σ_{p<k} W(i, p) O(k, p),     L(i, k) = W(i, k) / D(k),     O: the other one of L and Uᵀ
//        A(i, j) ← A(i, j) − Σ_k W(i, k) O(j, k),         j: behind the block; what is behind all pivots is the update.
//
// Each element is one chain of operations in the order of the pivots, whatever the blocks and tiles and whoever works on them:
// threads do not show in the bits.

#include <algorithm>
#include <atomic>

#include "flexura/assembly/thread_pool.hpp"
#include "flexura/linear/aligned_vector.hpp"
#include "flexura/linear/block_factor_base.hpp"
#include "flexura/linear/front_kernels.hpp"
#include "flexura/linear/front_solution.hpp"
#include "flexura/linear/phase_count.hpp"
#include "flexura/linear/pivots.hpp"
#include "flexura/linear/supernodes.hpp"

namespace flexura::detail {

template <class V, bool symmetric>
class SupernodalFactor final : public AnyBlockFactor<V> {
 public:
  SupernodalFactor(const ValueLayout& layout, ThreadPool* pool);
  FactorReport<V> factor(std::span<const V> values) override;
  void solve(V* y, int step, bool transposed) override { solve_sides<1>(y, step, 0, transposed); }
  void solve_several(V* y, int step, int count, std::ptrdiff_t apart, bool transposed) override;
  void multiplier_pivots(V* out) const override;

 private:
  using Front = Supernodes::Front;
  using Multiplier = Supernodes::Multiplier;
  using Strip = Supernodes::Strips::Strip;
  static constexpr int most_halves = symmetric ? 1 : 2;
  static constexpr int groups = FrontShape<V>::groups;

  /// What a thread works with.
  struct Bench {
    AlignedVector<V> columns[most_halves], tile[most_halves], rows[most_halves], updates;
    Pivots<V> pivots;
    std::vector<RedundantRow<V>> redundant_rows;
  };
  /// The front at hand, half by half: L and Uᵀ.
  struct Half {
    V* columns;  ///< of the panel, as assembled
    V* update;   ///< columns
    V* panel;
    V* tile;  ///< W of a tile, by columns
    V* rows;  ///< W of all tiles behind a block of pivots
  };
  struct Dense {
    const Front* front;
    Bench* bench;
    bool leaf;         ///< its update starts from zero
    const V* inverse;  ///< of its pivots
    Half half[most_halves];

    int halves() const { return symmetric ? 1 : front->halves; }
    const Half& other(int h) const { return half[halves() - 1 - h]; }
    std::ptrdiff_t pivots() const { return front->pivots; }
  };
  /// Pivots first … end − 1, and W of a tile's rows in their columns.
  struct Block {
    int first, end;
    int columns() const { return end - first; }
  };
  using Tile = V* [most_halves];

  void work(Bench& bench);
  void run(const Supernodes::Phase& phase, int piece, Bench& bench);
  void eliminate_front(const Front& front, Bench& bench);
  Dense open_front(const Front& front, Bench& bench);
  void assemble(const Dense& dense, Strip columns);
  void add_values(const Dense& dense, Strip columns);
  void add_update(const Dense& dense, const Front& child, Strip columns);
  void sum_cells(const Front& front);
  void eliminate_pivots(const Dense& dense, Block block);
  void solve_rows(const Dense& dense, Block block, Strip rows);
  void update_columns(const Dense& dense, Block block, Strip columns);
  void solve_and_update(const Dense& dense);
  static Block block_from(const Front& front, int column) {
    return {column, std::min(column + Supernodes::block, front.pivots)};
  }

  /// f<G>(row) of tiles of 4 G rows.
  template <class F>
  [[gnu::always_inline]] static void for_tiles(Strip rows, F f) {
    for (int row = rows.begin; row < rows.end;) {
      const int left = (rows.end - row) / 4;
      if (left >= groups) {
        f(row, std::integral_constant<int, groups>{});
      } else if (left == 2) {
        if constexpr (groups > 2) f(row, std::integral_constant<int, 2>{});
      } else {
        f(row, std::integral_constant<int, 1>{});
      }
      row += 4 * std::min(left, groups);
    }
  }
  static void tile_of_rows(const Dense& dense, int row, Block block, Tile& tile) {
    for (int h = 0; h < dense.halves(); ++h)
      tile[h] = dense.half[h].rows +
                std::ptrdiff_t{row - Supernodes::block_end(*dense.front, block.first)} * Supernodes::block;
  }
  template <int G>
  void solve_tile(const Dense& dense, int row, Block columns, const Tile& tile);
  template <int G>
  void weigh_multipliers(const Dense& dense, int row, Block block, const Tile& tile);
  template <int G>
  void update_tile(const Dense& dense, int row, Block block, Strip columns, const Tile& tile);
  template <int G>
  void eliminate_tile(const Dense& dense, int row, Block block, const Tile& tile);
  void eliminate_diagonal(const Dense& dense, int k, V* const (&column)[most_halves], int height);
  V size_of_products(const Dense& dense, int row, const V* tile, int height, Block columns) const;
  template <int R>
  void solve_sides(V* y, int step, std::ptrdiff_t apart, bool transposed);

  /// Half h, or the only one.
  V* update_of(const Front& front, int h, Bench& bench) {
    h = std::min(h, front.halves - 1);
    AlignedVector<V>& stacks = front.common ? common_.updates : bench.updates;
    return stacks.data() + front.update + std::ptrdiff_t{h} * front.later_rows() * front.later_rows();
  }
  void size_bench(Bench& bench, const Supernodes::Sizes& sizes);

  const ValueLayout& layout_;
  Supernodes structure_;
  ThreadPool* pool_;
  const V* values_ = nullptr;
  AlignedVector<V> panel_;
  Bench common_;                ///< for fronts on which several threads work
  std::vector<Bench> benches_;  ///< of each thread
  std::vector<PhaseCount> counts_;
  std::vector<V> inverse_;
  std::vector<V> scale_;  ///< Σ|l c| of each multiplier's pivot
  std::vector<V> cell_;   ///< of it what each front before the multiplier's own adds
  std::vector<RedundantRow<V>> redundant_rows_;
  struct Place {
    int number, unknown, size;
  };
  std::vector<Place> places_;  ///< of the blocks: in the order of elimination and in y
  std::vector<int> unknown_;   ///< index in y, by number in the order of elimination
  FrontSolution<V> solution_;
};

template <class V, bool symmetric>
SupernodalFactor<V, symmetric>::SupernodalFactor(const ValueLayout& layout, ThreadPool* pool)
    : layout_(layout), structure_(layout), pool_(pool), solution_(structure_) {
  const Supernodes& s = structure_;
  if (std::all_of(s.phases.begin(), s.phases.end(), [](const auto& phase) { return phase.pieces == 1; }))
    pool_ = nullptr;
  panel_.resize(s.panel_values + 16);  // tiles read past the last column
  size_bench(common_, s.common);
  benches_.resize(pool_ == nullptr ? 1 : pool_->threads());
  for (Bench& bench : benches_) size_bench(bench, s.own);
  counts_ = std::vector<PhaseCount>(s.phases.size());
  inverse_.resize(layout.unknowns + 4);
  scale_.resize(s.multiplier_count);
  cell_.resize(s.multipliers.size());
  redundant_rows_.reserve(s.multiplier_count);
  unknown_.resize(layout.unknowns);
  for (int k = 0; k < layout.rows(); ++k) {
    places_.push_back({s.first_of_block[k], layout.first[k], layout.sizes[k]});
    for (int m = 0; m < layout.sizes[k]; ++m) unknown_[s.first_of_block[k] + m] = layout.first[k] + m;
  }
}

template <class V, bool symmetric>
void SupernodalFactor<V, symmetric>::size_bench(Bench& bench, const Supernodes::Sizes& sizes) {
  for (int h = 0; h < most_halves; ++h) {
    bench.columns[h].resize(sizes.panel);
    bench.tile[h].resize(std::size_t{4} * groups * std::min(structure_.most_pivots, Supernodes::block));
    bench.rows[h].resize(sizes.rows * Supernodes::block);
  }
  bench.updates.resize(sizes.updates);
  bench.redundant_rows.reserve(structure_.multiplier_count);
}

template <class V, bool symmetric>
FactorReport<V> SupernodalFactor<V, symmetric>::factor(std::span<const V> values) {
  values_ = values.data();
  for (PhaseCount& count : counts_) count.reset();
  for (Bench& bench : benches_) {
    bench.pivots = {};
    bench.redundant_rows.clear();
  }
  if (pool_ == nullptr) {
    work(benches_[0]);
  } else {
    pool_->for_each(static_cast<int>(benches_.size()), [this](int i) { work(benches_[i]); });
  }
  Pivots<V> pivots;
  redundant_rows_.clear();
  for (const Bench& bench : benches_) {
    pivots.add(bench.pivots);
    redundant_rows_.insert(redundant_rows_.end(), bench.redundant_rows.begin(), bench.redundant_rows.end());
  }
  std::sort(redundant_rows_.begin(), redundant_rows_.end(),
            [](const auto& a, const auto& b) { return a.unknown < b.unknown; });
  return {pivots.ok(), V(1.0) / pivots.growth, pivots.negative, redundant_rows_};
}

/// Pieces of phases until all are done. Nobody waits for a thread that has not begun.
template <class V, bool symmetric>
void SupernodalFactor<V, symmetric>::work(Bench& bench) {
  for (std::size_t p = 0; p < counts_.size(); ++p) {
    const Supernodes::Phase& phase = structure_.phases[p];
    counts_[p].run(phase.pieces, [&](int piece) { run(phase, piece, bench); });
  }
}

template <class V, bool symmetric>
void SupernodalFactor<V, symmetric>::run(const Supernodes::Phase& phase, int piece, Bench& bench) {
  if (phase.work == Supernodes::Work::ranges) {
    const Supernodes::Range& range = structure_.ranges[phase.front + piece];
    for (int f = range.first; f < range.end; ++f) eliminate_front(structure_.fronts[f], bench);
    return;
  }
  const Front& front = structure_.fronts[phase.front];
  const Dense dense = open_front(front, bench);
  const Block block = block_from(front, phase.column);
  switch (phase.work) {
    case Supernodes::Work::assembly:
      return assemble(dense, Supernodes::columns_of(front).at(piece));
    case Supernodes::Work::pivots:
      if (block.first == 0) sum_cells(front);
      return eliminate_pivots(dense, block);
    case Supernodes::Work::rows:
      return solve_rows(dense, block, Supernodes::strips_behind(front, block.first).at(piece));
    default:
      return update_columns(dense, block, Supernodes::strips_behind(front, block.first).at(piece));
  }
}

template <class V, bool symmetric>
void SupernodalFactor<V, symmetric>::eliminate_front(const Front& front, Bench& bench) {
  const Dense dense = open_front(front, bench);
  const Supernodes::Strips columns = Supernodes::columns_of(front);
  for (int i = 0; i < columns.count(); ++i) assemble(dense, columns.at(i));
  sum_cells(front);
  if (Supernodes::is_small(front)) return solve_and_update(dense);
  for (int k = 0; k < front.pivots; k += Supernodes::block) {
    const Block block = block_from(front, k);
    const Supernodes::Strips behind = Supernodes::strips_behind(front, k);
    eliminate_pivots(dense, block);
    for (int i = 0; i < behind.count(); ++i) solve_rows(dense, block, behind.at(i));
    for (int i = 0; i < behind.count(); ++i) update_columns(dense, block, behind.at(i));
  }
}

template <class V, bool symmetric>
typename SupernodalFactor<V, symmetric>::Dense SupernodalFactor<V, symmetric>::open_front(const Front& front,
                                                                                          Bench& bench) {
  Bench& memory = front.shared ? common_ : bench;
  Dense dense{};
  dense.front = &front;
  dense.bench = &bench;
  dense.leaf = front.children == (&front)[1].children;
  dense.inverse = inverse_.data() + front.first;
  for (int h = 0; h < dense.halves(); ++h)
    dense.half[h] = {memory.columns[h].data(), update_of(front, h, bench),
                     panel_.data() + (h == 0 ? front.panel : front.upper_panel), bench.tile[h].data(),
                     memory.rows[h].data()};
  return dense;
}

/// Columns of pivots, or later ones.
template <class V, bool symmetric>
void SupernodalFactor<V, symmetric>::assemble(const Dense& dense, Strip columns) {
  const Front &front = *dense.front, &next = (&front)[1];
  const int pivot_rows = front.pivot_rows();
  const bool later = columns.begin >= pivot_rows;
  if (later && dense.leaf) return;
  // Above the diagonal anything may stand: it is moved about and never used.
  for (int h = 0; h < dense.halves(); ++h) {
    V* const first = later ? dense.half[h].update : dense.half[h].columns;
    const std::ptrdiff_t height = later ? front.later_rows() : front.height();
    for (int c = columns.begin; c < columns.end; ++c) {
      const std::ptrdiff_t own = later ? c - pivot_rows : c;
      std::fill_n(first + own * (height + 1), height - own, V(0.0));
    }
  }
  if (!later) add_values(dense, columns);
  for (int c = front.children; c < next.children; ++c)
    add_update(dense, structure_.fronts[structure_.child[c]], columns);
}

/// Of A.
template <class V, bool symmetric>
void SupernodalFactor<V, symmetric>::add_values(const Dense& dense, Strip columns) {
  const Front &front = *dense.front, &next = (&front)[1];
  const std::ptrdiff_t height = front.height();
  const int halves = dense.halves();
  V* lower = dense.half[0].columns;
  V* upper = dense.half[halves - 1].columns;
  for (int s = front.first_source; s < next.first_source; ++s) {
    const Supernodes::Source& source = structure_.sources[s];
    const int begin = std::max(0, columns.begin - source.column);
    const int end = std::min(source.columns, columns.end - source.column);
    const std::ptrdiff_t place = source.row + source.column * height;
    const bool diagonal = source.row == source.column;
    const V* from = values_ + source.upper;
    for (int c = begin; c < end; ++c) {
      const int first = diagonal ? c : 0;
      copy_run(upper + place + c * height + first, from + c * layout_.stride + first, source.rows - first);
    }
    if (halves == 2) {
      for (int c = begin; c < end; ++c) {
        if (diagonal) {
          for (int r = c; r < source.rows; ++r) lower[place + c * height + r] = from[r * layout_.stride + c];
        } else {
          copy_run(lower + place + c * height, values_ + source.lower + c * layout_.stride, source.rows);
        }
      }
    }
  }
}

template <class V, bool symmetric>
void SupernodalFactor<V, symmetric>::add_update(const Dense& dense, const Front& child, Strip columns) {
  const Front& front = *dense.front;
  const int pivot_rows = front.pivot_rows();
  const Supernodes::Run* first = structure_.to_parent.data() + child.first_run;
  for (int h = 0; h < dense.halves(); ++h) {
    const V* update = update_of(child, h, *dense.bench);
    for (const Supernodes::Run* column = first; column->from < child.rows; ++column) {
      const int begin = std::max(0, columns.begin - column->to),
                end = std::min(column->length, columns.end - column->to);
      for (int j = begin; j < end; ++j) {
        const int c = column->to + j;
        const V* from = update + std::ptrdiff_t{column->from + j} * child.later_rows();
        V* to = c < pivot_rows
                    ? dense.half[h].columns + c * front.height()
                    : dense.half[h].update + std::ptrdiff_t{c - pivot_rows} * front.later_rows() - pivot_rows;
        add_run(to + c, from + column->from + j, column->length - j);
        for (const Supernodes::Run* row = column + 1; row->from < child.rows; ++row)
          add_run(to + row->to, from + row->from, row->length);
      }
    }
  }
}

/// What fronts before it said of each multiplier of this one.
template <class V, bool symmetric>
void SupernodalFactor<V, symmetric>::sum_cells(const Front& front) {
  if (structure_.multiplier_count == 0) return;
  for (int k = 0; k < front.pivots; ++k) {
    const int m = structure_.scale[front.first + k];
    if (m < 0) continue;
    scale_[m] = V(0.0);
    for (int i = structure_.first_cell[m]; i < structure_.first_cell[m + 1]; ++i)
      scale_[m] += cell_[structure_.cell[i]];
  }
}

/// The pivots of a block and their rows in it.
template <class V, bool symmetric>
void SupernodalFactor<V, symmetric>::eliminate_pivots(const Dense& dense, Block block) {
  Tile tile;
  for (int h = 0; h < dense.halves(); ++h) tile[h] = dense.half[h].tile;
  for_tiles({block.first, Supernodes::block_end(*dense.front, block.first)}, [&](int row, auto g) FLEXURA_INLINE {
    solve_tile<g>(dense, row, {block.first, std::min(row, block.end)}, tile);
    eliminate_tile<g>(dense, row, block, tile);
  });
}

template <class V, bool symmetric>
void SupernodalFactor<V, symmetric>::solve_rows(const Dense& dense, Block block, Strip rows) {
  for_tiles(rows, [&](int row, auto g) FLEXURA_INLINE {
    Tile tile;
    tile_of_rows(dense, row, block, tile);
    solve_tile<g>(dense, row, block, tile);
    weigh_multipliers<g>(dense, row, block, tile);
  });
}

/// Rows below the diagonal of columns behind the block.
template <class V, bool symmetric>
void SupernodalFactor<V, symmetric>::update_columns(const Dense& dense, Block block, Strip columns) {
  const int pivot_rows = dense.front->pivot_rows(), height = static_cast<int>(dense.front->height());
  const auto update = [&](Strip rows) {
    for_tiles(rows, [&](int row, auto g) FLEXURA_INLINE {
      Tile tile;
      tile_of_rows(dense, row, block, tile);
      update_tile<g>(dense, row, block, columns, tile);
    });
  };
  if (columns.begin < pivot_rows) update({columns.begin, pivot_rows});
  update({std::max(columns.begin, pivot_rows), height});
}

/// A front of one block, tile by tile.
template <class V, bool symmetric>
void SupernodalFactor<V, symmetric>::solve_and_update(const Dense& dense) {
  const Front& front = *dense.front;
  const Block block{0, front.pivots};
  const Strip later{front.pivot_rows(), static_cast<int>(front.height())};
  eliminate_pivots(dense, block);
  Tile tile;
  for (int h = 0; h < dense.halves(); ++h) tile[h] = dense.half[h].tile;
  for_tiles(later, [&](int row, auto g) FLEXURA_INLINE {
    solve_tile<g>(dense, row, block, tile);
    weigh_multipliers<g>(dense, row, block, tile);
    update_tile<g>(dense, row, block, later, tile);
  });
}

/// W, L and Uᵀ of rows row … row + 4 G − 1 in some columns of a block.
template <class V, bool symmetric>
template <int G>
[[gnu::always_inline]] inline void SupernodalFactor<V, symmetric>::solve_tile(const Dense& dense, int row,
                                                                              Block columns, const Tile& to) {
  const std::ptrdiff_t height = dense.front->height(), s = dense.pivots();
  for (int h = 0; h < dense.halves(); ++h) {
    const Half &half = dense.half[h], &other = dense.other(h);
    for (int k = columns.first; k < columns.end; k += 4) {
      const int before = k - columns.first;
      FrontTile<G, V> tile;
      tile.read(half.columns + row + k * height, height);
      tile.subtract(to[h], other.panel + k * s + 4 * columns.first, before);
      tile.finish(to[h] + before * 4 * G, other.panel + k * s + 4 * k, dense.inverse + k, half.panel + row * s + 4 * k,
                  4 * s, std::min(4, columns.end - k), 0);
    }
  }
}

/// Of the multipliers among a tile's rows, behind the block.
template <class V, bool symmetric>
template <int G>
void SupernodalFactor<V, symmetric>::weigh_multipliers(const Dense& dense, int row, Block block, const Tile& tile) {
  if (structure_.multiplier_count == 0) return;
  const Front& front = *dense.front;
  if (row < front.pivot_rows()) {
    for (int r = row; r < std::min(row + 4 * G, front.pivots); ++r) {
      const int m = structure_.scale[front.first + r];
      if (m >= 0) scale_[m] += size_of_products(dense, r, tile[0] + (r - row), 4 * G, block);
    }
    return;
  }
  const auto begin = structure_.multipliers.begin();
  auto own = std::lower_bound(begin + front.first_multiplier, begin + (&front)[1].first_multiplier, row,
                              [](const Multiplier& m, int r) { return m.row < r; });
  for (; own != begin + (&front)[1].first_multiplier && own->row < row + 4 * G; ++own) {
    V& cell = cell_[own - begin];
    if (block.first == 0) cell = V(0.0);
    cell += size_of_products(dense, own->row, tile[0] + (own->row - row), 4 * G, block);
  }
}

/// The pivots in these rows, of which the columns before them are solved for.
template <class V, bool symmetric>
template <int G>
[[gnu::always_inline]] inline void SupernodalFactor<V, symmetric>::eliminate_tile(const Dense& dense, int row,
                                                                                  Block block, const Tile& to) {
  const std::ptrdiff_t height = dense.front->height(), s = dense.pivots();
  const int halves = dense.halves();
  for (int g = 0; g < G; ++g) {
    const int k = row + 4 * g, before = k - block.first;
    V part[most_halves][16 * G];
    V* column[most_halves];
    for (int h = 0; h < halves; ++h) {
      FrontTile<G, V> tile;
      tile.read(dense.half[h].columns + row + k * height, height);
      tile.subtract(to[h], dense.other(h).panel + k * s + 4 * block.first, before);
      tile.write(part[h], 4 * G);
      column[h] = part[h] + 4 * g;
    }
    for (int m = 0; m < 4 && k + m < s; ++m) {
      const int multiplier = structure_.scale[dense.front->first + k + m];
      if (multiplier >= 0)
        scale_[multiplier] += size_of_products(dense, k + m, to[0] + (k + m - row), 4 * G, {block.first, k});
    }
    eliminate_diagonal(dense, k, column, 4 * G);
    for (int h = 0; h < halves && g + 1 < G; ++h) {
      const Half &half = dense.half[h], &other = dense.other(h);
      FrontTile<G, V> tile;
      tile.read(part[h], 4 * G);
      tile.finish(to[h] + before * 4 * G, other.panel + k * s + 4 * k, dense.inverse + k, half.panel + row * s + 4 * k,
                  4 * s, std::min<int>(4, s - k), g + 1);
    }
  }
}

/// Pivots k … k + 3 of the front; `column`: their four rows and columns of both halves, `height` values apart.
template <class V, bool symmetric>
void SupernodalFactor<V, symmetric>::eliminate_diagonal(const Dense& dense, int k, V* const (&column)[most_halves],
                                                        int height) {
  Pivots<V>& pivots = dense.bench->pivots;
  const int first = dense.front->first + k, count = std::min<int>(4, dense.front->pivots - k), halves = dense.halves();
  const auto lower = [&](int r, int c) -> V& { return column[0][c * height + r]; };
  const auto upper = [&](int r, int c) -> V& { return column[halves - 1][c * height + r]; };
  V reference[4];
  for (int p = 0; p < count; ++p) reference[p] = larger(abs(lower(p, p)), abs(values_[structure_.diagonal[first + p]]));
  for (int p = 0; p < count; ++p) {
    const int multiplier = structure_.scale[first + p];
    MaskOf<V> redundant{};
    V inverse;
    if (multiplier < 0) [[likely]] {
      inverse = pivots.template invert<false>(lower(p, p), reference[p], redundant);
    } else {
      inverse = pivots.template invert<true>(lower(p, p), larger(scale_[multiplier], reference[p]), redundant);
      if (any(redundant)) dense.bench->redundant_rows.push_back({unknown_[first + p], redundant});
    }
    inverse_[first + p] = inverse;
    V left[most_halves][4], scaled[most_halves][4];  // W and L of the column, by half
    for (int h = 0; h < halves; ++h) {
      V* panel = dense.half[h].panel + k * dense.pivots() + 4 * (k + p);
      for (int r = 0; r < 4; ++r) {
        left[h][r] = column[h][p * height + r];
        scaled[h][r] = r > p ? left[h][r] * inverse : V(0.0);
        panel[r] = scaled[h][r];
      }
    }
    for (int r = p + 1; r < 4; ++r) {
      const int own = r < count ? structure_.scale[first + r] : -1;
      if (own >= 0) [[unlikely]]
        scale_[own] += abs(left[0][r] * scaled[halves - 1][r]);
      for (int c = p + 1; c <= r; ++c) {
        lower(r, c) = fnma(left[0][r], scaled[halves - 1][c], lower(r, c));
        if (halves == 2) upper(r, c) = fnma(left[halves - 1][r], scaled[0][c], upper(r, c));
      }
    }
  }
}

/// Σ_k |W(i, k) Uᵀ(i, k)| of some columns k, i = `row`, of which `tile` holds W, `height` values apart.
template <class V, bool symmetric>
V SupernodalFactor<V, symmetric>::size_of_products(const Dense& dense, int row, const V* tile, int height,
                                                   Block columns) const {
  const V* panel = dense.half[dense.halves() - 1].panel + row / 4 * 4 * dense.pivots() + row % 4;
  V sum(0.0);
  for (int k = columns.first; k < columns.end; ++k) sum += abs(tile[(k - columns.first) * height] * panel[4 * k]);
  return sum;
}

/// Rows of some columns behind the block, up to the diagonal.
template <class V, bool symmetric>
template <int G>
[[gnu::always_inline]] inline void SupernodalFactor<V, symmetric>::update_tile(const Dense& dense, int row, Block block,
                                                                               Strip columns, const Tile& by) {
  const int pivot_rows = dense.front->pivot_rows(), end = std::min(columns.end, row + 4 * G);
  const bool later = columns.begin >= pivot_rows, fresh = later && dense.leaf && block.first == 0;
  const std::ptrdiff_t height = later ? dense.front->later_rows() : dense.front->height(), s = dense.pivots();
  for (int h = 0; h < dense.halves(); ++h) {
    const V* other = dense.other(h).panel + 4 * block.first;
    V* to = later ? dense.half[h].update + (row - pivot_rows) - pivot_rows * height : dense.half[h].columns + row;
    for (int j = columns.begin; j < end; j += 4) {
      FrontTile<G, V> tile;
      tile.expect(to + (j + 4) * height, height);
      if (fresh) {
        tile.clear();
      } else {
        tile.read(to + j * height, height);
      }
      tile.subtract(by[h], other + j * s, block.columns());
      tile.write(to + j * height, height);
    }
  }
}

template <class V, bool symmetric>
void SupernodalFactor<V, symmetric>::multiplier_pivots(V* out) const {
  for (int e = 0; e < layout_.unknowns; ++e) {
    if (structure_.scale[e] < 0) continue;
    const V inverse = abs(inverse_[e]);
    out[unknown_[e]] = select(inverse > V(0.0), V(1.0) / max(inverse, V(1e-300)), V(0.0));
  }
}

template <class V, bool symmetric>
void SupernodalFactor<V, symmetric>::solve_several(V* y, int step, int count, std::ptrdiff_t apart, bool transposed) {
  for (; count >= 4; count -= 4, y += 4 * apart) solve_sides<4>(y, step, apart, transposed);
  if (count >= 2) solve_sides<2>(y, step, apart, transposed);
  if (count % 2 == 1) solve_sides<1>(y + (count - 1) * apart, step, apart, transposed);
}

template <class V, bool symmetric>
template <int R>
void SupernodalFactor<V, symmetric>::solve_sides(V* y, int step, std::ptrdiff_t apart, bool transposed) {
  const auto lower = transposed ? &Front::upper_panel : &Front::panel;
  const auto upper = transposed ? &Front::panel : &Front::upper_panel;
  const auto in_order = [&](auto move) {
    for (int r = 0; r < R; ++r) {
      V* own = solution_.order(r);
      for (const auto& [number, unknown, size] : places_) {
        V* side = y + std::ptrdiff_t{unknown} * step + r * apart;
        for (int m = 0; m < size; ++m) move(own[number + m], side[m * step]);
      }
    }
  };
  in_order([](V& own, const V& side) { own = side; });
  solution_.template forward<R>(structure_, panel_.data(), lower);
  solution_.template backward<R>(structure_, panel_.data(), upper, inverse_.data());
  in_order([](const V& own, V& side) { side = own; });
}

}  // namespace flexura::detail

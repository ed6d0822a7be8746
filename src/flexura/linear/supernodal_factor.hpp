#pragma once
// A = L D U without pivoting by dense fronts (multifrontal), for matrices with much fill such as those of meshes; in
// the order of a ValueLayout, up to branches that do not touch each other. L and U have unit diagonals; for a symmetric
// matrix U = Lᵀ and only L is kept; also of an unsymmetric one in fronts that hold nothing unsymmetric yet. U is stored
// transposed, so that both halves run through the same kernels.
//
// In each front values of A and the updates of the children are added up. Then, tile by tile of rows i,
//
//        W(i, k) = A(i, k) − Σ_{p<k} W(i, p) O(k, p),     L(i, k) = W(i, k) / D(k),     O: the other one of L and Uᵀ
//        update(i, j) = A(i, j) − Σ_k W(i, k) O(j, k).

#include <algorithm>

#include "flexura/linear/aligned_vector.hpp"
#include "flexura/linear/block_factor_base.hpp"
#include "flexura/linear/front_kernels.hpp"
#include "flexura/linear/front_solution.hpp"
#include "flexura/linear/pivots.hpp"
#include "flexura/linear/supernodes.hpp"

namespace flexura::detail {

template <class V, bool symmetric>
class SupernodalFactor final : public AnyBlockFactor<V> {
 public:
  explicit SupernodalFactor(const ValueLayout& layout);
  FactorReport<V> factor(std::span<const V> values) override;
  void solve(V* y, int step, bool transposed) override { solve_sides<1>(y, step, 0, transposed); }
  void solve_several(V* y, int step, int count, std::ptrdiff_t apart, bool transposed) override;
  void multiplier_pivots(V* out) const override;

 private:
  using Front = Supernodes::Front;
  using Multiplier = Supernodes::Multiplier;
  static constexpr int most_halves = symmetric ? 1 : 2;

  /// The front at hand, half by half: L and Uᵀ.
  struct Half {
    V* columns;  ///< of the panel, as assembled
    V* update;   ///< columns
    V* panel;
    V* work;  ///< W of a tile, by columns
  };
  struct Dense {
    const Front* front;
    bool leaf;         ///< its update starts from zero
    const V* inverse;  ///< of its pivots
    const Multiplier *multiplier, *last_multiplier;
    Half half[most_halves];

    int halves() const { return symmetric ? 1 : front->halves; }
    const Half& other(int h) const { return half[halves() - 1 - h]; }
    std::ptrdiff_t pivots() const { return front->pivots; }
  };

  Dense open_front(int f);
  void assemble(const Dense& dense, const V* values);
  /// Above the diagonal anything may stand: it is moved about and never used.
  static void clear_lower(V* columns, std::ptrdiff_t height, int count) {
    for (int c = 0; c < count; ++c) std::fill_n(columns + c * (height + 1), height - c, V(0.0));
  }
  void add_update(const Dense& dense, const Front& child);
  template <int G>
  void eliminate_tile(int row, Dense& dense, const V* values, Pivots<V>& pivots);
  template <int G>
  void eliminate_columns(int row, const Dense& dense);
  template <int G>
  void eliminate_pivots(int row, const Dense& dense, const V* values, Pivots<V>& pivots);
  void eliminate_diagonal(const Dense& dense, int k, V* const (&column)[most_halves], int height, const V* values,
                          Pivots<V>& pivots);
  template <int G>
  void update_tile(int row, const Dense& dense);
  V size_of_products(const Dense& dense, int row, int first_row, int height, int columns) const;
  template <int R>
  void solve_sides(V* y, int step, std::ptrdiff_t apart, bool transposed);

  /// Half h, or the only one.
  V* update_of(const Front& front, int h) {
    h = std::min(h, front.halves - 1);
    return update_.data() + front.update + std::ptrdiff_t{h} * front.later_rows() * front.later_rows();
  }

  const ValueLayout& layout_;
  Supernodes structure_;
  AlignedVector<V> panel_, columns_[most_halves], work_[most_halves], update_;
  std::vector<V> inverse_;
  std::vector<V> scale_;  ///< Σ|l c| of each multiplier's pivot
  std::vector<RedundantRow<V>> redundant_rows_;
  struct Place {
    int number, unknown, size;
  };
  std::vector<Place> places_;  ///< of the blocks: in the order of elimination and in y
  std::vector<int> unknown_;   ///< index in y, by number in the order of elimination
  FrontSolution<V> solution_;
};

template <class V, bool symmetric>
SupernodalFactor<V, symmetric>::SupernodalFactor(const ValueLayout& layout)
    : layout_(layout), structure_(layout), solution_(structure_) {
  const Supernodes& s = structure_;
  panel_.resize(s.panel_values + 16);  // tiles read past the last column
  for (int h = 0; h < most_halves; ++h) {
    columns_[h].resize(s.largest_panel);
    work_[h].resize(std::size_t{4} * FrontShape<V>::groups * s.most_pivots);
  }
  update_.resize(s.update_values);
  inverse_.resize(layout.unknowns + 4);
  scale_.resize(s.multiplier_count);
  redundant_rows_.reserve(s.multiplier_count);
  unknown_.resize(layout.unknowns);
  for (int k = 0; k < layout.rows(); ++k) {
    places_.push_back({s.first_of_block[k], layout.first[k], layout.sizes[k]});
    for (int m = 0; m < layout.sizes[k]; ++m) unknown_[s.first_of_block[k] + m] = layout.first[k] + m;
  }
}

template <class V, bool symmetric>
FactorReport<V> SupernodalFactor<V, symmetric>::factor(std::span<const V> values) {
  Pivots<V> pivots;
  redundant_rows_.clear();
  std::fill(scale_.begin(), scale_.end(), V(0.0));
  constexpr int groups = FrontShape<V>::groups;
  for (int f = 0; f < structure_.size(); ++f) {
    Dense dense = open_front(f);
    assemble(dense, values.data());
    const int end = static_cast<int>(dense.front->height()), pivot_rows = dense.front->pivot_rows();
    for (int row = 0; row < end;) {
      const int left = ((row < pivot_rows ? pivot_rows : end) - row) / 4;
      if (left >= groups) {
        eliminate_tile<groups>(row, dense, values.data(), pivots);
      } else if (left == 2) {
        if constexpr (groups > 2) eliminate_tile<2>(row, dense, values.data(), pivots);
      } else {
        eliminate_tile<1>(row, dense, values.data(), pivots);
      }
      row += 4 * std::min(left, groups);
    }
  }
  std::sort(redundant_rows_.begin(), redundant_rows_.end(),
            [](const auto& a, const auto& b) { return a.unknown < b.unknown; });
  return {pivots.ok(), V(1.0) / pivots.growth, pivots.negative, redundant_rows_};
}

template <class V, bool symmetric>
typename SupernodalFactor<V, symmetric>::Dense SupernodalFactor<V, symmetric>::open_front(int f) {
  const Front& front = structure_.fronts[f];
  Dense dense{};
  dense.front = &front;
  dense.leaf = front.children == structure_.fronts[f + 1].children;
  dense.inverse = inverse_.data() + front.first;
  dense.multiplier = structure_.multipliers.data() + front.first_multiplier;
  dense.last_multiplier = structure_.multipliers.data() + structure_.fronts[f + 1].first_multiplier;
  for (int h = 0; h < dense.halves(); ++h)
    dense.half[h] = {columns_[h].data(), update_of(front, h),
                     panel_.data() + (h == 0 ? front.panel : front.upper_panel), work_[h].data()};
  return dense;
}

template <class V, bool symmetric>
void SupernodalFactor<V, symmetric>::assemble(const Dense& dense, const V* values) {
  const Front &front = *dense.front, &next = (&front)[1];
  const std::ptrdiff_t height = front.height();
  const int halves = dense.halves();
  for (int h = 0; h < halves; ++h) {
    clear_lower(dense.half[h].columns, height, front.pivot_rows());
    if (!dense.leaf) clear_lower(dense.half[h].update, front.later_rows(), front.later_rows());
  }
  V* lower = dense.half[0].columns;
  V* upper = dense.half[halves - 1].columns;
  for (int s = front.first_source; s < next.first_source; ++s) {
    const Supernodes::Source& source = structure_.sources[s];
    const std::ptrdiff_t place = source.row + source.column * height;
    const bool diagonal = source.row == source.column;
    const V* from = values + source.upper;
    for (int c = 0; c < source.columns; ++c) {
      const int first = diagonal ? c : 0;
      copy_run(upper + place + c * height + first, from + c * layout_.stride + first, source.rows - first);
    }
    if (halves == 2) {
      for (int c = 0; c < source.columns; ++c) {
        if (diagonal) {
          for (int r = c; r < source.rows; ++r) lower[place + c * height + r] = from[r * layout_.stride + c];
        } else {
          copy_run(lower + place + c * height, values + source.lower + c * layout_.stride, source.rows);
        }
      }
    }
  }
  for (int c = front.children; c < next.children; ++c) add_update(dense, structure_.fronts[structure_.child[c]]);
}

template <class V, bool symmetric>
void SupernodalFactor<V, symmetric>::add_update(const Dense& dense, const Front& child) {
  const Front& front = *dense.front;
  const int pivot_rows = front.pivot_rows();
  const Supernodes::Run* first = structure_.to_parent.data() + child.first_run;
  for (int h = 0; h < dense.halves(); ++h) {
    const V* from = update_of(child, h);
    for (const Supernodes::Run* column = first; column->from < child.rows; ++column) {
      for (int j = 0; j < column->length; ++j, from += child.later_rows()) {
        const int c = column->to + j;
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

template <class V, bool symmetric>
template <int G>
[[gnu::always_inline]] inline void SupernodalFactor<V, symmetric>::eliminate_tile(int row, Dense& dense,
                                                                                  const V* values, Pivots<V>& pivots) {
  eliminate_columns<G>(row, dense);
  if (row < dense.front->pivot_rows()) return eliminate_pivots<G>(row, dense, values, pivots);
  for (; dense.multiplier != dense.last_multiplier && dense.multiplier->row < row + 4 * G; ++dense.multiplier)
    scale_[dense.multiplier->scale] += size_of_products(dense, dense.multiplier->row, row, 4 * G, dense.front->pivots);
  update_tile<G>(row, dense);
}

/// L and Uᵀ of rows row … row + 4 G − 1, left of their pivots.
template <class V, bool symmetric>
template <int G>
void SupernodalFactor<V, symmetric>::eliminate_columns(int row, const Dense& dense) {
  const std::ptrdiff_t height = dense.front->height(), s = dense.pivots();
  const int columns = std::min(row, dense.front->pivots);
  for (int h = 0; h < dense.halves(); ++h) {
    const Half &half = dense.half[h], &other = dense.other(h);
    for (int k = 0; k < columns; k += 4) {
      FrontTile<G, V> tile;
      tile.read(half.columns + row + k * height, height);
      tile.subtract(half.work, other.panel + k * s, k);
      tile.finish(half.work + k * 4 * G, other.panel + k * s + 4 * k, dense.inverse + k, half.panel + row * s + 4 * k,
                  4 * s, std::min(4, columns - k), 0);
    }
  }
}

/// The pivots in these rows.
template <class V, bool symmetric>
template <int G>
void SupernodalFactor<V, symmetric>::eliminate_pivots(int row, const Dense& dense, const V* values, Pivots<V>& pivots) {
  const std::ptrdiff_t height = dense.front->height(), s = dense.pivots();
  const int halves = dense.halves();
  for (int g = 0; g < G; ++g) {
    const int k = row + 4 * g;
    V part[most_halves][16 * G];
    V* column[most_halves];
    for (int h = 0; h < halves; ++h) {
      FrontTile<G, V> tile;
      tile.read(dense.half[h].columns + row + k * height, height);
      tile.subtract(dense.half[h].work, dense.other(h).panel + k * s, k);
      tile.write(part[h], 4 * G);
      column[h] = part[h] + 4 * g;
    }
    for (int m = 0; m < 4 && k + m < s; ++m) {
      const int multiplier = structure_.scale[dense.front->first + k + m];
      if (multiplier >= 0) scale_[multiplier] += size_of_products(dense, k + m, row, 4 * G, k);
    }
    eliminate_diagonal(dense, k, column, 4 * G, values, pivots);
    for (int h = 0; h < halves && g + 1 < G; ++h) {
      const Half &half = dense.half[h], &other = dense.other(h);
      FrontTile<G, V> tile;
      tile.read(part[h], 4 * G);
      tile.finish(half.work + k * 4 * G, other.panel + k * s + 4 * k, dense.inverse + k, half.panel + row * s + 4 * k,
                  4 * s, std::min<int>(4, s - k), g + 1);
    }
  }
}

/// Pivots k … k + 3 of the front; `column`: their four rows and columns of both halves, `height` values apart.
template <class V, bool symmetric>
void SupernodalFactor<V, symmetric>::eliminate_diagonal(const Dense& dense, int k, V* const (&column)[most_halves],
                                                        int height, const V* values, Pivots<V>& pivots) {
  const int first = dense.front->first + k, count = std::min<int>(4, dense.front->pivots - k), halves = dense.halves();
  const auto lower = [&](int r, int c) -> V& { return column[0][c * height + r]; };
  const auto upper = [&](int r, int c) -> V& { return column[halves - 1][c * height + r]; };
  V reference[4];
  for (int p = 0; p < count; ++p) reference[p] = larger(abs(lower(p, p)), abs(values[structure_.diagonal[first + p]]));
  for (int p = 0; p < count; ++p) {
    const int multiplier = structure_.scale[first + p];
    MaskOf<V> redundant{};
    V inverse;
    if (multiplier < 0) [[likely]] {
      inverse = pivots.template invert<false>(lower(p, p), reference[p], redundant);
    } else {
      inverse = pivots.template invert<true>(lower(p, p), larger(scale_[multiplier], reference[p]), redundant);
      if (any(redundant)) redundant_rows_.push_back({unknown_[first + p], redundant});
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

/// Σ_k |W(i, k) Uᵀ(i, k)|, k = 0 … columns − 1, of row i = `row` in the tile of `height` rows from `first_row` on.
template <class V, bool symmetric>
V SupernodalFactor<V, symmetric>::size_of_products(const Dense& dense, int row, int first_row, int height,
                                                   int columns) const {
  const V* work = dense.half[0].work + (row - first_row);
  const V* panel = dense.half[dense.halves() - 1].panel + row / 4 * 4 * dense.pivots() + row % 4;
  V sum(0.0);
  for (int k = 0; k < columns; ++k) sum += abs(work[k * height] * panel[4 * k]);
  return sum;
}

/// What later rows leave to the parent.
template <class V, bool symmetric>
template <int G>
void SupernodalFactor<V, symmetric>::update_tile(int row, const Dense& dense) {
  const int first = dense.front->pivot_rows(), below = row - first;
  const std::ptrdiff_t height = dense.front->later_rows(), s = dense.pivots();
  for (int h = 0; h < dense.halves(); ++h) {
    const Half &half = dense.half[h], &other = dense.other(h);
    for (int j = 0; j < below + 4 * G; j += 4) {
      FrontTile<G, V> tile;
      V* update = half.update + below + j * height;
      if (dense.leaf) {
        tile.clear();
      } else {
        tile.read(update, height);
      }
      tile.subtract(half.work, other.panel + (first + j) * s, static_cast<int>(s));
      tile.write(update, height);
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

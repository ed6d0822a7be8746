#pragma once
// Solutions with the triangles of a supernodal factor, R right-hand sides at once; the bits of each do not depend on R.

#include "flexura/linear/aligned_vector.hpp"
#include "flexura/linear/front_kernels.hpp"
#include "flexura/linear/supernodes.hpp"

namespace flexura::detail {

template <class V>
class FrontSolution {
 public:
  static constexpr int most_sides = 4;

  explicit FrontSolution(const Supernodes& structure);
  /// Right-hand side and solution r, in the order of elimination.
  V* order(int r) { return order_.data() + r * length_; }
  /// Where a front's panel of L or of Uᵀ is.
  using Place = std::ptrdiff_t Supernodes::Front::*;
  /// y ← L⁻¹ y; `place`: of L in the panels.
  template <int R>
  void forward(const Supernodes& structure, const V* panels, Place place);
  /// y ← U⁻¹ D⁻¹ y; `place`: of Uᵀ.
  template <int R>
  void backward(const Supernodes& structure, const V* panels, Place place, const V* inverse);

 private:
  using Front = Supernodes::Front;
  using Shape = FrontShape<V>;
  using Chunk = typename Shape::Chunk;
  static constexpr int chunks = Shape::chunks, width = Shape::width;

  V* local(int r) { return local_.data() + r * local_length_; }
  V* sums(int r) { return sums_.data() + r * sums_length_; }
  template <int R>
  void gather(const Supernodes& structure, const Front& front);
  template <int G, int R>
  void subtract_rows(int row, int columns, const V* panel, std::ptrdiff_t s);
  template <int G, int R>
  void add_rows(const Chunk (&x)[R][G * chunks], int columns, const V* panel, std::ptrdiff_t s);
  /// f(row, G) of rows first … last − 1 by G groups of four, as many as possible at a time.
  template <int most, class F>
  [[gnu::always_inline]] static void by_groups(int first, int last, F f) {
    for (; first + 4 * most <= last; first += 4 * most) f(first, std::integral_constant<int, most>{});
    if constexpr (most > 1) by_groups<most / 2>(first, last, f);
  }

  std::ptrdiff_t length_, local_length_, sums_length_;
  AlignedVector<V> order_, local_;  ///< of all unknowns; of the rows of one front
  AlignedVector<V> sums_;           ///< four partial sums for each pivot of one front
};

template <class V>
FrontSolution<V>::FrontSolution(const Supernodes& structure)
    : length_((structure.fronts.back().first + 7) / 8 * 8),
      local_length_((structure.most_pivots + structure.most_rows + 7) / 8 * 8),
      sums_length_(std::ptrdiff_t{4} * structure.most_pivots),
      order_(most_sides * length_),
      local_(most_sides * local_length_),
      sums_(most_sides * sums_length_) {}

/// The front's later rows, with zeros in the padding.
template <class V>
template <int R>
void FrontSolution<V>::gather(const Supernodes& structure, const Front& front) {
  const int end = (&front)[1].first_row, last = front.pivot_rows() + front.rows;
  for (int r = 0; r < R; ++r) {
    for (int i = front.first_row; i < end; ++i) {
      const Supernodes::Run& run = structure.to_order[i];
      copy_run(local(r) + run.from, order(r) + run.to, run.length);
    }
    for (int i = last; i < front.height(); ++i) local(r)[i] = V(0.0);
  }
}

/// local(i) −= Σ_k panel(i, k) local(k), k = 0 … columns − 1, of 4 G rows.
template <class V>
template <int G, int R>
[[gnu::always_inline]] inline void FrontSolution<V>::subtract_rows(int row, int columns, const V* panel,
                                                                   std::ptrdiff_t s) {
  constexpr int n = G * chunks;
  Chunk sum[R][n];
  each<R>([&](int r) FLEXURA_INLINE {
    each<n>([&](int q) FLEXURA_INLINE { sum[r][q] = load<Chunk>(local(r) + row + q * width); });
  });
  const V* from = panel + row * s;
  const V* solved = local(0);
  for (int k = 0; k < columns; ++k, from += 4) {
    Chunk z[R];
    each<R>([&](int r) FLEXURA_INLINE { z[r] = spread<Chunk>(solved[r * local_length_ + k]); });
    each<G>([&](int g) FLEXURA_INLINE {
      each<chunks>([&](int q) FLEXURA_INLINE {
        const Chunk l = load<Chunk>(from + g * 4 * s + q * width);
        each<R>([&](int r) FLEXURA_INLINE { sum[r][g * chunks + q] = fnma(l, z[r], sum[r][g * chunks + q]); });
      });
    });
  }
  each<R>([&](int r)
              FLEXURA_INLINE { each<n>([&](int q) FLEXURA_INLINE { store(local(r) + row + q * width, sum[r][q]); }); });
}

template <class V>
template <int R>
void FrontSolution<V>::forward(const Supernodes& structure, const V* panels, Place place) {
  for (int f = 0; f < structure.size(); ++f) {
    const Front& front = structure.fronts[f];
    const std::ptrdiff_t s = front.pivots;
    const V* panel = panels + front.*place;
    const int pivot_rows = front.pivot_rows(), height = static_cast<int>(front.height());
    for (int r = 0; r < R; ++r) {
      copy_run(local(r), order(r) + front.first, front.pivots);
      for (int i = front.pivots; i < pivot_rows; ++i) local(r)[i] = V(0.0);
    }
    for (int row = 0; row < pivot_rows; row += 4) {
      subtract_rows<1, R>(row, row, panel, s);
      const V* triangle = panel + row * s + 4 * row;
      const int count = std::min(4, front.pivots - row);
      for (int r = 0; r < R; ++r) {
        V* own = local(r) + row;
        V z[4];
        each<4>([&](int i) FLEXURA_INLINE { z[i] = own[i]; });
        each<4>([&](int p) FLEXURA_INLINE {
          if (p >= count) return;
          each<4>([&](int i) FLEXURA_INLINE {
            if (i > p) z[i] = fnma(triangle[4 * p + i], z[p], z[i]);
          });
        });
        each<4>([&](int i) FLEXURA_INLINE { own[i] = z[i]; });
      }
    }
    gather<R>(structure, front);
    by_groups<std::max(1, 8 / (R * chunks))>(pivot_rows, height, [&](int row, auto groups) FLEXURA_INLINE {
      subtract_rows<groups, R>(row, front.pivots, panel, s);
    });
    for (int r = 0; r < R; ++r) {
      copy_run(order(r) + front.first, local(r), front.pivots);
      for (int i = front.first_row; i < (&front)[1].first_row; ++i) {
        const Supernodes::Run& run = structure.to_order[i];
        copy_run(order(r) + run.to, local(r) + run.from, run.length);
      }
    }
  }
}

/// sums(k) += Σ_i panel(i, k) x(i) of 4 G rows, k = 0 … columns − 1; rows i = 0, 1, 2, 3 modulo 4 apart.
template <class V>
template <int G, int R>
[[gnu::always_inline]] inline void FrontSolution<V>::add_rows(const Chunk (&x)[R][G * chunks], int columns,
                                                              const V* panel, std::ptrdiff_t s) {
  V* to = sums(0);
  for (int k = 0; k < columns; ++k, panel += 4, to += 4) {
    each<chunks>([&](int q) FLEXURA_INLINE {
      each<R>([&](int r) FLEXURA_INLINE {
        V* own = to + r * sums_length_ + q * width;
        Chunk sum = load<Chunk>(own);
        each<G>([&](int g) FLEXURA_INLINE {
          sum = fma(load<Chunk>(panel + g * 4 * s + q * width), x[r][g * chunks + q], sum);
        });
        store(own, sum);
      });
    });
  }
}

template <class V>
template <int R>
void FrontSolution<V>::backward(const Supernodes& structure, const V* panels, Place place, const V* inverse) {
  for (int f = structure.size(); f-- > 0;) {
    const Front& front = structure.fronts[f];
    const std::ptrdiff_t s = front.pivots;
    const V* panel = panels + front.*place;
    const V* d = inverse + front.first;
    const int pivot_rows = front.pivot_rows(), height = static_cast<int>(front.height());
    gather<R>(structure, front);
    for (int r = 0; r < R; ++r) {
      std::fill_n(sums(r), 4 * pivot_rows, V(0.0));
      for (int i = front.pivots; i < pivot_rows; ++i) local(r)[i] = V(0.0);
    }
    by_groups<std::min(4, std::max(1, 8 / (R * chunks)))>(pivot_rows, height, [&](int row, auto groups) FLEXURA_INLINE {
      Chunk x[R][groups * chunks];
      each<R>([&](int r) FLEXURA_INLINE {
        each<groups * chunks>([&](int q) FLEXURA_INLINE { x[r][q] = load<Chunk>(local(r) + row + q * width); });
      });
      add_rows<groups, R>(x, front.pivots, panel + row * s, s);
    });
    for (int row = pivot_rows - 4; row >= 0; row -= 4) {
      const V* triangle = panel + row * s + 4 * row;
      const int count = std::min(4, front.pivots - row);
      Chunk solved[R][chunks];
      each<R>([&](int r) FLEXURA_INLINE {
        V x[4];
        each<4>([&](int k) FLEXURA_INLINE {
          const int p = 3 - k;
          x[p] = V(0.0);
          if (p >= count) return;
          V own = order(r)[front.first + row + p] * d[row + p] - total(sums(r) + 4 * (row + p));
          each<4>([&](int i) FLEXURA_INLINE {
            if (i > p) own = fnma(triangle[4 * p + i], x[i], own);
          });
          x[p] = own;
          local(r)[row + p] = own;
        });
        join(x, solved[r]);
      });
      add_rows<1, R>(solved, row, panel + row * s, s);
    }
    for (int r = 0; r < R; ++r) copy_run(order(r) + front.first, local(r), front.pivots);
  }
}

}  // namespace flexura::detail

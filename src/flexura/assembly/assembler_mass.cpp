// M and C: from the items to rows, and their products.

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "flexura/assembly/assembler.hpp"
#include "flexura/math/entries.hpp"
#include "flexura/math/instantiate.hpp"

namespace flexura {

namespace {

/// Sums of what items add to pairs of slots, in the order in which they are added.
template <class S>
class PairSums {
 public:
  void add(int row, int column, const S& x) { entries_.push_back({row, column, x}); }
  /// f(row, column, sum) of all pairs, ascending.
  template <class F>
  void for_each(int slots, F f) const {
    std::vector<int> first(slots + 1, 0), order(entries_.size());
    for (const Entry& e : entries_) ++first[e.row + 1];
    std::partial_sum(first.begin(), first.end(), first.begin());
    std::vector<int> next(first);
    for (size_t k = 0; k < entries_.size(); ++k) order[next[entries_[k].row]++] = static_cast<int>(k);
    for (int row = 0; row < slots; ++row) {
      const auto end = order.begin() + first[row + 1];
      std::sort(order.begin() + first[row], end,
                [&](int a, int b) { return std::pair(entries_[a].column, a) < std::pair(entries_[b].column, b); });
      for (auto k = order.begin() + first[row]; k != end;) {
        const int column = entries_[*k].column;
        S sum(0.0);
        for (; k != end && entries_[*k].column == column; ++k) sum += entries_[*k].value;
        f(row, column, sum);
      }
    }
  }

 private:
  struct Entry {
    int row, column;
    S value;
  };
  std::vector<Entry> entries_;
};

}  // namespace

template <class S>
void Assembler<S>::make_mass() {
  PairSums<S> m, c;
  size_t item_index = 0;
  const std::vector<S> coefficients = std::move(damping_.values);
  for (size_t b = 0; b < batches_.size(); ++b) {
    const ItemBatch& batch = topology_->batches[b];
    const std::vector<SlotKind>& kinds = batch.type->info.slots;
    const int ns = static_cast<int>(kinds.size());
    const auto is_moved = [&](int a) {  // a multiplier has no mass
      return kinds[a] != SlotKind::signal &&
             !(batch.type->info.role == Role::constraint && kinds[a] == SlotKind::scalar);
    };
    std::vector<S> local(static_cast<size_t>(ns) * ns);
    for (int i = 0; i < batch.count; ++i, ++item_index) {
      if (!batches_[b]->has_mass) continue;
      batches_[b]->mass(i, local.data());
      const S alpha = coefficients[item_index];
      const bool damped = any(!(alpha == S(0.0)));
      has_damping_ = has_damping_ || damped;
      for (int a1 = 0; a1 < ns; ++a1)
        for (int a2 = 0; a2 < ns; ++a2) {
          if (!is_moved(a1) || !is_moved(a2)) continue;
          const int row = batch.slots[i * ns + a1], column = batch.slots[i * ns + a2];
          m.add(row, column, local[a1 * ns + a2]);
          if (damped) c.add(row, column, alpha * local[a1 * ns + a2]);
        }
    }
  }
  const auto compress = [&](const PairSums<S>& from, MassMatrix& into) {
    into = {};
    from.for_each(static_cast<int>(topology_->slots.size()), [&](int slot, int other, const S& value) {
      const Slot& row = topology_->slots[slot];
      if (into.rows.empty() || into.rows.back().offset != row.offset)
        into.rows.push_back({row.offset, row.size, static_cast<int>(into.columns.size()), 0});
      ++into.rows.back().count;
      into.columns.push_back(topology_->slots[other].offset);
      into.values.push_back(value);
    });
  };
  compress(m, mass_);
  compress(c, damping_);
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
  std::vector<int> next(nq_, 0),
      end(nq_, 0);  // entries of C by the offset of their row: its columns are among those of M
  for (const auto& row : damping_.rows) {
    next[row.offset] = row.first;
    end[row.offset] = row.first + row.count;
  }
  const auto take_damping = [&](int offset, int column) {
    int& k = next[offset];
    return k < end[offset] && damping_.columns[k] == column ? damping_.values[k++] : S(0.0);
  };
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
        product_damping_.push_back(take_damping(rows[i + j].offset, column));
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

#define FLEXURA_INSTANTIATE(S)                                                        \
  template void Assembler<S>::make_mass();                                            \
  template void Assembler<S>::make_product();                                         \
  template void Assembler<S>::times(const MassMatrix&, const S*, const S&, S*) const; \
  template void Assembler<S>::add_inertia(const S*, const S*, S*, S*, S*) const;      \
  template void Assembler<S>::subtract_mass_times(const S*, S, S*) const;             \
  template void Assembler<S>::subtract_damping(const S*, S*) const;
FLEXURA_FOR_EACH_SCALAR(FLEXURA_INSTANTIATE)
#undef FLEXURA_INSTANTIATE

}  // namespace flexura

// M and C: from the items to rows, and their products.

#include <algorithm>
#include <map>

#include "flexura/assembly/assembler.hpp"
#include "flexura/math/entries.hpp"
#include "flexura/math/instantiate.hpp"

namespace flexura {

template <class S>
void Assembler<S>::make_mass() {
  std::map<std::pair<int, int>, S> m, c;  // by slots
  size_t item_index = 0;
  const std::vector<S> coefficients = std::move(damping_.values);
  for (size_t b = 0; b < batches_.size(); ++b) {
    const ItemBatch& batch = topology_->batches[b];
    const std::vector<SlotKind>& kinds = batch.type->info.slots;
    const int ns = static_cast<int>(kinds.size());
    std::vector<S> local(static_cast<size_t>(ns) * ns);
    for (int i = 0; i < batch.count; ++i, ++item_index) {
      if (!batches_[b]->has_mass) continue;
      batches_[b]->mass(i, local.data());
      const S alpha = coefficients[item_index];
      for (int a1 = 0; a1 < ns; ++a1)
        for (int a2 = 0; a2 < ns; ++a2) {
          if (kinds[a1] == SlotKind::signal || kinds[a2] == SlotKind::signal) continue;
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

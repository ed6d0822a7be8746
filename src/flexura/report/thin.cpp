#include "flexura/report/thin.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace flexura {
namespace {

std::vector<std::uint64_t> all_rows(std::size_t count) {
  std::vector<std::uint64_t> rows(count);
  std::iota(rows.begin(), rows.end(), std::uint64_t{0});
  return rows;
}

void sort_unique(std::vector<std::uint64_t>& rows) {
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
}

}  // namespace

std::vector<std::uint64_t> even_rows(std::span<const double> at, std::size_t most) {
  if (at.size() <= std::max<std::size_t>(most, 2)) return all_rows(at.size());
  std::vector<std::uint64_t> rows;
  const std::size_t last = at.size() - 1, steps = std::max<std::size_t>(most, 2) - 1;
  for (std::size_t k = 0; k <= steps; ++k) {
    const double wanted = at[0] + (at[last] - at[0]) * (static_cast<double>(k) / static_cast<double>(steps));
    auto row = static_cast<std::size_t>(std::lower_bound(at.begin(), at.end(), wanted) - at.begin());
    row = std::min(row, last);
    if (row > 0 && wanted - at[row - 1] < at[row] - wanted) --row;
    rows.push_back(k == steps ? last : row);
  }
  sort_unique(rows);
  return rows;
}

std::vector<std::uint64_t> telling_rows(std::span<const double> values, std::size_t columns, std::size_t most) {
  const std::size_t count = columns == 0 ? 0 : values.size() / columns;
  if (count <= most) return all_rows(count);
  const std::size_t stretches = std::max<std::size_t>(1, most / (2 * columns));
  std::vector<std::uint64_t> rows{0, count - 1};
  for (std::size_t k = 0; k < stretches; ++k) {
    const std::size_t begin = count * k / stretches, end = count * (k + 1) / stretches;
    for (std::size_t c = 0; c < columns && begin < end; ++c) {
      std::size_t least = begin, greatest = begin;
      for (std::size_t i = begin; i < end; ++i) {
        const double x = values[i * columns + c];
        if (std::isnan(x)) continue;
        if (!(values[least * columns + c] <= x)) least = i;
        if (!(values[greatest * columns + c] >= x)) greatest = i;
      }
      rows.push_back(least);
      rows.push_back(greatest);
    }
  }
  sort_unique(rows);
  return rows;
}

}  // namespace flexura

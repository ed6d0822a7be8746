#include "flexura/mesh/coincident_nodes.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <unordered_map>

namespace flexura {

std::vector<std::array<int, 2>> coincident_nodes(std::span<const Vec3> places, double distance) {
  std::vector<std::array<int, 2>> out;
  const auto is_finite = [](const Vec3& r) { return std::isfinite(r[0] + r[1] + r[2]); };
  Vec3 low{HUGE_VAL, HUGE_VAL, HUGE_VAL};
  for (const Vec3& r : places)
    for (int k = 0; k < 3 && is_finite(r); ++k) low[k] = std::min(low[k], r[k]);
  const double cell = std::max(2 * distance, 1e-300);
  const auto place = [&](double x, int k) { return static_cast<std::int64_t>(std::floor((x - low[k]) / cell)); };
  const auto key = [](std::int64_t x, std::int64_t y, std::int64_t z) {
    return static_cast<std::uint64_t>(x) * 0x9E3779B97F4A7C15ULL ^
           static_cast<std::uint64_t>(y) * 0xC2B2AE3D27D4EB4FULL ^
           static_cast<std::uint64_t>(z) * 0x165667B19E3779F9ULL;
  };
  std::unordered_multimap<std::uint64_t, int> cells;
  for (int n = 0; n < static_cast<int>(places.size()); ++n) {
    const Vec3& r = places[n];
    if (!is_finite(r)) continue;
    std::int64_t c[3], side[3];  // the cell, and the next one towards which the place lies
    for (int k = 0; k < 3; ++k) {
      c[k] = place(r[k], k);
      side[k] = (r[k] - low[k]) / cell - static_cast<double>(c[k]) < 0.5 ? -1 : 1;
    }
    for (int m = 0; m < 8; ++m) {
      const auto [begin, end] = cells.equal_range(
          key(c[0] + (m & 1 ? side[0] : 0), c[1] + (m & 2 ? side[1] : 0), c[2] + (m & 4 ? side[2] : 0)));
      for (auto other = begin; other != end; ++other)
        if (norm(places[other->second] - r) <= distance) out.push_back({other->second, n});
    }
    cells.emplace(key(c[0], c[1], c[2]), n);
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

}  // namespace flexura

#include "flexura/mesh/split_cell.hpp"

#include <algorithm>

namespace flexura {

std::array<std::array<int, 4>, 3> split_prism(std::span<const int, 6> corners) {
  constexpr int smallest_first[6][6] = {{0, 1, 2, 3, 4, 5}, {1, 2, 0, 4, 5, 3}, {2, 0, 1, 5, 3, 4},
                                        {3, 5, 4, 0, 2, 1}, {4, 3, 5, 1, 0, 2}, {5, 4, 3, 2, 1, 0}};
  const auto smallest = std::ranges::min_element(corners) - corners.begin();
  std::array<int, 6> n{};
  for (int k = 0; k < 6; ++k) n[k] = corners[smallest_first[smallest][k]];
  if (std::min(n[1], n[5]) < std::min(n[2], n[4]))
    return {{{n[0], n[1], n[2], n[5]}, {n[0], n[1], n[5], n[4]}, {n[0], n[4], n[5], n[3]}}};
  return {{{n[0], n[1], n[2], n[4]}, {n[0], n[4], n[2], n[5]}, {n[0], n[4], n[5], n[3]}}};
}

std::array<std::array<int, 4>, 2> split_pyramid(std::span<const int, 5> corners) {
  const auto base = split_face(corners.first<4>());
  std::array<std::array<int, 4>, 2> out{};
  for (int k = 0; k < 2; ++k) out[k] = {base[k][0], base[k][1], base[k][2], corners[4]};
  return out;
}

std::array<std::array<int, 3>, 2> split_face(std::span<const int, 4> corners) {
  const auto& n = corners;
  if (std::min(n[0], n[2]) < std::min(n[1], n[3])) return {{{n[0], n[1], n[2]}, {n[0], n[2], n[3]}}};
  return {{{n[1], n[2], n[3]}, {n[1], n[3], n[0]}}};
}

std::vector<std::array<int, 4>> quadrilateral_faces(std::span<const int> n) {
  if (n.size() == 5) return {{n[0], n[1], n[2], n[3]}};
  return {{n[0], n[1], n[4], n[3]}, {n[1], n[2], n[5], n[4]}, {n[2], n[0], n[3], n[5]}};
}

}  // namespace flexura

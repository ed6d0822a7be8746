#pragma once
// Grids of cells side by side as one mesh of hexahedra or tetrahedra: what generators of solids share.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "flexura/mesh/solid_shapes.hpp"

namespace flexura::detail {

/// A grid of cells n[0] × n[1] × n[2], its nodes on a lattice of twice as many steps: at(i, j, k) of these.
struct Patch {
  std::array<int, 3> n;
  std::function<Vec3(int, int, int)> at;
  std::function<bool(int, int, int)> has = {};  ///< whether there is a cell; none: all are
};

/// Patches side by side as one mesh: lattice points in one place are one node.
class PatchJoiner {
 public:
  PatchJoiner(SolidKind kind, double size) : kind_(kind), info_(cell_info(kind)), grain_(1e-7 * size) {}

  void add(const Patch& patch);
  SolidMesh finish() { return std::move(mesh_); }

 private:
  using Point = std::array<int, 3>;  // of the lattice

  static size_t points(const Patch& p) {
    return (2 * static_cast<size_t>(p.n[0]) + 1) * (2 * static_cast<size_t>(p.n[1]) + 1) *
           (2 * static_cast<size_t>(p.n[2]) + 1);
  }

  void add_hexahedron(const Patch& patch, const Point& corner, std::vector<int>& number);

  /// Kuhn's six, each along three sides of the cell in one of the orders of its directions: neighbours fit without more.
  void add_tetrahedra(const Patch& patch, const Point& corner, std::vector<int>& number);

  int node(const Patch& patch, const Point& p, std::vector<int>& number);

  /// Rounded to a grain, and what may have been rounded to the next one is looked for there.
  int node_at(const Vec3& r);
  static std::uint64_t key(std::int64_t x, std::int64_t y, std::int64_t z) {
    const auto mixed = [](std::int64_t c) { return static_cast<std::uint64_t>(c) * 0x9E3779B97F4A7C15ull; };
    return mixed(x) ^ (mixed(y) << 21 | mixed(y) >> 43) ^ (mixed(z) << 42 | mixed(z) >> 22);
  }

  SolidKind kind_;
  const CellInfo& info_;
  double grain_;
  SolidMesh mesh_;
  std::unordered_map<std::uint64_t, int> known_;
};

/// Lines of a direction and the middles between them.
std::vector<double> with_middles(const std::vector<double>& lines);

void check_count(ParameterCheck& check, double cells, SolidKind kind);
void check_grading(ParameterCheck& check, const Grading& grading);

}  // namespace flexura::detail

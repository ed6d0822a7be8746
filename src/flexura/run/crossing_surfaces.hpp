#pragma once
// Surfaces of different parts that pass through each other: solids, membranes and plates, which nothing keeps apart.
//
// Two triangles cross where a side of one passes through the other, its ends on different sides of the plane. Aligned parts meet
// in sides, diagonals and common planes, where such a test depends on rounding. So solids are first made smaller by a small
// distance along their normals, plates and membranes by drawing in their edges, one part by more than the other:
//
//     ┌───────┐            ┌───────┐
//     │   ┌───┼───┐        │┌─────┐│      touching parts come apart, overlapping ones cross in general position,
//     │   │   │   │   →    ││ ┌───┼┼─┐    and one of two equal parts lies inside the other
//     └───┴───┴───┘        └┼─┘...┘└─┘
//
// Surfaces that cross or touch at the start (glued faces, seams, a finger around its core) are meant so.

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "flexura/observe/drawing.hpp"
#include "flexura/part/machine.hpp"

namespace flexura {

/// What a warning says of them.
inline constexpr std::string_view pass_through = "pass through each other";

class CrossingSurfaces {
 public:
  explicit CrossingSurfaces(const Machine& machine);

  struct Crossing {
    std::string first, second;  ///< "solid.left"
    Vec3 at{};                  ///< one place of many [m]
  };
  /// Pairs that cross at coordinates q [nq], or of which one lies inside the other, and did neither nor touch where the machine is
  /// described. Each pair is returned once. Boxes leave few triangles to compare.
  std::vector<Crossing> find(std::span<const double> q);

 private:
  struct Surface {
    std::string name;
    bool is_solid;
    SlotMap position;                           ///< of its vertices
    std::vector<std::array<int, 3>> triangles;  ///< vertices
    std::vector<int> corner;                    ///< of each vertex: vertices at one place have the same
    std::vector<std::array<int, 3>> edges;      ///< of one triangle alone: two vertices and its third
  };
  void add(std::string name, bool is_solid, SlotMap position, std::span<const std::uint32_t> quads);
  void find_edges(Surface& surface) const;
  void place(const Surface& surface, std::span<const double> q, std::vector<Vec3>& out) const;
  void place_all(std::span<const double> q);
  std::vector<std::array<Vec3, 3>> smaller(const Surface& surface, const std::vector<Vec3>& x, double distance,
                                           const Vec3& moved) const;
  std::optional<Vec3> crossing(size_t first, size_t second) const;
  bool meet(size_t first, size_t second) const;

  std::vector<Surface> surfaces_;
  std::vector<double> start_;           ///< as described, of slots that depend on others too
  std::vector<std::vector<Vec3>> x_;    ///< vertices of each surface, where they are looked at
  std::vector<std::vector<char>> met_;  ///< pairs that are not looked at any more: [first][second]
  std::vector<Drawing::MovingSlot> slots_;
  std::vector<std::array<double, 3>> fixed_;
};

}  // namespace flexura

#pragma once
// Surfaces of different parts that pass through each other: solids, membranes and plates, which nothing keeps apart.
//
// A side of a triangle crosses another triangle where its ends lie on different sides of that triangle's plane, farther
// from it than a tolerance. Surfaces that cross or touch at the start (glued faces, seams, a finger around its core)
// are meant so.

#include <array>
#include <span>
#include <string>
#include <string_view>
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
  /// Pairs that cross at q and neither crossed nor touched at `start`; both in q order. Boxes leave few triangles to
  /// compare.
  std::vector<Crossing> find(std::span<const double> q, std::span<const double> start) const;

 private:
  struct Surface {
    std::string name;
    SlotMap position;                           ///< of its vertices
    std::vector<std::array<int, 3>> triangles;  ///< vertices
  };
  std::vector<Vec3> vertices(const Surface& surface, std::span<const double> q) const;

  std::vector<Surface> surfaces_;
  std::vector<Drawing::MovingSlot> slots_;
  std::vector<std::array<double, 3>> fixed_;
};

}  // namespace flexura

#pragma once
// A place as a person names it: "actuator.end", "actuator@0.35", "actuator@60 mm", "ground", "plate@(0.2, 0.7)",
// "leg@(0, 0.5, 1)", "leg@[0.01, 0, 0.03]", [0.2, 0].

#include <string>
#include <vector>

#include "flexura/base/problem.hpp"

namespace flexura {

struct Place {
  enum class At {
    whole,    ///< the part itself: ground, a point, a mass
    named,    ///< a point with a name: start, end, later any named set or body point
    share,    ///< share of the length, 0 … 1
    length,   ///< length from the start [m]
    surface,  ///< two shares
    inside,   ///< three shares of a solid
    local,    ///< coordinates in the frame of a solid [m]
    fixed,    ///< coordinates of a point of the ground [m]
  };
  std::string part;  ///< "ground" for fixed points
  At at = At::whole;
  std::string point;                ///< At::named
  double share = 0, length = 0;     ///< At::share, At::length
  double surface[2] = {0, 0};       ///< At::surface
  double inside[3] = {0, 0, 0};     ///< At::inside
  std::vector<double> coordinates;  ///< At::fixed, At::local
  std::string text;                 ///< as written
  Source source;

  bool is_ground() const { return part == "ground"; }
};

}  // namespace flexura

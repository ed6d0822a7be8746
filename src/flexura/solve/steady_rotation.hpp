#pragma once
// Whether a state turns as one: v = Ω × (x − c) + u in all that has mass, with u along Ω.

#include <array>
#include <span>
#include <string>
#include <vector>

#include "flexura/solve/system.hpp"

namespace flexura {

struct SteadyRotation {
  std::array<double, 3> spin{};  ///< Ω [rad/s]; planar: about z
  double rate = 0;               ///< |Ω| [rad/s]
  double speed = 0;              ///< largest speed of a point, the mean motion left out [m/s]
  double greatest = 0;           ///< largest speed of a point in space [m/s]
  std::string fastest;           ///< name of the point that has it
  double remainder = 0;          ///< share of the kinetic energy in what is no rotation of the whole [1]
  double imbalance = 0;  ///< largest force that is missing to a steady turning, relative to the largest that acts
  /// Why the whole cannot turn, though its velocities are those of a rotation: what is tied to directions that do not
  /// turn; "" if it can.
  std::string tied;

  bool turns() const { return rate > 0; }
};

/// Fit of the state's velocities, by mass. `rate` is 0 where they are no rotation (`remainder` says how far).
SteadyRotation find_rotation(System<double>& system, const State<double>& state);

/// out = Ω × in for points and vectors of `dim` coordinates.
std::array<double, 3> turned(const SteadyRotation& rotation, const double* in, int dim);

}  // namespace flexura

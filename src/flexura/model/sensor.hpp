#pragma once
// What is recorded, described by the slots and items of a model.

#include <string>
#include <vector>

namespace flexura {

enum class SensorKind {
  position,          ///< of point slot `slot` [m]
  velocity,          ///< [m/s]
  acceleration,      ///< [m/s^2]
  direction,         ///< unit vector of vector slot `slot`
  angle,             ///< of vector slot `slot` from +x, unwrapped [rad]
  axial_force,       ///< at `share` of element `item` of batch `batch` [N]
  curvature,         ///< there [1/m]
  moment,            ///< section moment there [N m]
  elastic_moment,    ///< r_x × Q of the assembled elastic force Q on vector slot `slot`: the work-conjugate moment [N m]
  elastic_norm,      ///< ‖Q‖ there [N m]
  reaction,          ///< force of what was eliminated or multiplied, on the second side [N]
  reaction_moment,   ///< its moment about the joint's point [N m]
  energy,            ///< `of`: kinetic, strain, gravity, total, work, dissipated [J]
  signal,            ///< effective signal `signal`
  multiplier         ///< scalar slot `slot`
};

/// A dependent slot that carries a reaction; `sign` +1 if it belongs to the second side of the joint.
struct ReactionSlot {
  int slot = -1;
  double sign = 1;
};

struct Sensor {
  std::string name;
  SensorKind kind = SensorKind::position;
  int slot = -1;
  int batch = -1, item = -1;
  double share = 0;  ///< 0 … 1 within the element
  std::vector<ReactionSlot> forces;      ///< point slots
  std::vector<ReactionSlot> moments;     ///< vector slots
  int signal = -1;
  std::string of;
  std::string unit = "1";
  std::vector<std::string> components;   ///< names of the columns; one entry: a scalar
  double interval = 0;                   ///< [s]; 0: that of the output
};

/// A curve to draw: nodes (point and vector slots) of a cable.
struct CurveShape {
  std::string name;
  std::vector<int> points, gradients;
  double element_length = 0;  ///< of the parameter [m]
  double EA = 0, EI = 0;
};

}  // namespace flexura

#pragma once
// A scene as models ready to be solved: who is where in the slots, what is recorded, and when which model holds.

#include <memory>
#include <string>
#include <vector>

#include "flexura/part/machine.hpp"
#include "flexura/scene/timeline.hpp"

namespace flexura {

/// What a sensor reads. `slots` by name in every model of the scene.
struct SensorSpec {
  std::string name, type, unit, doc;
  std::string of;                ///< energy: which; signal, reaction: the name
  double interval = 0;           ///< [s]; 0: the output's
  int point = -1;                ///< slot of the place; −1 inside an element
  int vector = -1;               ///< slot of r_x there; −1 inside an element and where there is no direction
  int cable = -1, element = -1;  ///< on a cable: index into SceneModel::cables and its elements
  double xi = 0;                 ///< place in the element, 0 … 1
  /// On a plate: the elements around the place, over which the mean is taken. `turn`: angle from the sensor's first axis to
  /// that of the element about the normal, in the reference [rad].
  struct WallPlace {
    int element = -1;
    double xi = 0, eta = 0, turn = 0;
  };
  int plate = -1;  ///< index into SceneModel::plates
  std::vector<WallPlace> wall;
  LinearForm tangents[2];  ///< of the plate: ∂r/∂u and ∂r/∂v
  std::string face;        ///< stress, strain, von_mises: "top", "bottom", "middle"
  std::string axis;        ///< direction on a plate: "u", "v", "normal"
  int node = -1;           ///< of the cable, for the node quantities
  int signal = -1;         ///< index in the SignalSet
  // Reaction: as in JointReaction.
  using Share = JointReaction::Share;
  std::vector<Share> shares;  ///< point or vector −1: only the other
  bool carried = false;       ///< the shares' forces are those of all that hangs on them by definitions
  double sign = 1;
  using ItemShare = JointReaction::ItemShare;
  std::vector<ItemShare> item_shares;
  int body = -1;                 ///< index into SceneModel::bodies: frame, angular_velocity, angular_acceleration
  int coordinate = -1;           ///< slot of a joint's angle or offset
  std::vector<int> multipliers;  ///< slots
  int multiplier = -1;           ///< reaction of a distance: slot of the tension [N]
  int ends[2] = {-1, -1};        ///< and its two points; distance: its places
  std::string part;              ///< constraint_violation: only of that joint or body
  Source source;
};

/// A machine with what is read from it.
struct SceneModel : Machine {
  std::vector<SensorSpec> sensors;               ///< the same, in the same order, in every model
  std::vector<const Record*> body_records = {};  ///< of each body, for its shape
};

struct OutputSpec {
  double interval = 0, sensor_interval = 0;  ///< [s]; 0: chosen by the run
  bool every_step = false;
};

struct SceneModels {
  std::string title;
  Timeline timeline;               ///< segments know their model
  std::vector<SceneModel> models;  ///< one per set of things that act
  OutputSpec output;
  std::vector<Problem> warnings;                        ///< what should be known before a run, ordered, each once
  std::vector<std::shared_ptr<const CalledCode>> code;  ///< of the program, that signals and loads call
};

/// Throws InputError with every problem.
SceneModels interpret_scene(const SceneDocument& scene);

/// Index of each free or dependent slot of `to` in `from` by name, −1 where there is none: how a state goes on when
/// something was let go.
std::vector<int> slots_by_name(const Topology& from, const Topology& to);

}  // namespace flexura

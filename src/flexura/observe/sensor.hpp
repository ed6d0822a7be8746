#pragma once
// A sensor: a quantity at a place, found in the slots and items of a machine.

#include <string>
#include <vector>

#include "flexura/base/problem.hpp"
#include "flexura/observe/quantity.hpp"
#include "flexura/part/forms.hpp"

namespace flexura {

/// What a sensor reads. `slots` by name in every model of the scene.
struct SensorSpec {
  std::string name;
  const Quantity* quantity = nullptr;
  std::string of;       ///< joint, signal or contact, by name
  std::string part;     ///< constraint_violation: only of that joint or body
  int choice = 0;       ///< of Quantity::selection
  double interval = 0;  ///< [s]; 0: the output's

  std::vector<MaterialPlace> at;  ///< its place, or both; none of what is no place
  LinearForm place;               ///< r there [m]; no terms where the place has none
  LinearForm along, across;       ///< directions carried there: ∂r/∂x; of a plate ∂r/∂u and ∂r/∂v
  LinearForm slope;               ///< of a cable or beam: ∂r/∂ξ of the line itself, whose sections may shear [m]
  LinearForm ends[2];             ///< of two places
  /// An element at the place; of a plate all those around it, over which the mean is taken. `turn`: angle from the sensor's
  /// first axis to that of the element about the normal, in the reference [rad].
  struct ElementPlace {
    int element = -1;  ///< of the cable or plate
    double xi = 0, eta = 0, turn = 0;
    ItemRef item = {};
  };
  std::vector<ElementPlace> elements;
  int cable = -1, plate = -1, body = -1;  ///< indices into Machine::cables, plates, bodies

  int point = -1;                ///< slot about which a reaction's moment counts
  int vector = -1;               ///< slot of r_x at a node
  int coordinate = -1;           ///< slot of a joint's angle or offset
  std::vector<int> multipliers;  ///< slots
  int signal = -1;               ///< index in the SignalSet
  // Reaction: as in JointReaction. Empty while the joint does not act.
  std::vector<JointReaction::Share> shares;
  bool carried = false;
  double sign = 1;
  std::vector<JointReaction::ItemShare> item_shares;
  int multiplier = -1;         ///< reaction of a distance: slot of the tension [N]
  int rod_ends[2] = {-1, -1};  ///< and its two points
  int touching[2] = {-1, -1};  ///< members of Machine::contacts, ascending where there are two
  int contact = -1;            ///< its group; −1 while it does not act
  Source source;

  /// Looks up elements and items, once the machine has a model and Machine::items.
  void find_items(const Machine& machine);
};

}  // namespace flexura

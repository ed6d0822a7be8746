#pragma once
// A sensor: a quantity at a place, found in the slots and items of a machine.

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "flexura/base/problem.hpp"
#include "flexura/observe/quantity.hpp"
#include "flexura/part/forms.hpp"

namespace flexura {

/// Σ weight · slot: a place, or a direction carried there, alike in all directions of space.
struct SlotSum {
  std::vector<std::pair<int, double>> terms;  ///< slot, weight

  SlotSum() = default;
  SlotSum(const LinearForm& form);  ///< of part/forms.hpp, without a constant
  bool empty() const { return terms.empty(); }
};
/// Of numbers in q order: q, v, a or the reference. `out`: as many as space has directions.
void evaluate(const SlotSum& sum, const Topology& topology, std::span<const double> from, std::span<double> out);

/// What a section of known shape bears: forces over `area` and moments over these are stresses. 0: it is not known.
struct SectionModuli {
  double area = 0;                    ///< [m²]
  double about_d1 = 0, about_d2 = 0;  ///< W = I over the largest distance [m³]; planar cables bend about d₂
};
/// d1, d2: along these directors [m].
SectionModuli rectangle_moduli(double d1, double d2);
/// Radii [m]; inner = 0: solid.
SectionModuli round_moduli(double outer, double inner);

/// Where a quantity is read, in the slots and items of a machine: of a sensor, or of a point of a drawing's fields.
struct SensorPlace {
  SlotSum place;                     ///< r there [m]; empty where the place has none
  SlotSum along, across;             ///< directions carried there: ∂r/∂x; of a plate ∂r/∂u and ∂r/∂v
  SlotSum slope;                     ///< of a cable or beam: ∂r/∂ξ of the line itself, whose sections may shear [m]
  double rest = 1;                   ///< its length in the reference
  SlotSum ends[2];                   ///< of two places
  std::array<SlotSum, 3> directors;  ///< of a node of a beam: d₁, d₂ in the section, d₃ along
  /// An element at the place; where several meet all those around it, over which the mean is taken. Of a plate the angle from
  /// the first axis of the place to that of the element about the normal, in the reference.
  struct Element {
    int element = -1;  ///< of the cable or plate
    double xi = 0, eta = 0;
    double cosine = 1, sine = 0;
    ItemRef item = {};
    double zeta = 0;      ///< of a solid
    ItemRef beside = {};  ///< a cable's bend_stiffening: what it adds to the element's probes
  };
  std::vector<Element> elements;
  double EA = 0;  ///< axial force over axial strain in the first element; 0 where that is no constant [N]
  SectionModuli section;
  int cable = -1, plate = -1, body = -1, solid = -1;  ///< indices into Machine::cables, plates, bodies, solids
  int chamber = -1;                                   ///< into Machine::chambers
  int constraint = -1;                                ///< into Machine::kept

  int point = -1;       ///< slot about which a reaction's moment counts
  int vector = -1;      ///< slot of r_x at a node
  int coordinate = -1;  ///< slot of a joint's angle or offset
  /// Drive: slots of the coordinates that move with it, by gears too, and by how much for 1 of its own.
  std::vector<std::pair<int, double>> driven;
  std::vector<int> multipliers;  ///< slots
  int signal = -1;               ///< index in the SignalSet
  // Reaction: as in JointReaction. Empty while the joint does not act.
  std::vector<JointReaction::Share> shares;
  std::string author;
  double sign = 1;
  std::vector<JointReaction::Tie> ties;
  std::vector<JointReaction::ItemShare> item_shares;
  int multiplier = -1;         ///< reaction of a distance: slot of the tension [N]
  int rod_ends[2] = {-1, -1};  ///< and its two points
  int touching[2] = {-1, -1};  ///< members of Machine::contacts, ascending where there are two
  int contact = -1;            ///< its group; −1 while it does not act

  /// Looks up elements and items by name, once the machine has a model and Machine::items, and what the elements are.
  void find_items(const Machine& machine);
  /// The latter alone, where the items are known: EA, and what stiffens them.
  void find_stiffness(const Machine& machine);
};

/// What a sensor reads. Slots by name are the same in every model of the scene.
struct SensorSpec : SensorPlace {
  std::string name;
  const Quantity* quantity = nullptr;
  std::string of;                 ///< joint, signal or contact, by name
  std::string part;               ///< constraint_violation: only of that joint or body
  int choice = 0;                 ///< of Quantity::selection
  double interval = 0;            ///< [s]; 0: the output's
  std::vector<MaterialPlace> at;  ///< its place, or both; none of what is no place
  Source source;
};

}  // namespace flexura

#pragma once
// A scene as models ready to be solved: who is where in the slots, what is recorded, and when which model holds.

#include <array>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "flexura/mesh/plate_model.hpp"
#include "flexura/model/linear_relations.hpp"
#include "flexura/model/model.hpp"
#include "flexura/scene/timeline.hpp"

namespace flexura {

/// An element of a cable as its term sees it.
struct ElementRef {
  std::string name;                 ///< of the item: "cable 'hose', element 3", counted from 1
  int slots[4] = {-1, -1, -1, -1};  ///< r₀, g₀, r₁, g₁
  std::vector<double> parameters;   ///< in the term's order
  std::vector<int> options;
  double length = 0;  ///< of its parameter x [m]
};

struct CablePart {
  std::string name;
  double length = 0;                       ///< of the reference [m]
  std::vector<int> points, vectors;        ///< slots of the nodes, from start to end
  std::vector<std::array<int, 3>> frames;  ///< slots of the nodes' directors; empty for cables without
  std::vector<ElementRef> elements;
};

/// A thin plate or shell.
struct PlatePart {
  std::string name;
  SurfaceMesh mesh;
  PlateModel model;
  double thickness = 0;  ///< of the wall where the mesh's factor is 1 [m]
};

/// A rigid body: its frame as a combination of the slots that carry it.
struct BodyPart {
  std::string name;
  std::vector<int> slots;       ///< basis: points and vectors, shared with other bodies where joints allow
  std::vector<double> weights;  ///< [(1 + axes) × slots]: origin, then the frame's unit axes, Σ weight · slot
  int axes = 0;                 ///< 2 planar, 3 spatial, 1: a slender rod without rotation about its axis
  double mass = 0;              ///< [kg]
  std::vector<std::pair<std::string, std::vector<double>>> points;  ///< named points in the body's frame [m]
  const Record* record = nullptr;
};

/// A slot that is a place or direction of a body: how a state goes on in a model in which other slots carry the body.
struct BodyAnchor {
  int slot = 0, body = 0;  ///< index into SceneModel::bodies
  bool is_point = true;
  double local[3] = {0, 0, 0};  ///< in the body's frame [m, 1]
};

/// A dependent slot as it was written, before masters that are dependents themselves were replaced: forces go from it to
/// them, and what a joint carries is read on the way.
struct SlotDefinition {
  int slot = 0;
  std::vector<LinearTerm> terms;
};

/// What a joint became.
struct JointPart {
  std::string name, type;
  int eliminated = 0;              ///< equations solved for at build
  std::vector<int> multipliers;    ///< slots, one per equation that is left
  std::vector<std::string> items;  ///< names of the items that carry them
  int angle = -1, offset = -1;     ///< slots of its coordinates [rad, m], where something asked for them
  std::string parts[2];
};

/// What a constraint that carries a multiplier is for.
struct ConstraintUse {
  std::string family;  ///< "rigidity", "angle", ...; empty: what its term is called
  std::string part;    ///< the joint, body or beam that it belongs to
};

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
  std::vector<std::pair<int, double>> tangents[2];  ///< of the plate: ∂r/∂u and ∂r/∂v as Σ weight · slot
  std::string face;                                 ///< stress, strain, von_mises: "top", "bottom", "middle"
  std::string axis;                                 ///< direction on a plate: "u", "v", "normal"
  int node = -1;                                    ///< of the cable, for the node quantities
  int signal = -1;                                  ///< index in the SignalSet
  /// Reaction: force of the first place on the second = sign Σ (−f[point]), moment about `point` of the same forces and
  /// of (−f[vector]) × r_x; f = full residual before reduction. Empty while the joint does not act.
  struct Share {
    int point = -1, vector = -1;
  };
  std::vector<Share> shares;  ///< point or vector −1: only the other
  bool carried = false;       ///< the shares' forces are those of all that hangs on them by definitions
  double sign = 1;
  /// Reaction of constraints with multipliers: forces of items on those of their local slots that belong to the second
  /// place, with that sign; the moment is about `point` and counts vectors as x × f.
  struct ItemShare {
    std::string item;
    int slot = 0;
    double sign = 1;
  };
  std::vector<ItemShare> item_shares;
  int body = -1;                 ///< index into SceneModel::bodies: frame, angular_velocity, angular_acceleration
  int coordinate = -1;           ///< slot of a joint's angle or offset
  std::vector<int> multipliers;  ///< slots
  int multiplier = -1;           ///< reaction of a distance: slot of the tension [N]
  int ends[2] = {-1, -1};        ///< and its two points; distance: its places
  std::string part;              ///< constraint_violation: only of that joint or body
  Source source;
};

struct SceneModel {
  Model model;
  std::vector<CablePart> cables;
  std::vector<PlatePart> plates;
  std::vector<BodyPart> bodies;
  std::vector<BodyAnchor> anchors;
  std::vector<SlotDefinition> definitions;
  std::vector<JointPart> joints;
  std::map<std::string, ConstraintUse> constraints;  ///< by the name of the item
  /// Slots of parts whose initial pose or velocity the scene states: others give way where joints ask for it.
  std::vector<int> stated_positions, stated_velocities;
  std::vector<SensorSpec> sensors;                  ///< the same, in the same order, in every model
  std::vector<std::pair<std::string, int>> points;  ///< [point.NAME] and its slot

  int element_count() const {
    size_t count = 0;
    for (const CablePart& cable : cables) count += cable.elements.size();
    for (const PlatePart& plate : plates) count += plate.model.elements.size();
    return static_cast<int>(count);
  }
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

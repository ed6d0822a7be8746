#pragma once
// A machine that is built: its model, and which slots its parts became.

#include <array>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "flexura/mesh/plate_model.hpp"
#include "flexura/mesh/solid_model.hpp"
#include "flexura/model/contact_model.hpp"
#include "flexura/model/linear_relations.hpp"
#include "flexura/model/model.hpp"
#include "flexura/part/material_place.hpp"
#include "flexura/part/rigid_frame.hpp"

namespace flexura {

struct BodySpec;
struct JointSpec;
struct SectionSpec;
struct TermSpec;

/// Behind an element's name: the item that stiffens a planar cable as it bends.
inline constexpr const char* stiffening_suffix = ", stiffening";

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
  std::vector<std::array<int, 2>> fibres;  ///< of beams of full elements: slots r_y, r_z of the nodes, which deform
  std::vector<ElementRef> elements;

  bool is_full() const { return !fibres.empty(); }
  /// Whether its sections have directions, of length 1 or not.
  bool has_axes() const { return !frames.empty() || is_full(); }
  const char* kind() const { return has_axes() ? "beam" : "cable"; }
  /// Slots of a node that are orthonormal in the reference, two in the section and the normal or ∂r/∂x.
  std::array<int, 3> axes(int node) const {
    return is_full() ? std::array{fibres[node][0], fibres[node][1], vectors[node]} : frames[node];
  }
  std::shared_ptr<const SectionSpec> section = {};
};

/// A plate or shell.
struct PlatePart {
  std::string name;
  SurfaceMesh mesh;
  PlateModel model;
  double thickness = 0;  ///< of the wall where the mesh's factor is 1 [m]
  bool is_full = false;  ///< of full elements: a solid through the wall
};

/// A body of hexahedra or tetrahedra, or a membrane of triangles.
struct SolidPart {
  std::string name;
  SolidMesh mesh;  ///< in space
  SolidModel model;
  detail::RigidFrame placed;  ///< its own frame in space
  /// Of each of the mesh's sets: node and weight of the mean over its area or volume.
  std::vector<std::vector<std::pair<int, double>>> set_means;
};

struct PointPart {
  std::string name;
  int slot = -1;
  bool fixed = false;  ///< stated: it does not move
};

/// A rigid body: its frame as a combination of the slots that carry it.
/// A body as rigid trusses between nodes [meijaard-truss eqs 4, 5]; parts of its mass may be negative.
struct BodyTrusses {
  struct Node {
    std::array<double, 3> local{};  ///< in the body's frame [m]
    double mass = 0;                ///< lumped [kg]
  };
  struct Member {
    int from = 0, to = 0;
    double mass = 0;  ///< spread evenly [kg]; planar: 0, the mass of eq 3 is that of both nodes together
  };
  std::vector<Node> nodes;
  std::vector<Member> members;
};

struct BodyPart {
  std::string name;
  std::vector<int> slots;       ///< basis: points and vectors, shared with other bodies where joints allow
  std::vector<double> weights;  ///< [(1 + axes) × slots]: origin, then the frame's unit axes, Σ weight · slot
  int axes = 0;                 ///< 2 planar, 3 spatial, 1: a slender rod without rotation about its axis
  double mass = 0;              ///< [kg]
  std::vector<std::pair<std::string, std::vector<double>>> points;  ///< named points in the body's frame [m]
  std::shared_ptr<const BodySpec> spec = {};                        ///< as it was stated
  BodyTrusses trusses = {};                                         ///< where trusses carry it
};

/// A slot that is a place or direction of a body: how a state goes on in a model in which other slots carry the body.
struct BodyAnchor {
  int slot = 0, body = 0;  ///< index into Machine::bodies
  bool is_point = true;
  double local[3] = {0, 0, 0};  ///< in the body's frame [m, 1]
};

/// An item of the model: a batch of Topology::batches and a place in it.
struct ItemRef {
  int batch = -1, index = -1;
  bool exists() const { return batch >= 0; }
};

/// How what a joint carries is read from a solution: the force of its first place on the second,
///
///     sign Σ −f[share]  +  Σ of the items' and of the ties' forces on their slots
///
/// or of a rod its tension. f: the full residual before reduction, and at each slot what hangs on it: forces go from slots to those that
/// define them, and relations that define none have forces of their own. Nothing while the joint does not act.
struct JointReaction {
  struct Share {
    int point = -1, vector = -1;  ///< slots; −1: only the other
    Triple along{};               ///< unit vector: only the part of the force along it; 0: all of it
    double sign = 1;              ///< −1: the slots are the first place's
  };
  /// The force of an item on one of its local slots that belongs to the second place; the moment counts vectors as x × f.
  struct ItemShare {
    std::string name;
    int slot = 0;
    double sign = 1;
    ItemRef item = {};
  };
  /// The force of a relation on one of its slots that belongs to the second place, or to the first (sign −1).
  struct Tie {
    int relation = 0;  ///< index into Machine::relations
    int slot = 0;
    double sign = 1;
  };
  std::string untold;     ///< why it cannot be told; empty: it can
  std::string no_moment;  ///< why it has no moment; empty: it has
  std::vector<Share> shares;
  std::string author;  ///< of relations that the shares' forces leave out, as the shares tell of them; empty: none
  double sign = 1;
  std::vector<ItemShare> items;
  std::vector<Tie> ties;
  int point = -1, vector = -1;  ///< slots at the place: moments count about the point
  int tension = -1;             ///< rod: slot of the multiplier [N]
  int ends[2] = {-1, -1};       ///< rod: its two points
};

/// What a joint became.
struct JointPart {
  std::string name, type;
  int eliminated = 0;              ///< equations solved for at build
  std::vector<int> multipliers;    ///< slots, one per equation that is left
  std::vector<std::string> items;  ///< names of the items that carry them
  int angle = -1, offset = -1;     ///< slots of its coordinates [rad, m], where something asked for them
  /// Of one that is prescribed and has a largest effort: its coordinate and those that gears tie to it, each with its turns for one.
  std::vector<std::pair<int, double>> driven = {};
  std::string parts[2];
  JointReaction reaction = {};                 ///< where something asked for it
  std::array<MaterialPlace, 2> places = {};    ///< `at` of whole bodies and of the ground in mind
  std::shared_ptr<const JointSpec> spec = {};  ///< as it was stated; null: a rod, of which there is a TermPart
};

struct GearPart {
  std::string name;
  std::array<std::string, 2> joints;
};

/// A set of a solid: solid, and set of its mesh.
struct SurfaceOfSolid {
  int solid = -1, set = -1;
  bool operator==(const SurfaceOfSolid&) const = default;
};

/// A spring, mass, load, rod: an item, or several, that a person named.
struct TermPart {
  std::shared_ptr<const TermSpec> spec;            ///< as it was stated
  std::vector<std::vector<MaterialPlace>> places;  ///< by key, as TermSpec::places
  std::vector<std::string> items = {};             ///< a pressure: of each element or face
  SurfaceOfSolid surface = {};                     ///< a pressure on a solid
};

/// What is enclosed by parts, and what is in it.
struct ChamberPart {
  std::string name;
  std::vector<std::string> parts;             ///< cables, in space plates, around it
  std::vector<SurfaceOfSolid> surfaces = {};  ///< and solids
  int pressure = -1;                          ///< slot of the overpressure [Pa]
  int mass = -1;                              ///< slot of the gas's mass [kg]; −1: it has no lines, or is no gas
  double volume = 0;                          ///< enclosed in the reference [m³]
  double filling = 0;                         ///< mass of the gas in the reference [kg]
  std::vector<std::string> faces;             ///< names of the items around it, whose last slot is the pressure
  std::string contents;                       ///< name of the item of what is in it; empty: its pressure is given
  bool is_topped_up = false;  ///< a signal, the item's second slot, adds to the gas as a share of the filling
};

/// An edge or face of an element whose length or area is kept.
struct KeptElement {
  std::string term;             ///< that keeps it
  std::vector<int> slots;       ///< its points and gradients, in the term's order
  std::vector<double> lengths;  ///< of its parameters, in the term's order [m]
};

/// What keeps a length or an area.
struct KeptPart {
  std::string name;
  bool is_area = false;
  std::vector<int> multipliers;  ///< slots: one, or one of each element
  std::vector<KeptElement> elements;
  double reference = 0;  ///< length [m] or area [m²] of the reference
};

/// Length [m] or area [m²] of an element from the coordinates of its slots.
double size_of(const KeptElement& element, const double* x);
/// r, or ∂r/∂ξ, at ξ of an edge.
LinearForm edge_form(const KeptElement& edge, double xi, bool is_slope, int dim);

/// What holds parts at a place or between two: a joint, spring or mass, whether it is there now or at other times.
struct Hold {
  std::vector<MaterialPlace> places;
  bool guides = false;  ///< a joint along which bodies slide
};

/// What a constraint that carries a multiplier is for.
struct ConstraintUse {
  std::string family;  ///< "rigidity", "angle", ...; empty: what its term is called
  std::string part;    ///< the joint, body or beam that it belongs to
};

struct Machine {
  Model model;
  std::vector<CablePart> cables;
  std::vector<PlatePart> plates;
  std::vector<SolidPart> solids;
  std::vector<BodyPart> bodies;
  std::vector<BodyAnchor> anchors;
  std::vector<StatedRelation> relations;  ///< between slots, by which forces go from one to another
  std::vector<JointPart> joints;
  std::vector<GearPart> gears;
  std::vector<TermPart> terms;
  std::vector<ChamberPart> chambers;
  std::vector<KeptPart> kept;
  std::vector<Hold> holds;                           ///< in the order in which they were named
  std::map<std::string, std::string> colors;         ///< of parts, "#rrggbb", by kind and name: "cable.hose"
  std::map<std::string, ConstraintUse> constraints;  ///< by the name of the item
  /// Slots of parts whose initial pose or velocity is stated: others give way where joints ask for it.
  std::vector<int> stated_positions, stated_velocities;
  std::vector<PointPart> points;  ///< points, and spheres with a mass of their own
  /// Spheres and planes by name, whether anything touches or not; groups that act.
  ContactModel contacts;
  std::unordered_map<std::string_view, ItemRef> items = {};  ///< by name

  void index_items() {
    const Topology& topology = *model.topology;
    items.reserve(topology.item_names.size());
    for (size_t b = 0; b < topology.batches.size(); ++b)
      for (int i = 0; i < topology.batches[b].count; ++i)
        items.emplace(topology.item_names[topology.batches[b].names[i]], ItemRef{static_cast<int>(b), i});
  }
  /// Of no batch where there is none of the name: left out since others imply it.
  ItemRef item(std::string_view name) const {
    const auto found = items.find(name);
    return found == items.end() ? ItemRef{} : found->second;
  }

  int element_count() const {
    size_t count = 0;
    for (const CablePart& cable : cables) count += cable.elements.size();
    for (const PlatePart& plate : plates) count += plate.model.elements.size();
    for (const SolidPart& solid : solids) count += solid.mesh.elements.size();
    return static_cast<int>(count);
  }
};

}  // namespace flexura

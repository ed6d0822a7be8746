#pragma once
// Joints while a machine is made: what is linear becomes shared or eliminated slots, what is not gets multipliers.
//
//     places that coincide, axes that coincide    one slot for both parts
//     welds and slides                            the orientation of one part carries the other
//     perpendicular, on a line, in a plane        multipliers; relations where the direction is fixed
//     angles and displacements                    coordinates of their own, where something asks for them

#include <array>
#include <span>
#include <string>
#include <vector>

#include "flexura/part/location.hpp"
#include "flexura/part/specs.hpp"

namespace flexura::detail {

struct MachineDraft;

/// A joint of which at least one side is a body or a beam, or that only such joints have.
struct JointPlan {
  const JointSpec* spec = nullptr;
  const JointRow* row = nullptr;
  int part = -1;  ///< index into Machine::joints
  std::array<Location, 2> side;
  double size = 0;               ///< of the machine [m]
  Triple axis{}, second_axis{};  ///< in the reference configuration
  int point_mark[2] = {-1, -1}, axis_mark[2] = {-1, -1};
  std::vector<JointReaction::Share> shares;  ///< slots of one side that only this joint ties to the other
  std::vector<JointReaction::ItemShare> items;
  std::vector<JointReaction::Tie> ties;
  bool has_own_nodes = false;  ///< of points that both bodies stand on the second has its own
  bool follows = false;        ///< its parts cannot move against each other without it
  std::string untold = {};     ///< why its reaction cannot be told; empty: it can

  int tangent_side = -1;  ///< a cable's, in a joint that keeps directions: of them it has its tangent only

  /// Whether a part has all its directions from the other.
  bool keeps_frame() const { return row->keeps_turn && tangent_side < 0; }
  bool eliminates() const { return spec->method != JointSpec::Method::multipliers; }
  /// From the first place to the second in the reference [m].
  Triple arm() const { return side[1].position() - side[0].position(); }
  bool has_arm() const { return norm(arm()) > 1e-12 * (size + norm(side[0].position())); }
};

/// A joint of cables and points that is a linear relation: its dependent end.
struct HeldEnd {
  int joint = -1;  ///< index into Machine::joints
  int point = -1, vector = -1;
  std::vector<JointReaction::Tie> ties = {};
  bool separable = true;
  std::vector<JointReaction::ItemShare> items = {};  ///< what it does by multipliers
};

/// A joint of which one side is a plate's or a solid's place: made once the bodies have their slots.
struct PlateJoint {
  const JointSpec* spec = nullptr;
  std::array<Location, 2> side;
  int part = -1;  ///< index into Machine::joints
  std::vector<JointReaction::Share> shares;
  std::vector<JointReaction::ItemShare> items;
  int held = 1;     ///< the side of the plate or solid whose nodes are decided
  int center = -1;  ///< slot about which moments count

  double sign() const { return held == 1 ? 1 : -1; }
};

struct Gear {
  int first = -1, second = -1;  ///< coordinates
  double ratio = 1;
};

/// A truss, whose length is a coordinate where something asks for it.
struct Member {
  TermSpec spec;
  int coordinate = -1;  ///< slot: by how much it is longer than in the reference [m]
};

// joints.cpp
const JointRow& row_of(JointType type, int dim);
/// Finds the places, and plans the joint or makes it where it is a linear relation of cables and points.
void begin_joint(MachineDraft& draft, const JointSpec& spec);
/// Index into Machine::joints.
int note_joint(MachineDraft& draft, const JointSpec& spec, const Location& a, const Location& b, int eliminated);
/// The place of one side, `at` of the joint in mind.
MaterialPlace place_of(const MachineDraft& draft, const JointSpec& spec, const MaterialPlace& named);
bool guides_bodies(const JointSpec& spec, int dim);
/// Of joints that follow from others: how all of them share a force is not determined, and no reaction of theirs is read.
void note_shared_forces(MachineDraft& draft);
/// What the joint carries, for who asks after the machine's parts are made; null: there is no such joint.
const JointReaction* reaction_of(MachineDraft& draft, const std::string& joint);

// held_joint.cpp
/// Weld, pin and clamp of cables and points.
void hold(MachineDraft& draft, const JointSpec& spec, int part, Location& a, Location& b);
void prescribe(MachineDraft& draft, const JointSpec& spec, int part, Location& a, Location& b);
/// Prescribed places of bodies: their slots depend on what carries the body.
void drive_bodies(MachineDraft& draft);
JointReaction reaction_of_held(const HeldEnd& end);

// joint_plan.cpp
void plan_joint(MachineDraft& draft, const JointSpec& spec, const Location& a, const Location& b);
/// That a joint is of nothing whose stretch it could hold.
void refuse_stretch(MachineDraft& draft, const JointSpec& spec);
/// The initial poses must fit the joint, as the reference does.
void check_initial_poses(MachineDraft& draft, const JointPlan& plan);

// shared_places.cpp
/// Welds and slides: which body has its orientation from which joint.
void share_turns(MachineDraft& draft);
/// Places and axes that coincide get one slot; where a reaction is asked for, the second place gets its own, tied to the
/// first's.
void share_places(MachineDraft& draft);

// shared_nodes.cpp
/// Before slots are shared. `terms`, `spheres`: of what may act on points.
void part_shared_nodes(MachineDraft& draft, std::span<const TermSpec> terms, std::span<const SphereSpec> spheres);

// body_joint.cpp
void finish_joint(MachineDraft& draft, JointPlan& plan);
int side_point(MachineDraft& draft, JointPlan& plan, int side);

// joint_coordinate.cpp
int angle_slot(MachineDraft& draft, JointPlan& plan);
int displacement_slot(MachineDraft& draft, JointPlan& plan);
/// Coordinate of a joint or truss by its name, for whoever states it under that key; −1 after a problem.
int coordinate_of(MachineDraft& draft, const std::string& joint, JointCoordinate which, const Origin& asker,
                  std::string_view key);
void add_gear(MachineDraft& draft, const GearSpec& spec);
/// The coordinate and those that gears tie to it, and by how much each turns for one turn of it.
std::vector<std::pair<int, double>> geared_to(const MachineDraft& draft, int coordinate);
/// Fills JointPart::driven, once the gears are there.
void note_drives(MachineDraft& draft);
/// Coordinates of joints that a load asks for at another time: revolutions are counted before it begins and after it ends.
void keep_coordinates(MachineDraft& draft);

// length_coordinate.cpp
/// By how much a truss is longer than in the reference, as a slot; −1 after a problem, which is told of who asks.
int length_slot(MachineDraft& draft, const std::string& truss, const Origin& asker, std::string_view key);
/// Whether the gear ties the length of a truss.
bool ties_length(const MachineDraft& draft, const GearSpec& spec);

// plate_joint.cpp, plate_slide.cpp, plate_to_body.cpp, plate_to_part.cpp, plate_to_solid.cpp
void plan_plate_joint(MachineDraft& draft, const JointSpec& spec, const Location& a, const Location& b);
void finish_plate_joint(MachineDraft& draft, PlateJoint& joint);
void plate_to_body(MachineDraft& draft, PlateJoint& joint, Location& held, Location& body);
void plate_to_part(MachineDraft& draft, PlateJoint& joint, Location& held, Location& other);
void plate_to_solid(MachineDraft& draft, PlateJoint& joint, Location& held, Location& solid);
void slide_plate(MachineDraft& draft, PlateJoint& joint, Location& held, Location& other);
/// Of each node of a place on a plate or solid, or of the place itself inside an element.
std::vector<int> point_slots(MachineDraft& draft, Location& held);
/// In a plane or on a line.
bool slides(const PlateJoint& joint);
/// Unit vectors along which its points do not move, or follow signals; none: along all.
std::vector<Triple> held_directions(const PlateJoint& joint);
/// Where the joint's force shows; of prescribed nodes that others hold too, along its own directions only.
std::vector<JointReaction::Share> plate_shares(const MachineDraft& draft, const PlateJoint& joint);
/// A node of a plate in a joint, and the directions there that lie in the joint too: coefficients of (g_u, g_v), of sides
/// of elements of which both ends are nodes of the joint. None at a single node, one along an edge, two where edges meet.
struct HeldNode {
  int node = -1;
  std::vector<std::array<double, 2>> along = {};
  /// 1 g_u, 2 g_v where that is the direction; 0: a combination of both.
  static int gradient(const std::array<double, 2>& c);
  /// Which of g_u, g_v (1, 2) a weld holds in the tangent plane besides.
  std::vector<int> across() const;
};
/// Sides of elements of which both ends are nodes of the place; of a named edge its own.
std::vector<ElementSide> held_sides(const MachineDraft& draft, const Location& at);
std::vector<HeldNode> held_nodes(const MachineDraft& draft, const PlateJoint& joint, const Location& at);
// solid_joint.cpp
/// False after a problem.
bool check_solid_joint(MachineDraft& draft, const JointSpec& spec, const Location& a, const Location& b);
void finish_solid_joint(MachineDraft& draft, PlateJoint& joint);
/// Whether what the joint carries shows at slots that no other joint holds.
bool is_separable(const MachineDraft& draft, const PlateJoint& joint);

}  // namespace flexura::detail

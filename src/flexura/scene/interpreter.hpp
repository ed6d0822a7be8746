#pragma once
// Builds the model of one set of acting things. One file per concern: interpret_cable, _beam, _plate, _body, _place, _joint,
// _body_joint, _plate_joint, _term, _sensor.

#include <map>
#include <optional>
#include <set>

#include "flexura/material/prony.hpp"
#include "flexura/mesh/surface_checks.hpp"
#include "flexura/mesh/surface_path.hpp"
#include "flexura/model/model_builder.hpp"
#include "flexura/scene/body_shape.hpp"
#include "flexura/scene/nearest.hpp"
#include "flexura/scene/path_curve.hpp"
#include "flexura/scene/plate_place.hpp"
#include "flexura/scene/rigid_frame.hpp"
#include "flexura/scene/scene_model.hpp"
#include "flexura/scene/section_law.hpp"

namespace flexura::detail {

/// Stiffnesses, at the start, and laws of a [section.NAME].
struct SectionValues {
  double EA = 0, EI = 0, rhoA = 0, damping_stretch = 0, damping_bend = 0, mass_damping = 0;
  std::string axial, curvature;
  bool bends_alike = true;  ///< in all directions
  PronySeries relaxation = {};
  std::optional<SectionLaw> law;
};
/// Of a beam's section.
struct BeamStiffness {
  SectionLaw law;
  double damping_stretch = 0, damping_bend = 0, damping_twist = 0, mass_damping = 0;
  PronySeries relaxation = {};
};

/// Its `relaxation`; empty where it has none.
PronySeries relaxation_of(const Record& record);

/// factor · slot, of dim coordinates.
LinearTerm scaled(int slot, int dim, double factor);

class Interpreter {
 public:
  /// `acting`: one flag per record of scene.tables.
  Interpreter(const SceneDocument& scene, const Timeline& timeline, const std::vector<bool>& acting, bool statics)
      : scene_(scene), timeline_(timeline), acting_(acting), statics_(statics), builder_(scene.dim) {}

  SceneModel build();
  std::vector<Problem> problems;
  std::vector<Problem> warnings;

 private:
  /// Where a place is: slots, and its reference position and direction.
  struct Location {
    bool ground = false;
    std::string part;
    int point = -1, vector = -1;
    int cable = -1, element = -1, node = -1;  ///< node −1: inside the element
    int body = -1;                            ///< index into bodies_
    double xi = 0;
    int plate = -1;                    ///< index into result_.plates
    PlatePlace on_plate;               ///< there
    std::vector<double> X, direction;  ///< [m, 1]; empty for the ground as a whole
    Triple position() const { return {X[0], X[1], X.size() > 2 ? X[2] : 0.0}; }
  };
  /// A rigid body while its model is built.
  struct Body {
    const Record* record = nullptr;
    RigidFrame reference, initial;
    RigidInertia inertia;
    Triple velocity{}, spin{};
    std::vector<std::pair<std::string, Triple>> points;
    double extent = 0;       ///< size, to tell near from far [m]
    int node = -1;           ///< of its own slots
    std::vector<int> marks;  ///< its places and directions that joints share
    int carrier = -1;        ///< joint plan by which it has its orientation (and place) from another part
    bool begun = false;      ///< its basis is made, or being made
    std::optional<BodyBasis> basis;
    std::vector<int> slots;       ///< of the basis
    bool rigid_by_itself = true;  ///< needs rigidity constraints
    int stiffening_node = -1;     ///< of their multipliers

    /// Where a point or vector that is X in the reference configuration starts.
    Triple start_of(const Triple& X) const { return initial.to_space(reference.to_local(X)); }
    Triple start_turned(const Triple& v) const { return initial.turned(reference.turned_back(v)); }
  };
  /// A place or direction of a part that joints share with those of other parts: they get one slot.
  struct Mark {
    int body = -1;  ///< −1: not of a body, its slot is given
    BodyPlace place;
    int slot = -1;
    int parent = -1;  ///< union–find; −1: a root, whose slot is that of all
    int count = 1;
  };
  /// A joint of which at least one side is a body, or which a scene of three dimensions needs.
  struct JointPlan {
    const Record* record = nullptr;
    int part = -1;  ///< index into result_.joints
    Location side[2];
    Triple axis{}, second_axis{};  ///< in the reference configuration
    int point_mark[2] = {-1, -1}, axis_mark[2] = {-1, -1};
    bool eliminated = true, coincide = false, same_axis = false, same_turn = false;
    bool wants_reaction = false;
    std::vector<SensorSpec::Share> shares;  ///< slots of one side that only this joint ties to the other
    double share_sign = 1;                  ///< 1: of the second side
    std::vector<SensorSpec::ItemShare> item_shares;
  };
  /// A joint of which one side is a plate's place: made once the bodies have their slots.
  struct PlateJoint {
    const Record* record = nullptr;
    Location side[2];
    int part = -1;  ///< index into result_.joints
    std::vector<SensorSpec::Share> shares;
    std::vector<SensorSpec::ItemShare> item_shares;
    double sign = 1;
    int center = -1;  ///< slot about which moments count
  };
  struct Gear {
    int first, second;  ///< coordinates
    double ratio;
    const Record* record;
  };
  struct Relation {  ///< for reactions: the dependent end of a joint
    const Record* record;
    int point = -1, vector = -1, master_point = -1;
    double sign = 1;
    bool separable = true;
  };

  // interpret_cable.cpp
  void add_cable(const Record& record);
  std::optional<SectionValues> section_of(const Record& cable);
  std::optional<SectionValues> make_section(const Record& record);
  /// Means over the elements; empty after a problem.
  std::vector<SectionNumbers> sections_along(const Record& part, const SectionLaw& law, double length, long elements);
  std::optional<PathCurve> curve_of(const Record& record, std::string_view key);
  std::optional<PathCurve> curve_from_file(const Record& path, const Record& owner);
  void add_elements(const Record& record, const SectionValues& section, const std::vector<SectionNumbers>& sections,
                    CablePart& part);
  void add_point(const Record& record);

  // interpret_beam.cpp
  void add_beam(const Record& record);
  std::optional<BeamStiffness> beam_section(const Record& beam);
  void add_beam_elements(const Record& record, const BeamStiffness& section,
                         const std::vector<SectionNumbers>& sections, CablePart& part);
  LinearForm inside_beam(const Location& location, bool gradient) const;

  // interpret_body.cpp
  void add_body(const Record& record);
  bool read_pose(const Record& record, RigidFrame& frame);
  bool read_inertia(const Record& record, Body& body);
  /// Chooses the slots that carry a body, and gives it mass and rigidity.
  void finish_body(int index);
  void make_basis(int index);
  void carried_basis(int index);
  void add_rigidity(int index);
  void add_mass(int index);
  int new_body_slot(int index, const BodyPlace& place, const std::string& name, int node);
  /// Slot of a place or direction of a body, a combination of its basis; −1 after a problem.
  int body_slot(int index, const BodyPlace& place, const std::string& name);
  void note_anchor(int slot, int index, const BodyPlace& place);
  bool is_defined(int slot) const;
  /// Σ c_a · slot of the basis.
  LinearForm on_basis(int index, const std::vector<double>& c) const;
  int axis_slot(int index, int axis);  ///< of the body's frame
  std::string name_of(int index, const BodyPlace& place) const;
  int mark_of(int body, const BodyPlace& place);
  int root_of(int mark) const;
  void unite(int a, int b);
  int slot_of_mark(int mark);  ///< made where there is none

  // interpret_joint_plan.cpp
  bool plan_joint(const Record& record, const Location& a, const Location& b, const std::vector<Place>& places);
  void check_initial_poses(const JointPlan& plan);

  // interpret_body_joint.cpp
  void share_places();
  void share_turns();
  void finish_joints();
  void finish_joint(JointPlan& plan);
  /// Slot of the vector that a part carries and that is `n` in the reference configuration; −1 after a problem.
  int direction_slot(Location& location, const Triple& n, const Record& record);
  int side_point(JointPlan& plan, int side);
  bool any_reaction() const;
  void same_slots(JointPlan& plan, int a, int b, bool point);
  void keep_offset(JointPlan& plan, const Triple& normal);
  void keep_together(JointPlan& plan, int a, int b, bool with_arm);
  void keep_perpendicular(JointPlan& plan, const Triple& a, const Triple& b);
  void share_held_node(JointPlan& plan);
  /// `of_second`: which of the slots belongs to the second place.
  void add_constraint(JointPlan& plan, const char* term, std::vector<int> slots, std::vector<double> parameters,
                      int of_second);
  void note_joint(const Record& record, const Location& a, const Location& b, int eliminated, int multiplier);

  // interpret_joint_coordinate.cpp
  int angle_slot(JointPlan& plan);
  int offset_slot(JointPlan& plan);
  int coordinate_of(const Record& record, const std::string& joint);
  void drive(JointPlan& plan, int coordinate, const char* key);
  void add_gear(const Record& record);

  // interpret_place.cpp
  Location on_body(const Place& place) const;
  std::optional<Location> locate(const Place& place, const std::string& path);
  std::optional<Location> locate_on_part(const Place& place, const std::string& path);
  std::optional<Location> on_cable(const Place& place, const std::string& path);
  /// Slot of the place, made if need be; −1 after a problem.
  int point_slot(Location& location, const Place& place, const std::string& path);
  int vector_slot(Location& location, const Place& place, const std::string& path);
  LinearForm inside(const Location& location, bool gradient) const;

  // interpret_plate.cpp
  void add_plate(const Record& record);
  bool read_wall_relaxation(const Record& plate, PronySeries& series);
  std::optional<Laminate> wall_of(const Record& plate);
  std::optional<Layer> layer_of(const Record& owner, double thickness, double angle);
  std::optional<SurfaceMesh> mesh_of(const Record& plate, double thickness);
  void check_bend(const Record& plate, double thickness, const ElementExtreme& bend);
  std::optional<SurfaceMesh> make_surface(const Record& plate, const Record& mesh, int nu, int nv);
  std::optional<TubePath> axis_of(const Record& loft);
  std::optional<Location> on_plate(const Place& place, const std::string& path);

  // interpret_plate_joint.cpp
  void plan_plate_joint(const Record& record, const Location& a, const Location& b);
  void finish_plate_joints();
  void plate_to_ground(PlateJoint& joint, Location& held);
  void plate_to_body(PlateJoint& joint, Location& held, Location& body);
  void plate_to_part(PlateJoint& joint, Location& a, Location& b);
  void tie_node(PlateJoint& joint, int slot, LinearForm form);
  void add_relation(PlateJoint& joint, const char* family, const char* term, std::vector<int> slots, double value,
                    const std::vector<int>& of_plate);
  /// Whether what the joint carries shows at slots that no other joint holds.
  bool is_separable(const PlateJoint& joint) const;
  std::vector<int> held_points(const PlateJoint& joint) const;
  int edge_direction(const Location& at) const;
  Vec3 ring_axis(const Location& at) const;
  Vec3 ring_side(const Location& at, int which) const;

  // interpret_joint.cpp
  void add_joint(const Record& record);
  void weld(const Record& record, Location& a, Location& b, const std::vector<Place>& places);
  void pin(const Record& record, Location& a, Location& b, const std::vector<Place>& places);
  void clamp_direction(const Record& record, Location& a, Location& b, const std::vector<Place>& places);
  void prescribe(const Record& record, Location& a, Location& b, const std::vector<Place>& places);
  void hold(const Record& record, Location& location, const Place& place, bool direction);
  void remember(const Record& record, const Location& dependent, const Location* master, double sign, bool direction);
  void check_initial(const Record& record, const Location& location);
  void prescribe_bodies();
  void check_held();
  void check_masses();
  static bool are_same(const Location& a, const Location& b);
  void join(const std::string& a, const std::string& b);
  std::string root(std::string part) const;

  // interpret_term.cpp
  void add_term(const Record& record);
  void add_along_cable(const Record& record, const std::string& cable);
  void add_on_plate(const Record& record, const std::string& plate);
  void add_on_edge(const Record& record, const Location& at);
  void add_on_nodes(const Record& record, const Location& at);
  void add_on_ring(const Record& record, const Location& at);
  std::vector<double> parameters_of(const Record& record, const std::vector<Location>& places, double element_length);
  std::vector<int> options_of(const Record& record);
  int effective(const Record& record, std::string_view key);
  bool check_places(const Record& record, const std::string& key, const std::vector<Location>& locations);
  void check_rod(const Record& record, const std::vector<int>& ends, double length);
  void add_gravity();

  // interpret_sensor.cpp
  void add_sensor(const Record& record);
  void add_reaction(const Record& record, SensorSpec& sensor);
  bool add_at_place(const Record& record, const Place& place, SensorSpec& sensor);
  bool add_on_wall(const Record& record, const Place& place, const Location& location, SensorSpec& sensor);
  bool add_distance(const Record& record, SensorSpec& sensor);
  bool add_joint_quantity(const Record& record, SensorSpec& sensor);
  void add_share(int point, int vector, std::vector<SensorSpec::Share>& shares, std::set<int>& seen) const;

  /// A new slot that is a combination of others; remembered as it is written.
  int combine(std::string name, SlotKind kind, const LinearForm& form, const std::string& author);
  void wrong(const Record& record, std::string_view key, std::string message, std::string nearest = {});
  /// The same for what is not wrong, but should be known.
  void warn(const Record& record, std::string_view key, std::string message);
  bool acts(const Record& record) const;

  const SceneDocument& scene_;
  const Timeline& timeline_;
  const std::vector<bool>& acting_;
  bool statics_;
  ModelBuilder builder_;
  SceneModel result_;
  std::map<std::string, std::optional<SectionValues>> sections_;
  std::map<std::string, int> cable_index_;
  std::map<std::string, int> body_index_, plate_index_;
  std::vector<Body> bodies_;
  std::vector<Mark> marks_;
  std::vector<JointPlan> plans_;
  std::map<std::string, int> plan_of_joint_;
  std::vector<Gear> gears_;
  std::set<int> fixed_;              ///< slots that do not move
  std::set<std::vector<int>> kept_;  ///< rigidity constraints that are there already, by their slots
  std::map<std::string, int> point_slots_;
  std::map<int, std::vector<double>> initial_;  ///< slot → q₀ where it differs from the reference
  std::map<std::string, int> made_slots_;       ///< fixed points and places inside elements
  std::vector<Relation> relations_;
  std::vector<PlateJoint> plate_joints_;
  std::vector<const Record*> later_;                              ///< joints that prescribe places of bodies
  std::set<int> claimed_;                                         ///< points that a joint already decides
  std::set<std::string> massive_;                                 ///< parts with mass
  std::vector<std::pair<std::string, std::string>> ties_;         ///< parts that share a place: what has mass lends it
  std::map<std::string, std::string> parent_;                     ///< parts that hold each other
  std::map<std::string, std::pair<int, std::vector<int>>> rods_;  ///< distance joints: multiplier, ends
};

}  // namespace flexura::detail

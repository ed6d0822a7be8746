#pragma once
// A machine that is being made: what the builders of its parts share. One file per concern: cable, beam, plate, solid, point;
// rigid_body, body_basis, body_terms; joints, held_joint, joint_plan, shared_places, body_joint, joint_coordinate, plate_joint,
// plate_slide;
// term, plate_term, line_term; contact; holds.

#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "flexura/model/model_builder.hpp"
#include "flexura/part/joint_plan.hpp"
#include "flexura/part/machine.hpp"
#include "flexura/part/part_graph.hpp"
#include "flexura/part/rigid_body.hpp"
#include "flexura/part/specs.hpp"

namespace flexura {

namespace detail {

/// Sizes of a machine, from which those of its forces are estimated: penalties must be of that size in any system of units.
struct Loading {
  double mass = 0;          ///< of bodies and point masses [kg]
  double stiffness = 0;     ///< of cables and beams in bending, Σ EI/L³ [N/m]
  double length = 0;        ///< greatest extent of a body, length of a cable or beam [m]
  double acceleration = 0;  ///< of gravity [m/s²]
  double rate = 0;          ///< at which bodies and lines turn or pass their length at the start [1/s]

  /// m g/L + Σ EI/L³ [N/m]. `at_least`: of L [m].
  double force_per_length(double at_least) const;
  /// The same by a rotation, at the distance L [N m].
  double torque_per_angle() const;
};

struct MachineDraft {
  explicit MachineDraft(MachineOptions of) : options(std::move(of)), builder(options.dim) {}

  MachineOptions options;
  ModelBuilder builder;
  Machine machine;
  Problems problems;
  PartGraph graph;
  std::set<std::string, std::less<>> refused;  ///< parts that are described and could not be made, which was said
  std::map<std::string, Place> aliases;        ///< names of masses: where they are
  std::vector<JointSpec> joints;               ///< as given
  std::vector<JointSpec> absent_joints;        ///< not there now
  std::vector<TermSpec> absent_terms;
  /// Gears and rods by name: what they are; "": a joint that is not there now, of which nothing can be read.
  std::map<std::string, std::string> other_joints;
  std::map<std::string, Member> members;  ///< trusses by name

  std::vector<RigidBody> bodies;  ///< as Machine::bodies
  Marks marks;
  std::vector<JointPlan> plans;
  std::vector<HeldEnd> held_ends;
  std::vector<PlateJoint> plate_joints;
  std::vector<Gear> gears;
  std::vector<std::pair<int, const JointSpec*>> driven_bodies;  ///< prescribed places of bodies, by Machine::joints

  std::map<int, Triple> initial;    ///< slot → q₀ where it was set
  std::map<int, Triple> velocity;   ///< the same of v₀
  std::map<std::string, int> made;  ///< slots of fixed points and of places that are combinations, by name
  std::set<int> fixed;              ///< slots that do not move
  std::set<int> claimed;            ///< points that a joint already decides
  std::map<std::pair<int, int>, std::vector<Triple>>
      held;                         ///< slots of plates: perpendicular unit vectors along which they are held
  std::set<std::vector<int>> kept;  ///< rigidity constraints that are there already, by their slots

  Loading loading;  ///< once all bodies are begun
  double size = 1;  ///< extent of all parts in the reference configuration, once all bodies are begun [m]

  int dim() const { return options.dim; }
  /// Places nearer than this coincide: gaps in what is written with nine digits [m].
  double near(const Triple& X) const { return 1e-8 * size + 1e-9 * norm(X); }
  void wrong(const Origin& origin, std::string_view key, std::string message) {
    problems.wrong(origin, key, std::move(message));
  }
  void set_initial(int slot, const Triple& q, const Triple& v);
  /// Notes what is stated of a flexible part's motion in Machine::stated_velocities.
  void note_motion(const InitialMotion& motion, const std::vector<int>& slots);
  /// A new slot that is a combination of others.
  int combine(std::string name, SlotKind kind, const LinearForm& form, const std::string& author);
  /// The same, made once under its name.
  int combine_once(const std::string& name, SlotKind kind, const LinearForm& form, const std::string& author);
  /// A slot of the ground, made once under its name.
  int fixed_slot(const std::string& name, SlotKind kind, const Triple& X, const Source& source);
  /// slot = form, where slots of another part are carried by it.
  void define(int slot, LinearForm form, const Origin& author, const Source& source);
  /// Notes that a slot is held along a unit vector, by the ground (−1) or a body that may turn; false where it was before.
  bool holds_anew(int slot, const Triple& n, int body = -1);
};

// cable.cpp, beam.cpp, plate.cpp, solid.cpp, point.cpp
void build(MachineDraft& draft, const CableSpec& spec);
void build(MachineDraft& draft, const BeamSpec& spec);
/// False after a problem: the path has a corner, which neither cables nor beams have.
bool check_corners(MachineDraft& draft, const CableSpec& spec, const char* kind);
void build(MachineDraft& draft, PlateSpec& spec);  ///< takes the mesh
void build(MachineDraft& draft, SolidSpec& spec);  ///< takes the mesh
void build(MachineDraft& draft, const PointSpec& spec);

// plate_face.cpp
/// Slots r, r_x, r_y of an element's corners as thin plates have them: of the mid-surface (side 0), or of the bottom (−1) or top face
/// (1) of a full plate, r ± t/2 r_z + t²/8 r_zz, which they interpolate as the plate does: combinations.
std::array<int, 12> plate_surface_slots(MachineDraft& draft, const PlatePart& plate, size_t element, int side);

// contact.cpp
void build(MachineDraft& draft, const SphereSpec& spec);  ///< a mass of its own; nothing of one on a part
/// Spheres on parts, planes, and what may touch: once all slots are there.
void add_contacts(MachineDraft& draft, const std::vector<SphereSpec>& spheres, const std::vector<PlaneSpec>& planes,
                  const std::vector<ContactSpec>& contacts);

// holds.cpp
/// Fills Machine::holds, once the parts are there.
void note_holds(MachineDraft& draft);

// term.cpp, plate_term.cpp, solid_term.cpp, line_term.cpp
void build(MachineDraft& draft, const TermSpec& spec);
void spread_on_plate(MachineDraft& draft, const TermSpec& spec, const PlatePart& plate);
/// A pressure on TermSpec::on, a surface of a solid.
void press_on_solid(MachineDraft& draft, const TermSpec& spec);
void add_on_edge(MachineDraft& draft, const TermSpec& spec, const Location& at);
void add_on_nodes(MachineDraft& draft, const TermSpec& spec, const Location& at);
void add_on_ring(MachineDraft& draft, const TermSpec& spec, const Location& at);
/// A force at a set of a solid, as an item of each of its nodes; false: it is an item like any other.
bool spread_on_solid(MachineDraft& draft, const TermSpec& spec, const Location& at);
enum class LineLoad { none, made };
/// A load in space on a cable, beam or body whose term depends on which of them it is; none: an item like any other.
LineLoad line_load(MachineDraft& draft, const TermSpec& spec, std::span<Location> at);
/// The same along a whole cable or beam; false: an item of the term for each element.
bool spread_along_line(MachineDraft& draft, const TermSpec& spec, const CablePart& line);
/// The effective signal under the term's key.
int signal_of(MachineDraft& draft, const TermSpec& spec, std::string_view key);

/// f.template operator()<2>() or <3>().
decltype(auto) in_space(int dim, auto&& f) {
  if (dim == 2) return f.template operator()<2>();
  return f.template operator()<3>();
}

}  // namespace detail
}  // namespace flexura

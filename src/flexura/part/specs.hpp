#pragma once
// What a person names of a machine, as types: cable, beam, plate, solid, point, body, joint, gear, term; sphere, plane, contact. A MachineBuilder makes
// slots and items of them; scenes are one way to write them.
//
// Vectors have three components; in the plane the third is 0. Places are as in part/place.hpp. An origin without a path is
// named when it is added: "cable.hose" of the cable "hose".

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "flexura/element/ancf_beam_24.hpp"
#include "flexura/mesh/plate_model.hpp"
#include "flexura/mesh/solid_model.hpp"
#include "flexura/part/joint_types.hpp"
#include "flexura/part/name_pattern.hpp"
#include "flexura/part/path_curve.hpp"
#include "flexura/part/place.hpp"
#include "flexura/part/rigid_frame.hpp"
#include "flexura/part/section.hpp"
#include "flexura/part/solid_shape.hpp"

namespace flexura {

using detail::RigidFrame;

struct MachineOptions {
  int dim = 2;
  double mass_damping = 0;  ///< c of the force −c M v on bodies and masses [1/s]
  bool assemble = false;    ///< initial positions are a guess: brought together before the first analysis
  /// An analysis in which every part must hang together with the ground; empty: none.
  std::string statics = {};
  bool starts_moving = false;  ///< the first analysis is over time: it begins where the parts are
};

/// A uniform motion that a part starts with.
struct InitialMotion {
  std::optional<Triple> velocity = {};          ///< [m/s]
  std::optional<Triple> angular_velocity = {};  ///< in space [rad/s]
  std::optional<Triple> about = {};             ///< centre of the rotation [m]; else the part's start or origin
};

/// A slender part that stretches and bends.
struct CableSpec {
  Origin origin = {};
  std::string name;
  PathCurve path;                         ///< stress-free shape
  std::optional<PathCurve> initial = {};  ///< another to start from
  SectionSpec section;
  long elements = 1;
  InitialMotion motion = {};
  std::string color = {};  ///< in pictures, "#rrggbb"; empty: any
};

/// A beam as a solid whose sections deform (element/ancf_beam_24.hpp): a law of rubber, integrated over the section's outline.
struct FullBeam {
  LawChoice law;
  ElasticConstants<double> constants{};
  double rho = 0;  ///< [kg/m³]
  AncfBeam24::Strains strains = AncfBeam24::Strains::enhanced;
  AncfBeam24::Points points = AncfBeam24::Points::fine;
  bool keeps_width = false;  ///< a wide strip, whose extent along d₂ bending does not change: E/(1 − ν²)
};

/// A slender part in space that stretches, shears, bends and twists, with directions d₁, d₂ of its section.
struct BeamSpec : CableSpec {
  std::optional<Triple> up = {};      ///< d₁ is this direction made perpendicular to the path; else z, or y or x
  double twist = 0;                   ///< angle by which the section turns from start to end, without stress [rad]
  double initial_twist = 0;           ///< the same of the initial shape, beyond that of the path: a strain [rad]
  std::optional<FullBeam> full = {};  ///< else directors, of the section's stiffnesses
};

/// A thin plate or shell.
struct PlateSpec {
  Origin origin = {};
  std::string name;
  SurfaceMesh mesh;        ///< in its own frame
  RigidFrame placed = {};  ///< that frame in space
  PlateSection section;
  bool is_slit = false;  ///< nodes of the mesh lie on each other on purpose
  InitialMotion motion = {};
  std::string color = {};
};

/// Elements of another material, and where they are asked for.
struct InlaySpec {
  SolidInlay of;
  Origin origin = {};
  std::string key = {};
};

/// A body of rubber, or of anything else that follows a law of material/elastic_laws.hpp.
struct SolidSpec {
  Origin origin = {};
  std::string name;
  SolidMesh mesh;          ///< in its own frame
  RigidFrame placed = {};  ///< that frame in space
  SolidSection section;
  std::vector<InlaySpec> inlays = {};
  InitialMotion motion = {};
  std::string color = {};
};

struct PointSpec {
  Origin origin = {};
  std::string name;
  Triple position{};                    ///< [m]
  std::optional<Triple> initial = {};   ///< another position to start from [m]
  std::optional<Triple> velocity = {};  ///< [m/s]
  bool fixed = false;
};

/// What a body shows of itself, without mass.
struct VisualSpec {
  std::string name;
  SolidShape shape;
  RigidFrame placed = {};  ///< the shape's frame in the body's
  std::string color = {};  ///< "#rrggbb"; empty: the body's
};

/// A rigid body; of mass 0 it is a frame on what it is welded to.
struct BodySpec {
  Origin origin = {};
  std::string name;
  RigidInertia inertia = {};             ///< or from the shape and the density
  std::optional<SolidShape> shape = {};  ///< how it looks
  std::vector<VisualSpec> visuals = {};  ///< the same, where that is not one solid of its mass
  std::optional<double> density = {};    ///< of the shape [kg/m³]; planar [kg/m²], of a rod [kg/m]
  RigidFrame reference = {};
  std::optional<RigidFrame> initial = {};  ///< another pose to start from
  /// In the plane the angles of both as they are stated, with their whole revolutions [rad].
  std::optional<double> angle = {}, initial_angle = {};
  std::vector<std::pair<std::string, Triple>> points =
      {};                                       ///< named places in its frame [m]; "center" is there already
  std::optional<Triple> velocity = {};          ///< of the frame's origin [m/s]
  std::optional<Triple> angular_velocity = {};  ///< in space [rad/s]
  std::string color = {};
  /// Carried by points alone, D + 1 or in the plane two: a body of rigid trusses [meijaard-truss]; otherwise by points and vectors.
  bool of_trusses = false;
  std::vector<Place> nodes = {};  ///< of trusses: points that carry it; none: its own. Without mass: a frame on them

  bool is_frame() const { return inertia.mass == 0 && !shape; }
};

/// A relation between two places.
struct JointSpec {
  enum class Method {
    eliminated,   ///< linear equations by elimination, exactly; the rest by multipliers
    multipliers,  ///< all by multipliers; not of plates
    relations,    ///< plate and body: distances, angles and orthogonalities of each node, five of nine
    compliant,    ///< plate and body: springs in place of equations
  };
  Origin origin = {};
  std::string name;
  JointType type = JointType::weld;
  std::array<Place, 2> of;
  std::optional<Triple> at = {};    ///< reference position, where `of` names whole bodies [m]
  std::optional<Triple> axis = {};  ///< or normal, of any length
  std::vector<Triple> axes = {};    ///< universal: one of the first place, one of the second
  bool holds_stretch =
      false;  ///< weld: whole gradients of a cable on the ground, or of a plate, and not their directions alone
  Method method = Method::eliminated;
  std::optional<double> stiffness = {}, direction_length = {};   ///< compliant [N/m, m]; of the gradients k h²
  double damping = 0;                                            ///< compliant [N s/m]
  std::optional<EffectiveSignal> angle = {}, displacement = {};  ///< drives [rad, m]
  std::optional<double> initial_angle =
      {};  ///< where the joint starts, of which the poses leave revolutions open [rad]
  /// Largest effort [N m or N] and rate [rad/s or m/s] of what drives the coordinate: motors and servos that state none.
  std::optional<double> max_effort = {}, max_rate = {};
  std::array<std::optional<EffectiveSignal>, 3> motion = {};  ///< prescribed: along x, y, z [m]
  bool wants_reaction = false;  ///< what it carries will be asked for: MachineBuilder::reaction
  bool meets = false;           ///< its places coincide in the reference, a weld's too, which would keep them apart
};

/// second = ratio · first + offset, both 0 in the reference.
struct GearSpec {
  Origin origin = {};
  std::string name;
  std::string first, second;  ///< joints with an angle or displacement
  double ratio = 1;           ///< not 0; of a rack [m/rad]
  double offset = 0;          ///< of the second [rad or m]
};

Place ground();
Place ground_at(const Triple& x);                                       ///< [m]
Place place_on(const std::string& part);                                ///< the part as a whole
Place place_on(const std::string& part, const std::string& point);      ///< "start", "end", a named point or set
Place place_on(const std::string& part, double share);                  ///< of its length
Place place_on(const std::string& part, double u, double v);            ///< shares of a plate
Place place_on(const std::string& part, double u, double v, double w);  ///< shares of a solid
Place place_in(const std::string& part, const Triple& x);               ///< in the frame of a solid [m]

/// Which of a joint's coordinates: the angle, or the displacement where there is no angle.
enum class JointCoordinate { any, angle, displacement };

/// A ball, in the plane a disc, that contacts know: a mass of its own without rotation, or about a place of a part.
struct SphereSpec {
  Origin origin = {};
  std::string name;
  double radius = 0;                    ///< [m]; 0: the point itself, which touches planes and other spheres
  std::optional<double> mass = {};      ///< [kg]; with `at` it is added to the part
  Triple position{};                    ///< of its centre [m]
  std::optional<Triple> velocity = {};  ///< [m/s]
  std::optional<Place> at = {};         ///< its centre is this place; then the part says where it is and how it moves
  std::optional<Place> nodes =
      {};  ///< in place of `at`: one on each node of this set of a solid, which never touch each other
  std::string color = {};
};

/// A plane of the ground, in the plane of the model a line; what is behind it is solid.
struct PlaneSpec {
  Origin origin = {};
  std::string name;
  Triple point{};   ///< on it [m]
  Triple normal{};  ///< out of the solid, of any length but 0
  std::string color = {};
};

/// What may touch, without friction, as long as it is there.
struct ContactSpec {
  Origin origin = {};
  std::string name;
  std::vector<NamePattern> between;  ///< of spheres and planes: any two of them, but two planes or two of one body
  double restitution = 0;            ///< normal velocity after an impact over that before, 0 … 1
};

/// An item of a registered term, or one per element or node of a part: springs, dampers, masses, forces, motors, pressures.
struct TermSpec {
  template <class T>
  using Named = std::vector<std::pair<std::string, T>>;

  Origin origin = {};  ///< its path is the item's name
  std::string name;
  const TermInfo* term = nullptr;
  /// What the term's slots come from, by the names in its SceneForm: places, joints for scalars, signals. A signal that is
  /// left out is 1 as long as the term acts.
  Named<std::vector<Place>> places = {};
  Named<std::string> joints = {};
  Named<EffectiveSignal> signals = {};
  std::string on = {};                      ///< the part that it is spread over; of a solid a surface, "leg.inner"
  Named<std::vector<double>> numbers = {};  ///< parameters by name; what is left out has its default
  std::vector<int> options = {};            ///< choices in the term's order
  PronySeries relaxation = {};              ///< of springs
  EffectiveSignal acts = {};                ///< while it acts: signal −1
  std::shared_ptr<const RegisteredLaw> law = {};
  JointCoordinate coordinate = JointCoordinate::any;
  bool begins_later = false;

  /// The numbers of a parameter; null where they are left out.
  const std::vector<double>* find_numbers(std::string_view name) const;
  /// The first number of a parameter, or its default; NaN where it has neither.
  double number(std::string_view name) const;
};

/// An item of the term E, parameters and options by name:
///
///     TermSpec pull = specify<PointForce3d>("pull", {.force = {0, 0, -5}});
///     pull.places = {{"at", {place_on("hose", "end")}}};
template <DeclaredTerm E>
TermSpec specify(std::string name, const GivenParams<E>& parameters, const OptionsOf<E>& options = {}) {
  TermSpec spec{.name = std::move(name), .term = &find_term(E::name)->info};
  E::fields(parameters, [&](const auto& member, const Field& field) {
    std::vector<double> x;
    for (const Given& number : components(member)) x.push_back(number.value);
    if (!std::isnan(x[0])) spec.numbers.emplace_back(field.name, std::move(x));
  });
  spec.options = choices_of<E>(options);
  return spec;
}

}  // namespace flexura

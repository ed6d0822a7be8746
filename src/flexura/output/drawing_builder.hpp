#pragma once
// Builds a DrawnModel. One file per concern: drawing_place, _curve, _surface, _body, _part, _contact, _joint, _load,
// _constraint.

#include <map>
#include <optional>
#include <string_view>

#include "flexura/output/draw_model.hpp"
#include "flexura/part/specs.hpp"

namespace flexura::detail {

/// Σ weight · slot, slots as in DrawingBuilder.
using DrawnForm = std::vector<std::pair<std::uint32_t, double>>;

/// A place, drawn. The ground as a whole has no form.
struct DrawnPlace {
  MaterialPlace at;
  DrawnForm form;

  using On = MaterialPlace::On;
  bool on_ground() const { return at.on == On::ground; }
};

class DrawingBuilder {
 public:
  DrawingBuilder(const Machine& machine, std::span<const SensorSpec> sensors);
  DrawnModel build();

 private:
  // drawing_place.cpp
  std::uint32_t slot(int topology_slot);
  std::uint32_t fixed(const Triple& x);
  DrawnForm on_body(int body, const Triple& local, bool is_point = true);
  DrawnForm on_cable(int cable, int element, double xi, bool tangent);
  /// Director i of the section.
  DrawnForm director(int cable, int element, double xi, int i);
  DrawnPlace place(const MaterialPlace& at);
  /// Of two places the ground as a whole is where the other is.
  std::vector<DrawnPlace> places(const std::vector<MaterialPlace>& all);
  /// A direction of space in the reference configuration that moves with the place; empty where it cannot.
  DrawnForm direction(const DrawnPlace& place, const Triple& n);
  Triple reference_of(const DrawnForm& form) const;
  void row(SlotMap& map, const DrawnForm& form);

  // drawing_curve.cpp
  void add_cable(int index);

  // drawing_surface.cpp
  void add_plate(int index);
  /// In slots as they are drawn.
  DrawnForm drawn(const LinearForm& form);

  // drawing_solid.cpp
  void add_solid(int index);

  // drawing_body.cpp
  void add_body(int index);
  void add_look(int index);
  void add_visuals(int index);
  Drawable& begin_body(int index, std::string name, std::string label);
  void find_places_of_bodies();
  std::vector<Triple> places_on(int body) const;
  bool slides(int body) const;

  // drawing_part.cpp
  void add_point(const PointPart& part);
  void add_spring(const TermPart& part);
  void add_line(const TermPart& part, std::string label);
  void add_mass(const TermPart& part);

  // drawing_contact.cpp
  void add_sphere(const ContactSphere& sphere);
  /// The box around the model, grown to where planes are nearest to its middle.
  void enclose_planes(const Triple& low, const Triple& high);
  /// Corners of what of a plane is in that box and not behind another plane.
  std::vector<Triple> visible_part(const ContactPlane& plane) const;
  void add_plane(const ContactPlane& plane);

  // drawing_joint.cpp
  DrawnForm on_material(const DrawnPlace& place);
  void add_joint(const JointPart& part);
  /// Both ends of a truss of that name; empty where there is none.
  std::vector<DrawnPlace> ends_of_truss(const std::string& name);
  void add_gear(const GearPart& part);
  void add_sensor(const SensorSpec& sensor);
  std::optional<int> joint_drawable(const std::string& joint) const;

  // drawing_load.cpp
  void add_load(const TermPart& part);
  bool add_chamber_ends(const TermPart& part);
  void note_chamber(const TermPart& part);
  void note_enclosed(const ChamberPart& chamber, int index);
  void add_over_elements(const TermPart& part);
  void add_over_faces(const TermPart& part);
  void add_effort(const TermPart& part, const std::string& joint);
  void add_arrow(const TermPart& part, DrawnForm at, const std::string& unit, DrawnPlaces::Effort effort);

  // drawing_constraint.cpp
  void add_kept(const KeptPart& kept);

  // draw_model.cpp
  void add_joints();
  /// Terms that a person names in such a table.
  void each_term(std::string_view table, auto&& add);
  ItemPlace item(const std::string& name) const;
  Drawable& begin(Drawable::Kind kind, std::string name, std::string label);
  void add_field_point(const DrawnForm& position, DrawnPlaces::FieldPoint point = {});
  void finish();

  const Machine& machine_;
  std::span<const SensorSpec> sensors_;
  const Topology& topology_;
  Drawing drawing_;
  DrawnPlaces places_;
  double size_ = 1;        ///< of the model [m]
  Triple low_{}, high_{};  ///< box in which planes are drawn
  std::map<int, std::uint32_t> slot_index_;
  std::vector<std::vector<Triple>> places_of_bodies_;  ///< where something holds them, in their frames [m]
};

/// Solid of a body's shape.
BodyShape drawn_shape(const SolidShape& shape);
/// Ellipsoid or box of equal mass, centre and moments of inertia; planar: disc or square.
BodyShape solid_of_inertia(const RigidInertia& body, int dim, bool is_box);
/// Links between the places of a body, and a sphere at its centre of mass.
std::vector<BodyShape> links_between(const std::vector<Triple>& places, const Triple& center, double model_size);
/// Two corners of a box around the shapes.
std::array<Triple, 2> bounds_of(const std::vector<BodyShape>& shapes);

}  // namespace flexura::detail

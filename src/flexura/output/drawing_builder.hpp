#pragma once
// Builds a DrawnModel. One file per concern: drawing_place, _curve, _surface, _body, _part, _contact, _load.

#include <map>
#include <optional>
#include <set>

#include "flexura/output/draw_model.hpp"
#include "flexura/part/find_place.hpp"
#include "flexura/part/joint_types.hpp"
#include "flexura/part/rigid_frame.hpp"
#include "flexura/scene/section_law.hpp"

namespace flexura::detail {

/// Σ weight · slot, slots as in DrawingBuilder.
using DrawnForm = std::vector<std::pair<std::uint32_t, double>>;

/// A place of the scene, drawn.
struct DrawnPlace {
  DrawnForm form;
  bool ground = false;
  int body = -1;     ///< index into SceneModel::bodies
  Triple local{};    ///< in its frame
  int cable = -1;    ///< index into SceneModel::cables
  int element = -1;  ///< of the cable
  double xi = 0;
};

class DrawingBuilder {
 public:
  DrawingBuilder(const SceneDocument& document, const SceneModel& model);
  DrawnModel build();

 private:
  // drawing_place.cpp
  std::uint32_t slot(int topology_slot);
  std::uint32_t fixed(const Triple& x);
  DrawnForm on_body(int body, const Triple& local, bool is_point = true);
  DrawnForm on_cable(int cable, int element, double xi, bool tangent);
  /// Director i of the section.
  DrawnForm director(int cable, int element, double xi, int i);
  std::optional<DrawnPlace> place(const Place& place, int depth = 0);
  /// The two sides of a joint, its `at` in mind.
  std::optional<std::array<DrawnPlace, 2>> sides(const Record& joint);
  /// A direction of space in the reference configuration that moves with the place; empty where it cannot.
  DrawnForm direction(const DrawnPlace& at, const Triple& n);
  Triple reference_of(const DrawnForm& form) const;
  /// As the scene places it; where the scene is to be assembled, its slots say something else.
  RigidFrame pose_of(int body) const;
  void row(SlotMap& map, const DrawnForm& form);

  // drawing_curve.cpp
  void add_cable(int index);
  /// `shape`: that of its section in the scene, or null.
  SectionShape section_of(const CablePart& cable, const Record* shape, const SectionLaw& law, double share) const;

  // drawing_surface.cpp
  void add_plate(int index);
  /// In slots as they are drawn.
  DrawnForm drawn(const LinearForm& form);

  // drawing_body.cpp
  void add_body(int index);
  std::vector<Triple> places_of(int index);
  bool slides(const std::string& body) const;

  // drawing_part.cpp
  void add_point(const std::string& name, int topology_slot);
  void add_spring(const Record& record);
  void add_line(const Record& record, std::string label, const std::vector<Place>& ends);
  void add_mass(const Record& record);
  void add_sphere(const ContactSphere& sphere);
  /// The box around the model, grown to where planes are nearest to its middle.
  void enclose_planes(const Triple& low, const Triple& high);
  /// Corners of what of a plane is in that box and not behind another plane.
  std::vector<Triple> visible_part(const ContactPlane& plane) const;
  void add_plane(const ContactPlane& plane);
  void add_joint(const Record& record);
  void add_gear(const Record& record);
  void add_sensor(const Record& record);
  std::optional<int> joint_drawable(const std::string& joint) const;

  // drawing_load.cpp
  void add_load(const Record& record);
  void note_chamber(const Record& record);
  void add_over_elements(const Record& record, const std::string& part);
  void add_effort(const Record& record, const std::string& joint);
  void add_arrow(const Record& record, DrawnForm at, const std::string& unit, DrawnPlaces::Effort effort);

  bool ties_joints(const Record& joint) const;
  bool is_there(const Record& record) const;
  ItemPlace item(const std::string& name) const;
  Drawable& begin(Drawable::Kind kind, std::string name, std::string label);
  void add_field_point(const DrawnForm& position, DrawnPlaces::FieldPoint point = {});
  void finish();

  const SceneDocument& document_;
  const SceneModel& model_;
  const Topology& topology_;
  Drawing drawing_;
  DrawnPlaces places_;
  double size_ = 1;        ///< of the model [m]
  Triple low_{}, high_{};  ///< box in which planes are drawn
  std::map<int, std::uint32_t> slot_index_;
  std::map<std::string, int> cables_, plates_, bodies_, points_;
  std::set<std::string> joints_;
  std::set<std::string_view> item_names_;
};

/// Solid of a body's shape as the scene describes it.
std::vector<BodyShape> shapes_of_record(const Record& shape, int dim, const std::vector<ExternalFile>& files);
/// Ellipsoid or box of equal mass, centre and moments of inertia; planar: disc or square.
BodyShape solid_of_inertia(const Record& body, int dim, bool is_box);
/// Links between the places of a body, and a sphere at its centre of mass.
std::vector<BodyShape> links_between(const std::vector<Triple>& places, const Triple& center, double model_size);
/// Two corners of a box around the shapes.
std::array<Triple, 2> bounds_of(const std::vector<BodyShape>& shapes);

}  // namespace flexura::detail

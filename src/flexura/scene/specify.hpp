#pragma once
// Records of a scene as specifications of parts: what keys say becomes numbers, shapes and places; what they lack, or say
// twice, is a problem. Nothing is returned after one. One file per concern: specify_cable, _plate, _solid, _solid_mesh, _body, _joint, _term,
// _contact, _chamber,
// _constraint.

#include <functional>
#include <map>
#include <optional>
#include <span>

#include "flexura/material/laminate.hpp"
#include "flexura/part/chamber_spec.hpp"
#include "flexura/part/constraint_spec.hpp"
#include "flexura/part/specs.hpp"
#include "flexura/scene/document.hpp"
#include "flexura/scene/timeline.hpp"

namespace flexura::detail {

struct Specifier {
  const SceneDocument& scene;
  const Timeline& timeline;
  Problems& problems;
  std::map<std::string, std::optional<SectionSpec>> sections = {};  ///< those that were specified, by name
  std::set<std::string> read_joints = {};                           ///< whose reactions sensors read

  void wrong(const Record& record, std::string_view key, std::string message) const;
  void warn(const Record& record, std::string_view key, std::string message) const;
};

/// Joints whose reactions sensors read.
std::set<std::string> joints_read(const SceneDocument& scene);
Origin origin_of(const Record& record);
/// Its `relaxation`; empty where it has none.
PronySeries relaxation_of(const Record& record);
/// A vector of the record; planar: z = 0.
std::optional<Triple> vector_of(const Record& record, std::string_view key);
/// In the plane a number about Z.
std::optional<Triple> turning_of(const Record& record, std::string_view key, int dim);
/// What motion_fields() ask for.
InitialMotion motion_of(const Record& record, int dim);
/// The signal under the key, or the constant 1, within the record's time.
EffectiveSignal signal_of(const Specifier& with, const Record& record, std::string_view key);

const std::optional<SectionSpec>& section_spec(Specifier& with, const std::string& name);
/// Of the points or the table under the key.
std::optional<PathCurve> curve_of(const Specifier& with, const Record& record, std::string_view key);
std::optional<CableSpec> cable_spec(Specifier& with, const Record& record);
std::optional<BeamSpec> beam_spec(Specifier& with, const Record& record);
PointSpec point_spec(const Record& record);
std::optional<RigidFrame> frame_of(const Specifier& with, const Record& record);
/// The mesh under `shape`, of a plate or membrane; not for Gmsh files of the latter.
std::optional<SurfaceMesh> surface_of(const Specifier& with, const Record& part);
/// Q of an orthotropic material, in its own axes.
std::optional<PlaneStiffness> woven_stiffness(const Specifier& with, const Record& material);
/// `growth` of a wall under `keys`, of which a number is the first three; nothing where there is none.
void read_wall_growth(const Specifier& with, const Record& part, std::span<const char* const> keys,
                      std::span<std::optional<EffectiveSignal>> out);
std::optional<PlateSpec> plate_spec(const Specifier& with, const Record& record);
std::optional<SolidSpec> membrane_spec(const Specifier& with, const Record& record);
/// The mesh under `shape` of a solid.
std::optional<SolidMesh> volume_of(const Specifier& with, const Record& solid);
std::optional<SolidSpec> solid_spec(const Specifier& with, const Record& record);
/// A law of rubber, of solids and full plates.
bool is_rubber(const Record& material);
/// What a solid, a membrane or a full plate is of: a law of rubber, or St. Venant–Kirchhoff of E and nu.
struct ElasticMaterial {
  LawChoice law;
  ElasticConstants<double> constants{};
  double rho = 0;
  PronySeries relaxation = {};
};
std::optional<ElasticMaterial> elastic_material(const Specifier& with, const Record& part);
/// What is wrong with laws of rubber and meshes of solids of a scene that cannot be read as a whole, by those of its tables that could be.
std::vector<Problem> soft_problems(const SceneDocument& scene, const std::function<bool(const Record&)>& is_sound);
/// [fibre.NAME] of a solid, a plate or a membrane.
std::vector<FibreFamily> fibres_of(const Specifier& with, const Record& part);
std::optional<BodySpec> body_spec(const Specifier& with, const Record& record);
std::optional<JointSpec> joint_spec(const Specifier& with, const Record& record);
std::optional<GearSpec> gear_spec(const Record& record);
std::optional<SphereSpec> sphere_spec(const Specifier& with, const Record& record);
std::optional<PlaneSpec> plane_spec(const Specifier& with, const Record& record);
std::optional<ContactSpec> contact_spec(const Specifier& with, const Record& record);
std::optional<ChamberSpec> chamber_spec(const Specifier& with, const Record& record);
std::optional<LineSpec> line_spec(const Specifier& with, const Record& record);
std::optional<ConstraintSpec> constraint_spec(const Specifier& with, const Record& record);
TermSpec term_spec(const Specifier& with, const Record& record);

}  // namespace flexura::detail

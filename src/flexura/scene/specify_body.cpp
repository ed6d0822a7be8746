// [body.NAME]: pose and inertia.

#include <algorithm>

#include "flexura/scene/body_shape.hpp"
#include "flexura/scene/specify.hpp"

namespace flexura::detail {
namespace {

/// Of a shape and a density, or of a shape and a mass; nothing after a problem. The shape is `solid` then.
std::optional<RigidInertia> inertia_by_shape(const Specifier& with, const Record& record, const Record& shape,
                                             std::optional<SolidShape>& solid) {
  const size_t before = with.problems.count();
  const double m = record.number("m");
  double density = record.number("density");
  if (const std::string* name = record.get<std::string>("material"))
    if (const Record* material = with.scene.find("material", *name)) density = material->number("rho");
  if (record.has("density") && record.has("material"))
    with.wrong(record, "density", "the density is given twice, by \"density\" and by \"material\"");
  if (density > 0 && m > 0)
    with.wrong(record, "m", "the mass is given twice: it follows from the shape and the density");
  if (!(density > 0) && !(m > 0))
    with.wrong(record, "", "a shape needs a density: give \"density\", \"material\", or the mass \"m\"");
  if (record.has("m") && m == 0)
    with.wrong(record, "m", "a shape has mass; for looks without mass there is [visual.NAME]");
  if (with.problems.count() > before) return {};
  const std::vector<ExternalFile>& files = with.scene.files;
  solid = solid_shape(shape, files, with.problems.errors);
  if (!solid) return {};
  auto out = inertia_of_shape(shape, *solid, density > 0 ? density : 1.0, files, with.problems.errors);
  if (!out) return {};
  if (m > 0) {
    const double factor = m / out->mass;
    out->mass = m;
    for (double& x : out->inertia) x *= factor;
  }
  for (const char* key : {"center", "inertia", "products_of_inertia"})
    if (record.has(key)) with.wrong(record, key, "follows from the shape: leave it out");
  return out;
}

std::optional<RigidInertia> inertia_by_numbers(const Specifier& with, const Record& record) {
  for (const char* key : {"density", "material"})
    if (record.has(key)) with.wrong(record, key, "is that of a shape: give \"shape\", or leave it out");
  RigidInertia out;
  out.mass = record.number("m");
  if (record.has("m") && out.mass == 0) {
    for (const char* key : {"inertia", "products_of_inertia", "center"})
      if (record.has(key))
        with.wrong(record, key,
                   "a body of mass 0 is a frame on another part and has none: leave it out, or give a mass");
    return out;
  }
  if (!(out.mass > 0)) {
    with.wrong(record, "", "the body has no mass: give \"m\" and \"inertia\", or a \"shape\" and a \"density\"");
    return {};
  }
  if (const Numbers* center = record.get<Numbers>("center")) std::copy(center->begin(), center->end(), out.center);
  if (!record.has("inertia")) {
    with.wrong(record, "",
               "the body has no moment of inertia: give \"inertia\" about the centre of mass, or a \"shape\"");
    return {};
  }
  if (with.scene.dim == 2) {
    out.inertia[2] = record.number("inertia");
    return out;
  }
  const Numbers& J = *record.get<Numbers>("inertia");
  std::copy(J.begin(), J.end(), out.inertia);
  if (const Numbers* products = record.get<Numbers>("products_of_inertia"))
    std::copy(products->begin(), products->end(), out.inertia + 3);
  return out;
}

/// Where it says nothing, the pose is that of the reference.
std::optional<RigidFrame> initial_frame(const Specifier& with, const Record& initial, const RigidFrame& reference) {
  std::optional<RigidFrame> frame = frame_of(with, initial);
  if (!frame) return {};
  if (!initial.has("position")) frame->origin = reference.origin;
  if (!initial.has("angle") && !initial.has("quat_xyzw") && !initial.has("axes")) frame->axes = reference.axes;
  return frame;
}

std::vector<VisualSpec> visuals_of(const Specifier& with, const std::string& body) {
  std::vector<VisualSpec> out;
  for (const Record* record : with.scene.of_kind("visual")) {
    const Record* shape = nested(*record, "shape");
    if (record->text("on") != body || shape == nullptr) continue;
    std::string color;
    auto solid = solid_shape(*shape, with.scene.files, with.problems.errors, &color);
    const auto placed = frame_of(with, *record);
    if (record->has("color")) color = record->text("color");
    if (solid && placed) out.push_back({record->name, std::move(*solid), *placed, color});
  }
  return out;
}

}  // namespace

std::optional<BodySpec> body_spec(const Specifier& with, const Record& record) {
  const size_t before = with.problems.count();
  BodySpec spec;
  spec.origin = origin_of(record);
  spec.name = record.name;
  spec.reference = frame_of(with, record).value_or(RigidFrame{});
  const auto angle_of = [&](const Record& of) {
    return with.scene.dim == 2 && of.has("angle") ? std::optional(of.number("angle")) : std::nullopt;
  };
  spec.angle = angle_of(record);
  if (const Record* initial = nested(record, "initial")) {
    spec.initial = initial_frame(with, *initial, spec.reference);
    spec.initial_angle = angle_of(*initial);
  }
  const Record* shape = nested(record, "shape");
  spec.inertia =
      (shape != nullptr ? inertia_by_shape(with, record, *shape, spec.shape) : inertia_by_numbers(with, record))
          .value_or(RigidInertia{});
  spec.velocity = vector_of(record, "velocity");
  spec.angular_velocity = turning_of(record, "angular_velocity", with.scene.dim);
  if (const NamedNumbers* points = record.get<NamedNumbers>("points"))
    for (const NamedNumbers::Entry& entry : points->entries) {
      if (entry.name == "center")
        with.problems.errors.push_back(
            {entry.source, record.path + ".points.center", "\"center\" is the centre of mass already", {}});
      spec.points.emplace_back(entry.name, triple(entry.x));
    }
  spec.visuals = visuals_of(with, record.name);
  spec.color = record.text("color");
  spec.of_trusses = record.text("as") == "trusses";
  if (const auto* nodes = record.get<std::vector<Place>>("nodes")) {
    spec.nodes = *nodes;
    if (!spec.of_trusses) with.wrong(record, "nodes", "is that of a body with as = \"trusses\"");
    for (const char* key : {"initial", "velocity", "angular_velocity"})
      if (record.has(key)) with.wrong(record, key, "follows from the nodes: give it to them");
  } else if (spec.of_trusses && spec.is_frame() && record.has("m")) {
    with.wrong(record, "as", "a body of mass 0 has no trusses of its own: a frame on points needs \"nodes\"");
  }
  if (with.problems.count() > before) return {};
  return spec;
}

}  // namespace flexura::detail

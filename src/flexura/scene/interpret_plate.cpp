// Plates: walls, meshes, nodes and elements, and places on them.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "flexura/mesh/gmsh_reader.hpp"
#include "flexura/mesh/surface_expression.hpp"
#include "flexura/mesh/surface_shapes.hpp"
#include "flexura/scene/interpreter.hpp"

namespace flexura::detail {
namespace {

Vec3 vec(const Triple& x) { return {x[0], x[1], x[2]}; }
Vec3 vec(const Numbers& x) { return {x[0], x[1], x[2]}; }
Triple triple_of(const Vec3& x) { return {x[0], x[1], x[2]}; }

/// A path of a scene as the axis of a tube.
TubePath tube_path(PathCurve curve) {
  const double length = curve.length();
  return {length, [curve = std::move(curve)](double s) {
            return PathPoint{vec(curve.at(s)), vec(curve.tangent(s)), vec(curve.curvature(s))};
          }};
}

}  // namespace

std::optional<Layer> Interpreter::layer_of(const Record& owner, double thickness, double angle) {
  const Record* material = scene_.find("material", owner.text("material"));
  if (material == nullptr) return {};
  Layer layer;
  layer.thickness = thickness;
  layer.angle = angle;
  layer.rho = material->number("rho");
  if (material->type == "orthotropic") {
    const double E1 = material->number("E1"), E2 = material->number("E2"), nu = material->number("nu12");
    if (!(nu * nu * E2 < E1)) {
      wrong(*material, "nu12", fmt::format("must lie within ±sqrt(E1/E2) = ±{:.4g}", std::sqrt(E1 / E2)));
      return {};
    }
    layer.Q = orthotropic_stiffness(E1, E2, nu, material->number("G12"));
  } else {
    layer.Q = isotropic_stiffness(material->number("E"), material->number("nu"));
  }
  return layer;
}

std::optional<Laminate> Interpreter::wall_of(const Record& plate) {
  std::vector<const Record*> stack;
  for (const Record* layer : scene_.of_kind("layer"))
    if (layer->text("of") == plate.name) stack.push_back(layer);
  const size_t before = problems.size();
  const double turn = plate.number("material_angle");
  std::vector<Layer> layers;
  if (!stack.empty()) {
    for (const char* key : {"material", "thickness"})
      if (plate.has(key)) wrong(plate, key, fmt::format("the wall is that of layer.{} and others", stack[0]->name));
    for (const Record* record : stack)
      if (const auto layer = layer_of(*record, record->number("thickness"), turn + record->number("angle")))
        layers.push_back(*layer);
  } else {
    for (const char* key : {"material", "thickness"})
      if (!plate.has(key))
        wrong(plate, "",
              fmt::format("\"{}\" is missing: give material and thickness, or layers as in [layer.NAME] of = \"{}\"",
                          key, plate.name));
    if (problems.size() > before) return {};
    if (const auto layer = layer_of(plate, plate.number("thickness"), turn)) layers.push_back(*layer);
  }
  if (problems.size() > before || layers.empty()) return {};
  return make_laminate(layers);
}

/// One series for the whole wall: layers that relax differently would change what couples stretch and bending.
bool Interpreter::read_wall_relaxation(const Record& plate, PronySeries& series) {
  std::vector<const Record*> stack{};
  for (const Record* layer : scene_.of_kind("layer"))
    if (layer->text("of") == plate.name) stack.push_back(layer);
  if (stack.empty()) stack.push_back(&plate);
  for (size_t i = 0; i < stack.size(); ++i) {
    const Record* material = scene_.find("material", stack[i]->text("material"));
    const PronySeries own = material == nullptr ? PronySeries() : relaxation_of(*material);
    if (i == 0) series = own;
    if (own == series) continue;
    wrong(*stack[i], "material",
          fmt::format("all layers of a plate must relax alike: material.{} has another `relaxation` than that of "
                      "layer.{}",
                      material->name, stack[0]->name));
    return false;
  }
  return true;
}

std::optional<TubePath> Interpreter::axis_of(const Record& tube) {
  if (const Points* points = tube.get<Points>("axis"); points != nullptr && points->size() != 2) {
    wrong(tube, "axis", "a straight axis has two points; a curved one is axis = { spline = [...] } or { arc = {...} }");
    return {};
  }
  std::optional<PathCurve> curve = curve_of(tube, "axis");
  if (!curve) return {};
  return tube_path(std::move(*curve));
}

std::optional<SurfaceMesh> Interpreter::make_surface(const Record& plate, const Record& shape, int nu, int nv) {
  Parameters parameters;
  for (const auto& [name, value] : scene_.parameters) parameters[name] = value;
  std::function<double(double, double)> factor;
  if (plate.has("thickness_factor") && shape.type != "formula")
    factor = expression_of_uv(plate.text("thickness_factor"), "thickness_factor", parameters);
  const auto pair = [&](const char* key) { return *shape.get<Numbers>(key); };
  if (shape.type == "flat")
    return make_mesh(FlatPlate{
        .length = pair("size")[0], .width = pair("size")[1], .elements_u = nu, .elements_v = nv, .thickness = factor});
  if (shape.type == "panel")
    return make_mesh(CylinderPanel{.radius = shape.number("radius"),
                                   .angle = shape.number("angle"),
                                   .width = shape.number("width"),
                                   .elements_u = nu,
                                   .elements_v = nv,
                                   .thickness = factor});
  if (shape.type == "tube") {
    if (shape.has("radius") == shape.has("radius_law")) {
      wrong(shape, "radius", "give either \"radius\" or \"radius_law\"");
      return {};
    }
    std::optional<TubePath> path = axis_of(shape);
    if (!path) return {};
    LoftedTube tube;
    tube.path = std::move(*path);
    tube.along = nu, tube.around = nv;
    tube.first_angle = shape.number("first_angle"), tube.angle = shape.number("angle");
    tube.thickness = factor;
    tube.radius = shape.has("radius") ? linear_radius(pair("radius")[0], pair("radius")[1], tube.path.length)
                                      : expression_radius(shape.text("radius_law"), parameters);
    if (const Numbers* up = shape.get<Numbers>("up")) tube.up = vec(*up);
    return make_mesh(tube);
  }
  if (shape.type == "hemisphere")
    return make_mesh(Hemisphere{.radius = shape.number("radius"),
                                .hole = shape.number("hole"),
                                .from = shape.number("from"),
                                .to = shape.number("to"),
                                .elements_u = nu,
                                .elements_v = nv});
  if (shape.type == "annulus")
    return make_mesh(Annulus{.inner = pair("radius")[0],
                             .outer = pair("radius")[1],
                             .angle = shape.number("angle"),
                             .closed = shape.boolean("closed"),
                             .radial = nu,
                             .around = nv});
  ExpressionSurface out;
  out.x = shape.text("x"), out.y = shape.text("y"), out.z = shape.text("z");
  out.parameters = parameters;
  if (shape.has("u")) out.from_u = pair("u")[0], out.to_u = pair("u")[1];
  if (shape.has("v")) out.from_v = pair("v")[0], out.to_v = pair("v")[1];
  out.elements_u = nu, out.elements_v = nv;
  out.closed_u = shape.boolean("closed_u"), out.closed_v = shape.boolean("closed_v");
  out.thickness = plate.text("thickness_factor");
  return make_mesh(out);
}

/// Koiter's theory takes fibres across the wall to be as long as in the middle: what is left out grows with h/R.
void Interpreter::check_bend(const Record& plate, double thickness, const ElementExtreme& bend) {
  constexpr double thin = 0.5;
  const double ratio = thickness * bend.value;
  const char* key = plate.has("thickness") ? "thickness" : "shape";
  if (ratio >= 2) {
    wrong(plate, key,
          fmt::format("the wall is folded into itself: it is {:.3g} m thick where its middle has a radius of curvature "
                      "of {:.3g} m, at element {}",
                      thickness, 1 / bend.value, bend.element + 1));
  } else if (ratio > thin) {
    warn(plate, key,
         fmt::format("the wall is no thin shell at element {}: thickness over radius of curvature is {:.2g}, and the "
                     "theory leaves out what is of that order",
                     bend.element + 1, ratio));
  }
}

std::optional<SurfaceMesh> Interpreter::mesh_of(const Record& plate, double thickness) {
  const Record* shape = nested(plate, "shape");
  if (shape == nullptr) return {};
  const bool gmsh = shape->type == "gmsh";
  const Numbers* elements = plate.get<Numbers>("elements");
  int n[2] = {0, 0};
  if (!gmsh && elements == nullptr) {
    wrong(plate, "", "\"elements\" is missing: how many along u and along v, as in elements = [8, 8]");
    return {};
  }
  if (gmsh && elements != nullptr) wrong(plate, "elements", "the elements are those of the Gmsh file");
  if (gmsh && plate.has("thickness_factor"))
    wrong(plate, "thickness_factor", "not for Gmsh files: they have no u and v");
  for (int k = 0; elements != nullptr && k < 2; ++k) {
    n[k] = static_cast<int>(std::clamp((*elements)[k], -1.0, 1e6));
    if (n[k] != (*elements)[k] || n[k] < 1) {
      wrong(plate, "elements", fmt::format("must be two whole numbers from 1 on; this is {:.6g}", (*elements)[k]));
      return {};
    }
  }
  SurfaceMesh out;
  try {
    if (gmsh) {
      const ExternalFile& file = scene_.files[shape->get<FileIndex>("file")->index];
      GmshSurface read = read_gmsh(file.text, file.path, {shape->number("scale")});
      for (const std::string& notice : read.notices) warn(plate, "shape", notice);
      out = std::move(read.mesh);
    } else {
      std::optional<SurfaceMesh> made = make_surface(plate, *shape, n[0], n[1]);
      if (!made) return {};
      out = std::move(*made);
    }
  } catch (const InputError& error) {
    for (Problem problem : error.problems()) {
      if (problem.source.file.empty())
        problem.source = plate.source_of(problem.path == "thickness_factor" ? problem.path : "shape");
      problem.path = problem.path.empty() ? plate.path + ".shape" : plate.path + ".shape." + problem.path;
      problems.push_back(std::move(problem));
    }
    return {};
  }
  const size_t before = problems.size();
  SurfaceStatistics about = statistics(out);
  if (shape->type == "annulus") about.coincident.clear();  // slit as it was asked for
  for (const MeshFinding& finding : findings(about))
    finding.error ? wrong(plate, "shape", finding.message) : warn(plate, "shape", finding.message);
  if (problems.size() > before) return {};
  check_bend(plate, thickness, about.largest_bend);
  RigidFrame frame;
  if (!read_pose(plate, frame)) return {};
  move(out, vec(frame.axes[0]), vec(frame.axes[1]), vec(frame.axes[2]), vec(frame.origin));
  return out;
}

void Interpreter::add_plate(const Record& record) {
  const std::optional<Laminate> wall = wall_of(record);
  std::optional<SurfaceMesh> mesh = mesh_of(record, wall ? wall->thickness : 0);
  if (!wall || !mesh) return;
  PlateSection section;
  section.laminate = *wall;
  section.retardation = record.number("damping");
  if (!read_wall_relaxation(record, section.relaxation)) return;
  section.mass_damping = record.number("mass_damping", scene_.head.number("mass_damping"));
  if (record.text("integration") == "reduced") section.integration = AncfThinPlate::Integration::reduced;
  if (record.text("curvature") == "cubed_normal") section.curvature = AncfThinPlate::Curvature::cubed_normal;
  PlatePart part{record.name, std::move(*mesh), {}, wall->thickness};
  part.model = flexura::add_plate(builder_, record.name, part.mesh, section, record.source);
  const Numbers *velocity = record.get<Numbers>("velocity"), *spin = record.get<Numbers>("angular_velocity");
  const Numbers *about = record.get<Numbers>("about"), *position = record.get<Numbers>("position");
  if (velocity != nullptr || spin != nullptr) {
    const Triple v = velocity != nullptr ? triple(*velocity) : Triple{}, w = spin != nullptr ? triple(*spin) : Triple{};
    const Triple center = about != nullptr ? triple(*about) : position != nullptr ? triple(*position) : Triple{};
    for (size_t k = 0; k < part.mesh.nodes.size(); ++k) {
      const SurfaceNode& node = part.mesh.nodes[k];
      const PlateNode& slots = part.model.nodes[k];
      builder_.set_initial(slots.r, node.position.c, v + cross(w, triple_of(node.position) - center));
      builder_.set_initial(slots.g_u, node.gradient_u.c, cross(w, triple_of(node.gradient_u)));
      builder_.set_initial(slots.g_v, node.gradient_v.c, cross(w, triple_of(node.gradient_v)));
    }
  }
  plate_index_[record.name] = static_cast<int>(result_.plates.size());
  parent_[record.name] = record.name;
  result_.plates.push_back(std::move(part));
}

std::optional<Interpreter::Location> Interpreter::on_plate(const Place& place, const std::string& path) {
  Location location;
  location.part = place.part;
  location.plate = plate_index_.at(place.part);
  const PlatePart& plate = result_.plates[location.plate];
  const SurfaceMesh& mesh = plate.mesh;
  const std::optional<PlatePlace> found = find_plate_place(mesh, place);
  if (!found) {
    const std::vector<std::string> names = mesh.set_names();
    const std::string has = names.empty() ? "no named places" : list_of(names, "and");
    const std::string message =
        place.at == Place::At::named
            ? fmt::format("the plate \"{}\" has no place named \"{}\"; it has {}", place.part, place.point, has)
        : place.at == Place::At::whole
            ? fmt::format("which place of \"{0}\"? It has {1}, and shares of u and v, as in \"{0}@(0.5, 0.5)\"",
                          place.part, has)
        : place.at == Place::At::share
            ? fmt::format("no line of nodes of \"{}\" lies at {:.6g} of u", place.part, place.share)
            : fmt::format("the mesh of \"{}\" has no u and v; it has {}", place.part, has);
    problems.push_back({place.source, path, message, place.at == Place::At::named ? nearest(place.point, names) : ""});
    return {};
  }
  location.on_plate = *found;
  location.X.assign(3, 0.0);
  for (const auto& [slot, weight] : plate_weights(plate, *found, 0))
    for (int i = 0; i < 3; ++i) location.X[i] += weight * builder_.reference(slot)[i];
  if (found->nodes.size() == 1) location.point = plate.model.nodes[found->nodes[0]].r;
  return location;
}

}  // namespace flexura::detail

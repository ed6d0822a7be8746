// [plate.NAME]: walls and meshes.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "flexura/base/nearest_name.hpp"
#include "flexura/mesh/gmsh_reader.hpp"
#include "flexura/mesh/surface_expression.hpp"
#include "flexura/mesh/surface_path.hpp"
#include "flexura/mesh/surface_shapes.hpp"
#include "flexura/scene/placement.hpp"
#include "flexura/scene/specify.hpp"

namespace flexura::detail {
namespace {

Vec3 vec(const Triple& x) { return {x[0], x[1], x[2]}; }
Vec3 vec(const Numbers& x) { return {x[0], x[1], x[2]}; }

/// A path of a scene as the axis of a tube.
TubePath tube_path(PathCurve curve) {
  const double length = curve.length();
  return {length, [curve = std::move(curve)](double s) {
            return PathPoint{vec(curve.at(s)), vec(curve.tangent(s)), vec(curve.curvature(s))};
          }};
}

std::optional<Layer> layer_of(const Specifier& with, const Record& owner, double thickness, double angle) {
  const Record* material = with.scene.find("material", owner.text("material"));
  if (material == nullptr) return {};
  if (is_rubber(*material)) {
    with.wrong(owner, "material",
               fmt::format("material.{} is a law of rubber, which solids have and plates of element = \"full\"; a thin "
                           "plate takes E and nu",
                           material->name));
    return {};
  }
  Layer layer;
  layer.thickness = thickness;
  layer.angle = angle;
  layer.rho = material->number("rho");
  if (material->type == "orthotropic") {
    const std::optional<PlaneStiffness> Q = woven_stiffness(with, *material);
    if (!Q) return {};
    layer.Q = *Q;
  } else {
    layer.Q = isotropic_stiffness(material->number("E"), material->number("nu"));
  }
  return layer;
}

std::optional<Laminate> wall_of(const Specifier& with, const Record& plate) {
  std::vector<const Record*> stack;
  for (const Record* layer : with.scene.of_kind("layer"))
    if (layer->text("of") == plate.name) stack.push_back(layer);
  const size_t before = with.problems.count();
  const double turn = plate.number("material_angle");
  std::vector<Layer> layers;
  if (!stack.empty()) {
    for (const char* key : {"material", "thickness"})
      if (plate.has(key))
        with.wrong(plate, key, fmt::format("the wall is that of layer.{} and others", stack[0]->name));
    for (const Record* record : stack)
      if (const auto layer = layer_of(with, *record, record->number("thickness"), turn + record->number("angle")))
        layers.push_back(*layer);
  } else {
    for (const char* key : {"material", "thickness"})
      if (!plate.has(key))
        with.wrong(
            plate, "",
            fmt::format("\"{}\" is missing: give material and thickness, or layers as in [layer.NAME] of = \"{}\"", key,
                        plate.name));
    if (with.problems.count() > before) return {};
    if (const auto layer = layer_of(with, plate, plate.number("thickness"), turn)) layers.push_back(*layer);
  }
  if (with.problems.count() > before || layers.empty()) return {};
  return make_laminate(layers);
}

/// Where signals leave a face of the wall no length, as far as they are known before the run: signals that follow the motion the run
/// stops at.
void check_faces(const Specifier& with, const Record& table) {
  const SignalSet& signals = *with.scene.signals;
  double end = 0;
  for (const AnalysisSpec& analysis : with.timeline.analyses) end = std::max(end, analysis.end);
  std::vector<double> times{0}, u(signals.size());
  signals.breakpoints(0, end, times);
  constexpr int even = 1000;
  for (int i = 1; i <= even && end > 0; ++i) times.push_back(end * i / even);
  std::sort(times.begin(), times.end());
  for (const auto& [along, bend] : {std::pair("u", "bend_u"), std::pair("v", "bend_v")}) {
    const SignalIndex *mean = table.get<SignalIndex>(along), *change = table.get<SignalIndex>(bend);
    if (mean == nullptr || change == nullptr) continue;
    for (const double t : times) {
      signals.evaluate(t, u);
      const double shorter = 1 + u[mean->index] - 0.5 * std::fabs(u[change->index]);
      if (shorter > 0) continue;
      with.wrong(
          table, bend,
          fmt::format("the stretch of a face would be {:.4g} at t = {:.4g} s: 1 + {} less half of {} must stay above 0",
                      shorter, t, along, bend));
      break;
    }
  }
}

/// Of all directions alike, or along the wall's directions.
std::optional<PlateGrowth> wall_growth(const Specifier& with, const Record& plate) {
  if (!plate.has("growth")) return {};
  PlateGrowth out;
  constexpr const char* keys[] = {"u", "v", "normal", "bend_u", "bend_v"};
  read_wall_growth(with, plate, keys, out);
  if (const Record* table = nested(plate, "growth")) check_faces(with, *table);
  return out;
}

/// A wall that is a solid: one material, all of its elements.
std::optional<FullWall> full_wall(const Specifier& with, const Record& plate, PronySeries& relaxation) {
  const size_t before = with.problems.count();
  for (const char* key : {"integration", "curvature", "material_angle"})
    if (plate.has(key)) with.wrong(plate, key, "is that of element = \"thin\"");
  for (const Record* layer : with.scene.of_kind("layer"))
    if (layer->text("of") == plate.name) with.wrong(*layer, "of", "a full plate has no layers; element = \"thin\" has");
  for (const char* key : {"material", "thickness"})
    if (!plate.has(key)) with.wrong(plate, "", fmt::format("\"{}\" is missing", key));
  std::vector<FibreFamily> fibres = fibres_of(with, plate);
  const std::optional<PlateGrowth> growth = wall_growth(with, plate);
  if (with.problems.count() > before) return {};
  const std::optional<ElasticMaterial> material = elastic_material(with, plate);
  if (!material) return {};
  relaxation = material->relaxation;
  return FullWall{.thickness = plate.number("thickness"),
                  .rho = material->rho,
                  .law = material->law,
                  .constants = material->constants,
                  .paper = plate.text("element") == "xing2022",
                  .volume = plate.text("volume") == "full" ? AncfPlate60::Volume::full : AncfPlate60::Volume::reduced,
                  .fibres = std::move(fibres),
                  .growth = growth};
}

/// One series for the whole wall: layers that relax differently would change what couples stretch and bending.
std::optional<PronySeries> wall_relaxation(const Specifier& with, const Record& plate) {
  std::vector<const Record*> stack;
  for (const Record* layer : with.scene.of_kind("layer"))
    if (layer->text("of") == plate.name) stack.push_back(layer);
  if (stack.empty()) stack.push_back(&plate);
  PronySeries series;
  for (size_t i = 0; i < stack.size(); ++i) {
    const Record* material = with.scene.find("material", stack[i]->text("material"));
    const PronySeries own = material == nullptr ? PronySeries() : relaxation_of(*material);
    if (i == 0) series = own;
    if (own == series) continue;
    with.wrong(*stack[i], "material",
               fmt::format("all layers of a plate must relax alike: material.{} has another `relaxation` than that of "
                           "layer.{}",
                           material->name, stack[0]->name));
    return {};
  }
  return series;
}

/// False after a problem.
bool set_wall(const Specifier& with, const Record& plate, PlateSection& section) {
  if (plate.text("element") != "thin") {
    section.full = full_wall(with, plate, section.relaxation);
    section.retardation = plate.number("damping");
    return section.full.has_value();
  }
  const size_t before = with.problems.count();
  for (const char* key : {"volume", "growth"})
    if (plate.has(key)) with.wrong(plate, key, "is that of full elements; element = \"thin\" has none");
  for (const Record* fibre : with.scene.of_kind("fibre"))
    if (fibre->text("of") == plate.name) with.wrong(*fibre, "of", "a thin plate has no fibres; element = \"full\" has");
  if (with.problems.count() > before) return false;
  const std::optional<Laminate> wall = wall_of(with, plate);
  const std::optional<PronySeries> relaxation = wall ? wall_relaxation(with, plate) : std::nullopt;
  if (!wall || !relaxation) return false;
  section.laminate = *wall;
  section.relaxation = *relaxation;
  section.retardation = plate.number("damping");
  if (plate.text("integration") == "reduced") section.integration = AncfThinPlate::Integration::reduced;
  if (plate.text("curvature") == "cubed_normal") section.curvature = AncfThinPlate::Curvature::cubed_normal;
  return true;
}

std::optional<TubePath> axis_of(const Specifier& with, const Record& tube) {
  if (const Points* points = tube.get<Points>("axis"); points != nullptr && points->size() != 2) {
    with.wrong(tube, "axis",
               "a straight axis has two points; a curved one is axis = { spline = [...] } or { arc = {...} }");
    return {};
  }
  std::optional<PathCurve> curve = curve_of(with, tube, "axis");
  if (!curve) return {};
  return tube_path(std::move(*curve));
}

/// Of u (0) or v (1).
Grading grading_of(const Record& plate, int direction) {
  Grading out;
  if (const Numbers* ratios = plate.get<Numbers>("grading")) out.ratio = (*ratios)[direction];
  out.ends = plate.text("bias") == "double";
  if (const Numbers* lines = plate.get<Numbers>(direction == 0 ? "lines_u" : "lines_v")) out.lines = *lines;
  return out;
}

/// False after a problem.
bool check_grading(const Specifier& with, const Record& plate, bool gmsh) {
  bool good = true;
  const auto refuse = [&](const char* key, std::string message) {
    with.wrong(plate, key, std::move(message));
    good = false;
  };
  for (const char* key : {"grading", "bias", "lines_u", "lines_v"})
    if (gmsh && plate.has(key)) refuse(key, "not for Gmsh files: their elements are as they are");
  if (plate.has("bias") && !plate.has("grading")) refuse("bias", "is that of a \"grading\", which is missing");
  for (const int direction : {0, 1}) {
    const char* key = direction == 0 ? "lines_u" : "lines_v";
    const Grading grading = grading_of(plate, direction);
    if (grading.lines.empty()) continue;
    if (grading.ratio != 1) refuse(key, "give either these lines or a \"grading\" in that direction");
    if (grading.lines.front() != 0 || grading.lines.back() != 1)
      refuse(key, fmt::format("must lead from 0 to 1, shares of the length; this leads from {:.6g} to {:.6g}",
                              grading.lines.front(), grading.lines.back()));
    for (size_t k = 1; k < grading.lines.size(); ++k)
      if (!(grading.lines[k] > grading.lines[k - 1])) {
        refuse(key, fmt::format("must ascend; {:.6g} follows {:.6g}", grading.lines[k], grading.lines[k - 1]));
        break;
      }
  }
  return good;
}

std::optional<SurfaceMesh> make_surface(const Specifier& with, const Record& plate, const Record& shape, int nu,
                                        int nv) {
  const Grading along_u = grading_of(plate, 0), along_v = grading_of(plate, 1);
  Parameters parameters;
  for (const auto& [name, value] : with.scene.parameters) parameters[name] = value;
  std::function<double(double, double)> factor;
  if (plate.has("thickness_factor") && shape.type != "formula")
    factor = expression_of_uv(plate.text("thickness_factor"), "thickness_factor", parameters);
  const auto pair = [&](const char* key) { return *shape.get<Numbers>(key); };
  if (shape.type == "flat")
    return make_mesh(FlatPlate{.length = pair("size")[0],
                               .width = pair("size")[1],
                               .elements_u = nu,
                               .elements_v = nv,
                               .grading_u = along_u,
                               .grading_v = along_v,
                               .thickness = factor});
  if (shape.type == "panel")
    return make_mesh(CylinderPanel{.radius = shape.number("radius"),
                                   .angle = shape.number("angle"),
                                   .width = shape.number("width"),
                                   .elements_u = nu,
                                   .elements_v = nv,
                                   .grading_u = along_u,
                                   .grading_v = along_v,
                                   .thickness = factor});
  if (shape.type == "tube") {
    if (shape.has("radius") == shape.has("radius_law")) {
      with.wrong(shape, "radius", "give either \"radius\" or \"radius_law\"");
      return {};
    }
    std::optional<TubePath> path = axis_of(with, shape);
    if (!path) return {};
    LoftedTube tube;
    tube.path = std::move(*path);
    tube.along = nu, tube.around = nv;
    tube.grading = along_u, tube.grading_around = along_v;
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
                                .elements_v = nv,
                                .grading_u = along_u,
                                .grading_v = along_v});
  if (shape.type == "annulus")
    return make_mesh(Annulus{.inner = pair("radius")[0],
                             .outer = pair("radius")[1],
                             .angle = shape.number("angle"),
                             .closed = shape.boolean("closed"),
                             .radial = nu,
                             .around = nv,
                             .grading = along_u,
                             .grading_around = along_v});
  ExpressionSurface out;
  out.x = shape.text("x"), out.y = shape.text("y"), out.z = shape.text("z");
  out.parameters = parameters;
  if (shape.has("u")) out.from_u = pair("u")[0], out.to_u = pair("u")[1];
  if (shape.has("v")) out.from_v = pair("v")[0], out.to_v = pair("v")[1];
  out.elements_u = nu, out.elements_v = nv;
  out.grading_u = along_u, out.grading_v = along_v;
  out.closed_u = shape.boolean("closed_u"), out.closed_v = shape.boolean("closed_v");
  out.thickness = plate.text("thickness_factor");
  return make_mesh(out);
}

SurfaceMesh read_surface(const Specifier& with, const Record& plate, const Record& shape) {
  const ExternalFile& file = with.scene.files[shape.get<FileIndex>("file")->index];
  GmshSurface read = read_gmsh(file.text, file.path, {shape.number("scale")});
  for (const std::string& notice : read.notices)
    with.problems.warnings.push_back({plate.source_of("shape"), plate.path + ".shape", notice, {}, true});
  return std::move(read.mesh);
}

/// Elements along u and v; nothing after a problem. Of a Gmsh file none.
std::optional<std::array<int, 2>> elements_of(const Specifier& with, const Record& plate, bool gmsh) {
  const Numbers* elements = plate.get<Numbers>("elements");
  std::array<int, 2> n{}, of_lines{};
  for (const int k : {0, 1}) of_lines[k] = static_cast<int>(std::max<size_t>(grading_of(plate, k).lines.size(), 1)) - 1;
  if (!gmsh && elements == nullptr && of_lines[0] > 0 && of_lines[1] > 0) return of_lines;
  if (!gmsh && elements == nullptr) {
    with.wrong(plate, "", "\"elements\" is missing: how many along u and along v, as in elements = [8, 8]");
    return {};
  }
  if (gmsh && elements != nullptr) with.wrong(plate, "elements", "the elements are those of the Gmsh file");
  if (gmsh && plate.has("thickness_factor"))
    with.wrong(plate, "thickness_factor", "not for Gmsh files: they have no u and v");
  for (int k = 0; elements != nullptr && k < 2; ++k) {
    n[k] = static_cast<int>(std::clamp((*elements)[k], -1.0, 1e6));
    const bool is_count = n[k] == (*elements)[k] && n[k] >= 1;
    if (is_count && (of_lines[k] == 0 || of_lines[k] == n[k])) continue;
    with.wrong(plate, "elements",
               is_count
                   ? fmt::format("{} elements along {}, but its lines make {}", n[k], k == 0 ? "u" : "v", of_lines[k])
                   : fmt::format("must be two whole numbers from 1 on; this is {:.6g}", (*elements)[k]));
    return {};
  }
  return n;
}

}  // namespace

std::optional<SurfaceMesh> surface_of(const Specifier& with, const Record& plate) {
  const Record* shape = nested(plate, "shape");
  if (shape == nullptr) return {};
  const bool gmsh = shape->type == "gmsh";
  const bool is_graded_well = check_grading(with, plate, gmsh);
  const auto n = elements_of(with, plate, gmsh);
  if (!n || !is_graded_well) return {};
  try {
    if (gmsh) return read_surface(with, plate, *shape);
    return make_surface(with, plate, *shape, (*n)[0], (*n)[1]);
  } catch (const InputError& error) {
    for (Problem problem : error.problems()) {
      if (problem.source.file.empty())
        problem.source = plate.source_of(problem.path == "thickness_factor" ? problem.path : "shape");
      problem.path = problem.path.empty() ? plate.path + ".shape" : plate.path + ".shape." + problem.path;
      with.problems.errors.push_back(std::move(problem));
    }
    return {};
  }
}

std::optional<RigidFrame> frame_of(const Specifier& with, const Record& record) {
  const std::optional<Placement> placement = placement_of(record, with.scene.dim, with.problems.errors);
  if (!placement) return {};
  RigidFrame frame;
  frame.origin = placement->p;
  for (int k = 0; k < 3; ++k)
    for (int i = 0; i < 3; ++i) frame.axes[k][i] = placement->R[3 * i + k];
  return frame;
}

std::optional<PlateSpec> plate_spec(const Specifier& with, const Record& record) {
  PlateSpec spec;
  const bool has_wall = set_wall(with, record, spec.section);
  std::optional<SurfaceMesh> mesh = surface_of(with, record);
  const std::optional<RigidFrame> frame = frame_of(with, record);
  if (!has_wall || !mesh || !frame) return {};
  spec.origin = origin_of(record);
  spec.name = record.name;
  spec.mesh = std::move(*mesh);
  spec.placed = *frame;
  spec.is_slit = nested(record, "shape")->type == "annulus";  // as it was asked for
  spec.section.mass_damping = record.number("mass_damping", with.scene.head.number("mass_damping"));
  spec.motion = motion_of(record, 3);
  spec.color = record.text("color");
  return spec;
}

std::optional<PlaneStiffness> woven_stiffness(const Specifier& with, const Record& material) {
  const double E1 = material.number("E1"), E2 = material.number("E2"), nu = material.number("nu12");
  if (nu * nu * E2 < E1) return orthotropic_stiffness(E1, E2, nu, material.number("G12"));
  with.wrong(material, "nu12", fmt::format("must lie within ±sqrt(E1/E2) = ±{:.4g}", std::sqrt(E1 / E2)));
  return {};
}

void read_wall_growth(const Specifier& with, const Record& part, std::span<const char* const> keys,
                      std::span<std::optional<EffectiveSignal>> out) {
  const Record* table = nested(part, "growth");
  if (table == nullptr) {
    for (size_t i = 0; i < 3 && part.has("growth"); ++i) out[i] = signal_of(with, part, "growth");
    return;
  }
  for (size_t i = 0; i < keys.size(); ++i)
    if (table->has(keys[i])) out[i] = signal_of(with, *table, keys[i]);
  const auto is_given = [](const std::optional<EffectiveSignal>& signal) { return signal.has_value(); };
  if (std::none_of(out.begin(), out.end(), is_given))
    with.wrong(part, "growth",
               fmt::format("says nothing: give {}", list_of(std::vector<std::string>(keys.begin(), keys.end()), "or")));
}

}  // namespace flexura::detail

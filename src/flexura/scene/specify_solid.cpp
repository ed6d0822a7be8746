// [solid.NAME]: materials and meshes.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "flexura/material/elastic_laws.hpp"
#include "flexura/material/fibre_law.hpp"
#include "flexura/material/stability.hpp"
#include "flexura/mesh/gmsh_solid.hpp"
#include "flexura/mesh/solid_shapes.hpp"
#include "flexura/mesh/surface_expression.hpp"
#include "flexura/scene/placement.hpp"
#include "flexura/scene/specify.hpp"

namespace flexura::detail {
namespace {

void warn(const Specifier& with, const Record& record, std::string_view key, std::string message) {
  with.problems.warnings.push_back(
      {record.source_of(key), fmt::format("{}.{}", record.path, key), std::move(message), {}, false});
}

/// A number that is stated, whatever its default.
std::optional<double> stated(const Record& record, std::string_view key) {
  const double* x = record.get<double>(key);
  return x == nullptr ? std::nullopt : std::optional(*x);
}

std::optional<ElasticMaterial> complete(const Specifier& with, const Record& material, const ElasticLawRow& row,
                                        const ElasticInput& input) {
  ElasticMaterial out;
  out.law.law = row.law;
  if (row.has_forms && material.text("form") == "coupled") out.law.form = VolumeForm::coupled;
  const ElasticOutcome found = complete_constants(out.law, input);
  for (const std::string& problem : found.problems) {
    const std::string key = problem.substr(0, problem.find(' '));  // that it begins with, where it is stated
    with.wrong(material, material.has(key) ? key : "", problem);
  }
  if (!found.problems.empty()) return {};
  out.constants = found.constants;
  out.rho = material.number("rho");
  return out;
}

/// Constants of a law, those of a preset, or E and nu of a linear material, which turns with the body.
std::optional<ElasticMaterial> constants_of(const Specifier& with, const Record& material) {
  if (const ElasticPreset* preset = find_elastic_preset(material.type)) {
    ElasticMaterial out{preset->choice, preset->constants, material.number("rho")};
    out.constants.bulk = material.number("bulk");
    return out;
  }
  ElasticInput input;
  input.E = stated(material, "E");
  input.nu = stated(material, "nu");
  if (const ElasticLawRow* row = find_elastic_law(material.type)) {
    bool has_mu = false;
    for (const ElasticField& field : row->fields) {
      input.constants.push_back(stated(material, field.name));
      has_mu = has_mu || field.name == "mu";
    }
    if (!has_mu) input.mu = stated(material, "mu");
    input.bulk = stated(material, "bulk");
    return complete(with, material, *row, input);
  }
  input.E = material.number("E");
  input.nu = material.number("nu");
  if (*input.nu >= 0.5) {
    with.wrong(material, "nu",
               "a solid that is linear elastic needs a Poisson's ratio below 0.5; for rubber take a law, as in "
               "type = \"neo-hooke\"");
    return {};
  }
  return complete(with, material, elastic_law(ElasticLaw::st_venant_kirchhoff), input);
}

/// Of numbers in other units than they were written for, and of laws beyond what they are for.
void check_sense(const Specifier& with, const Record& material, const ElasticMaterial& m) {
  constexpr double light = 10, heavy = 25000, soft = 10, stiff = 1e13;
  const char* stiffness = material.has("E") ? "E" : material.has("mu") ? "mu" : "type";
  if (m.rho < light || m.rho > heavy)
    warn(with, material, "rho",
         fmt::format("{:.6g} kg/m^3 is {} than any solid: 1 g/cm^3 is 1000 kg/m^3", m.rho,
                     m.rho < light ? "lighter" : "heavier"));
  const ElasticLawRow& row = elastic_law(m.law.law);
  if (!row.stress_free)
    return warn(with, material, "type", fmt::format("{} has stress at rest: a free body leaves its shape", row.name));
  const ElasticModuli at_rest = moduli_at_rest(m.law, m.constants);
  if (at_rest.shear < soft || at_rest.shear > stiff)
    warn(with, material, stiffness,
         fmt::format(
             "the shear modulus is {:.3g} Pa: rubber has 1e4 to 1e7, steel 8e10; is it in other units, as kPa or MPa?",
             at_rest.shear));
  if (!row.has_volume) return;
  constexpr double least_ratio = 0.1, most_ratio = 1e8;
  if (const double ratio = at_rest.bulk / at_rest.shear; ratio < least_ratio || ratio > most_ratio)
    warn(with, material, material.has("bulk") ? "bulk" : "nu",
         fmt::format("the bulk modulus is {:.3g} times the shear modulus: {}", ratio,
                     ratio < least_ratio ? "it gets wider where it is pulled; is it in other units?"
                                         : "of pressures rounding is left; rubber has 1000 to 20000"));
  constexpr double short_of = 0.7, long_of = 1.5;
  constexpr std::pair<TensionTest, const char*> tests[] = {
      {TensionTest::uniaxial, "uniaxial"}, {TensionTest::equibiaxial, "equibiaxial"}, {TensionTest::planar, "planar"}};
  for (const auto& [test, name] : tests) {
    const StableRange range = stable_range(test, m.law, m.constants);
    if (range.low <= short_of && range.high >= long_of) continue;
    warn(with, material, "type",
         fmt::format(
             "with these constants the material is stable from a stretch of {:.3g} to {:.3g} in {} tension only, and "
             "gives way beyond",
             range.low, range.high, name));
    return;
  }
}

std::array<Grading, 3> gradings_of(const Record& solid) {
  std::array<Grading, 3> out;
  const Numbers* ratios = solid.get<Numbers>("grading");
  for (size_t i = 0; i < 3; ++i) {
    if (ratios != nullptr) out[i].ratio = (*ratios)[i];
    out[i].ends = solid.text("bias") == "double";
  }
  return out;
}

SolidKind kind_of(const Record& solid) {
  const std::string name = solid.text("element");
  for (const SolidKind kind : solid_kinds())
    if (cell_info(kind).name == name) return kind;
  return SolidKind::hexahedron_20;
}

/// Of u, v and w; nothing after a problem.
std::optional<std::array<int, 3>> counts_of(const Specifier& with, const Record& solid) {
  const Numbers* elements = solid.get<Numbers>("elements");
  if (elements == nullptr) {
    with.wrong(solid, "", "\"elements\" is missing: how many along u, v and w, as in elements = [8, 2, 2]");
    return {};
  }
  std::array<int, 3> n{};
  for (size_t k = 0; k < 3; ++k) {
    n[k] = static_cast<int>(std::clamp((*elements)[k], -1.0, 1e6));
    if (n[k] == (*elements)[k] && n[k] >= 1) continue;
    with.wrong(solid, "elements", fmt::format("must be three whole numbers from 1 on; this is {:.6g}", (*elements)[k]));
    return {};
  }
  return n;
}

std::optional<SolidMesh> generate_sphere(const Specifier& with, const Record& solid, const Record& shape,
                                         const std::array<int, 3>& n) {
  using Part = HollowSphere::Part;
  const std::array<Grading, 3> grading = gradings_of(solid);
  if (grading[1].ratio != 1 || grading[2].ratio != 1) {
    with.wrong(solid, "grading", "of a sphere is across the wall alone: the last two numbers are 1");
    return {};
  }
  if (n[1] != n[2]) {
    with.wrong(solid, "elements",
               fmt::format("of a sphere the second and third are both those along a quarter of its girth: [{}, {}, {}]",
                           n[0], n[1], n[1]));
    return {};
  }
  const std::string part = shape.text("part");
  return make_mesh(HollowSphere{.inner = shape.number("inner"),
                                .outer = shape.number("outer"),
                                .part = part == "octant" ? Part::octant
                                        : part == "half" ? Part::half
                                                         : Part::full,
                                .radial = n[0],
                                .along_quarter = n[1],
                                .grading = grading[0],
                                .kind = kind_of(solid)});
}

std::optional<SolidMesh> generate_finger(const Specifier& with, const Record& solid, const Record& shape,
                                         const std::array<int, 3>& n) {
  if (solid.has("grading")) {
    with.wrong(solid, "grading", "a finger has none");
    return {};
  }
  PneumaticFinger f{.pockets = static_cast<int>(shape.integer("pockets", PneumaticFinger{}.pockets)),
                    .pocket = shape.number("pocket"),
                    .gap = shape.number("gap"),
                    .wall = shape.number("wall"),
                    .width = shape.number("width"),
                    .height = shape.number("height"),
                    .side = shape.number("side"),
                    .roof = shape.number("roof"),
                    .bottom = shape.number("bottom"),
                    .layer = shape.number("layer"),
                    .base = shape.number("base"),
                    .tip = shape.number("tip"),
                    .part = shape.text("part") == "half" ? PneumaticFinger::Part::half : PneumaticFinger::Part::full,
                    .elements = n,
                    .kind = kind_of(solid)};
  if (const Numbers* channel = shape.get<Numbers>("channel")) f.channel = {(*channel)[0], (*channel)[1]};
  return make_mesh(f);
}

SolidMesh generate_formula(const Specifier& with, const Record& solid, const Record& shape,
                           const std::array<int, 3>& n) {
  MappedBlock out{.closed_v = shape.boolean("closed_v"), .elements = n, .grading = gradings_of(solid)};
  Parameters parameters;
  for (const auto& [name, value] : with.scene.parameters) parameters[name] = value;
  out.map = expression_volume(shape.text("x"), shape.text("y"), shape.text("z"), parameters);
  if (shape.has("layer")) out.layer = expression_of_uvw(shape.text("layer"), "layer", parameters);
  constexpr const char* ranges[] = {"u", "v", "w"};
  for (int i = 0; i < 3; ++i)
    if (const Numbers* range = shape.get<Numbers>(ranges[i])) out.from[i] = (*range)[0], out.to[i] = (*range)[1];
  out.kind = kind_of(solid);
  return make_mesh(out);
}

std::optional<SolidMesh> generate(const Specifier& with, const Record& solid, const Record& shape) {
  const auto n = counts_of(with, solid);
  if (solid.has("bias") && !solid.has("grading"))
    with.wrong(solid, "bias", "is that of a \"grading\", which is missing");
  if (!n) return {};
  const std::array<Grading, 3> grading = gradings_of(solid);
  const SolidKind kind = kind_of(solid);
  if (shape.type == "block") {
    const Numbers& size = *shape.get<Numbers>("size");
    return make_mesh(Block{.size = {size[0], size[1], size[2]}, .elements = *n, .grading = grading, .kind = kind});
  }
  if (shape.type == "tube")
    return make_mesh(ThickTube{.inner = shape.number("inner"),
                               .outer = shape.number("outer"),
                               .height = shape.number("height"),
                               .angle = shape.number("angle"),
                               .radial = (*n)[0],
                               .around = (*n)[1],
                               .along = (*n)[2],
                               .grading = grading,
                               .kind = kind});
  if (shape.type == "sphere") return generate_sphere(with, solid, shape, *n);
  if (shape.type == "finger") return generate_finger(with, solid, shape, *n);
  if (shape.type == "formula") return generate_formula(with, solid, shape, *n);
  if (grading[0].ratio != 1 || grading[1].ratio != 1) {
    with.wrong(solid, "grading", "of a cylinder is along w alone: the first two numbers are 1");
    return {};
  }
  return make_mesh(Cylinder{.radius = shape.number("radius"),
                            .height = shape.number("height"),
                            .radial = (*n)[0],
                            .around = (*n)[1],
                            .along = (*n)[2],
                            .grading_along = grading[2],
                            .kind = kind});
}

constexpr double much = 10;  ///< [m]; larger solids are likely in millimetres

double extent_of(const SolidMesh& mesh) {
  double size = 0;
  for (const Vec3& node : mesh.nodes) size = std::max(size, norm(node - mesh.nodes[0]));
  return size;
}

SolidMesh read_volume(const Specifier& with, const Record& solid, const Record& shape) {
  for (const char* key : {"elements", "element", "grading", "bias"})
    if (solid.has(key)) with.wrong(solid, key, "not for Gmsh files: their elements are as they are");
  const ExternalFile& file = with.scene.files[shape.get<FileIndex>("file")->index];
  GmshSolid read = read_gmsh_solid(file.text, file.path, {shape.number("scale")});
  for (const std::string& notice : read.notices)
    with.problems.warnings.push_back({solid.source_of("shape"), solid.path + ".shape", notice, {}, true});
  if (const double size = extent_of(read.mesh); size > much && !shape.has("scale"))
    warn(with, solid, "shape",
         fmt::format("the mesh extends over {:.4g} m; one in millimetres needs scale = 0.001", size));
  return std::move(read.mesh);
}

std::optional<SolidMesh> volume_of(const Specifier& with, const Record& solid) {
  const Record* shape = nested(solid, "shape");
  if (shape == nullptr) return {};
  const size_t before = with.problems.count();
  try {
    std::optional<SolidMesh> mesh =
        shape->type == "gmsh" ? std::optional(read_volume(with, solid, *shape)) : generate(with, solid, *shape);
    if (with.problems.count() > before) return {};
    if (const double size = mesh ? extent_of(*mesh) : 0; size > much && shape->type != "gmsh")
      warn(with, solid, "shape",
           fmt::format("the solid extends over {:.4g} m; lengths in millimetres are written as \"20 mm\"", size));
    return mesh;
  } catch (const InputError& error) {
    for (Problem problem : error.problems()) {
      if (problem.source.file.empty())
        problem.source =
            solid.source_of(problem.path == "elements" || problem.path == "grading" ? problem.path : "shape");
      problem.path = problem.path.empty()                                      ? solid.path + ".shape"
                     : problem.path == "elements" || problem.path == "grading" ? solid.path + "." + problem.path
                                                                               : solid.path + ".shape." + problem.path;
      with.problems.errors.push_back(std::move(problem));
    }
    return {};
  }
}

/// Tetrahedra of four nodes in what hardly changes its volume.
void check_locking(const Specifier& with, const Record& solid, const SolidMesh& mesh, const ElasticMaterial& material) {
  const ElasticModuli at_rest = moduli_at_rest(material.law, material.constants);
  constexpr double locks = 20;
  const bool has_four = std::any_of(mesh.elements.begin(), mesh.elements.end(),
                                    [](const SolidCell& cell) { return cell.kind == SolidKind::tetrahedron_4; });
  if (!has_four || !(at_rest.bulk >= locks * at_rest.shear)) return;  // of some laws neither is known
  warn(with, solid, solid.has("element") ? "element" : "shape",
       fmt::format(
           "tetrahedra of 4 nodes are far too stiff in what hardly changes its volume (bulk over shear modulus is "
           "{:.3g}): take 10 nodes, in Gmsh by Mesh.ElementOrder = 2",
           at_rest.bulk / at_rest.shear));
}

/// The three directions of a plate's wall: along u, across it, along the normal.
void set_plate_direction(const Specifier& with, const Record& record, FibreFamily& family) {
  if (record.has("angle")) {
    const double angle = record.number("angle");
    family.direction = {{std::cos(angle), std::sin(angle), 0}};
  }
  if (record.has("frame")) with.wrong(record, "frame", "is for solids; directions of a plate are those of its surface");
  if (record.has("tension")) with.wrong(record, "tension", "fibres pull by themselves in solids, not in plates");
}
void set_solid_direction(const Specifier& with, const Record& record, FibreFamily& family) {
  family.about_axis = record.text("frame") == "about-axis";
  if (record.has("tension")) family.tension = signal_of(with, record, "tension");
  if (!record.has("angle")) return;
  const double angle = record.number("angle");
  family.direction = {{0, std::sin(angle), std::cos(angle)}};
  family.about_axis = true;
  if (record.has("frame")) with.wrong(record, "frame", "is that of a \"direction\"; an angle is about the axis");
}

/// In place of none a problem.
std::optional<FibreFamily> fibre_family(const Specifier& with, const Record& record, bool in_plate) {
  const size_t before = with.problems.count();
  FibreFamily out;
  out.name = record.name;
  const Numbers* direction = record.get<Numbers>("direction");
  if ((direction != nullptr) == record.has("angle"))
    with.wrong(record, direction == nullptr ? "" : "angle", "give either \"direction\" or \"angle\"");
  if (direction != nullptr) {
    out.direction = Vec3::load(direction->data());
    if (!(norm(out.direction) > 0)) with.wrong(record, "direction", "is zero; a direction has any other length");
  }
  (in_plate ? set_plate_direction : set_solid_direction)(with, record, out);
  out.stiffness = record.number("stiffness");
  out.exponent = record.number("exponent");
  out.bears_compression = record.boolean("compression");
  if (!out.tension && !(out.stiffness > 0))
    with.wrong(record, record.has("stiffness") ? "stiffness" : "",
               in_plate ? "fibres that do not resist: give \"stiffness\""
                        : "fibres that neither resist nor pull: give \"stiffness\" or \"tension\"");
  for (const char* key : {"exponent", "compression"})
    if (record.has(key) && !(out.stiffness > 0)) with.wrong(record, key, "is of fibres with a \"stiffness\"");
  if (with.problems.count() > before) return {};
  return out;
}

/// Of all directions alike, along the axes, or about the axis.
std::optional<SolidGrowth> growth_of(const Specifier& with, const Record& solid) {
  if (!solid.has("growth")) return {};
  SolidGrowth out;
  const Record* table = nested(solid, "growth");
  if (table == nullptr) {
    out.stretch.fill(signal_of(with, solid, "growth"));
    return out;
  }
  constexpr const char* keys[2][3] = {{"x", "y", "z"}, {"radial", "around", "along"}};
  int given[2] = {};
  for (int frame = 0; frame < 2; ++frame)
    for (int i = 0; i < 3; ++i) {
      if (!table->has(keys[frame][i])) continue;
      ++given[frame];
      out.about_axis = frame == 1;
      out.stretch[i] = signal_of(with, *table, keys[frame][i]);
    }
  if (given[0] > 0 && given[1] > 0)
    with.wrong(solid, "growth", "is either along x, y and z or radial, around and along the axis");
  if (given[0] + given[1] == 0) with.wrong(solid, "growth", "says nothing: give x, y, z, or radial, around, along");
  return out;
}

SolidAxes axes_of(const Specifier& with, const Record& solid) {
  SolidAxes out;
  if (const Numbers* center = solid.get<Numbers>("center")) out.center = Vec3::load(center->data());
  const Numbers* axis = solid.get<Numbers>("axis");
  if (axis == nullptr) return out;
  out.axis = Vec3::load(axis->data());
  if (!(norm(out.axis) > 0)) with.wrong(solid, "axis", "is zero; an axis has any other length");
  // X made perpendicular, or Y where the axis is along X
  const Vec3 x{{1, 0, 0}};
  if (norm(cross(out.axis, x)) <= 1e-6 * norm(out.axis)) out.first = {{0, 1, 0}};
  return out;
}

/// Where the material is wrong, which was said: so that faults of the mesh, of places and of what is around a chamber are told at once.
ElasticMaterial stand_in() {
  ElasticMaterial out;
  out.law.law = ElasticLaw::neo_hooke;
  out.constants = {{1e5}, 1e8};
  out.rho = 1000;
  return out;
}

}  // namespace

std::optional<ElasticMaterial> elastic_material(const Specifier& with, const Record& part) {
  const Record* material = with.scene.find("material", part.text("material"));
  if (material == nullptr) return {};
  if (material->type == "orthotropic") {
    with.wrong(part, "material", fmt::format("material.{} is orthotropic, which is for thin plates", material->name));
    return stand_in();
  }
  std::optional<ElasticMaterial> out = constants_of(with, *material);
  if (!out) return stand_in();
  check_sense(with, *material, *out);
  out->relaxation = relaxation_of(*material);
  if (!out->relaxation.empty() && !elastic_law(out->law.law).stress_free) {
    with.wrong(*material, "relaxation",
               fmt::format("{} has stress at rest, which would relax as soon as it is there: a series goes with the "
                           "other laws",
                           material->type));
    return stand_in();
  }
  return out;
}

std::vector<Problem> soft_problems(const SceneDocument& scene, const std::function<bool(const Record&)>& is_sound) {
  Problems problems;
  const Timeline none;
  const Specifier with{scene, none, problems};
  for (const Record* material : scene.of_kind("material"))
    if (is_rubber(*material) && is_sound(*material)) constants_of(with, *material);
  for (const Record* solid : scene.of_kind("solid"))
    if (is_sound(*solid)) volume_of(with, *solid);
  return std::move(problems.errors);
}

std::vector<FibreFamily> fibres_of(const Specifier& with, const Record& part) {
  std::vector<FibreFamily> out;
  for (const Record* record : with.scene.of_kind("fibre")) {
    if (record->text("of") != part.name) continue;
    const std::optional<FibreFamily> family = fibre_family(with, *record, part.kind == "plate");
    if (family && out.size() == size_t{most_fibres})
      with.wrong(*record, "of", fmt::format("a {} has {} families of fibres at most", part.kind, most_fibres));
    if (family) out.push_back(*family);
  }
  return out;
}

bool is_rubber(const Record& material) {
  return find_elastic_law(material.type) != nullptr || find_elastic_preset(material.type) != nullptr;
}

std::optional<SolidSpec> solid_spec(const Specifier& with, const Record& record) {
  const std::optional<ElasticMaterial> material = elastic_material(with, record);
  std::optional<SolidMesh> mesh = volume_of(with, record);
  const std::optional<RigidFrame> frame = frame_of(with, record);
  const Record* inlay = nested(record, "inlay");
  const std::optional<ElasticMaterial> other = inlay == nullptr ? std::nullopt : elastic_material(with, *inlay);
  const size_t before = with.problems.count();
  SolidSpec spec;
  spec.section.fibres = fibres_of(with, record);
  spec.section.growth = growth_of(with, record);
  spec.section.axes = axes_of(with, record);
  if (with.problems.count() > before) spec.section.fibres.clear(), spec.section.growth.reset(), spec.section.axes = {};
  if (!material || !mesh || !frame || (inlay != nullptr && !other)) return {};
  check_locking(with, record, *mesh, *material);
  spec.origin = origin_of(record);
  spec.name = record.name;
  spec.mesh = std::move(*mesh);
  spec.placed = *frame;
  const auto set_material = [](SolidSection& section, const ElasticMaterial& of) {
    section.rho = of.rho, section.law = of.law, section.constants = of.constants, section.relaxation = of.relaxation;
  };
  set_material(spec.section, *material);
  if (record.text("formulation") == "full") spec.section.formulation = Solid::Formulation::full;
  spec.section.retardation = record.number("damping");
  spec.section.mass_damping = record.number("mass_damping", with.scene.head.number("mass_damping"));
  if (inlay != nullptr) {
    spec.inlays.push_back({inlay->text("at"), spec.section});
    SolidSection& section = spec.inlays.back().section;
    section.fibres.clear(), section.growth.reset();  // those of the solid's own material
    set_material(section, *other);
  }
  spec.motion = motion_of(record, 3);
  spec.color = record.text("color");
  return spec;
}

}  // namespace flexura::detail

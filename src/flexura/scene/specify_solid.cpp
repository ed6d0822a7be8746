// [solid.NAME]: materials, fibres, growth.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "flexura/material/elastic_laws.hpp"
#include "flexura/material/fibre_law.hpp"
#include "flexura/material/stability.hpp"
#include "flexura/scene/specify.hpp"

namespace flexura::detail {
namespace {

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
    with.warn(material, "rho",
              fmt::format("{:.6g} kg/m^3 is {} than any solid: 1 g/cm^3 is 1000 kg/m^3", m.rho,
                          m.rho < light ? "lighter" : "heavier"));
  const ElasticLawRow& row = elastic_law(m.law.law);
  if (!row.stress_free)
    return with.warn(material, "type", fmt::format("{} has stress at rest: a free body leaves its shape", row.name));
  const ElasticModuli at_rest = moduli_at_rest(m.law, m.constants);
  if (at_rest.shear < soft || at_rest.shear > stiff)
    with.warn(
        material, stiffness,
        fmt::format(
            "the shear modulus is {:.3g} Pa: rubber has 1e4 to 1e7, steel 8e10; is it in other units, as kPa or MPa?",
            at_rest.shear));
  if (!row.has_volume) return;
  constexpr double least_ratio = 0.1, most_ratio = 1e8;
  if (const double ratio = at_rest.bulk / at_rest.shear; ratio < least_ratio || ratio > most_ratio)
    with.warn(material, material.has("bulk") ? "bulk" : "nu",
              fmt::format("the bulk modulus is {:.3g} times the shear modulus: {}", ratio,
                          ratio < least_ratio ? "it gets wider where it is pulled; is it in other units?"
                                              : "of pressures rounding is left; rubber has 1000 to 20000"));
  constexpr double short_of = 0.7, long_of = 1.5;
  constexpr std::pair<TensionTest, const char*> tests[] = {
      {TensionTest::uniaxial, "uniaxial"}, {TensionTest::equibiaxial, "equibiaxial"}, {TensionTest::planar, "planar"}};
  for (const auto& [test, name] : tests) {
    const StableRange range = stable_range(test, m.law, m.constants);
    if (range.low <= short_of && range.high >= long_of) continue;
    const std::string stable = !std::isfinite(range.high) ? fmt::format("from a stretch of {:.3g} on", range.low)
                               : range.low > 0
                                   ? fmt::format("from a stretch of {:.3g} to {:.3g}", range.low, range.high)
                                   : fmt::format("up to a stretch of {:.3g}", range.high);
    with.warn(material, "type",
              fmt::format("with these constants the material is stable {} in {} tension only, and gives way beyond",
                          stable, name));
    return;
  }
}

/// Tetrahedra of four nodes in what hardly changes its volume.
void check_locking(const Specifier& with, const Record& solid, const SolidMesh& mesh, const ElasticMaterial& material) {
  const ElasticModuli at_rest = moduli_at_rest(material.law, material.constants);
  constexpr double locks = 20;
  const bool has_four = std::any_of(mesh.elements.begin(), mesh.elements.end(),
                                    [](const SolidCell& cell) { return cell.kind == SolidKind::tetrahedron_4; });
  if (!has_four || !(at_rest.bulk >= locks * at_rest.shear)) return;  // of some laws neither is known
  with.warn(solid, solid.has("element") ? "element" : "shape",
            fmt::format(
                "tetrahedra of 4 nodes are far too stiff in what hardly changes its volume (bulk over shear modulus is "
                "{:.3g}): take 10 nodes, by {}",
                at_rest.bulk / at_rest.shear,
                solid.has("element") ? "element = \"tetrahedra-10\""
                                     : "order = 2 in the shape, or Mesh.ElementOrder = 2 in Gmsh"));
}

/// Whether the elements are those of one point.
bool is_reduced(const Specifier& with, const Record& solid, const SolidMesh& mesh, bool composite) {
  if (solid.text("formulation") != "reduced") return false;
  const bool others =
      std::ranges::any_of(mesh.elements, [](const SolidCell& cell) { return cell.kind != SolidKind::hexahedron_8; });
  if (others)
    with.wrong(solid, "formulation", "\"reduced\" is for hexahedra of 8 nodes alone: element = \"hexahedra-8\"");
  if (composite)
    with.wrong(solid, "formulation",
               "\"reduced\" is for a law of rubber alone; what relaxes, grows or has fibres takes \"mixed\"");
  return !others && !composite;
}

/// The three directions of a wall: along u, across it, along the normal.
void set_wall_direction(const Specifier& with, const Record& record, FibreFamily& family, std::string_view kind) {
  if (record.has("angle")) {
    const double angle = record.number("angle");
    family.direction = {{std::cos(angle), std::sin(angle), 0}};
  }
  if (record.has("frame"))
    with.wrong(record, "frame", fmt::format("is for solids; directions of a {} are those of its surface", kind));
  if (kind == "membrane" && family.direction[2] != 0)
    with.wrong(record, "direction", "leaves the surface: the third number is along the normal, and 0 of a membrane");
}
void set_solid_direction(const Specifier& with, const Record& record, FibreFamily& family) {
  family.about_axis = record.text("frame") == "about-axis";
  if (!record.has("angle")) return;
  const double angle = record.number("angle");
  family.direction = {{0, std::sin(angle), std::cos(angle)}};
  family.about_axis = true;
  if (record.has("frame")) with.wrong(record, "frame", "is that of a \"direction\"; an angle is about the axis");
}

/// In place of none a problem.
std::optional<FibreFamily> fibre_family(const Specifier& with, const Record& record, std::string_view kind) {
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
  kind == "solid" ? set_solid_direction(with, record, out) : set_wall_direction(with, record, out, kind);
  if (record.has("tension")) out.tension = signal_of(with, record, "tension");
  out.stiffness = record.number("stiffness");
  out.exponent = record.number("exponent");
  out.bears_compression = record.boolean("compression");
  if (!out.tension && !(out.stiffness > 0))
    with.wrong(record, record.has("stiffness") ? "stiffness" : "",
               "fibres that neither resist nor pull: give \"stiffness\" or \"tension\"");
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

void set_material(SolidSection& section, const ElasticMaterial& of) {
  section.rho = of.rho, section.law = of.law, section.constants = of.constants, section.relaxation = of.relaxation;
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
    with.wrong(part, "material",
               fmt::format("material.{} is orthotropic, which is for thin plates and membranes", material->name));
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
    const std::optional<FibreFamily> family = fibre_family(with, *record, part.kind);
    if (family && out.size() == size_t{most_fibres})
      with.wrong(*record, "of", fmt::format("a {} has {} families of fibres at most", part.kind, most_fibres));
    if (family) out.push_back(*family);
  }
  return out;
}

bool is_rubber(const Record& material) {
  return find_elastic_law(material.type) != nullptr || find_elastic_preset(material.type) != nullptr;
}

namespace {

/// One in the solid's own table, and [volume.NAME].
std::vector<InlaySpec> inlays_of(const Specifier& with, const Record& solid, const SolidSection& own) {
  std::vector<InlaySpec> out;
  const auto add = [&](const Record& record, Origin origin, std::string_view key) {
    const std::optional<ElasticMaterial> material = elastic_material(with, record);
    if (!material) return;
    InlaySpec inlay{{record.text("at"), own}, std::move(origin), std::string(key)};
    // Fibres and growth are those of the solid's own material.
    inlay.of.section.fibres.clear(), inlay.of.section.growth.reset();
    set_material(inlay.of.section, *material);
    out.push_back(std::move(inlay));
  };
  if (const Record* inlay = nested(solid, "inlay")) add(*inlay, origin_of(solid), "inlay");
  for (const Record* inlay : with.scene.of_kind("volume"))
    if (inlay->text("of") == solid.name) add(*inlay, origin_of(*inlay), "at");
  return out;
}

}  // namespace

std::optional<SolidSpec> solid_spec(const Specifier& with, const Record& record) {
  const std::optional<ElasticMaterial> material = elastic_material(with, record);
  std::optional<SolidMesh> mesh = volume_of(with, record);
  const std::optional<RigidFrame> frame = frame_of(with, record);
  const size_t before = with.problems.count();
  SolidSpec spec;
  spec.section.fibres = fibres_of(with, record);
  spec.section.growth = growth_of(with, record);
  spec.section.axes = axes_of(with, record);
  if (with.problems.count() > before) spec.section.fibres.clear(), spec.section.growth.reset(), spec.section.axes = {};
  if (!material || !mesh || !frame) return {};
  check_locking(with, record, *mesh, *material);
  spec.origin = origin_of(record);
  spec.name = record.name;
  spec.mesh = std::move(*mesh);
  spec.placed = *frame;
  set_material(spec.section, *material);
  if (record.text("formulation") == "full") spec.section.formulation = Solid::Formulation::full;
  spec.section.retardation = record.number("damping");
  spec.section.mass_damping = record.number("mass_damping", with.scene.head.number("mass_damping"));
  spec.inlays = inlays_of(with, record, spec.section);
  const bool composite = spec.section.is_composite() || std::ranges::any_of(spec.inlays, [](const InlaySpec& inlay) {
                           return inlay.of.section.is_composite();
                         });
  spec.section.reduced = is_reduced(with, record, spec.mesh, composite);
  for (InlaySpec& inlay : spec.inlays) inlay.of.section.reduced = spec.section.reduced;
  spec.motion = motion_of(record, 3);
  spec.color = record.text("color");
  return spec;
}

}  // namespace flexura::detail

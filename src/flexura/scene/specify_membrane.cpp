// [membrane.NAME]

#include <fmt/format.h>

#include <cmath>

#include "flexura/material/elastic_laws.hpp"
#include "flexura/material/homogeneous.hpp"
#include "flexura/material/laminate.hpp"
#include "flexura/mesh/membrane_mesh.hpp"
#include "flexura/scene/placement.hpp"
#include "flexura/scene/specify.hpp"

namespace flexura::detail {
namespace {

std::optional<SolidMesh> read_triangles(const Specifier& with, const Record& membrane, const Record& shape) {
  for (const char* key : {"elements", "grading", "bias", "lines_u", "lines_v"})
    if (membrane.has(key)) with.wrong(membrane, key, "not for Gmsh files: their elements are as they are");
  const ExternalFile& file = with.scene.files[shape.get<FileIndex>("file")->index];
  try {
    GmshSolid read = read_gmsh_membrane(file.text, file.path, {shape.number("scale")});
    for (const std::string& notice : read.notices)
      with.problems.warnings.push_back({membrane.source_of("shape"), membrane.path + ".shape", notice, {}, true});
    return std::move(read.mesh);
  } catch (const InputError& error) {
    for (Problem problem : error.problems()) {
      if (problem.source.file.empty()) problem.source = membrane.source_of("shape");
      problem.path = membrane.path + ".shape";
      with.problems.errors.push_back(std::move(problem));
    }
    return {};
  }
}

std::optional<SolidMesh> triangles_of(const Specifier& with, const Record& membrane) {
  const Record* shape = nested(membrane, "shape");
  if (shape == nullptr) return {};
  if (shape->type == "gmsh") return read_triangles(with, membrane, *shape);
  const std::optional<SurfaceMesh> surface = surface_of(with, membrane);
  if (!surface) return {};
  return membrane_mesh(*surface);
}

/// At which the tension per length that it has then, P(λ) h/λ, is the prestress; nothing where there is none.
std::optional<double> stretch_of(const ElasticMaterial& material, double thickness, double prestress) {
  const auto tension = [&](double stretch) {
    return compressible_tension(TensionTest::equibiaxial, material.law, material.constants, stretch).stress *
           thickness / stretch;
  };
  double low = 1, high = 1;
  constexpr double most = 3;
  do high += 0.05;
  while (high < most && tension(high) < prestress);
  if (!(tension(high) >= prestress)) return {};
  for (int k = 0; k < 100 && high - low > 1e-15; ++k) {
    const double middle = 0.5 * (low + high);
    (tension(middle) < prestress ? low : high) = middle;
  }
  return 0.5 * (low + high);
}
/// The same of a woven sheet, N = h λ₁ S₁₁/λ₂ = h λ₂ S₂₂/λ₁, from the ratio of the two on.
std::optional<Vec<2, double>> stretch_of(const PlaneStiffness& Q, double thickness, double prestress) {
  const double area = Q[0] * Q[2] - Q[1] * Q[1];
  Vec<2, double> out{{1, 1}};
  for (int k = 0; k < 200; ++k) {
    const double ratio = out[0] / out[1], S1 = prestress / (thickness * ratio), S2 = prestress * ratio / thickness;
    const double E1 = (Q[2] * S1 - Q[1] * S2) / area, E2 = (Q[0] * S2 - Q[1] * S1) / area;
    if (!(E1 > -0.5 && E2 > -0.5 && E1 < 4 && E2 < 4)) return {};
    const Vec<2, double> next{{std::sqrt(1 + 2 * E1), std::sqrt(1 + 2 * E2)}};
    const double change = norm(next - out);
    out = next;
    if (change < 1e-15) return out;
  }
  return {};
}

/// What the wall is of besides its law; false after a problem.
bool set_stretch(const Specifier& with, const Record& membrane, const ElasticMaterial& material,
                 SolidSection& section) {
  const double prestress = membrane.number("prestress");
  if (prestress == 0) return true;
  for (const FibreFamily& family : section.fibres)
    if (family.stiffness > 0) {
      with.wrong(
          membrane, "prestress",
          fmt::format(
              "is that of the material alone: of a sheet with stiff fibres, as fibre.{}, it would not be the same "
              "along all directions",
              family.name));
      return false;
    }
  MembraneWall& wall = section.wall;
  std::optional<Vec<2, double>> found;
  if (wall.moduli) {
    found = stretch_of(*wall.moduli, wall.thickness, prestress);
  } else if (const std::optional<double> both = stretch_of(material, wall.thickness, prestress)) {
    found = {{*both, *both}};
  }
  if (!found)
    with.wrong(membrane, "prestress",
               "the material never bears as much: it gives way, or would be three times as long");
  wall.stretch = found.value_or(wall.stretch);
  return found.has_value();
}

/// What wrinkles has the least energy of a law that knows no direction and no past.
void check_tension(const Specifier& with, const Record& membrane, const ElasticMaterial& material,
                   const SolidSection& section) {
  if (section.wall.carries == Membrane::Carries::both) return;
  const auto refuse = [&](std::string_view what) {
    with.wrong(membrane, "carries", fmt::format("\"tension\" is for {}", what));
  };
  if (section.wall.moduli) {
    refuse("materials that are alike along all directions; an orthotropic one has no width at which it is free");
  } else if (!elastic_law(material.law.law).stress_free) {
    with.wrong(membrane, "carries", "a law that has stress at rest says of no width that it is free");
  }
  for (const FibreFamily& family : section.fibres)
    if (family.stiffness > 0) return refuse("a sheet without stiff fibres: they say where it folds");
  if (!section.relaxation.empty()) refuse("what does not relax: a folded sheet would forget what it was");
  if (section.retardation > 0)
    refuse("a sheet without `damping`, which would press in its folds; mass_damping acts on any");
}

/// First directions of all triangles, turned by `material_angle`. needed: something goes along them.
void set_directions(const Specifier& with, const Record& membrane, bool needed, SolidMesh& mesh) {
  for (const char* key : {"along", "material_angle"})
    if (membrane.has(key) && !needed)
      with.wrong(membrane, key, "nothing goes along it: an orthotropic material, fibres or growth by u and v would");
  const Numbers* along = membrane.get<Numbers>("along");
  const Vec3 given = along != nullptr ? Vec3::load(along->data()) : Vec3{{1, 0, 0}};
  if (!(norm(given) > 0)) return with.wrong(membrane, "along", "is zero; a direction has any other length");
  if (along != nullptr || mesh.along.empty()) mesh.along.assign(mesh.elements.size(), given);
  const double cosine = std::cos(membrane.number("material_angle")), sine = std::sin(membrane.number("material_angle"));
  int across = 0, first = 0;
  for (size_t e = 0; e < mesh.elements.size(); ++e) {
    const std::array<double, 3> middle{1.0 / 3, 1.0 / 3, 0};
    const SolidPoint at = solid_point(mesh, static_cast<int>(e), middle);
    Vec3& direction = mesh.along[e];
    const Vec3 tangent = direction - dot(direction, at.slope[2]) * at.slope[2];
    constexpr double least = 1e-6;
    if (!(norm(tangent) > least * norm(direction))) {
      if (across++ == 0) first = static_cast<int>(e) + 1;
      direction = at.slope[0];
      continue;
    }
    direction = cosine * tangent + sine * cross(at.slope[2], tangent);
  }
  if (needed && across > 0)
    with.wrong(
        membrane, along != nullptr ? "along" : "shape",
        fmt::format(
            "the first direction, {} of its own frame, is across the sheet in element {}{}: give another \"along\"",
            along != nullptr ? "`along`" : "X", first, across > 1 ? fmt::format(" and {} more", across - 1) : ""));
}

/// Its growth, and whether it differs from direction to direction.
std::pair<std::optional<SolidGrowth>, bool> sheet_growth(const Specifier& with, const Record& membrane) {
  if (!membrane.has("growth")) return {};
  SolidGrowth out;
  constexpr const char* keys[] = {"u", "v", "normal"};
  read_wall_growth(with, membrane, keys, out.stretch);
  return {out, nested(membrane, "growth") != nullptr};
}

/// Of an orthotropic material the law stands in for its moduli.
std::optional<ElasticMaterial> sheet_material(const Specifier& with, const Record& membrane,
                                              std::optional<PlaneStiffness>& moduli) {
  const Record* material = with.scene.find("material", membrane.text("material"));
  if (material == nullptr || material->type != "orthotropic") return elastic_material(with, membrane);
  moduli = woven_stiffness(with, *material);
  if (!moduli) return {};
  ElasticMaterial out;
  out.law.law = ElasticLaw::st_venant_kirchhoff;
  out.constants = {{(*moduli)[1], (*moduli)[5]}, 0};
  out.rho = material->number("rho");
  out.relaxation = relaxation_of(*material);
  return out;
}

}  // namespace

std::optional<SolidSpec> membrane_spec(const Specifier& with, const Record& record) {
  const size_t before = with.problems.count();
  SolidSpec spec;
  SolidSection& section = spec.section;
  MembraneWall& wall = section.wall;
  const std::optional<ElasticMaterial> material = sheet_material(with, record, wall.moduli);
  std::optional<SolidMesh> mesh = triangles_of(with, record);
  const std::optional<RigidFrame> frame = frame_of(with, record);
  const auto [growth, is_directed] = sheet_growth(with, record);
  section.fibres = fibres_of(with, record);
  if (!material || !mesh || !frame) return {};
  wall.thickness = record.number("thickness");
  if (record.text("carries") == "tension") wall.carries = Membrane::Carries::tension;
  section.rho = material->rho, section.law = material->law, section.constants = material->constants;
  section.relaxation = material->relaxation;
  section.growth = growth;
  section.retardation = record.number("damping");
  section.mass_damping = record.number("mass_damping", with.scene.head.number("mass_damping"));
  check_tension(with, record, *material, section);
  set_directions(with, record, wall.moduli || is_directed || !section.fibres.empty(), *mesh);
  if (!set_stretch(with, record, *material, section) || with.problems.count() > before) return {};
  spec.origin = origin_of(record);
  spec.name = record.name;
  spec.mesh = std::move(*mesh);
  spec.placed = *frame;
  spec.motion = motion_of(record, 3);
  spec.color = record.text("color");
  return spec;
}

}  // namespace flexura::detail

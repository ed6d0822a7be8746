// [membrane.NAME]

#include <fmt/format.h>

#include <cmath>

#include "flexura/material/elastic_laws.hpp"
#include "flexura/material/homogeneous.hpp"
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
  if (prestress == 0) return 1.0;
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

}  // namespace

std::optional<SolidSpec> membrane_spec(const Specifier& with, const Record& record) {
  const size_t before = with.problems.count();
  const std::optional<ElasticMaterial> material = elastic_material(with, record);
  std::optional<SolidMesh> mesh = triangles_of(with, record);
  const std::optional<RigidFrame> frame = frame_of(with, record);
  if (!material || !mesh || !frame) return {};
  if (!material->relaxation.empty())
    with.wrong(record, "material", "has a `relaxation`: membranes do not relax; plates and solids do");
  SolidSpec spec;
  MembraneWall& wall = spec.section.wall;
  wall.thickness = record.number("thickness");
  if (record.text("carries") == "tension") wall.carries = Membrane::Carries::tension;
  if (wall.carries == Membrane::Carries::tension && !elastic_law(material->law.law).stress_free)
    with.wrong(record, "carries", "a law that has stress at rest says of no width that it is free");
  const std::optional<double> stretch = stretch_of(*material, wall.thickness, record.number("prestress"));
  if (!stretch)
    with.wrong(record, "prestress", "the material never bears as much: it gives way, or would be three times as long");
  if (with.problems.count() > before) return {};
  wall.stretch = *stretch;
  spec.origin = origin_of(record);
  spec.name = record.name;
  spec.mesh = std::move(*mesh);
  spec.placed = *frame;
  spec.section.rho = material->rho, spec.section.law = material->law, spec.section.constants = material->constants;
  spec.section.mass_damping = record.number("mass_damping", with.scene.head.number("mass_damping"));
  spec.motion = motion_of(record, 3);
  spec.color = record.text("color");
  return spec;
}

}  // namespace flexura::detail

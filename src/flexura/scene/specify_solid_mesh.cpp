// Meshes of [solid.NAME].

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "flexura/mesh/gmsh_solid.hpp"
#include "flexura/mesh/solid_shapes.hpp"
#include "flexura/mesh/surface_expression.hpp"
#include "flexura/scene/placement.hpp"
#include "flexura/scene/specify.hpp"

namespace flexura::detail {
namespace {

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
  GmshSolid read = read_gmsh_solid(
      file.text, file.path, {.scale = shape.number("scale"), .order = static_cast<int>(shape.integer("order", 1))});
  for (const std::string& notice : read.notices)
    with.problems.warnings.push_back({solid.source_of("shape"), solid.path + ".shape", notice, {}, true});
  if (const double size = extent_of(read.mesh); size > much && !shape.has("scale"))
    with.warn(solid, "shape",
              fmt::format("the mesh extends over {:.4g} m; one in millimetres needs scale = 0.001", size));
  return std::move(read.mesh);
}

}  // namespace

std::optional<SolidMesh> volume_of(const Specifier& with, const Record& solid) {
  const Record* shape = nested(solid, "shape");
  if (shape == nullptr) return {};
  const size_t before = with.problems.count();
  try {
    std::optional<SolidMesh> mesh =
        shape->type == "gmsh" ? std::optional(read_volume(with, solid, *shape)) : generate(with, solid, *shape);
    if (with.problems.count() > before) return {};
    if (const double size = mesh ? extent_of(*mesh) : 0; size > much && shape->type != "gmsh")
      with.warn(solid, "shape",
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

}  // namespace flexura::detail

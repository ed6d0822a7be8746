#include "flexura/run/folded_solids.hpp"

#include <fmt/format.h>

#include "flexura/element/solid_shape.hpp"

namespace flexura {
namespace {

bool is_folded(const SolidMesh& mesh, int element) {
  const SolidKind kind = mesh.elements[element].kind;
  for (int k = 0; k < place_count(kind); ++k) {
    const SolidPlace at = solid_place(kind, k);
    if (!(solid_point(mesh, element, {at.x[0], at.x[1], at.x[2]}).jacobian() > 0)) return true;
  }
  return false;
}

}  // namespace

FoldedSolids::FoldedSolids(const Machine& machine) : machine_(&machine) {
  for (const SolidPart& solid : machine.solids) {
    SolidMesh& mesh = meshes_.emplace_back();
    mesh.elements = solid.mesh.elements;
    mesh.nodes.resize(solid.mesh.nodes.size());
  }
}

std::string FoldedSolids::text(std::span<const double> q) {
  std::string out;
  for (size_t k = 0; k < meshes_.size(); ++k) {
    const SolidPart& solid = machine_->solids[k];
    SolidMesh& mesh = meshes_[k];
    for (size_t n = 0; n < mesh.nodes.size(); ++n)
      mesh.nodes[n] = Vec3::load(&q[machine_->model.topology->slots[solid.model.nodes[n]].offset]);
    int count = 0, first = -1;
    for (int e = 0; e < static_cast<int>(mesh.elements.size()); ++e)
      if (is_folded(mesh, e) && count++ == 0) first = e;
    if (count == 0) continue;
    out += fmt::format("{}{} of {} elements of {} '{}' {} {}, first element {}", out.empty() ? "" : "; ", count,
                       mesh.elements.size(), solid.mesh.word(), solid.name, count == 1 ? "is" : "are", inside_out,
                       first + 1);
  }
  return out;
}

}  // namespace flexura

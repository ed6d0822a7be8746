#include "flexura/mesh/surface_mesh.hpp"

#include <algorithm>

#include "flexura/element/plate_shape.hpp"
#include "flexura/math/quadrature.hpp"

namespace flexura {
namespace {

template <int N>
double area_by(const SurfaceMesh& mesh, int element) {
  using Rule = Gauss<N>;
  double sum = 0;
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j) {
      const SurfacePoint p = surface_point(mesh, element, Rule::x[i], Rule::x[j]);
      sum += Rule::w[i] * Rule::w[j] * norm(cross(p.along_u, p.along_v));
    }
  return sum;
}

}  // namespace

const MeshSet* SurfaceMesh::find(std::string_view name) const {
  const auto found = std::find_if(sets.begin(), sets.end(), [&](const MeshSet& set) { return set.name == name; });
  return found == sets.end() ? nullptr : &*found;
}

std::vector<std::string> SurfaceMesh::set_names() const {
  std::vector<std::string> names;
  names.reserve(sets.size());
  for (const MeshSet& set : sets) names.push_back(set.name);
  return names;
}

std::vector<int> SurfaceMesh::slice(int i) const {
  if (i < 0) i += nodes_u;
  std::vector<int> out;
  if (i < 0 || i >= nodes_u) return out;
  out.reserve(nodes_v);
  for (int j = 0; j < nodes_v; ++j) out.push_back(i * nodes_v + j);
  return out;
}

MeshSet& add_set(SurfaceMesh& mesh, std::string_view name) {
  for (MeshSet& set : mesh.sets)
    if (set.name == name) return set;
  mesh.sets.push_back({std::string(name), {}, {}, {}});
  return mesh.sets.back();
}

SurfacePoint corner_point(const SurfaceMesh& mesh, int element, int corner) {
  const SurfaceNode& node = mesh.nodes[mesh.elements[element].nodes[corner]];
  if (mesh.corner_maps.empty()) return {node.position, node.gradient_u, node.gradient_v};
  const CornerMap& a = mesh.corner_maps[element][corner];
  return {node.position, a.uu * node.gradient_u + a.uv * node.gradient_v,
          a.vu * node.gradient_u + a.vv * node.gradient_v};
}

SurfacePoint surface_point(const SurfaceMesh& mesh, int element, double xi, double eta) {
  const PlateShape::Values shape = PlateShape::at(xi, eta);
  const SurfaceElement& e = mesh.elements[element];
  SurfacePoint out;
  for (int n = 0; n < 4; ++n) {
    const SurfacePoint corner = corner_point(mesh, element, n);
    const Vec3 x = e.length_u * corner.along_u, y = e.length_v * corner.along_v;
    const auto add = [&](const double(&f)[4], Vec3& sum) { sum += f[0] * corner.position + f[1] * x + f[2] * y; };
    add(shape.f[n], out.position);
    add(shape.dx[n], out.along_u);
    add(shape.dy[n], out.along_v);
  }
  return out;
}

double element_area(const SurfaceMesh& mesh, int element, int points) {
  switch (points) {
    case 1:
      return area_by<1>(mesh, element);
    case 2:
      return area_by<2>(mesh, element);
    case 3:
      return area_by<3>(mesh, element);
    case 4:
      return area_by<4>(mesh, element);
    default:
      return area_by<5>(mesh, element);
  }
}

double area(const SurfaceMesh& mesh) {
  double sum = 0;
  for (int e = 0; e < static_cast<int>(mesh.elements.size()); ++e) sum += element_area(mesh, e);
  return sum;
}

}  // namespace flexura

#include "flexura/mesh/solid_mesh.hpp"

#include <algorithm>
#include <map>

#include "flexura/math/quadrature.hpp"

namespace flexura {

const SolidSet* SolidMesh::find(std::string_view name) const {
  const auto found = std::find_if(sets.begin(), sets.end(), [&](const SolidSet& set) { return set.name == name; });
  return found == sets.end() ? nullptr : &*found;
}

std::vector<std::string> SolidMesh::set_names() const {
  std::vector<std::string> names;
  names.reserve(sets.size());
  for (const SolidSet& set : sets) names.push_back(set.name);
  return names;
}

SolidSet& add_set(SolidMesh& mesh, std::string_view name) {
  for (SolidSet& set : mesh.sets)
    if (set.name == name) return set;
  mesh.sets.push_back({std::string(name), {}, {}, {}});
  return mesh.sets.back();
}

SolidPoint solid_point(const SolidMesh& mesh, int element, const std::array<double, 3>& at) {
  const SolidCell& e = mesh.elements[element];
  const SolidFunctions shape = solid_functions(e.kind, at[0], at[1], at[2]);
  SolidPoint out;
  const std::span<const int> nodes = e.all();
  for (size_t a = 0; a < nodes.size(); ++a) {
    const Vec3& r = mesh.nodes[nodes[a]];
    out.position += shape.value[a] * r;
    for (int i = 0; i < 3; ++i) out.slope[i] += shape.slope[a][i] * r;
  }
  if (is_surface(e.kind)) {
    const Vec3 normal = cross(out.slope[0], out.slope[1]);
    out.slope[2] = normal / std::max(norm(normal), 1e-300);
  }
  return out;
}

double element_volume(const SolidMesh& mesh, int element) {
  if (is_surface(mesh.elements[element].kind)) return 0.5 * solid_point(mesh, element, {}).jacobian();
  if (cell_info(mesh.elements[element].kind).is_simplex) {
    // Degree three, as of curved ones of 10 nodes.
    double sum = -0.8 / 6 * solid_point(mesh, element, {0.25, 0.25, 0.25}).jacobian();
    for (int k = 0; k < 4; ++k) {
      constexpr double a = 0.5, b = 1.0 / 6;
      sum += 0.45 / 6 * solid_point(mesh, element, {k == 1 ? a : b, k == 2 ? a : b, k == 3 ? a : b}).jacobian();
    }
    return sum;
  }
  using Rule = Gauss<3>;
  double sum = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k)
        sum += Rule::w[i] * Rule::w[j] * Rule::w[k] *
               solid_point(mesh, element, {Rule::x[i], Rule::x[j], Rule::x[k]}).jacobian();
  return sum;
}

double volume(const SolidMesh& mesh) {
  double sum = 0;
  for (int e = 0; e < static_cast<int>(mesh.elements.size()); ++e) sum += element_volume(mesh, e);
  return sum;
}

std::vector<int> face_nodes(const SolidMesh& mesh, const SolidFace& face) {
  const SolidCell& e = mesh.elements[face.element];
  const CellFace& f = cell_info(e.kind).faces[face.face];
  std::vector<int> out;
  for (int k = 0; k < f.count; ++k) out.push_back(e.nodes[f.nodes[k]]);
  return out;
}

std::vector<SolidFace> outer_faces(const SolidMesh& mesh) {
  std::map<std::vector<int>, int> count;
  const auto key = [&](const SolidFace& face) {
    const SolidCell& e = mesh.elements[face.element];
    const CellFace& f = cell_info(e.kind).faces[face.face];
    std::vector<int> corners;
    for (int k = 0; k < f.corners; ++k) corners.push_back(e.nodes[f.nodes[k]]);
    std::sort(corners.begin(), corners.end());
    return corners;
  };
  const auto each = [&](auto&& visit) {
    for (int e = 0; e < static_cast<int>(mesh.elements.size()); ++e)
      for (int f = 0; f < cell_info(mesh.elements[e].kind).face_count; ++f) visit(SolidFace{e, f});
  };
  each([&](const SolidFace& face) { ++count[key(face)]; });
  std::vector<SolidFace> out;
  each([&](const SolidFace& face) {
    if (count[key(face)] == 1) out.push_back(face);
  });
  return out;
}

void add_face_set(SolidMesh& mesh, std::string_view name, std::span<const SolidFace> outer,
                  const std::function<bool(const Vec3&)>& is_there) {
  SolidSet set{std::string(name), {}, {}, {}};
  for (const SolidFace& face : outer) {
    const std::vector<int> nodes = face_nodes(mesh, face);
    if (!std::all_of(nodes.begin(), nodes.end(), [&](int n) { return is_there(mesh.nodes[n]); })) continue;
    set.faces.push_back(face);
    set.nodes.insert(set.nodes.end(), nodes.begin(), nodes.end());
  }
  std::sort(set.nodes.begin(), set.nodes.end());
  set.nodes.erase(std::unique(set.nodes.begin(), set.nodes.end()), set.nodes.end());
  if (!set.nodes.empty()) mesh.sets.push_back(std::move(set));
}

void add_element_set(SolidMesh& mesh, std::string_view name, const std::function<bool(const Vec3&)>& is_there) {
  SolidSet set{std::string(name), {}, {}, {}};
  for (int e = 0; e < static_cast<int>(mesh.elements.size()); ++e) {
    const SolidCell& cell = mesh.elements[e];
    Vec3 middle{};
    for (const int n : cell.corners()) middle += 1.0 / static_cast<double>(cell.corners().size()) * mesh.nodes[n];
    if (!is_there(middle)) continue;
    set.elements.push_back(e);
    set.nodes.insert(set.nodes.end(), cell.all().begin(), cell.all().end());
  }
  std::sort(set.nodes.begin(), set.nodes.end());
  set.nodes.erase(std::unique(set.nodes.begin(), set.nodes.end()), set.nodes.end());
  if (!set.nodes.empty()) mesh.sets.push_back(std::move(set));
}

void move(SolidMesh& mesh, const Vec3& x, const Vec3& y, const Vec3& z, const Vec3& origin) {
  const auto turned = [&](const Vec3& r) { return r[0] * x + r[1] * y + r[2] * z; };
  for (Vec3& r : mesh.nodes) r = origin + turned(r);
  for (Vec3& a : mesh.along) a = turned(a);
}

}  // namespace flexura

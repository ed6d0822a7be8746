#include "flexura/mesh/membrane_mesh.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>

#include "flexura/base/problem.hpp"
#include "flexura/mesh/finding_text.hpp"
#include "flexura/mesh/gmsh_records.hpp"
#include "flexura/mesh/surface_grid.hpp"

namespace flexura {
namespace {

void add_triangle(SolidMesh& mesh, int a, int b, int c) { mesh.elements.push_back({SolidKind::triangle_3, {a, b, c}}); }

/// By the diagonal from corner 0, or from corner 1.
void add_quadrilateral(SolidMesh& mesh, const std::array<int, 4>& n, bool prefers_first) {
  const double first = norm(mesh.nodes[n[2]] - mesh.nodes[n[0]]), second = norm(mesh.nodes[n[3]] - mesh.nodes[n[1]]);
  constexpr double alike = 1e-9;
  if (first < second * (1 - alike) || (prefers_first && first <= second * (1 + alike))) {
    add_triangle(mesh, n[0], n[1], n[2]);
    add_triangle(mesh, n[0], n[2], n[3]);
  } else {
    add_triangle(mesh, n[1], n[2], n[3]);
    add_triangle(mesh, n[1], n[3], n[0]);
  }
}

void keep_each_once(std::vector<int>& list) {
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
}

void add_whole(SolidMesh& mesh) {
  if (mesh.find("surface") != nullptr) return;
  SolidSet& set = add_set(mesh, "surface");
  for (int e = 0; e < static_cast<int>(mesh.elements.size()); ++e) {
    set.faces.push_back({e, 0});
    set.nodes.insert(set.nodes.end(), mesh.elements[e].all().begin(), mesh.elements[e].all().end());
  }
  keep_each_once(set.nodes);
}

/// Lines of a structured mesh as shares, from the lengths of the elements along its first row.
struct ShareGrid {
  std::vector<double> u{0}, v{0};
  std::vector<Vec3> nodes;  ///< [u][v]

  explicit ShareGrid(const SurfaceMesh& surface) {
    std::map<std::pair<int, int>, double> along_u, along_v;  // lines on both sides → length
    const int n = surface.nodes_v;
    for (const SurfaceElement& e : surface.elements) {
      along_u[std::pair(e.nodes[0] / n, e.nodes[1] / n)] = e.length_u;
      along_v[std::pair(e.nodes[0] % n, e.nodes[3] % n)] = e.length_v;
    }
    const auto lines = [](const auto& lengths, std::vector<double>& out) {
      for (const auto& [between, length] : lengths) out.push_back(out.back() + length);
      const double whole = out.back();
      for (double& x : out) x /= whole;
    };
    lines(along_u, u), lines(along_v, v);
    for (size_t i = 0; i < u.size(); ++i)
      for (size_t j = 0; j < v.size(); ++j)
        nodes.push_back(surface.nodes[static_cast<int>(i) % surface.nodes_u * n + static_cast<int>(j) % n].position);
  }
  Vec3 operator()(double at_u, double at_v, double) const {
    const auto [i, s] = cell(u, at_u);
    const auto [j, t] = cell(v, at_v);
    const Vec3* x = &nodes[i * v.size() + j];
    const Vec3* y = x + v.size();
    return (1 - s) * ((1 - t) * x[0] + t * x[1]) + s * ((1 - t) * y[0] + t * y[1]);
  }

 private:
  static std::pair<size_t, double> cell(const std::vector<double>& lines, double x) {
    const auto above = std::upper_bound(lines.begin() + 1, lines.end() - 1, x);
    const double low = *(above - 1);
    return {static_cast<size_t>(above - lines.begin()) - 1, (x - low) / (*above - low)};
  }
};

}  // namespace

SolidMesh membrane_mesh(const SurfaceMesh& surface) {
  SolidMesh out;
  for (const SurfaceNode& node : surface.nodes) out.nodes.push_back(node.position);
  for (size_t e = 0; e < surface.elements.size(); ++e) {
    const std::array<int, 4>& n = surface.elements[e].nodes;
    const int number = surface.nodes_v > 0 ? n[0] / surface.nodes_v + n[0] % surface.nodes_v : static_cast<int>(e);
    add_quadrilateral(out, n, number % 2 == 0);
    out.along.resize(out.elements.size(), out.nodes[n[1]] - out.nodes[n[0]] + out.nodes[n[2]] - out.nodes[n[3]]);
  }
  for (const MeshSet& set : surface.sets) {
    SolidSet& made = add_set(out, set.name);
    for (const int e : set.elements)
      for (int k = 0; k < 2; ++k) made.faces.push_back({2 * e + k, 0});
    made.nodes = set.nodes;
    for (const SolidFace& face : made.faces)
      made.nodes.insert(made.nodes.end(), out.elements[face.element].all().begin(),
                        out.elements[face.element].all().end());
    keep_each_once(made.nodes);
  }
  add_whole(out);
  if (surface.nodes_u > 0)
    out.at_shares = [grid = std::make_shared<const ShareGrid>(surface)](double u, double v, double w) {
      return (*grid)(u, v, w);
    };
  return out;
}

GmshSolid read_gmsh_membrane(std::string_view contents, const std::string& file, const GmshOptions& options) {
  ParameterCheck check;
  check.positive(options.scale, "scale", "");
  check.done();
  const GmshRecords records = read_gmsh_records(contents, file, GmshContents::surfaces);
  GmshSolid out;
  SolidMesh& mesh = out.mesh;
  std::vector<int> number(records.nodes.size(), -1);
  for (const GmshRecords::Element& e : records.elements)
    if (e.dimension() == 2)
      for (const int n : e.nodes) number[n] = 0;
  for (size_t k = 0; k < records.nodes.size(); ++k) {
    if (number[k] < 0) continue;
    number[k] = static_cast<int>(mesh.nodes.size());
    const std::array<double, 3>& x = records.nodes[k].position;
    mesh.nodes.push_back({options.scale * x[0], options.scale * x[1], options.scale * x[2]});
    mesh.node_tags.push_back(records.nodes[k].tag);
  }
  int lost = 0;
  for (const GmshRecords::Element& e : records.elements) {
    std::vector<int> nodes;
    for (const int n : e.nodes) nodes.push_back(number[n]);
    const int first = static_cast<int>(mesh.elements.size());
    if (e.dimension() == 2) {
      nodes.size() == 3 ? add_triangle(mesh, nodes[0], nodes[1], nodes[2])
                        : add_quadrilateral(mesh, {nodes[0], nodes[1], nodes[2], nodes[3]}, true);
      mesh.element_tags.resize(mesh.elements.size(), e.tag);
    }
    const bool is_off = std::find(nodes.begin(), nodes.end(), -1) != nodes.end();
    lost += is_off && !e.groups.empty();
    for (const std::int64_t tag : e.groups) {
      if (is_off) continue;
      SolidSet& set = add_set(mesh, records.group_name(e.dimension(), tag));
      for (int k = first; k < static_cast<int>(mesh.elements.size()); ++k) set.faces.push_back({k, 0});
      set.nodes.insert(set.nodes.end(), nodes.begin(), nodes.end());
    }
  }
  for (SolidSet& set : mesh.sets) keep_each_once(set.nodes);
  if (mesh.elements.empty())
    throw InputError(
        {{Source{file, 0, 0, 1}, "",
          "has no triangles or quadrilaterals: mesh the surface (Mesh 2), and let physical groups of surfaces be saved",
          ""}});
  out.notices = records.notices;
  if (lost > 0)
    out.notices.push_back(fmt::format("{} on no triangle.", detail::counted(lost, "element of physical groups lies",
                                                                            "elements of physical groups lie")));
  add_whole(mesh);
  return out;
}

}  // namespace flexura

// Solids: their outer faces, close enough to look smooth. Membranes.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "flexura/mesh/solid_place.hpp"
#include "flexura/output/drawing_builder.hpp"

namespace flexura::detail {
namespace {

constexpr double crease = 0.7;  ///< cosine: faces that meet at more have a vertex each
constexpr size_t few_faces = 600;

using Local = std::array<double, 3>;

/// A point of a face with the derivatives along it, in the cell's (ξ, η, ζ).
struct FacePoint {
  Local at{}, along{}, across{};
};

/// Four-sided: bilinear over [0, 1]². Three-sided: one of the three quadrilaterals between a corner, the middle and the sides.
class FacePatch {
 public:
  FacePatch(const CellInfo& info, const CellFace& face, int third) {
    const auto corner = [&](int k) { return info.places[face.nodes[k]]; };
    if (face.corners == 4) {
      for (int k = 0; k < 4; ++k) corners_[k] = corner(k);
      return;
    }
    const Local a = corner(third), b = corner((third + 1) % 3), c = corner((third + 2) % 3);
    corners_[0] = a;
    for (size_t i = 0; i < 3; ++i) {
      corners_[1][i] = 0.5 * (a[i] + b[i]);
      corners_[2][i] = (a[i] + b[i] + c[i]) / 3;
      corners_[3][i] = 0.5 * (a[i] + c[i]);
    }
  }
  FacePoint operator()(double s, double t) const {
    FacePoint out;
    for (size_t i = 0; i < 3; ++i) {
      const double a = corners_[0][i], b = corners_[1][i], c = corners_[2][i], d = corners_[3][i];
      out.at[i] = (1 - s) * (1 - t) * a + s * (1 - t) * b + s * t * c + (1 - s) * t * d;
      out.along[i] = (1 - t) * (b - a) + t * (c - d);
      out.across[i] = (1 - s) * (d - a) + s * (c - b);
    }
    return out;
  }

 private:
  Local corners_[4];
};

/// Where an element is read for a vertex on its face: drawn in towards the points of its rule, where stresses are best.
Local read_inside(const CellInfo& info, Local at) {
  const double share = info.is_simplex ? 0.45 : 1 / std::sqrt(3.0);
  for (size_t i = 0; i < 3; ++i) at[i] = info.center[i] + share * (at[i] - info.center[i]);
  return at;
}

struct SolidVertex {
  Vec3 normal{};
  int section = 0;  ///< SolidModel::section_of: across an interface nothing is averaged
  std::uint32_t number = 0;
};

/// Σ rate_i ∂N_a/∂ξ_i over the nodes of a cell.
LinearForm along_cell(const SolidPart& solid, int element, const Local& at, const Local& rate) {
  const SolidCell& cell = solid.mesh.elements[element];
  const SolidFunctions shape = solid_functions(cell.kind, at[0], at[1], at[2]);
  std::vector<std::pair<int, double>> weights;
  for (size_t a = 0; a < cell.all().size(); ++a) {
    double sum = 0;
    for (size_t i = 0; i < 3; ++i) sum += shape.slope[a][i] * rate[i];
    if (sum != 0) weights.emplace_back(solid.model.nodes[cell.nodes[a]], sum);
  }
  return form_of(weights, 3);
}

/// Element and face → the chamber that it is a wall of.
std::map<std::pair<int, int>, int> chambers_on(const Machine& machine, int solid) {
  std::map<std::pair<int, int>, int> out;
  for (size_t k = 0; k < machine.chambers.size(); ++k)
    for (const SurfaceOfSolid& at : machine.chambers[k].surfaces)
      if (at.solid == solid)
        for (const SolidFace& face : machine.solids[solid].mesh.sets[at.set].faces)
          out.emplace(std::pair{face.element, face.face}, static_cast<int>(k));
  return out;
}

}  // namespace

void DrawingBuilder::add_solid(int index) {
  const SolidPart& solid = machine_.solids[index];
  const SolidMesh& mesh = solid.mesh;
  Drawable& surface =
      begin(Drawable::Kind::surface, fmt::format("{}.{}", mesh.word(), solid.name), std::string(mesh.word()));
  surface.field = drawing_.field_points;
  const std::vector<SolidFace> faces = outer_faces(mesh);
  std::map<std::array<long long, 3>, std::vector<SolidVertex>> known;  // by where they are, rounded
  std::vector<DrawnPlaces::FieldPoint> points;
  double size = 0;
  for (const Vec3& node : mesh.nodes) size = std::max(size, norm(node - mesh.nodes[0]));
  const auto rounded = [&](const Vec3& x) {
    std::array<long long, 3> key{};
    for (int i = 0; i < 3; ++i) key[i] = std::llround(x[i] / (1e-6 * size));
    return key;
  };
  const std::map<std::pair<int, int>, int> chambers = chambers_on(machine_, index);
  const SharedPlaces shared(mesh);
  std::vector<ItemPlace> items;
  for (const std::string& name : solid.model.items) items.push_back(item(name));
  const auto vertex = [&](const SolidFace& face, const FacePoint& p) {
    const SolidPoint here = solid_point(mesh, face.element, p.at);
    Vec3 along{}, across{};
    for (int i = 0; i < 3; ++i) along += p.along[i] * here.slope[i], across += p.across[i] * here.slope[i];
    Vec3 normal = cross(along, across);
    normal = normal / std::max(norm(normal), 1e-300);
    std::vector<SolidVertex>& there = known[rounded(here.position)];
    const int section = solid.model.section_of[face.element];
    auto same = std::ranges::find_if(
        there, [&](const SolidVertex& v) { return v.section == section && dot(v.normal, normal) > crease; });
    if (same == there.end()) {
      there.push_back({normal, section, static_cast<std::uint32_t>(points.size())});
      same = there.end() - 1;
      auto& point = points.emplace_back();
      point.on_solid = true, point.has_fibres = solid.model.has_fibres;
      for (const PlaceInCell& cell : shared.of({face.element, p.at})) {
        if (solid.model.section_of[cell.element] != section) continue;
        const Local at = read_inside(cell_info(mesh.elements[cell.element].kind), cell.at);
        point.inside.push_back({items[cell.element].batch, items[cell.element].item, at[0], at[1], at[2]});
      }
      surface.thickness.push_back(0);
      const MaterialPlace at{.on = MaterialPlace::On::solid,
                             .part = index,
                             .element = face.element,
                             .xi = p.at[0],
                             .eta = p.at[1],
                             .zeta = p.at[2]};
      row(surface.position, drawn(solid_form(solid, at, Carried::point)));
      row(surface.tangent, drawn(along_cell(solid, face.element, p.at, p.along)));
      row(surface.second, drawn(along_cell(solid, face.element, p.at, p.across)));
    }
    if (const auto chamber = chambers.find({face.element, face.face}); chamber != chambers.end())
      points[same->number].chamber = chamber->second;
    return same->number;
  };
  for (const SolidFace& face : faces) {
    const CellInfo& info = cell_info(mesh.elements[face.element].kind);
    const CellFace& of = info.faces[face.face];
    const int n = !info.is_quadratic || of.corners == 3 ? 1 : faces.size() < few_faces ? 4 : 2;
    for (int third = 0; third < (of.corners == 3 ? 3 : 1); ++third) {
      const FacePatch patch(info, of, third);
      std::vector<std::uint32_t> grid;
      for (int j = 0; j <= n; ++j)
        for (int i = 0; i <= n; ++i)
          grid.push_back(vertex(face, patch(static_cast<double>(i) / n, static_cast<double>(j) / n)));
      const int line = n + 1;
      for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i)
          for (const int corner : {j * line + i, j * line + i + 1, (j + 1) * line + i + 1, (j + 1) * line + i})
            surface.quads.push_back(grid[corner]);
    }
  }
  for (size_t k = 0; k < points.size(); ++k) {
    DrawnForm position;
    const SlotMap& map = surface.position;
    for (std::uint32_t at = map.start[k]; at < map.start[k + 1]; ++at)
      position.emplace_back(map.slot[at], map.weight[at]);
    add_field_point(position, points[k]);
  }
  surface.field_count = surface.position.size();
  if (is_surface(mesh.elements.at(0).kind)) return;  // a membrane: its triangles are the drawing
  std::map<int, std::uint32_t> number;
  for (const SolidCell& cell : mesh.elements) {
    surface.cell_nodes.push_back(static_cast<std::uint32_t>(cell.all().size()));
    for (const int node : cell.all()) {
      const auto [at, is_new] = number.emplace(node, static_cast<std::uint32_t>(number.size()));
      surface.cells.push_back(at->second);
      if (!is_new) continue;
      const std::array weights{std::pair{solid.model.nodes[node], 1.0}};
      row(surface.nodes, drawn(form_of(weights, 3)));
      const auto there = known.find(rounded(mesh.nodes[node]));
      surface.node_fields.push_back(
          there == known.end() ? no_node_field : static_cast<std::uint32_t>(surface.field) + there->second[0].number);
    }
  }
}

}  // namespace flexura::detail

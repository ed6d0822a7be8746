#include "flexura/mesh/solid_weights.hpp"

#include <map>

#include "flexura/math/quadrature.hpp"

namespace flexura {
namespace {

using Local = std::array<double, 3>;

/// f(ξηζ, share of area) at points of a face: 4 × 4 of Gauss, of a triangle collapsed ones.
void each_face_point(const SolidMesh& mesh, const SolidFace& face, auto&& f) {
  using Rule = Gauss<4>;
  const CellInfo& info = cell_info(mesh.elements[face.element].kind);
  const CellFace& of = info.faces[face.face];
  const auto corner = [&](int k) { return Vec3::load(info.places[of.nodes[k]].data()); };
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) {
      const double s = Rule::x[i], t = Rule::x[j];
      Vec3 x, by_s, by_t;
      if (of.corners == 4) {
        x = (1 - s) * (1 - t) * corner(0) + s * (1 - t) * corner(1) + s * t * corner(2) + (1 - s) * t * corner(3);
        by_s = (1 - t) * (corner(1) - corner(0)) + t * (corner(2) - corner(3));
        by_t = (1 - s) * (corner(3) - corner(0)) + s * (corner(2) - corner(1));
      } else {
        x = (1 - s) * corner(0) + s * (1 - t) * corner(1) + s * t * corner(2);
        by_s = (1 - t) * corner(1) + t * corner(2) - corner(0);
        by_t = s * (corner(2) - corner(1));
      }
      const Local at{x[0], x[1], x[2]};
      const SolidPoint p = solid_point(mesh, face.element, at);
      Vec3 along_s{}, along_t{};
      for (int k = 0; k < 3; ++k) along_s += by_s[k] * p.slope[k], along_t += by_t[k] * p.slope[k];
      f(at, Rule::w[i] * Rule::w[j] * norm(cross(along_s, along_t)));
    }
}

/// f(both nodes, length) of the sides of triangles that lead along a line of nodes: those at the rim, or else within.
void each_side(const SolidMesh& mesh, const SolidSet& set, auto&& f) {
  std::map<std::pair<int, int>, int> sides;  // nodes → triangles
  const auto is_in = [&](int n) { return std::binary_search(set.nodes.begin(), set.nodes.end(), n); };
  for (const SolidCell& cell : mesh.elements)
    for (int k = 0; k < 3; ++k)
      if (const auto ends = std::minmax(cell.nodes[k], cell.nodes[(k + 1) % 3]);
          is_in(ends.first) && is_in(ends.second))
        ++sides[ends];
  const bool at_rim = std::any_of(sides.begin(), sides.end(), [](const auto& side) { return side.second == 1; });
  for (const auto& [ends, count] : sides)
    if (!at_rim || count == 1) f(ends.first, ends.second, norm(mesh.nodes[ends.second] - mesh.nodes[ends.first]));
}

}  // namespace

std::vector<std::pair<int, double>> mean_weights(const SolidMesh& mesh, const SolidSet& set) {
  std::map<int, double> sums;
  double total = 0;
  const auto add = [&](int element, const Local& at, double weight) {
    const SolidCell& cell = mesh.elements[element];
    const SolidFunctions shape = solid_functions(cell.kind, at[0], at[1], at[2]);
    for (size_t a = 0; a < cell.all().size(); ++a) sums[cell.nodes[a]] += weight * shape.value[a];
    total += weight;
  };
  if (!set.elements.empty()) {
    for (const int e : set.elements)
      for (int k = 0; k < 27; ++k) {
        const SolidPlace place = gauss_place<3>(mesh.elements[e].kind, k);
        const Local at{place.x[0], place.x[1], place.x[2]};
        add(e, at, place.weight * solid_point(mesh, e, at).jacobian());
      }
  } else if (!set.faces.empty()) {
    for (const SolidFace& face : set.faces)
      each_face_point(mesh, face, [&](const Local& at, double weight) { add(face.element, at, weight); });
  } else if (mesh.is_membrane() && set.nodes.size() > 1) {
    each_side(mesh, set,
              [&](int a, int b, double length) { sums[a] += length, sums[b] += length, total += 2 * length; });
  }
  if (total == 0)
    for (const int n : set.nodes) sums[n] = 1, total += 1;
  std::vector<std::pair<int, double>> out;
  for (const auto& [node, sum] : sums)
    if (std::abs(sum) > 1e-14 * total) out.emplace_back(node, sum / total);
  return out;
}

double area(const SolidMesh& mesh, const SolidSet& set) {
  double sum = 0;
  for (const SolidFace& face : set.faces)
    each_face_point(mesh, face, [&](const Local&, double weight) { sum += weight; });
  return sum;
}

}  // namespace flexura

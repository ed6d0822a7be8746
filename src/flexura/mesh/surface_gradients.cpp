#include "flexura/mesh/surface_gradients.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "flexura/mesh/surface_checks.hpp"

namespace flexura {
namespace {

constexpr int unknowns = 5;           // of the quadric
constexpr size_t enough_places = 8;   // for a fit: the nodes around a regular inner node
constexpr double least_pivot = 1e-8;  // of the scaled normal equations; a fit below is not determined
constexpr double most_turn = 0.8;     // cosine between mean and fitted normal: beyond 37° the surface has a crease

Vec3 unit_or_zero(const Vec3& a) {
  const double n = norm(a);
  return n > 0 ? a / n : a;
}
Vec3 in_plane(const Vec3& a, const Vec3& n) { return a - dot(a, n) * n; }

/// Elements around each node.
struct Around {
  explicit Around(const SurfaceMesh& mesh) : first(mesh.nodes.size() + 1, 0) {
    for (const SurfaceElement& e : mesh.elements)
      for (const int n : e.nodes) ++first[n + 1];
    for (size_t n = 1; n < first.size(); ++n) first[n] += first[n - 1];
    elements.resize(first.back());
    std::vector<int> next(first.begin(), first.end() - 1);
    for (int e = 0; e < static_cast<int>(mesh.elements.size()); ++e)
      for (const int n : mesh.elements[e].nodes) elements[next[n]++] = e;
  }
  std::vector<int> first, elements;
};

/// Nodes of the elements around those given.
std::vector<int> with_neighbours(const SurfaceMesh& mesh, const Around& around, const std::vector<int>& nodes) {
  std::vector<int> out;
  for (const int n : nodes)
    for (int k = around.first[n]; k < around.first[n + 1]; ++k)
      for (const int other : mesh.elements[around.elements[k]].nodes) out.push_back(other);
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

Vec3 mean_normal(const SurfaceMesh& mesh, const Around& around, int node) {
  Vec3 sum{};
  for (int k = around.first[node]; k < around.first[node + 1]; ++k) {
    const std::array<int, 4>& corners = mesh.elements[around.elements[k]].nodes;
    const int at = static_cast<int>(std::find(corners.begin(), corners.end(), node) - corners.begin());
    const Vec3& r = mesh.nodes[node].position;
    sum += cross(mesh.nodes[corners[(at + 1) % 4]].position - r, mesh.nodes[corners[(at + 3) % 4]].position - r);
  }
  return unit_or_zero(sum);
}

/// Solves the symmetric A x = b in place; false where A is singular to working accuracy.
bool solve(double (&A)[unknowns][unknowns], double (&b)[unknowns]) {
  for (int i = 0; i < unknowns; ++i) {
    const double whole = A[i][i];
    for (int k = 0; k < i; ++k) A[i][i] -= A[i][k] * A[i][k];
    if (!(A[i][i] > least_pivot * whole)) return false;
    A[i][i] = std::sqrt(A[i][i]);
    for (int j = i + 1; j < unknowns; ++j) {
      for (int k = 0; k < i; ++k) A[j][i] -= A[j][k] * A[i][k];
      A[j][i] /= A[i][i];
    }
  }
  for (int i = 0; i < unknowns; ++i) {
    for (int k = 0; k < i; ++k) b[i] -= A[i][k] * b[k];
    b[i] /= A[i][i];
  }
  for (int i = unknowns; i-- > 0;) {
    for (int k = i + 1; k < unknowns; ++k) b[i] -= A[k][i] * b[k];
    b[i] /= A[i][i];
  }
  return true;
}

Vec3 fitted_normal(const SurfaceMesh& mesh, const Around& around, int node) {
  const Vec3 mean = mean_normal(mesh, around, node);
  std::vector<int> places = with_neighbours(mesh, around, {node});
  if (places.size() < enough_places + 1) places = with_neighbours(mesh, around, places);
  if (places.size() < unknowns + 1) return mean;
  const Vec3 e1 = unit_or_zero(in_plane(std::abs(mean[0]) < most_turn ? Vec3{1, 0, 0} : Vec3{0, 1, 0}, mean)),
             e2 = cross(mean, e1);
  const Vec3& r = mesh.nodes[node].position;
  double size = 0;
  for (const int k : places) size = std::max(size, norm(mesh.nodes[k].position - r));
  double A[unknowns][unknowns] = {}, b[unknowns] = {};
  for (const int k : places) {
    if (k == node) continue;
    const Vec3 d = (mesh.nodes[k].position - r) / size;
    const double x = dot(d, e1), y = dot(d, e2), z = dot(d, mean), weight = 1 / dot(d, d);
    const double row[unknowns] = {x, y, x * x, x * y, y * y};
    for (int i = 0; i < unknowns; ++i) {
      b[i] += weight * row[i] * z;
      for (int j = 0; j < unknowns; ++j) A[i][j] += weight * row[i] * row[j];
    }
  }
  if (!solve(A, b)) return mean;
  const Vec3 fitted = unit_or_zero(mean - b[0] * e1 - b[1] * e2);
  return dot(fitted, mean) > most_turn ? fitted : mean;
}

/// Sides with one element, and the direction of the edge at their nodes.
class Rim {
 public:
  explicit Rim(const SurfaceMesh& mesh) : tangents_(mesh.nodes.size(), Vec3{}) {
    for (const SurfaceElement& e : mesh.elements)
      for (int k = 0; k < 4; ++k) ++sides_[std::minmax(e.nodes[k], e.nodes[(k + 1) % 4])];
    std::erase_if(sides_, [](const auto& side) { return side.second != 1; });
    std::vector<std::array<int, 2>> beside(mesh.nodes.size(), {-1, -1});
    std::vector<int> count(mesh.nodes.size(), 0);
    for (const auto& [side, one] : sides_)
      for (const auto& [n, other] : {std::pair{side.first, side.second}, std::pair{side.second, side.first}})
        if (count[n]++ < 2) beside[n][count[n] - 1] = other;
    for (size_t n = 0; n < mesh.nodes.size(); ++n) {
      if (count[n] != 2) continue;
      const Vec3 d1 = mesh.nodes[n].position - mesh.nodes[beside[n][0]].position,
                 d2 = mesh.nodes[beside[n][1]].position - mesh.nodes[n].position;
      if (dot(d1, d2) > most_turn * norm(d1) * norm(d2)) tangents_[n] = d1 / dot(d1, d1) + d2 / dot(d2, d2);
    }
  }
  bool has(int a, int b) const { return sides_.contains(std::minmax(a, b)); }
  /// Of the circle through the node and its two neighbours on the edge; 0 at corners.
  const Vec3& tangent(int node) const { return tangents_[node]; }
  void set_corner(int node) { tangents_[node] = {}; }

 private:
  std::map<std::pair<int, int>, int> sides_;
  std::vector<Vec3> tangents_;
};

/// ∂r/∂ξ of a circular arc with the chord d that leaves a place along t.
Vec3 arc_tangent(const Vec3& d, const Vec3& t) {
  const double angle = std::atan2(norm(cross(d, t)), dot(d, t));
  return (norm(d) * (angle < 1e-9 ? 1 : angle / std::sin(angle))) * unit_or_zero(t);
}

/// ∂r/∂ξ of the side from node a to b, at a with the normal n.
Vec3 side_tangent(const SurfaceMesh& mesh, const Rim& rim, int a, int b, const Vec3& n) {
  const Vec3 d = mesh.nodes[b].position - mesh.nodes[a].position;
  if (rim.has(a, b)) {
    const Vec3 along = in_plane(rim.tangent(a), n);
    if (norm(along) > 0) return arc_tangent(d, dot(along, d) > 0 ? along : -along);
  }
  const Vec3 along = in_plane(d, n);
  return norm(along) > 0 ? arc_tangent(d, along) : d;
}

void set_gradients(SurfaceMesh& mesh, const std::vector<Vec3>& normals) {
  for (size_t n = 0; n < mesh.nodes.size(); ++n) {
    const Vec3 axis = std::abs(normals[n][0]) < most_turn ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
    mesh.nodes[n].gradient_u = unit_or_zero(in_plane(axis, normals[n]));
    mesh.nodes[n].gradient_v = cross(normals[n], mesh.nodes[n].gradient_u);
  }
}

void set_corner_maps(SurfaceMesh& mesh, const Rim& rim, const std::vector<Vec3>& normals) {
  mesh.corner_maps.assign(mesh.elements.size(), {});
  for (size_t k = 0; k < mesh.elements.size(); ++k) {
    SurfaceElement& e = mesh.elements[k];
    Vec3 leaving[4], arriving[4];  // of side j: at its first and last node, both along the side
    double length[4];
    for (int j = 0; j < 4; ++j) {
      const int a = e.nodes[j], b = e.nodes[(j + 1) % 4];
      leaving[j] = side_tangent(mesh, rim, a, b, normals[a]);
      arriving[j] = -side_tangent(mesh, rim, b, a, normals[b]);
      length[j] = (norm(leaving[j]) + norm(arriving[j])) / 2;
    }
    e.length_u = (length[0] + length[2]) / 2;
    e.length_v = (length[1] + length[3]) / 2;
    const Vec3 along_x[4] = {leaving[0], arriving[0], -leaving[2], -arriving[2]};
    const Vec3 along_y[4] = {-arriving[3], leaving[1], arriving[1], -leaving[3]};
    for (int c = 0; c < 4; ++c) {
      const SurfaceNode& node = mesh.nodes[e.nodes[c]];
      mesh.corner_maps[k][c] = {
          dot(along_x[c], node.gradient_u) / e.length_u, dot(along_x[c], node.gradient_v) / e.length_u,
          dot(along_y[c], node.gradient_u) / e.length_v, dot(along_y[c], node.gradient_v) / e.length_v};
    }
  }
}

/// Whether the quadrilateral of straight sides is folded.
bool is_folded_straight(const SurfaceMesh& mesh, int element) {
  Vec3 at_corner[4], mean{};
  for (int c = 0; c < 4; ++c) {
    const auto r = [&](int k) { return mesh.nodes[mesh.elements[element].nodes[k % 4]].position; };
    at_corner[c] = cross(r(c + 1) - r(c), r(c + 3) - r(c));
    mean += at_corner[c];
  }
  return std::any_of(at_corner, at_corner + 4, [&](const Vec3& n) { return !(dot(n, mean) > 0); });
}

/// Nodes of elements that smoothing folds although their corners do not.
std::vector<int> nodes_of_folds(const SurfaceMesh& mesh) {
  std::vector<int> out;
  for (int e = 0; e < static_cast<int>(mesh.elements.size()); ++e)
    if (is_folded(mesh, e) && !is_folded_straight(mesh, e))
      out.insert(out.end(), mesh.elements[e].nodes.begin(), mesh.elements[e].nodes.end());
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

}  // namespace

std::vector<int> recover_gradients(SurfaceMesh& mesh) {
  const Around around(mesh);
  std::vector<Vec3> normals;
  normals.reserve(mesh.nodes.size());
  for (int n = 0; n < static_cast<int>(mesh.nodes.size()); ++n) normals.push_back(fitted_normal(mesh, around, n));
  Rim rim(mesh);
  set_gradients(mesh, normals);
  set_corner_maps(mesh, rim, normals);
  std::vector<int> changed;
  for (const bool keeps_normals : {true, false}) {
    const std::vector<int> folds = nodes_of_folds(mesh);
    for (const int n : folds) {
      rim.set_corner(n);
      if (!keeps_normals) normals[n] = mean_normal(mesh, around, n);
    }
    if (folds.empty()) break;
    changed.insert(changed.end(), folds.begin(), folds.end());
    set_gradients(mesh, normals);
    set_corner_maps(mesh, rim, normals);
  }
  std::sort(changed.begin(), changed.end());
  changed.erase(std::unique(changed.begin(), changed.end()), changed.end());
  return changed;
}

int orient_elements(SurfaceMesh& mesh) {
  std::map<std::pair<int, int>, std::vector<std::pair<int, bool>>> sides;  // nodes ascending: element, along them?
  const int count = static_cast<int>(mesh.elements.size());
  const auto side_of = [&](int e, int k) {
    const std::array<int, 4>& n = mesh.elements[e].nodes;
    return std::pair{n[k], n[(k + 1) % 4]};
  };
  for (int e = 0; e < count; ++e)
    for (int k = 0; k < 4; ++k) {
      const auto [a, b] = side_of(e, k);
      sides[std::minmax(a, b)].push_back({e, a < b});
    }
  std::vector<int> turned(count, -1);  // −1: not yet known
  std::vector<int> waiting;
  for (int first = 0; first < count; ++first) {
    if (turned[first] >= 0) continue;
    turned[first] = 0;
    waiting.push_back(first);
    while (!waiting.empty()) {
      const int e = waiting.back();
      waiting.pop_back();
      for (int k = 0; k < 4; ++k) {
        const auto [a, b] = side_of(e, k);
        const auto& shared = sides[std::minmax(a, b)];
        if (shared.size() != 2) continue;
        const auto& other = shared[shared[0].first == e ? 1 : 0];
        const int wanted = other.second == (a < b) ? 1 - turned[e] : turned[e];
        if (turned[other.first] < 0) {
          turned[other.first] = wanted;
          waiting.push_back(other.first);
        } else if (turned[other.first] != wanted) {
          return -1;
        }
      }
    }
  }
  int number = 0;
  for (int e = 0; e < count; ++e) {
    if (turned[e] != 1) continue;
    ++number;
    SurfaceElement& element = mesh.elements[e];
    std::swap(element.nodes[1], element.nodes[3]);
    std::swap(element.length_u, element.length_v);
    if (mesh.corner_maps.empty()) mesh.corner_maps.assign(count, {});
    std::array<CornerMap, 4>& maps = mesh.corner_maps[e];
    std::swap(maps[1], maps[3]);
    for (CornerMap& m : maps) m = {m.vu, m.vv, m.uu, m.uv};
  }
  for (MeshSet& set : mesh.sets)
    for (ElementSide& side : set.sides)
      if (turned[side.element] == 1) side.side = 3 - side.side;
  return number;
}

}  // namespace flexura

#include "flexura/mesh/solid_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "flexura/mesh/coincident_nodes.hpp"
#include "flexura/mesh/finding_text.hpp"

namespace flexura {
namespace {

constexpr double same_place = 1e-9;      // of the size
constexpr double least_jacobian = 1e-6;  // of the mean length of the sides, cubed: without volume
constexpr double noted_skew = 20, noted_aspect = 20;

/// Numbers that are joined pair by pair.
class Joined {
 public:
  explicit Joined(size_t count) : up_(count) { std::iota(up_.begin(), up_.end(), 0); }
  int root(int n) {
    while (up_[n] != n) n = up_[n] = up_[up_[n]];
    return n;
  }
  void join(int a, int b) { up_[root(a)] = root(b); }

 private:
  std::vector<int> up_;
};

struct FaceOwner {
  SolidFace face;
  std::vector<int> nodes;  // as they lie: corners, middles
};

/// Whether the corners of both run the same way round.
bool same_sense(const FaceOwner& a, const FaceOwner& b, int corners) {
  const auto at = std::find(b.nodes.begin(), b.nodes.begin() + corners, a.nodes[0]) - b.nodes.begin();
  return b.nodes[(at + 1) % corners] == a.nodes[1];
}

void sort_once(std::vector<int>& list) {
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
}

bool repeats(const SolidCell& e) {
  std::vector<int> nodes(e.all().begin(), e.all().end());
  std::sort(nodes.begin(), nodes.end());
  return std::adjacent_find(nodes.begin(), nodes.end()) != nodes.end();
}

void look_at_element(const SolidMesh& mesh, int k, SolidStatistics& out) {
  const SolidCell& e = mesh.elements[k];
  const CellInfo& info = cell_info(e.kind);
  if (repeats(e)) return out.repeating.push_back(k);
  double longest = 0, shortest = HUGE_VAL, sum = 0;
  int sides = 0;
  for (int f = 0; f < info.face_count; ++f)
    for (int c = 0; c < info.faces[f].corners; ++c, ++sides) {
      const Vec3 d = mesh.nodes[e.nodes[info.faces[f].nodes[(c + 1) % info.faces[f].corners]]] -
                     mesh.nodes[e.nodes[info.faces[f].nodes[c]]];
      longest = std::max(longest, norm(d)), shortest = std::min(shortest, norm(d)), sum += norm(d);
    }
  // At all nodes and, of hexahedra, halfway to the centre: in a trilinear cell the smallest is at a corner.
  double low = HUGE_VAL, high = -HUGE_VAL;
  const auto look = [&](const std::array<double, 3>& at) {
    const double J = solid_point(mesh, k, at).jacobian();
    low = std::min(low, J), high = std::max(high, J);
  };
  for (int a = 0; a < info.nodes; ++a) {
    look(info.places[a]);
    std::array<double, 3> half;
    for (int i = 0; i < 3; ++i) half[i] = 0.5 * (info.places[a][i] + info.center[i]);
    look(half);
  }
  const double unit = std::pow(sum / sides, info.is_surface ? 2 : 3);
  if (high < -least_jacobian * unit) return out.inverted.push_back(k);
  if (!(low > least_jacobian * unit)) return out.folded.push_back(k);
  const double size = element_volume(mesh, k);
  out.volume += size;
  const auto lower = [&](ElementExtreme& x, double value) {
    if (x.element < 0 || value < x.value) x = {value, k};
  };
  const auto raise = [&](ElementExtreme& x, double value) {
    if (x.element < 0 || value > x.value) x = {value, k};
  };
  lower(out.smallest_volume, size);
  raise(out.largest_volume, size);
  raise(out.largest_aspect, longest / shortest);
  raise(out.largest_skew, high / low);
}

void look_at_faces(const SolidMesh& mesh, SolidStatistics& out) {
  std::map<std::vector<int>, std::vector<FaceOwner>> faces;
  for (int e = 0; e < out.elements; ++e) {
    const CellInfo& info = cell_info(mesh.elements[e].kind);
    for (int f = 0; f < info.face_count; ++f) {
      FaceOwner owner{{e, f}, face_nodes(mesh, {e, f})};
      std::vector<int> key(owner.nodes.begin(), owner.nodes.begin() + info.faces[f].corners);
      std::sort(key.begin(), key.end());
      faces[std::move(key)].push_back(std::move(owner));
    }
  }
  Joined by_faces(mesh.elements.size());
  for (const auto& [corners, owners] : faces) {
    for (const FaceOwner& owner : owners) by_faces.join(owner.face.element, owners[0].face.element);
    if (owners.size() == 1) ++out.outer_faces;
    if (owners.size() > 2)
      for (const FaceOwner& owner : owners) out.crowded.push_back(owner.face.element);
    if (owners.size() != 2) continue;
    if (same_sense(owners[0], owners[1], static_cast<int>(corners.size())))
      for (const FaceOwner& owner : owners) out.overlapping.push_back(owner.face.element);
    std::vector<int> a = owners[0].nodes, b = owners[1].nodes;
    std::sort(a.begin(), a.end());
    std::sort(b.begin(), b.end());
    if (a != b)
      for (const FaceOwner& owner : owners) out.hanging.push_back(owner.face.element);
  }
  for (std::vector<int>* list : {&out.crowded, &out.overlapping, &out.hanging}) sort_once(*list);
  for (int e = 0; e < out.elements; ++e) out.face_parts += by_faces.root(e) == e;
}

void look_at_sides(const SolidMesh& mesh, SolidStatistics& out) {
  std::map<std::pair<int, int>, std::vector<std::pair<int, bool>>> sides;  // nodes → triangles, and which way they pass
  for (int e = 0; e < out.elements; ++e)
    for (int k = 0; k < 3; ++k) {
      const int a = mesh.elements[e].nodes[k], b = mesh.elements[e].nodes[(k + 1) % 3];
      sides[std::minmax(a, b)].emplace_back(e, a < b);
    }
  Joined by_sides(mesh.elements.size());
  for (const auto& [nodes, at] : sides) {
    for (const auto& [e, up] : at) by_sides.join(e, at[0].first);
    if (at.size() == 2 && at[0].second == at[1].second)
      out.turned.push_back(at[0].first), out.turned.push_back(at[1].first);
  }
  sort_once(out.turned);
  out.face_parts = 0;
  for (int e = 0; e < out.elements; ++e) out.face_parts += by_sides.root(e) == e;
}

void look_at_nodes(const SolidMesh& mesh, SolidStatistics& out) {
  Joined joined(mesh.nodes.size());
  std::vector<bool> used(mesh.nodes.size(), false);
  for (const SolidCell& e : mesh.elements)
    for (const int n : e.all()) {
      used[n] = true;
      joined.join(n, e.nodes[0]);
    }
  for (int n = 0; n < out.nodes; ++n) {
    if (!used[n]) out.unused.push_back(n);
    if (used[n] && joined.root(n) == n) ++out.parts;
  }
}

}  // namespace

SolidStatistics statistics(const SolidMesh& mesh) {
  SolidStatistics out;
  out.nodes = static_cast<int>(mesh.nodes.size());
  out.elements = static_cast<int>(mesh.elements.size());
  out.node_tags = mesh.node_tags, out.element_tags = mesh.element_tags;
  Vec3 low{HUGE_VAL, HUGE_VAL, HUGE_VAL}, high{-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
  for (int n = 0; n < out.nodes; ++n) {
    const Vec3& r = mesh.nodes[n];
    if (!std::isfinite(r[0] + r[1] + r[2])) {
      out.bad_nodes.push_back(n);
      continue;
    }
    for (int i = 0; i < 3; ++i) low[i] = std::min(low[i], r[i]), high[i] = std::max(high[i], r[i]);
  }
  if (out.nodes == 0) return out;
  out.size = norm(high - low);
  if (out.bad_nodes.empty())
    for (int e = 0; e < out.elements; ++e) look_at_element(mesh, e, out);
  look_at_faces(mesh, out);
  out.is_membrane = mesh.is_membrane();
  if (out.is_membrane) look_at_sides(mesh, out);
  look_at_nodes(mesh, out);
  out.coincident = coincident_nodes(mesh.nodes, same_place * out.size);
  return out;
}

std::string summary(const SolidStatistics& s) {
  const char* unit = s.is_membrane ? "m^2" : "m^3";
  return fmt::format("{} elements, {} nodes, {:.6g} {}; elements of {:.3g} to {:.3g} {}, sides up to 1 : {:.3g}",
                     s.elements, s.nodes, s.volume, unit, s.smallest_volume.value, s.largest_volume.value, unit,
                     s.largest_aspect.value);
}

std::vector<MeshFinding> findings(const SolidStatistics& s) {
  using detail::counted;
  std::vector<MeshFinding> out;
  const auto error = [&](std::string message) { out.push_back({true, std::move(message)}); };
  const auto notice = [&](std::string message) { out.push_back({false, std::move(message)}); };
  const auto nodes = [&](const std::vector<int>& list) { return detail::numbers_of(list, s.node_tags); };
  const auto elements = [&](const std::vector<int>& list) { return detail::numbers_of(list, s.element_tags); };
  const auto element = [&](const ElementExtreme& x) { return detail::numbers_of({x.element}, s.element_tags); };
  if (s.elements == 0) error("The mesh has no elements.");
  if (!s.bad_nodes.empty())
    error(fmt::format("{} not finite: {}.",
                      counted(s.bad_nodes.size(), "node has coordinates that are", "nodes have coordinates that are"),
                      nodes(s.bad_nodes)));
  if (!s.repeating.empty())
    error(fmt::format("{} a node twice: {}.", counted(s.repeating.size(), "element has", "elements have"),
                      elements(s.repeating)));
  if (!s.inverted.empty())
    error(fmt::format("{} inside out, the nodes in the order of a mirror image: {}.",
                      counted(s.inverted.size(), "element is", "elements are"), elements(s.inverted)));
  if (!s.folded.empty())
    error(fmt::format("{} over itself or without volume, the Jacobian is not above 0 everywhere: {}.",
                      counted(s.folded.size(), "element is folded", "elements are folded"), elements(s.folded)));
  if (!s.crowded.empty())
    error(fmt::format("{} a face with two others or more; a face joins two elements at most: {}.",
                      counted(s.crowded.size(), "element shares", "elements share"), elements(s.crowded)));
  if (!s.overlapping.empty())
    error(fmt::format("{} on the same side of a common face as another: {}.",
                      counted(s.overlapping.size(), "element lies", "elements lie"), elements(s.overlapping)));
  if (!s.turned.empty())
    notice(fmt::format("{} the other way than a neighbour, so that pressure acts against it: {}.",
                       counted(s.turned.size(), "element looks", "elements look"), elements(s.turned)));
  if (!s.hanging.empty())
    error(fmt::format("{} other nodes within a common face than the neighbour, so that a gap would open: {}.",
                      counted(s.hanging.size(), "element has", "elements have"), elements(s.hanging)));
  if (!s.unused.empty())
    error(fmt::format("{} to no element: {}.", counted(s.unused.size(), "node belongs", "nodes belong"),
                      nodes(s.unused)));
  if (!s.coincident.empty())
    error(fmt::format(
        "{} of nodes lie in one place and are not joined: first {} and {}. Merge them, in Gmsh by "
        "Coherence or Mesh.RemoveDuplicateNodes.",
        counted(s.coincident.size(), "pair", "pairs"), nodes({s.coincident[0][0]}), nodes({s.coincident[0][1]})));
  if (s.parts > 1) notice(fmt::format("The mesh consists of {} parts that are not joined.", s.parts));
  if (s.face_parts > s.parts && s.crowded.empty())
    notice(fmt::format("{} parts of the mesh hang together by {} alone, as a hinge does.", s.face_parts,
                       s.is_membrane ? "a node" : "an edge or a node"));
  if (s.largest_aspect.value > noted_aspect)
    notice(
        fmt::format("Element {} is {:.3g} times as long as wide.", element(s.largest_aspect), s.largest_aspect.value));
  if (s.largest_skew.value > noted_skew)
    notice(fmt::format("The Jacobian of element {} differs by a factor of {:.3g} within it: it is badly shaped.",
                       element(s.largest_skew), s.largest_skew.value));
  if (s.smallest_volume.value > 0 && s.largest_volume.value > 1e6 * s.smallest_volume.value)
    notice(fmt::format("Elements differ in size by a factor of {:.3g}: smallest {}, largest {}.",
                       s.largest_volume.value / s.smallest_volume.value, element(s.smallest_volume),
                       element(s.largest_volume)));
  return out;
}

}  // namespace flexura

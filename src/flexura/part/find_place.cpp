#include "flexura/part/find_place.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "flexura/base/nearest_name.hpp"
#include "flexura/mesh/solid_place.hpp"
#include "flexura/part/rigid_frame.hpp"

namespace flexura {
namespace {

/// Element and share of it at a share of the whole of `count` lengths.
std::pair<int, double> locate(double share, int count, auto&& length_of) {
  double total = 0;
  for (int k = 0; k < count; ++k) total += length_of(k);
  double rest = std::clamp(share, 0.0, 1.0) * total;
  int index = 0;
  for (; index + 1 < count && rest > length_of(index); ++index) rest -= length_of(index);
  const double within = std::min(rest / length_of(index), 1.0);
  return {index, within < 1e-9 ? 0.0 : within > 1 - 1e-9 ? 1.0 : within};
}

bool is_share(double x) { return x >= 0 && x <= 1; }

std::optional<MaterialPlace> find_on_mesh(const SurfaceMesh& mesh, const Place& place) {
  MaterialPlace out{.on = MaterialPlace::On::plate};
  if (place.at == Place::At::named) {
    const MeshSet* set = mesh.find(place.point);
    if (set == nullptr || set->nodes.empty()) return {};
    out.nodes = set->nodes;
    return out;
  }
  if ((place.at != Place::At::surface && place.at != Place::At::share) || mesh.nodes_u == 0) return {};
  const int rows = mesh.nodes_u - !mesh.closed_u, columns = mesh.nodes_v - !mesh.closed_v;
  const double along = place.at == Place::At::share ? place.share : place.surface[0];
  if (!is_share(along) || !is_share(place.surface[1])) return {};
  const auto [i, xi] =
      locate(along, rows, [&](int k) { return mesh.elements[static_cast<size_t>(k) * columns].length_u; });
  if (place.at == Place::At::share) {
    if (xi != 0 && xi != 1) return {};
    out.nodes = mesh.slice(mesh.closed_u ? (i + static_cast<int>(xi)) % mesh.nodes_u : i + static_cast<int>(xi));
    return out;
  }
  const auto [j, eta] = locate(place.surface[1], columns, [&](int k) { return mesh.elements[k].length_v; });
  out.element = i * columns + j;
  out.xi = xi, out.eta = eta;
  if ((xi == 0 || xi == 1) && (eta == 0 || eta == 1)) {
    const int corner = eta == 0 ? (xi == 0 ? 0 : 1) : (xi == 0 ? 3 : 2);
    out.nodes = {mesh.elements[out.element].nodes[corner]};
  }
  return out;
}

/// Index of the part of that name, or −1.
template <class Part>
int index_of(const std::vector<Part>& parts, const std::string& name) {
  const auto at = std::find_if(parts.begin(), parts.end(), [&](const Part& part) { return part.name == name; });
  return at == parts.end() ? -1 : static_cast<int>(at - parts.begin());
}

FoundPlace with_part(FoundPlace found, int part) {
  if (auto* place = std::get_if<MaterialPlace>(&found)) place->part = part;
  return found;
}

}  // namespace

std::variant<double, NoPlace> share_on_cable(const CablePart& cable, const Place& place) {
  const char* kind = cable.kind();
  switch (place.at) {
    case Place::At::named:
      if (place.point == "start") return 0.0;
      if (place.point == "end") return 1.0;
      return NoPlace{fmt::format("a {} has no place named \"{}\"; it has \"start\" and \"end\"", kind, place.point),
                     nearest_name(place.point, std::vector<std::string>{"start", "end"})};
    case Place::At::share:
      if (is_share(place.share)) return place.share;
      return NoPlace{fmt::format("the share in \"{}\" must be from 0 to 1", place.text), {}};
    case Place::At::length:
      if (!(place.length >= 0)) return NoPlace{fmt::format("the length in \"{}\" must be 0 or more", place.text), {}};
      if (const double share = place.length / cable.length; share <= 1 + 1e-9) return std::min(share, 1.0);
      return NoPlace{fmt::format("\"{}\" is beyond the end: the {} is {:.6g} m long", place.text, kind, cable.length),
                     {}};
    case Place::At::whole:
      return NoPlace{fmt::format("which place of the {1}? \"{0}.start\", \"{0}.end\" or, by share of length, "
                                 "\"{0}@0.5\"",
                                 place.part, kind),
                     {}};
    default:
      return NoPlace{fmt::format("a {}'s places need one share, as in @0.5", kind), {}};
  }
}

FoundPlace find_on_cable(const CablePart& cable, const Place& place) {
  const auto share = share_on_cable(cable, place);
  if (const auto* none = std::get_if<NoPlace>(&share)) return *none;
  MaterialPlace out{.on = MaterialPlace::On::cable};
  const int n = static_cast<int>(cable.elements.size()), per_element = static_cast<int>(cable.points.size() - 1) / n;
  const double x = std::get<double>(share) * n, nearest_node = std::round(x * per_element);
  if (std::fabs(x - nearest_node / per_element) <= 1e-9 * n) {
    out.node = static_cast<int>(nearest_node);
    out.element = std::min(out.node / per_element, n - 1);
    out.xi = static_cast<double>(out.node) / per_element - out.element;
  } else {
    out.element = static_cast<int>(x);
    out.xi = x - out.element;
  }
  return out;
}

FoundPlace find_on_plate(const PlatePart& plate, const Place& place) {
  const SurfaceMesh& mesh = plate.mesh;
  if (std::optional<MaterialPlace> found = find_on_mesh(mesh, place)) return std::move(*found);
  const std::vector<std::string> names = mesh.set_names();
  const std::string has = names.empty() ? "no named places" : list_of(names, "and");
  switch (place.at) {
    case Place::At::named:
      return NoPlace{fmt::format("the plate \"{}\" has no place named \"{}\"; it has {}", place.part, place.point, has),
                     nearest_name(place.point, names)};
    case Place::At::whole:
      return NoPlace{fmt::format("which place of \"{0}\"? It has {1}, and shares of u and v, as in \"{0}@(0.5, 0.5)\"",
                                 place.part, has),
                     {}};
    case Place::At::share:
      if (!is_share(place.share))
        return NoPlace{fmt::format("the share in \"{}\" must be from 0 to 1", place.text), {}};
      if (mesh.nodes_u == 0) break;
      return NoPlace{fmt::format("no line of nodes of \"{}\" lies at {:.6g} of u", place.part, place.share), {}};
    case Place::At::surface:
      if (!is_share(place.surface[0]) || !is_share(place.surface[1]))
        return NoPlace{fmt::format("the shares in \"{}\" must be numbers from 0 to 1", place.text), {}};
      break;
    default:
      return NoPlace{"a plate's places need two shares, as in @(0.2, 0.7), or one, for the nodes of a line, as in @0.5",
                     {}};
  }
  return NoPlace{fmt::format("the mesh of \"{}\" has no u and v; it has {}", place.part, has), {}};
}

namespace {

/// The place of the mesh nearest to X.
MaterialPlace place_at(const PlaceInSolid& found) {
  MaterialPlace out{.on = MaterialPlace::On::solid, .element = found.element, .xi = found.at[0], .eta = found.at[1]};
  out.zeta = found.at[2];
  if (found.node >= 0) out.nodes = {found.node};
  return out;
}

FoundPlace find_local(const SolidPart& solid, const Place& place) {
  const Triple X = solid.placed.to_space(detail::triple(place.coordinates));
  const PlaceInSolid found = nearest_place(solid.mesh, {X[0], X[1], X[2]});
  double size = 0;
  for (const Vec3& node : solid.mesh.nodes) size = std::max(size, norm(node - solid.mesh.nodes[0]));
  if (found.distance <= 1e-6 * size) return place_at(found);
  return NoPlace{
      fmt::format("\"{}\" has no material at ({:.6g}, {:.6g}, {:.6g}) m in its own frame: the nearest is {:.6g} m "
                  "away",
                  place.part, place.coordinates[0], place.coordinates[1], place.coordinates[2], found.distance),
      {}};
}

}  // namespace

FoundPlace find_on_solid(const SolidPart& solid, const Place& place) {
  const SolidMesh& mesh = solid.mesh;
  const std::vector<std::string> names = mesh.set_names();
  const std::string has = names.empty() ? "no named places" : list_of(names, "and");
  switch (place.at) {
    case Place::At::named: {
      const SolidSet* set = mesh.find(place.point);
      if (set == nullptr || set->nodes.empty())
        return NoPlace{fmt::format("the {} \"{}\" has no place named \"{}\"; it has {}", mesh.word(), place.part,
                                   place.point, has),
                       nearest_name(place.point, names)};
      MaterialPlace out{.on = MaterialPlace::On::solid, .nodes = set->nodes};
      out.set = static_cast<int>(set - mesh.sets.data());
      const PlaceInSolid node = nearest_place(mesh, mesh.nodes[set->nodes[0]]);
      out.element = node.element, out.xi = node.at[0], out.eta = node.at[1], out.zeta = node.at[2];
      return out;
    }
    case Place::At::inside: {
      if (!mesh.at_shares)
        return NoPlace{
            fmt::format("the mesh of \"{0}\" has no u, v and w; it has {1}, and coordinates in its own frame, as "
                        "in \"{0}@[0, 0, 0]\"",
                        place.part, has),
            {}};
      if (!std::all_of(place.inside, place.inside + 3, is_share))
        return NoPlace{fmt::format("the shares in \"{}\" must be numbers from 0 to 1", place.text), {}};
      const Triple X =
          solid.placed.to_space(triple_of(mesh.at_shares(place.inside[0], place.inside[1], place.inside[2])));
      return place_at(nearest_place(mesh, {X[0], X[1], X[2]}));
    }
    case Place::At::local:
      return find_local(solid, place);
    case Place::At::surface: {
      if (!mesh.is_membrane() || !mesh.at_shares)
        return NoPlace{fmt::format("the mesh of \"{}\" has no u and v; it has {}", place.part, has), {}};
      if (!is_share(place.surface[0]) || !is_share(place.surface[1]))
        return NoPlace{fmt::format("the shares in \"{}\" must be numbers from 0 to 1", place.text), {}};
      const Triple X = solid.placed.to_space(triple_of(mesh.at_shares(place.surface[0], place.surface[1], 0)));
      return place_at(nearest_place(mesh, {X[0], X[1], X[2]}));
    }
    case Place::At::whole:
      return NoPlace{
          fmt::format("which place of \"{0}\"? It has {1}, {2}and coordinates in its own frame, as in \"{0}@[0, 0, "
                      "0]\"",
                      place.part, has,
                      !mesh.at_shares ? std::string()
                                      : fmt::format("shares as in \"{}@(0.5, 0.5{})\" ", place.part,
                                                    mesh.is_membrane() ? "" : ", 1")),
          {}};
    default:
      return NoPlace{
          "a solid's places need three shares, as in @(0.5, 0.5, 1), or coordinates in its own frame, as in "
          "@[0, 0, 0.02]",
          {}};
  }
}

FoundPlace find_on_body(const BodyPart& body, const Place& place) {
  MaterialPlace out{.on = MaterialPlace::On::body, .is_whole = place.at == Place::At::whole};
  if (out.is_whole) return out;
  std::vector<std::string> names;
  for (const auto& [name, x] : body.points) {
    names.push_back(name);
    if (place.at != Place::At::named || name != place.point) continue;
    out.local = detail::triple(x);
    return out;
  }
  const std::string has = list_of(names, "and");
  if (place.at != Place::At::named)
    return NoPlace{fmt::format("\"{0}\" is a body: its places are \"{0}\" itself, where its frame's origin is, and {1}",
                               place.part, has),
                   {}};
  return NoPlace{fmt::format("the body \"{}\" has no place named \"{}\"; it has {}", place.part, place.point, has),
                 nearest_name(place.point, names)};
}

FoundPlace find_place(const Machine& machine, const Place& place) {
  if (place.is_ground()) {
    MaterialPlace out{.on = MaterialPlace::On::ground, .is_whole = place.at == Place::At::whole};
    if (out.is_whole) return out;
    if (place.at != Place::At::fixed)
      return NoPlace{"a point of the ground is written by its coordinates, and the ground itself \"ground\"", {}};
    out.local = detail::triple(place.coordinates);
    return out;
  }
  for (size_t k = 0; k < machine.points.size(); ++k) {
    if (machine.points[k].name != place.part) continue;
    if (place.at != Place::At::whole)
      return NoPlace{fmt::format("\"{}\" is a point: it has no places of its own", place.part), {}};
    return MaterialPlace{.on = MaterialPlace::On::point, .part = static_cast<int>(k)};
  }
  if (const int k = index_of(machine.cables, place.part); k >= 0)
    return with_part(find_on_cable(machine.cables[k], place), k);
  if (const int k = index_of(machine.plates, place.part); k >= 0)
    return with_part(find_on_plate(machine.plates[k], place), k);
  if (const int k = index_of(machine.solids, place.part); k >= 0)
    return with_part(find_on_solid(machine.solids[k], place), k);
  if (const int k = index_of(machine.bodies, place.part); k >= 0)
    return with_part(find_on_body(machine.bodies[k], place), k);
  return NoPlace{fmt::format("there is no part named \"{}\"", place.part), {}};
}

std::vector<MaterialPlace> elements_at(const SurfaceMesh& mesh, const MaterialPlace& at) {
  constexpr double corner_xi[4] = {0, 1, 1, 0}, corner_eta[4] = {0, 0, 1, 1};
  if (at.nodes.size() > 1) return {};
  const auto inside = [&](int element, double xi, double eta) {
    return MaterialPlace{.on = at.on, .part = at.part, .element = element, .xi = xi, .eta = eta};
  };
  // The point as a share of the way from one node to another.
  int first = -1, second = -1;
  double share = 0;
  if (at.nodes.size() == 1) {
    first = second = at.nodes[0];
  } else {
    const std::array<int, 4>& corners = mesh.elements[at.element].nodes;
    for (int a = 0; a < 4 && first < 0; ++a) {
      const int b = (a + 1) % 4;
      const bool along_xi = corner_xi[a] != corner_xi[b];
      if ((along_xi ? at.eta != corner_eta[a] : at.xi != corner_xi[a])) continue;
      first = corners[a], second = corners[b];
      share = along_xi ? std::fabs(at.xi - corner_xi[a]) : std::fabs(at.eta - corner_eta[a]);
    }
    if (first < 0) return {inside(at.element, at.xi, at.eta)};
  }
  std::vector<MaterialPlace> out;
  for (size_t e = 0; e < mesh.elements.size(); ++e) {
    const std::array<int, 4>& corners = mesh.elements[e].nodes;
    const auto a = std::find(corners.begin(), corners.end(), first) - corners.begin(),
               b = std::find(corners.begin(), corners.end(), second) - corners.begin();
    if (a == 4 || b == 4) continue;
    out.push_back(inside(static_cast<int>(e), (1 - share) * corner_xi[a] + share * corner_xi[b],
                         (1 - share) * corner_eta[a] + share * corner_eta[b]));
  }
  return out;
}

std::vector<MaterialPlace> elements_at(const SolidPart& solid, const MaterialPlace& at) {
  if (at.nodes.size() > 1) return {};
  const std::vector<int>& section = solid.model.section_of;
  std::vector<MaterialPlace> out;
  for (const PlaceInCell& here : SharedPlaces(solid.mesh).of({at.element, {at.xi, at.eta, at.zeta}})) {
    if (section[here.element] != section[at.element]) continue;
    MaterialPlace& place = out.emplace_back(MaterialPlace{.on = at.on, .part = at.part, .element = here.element});
    place.xi = here.at[0], place.eta = here.at[1], place.zeta = here.at[2];
  }
  return out;
}

std::vector<MaterialPlace> elements_on_edge(const SolidMesh& mesh, const MaterialPlace& at) {
  const SolidCell& cell = mesh.elements[at.element];
  const CellInfo& info = cell_info(cell.kind);
  if (!at.nodes.empty() || !info.is_simplex || info.is_quadratic) return {};
  const SolidFunctions shape = solid_functions(cell.kind, at.xi, at.eta, at.zeta);
  constexpr double rounding = 1e-9;
  std::vector<int> ends;
  for (int a = 0; a < info.nodes; ++a)
    if (std::fabs(shape.value[a]) > rounding) ends.push_back(a);
  if (ends.size() != 2) return {};
  const int first = cell.nodes[ends[0]], second = cell.nodes[ends[1]];
  const double share = shape.value[ends[1]];
  std::vector<MaterialPlace> out;
  for (size_t e = 0; e < mesh.elements.size(); ++e) {
    const std::span<const int> nodes = mesh.elements[e].all();
    const auto a = std::find(nodes.begin(), nodes.end(), first), b = std::find(nodes.begin(), nodes.end(), second);
    if (a == nodes.end() || b == nodes.end()) continue;
    const auto from = solid_node(mesh.elements[e].kind, static_cast<int>(a - nodes.begin())),
               to = solid_node(mesh.elements[e].kind, static_cast<int>(b - nodes.begin()));
    MaterialPlace& place =
        out.emplace_back(MaterialPlace{.on = at.on, .part = at.part, .element = static_cast<int>(e)});
    place.xi = from[0] + share * (to[0] - from[0]);
    place.eta = from[1] + share * (to[1] - from[1]);
    place.zeta = from[2] + share * (to[2] - from[2]);
  }
  return out;
}

}  // namespace flexura

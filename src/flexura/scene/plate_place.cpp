#include "flexura/scene/plate_place.hpp"

#include <algorithm>
#include <cmath>

#include "flexura/element/thin_plate_shape.hpp"

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

}  // namespace

std::optional<PlatePlace> find_plate_place(const SurfaceMesh& mesh, const Place& place) {
  PlatePlace out;
  if (place.at == Place::At::named) {
    const MeshSet* set = mesh.find(place.point);
    if (set == nullptr || set->nodes.empty()) return {};
    out.nodes = set->nodes;
    return out;
  }
  if ((place.at != Place::At::surface && place.at != Place::At::share) || mesh.nodes_u == 0) return {};
  const int rows = mesh.nodes_u - !mesh.closed_u, columns = mesh.nodes_v - !mesh.closed_v;
  const double along = place.at == Place::At::share ? place.share : place.surface[0];
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

std::vector<ElementPlace> elements_at(const SurfaceMesh& mesh, const PlatePlace& at) {
  constexpr double corner_xi[4] = {0, 1, 1, 0}, corner_eta[4] = {0, 0, 1, 1};
  if (at.nodes.size() > 1) return {};
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
    if (first < 0) return {{at.element, at.xi, at.eta}};
  }
  std::vector<ElementPlace> out;
  for (size_t e = 0; e < mesh.elements.size(); ++e) {
    const std::array<int, 4>& corners = mesh.elements[e].nodes;
    const auto a = std::find(corners.begin(), corners.end(), first) - corners.begin(),
               b = std::find(corners.begin(), corners.end(), second) - corners.begin();
    if (a == 4 || b == 4) continue;
    out.push_back({static_cast<int>(e), (1 - share) * corner_xi[a] + share * corner_xi[b],
                   (1 - share) * corner_eta[a] + share * corner_eta[b]});
  }
  return out;
}

std::vector<std::pair<int, double>> plate_weights(const PlatePart& plate, const PlatePlace& at, int derivative) {
  std::vector<std::pair<int, double>> out;
  if (!at.nodes.empty()) {
    const double share = 1 / static_cast<double>(at.nodes.size());
    for (const int node : at.nodes) {
      const PlateNode& slots = plate.model.nodes[node];
      out.emplace_back(derivative == 0 ? slots.r : derivative == 1 ? slots.g_u : slots.g_v, share);
    }
    return out;
  }
  const ThinPlateShape shape = ThinPlateShape::at(at.xi, at.eta);
  const PlateElement& element = plate.model.elements[at.element];
  const double length[3] = {1, element.parameters[0], element.parameters[1]};
  for (int k = 0; k < 12; ++k) {
    const double value = derivative == 0 ? shape.value[k] : shape.d[k][derivative - 1] / length[derivative];
    if (value != 0) out.emplace_back(element.slots[k], value * length[k % 3]);
  }
  return out;
}

}  // namespace flexura

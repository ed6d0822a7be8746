#pragma once
// Places of a plate: sets of its mesh, nodes, and points inside elements.

#include <optional>
#include <utility>
#include <vector>

#include "flexura/scene/place.hpp"
#include "flexura/scene/scene_model.hpp"

namespace flexura {

/// A set of nodes, or a point of an element.
struct PlatePlace {
  std::vector<int> nodes;
  int element = -1;
  double xi = 0, eta = 0;
};

/// Shares of the lengths of u and v, at a node where one is there; one share: the line of nodes across u there; or the name
/// of a set. Nothing: there is no such place.
std::optional<PlatePlace> find_plate_place(const SurfaceMesh& mesh, const Place& place);

/// An element's place.
struct ElementPlace {
  int element = -1;
  double xi = 0, eta = 0;
};
/// The same point in each of the elements that have it: one inside, two on a side, those around a node. Empty for several
/// nodes.
std::vector<ElementPlace> elements_at(const SurfaceMesh& mesh, const PlatePlace& at);

/// r, r_x or r_y (derivative 0, 1, 2) there as Σ weight · slot; of a set the mean of its nodes.
std::vector<std::pair<int, double>> plate_weights(const PlatePart& plate, const PlatePlace& at, int derivative);

}  // namespace flexura

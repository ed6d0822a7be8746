#pragma once
// From a place as a person names it to the part's own parameters.

#include <string>
#include <variant>
#include <vector>

#include "flexura/part/forms.hpp"
#include "flexura/part/place.hpp"

namespace flexura {

/// Why there is no such place: one sentence, and the name that was perhaps meant.
struct NoPlace {
  std::string message, nearest;
};
using FoundPlace = std::variant<MaterialPlace, NoPlace>;

/// The share of the length that a place names: an end, a share, a length.
std::variant<double, NoPlace> share_on_cable(const CablePart& cable, const Place& place);
/// The same as a place of an element; at a node where one is within 1e-9 of the length. Of `on` and `part` the caller
/// sets the latter.
FoundPlace find_on_cable(const CablePart& cable, const Place& place);
/// Shares of the lengths of u and v, at a node where one is there; one share: the line of nodes across u there; or the name
/// of a set.
FoundPlace find_on_plate(const PlatePart& plate, const Place& place);
/// Shares of a generated shape, coordinates in its own frame, or the name of a set; at a node where one is there.
FoundPlace find_on_solid(const SolidPart& solid, const Place& place);
/// The body's origin, or a named point.
FoundPlace find_on_body(const BodyPart& body, const Place& place);
/// On any part of the machine, or on the ground.
FoundPlace find_place(const Machine& machine, const Place& place);

/// The same point in each of the elements of the mesh that have it: one inside, two on a side, those around a node. Empty
/// for several nodes.
std::vector<MaterialPlace> elements_at(const SurfaceMesh& mesh, const MaterialPlace& at);
/// Of a solid those of the material that the element of the place has: across an interface nothing is averaged.
std::vector<MaterialPlace> elements_at(const SolidPart& solid, const MaterialPlace& at);
/// The elements that have the edge within which a place lies, each with that place; none where it lies in no edge, or at its end.
std::vector<MaterialPlace> elements_on_edge(const SolidMesh& mesh, const MaterialPlace& at);

}  // namespace flexura

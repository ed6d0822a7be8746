// Faces of full plates as surfaces of their own.

#include <fmt/format.h>

#include "flexura/part/machine_draft.hpp"

namespace flexura::detail {
namespace {

constexpr int along_x[] = {1, 0, 3, 2}, along_y[] = {3, 2, 1, 0};  // the corner at the other end of a corner's side

}  // namespace

std::array<int, 12> plate_surface_slots(MachineDraft& draft, const PlatePart& plate, size_t element, int side) {
  const PlateElement& e = plate.model.elements[element];
  if (side == 0) return e.slots;
  const double height = 0.5 * side * plate.thickness, bulge = 0.5 * height * height;
  const char* const face = side < 0 ? "bottom" : "top";
  const std::array<int, 4>& corners = plate.mesh.elements[element].nodes;
  const auto add = [&](LinearForm& form, int corner, double factor) {
    const PlateNode& node = plate.model.nodes[corners[corner]];
    form.terms.push_back(scaled(node.r_z, 3, factor * height));
    if (node.r_zz >= 0) form.terms.push_back(scaled(node.r_zz, 3, factor * bulge));
  };
  const std::string author = "plate." + plate.name;
  std::array<int, 12> out{};
  for (int c = 0; c < 4; ++c) {
    LinearForm place{3, {scaled(e.slots[3 * c], 3, 1)}, {}, {}};
    add(place, c, 1);
    out[3 * c] = draft.combine_once(fmt::format("{}.{}.{} face.r", plate.name, corners[c], face), SlotKind::point,
                                    place, author);
    for (const int k : {1, 2}) {
      const int next = k == 1 ? along_x[c] : along_y[c];
      const bool at_start = k == 1 ? c == 0 || c == 3 : c < 2;
      const double per = (at_start ? 1 : -1) / e.parameters[k - 1];
      LinearForm gradient{3, {scaled(e.slots[3 * c + k], 3, 1)}, {}, {}};
      add(gradient, next, per);
      add(gradient, c, -per);
      out[3 * c + k] =
          draft.combine_once(fmt::format("{}.{} face.{}.{}.r_{}", plate.name, face, element + 1, c, k == 1 ? "x" : "y"),
                             SlotKind::vector, gradient, author);
    }
  }
  return out;
}

}  // namespace flexura::detail

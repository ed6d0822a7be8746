// What solids, and full plates at their faces and in the middle, carry: the mean of the elements that have the place. Tensors in the order of material/convected.hpp.

#include <algorithm>

#include "flexura/observe/moment.hpp"

namespace flexura::detail {
namespace {

enum Level { in_middle, at_bottom, at_top, extreme };
constexpr NamedChoice levels[] = {
    {"middle", "halfway"}, {"bottom", "the other face"}, {"top", "the face on the normal's side"}};
constexpr Selection level{"face", "of the wall of a full plate", levels, where::thick};
constexpr NamedChoice levels_or_extreme[] = {
    levels[in_middle], levels[at_bottom], levels[at_top], {"extreme", "that of these with the largest"}};
constexpr Selection level_or_extreme{"face", "of the wall of a full plate", levels_or_extreme, where::thick};

/// As many as the row has, from the first of its probes on.
void read_inside_solid(const Moment& now, const BoundSensor& s, std::span<double> out, std::span<const double>) {
  for (size_t k = 0; k < out.size(); ++k) out[k] = now.mean(s, 0, static_cast<int>(k));
}

/// Of a solid, or of a full plate at a level.
void read_inside(const Moment& now, const BoundSensor& s, std::span<double> out, std::span<const double>) {
  int probe = 0;
  if (s.probes[0] < 0) {
    probe = 1 + s.choice;
    if (s.choice == extreme) {
      probe = 1;
      for (int k = 2; k < 4; ++k)
        if (now.mean(s, k) > now.mean(s, probe)) probe = k;
    }
  }
  for (size_t k = 0; k < out.size(); ++k) out[k] = now.mean(s, probe, static_cast<int>(k));
}

/// Of all elements that share it.
void read_edge_force(const Moment& now, const BoundSensor& s, std::span<double> out, std::span<const double>) {
  out[0] = now.mean(s, 0) * static_cast<double>(s.place->elements.size());
}

double largest(std::span<const double> stretches) { return stretches[0]; }

constexpr Quantity solid_rows[] = {
    {.name = "cauchy_stress",
     .unit = "Pa",
     .doc = "in space, per area as it is now: xx, yy, zz, yz, xz, xy [Pa]",
     .shape = Shape::space_tensor,
     .where = where::solid | where::thick,
     .selection = level,
     .probes = {"cauchy_11", "middle_cauchy_11", "bottom_cauchy_11", "top_cauchy_11"},
     .read = read_inside},
    {.name = "second_piola_kirchhoff",
     .unit = "Pa",
     .doc = "second Piola-Kirchhoff's stress: xx, yy, zz, yz, xz, xy of the reference [Pa]",
     .shape = Shape::space_tensor,
     .where = where::solid | where::thick,
     .selection = level,
     .probes = {"piola_11", "middle_piola_11", "bottom_piola_11", "top_piola_11"},
     .read = read_inside},
    {.name = "green_strain",
     .unit = "1",
     .doc = "Green's strain: xx, yy, zz, yz, xz, xy of the reference",
     .shape = Shape::space_tensor,
     .where = where::solid | where::thick,
     .selection = level,
     .probes = {"green_11", "middle_green_11", "bottom_green_11", "top_green_11"},
     .read = read_inside},
    {.name = "principal_stretches",
     .unit = "1",
     .doc = "lengths over those of the reference along the principal directions, largest first",
     .shape = Shape::principal,
     .where = where::solid | where::thick,
     .selection = level_or_extreme,
     .probes = {"stretch_1", "middle_stretch_1", "bottom_stretch_1", "top_stretch_1"},
     .drawn = {.order = 14,
               .name = "largest stretch",
               .doc = "length over that of the reference; of full plates the largest of faces and middle",
               .number = largest,
               .choice = extreme},
     .read = read_inside},
    {.name = "volume_ratio",
     .unit = "1",
     .doc = "volume over that of the reference, J",
     .where = where::solid | where::thick,
     .selection = level,
     .probes = {"volume_change", "middle_volume_change", "bottom_volume_change", "top_volume_change"},
     .drawn = {.order = 15,
               .name = "volume ratio",
               .doc = "volume over that of the reference; of full plates in the middle"},
     .read = read_inside},
    {.name = "hydrostatic_pressure",
     .unit = "Pa",
     .doc = "minus a third of the trace of Cauchy's stress [Pa]",
     .where = where::solid | where::thick,
     .selection = level,
     .probes = {"pressure", "middle_pressure", "bottom_pressure", "top_pressure"},
     .drawn = {.order = 16,
               .name = "hydrostatic pressure",
               .doc = "minus a third of the trace of Cauchy's stress; of full plates in the middle",
               .sign = DrawnAs::Sign::either},
     .read = read_inside},
    {.name = "fibre_stretch",
     .unit = "1",
     .doc = "length of the fibres over that at rest, of several families the largest",
     .where = where::fibred,
     .probes = {"fibre_stretch"},
     .drawn = {.order = 17, .name = "fibre stretch", .doc = "length of the fibres over that at rest"},
     .read = read_inside_solid},
    {.name = "edge_force",
     .unit = "N",
     .doc = "of what has constant strain: force along an edge of its elements, of all that share it; tension is "
            "positive [N]",
     .where = where::edge,
     .probes = {"edge_force"},
     .read = read_edge_force}};

}  // namespace

std::span<const Quantity> solid_quantities() { return solid_rows; }

}  // namespace flexura::detail

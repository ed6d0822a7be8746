// What solids carry: the mean of the elements that have the place. Tensors in the order of material/convected.hpp.

#include <algorithm>

#include "flexura/observe/moment.hpp"

namespace flexura::detail {
namespace {

/// As many as the row has, from the first of its probes on.
void read_inside_solid(const Moment& now, const BoundSensor& s, std::span<double> out, std::span<const double>) {
  for (size_t k = 0; k < out.size(); ++k) out[k] = now.mean(s, 0, static_cast<int>(k));
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
     .where = where::solid,
     .probes = {"cauchy_11"},
     .read = read_inside_solid},
    {.name = "second_piola_kirchhoff",
     .unit = "Pa",
     .doc = "second Piola-Kirchhoff's stress: xx, yy, zz, yz, xz, xy of the reference [Pa]",
     .shape = Shape::space_tensor,
     .where = where::solid,
     .probes = {"piola_11"},
     .read = read_inside_solid},
    {.name = "green_strain",
     .unit = "1",
     .doc = "Green's strain: xx, yy, zz, yz, xz, xy of the reference",
     .shape = Shape::space_tensor,
     .where = where::solid,
     .probes = {"green_11"},
     .read = read_inside_solid},
    {.name = "principal_stretches",
     .unit = "1",
     .doc = "lengths over those of the reference along the principal directions, largest first",
     .shape = Shape::principal,
     .where = where::solid,
     .probes = {"stretch_1"},
     .drawn = {.order = 14, .name = "largest stretch", .doc = "length over that of the reference", .number = largest},
     .read = read_inside_solid},
    {.name = "volume_ratio",
     .unit = "1",
     .doc = "volume over that of the reference, J",
     .where = where::solid,
     .probes = {"volume_change"},
     .drawn = {.order = 15, .name = "volume ratio", .doc = "volume over that of the reference"},
     .read = read_inside_solid},
    {.name = "hydrostatic_pressure",
     .unit = "Pa",
     .doc = "minus a third of the trace of Cauchy's stress [Pa]",
     .where = where::solid,
     .probes = {"pressure"},
     .drawn = {.order = 16,
               .name = "hydrostatic pressure",
               .doc = "minus a third of the trace of Cauchy's stress",
               .sign = DrawnAs::Sign::either},
     .read = read_inside_solid},
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

// Lengths and areas that are kept, and what keeps them.

#include <algorithm>
#include <array>
#include <cmath>

#include "flexura/observe/moment.hpp"

namespace flexura::detail {
namespace {

/// The largest where elements have multipliers of their own.
void read_tension(const Moment& now, const BoundSensor& s, std::span<double> out, std::span<const double>) {
  if (s.place->constraint < 0) return;
  for (const int multiplier : now.machine.kept[s.place->constraint].multipliers)
    if (const double tension = *now.q(multiplier); std::fabs(tension) > std::fabs(out[0])) out[0] = tension;
}

void read_size(const Moment& now, const BoundSensor& s, std::span<double> out, std::span<const double>) {
  if (s.place->constraint < 0) return;
  for (const KeptElement& element : now.machine.kept[s.place->constraint].elements) {
    std::array<double, 36> x{};
    double* next = x.data();
    for (const int slot : element.slots) next = std::copy_n(now.q(slot), now.dim(), next);
    out[0] += size_of(element, x.data());
  }
}

constexpr Quantity constraint_rows[] = {{.name = "length",
                                         .unit = "m",
                                         .doc = "of the lines of a constraint [m]",
                                         .where = where::kept_length,
                                         .read = read_size},
                                        {.name = "tension",
                                         .unit = "N",
                                         .doc = "with which a constraint keeps a length; the largest of its elements' "
                                                "[N]",
                                         .where = where::kept_length,
                                         .needs = needs::multipliers,
                                         .read = read_tension},
                                        {.name = "area",
                                         .unit = "m^2",
                                         .doc = "of the surface of a constraint [m^2]",
                                         .where = where::kept_area,
                                         .read = read_size},
                                        {.name = "surface_tension",
                                         .unit = "N/m",
                                         .doc = "with which a constraint keeps an area; the largest of its elements' "
                                                "[N/m]",
                                         .where = where::kept_area,
                                         .needs = needs::multipliers,
                                         .read = read_tension}};

}  // namespace

std::span<const Quantity> constraint_quantities() { return constraint_rows; }

}  // namespace flexura::detail

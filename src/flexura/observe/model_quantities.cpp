// Quantities of the whole model: violations, energies, momenta, signals.

#include <algorithm>

#include "flexura/observe/moment.hpp"

namespace flexura::detail {
namespace {

constexpr NamedChoice families[] = {
    {"all", "all that carry multipliers"},
    {"rigidity", "lengths and angles that keep bodies and nodes of beams rigid"},
    {"distance", "distance joints; of nodes of a plate from the centre of method = \"relations\""},
    {"angle", "of those nodes about the centre"},
    {"orthogonality", "of those nodes and their gradients"},
    {"length", "lengths that are kept"},
    {"area", "areas that are kept"},
    {"offset", "points on planes and lines, also those of the families above"},
    {"offset_coordinate", "displacements of joints"},
    {"joint_angle", "angles of joints"},
    {"distance_coordinate", "lengths of trusses"},
    {"vector_length", "all lengths of vectors, also those of the families above"},
    {"inner_product", "all angles between vectors, also those of the families above"}};

void read_violation(const Moment& now, const BoundSensor& s, std::span<double> out, std::span<const double>) {
  out[0] = now.violations->position(s.rows);
  out[1] = now.violations->rate(s.rows);
}

constexpr NamedChoice energies[] = {
    {"total", "kinetic, strain and gravity"},         {"kinetic", "kinetic energy"},
    {"strain", "energy stored in parts and springs"}, {"gravity", "potential energy of weight"},
    {"dissipated", "dissipated since the start"},     {"work", "done by loads since the start"}};

void read_energy(const Moment& now, const BoundSensor& s, std::span<double> out, std::span<const double>) {
  const Energies& e = now.energies;
  const double in_order[] = {e.kinetic + e.strain + e.gravity, e.kinetic, e.strain, e.gravity, e.dissipated, e.work};
  static_assert(std::size(in_order) == std::size(energies));
  out[0] = in_order[s.choice];
}

/// add(slot, p): of each slot of points or vectors, what of M v belongs to it.
void for_momenta(const Moment& now, auto&& add) {
  std::fill(now.momentum.begin(), now.momentum.end(), 0.0);
  now.assembler->subtract_mass_times(now.state->v.data(), -1.0, now.momentum.data());
  for (const Slot& slot : now.topology.slots)
    if (slot.kind == SlotKind::point || slot.kind == SlotKind::vector)
      add(slot, now.vector(&now.momentum[slot.offset]));
}

/// A translation moves points and leaves vectors.
void read_momentum(const Moment& now, const BoundSensor&, std::span<double> out, std::span<const double>) {
  for_momenta(now, [&](const Slot& slot, const Triple& p) {
    for (size_t i = 0; i < out.size() && slot.kind == SlotKind::point; ++i) out[i] += p[i];
  });
}

/// A rotation about the origin turns points and vectors alike.
void read_angular_momentum(const Moment& now, const BoundSensor&, std::span<double> out, std::span<const double>) {
  for_momenta(
      now, [&](const Slot& slot, const Triple& p) { add_moment(now.vector(&now.state->q[slot.offset]), p, 1.0, out); });
}

void read_signal(const Moment& now, const BoundSensor& s, std::span<double> out, std::span<const double>) {
  if (s.place->signal >= 0 && !now.signals.empty()) out[0] = now.signals[s.place->signal].u;
}

constexpr Quantity model_rows[] = {{.name = "constraint_violation",
                                    .unit = "",
                                    .doc = "largest |Phi| and largest |dPhi/dt|",
                                    .shape = Shape::violation,
                                    .selection = {"of", "family of constraints", families},
                                    .part_doc = "only those of this joint or body",
                                    .needs = needs::violations,
                                    .read = read_violation},
                                   {.name = "energy",
                                    .unit = "J",
                                    .doc = "an energy of the whole model [J]",
                                    .selection = {"of", "which", energies},
                                    .needs = needs::energies,
                                    .read = read_energy},
                                   {.name = "momentum",
                                    .unit = "kg m/s",
                                    .doc = "linear momentum of the whole model [kg m/s]",
                                    .shape = Shape::vector,
                                    .read = read_momentum},
                                   {.name = "angular_momentum",
                                    .unit = "kg m^2/s",
                                    .doc = "angular momentum of the whole model about the origin of space [kg m^2/s]",
                                    .shape = Shape::turning,
                                    .read = read_angular_momentum},
                                   {.name = "signal",
                                    .unit = "",
                                    .doc = "a signal",
                                    .where = where::signal,
                                    .needs = needs::signals,
                                    .read = read_signal}};

}  // namespace

std::span<const Quantity> model_quantities() { return model_rows; }

}  // namespace flexura::detail

// What is in chambers that parts enclose. Their pressure is that of loads, in joint_quantities.cpp.

#include "flexura/observe/moment.hpp"

namespace flexura::detail {
namespace {

/// V(X) and what the rows of the faces add to it.
void read_volume(const Moment& now, const BoundSensor& s, std::span<double> out, std::span<const double>) {
  if (s.place->chamber < 0) return;
  out[0] = now.machine.chambers[s.place->chamber].volume;
  for (const JointReaction::ItemShare& face : s.place->item_shares) {
    if (!face.item.exists()) continue;
    const size_t slots = now.topology.batches[face.item.batch].type->info.slots.size();
    out[0] += now.force(face.item, static_cast<int>(slots) - 1)[0];
  }
}

/// The slot, or the filling with what a signal added to it.
void read_gas_mass(const Moment& now, const BoundSensor& s, std::span<double> out, std::span<const double>) {
  if (s.place->chamber < 0) return;
  const ChamberPart& chamber = now.machine.chambers[s.place->chamber];
  if (chamber.mass >= 0) {
    out[0] = *now.q(chamber.mass);
    return;
  }
  out[0] = chamber.filling;
  for (const JointReaction::ItemShare& gas : s.place->item_shares)
    if (gas.item.exists()) out[0] += chamber.filling * now.assembler->signals()[now.slot_of(gas.item, gas.slot)];
}

constexpr Quantity chamber_rows[] = {{.name = "volume",
                                      .unit = "m^3",
                                      .doc = "that a chamber's walls enclose [m^3]",
                                      .where = where::enclosed,
                                      .read = read_volume},
                                     {.name = "gas_mass",
                                      .unit = "kg",
                                      .doc = "of the gas in a chamber [kg]",
                                      .where = where::gas_inside,
                                      .needs = needs::signals,
                                      .read = read_gas_mass}};

}  // namespace

std::span<const Quantity> chamber_quantities() { return chamber_rows; }

}  // namespace flexura::detail

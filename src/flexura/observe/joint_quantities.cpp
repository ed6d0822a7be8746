// What joints carry, what springs and loads do, and what lies between two places.

#include <algorithm>
#include <cmath>

#include "flexura/observe/moment.hpp"

namespace flexura::detail {
namespace {

/// What counts of the force on a slot.
Triple share_of(const JointReaction::Share& share, const Triple& force) {
  return share.along == Triple{} ? force : dot(force, share.along) * share.along;
}

void read_reaction(const Moment& now, const BoundSensor& s, std::span<double> out, std::span<const double>) {
  const SensorPlace& at = *s.place;
  const int dim = now.dim();
  if (at.multiplier >= 0) {  // tension pulls the second end towards the first
    const double tension = *now.q(at.multiplier);
    double length = 0, d[3];
    for (int i = 0; i < dim; ++i) {
      d[i] = now.q(at.rod_ends[1])[i] - now.q(at.rod_ends[0])[i];
      length += d[i] * d[i];
    }
    for (int i = 0; i < dim; ++i) out[i] = -tension * d[i] / std::sqrt(length);
  }
  if (now.relations != nullptr) {
    const std::vector<double>& carried = now.relations->carried_without(at.author);
    for (const JointReaction::Share& share : at.shares) {
      if (share.point < 0) continue;
      const Triple force = share_of(share, now.vector(&carried[now.slot(share.point).offset]));
      for (int i = 0; i < dim; ++i) out[i] += at.sign * share.sign * -force[i];
    }
    for (const JointReaction::Tie& tie : at.ties)
      if (const Slot& slot = now.slot(tie.slot); slot.kind == SlotKind::point) {
        const Triple force = now.relations->force(tie.relation, tie.slot);
        for (int i = 0; i < dim; ++i) out[i] += tie.sign * force[i];
      }
  }
  add_item_forces(now, at.item_shares, out);
}

void read_reaction_moment(const Moment& now, const BoundSensor& s, std::span<double> out, std::span<const double>) {
  const SensorPlace& at = *s.place;
  const Triple about = at.point >= 0 ? now.vector(now.q(at.point)) : Triple{};
  const auto add = [&](SlotKind kind, int slot, const Triple& force, double factor) {
    Triple x = now.vector(now.q(slot));
    if (kind == SlotKind::point) {
      if (at.point < 0) return;
      for (int i = 0; i < 3; ++i) x[i] -= about[i];
    }
    add_moment(x, force, factor, out);
  };
  if (now.relations != nullptr) {
    const std::vector<double>& carried = now.relations->carried_without(at.author);
    for (const JointReaction::Share& share : at.shares)
      for (const int slot : {share.point, share.vector})
        if (slot >= 0)
          add(now.slot(slot).kind, slot, share_of(share, now.vector(&carried[now.slot(slot).offset])),
              -at.sign * share.sign);
    for (const JointReaction::Tie& tie : at.ties)
      if (const SlotKind kind = now.slot(tie.slot).kind; kind != SlotKind::scalar)
        add(kind, tie.slot, now.relations->force(tie.relation, tie.slot), tie.sign);
  }
  add_item_moments(now, at.item_shares, at.point >= 0 ? &about : nullptr, out);
}

void read_multipliers(const Moment& now, const BoundSensor& s, std::span<double> out, std::span<const double>) {
  for (size_t k = 0; k < s.place->multipliers.size(); ++k)
    if (s.place->multipliers[k] >= 0) out[k] = *now.q(s.place->multipliers[k]);
}

/// What acts on the coordinate and on those geared to it, held in balance.
void read_drive(const Moment& now, const BoundSensor& s, std::span<double> out, std::span<const double>) {
  for (const auto& [slot, ratio] : s.place->driven)
    out[0] -= ratio * now.residual[static_cast<std::size_t>(now.slot(slot).offset)];
}

/// The force of a spring or load; the torque too, or that of a beam's section.
void read_item(const Moment& now, const BoundSensor& s, std::span<double> out, std::span<const double>) {
  add_item_efforts(now, s.place->item_shares, out);
}
void read_torque(const Moment& now, const BoundSensor& s, std::span<double> out, std::span<const double> last) {
  if (s.place->elements.empty()) return read_item(now, s, out, last);
  out[0] = now.mean(s, 0);
}

/// The largest of the chambers; slots or effective signals [Pa].
void read_pressure(const Moment& now, const BoundSensor& s, std::span<double> out, std::span<const double>) {
  if (s.place->chamber >= 0) out[0] = *now.q(now.machine.chambers[s.place->chamber].pressure);
  for (const JointReaction::ItemShare& share : s.place->item_shares) {
    if (!share.item.exists()) continue;
    const double u = now.assembler->signals()[now.slot_of(share.item, share.slot)];
    if (std::fabs(u) > std::fabs(out[0])) out[0] = u;
  }
}

void read_distance(const Moment& now, const BoundSensor& s, std::span<double> out, std::span<const double>) {
  out[0] = norm(now.at(s.place->ends[1]) - now.at(s.place->ends[0]));
}

constexpr Quantity joint_rows[] = {
    {.name = "reaction",
     .unit = "N",
     .doc = "force of the first place on the second; of the ground on a point that is fixed [N]",
     .shape = Shape::vector,
     .where = where::joint_reaction | where::fixed_point,
     .needs = needs::residual | needs::multipliers,
     .read = read_reaction},
    {.name = "reaction_moment",
     .unit = "N m",
     .doc = "moment of the first place on the second, about it [N m]",
     .shape = Shape::turning,
     .where = where::joint_reaction,
     .needs = needs::residual | needs::multipliers,
     .read = read_reaction_moment},
    {.name = "multiplier",
     .unit = "",
     .doc = "all multipliers of a joint; those of least size where equations are redundant",
     .shape = Shape::multipliers,
     .where = where::joint_multipliers,
     .needs = needs::multipliers,
     .read = read_multipliers},
    {.name = "drive_torque",
     .unit = "N m",
     .doc = "what prescribes the angle of a joint does to it [N m]",
     .where = where::driven_angle,
     .needs = needs::residual | needs::multipliers,
     .read = read_drive},
    {.name = "drive_force",
     .unit = "N",
     .doc = "what prescribes the displacement of a joint does to it [N]",
     .where = where::driven_offset,
     .needs = needs::residual | needs::multipliers,
     .read = read_drive},
    {.name = "distance",
     .unit = "m",
     .doc = "between two places [m]",
     .where = where::two_places,
     .read = read_distance},
    {.name = "force",
     .unit = "N",
     .doc = "of a spring, truss, friction or motor: what it pulls its two places together with, or does "
            "to a displacement [N]",
     .where = where::item_force,
     .needs = needs::signals,
     .drawn = {.order = 5, .name = "axial force", .doc = "tension is positive", .sign = DrawnAs::Sign::either},
     .read = read_item},
    {.name = "torque",
     .unit = "N m",
     .doc = "of a spring, friction or motor: what it does to an angle; of a beam: about the axis of its section [N m]",
     .where = where::item_torque | where::beam,
     .probes = {"torque"},
     .needs = needs::signals,
     .drawn = {.order = 6, .name = "torque", .doc = "about the axis of the section", .sign = DrawnAs::Sign::either},
     .read = read_torque},
    {.name = "pressure",
     .unit = "Pa",
     .doc = "of a chamber: over the ambient; of a load: in its chamber, or on its plate or solid [Pa]",
     .where = where::chamber | where::enclosed,
     .needs = needs::signals,
     .drawn = {.order = 11,
               .name = "pressure",
               .doc = "in the chamber",
               .shared_doc = "largest of the chambers there",
               .sign = DrawnAs::Sign::either},
     .read = read_pressure}};

}  // namespace

std::span<const Quantity> joint_quantities() { return joint_rows; }

}  // namespace flexura::detail

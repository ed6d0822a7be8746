#include "flexura/part/machine_draft.hpp"

#include <algorithm>

namespace flexura::detail {

// Times are those of a pendulum of the same length; without gravity a second.
double Loading::force_per_length(double at_least) const {
  const double without_gravity = rate > 0 ? rate * rate : 1;
  const double size = std::max(length, at_least);
  const double sum = mass * (acceleration > 0 ? acceleration / size : without_gravity) + stiffness;
  return sum > 0 ? sum : 1;
}

double Loading::torque_per_angle() const {
  const double size = length > 0 ? length : 1;
  return force_per_length(size) * size * size;
}

void MachineDraft::set_initial(int slot, const Triple& q, const Triple& v) {
  const auto n = static_cast<size_t>(dim());
  builder.set_initial(slot, {q.data(), n}, {v.data(), n});
  initial[slot] = q;
  velocity[slot] = v;
}

void MachineDraft::note_motion(const InitialMotion& motion, const std::vector<int>& slots) {
  if ((!motion.velocity && !motion.angular_velocity) || slots.empty()) return;
  // A rotation alone is about nothing in particular: the joints say how its first point moves.
  const bool is_rotation = !motion.velocity && !motion.about;
  machine.stated_velocities.insert(machine.stated_velocities.end(), slots.begin() + (is_rotation ? 1 : 0), slots.end());
}

int MachineDraft::combine(std::string name, SlotKind kind, const LinearForm& form, const std::string& author) {
  return builder.combination(std::move(name), kind, form, author);
}

int MachineDraft::combine_once(const std::string& name, SlotKind kind, const LinearForm& form,
                               const std::string& author) {
  const auto [slot, fresh] = made.emplace(name, -1);
  if (fresh) slot->second = combine(name, kind, form, author);
  return slot->second;
}

int MachineDraft::fixed_slot(const std::string& name, SlotKind kind, const Triple& X, const Source& source) {
  const auto [slot, fresh] = made.emplace(name, -1);
  if (fresh) {
    slot->second = builder.slot(name, kind, {X.data(), static_cast<size_t>(dim())});
    builder.fix(slot->second, "ground", source);
    fixed.insert(slot->second);
  }
  return slot->second;
}

void MachineDraft::define(int slot, LinearForm form, const Origin& author, const Source& source) {
  builder.define(slot, std::move(form), author.path, source);
}

bool MachineDraft::holds_anew(int slot, const Triple& n, int body) {
  std::vector<Triple>& known = held[{slot, body}];
  Triple rest = n;
  for (const Triple& d : known) rest = rest - dot(rest, d) * d;
  const double size = norm(rest);
  if (size <= 1e-9) return false;
  known.push_back((1 / size) * rest);
  return true;
}

}  // namespace flexura::detail

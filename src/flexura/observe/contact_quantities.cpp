// What touches, from what the state remembers of it; and how far it is apart.

#include <algorithm>
#include <limits>

#include "flexura/observe/moment.hpp"
#include "flexura/solve/contact_geometry.hpp"

namespace flexura::detail {
namespace {

void read_contact_force(const Moment& now, const BoundSensor& s, std::span<double> out, std::span<const double>) {
  const int member = s.place->touching[0];
  for (const ContactRecord& record : now.state->contacts) {
    const ContactKey key = ContactKey::unpacked(record.key);
    const bool first = now.machine.contacts.belong_together(key.a, member);
    if (!first && !now.machine.contacts.belong_together(key.b, member)) continue;
    const ContactGap at = contact_gap(now.machine.contacts, now.topology, key, now.state->q.data());
    const double force = first ? record.force : -record.force;
    for (size_t i = 0; i < out.size(); ++i) out[i] += force * at.normal[static_cast<int>(i)];
  }
}

void read_contact_count(const Moment& now, const BoundSensor& s, std::span<double> out, std::span<const double>) {
  if (s.place->contact < 0) return;
  for (const ContactRecord& record : now.state->contacts)
    out[0] += now.machine.contacts.group_of(ContactKey::unpacked(record.key)) == s.place->contact;
}

void read_gap(const Moment& now, const BoundSensor& s, std::span<double> out, std::span<const double>) {
  const auto [a, b] = s.place->touching;
  const ContactModel& contacts = now.machine.contacts;
  const auto each = [&](int member, auto&& f) {
    for (int other = 0; other < contacts.size(); ++other)
      if (contacts.belong_together(other, member)) f(other);
  };
  out[0] = std::numeric_limits<double>::infinity();
  each(a, [&](int first) {
    each(b, [&](int second) {
      out[0] = std::min(out[0], contact_gap(contacts, now.topology, {first, second}, now.state->q.data()).gap);
    });
  });
}

constexpr Quantity contact_rows[] = {
    {.name = "contact_force",
     .unit = "N",
     .doc = "of all contacts on a sphere or plane: impulse of a step over its length; in statics the force [N]",
     .shape = Shape::vector,
     .where = where::touching,
     .read = read_contact_force},
    {.name = "contact_count",
     .unit = "1",
     .doc = "how many contacts are closed",
     .where = where::contact,
     .read = read_contact_count},
    {.name = "gap",
     .unit = "m",
     .doc = "between the surfaces of a sphere and another or a plane; of nodes the smallest [m]",
     .where = where::two_touching,
     .read = read_gap}};

}  // namespace

std::span<const Quantity> contact_quantities() { return contact_rows; }

}  // namespace flexura::detail

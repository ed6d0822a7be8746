#include "flexura/solve/contact_geometry.hpp"

namespace flexura {

ContactGap contact_gap(const ContactModel& contacts, const Topology& topology, ContactKey key, const double* q) {
  const auto center = [&](int member) {
    Vec<3, double> x{};
    for (int i = 0; i < topology.dim; ++i) x[i] = q[topology.slots[contacts.spheres[member].slot].offset + i];
    return x;
  };
  const Vec<3, double> a = center(key.a);
  const double radius = contacts.spheres[key.a].radius;
  if (contacts.is_plane(key.b)) {
    const ContactPlane& plane = contacts.plane(key.b);
    const Vec<3, double> n{plane.normal[0], plane.normal[1], plane.normal[2]};
    return {n, dot(n, a - Vec<3, double>{plane.point[0], plane.point[1], plane.point[2]}) - radius};
  }
  const Vec<3, double> d = a - center(key.b);
  const double distance = norm(d);
  return {distance > 0 ? d / distance : Vec<3, double>{}, distance - radius - contacts.spheres[key.b].radius};
}

}  // namespace flexura

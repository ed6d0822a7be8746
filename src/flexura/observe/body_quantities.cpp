// How rigid bodies lie and turn.

#include <algorithm>

#include "flexura/observe/body_motion.hpp"
#include "flexura/observe/moment.hpp"

namespace flexura::detail {
namespace {

void read_body(const Moment& now, const BoundSensor& s, std::span<double> out, std::span<const double> last) {
  if (s.place->body >= 0) read_frame(now.machine.bodies[s.place->body], now.topology, now.state->q, out, last);
}

template <std::vector<double> State<double>::* Rates>
void read_turning(const Moment& now, const BoundSensor& s, std::span<double> out, std::span<const double>) {
  if (s.place->body < 0) return;
  const BodyPart& body = now.machine.bodies[s.place->body];
  const Topology& topology = now.topology;
  const Triple w =
      turning(body, body_frame(body, topology, now.state->q), body_frame(body, topology, now.state->*Rates));
  std::copy_n(w.begin() + (out.size() == 1 ? 2 : 0), out.size(), out.begin());
}

constexpr Quantity body_rows[] = {{.name = "frame",
                                   .unit = "",
                                   .doc = "position [m] and orientation of a body: an angle [rad], or quat_xyzw",
                                   .shape = Shape::frame,
                                   .where = where::body,
                                   .read = read_body},
                                  {.name = "angular_velocity",
                                   .unit = "rad/s",
                                   .doc = "of a body [rad/s]",
                                   .shape = Shape::turning,
                                   .where = where::body,
                                   .read = read_turning<&State<double>::v>},
                                  {.name = "angular_acceleration",
                                   .unit = "rad/s^2",
                                   .doc = "of a body [rad/s^2]",
                                   .shape = Shape::turning,
                                   .where = where::body,
                                   .read = read_turning<&State<double>::a>}};

}  // namespace

std::span<const Quantity> body_quantities() { return body_rows; }

}  // namespace flexura::detail

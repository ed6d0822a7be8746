// How rigid bodies lie and turn.

#include <algorithm>

#include "flexura/observe/body_motion.hpp"
#include "flexura/observe/moment.hpp"

namespace flexura::detail {
namespace {

/// Of a body, or of a node of a beam, whose directors are its axes; or their rates, whichever `from` holds.
BodyFrame frame_at(const Moment& now, const SensorPlace& place, const std::vector<double>& from) {
  if (place.body >= 0) return body_frame(now.machine.bodies[place.body], now.topology, from);
  BodyFrame frame{now.at(place.place, from), {}};
  for (size_t i = 0; i < 3; ++i) frame.axes[i] = now.at(place.directors[i], from);
  return frame;
}

int axes_at(const Moment& now, const SensorPlace& place) {
  return place.body >= 0 ? now.machine.bodies[place.body].axes : place.directors[0].empty() ? 0 : 3;
}

void read_body(const Moment& now, const BoundSensor& s, std::span<double> out, std::span<const double> last) {
  const int axes = axes_at(now, *s.place);
  if (axes > 0) read_frame(axes, frame_at(now, *s.place, now.state->q), out, last);
}

template <std::vector<double> State<double>::* Rates>
void read_turning(const Moment& now, const BoundSensor& s, std::span<double> out, std::span<const double>) {
  const Triple w = turning(axes_at(now, *s.place), frame_at(now, *s.place, now.state->q),
                           frame_at(now, *s.place, now.state->*Rates));
  std::copy_n(w.begin() + (out.size() == 1 ? 2 : 0), out.size(), out.begin());
}

constexpr Quantity body_rows[] = {
    {.name = "frame",
     .unit = "",
     .doc = "position [m] and orientation of a body or of a node of a beam: an angle [rad], or quat_xyzw",
     .shape = Shape::frame,
     .where = where::body | where::beam_node,
     .read = read_body},
    {.name = "angular_velocity",
     .unit = "rad/s",
     .doc = "of a body, or of a node of a beam [rad/s]",
     .shape = Shape::turning,
     .where = where::body | where::beam_node,
     .read = read_turning<&State<double>::v>},
    {.name = "angular_acceleration",
     .unit = "rad/s^2",
     .doc = "of a body, or of a node of a beam [rad/s^2]",
     .shape = Shape::turning,
     .where = where::body | where::beam_node,
     .read = read_turning<&State<double>::a>}};

}  // namespace

std::span<const Quantity> body_quantities() { return body_rows; }

}  // namespace flexura::detail

// Where a place is and how it moves, how its material lies, and the coordinates of joints.

#include <cmath>

#include "flexura/observe/body_motion.hpp"
#include "flexura/observe/moment.hpp"

namespace flexura::detail {
namespace {

template <std::vector<double> State<double>::* From>
void read_place(const Moment& now, const BoundSensor& s, std::span<double> out, std::span<const double>) {
  now.at(s.place->place, now.state->*From, out);
}

void read_speed(const Moment& now, const BoundSensor& s, std::span<double> out, std::span<const double>) {
  out[0] = norm(now.at(s.place->place, now.state->v));
}

enum Axis { u, v, normal };
constexpr NamedChoice axes[] = {{"u", "tangent along u"}, {"v", "along v"}, {"normal", "of the top face"}};

void read_direction(const Moment& now, const BoundSensor& s, std::span<double> out, std::span<const double>) {
  const Triple along = now.at(s.place->along);
  const Triple wanted = s.choice == Axis::normal ? cross(along, now.at(s.place->across))
                        : s.choice == Axis::v    ? now.at(s.place->across)
                                                 : along;
  double size = 0;
  for (size_t i = 0; i < out.size(); ++i) size += wanted[i] * wanted[i];
  size = std::sqrt(size);
  for (size_t i = 0; i < out.size(); ++i) out[i] = wanted[i] / (size > 0 ? size : 1);
}

void read_coordinate(const Moment& now, const BoundSensor& s, std::span<double> out, std::span<const double>) {
  if (s.place->coordinate >= 0) out[0] = *now.q(s.place->coordinate);
}

void read_coordinate_rate(const Moment& now, const BoundSensor& s, std::span<double> out, std::span<const double>) {
  if (s.place->coordinate >= 0) out[0] = now.state->v[static_cast<std::size_t>(now.slot(s.place->coordinate).offset)];
}

/// Of a joint, or of the tangent from +X, +X itself where there is none.
void read_angle(const Moment& now, const BoundSensor& s, std::span<double> out, std::span<const double> last) {
  if (s.place->coordinate >= 0) return read_coordinate(now, s, out, last);
  const Triple g = s.place->along.empty() ? Triple{1, 0, 0} : now.at(s.place->along);
  out[0] = unwrapped(std::atan2(g[1], g[0]), last[0]);
}

constexpr unsigned anywhere = where::point | where::line | where::plate | where::body | where::solid;

constexpr Quantity place_rows[] = {
    {.name = "position",
     .unit = "m",
     .doc = "coordinates [m]",
     .shape = Shape::vector,
     .where = anywhere,
     .read = read_place<&State<double>::q>},
    {.name = "velocity",
     .unit = "m/s",
     .doc = "velocity [m/s]",
     .shape = Shape::vector,
     .where = anywhere,
     .read = read_place<&State<double>::v>},
    {.name = "acceleration",
     .unit = "m/s^2",
     .doc = "acceleration [m/s^2]",
     .shape = Shape::vector,
     .where = anywhere,
     .read = read_place<&State<double>::a>},
    {.name = "speed",
     .unit = "m/s",
     .doc = "size of the velocity [m/s]",
     .where = anywhere,
     .drawn = {.order = 12, .name = "speed", .doc = "of bodies: at the centre of mass"},
     .read = read_speed},
    {.name = "direction",
     .unit = "1",
     .doc = "unit tangent",
     .shape = Shape::vector,
     .where = where::line | where::wall | where::body,
     .selection = {"axis", "on a plate, which", axes, where::wall},
     .read = read_direction},
    {.name = "angle",
     .unit = "rad",
     .doc = "counting whole turns [rad]: of the tangent from +X at a place, or between the "
            "parts of a joint",
     .where = where::line | where::body | where::joint_angle,
     .read = read_angle},
    {.name = "displacement",
     .unit = "m",
     .doc = "of a prismatic or cylindrical joint along its axis; of a truss: by how much it is longer than in the "
            "reference [m]",
     .where = where::joint_offset,
     .read = read_coordinate},
    {.name = "angle_rate",
     .unit = "rad/s",
     .doc = "rate of the angle of a joint [rad/s]",
     .where = where::joint_angle,
     .read = read_coordinate_rate},
    {.name = "displacement_rate",
     .unit = "m/s",
     .doc = "rate of the displacement of a joint, or of the length of a truss [m/s]",
     .where = where::joint_offset,
     .read = read_coordinate_rate}};

}  // namespace

std::span<const Quantity> place_quantities() { return place_rows; }

}  // namespace flexura::detail

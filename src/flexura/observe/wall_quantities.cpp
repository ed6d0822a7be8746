// What the walls of plates carry: the mean of the elements around the place, each turned into the sensor's axes.

#include <algorithm>
#include <cmath>

#include "flexura/observe/moment.hpp"

namespace flexura::detail {
namespace {

enum Face { top, bottom, middle, larger };
constexpr NamedChoice faces[] = {
    {"top", "on the normal's side"}, {"bottom", "the other one"}, {"middle", "halfway; stress: mean of the wall"}};
constexpr Selection face{"face", "of the wall", faces};
constexpr NamedChoice faces_or_larger[] = {faces[top], faces[bottom], faces[middle], {"larger", "of top and bottom"}};
constexpr Selection face_or_larger_of_plate{"face", "of the wall of a plate", faces_or_larger, where::wall};

/// Of (11, 22, 12): the principal value of larger size.
double principal(std::span<const double> x) {
  const double mean = 0.5 * (x[0] + x[1]), radius = std::hypot(0.5 * (x[0] - x[1]), x[2]);
  return mean >= 0 ? mean + radius : mean - radius;
}
double principal_size(std::span<const double> x) { return std::fabs(principal(x)); }

/// of(three, one): the tensor in one element, from its tensors and numbers by their place in Quantity::probes.
Triple mean(const Moment& now, const BoundSensor& s, auto&& of) {
  Triple sum{};
  const std::span<const Probes> inside = now.inside(*s.place);
  const auto count = static_cast<double>(inside.size());
  for (size_t e = 0; e < inside.size(); ++e) {
    const SensorPlace::Element& at = s.place->elements[e];
    const Probes& values = inside[e];
    const auto one = [&](int k) { return values[s.probes[k]]; };
    const auto three = [&](int k) {
      const double* first = &values[s.probes[k]];
      return Triple{first[0], first[1], first[2]};
    };
    const Triple x = of(three, one);
    const double c = at.cosine, n = at.sine;
    const Triple turned{c * c * x[0] + n * n * x[1] - 2 * n * c * x[2], n * n * x[0] + c * c * x[1] + 2 * n * c * x[2],
                        n * c * (x[0] - x[1]) + (c * c - n * n) * x[2]};
    sum = sum + (1 / count) * turned;
  }
  return sum;
}

void write(const Triple& tensor, std::span<double> out) { std::copy(tensor.begin(), tensor.end(), out.begin()); }

void read_tensor(const Moment& now, const BoundSensor& s, std::span<double> out, std::span<const double>) {
  write(mean(now, s, [](auto&& three, auto&&) { return three(0); }), out);
}

/// ε + z κ.
void read_strain(const Moment& now, const BoundSensor& s, std::span<double> out, std::span<const double>) {
  const double side = s.choice == Face::top ? 1 : s.choice == Face::bottom ? -1 : 0;
  write(mean(now, s, [&](auto&& three, auto&& one) { return three(0) + (0.5 * side * one(2)) * three(1); }), out);
}

Triple face_stress(const Moment& now, const BoundSensor& s) {
  return mean(now, s, [&](auto&& three, auto&& one) {
    return s.choice == Face::top ? three(0) : s.choice == Face::bottom ? three(1) : (1 / one(3)) * three(2);
  });
}

void read_stress(const Moment& now, const BoundSensor& s, std::span<double> out, std::span<const double>) {
  write(face_stress(now, s), out);
}

/// The larger one: of the elements' own, so that it has no axes.
void read_von_mises(const Moment& now, const BoundSensor& s, std::span<double> out, std::span<const double>) {
  if (s.probes[5] >= 0) {  // in a solid
    out[0] = now.mean(s, 5);
    return;
  }
  if (s.choice == Face::larger) {
    out[0] = std::max(now.mean(s, 4), now.mean(s, 4, 1));
    return;
  }
  const Triple x = face_stress(now, s);
  out[0] = std::sqrt(x[0] * x[0] - x[0] * x[1] + x[1] * x[1] + 3 * x[2] * x[2]);
}

constexpr Quantity wall_rows[] = {{.name = "membrane_force",
                                   .unit = "N/m",
                                   .doc = "N11, N22, N12 per length of the reference [N/m]",
                                   .shape = Shape::tensor,
                                   .where = where::wall,
                                   .probes = {"N11"},
                                   .drawn = {.order = 9,
                                             .name = "membrane force",
                                             .doc = "principal one of larger size, per length; tension is positive",
                                             .sign = DrawnAs::Sign::either,
                                             .number = principal},
                                   .read = read_tensor},
                                  {.name = "bending_moment",
                                   .unit = "N",
                                   .doc = "M11, M22, M12 per length; positive ones stretch the top face [N]",
                                   .shape = Shape::tensor,
                                   .where = where::wall,
                                   .probes = {"M11"},
                                   .drawn = {.order = 10,
                                             .name = "plate bending moment",
                                             .doc = "size of the larger principal moment, per length",
                                             .number = principal_size},
                                   .read = read_tensor},
                                  {.name = "membrane_strain",
                                   .unit = "1",
                                   .doc = "Green's strain of the middle surface, 11, 22, 12",
                                   .shape = Shape::tensor,
                                   .where = where::wall,
                                   .probes = {"E11"},
                                   .read = read_tensor},
                                  {.name = "curvature_change",
                                   .unit = "1/m",
                                   .doc = "11, 22, 12; positive ones stretch the top face [1/m]",
                                   .shape = Shape::tensor,
                                   .where = where::wall,
                                   .probes = {"K11"},
                                   .read = read_tensor},
                                  {.name = "strain",
                                   .unit = "1",
                                   .doc = "Green's strain of a face, 11, 22, 12",
                                   .shape = Shape::tensor,
                                   .where = where::wall,
                                   .selection = face,
                                   .probes = {"E11", "K11", "thickness"},
                                   .read = read_strain},
                                  {.name = "stress",
                                   .unit = "Pa",
                                   .doc = "11, 22, 12 at a face [Pa]",
                                   .shape = Shape::tensor,
                                   .where = where::wall,
                                   .selection = face,
                                   .probes = {"top_11", "bottom_11", "N11", "thickness"},
                                   .read = read_stress},
                                  {.name = "von_mises",
                                   .unit = "Pa",
                                   .doc = "von Mises' stress [Pa]: at a face of a plate, of Cauchy's stress in a solid",
                                   .where = where::wall | where::solid,
                                   .selection = face_or_larger_of_plate,
                                   .probes = {"top_11", "bottom_11", "N11", "thickness", "top_von_mises", "von_mises"},
                                   .drawn = {.order = 8,
                                             .name = "von Mises stress",
                                             .doc = "of plates the larger of both faces",
                                             .choice = Face::larger},
                                   .read = read_von_mises}};

}  // namespace

std::span<const Quantity> wall_quantities() { return wall_rows; }

}  // namespace flexura::detail

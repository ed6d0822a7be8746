// What sections of cables and beams carry.

#include <cmath>

#include "flexura/observe/moment.hpp"

namespace flexura::detail {
namespace {

/// The row's quantity inside the element.
void read_section(const Moment& now, const BoundSensor& s, std::span<double> out, std::span<const double>) {
  if (s.spec.elements.empty() || s.probes[0] < 0) return;
  out[0] = now.inside(s.spec.elements[0])[s.probes[0]];
}

/// |∂r/∂ξ| / |∂R/∂ξ|: of the line, also where sections shear.
void read_stretch(const Moment& now, const BoundSensor& s, std::span<double> out, std::span<const double>) {
  Triple before{};
  now.at(s.spec.slope, now.machine.model.values.reference, before);
  out[0] = norm(now.at(s.spec.slope)) / norm(before);
}

/// Q, the elastic force conjugate to r_x of a node.
std::array<double, 2> node_force(const Moment& now, const BoundSensor& s) {
  const int offset = now.slot(s.spec.vector).offset;
  return {-now.elastic[offset], -now.elastic[offset + 1]};
}

void read_node_moment(const Moment& now, const BoundSensor& s, std::span<double> out, std::span<const double>) {
  const auto Q = node_force(now, s);
  const double* along = now.q(s.spec.vector);
  out[0] = along[0] * Q[1] - along[1] * Q[0];
}

void read_node_force_norm(const Moment& now, const BoundSensor& s, std::span<double> out, std::span<const double>) {
  const auto Q = node_force(now, s);
  out[0] = std::hypot(Q[0], Q[1]);
}

constexpr Quantity section_rows[] = {{.name = "axial_force",
                                      .unit = "N",
                                      .doc = "axial force [N]",
                                      .where = where::line,
                                      .probes = {"axial_force"},
                                      .read = read_section},
                                     {.name = "curvature",
                                      .unit = "1/m",
                                      .doc = "curvature [1/m]",
                                      .where = where::line,
                                      .probes = {"curvature"},
                                      .read = read_section},
                                     {.name = "moment",
                                      .unit = "N m",
                                      .doc = "bending moment of the section [N m]",
                                      .where = where::line,
                                      .probes = {"moment"},
                                      .read = read_section},
                                     {.name = "stretch",
                                      .unit = "1",
                                      .doc = "length of the line's tangent over that of the reference",
                                      .where = where::line,
                                      .read = read_stretch},
                                     {.name = "node_elastic_moment",
                                      .unit = "N m",
                                      .doc = "r_x x Q, Q the elastic force conjugate to r_x [N m]",
                                      .where = where::node,
                                      .needs = needs::elastic,
                                      .read = read_node_moment},
                                     {.name = "node_elastic_force_norm",
                                      .unit = "N",
                                      .doc = "|Q|, Q the elastic force conjugate to r_x [N]",
                                      .where = where::node,
                                      .needs = needs::elastic,
                                      .read = read_node_force_norm}};

}  // namespace

std::span<const Quantity> section_quantities() { return section_rows; }

}  // namespace flexura::detail

// What sections of cables and beams carry.

#include <algorithm>
#include <cmath>

#include "flexura/observe/moment.hpp"

namespace flexura::detail {
namespace {

/// The row's quantity inside the element.
void read_section(const Moment& now, const BoundSensor& s, std::span<double> out, std::span<const double>) {
  out[0] = now.mean(s, 0);
}

/// |∂r/∂ξ| / |∂R/∂ξ|: of the line, also where sections shear.
void read_stretch(const Moment& now, const BoundSensor& s, std::span<double> out, std::span<const double>) {
  out[0] = norm(now.at(s.place->slope)) / s.place->rest;
}

/// What the force of the stretch is the stiffness times of, where it is; elsewhere the extension.
void read_axial_strain(const Moment& now, const BoundSensor& s, std::span<double> out, std::span<const double>) {
  const SensorPlace& at = *s.place;
  out[0] = at.EA > 0 ? now.mean(s, 0) / at.EA : norm(now.at(at.slope)) / at.rest - 1;
}

void read_shear_force(const Moment& now, const BoundSensor& s, std::span<double> out, std::span<const double>) {
  out[0] = std::hypot(now.mean(s, 0), now.mean(s, 1));
}

void read_resultants(const Moment& now, const BoundSensor& s, std::span<double> out, std::span<const double>) {
  for (int k = 0; k < 3; ++k) out[static_cast<size_t>(k)] = now.mean(s, k);
}

/// |N|/A + |M|/W; of a rectangle |M₁|/W₁ + |M₂|/W₂, in its corner. Planar cables bend about d₂.
void read_section_stress(const Moment& now, const BoundSensor& s, std::span<double> out, std::span<const double>) {
  enum { axial_force, moment, moment_1, moment_2 };
  const SectionModuli& W = s.place->section;
  if (!(W.area > 0)) return;
  const double bending = s.probes[moment_1] < 0     ? std::fabs(now.mean(s, moment)) / W.about_d2
                         : W.about_d1 == W.about_d2 ? now.mean(s, moment) / W.about_d1
                                                    : std::fabs(now.mean(s, moment_1)) / W.about_d1 +
                                                          std::fabs(now.mean(s, moment_2)) / W.about_d2;
  out[0] = std::fabs(now.mean(s, axial_force)) / W.area + bending;
}

/// Q, the elastic force conjugate to r_x of a node.
std::array<double, 2> node_force(const Moment& now, const BoundSensor& s) {
  const int offset = now.slot(s.place->vector).offset;
  return {-now.elastic[offset], -now.elastic[offset + 1]};
}

void read_node_moment(const Moment& now, const BoundSensor& s, std::span<double> out, std::span<const double>) {
  const auto Q = node_force(now, s);
  const double* along = now.q(s.place->vector);
  out[0] = along[0] * Q[1] - along[1] * Q[0];
}

void read_node_force_norm(const Moment& now, const BoundSensor& s, std::span<double> out, std::span<const double>) {
  const auto Q = node_force(now, s);
  out[0] = std::hypot(Q[0], Q[1]);
}

constexpr Quantity section_rows[] = {
    {.name = "axial_force",
     .unit = "N",
     .doc = "axial force [N]",
     .where = where::line,
     .probes = {"axial_force"},
     .drawn = {.order = 5, .name = "axial force", .doc = "tension is positive", .sign = DrawnAs::Sign::either},
     .read = read_section},
    {.name = "curvature",
     .unit = "1/m",
     .doc = "curvature [1/m]",
     .where = where::line,
     .probes = {"curvature"},
     .drawn = {.order = 2,
               .name = "curvature",
               .doc = "of the deformed line",
               .planar_doc = "of the deformed line, counter-clockwise",
               .sign = DrawnAs::Sign::either_in_plane},
     .read = read_section},
    {.name = "moment",
     .unit = "N m",
     .doc = "bending moment of the section [N m]",
     .where = where::line,
     .probes = {"moment"},
     .drawn = {.order = 3,
               .name = "bending moment",
               .doc = "size of the moment that bends the section",
               .planar_doc = "in the section, counter-clockwise",
               .sign = DrawnAs::Sign::either_in_plane},
     .read = read_section},
    {.name = "stretch",
     .unit = "1",
     .doc = "length of the line's tangent over that of the reference",
     .where = where::line,
     .read = read_stretch},
    {.name = "axial_strain",
     .unit = "1",
     .doc = "extension over length",
     .where = where::line,
     .probes = {"stretch_force"},
     .drawn = {.order = 1, .name = "axial strain", .doc = "extension over length", .sign = DrawnAs::Sign::either},
     .read = read_axial_strain},
    {.name = "shear_force",
     .unit = "N",
     .doc = "size of the force across the section of a beam [N]",
     .where = where::beam,
     .probes = {"shear_force_1", "shear_force_2"},
     .drawn = {.order = 7, .name = "shear force", .doc = "size of the force across the section"},
     .read = read_shear_force},
    {.name = "section_force",
     .unit = "N",
     .doc = "N, V1, V2 of the section of a beam, along d3, d1, d2 [N]",
     .shape = Shape::section_force,
     .where = where::beam,
     .probes = {"axial_force", "shear_force_1", "shear_force_2"},
     .read = read_resultants},
    {.name = "section_moment",
     .unit = "N m",
     .doc = "T, M1, M2 of the section of a beam, about d3, d1, d2 [N m]",
     .shape = Shape::section_moment,
     .where = where::beam,
     .probes = {"torque", "bending_moment_1", "bending_moment_2"},
     .read = read_resultants},
    {.name = "section_stress",
     .unit = "Pa",
     .doc = "largest normal stress of a section of known shape, |N|/A + |M|/W [Pa]",
     .where = where::shaped,
     .probes = {"axial_force", "moment", "bending_moment_1", "bending_moment_2"},
     .drawn = {.order = 4, .name = "stress", .doc = "largest normal stress of the section, |N|/A + |M|/W"},
     .read = read_section_stress},
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

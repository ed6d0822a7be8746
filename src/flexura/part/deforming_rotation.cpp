#include "flexura/part/deforming_rotation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "flexura/element/ancf_beam_24.hpp"
#include "flexura/math/vec.hpp"
#include "flexura/part/tetrahedron_rotation.hpp"
#include "flexura/term/numbers.hpp"

namespace flexura {
namespace {

using std::numbers::pi;
constexpr double one_degree = pi / 180;

/// Orthonormal axes, the last along a normal.
using Axes = std::array<Vec3, 3>;

/// The first along t but for what it has of n. Zero where one of both is.
Axes axes_of(const Vec3& t, const Vec3& n) {
  const auto unit = [](const Vec3& x) { return 1 / std::max(norm(x), 1e-300) * x; };
  const Vec3 normal = unit(n), first = unit(t - dot(t, normal) * normal);
  return {first, cross(normal, first), normal};
}
std::array<double, 9> between(const Axes& a, const Axes& b) {
  std::array<double, 9> out;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) out[3 * i + j] = dot(a[i], b[j]);
  return out;
}
double angle_by_trace(double trace) { return std::acos(std::clamp(0.5 * (trace - 1), -1.0, 1.0)); }
double angle_of_turn(const std::array<double, 9>& a) { return angle_by_trace(a[0] + a[4] + a[8]); }
double angle_from(const std::array<double, 9>& rest, const std::array<double, 9>& now) {
  double trace = 0, sizes[2] = {0, 0};
  for (int k = 0; k < 9; ++k) {
    trace += rest[k] * now[k];
    sizes[0] += rest[k] * rest[k], sizes[1] += now[k] * now[k];
  }
  const bool collapsed = std::min(sizes[0], sizes[1]) < 2.9;  // of rotations 3
  return collapsed ? 0 : angle_by_trace(trace);
}

/// Cables: by their tangents. The end moment of an element rises all along: 1.00, 1.03, 1.10, 1.58 of what it should be at 60, 90, 120, 180°.
class CableRotations final : public RotatedElements {
 public:
  CableRotations(const CablePart& cable, const Model& model)
      : RotatedElements(fmt::format("cable '{}'", cable.name), pi), reference_(model.values.reference) {
    for (const int slot : cable.vectors) tangents_.push_back(model.topology->slots[slot].offset);
    dim_ = cable.vectors.empty() ? 3 : model.topology->slots[cable.vectors[0]].size;
  }
  int count() const override { return static_cast<int>(tangents_.size()) - 1; }
  ElementRotation rotation(int element, std::span<const double> q) const override {
    const Turn now = turn(element, q.data()), rest = turn(element, reference_.data());
    // About one axis where the tangents turn in one plane: the angles' difference with its sign.
    const double cosine = std::cos(now.angle) * std::cos(rest.angle) + dot(now.sine, rest.sine);
    return {std::acos(std::clamp(cosine, -1.0, 1.0)), 0};
  }

 private:
  struct Turn {
    double angle;
    Vec3 sine;  ///< the cross product of both unit tangents
  };
  Turn turn(int element, const double* q) const {
    Vec3 g[2];
    for (int n = 0; n < 2; ++n) {
      const double* at = q + tangents_[static_cast<size_t>(element + n)];
      g[n] = {at[0], at[1], dim_ == 3 ? at[2] : 0};
      g[n] = 1 / std::max(norm(g[n]), 1e-300) * g[n];
    }
    const Vec3 sine = cross(g[0], g[1]);
    return {std::atan2(norm(sine), dot(g[0], g[1])), sine};
  }

  std::vector<int> tangents_;
  std::vector<double> reference_;
  int dim_;
};

/// Beams of full elements. Enhanced strains: measured with held ends, an element of length l and thickness t is stable and its moment rises while
/// θ tan(θ/2) t/l < 1: to 168, 158, 130 and 96° or more at t/l = 0.02, 0.1, 0.3, 0.5. Where it is thicker its material gives way first,
/// and not its shape functions: it warns alone up to 168°. The other strains: to 136°, far too stiff.
class FullBeamRotations final : public RotatedElements {
 public:
  FullBeamRotations(const CablePart& beam, const Model& model)
      : RotatedElements(fmt::format("beam '{}'", beam.name), lowest_limit(beam)) {
    for (const std::array<int, 2>& node : beam.fibres)
      for (const int slot : node) fibres_.push_back(model.topology->slots[slot].offset);
    for (int e = 0; e < count(); ++e) {
      rest_.push_back(turn(e, model.values.reference.data()));
      limits_.push_back(limit_of(beam.elements[static_cast<size_t>(e)]));
    }
  }
  int count() const override { return static_cast<int>(fibres_.size() / 2) - 1; }
  ElementRotation rotation(int element, std::span<const double> q) const override {
    const std::array<double, 9> now = turn(element, q.data());
    const size_t e = static_cast<size_t>(element);
    return {angle_from(rest_[e], now), angle_of_turn(now) / limits_[e]};
  }

 private:
  static double limit_of(const ElementRef& element) {
    if (options_from<AncfBeam24>(element.options).strains != AncfBeam24::Strains::enhanced) return 136 * one_degree;
    const auto p = params_from<AncfBeam24>(element.parameters);
    const double thickness = std::max(p.size_1, p.size_2) / p.length;
    constexpr double thickest = 0.5, last = 168 * one_degree;
    if (thickness > thickest) return last;
    double angle = 90 * one_degree;
    while (angle < last && angle * std::tan(angle / 2) * thickness < 1) angle += one_degree;
    return angle;
  }
  static double lowest_limit(const CablePart& beam) {
    double least = pi;
    for (const ElementRef& element : beam.elements) least = std::min(least, limit_of(element));
    return least;
  }
  std::array<double, 9> turn(int element, const double* q) const {
    Axes axes[2];
    for (int n = 0; n < 2; ++n) {
      const size_t first = 2 * static_cast<size_t>(element + n);
      const Vec3 y = Vec3::load(q + fibres_[first]), z = Vec3::load(q + fibres_[first + 1]);
      axes[n] = axes_of(y, cross(y, z));
    }
    return between(axes[0], axes[1]);
  }

  std::vector<int> fibres_;  ///< where r_y and r_z of the nodes begin
  std::vector<std::array<double, 9>> rest_;
  std::vector<double> limits_;  ///< of the elements [rad]
};

/// Plates, along the sides of their elements. Thin plates: the moment of a strip's element rises to 198°. Full plates: the fibres between the nodes
/// are interpolated, by which it has its maximum at 65°.
class PlateRotations final : public RotatedElements {
 public:
  PlateRotations(const PlatePart& plate, const Model& model)
      : RotatedElements(fmt::format("plate '{}'", plate.name), plate.is_full ? full_limit : pi),
        reference_(model.values.reference),
        is_full_(plate.is_full) {
    const auto offset = [&model](int slot) { return slot < 0 ? -1 : model.topology->slots[slot].offset; };
    for (const PlateNode& node : plate.model.nodes)
      nodes_.push_back({offset(node.g_u), offset(node.g_v), offset(node.r_z)});
    for (const SurfaceElement& element : plate.mesh.elements) elements_.push_back(element.nodes);
  }
  int count() const override { return static_cast<int>(elements_.size()); }
  std::string_view turned(int) const override { return "its opposite sides are turned against each other"; }
  ElementRotation rotation(int element, std::span<const double> q) const override {
    Axes now[4], rest[4];
    for (int k = 0; k < 4; ++k) {
      const std::array<int, 3>& node = nodes_[static_cast<size_t>(elements_[static_cast<size_t>(element)][k])];
      now[k] = at(node, q.data()), rest[k] = at(node, reference_.data());
    }
    double most = 0;
    for (int k = 0; k < 4; ++k) {
      const int next = (k + 1) % 4;
      most = std::max(most, angle_from(between(rest[k], rest[next]), between(now[k], now[next])));
    }
    return {most, is_full_ ? most / full_limit : 0};
  }

 private:
  static constexpr double full_limit = 65 * one_degree;

  static Axes at(const std::array<int, 3>& node, const double* q) {
    const Vec3 u = Vec3::load(q + node[0]), v = Vec3::load(q + node[1]);
    return axes_of(u, node[2] < 0 ? cross(u, v) : Vec3::load(q + node[2]));
  }

  std::vector<double> reference_;
  std::vector<std::array<int, 3>> nodes_;  ///< where g_u, g_v and r_z begin; r_z −1 of thin plates
  std::vector<std::array<int, 4>> elements_;
  bool is_full_;
};

/// Solids, between opposite faces of hexahedra, and within or between tetrahedra. Few of them hold bending too stiff; none was found to
/// give way.
class SolidRotations final : public RotatedElements {
 public:
  SolidRotations(const SolidPart& solid, const Model& model)
      : RotatedElements(fmt::format("solid '{}'", solid.name), pi),
        reference_(model.values.reference),
        tetrahedra_(solid, model) {
    for (const SolidCell& cell : solid.mesh.elements) {
      std::array<int, 8>& corners = cells_.emplace_back();
      corners.fill(-1);
      if (!is_hexahedron(cell.kind)) continue;
      for (int k = 0; k < 8; ++k) corners[k] = model.topology->slots[solid.model.nodes[cell.nodes[k]]].offset;
    }
  }
  int count() const override { return static_cast<int>(cells_.size()); }
  ElementRotation rotation(int element, std::span<const double> q) const override {
    const std::array<int, 8>& corners = cells_[static_cast<size_t>(element)];
    if (corners[0] < 0) return {tetrahedra_.angle(element, q), 0};
    double most = 0;
    for (int axis = 0; axis < 3; ++axis)
      most = std::max(most, angle_from(turn(corners, axis, reference_.data()), turn(corners, axis, q.data())));
    return {most, 0};
  }
  std::string_view turned(int element) const override {
    switch (tetrahedra_.nodes(element)) {
      case 4:
        return "it and a neighbour are turned against each other";
      case 10:
        return "its corners are turned against each other";
      default:
        return "its opposite sides are turned against each other";
    }
  }

 private:
  static std::array<double, 9> turn(const std::array<int, 8>& corners, int axis, const double* q) {
    static constexpr int faces[3][2][4] = {
        {{0, 3, 7, 4}, {1, 2, 6, 5}}, {{0, 1, 5, 4}, {3, 2, 6, 7}}, {{0, 1, 2, 3}, {4, 5, 6, 7}}};
    Axes axes[2];
    for (int side = 0; side < 2; ++side) {
      Vec3 x[4];
      for (int k = 0; k < 4; ++k) x[k] = Vec3::load(q + corners[static_cast<size_t>(faces[axis][side][k])]);
      const Vec3 first = x[1] - x[0] + x[2] - x[3], second = x[3] - x[0] + x[2] - x[1];
      axes[side] = axes_of(first, cross(first, second));
    }
    return between(axes[0], axes[1]);
  }

  std::vector<double> reference_;
  TetrahedronRotations tetrahedra_;
  std::vector<std::array<int, 8>> cells_;  ///< where their corners begin; −1 of other cells
};

}  // namespace

std::unique_ptr<RotatedElements> cable_rotations(const CablePart& cable, const Model& model) {
  if (cable.is_full()) return std::make_unique<FullBeamRotations>(cable, model);
  if (cable.has_axes()) return nullptr;
  return std::make_unique<CableRotations>(cable, model);
}

std::unique_ptr<RotatedElements> plate_rotations(const PlatePart& plate, const Model& model) {
  return std::make_unique<PlateRotations>(plate, model);
}

std::unique_ptr<RotatedElements> solid_rotations(const SolidPart& solid, const Model& model) {
  if (solid.mesh.is_membrane()) return nullptr;
  return std::make_unique<SolidRotations>(solid, model);
}

}  // namespace flexura

#include "flexura/part/element_rotation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "flexura/math/vec.hpp"
#include "flexura/part/deforming_rotation.hpp"

namespace flexura {
namespace {

constexpr double degree = std::numbers::pi / 180;

using Frame = std::array<int, 3>;  ///< where d₁, d₂, d₃ of a node begin in q

/// AᵀB of two frames whose columns are d_i.
std::array<double, 9> turn_between(const Frame& a, const Frame& b, const double* q) {
  std::array<double, 9> out;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) out[3 * i + j] = dot(Vec3::load(q + a[i]), Vec3::load(q + b[j]));
  return out;
}
/// Cosine of the angle of a rotation, and of that between two: ½ (tr A − 1), ½ (tr ABᵀ − 1).
double cosine(const std::array<double, 9>& a) { return 0.5 * (a[0] + a[4] + a[8] - 1); }
double cosine(const std::array<double, 9>& a, const std::array<double, 9>& b) {
  double trace = 0;
  for (int k = 0; k < 9; ++k) trace += a[k] * b[k];
  return 0.5 * (trace - 1);
}
double angle_of(double cosine) { return std::acos(std::clamp(cosine, -1.0, 1.0)); }

/// Beams of directors. The rotations of an element's halves, α ≥ β, tell more than half a turn, and how unevenly it is turned. Along β = c α its
/// moment has its maximum at α = β = 130°, at (149°, 89°), (160°, 64°), (167°, 33°) and (165°, 0): up to 3 % beyond α + 0.35 β = 176°, α = 165°.
class DirectorBeamRotations final : public RotatedElements {
 public:
  DirectorBeamRotations(const CablePart& beam, const Model& model)
      : RotatedElements(fmt::format("beam '{}'", beam.name), 260 * degree) {
    for (const std::array<int, 3>& slots : beam.frames) {
      Frame& at = frames_.emplace_back();
      for (int i = 0; i < 3; ++i) at[i] = model.topology->slots[slots[i]].offset;
    }
    for (size_t k = 0; k + 1 < frames_.size(); ++k)
      halves_.push_back(turn_between(frames_[k], frames_[k + 1], model.values.reference.data()));
  }
  int count() const override { return static_cast<int>(halves_.size() / 2); }

  ElementRotation rotation(int element, std::span<const double> q) const override {
    const size_t first = 2 * static_cast<size_t>(element);
    double bent[2], turned[2];  // cosines: less the stress-free shape, and in all
    for (size_t k = 0; k < 2; ++k) {
      const std::array<double, 9> now = turn_between(frames_[first + k], frames_[first + k + 1], q.data());
      bent[k] = cosine(now, halves_[first + k]);
      turned[k] = cosine(now);
    }
    constexpr double little = 0.9;  // 26 degrees each
    if (std::min({bent[0], bent[1], turned[0], turned[1]}) > little) return {};
    const auto [less, more] = std::minmax({angle_of(turned[0]), angle_of(turned[1])});
    return {angle_of(bent[0]) + angle_of(bent[1]),
            std::max((more + 0.35 * less) / (176 * degree), more / (165 * degree))};
  }

 private:
  std::vector<Frame> frames_;
  std::vector<std::array<double, 9>> halves_;  ///< of the stress-free shape
};

}  // namespace

std::string_view RotatedElements::turned(int) const { return "its end sections are turned against each other"; }

std::vector<std::unique_ptr<RotatedElements>> rotated_elements(const Machine& machine) {
  std::vector<std::unique_ptr<RotatedElements>> out;
  const auto add = [&out](std::unique_ptr<RotatedElements> part) {
    if (part) out.push_back(std::move(part));
  };
  for (const CablePart& cable : machine.cables)
    add(cable.frames.empty() ? cable_rotations(cable, machine.model)
                             : std::make_unique<DirectorBeamRotations>(cable, machine.model));
  for (const PlatePart& plate : machine.plates) add(plate_rotations(plate, machine.model));
  for (const SolidPart& solid : machine.solids) add(solid_rotations(solid, machine.model));
  return out;
}

}  // namespace flexura

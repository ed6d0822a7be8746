#include "flexura/run/rotation_monitor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>

namespace flexura {
namespace {

constexpr double per_degree = std::numbers::pi / 180;
constexpr double noticeable = 60 * per_degree;

double in_degrees(double angle) { return angle / per_degree; }

}  // namespace

std::optional<RotationMonitor::Excess> RotationMonitor::look(std::span<const double> q, double at,
                                                             std::span<double> memory, bool& noticed) const {
  for (size_t k = 0; k < parts_.size(); ++k) {
    double* seen = &memory[k * numbers];
    for (int e = 0; e < parts_[k]->count(); ++e) {
      const ElementRotation now = parts_[k]->rotation(e, q);
      if (now.angle > noticeable && now.angle > seen[0]) {
        if (seen[0] == 0) noticed = true, seen[2] = at;
        seen[0] = now.angle;
        seen[1] = e + 1;
      }
      if (now.used >= 1) return Excess{static_cast<int>(k), e + 1, now.angle};
    }
  }
  return {};
}

std::vector<RotationMonitor::Warning> RotationMonitor::warnings(std::span<const double> memory, bool over_time) const {
  std::vector<Warning> out;
  for (size_t k = 0; k < parts_.size(); ++k) {
    const double* seen = &memory[k * numbers];
    if (seen[0] == 0) continue;
    const std::string from =
        over_time ? fmt::format("t = {:.4g} s", seen[2]) : fmt::format("{:.4g} of the loads", seen[2]);
    out.push_back(
        {parts_[k]->part() + ", element ",
         fmt::format("{}, element {:.0f}: {} by up to {:.0f} "
                     "degrees, beyond 60 from {} on, which one element follows roughly; better: more elements",
                     parts_[k]->part(), seen[1], parts_[k]->turned(static_cast<int>(seen[1]) - 1), in_degrees(seen[0]),
                     from)});
  }
  return out;
}

std::string RotationMonitor::text(const Excess& excess) const {
  const RotatedElements& part = *parts_[static_cast<size_t>(excess.part)];
  return fmt::format(
      "{}, element {}: {} by {:.0f} degrees, where it resists no further "
      "(evenly turned it does up to {:.0f})\ntry: more elements",
      part.part(), excess.element, part.turned(excess.element - 1), in_degrees(excess.angle), in_degrees(part.limit()));
}

std::string RotationMonitor::advice(std::span<const double> q) const {
  double most = noticeable;
  std::string out;
  for (const auto& part : parts_)
    for (int e = 0; e < part->count(); ++e) {
      const double angle = part->rotation(e, q).angle;
      if (angle <= most) continue;
      most = angle;
      out = fmt::format("more elements: of element {} of {}, {} by {:.0f} degrees; ", e + 1, part->part(),
                        part->turned(e), in_degrees(angle));
    }
  return out;
}

}  // namespace flexura

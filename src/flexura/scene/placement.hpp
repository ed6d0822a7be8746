#pragma once
// How something stands in space: turned about the origin, then moved.

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "flexura/base/problem.hpp"
#include "flexura/scene/descriptor.hpp"

namespace flexura {

struct Record;

/// x ↦ R x + p. Planar: R about Z, p in X–Y.
struct Placement {
  std::array<double, 9> R{1, 0, 0, 0, 1, 0, 0, 0, 1};  ///< by rows; its columns are the turned axes
  std::array<double, 3> p{};                           ///< [m]

  bool is_identity() const;
  bool is_turned() const;
  double angle() const;                     ///< about Z [rad], of a planar placement
  std::array<double, 4> quat_xyzw() const;  ///< w ≥ 0

  /// In place; x has 2 or 3 components.
  void turn(std::span<double> x) const;
  void place(std::span<double> x) const;

  static Placement turned_by(double angle);
  static Placement turned_by(std::array<double, 4> quat_xyzw);  ///< of any length but 0
};

/// First `b`, then `a`.
Placement operator*(const Placement& a, const Placement& b);

/// `position` and `angle`, or in space `quat_xyzw` or `axes`, as keys of something that is placed.
std::vector<FieldSpec> placement_fields(int dim);

/// `velocity`, `angular_velocity` and `about`: the motion that `whole` starts with, turning about `centre` unless told.
std::vector<FieldSpec> motion_fields(int dim, std::string_view whole, std::string_view centre);

/// What the placement says; nothing after a problem.
std::optional<Placement> placement_of(const Record& record, int dim, std::vector<Problem>& problems);

}  // namespace flexura

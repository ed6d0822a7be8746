#pragma once
// Axes of tubes: curves in space by their arc length, with their curvature, and frames that turn along as little as can be.

#include <functional>
#include <vector>

#include "flexura/mesh/surface_mesh.hpp"

namespace flexura {

struct PathPoint {
  Vec3 position{};
  Vec3 tangent{};    ///< t = dr/ds, unit
  Vec3 curvature{};  ///< dt/ds [1/m], across t
};

/// A curve with continuous curvature.
struct TubePath {
  double length = 0;                      ///< [m]
  std::function<PathPoint(double s)> at;  ///< 0 ≤ s ≤ length
};

TubePath straight_path(const Vec3& from, const Vec3& to);

/// From `start` along `direction`, bent by `angle` [rad] with `radius` [m] towards `side`, whose part across `direction`
/// counts.
TubePath arc_path(const Vec3& start, const Vec3& direction, const Vec3& side, double radius, double angle);

/// A curve r(u), u from `from` to `to`, any regular parameter, by its arc length. `curve` gives r, r', r''.
struct CurvePoint {
  Vec3 position{}, first{}, second{};
};
TubePath curve_path(std::function<CurvePoint(double u)> curve, double from, double to);

/// Radius R and slope dR/ds at the arc length s.
struct RadiusPoint {
  double value = 0, slope = 0;
};
using RadiusLaw = std::function<RadiusPoint(double s)>;
RadiusLaw linear_radius(double from, double to, double length);

/// Two unit vectors across a path, n and b = n × t, such that (t, b, n) is right-handed.
struct PathFrame {
  Vec3 normal{}, binormal{};
};

/// Frames at ascending arc lengths that do not turn about the tangent: n' = −(n·t') t. The first n is the part of `up`
/// across the path, or of +X where `up` runs along it. Exact for plane curves; by double reflection (fourth order) on
/// `steps` steps between two of the places otherwise.
std::vector<PathFrame> minimal_twist_frames(const TubePath& path, const std::vector<double>& places, const Vec3& up,
                                            int steps = 16);

}  // namespace flexura

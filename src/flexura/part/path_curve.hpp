#pragma once
// A curve in space by its arc length: polyline, arc, spline.

#include <array>
#include <string>
#include <vector>

#include "flexura/math/triple.hpp"

namespace flexura {

using Point3 = Triple;  ///< [m]; z = 0 in planar scenes

class PathCurve {
 public:
  /// Straight lines between the points; at a corner the tangent is the mean direction.
  static PathCurve polyline(const std::vector<Point3>& points);
  /// Planar arc from angle `from` to `to` [rad] about +Z.
  static PathCurve arc(const Point3& center, double radius, double from, double to);
  /// Arc from the first to the last of three points, through the second; a straight line if they lie on one.
  static PathCurve arc_through(const Point3& a, const Point3& b, const Point3& c);
  /// Natural cubic spline, parametrised by the chords.
  static PathCurve spline(const std::vector<Point3>& points);

  double length() const { return length_; }  ///< [m]
  Point3 at(double s) const;                 ///< 0 ≤ s ≤ length
  Point3 tangent(double s) const;            ///< unit
  Point3 curvature(double s) const;          ///< dt/ds [1/m]; 0 at the corners of a polyline

  struct Corner {
    double s = 0, angle = 0;  ///< arc length there [m], by how much the tangent turns [rad]
  };
  Corner sharpest_corner() const;  ///< of a polyline; others have none: angle 0
  bool is_straight() const;        ///< but for 1e-6 of the length

 private:
  enum class Kind { polyline, arc, spline };
  struct Piece {
    double u0 = 0, du = 0;            ///< parameter range of a spline's piece
    std::array<Point3, 4> c{};        ///< coefficients in powers of u − u0
    std::array<double, 17> length{};  ///< arc length at sixteenths of the piece
  };
  Point3 evaluate(const Piece& piece, double u, int derivative) const;
  double speed(const Piece& piece, double u) const;
  double length_between(const Piece& piece, double u0, double u1) const;
  std::pair<const Piece*, double> find(double s) const;  ///< piece and u − u0

  Kind kind_ = Kind::polyline;
  double length_ = 0;
  std::vector<Point3> points_;
  std::vector<double> s_;  ///< arc length at the points
  std::vector<Piece> pieces_;
  Point3 center_{}, e1_{}, e2_{};  ///< arc: centre + radius (cos φ e1 + sin φ e2)
  double radius_ = 0, from_ = 0, to_ = 0;
};

}  // namespace flexura

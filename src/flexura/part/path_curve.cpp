#include "flexura/part/path_curve.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace flexura {
namespace {

Point3 plus(const Point3& a, const Point3& b, double factor = 1) {
  return {a[0] + factor * b[0], a[1] + factor * b[1], a[2] + factor * b[2]};
}
Point3 minus(const Point3& a, const Point3& b) { return plus(a, b, -1); }
Point3 unit(const Point3& a) {
  const double n = norm(a);
  return n > 0 ? Point3{a[0] / n, a[1] / n, a[2] / n} : Point3{1, 0, 0};
}

constexpr double gauss_x[] = {-0.9061798459386640, -0.5384693101056831, 0, 0.5384693101056831, 0.9061798459386640};
constexpr double gauss_w[] = {0.2369268850561891, 0.4786286704993665, 0.5688888888888889, 0.4786286704993665,
                              0.2369268850561891};

}  // namespace

PathCurve PathCurve::polyline(const std::vector<Point3>& points) {
  PathCurve curve;
  curve.points_ = points;
  for (size_t i = 0; i < points.size(); ++i) {
    if (i > 0) curve.length_ += norm(minus(points[i], points[i - 1]));
    curve.s_.push_back(curve.length_);
  }
  return curve;
}

PathCurve PathCurve::arc(const Point3& center, double radius, double from, double to) {
  PathCurve curve;
  curve.kind_ = Kind::arc;
  curve.center_ = center;
  curve.e1_ = {1, 0, 0};
  curve.e2_ = {0, 1, 0};
  curve.radius_ = radius;
  curve.from_ = from;
  curve.to_ = to;
  curve.length_ = radius * std::fabs(to - from);
  return curve;
}

PathCurve PathCurve::arc_through(const Point3& a, const Point3& b, const Point3& c) {
  const Point3 u = minus(b, a), v = minus(c, a), n = cross(u, v);
  const double n2 = dot(n, n);
  if (n2 <= 1e-20 * dot(u, u) * dot(v, v)) return polyline({a, b, c});
  // Centre of the circle through 0, u, v.
  const Point3 w = minus(Point3{v[0] * dot(u, u), v[1] * dot(u, u), v[2] * dot(u, u)},
                         Point3{u[0] * dot(v, v), u[1] * dot(v, v), u[2] * dot(v, v)});
  const Point3 offset = cross(w, n);
  PathCurve curve;
  curve.kind_ = Kind::arc;
  curve.center_ = plus(a, offset, 1 / (2 * n2));
  curve.radius_ = norm(minus(a, curve.center_));
  curve.e1_ = unit(minus(a, curve.center_));
  curve.e2_ = cross(unit(n), curve.e1_);
  const Point3 end = minus(c, curve.center_);
  double angle = std::atan2(dot(end, curve.e2_), dot(end, curve.e1_));
  if (angle <= 0) angle += 2 * std::numbers::pi;
  curve.to_ = angle;
  curve.length_ = curve.radius_ * angle;
  return curve;
}

PathCurve PathCurve::spline(const std::vector<Point3>& points) {
  const size_t n = points.size();
  if (n < 3) return polyline(points);
  std::vector<double> u(n, 0.0);
  for (size_t i = 1; i < n; ++i) u[i] = u[i - 1] + norm(minus(points[i], points[i - 1]));
  // Second derivatives from the tridiagonal system, zero at both ends.
  std::vector<Point3> second(n, Point3{});
  for (int k = 0; k < 3; ++k) {
    std::vector<double> upper(n, 0.0), right(n, 0.0);
    for (size_t i = 1; i + 1 < n; ++i) {
      const double h0 = u[i] - u[i - 1], h1 = u[i + 1] - u[i];
      const double rhs = 6 * ((points[i + 1][k] - points[i][k]) / h1 - (points[i][k] - points[i - 1][k]) / h0);
      const double pivot = 2 * (h0 + h1) - h0 * upper[i - 1];
      upper[i] = h1 / pivot;
      right[i] = (rhs - h0 * right[i - 1]) / pivot;
    }
    for (size_t i = n - 1; i-- > 1;) second[i][k] = right[i] - upper[i] * second[i + 1][k];
  }
  PathCurve curve;
  curve.kind_ = Kind::spline;
  curve.points_ = points;
  curve.s_.push_back(0);
  for (size_t i = 0; i + 1 < n; ++i) {
    Piece piece;
    piece.u0 = u[i];
    piece.du = u[i + 1] - u[i];
    const double h = piece.du;
    for (int k = 0; k < 3; ++k) {
      piece.c[0][k] = points[i][k];
      piece.c[1][k] = (points[i + 1][k] - points[i][k]) / h - h / 6 * (2 * second[i][k] + second[i + 1][k]);
      piece.c[2][k] = second[i][k] / 2;
      piece.c[3][k] = (second[i + 1][k] - second[i][k]) / (6 * h);
    }
    for (int j = 0; j < 16; ++j)
      piece.length[j + 1] = piece.length[j] + curve.length_between(piece, h * j / 16, h * (j + 1) / 16);
    curve.length_ += piece.length[16];
    curve.s_.push_back(curve.length_);
    curve.pieces_.push_back(piece);
  }
  return curve;
}

Point3 PathCurve::evaluate(const Piece& p, double u, int derivative) const {
  Point3 x;
  for (int k = 0; k < 3; ++k)
    x[k] = derivative == 0   ? p.c[0][k] + u * (p.c[1][k] + u * (p.c[2][k] + u * p.c[3][k]))
           : derivative == 1 ? p.c[1][k] + u * (2 * p.c[2][k] + u * 3 * p.c[3][k])
                             : 2 * p.c[2][k] + u * 6 * p.c[3][k];
  return x;
}

double PathCurve::speed(const Piece& piece, double u) const { return norm(evaluate(piece, u, 1)); }

double PathCurve::length_between(const Piece& piece, double u0, double u1) const {
  double sum = 0;
  for (int g = 0; g < 5; ++g) sum += gauss_w[g] * speed(piece, 0.5 * (u0 + u1) + 0.5 * (u1 - u0) * gauss_x[g]);
  return 0.5 * (u1 - u0) * sum;
}

std::pair<const PathCurve::Piece*, double> PathCurve::find(double s) const {
  size_t i = std::upper_bound(s_.begin() + 1, s_.end() - 1, s) - s_.begin() - 1;
  const Piece& piece = pieces_[i];
  const double wanted = std::clamp(s - s_[i], 0.0, piece.length[16]);
  const size_t j = std::min<size_t>(
      15, std::upper_bound(piece.length.begin() + 1, piece.length.end() - 1, wanted) - piece.length.begin() - 1);
  const double u0 = piece.du * static_cast<double>(j) / 16, h = piece.du / 16;
  double u = u0 + h * (wanted - piece.length[j]) / (piece.length[j + 1] - piece.length[j]);
  for (int k = 0; k < 20; ++k) {  // Newton on the arc length
    const double error = piece.length[j] + length_between(piece, u0, u) - wanted;
    u = std::clamp(u - error / speed(piece, u), u0, u0 + h);
    if (std::fabs(error) <= 1e-15 * length_) break;
  }
  return {&piece, u};
}

Point3 PathCurve::at(double s) const {
  if (kind_ == Kind::arc) {
    const double angle = from_ + (to_ - from_) * (s / length_);
    return plus(plus(center_, e1_, radius_ * std::cos(angle)), e2_, radius_ * std::sin(angle));
  }
  if (kind_ == Kind::spline) {
    if (s <= 0) return points_.front();
    if (s >= length_) return points_.back();
    const auto [piece, u] = find(s);
    return evaluate(*piece, u, 0);
  }
  const size_t i = std::upper_bound(s_.begin() + 1, s_.end() - 1, s) - s_.begin() - 1;
  const double share = (s - s_[i]) / (s_[i + 1] - s_[i]);
  if (share >= 1) return points_[i + 1];
  return plus(points_[i], minus(points_[i + 1], points_[i]), share);
}

Point3 PathCurve::tangent(double s) const {
  if (kind_ == Kind::arc) {
    const double angle = from_ + (to_ - from_) * (s / length_), sign = to_ < from_ ? -1 : 1;
    return plus(
        Point3{-sign * std::sin(angle) * e1_[0], -sign * std::sin(angle) * e1_[1], -sign * std::sin(angle) * e1_[2]},
        e2_, sign * std::cos(angle));
  }
  if (kind_ == Kind::spline) {
    const auto [piece, u] = find(s);
    return unit(evaluate(*piece, u, 1));
  }
  const size_t i = std::upper_bound(s_.begin() + 1, s_.end() - 1, s) - s_.begin() - 1;
  const Point3 direction = unit(minus(points_[i + 1], points_[i]));
  const bool corner = i > 0 && std::fabs(s - s_[i]) <= 1e-12 * length_;
  return corner ? unit(plus(direction, unit(minus(points_[i], points_[i - 1])))) : direction;
}

Point3 PathCurve::curvature(double s) const {
  if (kind_ == Kind::polyline) return {};
  if (kind_ == Kind::arc) {
    const Point3 r = minus(at(s), center_);
    const double factor = -1 / (radius_ * radius_);
    return {factor * r[0], factor * r[1], factor * r[2]};
  }
  const auto [piece, u] = find(s);
  const Point3 first = evaluate(*piece, u, 1), second = evaluate(*piece, u, 2);
  const double square = first[0] * first[0] + first[1] * first[1] + first[2] * first[2];
  const double along = (first[0] * second[0] + first[1] * second[1] + first[2] * second[2]) / square;
  return {(second[0] - along * first[0]) / square, (second[1] - along * first[1]) / square,
          (second[2] - along * first[2]) / square};
}

PathCurve::Corner PathCurve::sharpest_corner() const {
  Corner sharpest;
  for (size_t i = 1; kind_ == Kind::polyline && i + 1 < points_.size(); ++i) {
    const Point3 before = minus(points_[i], points_[i - 1]), after = minus(points_[i + 1], points_[i]);
    const double angle = std::atan2(norm(cross(before, after)), dot(before, after));
    if (angle > sharpest.angle) sharpest = {s_[i], angle};
  }
  return sharpest;
}

bool PathCurve::is_straight() const {
  const Point3 start = at(0), chord = minus(at(length_), start);
  constexpr int places = 32;
  for (int k = 1; k < places; ++k)
    if (norm(cross(minus(at(length_ * k / places), start), chord)) > 1e-6 * length_ * length_) return false;
  return norm(chord) >= (1 - 1e-6) * length_;
}

}  // namespace flexura

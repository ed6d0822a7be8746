#include "flexura/mesh/surface_path.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "flexura/math/quadrature.hpp"
#include "flexura/mesh/surface_grid.hpp"

namespace flexura {
namespace {

Vec3 unit(const Vec3& a) { return a / norm(a); }
Vec3 across(const Vec3& a, const Vec3& t) { return a - dot(a, t) * t; }
/// a seen in a mirror with normal m.
Vec3 reflected(const Vec3& a, const Vec3& m) { return a - (2 * dot(m, a) / dot(m, m)) * m; }

/// Arc length of a curve over its parameter, tabulated on pieces; inverted by Newton's method.
class ArcLength {
 public:
  ArcLength(std::function<CurvePoint(double)> curve, double from, double to) : curve_(std::move(curve)), from_(from) {
    step_ = (to - from) / pieces;
    for (int k = 0; k < pieces; ++k) table_[k + 1] = table_[k] + between(from + k * step_, from + (k + 1) * step_);
  }
  double total() const { return table_[pieces]; }
  CurvePoint at(double s) const {
    const auto above = std::upper_bound(table_ + 1, table_ + pieces, s);
    const int k = static_cast<int>(above - table_) - 1;
    const double u0 = from_ + k * step_, u1 = u0 + step_;
    double u = u0 + step_ * (s - table_[k]) / (table_[k + 1] - table_[k]);
    for (int step = 0; step < 20; ++step) {
      const double error = table_[k] + between(u0, u) - s;
      u = std::clamp(u - error / norm(curve_(u).first), std::min(u0, u1), std::max(u0, u1));
      if (std::abs(error) <= 1e-15 * total()) break;
    }
    return curve_(u);
  }

 private:
  double between(double u0, double u1) const {
    using Rule = Gauss<5>;
    double sum = 0;
    for (int g = 0; g < 5; ++g) sum += Rule::w[g] * norm(curve_(u0 + (u1 - u0) * Rule::x[g]).first);
    return sum * std::abs(u1 - u0) * (u1 < u0 ? -1 : 1) * (step_ < 0 ? -1 : 1);
  }
  static constexpr int pieces = 512;
  std::function<CurvePoint(double)> curve_;
  double from_ = 0, step_ = 0;
  double table_[pieces + 1] = {};
};

}  // namespace

TubePath straight_path(const Vec3& from, const Vec3& to) {
  const double length = norm(to - from);
  ParameterCheck check;
  check.positive(length, "path");
  check.done();
  const Vec3 tangent = unit(to - from);
  return {length, [=](double s) { return PathPoint{from + s * tangent, tangent, {}}; }};
}

TubePath arc_path(const Vec3& start, const Vec3& direction, const Vec3& side, double radius, double angle) {
  ParameterCheck check;
  check.positive(radius, "radius");
  check.positive(angle, "angle", "rad");
  check.positive(norm(direction), "direction");
  check.done();
  const Vec3 t = unit(direction), n = across(side, t);
  check.require(norm(n) > 1e-9 * norm(side), "side", "must not run along the direction");
  check.done();
  const Vec3 normal = unit(n);
  return {radius * angle, [=](double s) {
            const double c = std::cos(s / radius), d = std::sin(s / radius);
            return PathPoint{start + (radius * d) * t + (radius * (1 - c)) * normal, c * t + d * normal,
                             (c / radius) * normal - (d / radius) * t};
          }};
}

TubePath curve_path(std::function<CurvePoint(double u)> curve, double from, double to) {
  ParameterCheck check;
  check.finite(from, "from");
  check.finite(to, "to");
  check.require(from != to, "to", "must differ from \"from\"");
  check.done();
  for (int k = 0; k <= 64; ++k) {
    const double speed = norm(curve(from + (to - from) * k / 64).first);
    check.require(std::isfinite(speed) && speed > 0, "path", "must have a tangent everywhere");
    check.done();
  }
  const auto arc = std::make_shared<const ArcLength>(std::move(curve), from, to);
  const double sign = to < from ? -1 : 1;
  return {arc->total(), [arc, sign](double s) {
            const CurvePoint p = arc->at(s);
            const double speed = norm(p.first);
            const Vec3 tangent = (sign / speed) * p.first;
            return PathPoint{p.position, tangent, across(p.second, tangent) / (speed * speed)};
          }};
}

RadiusLaw linear_radius(double from, double to, double length) {
  const double slope = (to - from) / length;
  return [=](double s) { return RadiusPoint{s >= length ? to : from + slope * s, slope}; };
}

std::vector<PathFrame> minimal_twist_frames(const TubePath& path, const std::vector<double>& places, const Vec3& up,
                                            int steps) {
  std::vector<PathFrame> frames;
  if (places.empty()) return frames;
  PathPoint here = path.at(places[0]);
  Vec3 n = across(up, here.tangent);
  if (norm(n) <= 1e-9 * norm(up)) n = across({1, 0, 0}, here.tangent);
  if (norm(n) <= 1e-9) n = across({0, 1, 0}, here.tangent);
  n = unit(n);
  frames.push_back({n, cross(n, here.tangent)});
  for (size_t k = 1; k < places.size(); ++k) {
    for (int step = 1; step <= steps; ++step) {
      const double s = step == steps ? places[k] : places[k - 1] + (places[k] - places[k - 1]) * step / steps;
      const PathPoint next = path.at(s);
      const Vec3 chord = next.position - here.position;
      if (norm(chord) > 0) {
        const Vec3 mirrored = reflected(n, chord), tangent = reflected(here.tangent, chord);
        const Vec3 second = next.tangent - tangent;
        n = norm(second) > 0 ? reflected(mirrored, second) : mirrored;
      }
      n = unit(across(n, next.tangent));
      here = next;
    }
    frames.push_back({n, cross(n, here.tangent)});
  }
  return frames;
}

}  // namespace flexura

// Spheres and planes that may touch.

#include <algorithm>
#include <cmath>

#include "flexura/output/drawing_builder.hpp"

namespace flexura::detail {
namespace {

Triple triple_of(const double (&x)[3]) { return {x[0], x[1], x[2]}; }

/// What of a convex polygon is where `height` is not negative.
void cut(std::vector<Triple>& corners, auto&& height) {
  std::vector<Triple> out;
  for (size_t k = 0; k < corners.size(); ++k) {
    const Triple &a = corners[k], &b = corners[(k + 1) % corners.size()];
    const double from = height(a), to = height(b);
    if (from >= 0) out.push_back(a);
    if ((from >= 0) != (to >= 0)) out.push_back(a + (from / (from - to)) * (b - a));
  }
  corners = std::move(out);
}

/// The polygon, counter-clockwise about n, with a thickness behind it.
BodyShape slab_behind(const std::vector<Triple>& corners, const Triple& n, double thickness) {
  BodyShape out;
  out.type = BodyShape::Type::mesh;
  const auto count = static_cast<std::uint32_t>(corners.size());
  for (const double depth : {0.0, thickness})
    for (const Triple& x : corners)
      for (int i = 0; i < 3; ++i) out.vertices.push_back(static_cast<float>(x[i] - depth * n[i]));
  const auto add = [&](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    out.triangles.insert(out.triangles.end(), {a, b, c});
  };
  for (std::uint32_t k = 1; k + 1 < count; ++k) add(0, k, k + 1), add(count, count + k + 1, count + k);
  for (std::uint32_t k = 0; k < count; ++k) {
    const std::uint32_t next = (k + 1) % count;
    add(k, count + k, count + next), add(k, count + next, next);
  }
  return out;
}

}  // namespace

void DrawingBuilder::add_sphere(const ContactSphere& sphere) {
  Drawable& ball = begin(Drawable::Kind::point, "sphere." + sphere.name, "sphere");
  const DrawnForm form{{slot(sphere.slot), 1.0}};
  row(ball.position, form);
  ball.radius = sphere.radius;
  ball.field = drawing_.field_points;
  ball.field_count = 1;
  add_field_point(form);
}

void DrawingBuilder::enclose_planes(const Triple& low, const Triple& high) {
  if (machine_.contacts.planes.empty()) return;
  low_ = low, high_ = high;
  const Triple middle = 0.5 * (low + high);
  for (const ContactPlane& plane : machine_.contacts.planes) {
    const Triple n = triple_of(plane.normal), foot = middle - dot(n, middle - triple_of(plane.point)) * n;
    for (int i = 0; i < topology_.dim; ++i)
      low_[i] = std::min(low_[i], foot[i]), high_[i] = std::max(high_[i], foot[i]);
  }
  size_ = std::max(size_, norm(high_ - low_));
  for (int i = 0; i < topology_.dim; ++i) low_[i] -= 0.1 * size_, high_[i] += 0.1 * size_;
}

std::vector<Triple> DrawingBuilder::visible_part(const ContactPlane& plane) const {
  const Triple n = triple_of(plane.normal), middle = 0.5 * (low_ + high_);
  const Triple foot = middle - dot(n, middle - triple_of(plane.point)) * n;
  const bool is_line = topology_.dim == 2;
  Triple side = cross(n, is_line || std::fabs(n[2]) < 0.9 ? Triple{0, 0, 1} : Triple{1, 0, 0});
  side = (size_ / norm(side)) * side;
  const Triple across = is_line ? Triple{0, 0, -0.002 * size_} : cross(n, side);
  std::vector<Triple> corners = {foot - side - across, foot + side - across, foot + side + across,
                                 foot - side + across};
  for (int i = 0; i < topology_.dim; ++i) {
    cut(corners, [&](const Triple& x) { return x[i] - low_[i]; });
    cut(corners, [&](const Triple& x) { return high_[i] - x[i]; });
  }
  for (const ContactPlane& other : machine_.contacts.planes)
    cut(corners,
        [&](const Triple& x) { return dot(triple_of(other.normal), x - triple_of(other.point)) + 1e-9 * size_; });
  return corners;
}

/// What things lie on is a thin slab; of walls, which would hide them, only the edges are drawn.
void DrawingBuilder::add_plane(const ContactPlane& plane) {
  std::vector<Triple> corners = visible_part(plane);
  if (corners.size() < 3) return;
  const Triple n = triple_of(plane.normal), origin = triple_of(plane.point);
  for (Triple& x : corners) x = x - origin;
  Drawable& slab = begin(Drawable::Kind::body, "plane." + plane.name, "plane ground");
  if (slab.color.empty()) slab.color = "#b9bec6";  // what does not move stays behind what does
  row(slab.position, {{fixed(origin), 1.0}});
  row(slab.tangent, {{fixed({1, 0, 0}), 1.0}});
  row(slab.second, {{fixed({0, 1, 0}), 1.0}});
  if (topology_.dim == 3) row(slab.third, {{fixed({0, 0, 1}), 1.0}});
  constexpr double steep = 0.3;
  if (topology_.dim == 2 || n[2] > steep) {
    slab.shapes = {slab_behind(corners, n, 0.005 * size_)};
    return;
  }
  for (size_t k = 0; k < corners.size(); ++k) {
    BodyShape& edge = slab.shapes.emplace_back();
    edge.type = BodyShape::Type::link;
    edge.center = corners[k];
    edge.to = corners[(k + 1) % corners.size()];
    edge.size = {0.0015 * size_, 0, 0};
  }
}

}  // namespace flexura::detail

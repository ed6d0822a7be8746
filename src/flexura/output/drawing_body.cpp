// Rigid bodies: their shape, or what can be told from where they are held and from their inertia.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "flexura/math/singular_values.hpp"
#include "flexura/output/drawing_builder.hpp"
#include "flexura/part/rigid_frame.hpp"

namespace flexura::detail {
namespace {

using Type = BodyShape::Type;
using Corners = std::vector<Triple>;

/// Alike in all of a model, but neither plump nor thin for the length.
double link_radius(double length, double model_size) {
  return std::clamp(0.014 * model_size, 0.02 * length, 0.08 * length);
}

BodyShape sphere(const Triple& center, double radius) {
  BodyShape out;
  out.type = Type::sphere;
  out.center = center;
  out.size = {radius, 0, 0};
  return out;
}

BodyShape link(const Triple& from, const Triple& to, double radius) {
  BodyShape out;
  out.type = Type::link;
  out.center = from;
  out.to = to;
  out.size = {radius, 0, 0};
  return out;
}

/// A cylinder, or a cone where `end` is 0, about `axis`.
BodyShape round(const Triple& middle, const Triple& axis, double radius, double end, double length) {
  BodyShape out;
  out.type = end == radius ? Type::cylinder : Type::cone;
  const Triple n = (1 / norm(axis)) * axis;
  const std::array<Triple, 2> across = perpendiculars(n);
  out.axes = {across[0], across[1], n};
  out.center = middle;
  out.size = {radius, end, length};
  return out;
}

double turn(const Triple& a, const Triple& b, const Triple& c) {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

/// Positive where the corners go counter-clockwise.
double twice_area(const Corners& p) {
  double area = 0;
  for (size_t k = 0; k < p.size(); ++k) {
    const Triple &a = p[k], &b = p[(k + 1) % p.size()];
    area += a[0] * b[1] - a[1] * b[0];
  }
  return area;
}

/// Cuts ears off a polygon without crossing edges.
std::vector<std::array<std::uint32_t, 3>> triangles_of(const Corners& p) {
  std::vector<std::uint32_t> left;
  for (std::uint32_t k = 0; k < p.size(); ++k) left.push_back(k);
  if (twice_area(p) < 0) std::reverse(left.begin(), left.end());
  std::vector<std::array<std::uint32_t, 3>> out;
  while (left.size() >= 3) {
    const size_t n = left.size();
    size_t ear = 0;
    for (size_t k = 0; k < n; ++k) {
      const std::uint32_t a = left[(k + n - 1) % n], b = left[k], c = left[(k + 1) % n];
      const bool free = std::none_of(left.begin(), left.end(), [&](std::uint32_t q) {
        return q != a && q != b && q != c && turn(p[a], p[b], p[q]) >= 0 && turn(p[b], p[c], p[q]) >= 0 &&
               turn(p[c], p[a], p[q]) >= 0;
      });
      if (turn(p[a], p[b], p[c]) <= 0 || !free) continue;
      ear = k;
      break;
    }
    out.push_back({left[(ear + n - 1) % n], left[ear], left[(ear + 1) % n]});
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(ear));
  }
  return out;
}

BodyShape plate_of(const Corners& corners) {
  BodyShape out;
  out.type = Type::mesh;
  double low = 0, high = 0;
  for (const Triple& x : corners) low = std::min({low, x[0], x[1]}), high = std::max({high, x[0], x[1]});
  const double half = 0.025 * (high - low);
  const auto n = static_cast<std::uint32_t>(corners.size());
  for (const double z : {-half, half})
    for (const Triple& x : corners)
      for (const double c : {x[0], x[1], z}) out.vertices.push_back(static_cast<float>(c));
  for (const auto& [a, b, c] : triangles_of(corners))
    out.triangles.insert(out.triangles.end(), {n + a, n + b, n + c, a, c, b});
  for (std::uint32_t k = 0; k < n; ++k) {
    std::uint32_t a = k, b = (k + 1) % n;
    if (twice_area(corners) < 0) std::swap(a, b);
    out.triangles.insert(out.triangles.end(), {a, b, n + b, a, n + b, n + a});
  }
  return out;
}

BodyShape block(const Triple& center, const Triple& size) {
  BodyShape out;
  out.center = center;
  out.size = size;
  return out;
}

BodyShape drawn_solid(const solid::Rectangle& shape) {
  const auto [a, b] = shape.size;
  return block(shape.center, {a, b, std::min(a, b)});
}
BodyShape drawn_solid(const solid::Disc& shape) {
  return round(shape.center, {0, 0, 1}, shape.radius, shape.radius, 0.2 * shape.radius);
}
BodyShape drawn_solid(const solid::Polygon& shape) { return plate_of(shape.points); }
BodyShape drawn_solid(const solid::Rod& shape) {
  const Triple half{shape.length / 2, 0, 0};
  return link(shape.center - half, shape.center + half, 0.02 * shape.length);
}
BodyShape drawn_solid(const solid::Box& shape) { return block(shape.center, shape.size); }
BodyShape drawn_solid(const solid::Cylinder& shape) {
  return round(shape.center, shape.axis.value_or(Triple{0, 0, 1}), shape.radius, shape.radius, shape.length);
}
BodyShape drawn_solid(const solid::Sphere& shape) { return sphere(shape.center, shape.radius); }
BodyShape drawn_solid(const solid::Cone& shape) {
  const Triple axis = shape.axis.value_or(Triple{0, 0, 1});
  return round(shape.center + (shape.height / 2 / norm(axis)) * axis, axis, shape.radius, 0, shape.height);
}
BodyShape drawn_solid(const solid::Mesh& shape) {
  BodyShape out;
  out.type = Type::mesh;
  for (const auto& x : shape.surface.points)
    for (int i = 0; i < 3; ++i) out.vertices.push_back(static_cast<float>(shape.center[i] + x[i]));
  for (const auto& triangle : shape.surface.triangles)
    for (const int k : triangle) out.triangles.push_back(static_cast<std::uint32_t>(k));
  return out;
}

}  // namespace

BodyShape drawn_shape(const SolidShape& shape) {
  return std::visit([](const auto& solid) { return drawn_solid(solid); }, shape);
}

/// Along the principal axes, E_i = (J_j + J_k − J_i)/m: semi-axes a_i² = 5/2 E_i of an ellipsoid, edges² = 6 E_i of a box;
/// planar: radius² = 2 J/m of a disc, edge² = 6 J/m of a square.
BodyShape solid_of_inertia(const RigidInertia& body, int dim, bool is_box) {
  const Triple center{body.center[0], body.center[1], body.center[2]};
  const double m = body.mass;
  const double* J = body.inertia;
  if (dim == 2) {
    const double square = J[2] / m, radius = std::sqrt(2 * square), edge = std::sqrt(6 * square);
    return is_box ? block(center, {edge, edge, edge}) : round(center, {0, 0, 1}, radius, radius, 0.2 * radius);
  }
  const bool is_turned = J[3] != 0 || J[4] != 0 || J[5] != 0;
  BodyShape out;
  out.type = is_box ? Type::box : Type::ellipsoid;
  out.center = center;
  Triple moments{J[0], J[1], J[2]}, axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  if (is_turned) {
    const SingularValues tensor(std::vector<double>{J[0], J[3], J[5], J[3], J[1], J[4], J[5], J[4], J[2]}, 3);
    for (int i = 0; i < 3; ++i) {
      moments[i] = tensor.value(2 - i);
      std::copy_n(tensor.right(2 - i).begin(), 3, &axes[i][0]);
    }
    if (dot(cross(axes[0], axes[1]), axes[2]) < 0) axes[2] = -1.0 * axes[2];
  }
  double largest = 0;
  for (int i = 0; i < 3; ++i) {
    out.size[i] =
        std::sqrt(std::max(0.0, (is_box ? 6 : 2.5) / m * (moments[0] + moments[1] + moments[2] - 2 * moments[i])));
    largest = std::max(largest, out.size[i]);
    for (int k = 0; k < 3; ++k) out.axes[i][k] = axes[i][k];
  }
  for (double& length : out.size) length = std::max(length, 0.05 * largest);
  return out;
}

std::vector<BodyShape> links_between(const std::vector<Triple>& places, const Triple& center, double model_size) {
  double longest = 0;
  size_t from = 0, to = 0;
  for (size_t a = 0; a < places.size(); ++a)
    for (size_t b = 0; b < a; ++b)
      if (norm(places[a] - places[b]) > longest) longest = norm(places[a] - places[b]), from = b, to = a;
  const double extent = std::max(longest, norm(center - places[0])), radius = link_radius(extent, model_size);
  std::vector<BodyShape> out;
  const Triple n = longest > 0 ? (1 / longest) * (places[to] - places[from]) : Triple{};
  const auto off_line = [&](const Triple& x) {
    const Triple d = x - places[from];
    return norm(d - dot(d, n) * n);
  };
  const bool is_straight = longest > 0.3 * extent && std::all_of(places.begin(), places.end(), [&](const Triple& x) {
                             return off_line(x) < 0.05 * extent;
                           });
  if (is_straight) {
    out.push_back(link(places[from], places[to], radius));
    if (off_line(center) > 2 * radius)
      out.push_back(link(places[from] + dot(center - places[from], n) * n, center, 0.7 * radius));
  } else if (places.size() == 3) {
    for (int k = 0; k < 3; ++k) out.push_back(link(places[k], places[(k + 1) % 3], radius));
    return out;
  } else {
    for (const Triple& x : places) out.push_back(link(center, x, radius));
  }
  out.push_back(sphere(center, 1.6 * radius));
  return out;
}

/// Corners of a box around the shapes.
std::array<Triple, 2> bounds_of(const std::vector<BodyShape>& shapes) {
  std::array<Triple, 2> out{Triple{1e300, 1e300, 1e300}, Triple{-1e300, -1e300, -1e300}};
  const auto take = [&](const Triple& x, double r) {
    for (int i = 0; i < 3; ++i) out[0][i] = std::min(out[0][i], x[i] - r), out[1][i] = std::max(out[1][i], x[i] + r);
  };
  for (const BodyShape& s : shapes) {
    if (s.type == Type::sphere) take(s.center, s.size[0]);
    if (s.type == Type::link) take(s.center, s.size[0]), take(s.to, s.size[0]);
    if (s.type == Type::mesh)
      for (size_t k = 0; k + 2 < s.vertices.size(); k += 3)
        take({s.vertices[k], s.vertices[k + 1], s.vertices[k + 2]}, 0);
    if (s.type == Type::sphere || s.type == Type::link || s.type == Type::mesh) continue;
    Triple half = s.size;
    if (s.type == Type::box) half = 0.5 * half;
    if (s.type == Type::cylinder || s.type == Type::cone) half = {s.size[0], s.size[0], s.size[2] / 2};
    for (int corner = 0; corner < 8; ++corner) {
      Triple x = s.center;
      for (int k = 0; k < 3; ++k) x = x + ((corner >> k & 1) != 0 ? half[k] : -half[k]) * s.axes[k];
      take(x, 0);
    }
  }
  return out;
}

namespace {

/// From the shape to where the body is held outside of it.
void add_arms(std::vector<BodyShape>& shapes, const std::vector<Triple>& places, double model_size) {
  if (shapes.empty()) return;
  const auto [low, high] = bounds_of(shapes);
  const Triple size = high - low;
  const double thinnest = *std::min_element(size.begin(), size.end());
  for (const Triple& x : places) {
    Triple near{};
    for (int i = 0; i < 3; ++i) near[i] = std::clamp(x[i], low[i], high[i]);
    const double length = norm(x - near);
    if (length > 0.02 * norm(size))
      shapes.push_back(link(near, x, std::min(0.5 * thinnest, link_radius(length, model_size))));
  }
}

/// A solid at the end of a link, not so large that it hides it.
void hang_at(std::vector<BodyShape>& shapes, const Triple& place, const Triple& center, double model_size) {
  const double arm = norm(place - center);
  BodyShape& solid = shapes.front();
  const double largest = *std::max_element(solid.size.begin(), solid.size.end());
  for (double& x : solid.size) x *= std::min(1.0, 0.6 * arm / largest);
  shapes.push_back(link(place, center, link_radius(arm, model_size)));
}

}  // namespace

void DrawingBuilder::find_places_of_bodies() {
  for (const Hold& hold : machine_.holds)
    for (const DrawnPlace& place : places(hold.places))
      if (place.at.on == MaterialPlace::On::body) places_of_bodies_[place.at.part].push_back(place.at.local);
}

/// Named points, and where joints, springs and masses are: in the body's frame, each once.
std::vector<Triple> DrawingBuilder::places_on(int index) const {
  std::vector<Triple> out;
  const auto take = [&](const Triple& x) {
    for (const Triple& known : out)
      if (norm(known - x) <= 1e-6 * (norm(x) + size_)) return;
    out.push_back(x);
  };
  for (const auto& [name, x] : machine_.bodies[index].points)
    if (name != "center") take(triple(x));
  for (const Triple& x : places_of_bodies_[index]) take(x);
  return out;
}

/// Whether a joint lets it slide along another part.
bool DrawingBuilder::slides(int index) const {
  return std::any_of(machine_.holds.begin(), machine_.holds.end(), [&](const Hold& hold) {
    return hold.guides && std::any_of(hold.places.begin(), hold.places.end(), [&](const MaterialPlace& at) {
             return at.on == MaterialPlace::On::body && at.part == index;
           });
  });
}

namespace {

BodyShape drawn_visual(const VisualSpec& visual) {
  BodyShape out = drawn_shape(visual.shape);
  const RigidFrame& frame = visual.placed;
  for (size_t k = 0; k + 2 < out.vertices.size(); k += 3) {
    const Triple x = frame.to_space({out.vertices[k], out.vertices[k + 1], out.vertices[k + 2]});
    for (size_t i = 0; i < 3; ++i) out.vertices[k + i] = static_cast<float>(x[i]);
  }
  if (out.type == Type::mesh) return out;
  out.center = frame.to_space(out.center);
  if (out.type == Type::link) out.to = frame.to_space(out.to);
  if (out.type == Type::link || out.type == Type::sphere) return out;
  for (Triple& axis : out.axes) axis = frame.turned(axis);
  return out;
}

}  // namespace

Drawable& DrawingBuilder::begin_body(int index, std::string name, std::string label) {
  Drawable& out = begin(Drawable::Kind::body, std::move(name), std::move(label));
  row(out.position, on_body(index, {}));
  SlotMap* axes[] = {&out.tangent, &out.second, &out.third};
  for (int k = 0; k < machine_.bodies[index].axes; ++k) row(*axes[k], on_body(index, unit_axis(k), false));
  return out;
}

/// One drawable for each colour; those of the first are the body's own.
void DrawingBuilder::add_visuals(int index) {
  const BodySpec& spec = *machine_.bodies[index].spec;
  const auto color = [&](const VisualSpec& visual) { return visual.color.empty() ? spec.color : visual.color; };
  std::vector<std::string> done;
  for (const VisualSpec& first : spec.visuals) {
    if (std::find(done.begin(), done.end(), color(first)) != done.end()) continue;
    Drawable& out = done.empty() ? begin_body(index, "body." + spec.name, "body")
                                 : begin_body(index, "visual." + first.name, "visual");
    out.color = color(first);
    for (const VisualSpec& visual : spec.visuals)
      if (color(visual) == out.color) out.shapes.push_back(drawn_visual(visual));
    out.field = drawing_.field_points;
    out.field_count = 1;
    done.push_back(out.color);
    const double* c = spec.inertia.center;
    add_field_point(on_body(index, {c[0], c[1], c[2]}));
  }
}

void DrawingBuilder::add_body(int index) {
  const BodyPart& body = machine_.bodies[index];
  add_look(index);
  for (const auto& [name, x] : body.points) {
    if (name == "center") continue;
    Drawable& point = begin(Drawable::Kind::point, "body." + body.name + "." + name, "place");
    row(point.position, on_body(index, triple(x)));
  }
}

void DrawingBuilder::add_look(int index) {
  const BodyPart& body = machine_.bodies[index];
  if (!body.spec->visuals.empty()) return add_visuals(index);
  const RigidInertia& inertia = body.spec->inertia;
  const Triple center{inertia.center[0], inertia.center[1], inertia.center[2]};
  const std::vector<Triple> places = places_on(index);
  Drawable& out = begin_body(index, "body." + body.name, "body");
  if (body.spec->is_frame()) {
    out.shapes = {sphere({}, 0.005 * size_)};
    out.label = "frame";
  } else if (const std::optional<SolidShape>& shape = body.spec->shape) {
    out.shapes = {drawn_shape(*shape)};
    out.label = fmt::format("body {}", name_of(*shape));
    add_arms(out.shapes, places, size_);
  } else if (const BodyTrusses& trusses = body.trusses; !trusses.members.empty()) {
    for (const BodyTrusses::Member& member : trusses.members) {
      const Triple &from = trusses.nodes[member.from].local, &to = trusses.nodes[member.to].local;
      out.shapes.push_back(link(from, to, 0.5 * link_radius(norm(to - from), size_)));
    }
    add_arms(out.shapes, places, size_);
    out.label = "body of trusses";
  } else if (places.size() >= 2) {
    out.shapes = links_between(places, center, size_);
  } else {
    out.shapes = {solid_of_inertia(inertia, topology_.dim, slides(index))};
    if (places.size() == 1 && norm(places[0] - center) > 1e-6 * size_) hang_at(out.shapes, places[0], center, size_);
  }
  out.field = drawing_.field_points;
  out.field_count = 1;
  add_field_point(on_body(index, center));
}

}  // namespace flexura::detail

#include "flexura/scene/body_shape.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <numbers>

#include "flexura/mesh/triangle_mesh.hpp"

namespace flexura {
namespace {

using std::numbers::pi;

RigidInertia solid(double mass, double xx, double yy, double zz) {
  RigidInertia body;
  body.mass = mass;
  body.inertia[0] = xx;
  body.inertia[1] = yy;
  body.inertia[2] = zz;
  return body;
}

RigidInertia flat(double mass, double zz) { return solid(mass, 0, 0, zz); }

void move_by(RigidInertia& body, const Record& shape, std::string_view key) {
  if (const Numbers* x = shape.get<Numbers>(key))
    for (size_t i = 0; i < x->size(); ++i) body.center[i] += (*x)[i];
}

/// A body about the z axis, turned so that z lies along `axis` [any length]: J = J_t I + (J_z − J_t) a aᵀ.
void turn_to(RigidInertia& body, const Numbers& axis) {
  const double length = std::sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
  const std::array<double, 3> a{axis[0] / length, axis[1] / length, axis[2] / length};
  const double across = body.inertia[0], more = body.inertia[2] - across, z = body.center[2];
  for (int i = 0; i < 3; ++i) {
    body.center[i] = z * a[i];
    body.inertia[i] = across + more * a[i] * a[i];
    body.inertia[3 + i] = more * a[i] * a[(i + 1) % 3];  // xy, yz, zx
  }
}

/// Signed: positive where the corners go counter-clockwise. With cross = x_k y_k+1 − y_k x_k+1:
///   A = Σ cross/2,   ∫ r dA = Σ cross/6 (r_k + r_k+1),   ∫ r² dA = Σ cross/12 (r_k² + r_k·r_k+1 + r_k+1²)
RigidInertia polygon_of(const Points& corners, double density) {
  const Numbers& origin = corners[0];
  double area = 0, first[2] = {0, 0}, second = 0;
  for (size_t k = 0; k < corners.size(); ++k) {
    const Numbers &p = corners[k], &q = corners[(k + 1) % corners.size()];
    const double a[2] = {p[0] - origin[0], p[1] - origin[1]}, b[2] = {q[0] - origin[0], q[1] - origin[1]};
    const double cross = a[0] * b[1] - a[1] * b[0];
    area += cross / 2;
    for (int i = 0; i < 2; ++i) {
      first[i] += cross / 6 * (a[i] + b[i]);
      second += cross / 12 * (a[i] * a[i] + a[i] * b[i] + b[i] * b[i]);
    }
  }
  const double x = first[0] / area, y = first[1] / area;
  RigidInertia body =
      flat(density * std::fabs(area), density * (std::fabs(second) - std::fabs(area) * (x * x + y * y)));
  body.center[0] = origin[0] + x;
  body.center[1] = origin[1] + y;
  return body;
}

/// Edges k (from corner k to the next) that cross, or {0, 0}. Neighbours share a corner and do not count.
std::array<size_t, 2> crossing_edges(const Points& p) {
  const size_t n = p.size();
  const auto side = [&](size_t a, size_t b, size_t c) {
    return (p[b][0] - p[a][0]) * (p[c][1] - p[a][1]) - (p[b][1] - p[a][1]) * (p[c][0] - p[a][0]);
  };
  for (size_t i = 0; i < n; ++i)
    for (size_t j = i + 2; j < n; ++j) {
      if (i == 0 && j + 1 == n) continue;
      const size_t i1 = i + 1, j1 = (j + 1) % n;
      if (side(i, i1, j) * side(i, i1, j1) < 0 && side(j, j1, i) * side(j, j1, i1) < 0) return {i, j};
    }
  return {0, 0};
}

FieldSpec length_field(std::string name, std::string doc) {
  return number_field(std::move(name), "m", std::move(doc)).required().more_than(0);
}

FieldSpec size_field(int dim) {
  FieldSpec size = vector_field("size", "m", dim, "lengths along x, y" + std::string(dim == 3 ? " and z" : ""));
  return std::move(size).required().more_than(0).turning(Turns::stays);
}

FieldSpec center_field(int dim, std::string what) {
  return vector_field("center", "m", dim, "where " + std::move(what) + " is in the body's frame")
      .defaults_to(std::string("the frame's origin"))
      .turning(Turns::stays);
}

}  // namespace

FieldSpec body_shape_field(int dim) {
  TableSpec shape;
  shape.kind = "shape";
  shape.form = TableSpec::Form::single;
  if (dim == 2) {
    shape.variants = {{"rectangle", "a plate", {size_field(2), center_field(2, "its centre")}},
                      {"disc", "a round plate", {length_field("radius", "radius"), center_field(2, "its centre")}},
                      {"polygon",
                       "a plate of straight edges",
                       {points_field("points", "m", 2, "its corners in order, in the body's frame")
                            .required()
                            .turning(Turns::stays)}},
                      {"rod", "a thin rod", {length_field("length", "length"), center_field(2, "its middle")}}};
  } else {
    const FieldSpec axis = vector_field("axis", "1", 3, "direction of its axis, of any length, in the body's frame")
                               .defaults_to(std::string("z"))
                               .turning(Turns::stays);
    shape.variants = {
        {"box", "a block along the body's axes", {size_field(3), center_field(3, "its centre")}},
        {"cylinder",
         "a solid cylinder",
         {length_field("radius", "radius"), length_field("length", "length"), center_field(3, "its centre"), axis}},
        {"sphere", "a solid sphere", {length_field("radius", "radius"), center_field(3, "its centre")}},
        {"cone",
         "a solid cone, its tip along the axis",
         {length_field("radius", "radius of the base"), length_field("height", "height"),
          center_field(3, "the centre of its base"), axis}},
        {"mesh",
         "what a closed surface of triangles encloses",
         {file_field("file", "STL or OBJ file").required(),
          number_field("scale", "1", "metres per unit of the file").defaults_to(1.0).more_than(0),
          center_field(3, "the file's origin")}}};
  }
  return table_field("shape", "from which mass, centre and inertia follow, with the density", shape);
}

std::optional<RigidInertia> inertia_of_shape(const Record& shape, double density, int dim,
                                             const std::vector<ExternalFile>& files, std::vector<Problem>& problems) {
  const auto wrong = [&](std::string_view key, std::string message) -> std::optional<RigidInertia> {
    problems.push_back(
        {shape.source_of(key), shape.path + (key.empty() ? "" : ".") + std::string(key), std::move(message), {}});
    return {};
  };
  const double r = shape.number("radius"), h = shape.number("length", shape.number("height"));
  const Numbers* size = shape.get<Numbers>("size");
  RigidInertia body;
  if (dim == 2 && shape.type == "rectangle") {
    const double a = (*size)[0], b = (*size)[1], mass = density * a * b;
    body = flat(mass, mass / 12 * (a * a + b * b));
  } else if (shape.type == "disc") {
    const double mass = density * pi * r * r;
    body = flat(mass, mass / 2 * r * r);
  } else if (shape.type == "rod") {
    const double mass = density * h;
    body = flat(mass, mass / 12 * h * h);
  } else if (shape.type == "polygon") {
    const Points& corners = *shape.get<Points>("points");
    if (corners.size() < 3) return wrong("points", "a polygon has three or more corners");
    if (const auto [i, j] = crossing_edges(corners); j > 0)
      return wrong("points", fmt::format("the edges after corners {} and {} cross", i + 1, j + 1));
    body = polygon_of(corners, density);
    if (!(body.mass > 0)) return wrong("points", "the corners enclose no area");
  } else if (shape.type == "box") {
    const double a = (*size)[0], b = (*size)[1], c = (*size)[2], mass = density * a * b * c;
    body = solid(mass, mass / 12 * (b * b + c * c), mass / 12 * (a * a + c * c), mass / 12 * (a * a + b * b));
  } else if (shape.type == "cylinder") {
    const double mass = density * pi * r * r * h, across = mass / 12 * (3 * r * r + h * h);
    body = solid(mass, across, across, mass / 2 * r * r);
  } else if (shape.type == "sphere") {
    const double mass = density * 4 / 3 * pi * r * r * r, any = mass * 2 / 5 * r * r;
    body = solid(mass, any, any, any);
  } else if (shape.type == "cone") {
    const double mass = density * pi / 3 * r * r * h, across = mass * (3.0 / 20 * r * r + 3.0 / 80 * h * h);
    body = solid(mass, across, across, mass * 3 / 10 * r * r);
    body.center[2] = h / 4;
  } else if (shape.type == "mesh") {
    const ExternalFile& file = files[shape.get<FileIndex>("file")->index];
    auto read = read_triangle_mesh(file.text, file.name);
    if (const MeshError* error = std::get_if<MeshError>(&read)) {
      if (error->line == 0) return wrong("file", fmt::format("\"{}\" {}", file.name, error->message));
      problems.push_back({{file.path, error->line, 1, 1}, {}, error->message, {}});
      return {};
    }
    auto& mesh = std::get<TriangleMesh>(read);
    if (const std::string why = why_not_solid(mesh); !why.empty())
      return wrong("file", fmt::format("\"{}\" {}", file.name, why));
    const double scale = shape.number("scale");
    for (auto& point : mesh.points)
      for (double& x : point) x *= scale;
    const SolidProperties properties = solid_properties(mesh);
    body.mass = density * properties.volume;
    for (int i = 0; i < 3; ++i) body.center[i] = properties.center[i];
    for (int i = 0; i < 6; ++i) body.inertia[i] = density * properties.inertia[i];
  }
  if (const Numbers* axis = shape.get<Numbers>("axis")) {
    if (std::hypot((*axis)[0], (*axis)[1], (*axis)[2]) == 0) return wrong("axis", "must not be zero");
    turn_to(body, *axis);
  }
  move_by(body, shape, "center");
  bool usable = body.mass > 0;
  for (const double x : body.inertia) usable = usable && std::isfinite(x);
  if (!usable || !(body.inertia[2] > 0) || !std::isfinite(body.mass))
    return wrong("", "with this density the mass or the inertia is outside the range of numbers");
  return body;
}

}  // namespace flexura

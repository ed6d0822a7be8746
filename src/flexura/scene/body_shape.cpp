#include "flexura/scene/body_shape.hpp"

#include <fmt/format.h>

#include "flexura/mesh/triangle_mesh.hpp"
#include "flexura/part/rigid_frame.hpp"
#include "flexura/scene/collada_mesh.hpp"

namespace flexura {

using detail::triple;

namespace {

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

std::variant<TriangleMesh, MeshError> read_surface(const std::string& contents, const std::string& name,
                                                   std::string* color) {
  std::string ending = name.substr(std::min(name.rfind('.'), name.size()));
  for (char& c : ending) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  if (ending != ".dae") return read_triangle_mesh(contents, name);
  auto read = read_collada(contents);
  if (const MeshError* error = std::get_if<MeshError>(&read)) return *error;
  auto& mesh = std::get<ColladaMesh>(read);
  if (color != nullptr) *color = std::move(mesh.color);
  join_points(mesh.surface);
  return std::move(mesh.surface);
}

FieldSpec body_shape_field(int dim, std::string doc) {
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
         {file_field("file", "STL, OBJ or COLLADA (.dae) file").required(),
          number_field("scale", "1", "metres per unit of the file").defaults_to(1.0).more_than(0),
          vector_field("stretch", "1", 3, "factors along x, y and z of the file, besides; a negative one mirrors")
              .defaults_to(std::string("1"))
              .turning(Turns::stays),
          center_field(3, "the file's origin")}}};
  }
  return table_field("shape", std::move(doc), shape);
}

namespace {

Triple center_of(const Record& shape) {
  const Numbers* x = shape.get<Numbers>("center");
  return x == nullptr ? Triple{} : triple(*x);
}

std::optional<Triple> axis_of(const Record& shape) {
  const Numbers* x = shape.get<Numbers>("axis");
  return x == nullptr ? std::optional<Triple>() : triple(*x);
}

solid::Rectangle rectangle_of(const Record& shape) {
  const Numbers& size = *shape.get<Numbers>("size");
  return {.size = {size[0], size[1]}, .center = center_of(shape)};
}

solid::Polygon polygon_of(const Record& shape) {
  solid::Polygon out;
  for (const Numbers& corner : *shape.get<Points>("points")) out.points.push_back(triple(corner));
  return out;
}

std::optional<SolidShape> mesh_of(const Record& shape, const std::vector<ExternalFile>& files,
                                  std::vector<Problem>& problems, std::string* color) {
  const ExternalFile& file = files[shape.get<FileIndex>("file")->index];
  auto read = read_surface(file.text, file.name, color);
  if (const MeshError* error = std::get_if<MeshError>(&read)) {
    if (error->line > 0)
      problems.push_back({{file.path, error->line, 1, 1}, {}, error->message, {}});
    else
      problems.push_back(
          {shape.source_of("file"), shape.path + ".file", fmt::format("\"{}\" {}", file.name, error->message), {}});
    return {};
  }
  auto& mesh = std::get<TriangleMesh>(read);
  const double scale = shape.number("scale");
  std::array<double, 3> factors{scale, scale, scale};
  if (const Numbers* stretch = shape.get<Numbers>("stretch"))
    for (size_t i = 0; i < 3; ++i) factors[i] *= (*stretch)[i];
  const double volume = factors[0] * factors[1] * factors[2];
  if (volume == 0) {
    problems.push_back({shape.source_of("stretch"), shape.path + ".stretch", "a factor must not be 0", {}});
    return {};
  }
  for (auto& point : mesh.points)
    for (size_t i = 0; i < 3; ++i) point[i] *= factors[i];
  if (volume < 0)  // outside stays outside
    for (auto& triangle : mesh.triangles) std::swap(triangle[1], triangle[2]);
  return solid::Mesh{.surface = std::move(mesh), .center = center_of(shape)};
}

}  // namespace

std::optional<SolidShape> solid_shape(const Record& shape, const std::vector<ExternalFile>& files,
                                      std::vector<Problem>& problems, std::string* color) {
  const double radius = shape.number("radius"), length = shape.number("length");
  const Triple center = center_of(shape);
  if (shape.type == "rectangle") return rectangle_of(shape);
  if (shape.type == "disc") return solid::Disc{.radius = radius, .center = center};
  if (shape.type == "polygon") return polygon_of(shape);
  if (shape.type == "rod") return solid::Rod{.length = length, .center = center};
  if (shape.type == "box") return solid::Box{.size = triple(*shape.get<Numbers>("size")), .center = center};
  if (shape.type == "cylinder")
    return solid::Cylinder{.radius = radius, .length = length, .center = center, .axis = axis_of(shape)};
  if (shape.type == "sphere") return solid::Sphere{.radius = radius, .center = center};
  if (shape.type == "cone")
    return solid::Cone{.radius = radius, .height = shape.number("height"), .center = center, .axis = axis_of(shape)};
  return mesh_of(shape, files, problems, color);
}

std::optional<RigidInertia> inertia_of_shape(const Record& shape, const SolidShape& solid, double density,
                                             const std::vector<ExternalFile>& files, std::vector<Problem>& problems) {
  const FoundInertia found = inertia_of(solid, density);
  if (const auto* body = std::get_if<RigidInertia>(&found)) return *body;
  auto [key, message] = std::get<NoInertia>(found);
  if (const FileIndex* file = shape.get<FileIndex>("file"); file != nullptr && key == "surface") {
    key = "file";
    message = fmt::format("\"{}\" {}", files[file->index].name, message);
  }
  problems.push_back({shape.source_of(key), shape.path + (key.empty() ? "" : ".") + key, std::move(message), {}});
  return {};
}

}  // namespace flexura

#include "flexura/output/vtk_file.hpp"

#include <fmt/format.h>

#include <string_view>

#include "flexura/base/base64.hpp"
#include "flexura/base/file.hpp"
#include "flexura/base/text.hpp"
#include "flexura/base/xml_text.hpp"

namespace flexura {

namespace {

// Cell types of VTK's file formats.
enum CellType : std::uint8_t {
  vertex = 1,
  line = 3,
  polyline = 4,
  triangle = 5,
  polygon = 7,
  quadrilateral = 9,
  tetrahedron = 10,
  hexahedron = 12,
  quadratic_tetrahedron = 24,
  quadratic_hexahedron = 25,
  triquadratic_hexahedron = 29
};

CellType volume_type(std::size_t nodes) {
  switch (nodes) {
    case 4:
      return tetrahedron;
    case 10:
      return quadratic_tetrahedron;
    case 20:
      return quadratic_hexahedron;
    case 27:
      return triquadratic_hexahedron;
    default:
      return hexahedron;
  }
}

template <class T>
constexpr std::string_view type_name = "";
template <>
constexpr std::string_view type_name<float> = "Float32";
template <>
constexpr std::string_view type_name<std::int64_t> = "Int64";
template <>
constexpr std::string_view type_name<std::uint8_t> = "UInt8";

template <class T>
void append_array(std::string& text, VtkEncoding encoding, const std::string& name, int components,
                  const std::vector<T>& values) {
  append_text(text, "<DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\" format=\"{}\">", type_name<T>,
              xml_text(name), components, encoding == VtkEncoding::ascii ? "ascii" : "binary");
  if (encoding == VtkEncoding::ascii) {
    text += joined_text(values, " ");
  } else {
    const std::uint64_t bytes = values.size() * sizeof(T);
    std::string block(reinterpret_cast<const char*>(&bytes), sizeof bytes);
    block.append(reinterpret_cast<const char*>(values.data()), bytes);
    text += base64(block);
  }
  text += "</DataArray>\n";
}

/// Connectivity, ends and types of all cells in the order vertices, lines, polygons, volumes.
struct Cells {
  std::vector<std::int64_t> points, ends;
  std::vector<std::uint8_t> types;

  explicit Cells(const VtkFrame& frame) {
    for (const std::int64_t point : frame.vertices) add(std::vector{point}, vertex);
    for (const auto& points_of_line : frame.lines) add(points_of_line, points_of_line.size() == 2 ? line : polyline);
    for (const auto& face : frame.polygons)
      add(face, face.size() == 3 ? triangle : face.size() == 4 ? quadrilateral : polygon);
    for (const auto& volume : frame.volumes) add(volume, volume_type(volume.size()));
  }

  void add(const std::vector<std::int64_t>& cell, CellType type) {
    points.insert(points.end(), cell.begin(), cell.end());
    ends.push_back(static_cast<std::int64_t>(points.size()));
    types.push_back(type);
  }
};

void append_fields(std::string& text, VtkEncoding encoding, std::string_view element,
                   const std::vector<VtkField>& fields) {
  append_text(text, "<{}>\n", element);
  for (const VtkField& field : fields) append_array(text, encoding, field.name, field.components, field.values);
  append_text(text, "</{}>\n", element);
}

}  // namespace

std::string vtu_text(const VtkFrame& frame, VtkEncoding encoding) {
  const Cells cells(frame);
  std::string text = "<?xml version=\"1.0\"?>\n";
  text += "<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n";
  text += "<UnstructuredGrid>\n<FieldData>\n";
  // VTK shows the moment under this name; a field array needs its length as an attribute.
  append_text(text,
              "<DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">{}</DataArray>\n",
              frame.time);
  append_text(text, "</FieldData>\n<Piece NumberOfPoints=\"{}\" NumberOfCells=\"{}\">\n<Points>\n",
              frame.points.size() / 3, cells.ends.size());
  append_array(text, encoding, "Points", 3, frame.points);
  text += "</Points>\n<Cells>\n";
  append_array(text, encoding, "connectivity", 1, cells.points);
  append_array(text, encoding, "offsets", 1, cells.ends);
  append_array(text, encoding, "types", 1, cells.types);
  text += "</Cells>\n";
  append_fields(text, encoding, "PointData", frame.point_fields);
  append_fields(text, encoding, "CellData", frame.cell_fields);
  text += "</Piece>\n</UnstructuredGrid>\n</VTKFile>\n";
  return text;
}

VtkSeries::VtkSeries(std::string folder, std::string name, VtkEncoding encoding)
    : folder_(std::move(folder)), name_(std::move(name)), encoding_(encoding) {}

std::string VtkSeries::pvd_path() const { return fmt::format("{}/{}.pvd", folder_, name_); }

std::string VtkSeries::write(const VtkFrame& frame) {
  std::string file = fmt::format("{0}/{0}_{1:06}.vtu", name_, files_.size());
  std::string error = write_file(fmt::format("{}/{}", folder_, file), vtu_text(frame, encoding_));
  if (error.empty()) files_.emplace_back(frame.time, std::move(file));
  return error;
}

std::string VtkSeries::finish() {
  std::string text = "<?xml version=\"1.0\"?>\n";
  text += "<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">\n<Collection>\n";
  for (const auto& [time, file] : files_)
    append_text(text, "<DataSet timestep=\"{}\" group=\"\" part=\"0\" file=\"{}\"/>\n", time, xml_text(file));
  text += "</Collection>\n</VTKFile>\n";
  return write_file(pvd_path(), text);
}

}  // namespace flexura

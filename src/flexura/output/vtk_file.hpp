#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace flexura {

/// Values at the points (or cells) of a frame. Of single precision, as the weights of drawn places are.
struct VtkField {
  std::string name;           ///< with its unit: "velocity [m/s]"
  int components = 1;         ///< 1 or 3 (planar vectors: z = 0)
  std::vector<float> values;  ///< [point][components]
};

/// Geometry and values of one moment. Cells are lists of point numbers; their order in the file (and in cell_fields) is
/// vertices, lines, polygons, volumes.
struct VtkFrame {
  double time = 0;            ///< s
  std::vector<float> points;  ///< [point][3], m
  std::vector<std::int64_t> vertices;
  std::vector<std::vector<std::int64_t>> lines;     ///< two points: segments of cables, springs; more: polylines
  std::vector<std::vector<std::int64_t>> polygons;  ///< 3, 4 or more points: plates, faces
  std::vector<std::vector<std::int64_t>> volumes;   ///< 8, 20 or 27 points: hexahedra; 4 or 10: tetrahedra
  std::vector<VtkField> point_fields, cell_fields;
};

enum class VtkEncoding { base64, ascii };

/// One VTU file (XML, UnstructuredGrid, version 1.0, 64-bit header, little endian).
std::string vtu_text(const VtkFrame& frame, VtkEncoding encoding = VtkEncoding::base64);

/// Writes <folder>/<name>.pvd and one <folder>/<name>/<name>_000000.vtu per frame, for ParaView.
class VtkSeries {
 public:
  VtkSeries(std::string folder, std::string name, VtkEncoding encoding = VtkEncoding::base64);
  /// Each returns what went wrong, or "".
  std::string write(const VtkFrame& frame);
  std::string finish();  ///< writes the PVD file
  std::string pvd_path() const;

 private:
  std::string folder_, name_;
  VtkEncoding encoding_;
  std::vector<std::pair<double, std::string>> files_;  // time, path from folder_
};

}  // namespace flexura

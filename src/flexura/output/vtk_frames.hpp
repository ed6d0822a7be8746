#pragma once
// A run for ParaView, from its results file alone: the drawing as volumes, surfaces and lines with a radius.

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "flexura/base/outcome.hpp"
#include "flexura/output/drawn_run.hpp"
#include "flexura/output/vtk_file.hpp"

namespace flexura {

/// The cells of a drawing. They stay the same; points move.
class VtkScene {
 public:
  explicit VtkScene(const Drawing& drawing);

  std::size_t points() const { return points_.size(); }
  std::size_t cells() const {
    return cells_.vertices.size() + cells_.lines.size() + cells_.polygons.size() + cells_.volumes.size();
  }

  using Slots = std::vector<std::array<double, 3>>;
  /// Places at these slots, with their displacement from the reference configuration, radius and thickness of lines and surfaces
  /// and the number of the part.
  VtkFrame frame(double time, const Slots& slots) const;
  /// Σ weight · rate at all points: velocities, or the displacements of a mode.
  void add_rates(const std::string& name, const Slots& rates, VtkFrame& frame) const;
  /// Fields [field][field point] and vectors of arrows [quantity][3] of one state.
  void add_numbers(std::span<const double> values, std::span<const double> quantities, VtkFrame& frame) const;

 private:
  /// A row of a drawable's places, or a place in a body's frame.
  struct Point {
    const Drawable* of = nullptr;
    int row = 0;
    bool in_body = false, is_node = false;  ///< node: a row of Drawable::nodes
    std::array<double, 3> local{};
    float radius = 0, thickness = 0;
    int field = -1;  ///< field point
  };
  std::int64_t add(Point point);
  void add_drawable(const Drawable& drawable);
  void add_volumes(const Drawable& solid);
  static const SlotMap& map_of(const Point& point) { return point.is_node ? point.of->nodes : point.of->position; }
  /// Places of all points; of points in bodies with these axes.
  std::vector<std::array<double, 3>> places(const Slots& slots) const;
  void add_shape(const Drawable& body, const BodyShape& shape);
  void add_cell(std::vector<std::vector<std::int64_t>>& cells, std::vector<int>& parts, std::vector<std::int64_t> cell);

  const Drawing& drawing_;
  std::vector<Point> points_;
  VtkFrame cells_;  ///< without points
  std::vector<int> vertex_parts_, line_parts_, polygon_parts_, volume_parts_;
  std::vector<std::array<double, 3>> reference_;  ///< places of all points in the reference configuration
  int part_ = 0;
};

/// FOLDER/<analysis>.pvd for each analysis with states; statics by load factor, modes by number. Returns their paths.
Outcome<std::vector<std::string>> write_vtk_frames(const std::string& results, const std::string& folder);

}  // namespace flexura

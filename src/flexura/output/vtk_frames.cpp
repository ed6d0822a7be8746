#include "flexura/output/vtk_frames.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "flexura/math/triple.hpp"
#include "flexura/output/body_mesh.hpp"
#include "flexura/output/drawing_file.hpp"
#include "flexura/part/rigid_frame.hpp"

namespace flexura {
namespace {

using Kind = Drawable::Kind;

constexpr std::size_t frames_at_once = 16;

/// The axes of a body. Of those that its slots do not carry any will do, and they do not move.
std::array<Triple, 3> axes_of(const Drawable& body, const VtkScene::Slots& slots) {
  std::array<Triple, 3> axes{Triple{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const SlotMap* maps[] = {&body.tangent, &body.second, &body.third};
  for (int k = 0; k < 3; ++k)
    if (maps[k]->size() > 0) axes[k] = place_of(*maps[k], 0, slots);
  if (body.second.size() == 0 && body.tangent.size() > 0) {
    const std::array<Triple, 2> across = detail::perpendiculars((1 / norm(axes[0])) * axes[0]);
    axes[1] = across[0], axes[2] = across[1];
  }
  return axes;
}

std::array<Triple, 3> axis_rates(const Drawable& body, const VtkScene::Slots& rates) {
  std::array<Triple, 3> axes{};
  const SlotMap* maps[] = {&body.tangent, &body.second, &body.third};
  for (int k = 0; k < 3; ++k)
    if (maps[k]->size() > 0) axes[k] = place_of(*maps[k], 0, rates);
  return axes;
}

void append(const Triple& x, std::vector<float>& out) {
  for (const double c : x) out.push_back(static_cast<float>(c));
}

/// Half the thickness that a curve is seen with; of a rectangle half its longer side.
float radius_of(const Drawable& curve, int sample) {
  const SectionShape& s = curve.section;
  const bool flat = s.type == SectionShape::Type::rectangle;
  double a = flat ? s.width : s.radius, b = flat ? s.height : 0;
  if (!curve.sizes.empty()) a = curve.sizes[2 * static_cast<std::size_t>(sample)];
  if (!curve.sizes.empty() && flat) b = curve.sizes[2 * static_cast<std::size_t>(sample) + 1];
  return static_cast<float>(flat ? 0.5 * std::max(a, b) : a);
}

}  // namespace

VtkScene::VtkScene(const Drawing& drawing) : drawing_(drawing) {
  for (const Drawable& drawable : drawing.drawables) {
    add_drawable(drawable);
    ++part_;
  }
  Slots slots;
  for (const Drawing::MovingSlot& slot : drawing.slots) slots.push_back(slot.reference);
  slots.insert(slots.end(), drawing.fixed.begin(), drawing.fixed.end());
  reference_ = places(slots);
}

std::int64_t VtkScene::add(Point point) {
  points_.push_back(point);
  return static_cast<std::int64_t>(points_.size()) - 1;
}

void VtkScene::add_cell(std::vector<std::vector<std::int64_t>>& cells, std::vector<int>& parts,
                        std::vector<std::int64_t> cell) {
  cells.push_back(std::move(cell));
  parts.push_back(part_);
}

/// Cells of a solid, in place of its faces.
void VtkScene::add_volumes(const Drawable& solid) {
  const auto first = static_cast<std::int64_t>(points_.size());
  for (int node = 0; node < solid.nodes.size(); ++node) {
    const std::uint32_t field = solid.node_fields[static_cast<std::size_t>(node)];
    add({.of = &solid, .row = node, .is_node = true, .field = field == no_node_field ? -1 : static_cast<int>(field)});
  }
  for (std::size_t at = 0; const std::uint32_t count : solid.cell_nodes) {
    std::vector<std::int64_t> cell;
    for (std::uint32_t k = 0; k < count; ++k) cell.push_back(first + solid.cells[at++]);
    add_cell(cells_.volumes, volume_parts_, std::move(cell));
  }
}

void VtkScene::add_drawable(const Drawable& d) {
  if (d.nodes.size() > 0) return add_volumes(d);
  std::vector<std::int64_t> rows;
  for (int row = 0; row < d.position.size() && d.kind != Kind::body; ++row) {
    Point point{.of = &d, .row = row};
    if (d.field >= 0 && row < d.field_count) point.field = d.field + row;
    if (d.kind == Kind::curve) point.radius = radius_of(d, row);
    if (d.kind == Kind::point) point.radius = static_cast<float>(d.radius);
    if (d.kind == Kind::surface) point.thickness = static_cast<float>(d.thickness[static_cast<std::size_t>(row)]);
    rows.push_back(add(point));
  }
  switch (d.kind) {
    case Kind::curve:
    case Kind::line:  // segments of two points: meshio reads no polylines
      for (std::size_t k = 1; k < rows.size(); ++k) add_cell(cells_.lines, line_parts_, {rows[k - 1], rows[k]});
      return;
    case Kind::surface:
      for (std::size_t k = 0; k + 3 < d.quads.size(); k += 4)
        add_cell(cells_.polygons, polygon_parts_,
                 {rows[d.quads[k]], rows[d.quads[k + 1]], rows[d.quads[k + 2]], rows[d.quads[k + 3]]});
      return;
    case Kind::body:
      for (const BodyShape& shape : d.shapes) add_shape(d, shape);
      return;
    case Kind::point:
    case Kind::joint:
    case Kind::arrow:
    case Kind::sensor:
      for (const std::int64_t row : rows) {
        cells_.vertices.push_back(row);
        vertex_parts_.push_back(part_);
      }
  }
}

void VtkScene::add_shape(const Drawable& body, const BodyShape& shape) {
  const auto place = [&](const Triple& x, double radius) {
    return add({.of = &body, .in_body = true, .local = x, .radius = static_cast<float>(radius), .field = body.field});
  };
  if (shape.type == BodyShape::Type::link) {
    const std::int64_t from = place(shape.center, shape.size[0]), to = place(shape.to, shape.size[0]);
    return add_cell(cells_.lines, line_parts_, {from, to});
  }
  const BodyMesh mesh = mesh_of(shape);
  const auto first = static_cast<std::int64_t>(points_.size());
  for (const Triple& x : mesh.points) place(x, 0);
  for (std::vector<std::int64_t> face : mesh.faces) {
    for (std::int64_t& corner : face) corner += first;
    add_cell(cells_.polygons, polygon_parts_, std::move(face));
  }
}

std::vector<std::array<double, 3>> VtkScene::places(const Slots& slots) const {
  std::vector<std::array<double, 3>> out;
  out.reserve(points_.size());
  const Drawable* body = nullptr;
  std::array<Triple, 3> axes{};
  for (const Point& p : points_) {
    Triple x = place_of(map_of(p), p.row, slots);
    if (p.in_body && body != p.of) body = p.of, axes = axes_of(*body, slots);
    for (int k = 0; k < 3 && p.in_body; ++k) x = x + p.local[k] * axes[k];
    out.push_back(x);
  }
  return out;
}

VtkFrame VtkScene::frame(double time, const Slots& slots) const {
  VtkFrame frame = cells_;
  frame.time = time;
  frame.points.reserve(3 * points_.size());
  VtkField displacement{"displacement [m]", 3, {}}, radius{"radius [m]", 1, {}}, thickness{"thickness [m]", 1, {}},
      part{"part", 1, {}};
  const std::vector<Triple> now = places(slots);
  for (std::size_t k = 0; k < points_.size(); ++k) {
    append(now[k], frame.points);
    append(now[k] - reference_[k], displacement.values);
    radius.values.push_back(points_[k].radius);
    thickness.values.push_back(points_[k].thickness);
  }
  for (const std::vector<int>* parts : {&vertex_parts_, &line_parts_, &polygon_parts_, &volume_parts_})
    for (const int number : *parts) part.values.push_back(static_cast<float>(number));
  frame.point_fields = {std::move(displacement), std::move(radius), std::move(thickness)};
  frame.cell_fields = {std::move(part)};
  return frame;
}

void VtkScene::add_rates(const std::string& name, const Slots& rates, VtkFrame& frame) const {
  VtkField field{name, 3, {}};
  const Drawable* body = nullptr;
  std::array<Triple, 3> axes{};
  for (const Point& p : points_) {
    Triple x = place_of(map_of(p), p.row, rates);
    if (p.in_body && body != p.of) body = p.of, axes = axis_rates(*body, rates);
    for (int k = 0; k < 3 && p.in_body; ++k) x = x + p.local[k] * axes[k];
    append(x, field.values);
  }
  frame.point_fields.push_back(std::move(field));
}

void VtkScene::add_numbers(std::span<const double> values, std::span<const double> quantities, VtkFrame& frame) const {
  const std::size_t n = static_cast<std::size_t>(drawing_.field_points);
  for (std::size_t f = 0; n > 0 && f < drawing_.fields.size(); ++f) {
    VtkField field{fmt::format("{} [{}]", drawing_.fields[f].name, drawing_.fields[f].unit), 1, {}};
    for (const Point& p : points_)
      field.values.push_back(p.field < 0 ? std::numeric_limits<float>::quiet_NaN()
                                         : static_cast<float>(values[f * n + static_cast<std::size_t>(p.field)]));
    frame.point_fields.push_back(std::move(field));
  }
  if (drawing_.quantities.empty()) return;
  VtkField force{"force [N]", 3, {}}, moment{"moment [N m]", 3, {}};
  for (const Point& p : points_) {
    Triple f{}, m{};
    if (p.of->quantity >= 0)
      std::copy_n(&quantities[3 * static_cast<std::size_t>(p.of->quantity)], 3, (p.of->is_moment ? m : f).begin());
    append(f, force.values);
    append(m, moment.values);
  }
  frame.point_fields.push_back(std::move(force));
  frame.point_fields.push_back(std::move(moment));
}

namespace {

/// The series of one analysis: its stretches one after the other.
class Series {
 public:
  Series(const ResultsFile& results, const DrawnRun& run, int analysis, const std::string& folder)
      : results_(results), run_(run), analysis_(run.analyses[analysis]), series_(folder, run.analyses[analysis].name) {
    double last = -std::numeric_limits<double>::infinity();
    for (const Stretch& stretch : run.stretches)
      if (stretch.analysis == analysis)
        for (const double at : stretch.at) ascends_ = ascends_ && at >= last, last = at;
  }

  /// Returns what went wrong, or "".
  std::string add(const Stretch& stretch) {
    const VtkScene scene(run_.drawing(stretch));
    for (std::size_t begin = 0; begin < stretch.at.size(); begin += frames_at_once) {
      std::vector<std::uint64_t> which;
      for (std::size_t k = begin; k < std::min(begin + frames_at_once, stretch.at.size()); ++k) which.push_back(k);
      const std::string error =
          analysis_.is_modes() ? add_modes(scene, stretch, which) : add_some(scene, stretch, which);
      if (!error.empty()) return error;
    }
    return {};
  }
  std::string finish() { return series_.finish(); }
  std::string path() const { return series_.pvd_path(); }

 private:
  /// Load factors that go back along a path are no times: there frames are counted.
  double time_of(double at) { return ascends_ ? at : static_cast<double>(frames_); }

  /// Where one model ends the next one begins at the same time: one frame.
  std::string write(double at, const VtkFrame& frame) {
    if (frames_ > 0 && ascends_ && at == last_) return {};
    last_ = at;
    ++frames_;
    return series_.write(frame);
  }

  std::string add_some(const VtkScene& scene, const Stretch& stretch, const std::vector<std::uint64_t>& which) {
    const Drawing& drawing = run_.drawing(stretch);
    const auto q = read_slots(results_, run_, stretch, "q", which);
    if (!q) return q.error();
    SlotNumbers rates;
    if (analysis_.over_time()) {
      auto v = read_slots(results_, run_, stretch, "v", which);
      if (!v) return v.error();
      rates = std::move(*v);
    }
    DrawnNumbers numbers;
    if (!stretch.table.empty()) {
      std::vector<std::uint64_t> rows;
      for (const std::uint64_t k : which) rows.push_back(stretch.table_row[k]);
      auto read = read_drawing_rows(results_, stretch.table, drawing, rows);
      if (!read) return read.error();
      numbers = std::move(*read);
    }
    const std::size_t values = numbers.values.size() / which.size(), arrows = numbers.quantities.size() / which.size();
    for (std::size_t k = 0; k < which.size(); ++k) {
      const VtkScene::Slots slots = q->at(drawing, k);
      VtkFrame frame = scene.frame(time_of(stretch.at[which[k]]), slots);
      if (analysis_.over_time()) scene.add_rates("velocity [m/s]", rates.at(drawing, k, true), frame);
      if (!stretch.table.empty())
        scene.add_numbers(std::span(numbers.values).subspan(k * values, values),
                          std::span(numbers.quantities).subspan(k * arrows, arrows), frame);
      if (const std::string error = write(stretch.at[which[k]], frame); !error.empty()) return error;
    }
    return {};
  }

  std::string add_modes(const VtkScene& scene, const Stretch& stretch, const std::vector<std::uint64_t>& which) {
    const Drawing& drawing = run_.drawing(stretch);
    const auto base = read_base(results_, run_, stretch);
    if (!base) return base.error();
    const auto shapes = read_slots(results_, run_, stretch, "shape", which);
    if (!shapes) return shapes.error();
    const VtkScene::Slots slots = base->at(drawing, 0);
    for (std::size_t k = 0; k < which.size(); ++k) {
      VtkFrame frame = scene.frame(time_of(stretch.at[which[k]]), slots);
      scene.add_rates("mode [kg^-1/2]", shapes->at(drawing, k, true), frame);
      if (const std::string error = write(stretch.at[which[k]], frame); !error.empty()) return error;
    }
    return {};
  }

  const ResultsFile& results_;
  const DrawnRun& run_;
  const StoredAnalysis& analysis_;
  VtkSeries series_;
  bool ascends_ = true;
  std::size_t frames_ = 0;
  double last_ = 0;
};

}  // namespace

Outcome<std::vector<std::string>> write_vtk_frames(const std::string& results, const std::string& folder) {
  using Failure = Outcome<std::vector<std::string>>;
  const auto file = ResultsFile::open(results);
  if (!file) return Failure::failure(file.error());
  const auto run = read_drawn_run(*file);
  if (!run) return Failure::failure(run.error());
  std::vector<std::string> paths;
  for (std::size_t a = 0; a < run->analyses.size(); ++a) {
    Series series(*file, *run, static_cast<int>(a), folder);
    bool any = false;
    for (const Stretch& stretch : run->stretches) {
      if (stretch.analysis != static_cast<int>(a)) continue;
      any = true;
      if (const std::string error = series.add(stretch); !error.empty()) return Failure::failure(error);
    }
    if (!any) continue;
    if (const std::string error = series.finish(); !error.empty()) return Failure::failure(error);
    paths.push_back(series.path());
  }
  return paths;
}

}  // namespace flexura

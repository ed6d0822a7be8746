// [section.NAME], [cable.NAME], [beam.NAME] and [point.NAME].

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "flexura/scene/column_unit.hpp"
#include "flexura/scene/section_law.hpp"
#include "flexura/scene/specify.hpp"
#include "flexura/signal/csv.hpp"

namespace flexura::detail {
namespace {

std::vector<Point3> points3(const Points& points) {
  std::vector<Point3> out;
  for (const Numbers& x : points) out.push_back(triple(x));
  return out;
}

/// Index of the first point that is the one before it, up to rounding of the coordinates, or 0.
size_t repeated(const std::vector<Point3>& points) {
  double size = 0;
  for (const Point3& p : points)
    for (double x : p) size = std::max(size, std::fabs(x));
  for (size_t i = 1; i < points.size(); ++i) {
    const Point3 &a = points[i - 1], &b = points[i];
    if (std::hypot(b[0] - a[0], b[1] - a[1], b[2] - a[2]) <= 1e-12 * size) return i;
  }
  return 0;
}

/// Index of the first point where the path goes back the way it came, or 0.
size_t turning_back(const std::vector<Point3>& p) {
  for (size_t i = 1; i + 1 < p.size(); ++i) {
    double back = 0, before = 0, after = 0;
    for (int k = 0; k < 3; ++k) {
      const double a = p[i][k] - p[i - 1][k], b = p[i + 1][k] - p[i][k];
      back -= a * b, before += a * a, after += b * b;
    }
    if (back >= (1 - 1e-12) * std::sqrt(before) * std::sqrt(after)) return i;
  }
  return 0;
}

/// The choice's place among the names.
template <class E>
E choice(const std::string& text, std::initializer_list<std::string_view> names) {
  const auto found = std::find(names.begin(), names.end(), text);
  return static_cast<E>(found == names.end() ? 0 : found - names.begin());
}

/// Shape and material together, or the stiffnesses.
void check_given(const Specifier& with, const Record& record, const Record* shape, const Record* material) {
  if (shape != nullptr && material != nullptr) {
    const SectionOutline outline = *outline_of(record);
    for (const double share : {0.0, 1.0})
      if (outline.wall.at(share) > outline.radius.at(share))
        return with.wrong(record, "shape", "the wall is thicker than the radius");
  } else if (shape != nullptr) {
    with.wrong(record, "shape", "a shape needs a material, as in material = \"NAME\"");
  } else if (material != nullptr) {
    with.wrong(record, "material", "a material needs a shape, as in shape = { type = \"circle\", radius = ... }");
  } else {
    for (const char* key : {"EA", "EI", "rhoA"})
      if (!record.has(key) && !(std::string_view(key) == "EI" && record.has("EI1") && record.has("EI2")))
        with.wrong(record, "", fmt::format("\"{}\" is missing: give it, or a shape and a material", key));
  }
}

std::optional<SectionSpec> make_section(const Specifier& with, const Record& record) {
  const Record* shape = nested(record, "shape");
  const std::string* material_name = record.get<std::string>("material");
  const Record* material = material_name == nullptr ? nullptr : with.scene.find("material", *material_name);
  const size_t before = with.problems.count();
  SectionSpec s;
  s.origin = origin_of(record);
  std::optional<ElasticModuli> rubber;
  if (material != nullptr && is_rubber(*material)) {
    const std::optional<ElasticMaterial> law = elastic_material(with, record);
    if (!law) return {};
    rubber = moduli_at_rest(law->law, law->constants);
    s.rubber = material->path;
  }
  try {
    s.law = section_law(record, with.scene, rubber);
  } catch (const InputError& error) {
    with.problems.errors.insert(with.problems.errors.end(), error.problems().begin(), error.problems().end());
    return {};
  }
  check_given(with, record, shape, material);
  s.outline = outline_of(record);
  const SectionNumbers start = s.law.plain(0), end = s.law.plain(1);
  const bool of_shape = shape != nullptr && material != nullptr;
  if (of_shape) s.bends_alike = (start.EI1 == start.EI2 && end.EI1 == end.EI2) || record.has("EI");
  if (shape == nullptr && !record.has("EI")) s.bends_alike = false;
  for (const double x : {start.EA, start.EI, start.rhoA, end.EA, end.EI, end.rhoA})
    if (of_shape && with.problems.count() == before && !(std::isfinite(x) && x > 0))
      with.wrong(record, "shape", "with this material EA, EI or rhoA is outside the range of numbers");
  const std::string axial = record.text("axial"), curvature = record.text("curvature");
  s.axial = choice<AncfCable2d::Axial>(axial, {"green", "engineering", "chord"});
  s.integration = choice<AncfCable2d::Integration>(record.text("integration"), {"full", "reduced"});
  s.curvature = choice<AncfCable2d::Curvature>(curvature, {"material", "geometric", "simplified"});
  s.damping_stretch = record.number("damping_stretch");
  s.damping_bend = record.number("damping_bend");
  s.damping_twist = record.number("damping_twist", s.damping_bend);
  s.relaxation = relaxation_of(record.has("relaxation") || material == nullptr ? record : *material);
  s.mass_damping = record.number("mass_damping", with.scene.head.number("mass_damping"));
  s.bend_stiffening = record.number("bend_stiffening", 0);
  s.stiffness_damping = record.number("stiffness_damping", 0);
  if (axial == "chord" && curvature != "simplified")
    with.wrong(record, "axial",
               fmt::format("\"chord\" needs curvature = \"simplified\": with \"{}\" it has motions without energy",
                           curvature));
  if (with.problems.count() > before) return {};
  return s;
}

/// Columns of x, y and z: as their headings name them, or the first ones. Converts them to metres.
std::optional<std::array<int, 3>> path_columns(CsvTable& csv, const ExternalFile& file, int dim,
                                               std::vector<Problem>& problems) {
  const size_t before = problems.size();
  const auto refuse = [&](int column, const std::string& message, const std::string& nearest = {}) {
    const CsvError at = at_heading(csv, file.text, column, message);
    const int length = static_cast<int>(csv.names[static_cast<size_t>(column)].size());
    problems.push_back({{file.path, at.line, at.column, std::max(1, length)}, {}, at.message, nearest});
  };
  std::array<int, 3> columns{0, 1, 2}, named{-1, -1, -1};
  const auto coordinate_of = [](const std::string& heading) {
    const std::string name = CsvHeading(heading).name;
    return name == "x" || name == "X" ? 0 : name == "y" || name == "Y" ? 1 : name == "z" || name == "Z" ? 2 : -1;
  };
  for (size_t c = 0; c < csv.names.size(); ++c)
    if (const int k = coordinate_of(csv.names[c]); k >= 0 && named[k] < 0) named[k] = static_cast<int>(c);
  if (std::all_of(named.begin(), named.begin() + dim, [](int column) { return column >= 0; }))
    columns = named;
  else
    for (int k = 0; k < dim; ++k)
      for (int other = 0; other < dim; ++other)
        if (named[other] == k && other != k)
          refuse(k, fmt::format("column {} is {}, and its heading names {}: name all of {}, or none", k + 1, "xyz"[k],
                                "xyz"[other], dim == 2 ? "x and y" : "x, y and z"));
  for (int k = 0; k < dim; ++k) {
    const ColumnUnit unit = column_unit(heading_unit(csv, columns[k]), "m");
    if (!unit.problem.empty()) refuse(columns[k], unit.problem, unit.nearest);
    if (unit.is_stated) convert_column(csv, columns[k], unit.unit);
  }
  return problems.size() > before ? std::nullopt : std::optional(columns);
}

std::optional<PathCurve> curve_from_file(const Specifier& with, const Record& path, const Record& owner) {
  const ExternalFile& file = with.scene.files[path.get<FileIndex>("file")->index];
  std::vector<Problem>& problems = with.problems.errors;
  CsvTable csv = parse_csv(file.text);
  for (const CsvError& error : csv.errors)
    problems.push_back({{file.path, error.line, std::max(1, error.column), 1}, {}, error.message, {}});
  if (!csv.ok()) return {};
  const int dim = with.scene.dim;
  if (static_cast<int>(csv.columns.size()) < dim || csv.columns[0].size() < 2) {
    with.wrong(path, "file", fmt::format("\"{}\" must have {} columns and two or more rows", file.name, dim));
    return {};
  }
  const std::optional<std::array<int, 3>> columns = path_columns(csv, file, dim, problems);
  if (!columns) return {};
  std::vector<Point3> points(csv.columns[0].size());
  for (size_t row = 0; row < points.size(); ++row)
    for (int k = 0; k < dim; ++k) points[row][k] = csv.columns[static_cast<size_t>((*columns)[k])][row];
  for (Point3& point : points) path.get<FileIndex>("file")->placement.place(point);
  if (const size_t i = repeated(points)) {
    problems.push_back({{file.path, csv.lines[i], 1, 1}, owner.path, "this point is the same as the one before", {}});
    return {};
  }
  return PathCurve::spline(points);
}

/// What cables and beams have in common; false after a problem.
bool specify_curve(Specifier& with, const Record& record, CableSpec& spec) {
  spec.origin = origin_of(record);
  spec.name = record.name;
  const std::optional<SectionSpec> section = section_spec(with, record.text("section"));
  const std::optional<PathCurve> path = curve_of(with, record, "path");
  if (record.has("initial")) spec.initial = curve_of(with, record, "initial");
  if (!section || !path || (record.has("initial") && !spec.initial)) return false;
  spec.section = *section;
  spec.path = *path;
  spec.elements = record.integer("elements");
  spec.color = record.text("color");
  spec.motion = motion_of(record, with.scene.dim);
  return true;
}

}  // namespace

void Specifier::wrong(const Record& record, std::string_view key, std::string message) const {
  problems.errors.push_back({record.source_of(key),
                             key.empty() ? record.path : record.path + "." + std::string(key),
                             std::move(message),
                             {}});
}
void Specifier::warn(const Record& record, std::string_view key, std::string message) const {
  problems.warnings.push_back(
      {record.source_of(key), fmt::format("{}.{}", record.path, key), std::move(message), {}, true});
}

Origin origin_of(const Record& record) {
  Origin origin{record.path, record.source};
  for (const auto& [key, value] : record.values) origin.keys.emplace_back(key, value.source);
  return origin;
}

std::optional<Triple> vector_of(const Record& record, std::string_view key) {
  const Numbers* x = record.get<Numbers>(key);
  return x == nullptr ? std::optional<Triple>() : triple(*x);
}

std::optional<Triple> turning_of(const Record& record, std::string_view key, int dim) {
  if (dim == 3) return vector_of(record, key);
  return record.has(key) ? std::optional<Triple>({0, 0, record.number(key)}) : std::nullopt;
}

InitialMotion motion_of(const Record& record, int dim) {
  return {vector_of(record, "velocity"), turning_of(record, "angular_velocity", dim), vector_of(record, "about")};
}

EffectiveSignal signal_of(const Specifier& with, const Record& record, std::string_view key) {
  const Activation when = activation_of(record, with.timeline);
  EffectiveSignal signal{-1, when.from, when.until, when.first_analysis};
  if (const SignalIndex* index = record.get<SignalIndex>(key)) signal.signal = index->index;
  return signal;
}

PronySeries relaxation_of(const Record& record) {
  PronySeries series;
  if (const Points* pairs = record.get<Points>("relaxation"))
    for (const Numbers& pair : *pairs) series.push_back({pair[0], pair[1]});
  return series;
}

const std::optional<SectionSpec>& section_spec(Specifier& with, const std::string& name) {
  const auto known = with.sections.find(name);
  if (known != with.sections.end()) return known->second;
  const Record* record = with.scene.find("section", name);
  return with.sections[name] = record == nullptr ? std::optional<SectionSpec>() : make_section(with, *record);
}

std::optional<PathCurve> curve_of(const Specifier& with, const Record& record, std::string_view key) {
  const auto check = [&](const std::vector<Point3>& points, const Record& owner, std::string_view where) {
    const size_t i = repeated(points);
    if (i > 0) with.wrong(owner, where, fmt::format("points {} and {} are the same", i, i + 1));
    return i == 0;
  };
  if (const Points* points = record.get<Points>(key)) {
    const std::vector<Point3> p = points3(*points);
    if (!check(p, record, key)) return {};
    if (const size_t i = turning_back(p); i > 0) {
      with.wrong(record, key, fmt::format("turns back on itself at point {}; give it an arc there", i + 1));
      return {};
    }
    return PathCurve::polyline(p);
  }
  const Record* path = nested(record, key);
  if (path == nullptr) return {};
  if (const Points* points = path->get<Points>("spline")) {
    const std::vector<Point3> p = points3(*points);
    return check(p, *path, "spline") ? std::optional(PathCurve::spline(p)) : std::nullopt;
  }
  if (path->has("file")) return curve_from_file(with, *path, record);
  const Record* arc = nested(*path, "arc");
  if (arc == nullptr) return {};
  if (const Points* through = arc->get<Points>("through")) {
    const std::vector<Point3> p = points3(*through);
    if (p.size() != 3) with.wrong(*arc, "through", "an arc goes through exactly three points");
    if (p.size() != 3 || !check(p, *arc, "through")) return {};
    return PathCurve::arc_through(p[0], p[1], p[2]);
  }
  if (arc->number("from") == arc->number("to")) {
    with.wrong(*path, "arc", "the arc has no length: `from` and `to` are the same");
    return {};
  }
  return PathCurve::arc(triple(*arc->get<Numbers>("center")), arc->number("radius"), arc->number("from"),
                        arc->number("to"));
}

namespace {

/// False after a problem: stiffnesses of a section say nothing of large strains of rubber.
bool check_linear(const Specifier& with, const Record& record, const CableSpec& spec) {
  if (spec.section.rubber.empty()) return true;
  with.wrong(record, "section",
             fmt::format("is of {}, a law of rubber, which solids, full plates and a [beam.NAME] of element = \"full\" "
                         "have; a {} takes E and nu",
                         spec.section.rubber, record.kind == "cable" ? "cable" : "beam of directors"));
  return false;
}

std::optional<FullBeam> full_beam(const Specifier& with, const Record& record) {
  const Record* section = with.scene.find("section", record.text("section"));
  if (section == nullptr) return {};
  if (nested(*section, "shape") == nullptr || !section->has("material")) {
    with.wrong(record, "section",
               fmt::format("element = \"full\" is a solid: section.{} needs a shape and a material, not stiffnesses",
                           section->name));
    return {};
  }
  const std::optional<ElasticMaterial> material = elastic_material(with, *section);
  if (!material) return {};
  FullBeam out{.law = material->law, .constants = material->constants, .rho = material->rho};
  out.strains = choice<AncfBeam24::Strains>(record.text("strains"), {"enhanced", "selective", "full"});
  out.points = choice<AncfBeam24::Points>(record.text("section_points"), {"fine", "coarse"});
  out.keeps_width = record.text("width") == "held";
  if (out.strains != AncfBeam24::Strains::enhanced && record.has("width"))
    with.wrong(record, "width", "is that of strains = \"enhanced\": in the others bending contracts no section");
  return out;
}

}  // namespace

std::optional<CableSpec> cable_spec(Specifier& with, const Record& record) {
  CableSpec spec;
  if (!specify_curve(with, record, spec) || !check_linear(with, record, spec)) return {};
  return spec;
}

std::optional<BeamSpec> beam_spec(Specifier& with, const Record& record) {
  BeamSpec spec;
  if (!specify_curve(with, record, spec)) return {};
  spec.up = vector_of(record, "up");
  spec.twist = record.number("twist");
  if (const Record* initial = nested(record, "initial")) spec.initial_twist = initial->number("twist");
  const size_t before = with.problems.count();
  if (record.text("element") == "full") {
    spec.full = full_beam(with, record);
    if (!spec.full || with.problems.count() > before) return {};
    return spec;
  }
  for (const char* key : {"strains", "section_points", "width"})
    if (record.has(key)) with.wrong(record, key, "is that of element = \"full\"");
  if (!check_linear(with, record, spec) || with.problems.count() > before) return {};
  return spec;
}

PointSpec point_spec(const Record& record) {
  return {.origin = origin_of(record),
          .name = record.name,
          .position = triple(*record.get<Numbers>("position")),
          .initial = vector_of(record, "initial"),
          .velocity = vector_of(record, "velocity"),
          .fixed = record.boolean("fixed")};
}

}  // namespace flexura::detail

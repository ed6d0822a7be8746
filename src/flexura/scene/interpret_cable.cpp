// Cables and points: sections, paths, nodes, elements, initial states.

#include <fmt/format.h>

#include <cmath>

#include "flexura/model/relaxing_item.hpp"
#include "flexura/scene/interpreter.hpp"
#include "flexura/scene/section_shape.hpp"
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

}  // namespace

PronySeries relaxation_of(const Record& record) {
  PronySeries series;
  if (const Points* pairs = record.get<Points>("relaxation"))
    for (const Numbers& pair : *pairs) series.push_back({pair[0], pair[1]});
  return series;
}

std::optional<SectionValues> Interpreter::make_section(const Record& record) {
  SectionValues s;
  const Record* shape = nested(record, "shape");
  const std::string* material_name = record.get<std::string>("material");
  const Record* material = material_name == nullptr ? nullptr : scene_.find("material", *material_name);
  const size_t before = problems.size();
  try {
    s.law = section_law(record, scene_);
  } catch (const InputError& error) {
    problems.insert(problems.end(), error.problems().begin(), error.problems().end());
    return {};
  }
  const SectionNumbers start = s.law->plain(0), end = s.law->plain(1);
  if (shape != nullptr && material != nullptr) {
    for (const double share : {0.0, 1.0})
      if (shape->type == "tube" && problems.size() == before &&
          number_at(*shape, "wall", share) > number_at(*shape, "radius", share))
        wrong(record, "shape", "the wall is thicker than the radius");
    s.bends_alike = (start.EI1 == start.EI2 && end.EI1 == end.EI2) || record.has("EI");
  } else if (shape != nullptr) {
    wrong(record, "shape", "a shape needs a material, as in material = \"NAME\"");
  } else if (material != nullptr) {
    wrong(record, "material", "a material needs a shape, as in shape = { type = \"circle\", radius = ... }");
  } else {
    for (const char* key : {"EA", "EI", "rhoA"})
      if (!record.has(key) && !(std::string_view(key) == "EI" && record.has("EI1") && record.has("EI2")))
        problems.push_back({record.source,
                            record.path,
                            fmt::format("\"{}\" is missing: give it, or a shape and a material", key),
                            {}});
  }
  if (shape == nullptr && !record.has("EI")) s.bends_alike = false;
  s.EA = start.EA;
  s.EI = start.EI;
  s.rhoA = start.rhoA;
  for (const double x : {start.EA, start.EI, start.rhoA, end.EA, end.EI, end.rhoA})
    if (shape != nullptr && material != nullptr && problems.size() == before && !(std::isfinite(x) && x > 0))
      wrong(record, "shape", "with this material EA, EI or rhoA is outside the range of numbers");
  s.axial = record.text("axial");
  s.curvature = record.text("curvature");
  s.damping_stretch = record.number("damping_stretch");
  s.damping_bend = record.number("damping_bend");
  s.relaxation = relaxation_of(record.has("relaxation") || material == nullptr ? record : *material);
  s.mass_damping = record.number("mass_damping", scene_.head.number("mass_damping"));
  if (s.axial == "chord" && s.curvature != "simplified")
    wrong(record, "axial",
          fmt::format("\"chord\" needs curvature = \"simplified\": with \"{}\" it has motions without "
                      "energy",
                      s.curvature));
  if (problems.size() > before) return {};
  return s;
}

std::vector<SectionNumbers> Interpreter::sections_along(const Record& part, const SectionLaw& law, double length,
                                                        long elements) {
  if (!law.tapers()) return std::vector<SectionNumbers>(elements, law.plain(0));
  const auto n = static_cast<double>(elements);
  std::vector<SectionNumbers> out;
  for (long k = 0; k < elements; ++k) {
    const auto at = static_cast<double>(k);
    if (const double f = law.least_factor(at / n, (at + 1) / n, length); !(f > 0) || !std::isfinite(f)) {
      wrong(
          part, "section",
          fmt::format("size_factor is {:.6g} in element {} of {}: it must be positive everywhere", f, k + 1, elements));
      return {};
    }
    out.push_back(law.mean(at / n, (at + 1) / n, length));
  }
  return out;
}

std::optional<SectionValues> Interpreter::section_of(const Record& cable) {
  const std::string name = cable.text("section");
  const auto known = sections_.find(name);
  if (known != sections_.end()) return known->second;
  const Record* record = scene_.find("section", name);
  return sections_[name] = record == nullptr ? std::optional<SectionValues>() : make_section(*record);
}

std::optional<PathCurve> Interpreter::curve_from_file(const Record& path, const Record& owner) {
  const ExternalFile& file = scene_.files[path.get<FileIndex>("file")->index];
  const CsvTable csv = parse_csv(file.text);
  for (const CsvError& error : csv.errors)
    problems.push_back({{file.path, error.line, std::max(1, error.column), 1}, {}, error.message, {}});
  if (!csv.ok()) return {};
  if (static_cast<int>(csv.columns.size()) < scene_.dim || csv.columns[0].size() < 2) {
    wrong(path, "file", fmt::format("\"{}\" must have {} columns and two or more rows", file.name, scene_.dim));
    return {};
  }
  std::vector<Point3> points;
  for (size_t row = 0; row < csv.columns[0].size(); ++row)
    points.push_back({csv.columns[0][row], csv.columns[1][row], scene_.dim == 3 ? csv.columns[2][row] : 0.0});
  for (Point3& point : points) path.get<FileIndex>("file")->placement.place(point);
  if (const size_t i = repeated(points)) {
    problems.push_back({{file.path, csv.lines[i], 1, 1}, owner.path, "this point is the same as the one before", {}});
    return {};
  }
  return PathCurve::spline(points);
}

std::optional<PathCurve> Interpreter::curve_of(const Record& record, std::string_view key) {
  const auto check = [&](const std::vector<Point3>& points, const Record& owner, std::string_view where) {
    const size_t i = repeated(points);
    if (i > 0) wrong(owner, where, fmt::format("points {} and {} are the same", i, i + 1));
    return i == 0;
  };
  if (const Points* points = record.get<Points>(key)) {
    const std::vector<Point3> p = points3(*points);
    if (!check(p, record, key)) return {};
    if (const size_t i = turning_back(p); i > 0) {
      wrong(record, key, fmt::format("turns back on itself at point {}; give it an arc there", i + 1));
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
  if (path->has("file")) return curve_from_file(*path, record);
  const Record* arc = nested(*path, "arc");
  if (arc == nullptr) return {};
  if (const Points* through = arc->get<Points>("through")) {
    const std::vector<Point3> p = points3(*through);
    if (p.size() != 3) wrong(*arc, "through", "an arc goes through exactly three points");
    if (p.size() != 3 || !check(p, *arc, "through")) return {};
    return PathCurve::arc_through(p[0], p[1], p[2]);
  }
  if (arc->number("from") == arc->number("to")) {
    wrong(*path, "arc", "the arc has no length: `from` and `to` are the same");
    return {};
  }
  return PathCurve::arc(triple(*arc->get<Numbers>("center")), arc->number("radius"), arc->number("from"),
                        arc->number("to"));
}

void Interpreter::add_cable(const Record& record) {
  const std::optional<SectionValues> section = section_of(record);
  const std::optional<PathCurve> path = curve_of(record, "path");
  const std::optional<PathCurve> initial = record.has("initial") ? curve_of(record, "initial") : path;
  if (!section || !path || !initial) return;
  if (scene_.dim == 3 && section->curvature == "simplified")
    return wrong(record, "section",
                 "curvature = \"simplified\" is for planar scenes; use \"material\" or \"geometric\"");
  if (scene_.dim == 3 && !section->relaxation.empty())
    return wrong(record, "section",
                 "a spatial cable cannot relax: its plane of bending is free, so that there is no strain to remember; "
                 "make it a [beam.NAME]");
  if (!(section->EI > 0) && !section->bends_alike)
    return wrong(record, "section", "a cable needs one bending stiffness \"EI\"");
  if (scene_.dim == 3 && !section->bends_alike)
    return wrong(
        record, "section",
        "a spatial cable bends alike in all directions: give a round shape or \"EI\", or make it a [beam.NAME]");
  // Lengths whose squares and inverse squares are numbers too.
  for (const auto& [key, curve] : {std::pair("path", &*path), std::pair("initial", &*initial)})
    if (!(curve->length() > 1e-100 && curve->length() < 1e100))
      return wrong(record, record.has(key) ? key : "path",
                   fmt::format("its length is {:.3g} m; allowed: from 1e-100 m to 1e100 m", curve->length()));

  const long n = record.integer("elements");
  const std::vector<SectionNumbers> sections = sections_along(record, *section->law, path->length(), n);
  if (sections.empty()) return;
  CablePart part;
  part.name = record.name;
  part.length = path->length();
  const size_t dim = scene_.dim;
  const Numbers* velocity = record.get<Numbers>("velocity");
  const Numbers* about = record.get<Numbers>("about");
  const Numbers* turning = record.get<Numbers>("angular_velocity");  // a number in the plane
  const Triple spin = dim == 3 && turning != nullptr ? Triple(triple(*turning))
                                                     : Triple{0, 0, dim == 2 ? record.number("angular_velocity") : 0.0};
  const Point3 center = about != nullptr ? triple(*about) : initial->at(0);
  const double stretch = initial->length() / path->length();
  const auto set_initial = [&](int slot, const Triple& q, const Triple& from, bool moves) {
    const Triple v = (moves && velocity != nullptr ? triple(*velocity) : Triple{}) + cross(spin, q - from);
    builder_.set_initial(slot, {q.data(), dim}, {v.data(), dim});
    initial_[slot] = {q.begin(), q.begin() + static_cast<long>(dim)};
  };
  for (long k = 0; k <= n; ++k) {
    const double share = static_cast<double>(k) / static_cast<double>(n);
    const Point3 R = path->at(share * path->length()), T = path->tangent(share * path->length());
    const Point3 r = initial->at(share * initial->length()), t = initial->tangent(share * initial->length());
    const int node = builder_.node();
    const int point = builder_.slot(fmt::format("{}.{}.r", record.name, k), SlotKind::point, {R.data(), dim}, node);
    const int vector = builder_.slot(fmt::format("{}.{}.r_x", record.name, k), SlotKind::vector, {T.data(), dim}, node);
    set_initial(point, r, center, true);
    set_initial(vector, stretch * t, {0, 0, 0}, false);
    part.points.push_back(point);
    part.vectors.push_back(vector);
  }
  add_elements(record, *section, sections, part);
  cable_index_[record.name] = static_cast<int>(result_.cables.size());
  parent_[record.name] = record.name;
  result_.cables.push_back(std::move(part));
}

void Interpreter::add_elements(const Record& record, const SectionValues& s,
                               const std::vector<SectionNumbers>& sections, CablePart& part) {
  const char* cable_term = scene_.dim == 2 ? "ancf_cable_2d" : "ancf_cable_3d";
  const TermType* type = find_term(cable_term);
  if (type == nullptr) return problems.push_back({record.source, record.path, "this program has no cable element", {}});
  const long n = static_cast<long>(part.points.size()) - 1;
  const double length = part.length / static_cast<double>(n);
  const auto parameters_of = [&](const SectionNumbers& section) {
    std::vector<double> parameters;
    for (const Field& field : type->info.fields)
      parameters.push_back(field.name == "EA"                    ? section.EA
                           : field.name == "EI"                  ? section.EI
                           : field.name == "rhoA"                ? section.rhoA
                           : field.name == "length"              ? length
                           : field.name == "stretch_retardation" ? s.damping_stretch
                           : field.name == "bend_retardation"    ? s.damping_bend
                                                                 : field.value);
    return parameters;
  };
  const bool damped = s.damping_stretch > 0 || s.damping_bend > 0;
  std::vector<int> options;
  for (const Option& option : type->info.options) {
    const std::string wanted = option.name == "axial"       ? s.axial
                               : option.name == "curvature" ? s.curvature
                               : damped                     ? "yes"
                                                            : "no";
    int choice = 0;
    for (size_t i = 0; i < option.choices.size(); ++i)
      if (option.choices[i] == wanted) choice = static_cast<int>(i);
    options.push_back(choice);
  }
  for (long k = 0; k < n; ++k) {
    ElementRef element{fmt::format("cable '{}', element {}", record.name, k + 1),
                       {part.points[k], part.vectors[k], part.points[k + 1], part.vectors[k + 1]},
                       parameters_of(sections[k]),
                       options,
                       length};
    std::string term = cable_term;
    make_relaxing(s.relaxation, term, element.parameters, element.options);
    builder_.item(term, element.slots, element.parameters, element.options, element.name, s.mass_damping,
                  record.source);
    part.elements.push_back(std::move(element));
  }
}

void Interpreter::add_point(const Record& record) {
  const Numbers& X = *record.get<Numbers>("position");
  const int slot = builder_.slot(record.name, SlotKind::point, X);
  const Numbers* initial = record.get<Numbers>("initial");
  const Numbers* velocity = record.get<Numbers>("velocity");
  const Numbers q0 = initial != nullptr ? *initial : X;
  builder_.set_initial(slot, q0, velocity != nullptr ? *velocity : Numbers(X.size(), 0.0));
  initial_[slot] = q0;
  parent_[record.name] = record.name;
  point_slots_[record.name] = slot;
  result_.points.emplace_back(record.name, slot);
  if (!record.boolean("fixed")) return;
  if (initial != nullptr && *initial != X) wrong(record, "initial", "a fixed point does not move");
  if (velocity != nullptr) wrong(record, "velocity", "a fixed point does not move");
  builder_.fix(slot, record.path, record.source);
  claimed_.insert(slot);
  join(record.name, "ground");
}

}  // namespace flexura::detail

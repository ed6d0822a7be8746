#include "flexura/study/workspace_output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "flexura/base/text.hpp"
#include "flexura/base/xml_text.hpp"
#include "flexura/output/csv_file.hpp"
#include "flexura/output/plot_svg.hpp"
#include "flexura/study/study_page.hpp"

namespace flexura {
namespace {

std::string headed(const std::string& name, const std::string& unit) {
  return unit.empty() || unit == "1" ? name : fmt::format("{} [{}]", name, unit);
}

std::string place_unit(const WorkspacePlan& plan) { return plan.place.units.front(); }

/// Of an input; one that is named as another column is "input.x".
std::string input_heading(const WorkspacePlan& plan, const SoughtInput& input) {
  static constexpr std::string_view others[] = {"sample", "manipulability", "condition", "status",
                                                "target", "distance",       "message"};
  const std::string& name = input.input.name;
  const bool is_taken = std::ranges::find(others, name) != std::end(others) || name.starts_with("singular_value_") ||
                        std::ranges::find(plan.place.columns, name) != plan.place.columns.end();
  return csv_field(headed((is_taken ? "input." : "") + name, input.unit));
}

std::string cell_number(double x) { return std::isfinite(x) ? fmt::format("{}", x) : std::string(); }

std::string measure_name(size_t dim) { return dim == 1 ? "length" : dim == 2 ? "area" : "volume"; }

std::string measure_unit(const WorkspacePlan& plan) {
  const std::string unit = place_unit(plan);
  const size_t dim = plan.place.columns.size();
  return unit == "1" || dim == 1 ? unit : fmt::format("{}^{}", unit, dim);
}

/// A field over the samples, and the colours of its values.
struct ColouredField {
  std::string title;
  double (*value)(const WorkspaceSample&);
};

double manipulability_of(const WorkspaceSample& sample) { return sample.manipulability; }
double isotropy_of(const WorkspaceSample& sample) { return 1 / sample.condition; }

/// Viridis, at nine places.
std::string colour_at(double share) {
  static constexpr int table[9][3] = {{68, 1, 84},    {71, 44, 122}, {59, 81, 139},  {44, 113, 142}, {33, 144, 141},
                                      {39, 173, 129}, {92, 200, 99}, {170, 220, 50}, {253, 231, 37}};
  const double at = std::clamp(share, 0.0, 1.0) * 8;
  const int k = std::min(7, static_cast<int>(at));
  int rgb[3];
  for (int c = 0; c < 3; ++c)
    rgb[c] = static_cast<int>(std::lround(table[k][c] + (at - k) * (table[k + 1][c] - table[k][c])));
  return fmt::format("#{:02x}{:02x}{:02x}", rgb[0], rgb[1], rgb[2]);
}

/// One axis of the place over another; a place of one number lies on a line.
class WorkspacePicture {
 public:
  WorkspacePicture(const WorkspacePlan& plan, const WorkspaceReport& report, const ColouredField& field, int a, int b)
      : plan_(plan), report_(report), field_(field), a_(a), b_(b) {
    for (const WorkspaceSample& sample : report.samples) take(sample);
    for (const WorkspaceSample& sample : report.boundary) take(sample);
    for (const WorkspaceTarget& target : report.targets) stretch(target.wanted);
    const double pad = 0.05 * std::max(high_[0] - low_[0], high_[1] - low_[1]) + 1e-12;
    for (int k = 0; k < 2; ++k) low_[k] -= pad, high_[k] += pad;
    factor_ = place_unit(plan) == "m" &&
                      std::max({std::fabs(high_[0]), std::fabs(high_[1]), std::fabs(low_[0]), std::fabs(low_[1])}) < 1
                  ? 1e3
                  : 1;
    const double wide = high_[0] - low_[0], tall = high_[1] - low_[1];
    scale_ = std::min(560 / wide, 480 / tall);
    width_ = wide * scale_, height_ = tall * scale_;
  }

  std::string text() const {
    std::string out = fmt::format(
        "<figure><svg viewBox=\"0 0 {:.0f} {:.0f}\" width=\"{:.0f}\" font-family=\"sans-serif\" font-size=\"12\">\n",
        left + width_ + 130, top + height_ + 46, left + width_ + 130);
    append_text(out, "<text x=\"{}\" y=\"16\" font-size=\"14\">{}</text>\n", left, xml_text(field_.title));
    draw_cells(out);
    draw_axes(out);
    draw_samples(out);
    for (const WorkspaceSample& point : report_.boundary)
      append_text(out, "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"1.8\" fill=\"#c02020\"/>\n", x(at(point.place, a_)),
                  y(at(point.place, b_)));
    for (const WorkspaceTarget& target : report_.targets) {
      const double cx = x(at(target.wanted, a_)), cy = y(at(target.wanted, b_));
      append_text(out,
                  "<g stroke=\"{}\" stroke-width=\"2\"><path d=\"M{:.1f} {:.1f}l10 10m0 -10l-10 10\"/><title>{}: "
                  "{}</title></g>\n",
                  target.found.reached ? "#000000" : "#c02020", cx - 5, cy - 5, xml_text(target.name),
                  target.found.reached ? "reached" : fmt::format("{:.4g} left", left_of(target)));
    }
    draw_scale(out);
    return out + "</svg></figure>\n";
  }

 private:
  static constexpr double left = 62, top = 26;

  static double at(const std::vector<double>& place, int k) {
    return k < static_cast<int>(place.size()) ? place[static_cast<size_t>(k)] : 0.0;
  }
  static double left_of(const WorkspaceTarget& target) {
    return target.found.found ? target.found.distances[0] : std::nan("");
  }
  void stretch(const std::vector<double>& place) {
    const double p[2] = {at(place, a_), at(place, b_)};
    for (int k = 0; k < 2; ++k) low_[k] = std::min(low_[k], p[k]), high_[k] = std::max(high_[k], p[k]);
  }
  void take(const WorkspaceSample& sample) {
    if (!sample.found) return;
    stretch(sample.place);
    if (const double value = field_.value(sample); std::isfinite(value)) most_ = std::max(most_, value);
  }
  double x(double value) const { return left + (value - low_[0]) * scale_; }
  double y(double value) const { return top + (high_[1] - value) * scale_; }

  void draw_cells(std::string& out) const {
    if (report_.corner.size() != 2) return;
    out += "<g fill=\"#e4e8ee\">\n";
    for (const std::array<int, 3>& cell : report_.cells)
      append_text(out, "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.2f}\" height=\"{:.2f}\"/>\n",
                  x(report_.corner[0] + cell[0] * report_.cell), y(report_.corner[1] + (cell[1] + 1) * report_.cell),
                  report_.cell * scale_ + 0.1, report_.cell * scale_ + 0.1);
    out += "</g>\n";
  }
  void draw_axes(std::string& out) const {
    const std::string unit = factor_ == 1e3 ? "mm" : place_unit(plan_);
    append_text(out, "<rect x=\"{}\" y=\"{}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"none\" stroke=\"#808080\"/>\n",
                left, top, width_, height_);
    for (const double tick : nice_ticks(low_[0] * factor_, high_[0] * factor_, 7))
      append_text(out, "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{:g}</text>\n", x(tick / factor_),
                  top + height_ + 16, tick);
    for (const double tick : nice_ticks(low_[1] * factor_, high_[1] * factor_, 7))
      append_text(out, "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{:g}</text>\n", left - 5,
                  y(tick / factor_) + 4, tick);
    const auto name = [&](int k) {
      return k < static_cast<int>(plan_.place.columns.size())
                 ? headed(plan_.place.columns[static_cast<size_t>(k)], unit)
                 : std::string();
    };
    append_text(out, "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n", left + width_ / 2,
                top + height_ + 34, xml_text(name(a_)));
    append_text(out, "<text transform=\"translate(14 {:.1f}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n",
                top + height_ / 2, xml_text(name(b_)));
  }
  void draw_samples(std::string& out) const {
    constexpr size_t most = 6000;
    const size_t step = std::max<size_t>(1, (report_.samples.size() + most - 1) / most);
    for (size_t i = 0; i < report_.samples.size(); i += step) {
      const WorkspaceSample& sample = report_.samples[i];
      if (!sample.found) continue;
      const double value = field_.value(sample);
      append_text(out, "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"2.2\" fill=\"{}\"><title>", x(at(sample.place, a_)),
                  y(at(sample.place, b_)), std::isfinite(value) && most_ > 0 ? colour_at(value / most_) : "#a0a0a0");
      for (size_t k = 0; k < plan_.inputs.size(); ++k)
        append_text(out, "{}{} = {:.4g}", k == 0 ? "" : ", ", xml_text(plan_.inputs[k].input.name), sample.inputs[k]);
      append_text(out, "; {:.4g}</title></circle>\n", value);
    }
  }
  void draw_scale(std::string& out) const {
    const double at = left + width_ + 20, high = std::min(200.0, height_);
    for (int k = 0; k < 40; ++k)
      append_text(out, "<rect x=\"{:.1f}\" y=\"{:.2f}\" width=\"14\" height=\"{:.2f}\" fill=\"{}\"/>\n", at,
                  top + high * (39 - k) / 40, high / 40 + 0.2, colour_at((k + 0.5) / 40));
    append_text(out, "<text x=\"{:.1f}\" y=\"{:.1f}\">{:.4g}</text>\n", at + 20, top + 10, most_);
    append_text(out, "<text x=\"{:.1f}\" y=\"{:.1f}\">0</text>\n", at + 20, top + high);
    if (!report_.boundary.empty())
      append_text(out,
                  "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"2.5\" fill=\"#c02020\"/><text x=\"{:.1f}\" y=\"{:.1f}\">"
                  "boundary</text>\n",
                  at + 7, top + high + 20, at + 20, top + high + 24);
    if (!report_.targets.empty())
      append_text(out, "<text x=\"{:.1f}\" y=\"{:.1f}\">✕ target</text>\n", at, top + high + 44);
  }

  const WorkspacePlan& plan_;
  const WorkspaceReport& report_;
  ColouredField field_;
  int a_, b_;
  double low_[2] = {1e300, 1e300}, high_[2] = {-1e300, -1e300}, most_ = 0, factor_ = 1, scale_ = 1, width_ = 0,
         height_ = 0;
};

std::string_view target_status(const WorkspaceTarget& target) {
  return target.found.reached ? "reached" : target.found.found ? "not reached" : "no equilibrium";
}

}  // namespace

std::string workspace_text(const WorkspacePlan& plan, const WorkspaceReport& report) {
  std::string out = plan.title.empty() ? "" : plan.title + "\n\n";
  const std::string unit = place_unit(plan);
  append_text(out, "{} of {} samples have an equilibrium\n", report.found(), report.samples.size());
  for (size_t c = 0; c < plan.place.columns.size(); ++c) {
    double low = 1e300, high = -1e300;
    for (const std::vector<WorkspaceSample>* of : {&report.samples, &report.boundary})
      for (const WorkspaceSample& sample : *of)
        if (sample.found) low = std::min(low, sample.place[c]), high = std::max(high, sample.place[c]);
    if (low <= high) append_text(out, "{}: {:.6g} … {:.6g} {}\n", plan.place.columns[c], low, high, unit);
  }
  double most = 0, best = std::numeric_limits<double>::infinity();
  for (const WorkspaceSample& sample : report.samples) {
    if (!sample.found || std::isnan(sample.manipulability)) continue;
    most = std::max(most, sample.manipulability);
    best = std::min(best, sample.condition);
  }
  append_text(out, "manipulability up to {:.6g}; condition from {:.6g}\n", most, best);
  if (!report.cells.empty())
    append_text(out, "{} of cells of {:.4g} {}: {:.6g} {}; {} points of the boundary\n",
                measure_name(report.corner.size()), report.cell, unit, report.measure(), measure_unit(plan),
                report.boundary.size());
  for (const WorkspaceTarget& target : report.targets)
    append_text(out, "target {}: {}{}\n", target.name, target_status(target),
                target.found.found && !target.found.reached
                    ? fmt::format(", {:.4g} {} left", target.found.distances[0], unit)
                    : "");
  append_text(out, "{} equilibria\n", report.equilibria);
  return out;
}

std::string workspace_csv(const WorkspacePlan& plan, const std::vector<WorkspaceSample>& samples) {
  const size_t values = std::min(plan.inputs.size(), plan.place.columns.size());
  std::string out = "sample";
  for (const SoughtInput& input : plan.inputs) out += "," + input_heading(plan, input);
  for (size_t c = 0; c < plan.place.columns.size(); ++c)
    out += "," + csv_field(headed(plan.place.columns[c], plan.place.units[c]));
  out += ",manipulability,condition";
  for (size_t k = 0; k < values; ++k) append_text(out, ",singular_value_{}", k + 1);
  out += ",status\n";
  for (size_t i = 0; i < samples.size(); ++i) {
    const WorkspaceSample& sample = samples[i];
    append_text(out, "{}", i);
    for (const double u : sample.inputs) out += "," + cell_number(u);
    for (size_t c = 0; c < plan.place.columns.size(); ++c)
      out += "," + (sample.found ? cell_number(sample.place[c]) : std::string());
    out += "," + (sample.found ? cell_number(sample.manipulability) : std::string());
    out += "," + (sample.found ? cell_number(sample.condition) : std::string());
    for (size_t k = 0; k < values; ++k)
      out += "," + (k < sample.singular_values.size() ? cell_number(sample.singular_values[k]) : std::string());
    out += sample.found ? ",found\n" : ",no equilibrium\n";
  }
  return out;
}

std::string targets_csv(const WorkspacePlan& plan, const WorkspaceReport& report) {
  std::string out = "target";
  for (const char* what : {"wanted", "reached"})
    for (size_t c = 0; c < plan.place.columns.size(); ++c)
      out += "," + csv_field(headed(fmt::format("{} {}", plan.place.columns[c], what), plan.place.units[c]));
  for (const SoughtInput& input : plan.inputs) out += "," + input_heading(plan, input);
  out += "," + csv_field(headed("distance", place_unit(plan))) + ",status,message\n";
  for (const WorkspaceTarget& target : report.targets) {
    const ReachedPoint& found = target.found;
    out += csv_field(target.name);
    for (const double value : target.wanted) out += "," + cell_number(value);
    for (size_t c = 0; c < target.wanted.size(); ++c)
      out += "," + (found.found ? cell_number(found.readings[c]) : std::string());
    for (size_t k = 0; k < plan.inputs.size(); ++k)
      out += "," + (found.found ? cell_number(found.inputs[k]) : std::string());
    append_text(out, ",{},{},{}\n", found.found ? cell_number(found.distances[0]) : "", target_status(target),
                csv_field(found.message));
  }
  return out;
}

Json workspace_json(const WorkspacePlan& plan, const WorkspaceReport& report) {
  Json json{{"title", plan.title},         {"samples", report.samples.size()}, {"found", report.found()},
            {"place", plan.place.columns}, {"unit", place_unit(plan)},         {"interrupted", report.interrupted}};
  json["inputs"] = Json::object();
  for (const SoughtInput& input : plan.inputs)
    json["inputs"][input.input.name] = {{"unit", input.unit.empty() ? "1" : input.unit},
                                        {"low", input.input.low},
                                        {"high", input.input.high},
                                        {"effort", input.has_effort ? Json(input.effort) : Json(nullptr)}};
  json["cell"] = report.cell;
  json["corner"] = report.corner;
  json["cells"] = report.cells.size();
  json["measure"] = report.measure();
  json["measure_unit"] = measure_unit(plan);
  json["boundary"] = report.boundary.size();
  json["tolerance"] = report.tolerance;
  json["targets"] = Json::object();
  for (const WorkspaceTarget& target : report.targets) {
    const ReachedPoint& found = target.found;
    json["targets"][target.name] = {{"wanted", target.wanted},
                                    {"reached", found.found ? Json(found.readings) : Json(nullptr)},
                                    {"inputs", found.found ? Json(found.inputs) : Json(nullptr)},
                                    {"distance", found.found ? Json(found.distances[0]) : Json(nullptr)},
                                    {"status", target_status(target)},
                                    {"message", found.message}};
  }
  json["equilibria"] = report.equilibria;
  json["warnings"] = report.warnings;
  return json;
}

std::string workspace_page(const WorkspacePlan& plan, const WorkspaceReport& report) {
  std::string out;
  for (const std::string& warning : report.warnings)
    append_text(out, "<p class=\"warning\">{}</p>\n", xml_text(warning));
  append_text(out, "<pre>{}</pre>\n", xml_text(workspace_text(plan, report)));
  const bool scaled = std::ranges::any_of(plan.inputs, &SoughtInput::has_effort);
  const ColouredField fields[] = {
      {fmt::format("manipulability √det(J Jᵀ), per {}", scaled ? "effort" : "unit of the inputs"), manipulability_of},
      {"1/condition: the least over the largest singular value", isotropy_of}};
  const int dim = static_cast<int>(plan.place.columns.size());
  for (const ColouredField& field : fields)
    for (int a = 0; a < dim; ++a)
      for (int b = a + 1; b < std::max(dim, 2); ++b)
        if (report.found() > 0) out += WorkspacePicture(plan, report, field, a, b).text();
  if (!report.targets.empty()) {
    append_text(out,
                "<table><tr><th>target</th><th>wanted [{0}]</th><th>nearest [{0}]</th><th>left</th><th></th></tr>\n",
                xml_text(place_unit(plan)));
    for (const WorkspaceTarget& target : report.targets) {
      const auto place = [](const std::vector<double>& x) {
        std::string text;
        for (const double value : x) append_text(text, "{}{:.6g}", text.empty() ? "" : ", ", value);
        return text;
      };
      append_text(out, "<tr><th>{}</th><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n", xml_text(target.name),
                  place(target.wanted), target.found.found ? place(target.found.readings) : "–",
                  target.found.found ? fmt::format("{:.4g}", target.found.distances[0]) : "–", target_status(target));
    }
    out += "</table>\n";
  }
  return study_page(plan.title.empty() ? "Workspace" : plan.title, out);
}

}  // namespace flexura

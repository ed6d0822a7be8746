#include "flexura/study/inverse_output.hpp"

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

std::string in_brackets(const std::string& name, const std::string& unit) {
  return unit.empty() || unit == "1" ? name : fmt::format("{} [{}]", name, unit);
}

std::string number_of(double value, const std::string& unit) {
  return unit.empty() || unit == "1" ? fmt::format("{:.6g}", value) : fmt::format("{:.6g} {}", value, unit);
}

/// Of each target, its first column.
std::vector<size_t> first_columns(const InversePlan& plan) {
  std::vector<size_t> out;
  size_t first = 0;
  for (const WantedReading& target : plan.targets) {
    out.push_back(first);
    first += target.columns.size();
  }
  return out;
}

std::string_view status(const ReachedPoint& point) {
  return point.reached ? "reached" : point.found ? "not reached" : "no equilibrium";
}

/// mm of what is less than a metre.
std::pair<double, std::string> shown_in(const std::string& unit, double largest) {
  return unit == "m" && largest < 1 ? std::pair(1e3, std::string("mm")) : std::pair(1.0, unit);
}

std::string picture(const Plot& plot) { return "<figure>" + svg_text(plot) + "</figure>\n"; }

std::vector<double> point_numbers(const InverseListReport& report) {
  std::vector<double> out;
  for (size_t i = 0; i < report.points.size(); ++i) out.push_back(static_cast<double>(i));
  return out;
}

Plot input_plot(const InversePlan& plan, const InverseListReport& report, size_t k) {
  const SoughtInput& input = plan.inputs[k];
  Plot plot{.title = input.input.name,
            .x_label = "point",
            .y_label = in_brackets(input.input.name, input.unit),
            .height = 260,
            .note = fmt::format("between {:.6g} and {:.6g}", input.input.low, input.input.high)};
  PlotCurve curve{.label = "", .x = point_numbers(report), .y = {}, .style = PlotCurve::Style::line_and_markers};
  for (const ReachedPoint& point : report.points) curve.y.push_back(point.found ? point.inputs[k] : std::nan(""));
  plot.curves.push_back(std::move(curve));
  return plot;
}

/// Of a place, what is wanted and reached as paths in two of its axes; of other targets each number over the points.
std::vector<Plot> target_plots(const InversePlan& plan, const InverseListReport& report, size_t j, size_t first) {
  const WantedReading& target = plan.targets[j];
  const size_t n = target.columns.size();
  double largest = 0;
  for (const std::vector<double>& point : plan.points)
    for (size_t c = first; c < first + n; ++c) largest = std::max(largest, std::fabs(point[c]));
  const auto [factor, unit] = shown_in(target.units.front(), largest);
  const auto numbers = [&](size_t c, bool wanted) {
    std::vector<double> out;
    for (size_t i = 0; i < report.points.size(); ++i)
      out.push_back(wanted                   ? factor * plan.points[i][first + c]
                    : report.points[i].found ? factor * report.points[i].readings[first + c]
                                             : std::nan(""));
    return out;
  };
  std::vector<Plot> out;
  const auto add = [&](const std::string& title, const std::string& x_label, const std::string& y_label, bool equal) {
    out.push_back({.title = title, .x_label = x_label, .y_label = y_label, .equal_axes = equal});
    return &out.back();
  };
  const bool is_place = unit != "rad" && (n == 2 || n == 3) && target.unit == "m";
  if (is_place) {
    for (size_t a = 0; a < n; ++a)
      for (size_t b = a + 1; b < n; ++b) {
        Plot* plot = add(target.name, in_brackets(target.columns[a], unit), in_brackets(target.columns[b], unit), true);
        plot->curves = {
            {.label = "wanted", .x = numbers(a, true), .y = numbers(b, true), .style = PlotCurve::Style::markers},
            {.label = "reached",
             .x = numbers(a, false),
             .y = numbers(b, false),
             .style = PlotCurve::Style::line_and_markers}};
      }
    return out;
  }
  for (size_t c = 0; c < n; ++c) {
    Plot* plot = add(target.columns[c], "point", in_brackets(target.columns[c], unit), false);
    plot->height = 260;
    plot->curves = {
        {.label = "wanted", .x = point_numbers(report), .y = numbers(c, true), .style = PlotCurve::Style::markers},
        {.label = "reached", .x = point_numbers(report), .y = numbers(c, false), .style = PlotCurve::Style::line}};
  }
  return out;
}

}  // namespace

std::string inverse_text(const InversePlan& plan, const InverseListReport& report) {
  constexpr size_t most = 30;
  std::string out = plan.title.empty() ? "" : plan.title + "\n\n";
  append_text(out, "{:>6}", "point");
  for (const SoughtInput& input : plan.inputs) append_text(out, "  {:>16}", in_brackets(input.input.name, input.unit));
  for (const WantedReading& target : plan.targets)
    append_text(out, "  {:>18}", fmt::format("{} left [{}]", target.name, target.unit));
  out += '\n';
  for (size_t i = 0; i < std::min(most, report.points.size()); ++i) {
    const ReachedPoint& point = report.points[i];
    append_text(out, "{:>6}", i);
    for (const double u : point.inputs) append_text(out, "  {:>16.6g}", u);
    for (const double d : point.distances) append_text(out, "  {:>18.3g}", d);
    out += point.reached ? "" : "  " + point.message;
    out += point.from_elsewhere ? "  (inputs jump)\n" : "\n";
  }
  if (report.points.size() > most)
    append_text(out, "  the first {} of {}; all are in the table\n", most, report.points.size());
  long equilibria = 0, iterations = 0;
  for (const ReachedPoint& point : report.points) equilibria += point.equilibria, iterations += point.iterations;
  append_text(out, "{} of {} points reached; {} iterations, {} equilibria\n", report.reached(), report.points.size(),
              iterations, equilibria);
  return out;
}

std::string inverse_csv(const InversePlan& plan, const InverseListReport& report) {
  std::string out = "point";
  for (const SoughtInput& input : plan.inputs) out += "," + csv_field(in_brackets(input.input.name, input.unit));
  for (const char* what : {"wanted", "reached"})
    for (const WantedReading& target : plan.targets)
      for (size_t c = 0; c < target.columns.size(); ++c)
        out += "," + csv_field(in_brackets(fmt::format("{} {}", target.columns[c], what), target.units[c]));
  for (const WantedReading& target : plan.targets)
    out += "," + csv_field(in_brackets(target.name + " distance", target.unit));
  out += ",effort,status,message\n";
  const auto numbers = [&](const std::vector<double>& x, size_t count) {
    for (size_t k = 0; k < count; ++k) out += k < x.size() ? fmt::format(",{}", x[k]) : std::string(",");
  };
  for (size_t i = 0; i < report.points.size(); ++i) {
    const ReachedPoint& point = report.points[i];
    append_text(out, "{}", i);
    numbers(point.inputs, plan.inputs.size());
    numbers(plan.points[i], plan.points[i].size());
    numbers(point.readings, plan.points[i].size());
    numbers(point.distances, plan.targets.size());
    append_text(out, ",{},{},{}\n", point.effort, status(point), csv_field(point.message));
  }
  return out;
}

Json inverse_json(const InversePlan& plan, const InverseListReport& report) {
  Json json{{"title", plan.title}};
  json["reached"] = report.reached() == plan.points.size();
  json["interrupted"] = report.interrupted;
  json["inputs"] = Json::object();
  for (size_t k = 0; k < plan.inputs.size(); ++k) {
    const SoughtInput& input = plan.inputs[k];
    Json values = Json::array();
    for (const ReachedPoint& point : report.points)
      values.push_back(point.found ? Json(point.inputs[k]) : Json(nullptr));
    json["inputs"][input.input.name] = {{"unit", input.unit.empty() ? "1" : input.unit},
                                        {"low", input.input.low},
                                        {"high", input.input.high},
                                        {"values", values}};
  }
  json["targets"] = Json::object();
  const std::vector<size_t> first = first_columns(plan);
  for (size_t j = 0; j < plan.targets.size(); ++j) {
    const WantedReading& target = plan.targets[j];
    Json wanted = Json::array(), reached = wanted, distance = wanted;
    const auto part = [&](const std::vector<double>& from) {
      const auto begin = from.begin() + static_cast<std::ptrdiff_t>(first[j]);
      return Json(std::vector<double>(begin, begin + static_cast<std::ptrdiff_t>(target.columns.size())));
    };
    for (size_t i = 0; i < report.points.size(); ++i) {
      const ReachedPoint& point = report.points[i];
      wanted.push_back(part(plan.points[i]));
      reached.push_back(point.found ? part(point.readings) : Json(nullptr));
      distance.push_back(point.found ? Json(point.distances[j]) : Json(nullptr));
    }
    json["targets"][target.name] = {{"columns", target.columns},
                                    {"unit", target.units.front()},
                                    {"tolerance", target.tolerance},
                                    {"tolerance_unit", target.unit},
                                    {"wanted", wanted},
                                    {"reached", reached},
                                    {"distance", distance}};
  }
  json["points"] = Json::array();
  for (const ReachedPoint& point : report.points) {
    std::vector<std::string> bounds;
    for (size_t k = 0; k < point.at_bound.size(); ++k)
      if (point.at_bound[k]) bounds.push_back(plan.inputs[k].input.name);
    json["points"].push_back({{"status", status(point)},
                              {"effort", point.effort},
                              {"at_bound", bounds},
                              {"from_elsewhere", point.from_elsewhere},
                              {"iterations", point.iterations},
                              {"equilibria", point.equilibria},
                              {"message", point.message}});
  }
  json["warnings"] = report.warnings;
  return json;
}

std::string inverse_page(const InversePlan& plan, const InverseListReport& report) {
  std::string out = fmt::format("<p>{} of {} points reached.</p>\n", report.reached(), report.points.size());
  for (const std::string& warning : report.warnings)
    append_text(out, "<p class=\"warning\">{}</p>\n", xml_text(warning));
  const std::vector<size_t> first = first_columns(plan);
  for (size_t j = 0; j < plan.targets.size(); ++j)
    for (const Plot& plot : target_plots(plan, report, j, first[j])) out += picture(plot);
  if (report.points.size() > 1) {
    for (size_t k = 0; k < plan.inputs.size(); ++k) out += picture(input_plot(plan, report, k));
    for (size_t j = 0; j < plan.targets.size(); ++j) {
      Plot plot{.title = fmt::format("distance left: {}", plan.targets[j].name),
                .x_label = "point",
                .y_label = in_brackets("distance", plan.targets[j].unit),
                .height = 260};
      PlotCurve curve{.label = "", .x = point_numbers(report), .y = {}, .style = PlotCurve::Style::line_and_markers};
      for (const ReachedPoint& point : report.points)
        curve.y.push_back(point.found ? point.distances[j] : std::nan(""));
      plot.curves = {std::move(curve),
                     {.label = "tolerance",
                      .x = {0, static_cast<double>(report.points.size() - 1)},
                      .y = {plan.targets[j].tolerance, plan.targets[j].tolerance},
                      .style = PlotCurve::Style::dashed}};
      out += picture(plot);
    }
  }
  out += "<table><tr><th>point</th>";
  for (const SoughtInput& input : plan.inputs) append_text(out, "<th>{}</th>", xml_text(input.input.name));
  for (const WantedReading& target : plan.targets)
    append_text(out, "<th>{}: distance left</th>", xml_text(target.name));
  out += "<th>effort</th><th></th></tr>\n";
  for (size_t i = 0; i < report.points.size(); ++i) {
    const ReachedPoint& point = report.points[i];
    append_text(out, "<tr><th>{}</th>", i);
    for (size_t k = 0; k < plan.inputs.size(); ++k)
      append_text(out, "<td>{}{}</td>", point.found ? number_of(point.inputs[k], plan.inputs[k].unit) : "–",
                  point.found && point.at_bound[k] ? ", at its bound" : "");
    for (size_t j = 0; j < plan.targets.size(); ++j)
      append_text(out, "<td>{}</td>", point.found ? number_of(point.distances[j], plan.targets[j].unit) : "–");
    append_text(out, "<td>{:.6g}</td><td>{}{}</td></tr>\n", point.effort,
                xml_text(point.reached ? std::string() : point.message), point.from_elsewhere ? " inputs jump" : "");
  }
  return study_page(plan.title.empty() ? "Inverse statics" : plan.title, out + "</table>\n");
}

}  // namespace flexura

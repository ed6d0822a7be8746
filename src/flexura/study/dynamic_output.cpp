// Inverse dynamics as text, tables, JSON and page.

#include "flexura/study/dynamic_output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "flexura/base/quote.hpp"
#include "flexura/base/text.hpp"
#include "flexura/base/xml_text.hpp"
#include "flexura/output/csv_file.hpp"
#include "flexura/output/plot_svg.hpp"
#include "flexura/signal/table.hpp"
#include "flexura/study/study_page.hpp"

namespace flexura {
namespace {

std::string unit_or_none(const std::string& unit) { return unit.empty() ? "1" : unit; }

std::string figure_of(const Plot& plot) { return "<figure>" + svg_text(plot) + "</figure>\n"; }

/// All times at which some input has a sample.
std::vector<double> sample_times_of(const DynamicReport& report) {
  std::vector<double> all;
  for (const std::vector<double>& t : report.times) all.insert(all.end(), t.begin(), t.end());
  std::ranges::sort(all);
  all.erase(std::unique(all.begin(), all.end(), [](double a, double b) { return b - a < 1e-12 * (1 + std::fabs(b)); }),
            all.end());
  return all;
}

size_t column_count(const DynamicPlan& plan) {
  size_t out = 0;
  for (const Trajectory& target : plan.targets) out += target.what.columns.size();
  return out;
}

std::vector<double> column_of(const std::vector<double>& table, size_t columns, size_t column, double factor) {
  std::vector<double> out;
  for (size_t i = column; i < table.size(); i += columns) out.push_back(factor * table[i]);
  return out;
}

}  // namespace

std::string dynamic_inputs_csv(const DynamicPlan& plan, const DynamicReport& report) {
  NumberTable table{{{"t", "s"}}, {}};
  std::vector<TableSignal> curves;
  for (size_t k = 0; k < plan.inputs.size(); ++k) {
    table.headings.push_back({plan.inputs[k].what.input.name, unit_or_none(plan.inputs[k].what.unit)});
    curves.emplace_back(report.times[k], report.inputs[k]);
  }
  for (const double t : sample_times_of(report)) {
    table.values.push_back(t);
    for (const TableSignal& curve : curves) table.values.push_back(curve.at(t).u);
  }
  return csv_text(table);
}

std::string dynamic_path_csv(const DynamicPlan& plan, const DynamicReport& report) {
  NumberTable table{{{"t", "s"}}, {}};
  for (const char* what : {"wanted", "reached"})
    for (const Trajectory& target : plan.targets)
      for (size_t c = 0; c < target.what.columns.size(); ++c)
        table.headings.push_back({fmt::format("{} {}", target.what.columns[c], what), target.what.units[c]});
  for (const Trajectory& target : plan.targets)
    table.headings.push_back({target.what.name + " distance", target.what.unit});
  const size_t columns = column_count(plan);
  for (size_t i = 0; i < report.t.size(); ++i) {
    table.values.push_back(report.t[i]);
    for (const std::vector<double>* from : {&report.wanted, &report.reached})
      for (size_t c = 0; c < columns; ++c) table.values.push_back((*from)[i * columns + c]);
    for (const std::vector<double>& distance : report.distances) table.values.push_back(distance[i]);
  }
  return csv_text(table);
}

std::vector<std::string> replay_settings(const DynamicPlan& plan, const std::string& file) {
  std::vector<std::string> out;
  for (size_t k = 0; k < plan.inputs.size(); ++k)  // columns count from 1, and the first is t
    out.push_back(fmt::format("signal.{}={{type=\"table\", file=\"{}\", value={}}}", plan.inputs[k].what.input.name,
                              file, k + 2));
  return out;
}

std::string dynamic_text(const DynamicPlan& plan, const DynamicReport& report) {
  std::string out = plan.title.empty() ? "" : plan.title + "\n\n";
  append_text(out, "{:>20}  {:>14}  {:>14}  {:>14}  {:>14}\n", "", "tolerance", "largest miss", "rms", "rms at first");
  for (size_t j = 0; j < plan.targets.size(); ++j)
    append_text(out, "{:>20}  {:>14.4g}  {:>14.4g}  {:>14.4g}  {:>14.4g}\n",
                fmt::format("{} [{}]", plan.targets[j].what.name, plan.targets[j].what.unit),
                plan.targets[j].what.tolerance, report.largest[j], report.rms[j], report.first_rms[j]);
  append_text(out, "{}, at the ends of {} steps; {} iterations, {} runs, {} gradients\n",
              report.followed ? "followed" : report.message, report.t.size(), report.iterations, report.runs,
              report.gradients);
  return out;
}

Json dynamic_json(const DynamicPlan& plan, const DynamicReport& report) {
  Json json{{"title", plan.title}, {"followed", report.followed}, {"message", report.message}};
  json["inputs"] = Json::object();
  for (size_t k = 0; k < plan.inputs.size(); ++k)
    json["inputs"][plan.inputs[k].what.input.name] = {{"unit", unit_or_none(plan.inputs[k].what.unit)},
                                                      {"low", plan.inputs[k].what.input.low},
                                                      {"high", plan.inputs[k].what.input.high},
                                                      {"t", report.times[k]},
                                                      {"values", report.inputs[k]}};
  json["targets"] = Json::object();
  const size_t columns = column_count(plan);
  json["t"] = report.t;
  size_t first = 0;
  for (size_t j = 0; j < plan.targets.size(); ++j) {
    const WantedReading& what = plan.targets[j].what;
    const auto rows = [&](const std::vector<double>& table) {
      Json out = Json::array();
      for (size_t i = 0; i < report.t.size(); ++i) {
        const auto begin = table.begin() + static_cast<std::ptrdiff_t>(i * columns + first);
        out.push_back(std::vector<double>(begin, begin + static_cast<std::ptrdiff_t>(what.columns.size())));
      }
      return out;
    };
    json["targets"][what.name] = {{"columns", what.columns},        {"unit", what.units.front()},
                                  {"tolerance", what.tolerance},    {"largest", report.largest[j]},
                                  {"rms", report.rms[j]},           {"first_rms", report.first_rms[j]},
                                  {"wanted", rows(report.wanted)},  {"reached", rows(report.reached)},
                                  {"distance", report.distances[j]}};
    first += what.columns.size();
  }
  json["iterations"] = report.iterations;
  json["runs"] = report.runs;
  json["gradients"] = report.gradients;
  return json;
}

std::string dynamic_page(const DynamicPlan& plan, const DynamicReport& report, const std::string& scene,
                         const std::string& file) {
  std::string out = fmt::format("<pre>{}</pre>\n", xml_text(dynamic_text(plan, report)));
  const size_t columns = column_count(plan);
  size_t first = 0;
  for (size_t j = 0; j < plan.targets.size(); ++j) {
    const WantedReading& what = plan.targets[j].what;
    const double factor = what.units.front() == "m" ? 1e3 : 1;
    const std::string unit = factor == 1e3 ? "mm" : what.units.front();
    const auto part = [&](const std::vector<double>& table, size_t c) {
      return column_of(table, columns, first + c, factor);
    };
    if (what.columns.size() == 2 || what.columns.size() == 3) {
      for (size_t a = 0; a < what.columns.size(); ++a)
        for (size_t b = a + 1; b < what.columns.size(); ++b)
          out += figure_of({.title = what.name,
                            .x_label = fmt::format("{} [{}]", what.columns[a], unit),
                            .y_label = fmt::format("{} [{}]", what.columns[b], unit),
                            .curves = {{.label = "wanted",
                                        .x = part(report.wanted, a),
                                        .y = part(report.wanted, b),
                                        .style = PlotCurve::Style::dashed},
                                       {.label = "reached",
                                        .x = part(report.reached, a),
                                        .y = part(report.reached, b),
                                        .style = PlotCurve::Style::line}},
                            .equal_axes = true});
    } else {
      out += figure_of(
          {.title = what.name,
           .x_label = "t [s]",
           .y_label = fmt::format("{} [{}]", what.columns[0], unit),
           .curves = {
               {.label = "wanted", .x = report.t, .y = part(report.wanted, 0), .style = PlotCurve::Style::dashed},
               {.label = "reached", .x = report.t, .y = part(report.reached, 0)}}});
    }
    std::vector<double> distance = report.distances[j];
    for (double& x : distance) x *= what.unit == "m" ? 1e3 : 1;
    const double tolerance = what.tolerance * (what.unit == "m" ? 1e3 : 1);
    out += figure_of({.title = "distance from the trajectory: " + what.name,
                      .x_label = "t [s]",
                      .y_label = fmt::format("distance [{}]", what.unit == "m" ? "mm" : what.unit),
                      .curves = {{.label = "", .x = report.t, .y = std::move(distance)},
                                 {.label = "tolerance",
                                  .x = {report.t.front(), report.t.back()},
                                  .y = {tolerance, tolerance},
                                  .style = PlotCurve::Style::dashed}},
                      .height = 260});
    first += what.columns.size();
  }
  for (size_t k = 0; k < plan.inputs.size(); ++k)
    out += figure_of(
        {.title = plan.inputs[k].what.input.name,
         .x_label = "t [s]",
         .y_label = fmt::format("{} [{}]", plan.inputs[k].what.input.name, unit_or_none(plan.inputs[k].what.unit)),
         .curves =
             {{.label = "", .x = report.times[k], .y = report.inputs[k], .style = PlotCurve::Style::line_and_markers}},
         .height = 260});
  out += "<pre>flexura run " + xml_text(shell_word(scene));
  for (const std::string& setting : replay_settings(plan, file)) out += " --set " + xml_text(shell_word(setting));
  return study_page(plan.title.empty() ? "Inverse dynamics" : plan.title, out + "</pre>\n");
}

}  // namespace flexura

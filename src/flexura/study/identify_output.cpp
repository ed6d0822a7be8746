#include "flexura/study/identify_output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "flexura/base/quote.hpp"
#include "flexura/base/xml_text.hpp"
#include "flexura/output/csv_file.hpp"
#include "flexura/output/plot_svg.hpp"
#include "flexura/study/study_page.hpp"

namespace flexura {
namespace {

std::string with_unit(double value, const std::string& unit, int digits = 6) {
  return unit.empty() || unit == "1" || unit == "*" ? fmt::format("{:.{}g}", value, digits)
                                                    : fmt::format("{:.{}g} {}", value, digits, unit);
}

std::string error_text(const IdentifiedNumber& n) {
  if (n.at_bound) return "at its bound";
  return std::isnan(n.standard_error) ? "not determined" : "± " + with_unit(n.standard_error, n.sought.unit, 2);
}

std::string interval_text(const IdentifiedNumber& n) {
  return std::isnan(n.standard_error) ? "" : fmt::format("{:.6g} … {:.6g}", n.low, n.high);
}

std::string name_of(const FittedSeries& s) { return fmt::format("{}.{}", s.experiment, s.measured.name); }

std::string_view noise_kind(const FittedSeries& s) { return s.measured.noise > 0 ? "stated" : "estimated"; }

/// In the unit that makes lengths of soft things readable: mm of what is less than a metre; else SI.
struct Shown {
  double factor = 1;
  std::string unit;
};
Shown shown(const FittedSeries& s) {
  double size = 0;
  for (const double y : s.measured.y) size = std::max(size, std::abs(y));
  if (s.measured.unit == "m" && size < 1) return {1e3, "mm"};
  return {1, s.measured.unit};
}

std::vector<double> scaled(std::vector<double> x, double factor) {
  for (double& value : x) value *= factor;
  return x;
}

Plot fit_plot(const FittedSeries& s) {
  const auto [factor, unit] = shown(s);
  Plot plot{.title = name_of(s) + (s.left_out ? ", left out of the fit" : ""),
            .x_label = "t [s]",
            .y_label = fmt::format("{} [{}]", s.measured.name, unit),
            .note = s.band.empty() ? "" : "behind the model: 95 % of what the numbers' errors make of it"};
  plot.curves.push_back(
      {.label = "measured", .x = s.measured.t, .y = scaled(s.measured.y, factor), .style = PlotCurve::Style::markers});
  PlotCurve model{.label = "model", .x = s.measured.t, .y = scaled(s.model, factor), .style = PlotCurve::Style::line};
  for (size_t i = 0; i < s.band.size(); ++i) {
    const double half = 1.96 * s.band[i];
    const double before = i == 0 ? s.measured.t[i] : (s.measured.t[i - 1] + s.measured.t[i]) / 2;
    const double behind = i + 1 == s.band.size() ? s.measured.t[i] : (s.measured.t[i] + s.measured.t[i + 1]) / 2;
    model.band.push_back({before, behind, factor * (s.model[i] - half), factor * (s.model[i] + half)});
  }
  plot.curves.push_back(std::move(model));
  return plot;
}

Plot residual_plot(const FittedSeries& s) {
  const auto [factor, unit] = shown(s);
  Plot plot{.title = name_of(s) + ": model less measured",
            .x_label = "t [s]",
            .y_label = fmt::format("residual [{}]", unit),
            .height = 300};
  PlotCurve points{.label = "residual", .x = s.measured.t, .y = {}, .style = PlotCurve::Style::markers};
  for (size_t i = 0; i < s.model.size(); ++i) points.y.push_back(factor * (s.model[i] - s.measured.y[i]));
  plot.curves.push_back(std::move(points));
  if (!s.measured.t.empty())
    for (const double sign : {-2.0, 2.0})
      plot.curves.push_back({.label = sign > 0 ? "± 2 noise" : "",
                             .x = {s.measured.t.front(), s.measured.t.back()},
                             .y = {sign * s.noise * factor, sign * s.noise * factor},
                             .style = PlotCurve::Style::dashed,
                             .colour_of = sign > 0 ? 1 : -1});
  return plot;
}

Plot profile_plot(const IdentifiedNumber& n) {
  Plot plot{.title = "profile of " + n.sought.name,
            .x_label = fmt::format("{} [{}]", n.sought.name, n.sought.unit),
            .y_label = "excess of the cost [1]",
            .height = 300};
  plot.curves.push_back({.label = "all others fitted again",
                         .x = n.profile->value,
                         .y = n.profile->excess,
                         .style = PlotCurve::Style::line_and_markers});
  plot.curves.push_back({.label = "95 %: 3.84",
                         .x = {n.profile->value.front(), n.profile->value.back()},
                         .y = {3.84, 3.84},
                         .style = PlotCurve::Style::dashed});
  return plot;
}

std::string profile_text(const IdentifiedNumber& n) {
  if (!n.profile) return {};
  const auto end = [](double x) { return std::isnan(x) ? std::string("open") : fmt::format("{:.6g}", x); };
  return fmt::format("{} … {}", end(n.profile->low), end(n.profile->high));
}

std::string figure(const Plot& plot) { return "<figure>" + svg_text(plot) + "</figure>\n"; }

std::string number_table(const IdentifyReport& report) {
  const bool profiles = std::ranges::any_of(report.numbers, [](const IdentifiedNumber& n) { return !!n.profile; });
  std::string out =
      "<table><tr><th>parameter</th><th>in the scene</th><th>value</th><th>standard error</th><th>95 %</th>";
  out += profiles ? "<th>95 % by the profile</th>" : "";
  out += "<th>start</th><th>bounds</th></tr>\n";
  for (const IdentifiedNumber& n : report.numbers) {
    out += fmt::format("<tr><th>{}</th><td>{}</td><td>{}</td><td>{}</td><td>{}</td>", xml_text(n.sought.name),
                       n.sought.path.empty() ? "shift of time" : xml_text(n.sought.path),
                       with_unit(n.value, n.sought.unit), error_text(n), interval_text(n));
    if (profiles) out += fmt::format("<td>{}</td>", profile_text(n));
    out += fmt::format("<td>{:.6g}</td><td>{:.6g} … {:.6g}{}</td></tr>\n", n.sought.start, n.sought.low, n.sought.high,
                       n.sought.is_log ? ", log" : "");
  }
  return out + "</table>\n";
}

std::string correlation_table(const IdentifyReport& report) {
  const size_t n = report.numbers.size();
  if (n < 2) return {};
  std::string out = "<h2>Correlations</h2>\n<table><tr><th></th>";
  for (const IdentifiedNumber& number : report.numbers) out += fmt::format("<th>{}</th>", xml_text(number.sought.name));
  out += "</tr>\n";
  for (size_t i = 0; i < n; ++i) {
    out += fmt::format("<tr><th>{}</th>", xml_text(report.numbers[i].sought.name));
    for (size_t j = 0; j < n; ++j) {
      const double c = report.correlation[i * n + j];
      out += std::isnan(c) ? "<td>–</td>" : fmt::format("<td>{:.3f}</td>", c);
    }
    out += "</tr>\n";
  }
  return out + "</table>\n";
}

std::string series_table(const IdentifyReport& report) {
  std::string out =
      "<h2>Records</h2>\n<table><tr><th>record</th><th>samples</th><th>rms of the residual</th><th>noise</th>"
      "<th>residual follows the one before</th></tr>\n";
  for (const FittedSeries& s : report.series)
    out += fmt::format("<tr><th>{}{}</th><td>{}</td><td>{}</td><td>{} ({})</td><td>{}</td></tr>\n",
                       xml_text(name_of(s)), s.left_out ? ", left out" : "", s.measured.y.size(),
                       s.model.empty() ? "–" : with_unit(s.rms, s.measured.unit, 3),
                       with_unit(s.noise, s.measured.unit, 3), noise_kind(s),
                       std::isnan(s.autocorrelation) ? "–" : fmt::format("{:.2f}", s.autocorrelation));
  return out + "</table>\n";
}

std::string left_out_table(const IdentifyReport& report) {
  if (report.left_out.empty()) return {};
  std::string out = "<h2>Cross-validation</h2>\n<table><tr><th>without</th>";
  for (const IdentifiedNumber& n : report.numbers) out += fmt::format("<th>{}</th>", xml_text(n.sought.name));
  out += "<th>residual of what was left out, in noise</th></tr>\n";
  for (const LeftOutFit& fit : report.left_out) {
    out += fmt::format("<tr><th>{}</th>", xml_text(fit.experiment));
    for (const double value : fit.values) out += fmt::format("<td>{:.6g}</td>", value);
    out += fit.failure.empty() ? fmt::format("<td>{:.3g}</td></tr>\n", fit.rms)
                               : fmt::format("<td>{}</td></tr>\n", xml_text(fit.failure));
  }
  return out + "</table>\n";
}

}  // namespace

std::vector<std::string> identified_settings(const IdentifyReport& report) {
  std::vector<std::string> out;
  for (const IdentifiedNumber& n : report.numbers)
    if (!n.sought.path.empty() && n.sought.experiments.empty())
      out.push_back(fmt::format("{}={}", n.sought.path, n.value));
  return out;
}

namespace {

/// Name, value, what is said of its error.
std::string number_line(const IdentifiedNumber& n, size_t width, const std::string& behind) {
  return fmt::format("{:{}}  {:>16}  {}", n.sought.name, width, with_unit(n.value, n.sought.unit), behind);
}

size_t name_width(const IdentifyReport& report) {
  size_t width = 9;
  for (const IdentifiedNumber& n : report.numbers) width = std::max(width, n.sought.name.size());
  return width;
}

}  // namespace

std::string invert_text(const InvertReport& report) {
  std::string out = report.fit.title.empty() ? "" : report.fit.title + "\n\n";
  for (const IdentifiedNumber& n : report.fit.numbers)
    out += number_line(n, name_width(report.fit), n.at_bound ? "at its bound" : "") + "\n";
  out += '\n';
  for (const FittedSeries& s : report.fit.series)
    out += fmt::format("{}: missed by {}, tolerance {}\n", name_of(s), with_unit(s.rms, s.measured.unit, 3),
                       with_unit(s.noise, s.measured.unit, 3));
  if (report.effort > 0) out += fmt::format("effort {:.6g}\n", report.effort);
  return out + fmt::format("{}; {} iterations, {} runs in the last search\n",
                           report.reached ? "reached" : "not reached", report.fit.iterations, report.fit.runs);
}

Json invert_json(const InvertReport& report) {
  Json json{{"title", report.fit.title}, {"reached", report.reached}};
  json["parameters"] = Json::object();
  for (const IdentifiedNumber& n : report.fit.numbers) {
    Json one{{"path", n.sought.path}, {"unit", n.sought.unit}};
    set_number(one, "value", n.value);
    one["at_bound"] = n.at_bound;
    json["parameters"][n.sought.name] = one;
  }
  json["targets"] = Json::array();
  for (const FittedSeries& s : report.fit.series) {
    Json one{
        {"experiment", s.experiment}, {"target", s.measured.name}, {"unit", s.measured.unit}, {"tolerance", s.noise}};
    one["wanted"] = s.measured.y;
    one["reached"] = s.model;
    json["targets"].push_back(one);
  }
  json["effort"] = report.effort;
  json["runs"] = report.runs;
  json["recalled"] = report.recalled;
  json["settings"] = identified_settings(report.fit);
  json["warnings"] = report.fit.warnings;
  return json;
}

std::string identify_text(const IdentifyReport& report) {
  const size_t width = name_width(report);
  std::string out = report.title.empty() ? "" : report.title + "\n\n";
  for (const IdentifiedNumber& n : report.numbers) {
    out += number_line(n, width, fmt::format("{:18}", error_text(n)));
    if (!std::isnan(n.standard_error)) out += fmt::format("  95 %: {}", interval_text(n));
    if (n.profile) out += fmt::format("  profile: {}", profile_text(n));
    out += '\n';
  }
  const size_t count = report.numbers.size();
  if (count > 1) {
    out += "\ncorrelation\n";
    for (size_t i = 0; i < count; ++i) {
      out += fmt::format("{:{}}", report.numbers[i].sought.name, width);
      for (size_t j = 0; j <= i; ++j) {
        const double c = report.correlation[i * count + j];
        out += std::isnan(c) ? fmt::format("{:>8}", "-") : fmt::format("{:8.3f}", c);
      }
      out += '\n';
    }
  }
  out += '\n';
  for (const FittedSeries& s : report.series)
    out += fmt::format("{}: {} samples, rms {}, noise {} ({}){}\n", name_of(s), s.measured.y.size(),
                       with_unit(s.rms, s.measured.unit, 3), with_unit(s.noise, s.measured.unit, 3), noise_kind(s),
                       s.left_out ? ", left out of the fit" : "");
  for (const LeftOutFit& fit : report.left_out) {
    out += fmt::format("without {}: ", fit.experiment);
    for (size_t k = 0; k < fit.values.size(); ++k)
      out += fmt::format("{}{} = {:.6g}", k == 0 ? "" : ", ", report.numbers[k].sought.name, fit.values[k]);
    out += fit.failure.empty() ? fmt::format("; it is missed by {:.3g} of its noise\n", fit.rms)
                               : fmt::format("; {}\n", fit.failure);
  }
  out += fmt::format("{} iterations, {} runs{}{}{}\n", report.iterations, report.runs,
                     report.differentiated > 0 ? fmt::format(", {} with their slopes", report.differentiated) : "",
                     report.recalled > 0 ? fmt::format(", {} recalled", report.recalled) : "",
                     report.failed > 0 ? fmt::format(", {} failed", report.failed) : "");
  if (report.slopes != "exact") out += "slopes: " + report.slopes + "\n";
  return out;
}

Json identify_json(const IdentifyReport& report) {
  Json json{{"title", report.title}, {"converged", report.converged}, {"message", report.message}};
  json["parameters"] = Json::object();
  for (const IdentifiedNumber& n : report.numbers) {
    Json one{{"path", n.sought.path}, {"unit", n.sought.unit}};
    set_number(one, "value", n.value);
    set_number(one, "standard_error", n.standard_error, error_text(n));
    one["interval"] = {n.low, n.high};
    one["start"] = n.sought.start;
    one["bounds"] = {n.sought.low, n.sought.high};
    one["scale"] = n.sought.is_log ? "log" : "linear";
    one["at_bound"] = n.at_bound;
    if (n.profile)
      one["profile"] = {
          {"value", n.profile->value}, {"excess", n.profile->excess}, {"interval", {n.profile->low, n.profile->high}}};
    json["parameters"][n.sought.name] = one;
  }
  const size_t count = report.numbers.size();
  json["correlation"] = Json::array();
  for (size_t i = 0; i < count; ++i)
    json["correlation"].push_back(std::vector<double>(report.correlation.begin() + static_cast<long>(i * count),
                                                      report.correlation.begin() + static_cast<long>((i + 1) * count)));
  json["records"] = Json::array();
  for (const FittedSeries& s : report.series) {
    Json one{{"experiment", s.experiment},        {"measured", s.measured.name},   {"sensor", s.measured.sensor},
             {"component", s.measured.component}, {"unit", s.measured.unit},       {"samples", s.measured.y.size()},
             {"missing", s.measured.missing},     {"outside", s.measured.outside}, {"left_out", s.left_out}};
    set_number(one, "rms", s.model.empty() ? std::nan("") : s.rms, "its run failed");
    one["noise"] = s.noise;
    one["noise_is_stated"] = s.measured.noise > 0;
    set_number(one, "autocorrelation", s.autocorrelation, "fewer than 20 samples, or no residual");
    json["records"].push_back(one);
  }
  json["cross_validation"] = Json::array();
  for (const LeftOutFit& fit : report.left_out) {
    Json one{{"without", fit.experiment}, {"failure", fit.failure}};
    for (size_t k = 0; k < fit.values.size(); ++k) one["values"][report.numbers[k].sought.name] = fit.values[k];
    set_number(one, "rms_in_noise", fit.rms);
    json["cross_validation"].push_back(one);
  }
  json["loss"] = loss_names[static_cast<size_t>(report.loss)];
  set_number(json, "noise_scale", report.noise_scale);
  json["residuals"] = report.residuals;
  json["iterations"] = report.iterations;
  json["runs"] = report.runs;
  json["differentiated"] = report.differentiated;
  json["slopes"] = report.slopes;
  json["recalled"] = report.recalled;
  json["failed"] = report.failed;
  json["warnings"] = report.warnings;
  json["settings"] = identified_settings(report);
  return json;
}

std::string identify_csv(const FittedSeries& s) {
  NumberTable table{{{"t", "s"},
                     {"measured", s.measured.unit},
                     {"model", s.measured.unit},
                     {"residual", s.measured.unit},
                     {"band", s.measured.unit}},
                    {}};
  for (size_t i = 0; i < s.model.size(); ++i)
    for (const double value : {s.measured.t.empty() ? 0.0 : s.measured.t[i], s.measured.y[i], s.model[i],
                               s.model[i] - s.measured.y[i], s.band.empty() ? 0.0 : s.band[i]})
      table.values.push_back(value);
  return csv_text(table);
}

std::string identify_page(const IdentifyReport& report) {
  std::string out;
  for (const std::string& warning : report.warnings)
    out += fmt::format("<p class=\"warning\">{}</p>\n", xml_text(warning));
  out += number_table(report);
  std::string settings;
  for (const std::string& setting : identified_settings(report)) settings += " --set " + shell_word(setting);
  if (!settings.empty()) out += fmt::format("<pre>flexura run SCENE{}</pre>\n", xml_text(settings));
  out += correlation_table(report) + series_table(report) + left_out_table(report);
  for (const FittedSeries& s : report.series)
    if (s.model.size() > 1) out += figure(fit_plot(s)) + figure(residual_plot(s));
  for (const IdentifiedNumber& n : report.numbers)
    if (n.profile && n.profile->value.size() > 1) out += figure(profile_plot(n));
  out += fmt::format(
      "<p>{}. {} residuals in units of their noise, loss {}; {} iterations, {} runs, {} of them with their slopes, {} "
      "failed, {} recalled. Slopes: {}.</p>\n",
      report.converged ? "Converged" : xml_text("Not converged: " + report.message), report.residuals,
      loss_names[static_cast<size_t>(report.loss)], report.iterations, report.runs, report.differentiated,
      report.failed, report.recalled, xml_text(report.slopes));
  return study_page(report.title.empty() ? "Identification" : report.title, out);
}

}  // namespace flexura

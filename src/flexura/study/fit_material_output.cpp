#include "flexura/study/fit_material_output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "flexura/base/xml_text.hpp"
#include "flexura/output/plot_svg.hpp"
#include "flexura/study/study_page.hpp"

namespace flexura {
namespace {

/// "0.2712 MPa", "12.7 kPa", "5.2"
std::string quantity(double value, std::string_view unit, int digits = 5) {
  if (unit != "Pa") return fmt::format("{:.{}g}", value, digits);
  const double size = std::abs(value);
  const bool mega = size >= 1e5, kilo = size >= 100;
  return fmt::format("{:.{}g} {}", value / (mega ? 1e6 : kilo ? 1e3 : 1.0), digits, mega ? "MPa" : kilo ? "kPa" : "Pa");
}

std::string error_text(const FittedConstant& c) {
  if (c.fixed) return "fixed";
  if (c.at_bound) return "at its bound";
  return std::isnan(c.standard_error) ? "not determined" : "± " + quantity(c.standard_error, c.unit, 2);
}

/// "-": too few points for the law's constants.
std::string criterion(const LawFit& law) { return std::isfinite(law.aicc) ? fmt::format("{:.1f}", law.aicc) : "-"; }

std::string_view name_of(TensionTest test) { return tension_test_names[static_cast<int>(test)]; }

/// "0.31 to 4.2", "up to 4.2"; "everywhere": no limit was found where it was searched.
std::string range_text(const StableRange& range) {
  const bool has_low = range.low > 0, has_high = std::isfinite(range.high);
  if (range.low == 1 && range.high == 1) return "nowhere";
  if (!has_low && !has_high) return "everywhere";
  if (!has_low) return fmt::format("up to {:.4g}", range.high);
  return has_high ? fmt::format("{:.3g} to {:.4g}", range.low, range.high) : fmt::format("from {:.3g}", range.low);
}

std::string searched_text(const StretchRange& range) {
  return fmt::format("searched from a stretch of {:.3g} to {:.4g}", range.low, range.high);
}

std::pair<double, double> stretches_of(const TensionData& test) {
  const auto [low, high] = std::ranges::minmax(test.stretch);
  return {std::min(low, 1.0), std::max(high, 1.0)};
}

double model_stress(const LawFit& fit, TensionTest test, double stretch) {
  return incompressible_tension(test, fit.choice, fit.constants, stretch);
}

PlotCurve curve_of(const LawFit& fit, const TensionData& test, std::string label, PlotCurve::Style style) {
  PlotCurve out{.label = std::move(label), .x = {}, .y = {}, .style = style};
  const auto [low, high] = stretches_of(test);
  constexpr int points = 200;
  for (int i = 0; i <= points; ++i) {
    out.x.push_back(low + (high - low) * i / points);
    out.y.push_back(1e-6 * model_stress(fit, test.test, out.x.back()));
  }
  return out;
}

PlotCurve points_of(const TensionData& test, std::string label) {
  PlotCurve out{.label = std::move(label), .x = test.stretch, .y = {}, .style = PlotCurve::Style::markers};
  for (const double stress : test.stress) out.y.push_back(1e-6 * stress);
  return out;
}

std::string data_label(const TensionData& test) {
  return fmt::format("{}, {}", name_of(test.test), test.name.substr(test.name.rfind('/') + 1));
}

Plot stress_plot(const MaterialFit& fit) {
  const LawFit& best = fit.laws[fit.best];
  Plot plot{.title = fmt::format("{} (lines) and the tests (marks)", best.row().name),
            .x_label = "stretch [1]",
            .y_label = "nominal stress [MPa]"};
  for (const TensionData& test : fit.data) plot.curves.push_back(points_of(test, data_label(test)));
  for (std::size_t i = 0; i < fit.data.size(); ++i) {
    plot.curves.push_back(curve_of(best, fit.data[i], "", PlotCurve::Style::line));
    plot.curves.back().colour_of = static_cast<int>(i);
  }
  return plot;
}

Plot laws_plot(const MaterialFit& fit, const TensionData& test) {
  Plot plot{.title = fmt::format("all laws, {}", data_label(test)),
            .x_label = "stretch [1]",
            .y_label = "nominal stress [MPa]"};
  for (const LawFit& law : fit.laws)
    if (law.converged) plot.curves.push_back(curve_of(law, test, std::string(law.row().name), PlotCurve::Style::line));
  plot.curves.push_back(points_of(test, "measured"));
  return plot;
}

Plot residual_plot(const MaterialFit& fit) {
  const LawFit& best = fit.laws[fit.best];
  Plot plot{.title = fmt::format("{}: stress less the measured one", best.row().name),
            .x_label = "stretch [1]",
            .y_label = "residual [MPa]",
            .height = 350};
  for (const TensionData& test : fit.data) {
    PlotCurve points = points_of(test, data_label(test));
    for (std::size_t i = 0; i < test.stretch.size(); ++i)
      points.y[i] = 1e-6 * (model_stress(best, test.test, test.stretch[i]) - test.stress[i]);
    plot.curves.push_back(std::move(points));
  }
  return plot;
}

std::string laws_table(const MaterialFit& fit) {
  std::string out =
      "<table><tr><th>law</th><th>constants</th><th>rms</th><th>relative</th><th>R²</th><th>AICc</th><th>μ at rest</th>"
      "<th>stable: uniaxial</th><th>equibiaxial</th><th>planar</th></tr>\n";
  for (std::size_t i = 0; i < fit.laws.size(); ++i) {
    const LawFit& law = fit.laws[i];
    out += fmt::format("<tr{}><td>{}</td><td>", i == fit.best ? " class=\"best\"" : "", law.row().name);
    for (const FittedConstant& c : law.fitted)
      out +=
          fmt::format("{} = {} <span class=\"small\">{}</span><br>", c.name, quantity(c.value, c.unit), error_text(c));
    out += fmt::format("</td><td>{}</td><td>{:.2g} %</td><td>{:.5f}</td><td>{}</td><td>{}</td>",
                       quantity(law.rms, "Pa", 3), 100 * law.rms_relative, law.r_squared, criterion(law),
                       quantity(moduli_at_rest(law.choice, law.constants).shear, "Pa", 4));
    for (const StableRange& range : law.stable) out += fmt::format("<td>{}</td>", range_text(range));
    out += "</tr>\n";
    if (!law.failure.empty())
      out += fmt::format("<tr><td></td><td colspan=\"9\">no result: {}</td></tr>\n", xml_text(law.failure));
    for (const std::string& note : law.notes)
      out += fmt::format("<tr><td></td><td colspan=\"9\" class=\"small\">{}</td></tr>\n", xml_text(note));
  }
  return out + "</table>\n";
}

std::string correlation_table(const LawFit& law) {
  const std::size_t n = law.fitted.size();
  if (n < 2 || law.correlation.empty()) return {};
  std::string out = "<h2>Correlation of the constants</h2>\n<table><tr><th></th>";
  for (const FittedConstant& c : law.fitted) out += fmt::format("<th>{}</th>", c.name);
  out += "</tr>\n";
  for (std::size_t i = 0; i < n; ++i) {
    out += fmt::format("<tr><th>{}</th>", law.fitted[i].name);
    for (std::size_t j = 0; j < n; ++j) {
      const double value = law.correlation[i * n + j];
      out += std::isnan(value) ? "<td>–</td>" : fmt::format("<td>{:.3f}</td>", value);
    }
    out += "</tr>\n";
  }
  return out + "</table>\n";
}

}  // namespace

std::string fit_toml(const LawFit& fit, const std::string& name) {
  if (!fit.failure.empty()) return fmt::format("# {}: no result: {}\n", fit.row().name, fit.failure);
  std::string out = fmt::format("[material.{}]\ntype = \"{}\"\n", name, fit.row().name);
  for (const FittedConstant& c : fit.fitted)
    out += c.unit == "Pa" ? fmt::format("{} = \"{}\"\n", c.name, quantity(c.value, c.unit, 7))
                          : fmt::format("{} = {:.7g}\n", c.name, c.value);
  out += fmt::format("bulk = \"{}\"  # not measured: {:g} times the shear modulus\n",
                     quantity(fit.constants.bulk, "Pa", 4), nearly_incompressible);
  return out + "rho = \"1100 kg/m^3\"  # not measured: put in that of your material\n";
}

Json fit_json(const MaterialFit& fit, const std::string& name) {
  Json json;
  json["tests"] = Json::array();
  for (const TensionData& test : fit.data) {
    const auto [low, high] = std::ranges::minmax(test.stretch);
    json["tests"].push_back(
        {{"name", test.name}, {"test", name_of(test.test)}, {"points", test.stretch.size()}, {"stretch", {low, high}}});
  }
  json["relative"] = fit.relative;
  json["laws"] = Json::array();
  for (const LawFit& law : fit.laws) {
    Json entry{{"law", law.row().name}, {"converged", law.converged}, {"evaluations", law.evaluations}};
    entry["failure"] = law.failure.empty() ? Json(nullptr) : Json(law.failure);
    for (const FittedConstant& c : law.fitted) {
      Json constant{{"unit", c.unit}};
      set_number(constant, "value", c.value);
      set_number(constant, "standard_error", c.standard_error, error_text(c));
      constant["fixed"] = c.fixed;
      constant["at_bound"] = c.at_bound;
      entry["constants"][c.name] = constant;
    }
    const std::size_t n = law.fitted.size();
    for (std::size_t i = 0; i < n && !law.correlation.empty(); ++i) {
      Json row = Json::array();
      for (std::size_t j = 0; j < n; ++j) {
        const double value = law.correlation[i * n + j];
        row.push_back(std::isnan(value) ? Json(nullptr) : Json(value));
      }
      entry["correlation"].push_back(row);
    }
    set_number(entry, "rms", law.rms);
    set_number(entry, "rms_relative", law.rms_relative);
    set_number(entry, "r_squared", law.r_squared);
    set_number(entry, "aicc", law.aicc);
    set_number(entry, "shear_modulus", moduli_at_rest(law.choice, law.constants).shear);
    entry["stable_over_data"] = law.is_stable;
    for (int test = 0; test < 3; ++test) {
      const auto [low, high] = law.stable[test];
      entry["stable"][std::string(tension_test_names[test])] = {low > 0 ? Json(low) : Json(nullptr),
                                                                std::isfinite(high) ? Json(high) : Json(nullptr)};
    }
    for (const TensionData& test : fit.data) {
      Json residuals = Json::array();
      for (std::size_t i = 0; i < test.stretch.size(); ++i)
        residuals.push_back(model_stress(law, test.test, test.stretch[i]) - test.stress[i]);
      entry["residuals"].push_back(residuals);
    }
    entry["notes"] = law.notes;
    entry["toml"] = fit_toml(law, name);
    json["laws"].push_back(entry);
  }
  json["stability_searched"] = {fit.searched.low, fit.searched.high};
  json["best"] = fit.laws[fit.best].row().name;
  json["toml"] = fit_toml(fit.laws[fit.best], name);
  json["warnings"] = fit.warnings;
  return json;
}

std::string fit_text(const MaterialFit& fit) {
  std::string out =
      fmt::format("{:15} {:>10} {:>10} {:>8}  stable in Drucker's sense\n", "law", "rms", "relative", "AICc");
  for (std::size_t i = 0; i < fit.laws.size(); ++i) {
    const LawFit& law = fit.laws[i];
    std::string ranges, constants;
    for (int test = 0; test < 3; ++test)
      if (const std::string range = range_text(law.stable[test]); range != "everywhere")
        ranges += fmt::format("{}{} {}", ranges.empty() ? "" : ", ", tension_test_names[test], range);
    for (const FittedConstant& c : law.fitted)
      constants += fmt::format("{}{} = {} ({})", constants.empty() ? "" : ", ", c.name, quantity(c.value, c.unit),
                               error_text(c));
    out += fmt::format("{:15} {:>10} {:>8.2g} % {:>8}  {}\n    {}\n",
                       fmt::format("{}{}", law.row().name, i == fit.best ? " *" : ""), quantity(law.rms, "Pa", 3),
                       100 * law.rms_relative, criterion(law), ranges.empty() ? "everywhere" : ranges, constants);
    if (!law.failure.empty()) out += fmt::format("    no result: {}\n", law.failure);
    for (const std::string& note : law.notes) out += fmt::format("    {}\n", note);
  }
  return out + fmt::format("everywhere: no limit of stability was found; {}\n", searched_text(fit.searched));
}

std::string fit_page(const MaterialFit& fit, const std::string& name) {
  const LawFit& best = fit.laws[fit.best];
  std::string out = fmt::format("<p>{}.</p>\n<p>", xml_text(best.row().doc));
  for (const TensionData& test : fit.data) {
    const auto [low, high] = std::ranges::minmax(test.stretch);
    out += fmt::format("{}: {} tension, {} points, stretch {:.4g} to {:.4g}<br>", xml_text(test.name),
                       name_of(test.test), test.stretch.size(), low, high);
  }
  out += "</p>\n";
  for (const std::string& warning : fit.warnings)
    out += fmt::format("<p class=\"warning\">{}</p>\n", xml_text(warning));
  out += fmt::format("<pre>{}</pre>\n", xml_text(fit_toml(best, name)));
  out += "<figure>" + svg_text(stress_plot(fit)) + "</figure>\n<figure>" + svg_text(residual_plot(fit)) + "</figure>\n";
  out += correlation_table(best);
  out += "<h2>All laws</h2>\n<p>" +
         std::string(fit.relative ? "Relative residuals were made least"
                                  : "Residuals of the nominal stress were made least") +
         ", of an incompressible body. AICc weighs the fit against the number of constants: the least is best. Stable: "
         "Drucker's condition, every further stretch takes more stress; " +
         searched_text(fit.searched) + ".</p>\n";
  out += laws_table(fit);
  if (fit.laws.size() > 1)
    for (const TensionData& test : fit.data) out += "<figure>" + svg_text(laws_plot(fit, test)) + "</figure>\n";
  return study_page(fmt::format("{}: {}", name, best.row().name), out);
}

}  // namespace flexura

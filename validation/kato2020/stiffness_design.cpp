// Kato and Wagatsuma 2020, section 1: the stiffness of a beam that lifts its wearer with a wanted moment at a wanted posture.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "flexura/study/invert.hpp"
#include "validation/kato2020/cases.hpp"

namespace flexura::detail {
namespace {

// Of the whole body's: mass of head, arms and trunk, and their centre from the hip, over hip to shoulder [winter2009].
constexpr double upper_mass = 0.678, upper_centre = 0.626, trunk = 0.288, g = 9.81;

struct Wearer {
  double mass, height;  ///< [kg], [m]
};

double length_of(const Wearer& wearer) { return trunk * wearer.height; }

/// Share of the moment of the upper body's weight about the hip that leans by the angle.
double wanted_moment(const Wearer& wearer, double posture, double share) {
  return share * upper_mass * wearer.mass * g * upper_centre * length_of(wearer) * std::sin(posture);
}

/// An end moment M bends a beam to a circle that turns by M L/EI.
double closed_form_EI(const Wearer& wearer, double posture, double share) {
  return wanted_moment(wearer, posture, share) * length_of(wearer) / posture;
}

struct Design {
  double EI, moment;
  long runs;
};

/// Stiffness and moment at which the neck has turned by the posture while the waist bears the moment that is wanted.
Design design(const Case& one, const Wearer& wearer, double posture, double share) {
  const SceneDocument document = one.document("stiffness-design", {fmt::format("parameters.mass={}", wearer.mass),
                                                                   fmt::format("parameters.height={}", wearer.height)});
  Inversion wanted;
  wanted.what.sought = {
      {.name = "EI", .path = "parameters.EI", .unit = "N m^2", .start = 1.38, .low = 0.01, .high = 100, .is_log = true},
      {.name = "lift",
       .path = "parameters.lift",
       .unit = "N m",
       .start = 1.38 * posture / length_of(wearer),
       .low = 0,
       .high = 1000}};
  wanted.effort.resize(2);
  Experiment experiment;
  experiment.name = "lean";
  experiment.scene_text = document.effective_text;
  experiment.scene_file = document.file;
  experiment.measured = {{.name = "posture",
                          .sensor = "posture",
                          .component = {},
                          .number = 0,
                          .unit = "rad",
                          .t = {},
                          .y = {std::acos(0.0) - posture},
                          .analysis = "lean",
                          .noise = 1e-6},
                         {.name = "moment",
                          .sensor = "waist_moment",
                          .component = {},
                          .number = 0,
                          .unit = "N m",
                          .t = {},
                          .y = {wanted_moment(wearer, posture, share)},
                          .analysis = "lean",
                          .noise = 1e-5}};
  wanted.what.experiments = {std::move(experiment)};
  const InvertReport report = invert(wanted, {.threads = one.threads()});
  if (!report.reached)
    throw CaseFailure(fmt::format("the wanted moment of {} kg and {} m at {:.3g} rad was not reached: {}", wearer.mass,
                                  wearer.height, posture, report.fit.message));
  return {report.fit.numbers[0].value, report.fit.numbers[1].value, report.fit.runs};
}

void stiffness_design(Case& one) {
  one.chosen(
      "the beam bears 5 % of the moment of the upper body's weight about the waist; from waist to neck 0.288 of the "
      "height, the "
      "upper body 0.678 of the mass with its centre at 0.626 of that length (Winter 2009)");
  one.chosen(
      "a wearer of 60 kg and 1.736 m, whose beam is 0.5 m long, at 60 degrees; change them by --set "
      "parameters.mass=80");
  one.varies("parameters.EI");
  one.varies("parameters.lift");
  std::map<std::string, double> given;
  for (const auto& [name, value] : one.document("stiffness-design").parameters) given[name] = value;
  const Wearer wearer{given.at("mass"), given.at("height")};
  const double posture = given.at("posture"), share = given.at("share");
  const Design here = design(one, wearer, posture, share);
  one.quantity("wanted_moment", wanted_moment(wearer, posture, share));
  // 5 elements turn by M L/EI to 1e-4, measured.
  one.quantity("EI", here.EI, {closed_form(closed_form_EI(wearer, posture, share), 0, 1e-4)});
  one.quantity("moment", here.moment, {closed_form(wanted_moment(wearer, posture, share), 0, 1e-4)});

  const std::vector<Wearer> wearers{{50, 1.6}, {60, 1.736}, {80, 1.85}};
  const std::vector<double> degrees{20, 40, 60, 80};
  Json found = Json::array(), exact = Json::array();
  Plot plot{.title = "Bending stiffness that lifts with 5 % of the upper body's moment",
            .x_label = "posture [deg]",
            .y_label = "EI [N m²]",
            .curves = {}};
  for (const Wearer& w : wearers) {
    PlotCurve curve{fmt::format("{} kg, {} m", w.mass, w.height), {}, {}, PlotCurve::Style::line_and_markers};
    Json row = Json::array(), closed = Json::array();
    for (const double angle : degrees) {
      const double EI = design(one, w, angle * degree, share).EI;
      row.push_back(EI);
      closed.push_back(closed_form_EI(w, angle * degree, share));
      curve.x.push_back(angle);
      curve.y.push_back(EI);
    }
    found.push_back(row);
    exact.push_back(closed);
    plot.curves.push_back(std::move(curve));
  }
  one.quantity("EI_of_wearers", found, {closed_form(exact, 0, 1e-4)});
  one.plot("stiffness", plot);
  one.finding(
      fmt::format("At {:.0f} degrees a wearer of {} kg and {} m needs EI = {:.4f} N m^2 for a lifting moment of {:.3f} "
                  "N m ({} runs); the "
                  "circle gives {:.4f}. The stiffness that is wanted falls with the posture, as sin(a)/a: one beam "
                  "lifts relatively more the "
                  "further its wearer leans.",
                  posture / degree, wearer.mass, wearer.height, here.EI, here.moment, here.runs,
                  closed_form_EI(wearer, posture, share)));
}

}  // namespace

CaseDefinition kato2020_stiffness_design() {
  return {{"kato2020",
           "stiffness-design",
           "bending stiffness for a wanted lifting moment at a posture (section 1)",
           {{"wanted_moment", "N m", "share of the upper body's weight that the beam is to bear at the waist"},
            {"EI", "N m^2", "that gives it at the posture; closed form: M L/a"},
            {"moment", "N m", "that bends the beam to the posture"},
            {"EI_of_wearers", "N m^2", "of 50 kg and 1.6 m, 60 and 1.736, 80 and 1.85 at 20, 40, 60, 80 degrees"}}},
          stiffness_design};
}

}  // namespace flexura::detail

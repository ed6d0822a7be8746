// Ghoneimy et al. 2025, an elephant's head and trunk: moments on both, and how well constraints are kept.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <numbers>

#include "validation/ghoneimy2025/head.hpp"

namespace flexura::detail {
namespace {

constexpr const char* families[] = {"rigidity", "distance", "angle", "orthogonality"};

/// Of 20 N m (cos(pi t/2) - cos(pi t)) about z and 5 N m of it about y.
Vec3 impulse(double t) {
  const double w = std::numbers::pi / 2, s = std::sin(w * t) / w - std::sin(2 * w * t) / (2 * w);
  return {0, 5 * s, 20 * s};
}

std::string adams(const char* tolerances, const char* stabilisation) {
  return fmt::format("analysis.move.integrator={{type=\"adams\", {}, stabilisation={{{}}}}}", tolerances,
                     stabilisation);
}
constexpr const char* paper_baumgarte = "type=\"baumgarte\", alpha=5, beta=12";
constexpr const char* equal_baumgarte = "type=\"baumgarte\", omega=12, zeta=0.7";
constexpr const char* fuzzy = "type=\"fuzzy\", omega=12, zeta=0.7";
constexpr const char* projection = "type=\"projection\"";
constexpr const char* tight = "max_order=3, rtol=1e-6, atol=1e-8";
constexpr const char* middle = "max_order=3, rtol=1e-4, atol=1e-6";
constexpr const char* loose = "max_order=12, rtol=1e-3, atol=1e-6";  // defaults of MATLAB's ode113

Json largest_by_family(const SceneRun& run) {
  Json out = Json::array();
  for (const char* family : families) out.push_back(largest(run.of(family), 0));
  return out;
}

PlotCurve logarithm(const std::string& label, const Series& s) {
  PlotCurve out{label, {}, {}};
  for (size_t i = 0; i < s.t.size(); ++i) {
    if (!(s.x[0][i] > 0)) continue;
    out.x.push_back(s.t[i]);
    out.y.push_back(std::log10(s.x[0][i]));
  }
  return out;
}

void double_action(Case& one) {
  one.chosen(
      "head: box 0.6 x 0.5 x 0.5 m, 1000 kg/m^3, on a spherical joint at its centre; wall 20 mm, 8 x 6 elements; "
      "no gravity");
  one.chosen(
      "20 N m (cos(pi t/2) - cos(pi t)) about z on the head, 5 N m of it about y at three quarters of the trunk");
  one.chosen(
      "relations as joint; Adams of order 3 at most, rtol 1e-6, atol 1e-8 m; fuzzy control with omega 12 1/s, "
      "zeta 0.7, phi_max 1e-3");
  for (const char* key : {"analysis.move.integrator", "joint.face", "load"}) one.varies(key);
  const SceneRun run = one.run("double-action", {adams(tight, fuzzy)}, "");
  const SceneRun baumgarte = one.run("double-action", {adams(tight, paper_baumgarte)});
  const SceneRun coarse = one.run("double-action", {adams(loose, fuzzy)});
  const SceneRun whole = one.run("double-action", {adams(tight, fuzzy), "joint.face.method=eliminated"});
  Json implicit = Json::array();
  for (const char* step : {"2e-3", "1e-3"}) {
    const SceneRun other = one.run(
        "double-action", {"analysis.move.integrator=\"energy-momentum\"", fmt::format("analysis.move.step={}", step)});
    double worst = 0;
    const Series &a = run.of("tip"), &b = other.of("tip");
    for (size_t i = 0; i < a.t.size(); ++i) {
      const Vec3 there{b.at(a.t[i], 0), b.at(a.t[i], 1), b.at(a.t[i], 2)};
      worst = std::max(worst, norm(vector_at(a, i) - there));
    }
    implicit.push_back(worst);
  }
  const double published[] = {1e-7, 1e-8, 1e-16, 1e-7}, limit[] = {1e-7, 1e-8, 1e-8, 1e-7};
  const char* const identity =
      "1e-16 is an identity's: an angle compared with itself, where here it is held at its start";
  const Json by_family = largest_by_family(run);
  for (int k = 0; k < 4; ++k)
    one.quantity(families[k], by_family[k],
                 {paper_at_most(published[k]).because(k == 2 ? identity : ""), closed_form(0.0, limit[k])});
  one.quantity("baumgarte", largest_by_family(baumgarte));
  one.quantity("loose", largest_by_family(coarse), {paper_at_most({1e-7, 1e-8, 1e-16, 1e-7}).because(identity)});
  one.quantity("momentum_error", momentum_error(run, impulse), {closed_form(0.0, 1e-6)});
  one.quantity("energy_error", Json{work_error(run), work_error(baumgarte)}, {closed_form({0, 0}, 1e-6)});
  one.quantity("energy_error_loose", work_error(coarse));
  one.quantity("implicit_difference", implicit, {finer_mesh({0, 0}, 1e-5)});
  one.quantity("weld_difference", largest_distance(run.of("tip"), whole.of("tip")));
  one.finding(
      fmt::format("With error control of 1e-6 the violations stay below {:.0e}. At the default tolerances of MATLAB's "
                  "ode113 they are {:.0e} (rigidity), {:.0e} (distance), {:.0e} (angle) and {:.0e} "
                  "(orthogonality), but errors at the bound of stability then put in energy, {:.0e} of the work. "
                  "The published 1e-16 of the angles is that of an identity: an angle compared with itself. "
                  "Neither stabilisation takes energy: {:.0e} of the work is missing with fuzzy control, {:.0e} "
                  "with Baumgarte's. The energy-momentum method moves the tip by {:.2g} mm otherwise at 2 ms and "
                  "{:.2g} mm at 1 ms.",
                  std::max_element(by_family.begin(), by_family.end())->get<double>(),
                  largest(coarse.of("rigidity"), 0), largest(coarse.of("distance"), 0), largest(coarse.of("angle"), 0),
                  largest(coarse.of("orthogonality"), 0), work_error(coarse), work_error(run), work_error(baumgarte),
                  1e3 * implicit[0].get<double>(), 1e3 * implicit[1].get<double>()));
  for (const char* family : families)
    one.plot(family, {.title = fmt::format("Violation of the constraints: {}", family),
                      .x_label = "time [s]",
                      .y_label = "log10 of the largest violation",
                      .curves = {logarithm("fuzzy", run.of(family)), logarithm("Baumgarte", baumgarte.of(family)),
                                 logarithm("fuzzy, rtol 1e-3", coarse.of(family))}});
  Plot tip{.title = "Tip of the trunk", .x_label = "time [s]", .y_label = "position [m]", .curves = {}};
  const char* const axes[] = {"x", "y", "z"};
  for (int k = 1; k < 3; ++k) {
    tip.curves.push_back(curve(fmt::format("{}, relations", axes[k]), run.of("tip"), k));
    tip.curves.push_back(curve(fmt::format("{}, eliminated weld", axes[k]), whole.of("tip"), k));
    tip.curves.back().style = PlotCurve::Style::dashed;
  }
  one.plot("tip", tip);
}

struct Method {
  const char* name;
  std::vector<std::string> set;
};

const std::vector<Method>& methods() {
  static const std::vector<Method> all{
      {"Baumgarte, alpha 5, beta 12", {adams(middle, paper_baumgarte)}},
      {"Baumgarte, omega 12, zeta 0.7", {adams(middle, equal_baumgarte)}},
      {"fuzzy, omega 12, zeta 0.7", {adams(middle, fuzzy)}},
      {"projection", {adams(middle, projection)}},
      {"eliminated weld, projection", {adams(middle, projection), "joint.face.method=eliminated"}},
      {"generalized-alpha, 5 ms", {"analysis.move.integrator=\"generalized-alpha\""}},
      {"energy-momentum, 5 ms", {"analysis.move.integrator=\"energy-momentum\""}}};
  return all;
}

/// Root mean square of the samples of [from, to].
double rms_of(const Series& s, double from = 0, double to = 1e300) {
  std::vector<double> x;
  for (size_t i = 0; i < s.t.size(); ++i)
    if (s.t[i] >= from && s.t[i] <= to) x.push_back(s.x[0][i]);
  return root_mean_square(x);
}

SceneRun long_double_action(Case& one, const std::vector<std::string>& method) {
  std::vector<std::string> set{"plate.trunk.elements=[4, 4]", "analysis.move.end=60", "output.interval=0.1",
                               "output.sensor_interval=0.05"};
  set.insert(set.end(), method.begin(), method.end());
  return one.run("double-action", set);
}

void long_run(Case& one) {
  one.chosen(
      "double-action for 60 s on 4 x 4 elements, the coarsest that bends: explicit steps are bound by stability");
  one.chosen(
      "Adams of order 3 at most, which takes the longest stable steps, rtol 1e-4 and atol 1e-6 m; implicit "
      "methods with 5 ms");
  for (const char* key : {"analysis.move.integrator", "joint.face", "load"}) one.varies(key);
  std::map<std::string, Json> by_family;
  Json evaluations = Json::array(), time = Json::array(), energy = Json::array(), momentum = Json::array(),
       growth = Json::array();
  std::vector<SceneRun> runs;
  for (const Method& method : methods()) {
    const std::clock_t begun = std::clock();
    runs.push_back(long_double_action(one, method.set));
    const double seconds = static_cast<double>(std::clock() - begun) / CLOCKS_PER_SEC;
    const SceneRun& run = runs.back();
    for (const char* family : families) by_family[family].push_back(largest(run.of(family), 0));
    evaluations.push_back(run.summary.factorizations);
    time.push_back(seconds);
    energy.push_back(work_error(run));
    momentum.push_back(momentum_error(run, impulse));
    const double end = run.of("tip").t.back();
    growth.push_back(rms_of(run.of("rigidity"), end / 2) / rms_of(run.of("rigidity"), 0, end / 2));
  }
  Json rms[3] = {Json::array(), Json::array(), Json::array()};
  for (size_t k = 0; k < 3; ++k) {
    const char* const control[] = {paper_baumgarte, equal_baumgarte, fuzzy};
    rms[k].push_back(rms_of(runs[k].of("rigidity")));
    for (const char* near : {"max_order=3, rtol=0.95e-4, atol=1e-6", "max_order=3, rtol=1.05e-4, atol=1e-6"})
      rms[k].push_back(rms_of(long_double_action(one, {adams(near, control[k])}).of("rigidity")));
  }
  Json near_rms = Json::array();
  for (const char* limit : {"1e-9", "1e-10"})
    near_rms.push_back(rms_of(
        long_double_action(one, {adams(middle, (std::string(fuzzy) + ", phi_max=" + limit).c_str())}).of("rigidity")));
  for (const char* family : families) one.quantity(family, by_family[family]);
  one.quantity("weld_gap", weld_gap(runs[4]), {closed_form(0.0, 1e-12)});
  one.quantity("evaluations", evaluations);
  one.quantity("time", time);
  one.quantity("energy_error", energy);
  one.quantity("momentum_error", momentum);
  one.quantity("growth", growth);
  one.quantity("rms_published_baumgarte", rms[0]);
  one.quantity("rms_equal_baumgarte", rms[1]);
  one.quantity("rms_fuzzy", rms[2]);
  one.quantity("rms_fuzzy_near", near_rms);
  const double weak =
      rms_of(long_double_action(one, {adams(middle, "type=\"baumgarte\", omega=3, zeta=0.7")}).of("rigidity"));
  one.quantity("rms_weak_baumgarte", weak);
  const double best_fuzzy = std::min(near_rms[0].get<double>(), near_rms[1].get<double>());
  one.quantity("best_over_best", best_fuzzy / weak,
               {paper_at_most(1).because("as near as the scatter: a tolerance 5 % larger or smaller makes a half")});
  const auto range = [](const Json& x) {
    return fmt::format("{:.1e} to {:.1e}", std::min_element(x.begin(), x.end())->get<double>(),
                       std::max_element(x.begin(), x.end())->get<double>());
  };
  one.finding(
      fmt::format("At equal cost, {:.0f} thousand evaluations, the rigidity's violation has root mean squares of {} "
                  "with Baumgarte's method as published, {} with the gains of the fuzzy control, and {} with "
                  "fuzzy control, at tolerances of 1e-4 and 5 % less and more.",
                  1e-3 * evaluations[2].get<double>(), range(rms[0]), range(rms[1]), range(rms[2])));
  const bool apart = *std::max_element(rms[2].begin(), rms[2].end()) < *std::min_element(rms[1].begin(), rms[1].end());
  one.finding(apart ? "Fuzzy control leaves less than Baumgarte's method with the same gains."
                    : "The ranges overlap: that fuzzy control beats Baumgarte's method in long runs is not confirmed.");
  one.finding(fmt::format(
      "Near zero the two are one method, and violations are a millionth of phi_max = 1e-3. With 1e-9 and "
      "1e-10, near them, fuzzy control leaves {:.1e} and {:.1e}; so does Baumgarte's method with omega 3 in "
      "place of 12, {:.1e}: a weaker control leaves less here, of either kind. None grows over the minute. Projection "
      "leaves {:.0e}, and the eliminated weld has "
      "nothing that could drift "
      "({:.0e} m), in {:.0f} % of the time; 5 ms of the energy-momentum method leave {:.0e} in "
      "{:.0f} %.",
      near_rms[0].get<double>(), near_rms[1].get<double>(), weak, by_family["orthogonality"][3].get<double>(),
      weld_gap(runs[4]), 100 * time[4].get<double>() / time[2].get<double>(),
      by_family["orthogonality"][6].get<double>(), 100 * time[6].get<double>() / time[2].get<double>()));
  for (const char* family : families) {
    Plot plot{.title = fmt::format("Violation over a minute: {}", family),
              .x_label = "time [s]",
              .y_label = "log10 of the largest violation",
              .curves = {}};
    for (size_t k = 0; k < runs.size(); ++k)
      if (k != 4) plot.curves.push_back(logarithm(methods()[k].name, runs[k].of(family)));
    one.plot(family, plot);
  }
}

}  // namespace

CaseDefinition double_action_case() {
  return {
      {"ghoneimy2025",
       "double-action",
       "moments on trunk and head: violations by family of constraints (figures 22 to 26)",
       {{"rigidity", "1", "largest violation, equation (7)"},
        {"distance", "m", "equation (44)"},
        {"angle", "m", "equation (45), as arm times cosine"},
        {"orthogonality", "1", "equation (47)"},
        {"baumgarte", "1", "the four with Baumgarte's alpha 5, beta 12"},
        {"loose", "1", "the four with fuzzy control, orders up to 12, rtol 1e-3, atol 1e-6"},
        {"momentum_error", "N m s", "angular momentum about the joint less the impulse of what acts"},
        {"energy_error", "1", "work less energy, over the work: fuzzy, Baumgarte"},
        {"energy_error_loose", "1", "the same with orders up to 12, rtol 1e-3, atol 1e-6"},
        {"implicit_difference", "m", "largest distance of the tip from that by the energy-momentum method, 2 and 1 ms"},
        {"weld_difference", "m", "largest distance of the tip from that with the eliminated weld"}}},
      double_action};
}

CaseDefinition long_run_case() {
  return {{"ghoneimy2025",
           "long-run",
           "a minute of double-action: drift and cost of each way to keep constraints",
           {{"rigidity", "1",
             "largest violation with: Baumgarte alpha 5 beta 12, Baumgarte omega 12 zeta 0.7, fuzzy omega 12 "
             "zeta 0.7, projection, eliminated weld, generalized-alpha, energy-momentum"},
            {"distance", "m", "the same"},
            {"angle", "m", "the same"},
            {"orthogonality", "1", "the same"},
            {"weld_gap", "m", "largest distance of a ring's node from where the head carries it, eliminated weld"},
            {"evaluations", "1", "of accelerations; factorisations of implicit methods"},
            {"time", "s", "of the processor"},
            {"energy_error", "1", "work less energy, over the work"},
            {"momentum_error", "N m s", "angular momentum about the joint less the impulse of what acts"},
            {"growth", "1", "of the rigidity's violation: root mean square of the second half over the first"},
            {"rms_published_baumgarte", "1",
             "root mean square of the rigidity's violation, alpha 5 beta 12, rtol 1e-4, 0.95e-4, 1.05e-4"},
            {"rms_equal_baumgarte", "1", "the same with omega 12 zeta 0.7"},
            {"rms_fuzzy", "1", "the same with fuzzy control, phi_max 1e-3"},
            {"rms_fuzzy_near", "1", "the same at rtol 1e-4 with phi_max 1e-9 and 1e-10, near the violations"},
            {"rms_weak_baumgarte", "1", "the same at rtol 1e-4 with Baumgarte's method, omega 3, zeta 0.7"},
            {"best_over_best", "1", "least of rms_fuzzy_near over rms_weak_baumgarte; the paper claims less than 1"}}},
          long_run};
}

}  // namespace flexura::detail

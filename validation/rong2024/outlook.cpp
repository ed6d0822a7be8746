// Rong and Gu 2024, what the paper leaves to further work: damping c₁M + c₂K (section 4.4), segments in series,
// a bending stiffness that varies, bursting (section 5).

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "validation/rong2024/cases.hpp"

namespace flexura::detail {
namespace {

constexpr double L = 0.175, EI = 0.0186, rhoA = 0.12;                  // as the scenes have it
constexpr double arm_area = std::numbers::pi * 0.006 * 0.006 * 0.009;  ///< M = arm_area P [m³]
constexpr double outer_fibre = 0.018;                                  ///< t + R₁, of the wall from the middle [m]

/// Tip of segments bent to circles in turn to either side, hanging: each turns by ±M L/EI.
std::pair<double, double> circles(double pressure) {
  const double kappa = arm_area * pressure / EI;
  double x = 0, y = 0, angle = 0;
  for (const double k : {kappa, -kappa, kappa}) {
    x += (std::cos(angle) - std::cos(angle + k * L)) / k;
    y -= (std::sin(angle + k * L) - std::sin(angle)) / k;
    angle += k * L;
  }
  return {x, y};
}

void series(Case& one) {
  chosen_parameters(one);
  one.chosen(
      "three actuators of 175 mm end to end, 4 elements each; chambers in turn on either side, 20 kPa (1 - cos), "
      "0.7 Hz, a third of a period apart");
  for (const char* key : {"gravity", "signal", "load", "analysis", "cable.chain"}) one.varies(key);
  std::vector<std::string> still{"gravity=[0,0]", R"(analysis=[{name="hang",type="static"}])"}, exact;
  for (int k = 1; k <= 3; ++k) {
    still.push_back(fmt::format(R"(signal.pressure_{}={{type="constant",value=60e3}})", k));
    exact.push_back(fmt::format("load.chamber_{}.form=exact", k));
  }
  const auto tip_of = [](const SceneRun& run) {
    const Series& tip = run.of("hang", "tip");
    return Json{tip.last(0), tip.last(1)};
  };
  const auto [x, y] = circles(60e3);
  const Json of_paper = tip_of(one.run("series", still));
  still.insert(still.end(), exact.begin(), exact.end());
  still.emplace_back("section.wall.curvature=material");
  one.quantity("tip_60_kPa", tip_of(one.run("series", still)), {closed_form({x, y}, 1e-6)});
  one.quantity("tip_60_kPa_simplified", of_paper, {closed_form({x, y}, 1e-4)});
  const SceneRun run = one.run("series", {}, "");
  const SceneRun fine = one.run("series", {"cable.chain.elements=36", "analysis.drive.step=0.0002"});
  const SceneRun other = one.run("series", exact);
  Json range = Json::array();
  Plot plot{.title = "Ends of three segments", .x_label = "t [s]", .y_label = "x [mm]", .curves = {}};
  for (const char* end : {"end_1", "end_2", "tip"}) {
    range.push_back(peak_to_peak(run.of(end).x[0]));
    plot.curves.push_back({end, run.of(end).t, in_millimetres(run.of(end).x[0])});
  }
  one.quantity("peak_to_peak", range);
  one.quantity("discretisation_rms", distance_rms(run.of("tip"), fine.of("tip")), {finer_mesh(0, 0.2e-3)});
  one.quantity("equation_17_rms", distance_rms(run.of("tip"), other.of("tip")));
  one.quantity("real_time_factor", run.summary.simulated / run.summary.integration_time);
  one.plot("ends", plot);
  one.finding(fmt::format(
      "Three segments are one cable with a pair of moments for each chamber. Without weight each is a circle: with the "
      "exact laws the tip is where circles end, with the paper's simplified curvature and moment {:.2f} mm away. Under "
      "weight the tip swings by {:.1f} mm; 12 elements a segment at 0.2 ms move it by {:.4f} mm.",
      1e3 * std::hypot(of_paper[0].get<double>() - x, of_paper[1].get<double>() - y), 1e3 * range[2].get<double>(),
      1e3 * distance_rms(run.of("tip"), fine.of("tip"))));
}

/// Rate and frequency of a free swing: by the logarithms and times of the peaks on either side.
struct Swing {
  double decay, omega;  ///< [1/s]
};

Swing swing_of(const Series& tip) {
  std::vector<double> down(tip.x[1]);
  for (double& y : down) y = -y;
  std::vector<double> t, height;
  for (const size_t i : positive_peaks(down)) {
    if (i == 0 || i + 1 >= down.size()) continue;
    // The parabola through a peak and its neighbours.
    const double a = down[i - 1], b = down[i], c = down[i + 1], bend = a - 2 * b + c;
    t.push_back(tip.t[i] + 0.5 * (a - c) / bend * (tip.t[i + 1] - tip.t[i]));
    height.push_back(b - 0.125 * (a - c) * (a - c) / bend);
  }
  if (t.size() < 8) throw CaseFailure("the tip does not swing");
  const size_t first = 3, last = t.size() - 1;  // higher modes are gone by then
  const double span = t[last] - t[first];
  return {std::log(height[first] / height[last]) / span,
          2 * std::numbers::pi * static_cast<double>(last - first) / span};
}

void rayleigh(Case& one) {
  chosen_parameters(one);
  one.chosen(
      "c2 = 0.25, 0.5 and 1 ms beside c1 = 2.4 1/s: (c1 M + c2 K) q' as written, and as retardation of bending and "
      "stretch");
  one.chosen(
      "small free swing: no weight, 1 g at the tip of the straight actuator let go; Newmark, 0.5 ms, 16 elements");
  one.chosen("large one: 100 g let go under the weight of the actuator, c2 = 1 ms, 4 elements, 1 ms");
  for (const char* key : {"gravity", "parameters", "cable", "analysis", "section.wall"}) one.varies(key);
  const std::vector<double> times{0.25e-3, 0.5e-3, 1e-3};
  const double omega = 1.8751041 * 1.8751041 / (L * L) * std::sqrt(EI / rhoA);
  const auto as_written = [](double c2) {
    return std::vector<std::string>{setting("section.wall.stiffness_damping", c2)};
  };
  const auto retarded = [](double c2) {
    return std::vector<std::string>{setting("section.wall.damping_bend", c2),
                                    setting("section.wall.damping_stretch", c2)};
  };
  const auto small = [&](const std::vector<std::string>& damping) {
    std::vector<std::string> set{"gravity=[0,0]",
                                 "parameters.payload=1e-3",
                                 "cable.actuator.elements=16",
                                 "analysis.swing.step=0.0005",
                                 "analysis.swing.end=1.5",
                                 "output.sensor_interval=0.0005",
                                 R"(analysis.swing.integrator="newmark")"};
    set.insert(set.end(), damping.begin(), damping.end());
    return one.run("release", set).of("tip");
  };
  std::vector<double> decay, decay_retarded, closed, frequency, closed_frequency;
  Plot plot{.title = "Free swing, damping as written", .x_label = "t [s]", .y_label = "y [mm]", .curves = {}};
  for (const double c2 : times) {
    const Series tip = small(as_written(c2));
    const Swing swing = swing_of(tip);
    decay.push_back(swing.decay);
    frequency.push_back(swing.omega);
    decay_retarded.push_back(swing_of(small(retarded(c2))).decay);
    closed.push_back(0.5 * (2.4 + c2 * omega * omega));
    closed_frequency.push_back(std::sqrt(omega * omega - closed.back() * closed.back()));
    plot.curves.push_back({fmt::format("c2 = {:g} ms", 1e3 * c2), tip.t, in_millimetres(tip.x[1])});
  }
  one.quantity("decay_rate", decay, {closed_form(closed, 0, 0.005)});
  one.quantity("decay_rate_retarded", decay_retarded, {closed_form(closed, 0, 0.005)});
  one.quantity("frequency", frequency, {closed_form(closed_frequency, 0, 0.001)});
  one.plot("tip", plot);
  const Series large = one.run("release", as_written(1e-3), "").of("tip"),
               large_retarded = one.run("release", retarded(1e-3)).of("tip");
  const double apart = distance_rms(large, large_retarded);
  one.quantity("large_swing_apart", apart);
  one.plot(
      "large",
      {.title = "100 g let go, c2 = 1 ms",
       .x_label = "t [s]",
       .y_label = "y [mm]",
       .curves = {{"as written", large.t, in_millimetres(large.x[1])},
                  {"retardation", large_retarded.t, in_millimetres(large_retarded.x[1]), PlotCurve::Style::dashed}}});
  one.finding(fmt::format(
      "A small swing decays with (c1 + c2 omega^2)/2: {:.3f}, {:.3f} and {:.3f} 1/s for c2 = 0.25, 0.5 and 1 ms, "
      "whether "
      "K is that of section 4.4 or c2 the retardation time of bending and stretch. In a large swing the two are {:.2f} "
      "mm "
      "RMS apart: the product with the whole tangent stiffness also brakes a bent actuator that turns as a rigid body, "
      "where no strain changes.",
      decay[0], decay[1], decay[2], 1e3 * apart));
}

/// κ of EI κ (1 + b κ²) = M.
double stiffened_curvature(double moment, double b) {
  return bisect(0, moment / EI, 1e-13, [&](double k) { return EI * k * (1 + b * k * k) - moment; });
}

void stiffening(Case& one) {
  chosen_parameters(one);
  one.chosen("EI (1 + b k^2) with b = 0.02 m^2: a fifth more at 60 kPa; the paper gives no law");
  for (const char* key : {"gravity", "signal", "load", "analysis", "cable", "section.wall"}) one.varies(key);
  const double b = 0.02;
  const std::string stiffer = setting("section.wall.bend_stiffening", b);
  Json tips = Json::array(), closed = Json::array();
  std::vector<double> kilopascals, bent, constant;
  for (const double p : {20e3, 40e3, 60e3}) {
    const SceneRun run =
        one.run("sine", {"gravity=[0,0]", R"(analysis=[{name="hang",type="static"}])",
                         fmt::format(R"(signal.pressure={{type="constant",value={}}})", p), "load.chamber.form=exact",
                         "section.wall.curvature=material", "cable.actuator.elements=16", stiffer});
    const Series& tip = run.of("hang", "tip");
    tips.push_back({tip.last(0), tip.last(1)});
    const double k = stiffened_curvature(arm_area * p, b), plain = arm_area * p / EI;
    closed.push_back({(1 - std::cos(k * L)) / k, -std::sin(k * L) / k});
    kilopascals.push_back(1e-3 * p);
    bent.push_back(1e3 * tip.last(0));
    constant.push_back(1e3 * (1 - std::cos(plain * L)) / plain);
  }
  one.quantity("tip", tips, {closed_form(closed, 1e-7)});
  const double plain = peak_to_peak(one.run("chirp").of("tip").x[0]),
               stiff = peak_to_peak(one.run("chirp", {stiffer}, "").of("tip").x[0]);
  one.quantity("chirp_peak_to_peak", {plain, stiff});
  one.plot("tip", {.title = "Tip without weight",
                   .x_label = "pressure [kPa]",
                   .y_label = "x [mm]",
                   .curves = {{"EI grows with the curvature", kilopascals, bent, PlotCurve::Style::line_and_markers},
                              {"EI constant", kilopascals, constant, PlotCurve::Style::dashed}}});
  one.finding(
      fmt::format("A bending stiffness that grows by 2 % per (1/m)^2 bends the actuator to the circle that EI k (1 + b "
                  "k^2) = M says, "
                  "and takes {:.2f} of {:.2f} mm from the range of the tip under the chirp.",
                  1e3 * (plain - stiff), 1e3 * plain));
}

void bursting(Case& one) {
  chosen_parameters(one);
  one.chosen("wall strain: curvature times t + R1 = 18 mm, the outer side of the chamber's wall from the middle layer");
  one.chosen("limit: 100 %, a tenth to a seventh of what silicones stretch before they break; the paper names none");
  const SceneRun run = one.run("chirp");
  double curvature = 0, pressure = 0;
  for (const char* sensor : {"curvature", "curvature_middle"})
    for (const double k : run.of(sensor).x[0]) curvature = std::max(curvature, std::fabs(k));
  for (const double p : run.of("pressure").x[0]) pressure = std::max(pressure, std::fabs(p));
  const double limit = 1.0, strain = curvature * outer_fibre;
  const double still = arm_area * pressure / EI * outer_fibre;
  one.quantity("wall_strain", strain, {closed_form(still, 0, 0.02)});
  one.quantity("margin", limit / strain);
  one.quantity("bursting_pressure", limit * EI / (arm_area * outer_fibre));
  one.finding(
      fmt::format("Under the chirp of {:.0f} kPa at most the outer wall is stretched by {:.2f} %, {:.2f} % by M/EI at "
                  "rest: a margin "
                  "of {:.0f} against {:.0f} %. At rest the limit is reached at {:.2f} MPa, if EI stays what it is. "
                  "What fails first "
                  "in a fibre-reinforced wall, between fibres or at a seam, is not in the model.",
                  1e-3 * pressure, 100 * strain, 100 * still, limit / strain, 100 * limit,
                  1e-6 * limit * EI / (arm_area * outer_fibre)));
}

}  // namespace

std::vector<CaseDefinition> rong2024_outlook_cases() {
  return {{{"rong2024",
            "series",
            "three segments in series (section 5)",
            {{"tip_60_kPa", "m", "x, y without weight, exact laws; closed form: circles"},
             {"tip_60_kPa_simplified", "m", "the same with the paper's curvature and moment"},
             {"peak_to_peak", "m", "of x of the three ends, under weight"},
             {"discretisation_rms", "m", "distance of the tips with 4 elements a segment at 1 ms and 12 at 0.2 ms"},
             {"equation_17_rms", "m", "distance of the tips with equations (18) and (17)"},
             {"real_time_factor", "1", "simulated time over wall time"}}},
           series},
          {{"rong2024",
            "rayleigh",
            "damping c1 M + c2 K (section 4.4)",
            {{"decay_rate", "1/s",
              "of a small swing, as written, c2 = 0.25, 0.5 and 1 ms; closed form: (c1 + c2 omega^2)/2"},
             {"decay_rate_retarded", "1/s", "with retardation in place of it"},
             {"frequency", "1/s", "omega of the first"},
             {"large_swing_apart", "m", "distance (RMS) of the tips with both after 100 g were let go, c2 = 1 ms"}}},
           rayleigh},
          {{"rong2024",
            "stiffening",
            "a bending stiffness that grows with the curvature (section 5)",
            {{"tip", "m", "x, y at 20, 40, 60 kPa, without weight; closed form: a circle of EI k (1 + b k^2) = M"},
             {"chirp_peak_to_peak", "m", "of the tip's x under the chirp: EI constant, EI growing"}}},
           stiffening},
          {{"rong2024",
            "bursting",
            "strain of the wall against a limit (section 5)",
            {{"wall_strain", "1", "greatest under the chirp; closed form: M/EI (t + R1) at rest"},
             {"margin", "1", "limit over strain"},
             {"bursting_pressure", "Pa", "at which the wall reaches the limit at rest"}}},
           bursting}};
}

}  // namespace flexura::detail

// Ghoneimy et al. 2025, an elephant's head and trunk: the head under moments, and what head and trunk do to each other.

#include "validation/ghoneimy2025/head.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <numbers>

#include "flexura/mesh/surface_mesh.hpp"

namespace flexura::detail {
namespace {

/// Principal moments of inertia of the head, a box of 0.6 × 0.5 × 0.5 m and 150 kg [kg m²].
constexpr Vec3 inertia{150.0 / 12 * (0.25 + 0.25), 150.0 / 12 * (0.36 + 0.25), 150.0 / 12 * (0.36 + 0.25)};

/// ∫∫ of a ramp that reaches 1 at 1 s and stays: the angle of a body with M/J = 1.
double ramp_twice(double t) { return t < 1 ? t * t * t / 6 : 1.0 / 6 + (t - 1) / 2 + (t - 1) * (t - 1) / 2; }
double ramp_once(double t) { return t < 1 ? t * t / 2 : t - 0.5; }

void rigid_head_moments(Case& one) {
  one.chosen("head: box 0.6 x 0.5 x 0.5 m, 1000 kg/m^3; 40 N m, reached in 1 s; Adams, fuzzy control of the drift");
  one.varies("body.head");
  one.varies("parameters");
  const char* const axes[] = {"x", "y", "z"};
  std::vector<double> angle, error, aside, rigidity;
  Plot plot{.title = "Head under 40 N m", .x_label = "time [s]", .y_label = "angle [rad]", .curves = {}};
  for (int k = 0; k < 3; ++k) {
    std::vector<std::string> set;
    for (int i = 0; i < 3; ++i) set.push_back(fmt::format("parameters.{}={}", axes[i], i == k ? 40 : 0));
    const SceneRun run = one.run("rigid-head-moments", set, axes[k]);
    const Series& head = run.of("head");
    PlotCurve turned{fmt::format("about {}", axes[k]), head.t, {}}, exact{"", head.t, {}, PlotCurve::Style::dashed};
    double worst = 0, off = 0;
    for (size_t i = 0; i < head.t.size(); ++i) {
      const double closed = 40 / inertia[k] * ramp_twice(head.t[i]);
      const double half = std::atan2(head.x[3 + k][i], head.x[6][i]);
      const double turns = std::round((closed / 2 - half) / std::numbers::pi);  // a quaternion and its negative are one
      turned.y.push_back(2 * (half + turns * std::numbers::pi));
      exact.y.push_back(closed);
      worst = std::max(worst, std::fabs(turned.y.back() - closed));
      for (int j = 0; j < 3; ++j)
        if (j != k) off = std::max(off, std::fabs(2 * head.x[3 + j][i]));
    }
    angle.push_back(turned.y.back());
    error.push_back(worst);
    aside.push_back(off);
    rigidity.push_back(largest(run.of("rigidity"), 0));
    plot.curves.push_back(turned);
    if (k == 2) exact.label = "closed form";
    plot.curves.push_back(exact);
  }
  const SceneRun skew =
      one.run("rigid-head-moments", {"parameters.x=40", "parameters.y=40", "parameters.z=40"}, "skew");
  one.quantity(
      "angle", angle,
      {closed_form({40 / inertia[0] * ramp_twice(2), 40 / inertia[1] * ramp_twice(2), 40 / inertia[2] * ramp_twice(2)},
                   1e-7)});
  one.quantity("angle_error", error, {closed_form({0, 0, 0}, 1e-7)});
  one.quantity("angle_aside", aside, {closed_form({0, 0, 0}, 1e-10)});
  one.quantity("skew_momentum_error", momentum_error(skew, [](double t) { return 40 * ramp_once(t) * Vec3{1, 1, 1}; }),
               {closed_form(0.0, 1e-7)});
  rigidity.push_back(largest(skew.of("rigidity"), 0));
  one.quantity("rigidity", rigidity, {closed_form({0, 0, 0, 0}, 1e-7)});
  one.finding(
      fmt::format("Under 40 N m the head turns {:.4f}, {:.4f} and {:.4f} rad in 2 s, as M/J twice integrated over "
                  "time says, within {:.0e} rad.",
                  angle[0], angle[1], angle[2], *std::max_element(error.begin(), error.end())));
  one.plot("angle", plot);
}

/// One way to fasten the trunk.
struct Interface {
  const char* name;
  std::vector<std::string> set;
};

const std::vector<Interface>& interfaces() {
  static const std::vector<Interface> all{
      {"eliminated", {"joint.face.method=eliminated"}},
      {"relations", {"joint.face.method=relations"}},
      {"compliant", {"joint.face.method=compliant", "joint.face.stiffness=1e5", "joint.face.damping=100"}}};
  return all;
}

/// Largest difference of J dω/dt + ω × J ω from torque − moment and force of the trunk, about the head's centre [N m].
double head_balance(const SceneRun& run, const std::function<Vec3(double)>& torque) {
  const Series &head = run.of("head"), &spin = run.of("spin"), &rate = run.of("spin_rate"), &face = run.of("face"),
               &force = run.of("force"), &moment = run.of("moment");
  double worst = 0;
  for (size_t i = 0; i < head.t.size(); ++i) {
    const Rotation R = rotation_at(head, i);
    const Vec3 w = vector_at(spin, i);
    const auto J = [&](const Vec3& x) {
      Vec3 body = R.back(x);
      for (int k = 0; k < 3; ++k) body[k] *= inertia[k];
      return R(body);
    };
    const Vec3 on_head = torque(head.t[i]) - vector_at(moment, i) - cross(vector_at(face, i), vector_at(force, i));
    worst = std::max(worst, norm(J(vector_at(rate, i)) + cross(w, J(w)) - on_head));
  }
  return worst;
}

/// What acts from outside on head and trunk.
struct Action {
  const char* scene;
  std::function<Vec3(double)> on_head;  ///< [N m]
  std::function<Vec3(double)> impulse;  ///< of all moments since the start [N m s]
  int axis;                             ///< of the motion
};

void interaction(Case& one, const Action& action) {
  one.chosen(
      "head: box 0.6 x 0.5 x 0.5 m, 1000 kg/m^3, on a spherical joint at its centre; wall 20 mm, 8 x 8 elements; "
      "Adams, fuzzy control of the drift");
  one.chosen("compliant weld: 1e5 N/m and 100 N s/m, the gradients' springs with the square of the wall's thickness");
  for (const char* key : {"body.head", "joint.face", "load"}) one.varies(key);
  Json momentum = Json::array(), balance = Json::array(), gap = Json::array(), angle = Json::array(),
       tip = Json::array(), force = Json::array(), moment = Json::array(), coordinates = Json::array(),
       multipliers = Json::array(), time = Json::array(), evaluations = Json::array(), energy = Json::array();
  Plot turn{.title = "Head", .x_label = "time [s]", .y_label = "angle [rad]", .curves = {}};
  Plot pull{
      .title = "Force at the interface", .x_label = "time [s]", .y_label = "force on the trunk [N]", .curves = {}};
  Plot bend{
      .title = "Moment at the interface", .x_label = "time [s]", .y_label = "moment on the trunk [N m]", .curves = {}};
  std::vector<SceneRun> runs;
  for (const Interface& joint : interfaces()) {
    const std::clock_t begun = std::clock();
    const SceneRun run = one.run(action.scene, joint.set, joint.name);
    const double seconds = static_cast<double>(std::clock() - begun) / CLOCKS_PER_SEC;
    momentum.push_back(momentum_error(run, action.impulse));
    balance.push_back(head_balance(run, action.on_head));
    gap.push_back(weld_gap(run));
    PlotCurve turned{joint.name, run.of("head").t, {}};
    for (size_t i = 0; i < turned.x.size(); ++i)
      turned.y.push_back(2 * std::atan2(run.of("head").x[3 + action.axis][i], run.of("head").x[6][i]));
    angle.push_back(turned.y.back());
    turn.curves.push_back(turned);
    pull.curves.push_back({joint.name, run.of("force").t, norms(run.of("force"))});
    bend.curves.push_back(curve(joint.name, run.of("moment"), action.axis));
    runs.push_back(run);
    tip.push_back(largest_distance(run.of("tip"), runs.front().of("tip")));
    const std::vector<double> forces = norms(run.of("force")), moments = norms(run.of("moment"));
    force.push_back(*std::max_element(forces.begin(), forces.end()));
    moment.push_back(*std::max_element(moments.begin(), moments.end()));
    coordinates.push_back(run.summary.coordinates);
    multipliers.push_back(run.summary.multipliers);
    evaluations.push_back(run.summary.factorizations);
    time.push_back(seconds);
    energy.push_back(run.summary.numerical / run.summary.work);
  }
  const Json zeros{0, 0, 0};
  one.quantity("momentum_error", momentum, {closed_form(zeros, 1e-6)});
  one.quantity("head_balance", balance, {closed_form(zeros, 1e-6)});
  one.quantity("energy_error", energy, {closed_form(zeros, 1e-8)});
  one.quantity("gap_rigid", Json{gap[0], gap[1]}, {closed_form({0, 0}, 1e-12)});
  one.quantity("gap_compliant", gap[2]);
  one.quantity("head_angle", angle);
  one.quantity("tip_difference", tip);
  one.quantity("largest_force", force);
  one.quantity("largest_moment", moment);
  one.quantity("coordinates", coordinates);
  one.quantity("multipliers", multipliers);
  one.quantity("evaluations", evaluations);
  one.quantity("time", time);
  one.finding(fmt::format(
      "Each way to fasten the trunk keeps the balance of angular momentum, and the head moves as torque and "
      "interface say, within {:.0e} N m. The relations leave four of nine numbers of each node free: the tip "
      "moves by up to {:.1f} mm otherwise than with the whole weld, with the compliant weld by {:.0f} mm, which "
      "gives way by {:.2f} mm. Relations cost {:.1f} and springs {:.1f} times the eliminated weld.",
      std::max({balance[0].get<double>(), balance[1].get<double>(), balance[2].get<double>(), 1e-12}),
      1e3 * tip[1].get<double>(), 1e3 * tip[2].get<double>(), 1e3 * gap[2].get<double>(),
      time[1].get<double>() / time[0].get<double>(), time[2].get<double>() / time[0].get<double>()));
  one.plot("head", turn);
  one.plot("force", pull);
  one.plot("moment", bend);
}

void head_torque(Case& one) {
  one.chosen("40 N m about z on the head");
  interaction(one,
              {"head-torque", [](double) { return Vec3{0, 0, 40}; }, [](double t) { return Vec3{0, 0, 40 * t}; }, 2});
}

void trunk_moment(Case& one) {
  one.chosen("10 N m about y at three quarters of the trunk, reached in 0.2 s");
  const auto impulse = [](double t) { return Vec3{0, 10 * (t < 0.2 ? t * t / 0.4 : t - 0.1), 0}; };
  interaction(one, {"trunk-moment", [](double) { return Vec3{0, 0, 0}; }, impulse, 1});
}

CaseDefinition interaction_case(const char* id, const char* shows, void (*compute)(Case&)) {
  return {{"ghoneimy2025",
           id,
           shows,
           {{"momentum_error", "N m s",
             "of all: angular momentum about the joint less the impulse of what acts; weld eliminated, "
             "relations, compliant"},
            {"head_balance", "N m", "J dw/dt + w x J w of the head less torque and the interface's moment and force"},
            {"energy_error", "1", "energy that the integration has lost, over the work done"},
            {"gap_rigid", "m",
             "largest distance of a node of the ring from where the head carries it: eliminated, relations"},
            {"gap_compliant", "m", "the same of the compliant weld"},
            {"head_angle", "rad", "at the end"},
            {"tip_difference", "m", "largest distance of the tip from that with the eliminated weld"},
            {"largest_force", "N", "at the interface"},
            {"largest_moment", "N m", "at the interface"},
            {"coordinates", "1", "of the model"},
            {"multipliers", "1", "of the model"},
            {"evaluations", "1", "of the accelerations"},
            {"time", "s", "of the processor"}}},
          compute};
}

}  // namespace

Vec3 vector_at(const Series& s, size_t i, int first) { return {s.x[first][i], s.x[first + 1][i], s.x[first + 2][i]}; }

Rotation rotation_at(const Series& frame, size_t i) { return {vector_at(frame, i, 3), frame.x[6][i]}; }

Vec3 Rotation::operator()(const Vec3& x) const {
  const Vec3 t = 2.0 * cross(v, x);
  return x + w * t + cross(v, t);
}

double largest(const Series& s, int component) {
  double worst = 0;
  for (const double x : s.x[component]) worst = std::max(worst, std::fabs(x));
  return worst;
}

std::vector<double> norms(const Series& s) {
  std::vector<double> out;
  for (size_t i = 0; i < s.t.size(); ++i) out.push_back(norm(vector_at(s, i)));
  return out;
}

double largest_distance(const Series& a, const Series& b) {
  double worst = 0;
  for (size_t i = 0; i < std::min(a.t.size(), b.t.size()); ++i)
    worst = std::max(worst, norm(vector_at(a, i) - vector_at(b, i)));
  return worst;
}

double momentum_error(const SceneRun& run, const std::function<Vec3(double)>& impulse) {
  const Series& momentum = run.of("momentum");
  double worst = 0;
  for (size_t i = 0; i < momentum.t.size(); ++i)
    worst = std::max(worst, norm(vector_at(momentum, i) - impulse(momentum.t[i])));
  return worst;
}

double work_error(const SceneRun& run) {
  const Series &kinetic = run.of("kinetic"), &strain = run.of("strain"), &work = run.of("work");
  double worst = 0;
  for (size_t i = 0; i < work.t.size(); ++i)
    worst = std::max(worst, std::fabs(work.x[0][i] - kinetic.x[0][i] - strain.x[0][i]));
  return worst / largest(work, 0);
}

double weld_gap(const SceneRun& run) {
  const Series &head = run.of("head"), &ring = run.of("ring");
  const Vec3 local = rotation_at(head, 0).back(vector_at(ring, 0) - vector_at(head, 0));
  double worst = 0;
  for (size_t i = 0; i < head.t.size(); ++i)
    worst = std::max(worst, norm(vector_at(head, i) + rotation_at(head, i)(local) - vector_at(ring, i)));
  return worst;
}

std::vector<CaseDefinition> ghoneimy2025_head_cases() {
  std::vector<CaseDefinition> cases{
      {{"ghoneimy2025",
        "rigid-head-moments",
        "a moment turns the head about each of its axes (figure 4)",
        {{"angle", "rad", "at 2 s, about x, y and z"},
         {"angle_error", "rad", "largest difference from the closed form"},
         {"angle_aside", "rad", "largest turn about the other axes"},
         {"skew_momentum_error", "N m s", "angular momentum under moments about all axes less their impulse"},
         {"rigidity", "1", "largest violation: about x, y, z, all"}}},
       rigid_head_moments},
      interaction_case("head-torque", "a torque on the head takes the trunk along (figure 19)", head_torque),
      interaction_case("trunk-moment", "a moment on the trunk takes the head along (figure 20)", trunk_moment),
      feeding_case(),
      double_action_case(),
      long_run_case()};
  return cases;
}

}  // namespace flexura::detail

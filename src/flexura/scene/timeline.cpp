#include "flexura/scene/timeline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace flexura {
namespace {

constexpr double most_steps = 1e12;   ///< weeks of computing, and time still resolves a step
constexpr double tight = 1e-12;       ///< of Newton's method where energy is to be kept
constexpr double most_records = 1e9;  ///< of states or of a sensor

void read_stabilisation(const Record& record, AnalysisSpec& spec, std::vector<Problem>& problems) {
  using Kind = AnalysisSpec::Stabilisation;
  if (record.type == "none") spec.stabilisation = Kind::none;
  if (record.type == "baumgarte") {
    spec.stabilisation = Kind::baumgarte;
    const bool frequency = record.has("omega") || record.has("zeta");
    if (frequency && (record.has("alpha") || record.has("beta")))
      problems.push_back({record.source_of("omega"),
                          record.path,
                          "takes alpha and beta, or omega and zeta (alpha = zeta omega, beta = omega), not both",
                          {}});
    const double omega = record.number("omega", 12), zeta = record.number("zeta", std::sqrt(0.5));
    spec.baumgarte = frequency ? BaumgarteOptions{zeta * omega, omega}
                               : BaumgarteOptions{record.number("alpha", 5), record.number("beta", 12)};
  }
  if (record.type != "fuzzy") return;
  spec.stabilisation = Kind::fuzzy;
  FuzzyOptions& fuzzy = spec.fuzzy;
  fuzzy.sets = static_cast<int>(record.integer("sets"));
  const std::string membership = record.text("membership");
  fuzzy.membership = membership == "triangular"    ? FuzzyOptions::Membership::triangular
                     : membership == "trapezoidal" ? FuzzyOptions::Membership::trapezoidal
                                                   : FuzzyOptions::Membership::gaussian;
  if (record.text("inference") == "mamdani") fuzzy.inference = FuzzyOptions::Inference::mamdani;
  fuzzy.sigma = record.number("sigma", 0);
  fuzzy.phi_max = record.number("phi_max", fuzzy.phi_max);
  fuzzy.omega = record.number("omega", fuzzy.omega);
  fuzzy.zeta = record.number("zeta", fuzzy.zeta);
  if (fuzzy.sets % 2 == 0)
    problems.push_back({record.source_of("sets"),
                        record.path + ".sets",
                        fmt::format("{}: must be odd, so that one set is about zero", fuzzy.sets),
                        {}});
}

void read_integrator(const Record& method, AnalysisSpec& spec, std::vector<Problem>& problems) {
  using Method = AnalysisSpec::Method;
  constexpr std::pair<std::string_view, Method> methods[] = {{"generalized-alpha", Method::generalized_alpha},
                                                             {"hht", Method::hht},
                                                             {"newmark", Method::newmark},
                                                             {"energy-momentum", Method::energy_momentum},
                                                             {"rk4", Method::rk4},
                                                             {"rk45", Method::rk45},
                                                             {"rk853", Method::rk853},
                                                             {"adams", Method::adams}};
  for (const auto& [name, value] : methods)
    if (method.type == name) spec.method = value;
  spec.rho_inf = method.number("rho_inf", spec.rho_inf);
  spec.alpha = method.number("alpha", spec.alpha);
  spec.project_velocities = method.boolean("project_velocities");
  spec.rtol = method.number("rtol", spec.rtol);
  spec.atol = method.number("atol", spec.atol);
  spec.atol_vector = method.number("atol_vector", spec.atol_vector);
  spec.atol_velocity = method.number("atol_velocity", spec.atol_velocity);
  if (method.has("max_order")) spec.max_order = static_cast<int>(method.integer("max_order"));
  if (const Record* stabilisation = nested(method, "stabilisation")) read_stabilisation(*stabilisation, spec, problems);
}

void read_dynamics(const Record& record, AnalysisSpec& spec, std::vector<Problem>& problems) {
  spec.checkpoint = record.number("checkpoint");
  if (const Record* method = nested(record, "integrator")) read_integrator(*method, spec, problems);
  if (spec.method == AnalysisSpec::Method::energy_momentum && !record.has("tolerance")) spec.tolerance = tight;
  const std::string tangent = record.text("tangent");
  spec.tangent = tangent == "full"            ? AnalysisSpec::Tangent::full
                 : tangent == "once_per_step" ? AnalysisSpec::Tangent::once_per_step
                                              : AnalysisSpec::Tangent::modified;
  const Record* adaptive = nested(record, "adaptive");
  if (adaptive == nullptr) return;
  spec.adaptive = true;
  spec.error_tolerance = adaptive->number("tolerance");
  spec.min_step = adaptive->number("min_step");
  spec.max_step = adaptive->number("max_step");
  if (spec.has_own_steps())
    problems.push_back({record.source_of("adaptive"),
                        record.path + ".adaptive",
                        "rk45, rk853 and adams choose their steps by rtol and atol: leave it out",
                        {}});
  if (spec.method == AnalysisSpec::Method::rk4)
    problems.push_back({record.source_of("adaptive"),
                        record.path + ".adaptive",
                        "rk4 has constant steps: leave it out, or use rk45, rk853 or adams",
                        {}});
  if (spec.method == AnalysisSpec::Method::energy_momentum)
    problems.push_back({record.source_of("adaptive"),
                        record.path + ".adaptive",
                        "energy-momentum keeps energy with one step size: leave it out",
                        {}});
}

AnalysisSpec read_analysis(const Record& record, double t, std::vector<Problem>& problems) {
  AnalysisSpec spec;
  spec.name = record.name;
  spec.source = record.source;
  spec.begin = spec.end = t;
  if (record.type == "modes") {
    spec.kind = AnalysisSpec::Kind::modes;
    spec.mode_count = static_cast<int>(record.integer("count"));
    return spec;
  }
  spec.tolerance = record.number("tolerance");
  spec.max_iterations = static_cast<int>(record.integer("max_iterations"));
  if (record.type == "static") {
    spec.kind = AnalysisSpec::Kind::statics;
    spec.load_step = record.number("load_step");
    spec.arc_length = record.boolean("arc_length");
    return spec;
  }
  spec.end = record.number("end");
  spec.step = record.number("step");
  if (record.type == "dynamic")
    read_dynamics(record, spec, problems);
  else
    spec.kind = record.type == "kinematic" ? AnalysisSpec::Kind::kinematics : AnalysisSpec::Kind::inverse_dynamics;
  if (!(spec.end > t)) {
    problems.push_back({record.source_of("end"),
                        record.path + ".end",
                        fmt::format("ends at {} s, but begins at {} s: `end` is a time, not a duration", spec.end, t),
                        {}});
    spec.end = t + spec.step;
    return spec;
  }
  if (spec.step > spec.end - t)
    problems.push_back({record.source_of("step"),
                        record.path + ".step",
                        fmt::format("{} s is longer than the analysis, {} s", spec.step, spec.end - t),
                        {}});
  if (!spec.adaptive && (spec.end - t) / spec.step > most_steps)
    problems.push_back({record.source_of("step"),
                        record.path + ".step",
                        fmt::format("{} s makes {:.3g} steps; at most {:.0e} can be computed", spec.step,
                                    (spec.end - t) / spec.step, most_steps),
                        {}});
  if (spec.adaptive && spec.step < spec.min_step)
    problems.push_back({record.source_of("step"),
                        record.path + ".step",
                        fmt::format("{} s is less than adaptive.min_step, {} s", spec.step, spec.min_step),
                        {}});
  if (spec.adaptive && spec.max_step > 0 && spec.max_step < spec.min_step)
    problems.push_back({record.source_of("adaptive"),
                        record.path + ".adaptive",
                        fmt::format("max_step = {} s is less than min_step = {} s", spec.max_step, spec.min_step),
                        {}});
  return spec;
}

int analysis_index(const Timeline& timeline, const std::string& name) {
  for (size_t i = 0; i < timeline.analyses.size(); ++i)
    if (timeline.analyses[i].name == name) return static_cast<int>(i);
  return -1;
}

/// Records that act from or until something.
bool is_gated(const Record& record) { return record.has("from") || record.has("until"); }
bool acts(const Record& record) {
  return record.spec != nullptr && record.spec->find_field("until", nullptr) != nullptr;
}

void check_activation(const Record& record, const Timeline& timeline, std::vector<Problem>& problems) {
  const Activation when = activation_of(record, timeline);
  const double end = timeline.analyses.back().end;
  const auto wrong = [&](std::string_view key, std::string message) {
    problems.push_back({record.source_of(key), fmt::format("{}.{}", record.path, key), std::move(message), {}});
  };
  if (when.from >= when.until || when.first_analysis > when.last_analysis)
    wrong("until", "ends before it begins");
  else if (when.from > end && when.from < 1e300)
    wrong("from", fmt::format("{} s is after the end of the last analysis, {} s", when.from, end));
  else if (when.until <= 0)
    wrong("until", "has ended before the first analysis begins");
}

void check_interval(const Record& record, std::string_view key, const Timeline& timeline,
                    std::vector<Problem>& problems) {
  if (!record.has(key)) return;
  const double interval = record.number(key), records = timeline.analyses.back().end / interval;
  if (records > most_records)
    problems.push_back(
        {record.source_of(key),
         fmt::format("{}.{}", record.path, key),
         fmt::format("{} s makes {:.3g} records; at most {:.0e} can be kept", interval, records, most_records),
         {}});
}

}  // namespace

bool Activation::covers(const Segment& segment) const {
  if (segment.analysis < first_analysis || segment.analysis > last_analysis) return false;
  if (segment.begin == segment.end) return from <= segment.begin && segment.begin < until;
  const double middle = 0.5 * (segment.begin + segment.end);
  return from <= middle && middle < until;
}

bool changes_model(const Record& record) {
  const TermInfo* term = record.variant == nullptr ? nullptr : record.variant->term;
  return term == nullptr || std::find(term->slots.begin(), term->slots.end(), SlotKind::signal) == term->slots.end();
}

Activation activation_of(const Record& record, const Timeline& timeline) {
  Activation when;
  if (const TimePoint* from = record.get<TimePoint>("from")) {
    if (from->analysis.empty())
      when.from = from->seconds;
    else
      when.first_analysis = std::max(0, analysis_index(timeline, from->analysis));
  }
  if (const TimePoint* until = record.get<TimePoint>("until")) {
    if (until->analysis.empty())
      when.until = until->seconds;
    else if (const int last = analysis_index(timeline, until->analysis); last >= 0)
      when.last_analysis = last;
  }
  return when;
}

Timeline make_timeline(const SceneDocument& scene, std::vector<Problem>& problems) {
  Timeline timeline;
  double t = 0;
  for (const Record* record : scene.of_kind("analysis")) {
    timeline.analyses.push_back(read_analysis(*record, t, problems));
    t = timeline.analyses.back().end;
  }
  if (timeline.analyses.empty()) {
    problems.push_back({{scene.file, 0, 0, 1}, {}, "the scene has no [[analysis]]", {}});
    return timeline;
  }
  for (const Record* record : scene.of_kind("output"))
    for (const char* key : {"interval", "sensor_interval"}) check_interval(*record, key, timeline, problems);
  for (const Record* record : scene.of_kind("sensor")) check_interval(*record, "interval", timeline, problems);
  std::set<double> cuts;
  for (const Record& record : scene.tables) {
    if (!acts(record) || !is_gated(record)) continue;
    check_activation(record, timeline, problems);
    if (!changes_model(record)) continue;
    const Activation when = activation_of(record, timeline);
    cuts.insert(when.from);
    cuts.insert(when.until);
  }
  for (size_t i = 0; i < timeline.analyses.size(); ++i) {
    const AnalysisSpec& analysis = timeline.analyses[i];
    double begin = analysis.begin;
    for (auto cut = cuts.upper_bound(begin); cut != cuts.end() && *cut < analysis.end; ++cut) {
      timeline.segments.push_back({static_cast<int>(i), begin, *cut, 0});
      begin = *cut;
    }
    timeline.segments.push_back({static_cast<int>(i), begin, analysis.end, 0});
  }
  return timeline;
}

}  // namespace flexura

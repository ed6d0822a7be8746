#include "flexura/scene/timeline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "flexura/scene/read_settings.hpp"

namespace flexura {
namespace {

constexpr double most_steps = 1e12;   ///< weeks of computing, and time still resolves a step
constexpr double most_records = 1e9;  ///< of states or of a sensor

/// What the times of a motion that begins at `begin` have against each other.
std::vector<SettingsProblem> problems_of_times(const MotionAnalysis& motion, double begin) {
  const double end = motion.end, step = motion.step;
  if (!(end > begin))
    return {{"end", fmt::format("ends at {} s, but begins at {} s: `end` is a time, not a duration", end, begin)}};
  std::vector<SettingsProblem> problems;
  const double length = end - begin;
  if (step > length * (1 + 1e-9))
    problems.push_back({"step", fmt::format("{} s is longer than the analysis, {} s", step, length)});
  if (!motion.adaptive && length / step > most_steps)
    problems.push_back({"step", fmt::format("{} s makes {:.3g} steps; at most {:.0e} can be computed", step,
                                            length / step, most_steps)});
  if (!motion.adaptive) return problems;
  const AdaptiveSteps& steps = *motion.adaptive;
  if (step < steps.min_step)
    problems.push_back({"step", fmt::format("{} s is less than adaptive.min_step, {} s", step, steps.min_step)});
  if (steps.max_step && *steps.max_step < steps.min_step)
    problems.push_back(
        {"adaptive", fmt::format("max_step = {} s is less than min_step = {} s", *steps.max_step, steps.min_step)});
  return problems;
}

AnalysisSpec read_analysis(const Record& record, double t, std::vector<Problem>& problems) {
  AnalysisSpec spec;
  spec.name = record.name;
  spec.type = record.type;
  spec.source = record.source;
  spec.begin = spec.end = t;
  spec.what = std::static_pointer_cast<const Analysis>(read_settings(record, analyses(), problems));
  const MotionAnalysis* motion = spec.motion();
  if (motion == nullptr) return spec;
  spec.end = motion->end > t ? motion->end : t + motion->step;
  for (const SettingsProblem& problem : problems_of_times(*motion, t))
    problems.push_back({record.source_of(problem.key), record.path + "." + problem.key, problem.message, {}});
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
  if (term == nullptr || std::find(term->slots.begin(), term->slots.end(), SlotKind::signal) == term->slots.end())
    return true;
  // What a signal brings somewhere is not let go by the signal 0.
  return std::ranges::any_of(term->scene.sources, [](const SlotSource& source) {
    return source.key == "target" || source.key == "extension";
  });
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

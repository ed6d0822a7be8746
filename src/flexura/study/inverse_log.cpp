#include "flexura/study/inverse_log.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "flexura/base/base64.hpp"
#include "flexura/output/checkpoint_bytes.hpp"
#include "flexura/run/run_checkpoint.hpp"

namespace flexura {
namespace {

std::string text_at(const Json& json, const char* key) { return json.at(key).get<std::string>(); }

/// Whether one can be put in the place of the other.
bool fits(const State<double>& state, const State<double>& model) {
  const auto same = [](const std::vector<double>& a, const std::vector<double>& b) { return a.size() == b.size(); };
  return same(state.q, model.q) && same(state.v, model.v) && same(state.a, model.a) && same(state.lags, model.lags) &&
         (same(state.loads, model.loads) || model.loads.empty()) && same(state.history, model.history);
}

std::string bytes_of(const State<double>& state) {
  const RunProgress nothing;
  return checkpoint_bytes(RunCheckpoint(state, nothing, 0).owned());
}

State<double> state_of(const std::string& bytes) {
  State<double> out;
  RunProgress nothing;
  restore_run(checkpoint_of(bytes), nothing, out);
  return out;
}

}  // namespace

Json json_of(const ReachedPoint& point) {
  return {{"found", point.found},
          {"reached", point.reached},
          {"inputs", text_of_numbers(point.inputs)},
          {"readings", text_of_numbers(point.readings)},
          {"distances", text_of_numbers(point.distances)},
          {"effort", text_of_numbers({&point.effort, 1})},
          {"at_bound", std::vector<int>(point.at_bound.begin(), point.at_bound.end())},
          {"iterations", point.iterations},
          {"equilibria", point.equilibria},
          {"from_elsewhere", point.from_elsewhere},
          {"message", point.message}};
}

ReachedPoint point_of(const Json& json, std::size_t inputs, std::size_t targets, std::size_t columns) {
  ReachedPoint out;
  out.found = json.at("found").get<bool>();
  out.reached = json.at("reached").get<bool>();
  // Where the last search found nothing, those of the one before may be left.
  const auto numbers = [&](const char* key, std::size_t count) {
    std::vector<double> all = numbers_of_text(text_at(json, key));
    if (all.size() != count && (out.found || !all.empty())) throw std::invalid_argument("another count of numbers");
    return all;
  };
  out.inputs = numbers("inputs", inputs);
  out.readings = numbers("readings", columns);
  out.distances = numbers("distances", targets);
  out.effort = numbers_of_text(text_at(json, "effort"), 1).front();
  for (const Json& one : json.at("at_bound")) out.at_bound.push_back(static_cast<char>(one.get<int>()));
  if (out.at_bound.size() != out.inputs.size()) throw std::invalid_argument("bounds of other inputs");
  out.iterations = json.at("iterations").get<int>();
  out.equilibria = json.at("equilibria").get<long>();
  out.from_elsewhere = json.at("from_elsewhere").get<bool>();
  out.message = text_at(json, "message");
  return out;
}

Json json_of(const ReachedPoint& point, const InverseSearch::Place& place) {
  Json turns = Json::array();
  for (const std::vector<double>& one : place.turns) turns.push_back(text_of_numbers(one));
  Json out = json_of(point);
  out["stands"] = place.stands;
  out["state"] = base64(bytes_of(place.state));
  out["turns"] = turns;
  out["weight"] = text_of_numbers({&place.effort, 1});
  return out;
}

std::optional<ReachedPoint> recalled_point(StudyLog& log, const std::string& name, const InversePlan& plan,
                                           InverseSearch::Place& place) {
  return log.recall(name, [&](const Json& json) {
    std::size_t columns = 0;
    for (const WantedReading& target : plan.targets) columns += target.columns.size();
    ReachedPoint point = point_of(json, plan.inputs.size(), plan.targets.size(), columns);
    const std::optional<std::string> bytes = from_base64(text_at(json, "state"));
    InverseSearch::Place then{state_of(bytes.value()), json.at("stands").get<bool>(), {}, 0};
    for (const Json& one : json.at("turns"))
      then.turns.push_back(numbers_of_text(one.get<std::string>(), place.turns.at(then.turns.size()).size()));
    then.effort = numbers_of_text(text_at(json, "weight"), 1).front();
    if (then.turns.size() != place.turns.size() || !fits(then.state, place.state))
      throw std::invalid_argument("a state of another scene");
    place = std::move(then);
    return point;
  });
}

void add_to(Fingerprint& all, const SoughtInput& input) {
  all.add(fmt::format("{} {} {}", input.input.name, input.unit, input.has_effort));
  all.add(
      std::vector{input.input.start, input.input.low, input.input.high, input.input.scale, input.rest, input.effort});
}

void add_to(Fingerprint& all, const WantedReading& target) {
  all.add(fmt::format("{} {} {} {}", target.sensor, fmt::join(target.components, " "), fmt::join(target.units, " "),
                      target.is_quaternion));
  all.add(std::vector{target.tolerance});
}

std::uint32_t fingerprint_of(const InversePlan& plan) {
  Fingerprint all;
  all.add(plan.scene);
  for (const SoughtInput& input : plan.inputs) add_to(all, input);
  for (const WantedReading& target : plan.targets) add_to(all, target);
  for (const std::vector<double>& point : plan.points) all.add(point);
  all.add(fmt::format("{} {}", plan.max_iterations, plan.restarts));
  return all.value();
}

}  // namespace flexura

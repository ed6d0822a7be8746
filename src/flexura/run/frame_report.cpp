#include "flexura/run/frame_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "flexura/base/text.hpp"
#include "flexura/run/consistent_start.hpp"

namespace flexura {
namespace {

constexpr size_t states_shown = 12, names_shown = 16;  ///< in the text
constexpr double near_dependence = 1e-4;               ///< of a row: less is worth a remark
constexpr double slight = 1e-6;                        ///< moves and forces that go without saying

constexpr const char* kind_names[] = {"finite", "infinitesimal", "branching"};
constexpr const char* kind_texts[] = {"finite to second order", "infinitesimal, prestress stiffens it",
                                      "acted on by self-stress, but none stiffens all: paths may cross"};

Json forces_json(const FrameStates& frame, const std::vector<double>& forces) {
  Json json = Json::object();
  for (size_t r = 0; r < forces.size(); ++r)
    if (forces[r] != 0) json[frame.rows[r]] = forces[r];
  return json;
}

Json moves_json(const Topology& topology, const std::vector<double>& v) {
  Json json = Json::object();
  for (size_t s = 0; s < topology.slots.size(); ++s) {
    const Slot& slot = topology.slots[s];
    const std::vector<double> move(v.begin() + slot.offset, v.begin() + slot.offset + slot.size);
    if (!slot.multiplier && std::any_of(move.begin(), move.end(), [](double x) { return std::fabs(x) > slight; }))
      json[topology.slot_names[s]] = move;
  }
  return json;
}

/// Coordinates of these count as free: their elasticity is no member's.
std::string elastic_parts(const SceneModel& m) {
  std::vector<std::string> kinds;
  if (!m.cables.empty()) kinds.emplace_back("cables and beams");
  if (!m.plates.empty()) kinds.emplace_back("plates");
  if (!m.solids.empty()) kinds.emplace_back("solids");
  return joined_text(kinds, ", ");
}

std::vector<std::string> parts_that_move(const SceneModel& scene, const std::vector<double>& v) {
  std::vector<std::string> names;
  const Topology& topology = *scene.model.topology;
  for (size_t s = 0; s < topology.slots.size(); ++s) {
    const Slot& slot = topology.slots[s];
    if (slot.multiplier) continue;
    double most = 0;
    for (int i = slot.offset; i < slot.offset + slot.size; ++i) most = std::max(most, std::fabs(v[i]));
    if (most <= slight) continue;
    std::string name = part_at(scene, static_cast<int>(s));
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(std::move(name));
  }
  return names;
}

std::string some(const std::vector<std::string>& names) {
  const auto shown = static_cast<std::ptrdiff_t>(std::min(names.size(), names_shown));
  const std::string text = fmt::format("{}", fmt::join(names.begin(), names.begin() + shown, ", "));
  return names.size() > names_shown ? fmt::format("{} and {} more", text, names.size() - names_shown) : text;
}

std::string counted(int n, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", n, n == 1 ? one : many);
}

std::string stress_text(const Json& state) {
  std::vector<std::string> forces;
  for (const auto& [name, force] : state.items())
    forces.push_back(fmt::format("{}: {:.4g}", name, force.get<double>()));
  return some(forces);
}

}  // namespace

Json frame_summary(const SceneModels& scene, const SceneDocument& document) {
  const Segment& first = scene.timeline.segments.front();
  ActiveModel active(scene, 1);
  active.enter(first.model);
  const StartReport start = make_consistent(active, document, scene.timeline.analyses[first.analysis]);
  const SceneModel& model = active.scene();
  const FrameStates frame = frame_states(active.system(), model.model, active.state);
  Json json{{"coordinates", frame.coordinates},
            {"constraints", frame.constraints},
            {"elastic_members", frame.elastic.size()},
            {"remarks", Json::array()}};
  const auto remark = [&](std::string text) { json["remarks"].push_back(std::move(text)); };
  if (!frame.problem.empty()) {
    remark(fmt::format("nothing was counted: {}", frame.problem));
    return json;
  }
  json["rank"] = frame.rank;
  json["self_stress"] = frame.self_stress();
  json["mechanisms"] = frame.mechanisms();
  json["rigid_body_motions"] = frame.rigid;
  json["weakest"] = frame.weakest;
  json["states"] = Json::array();
  for (const auto& forces : frame.stresses) json["states"].push_back(forces_json(frame, forces));
  json["motions"] = Json::array();
  const std::string free_parts = elastic_parts(model);
  const std::vector<FrameStates::Mechanism> listed =
      free_parts.empty() ? frame.listed : std::vector<FrameStates::Mechanism>{};
  for (const FrameStates::Mechanism& one : listed)
    json["motions"].push_back({{"kind", kind_names[static_cast<int>(one.kind)]},
                               {"moves", moves_json(*model.model.topology, one.motion)},
                               {"parts", parts_that_move(model, one.motion)}});
  if (!listed.empty() || frame.mechanisms() == 0)
    for (const MechanismKind kind : {MechanismKind::finite, MechanismKind::infinitesimal, MechanismKind::branching})
      json[kind_names[static_cast<int>(kind)]] = frame.of_kind(kind);
  if (frame.prestress)
    json["prestress"] = {{"misfit", frame.prestress->misfit},
                         {"stiffens", frame.prestress->stiffens},
                         {"forces", forces_json(frame, frame.prestress->forces)}};
  if (static_cast<int>(frame.stresses.size()) < frame.self_stress()) remark("too many states of self-stress to list");
  if (!free_parts.empty())
    remark(fmt::format("coordinates of {} count as free, as if they had no stiffness; mechanisms are not listed",
                       free_parts));
  else if (static_cast<int>(frame.listed.size()) < frame.mechanisms())
    remark("too many mechanisms to list, or to tell infinitesimal ones from finite ones");
  if (frame.weakest < near_dependence)
    remark(
        fmt::format("one row says only {:.1e} that others do not say: nearly one more state of self-stress; are "
                    "positions written with enough digits?",
                    frame.weakest));
  if (const size_t n = model.model.topology->implied.size(); n > 0)
    remark(fmt::format("{} that follow from others in every position were left out and are not counted",
                       counted(static_cast<int>(n), "constraint", "constraints")));
  return json;
}

std::string frame_summary_text(const Json& summary) {
  std::string text;
  const auto line = [&](std::string_view head, const std::string& what) {
    text += fmt::format("  {:16} {}\n", head, what);
  };
  if (summary.contains("rank")) {
    const int rows = summary["constraints"].get<int>() + summary["elastic_members"].get<int>();
    const int n = summary["coordinates"], s = summary["self_stress"], m = summary["mechanisms"],
              rigid = summary["rigid_body_motions"];
    line("frame", fmt::format("{} constraints + {} elastic members − {} coordinates = {} = {} − {}",
                              summary["constraints"].get<int>(), summary["elastic_members"].get<int>(), n, rows - n, s,
                              rigid > 0 ? fmt::format("({} + {})", m, rigid) : fmt::format("{}", m)));
    line("", fmt::format(
                 "{}, {}{}", counted(s, "state of self-stress", "states of self-stress"),
                 counted(m, "mechanism", "mechanisms"),
                 rigid > 0 ? fmt::format(" and {}", counted(rigid, "motion as a rigid body", "motions as a rigid body"))
                           : ""));
    const auto list = [&](std::string_view head, const Json& all, auto&& print) {
      for (size_t k = 0; k < std::min(all.size(), states_shown); ++k)
        line(fmt::format("{} {}", head, k + 1), print(all[k]));
      if (all.size() > states_shown) line("", fmt::format("and {} more", all.size() - states_shown));
    };
    list("self-stress", summary["states"], stress_text);
    list("mechanism", summary["motions"], [](const Json& one) {
      const std::string kind = one["kind"];
      const auto at = std::find(std::begin(kind_names), std::end(kind_names), kind) - std::begin(kind_names);
      return fmt::format("{}; moves {}", kind_texts[at], some(one["parts"].get<std::vector<std::string>>()));
    });
    if (const auto found = summary.find("prestress"); found != summary.end()) {
      const Json& prestress = *found;
      const bool fits = !prestress["forces"].empty();
      line("prestress",
           !fits ? fmt::format(
                       "the elastic members' tensions are no state of self-stress ({:.2g} of their size is none): "
                       "without loads they move the nodes",
                       prestress["misfit"].get<double>())
           : prestress["stiffens"].get<bool>() ? "is a state of self-stress and stiffens every infinitesimal mechanism"
                                               : "is a state of self-stress");
    }
  }
  for (const Json& remark : summary["remarks"]) line("", remark.get<std::string>());
  return text;
}

}  // namespace flexura

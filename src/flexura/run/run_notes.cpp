#include "flexura/run/run_notes.hpp"

#include <cstring>
#include <nlohmann/json.hpp>

#include "flexura/base/json.hpp"

namespace flexura {

std::vector<std::int64_t> pack_notes(const RunNotes& notes) {
  const StartReport& start = notes.start;
  Json json{{"warnings", notes.warnings},
            {"coordinates", start.freedom.coordinates},
            {"eliminated", start.freedom.eliminated},
            {"multipliers", start.freedom.multipliers},
            {"redundant", start.freedom.redundant},
            {"dof", start.freedom.dof},
            {"count", start.count_text},
            {"moved", start.moved},
            {"moves", start.moves},
            {"velocities", start.velocities}};
  set_rest_results(json, notes.at_rest);
  const std::string text = json_text(json);
  std::vector<std::int64_t> numbers(1 + (text.size() + 7) / 8, 0);
  numbers[0] = static_cast<std::int64_t>(text.size());
  std::memcpy(numbers.data() + 1, text.data(), text.size());
  return numbers;
}

std::optional<RunNotes> unpack_notes(std::span<const std::int64_t> numbers) {
  if (numbers.empty() || numbers[0] < 0 || static_cast<std::uint64_t>(numbers[0]) > (numbers.size() - 1) * 8) return {};
  const std::string text(reinterpret_cast<const char*>(numbers.data() + 1), static_cast<std::size_t>(numbers[0]));
  const Outcome<Json> json = parse_json(text, "notes");
  if (!json) return {};
  try {
    RunNotes notes;
    StartReport& start = notes.start;
    json->at("warnings").get_to(notes.warnings);
    notes.at_rest = rest_results(*json);
    json->at("coordinates").get_to(start.freedom.coordinates);
    json->at("eliminated").get_to(start.freedom.eliminated);
    json->at("multipliers").get_to(start.freedom.multipliers);
    json->at("redundant").get_to(start.freedom.redundant);
    json->at("dof").get_to(start.freedom.dof);
    json->at("count").get_to(start.count_text);
    json->at("moved").get_to(start.moved);
    start.moves = json->value("moves", std::string());
    start.velocities = json->value("velocities", std::vector<std::string>());
    return notes;
  } catch (const Json::exception&) {
    return {};
  }
}

}  // namespace flexura

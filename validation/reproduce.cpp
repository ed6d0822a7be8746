#include "validation/reproduce.hpp"

#include <fmt/format.h>

#include <chrono>

#include "flexura/base/nearest_name.hpp"
#include "validation/reproduce_case.hpp"

namespace flexura {
namespace {

const std::vector<detail::CaseDefinition>& definitions() {
  static const std::vector<detail::CaseDefinition> all = [] {
    std::vector<detail::CaseDefinition> out = detail::rong2024_cases();
    for (const auto& more :
         {detail::kato2020_cases(), detail::ghoneimy2025_cases(), detail::xing2022_cases(), detail::meijaard_cases()})
      out.insert(out.end(), more.begin(), more.end());
    return out;
  }();
  return all;
}

[[noreturn]] void unknown(const std::string& what, const std::string& name,
                          const std::vector<std::string>& candidates) {
  throw InputError({{{"reproduce", 0, 0, 1},
                     name,
                     fmt::format("there is no {} of this name; there are: {}", what, fmt::join(candidates, ", ")),
                     nearest_name(name, candidates)}});
}

const detail::CaseDefinition& find(const std::string& paper, const std::string& id) {
  std::vector<std::string> papers, ids;
  for (const detail::CaseDefinition& one : definitions()) {
    if (papers.empty() || papers.back() != one.info.paper) papers.push_back(one.info.paper);
    if (one.info.paper != paper) continue;
    if (one.info.id == id) return one;
    ids.push_back(one.info.id);
  }
  if (ids.empty()) unknown("paper", paper, papers);
  unknown("case", id, ids);
}

}  // namespace

std::vector<CaseInfo> reproduction_cases() {
  std::vector<CaseInfo> out;
  for (const detail::CaseDefinition& one : definitions()) out.push_back(one.info);
  return out;
}

Json reproduction_list_json() {
  Json out = Json::array();
  for (const detail::CaseDefinition& one : definitions()) {
    Json quantities = Json::array();
    for (const QuantityInfo& q : one.info.quantities)
      quantities.push_back({{"name", q.name}, {"unit", q.unit}, {"doc", q.doc}});
    out.push_back(
        {{"paper", one.info.paper}, {"case", one.info.id}, {"shows", one.info.shows}, {"quantities", quantities}});
  }
  return out;
}

Json reproduce_case(const std::string& paper, const std::string& id, const ReproduceOptions& options) {
  const detail::CaseDefinition& definition = find(paper, id);
  const auto start = std::chrono::steady_clock::now();
  detail::Case one(definition.info, options);
  try {
    definition.compute(one);
  } catch (const detail::CaseFailure& failure) {
    one.failed(failure.what());
  }
  one.result()["summary"] = reproduction_summary({one.result()});
  one.result()["wall_time_s"] = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return one.result();
}

std::span<const char* const> kinds_of_figures() {
  static constexpr const char* names[] = {"paper", "independent", "closed form", "own finer mesh", "chosen to fit"};
  return names;
}

bool reproduction_missed(const Json& result) {
  for (const auto& [name, quantity] : result["quantities"].items())
    for (const auto& [kind, verdict] : quantity["verdicts"].items())
      if (verdict["status"] == "missed" && !verdict.contains("note")) return true;
  return result.contains("failed");
}

Json reproduction_summary(const std::vector<Json>& results) {
  Json out = Json::object();
  for (const Json& result : results)
    for (const auto& [name, quantity] : result["quantities"].items())
      for (const auto& [kind, verdict] : quantity["verdicts"].items()) {
        Json& count = out[kind][verdict["status"].get<std::string>()];
        count = count.is_null() ? 1 : count.get<int>() + 1;
      }
  return out;
}

}  // namespace flexura

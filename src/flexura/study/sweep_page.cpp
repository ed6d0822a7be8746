#include "flexura/study/sweep_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "flexura/base/quote.hpp"
#include "flexura/report/page.hpp"
#include "flexura/report/quantise.hpp"
#include "flexura/study/series_bands.hpp"
#include "flexura/version.hpp"

namespace flexura {
namespace {

using Outcomes = std::vector<const SweepOutcome*>;

Outcomes known_of(std::span<const std::optional<SweepOutcome>> outcomes) {
  Outcomes known;
  for (const auto& outcome : outcomes)
    if (outcome) known.push_back(&*outcome);
  return known;
}

/// `most` of them, evenly chosen, or all.
Outcomes thinned(const Outcomes& all, std::size_t most) {
  if (all.size() <= most) return all;
  Outcomes some;
  for (std::size_t i = 0; i < most; ++i) some.push_back(all[i * all.size() / most]);
  return some;
}

std::string title_of(const SweepPlan& plan) {
  const StudyFile& study = plan.study;
  if (study.words.head.has("title")) return study.words.head.text("title");
  return std::filesystem::path(study.words.file).filename();
}

/// Pieces of the command that does a run alone: what all share, then for each parameter what its value is appended to.
Json command_json(const SweepPlan& plan, const std::string& folder) {
  std::string head = "flexura run " + shell_word(plan.study.scene.file);
  for (const std::string& setting : plan.study.set) head += " --set " + shell_word(setting);
  Json parameters = Json::array();
  for (const StudyParameter& parameter : plan.study.parameters)
    parameters.push_back("--set " + shell_word(parameter.path + "="));
  return {{"head", head}, {"parameters", parameters}, {"output", "--output " + shell_word(folder + "/runs/")}};
}

Json columns_json(const SweepPlan& plan) {
  Json columns = Json::array();
  for (std::size_t k = 0; k < plan.study.parameters.size(); ++k) {
    const StudyParameter& parameter = plan.study.parameters[k];
    const bool is_log = k < plan.distributions.size() && plan.distributions[k].kind == Distribution::Kind::log;
    columns.push_back({{"name", parameter.name},
                       {"unit", parameter.unit},
                       {"path", parameter.path},
                       {"parameter", true},
                       {"log", is_log}});
  }
  for (const SweepOutput& output : plan.outputs) {
    if (output.take == Take::series) continue;
    for (std::size_t i = 0; i < output.columns.size(); ++i)
      columns.push_back({{"name", output.columns[i]}, {"unit", output.units[i]}, {"parameter", false}, {"log", false}});
  }
  return columns;
}

/// Numbers, states and messages of the runs, in rows.
void put_rows(const SweepPlan& plan, const Outcomes& rows, const std::string& folder, BlockStore& blocks, Json& page) {
  std::vector<std::uint32_t> numbers;
  std::vector<double> values;
  std::map<std::string, std::size_t> known;  // a thousand runs may fail for one reason
  Json failed = Json::array(), texts = Json::array(), of = Json::array(), reports = Json::array();
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const SweepOutcome& outcome = *rows[row];
    numbers.push_back(static_cast<std::uint32_t>(outcome.run));
    const std::vector<double>& parameters = plan.runs[static_cast<std::size_t>(outcome.run)];
    values.insert(values.end(), parameters.begin(), parameters.end());
    values.insert(values.end(), outcome.numbers.begin(), outcome.numbers.end());
    if (!outcome.finished) failed.push_back(row);
    if (!outcome.message.empty()) {
      const auto [text, is_new] = known.emplace(outcome.message, texts.size());
      if (is_new) texts.push_back(outcome.message);
      of.push_back({row, text->second});
    }
    if (std::filesystem::exists(fmt::format("{}/runs/{}/report.html", folder, outcome.run))) reports.push_back(row);
  }
  const std::size_t columns = rows.empty() ? 0 : values.size() / rows.size();
  page["run"] = blocks.add(numbers, {rows.size()});
  page["values"] = blocks.add(values, {rows.size(), columns});
  page["failed_rows"] = std::move(failed);
  page["messages"] = {{"texts", std::move(texts)}, {"of", std::move(of)}};
  page["report_rows"] = std::move(reports);
}

std::vector<const SweepSeries*> series_of(const Outcomes& runs, std::size_t index) {
  std::vector<const SweepSeries*> series;
  for (const SweepOutcome* outcome : runs) series.push_back(outcome->finished ? &outcome->series[index] : nullptr);
  return series;
}

Json bands_json(const SeriesBands& bands, BlockStore& blocks) {
  std::vector<double> all;
  for (const auto* band : {&bands.least, &bands.lower, &bands.median, &bands.upper, &bands.greatest})
    all.insert(all.end(), band->begin(), band->end());
  return blocks.add(all, {5, bands.least.size()});
}

Json series_json(const SweepPlan& plan, const Outcomes& known, const Outcomes& rows, BlockStore& blocks,
                 const SweepPageLimits& limits) {
  std::size_t curves = 0;
  for (const SweepOutput& output : plan.outputs) curves += output.take == Take::series ? output.columns.size() : 0;
  const std::size_t places = std::clamp(limits.numbers / std::max<std::size_t>(1, rows.size() * curves),
                                        limits.fewest_places, limits.most_places);
  Json all = Json::array();
  std::size_t index = 0;
  for (const SweepOutput& output : plan.outputs) {
    if (output.take != Take::series) continue;
    const std::vector<const SweepSeries*> of_known = series_of(known, index), of_rows = series_of(rows, index);
    ++index;
    const CommonAxis axis = common_axis(of_known, places);
    Json columns = Json::array();
    for (std::size_t c = 0; c < output.columns.size(); ++c) {
      const std::vector<double> values = on_axis(of_rows, axis, output.columns.size(), c);
      const SeriesBands bands = rows.size() == known.size()
                                    ? bands_of(values, rows.size())
                                    : bands_of(on_axis(of_known, axis, output.columns.size(), c), known.size());
      columns.push_back({{"name", output.columns[c]},
                         {"unit", output.units[c]},
                         {"bands", bands_json(bands, blocks)},
                         {"values", quantised_json(quantise_all(values), rows.size(), blocks)}});
    }
    all.push_back({{"name", output.name},
                   {"axis", axis.counts_samples ? "sample"
                            : output.over_time  ? "t"
                                                : "load factor"},
                   {"unit", output.over_time && !axis.counts_samples ? "s" : "1"},
                   {"at", blocks.add(axis.at, {axis.at.size()})},
                   {"columns", std::move(columns)}});
  }
  return all;
}

}  // namespace

Json sweep_page_json(const SweepPlan& plan, std::span<const std::optional<SweepOutcome>> outcomes,
                     const std::string& folder, BlockStore& blocks, const SweepPageLimits& limits) {
  const Outcomes known = known_of(outcomes), rows = thinned(known, limits.runs);
  const auto failed = std::count_if(known.begin(), known.end(), [](const SweepOutcome* o) { return !o->finished; });
  Json page{{"format", "flexura-sweep"},
            {"version", 1},
            {"title", title_of(plan)},
            {"study", plan.study.words.file},
            {"scene", plan.study.scene.file},
            {"program", "flexura " + std::string(version)},
            {"design", plan.design},
            {"planned", plan.runs.size()},
            {"known", known.size()},
            {"failed", failed},
            {"command", command_json(plan, folder)},
            {"columns", columns_json(plan)}};
  put_rows(plan, rows, folder, blocks, page);
  page["series"] = series_json(plan, known, rows, blocks, limits);
  return page;
}

std::string sweep_page(const SweepPlan& plan, std::span<const std::optional<SweepOutcome>> outcomes,
                       const std::string& folder, const SweepPageLimits& limits) {
  BlockStore blocks;
  const Json page = sweep_page_json(plan, outcomes, folder, blocks, limits);
  return report_page(sweep_viewer_page(), title_of(plan) + " - Flexura", page, blocks.bytes());
}

}  // namespace flexura

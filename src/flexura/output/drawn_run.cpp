#include "flexura/output/drawn_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <stdexcept>

#include "flexura/base/json.hpp"
#include "flexura/output/drawing_file.hpp"

namespace flexura {
namespace {

constexpr std::uint64_t piece = std::uint64_t{1} << 20;  ///< numbers read at a time

/// All numbers of an axis; none where there is no such dataset.
Outcome<std::vector<double>> read_axis(const ResultsFile& results, const std::string& path) {
  const DatasetInfo* info = results.find(path);
  if (info == nullptr || info->shape.size() != 1 || info->shape[0] == 0) return std::vector<double>();
  std::vector<std::uint64_t> rows(info->shape[0]);
  std::iota(rows.begin(), rows.end(), std::uint64_t{0});
  return results.read_rows(path, rows);
}

/// The part of an axis that is in no stretch yet.
struct Rest {
  std::vector<double> at;
  std::uint64_t used = 0;
};

/// Goes through the segments of the timeline and gives each its rows.
class StretchList {
 public:
  StretchList(const ResultsFile& results, DrawnRun& run) : results_(results), run_(run) {}

  /// Returns what went wrong, or "".
  std::string add(const Json& segment, const Json& first_of_analysis) {
    Stretch stretch;
    stretch.analysis = segment.at("analysis");
    stretch.model = segment.at("model");
    const StoredAnalysis& analysis = run_.analyses.at(stretch.analysis);
    if (static_cast<std::size_t>(stretch.model) >= run_.drawings.size())
      throw std::out_of_range("a model without a drawing");
    stretch.path = "/analysis/" + analysis.name;
    if (first_of_analysis.at("model") != segment.at("model"))
      stretch.path += fmt::format("/model{}", stretch.model + 1);
    stretch.table = drawing_table(stretch.model, analysis.name);
    Rest *states = nullptr, *drawn = nullptr;
    for (const auto& [rest, group] : {std::pair(&states, stretch.path), {&drawn, stretch.table}})
      if (const std::string error = open(group, analysis.axis(), *rest); !error.empty()) return error;
    if (drawn->at.empty()) stretch.table.clear();
    std::uint64_t end = states->at.size();
    if (analysis.over_time()) {
      const double from = segment.at("begin"), to = segment.at("end"), last = to + 1e-9 * (to - from);
      end =
          static_cast<std::uint64_t>(std::upper_bound(states->at.begin(), states->at.end(), last) - states->at.begin());
    }
    if (end <= states->used) return {};
    take(*states, *drawn, end, stretch);
    return {};
  }

 private:
  std::string open(const std::string& group, const char* axis, Rest*& rest) {
    const auto [known, fresh] = rests_.try_emplace(group);
    rest = &known->second;
    if (!fresh) return {};
    auto at = read_axis(results_, group + "/" + axis);
    if (!at) return at.error();
    rest->at = std::move(*at);
    return {};
  }

  /// States with numbers for the drawing; all of them where it has none.
  void take(Rest& states, Rest& drawn, std::uint64_t end, Stretch& stretch) {
    stretch.states = end - states.used;
    for (std::uint64_t row = states.used; row < end; ++row) {
      const double at = states.at[row];
      if (!stretch.table.empty()) {
        if (drawn.used == drawn.at.size() || drawn.at[drawn.used] != at) continue;
        stretch.table_row.push_back(drawn.used++);
      }
      stretch.at.push_back(at);
      stretch.row.push_back(row);
    }
    states.used = end;
    std::vector<Stretch>& all = run_.stretches;
    if (all.empty() || all.back().path != stretch.path) return all.push_back(std::move(stretch));
    Stretch& last = all.back();
    last.at.insert(last.at.end(), stretch.at.begin(), stretch.at.end());
    last.row.insert(last.row.end(), stretch.row.begin(), stretch.row.end());
    last.table_row.insert(last.table_row.end(), stretch.table_row.begin(), stretch.table_row.end());
    last.states += stretch.states;
  }

  const ResultsFile& results_;
  DrawnRun& run_;
  std::map<std::string, Rest> rests_;  ///< by group
};

std::string read_timeline(const ResultsFile& results, const Json& timeline, DrawnRun& run) {
  for (const Json& analysis : timeline.at("analyses"))
    run.analyses.push_back({analysis.at("name"), analysis.at("type"), analysis.at("text")});
  const Json& segments = timeline.at("segments");
  int models = 0;
  for (const Json& segment : segments) models = std::max(models, segment.at("model").get<int>() + 1);
  for (int model = 0; model < models; ++model) {
    auto drawing = read_drawing(results, model);
    if (!drawing) return drawing.error();
    run.drawings.push_back(std::move(*drawing));
  }
  StretchList list(results, run);
  for (const Json& segment : segments) {
    const auto first = std::find_if(segments.begin(), segments.end(),
                                    [&](const Json& s) { return s.at("analysis") == segment.at("analysis"); });
    if (const std::string error = list.add(segment, *first); !error.empty()) return error;
  }
  return {};
}

/// Coordinates of the drawn slots out of whole states.
void pick(const Drawing& drawing, std::span<const double> states, std::size_t width, std::vector<double>& out) {
  for (std::size_t begin = 0; begin < states.size(); begin += width)
    for (const Drawing::MovingSlot& slot : drawing.slots)
      for (int i = 0; i < drawing.dim; ++i) out.push_back(states[begin + static_cast<std::size_t>(slot.offset + i)]);
}

bool fits(const Drawing& drawing, std::size_t width) {
  return std::all_of(drawing.slots.begin(), drawing.slots.end(), [&](const Drawing::MovingSlot& slot) {
    return slot.offset >= 0 && static_cast<std::size_t>(slot.offset + drawing.dim) <= width;
  });
}

}  // namespace

Outcome<DrawnRun> read_drawn_run(const ResultsFile& results) {
  using Failure = Outcome<DrawnRun>;
  constexpr const char* path = "/model/timeline";
  if (results.find(path) == nullptr || results.attribute("/drawing", "version") == nullptr)
    return Failure::failure(
        fmt::format("'{}' holds no drawing: {} did not keep it with the results; run the scene again", results.path(),
                    results.text("/meta", "program").empty() ? "its program" : results.text("/meta", "program")));
  const auto text = results.read(path);
  if (!text) return Failure::failure(text.error());
  const auto timeline = parse_json(text->text, path);
  if (!timeline) return Failure::failure(timeline.error());
  DrawnRun run;
  try {
    if (const std::string error = read_timeline(results, *timeline, run); !error.empty())
      return Failure::failure(error);
  } catch (const std::exception& error) {
    return Failure::failure(fmt::format("results file '{}': {}: {}", results.path(), path, error.what()));
  }
  return run;
}

std::vector<std::array<double, 3>> SlotNumbers::at(const Drawing& drawing, std::size_t state, bool rates) const {
  std::vector<std::array<double, 3>> out;
  out.reserve(drawing.slots.size() + drawing.fixed.size());
  const auto dim = static_cast<std::size_t>(drawing.dim);
  const double* x = values.data() + state * drawing.slots.size() * dim;
  for (std::size_t k = 0; k < drawing.slots.size(); ++k) std::copy_n(x + k * dim, dim, out.emplace_back().begin());
  for (const std::array<double, 3>& fixed : drawing.fixed) out.push_back(rates ? std::array<double, 3>{} : fixed);
  return out;
}

std::array<double, 3> place_of(const SlotMap& map, int row, std::span<const std::array<double, 3>> slots) {
  std::array<double, 3> x{};
  for (std::uint32_t k = map.start[row]; k < map.start[row + 1]; ++k)
    for (std::size_t i = 0; i < 3; ++i) x[i] += double{map.weight[k]} * slots[map.slot[k]][i];
  return x;
}

Outcome<SlotNumbers> read_slots(const ResultsFile& results, const DrawnRun& run, const Stretch& stretch,
                                const std::string& column, std::span<const std::uint64_t> which) {
  const Drawing& drawing = run.drawing(stretch);
  const std::string path = stretch.path + "/" + column;
  const DatasetInfo* info = results.find(path);
  if (info == nullptr || info->shape.size() != 2 || !fits(drawing, info->shape[1]))
    return Outcome<SlotNumbers>::failure(
        fmt::format("results file '{}': '{}' does not fit its drawing", results.path(), path));
  const std::size_t width = info->shape[1], at_once = std::max<std::size_t>(1, piece / std::max<std::size_t>(1, width));
  SlotNumbers out;
  out.values.reserve(which.size() * drawing.slots.size() * static_cast<std::size_t>(drawing.dim));
  for (std::size_t begin = 0; begin < which.size(); begin += at_once) {
    std::vector<std::uint64_t> rows;
    for (const std::uint64_t k : which.subspan(begin, std::min(at_once, which.size() - begin)))
      rows.push_back(stretch.row[k]);
    const auto states = results.read_rows(path, rows);
    if (!states) return Outcome<SlotNumbers>::failure(states.error());
    pick(drawing, *states, width, out.values);
  }
  return out;
}

Outcome<SlotNumbers> read_base(const ResultsFile& results, const DrawnRun& run, const Stretch& stretch) {
  const Drawing& drawing = run.drawing(stretch);
  const auto q = results.read(drawing_table(stretch.model, run.analysis(stretch).name) + "/base");
  if (!q) return Outcome<SlotNumbers>::failure(q.error());
  if (!fits(drawing, q->reals.size()))
    return Outcome<SlotNumbers>::failure(
        fmt::format("results file '{}': the base of its modes does not fit its drawing", results.path()));
  SlotNumbers out;
  pick(drawing, q->reals, q->reals.size(), out.values);
  return out;
}

}  // namespace flexura

#include "flexura/report/playback.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>

#include "flexura/report/drawn_fields.hpp"
#include "flexura/report/quantise.hpp"
#include "flexura/report/thin.hpp"

namespace flexura {
namespace {

constexpr std::uint64_t piece = 1U << 20U;  ///< numbers read at a time

/// Coordinates of the drawn slots in a row of states.
struct Columns {
  std::vector<std::size_t> at;
  std::vector<int> group;  ///< 0: of a point, 1: of a vector

  Columns(const Drawing& drawing, const Topology& topology) {
    for (const int s : drawing.slots) {
      const Slot& slot = topology.slots[s];
      for (int i = 0; i < topology.dim; ++i) {
        at.push_back(static_cast<std::size_t>(slot.offset + i));
        group.push_back(slot.kind == SlotKind::point ? 0 : 1);
      }
    }
  }
  std::size_t size() const { return at.size(); }
};

std::vector<std::uint64_t> rows_to_show(const Stretch& stretch, bool over_time, std::size_t most) {
  std::vector<double> index(stretch.at.size());
  std::iota(index.begin(), index.end(), 0.0);
  std::vector<std::uint64_t> rows = even_rows(over_time ? stretch.at : index, most);
  for (std::uint64_t& row : rows) row += stretch.first;
  return rows;
}

/// Between what all but one in two hundred of the numbers lie, at each end: where colours can tell them apart though a few
/// places, at corners and clamps, stand out.
std::array<double, 2> bulk_of(std::vector<double> values) {
  std::erase_if(values, [](double x) { return !std::isfinite(x); });
  if (values.empty()) return {0, 0};
  const std::size_t few = values.size() / 200;
  std::array<double, 2> bulk{};
  for (const std::size_t end : {0, 1}) {
    const auto at = values.begin() + static_cast<std::ptrdiff_t>(end == 0 ? few : values.size() - 1 - few);
    std::nth_element(values.begin(), at, values.end());
    bulk[end] = *at;
  }
  return bulk;
}

/// Makes the frames of one stretch.
class Frames {
 public:
  Frames(const StoredRun& run, const Stretch& stretch, const Drawing& drawing, DrawnFields& fields)
      : run_(run),
        stretch_(stretch),
        spec_(run.scene->timeline.analyses[stretch.analysis]),
        model_(run.scene->models[stretch.model]),
        drawing_(drawing),
        fields_(fields),
        columns_(drawing, *model_.model.topology) {
    if (modes()) return;
    values_.resize(fields.fields().size() * static_cast<std::size_t>(drawing.field_points));
    quantities_.resize(3 * drawing.quantities.size());
    fields.begin(stretch.first_time, spec_.finds_equilibria());
  }

  /// Bytes of a frame, before compression.
  std::size_t frame_bytes() const {
    return 2 * std::max<std::size_t>(1, columns_.size() + values_.size() + quantities_.size());
  }

  /// Reads at most `most` frames. Returns what went wrong, or "".
  std::string read(std::size_t most) {
    const std::vector<std::uint64_t> rows = rows_to_show(stretch_, spec_.over_time(), most);
    const std::size_t width = static_cast<std::size_t>(model_.model.topology->nq);
    const std::size_t at_once = std::max<std::size_t>(1, piece / std::max<std::size_t>(1, width));
    for (std::size_t begin = 0; begin < rows.size(); begin += at_once) {
      const auto some = std::span(rows).subspan(begin, std::min(at_once, rows.size() - begin));
      const auto q = run_.results.read_rows(stretch_.path + (modes() ? "/shape" : "/q"), some);
      if (!q) return q.error();
      if (q->size() != some.size() * width) return fmt::format("'{}' does not fit its scene", stretch_.path);
      std::vector<double> v;
      if (spec_.over_time()) {
        auto rates = run_.results.read_rows(stretch_.path + "/v", some);
        if (!rates) return rates.error();
        v = std::move(*rates);
      }
      for (std::size_t k = 0; k < some.size(); ++k)
        take(some[k], std::span(*q).subspan(k * width, width),
             v.empty() ? std::span<const double>() : std::span<const double>(v).subspan(k * width, width));
    }
    return {};
  }

  Json json(BlockStore& blocks, Playback& playback) const {
    const Quantised q = quantise_columns(q_, columns_.size(), columns_.group);
    for (std::size_t c = 0; c < columns_.size() && !modes(); ++c)
      if (columns_.group[c] == 0) playback.position_error = std::max(playback.position_error, q.step[c] / 2);
    playback.kept += at_.size();
    playback.of += stretch_.at.size();
    playback.not_finite += not_finite_;
    Json json{{"analysis", spec_.name},
              {"type", spec_.type},
              {"model", stretch_.model},
              {"axis", axis_name(spec_.axis())},
              {"unit", spec_.over_time() ? "s" : "1"},
              {"at", blocks.add(at_, {at_.size()})},
              {"q", quantised_json(q, columns_.size(), blocks)}};
    if (modes()) return json;
    json["fields"] = Json::array();
    for (std::size_t f = 0; f < fields_.fields().size() && drawing_.field_points > 0; ++f)
      json["fields"].push_back(field_json(f, blocks));
    if (!quantities_.empty())
      json["quantities"] =
          quantised_json(quantise_columns(shown_quantities_, quantities_.size()), quantities_.size(), blocks);
    return json;
  }

  /// Of modes: the configuration they swing about, and how fast. Returns what went wrong, or "".
  std::string add_base(Json& json, const std::vector<double>& q, BlockStore& blocks) const {
    const auto frequency = run_.results.read_rows(stretch_.path + "/frequency", rows_);
    if (!frequency) return frequency.error();
    std::vector<double> base;
    for (const std::size_t c : columns_.at) base.push_back(q[c]);
    json["base"] = blocks.add(base, {base.size()});
    json["frequency"] = blocks.add(*frequency, {frequency->size()});
    return {};
  }

 private:
  bool modes() const { return spec_.finds_modes(); }

  Json field_json(std::size_t index, BlockStore& blocks) const {
    const DrawnField& field = fields_.fields()[index];
    const auto points = static_cast<std::size_t>(drawing_.field_points);
    std::vector<double> values;
    values.reserve(at_.size() * points);
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (std::size_t k = 0; k < at_.size(); ++k)
      for (std::size_t p = 0; p < points; ++p) {
        const double x = shown_values_[k * values_.size() + index * points + p];
        values.push_back(x);
        if (std::isfinite(x)) low = std::min<double>(low, x), high = std::max<double>(high, x);
      }
    if (low > high) low = high = 0;
    Json json{{"name", field.name},        {"unit", field.unit}, {"doc", field.doc},
              {"signed", field.is_signed}, {"low", low},         {"high", high}};
    json["values"] = quantised_json(quantise_all(values), points, blocks);
    if (const std::array<double, 2> bulk = bulk_of(values); bulk[1] - bulk[0] < (high - low) / 2) json["bulk"] = bulk;
    return json;
  }

  void take(std::uint64_t row, std::span<const double> q, std::span<const double> v) {
    const double at = stretch_.at[row - stretch_.first];
    const auto is_finite = [&](std::size_t c) { return std::isfinite(q[c]); };
    if (!std::all_of(columns_.at.begin(), columns_.at.end(), is_finite)) {
      ++not_finite_;
      return;
    }
    rows_.push_back(row);
    at_.push_back(at);
    for (const std::size_t c : columns_.at) q_.push_back(q[c]);
    if (modes()) return;
    fields_.evaluate(q, v, at, values_, quantities_);
    shown_values_.insert(shown_values_.end(), values_.begin(), values_.end());
    shown_quantities_.insert(shown_quantities_.end(), quantities_.begin(), quantities_.end());
  }

  const StoredRun& run_;
  const Stretch& stretch_;
  const AnalysisSpec& spec_;
  const SceneModel& model_;
  const Drawing& drawing_;
  DrawnFields& fields_;
  Columns columns_;
  std::vector<std::uint64_t> rows_;  ///< of the results file
  std::vector<double> at_, q_;
  std::vector<double> values_, quantities_;  ///< of one frame
  std::vector<float> shown_values_;          ///< [frames][values]
  std::vector<double> shown_quantities_;     ///< [frames][quantities]
  std::uint64_t not_finite_ = 0;
};

/// Coordinates of `model` at the end of what came before, or where it begins.
std::vector<double> last_state(const StoredRun& run, const std::vector<Stretch>& stretches, std::size_t index) {
  const SceneModels& scene = *run.scene;
  const SceneModel& model = scene.models[stretches[index].model];
  std::vector<double> q = model.model.values.q0;
  for (std::size_t k = index; k-- > 0;) {
    const Stretch& before = stretches[k];
    if (scene.timeline.analyses[before.analysis].finds_modes()) continue;
    const std::uint64_t row = before.first + before.at.size() - 1;
    const auto last = run.results.read_rows(before.path + "/q", std::span(&row, 1));
    if (!last) break;
    const Topology &from = *scene.models[before.model].model.topology, &to = *model.model.topology;
    const std::vector<int> origin = slots_by_name(from, to);
    for (std::size_t s = 0; s < to.slots.size(); ++s)
      for (int i = 0; origin[s] >= 0 && i < to.slots[s].size; ++i)
        q[to.slots[s].offset + i] = (*last)[from.slots[origin[s]].offset + i];
    break;
  }
  return q;
}

}  // namespace

Outcome<std::vector<Stretch>> list_stretches(const StoredRun& run) {
  std::vector<Stretch> stretches;
  const Timeline& timeline = run.scene->timeline;
  std::map<std::string, std::vector<double>> axes;  // by group
  std::map<std::string, std::uint64_t> used;        // rows that are in a stretch already
  for (const Segment& segment : timeline.segments) {
    const AnalysisSpec& spec = timeline.analyses[segment.analysis];
    const auto first = std::find_if(timeline.segments.begin(), timeline.segments.end(),
                                    [&](const Segment& s) { return s.analysis == segment.analysis; });
    std::string path = "/analysis/" + spec.name;
    if (first->model != segment.model) path += fmt::format("/model{}", segment.model + 1);
    if (!axes.contains(path)) {
      const std::string axis = path + "/" + axis_name(spec.axis());
      const DatasetInfo* info = run.results.find(axis);
      std::vector<std::uint64_t> rows(info == nullptr || info->shape.empty() ? 0 : info->shape[0]);
      std::iota(rows.begin(), rows.end(), std::uint64_t{0});
      auto at = rows.empty() ? Outcome<std::vector<double>>({}) : run.results.read_rows(axis, rows);
      if (!at) return Outcome<std::vector<Stretch>>::failure(at.error());
      axes[path] = std::move(*at);
    }
    const std::vector<double>& at = axes[path];
    const std::uint64_t begin = used[path];
    std::uint64_t end = at.size();
    if (spec.over_time()) {
      const double last = segment.end + 1e-9 * (segment.end - segment.begin);
      end = static_cast<std::uint64_t>(std::upper_bound(at.begin(), at.end(), last) - at.begin());
    }
    if (end <= begin) continue;
    used[path] = end;
    const auto from = at.begin() + static_cast<std::ptrdiff_t>(begin),
               to = at.begin() + static_cast<std::ptrdiff_t>(end);
    if (!stretches.empty() && stretches.back().path == path)
      stretches.back().at.insert(stretches.back().at.end(), from, to);
    else
      stretches.push_back({segment.analysis, segment.model, path, {from, to}, begin, segment.begin});
  }
  return stretches;
}

Outcome<Playback> make_playback(const StoredRun& run, const std::vector<Stretch>& stretches,
                                const std::vector<Drawing>& drawings, const PlaybackLimits& limits,
                                BlockStore& blocks) {
  Playback playback;
  playback.stretches = Json::array();
  std::map<int, DrawnFields> fields;  // by model: they follow the loads from one stretch to the next
  for (std::size_t k = 0; k < stretches.size(); ++k) {
    const Stretch& stretch = stretches[k];
    const SceneModel& model = run.scene->models[stretch.model];
    DrawnFields& colours = fields.try_emplace(stretch.model, model, drawings[stretch.model]).first->second;
    Frames frames(run, stretch, drawings[stretch.model], colours);
    const std::size_t room = limits.bytes / stretches.size() / frames.frame_bytes();
    if (const std::string error = frames.read(std::clamp<std::size_t>(room, 2, limits.frames)); !error.empty())
      return Outcome<Playback>::failure(error);
    Json json = frames.json(blocks, playback);
    if (run.scene->timeline.analyses[stretch.analysis].finds_modes())
      if (const std::string error = frames.add_base(json, last_state(run, stretches, k), blocks); !error.empty())
        return Outcome<Playback>::failure(error);
    playback.stretches.push_back(std::move(json));
  }
  return playback;
}

}  // namespace flexura

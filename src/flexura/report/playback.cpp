#include "flexura/report/playback.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>

#include "flexura/output/drawing_file.hpp"
#include "flexura/report/quantise.hpp"
#include "flexura/report/thin.hpp"

namespace flexura {
namespace {

/// 0: of a point, 1: of a vector, for each coordinate of the drawn slots.
std::vector<int> groups_of(const Drawing& drawing) {
  std::vector<int> group;
  for (const Drawing::MovingSlot& slot : drawing.slots)
    for (int i = 0; i < drawing.dim; ++i) group.push_back(slot.is_vector ? 1 : 0);
  return group;
}

std::vector<std::uint64_t> states_to_show(const Stretch& stretch, bool over_time, std::size_t most) {
  std::vector<double> index(stretch.at.size());
  std::iota(index.begin(), index.end(), 0.0);
  return even_rows(over_time ? stretch.at : index, most);
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
  Frames(const ResultsFile& results, const DrawnRun& run, const Stretch& stretch)
      : results_(results),
        run_(run),
        stretch_(stretch),
        analysis_(run.analysis(stretch)),
        drawing_(run.drawing(stretch)),
        group_(groups_of(drawing_)) {
    if (stretch.table.empty()) return;
    fields_ = drawing_.field_points > 0 ? drawing_.fields.size() : 0;
    arrows_ = drawing_.quantities.size();
  }

  /// Bytes of a frame, before compression.
  std::size_t frame_bytes() const {
    return 2 * std::max<std::size_t>(1, group_.size() + fields_ * points() + 3 * arrows_);
  }

  /// Reads at most `most` frames. Returns what went wrong, or "".
  std::string read(std::size_t most) {
    std::vector<std::uint64_t> shown = states_to_show(stretch_, analysis_.over_time(), most);
    auto slots = read_slots(results_, run_, stretch_, analysis_.is_modes() ? "shape" : "q", shown);
    if (!slots) return slots.error();
    leave_out_not_finite(shown, slots->values);
    q_ = std::move(slots->values);
    for (const std::uint64_t k : shown) {
      at_.push_back(stretch_.at[k]);
      rows_.push_back(stretch_.row[k]);
    }
    if (stretch_.table.empty()) return {};
    std::vector<std::uint64_t> table_rows;
    for (const std::uint64_t k : shown) table_rows.push_back(stretch_.table_row[k]);
    auto numbers = read_drawing_rows(results_, stretch_.table, drawing_, table_rows);
    if (!numbers) return numbers.error();
    numbers_ = std::move(*numbers);
    return {};
  }

  Json json(BlockStore& blocks, Playback& playback) const {
    const Quantised q = quantise_columns(q_, group_.size(), group_);
    for (std::size_t c = 0; c < group_.size() && !analysis_.is_modes(); ++c)
      if (group_[c] == 0) playback.position_error = std::max(playback.position_error, q.step[c] / 2);
    playback.kept += at_.size();
    playback.of += stretch_.states;
    playback.not_finite += not_finite_;
    Json json{{"analysis", analysis_.name},
              {"type", analysis_.type},
              {"model", stretch_.model},
              {"axis", analysis_.axis()},
              {"unit", analysis_.over_time() ? "s" : "1"},
              {"at", blocks.add(at_, {at_.size()})},
              {"q", quantised_json(q, group_.size(), blocks)}};
    if (analysis_.is_modes()) return json;
    json["fields"] = Json::array();
    for (std::size_t f = 0; f < fields_; ++f) json["fields"].push_back(field_json(f, blocks));
    if (arrows_ > 0)
      json["quantities"] = quantised_json(quantise_columns(numbers_.quantities, 3 * arrows_), 3 * arrows_, blocks);
    return json;
  }

  /// Of modes: the configuration they swing about, and how fast. Returns what went wrong, or "".
  std::string add_base(Json& json, BlockStore& blocks) const {
    const auto frequency = results_.read_rows(stretch_.path + "/frequency", rows_);
    if (!frequency) return frequency.error();
    const auto base = read_base(results_, run_, stretch_);
    if (!base) return base.error();
    json["base"] = blocks.add(base->values, {base->values.size()});
    json["frequency"] = blocks.add(*frequency, {frequency->size()});
    return {};
  }

 private:
  std::size_t points() const { return static_cast<std::size_t>(drawing_.field_points); }

  /// States whose drawn coordinates are no numbers.
  void leave_out_not_finite(std::vector<std::uint64_t>& shown, std::vector<double>& q) {
    const std::size_t width = group_.size();
    std::size_t kept = 0;
    for (std::size_t k = 0; k < shown.size(); ++k) {
      const auto begin = q.begin() + static_cast<std::ptrdiff_t>(k * width);
      const auto end = begin + static_cast<std::ptrdiff_t>(width);
      if (!std::all_of(begin, end, [](double x) { return std::isfinite(x); })) continue;
      shown[kept] = shown[k];
      std::copy(begin, end, q.begin() + static_cast<std::ptrdiff_t>(kept * width));
      ++kept;
    }
    not_finite_ += shown.size() - kept;
    shown.resize(kept);
    q.resize(kept * width);
  }

  Json field_json(std::size_t index, BlockStore& blocks) const {
    const DrawnField& field = drawing_.fields[index];
    std::vector<double> values;
    values.reserve(at_.size() * points());
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (std::size_t k = 0; k < at_.size(); ++k)
      for (std::size_t p = 0; p < points(); ++p) {
        const double x = numbers_.values[(k * fields_ + index) * points() + p];
        values.push_back(x);
        if (std::isfinite(x)) low = std::min<double>(low, x), high = std::max<double>(high, x);
      }
    if (low > high) low = high = 0;
    Json json{{"name", field.name},        {"unit", field.unit}, {"doc", field.doc},
              {"signed", field.is_signed}, {"low", low},         {"high", high}};
    json["values"] = quantised_json(quantise_all(values), points(), blocks);
    if (const std::array<double, 2> bulk = bulk_of(values); bulk[1] - bulk[0] < (high - low) / 2) json["bulk"] = bulk;
    return json;
  }

  const ResultsFile& results_;
  const DrawnRun& run_;
  const Stretch& stretch_;
  const StoredAnalysis& analysis_;
  const Drawing& drawing_;
  std::vector<int> group_;               ///< of the drawn coordinates
  std::size_t fields_ = 0, arrows_ = 0;  ///< that the file has numbers of
  std::vector<std::uint64_t> rows_;      ///< of the results file
  std::vector<double> at_, q_;
  DrawnNumbers numbers_;
  std::uint64_t not_finite_ = 0;
};

}  // namespace

Outcome<Playback> make_playback(const ResultsFile& results, const DrawnRun& run, const PlaybackLimits& limits,
                                BlockStore& blocks) {
  Playback playback;
  playback.stretches = Json::array();
  for (const Stretch& stretch : run.stretches) {
    Frames frames(results, run, stretch);
    const std::size_t room = limits.bytes / run.stretches.size() / frames.frame_bytes();
    if (const std::string error = frames.read(std::clamp<std::size_t>(room, 2, limits.frames)); !error.empty())
      return Outcome<Playback>::failure(error);
    Json json = frames.json(blocks, playback);
    if (run.analysis(stretch).is_modes())
      if (const std::string error = frames.add_base(json, blocks); !error.empty())
        return Outcome<Playback>::failure(error);
    playback.stretches.push_back(std::move(json));
  }
  return playback;
}

}  // namespace flexura

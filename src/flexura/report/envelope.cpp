#include "flexura/report/envelope.hpp"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>

namespace flexura {
namespace {

constexpr std::uint64_t numbers_at_once = 1U << 20U;
constexpr std::string_view sensors = "/sensors/", envelopes = "/envelopes/";

std::vector<std::uint64_t> rows_between(std::uint64_t begin, std::uint64_t end) {
  std::vector<std::uint64_t> rows(end - begin);
  std::iota(rows.begin(), rows.end(), begin);
  return rows;
}

}  // namespace

Outcome<EnvelopeData> read_envelope(const ResultsFile& results, const TableSource& source, std::size_t most) {
  using Failure = Outcome<EnvelopeData>;
  EnvelopeData data;
  if (!source.axis_path.starts_with(sensors)) return data;
  const auto beside = [&](const std::string& path) { return std::string(envelopes) + path.substr(sensors.size()); };
  const DatasetInfo* axis = results.find(beside(source.axis_path));
  if (axis == nullptr || axis->shape.size() != 1 || axis->shape[0] == 0) return data;
  const std::uint64_t rows = axis->shape[0], kept = std::min<std::uint64_t>(rows, std::max<std::size_t>(1, most));
  const auto to = results.read_rows(axis->path, rows_between(0, rows));
  const auto samples = results.read_rows(source.axis_path, rows_between(0, source.rows));
  if (!to || !samples) return Failure::failure(to ? samples.error() : to.error());
  const std::size_t columns = source.columns.size();
  constexpr double none = std::numeric_limits<double>::infinity();
  data.from.assign(kept, none), data.to.assign(kept, -none);
  data.least.assign(kept * columns, none), data.greatest.assign(kept * columns, -none);
  for (std::uint64_t row = 0; row < rows; ++row) {
    const std::uint64_t at = row * kept / rows;
    const auto sample = std::lower_bound(samples->begin(), samples->end(), (*to)[row]);
    data.from[at] = std::min(data.from[at], sample == samples->begin() ? (*to)[row] : *(sample - 1));
    data.to[at] = std::max(data.to[at], (*to)[row]);
  }
  std::size_t first = 0;
  for (const std::string& path : source.paths) {
    std::size_t width = 0;
    for (const auto& [ending, numbers] : {std::pair("_least", &data.least), {"_greatest", &data.greatest}}) {
      const DatasetInfo* info = results.find(beside(path) + ending);
      if (info == nullptr || info->shape.empty() || info->shape[0] != rows) return EnvelopeData();
      width = std::accumulate(info->shape.begin() + 1, info->shape.end(), std::size_t{1}, std::multiplies<>());
      if (first + width > columns) return EnvelopeData();
      const std::uint64_t at_once = std::max<std::uint64_t>(1, numbers_at_once / std::max<std::size_t>(1, width));
      for (std::uint64_t begin = 0; begin < rows; begin += at_once) {
        const std::vector<std::uint64_t> which = rows_between(begin, std::min(rows, begin + at_once));
        const auto values = results.read_rows(info->path, which);
        if (!values) return Failure::failure(values.error());
        for (std::size_t k = 0; k < which.size(); ++k)
          for (std::size_t i = 0; i < width; ++i) {
            double& range = (*numbers)[which[k] * kept / rows * columns + first + i];
            const double x = (*values)[k * width + i];
            range = numbers == &data.least ? std::min(range, x) : std::max(range, x);
          }
      }
    }
    first += width;
  }
  return data;
}

Json envelope_json(const TableSource& source, const EnvelopeData& data, BlockStore& blocks) {
  const std::size_t rows = data.from.size(), columns = source.columns.size();
  Json json;
  json["from"] = blocks.add(data.from, {rows});
  json["to"] = blocks.add(data.to, {rows});
  json["least"] = blocks.add(data.least, {rows, columns});
  json["greatest"] = blocks.add(data.greatest, {rows, columns});
  return json;
}

}  // namespace flexura

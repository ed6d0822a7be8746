#include "flexura/output/sensor_plots.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "flexura/base/file.hpp"
#include "flexura/output/csv_file.hpp"

namespace flexura {

namespace {

constexpr std::uint64_t most_curves = 12;  ///< of a column with more components the first ones are drawn

std::string last_part(const std::string& path) { return path.substr(path.rfind('/') + 1); }

std::string label(const std::string& name, const std::string& unit) {
  return fmt::format("{} [{}]", name, unit.empty() ? "1" : unit);
}

}  // namespace

std::vector<Plot> plots_of(const Channel& channel, std::span<const double> rows, const std::string& note) {
  std::vector<Plot> plots;
  const std::uint64_t width = channel.size();
  const std::size_t count = width > 0 ? rows.size() / width : 0;
  const ChannelColumn& axis = channel.columns.front();
  const std::vector<NumberTable::Heading> headings = table_of(channel, {}).headings;
  std::uint64_t first = axis.size();
  for (std::size_t c = 1; c < channel.columns.size(); ++c) {
    const ChannelColumn& column = channel.columns[c];
    const std::string name = column.name == "value" ? last_part(channel.path) : column.name;
    Plot plot{
        .title = last_part(channel.path), .x_label = label(axis.name, axis.unit), .y_label = label(name, column.unit)};
    if (name != plot.title) plot.title += ": " + name;
    plot.note = note.empty() ? column.doc : note;
    for (std::uint64_t i = 0; i < std::min(column.size(), most_curves); ++i) {
      PlotCurve curve;
      if (column.size() > 1) curve.label = headings[first + i].name;
      for (std::size_t row = 0; row < count; ++row) {
        curve.x.push_back(rows[row * width]);
        curve.y.push_back(rows[row * width + first + i]);
      }
      plot.curves.push_back(std::move(curve));
    }
    first += column.size();
    plots.push_back(std::move(plot));
  }
  return plots;
}

void add_bands(std::vector<Plot>& plots, const Channel& channel, const Channel& envelope,
               std::span<const double> envelope_rows) {
  constexpr const char* says = "curve: samples; band: least and greatest of all steps";
  const std::uint64_t width = envelope.size(), numbers = channel.size() - 1;
  if (width != 1 + 2 * numbers) return;
  std::uint64_t first = 1;
  for (std::size_t c = 0; c < plots.size(); ++c) {
    Plot& plot = plots[c];
    plot.note += (plot.note.empty() ? "" : "; ") + std::string(says);
    for (std::size_t i = 0; i < plot.curves.size(); ++i) {
      PlotCurve& curve = plot.curves[i];
      for (std::size_t row = 0; row + width <= envelope_rows.size(); row += width) {
        const double t = envelope_rows[row];
        const auto sample = std::lower_bound(curve.x.begin(), curve.x.end(), t);
        const double from = sample == curve.x.begin() ? t : *(sample - 1);
        curve.band.push_back({from, t, envelope_rows[row + first + i], envelope_rows[row + first + numbers + i]});
      }
    }
    first += channel.columns[c + 1].size();
  }
}

Outcome<std::vector<std::string>> write_plot_files(const JournalReader& journal, std::span<const KeptTable> tables,
                                                   const std::string& folder, const std::string& note) {
  using Result = Outcome<std::vector<std::string>>;
  std::vector<ChannelId> ids;
  for (const KeptTable& table : tables) ids.push_back(table.channel);
  const auto rows = journal.read_rows(ids);
  if (!rows) return Result::failure(rows.error());
  std::vector<std::string> paths;
  for (std::size_t i = 0; i < tables.size(); ++i) {
    if (!tables[i].series) continue;
    std::vector<Plot> plots = plots_of(tables[i].columns, (*rows)[i], note);
    if (const auto envelope = envelope_of(journal, tables[i])) {
      const auto steps = journal.read_rows(*envelope);
      if (!steps) return Result::failure(steps.error());
      add_bands(plots, tables[i].columns, journal.channels()[*envelope], *steps);
    }
    for (std::size_t c = 0; c < plots.size(); ++c) {
      const std::string column = plots.size() > 1 ? "." + tables[i].columns.columns[c + 1].name : "";
      paths.push_back(fmt::format("{}/{}{}.svg", folder, tables[i].file, column));
      if (std::string error = write_file(paths.back(), svg_text(plots[c])); !error.empty())
        return Result::failure(std::move(error));
    }
  }
  return paths;
}

}  // namespace flexura

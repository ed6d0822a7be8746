#pragma once
// The drawing of a run in its files (docs/results-format.md, "The drawing"): one group per model, written when the run begins,
// and one table of field values per model and analysis.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "flexura/base/json.hpp"
#include "flexura/base/outcome.hpp"
#include "flexura/observe/drawing.hpp"
#include "flexura/output/hdf5_reader.hpp"
#include "flexura/output/journal_writer.hpp"

namespace flexura {

/// Grows with every change of the group that this program would misunderstand.
constexpr int drawing_version = 1;

/// Group of a model's drawing: "/drawing/model1".
std::string drawing_group(int model);

/// Group of what the states of an analysis add: "/drawing/model1/analysis/move".
std::string drawing_table(int model, const std::string& analysis);

void write_drawing(JournalWriter& writer, int model, const Drawing& drawing);
Outcome<Drawing> read_drawing(const ResultsFile& results, int model);

/// The table of a drawing's numbers over an analysis: `axis` and a column for each field, the forces and the moments of its
/// arrows. No columns but the axis: nothing is coloured and nothing acts.
Channel drawing_channel(int model, const std::string& analysis, const ChannelColumn& axis, const Drawing& drawing);

/// Values of a drawing's fields and quantities, as DrawnFields gives them, in the order of the columns.
void drawing_row(const Drawing& drawing, double at, std::span<const double> values, std::span<const double> quantities,
                 std::vector<double>& row);

/// The same read back, by rows of the table.
struct DrawnNumbers {
  std::vector<double> values;      ///< [row][field][field point]; NaN: no value
  std::vector<double> quantities;  ///< [row][quantity][3]
};
Outcome<DrawnNumbers> read_drawing_rows(const ResultsFile& results, const std::string& table, const Drawing& drawing,
                                        std::span<const std::uint64_t> rows);

}  // namespace flexura

#pragma once

#include "flexura/output/kept_tables.hpp"
#include "flexura/output/plot_svg.hpp"

namespace flexura {

/// Plots of one channel against its axis, one per column after the first: a curve per component.
std::vector<Plot> plots_of(const Channel& channel, std::span<const double> rows, const std::string& note = {});

/// What a sensor read at steps between its samples (/envelopes/SENSOR) goes behind the curves of its plots, and their notes
/// say which is which.
void add_bands(std::vector<Plot>& plots, const Channel& channel, const Channel& envelope,
               std::span<const double> envelope_rows);

/// Plots of every table that is a series, named as its file and, where there are several, the column. Returns the paths.
Outcome<std::vector<std::string>> write_plot_files(const JournalReader& journal, std::span<const KeptTable> tables,
                                                   const std::string& folder, const std::string& note = {});

}  // namespace flexura

#pragma once
// What was run and what of it can be drawn, from a results file alone.

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "flexura/observe/drawing.hpp"
#include "flexura/output/hdf5_reader.hpp"

namespace flexura {

/// One [[analysis]] as /model/timeline tells it.
struct StoredAnalysis {
  std::string name, type;  ///< "static", "dynamic", "kinematic", "inverse_dynamics", "modes"
  std::string text;        ///< what it does, for people: "dynamic, 0 s to 2 s; Newmark, step 0.001 s"

  bool is_static() const { return type == "static"; }
  bool is_modes() const { return type == "modes"; }
  bool over_time() const { return !is_static() && !is_modes(); }
  /// Dataset that the rows go by: "t", "load_factor", "mode".
  const char* axis() const { return is_static() ? "load_factor" : is_modes() ? "mode" : "t"; }
};

/// States of one analysis in one model that can be drawn, in order.
struct Stretch {
  int analysis = 0, model = 0;
  std::string path;                ///< group of the states
  std::string table;               ///< group of what goes with them, or "": nothing is coloured and nothing acts
  std::vector<double> at;          ///< time, load factor or number of the mode
  std::vector<std::uint64_t> row;  ///< of the states, for each of `at`
  std::vector<std::uint64_t> table_row;
  std::uint64_t states = 0;  ///< that were recorded
};

struct DrawnRun {
  std::vector<StoredAnalysis> analyses;
  std::vector<Drawing> drawings;   ///< one per model of the scene
  std::vector<Stretch> stretches;  ///< all that have states

  const StoredAnalysis& analysis(const Stretch& stretch) const { return analyses[stretch.analysis]; }
  const Drawing& drawing(const Stretch& stretch) const { return drawings[stretch.model]; }
};

/// A failure says what to do: files of versions before drawings were kept hold none.
Outcome<DrawnRun> read_drawn_run(const ResultsFile& results);

/// What a drawing needs of states: the coordinates of its slots, [state][slot][dim].
struct SlotNumbers {
  std::vector<double> values;

  /// Of one state as points and directions of space, those that never move behind (0 if `rates`).
  std::vector<std::array<double, 3>> at(const Drawing& drawing, std::size_t state, bool rates = false) const;
};

/// Σ weight · slot of one row.
std::array<double, 3> place_of(const SlotMap& map, int row, std::span<const std::array<double, 3>> slots);

/// Column "q", "v" or "shape" of some of a stretch's states; `which` are indices of Stretch::at, ascending.
Outcome<SlotNumbers> read_slots(const ResultsFile& results, const DrawnRun& run, const Stretch& stretch,
                                const std::string& column, std::span<const std::uint64_t> which);
/// The configuration that modes swing about, one state.
Outcome<SlotNumbers> read_base(const ResultsFile& results, const DrawnRun& run, const Stretch& stretch);

}  // namespace flexura

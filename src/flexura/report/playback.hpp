#pragma once
// The states of a results file as frames to be played.

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "flexura/report/block.hpp"
#include "flexura/report/drawing.hpp"
#include "flexura/report/stored_run.hpp"

namespace flexura {

/// Rows of one analysis in one model.
struct Stretch {
  int analysis = 0, model = 0;
  std::string path;         ///< group of the results file
  std::vector<double> at;   ///< time, load factor or number of the mode of each row
  std::uint64_t first = 0;  ///< row of at[0]
  double first_time = 0;    ///< where it begins [s]
};

/// All that have rows, in order.
Outcome<std::vector<Stretch>> list_stretches(const StoredRun& run);

struct PlaybackLimits {
  std::size_t frames = 1500;       ///< of a stretch
  std::size_t bytes = 22'000'000;  ///< of all frames, before compression
};

struct Playback {
  Json stretches;
  double position_error = 0;       ///< largest, by rounding [m]
  std::uint64_t kept = 0, of = 0;  ///< states
  std::uint64_t not_finite = 0;    ///< states left out because they hold no numbers
};

/// `drawings`: one per model.
Outcome<Playback> make_playback(const StoredRun& run, const std::vector<Stretch>& stretches,
                                const std::vector<Drawing>& drawings, const PlaybackLimits& limits, BlockStore& blocks);

}  // namespace flexura

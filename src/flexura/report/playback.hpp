#pragma once
// The states of a results file as frames to be played.

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "flexura/output/drawn_run.hpp"
#include "flexura/report/block.hpp"

namespace flexura {

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

Outcome<Playback> make_playback(const ResultsFile& results, const DrawnRun& run, const PlaybackLimits& limits,
                                BlockStore& blocks);

}  // namespace flexura

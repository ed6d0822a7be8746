#include "flexura/run/snap_watch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "flexura/integrate/signal_work.hpp"
#include "flexura/load/winding.hpp"

namespace flexura {
namespace {

/// Of what a step moved: what is lost of it where it snaps.
constexpr double noticeable_loss = 0.25;
/// Of the work's parts: the trapezoidal rule is wrong by 1 − ½ δ cot ½ δ where a step turns by δ: 0.6 % of 15°, the longest
/// step of a prescribed angle (solve/statics.hpp), and 3.3 % of 36°. The error does not vanish where the work does, as of a crank at
/// its dead point: the largest step counts.
constexpr double error_of_work = 0.05;
constexpr double little = 0.02;  ///< of the largest step
constexpr int most_told = 3;

}  // namespace

SnapWatch::SnapWatch(const System<double>& system) {
  const Topology& topology = system.topology();
  watches_ = topology.contacts == nullptr && !is_driven_by_signals(topology);
  for (const ItemBatch& items : topology.batches)  // lines of gas remember how much has passed
    if (items.history > 0 && !items.type->info.name.starts_with("gas_") && !counts_turns_only(items.type->info.name))
      watches_ = false;
}

std::string SnapWatch::look(double factor, const StepWork& work, double stored,
                            const std::function<double()>& rounding) {
  const double gained = stored - stored_, moved = std::max(std::fabs(work.net), std::fabs(gained)), from = factor_;
  factor_ = factor, stored_ = stored;
  if (points_++ < 2) {  // what it begins with may be no equilibrium
    if (points_ == 2) most_ = moved, most_work_ = work.gross;
    return {};
  }
  most_ = std::max(most_, moved);
  most_work_ = std::max(most_work_, work.gross);
  const double lost = work.net - gained;
  if (!watches_ || told_ == most_told || !(lost > noticeable_loss * moved) || !(lost > little * most_) ||
      !(lost > error_of_work * most_work_) || !(lost > rounding()))
    return {};
  ++told_;
  return fmt::format(
      "between {:.4g} and {:.4g} of the loads it snapped to another equilibrium and lost {:.2g} J: arc_length = true "
      "follows the path between them, a dynamic analysis the motion",
      from, factor, lost);
}

}  // namespace flexura

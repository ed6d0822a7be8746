#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "flexura/scene/tension_file.hpp"

namespace flexura {
namespace {

constexpr double least_reversal = 0.05;  ///< of the range of ln λ: less is noise of the measurement
constexpr double least_gap = 0.05;       ///< of the largest stress: less, and the branches are one curve

struct Branches {
  std::vector<bool> is_loading;
  int loading_count = 0;
};

/// Stretches of rows between turning points; a branch leads away from λ = 1 or back to it.
std::optional<Branches> branches_of(const TensionData& data) {
  std::vector<double> x;
  for (const double stretch : data.stretch) x.push_back(std::log(stretch));
  const auto [low, high] = std::ranges::minmax(x);
  const double reversal = least_reversal * (high - low);
  std::vector<std::size_t> turning{0};
  std::size_t extreme = 0;
  int direction = 0;
  for (std::size_t i = 1; i < x.size(); ++i) {
    const double change = x[i] - x[extreme];
    if (direction == 0 ? std::abs(change) > reversal : direction * change < -reversal) {
      if (direction != 0) turning.push_back(extreme);
      direction = change > 0 ? 1 : -1;
      extreme = i;
    } else if (direction * change >= 0) {
      extreme = i;
    }
  }
  turning.push_back(x.size() - 1);
  if (turning.size() < 3) return {};
  Branches out{std::vector<bool>(x.size(), false)};
  for (std::size_t k = 0; k + 1 < turning.size(); ++k) {
    const double along = x[turning[k + 1]] - x[turning[k]];
    bool any = false;
    for (std::size_t i = turning[k]; i <= turning[k + 1]; ++i)
      if (along * x[i] > 0 || (x[i] == 0 && k == 0)) any = out.is_loading[i] = true;
    out.loading_count += any;
  }
  return out;
}

/// Root mean square of P − P_loading(λ) over the rows of unloading, against the largest stress.
double gap(const TensionData& data, const std::vector<bool>& is_loading) {
  std::vector<std::pair<double, double>> loading;
  double largest = 0, sum = 0;
  for (std::size_t i = 0; i < data.stretch.size(); ++i) {
    largest = std::max(largest, std::abs(data.stress[i]));
    if (is_loading[i]) loading.emplace_back(data.stretch[i], data.stress[i]);
  }
  std::ranges::sort(loading);
  int count = 0;
  for (std::size_t i = 0; i < data.stretch.size(); ++i) {
    if (is_loading[i]) continue;
    const auto above = std::ranges::upper_bound(loading, std::pair(data.stretch[i], -HUGE_VAL));
    if (above == loading.begin() || above == loading.end()) continue;
    const auto [l0, P0] = above[-1];
    const auto [l1, P1] = *above;
    sum += std::pow(data.stress[i] - (P0 + (P1 - P0) * (data.stretch[i] - l0) / std::max(l1 - l0, 1e-300)), 2);
    ++count;
  }
  return count > 0 && largest > 0 ? std::sqrt(sum / count) / largest : 0;
}

}  // namespace

std::optional<Problem> keep_branch(TensionData& data, TensionBranch branch) {
  if (branch == TensionBranch::all || data.stretch.size() != data.stress.size() || data.stretch.size() < 3 ||
      !std::ranges::all_of(data.stretch, [](double l) { return l > 0 && std::isfinite(l); }))
    return {};
  const std::optional<Branches> found = branches_of(data);
  if (!found) return {};
  const bool loading = branch == TensionBranch::loading;
  const double difference = gap(data, found->is_loading);
  if (loading && difference < least_gap) return {};
  TensionData kept{.name = data.name, .test = data.test, .stretch = {}, .stress = {}};
  for (std::size_t i = 0; i < data.stretch.size(); ++i)
    if (found->is_loading[i] == loading) kept.stretch.push_back(data.stretch[i]), kept.stress.push_back(data.stress[i]);
  const std::size_t all = data.stretch.size(), left = kept.stretch.size();
  data = std::move(kept);
  if (!loading) return {};
  return Problem{
      {data.name, 0, 0, 1},
      {},
      fmt::format("the file holds loading and unloading, which differ by {:.2g} % of the largest stress: the {} "
                  "points of loading are fitted{}, and {} points left out; --branch unloading or --branch all "
                  "takes others",
                  100 * difference, left,
                  found->loading_count > 1 ? fmt::format(", of {} cycles together", found->loading_count) : "",
                  all - left),
      {},
      true};
}

}  // namespace flexura

#include "flexura/study/invert.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace flexura {
namespace {

constexpr double first_weight = 1, last_weight = 1e-9;  ///< of effort against tolerances

}  // namespace

InvertReport invert(const Inversion& what, const IdentifyOptions& options) {
  Identification now = what.what;
  const bool is_redundant =
      std::ranges::any_of(what.effort, [](const std::optional<Effort>& effort) { return effort.has_value(); });
  InvertReport out;
  for (double weight = is_redundant ? first_weight : 0;;) {
    for (size_t k = 0; k < now.sought.size(); ++k)
      if (const std::optional<Effort>& effort = what.effort[k]; effort && weight > 0)
        now.sought[k].prior = NormalPrior{effort->rest, effort->scale / std::sqrt(weight)};
    out.fit = identify(now, options);
    out.runs += out.fit.runs;
    out.recalled += out.fit.recalled;
    out.miss.clear();
    for (const FittedSeries& s : out.fit.series)
      for (size_t i = 0; i < s.model.size(); ++i)
        out.miss.push_back(std::abs(s.model[i] - s.measured.y[i]) / s.measured.noise);
    out.reached = !out.miss.empty() && std::ranges::all_of(out.miss, [](double miss) { return miss <= 1; });
    if (out.reached || weight == 0 || weight < last_weight) break;
    weight *= 0.01;
    for (size_t k = 0; k < now.sought.size(); ++k) now.sought[k].start = out.fit.numbers[k].value;
  }
  for (size_t k = 0; k < now.sought.size(); ++k) {
    const SoughtNumber& n = what.what.sought[k];
    out.fit.numbers[k].sought.start = n.start;
    const double x = n.is_log ? std::log(out.fit.numbers[k].value) : out.fit.numbers[k].value;
    if (what.effort[k]) out.effort += std::pow((x - what.effort[k]->rest) / what.effort[k]->scale, 2);
  }
  return out;
}

}  // namespace flexura

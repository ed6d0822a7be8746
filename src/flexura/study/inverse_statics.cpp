#include "flexura/study/inverse_statics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "flexura/base/nearest_name.hpp"
#include "flexura/study/inverse_log.hpp"
#include "flexura/study/least_squares.hpp"
#include "flexura/study/random_numbers.hpp"
#include "flexura/study/sobol.hpp"

namespace flexura {
namespace {

[[noreturn]] void refuse(const std::string& what, const std::string& message, const std::string& nearest = {}) {
  throw InputError({{{}, what, message, nearest}});
}

int find(const std::vector<std::string>& names, std::string_view name, const char* what) {
  const auto at = std::find(names.begin(), names.end(), name);
  if (at == names.end())
    refuse(std::string(name), fmt::format("the scene has no {} of this name", what),
           nearest_name(std::string(name), names));
  return static_cast<int>(at - names.begin());
}

/// Searches of inputs by one row of numbers.
class InputSearch {
 public:
  InputSearch(SteeredStatics& statics, std::vector<SteeredInput> inputs, SensorRow row)
      : statics_(statics), inputs_(std::move(inputs)), row_(std::move(row)) {
    for (const SteeredInput& input : inputs_) {
      places_.push_back(find(statics.inputs(), input.name, "input"));
      if (!(input.low < input.high) || input.start < input.low || input.start > input.high || !(input.scale > 0))
        refuse(input.name, "low < high, the start between them and a scale above zero");
    }
  }

  /// What weighs the numbers, and what is wanted of them.
  std::vector<double> wanted, weights;
  std::vector<std::optional<NormalPrior>> priors;

  LeastSquaresReport search(std::span<const double> start, int max_iterations, double good_enough) {
    all_ = statics_.values();
    best_.reset();
    const size_t m = row_.columns.size();
    const Residuals residuals = [&](std::span<const double> u, std::span<double> out) { return look(u, out); };
    const ResidualSlopes slopes = [&](std::span<const double> u, std::span<double> out) {
      go_back();
      if (statics_.slopes(row_, places_, out)) {
        for (size_t k = 0; k < inputs_.size(); ++k)
          for (size_t i = 0; i < m; ++i) out[k * m + i] *= weights[i];
        return true;
      }
      differences(u, out);
      return true;
    };
    LeastSquaresOptions options;
    options.max_iterations = max_iterations;
    options.longest_step = 0.25;
    options.good_enough = good_enough;
    options.least_gain = 1e-13;
    options.follows_gain = true;
    options.accepted = [&](std::span<const double>) {
      best_ = {statics_.state(), readings_};
      row_ = tried_;
    };
    std::vector<SoughtParameter> sought;
    for (size_t k = 0; k < inputs_.size(); ++k)
      sought.push_back({.name = inputs_[k].name,
                        .start = std::clamp(start[k], inputs_[k].low, inputs_[k].high),
                        .low = inputs_[k].low,
                        .high = inputs_[k].high,
                        .scale = inputs_[k].scale,
                        .prior = priors.empty() ? std::nullopt : priors[k]});
    LeastSquaresReport found = least_squares(sought, m, residuals, options, slopes);
    go_back();
    return found;
  }

  bool is_found() const { return best_.has_value(); }
  SensorRow& row() { return row_; }
  const std::vector<int>& places() const { return places_; }

 private:
  struct Best {
    State<double> state;
    std::vector<double> readings;
  };

  void go_back() {
    if (best_) statics_.return_to(best_->state);
  }
  /// Every equilibrium is sought from that of the best inputs so far.
  bool look(std::span<const double> u, std::span<double> out) {
    go_back();
    std::vector<double> to = all_;
    for (size_t k = 0; k < places_.size(); ++k) to[static_cast<size_t>(places_[k])] = u[k];
    tried_ = row_;
    if (!statics_.follow_to(to, &tried_)) return false;
    readings_.resize(row_.columns.size());
    statics_.read(tried_, readings_);
    for (size_t i = 0; i < out.size(); ++i) out[i] = weights[i] * (readings_[i] - wanted[i]);
    return std::ranges::all_of(out, [](double x) { return std::isfinite(x); });
  }
  void differences(std::span<const double> u, std::span<double> out) {
    const size_t m = row_.columns.size();
    std::vector<double> here(m), aside(u.begin(), u.end());
    for (size_t i = 0; i < m; ++i) here[i] = weights[i] * (best_->readings[i] - wanted[i]);
    for (size_t k = 0; k < inputs_.size(); ++k) {
      const std::span<double> column = out.subspan(k * m, m);
      const double size = 1e-3 * inputs_[k].scale, step = u[k] + size > inputs_[k].high ? -size : size;
      aside[k] = u[k] + step;
      const bool found = look(aside, column);
      for (size_t i = 0; i < m; ++i) column[i] = found ? (column[i] - here[i]) / step : 0;
      aside[k] = u[k];
    }
  }
  SteeredStatics& statics_;
  std::vector<SteeredInput> inputs_;
  SensorRow row_, tried_;  ///< at the best inputs so far, and at those that are tried
  std::vector<int> places_;
  std::vector<double> all_, readings_;
  std::optional<Best> best_;
};

}  // namespace

InverseStaticsReport inverse_statics(SteeredStatics& statics, const std::vector<SteeredInput>& inputs,
                                     const std::vector<StaticTarget>& targets, const InverseStaticsOptions& options) {
  if (inputs.empty() || targets.empty()) refuse("inverse statics", "it takes an input and a target at least");
  SensorRow row;
  std::vector<double> wanted, weights;
  for (const StaticTarget& target : targets) {
    if (const auto size = static_cast<int>(statics.read(target.sensor).size());
        target.component < 0 || target.component >= size)
      refuse(target.sensor,
             fmt::format("the sensor has no component {}: it has {}, from 0 on", target.component, size));
    std::vector<Problem> problems;
    const SensorRow whole = SensorRow::find(statics.model(), statics.document().file, {target.sensor}, problems);
    const auto c = static_cast<size_t>(target.component);
    ReadSensor one = whole.sensors.front();
    one.components = {target.component};
    one.columns = {static_cast<int>(row.columns.size())};
    row.sensors.push_back(std::move(one));
    row.columns.push_back(whole.columns[c]);
    row.units.push_back(whole.units[c]);
    wanted.push_back(target.value);
    weights.push_back(target.weight);
  }
  InputSearch search(statics, inputs, std::move(row));
  search.wanted = std::move(wanted);
  search.weights = std::move(weights);
  std::vector<double> start;
  for (const SteeredInput& input : inputs) start.push_back(input.start);
  const LeastSquaresReport found = search.search(start, options.max_iterations, options.tolerance);

  InverseStaticsReport report;
  report.inputs = found.x;
  report.iterations = found.iterations;
  if (!search.is_found()) {
    report.message = "no equilibrium was found at the inputs to start from";
    return report;
  }
  report.miss = std::sqrt(found.sum_of_squares);
  report.converged = report.miss <= options.tolerance;
  if (!report.converged)
    report.message = fmt::format(
        "the targets are missed by {:.3g} after {} iterations: out of reach of the inputs and their bounds, or "
        "behind a limit point",
        report.miss, report.iterations);
  return report;
}

// ---- lists of points ----

namespace {

constexpr double most_effort = 1, least_effort = 1e-9;  ///< of effort against tolerances
constexpr double near_enough = 1e-3;                    ///< in tolerances, where there is no effort to save

std::vector<SteeredInput> plain(const std::vector<SoughtInput>& inputs) {
  std::vector<SteeredInput> out;
  for (const SoughtInput& input : inputs) out.push_back(input.input);
  return out;
}

/// Of a quaternion: |q − p| is half the angle between the attitudes, as long as that is small.
double factor_of(const WantedReading& target) { return target.is_quaternion ? 2 : 1; }

}  // namespace

SensorRow row_of(const SteeredStatics& statics, const std::vector<WantedReading>& targets) {
  SensorRow row;
  const std::vector<SensorSpec>& sensors = statics.model().sensors;
  const int dim = statics.model().model.topology->dim;
  std::vector<std::string> names;
  for (const SensorSpec& sensor : sensors) names.push_back(sensor.name);
  for (const WantedReading& target : targets) {
    const int sensor = find(names, target.sensor, "sensor");
    const int size = number_count(sensors[static_cast<size_t>(sensor)], dim);
    int first = 0;
    for (int k = 0; k < sensor; ++k) first += number_count(sensors[static_cast<size_t>(k)], dim);
    ReadSensor one{sensor, size, first, target.components, {}, std::vector<double>(static_cast<size_t>(size), 0.0)};
    for (size_t c = 0; c < target.components.size(); ++c) {
      one.columns.push_back(static_cast<int>(row.columns.size()));
      row.columns.push_back(target.columns[c]);
      row.units.push_back(target.units[c]);
    }
    row.sensors.push_back(std::move(one));
  }
  return row;
}

std::size_t InverseListReport::reached() const {
  return static_cast<std::size_t>(std::ranges::count_if(points, &ReachedPoint::reached));
}

struct InverseSearch::Impl {
  Impl(SteeredStatics& at, std::vector<SoughtInput> all, std::vector<WantedReading> what, int iterations, int starts)
      : statics(at),
        inputs(std::move(all)),
        targets(std::move(what)),
        search(at, plain(inputs), row_of(at, targets)),
        max_iterations(iterations),
        restarts(starts) {
    has_effort = std::ranges::any_of(inputs, &SoughtInput::has_effort);
    for (const WantedReading& target : targets)
      search.weights.insert(search.weights.end(), target.columns.size(), factor_of(target) / target.tolerance);
  }

  std::vector<double> present() const {
    const std::vector<double> all = statics.values();
    std::vector<double> out;
    for (const int place : search.places()) out.push_back(all[static_cast<size_t>(place)]);
    return out;
  }

  /// −q is the attitude of q too: the nearer one is wanted.
  void choose_signs(std::span<const double> wanted) {
    search.wanted.assign(wanted.begin(), wanted.end());
    std::vector<double> now(wanted.size());
    statics.read(search.row(), now);
    size_t first = 0;
    for (const WantedReading& target : targets) {
      const size_t end = first + target.columns.size();
      double along = 0;
      for (size_t c = first; c < end; ++c) along += now[c] * wanted[c];
      for (size_t c = first; c < end && target.is_quaternion && along < 0; ++c) search.wanted[c] *= -1;
      first = end;
    }
  }

  void weigh_effort(double weight) {
    search.priors.assign(inputs.size(), std::nullopt);
    for (size_t k = 0; k < inputs.size(); ++k)
      if (inputs[k].has_effort && weight > 0)
        search.priors[k] = NormalPrior{inputs[k].rest, inputs[k].effort / std::sqrt(weight)};
  }

  void judge(const LeastSquaresReport& found, ReachedPoint& out) {
    out.iterations += found.iterations;
    out.found = search.is_found();
    if (!out.found) return;
    out.inputs = found.x;
    out.readings.clear();
    out.distances.clear();
    out.reached = true;
    size_t first = 0;
    for (const WantedReading& target : targets) {
      double sum = 0;
      for (size_t c = first; c < first + target.columns.size(); ++c) {
        const double miss = found.residuals[c] * target.tolerance;
        out.readings.push_back(search.wanted[c] + miss / factor_of(target));
        sum += miss * miss;
      }
      first += target.columns.size();
      out.distances.push_back(std::sqrt(sum));
      out.reached = out.reached && out.distances.back() <= target.tolerance;
    }
    out.at_bound.clear();
    out.effort = 0;
    for (size_t k = 0; k < inputs.size(); ++k) {
      const SoughtInput& input = inputs[k];
      out.at_bound.push_back(found.x[k] <= input.input.low || found.x[k] >= input.input.high);
      if (input.has_effort) out.effort += std::pow((found.x[k] - input.rest) / input.effort, 2);
    }
  }

  /// From where the statics is.
  ReachedPoint reach(std::span<const double> wanted) {
    ReachedPoint out;
    choose_signs(wanted);
    if (!has_effort) {
      judge(search.search(present(), max_iterations, near_enough), out);
      return out;
    }
    for (double weight = std::min(most_effort, 1e4 * last);; weight *= 0.01) {
      const bool final = weight < least_effort;
      weigh_effort(final ? 0 : weight);
      judge(search.search(present(), max_iterations, final ? near_enough : 0), out);
      if (!out.found || out.reached || final) {
        if (out.reached) last = std::max(weight, least_effort);
        return out;
      }
    }
  }

  double missed(const ReachedPoint& point) const {
    double sum = 0;
    for (size_t j = 0; j < point.distances.size(); ++j) sum += std::pow(point.distances[j] / targets[j].tolerance, 2);
    return point.found ? sum : std::numeric_limits<double>::infinity();
  }

  /// Equilibria followed from the start of the scene to other inputs within the bounds, and a search from there.
  ReachedPoint reach_from_elsewhere(std::span<const double> wanted, ReachedPoint best) {
    const int n = static_cast<int>(inputs.size());
    for (const SoughtInput& input : inputs)
      if (!std::isfinite(input.input.low) || !std::isfinite(input.input.high)) return best;
    if (n > Sobol::most_dimensions) return best;
    RandomNumbers random(1);
    const Sobol sobol(n, random);
    std::vector<double> share(static_cast<size_t>(n));
    State<double> where = statics.state();
    const std::vector<ReadSensor> turns = search.row().sensors;
    std::vector<ReadSensor> best_turns = turns;
    for (int k = 0; k < restarts && !best.reached; ++k) {
      sobol.point(static_cast<std::uint32_t>(k), share);
      statics.restart();
      for (ReadSensor& s : search.row().sensors) std::ranges::fill(s.last, 0.0);
      std::vector<double> to = statics.values();
      for (size_t i = 0; i < inputs.size(); ++i) {
        const SteeredInput& input = inputs[i].input;
        to[static_cast<size_t>(search.places()[i])] = input.low + share[i] * (input.high - input.low);
      }
      if (!statics.follow_to(to, &search.row())) continue;
      ReachedPoint other = reach(wanted);
      other.iterations += best.iterations;
      if (missed(other) < missed(best) * (1 - 1e-3)) {
        best = std::move(other);
        best.from_elsewhere = true;
        where = statics.state();
        best_turns = search.row().sensors;
      } else {
        best.iterations = other.iterations;
      }
    }
    statics.return_to(where);
    search.row().sensors = best_turns;
    return best;
  }

  SteeredStatics& statics;
  std::vector<SoughtInput> inputs;
  std::vector<WantedReading> targets;
  InputSearch search;
  int max_iterations, restarts;
  bool has_effort = false;
  double last = most_effort;  ///< weight of effort at which the point before was reached
};

InverseSearch::InverseSearch(SteeredStatics& statics, std::vector<SoughtInput> inputs,
                             std::vector<WantedReading> targets, int max_iterations, int restarts)
    : impl_(std::make_unique<Impl>(statics, std::move(inputs), std::move(targets), max_iterations, restarts)) {}
InverseSearch::~InverseSearch() = default;
SensorRow& InverseSearch::row() { return impl_->search.row(); }

InverseSearch::Place InverseSearch::place() const {
  Place out{impl_->statics.state(), impl_->statics.stands(), {}, impl_->last};
  for (const ReadSensor& sensor : impl_->search.row().sensors) out.turns.push_back(sensor.last);
  return out;
}

void InverseSearch::return_to(const Place& place) {
  impl_->statics.return_to(place.state);
  if (!place.stands) impl_->statics.restart();
  for (size_t k = 0; k < place.turns.size(); ++k) impl_->search.row().sensors[k].last = place.turns[k];
  impl_->last = place.effort;
}

ReachedPoint InverseSearch::reach(std::span<const double> wanted) {
  Impl& s = *impl_;
  const long before = s.statics.equilibria();
  ReachedPoint out = s.reach(wanted);
  if (!out.reached) out = s.reach_from_elsewhere(wanted, std::move(out));
  out.equilibria = s.statics.equilibria() - before;
  if (!out.found) {
    out.message = "no equilibrium was found at the inputs to start from";
  } else if (!out.reached) {
    std::string bounds;
    for (size_t k = 0; k < out.at_bound.size(); ++k)
      if (out.at_bound[k]) bounds += (bounds.empty() ? "" : ", ") + s.inputs[k].input.name;
    out.message = bounds.empty() ? "out of reach, or behind a limit point" : "out of reach; at a bound: " + bounds;
  }
  return out;
}

InverseListReport inverse_statics(const InversePlan& plan, const InverseListOptions& options) {
  SteeredStatics statics(plan.scene);
  InverseSearch search(statics, plan.inputs, plan.targets, plan.max_iterations, plan.restarts);
  std::vector<double> start = statics.values();
  for (const SoughtInput& input : plan.inputs)
    start[static_cast<size_t>(find(statics.inputs(), input.input.name, "input"))] = input.input.start;
  InverseListReport report;
  if (!statics.follow_to(start, &search.row()))
    report.warnings.push_back(
        "no equilibrium was found at the inputs to start from; the search begins with those of the scene");
  InverseSearch::Place place = search.place();
  bool stays = true;  ///< the search is where the last point left it
  for (size_t i = 0; i < plan.points.size(); ++i) {
    const std::string name = fmt::format("point {}", i);
    if (options.stop != nullptr && options.stop->load()) {
      report.interrupted = true;
      break;
    }
    if (auto known = options.log != nullptr ? recalled_point(*options.log, name, plan, place) : std::nullopt) {
      report.points.push_back(std::move(*known));
      stays = false;
    } else {
      if (!stays) search.return_to(place);
      stays = true;
      report.points.push_back(search.reach(plan.points[i]));
      if (options.log != nullptr) options.log->keep(name, json_of(report.points.back(), place = search.place()));
    }
    if (options.progress) options.progress(report.points.size(), plan.points.size());
  }
  if (options.log != nullptr) options.log->check();
  return report;
}

}  // namespace flexura

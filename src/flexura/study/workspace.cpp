#include "flexura/study/workspace.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <set>

#include "flexura/assembly/thread_pool.hpp"
#include "flexura/math/singular_values.hpp"
#include "flexura/study/inverse_log.hpp"
#include "flexura/study/random_numbers.hpp"
#include "flexura/study/sobol.hpp"
#include "flexura/study/workspace_log.hpp"

namespace flexura {
namespace {

using Cell = std::array<int, 3>;

double apart_by(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(sum);
}

/// Inputs of the n-th sample.
std::vector<std::vector<double>> sample_inputs(const WorkspacePlan& plan) {
  std::vector<std::vector<double>> out(plan.samples());
  const size_t n = plan.inputs.size();
  if (!plan.counts.empty()) {
    for (size_t i = 0; i < out.size(); ++i) {
      size_t rest = i;
      out[i].resize(n);
      for (size_t k = n; k-- > 0;) {
        const auto count = static_cast<size_t>(plan.counts[k]);
        const SteeredInput& input = plan.inputs[k].input;
        const size_t at = rest % count;
        rest /= count;
        out[i][k] = at + 1 == count ? input.high
                                    : input.low + static_cast<double>(at) / static_cast<double>(count - 1) *
                                                      (input.high - input.low);
      }
    }
    return out;
  }
  RandomNumbers random(plan.seed);
  const Sobol sobol(static_cast<int>(n), random);
  for (size_t i = 0; i < out.size(); ++i) {
    out[i].resize(n);
    sobol.point(static_cast<std::uint32_t>(i), out[i]);
    for (size_t k = 0; k < n; ++k) {
      const SteeredInput& input = plan.inputs[k].input;
      out[i][k] = input.low + out[i][k] * (input.high - input.low);
    }
  }
  return out;
}

/// A scene for each thread, and what is asked of it there.
class Explorer {
 public:
  explicit Explorer(const WorkspacePlan& plan)
      : plan_(plan), statics_(plan.scene), row_(row_of(statics_, {plan.place})) {
    start_ = statics_.values();
    for (const SoughtInput& input : plan.inputs) {
      const auto at = std::ranges::find(statics_.inputs(), input.input.name);
      if (at == statics_.inputs().end())
        throw InputError({{{}, input.input.name, "the scene has no input of this name", {}}});
      places_.push_back(static_cast<int>(at - statics_.inputs().begin()));
      start_[static_cast<size_t>(places_.back())] = input.input.start;
    }
  }

  WorkspaceSample look(const std::vector<double>& inputs) {
    WorkspaceSample out{.found = go_to(inputs), .inputs = inputs, .place = {}};
    if (out.found) read(out);
    return out;
  }

  /// A search from inputs that are known to have an equilibrium.
  ReachedPoint reach(const std::vector<double>& from, std::span<const double> wanted, double tolerance, int restarts) {
    WantedReading place = plan_.place;
    place.tolerance = tolerance;
    std::vector<SoughtInput> inputs = plan_.inputs;
    for (SoughtInput& input : inputs) input.has_effort = input.has_effort && restarts > 0;
    InverseSearch search(statics_, std::move(inputs), {place}, 60, restarts);
    if (!go_to(from)) return {};
    search.row() = row_;
    ReachedPoint out = search.reach(wanted);
    row_ = search.row();
    return out;
  }
  /// The equilibrium of the last search.
  WorkspaceSample sample_of(const ReachedPoint& point) {
    WorkspaceSample out{.found = point.found, .inputs = point.inputs, .place = {}};
    if (out.found) read(out);
    return out;
  }
  long equilibria() const { return statics_.equilibria(); }

 private:
  /// From the scene's start to the inputs at the start, and straight on: what is found does not depend on what was sought before.
  bool go_to(const std::vector<double>& inputs) {
    statics_.restart();
    for (ReadSensor& sensor : row_.sensors) std::ranges::fill(sensor.last, 0.0);
    std::vector<double> to = start_;
    if (!statics_.follow_to(to, &row_)) return false;
    for (size_t k = 0; k < places_.size(); ++k) to[static_cast<size_t>(places_[k])] = inputs[k];
    return statics_.follow_to(to, &row_);
  }

  void read(WorkspaceSample& out) {
    const size_t d = row_.columns.size(), m = places_.size();
    out.place.resize(d);
    statics_.read(row_, out.place);
    out.manipulability = out.condition = std::nan("");
    std::vector<double> columns(d * m);
    if (!statics_.slopes(row_, places_, columns)) return;
    // By the columns of J or of its transpose, whichever are fewer.
    const size_t fewer = std::min(d, m), more = std::max(d, m);
    std::vector<double> J(d * m);
    for (size_t k = 0; k < m; ++k)
      for (size_t c = 0; c < d; ++c)
        J[m <= d ? k * more + c : c * more + k] =
            columns[k * d + c] * (plan_.inputs[k].has_effort ? plan_.inputs[k].effort : 1);
    const SingularValues values(J, static_cast<int>(fewer));
    for (int k = 0; k < values.count(); ++k) out.singular_values.push_back(values.value(k));
    out.manipulability = 1;
    for (const double s : out.singular_values) out.manipulability *= s;
    const double least = out.singular_values.back();
    out.condition = least > 0 ? out.singular_values.front() / least : std::numeric_limits<double>::infinity();
  }

  const WorkspacePlan& plan_;
  SteeredStatics statics_;
  SensorRow row_;
  std::vector<int> places_;
  std::vector<double> start_;
};

/// As many explorers as threads, lent out to whoever works.
class Explorers {
 public:
  Explorers(const WorkspacePlan& plan, int threads) : pool_(threads) {
    for (int k = 0; k < threads; ++k) free_.push_back(&all_.emplace_back(std::make_unique<Explorer>(plan)));
  }
  template <class Work>
  void for_each(size_t count, Work work) {
    pool_.for_each(static_cast<int>(count), [&](int i) {
      std::unique_ptr<Explorer>* mine = nullptr;
      {
        const std::scoped_lock lock(mutex_);
        mine = free_.back();
        free_.pop_back();
      }
      work(**mine, static_cast<size_t>(i));
      const std::scoped_lock lock(mutex_);
      free_.push_back(mine);
    });
  }

 private:
  ThreadPool pool_;
  std::list<std::unique_ptr<Explorer>> all_;
  std::vector<std::unique_ptr<Explorer>*> free_;
  std::mutex mutex_;
};

class WorkspaceMap {
 public:
  WorkspaceMap(const WorkspacePlan& plan, const WorkspaceOptions& options)
      : plan_(plan), options_(options), explorers_(plan, std::max(1, options.threads)) {}

  WorkspaceReport draw() {
    sample();
    if (stopped() || out_.found() == 0) return end();
    lay_cells();
    if (plan_.cells > 0 && plan_.inputs.size() >= dim()) fill();
    reach_targets();
    return end();
  }

 private:
  size_t dim() const { return plan_.place.columns.size(); }
  bool stopped() const { return options_.stop != nullptr && options_.stop->load(); }
  WorkspaceReport end() {
    out_.interrupted = stopped();
    if (options_.log != nullptr) options_.log->check();
    if (const size_t lost = out_.samples.size() - out_.found(); lost > 0)
      out_.warnings.push_back(
          fmt::format("{} of {} samples have no equilibrium that is found from the inputs at the start", lost,
                      out_.samples.size()));
    if (plan_.cells > 0 && plan_.inputs.size() < dim())
      out_.warnings.push_back(fmt::format("{} inputs move {} numbers: the set is a {}, of which no boundary is sought",
                                          plan_.inputs.size(), dim(), plan_.inputs.size() == 1 ? "curve" : "surface"));
    return std::move(out_);
  }

  /// What `read` makes of what was kept under the name, else what `compute` makes, which is kept unless it was stopped. Equilibria
  /// are counted alike.
  template <class Read, class Compute>
  auto known(Explorer& explorer, const std::string& name, Read read, Compute compute) {
    using Value = decltype(compute());
    const auto count = [&](long equilibria) {
      const std::scoped_lock lock(mutex_);
      out_.equilibria += equilibria;
    };
    if (options_.log != nullptr) {
      auto kept = options_.log->recall(
          name, [&](const Json& json) { return std::pair(Value(read(json)), json.at("sought").get<long>()); });
      if (kept) return count(kept->second), std::move(kept->first);
    }
    const long before = explorer.equilibria();
    Value value = compute();
    const long sought = explorer.equilibria() - before;
    count(sought);
    if (options_.log != nullptr && !stopped()) {
      Json json = json_of(value);
      json["sought"] = sought;
      options_.log->keep(name, json);
    }
    return value;
  }

  void sample() {
    const std::vector<std::vector<double>> inputs = sample_inputs(plan_);
    out_.samples.resize(inputs.size());
    size_t done = 0;
    explorers_.for_each(inputs.size(), [&](Explorer& explorer, size_t i) {
      out_.samples[i].inputs = inputs[i];
      if (stopped()) return;
      out_.samples[i] = known(
          explorer, fmt::format("sample {}", i), [&](const Json& json) { return sample_of(json, plan_); },
          [&] { return explorer.look(inputs[i]); });
      const std::scoped_lock lock(mutex_);
      if (options_.progress) options_.progress("samples", ++done, inputs.size());
    });
  }

  void lay_cells() {
    std::vector<double> low(dim(), 1e300), high(dim(), -1e300);
    for (const WorkspaceSample& sample : out_.samples)
      for (size_t c = 0; c < dim() && sample.found; ++c) {
        low[c] = std::min(low[c], sample.place[c]);
        high[c] = std::max(high[c], sample.place[c]);
      }
    double longest = 0;
    for (size_t c = 0; c < dim(); ++c) longest = std::max(longest, high[c] - low[c]);
    out_.tolerance = plan_.place.tolerance > 0 ? plan_.place.tolerance : 1e-3 * longest;
    if (!(longest > 0)) out_.tolerance = plan_.place.tolerance > 0 ? plan_.place.tolerance : 1e-9;
    out_.cell = longest / std::max(1, plan_.cells);
    // The samples' outermost lie within cells, not on their sides.
    for (size_t c = 0; c < dim(); ++c) out_.corner.push_back(low[c] - 0.5 * out_.cell);
  }

  Cell cell_of(const std::vector<double>& place) const {
    Cell out{};
    for (size_t c = 0; c < dim(); ++c) out[c] = static_cast<int>(std::floor((place[c] - out_.corner[c]) / out_.cell));
    return out;
  }
  std::vector<double> middle_of(const Cell& cell) const {
    std::vector<double> out;
    for (size_t c = 0; c < dim(); ++c) out.push_back(out_.corner[c] + (cell[c] + 0.5) * out_.cell);
    return out;
  }

  /// The nearest point that is found to the middle of a cell.
  TriedCell look_near(Explorer& explorer, const std::vector<double>& middle) const {
    constexpr double reach = 0.25;  // of a cell: a point near its middle
    TriedCell out;
    double best = std::numeric_limits<double>::infinity();
    for (const size_t from : starts_for(middle)) {
      const ReachedPoint found = explorer.reach(known_[from].inputs, middle, reach * out_.cell, 0);
      if (!found.found || !(found.distances[0] < best)) continue;
      best = found.distances[0];
      out = {explorer.sample_of(found), found.reached};
      if (found.reached) break;
    }
    return out;
  }

  /// Wave by wave: the neighbours of cells that are reached.
  void fill() {
    if (!(out_.cell > 0)) return;
    for (const WorkspaceSample& sample : out_.samples)
      if (sample.found) known_.push_back(sample);
    for (size_t k = 0; k < known_.size(); ++k) inside_.try_emplace(cell_of(known_[k].place), k);
    std::set<Cell> wave;
    const auto look_around = [&](const Cell& cell) {
      for (size_t c = 0; c < dim(); ++c)
        for (const int step : {-1, 1}) {
          Cell next = cell;
          next[c] += step;
          if (!inside_.contains(next) && !outside_.contains(next)) wave.insert(next);
        }
    };
    for (const auto& [cell, sample] : inside_) look_around(cell);
    size_t tested = 0;
    while (!wave.empty() && !stopped()) {
      const std::vector<Cell> now(wave.begin(), wave.end());
      wave.clear();
      std::vector<TriedCell> tried(now.size());
      explorers_.for_each(now.size(), [&](Explorer& explorer, size_t i) {
        if (stopped()) return;
        tried[i] = known(
            explorer, fmt::format("cell {}", fmt::join(now[i], " ")),
            [&](const Json& json) { return flexura::cell_of(json, plan_); },
            [&] { return look_near(explorer, middle_of(now[i])); });
      });
      if (stopped()) return;
      for (size_t i = 0; i < now.size(); ++i) {
        if (tried[i].is_reached) {
          inside_.emplace(now[i], known_.size());
          known_.push_back(std::move(tried[i].nearest));
          look_around(now[i]);
        } else {
          outside_.insert(now[i]);
          if (tried[i].nearest.found) out_.boundary.push_back(std::move(tried[i].nearest));
        }
      }
      for (auto it = wave.begin(); it != wave.end();)
        it = inside_.contains(*it) || outside_.contains(*it) ? wave.erase(it) : std::next(it);
      tested += now.size();
      if (options_.progress) options_.progress("cells at the boundary", tested, tested + wave.size());
    }
    for (const auto& [cell, sample] : inside_) out_.cells.push_back(cell);
  }

  /// Known points to search from: the nearest one, and the nearest whose inputs are far from its.
  std::vector<size_t> starts_for(std::span<const double> place) const {
    std::vector<size_t> order(known_.size());
    for (size_t k = 0; k < order.size(); ++k) order[k] = k;
    const size_t few = std::min<size_t>(order.size(), 40);
    std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(few), order.end(),
                      [&](size_t a, size_t b) {
                        const double x = apart_by(known_[a].place, place), y = apart_by(known_[b].place, place);
                        return x != y ? x < y : a < b;
                      });
    std::vector<size_t> out{order[0]};
    for (size_t k = 1; k < few && out.size() < 2; ++k)
      if (apart(known_[order[k]].inputs, known_[out[0]].inputs) > 0.25) out.push_back(order[k]);
    return out;
  }
  /// In ranges of the inputs, the largest.
  double apart(std::span<const double> a, std::span<const double> b) const {
    double out = 0;
    for (size_t k = 0; k < a.size(); ++k) out = std::max(out, std::fabs(a[k] - b[k]) / plan_.inputs[k].input.scale);
    return out;
  }

  void reach_targets() {
    if (known_.empty())
      for (const WorkspaceSample& sample : out_.samples)
        if (sample.found) known_.push_back(sample);
    out_.targets.resize(plan_.targets.size());
    explorers_.for_each(plan_.targets.size(), [&](Explorer& explorer, size_t i) {
      const auto& [name, wanted] = plan_.targets[i];
      WorkspaceTarget& target = out_.targets[i];
      target.name = name;
      target.wanted = wanted;
      if (stopped()) return;
      target.found = known(
          explorer, fmt::format("target {}", i),
          [&](const Json& json) { return point_of(json, plan_.inputs.size(), 1, dim()); },
          [&] { return look_for(explorer, wanted); });
    });
  }

  ReachedPoint look_for(Explorer& explorer, const std::vector<double>& wanted) const {
    ReachedPoint out;
    for (const size_t from : starts_for(wanted)) {
      ReachedPoint found = explorer.reach(known_[from].inputs, wanted, out_.tolerance, 1);
      if (out.found && !(found.found && found.distances[0] < out.distances[0])) continue;
      out = std::move(found);
      if (out.reached) break;
    }
    return out;
  }

  const WorkspacePlan& plan_;
  const WorkspaceOptions& options_;
  Explorers explorers_;
  std::mutex mutex_;
  WorkspaceReport out_;
  std::vector<WorkspaceSample> known_;
  std::map<Cell, size_t> inside_;
  std::set<Cell> outside_;
};

}  // namespace

std::size_t WorkspacePlan::samples() const {
  if (counts.empty()) return static_cast<std::size_t>(runs);
  std::size_t out = 1;
  for (const int count : counts) out *= static_cast<std::size_t>(count);
  return out;
}

std::size_t WorkspaceReport::found() const {
  return static_cast<std::size_t>(std::ranges::count_if(samples, &WorkspaceSample::found));
}

double WorkspaceReport::measure() const {
  return static_cast<double>(cells.size()) * std::pow(cell, static_cast<double>(corner.size()));
}

WorkspaceReport map_workspace(const WorkspacePlan& plan, const WorkspaceOptions& options) {
  return WorkspaceMap(plan, options).draw();
}

}  // namespace flexura

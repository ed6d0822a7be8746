#include "flexura/study/inverse_dynamics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>

#include "flexura/base/text.hpp"
#include "flexura/integrate/analyses.hpp"
#include "flexura/signal/table.hpp"
#include "flexura/study/gradient.hpp"
#include "flexura/study/inverse_log.hpp"
#include "flexura/study/least_squares.hpp"
#include "flexura/study/varied_scene.hpp"

namespace flexura {
namespace {

constexpr double effort_weight = 1e-6;  ///< ε, against tolerances
constexpr int checks = 3;               ///< of the trajectory between two samples

class Follower {
 public:
  Follower(const DynamicPlan& plan, const DynamicOptions& options)
      : plan_(plan),
        options_(options),
        scene_(read_scene_text(plan.scene_text, plan.scene_file, scene_terms(), plan.reading), plan.reading) {
    const SceneModels scene = interpret_scene(read({}));
    const std::vector<AnalysisSpec>& analyses = scene.timeline.analyses;
    const auto motion = std::ranges::find_if(analyses, &AnalysisSpec::over_time);
    if (motion != analyses.end()) begin_ = motion->begin, end_ = motion->end, step_ = motion->step();
    const auto refuse = [&](const std::string& path, const std::string& message) {
      throw InputError({{{plan.scene_file, 0, 0, 1}, path, message, {}}});
    };
    if (!(step_ > 0)) refuse("analysis", "the scene has no motion: nothing follows a trajectory");
    for (const Trajectory& target : plan.targets) {
      columns_.insert(columns_.end(), target.what.columns.size(), 1 / target.what.tolerance);
      const size_t first = curves_.size();
      for (size_t c = 0; c < target.what.columns.size(); ++c) {
        std::vector<double> y;
        for (const std::vector<double>& point : target.points) y.push_back(point[c]);
        curves_.emplace_back(plan.t, y, Interpolation::spline);
      }
      targets_.push_back(first);
      for (const std::string& column : target.what.columns) names_.push_back(target.what.sensor + suffix(column));
    }
    const double first = std::max(begin_, plan.t.front()), last = std::min(end_, plan.t.back());
    for (long k = 1;; ++k) {
      const double t = begin_ + static_cast<double>(k) * step_;
      if (t > last + 1e-9 * step_) break;
      if (t >= first - 1e-9 * step_) all_times_.push_back(t);
    }
    if (all_times_.empty()) refuse("points", "no step of the motion ends within the trajectory");
    double spacing = last - begin_;
    for (const TrajectoryInput& input : plan.inputs) {
      std::vector<double>& t = sample_times_.emplace_back();
      for (int k = 0; k < input.samples; ++k) t.push_back(begin_ + (last - begin_) * k / (input.samples - 1));
      spacing = std::min(spacing, t[1] - t[0]);
    }
    const auto stride = static_cast<size_t>(std::max(1.0, std::floor(spacing / (checks * step_))));
    for (size_t i = stride - 1; i < all_times_.size(); i += stride) times_.push_back(all_times_[i]);
    if (times_.back() != all_times_.back()) times_.push_back(all_times_.back());
  }

  DynamicReport follow() {
    DynamicReport out;
    std::vector<SoughtParameter> sought;
    std::vector<double> start = first_guess();
    size_t at = 0;
    for (const TrajectoryInput& input : plan_.inputs)
      for (int k = 0; k < input.samples; ++k, ++at) {
        const SteeredInput& bounds = input.what.input;
        SoughtParameter one{.name = fmt::format("{}[{}]", bounds.name, k),
                            .start = std::clamp(start[at], bounds.low, bounds.high),
                            .low = bounds.low,
                            .high = bounds.high,
                            .scale = bounds.scale};
        if (input.what.has_effort)
          one.prior = NormalPrior{input.what.rest, input.what.effort / std::sqrt(effort_weight)};
        sought.push_back(std::move(one));
        start[at] = sought.back().start;
      }
    out.first_rms = measure(out, start, options_.stop).rms;  // throws where the motion fails
    best_ = start;
    const size_t rows = times_.size() * columns_.size();
    LeastSquaresOptions search;
    search.max_iterations = plan_.max_iterations;
    search.longest_step = 0.25;
    search.least_gain = 1e-6;
    search.accepted = [&](std::span<const double> u) { best_.assign(u.begin(), u.end()); };
    const auto seek = [&] {
      return least_squares(
          sought, rows, [&](std::span<const double> u, std::span<double> r) { return residuals(u, r); }, search,
          [&](std::span<const double> u, std::span<double> J) { return slopes(u, J); });
    };
    LeastSquaresReport found = seek();
    if (std::ranges::any_of(sought, [](const SoughtParameter& one) { return one.prior.has_value(); }) && !stopped()) {
      // Damping holds inputs where the trajectory does not feel them, and there only the effort decides: on from what follows without it.
      const int before = found.iterations;
      for (size_t k = 0; k < sought.size(); ++k) sought[k].start = std::clamp(best_[k], sought[k].low, sought[k].high);
      search.first_damping = 1e-14;
      found = seek();
      found.iterations += before;
    }
    const DynamicReport end = measure(out, best_, nullptr);  // whoever stops the search keeps what it has found
    out = end;
    out.iterations = found.iterations;
    out.runs = runs_;
    out.gradients = gradients_;
    out.first_rms = first_rms_;
    if (!out.followed && stopped()) {
      out.message = "interrupted";
    } else if (!out.followed) {
      std::string bounds;
      size_t k = 0;
      for (const TrajectoryInput& input : plan_.inputs) {
        bool held = false;
        for (int i = 0; i < input.samples; ++i) held = found.at_bound[k++] || held;
        if (held) bounds += (bounds.empty() ? "" : ", ") + input.what.input.name;
      }
      out.message = bounds.empty() ? "not followed: more samples of the inputs, or a slower trajectory"
                                   : "not followed; at a bound: " + bounds;
    }
    return out;
  }

 private:
  static std::string suffix(const std::string& column) {
    const size_t dot = column.find('.');
    return dot == std::string::npos ? std::string() : column.substr(dot);
  }

  bool stopped() const { return options_.stop != nullptr && options_.stop->load(); }

  /// The scene with each input as straight lines between its samples; empty: the inputs as they are.
  SceneDocument read(std::span<const double> u) const { return scene_.vary(settings(u)); }
  std::vector<std::string> settings(std::span<const double> u) const {
    std::vector<std::string> out;
    size_t at = 0;
    for (size_t i = 0; i < plan_.inputs.size() && !u.empty(); ++i) {
      std::string points;
      for (const double t : sample_times_[i]) append_text(points, "{}[{}, {}]", points.empty() ? "" : ", ", t, u[at++]);
      out.push_back(
          fmt::format("signal.{}={{type=\"piecewise\", points=[{}]}}", plan_.inputs[i].what.input.name, points));
    }
    return out;
  }
  Derivatives differentiate_at(std::span<const double> u, const std::vector<double>& times, bool slopes,
                               const std::atomic<bool>* stop) const {
    const SceneDocument document = read(u);
    GradientQuestion question;
    question.of = names_;
    question.times = times;
    question.stop = stop;
    for (size_t i = 0; i < plan_.inputs.size() && slopes; ++i)
      for (int k = 0; k < plan_.inputs[i].samples; ++k)
        question.wrt.push_back(fmt::format("signal.{}.points[{}][1]", plan_.inputs[i].what.input.name, k));
    return differentiate(document, read_again(document, plan_.reading), question);
  }

  double wanted(size_t column, double t) const { return curves_[column].at(t).u; }

  /// What was kept of the run or its slopes, else what `compute` makes, which is kept; `compute` returns false where the motion fails
  /// or was stopped.
  bool known(const std::string& name, std::span<double> out, const std::function<bool()>& compute) {
    if (options_.log == nullptr) return compute();
    const auto kept = options_.log->recall(name, [&](const Json& line) {
      const std::string text = line.at("numbers").get<std::string>();
      return text.empty() ? std::vector<double>() : numbers_of_text(text, out.size());
    });
    if (kept) return std::ranges::copy(*kept, out.begin()), !kept->empty();
    const bool done = compute();
    if (!stopped()) {
      options_.log->keep(name, {{"numbers", done ? text_of_numbers(out) : std::string()}});
      options_.log->check();
    }
    return done;
  }

  bool residuals(std::span<const double> u, std::span<double> r) {
    if (stopped()) return false;
    const bool done = known(fmt::format("run {}", ++runs_), r, [&] {
      try {
        const Derivatives found = differentiate_at(u, times_, false, options_.stop);
        for (size_t i = 0; i < times_.size(); ++i)
          for (size_t c = 0; c < columns_.size(); ++c)
            r[i * columns_.size() + c] = columns_[c] * (found.values[i * columns_.size() + c] - wanted(c, times_[i]));
      } catch (const GradientError&) {
        return false;
      }
      return true;
    });
    if (done && options_.progress && !stopped()) {
      double sum = 0;
      for (const double x : r) sum += x * x;
      options_.progress(
          fmt::format("run {}: {:.4g} tolerances, rms", runs_, std::sqrt(sum / static_cast<double>(r.size()))));
    }
    return done && !stopped();
  }
  bool slopes(std::span<const double> u, std::span<double> J) {
    if (stopped()) return false;
    return known(fmt::format("slopes {}", ++gradients_), J, [&] {
      try {
        const Derivatives found = differentiate_at(u, times_, true, options_.stop);
        const size_t rows = times_.size() * columns_.size();
        for (size_t k = 0; k < u.size(); ++k)
          for (size_t i = 0; i < times_.size(); ++i)
            for (size_t c = 0; c < columns_.size(); ++c)
              J[k * rows + i * columns_.size() + c] = columns_[c] * found.slope(i, c, k);
      } catch (const GradientError&) {
        return false;
      }
      return true;
    });
  }

  /// Inputs that hold what is wanted at their times, or those of the study.
  std::vector<double> first_guess() {
    std::vector<double> out;
    if (!plan_.starts_at_rest) {
      for (const TrajectoryInput& input : plan_.inputs)
        out.insert(out.end(), static_cast<size_t>(input.samples), input.what.input.start);
      return out;
    }
    std::vector<double> all;
    for (const std::vector<double>& t : sample_times_) all.insert(all.end(), t.begin(), t.end());
    std::ranges::sort(all);
    all.erase(std::unique(all.begin(), all.end(), [&](double a, double b) { return b - a < 1e-9 * step_; }), all.end());
    InversePlan held{.title = {}, .scene = read({}), .inputs = {}, .targets = {}, .points = {}, .restarts = 0};
    for (const TrajectoryInput& input : plan_.inputs) held.inputs.push_back(input.what);
    for (const Trajectory& target : plan_.targets) held.targets.push_back(target.what);
    for (const double t : all) {
      std::vector<double>& point = held.points.emplace_back();
      for (size_t c = 0; c < columns_.size(); ++c)
        point.push_back(wanted(c, std::clamp(t, plan_.t.front(), plan_.t.back())));
    }
    const InverseListReport found = inverse_statics(held, {.progress = {}, .stop = options_.stop, .log = options_.log});
    for (size_t i = 0; i < plan_.inputs.size(); ++i) {
      std::vector<double> u;
      for (const ReachedPoint& point : found.points)
        u.push_back(point.found ? point.inputs[i] : plan_.inputs[i].what.input.start);
      if (u.empty()) u.push_back(plan_.inputs[i].what.input.start);  // stopped at once
      const TableSignal curve(std::vector<double>(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(u.size())), u,
                              Interpolation::linear);
      for (const double t : sample_times_[i]) out.push_back(curve.at(t).u);
    }
    return out;
  }

  /// The motion at the ends of all steps, against what is wanted there.
  DynamicReport measure(DynamicReport out, std::span<const double> u, const std::atomic<bool>* stop) {
    const Derivatives found = differentiate_at(u, all_times_, false, stop);
    out.times = sample_times_;
    out.inputs.clear();
    size_t at = 0;
    for (const TrajectoryInput& input : plan_.inputs) {
      out.inputs.emplace_back(u.begin() + static_cast<std::ptrdiff_t>(at),
                              u.begin() + static_cast<std::ptrdiff_t>(at) + input.samples);
      at += static_cast<size_t>(input.samples);
    }
    out.t = all_times_;
    out.reached = found.values;
    out.wanted.clear();
    for (const double t : all_times_)
      for (size_t c = 0; c < columns_.size(); ++c) out.wanted.push_back(wanted(c, t));
    out.distances.clear(), out.rms.clear(), out.largest.clear();
    out.followed = true;
    for (size_t j = 0; j < plan_.targets.size(); ++j) {
      std::vector<double>& distance = out.distances.emplace_back();
      double squares = 0, largest = 0;
      for (size_t i = 0; i < all_times_.size(); ++i) {
        double sum = 0;
        for (size_t c = 0; c < plan_.targets[j].what.columns.size(); ++c) {
          const size_t place = i * columns_.size() + targets_[j] + c;
          sum += std::pow(out.reached[place] - out.wanted[place], 2);
        }
        distance.push_back(std::sqrt(sum));
        squares += sum;
        largest = std::max(largest, distance.back());
      }
      out.rms.push_back(std::sqrt(squares / static_cast<double>(all_times_.size())));
      out.largest.push_back(largest);
      out.followed = out.followed && largest <= plan_.targets[j].what.tolerance;
    }
    if (first_rms_.empty()) first_rms_ = out.rms;
    return out;
  }

  const DynamicPlan& plan_;
  const DynamicOptions& options_;
  const VariedScene scene_;
  std::vector<TableSignal> curves_;
  std::vector<double> columns_;  ///< weights, 1/tolerance
  std::vector<size_t> targets_;  ///< first column of each
  std::vector<std::string> names_;
  std::vector<std::vector<double>> sample_times_;
  std::vector<double> times_, all_times_, best_, first_rms_;
  double begin_ = 0, end_ = 0, step_ = 0;
  long runs_ = 0, gradients_ = 0;
};

}  // namespace

DynamicReport inverse_dynamics(const DynamicPlan& plan, const DynamicOptions& options) {
  return Follower(plan, options).follow();
}

std::uint32_t fingerprint_of(const DynamicPlan& plan) {
  Fingerprint all;
  all.add(read_scene_text(plan.scene_text, plan.scene_file, scene_terms(), plan.reading));
  for (const TrajectoryInput& input : plan.inputs) add_to(all, input.what), all.add(std::to_string(input.samples));
  all.add(plan.t);
  for (const Trajectory& target : plan.targets) {
    add_to(all, target.what);
    for (const std::vector<double>& point : target.points) all.add(point);
  }
  all.add(fmt::format("{} {}", plan.max_iterations, plan.starts_at_rest));
  return all.value();
}

}  // namespace flexura

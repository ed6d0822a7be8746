#include "flexura/study/sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <thread>

#include "flexura/study/lane_runs.hpp"

namespace flexura {
namespace {

using Clock = std::chrono::steady_clock;

std::string duration_text(double seconds) {
  const long s = std::lround(std::max(0.0, seconds));
  if (s < 60) return fmt::format("{} s", s);
  if (s < 3600) return fmt::format("{} min {:02} s", s / 60, s % 60);
  return fmt::format("{} h {:02} min", s / 3600, s % 3600 / 60);
}

/// Takes runs from a list until it is empty, somebody stops it, or something cannot go on.
class Workers {
 public:
  Workers(const SweepPlan& plan, SweepJournal& journal, const SweepOptions& options)
      : plan_(plan),
        journal_(journal),
        options_(options),
        missing_(journal.missing()),
        before_(journal.done()),
        together_(options.lanes && fits_lanes(plan) ? static_cast<std::size_t>(lane_count()) : 1) {}

  void work() {
    std::vector<std::thread> others;
    for (int i = 1; i < options_.threads; ++i) others.emplace_back([this] { take_runs(); });
    take_runs();
    for (std::thread& other : others) other.join();
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  bool stopped() const {
    return gave_up_.load(std::memory_order_relaxed) ||
           (options_.stop != nullptr && options_.stop->load(std::memory_order_relaxed));
  }

  void take_runs() {
    try {
      for (std::size_t next; !stopped() && (next = next_.fetch_add(together_)) < missing_.size();) {
        const std::span<const long> runs =
            std::span(missing_).subspan(next, std::min(together_, missing_.size() - next));
        const bool done =
            compute_runs(plan_, runs, together_ > 1, options_.stop, options_.folder, [&](SweepOutcome outcome) {
              journal_.add(std::move(outcome));
              show();
            });
        if (!done) return;
      }
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!failure_) failure_ = std::current_exception();
      gave_up_ = true;
    }
  }

  void show() {
    const std::lock_guard lock(mutex_);
    if (!options_.progress) return;
    SweepProgress progress{
        .done = journal_.done(), .failed = journal_.failed(), .runs = static_cast<long>(plan_.runs.size())};
    const double seconds = std::chrono::duration<double>(Clock::now() - begun_).count();
    if (seconds > 0) progress.per_second = static_cast<double>(progress.done - before_) / seconds;
    if (progress.per_second > 0)
      progress.remaining = static_cast<double>(progress.runs - progress.done) / progress.per_second;
    options_.progress(progress);
  }

  const SweepPlan& plan_;
  SweepJournal& journal_;
  const SweepOptions& options_;
  const std::vector<long> missing_;
  const long before_;
  const std::size_t together_;  ///< runs that go in lanes
  std::atomic<std::size_t> next_{0};
  std::atomic<bool> gave_up_{false};
  std::mutex mutex_;
  std::exception_ptr failure_;
  const Clock::time_point begun_ = Clock::now();
};

}  // namespace

bool compute_runs(const SweepPlan& plan, std::span<const long> runs, bool lanes, const std::atomic<bool>* stop,
                  const std::string& folder, const std::function<void(SweepOutcome)>& take) {
  const std::size_t together = lanes ? static_cast<std::size_t>(lane_count()) : 1;
  for (std::size_t next = 0; next < runs.size(); next += together) {
    const std::span<const long> group = runs.subspan(next, std::min(together, runs.size() - next));
    std::vector<std::optional<SweepOutcome>> outcomes(group.size());
    if (group.size() > 1) outcomes = run_in_lanes(plan, group, stop);
    for (std::size_t i = 0; i < group.size(); ++i) {
      if (stop != nullptr && stop->load(std::memory_order_relaxed) && !outcomes[i]) return false;
      if (!outcomes[i])
        outcomes[i] = run_alone(plan, group[i], stop,
                                plan.keeps_reports ? fmt::format("{}/runs/{}", folder, group[i]) : std::string());
      if (!outcomes[i]) return false;
      take(std::move(*outcomes[i]));
    }
  }
  return true;
}

SweepSummary run_sweep(const SweepPlan& plan, const SweepOptions& options) {
  const Clock::time_point begun = Clock::now();
  SweepJournal journal(plan, options.folder, options.resume);
  Workers(plan, journal, options).work();
  SweepSummary summary{.runs = static_cast<long>(plan.runs.size()), .failed = journal.failed(), .files = {}};
  summary.finished = journal.done() - journal.failed();
  summary.interrupted = journal.done() < summary.runs;
  for (const auto& outcome : journal.outcomes()) summary.in_lanes += outcome && outcome->in_lanes ? 1 : 0;
  summary.files = journal.write_results();
  summary.wall_time = std::chrono::duration<double>(Clock::now() - begun).count();
  return summary;
}

std::string sweep_progress_text(const SweepProgress& p) {
  std::string text = fmt::format("{} of {} runs", p.done, p.runs);
  if (p.failed > 0) text += fmt::format(", {} failed", p.failed);
  if (p.per_second > 0) text += fmt::format(", {:.3g} a second, {} left", p.per_second, duration_text(p.remaining));
  return text;
}

std::string sweep_text(const SweepSummary& s) {
  std::string text =
      fmt::format("{} of {} runs{}", s.finished + s.failed, s.runs, s.interrupted ? ", interrupted" : "");
  if (s.failed > 0) text += fmt::format("; {} failed, why stands in the table", s.failed);
  text += fmt::format("\nwall time    {:.3g} s", s.wall_time);
  if (s.in_lanes > 0) text += fmt::format("; {} runs in lanes", s.in_lanes);
  text += "\n";
  for (const std::string& file : s.files) text += "wrote        " + file + "\n";
  return text;
}

Json sweep_json(const SweepSummary& s) {
  return {{"status", s.interrupted ? "interrupted" : "finished"},
          {"runs", s.runs},
          {"finished", s.finished},
          {"failed", s.failed},
          {"in_lanes", s.in_lanes},
          {"wall_time_s", s.wall_time},
          {"files", s.files}};
}

}  // namespace flexura

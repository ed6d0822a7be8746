#pragma once
// A sweep: the runs of a plan on threads, each finished one kept at once, and the table of all.
//
// The folder holds
//     sweep.journal      a line of JSON for the sweep, then one for each run as it ends: what a stopped sweep goes on from
//     table.csv          a row for each run in order: parameters, outputs, status, message; the same bytes from any number of threads
//     series_NAME.csv    run, time and columns of each output with take = "series"
//     times.csv          wall time of each run, which is never the same
//     index.html         all of it to look at (sweep_page.hpp)

#include <atomic>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include "flexura/base/line_file.hpp"
#include "flexura/study/sweep_outcome.hpp"

namespace flexura {

struct SweepProgress {
  long done = 0, failed = 0, runs = 0;  ///< done: those that failed and those of before included
  double per_second = 0;                ///< of this process
  double remaining = 0;                 ///< wall time left [s], estimated
};

struct SweepOptions {
  std::string folder;
  bool resume = false;
  int threads = 1;
  bool lanes =
      true;  ///< runs that differ in values alone go several at a time; false: one by one, for the same numbers
  std::function<void(const SweepProgress&)> progress = {};  ///< called from any thread, one at a time
  const std::atomic<bool>* stop = nullptr;
};

struct SweepSummary {
  bool interrupted = false;
  long runs = 0, finished = 0, failed = 0, in_lanes = 0;
  double wall_time = 0;  ///< of this process [s]
  std::vector<std::string> files;
};

/// Whether the folder holds a sweep already.
bool holds_sweep(const std::string& folder);

/// The journal of a sweep: whoever computes a run hands in what it came to.
class SweepJournal {
 public:
  /// Begins anew, or goes on with what the folder holds. Throws FileError, and InputError where that is another sweep.
  SweepJournal(const SweepPlan& plan, const std::string& folder, bool resume);

  /// From any thread. A run that is known already is left as it is. Throws FileError.
  void add(SweepOutcome outcome);
  /// Runs that are not known yet, in order.
  std::vector<long> missing() const;
  const std::vector<std::optional<SweepOutcome>>& outcomes() const { return outcomes_; }
  long done() const { return done_; }
  long failed() const { return failed_; }
  /// Table and series, as CSV and Parquet, and times of all known runs, and the page of them. Returns the files. Throws FileError.
  std::vector<std::string> write_results() const;

 private:
  /// Of the output that is so many among those that are series.
  void write_series(const SweepOutput& output, std::size_t index, std::vector<std::string>& files) const;
  bool take(const std::string& header, std::string_view line);
  /// False: the run is known already.
  bool remember(SweepOutcome outcome);

  const SweepPlan& plan_;
  std::string folder_;
  std::mutex mutex_;
  std::vector<std::optional<SweepOutcome>> outcomes_;
  bool begun_ = false;  ///< the journal has its first line
  long done_ = 0, failed_ = 0;
  LineFile file_;
};

/// The first line of the journal, without its end: what the sweep is.
std::string journal_header(const SweepPlan& plan);

/// What becomes of these runs, those that can in lanes, handed over one by one in order. False: stopped.
bool compute_runs(const SweepPlan& plan, std::span<const long> runs, bool lanes, const std::atomic<bool>* stop,
                  const std::string& folder, const std::function<void(SweepOutcome)>& take);

/// Throws as SweepJournal does. What was computed until a stop is kept.
SweepSummary run_sweep(const SweepPlan& plan, const SweepOptions& options);

/// "#### 40 %, 400 of 1000 runs, 2 failed, 35 runs/s, 17 s left" without the bar.
std::string sweep_progress_text(const SweepProgress& progress);
std::string sweep_text(const SweepSummary& summary);
Json sweep_json(const SweepSummary& summary);

}  // namespace flexura

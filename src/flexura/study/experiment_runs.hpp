#pragma once
// Runs of experiments, each once: what is known is kept in memory and, where there is a log, on disk, so that a study which was
// killed goes on where it was.

#include <map>
#include <mutex>
#include <span>

#include "flexura/study/identify.hpp"
#include "flexura/study/study_log.hpp"

namespace flexura {

/// What the sensors of an experiment's measured series read in one run, in their order.
struct ExperimentReading {
  struct Track {
    std::vector<double> t, y;                      ///< of an equilibrium y alone
    std::vector<std::vector<double>> slopes = {};  ///< of y, by each number of Job::by
  };
  std::string failure;  ///< not empty: why there is nothing
  std::vector<Track> tracks;
};

class ExperimentRuns {
 public:
  /// A run: which experiment, and the numbers of the scene in it, "section.wall.EI=0.02".
  struct Job {
    int experiment;
    std::vector<std::string> set;
    std::vector<std::string> by = {};  ///< paths of numbers, of which slopes are wanted too
  };

  /// Reads the log. Throws FileError where it cannot be written.
  ExperimentRuns(const Identification& what, const IdentifyOptions& options);

  /// Runs all that are not known yet, on as many threads as there are. Throws StudyStopped.
  void run(std::span<const Job> jobs);
  /// The same of one.
  const ExperimentReading& reading(const Job& job);

  /// Whether slopes of the experiment can be asked for: not, where that was refused once.
  bool has_derivatives(int experiment) const { return refusals_[static_cast<size_t>(experiment)].empty(); }
  /// "exact", or of which experiments differences were taken, and why.
  std::string slopes_text() const;

  long differentiated() const { return differentiated_; }
  long runs() const { return runs_; }
  long recalled() const { return recalled_; }
  long failed() const { return failed_; }
  const std::string& first_failure() const { return first_failure_; }

 private:
  std::string key_of(const Job& job) const;
  ExperimentReading compute(const Job& job) const;
  /// The reading with its slopes; `plain`: of the same numbers without.
  ExperimentReading differentiate(const Job& job, ExperimentReading plain) const;

  const Identification& what_;
  const IdentifyOptions& options_;
  std::vector<std::string> keys_;  ///< of each experiment without its numbers
  std::map<std::string, ExperimentReading> known_;
  StudyLog log_;
  std::mutex mutex_;
  std::vector<std::string> refusals_;  ///< why an experiment has no derivatives
  long runs_ = 0, recalled_ = 0, failed_ = 0, differentiated_ = 0;
  std::string first_failure_;
};

}  // namespace flexura

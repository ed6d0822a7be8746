#pragma once
// Runs of experiments, each once: what is known is kept in memory and, where there is a log, on disk, so that a study which was
// killed goes on where it was.

#include <map>
#include <mutex>
#include <span>

#include "flexura/study/identify.hpp"

namespace flexura {

/// What the sensors of an experiment's measured series read in one run, in their order.
struct ExperimentReading {
  struct Track {
    std::vector<double> t, y;  ///< of an equilibrium y alone
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
  };

  /// Reads the log. Throws FileError where it cannot be written.
  ExperimentRuns(const Identification& what, const IdentifyOptions& options);
  ~ExperimentRuns();
  ExperimentRuns(const ExperimentRuns&) = delete;
  ExperimentRuns& operator=(const ExperimentRuns&) = delete;

  /// Runs all that are not known yet, on as many threads as there are. Throws StudyStopped.
  void run(std::span<const Job> jobs);
  /// The same of one.
  const ExperimentReading& reading(const Job& job);

  long runs() const { return runs_; }
  long recalled() const { return recalled_; }
  long failed() const { return failed_; }
  const std::string& first_failure() const { return first_failure_; }

 private:
  std::string key_of(const Job& job) const;
  ExperimentReading compute(const Job& job) const;
  void read_log();
  void write_log(const std::string& key, const ExperimentReading& reading);

  const Identification& what_;
  const IdentifyOptions& options_;
  std::vector<std::string> keys_;  ///< of each experiment without its numbers
  std::map<std::string, ExperimentReading> known_;
  std::map<std::string, ExperimentReading> logged_;  ///< not asked for yet
  std::mutex mutex_;
  int log_ = -1;
  long runs_ = 0, recalled_ = 0, failed_ = 0;
  std::string first_failure_;
};

}  // namespace flexura

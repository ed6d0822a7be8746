#pragma once
// Identification: numbers of a scene from measured records.
//
//     minimise Σ_e Σ_c Σ_i ρ(((y_c(t_i + s_e; p) − ŷ_ci)/σ_c)²) + priors      over bounds of p
//
// e: experiments, each a run of a scene with settings of its own; c: what was measured there, σ_c its noise; s_e: a shift between
// the clocks of scene and record, which may be sought as well. Numbers with a log scale are sought by their logarithms. Where a noise
// is not given, it is that of the residuals: fits follow each other until it stays.

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "flexura/scene/reader.hpp"
#include "flexura/study/least_squares.hpp"

namespace flexura {

/// A number that is sought [SI].
struct SoughtNumber {
  std::string name;
  std::string path;  ///< in the scenes; empty: a shift of time
  std::string unit = "1";
  double start = 0;
  double low = -std::numeric_limits<double>::infinity(), high = std::numeric_limits<double>::infinity();
  bool is_log = false;
  std::optional<NormalPrior> prior = {};  ///< of the number itself, or of its logarithm where that is sought
  std::vector<int> experiments = {};      ///< that it acts in; empty: all
};

/// One number of a sensor as it was measured.
struct MeasuredSeries {
  std::string name;
  std::string sensor, component;  ///< as results call them
  int number = 0;                 ///< which of the sensor's numbers
  std::string unit;
  std::vector<double> t, y;  ///< by the record's clock [s], SI; finite
  std::string analysis;      ///< not empty: an equilibrium, of which y has one value
  double noise = 0;          ///< standard deviation; 0: to be estimated
  double weight = 1;         ///< of the residuals, beside their noise
  int missing = 0;           ///< samples without a number
  int outside = 0;           ///< samples that the run does not reach
};

struct Experiment {
  std::string name;
  std::string scene_text, scene_file;
  SceneOptions reading;  ///< with all settings but those of the sought numbers
  std::vector<MeasuredSeries> measured;
  bool left_out = false;  ///< compared with the fit, not fitted
};

/// What is asked for.
struct Identification {
  std::string title;
  std::vector<SoughtNumber> sought;
  std::vector<Experiment> experiments;
  Loss loss = Loss::squares;
  double loss_scale = 0;  ///< in noise; 0: the usual one
  int max_iterations = 50;
  bool profile = false;         ///< the likelihood along each number
  bool cross_validate = false;  ///< fits without each experiment in turn
  bool exact_slopes = true;     ///< where an experiment has them (gradient.hpp); else differences of runs
  std::vector<Problem> warnings;
};

struct IdentifyOptions {
  int threads = 1;
  std::string log = {};  ///< file that keeps what was computed, and is read first; empty: none
  std::function<void(const std::string&)> progress = {};  ///< one line
  const std::atomic<bool>* stop = nullptr;
};

/// The least cost over all other numbers, along one.
struct ProfileCurve {
  std::vector<double> value;   ///< [SI]
  std::vector<double> excess;  ///< over the least, in s²
  double low, high;            ///< where it is 3.84: 95 %; NaN: not within the bounds and 6 standard errors
};

struct IdentifiedNumber {
  SoughtNumber sought;
  double value = 0;           ///< [SI]
  double standard_error = 0;  ///< [SI]; NaN: at a bound or not determined
  double low = 0, high = 0;   ///< 95 %, by the standard error
  bool at_bound = false;
  std::optional<ProfileCurve> profile;
};

struct FittedSeries {
  std::string experiment;
  bool left_out = false;
  MeasuredSeries measured;
  std::vector<double> model;   ///< at the same times; empty: the run failed
  std::vector<double> band;    ///< standard error of the model there, from that of the numbers; empty: not known
  double noise = 0;            ///< that the fit took
  double rms = 0;              ///< of model − measured
  double autocorrelation = 0;  ///< of a residual with the next; NaN where there are fewer than 20
};

/// A fit without one experiment, and what it says of that.
struct LeftOutFit {
  std::string experiment;
  std::vector<double> values;  ///< of the numbers [SI]
  double rms = 0;              ///< of the residuals of what was left out, in noise
  std::string failure;         ///< not empty: there is none
};

struct IdentifyReport {
  std::string title;
  bool converged = false;
  std::string message;
  std::vector<IdentifiedNumber> numbers;
  std::vector<double> correlation;  ///< n × n, NaN where there is none
  std::vector<FittedSeries> series;
  std::vector<LeftOutFit> left_out;
  std::vector<std::string> warnings;
  Loss loss = Loss::squares;
  bool known_noise = false;
  double noise_scale = 0;  ///< root of Σ (r/σ)²/(m − n): 1 where the model explains the records to their noise
  int residuals = 0, iterations = 0;
  long runs = 0, recalled = 0, failed = 0;  ///< computed; found in the log; of the computed
  long differentiated = 0;                  ///< of the computed: with their slopes
  std::string slopes;                       ///< how they were found: "exact", or where and why by differences
};

/// A study that was stopped from outside; its log is kept.
struct StudyStopped : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Throws InputError where no fit can begin: a run that fails at the start, in words of its experiment.
IdentifyReport identify(const Identification& what, const IdentifyOptions& options = {});

}  // namespace flexura

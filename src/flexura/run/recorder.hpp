#pragma once
// Writes a run into its journal: states, sensors, energies, violations, solver statistics, checkpoints.

#include <optional>
#include <string>
#include <vector>

#include "flexura/integrate/stepper.hpp"
#include "flexura/observe/counted_angles.hpp"
#include "flexura/observe/sensor_probe.hpp"
#include "flexura/output/journal.hpp"
#include "flexura/run/drawing_recorder.hpp"
#include "flexura/run/interpolated_extremes.hpp"
#include "flexura/run/part_recorder.hpp"
#include "flexura/run/simulation.hpp"
#include "flexura/solve/arc_length.hpp"
#include "flexura/solve/modes.hpp"

namespace flexura {

/// Times of samples: k · interval, from `start`.
struct Sampler {
  double start = 0, interval = 0;
  long next = 0;

  bool due(double t) const { return interval <= 0 || t >= time() - 1e-9 * interval; }
  double time() const { return start + static_cast<double>(next) * interval; }
  void advance(double t);
};

/// What the energies of a run have been: losses are measured by it. Where a motion has come to rest, little is left.
struct EnergyRange {
  bool any = false;
  double kinetic = 0, strain_least = 0, strain_most = 0, work = 0;  ///< greatest; both ends; greatest amount [J]
  double gained = 0;                                                ///< the most that the integration had put in [J]

  /// Each less what the integration has put in until then: a motion that explodes is no scale for itself.
  void include(const Energies& e);
  /// All that was turned over [J], `dissipated` included.
  double in_play(double dissipated) const;
};

/// What a run carries beside the state: counters, samplers, extremes. Part of every checkpoint.
struct RunProgress {
  long segment = 0, step = 0;  ///< where to go on
  double step_size = 0;        ///< of the adaptive control
  double baseline = 0;         ///< energy that was put in or taken out other than by work [J]
  double numerical = 0;        ///< lost by the integration at the last sample [J]
  EnergyRange energy;          ///< at all samples of this run
  long steps = 0, iterations = 0, factorizations = 0, load_steps = 0;
  double violation = 0;
  long states = 0, energies = 0;              ///< Sampler::next
  std::int64_t drawn = 0;                     ///< the same
  std::vector<double> sampler_next;           ///< per sensor
  std::vector<double> frames;                 ///< of bodies, as they were written last
  std::vector<double> last, least, greatest;  ///< all sensors, one after the other, over all steps
  std::vector<double> low, high;              ///< the same since the last sample
  std::vector<double> turned;                 ///< TurnWatch::numbers of each part of the model
  std::vector<double> rotated;                ///< RotationMonitor::numbers of each part that it follows
  std::vector<std::int64_t> notes;            ///< RunNotes, packed; empty: of a checkpoint that had none
};

class Recorder {
 public:
  /// Opens the journal of options.folder, or goes on from it. Throws ResultsError if that is impossible.
  Recorder(const SceneDocument& document, const SceneModels& scene, const RunOptions& options);

  bool enabled() const { return writer_.has_value(); }
  bool resumed() const { return resumed_.has_value(); }
  /// What went wrong with the journal, or "".
  std::string problem() const { return writer_ && !writer_->ok() ? writer_->error() : std::string(); }
  /// The first sensor that read no finite number, which is not written, and where (time or load factor); or "".
  const std::string& undefined() const { return undefined_; }
  /// Of a run that goes back to before it.
  void forget_undefined() { undefined_.clear(); }
  const Checkpoint& resumed_from() const { return *resumed_; }

  /// A new stretch: channels of this analysis and model.
  void enter(int analysis, int model);
  /// What is due at the state's time.
  void sample(const State<double>& state, SensorProbe& probe, const Assembler<double>& assembler, RunProgress& progress,
              const Energies& energies, bool inertia, bool last);
  /// True if a sample of any kind is due at t: energies must then be known.
  bool due(double t, const RunProgress& progress) const;
  /// The angles of the state, to what sensors have read and bodies have written last: they go on from there.
  void note_angles(const CountedAngles& angles, const State<double>& state, RunProgress& progress);
  /// A step between samples: what sensors read goes to their extremes. Energies are needed where a sensor asks for them.
  void watch(const State<double>& state, SensorProbe& probe, RunProgress& progress, const Energies& energies,
             bool inertia);
  void load_step(double factor, const State<double>& state, SensorProbe& probe, RunProgress& progress,
                 const Energies& energies);
  /// What the path has cost up to its last point.
  void path_energies(const PathFact& path);
  /// Fields and arrows of the same, with the signals that the assembler has.
  void draw_load_step(double factor, const State<double>& state, const Assembler<double>& assembler,
                      SensorProbe& probe);
  /// Modes about the configuration q.
  void modes(const std::string& analysis, const std::vector<double>& q, const Modes& modes);
  void critical_points(const std::string& analysis, const std::vector<CriticalPoint>& points);
  void step(double t, double h, const StepReport& report);
  void checkpoint(const State<double>& state, const RunProgress& progress, int model);
  /// Ends the journal and makes the results file, tables and pictures. Returns the files' paths.
  std::vector<std::string> finish(RunSummary& summary);

  const std::vector<Sampler>& samplers() const { return samplers_; }
  int sensor_offset(int index) const { return offsets_[index]; }
  int sensor_numbers() const { return offsets_.back(); }
  /// Of all sensors, where the options request them; else empty.
  const InterpolatedExtremes& smooth_extremes() const { return smooth_extremes_; }
  int frame_numbers() const { return parts_.frame_numbers(); }

 private:
  void define_violations();
  void write_violations(double t, const ViolationProbe& violations);
  std::vector<ChannelId> define_sensors(const SceneModel& scene, const std::string& folder, const ChannelColumn& axis);
  void define_envelopes(const AnalysisSpec& analysis, const SceneModel& scene);
  /// What a sensor reads, into row_ behind the axis and into its extremes. False: no finite numbers.
  bool read_sensor(size_t k, double axis, SensorProbe& probe, RunProgress& progress);
  /// A sample of a sensor: one row of its channel, for whoever listens too.
  void sample_sensor(size_t k, double axis, const std::vector<ChannelId>& ids, SensorProbe& probe,
                     RunProgress& progress);
  void write_envelope(size_t k, double t, RunProgress& progress);

  const SceneDocument& document_;
  const SceneModels& scene_;
  const RunOptions& options_;
  std::optional<JournalWriter> writer_;
  std::optional<Checkpoint> resumed_;
  std::string journal_path_;
  std::vector<Sampler> samplers_;  ///< per sensor
  std::vector<char> sampled_;      ///< per sensor, at this state
  Sampler states_, drawn_;
  std::vector<int> offsets_;
  std::vector<ChannelId> sensor_ids_, static_ids_;
  std::vector<std::optional<ChannelId>> envelope_ids_;  ///< of sensors with steps between their samples
  ChannelId state_id_ = 0, energy_id_ = 0, path_id_ = 0, violation_id_ = 0, solver_id_ = 0;
  std::vector<std::string> families_;          ///< of constraints, in any model
  std::vector<std::vector<int>> families_of_;  ///< per model: which of its own they are, −1: it has none
  int model_ = 0;
  PartRecorder parts_;
  DrawingRecorder drawing_;
  int analysis_ = -1;
  std::string undefined_;
  std::vector<double> row_;
  InterpolatedExtremes smooth_extremes_;
};

}  // namespace flexura

#pragma once
// A scene stepped from outside: controllers, interactive programs, Python. The same steps as a whole run, bit for bit.

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "flexura/output/journal_record.hpp"
#include "flexura/run/simulation.hpp"
#include "flexura/scene/document.hpp"
#include "flexura/solve/state.hpp"

namespace flexura {

class Run;

class Session {
 public:
  /// Interprets the scene and makes its start consistent. With options.record the run is written into options.folder as
  /// by run_scene, otherwise nothing is. Throws InputError and ResultsError.
  Session(SceneDocument document, RunOptions options);
  /// Of a scene that has been interpreted, which many sessions may share: `scene` must be interpret_scene(*document).
  Session(std::shared_ptr<const SceneDocument> document, std::shared_ptr<const SceneModels> scene, RunOptions options);
  ~Session();
  Session(Session&&) noexcept;
  Session& operator=(Session&&) noexcept;

  /// One time step, or a whole analysis without time (static, modes). False: nothing is left, it failed, or it was stopped.
  bool advance() { return advance(1); }
  bool advance(long steps);
  /// Steps until the time is at least t [s], within rounding. False: it ended before.
  bool advance_to(double t);

  bool is_finished() const;
  RunStatus status() const;
  const std::string& message() const;                ///< why it failed or stopped
  const std::vector<std::string>& warnings() const;  ///< so far; of the energy balance when it is finished
  double time() const;                               ///< [s]
  double end_time() const;                           ///< of the analysis [s]
  const std::string& analysis() const;

  const SceneDocument& document() const;
  const SceneModels& scene() const;
  const SceneModel& model() const;     ///< the one that the state is of: it changes where something is let go
  const State<double>& state() const;  ///< q, v, a in slot order
  /// For whoever steps several sessions together (study/lane_steps.hpp).
  Run& run();

  int sensor_count() const;
  const SensorSpec& sensor_spec(int sensor) const;
  int find_sensor(std::string_view name) const;  ///< −1 if there is none
  /// What the sensor reads at the present state, the numbers of its columns one after the other. Valid until the next call
  /// that steps or restores; the place of the numbers stays the same as long as the session lives.
  std::span<const double> sensor(int sensor);

  /// What it has read last at this state or at the end of a step before: whoever reads it elsewhere goes on from there.
  std::span<const double> last_reading(int sensor) const;

  /// Signals of type "input", by name.
  const std::vector<std::string>& inputs() const;
  int find_input(std::string_view name) const;  ///< −1 if there is none
  double input(int input) const;
  /// Holds from the next step on: its load goes over to the new value within this step.
  void set_input(int input, double value);

  /// Everything that the session is, to go on from in this or another session of the same scene. Saving makes the solver
  /// forget what it had kept (factors, predictor), so that this session and a restored one go on alike, bit for bit.
  Checkpoint save();
  /// Throws InputError where the session is recorded (its files cannot go back) or the checkpoint is of another scene.
  void restore(const Checkpoint& checkpoint);

  /// Ends the record and writes the results. There are no steps after it.
  RunSummary finish();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace flexura

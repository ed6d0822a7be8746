#pragma once
// The states that a run went through, from the first to the last and back. Where they take more memory than they may, those between two
// checkpoints of the run are given up, and computed again when they are asked for: to the bit, since a run that goes on from a checkpoint is
// the same one. Part of flexura_ensemble.

#include <vector>

#include "flexura/run/run.hpp"
#include "flexura/run/run_watcher.hpp"

namespace flexura {

struct RunEvent {
  enum Kind { enter, rest, open, step } kind;
  double t;                      ///< [s]
  const AnalysisSpec* analysis;  ///< of the scene
  int model = 0;
  double end = 0;  ///< open: as RunWatcher::open
  int row = -1;    ///< of values that are read here
};

class RunEvents : private RunWatcher {
 public:
  /// `most_bytes`: of states; of one stretch between checkpoints they are kept whatever they take.
  RunEvents(const SceneDocument& document, const SceneModels& scene, size_t most_bytes, const std::atomic<bool>* stop);

  /// Runs the scene. `watcher` sees it, and notes each event once it has. Returns why it failed, or "".
  std::string run(RunWatcher& watcher);
  RunEvent& note(RunEvent::Kind kind, const AnalysisSpec& analysis, int model, const State<double>& state,
                 std::span<const SignalValue> signals);

  size_t size() const { return events_.size(); }
  RunEvent& operator[](size_t e) { return events_[e]; }
  RunEvent& back() { return events_.back(); }
  /// The state of an event, with its dependents; of those that follow on each other from the last to the first it takes least.
  /// Throws GradientError where the run cannot be done again.
  void load(size_t e, State<double>& state);
  std::span<const SignalValue> signals(size_t e) const {
    return std::span(signals_).subspan(places_[e].signals, places_[e + 1].signals - places_[e].signals);
  }

  size_t most_bytes() const { return peak_; }  ///< that states took
  long steps_again() const { return again_; }  ///< computed once more

 private:
  /// Events from one checkpoint to the next.
  struct Stretch {
    size_t first;
    Checkpoint start;
    std::vector<double> states;  ///< packed; empty: given up
  };
  struct Place {
    size_t state = 0, signals = 0;  ///< where it begins among its stretch's states, and in signals_
  };
  size_t pack(const State<double>& state, std::vector<double>& to);
  void keep_within(size_t stretch);
  void compute_again(size_t stretch);

  void readings(std::span<const double> last) override;
  void enter(int model, const AnalysisSpec& analysis, const State<double>& state) override;
  void rest(const State<double>& state) override;
  void open(const State<double>& state, double end) override;
  void step(const State<double>& state) override;
  void checkpoint(const RunCheckpoint& here) override;
  void see(RunEvent::Kind kind, const State<double>& state);

  const SceneDocument& document_;
  const SceneModels& scene_;
  size_t allowed_;
  RunOptions options_;
  std::unique_ptr<Run> run_;
  RunWatcher* watcher_ = nullptr;  ///< while the run is done the first time
  std::vector<RunEvent> events_;
  std::vector<SignalValue> signals_;
  std::vector<Place> places_{Place{}};  ///< of events, and of the next one
  std::vector<Stretch> stretches_;
  std::vector<State<double>> shapes_;  ///< sizes of what is packed, by model
  size_t kept_ = 0, peak_ = 0, given_up_ = 0;
  size_t cursor_ = 0, until_ = 0;  ///< of the stretch that is computed again
  std::vector<double>* target_ = nullptr;
  bool starts_anew_ = false;
  long again_ = 0;
};

}  // namespace flexura

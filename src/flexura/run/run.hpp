#pragma once
// One run of a scene: segment after segment, from the beginning or from a checkpoint.

#include <chrono>
#include <optional>

#include "flexura/integrate/known_energies.hpp"
#include "flexura/part/asked_gas.hpp"
#include "flexura/part/asked_length.hpp"
#include "flexura/run/active_model.hpp"
#include "flexura/run/consistent_start.hpp"
#include "flexura/run/crossing_surfaces.hpp"
#include "flexura/run/effort_watch.hpp"
#include "flexura/run/folded_solids.hpp"
#include "flexura/run/motion_cut.hpp"
#include "flexura/run/recorder.hpp"
#include "flexura/run/rotation_monitor.hpp"
#include "flexura/run/turn_watch.hpp"
#include "flexura/solve/rank_watch.hpp"

namespace flexura {

class Run {
 public:
  Run(const SceneDocument& document, const SceneModels& scene, const RunOptions& options);

  /// Up to `steps` time steps; an analysis without time counts as one. False: nothing is left, it failed, or it was stopped.
  bool advance(long steps);
  bool is_over() const { return over_; }
  /// Opens the stretch of the motion that comes next, as advance(1) would do first: its stepper has been started when this returns true, and
  /// advance(1) makes a step. False: what comes next takes no time, or nothing comes.
  bool open_step();
  /// Makes the steps of motions from the next one on, for the same numbers as their own method: of several runs at once. `extent`:
  /// MotionAnalysis::stepper.
  using MakeStepper = std::function<std::unique_ptr<Stepper>(const MotionAnalysis&, System<double>&, double extent)>;
  void use_stepper(MakeStepper make) { make_stepper_ = std::move(make); }
  /// Ends the record and sums up.
  RunSummary conclude();

  /// Makes the accelerations of the state known where the first motion is about to begin. It leaves no trace in what follows.
  void settle();
  /// A signal that code sets has changed: what settle() found is no longer so.
  void inputs_changed();
  ActiveModel& active() { return active_; }
  const AnalysisSpec& analysis() const;  ///< the last one that has begun, or the first
  RunStatus status() const { return summary_.status; }
  const std::string& message() const { return summary_.message; }
  const std::vector<std::string>& warnings() const { return summary_.warnings; }  ///< so far
  Energies energies();
  /// Whether accelerations belong to the state.
  bool has_inertia() const { return analysis().over_time(); }
  /// What a sensor read last, for whoever reads it next: angles count turns from there.
  std::span<double> last_reading(int sensor);

  /// Everything that the run is. Like a checkpoint it makes the run forget all that is not in the state, so that a run which
  /// goes on from here and this one stay the same, bit for bit.
  Checkpoint save();
  /// Why the checkpoint cannot be of this scene, or "".
  std::string misfit(const Checkpoint& checkpoint) const;
  /// Goes on from what another run of the same scene has saved.
  void restore(const Checkpoint& checkpoint);

 private:
  using Clock = std::chrono::steady_clock;
  static double seconds_since(Clock::time_point start);

  /// A dynamic segment under way. It goes from cut to cut, where something begins to act or a signal jumps.
  struct Motion {
    const Segment* segment;
    const AnalysisSpec* analysis;
    const MotionAnalysis* what;  ///< of the analysis
    bool new_analysis;
    std::vector<double> cuts, jumps;
    size_t cut = 0;
    bool open = false;  ///< the stretch to cuts[cut] has begun
    double from = 0;    ///< where it began [s]
    long steps = 0;     ///< in it, all equal
    long first_step = 0;
    double h = 0;                       ///< of fixed steps; what adaptive ones try next [s]
    long checkpoint_steps = 1;          ///< fixed: from one checkpoint to the next
    double next_checkpoint = 0;         ///< adaptive [s]
    State<double> before;               ///< adaptive: where the step began
    bool prescribed = false;            ///< signals move coordinates, whose numbers no method looks at
    bool stepped = false;               ///< the state is where the stepper's last step ended
    KnowsEnergies* energies = nullptr;  ///< the stepper, if it does

    double to() const { return cuts[cut]; }
  };

  StartReport begin(const SceneDocument& document);

  /// Takes over a checkpoint that fits.
  void go_on_from(const Checkpoint& checkpoint);
  bool at_end() const;
  /// Signals as the last segment left them at its end, or as the first one finds them.
  void recall_signals();
  /// The same of any segment of a motion.
  void recall_signals(const Segment& segment);
  /// Signals of the state's time, in the stretch that is open.
  void set_signals();
  void forget_failures() const;

  // Each returns false where the run ends: failed, or stopped by the user.
  /// `within`: the state is one of this segment.
  bool enter_segment(bool within);
  /// Analyses that take no time, a row each in run_statics.cpp.
  struct AtRest;
  bool solve_at_rest(const AnalysisSpec& analysis);
  /// Whether the state is an equilibrium that an earlier analysis found, of another model.
  bool model_changed_since_equilibrium() const;
  /// The state is that behind a static analysis under the whole loads, in the model of now.
  bool is_in_equilibrium() const;
  void open_motion(const Segment& segment, const AnalysisSpec& analysis, bool new_analysis, bool within);
  bool close_motion();
  /// What contacts cost in this motion so far, into the summary; once.
  void note_contact_work();
  /// Of a state within the motion: goes to the stretch that it is in, or at whose end it is.
  void find_stretch();
  /// One step, or none where none is left; closes the segment behind its last one.
  bool move();
  void plan_stretch();
  bool open_stretch();
  /// Of the first motion where it begins in an equilibrium: with the velocities that the scene states. Where it states none,
  /// velocities that drives ask for are projected as everywhere, and derivatives follow.
  bool begin_from_rest();
  bool stretch_begun() const;
  bool stretch_done() const;
  void next_stretch();
  /// Whether the motion goes on behind a cut: something damps, and the method remembers accelerations. Derivatives follow
  /// motions that begin anew.
  bool goes_on();
  /// What the last step of the motion before a segment leaves, where the segment goes on with it.
  void note_end_of_motion();
  /// Velocities and accelerations where a stretch begins. Returns what is wrong, or "".
  std::string start_stretch();
  /// The same with accelerations that fit the velocities, as at the start of a motion.
  std::string start_anew();
  /// Whether accelerations made anew would load dampers with what velocities are off by: against those that are kept.
  bool loads_dampers(const State<double>& kept);
  bool fixed_step();
  bool adaptive_step();
  /// Counts, records what is due, checkpoint, progress, Ctrl-C.
  bool accept(const AnalysisSpec& analysis, double h, const StepReport& report, bool checkpoint);

  /// Whether all turn as the method can follow after a step of h [s]; what it follows badly is told.
  bool watch_turns(const AnalysisSpec& analysis, double h);
  /// What angles have counted, to what is read next; warns where they may have lost count.
  void note_angles();
  /// Tells which prescribed joints need more than their largest effort, each once.
  void watch_efforts();
  /// Warns where the constraints' rank has dropped in a step of h [s].
  void watch_rank(const AnalysisSpec& analysis, double h);

  /// Why the signals at t are no numbers, or ask for lengths that cannot be, or "".
  std::string undefined_signal(double t);
  /// "truss.boom asks for a length of …": what signals ask for that cannot be, or "".
  std::string refused_signal(std::span<const SignalValue> signals, double t) const;
  /// Which chamber the state has emptied, or "".
  std::string emptied_chamber(const State<double>& state) const;
  /// Why the stepper found no accelerations at the state; `problem`: what it said.
  std::string why_no_start(std::string problem);
  /// Of a state that has been sampled: which joints are not kept, or "". Looks closer only where the violation has grown.
  std::string broken_joints();

  /// Who follows the run, told of what sensors have read; nullptr: nobody.
  RunWatcher* watcher();

  /// What the summary says so far goes into the progress.
  void take_notes();

  /// Takes up an accepted state, at the time or load factor `at`: why the analysis ends there, or "".
  std::string watch_rotations(std::span<const double> q, double at);
  /// Warnings with the largest rotations so far.
  void tell_rotations();

  /// Warns of elements that have been turned inside out, once an analysis; `moves`: in the middle of a motion, and when.
  void watch_solids(bool moves);
  /// Warns of parts whose surfaces pass through each other, of each pair once. `when`: "at t = 0.1 s", "at its end".
  void watch_crossings(std::string_view when);
  /// Warns of joints whose reactions do not balance the loads, each once.
  void watch_reactions();
  /// End of a segment: where a resumed run goes on.
  void close_segment();
  /// The stepper has forgotten all that is not in the state: a run may go on from here.
  void note_checkpoint();
  void count(const StepReport& report);
  void record(bool last);
  double next_sample(double end) const;
  double checkpoint_interval(const AnalysisSpec& analysis) const;
  bool stop_asked();
  void show(const AnalysisSpec& analysis, double done, double end);
  /// "; truss.boom is asked to be …": what signals ask for that may be why a run fails, or "".
  std::string suspected_signals();
  bool fail(std::string message);
  bool fail_step(const StepReport& report, double t, double h, const AnalysisSpec& analysis);

  /// Statics and changes of the model move energy in ways that are not work over time: the balance starts from here.
  void rebase();
  /// Where a function of the program gives no numbers any more, those of the last record.
  Energies known_energies();
  /// A warning about the integration, or "".
  std::string check_balance(const Energies& energies);
  double least_energy(double stored);

  const SceneModels& scene_;
  const RunOptions& options_;
  ActiveModel active_;
  Energies recorded_;
  /// Made before the recorder: a scene that is wrong leaves no folder. Nothing: of a checkpoint without notes.
  std::optional<StartReport> start_;
  Recorder recorder_;
  RunSummary summary_;
  RunProgress progress_;
  std::unique_ptr<Stepper> stepper_;
  MakeStepper make_stepper_;                   ///< empty: each analysis makes its own
  std::optional<TurnWatch> turns_;             ///< of the model that is active
  std::optional<EffortWatch> efforts_;         ///< the same
  std::vector<AskedLength> lengths_;           ///< the same
  std::vector<AskedGas> gas_;                  ///< the same
  std::vector<ChamberFilling> fillings_;       ///< the same
  std::optional<FoldedSolids> folded_;         ///< the same
  std::optional<CrossingSurfaces> crossings_;  ///< the same
  std::optional<RotationMonitor> rotations_;   ///< the same
  std::optional<RankWatch> rank_watch_;        ///< of the motion, where it asks for it
  TurnLimits turn_limits_;                     ///< of the motion's method
  std::optional<MotionEnd> end_;               ///< of the stretch before; nothing: a motion begins
  std::optional<Motion> motion_;
  Clock::time_point begun_ = Clock::now();
  std::optional<State<double>> unsettled_;  ///< the state before settle(), until the first step
  size_t entered_ = 0;                      ///< the last segment that has begun
  bool over_ = false;
  double examined_violation_ = 0;  ///< up to there joints have been found kept
  std::string shown_analysis_;
  Clock::time_point shown_from_ = Clock::now();
  double shown_done_ = 0;
};

}  // namespace flexura

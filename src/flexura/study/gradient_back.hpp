#pragma once
// Backwards through a run: what the weighted results feel goes from the last state to the first (run_events.hpp). Part of flexura_ensemble.

#include <map>

#include "flexura/integrate/kinematic_tangent.hpp"
#include "flexura/integrate/newmark_tangent.hpp"
#include "flexura/study/gradient_run.hpp"
#include "flexura/study/number_cotangent.hpp"
#include "flexura/study/number_products.hpp"
#include "flexura/study/run_events.hpp"
#include "flexura/study/scene_variation.hpp"
#include "flexura/study/sensor_cotangent.hpp"
#include "flexura/study/state_carry.hpp"
#include "flexura/study/table_samples.hpp"

namespace flexura {

class BackwardGradient final : public GradientRun {
 public:
  BackwardGradient(const SceneDocument& document, const ReadScene& read, const GradientQuestion& question);

  const Derivatives& go();

  WeightedGradient result(const Weights& weights_of);

  Derivatives by_results();
  const DifferenceDoubt& doubt() const { return doubt_; }

  void enter(int model, const AnalysisSpec& analysis, const State<double>& state) override;
  void rest(const State<double>& state) override;
  void open(const State<double>& state, double end) override;
  void step(const State<double>& state) override;

 private:
  /// What the number changes of a state that begins where the scene says, and of places in the model before, which never move there.
  struct Start {
    State<Tangent> state;
    std::vector<Tangent> before;
  };
  struct Way {
    size_t place;
    SceneChange change = {};
    std::optional<SceneVariation> copies = {};                   ///< where they are needed on the way
    std::map<size_t, Start> start = {};                          ///< by event that begins anew
    std::map<int, std::unique_ptr<DualResidual>> residual = {};  ///< by model, made where a motion begins
    bool starts = false, moves_signals = false, reads = false;   ///< it changes the start, signals, what sensors read
    bool follows = false;                                        ///< any of them: copies go along
  };
  /// What flows or rubs at rest; and forces where something rubs: a way of the size of what they are read by would leave what is stuck.
  void check_memory();
  /// Of the models, by each number.
  void find_changes();
  /// Of what a model takes over from another.
  const StateCarry& carry(int from, int to);
  /// Copies go along from here on, as they are by themselves.
  void follow_from_here(Way& way);
  /// What the number changes beside the equations: where it does not, no copies go along.
  void look_at(Way& way, const State<double>& state);
  /// Whether the start had to be made consistent.
  bool moved_to_start(const State<double>& state);
  const Values& direction_of(const Way& way) const { return way.change.models[model_].direction; }
  DualResidual& residual_of(Way& way);
  RunEvent& note(RunEvent::Kind kind, const State<double>& state);
  void read_event();

  /// What the way back through a model takes.
  struct Part {
    std::shared_ptr<TangentFactor> factor;
    std::unique_ptr<DualResidual> plain;
    std::unique_ptr<NumberProducts> products;
    std::vector<int> signals_asked;  ///< whose values anything feels
    std::vector<char> moves_places;  ///< of each signal
  };
  Part& part() { return parts_.at(model_); }
  NumberProducts& products() { return *part().products; }
  void use_model(int model) {
    model_ = model;
    factor_ = part().factor;
  }

  /// Signals of an event, which do not change.
  void set_signals(DualResidual& residual, std::span<const SignalValue> signals);
  /// For each signal and rate: `felt` += what `value` gives with that changing by 1. `accelerations`: constraints are asked for theirs, which
  /// those of all signals are in.
  void for_signals(size_t e, SignalCotangent& felt, bool accelerations, auto&& value) {
    DualResidual& plain = *part().plain;
    if (part().signals_asked.empty()) return;
    set_signals(plain, events_.signals(e));
    for (const int i : part().signals_asked) {
      std::vector<Tangent>* parts[] = {&u_, &du_, &ddu_};
      std::vector<double>* to[] = {&felt.u, &felt.du, &felt.ddu};
      for (int which = 0; which < (accelerations || part().moves_places[i] ? 3 : 2); ++which) {
        (*parts[which])[i].d = 1;
        plain.assembler.set_signals(u_, du_, ddu_);
        (*to[which])[i] += value();
        (*parts[which])[i].d = 0;
      }
    }
    plain.assembler.set_signals(u_, du_, ddu_);
  }

  void prepare_way_back();
  void prepare(Part& part);

  std::vector<double> gradient(const std::vector<double>& weights);

  /// From the model of an event to that of the one before. What copies had of places that never moved there is felt by relations.
  void take_over(size_t e);

  void step_back(size_t e, SignalCotangent& felt);

  /// Whether the state before an event depends on any of the numbers.
  void find_first_change();

  void add_sensors(size_t e, const ReadEvent& row, SignalCotangent& felt);

  /// What dependents feel, by numbers and to their masters.
  void fold(SignalCotangent& felt) {
    products().places(after_, z_);
    fold_dependents(topology(), model().values, z_, felt);
  }

  bool remembers() const { return topology().history > 0; }
  /// What is evaluated is so much later than this was remembered.
  void look_back(const std::vector<double>& history, double h) {
    if (remembers()) products().look_back(history, h);
  }

  /// What is remembered at the end of an event comes from what was before, and from the end.
  void back_through_memory(const std::vector<double>& history, double h, SignalCotangent& felt);

  void back_through_equations(const State<double>& at, std::span<const double> mu, bool inertia, double* past,
                              SignalCotangent& felt) {
    products().equations(at, mu, inertia, factor_->system.assembler, felt, past);
  }

  void back_through_step(size_t e, SignalCotangent& felt);

  void back_through_rest(size_t e, SignalCotangent& felt);

  void back_through_enter(size_t e);

  /// Accelerations and multipliers from positions and velocities. `matters`: these feel any of the numbers.
  void back_through_accelerations(size_t e, StartEquations& equations, double* past, bool matters,
                                  SignalCotangent& felt);
  /// Rows of constraints, weighed: numbers, signals, and places and rates where these matter.
  using Rows = double (StartEquations::*)(State<Tangent>&, std::span<const double>);
  void back_through_rows(size_t e, StartEquations& equations, Rows of, std::span<const double> mu, bool accelerations,
                         bool matters, SignalCotangent& felt);
  /// The same, and positions and velocities from those before.
  void back_through_open(size_t e, SignalCotangent& felt);
  /// The same where drives decide positions and velocities.
  void back_through_driven(size_t e, SignalCotangent& felt);

  const ReadScene& read_;
  RunEvents events_;
  std::map<int, Part> parts_;  ///< by model
  std::map<std::pair<int, int>, std::unique_ptr<StateCarry>> carries_;
  std::map<std::pair<int, const AnalysisSpec*>, std::unique_ptr<NewmarkTangent>> steps_;
  std::map<std::pair<int, const AnalysisSpec*>, std::unique_ptr<KinematicTangent>> driven_;
  std::vector<ReadEvent> rows_;
  std::vector<Way> ways_;
  TableSamples samples_;
  std::unique_ptr<SensorCotangent> sensors_;
  std::vector<SignalCotangent> felt_;  ///< by event, for the copies
  Cotangent z_, next_;
  std::vector<double> past_;  ///< what is felt of what was remembered before an event
  State<double> before_, after_;
  size_t loaded_ = 0;  ///< event of after_
  bool have_after_ = false;
  std::vector<double> gradient_;
  std::vector<Tangent> u_, du_, ddu_;
  double run_seconds_ = 0;
  size_t first_change_ = 0;
  bool starts_elsewhere_ = false;
};

}  // namespace flexura

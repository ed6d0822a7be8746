#include "flexura/study/lane_runs.hpp"

#include <algorithm>
#include <chrono>
#include <memory>

#include "flexura/integrate/implicit_methods.hpp"
#include "flexura/run/run.hpp"

namespace flexura {
namespace {

bool same_slot(const Slot& a, const Slot& b) {
  return a.kind == b.kind && a.size == b.size && a.offset == b.offset && a.block == b.block &&
         a.block_offset == b.block_offset && a.dependent == b.dependent && a.multiplier == b.multiplier;
}

bool same_dependent(const Dependent& a, const Dependent& b) {
  const auto same_weight = [](const Weight& x, const Weight& y) { return x.master == y.master && x.first == y.first; };
  const auto same_drive = [](const Drive& x, const Drive& y) { return x.signal == y.signal && x.first == y.first; };
  return a.slot == b.slot && a.base == b.base && std::ranges::equal(a.weights, b.weights, same_weight) &&
         std::ranges::equal(a.drives, b.drives, same_drive);
}

bool same_batch(const ItemBatch& a, const ItemBatch& b) {
  return a.type == b.type && a.options == b.options && a.count == b.count && a.slots == b.slots &&
         a.history == b.history && a.first_history == b.first_history;
}

/// Whether one assembler serves both models.
bool same_structure(const Model& a, const Model& b) {
  const Topology &x = *a.topology, &y = *b.topology;
  const auto signals = [](const Topology& t) { return t.signal_set ? t.signal_set->size() : 0; };
  const auto lags = [](const Topology& t) { return t.signal_set ? t.signal_set->state_size() : 0; };
  const auto sizes = [](const Values& v) {
    return std::vector{v.reference.size(),  v.q0.size(),         v.weights.size(),      v.bases.size(),
                       v.directions.size(), v.parameters.size(), v.mass_damping.size(), v.gravity.size()};
  };
  return x.dim == y.dim && x.ny == y.ny && x.ncoord == y.ncoord && x.nq == y.nq && x.block_count == y.block_count &&
         x.history == y.history && x.chunks == y.chunks && x.signals == y.signals && signals(x) == signals(y) &&
         lags(x) == lags(y) && std::ranges::equal(x.slots, y.slots, same_slot) &&
         std::ranges::equal(x.dependents, y.dependents, same_dependent) &&
         std::ranges::equal(x.batches, y.batches, same_batch) && sizes(a.values) == sizes(b.values);
}

void put_lane(std::vector<Lanes>& to, const std::vector<double>& from, int lane) {
  for (std::size_t i = 0; i < from.size(); ++i) to[i].set(lane, from[i]);
}
void take_lane(const std::vector<Lanes>& from, std::vector<double>& to, int lane) {
  for (std::size_t i = 0; i < to.size(); ++i) to[i] = from[i][lane];
}

/// The steps of all lanes. Whoever asks for its step first has it made for all; the others find theirs made.
class LaneSteps {
 public:
  explicit LaneSteps(std::size_t lanes) : members_(lanes) {}

  struct Member {
    System<double>* system = nullptr;
    std::unique_ptr<Stepper> alone;        ///< starts motions
    const State<double>* state = nullptr;  ///< where it begins; null: it does not take part in the next step
    bool fresh = false;                    ///< its motion has started since the last step
    long resets = 0;
    bool made = false;  ///< its next step has been made
    bool left = false;  ///< for good
  };
  Member& member(int lane) { return members_[static_cast<std::size_t>(lane)]; }

  /// Where all lanes that take part are at the same time, have started and reset as often: else these leave.
  StepReport step(int lane, State<double>& state, double t1) {
    Member& own = member(lane);
    if (!own.made) make(t1);
    StepReport report;
    report.done = own.made && !own.left && t1 == t1_ && lane_of(converged_, lane);
    own.made = false;
    if (!report.done) {
      own.left = true;
      report.problem = "left its lane";
      return report;
    }
    take_lane(joint_.q, state.q, lane);
    take_lane(joint_.v, state.v, lane);
    take_lane(joint_.a, state.a, lane);
    take_lane(joint_.a_alg, state.a_alg, lane);
    take_lane(joint_.history, state.history, lane);
    const std::size_t lags = state.lags.size();
    std::copy_n(joint_.lags.begin() + static_cast<std::ptrdiff_t>(lags) * lane, lags, state.lags.begin());
    state.energy = {joint_.energy.gravity[lane], joint_.energy.loads[lane], joint_.energy.prescribed[lane],
                    joint_.energy.dissipated[lane]};
    state.t = t1;
    own.system->assembler.set_signals(own.system->drives.at(t1, state.lags));
    own.system->look_back(state);
    report.iterations = iterations_;
    report.factorizations = factorizations_;
    return report;
  }

  void reset(int lane) { ++member(lane).resets; }

  FamilyMethod method;
  std::vector<const Model*> models;

 private:
  void make(double t1) {
    t1_ = t1;
    const auto first =
        std::find_if(members_.begin(), members_.end(), [](const Member& m) { return m.state && !m.left; });
    MaskOf<Lanes> active = uniform_mask<Lanes>(false);
    bool fresh = false;
    for (std::size_t lane = 0; lane < members_.size(); ++lane) {
      Member& m = members_[lane];
      if (m.left || m.state == nullptr) continue;
      if (m.state->t != first->state->t || m.resets != first->resets || m.fresh != first->fresh) {
        m.left = true;
        continue;
      }
      m.made = true;
      active.set(static_cast<int>(lane), true);
      fresh |= m.fresh;
    }
    if (fresh) begin(first - members_.begin());
    if (first->resets != resets_ && !fresh) integrator_->reset();
    resets_ = first->resets;
    const SolveReport<Lanes> report = integrator_->step(joint_, t1, active);
    converged_ = report.converged;
    iterations_ = report.iterations;
    factorizations_ = report.factorizations;
    joint_.t = t1;  // of the lanes that go on
    for (Member& m : members_) m.fresh = false;
  }

  /// Lanes that take no part have the numbers of one that does.
  void begin(std::ptrdiff_t any) {
    std::vector<const Values*> values;
    std::vector<Drives*> drives;
    const auto source = [&](std::size_t lane) {
      return lane < members_.size() && members_[lane].made ? lane : static_cast<std::size_t>(any);
    };
    for (std::size_t lane = 0; lane < static_cast<std::size_t>(native_lanes); ++lane) {
      values.push_back(&models[source(lane)]->values);
      drives.push_back(&members_[source(lane)].system->drives);
    }
    integrator_.reset();
    if (!system_) system_ = std::make_unique<System<Lanes>>(models[source(0)]->topology, values);
    integrator_ = std::make_unique<GeneralizedAlpha<Lanes>>(
        *system_, method.weights, method.newton,
        StabilisationOptions{.project_velocities = method.stabilisation.project_velocities});
    integrator_->set_lane_drives(std::move(drives));
    const State<double>& pattern = *members_[static_cast<std::size_t>(any)].state;
    joint_.t = pattern.t;
    for (auto [to, from] : {std::pair(&joint_.q, &pattern.q),
                            {&joint_.v, &pattern.v},
                            {&joint_.a, &pattern.a},
                            {&joint_.a_alg, &pattern.a_alg},
                            {&joint_.history, &pattern.history}})
      to->assign(from->size(), Lanes(0.0));
    joint_.lags.clear();
    for (int lane = 0; lane < native_lanes; ++lane) {
      const State<double>& from = *members_[source(static_cast<std::size_t>(lane))].state;
      put_lane(joint_.q, from.q, lane);
      put_lane(joint_.v, from.v, lane);
      put_lane(joint_.a, from.a, lane);
      put_lane(joint_.a_alg, from.a_alg, lane);
      put_lane(joint_.history, from.history, lane);
      joint_.lags.insert(joint_.lags.end(), from.lags.begin(), from.lags.end());
      joint_.energy.gravity.set(lane, from.energy.gravity);
      joint_.energy.loads.set(lane, from.energy.loads);
      joint_.energy.prescribed.set(lane, from.energy.prescribed);
      joint_.energy.dissipated.set(lane, from.energy.dissipated);
    }
  }

  std::vector<Member> members_;
  std::unique_ptr<System<Lanes>> system_;
  std::unique_ptr<GeneralizedAlpha<Lanes>> integrator_;
  State<Lanes> joint_;
  MaskOf<Lanes> converged_ = uniform_mask<Lanes>(false);
  double t1_ = 0;
  long resets_ = 0;
  int iterations_ = 0, factorizations_ = 0;
};

class LaneStepper final : public Stepper {
 public:
  LaneStepper(LaneSteps& steps, int lane, System<double>& system, std::unique_ptr<Stepper> alone)
      : steps_(steps), lane_(lane) {
    LaneSteps::Member& own = steps_.member(lane_);
    own.system = &system;
    own.alone = std::move(alone);
    const auto* family = dynamic_cast<const FamilyStepper*>(own.alone.get());
    if (family == nullptr || family->method().adaptive) {
      own.left = true;
    } else {
      steps_.method = family->method();
    }
  }
  std::string start(State<double>& state) override {
    LaneSteps::Member& own = steps_.member(lane_);
    own.fresh = true;
    return own.alone->start(state);
  }
  StepReport step(State<double>& state, double t1) override { return steps_.step(lane_, state, t1); }
  void reset() override { steps_.reset(lane_); }
  int error_order() const override { return steps_.member(lane_).alone->error_order(); }
  std::string advice() const override { return steps_.member(lane_).alone->advice(); }
  TurnLimits turn_limits() const override { return steps_.member(lane_).alone->turn_limits(); }

 private:
  LaneSteps& steps_;
  int lane_;
};

/// A run in its lane.
struct LaneRun {
  SceneDocument document;
  SceneModels scene;
  std::optional<SampleCollector> collector;
  RunOptions options;
  std::unique_ptr<Run> run;
  bool ready = false;
};

bool model_fits(const SceneModels& scene) {
  const Topology& topology = *scene.models.front().model.topology;
  return scene.models.size() == 1 && scene.code.empty() && topology.contacts == nullptr && topology.laws.empty() &&
         std::ranges::any_of(scene.timeline.analyses, [](const AnalysisSpec& a) { return a.is_dynamic(); });
}

}  // namespace

int lane_count() { return native_lanes; }

bool fits_lanes(const SweepPlan& plan) {
  if (plan.keeps_reports) return false;
  for (const StudyParameter& parameter : plan.study.parameters)
    if (parameter.path.starts_with("analysis.") || parameter.path.starts_with("output.")) return false;
  return model_fits(interpret_scene(plan.study.scene));
}

std::vector<std::optional<SweepOutcome>> run_in_lanes(const SweepPlan& plan, std::span<const long> runs,
                                                      const std::atomic<bool>* stop) {
  const auto begun = std::chrono::steady_clock::now();
  std::vector<std::optional<SweepOutcome>> outcomes(runs.size());
  std::vector<std::unique_ptr<LaneRun>> lanes(runs.size());
  LaneSteps steps(runs.size());
  const Model* model = nullptr;
  for (std::size_t k = 0; k < runs.size(); ++k) {
    auto lane = std::make_unique<LaneRun>();
    try {
      lane->document = plan.study.vary(plan.runs[static_cast<std::size_t>(runs[k])]);
      lane->scene = scene_of_run(plan, lane->document);
      const Model& own = lane->scene.models.front().model;
      if (!model_fits(lane->scene) || (model != nullptr && !same_structure(*model, own))) continue;
      model = &own;
      lane->collector.emplace(plan, lane->scene);
      lane->options.record = false;
      lane->options.stop = stop;
      lane->options.sample = [&collector = *lane->collector](const SensorSample& sample) { collector.take(sample); };
      lane->run = std::make_unique<Run>(lane->document, lane->scene, lane->options);
      lane->run->use_stepper([&steps, k](const MotionAnalysis& motion, System<double>& system, double extent) {
        return std::make_unique<LaneStepper>(steps, static_cast<int>(k), system, motion.stepper(system, extent));
      });
    } catch (const InputError&) {
      continue;  // run_alone() says why
    }
    lanes[k] = std::move(lane);
  }
  if (model == nullptr) return outcomes;
  for (std::size_t k = 0; k < lanes.size(); ++k) {
    steps.models.push_back(lanes[k] ? &lanes[k]->scene.models.front().model : model);
    if (!lanes[k]) steps.member(static_cast<int>(k)).left = true;
  }
  const auto lane_is_over = [&](std::size_t k) {
    return !lanes[k] || lanes[k]->run->is_over() || steps.member(static_cast<int>(k)).left;
  };
  for (bool any = true; any;) {
    any = false;
    for (std::size_t k = 0; k < lanes.size(); ++k) {
      LaneSteps::Member& member = steps.member(static_cast<int>(k));
      member.state = nullptr;
      if (lane_is_over(k)) continue;
      any = true;
      lanes[k]->ready = lanes[k]->run->open_step();
      if (lanes[k]->ready) member.state = &lanes[k]->run->active().state;
    }
    for (std::size_t k = 0; k < lanes.size(); ++k)
      if (!lane_is_over(k)) lanes[k]->run->advance(1);
  }
  const double wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
  for (std::size_t k = 0; k < lanes.size(); ++k) {
    if (!lanes[k] || steps.member(static_cast<int>(k)).left) continue;
    const RunSummary summary = lanes[k]->run->conclude();
    if (summary.status != RunStatus::finished) continue;
    outcomes[k] = outcome_of(plan, runs[k], summary, *lanes[k]->collector);
    outcomes[k]->wall = wall / static_cast<double>(runs.size());
    outcomes[k]->in_lanes = true;
  }
  return outcomes;
}

}  // namespace flexura

#include "flexura/study/lane_steps.hpp"

#include <algorithm>
#include <array>

#include "flexura/math/entries.hpp"
#include "flexura/run/end_stops.hpp"

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

void put_lane(std::vector<Lanes>& to, const std::vector<double>& from, int lane) {
  for (std::size_t i = 0; i < from.size(); ++i) to[i].set(lane, from[i]);
}
/// Numbers of all lanes to each one's own; to[lane] null: not wanted.
void take_lanes(const std::vector<Lanes>& from, const std::array<double*, native_lanes>& to) {
  static_assert(native_lanes % 4 == 0);
  const auto* numbers = reinterpret_cast<const double*>(from.data());
  const std::size_t count = from.size();
  for (std::size_t lane = 0; lane < native_lanes; lane += 4) {
    std::size_t i = 0;
    for (; i + 4 <= count; i += 4) {
      Pack<4> part[4];
      for (std::size_t k = 0; k < 4; ++k) part[k] = load_entries<Pack<4>>(numbers + (i + k) * native_lanes + lane);
      transpose(part);
      for (std::size_t k = 0; k < 4; ++k)
        if (to[lane + k] != nullptr) store_entries(to[lane + k] + i, part[k]);
    }
    for (; i < count; ++i)
      for (std::size_t k = 0; k < 4; ++k)
        if (to[lane + k] != nullptr) to[lane + k][i] = numbers[i * native_lanes + lane + k];
  }
}

}  // namespace

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

bool model_fits_lanes(const Model& model) {
  return model.topology->contacts == nullptr && model.topology->laws.empty() && !has_end_stops(model);
}

class LaneStepper final : public Stepper, public KnowsEnergies {
 public:
  LaneStepper(LaneSteps& steps, std::size_t lane) : steps_(steps), own_(steps.member(lane)), lane_(lane) {}
  std::string start(State<double>& state) override {
    own_.fresh_ = true;
    return own_.alone_->start(state);
  }
  bool remembers_accelerations() const override { return own_.alone_->remembers_accelerations(); }
  std::string go_on(State<double>& state) override {
    own_.fresh_ = true;
    return own_.alone_->go_on(state);
  }
  StepReport step(State<double>& state, double t1) override { return steps_.step(lane_, state, t1); }
  void reset() override { ++own_.resets_; }
  int error_order() const override { return own_.alone_->error_order(); }
  std::string advice() const override { return own_.alone_->advice(); }
  TurnLimits turn_limits() const override { return own_.alone_->turn_limits(); }
  bool find_energies(StateEnergies<double>& energies) override {
    if (own_.gone_) energies = steps_.energies(lane_);
    return own_.gone_;
  }

 private:
  LaneSteps& steps_;
  LaneSteps::Member& own_;
  std::size_t lane_;
};

std::unique_ptr<Stepper> LaneSteps::stepper(std::size_t lane, System<double>& system, std::unique_ptr<Stepper> alone) {
  Member& own = members_[lane];
  own.system_ = &system;
  own.alone_ = std::move(alone);
  const auto* family = dynamic_cast<const FamilyStepper*>(own.alone_.get());
  if (family == nullptr || family->method().adaptive) {
    own.left = true;
  } else {
    method_ = family->method();
  }
  return std::make_unique<LaneStepper>(*this, lane);
}

/// Where all lanes that take part are at the same time, have started and reset as often: else these leave.
StepReport LaneSteps::step(std::size_t lane, State<double>& state, double t1) {
  Member& own = members_[lane];
  if (!own.made_) make(t1);
  StepReport report;
  const int index = static_cast<int>(lane);
  report.done = own.made_ && !own.left && t1 == t1_ && lane_of(converged_, index);
  own.made_ = false;
  if (!report.done) {
    own.left = true;
    report.problem = "left its lane";
    return report;
  }
  for (const auto part : {&State<double>::q, &State<double>::v, &State<double>::a, &State<double>::a_alg,
                          &State<double>::history, &State<double>::lags})
    std::copy((own.next_.*part).begin(), (own.next_.*part).end(), (state.*part).begin());
  state.energy = own.next_.energy;
  state.t = t1;
  own.system_->assembler.set_signals(own.system_->drives.at(t1, state.lags));
  own.system_->look_back(state);
  own.system_->count_angles(state);
  report.iterations = iterations_;
  report.factorizations = factorizations_;
  return report;
}

void LaneSteps::make(double t1) {
  t1_ = t1;
  const auto first = std::find_if(members_.begin(), members_.end(), [](const Member& m) { return m.state && !m.left; });
  MaskOf<Lanes> active = uniform_mask<Lanes>(false);
  bool fresh = false, any = false;
  for (std::size_t lane = 0; lane < members_.size(); ++lane) {
    Member& m = members_[lane];
    if (m.left || m.state == nullptr) continue;
    // Who has rested while others went on, or began, is not where its lane is.
    const bool together = m.fresh_ ? m.state->t == first->state->t : m.within_ && m.state->t == joint_.t;
    if (!together || m.resets_ != first->resets_ || m.fresh_ != first->fresh_) {
      m.left = true;
      continue;
    }
    m.made_ = true;
    any = true;
    active.set(static_cast<int>(lane), true);
    fresh |= m.fresh_;
  }
  if (!any) return;
  if (fresh) begin(static_cast<std::size_t>(first - members_.begin()));
  if (first->resets_ != resets_ && !fresh) integrator_->reset();
  resets_ = first->resets_;
  for (std::size_t lane = 0; lane < members_.size(); ++lane)  // inputs may have been set
    if (const Member& m = members_[lane]; m.made_)
      std::copy(m.state->lags.begin(), m.state->lags.end(),
                joint_.lags.begin() + static_cast<std::ptrdiff_t>(m.state->lags.size() * lane));
  const SolveReport<Lanes> report = integrator_->step(joint_, t1, active);
  converged_ = report.converged;
  iterations_ = report.iterations;
  factorizations_ = report.factorizations;
  joint_.t = t1;  // of the lanes that go on
  knows_energies_ = false;
  hand_out();
}

/// The end of the step, for those who have come there.
void LaneSteps::hand_out() {
  std::array<State<double>*, native_lanes> states{};
  for (std::size_t lane = 0; lane < members_.size(); ++lane) {
    Member& m = members_[lane];
    m.fresh_ = false;
    m.gone_ = m.made_ && lane_of(converged_, static_cast<int>(lane));
    if (!m.gone_) continue;
    State<double>& s = m.next_;
    const int index = static_cast<int>(lane);
    const std::size_t lags = m.state->lags.size();
    const auto first = joint_.lags.begin() + static_cast<std::ptrdiff_t>(lags * lane);
    s.lags.assign(first, first + static_cast<std::ptrdiff_t>(lags));
    s.energy = {joint_.energy.gravity[index], joint_.energy.loads[index], joint_.energy.prescribed[index],
                joint_.energy.dissipated[index]};
    states[lane] = &s;
  }
  for (const auto& [from, to] : {std::pair(&joint_.q, &State<double>::q),
                                 {&joint_.v, &State<double>::v},
                                 {&joint_.a, &State<double>::a},
                                 {&joint_.a_alg, &State<double>::a_alg},
                                 {&joint_.history, &State<double>::history}}) {
    std::array<double*, native_lanes> own{};
    for (std::size_t lane = 0; lane < native_lanes; ++lane) {
      if (states[lane] == nullptr) continue;
      (states[lane]->*to).resize(from->size());
      own[lane] = (states[lane]->*to).data();
    }
    take_lanes(*from, own);
  }
}

StateEnergies<double> LaneSteps::energies(std::size_t lane) {
  if (!knows_energies_) {
    system_->look_back(joint_);
    energies_ = state_energies(system_->assembler, joint_);
    knows_energies_ = true;
  }
  const int index = static_cast<int>(lane);
  return {energies_.kinetic[index], energies_.strain[index], energies_.gravity[index]};
}

/// Lanes that take no part have the numbers of one that does.
void LaneSteps::begin(std::size_t any) {
  std::vector<const Values*> values;
  std::vector<Drives*> drives;
  drives_.clear();
  topologies_.clear();
  const auto source = [&](std::size_t lane) -> const Member& {
    return members_[lane < members_.size() && members_[lane].made_ ? lane : any];
  };
  for (std::size_t lane = 0; lane < static_cast<std::size_t>(native_lanes); ++lane) {
    values.push_back(&source(lane).model->values);
    drives_.push_back(source(lane).system_->drives);
    topologies_.push_back(source(lane).model->topology);
  }
  for (Drives& own : drives_) drives.push_back(&own);
  for (Member& m : members_) m.within_ = m.made_;
  integrator_.reset();
  if (!system_) system_ = std::make_unique<System<Lanes>>(members_[any].model->topology, values);
  integrator_ = std::make_unique<GeneralizedAlpha<Lanes>>(
      *system_, method_.weights, method_.newton,
      StabilisationOptions{.project_velocities = method_.stabilisation.project_velocities});
  integrator_->set_lane_drives(std::move(drives));
  const State<double>& pattern = *members_[any].state;
  joint_.t = pattern.t;
  for (auto [to, from] : {std::pair(&joint_.q, &pattern.q),
                          {&joint_.v, &pattern.v},
                          {&joint_.a, &pattern.a},
                          {&joint_.a_alg, &pattern.a_alg},
                          {&joint_.history, &pattern.history}})
    to->assign(from->size(), Lanes(0.0));
  joint_.lags.clear();
  for (int lane = 0; lane < native_lanes; ++lane) {
    const State<double>& from = *source(static_cast<std::size_t>(lane)).state;
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

}  // namespace flexura

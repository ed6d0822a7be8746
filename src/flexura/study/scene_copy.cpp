#include "flexura/study/scene_copy.hpp"

#include <algorithm>
#include <cmath>

#include "flexura/run/consistent_start.hpp"
#include "flexura/solve/extent.hpp"

namespace flexura {
namespace {

constexpr double never = 1e300;  ///< [s]

bool same_time(double a, double b) { return std::fabs(a - b) <= 1e-12 * std::max({1.0, std::fabs(a), std::fabs(b)}); }

bool same_batches(const Topology& a, const Topology& b) {
  return std::ranges::equal(a.batches, b.batches, [](const ItemBatch& x, const ItemBatch& y) {
    return x.type == y.type && x.options == y.options && x.slots == y.slots && x.count == y.count;
  });
}

bool same_slots(const Topology& a, const Topology& b) {
  return a.nq == b.nq && a.ny == b.ny && a.ncoord == b.ncoord &&
         std::ranges::equal(a.slots, b.slots, [](const Slot& x, const Slot& y) {
           return x.offset == y.offset && x.size == y.size && x.block == y.block && x.kind == y.kind;
         });
}

bool same_relations(const Topology& a, const Topology& b) {
  return std::ranges::equal(a.dependents, b.dependents, [](const Dependent& x, const Dependent& y) {
    const bool weights = std::ranges::equal(x.weights, y.weights, [](const Weight& p, const Weight& q) {
      return p.master == q.master && p.first == q.first;
    });
    const bool drives = std::ranges::equal(
        x.drives, y.drives, [](const Drive& p, const Drive& q) { return p.signal == q.signal && p.first == q.first; });
    return weights && drives && x.slot == y.slot && x.base == y.base;
  });
}

}  // namespace

SceneCopy::SceneCopy(SceneDocument document)
    : document_(std::move(document)), scene_(interpret_scene(document_)), active_(scene_, 1) {}

void SceneCopy::enter(int model, const AnalysisSpec& analysis) {
  const bool first = !active_.entered();
  const std::vector<AnalysisSpec>& all = scene_.timeline.analyses;
  analysis_ = &*std::find_if(all.begin(), all.end(), [&](const AnalysisSpec& a) { return a.name == analysis.name; });
  updated_ = looked_ = false;
  const MotionAnalysis* motion = analysis_->motion();
  const bool unsymmetric = motion != nullptr && motion->needs_unsymmetric(*scene_.models[model].model.topology);
  if (!first) {
    active_.state.lags = lags_;
    active_.enter(model, unsymmetric);
    find_places();
    if (analysis_->finds_modes()) open_signals(never);
    return;
  }
  active_.enter(model, unsymmetric);
  find_places();
  make_consistent(active_, document_, scene_.timeline.analyses[scene_.timeline.segments.front().analysis]);
  lags_ = first_lags_ = active_.state.lags;
  if (analysis_->finds_modes()) open_signals(never);
}

void SceneCopy::find_places() {
  places_.clear();
  const std::vector<double> start = system().assembler.initial_q();
  for (const Dependent& d : active_.topology().dependents) {
    const Slot& slot = active_.topology().slots[d.slot];
    for (int i = 0; i < slot.size && d.weights.empty() && d.drives.empty(); ++i)
      places_.emplace_back(slot.offset + i, start[slot.offset + i]);
  }
}

void SceneCopy::set_state(const State<double>& state) {
  active_.state = state;
  for (const auto& [index, value] : places_) active_.state.q[index] = value;
  active_.state.lags = lags_;
  updated_ = looked_ = false;
}

void SceneCopy::expand() {
  State<double>& s = state();
  system().assembler.set_signals(signals_);
  system().assembler.expand(s.q.data(), s.v.data(), s.a.data());
}

void SceneCopy::rest() {
  Drives& drives = system().drives;
  drives.end_at(never);
  drives.enter(state().t);
  drives.restart_lags(state().t, lags_);
  state().lags = lags_;
  const std::vector<double> zero(active_.topology().signals.size(), 0.0);
  set_signals(drives.blend(state().t, lags_, zero, 1.0));
  drives.values(state().loads);
}

void SceneCopy::open_signals(double end) {
  Drives& drives = system().drives;
  drives.end_at(end);
  active_.set_signals(state().t);
  set_signals(drives.at(state().t, lags_));
}

bool SceneCopy::open(double end) {
  open_signals(end);
  if (active_.has_constraints()) active_.constraints().project_velocities(state());
  updated_ = looked_ = false;
  const double size = extent(active_.topology(), state().q);
  return analysis_->motion()->stepper(system(), size)->start(state()).empty();
}

void SceneCopy::advance(double t0, double t1) {
  std::vector<double> next = lags_;
  system().drives.advance(t0, t1, lags_, next);
  lags_ = next;
  set_signals(system().drives.at(t1, lags_));
}

std::vector<SignalValue> SceneCopy::signals_within(double t0, double t) {
  std::vector<double> next = lags_;
  if (t != t0) system().drives.advance(t0, t, lags_, next);
  const std::span<const SignalValue> signals = system().drives.at(t, next);
  return {signals.begin(), signals.end()};
}

void SceneCopy::read(int sensor, std::span<double> out, std::span<const double> last) {
  SensorProbe& probe = active_.probe();
  const bool needs_all = probe.needs_forces(sensor);
  if (!updated_ && (needs_all || !looked_)) {
    expand();
    system().look_back(state());
    const bool reads_energies = (probe.all_needs() & needs::energies) != 0;
    if (needs_all)
      probe.update_sensors(state(), analysis_->over_time(), reads_energies ? active_.energies(0) : Energies{});
    else
      probe.look_at(state());
    looked_ = true;
    updated_ = needs_all;
  }
  probe.read(sensor, out, last);
}

std::string difference_in_kind(const SceneModels& a, const SceneModels& b) {
  if (a.models.size() != b.models.size() || a.timeline.segments.size() != b.timeline.segments.size())
    return "it changes what acts when";
  for (size_t k = 0; k < a.timeline.segments.size(); ++k) {
    const Segment &x = a.timeline.segments[k], &y = b.timeline.segments[k];
    if (!same_time(x.begin, y.begin) || !same_time(x.end, y.end)) return "it changes the times of the run";
    if (a.timeline.analyses[x.analysis].step() != b.timeline.analyses[y.analysis].step())
      return "it changes the step of the run";
  }
  for (size_t k = 0; k < a.models.size(); ++k) {
    const Topology &x = *a.models[k].model.topology, &y = *b.models[k].model.topology;
    if (!same_slots(x, y) || !same_relations(x, y)) return "it changes which unknowns the model has";
    if (!same_batches(x, y)) return "it changes which elements and loads the model has, as where a load is zero";
    const bool signals =
        std::ranges::equal(x.signals, y.signals, [](const EffectiveSignal& p, const EffectiveSignal& q) {
          return p.signal == q.signal && same_time(p.from, q.from) && same_time(p.until, q.until);
        });
    if (!signals) return "it changes when a load acts";
    const Values &p = a.models[k].model.values, &q = b.models[k].model.values;
    if (p.weights.size() != q.weights.size() || p.directions.size() != q.directions.size() ||
        p.gravity.size() != q.gravity.size())
      return "it changes which relations the model has";
  }
  return {};
}

}  // namespace flexura

#include "flexura/study/simulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "flexura/integrate/generalized_alpha.hpp"
#include "flexura/solve/modes.hpp"
#include "flexura/solve/statics.hpp"
#include "flexura/study/recorder.hpp"

namespace flexura {
namespace {

using Clock = std::chrono::steady_clock;
double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

constexpr int default_checkpoints = 100;                        ///< per dynamic analysis
constexpr double tolerated_gain = 0.01, tolerated_loss = 0.05;  ///< of energy by the integration
constexpr double no_number = std::numeric_limits<double>::infinity();

double extent(const Topology& topology, const std::vector<double>& q) {
  double low = 1e300, high = -1e300, length = 1e-9;
  for (int i = 0; i < topology.dim; ++i) {
    low = 1e300, high = -1e300;
    for (const Slot& slot : topology.slots)
      if (slot.kind == SlotKind::point) {
        low = std::min(low, q[slot.offset + i]);
        high = std::max(high, q[slot.offset + i]);
      }
    length = std::max(length, high - low);
  }
  return length;
}

NewmarkFamily method_of(const AnalysisSpec& a) {
  switch (a.method) {
    case AnalysisSpec::Method::hht:
      return NewmarkFamily::hht(a.alpha);
    case AnalysisSpec::Method::newmark:
      return NewmarkFamily::newmark();
    default:
      return NewmarkFamily::generalized_alpha(a.rho_inf);
  }
}

NewtonOptions newton_of(const AnalysisSpec& a) {
  NewtonOptions options;
  options.tolerance = a.tolerance;
  options.max_iterations = a.max_iterations;
  options.tangent = a.tangent == AnalysisSpec::Tangent::full            ? TangentPolicy::full
                    : a.tangent == AnalysisSpec::Tangent::once_per_step ? TangentPolicy::once_per_step
                                                                        : TangentPolicy::modified;
  return options;
}

/// The item that has most to do with a coordinate, for messages.
std::string culprit(const Topology& topology, int y) {
  if (y < 0) return "nothing in particular";
  int slot = -1;
  for (size_t s = 0; s < topology.slots.size(); ++s)
    if (topology.slots[s].offset <= y && y < topology.slots[s].offset + topology.slots[s].size)
      slot = static_cast<int>(s);
  for (const ItemBatch& batch : topology.batches) {
    const int ns = static_cast<int>(batch.type->info.slots.size());
    for (int i = 0; i < batch.count; ++i)
      for (int a = 0; a < ns; ++a)
        if (batch.type->info.slots[a] != SlotKind::signal && batch.slots[i * ns + a] == slot)
          return topology.item_names[batch.names[i]];
  }
  return slot < 0 ? "nothing in particular" : topology.slot_names[slot];
}

class Run {
 public:
  Run(const SceneDocument& document, const SceneModels& scene, const RunOptions& options)
      : scene_(scene), options_(options), recorder_(document, scene, options) {}

  RunSummary operator()() {
    const Clock::time_point start = Clock::now();
    const size_t sensors = scene_.models.front().sensors.size();
    progress_.sampler_next.assign(sensors, 0);
    progress_.turns.assign(sensors, 0);
    progress_.last.assign(recorder_.sensor_numbers(), 0);
    progress_.least.assign(recorder_.sensor_numbers(), no_number);
    progress_.greatest.assign(recorder_.sensor_numbers(), -no_number);
    bool restored = recorder_.resumed();
    if (restored) recorder_.restore(progress_, state_);
    const size_t first = static_cast<size_t>(progress_.segment);
    const size_t segments = scene_.timeline.segments.size();
    if (restored && progress_.step == 0) {  // written at the end of a segment: the state is that of its model
      enter_saved(scene_.timeline.segments[first - 1].model);
      restored = false;
    }
    for (size_t k = first; k < segments; ++k) {
      if (stop_asked()) break;
      const bool go_on = run_segment(static_cast<int>(k), restored);
      restored = false;
      if (!go_on) break;
    }
    if (model_ < 0) {  // stopped before it began
      const int model = scene_.timeline.segments[first].model;
      restored ? enter_saved(model) : enter_model(model);
    }
    summary_.wall_time = seconds_since(start);
    conclude();
    return summary_;
  }

 private:
  /// The system of a model; the state carried over from the model before.
  void enter_model(int model) {
    if (model == model_) return;
    const SceneModel& next = scene_.models[model];
    const int previous = model_;
    State<double> old = std::move(state_);
    std::shared_ptr<const Topology> old_topology = previous >= 0 ? scene_.models[previous].model.topology : nullptr;
    probe_.reset();
    integrator_.reset();
    system_.reset();
    model_ = model;
    const Values* values = &next.model.values;
    system_ = std::make_unique<System<double>>(next.model.topology, std::span(&values, 1),
                                               AssemblerOptions{.threads = options_.threads});
    probe_ = std::make_unique<SensorProbe>(next, *system_);
    state_ = system_->initial_state(old.t);
    if (old.q.empty()) return;
    carry_over(*old_topology, old);
  }

  /// The same for a state that belongs to the model already.
  void enter_saved(int model) {
    State<double> saved = std::move(state_);
    state_ = {};
    state_.t = saved.t;
    enter_model(model);
    state_ = std::move(saved);
  }

  void carry_over(const Topology& from, const State<double>& old) {
    const Topology& to = system_->topology();
    const std::vector<int> origin = slots_by_name(from, to);
    for (size_t s = 0; s < to.slots.size(); ++s) {
      if (origin[s] < 0) continue;
      const Slot &a = from.slots[origin[s]], &b = to.slots[s];
      for (int i = 0; i < b.size; ++i) {
        state_.q[b.offset + i] = old.q[a.offset + i];
        state_.v[b.offset + i] = old.v[a.offset + i];
        state_.a[b.offset + i] = old.a[a.offset + i];
        if (b.offset + i < to.ny && a.offset + i < from.ny) state_.a_alg[b.offset + i] = old.a_alg[a.offset + i];
      }
    }
    state_.lags = old.lags;
    state_.energy = old.energy;
    for (size_t i = 0; i < to.signals.size(); ++i) {
      state_.loads[i] = 0;
      for (size_t j = 0; j < from.signals.size(); ++j)
        if (from.signals[j] == to.signals[i]) state_.loads[i] = old.loads[j];
    }
  }

  bool run_segment(int index, bool restored) {
    const Segment& segment = scene_.timeline.segments[index];
    const AnalysisSpec& analysis = scene_.timeline.analyses[segment.analysis];
    const bool new_analysis = index == 0 || scene_.timeline.segments[index - 1].analysis != segment.analysis;
    if (restored) {
      enter_saved(segment.model);
    } else {
      progress_.segment = index;
      progress_.step = 0;
      enter_model(segment.model);
      state_.t = segment.begin;
      if (new_analysis) {
        progress_.states = 0;
        std::fill(progress_.sampler_next.begin(), progress_.sampler_next.end(), 0.0);
        progress_.step_size = analysis.step;
      }
    }
    recorder_.enter(segment.analysis, segment.model, scene_.models[segment.model], *probe_);
    switch (analysis.kind) {
      case AnalysisSpec::Kind::statics:
        return statics(analysis);
      case AnalysisSpec::Kind::modes:
        return modes(analysis);
      default:
        return dynamics(segment, analysis, new_analysis, restored);
    }
  }

  bool statics(const AnalysisSpec& analysis) {
    StaticOptions options;
    options.newton.tolerance = analysis.tolerance;
    options.newton.max_iterations = analysis.max_iterations;
    options.first_step = analysis.load_step;
    options.stop = [this] { return stop_asked(); };
    StaticSolver solver(*system_, options);
    const StaticReport report = solver.solve(state_, [&](double factor, const State<double>& s) {
      recorder_.load_step(factor, s, *probe_, progress_, energies());
      show(analysis, factor, 1.0);
    });
    progress_.load_steps += report.load_steps;
    progress_.iterations += report.iterations;
    if (report.stopped) return false;
    if (!report.converged) {
      return fail(
          fmt::format("statics: no equilibrium beyond {:.4g} of the loads in analysis '{}': |r| = {:.2g} after {} "
                      "iterations; largest: {}\ntry: smaller loads, a better initial shape, or a dynamic "
                      "analysis with damping: the structure may buckle or snap there",
                      report.load_factor, analysis.name, report.last.worst_force, report.last.iterations,
                      culprit(system_->topology(), report.last.worst)));
    }
    if (report.unstable)
      summary_.warnings.push_back(fmt::format("analysis '{}' ends in an unstable equilibrium", analysis.name));
    rebase();
    ++progress_.segment;
    recorder_.checkpoint(state_, progress_);
    return true;
  }

  bool modes(const AnalysisSpec& analysis) {
    system_->drives.enter(state_.t);
    system_->assembler.set_signals(system_->drives.at(state_.t, state_.lags));
    ModesOptions options;
    options.count = analysis.mode_count;
    const Modes modes = solve_modes(*system_, state_, options);
    if (!modes.converged) return fail(fmt::format("modes: analysis '{}': {}", analysis.name, modes.problem));
    if (!modes.warning.empty())
      summary_.warnings.push_back(fmt::format("analysis '{}': {}", analysis.name, modes.warning));
    if (modes.unstable > 0)
      summary_.warnings.push_back(
          fmt::format("analysis '{}': the state is unstable, {} modes grow", analysis.name, modes.unstable));
    recorder_.modes(analysis.name, modes.frequency, modes.eigenvalue, modes.shapes);
    ++progress_.segment;
    recorder_.checkpoint(state_, progress_);
    return true;
  }

  Energies energies() {
    Energies e;
    e.kinetic = system_->assembler.kinetic_energy(state_.v.data());
    e.strain = system_->assembler.potential_energy(state_.t, state_.q.data());
    e.gravity = 0.0 - system_->assembler.inner(system_->assembler.gravity_force().data(), state_.q.data());
    e.dissipated = state_.energy.dissipated;
    e.work = state_.energy.loads + state_.energy.prescribed;
    e.numerical = progress_.baseline + state_.energy.gravity + e.work - e.kinetic - e.strain - e.dissipated;
    return e;
  }

  /// Statics and changes of the model move energy in ways that are not work over time: the balance starts from here.
  void rebase() {
    const double before = progress_.numerical;
    progress_.baseline = 0;
    progress_.baseline = before - energies().numerical;
  }

  bool dynamics(const Segment& segment, const AnalysisSpec& analysis, bool new_analysis, bool restored) {
    const Clock::time_point start = Clock::now();
    const double begun = state_.t;
    integrator_ = std::make_unique<GeneralizedAlpha<double>>(*system_, method_of(analysis), newton_of(analysis));
    const std::vector<double> jumps = system_->drives.jumps(segment.begin, segment.end);
    std::vector<double> cuts = system_->drives.gates(segment.begin, segment.end);
    cuts.insert(cuts.end(), jumps.begin(), jumps.end());
    cuts.push_back(segment.end);
    std::sort(cuts.begin(), cuts.end());
    cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
    bool fine = true;
    double from = segment.begin;
    long first_step = 0;  // steps of the segment before `from`
    for (double to : cuts) {
      const long steps = std::max(1L, std::lround(std::ceil((to - from) / analysis.step - 1e-9)));
      const bool done =
          !analysis.adaptive ? progress_.step >= first_step + steps : state_.t >= to - 1e-12 * (1 + std::fabs(to));
      if (restored && done) {
        from = to;
        first_step += steps;
        continue;
      }
      system_->drives.end_at(1e300);
      if (std::binary_search(jumps.begin(), jumps.end(), to)) system_->drives.end_at(to);
      if (!restored) {
        if (!all(integrator_->start(state_))) {
          fine =
              fail(fmt::format("dynamics: the mass matrix is singular at t = {:.6g} s: something that can move has no "
                               "mass\ntry: give every part a mass (rhoA, m)",
                               state_.t));
          break;
        }
        rebase();
        if (new_analysis && from == segment.begin) record(false);
      } else {
        system_->drives.enter(from);
        system_->assembler.set_signals(system_->drives.at(state_.t, state_.lags));
      }
      restored = false;
      fine = analysis.adaptive ? adaptive_steps(analysis, to) : fixed_steps(analysis, from, to, steps, first_step);
      if (!fine) break;
      from = to;
      first_step += steps;
    }
    summary_.integration_time += seconds_since(start);
    summary_.simulated += state_.t - begun;
    if (!fine) return false;
    system_->drives.values(state_.loads);
    if (segment.end == analysis.end) record(true);
    system_->drives.end_at(1e300);
    ++progress_.segment;
    progress_.step = 0;
    integrator_->reset();
    recorder_.checkpoint(state_, progress_);
    return true;
  }

  bool fixed_steps(const AnalysisSpec& analysis, double from, double to, long steps, long first_step) {
    const double interval =
        analysis.checkpoint > 0 ? analysis.checkpoint : (analysis.end - analysis.begin) / default_checkpoints;
    const long every = std::max(1L, std::lround(std::min(interval / analysis.step, 1e15)));
    const double h = (to - from) / static_cast<double>(steps);
    for (long k = progress_.step - first_step + 1; k <= steps; ++k) {
      const double t1 = k == steps ? to : from + static_cast<double>(k) * h;
      const double t0 = state_.t;
      const SolveReport<double> report = integrator_->step(state_, t1);
      count(report);
      if (!report.converged) return fail(describe(report, t0, t1 - t0, analysis));
      recorder_.step(state_.t, t1 - t0, report);
      ++progress_.step;
      if (recorder_.due(state_.t, progress_)) record(false);
      if (!after_step(analysis, k % every == 0 && k < steps)) return false;
    }
    return true;
  }

  bool adaptive_steps(const AnalysisSpec& analysis, double to) {
    const double interval =
        analysis.checkpoint > 0 ? analysis.checkpoint : (analysis.end - analysis.begin) / default_checkpoints;
    const double largest = analysis.max_step > 0 ? analysis.max_step : to - analysis.begin;
    const double length = extent(system_->topology(), state_.q);
    double next_checkpoint = state_.t + interval;
    double h = progress_.step_size;
    while (state_.t < to - 1e-12 * (1 + std::fabs(to))) {
      double target = std::min(to, next_sample(to));
      const double room = target - state_.t;
      // Steps share what is left up to the next sample or end equally.
      const double used = room / std::max(1.0, std::ceil(room / h - 1e-9));
      const double t1 = used >= room * (1 - 1e-12) ? target : state_.t + used;
      const State<double> before = state_;
      const SolveReport<double> report = integrator_->step(state_, t1);
      count(report);
      const double error = report.converged ? integrator_->local_error(length) / analysis.error_tolerance : 1e3;
      const double factor = std::clamp(0.9 * std::cbrt(1 / std::max(error, 1e-9)), 0.2, 2.0);
      if (!report.converged || error > 1) {
        const double tried = t1 - before.t;
        if (report.converged) state_ = before;
        integrator_->reset();
        system_->assembler.set_signals(system_->drives.at(state_.t, state_.lags));
        h = tried * (report.converged ? std::min(factor, 0.8) : 0.25);
        if (h >= analysis.min_step) continue;
        if (!report.converged) return fail(describe(report, state_.t, tried, analysis));
        return fail(
            fmt::format("dynamics: the error cannot be kept below {:g} with steps of {:g} s at t = {:.6g} s\n"
                        "try: a larger adaptive.tolerance, or a smaller adaptive.min_step",
                        analysis.error_tolerance, analysis.min_step, state_.t));
      }
      // A step that would change by less than a quarter stays: its factor can be kept.
      if (factor > 1.25 || factor < 0.8) h = std::min(std::max(h, t1 - before.t) * factor, largest);
      progress_.step_size = h;
      recorder_.step(state_.t, t1 - before.t, report);
      ++progress_.step;
      if (recorder_.due(state_.t, progress_)) record(false);
      const bool checkpoint = state_.t >= next_checkpoint;
      if (checkpoint) next_checkpoint = state_.t + interval;
      if (!after_step(analysis, checkpoint)) return false;
    }
    return true;
  }

  double next_sample(double end) const {
    double next = end;
    const auto consider = [&](Sampler s, double k) {
      s.next = static_cast<long>(k);
      if (s.interval > 0 && s.time() > state_.t + 1e-9 * s.interval) next = std::min(next, s.time());
    };
    for (size_t k = 0; k < recorder_.samplers().size(); ++k)
      consider(recorder_.samplers()[k], progress_.sampler_next[k]);
    return next;
  }

  void count(const SolveReport<double>& report) {
    ++progress_.steps;
    progress_.iterations += report.iterations;
    progress_.factorizations += report.factorizations;
  }

  void record(bool last) {
    const Energies e = energies();
    progress_.numerical = e.numerical;
    recorder_.sample(state_, *probe_, progress_, e, true, last);
  }

  /// Checkpoint, progress, Ctrl-C. False: stop here.
  bool after_step(const AnalysisSpec& analysis, bool checkpoint) {
    if (checkpoint) {
      integrator_->reset();
      recorder_.checkpoint(state_, progress_);
      if (!recorder_.problem().empty()) return fail("results cannot be written any more");
    }
    if ((progress_.steps & 63) == 0) show(analysis, state_.t - analysis.begin, analysis.end - analysis.begin);
    return !stop_asked();
  }

  bool stop_asked() {
    if (options_.stop == nullptr || !options_.stop->load(std::memory_order_relaxed)) return false;
    summary_.status = RunStatus::interrupted;
    summary_.message = fmt::format("interrupted at t = {:.6g} s", state_.t);
    return true;
  }

  void show(const AnalysisSpec& analysis, double done, double end) {
    if (!options_.progress) return;
    const double wall = seconds_since(shown_from_);
    const bool same = shown_analysis_ == analysis.name;
    if (!same) shown_analysis_ = analysis.name, shown_from_ = Clock::now(), shown_done_ = done;
    Progress p{analysis.name, done, end, 0, 0};
    if (same && wall > 0) p.real_time_factor = (done - shown_done_) / wall;
    if (p.real_time_factor > 0) p.remaining = (end - done) / p.real_time_factor;
    options_.progress(p);
  }

  bool fail(std::string message) {
    summary_.status = RunStatus::failed;
    summary_.message = std::move(message);
    return false;
  }

  std::string describe(const SolveReport<double>& r, double t, double h, const AnalysisSpec& analysis) const {
    return fmt::format(
        "newton: no convergence at t = {:.6g} s (step {}, h = {:.4g} s): |r| = {:.2g} after {} iterations; largest: "
        "{}\n"
        "try: analysis.{}.step <= {:.2g} s{}",
        t + h, progress_.step + 1, h, r.worst_force, r.iterations, culprit(system_->topology(), r.worst), analysis.name,
        0.5 * h,
        analysis.method == AnalysisSpec::Method::newmark ? ", or integrator = \"generalized-alpha\" with rho_inf < 1"
                                                         : ", or adaptive = {}");
  }

  /// A wrong root of Newton's, or steps that are too large, show in the energy balance before they show anywhere else.
  void check_balance(const Energies& e) {
    const double gained = -e.numerical;
    const double held = e.kinetic + e.strain + e.dissipated - std::max(0.0, gained);
    const double in_play = std::max(held, std::fabs(e.work));
    const double share = std::fabs(gained) / (in_play + 1e-6 * std::fabs(e.gravity) + 1e-15);
    if (progress_.steps == 0 || share < (gained > 0 ? tolerated_gain : tolerated_loss)) return;
    summary_.warnings.push_back(fmt::format(
        "the integration {} {:.2g} J, {:.2g} % of the energy in play: do not trust the motion without a smaller step",
        gained > 0 ? "put in" : "took out", std::fabs(gained), 100 * share));
  }

  void conclude() {
    const SceneModel& model = scene_.models[std::max(0, model_)];
    const Topology& topology = *model.model.topology;
    summary_.coordinates = topology.ncoord;
    summary_.multipliers = topology.ny - topology.ncoord;
    for (const CablePart& cable : model.cables) summary_.elements += static_cast<int>(cable.elements.size());
    summary_.steps = progress_.steps;
    summary_.iterations = progress_.iterations;
    summary_.factorizations = progress_.factorizations;
    summary_.load_steps = progress_.load_steps;
    summary_.t = state_.t;
    const Energies e = energies();
    summary_.kinetic = e.kinetic;
    summary_.strain = e.strain;
    summary_.gravity = e.gravity;
    summary_.dissipated = e.dissipated;
    summary_.work = e.work;
    summary_.numerical = e.numerical;
    summary_.violation = progress_.violation;
    check_balance(e);
    for (size_t k = 0; k < model.sensors.size(); ++k) {
      const int a = recorder_.sensor_offset(static_cast<int>(k)), b = recorder_.sensor_offset(static_cast<int>(k) + 1);
      const auto part = [&](const std::vector<double>& x) { return std::vector<double>(x.begin() + a, x.begin() + b); };
      if (!std::isfinite(progress_.least[a])) continue;  // never sampled
      summary_.sensors.emplace_back(
          model.sensors[k].name,
          SensorSummary{model.sensors[k].unit, part(progress_.last), part(progress_.least), part(progress_.greatest)});
    }
    summary_.files = recorder_.finish(summary_);
  }

  const SceneModels& scene_;
  const RunOptions& options_;
  Recorder recorder_;
  RunSummary summary_;
  RunProgress progress_;
  State<double> state_;
  int model_ = -1;
  std::unique_ptr<System<double>> system_;
  std::unique_ptr<SensorProbe> probe_;
  std::unique_ptr<GeneralizedAlpha<double>> integrator_;
  std::string shown_analysis_;
  Clock::time_point shown_from_ = Clock::now();
  double shown_done_ = 0;
};

}  // namespace

RunSummary run_scene(const SceneDocument& document, const RunOptions& options) {
  const SceneModels scene = interpret_scene(document);
  return Run(document, scene, options)();
}

}  // namespace flexura

// Analyses at a fixed time: equilibria and modes.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <span>

#include "flexura/base/text.hpp"
#include "flexura/run/rounding_energy.hpp"
#include "flexura/run/run.hpp"
#include "flexura/run/run_watcher.hpp"
#include "flexura/run/snap_watch.hpp"
#include "flexura/run/static_work.hpp"
#include "flexura/scene/path_end.hpp"
#include "flexura/solve/arc_length.hpp"
#include "flexura/solve/culprit.hpp"
#include "flexura/solve/kinematics.hpp"
#include "flexura/solve/modes.hpp"
#include "flexura/solve/statics.hpp"
#include "flexura/solve/unbalanced_force.hpp"

namespace flexura {
/// Each solve() does one analysis at the state where the run is.
struct Run::AtRest {
  Run& run;
  const AnalysisSpec& analysis;
  std::string emptied = {};                         ///< which chamber a load step has emptied
  std::string turned = {};                          ///< which element a load step has turned too far
  bool can_move = true;                             ///< something is left free by constraints
  const std::vector<double>* unbalanced = nullptr;  ///< of the solver: what came or went with a change of the model

  bool solve(const StaticAnalysis& what);
  bool solve(const ModesAnalysis& what);

  /// As the first of `Types` that the analysis is.
  template <class... Types>
  bool solve_as() {
    bool fine = false;
    const auto is = [&]<class Type>(const Type* what) { return what != nullptr && (fine = solve(*what), true); };
    const bool known = (is(dynamic_cast<const Types*>(analysis.what.get())) || ...);
    return known ? fine : run.fail(fmt::format("analysis '{}': nothing runs '{}'", analysis.name, analysis.type));
  }

 private:
  using AcceptLoadStep = std::function<void(double factor, const State<double>& state)>;
  bool raise_loads(const StaticAnalysis& what, const AcceptLoadStep& accept);
  bool follow_path(const StaticAnalysis& what, const AcceptLoadStep& accept);
  std::function<double(const State<double>&)> distance_to(const PathEnd& end);
  void warn_of_missed(const PathEnd& end, const ArcLengthReport& report);
  bool stop_asked() const { return !emptied.empty() || !turned.empty() || run.stop_asked(); }
};

bool Run::solve_at_rest(const AnalysisSpec& analysis) {
  return AtRest{*this, analysis}.solve_as<StaticAnalysis, ModesAnalysis>();
}

bool Run::is_in_equilibrium() const {
  const Timeline& timeline = scene_.timeline;
  for (int s = progress_.segment - 1; s >= 0; --s) {
    const AnalysisSpec& before = timeline.analyses[timeline.segments[s].analysis];
    if (timeline.segments[s].model != timeline.segments[progress_.segment].model) return false;
    if (before.finds_modes()) continue;
    const auto* statics = dynamic_cast<const StaticAnalysis*>(before.what.get());
    return statics != nullptr && !statics->arc_length;  // a path may end before the whole load
  }
  return false;
}

bool Run::model_changed_since_equilibrium() const {
  const Timeline& timeline = scene_.timeline;
  for (int s = progress_.segment - 1; s >= 0; --s) {
    const AnalysisSpec& before = timeline.analyses[timeline.segments[s].analysis];
    if (before.finds_modes()) continue;
    return before.finds_equilibria() && timeline.segments[s].model != timeline.segments[progress_.segment].model;
  }
  return false;
}

namespace {

/// Whether constraints leave anything free to move: where they do not, nothing snaps or loses its stability.
bool has_freedom(ActiveModel& active) {
  const Topology& topology = active.topology();
  if (!active.has_constraints() || topology.ncoord > topology.ny - topology.ncoord) return topology.ncoord > 0;
  return count_dof(active.constraints(), topology, active.state).dof > 0;
}

}  // namespace

bool Run::AtRest::solve(const StaticAnalysis& what) {
  const State<double>& state = run.active_.state;
  const std::span<const SignalValue> signals = run.active_.system().drives.at(state.t, state.lags);
  if (const std::string refused = run.refused_signal(signals, state.t); !refused.empty())
    return run.fail("statics: " + refused);
  StaticWork work(run.active_.system());
  SnapWatch snaps(run.active_.system());
  can_move = has_freedom(run.active_);
  const EnergyAccount<double> before = run.active_.state.energy;
  double stored = 0;
  PathFact path{analysis.name};
  const auto accept = [&](double factor, const State<double>& s) {
    if (emptied = run.emptied_chamber(s); !emptied.empty()) return;
    System<double>& system = run.active_.system();
    run.note_angles();
    const bool first = path.load_steps++ == 0;
    if (!first) work.add(factor, run.active_.state, *unbalanced);
    const Energies energies = run.energies();
    run.recorder_.load_step(factor, s, run.active_.probe(), run.progress_, energies);
    // The state at hand is shown before a solver sets the signals of its first step.
    if (first) system.assembler.set_signals(system.drives.blend(s.t, s.lags, s.loads, 0.0));
    if (first) work.add(factor, run.active_.state, *unbalanced), stored = energies.strain;
    const EnergyAccount<double>& account = run.active_.state.energy;
    const PlaceAccuracy accuracy{.of_place = std::min(what.tolerance, 1e-8)};
    const auto rounding = [&] {
      return rounding_energy(system, run.active_.scene().model.values, s, energies.strain, accuracy);
    };
    const SnapWatch::StepWork done =
        first ? SnapWatch::StepWork{} : SnapWatch::StepWork{work.last_chord(), work.last_gross()};
    if (!what.arc_length && can_move)
      if (const std::string snap = snaps.look(factor, done, energies.strain, rounding); !snap.empty())
        run.summary_.warnings.push_back(fmt::format("analysis '{}': {}", analysis.name, snap));
    path.load_factor = factor;
    path.work = account.loads + account.prescribed - before.loads - before.prescribed;
    path.weight = account.gravity - before.gravity;
    path.stored = energies.strain - stored;
    run.recorder_.path_energies(path);
    run.recorder_.draw_load_step(factor, s, system.assembler, run.active_.probe());
    run.watch_crossings(fmt::format("at {:.4g} of the loads", factor));
    turned = run.watch_rotations(s.q, factor);
    run.show(analysis, factor, 1.0);
  };
  const bool reached = what.arc_length ? follow_path(what, accept) : raise_loads(what, accept);
  if (path.load_steps > 0) --path.load_steps;  // the point that it began from
  run.summary_.at_rest.paths.push_back(path);
  if (!emptied.empty())
    return run.fail(fmt::format("statics: at {:.4g} of the loads and beyond {}", path.load_factor, emptied));
  if (!turned.empty())
    return run.fail(
        fmt::format("statics: at {:.4g} of the loads in analysis '{}' {}", path.load_factor, analysis.name, turned));
  if (!reached) return false;
  if (!run.recorder_.undefined().empty()) return run.fail("statics: " + run.recorder_.undefined());
  if (RunWatcher* seen_by = run.watcher()) {
    if (path.load_factor != 1)
      return run.fail(
          fmt::format("statics: analysis '{}' ends at {:.4g} of the loads, and derivatives are those of "
                      "equilibria under whole loads\ntry: loads that are whole there, without until",
                      analysis.name, path.load_factor));
    seen_by->rest(run.active_.state);
  }
  run.rebase();
  run.close_segment();
  return true;
}

/// What a sensor reads at a point of a path, less the value at which the path ends.
std::function<double(const State<double>&)> Run::AtRest::distance_to(const PathEnd& end) {
  const auto [sensor, number] = sensor_number(run.active_.scene(), end);
  return [this, sensor, number, value = end.value](const State<double>& state) {
    SensorProbe& probe = run.active_.probe();
    probe.update_sensors(state, false, run.active_.energies_at(state, run.progress_.baseline));
    std::vector<double> read(run.last_reading(sensor).size());
    probe.read(sensor, read, run.last_reading(sensor));
    return read[static_cast<size_t>(number)] - value;
  };
}

void Run::AtRest::warn_of_missed(const PathEnd& end, const ArcLengthReport& report) {
  const std::string nearest =
      std::isfinite(report.nearest)
          ? fmt::format("; nearest: {:.6g} at {:.4g} of the loads", end.value + report.nearest, report.nearest_factor)
          : "";
  run.summary_.warnings.push_back(fmt::format(
      "analysis '{}': {} was not reached, the path ends {} at {:.4g} of the loads{}: {}", analysis.name, end.label(),
      report.at_max_points ? fmt::format("after {} points", report.points) : "with the whole load,", report.load_factor,
      nearest, report.at_max_points ? "a larger max_points follows it further" : "a larger load follows it further"));
}

bool Run::AtRest::follow_path(const StaticAnalysis& what, const AcceptLoadStep& accept) {
  ArcLengthOptions options;
  options.tolerance = what.tolerance;
  options.max_iterations = what.max_iterations;
  options.first_step = std::min(0.5 * what.load_step, what.largest_step);
  options.largest_step = what.largest_step;
  options.max_points = what.max_points;
  options.stop = [this] { return stop_asked(); };
  run.active_.set_signals(run.active_.state.t);
  options.levels = what.load_levels;
  options.branch = what.branch;
  options.model_changed = run.model_changed_since_equilibrium();
  if (what.until) options.until = distance_to(*what.until);
  ArcLength solver(run.active_.system(), options);
  unbalanced = &solver.unbalanced();
  const ArcLengthReport report = solver.solve(run.active_.state, accept);
  run.progress_.load_steps += report.points;
  run.progress_.iterations += report.iterations;
  run.progress_.factorizations += report.factorizations;
  for (const CriticalPoint& point : report.critical)
    run.summary_.at_rest.critical.push_back({analysis.name,
                                             point.type == CriticalPoint::Type::limit ? "limit point" : "bifurcation",
                                             point.load_factor, point.unstable_before, point.unstable_after});
  run.recorder_.critical_points(analysis.name, report.critical);
  if (report.stopped) return false;
  if (!report.in_balance)
    return run.fail(fmt::format(
        "statics: the path of analysis '{}' has no beginning: the state at its start is no equilibrium, and "
        "none was found near it\ntry: a static analysis without arc_length before it, or a better initial "
        "shape",
        analysis.name));
  if (report.no_branch)
    return run.fail(
        fmt::format("statics: no branch was found at bifurcation {} of analysis '{}', at {:.6g} of the "
                    "loads\ntry: another load_step, or a small load that favours one side",
                    std::abs(what.branch), analysis.name, report.critical.back().load_factor));
  if (what.branch != 0 && !report.branched)
    run.summary_.warnings.push_back(
        fmt::format("analysis '{}' met no bifurcation {}: no branch was taken", analysis.name, std::abs(what.branch)));
  const bool ended = report.converged || report.at_max_points;
  if (what.until && ended && !report.at_until) {
    warn_of_missed(*what.until, report);
  } else if (report.at_max_points) {
    run.summary_.warnings.push_back(fmt::format(
        "analysis '{}' ends after {} points of its path, at {:.4g} of the loads: a larger max_points follows "
        "it further",
        analysis.name, report.points, report.load_factor));
  } else if (!report.converged) {
    return run.fail(
        fmt::format("statics: the path of equilibria in analysis '{}' was followed over {} points, and beyond the last "
                    "one, at {:.4g} of the loads, no point was found that goes on with it\ntry: a smaller load_step or "
                    "largest_step, or a small load that favours one side where branches meet",
                    analysis.name, report.points, report.load_factor));
  }
  if (report.unstable > 0)
    run.summary_.warnings.push_back(fmt::format("analysis '{}' ends in an unstable equilibrium", analysis.name));
  return true;
}

/// "the equilibrium changes its stability between 0.5 and 0.6 of the loads (0 unstable directions before, 1 after): …"
std::string changes_of_stability(const std::vector<StabilityChange>& changes) {
  if (changes.empty()) return {};
  std::string places;
  for (size_t i = 0; i < std::min<size_t>(changes.size(), 4); ++i)
    places += fmt::format("{}between {:.4g} and {:.4g} of the loads ({} unstable directions before, {} after)",
                          i > 0 ? ", " : "", changes[i].from, changes[i].to, changes[i].unstable_before,
                          changes[i].unstable_after);
  if (changes.size() > 4) places += fmt::format(" and {} times more", changes.size() - 4);
  return fmt::format(
      "the equilibrium changes its stability {}: unstable states hold only without the smallest "
      "disturbance, and forces there may be those of no real structure. A small load to one side, or "
      "arc_length = true with a branch, shows what happens",
      places);
}

bool Run::AtRest::raise_loads(const StaticAnalysis& what, const AcceptLoadStep& accept) {
  StaticOptions options;
  options.largest_turn = std::numbers::pi / 12;
  options.newton.tolerance = what.tolerance;
  options.newton.max_iterations = what.max_iterations;
  options.first_step = what.load_step;
  options.levels = what.load_levels;
  options.model_changed = run.model_changed_since_equilibrium();
  options.stop = [this] { return stop_asked(); };
  StaticSolver solver(run.active_.system(), options);
  unbalanced = &solver.unbalanced();
  const StaticReport report = solver.solve(run.active_.state, accept);
  run.progress_.load_steps += report.load_steps;
  run.progress_.iterations += report.iterations;
  if (const ContactWork* work = solver.contact_work()) run.summary_.contacts += *work;
  if (const std::string changes = changes_of_stability(report.changes); can_move && !changes.empty())
    run.summary_.warnings.push_back(fmt::format("analysis '{}': {}", analysis.name, changes));
  if (report.stopped) return false;
  if (!report.converged) {
    const SolveReport<double>& last = report.last;
    const std::string why = report.moves_on || last.converged
                                ? "it moves on and on, as where nothing holds it or friction lets go"
                            : last.worst < 0 || !std::isfinite(last.worst_force)
                                ? fmt::format("the forces are no finite numbers after {} iterations", last.iterations)
                                : fmt::format("|r| = {:.2g}{} after {} iterations; largest: {}", last.worst_force,
                                              residual_unit(run.active_.topology(), last.worst), last.iterations,
                                              culprit(run.active_.topology(), last.worst));
    const bool goes_round = report.load_steps > 0 && run.active_.topology().contacts == nullptr;
    const char* path = goes_round ? "; arc_length = true follows the path round a limit point" : "";
    return run.fail(fmt::format(
        "statics: no equilibrium beyond {:.4g} of the loads in analysis '{}': {}\ntry: {}smaller loads, a "
        "better initial shape, or a dynamic analysis with damping: the structure may buckle or snap there{}",
        report.load_factor, analysis.name, why, run.rotations_->advice(run.active_.state.q), path));
  }
  if (report.unstable && can_move)
    run.summary_.warnings.push_back(fmt::format("analysis '{}' ends in an unstable equilibrium", analysis.name));
  return true;
}

/// "mode 1 flutters at 1.75 Hz, exp(0.31 t)"
std::string growing(const Modes& modes) {
  std::string out;
  int said = 0;
  for (int k = 0; k < modes.count() && said < modes.unstable && said < 3; ++k) {
    if (!(modes.growth[k] > 0)) continue;
    out += said++ > 0 ? "; " : ": ";
    out += modes.frequency[k] > 0 ? fmt::format("mode {} flutters at {:.4g} Hz", k + 1, modes.frequency[k])
                                  : fmt::format("mode {} diverges", k + 1);
    out += fmt::format(", exp({:.3g} t)", modes.growth[k]);
  }
  return out;
}

/// Gas lines by name.
std::vector<std::string> gas_lines(const Topology& topology) {
  std::vector<std::string> out;
  for (const ItemBatch& items : topology.batches)
    for (const int name : items.names)
      if (items.history > 0 && items.type->info.name.starts_with("gas_"))
        out.push_back(topology.item_names[static_cast<size_t>(name)]);
  return out;
}

bool Run::AtRest::solve(const ModesAnalysis& what) {
  State<double> state = run.active_.state;  // modes leave the run's own as it is
  run.active_.set_signals(state.t);
  ModesOptions options;
  options.count = what.count;
  options.damped = what.damped;
  run.show(analysis, 0.0, 1.0);
  options.equilibrium = run.is_in_equilibrium();
  // Constraint forces of a state that no static analysis has found are those with which it would begin to move.
  const bool moves = std::any_of(state.v.begin(), state.v.end(), [](double v) { return v != 0; });
  const bool released = run.active_.has_constraints() &&
                        (moves || (!options.equilibrium && unbalanced_force(run.active_.system(), state)));
  if (released) run.active_.constraints().accelerations(state);
  Modes modes = solve_modes(run.active_.system(), state, options);
  modes.released = released;
  if (run.stop_asked()) return false;
  if (!modes.converged) return run.fail(fmt::format("modes: analysis '{}': {}", analysis.name, modes.problem));
  const auto warn = [&](const std::string& text) {
    run.summary_.warnings.push_back(fmt::format("analysis '{}': {}", analysis.name, text));
  };
  if (!modes.warning.empty()) warn(modes.warning);
  if (const std::vector<std::string> lines = gas_lines(run.active_.topology()); !lines.empty())
    warn(fmt::format("gas lines stay shut while a mode swings ({}); linear models have what flows",
                     joined_text(lines, ", ")));
  if (modes.unstable > 0) warn(fmt::format("the state is unstable, {} modes grow{}", modes.unstable, growing(modes)));
  if (!modes.complete) warn("it could not be proved that no mode below the last is missing");
  bool damps = false;  // what diverges without swinging is said above
  for (int k = 0; k < modes.count(); ++k) damps |= (modes.frequency[k] > 0 || what.damped) && modes.damping[k] != 0;
  run.summary_.at_rest.modes.push_back({analysis.name, modes.frequency, damps ? modes.damping : std::vector<double>()});
  run.recorder_.modes(analysis.name, state.q, modes);
  if (RunWatcher* seen_by = run.watcher()) seen_by->modes(state, modes);
  run.close_segment();
  return true;
}

}  // namespace flexura

#include "flexura/run/simulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "flexura/base/stop_request.hpp"
#include "flexura/base/text.hpp"
#include "flexura/model/contact_model.hpp"
#include "flexura/run/folded_solids.hpp"
#include "flexura/run/indeterminate_reactions.hpp"
#include "flexura/run/initial_velocities.hpp"
#include "flexura/run/negative_mass.hpp"
#include "flexura/run/rounding_energy.hpp"
#include "flexura/run/run.hpp"
#include "flexura/run/run_checkpoint.hpp"
#include "flexura/run/run_notes.hpp"
#include "flexura/run/run_watcher.hpp"
#include "flexura/solve/extent.hpp"

namespace flexura {
namespace {

constexpr double tolerated_gain = 0.01, tolerated_loss = 0.05;  ///< of energy by the integration
constexpr double tolerated_for_a_while = 0.1;                   ///< the same, where it has been lost again
constexpr double noticeable_turn = 0.1;                         ///< of a step [rad]
constexpr double unseen_drift = 1e-8;                           ///< of the extent, over the time simulated
constexpr double no_number = std::numeric_limits<double>::infinity();

}  // namespace

double Run::seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

Run::Run(const SceneDocument& document, const SceneModels& scene, const RunOptions& options)
    : scene_(scene),
      options_(options),
      active_(scene, options.threads),
      start_(begin(document)),
      recorder_(document, scene, options) {
  progress_.sampler_next.assign(scene.models.front().sensors.size(), 0);
  progress_.frames.assign(recorder_.frame_numbers(), 0);
  progress_.last.assign(recorder_.sensor_numbers(), 0);
  progress_.least.assign(recorder_.sensor_numbers(), no_number);
  progress_.greatest.assign(recorder_.sensor_numbers(), -no_number);
  progress_.low = progress_.least;
  progress_.high = progress_.greatest;
  for (const Problem& warning : scene.warnings) summary_.warnings.push_back(warning.path + ": " + warning.message);
  summary_.warnings.insert(summary_.warnings.end(), start_->warnings.begin(), start_->warnings.end());
  take_notes();
  if (!options_.resume) note_angles();
  if (!recorder_.resumed()) return;
  if (const std::string problem = misfit(recorder_.resumed_from()); !problem.empty())
    throw ResultsError({{{options.folder + "/run.journal", 0, 0, 1}, {}, "cannot go on: " + problem, {}}});
  go_on_from(recorder_.resumed_from());
}

/// A run that goes on has its state from the checkpoint.
StartReport Run::begin(const SceneDocument& document) {
  if (options_.resume) return {};
  const Segment& first = scene_.timeline.segments.front();
  active_.enter(first.model);
  StartReport start = make_consistent(active_, document, scene_.timeline.analyses[first.analysis]);
  if (std::string unused = unused_velocities(scene_); !unused.empty()) start.warnings.push_back(std::move(unused));
  return start;
}

bool Run::advance(long steps) {
  const StopScope scope(options_.stop);
  if (steps > 0) unsettled_.reset();
  while (steps > 0 && !over_) {
    if (!motion_) {
      over_ = at_end() || stop_asked() || !enter_segment(false);
      if (!motion_) --steps;
      continue;
    }
    // Of steps that are made together nobody knows which run's they are, and the clock takes as long as a tenth of one.
    const Clock::time_point start = make_stepper_ ? Clock::time_point() : Clock::now();
    const double begun = active_.state.t;
    for (; steps > 0 && motion_ && !over_; --steps) over_ = !move();
    if (!make_stepper_) summary_.integration_time += seconds_since(start);
    summary_.simulated += active_.state.t - begun;
  }
  if (at_end()) over_ = true;
  return !over_;
}

bool Run::at_end() const { return static_cast<size_t>(progress_.segment) == scene_.timeline.segments.size(); }

const AnalysisSpec& Run::analysis() const {
  const Timeline& timeline = scene_.timeline;
  return timeline.analyses[timeline.segments[entered_].analysis];
}

Checkpoint Run::save() {
  if (stepper_) stepper_->reset();
  if (motion_) motion_->next_checkpoint = active_.state.t + checkpoint_interval(*motion_->analysis);
  return RunCheckpoint(unsettled_ ? *unsettled_ : active_.state, progress_, active_.index()).owned();
}

std::string Run::misfit(const Checkpoint& checkpoint) const {
  const auto* counts = checkpoint.integers("counts");
  const auto size = [&](const char* name) {
    const auto* numbers = checkpoint.reals(name);
    return numbers == nullptr ? -1L : static_cast<long>(numbers->size());
  };
  if (counts == nullptr || counts->size() != 9 || size("numbers") != 9)
    return "the saved state is none of this version";
  std::string other = "the saved state is that of another scene: it has other coordinates, sensors or signals";
  const Timeline& timeline = scene_.timeline;
  const long segment = (*counts)[0], step = (*counts)[1], segments = static_cast<long>(timeline.segments.size());
  if (segment < 0 || step < 0 || segment > segments || (step > 0 && segment == segments)) return other;
  const Segment& entered = timeline.segments[step > 0 || segment == 0 ? segment : segment - 1];
  if ((*counts)[8] != entered.model || (step > 0 && !timeline.analyses[entered.analysis].over_time())) return other;
  const Topology& topology = *scene_.models[entered.model].model.topology;
  const long numbers = recorder_.sensor_numbers();
  const std::pair<const char*, long> sizes[] = {{"q", topology.nq},
                                                {"v", topology.nq},
                                                {"a", topology.nq},
                                                {"a_alg", topology.ny},
                                                {"lags", topology.signal_set ? topology.signal_set->state_size() : 0},
                                                {"loads", static_cast<long>(topology.signals.size())},
                                                {"sampler_next", static_cast<long>(progress_.sampler_next.size())},
                                                {"frames", recorder_.frame_numbers()},
                                                {"last", numbers},
                                                {"least", numbers},
                                                {"greatest", numbers}};
  if (size("low") != size("high") || (size("low") >= 0 && size("low") != numbers)) return other;
  if (std::max(0L, size("term_history")) != topology.history) return other;
  if (const auto* keys = checkpoint.integers("contact_keys")) {
    const int members = topology.contacts ? topology.contacts->size() : 0;
    const auto is_pair = [&](std::int64_t packed) {
      const ContactKey key = ContactKey::unpacked(packed);
      return key.a >= 0 && key.a < key.b && key.b < members && !topology.contacts->is_plane(key.a);
    };
    if (!std::is_sorted(keys->begin(), keys->end()) || !std::all_of(keys->begin(), keys->end(), is_pair)) return other;
    if (size("contact_numbers") != static_cast<long>(keys->size()) * ContactRecord::numbers) return other;
  }
  const bool fits = std::all_of(std::begin(sizes), std::end(sizes), [&](auto& s) { return size(s.first) == s.second; });
  return fits ? "" : other;
}

void Run::restore(const Checkpoint& checkpoint) {
  motion_.reset();
  stepper_.reset();
  unsettled_.reset();
  summary_.status = RunStatus::finished;
  summary_.message.clear();
  recorder_.forget_undefined();
  go_on_from(checkpoint);
}

void Run::go_on_from(const Checkpoint& checkpoint) {
  restore_run(checkpoint, progress_, active_.state);
  start_.reset();
  end_.reset();
  if (std::optional<RunNotes> notes = unpack_notes(progress_.notes)) {
    summary_.warnings = std::move(notes->warnings);
    summary_.at_rest = std::move(notes->at_rest);
    start_ = std::move(notes->start);
  }
  if (progress_.step > 0) {
    enter_segment(true);
  } else {  // at the end of a segment the state is that of its model
    entered_ = static_cast<size_t>(std::max(0L, progress_.segment - 1));
    active_.enter_saved(scene_.timeline.segments[entered_].model);
    recall_signals();
  }
  if (!active_.angles().counts().fit(active_.state.angles)) active_.angles().begin(active_.state);
  over_ = at_end();
}

/// An analysis without time is done whole, a motion begins.
bool Run::enter_segment(bool within) {
  forget_failures();
  const size_t index = static_cast<size_t>(progress_.segment);
  entered_ = index;
  const Segment& segment = scene_.timeline.segments[index];
  const AnalysisSpec& analysis = scene_.timeline.analyses[segment.analysis];
  const bool new_analysis = index == 0 || scene_.timeline.segments[index - 1].analysis != segment.analysis;
  stepper_.reset();
  const MotionAnalysis* motion = analysis.motion();
  const bool unsymmetric = motion != nullptr && motion->needs_unsymmetric(*scene_.models[segment.model].model.topology);
  if (within) {
    active_.enter_saved(segment.model, unsymmetric);
  } else {
    progress_.step = 0;
    end_.reset();
    if (motion != nullptr && !motion->is_driven()) note_end_of_motion();
    active_.enter(segment.model, unsymmetric);
    active_.state.t = segment.begin;
    progress_.turned.clear();
    if (new_analysis) {
      progress_.states = 0;
      progress_.rotated.clear();
      progress_.drawn = 0;
      std::fill(progress_.sampler_next.begin(), progress_.sampler_next.end(), 0.0);
      progress_.step_size = analysis.step();
    }
  }
  lengths_ = asked_lengths(active_.scene().model);
  gas_ = asked_gas(active_.scene());
  fillings_ = chamber_fillings(active_.scene());
  folded_.emplace(active_.scene());
  crossings_.emplace(active_.scene());
  rotations_.emplace(active_.scene());
  progress_.rotated.resize(rotations_->size() * RotationMonitor::numbers);
  recorder_.enter(segment.analysis, segment.model);
  note_angles();
  if (RunWatcher* seen_by = watcher()) seen_by->enter(segment.model, analysis, active_.state);
  if (index > 0 && !within && (analysis.is_dynamic() || analysis.finds_modes()))
    if (const NegativeMass found = find_negative_mass(active_); !found.item.empty())
      return fail(fmt::format("analysis '{}': {}", analysis.name, found.message));
  if (motion == nullptr) return solve_at_rest(analysis);
  open_motion(segment, analysis, new_analysis, within);
  return true;
}

void Run::note_contact_work() {
  const ContactWork* work = motion_ && stepper_ ? stepper_->contact_work() : nullptr;
  if (work != nullptr) summary_.contacts += *work;
}

RunWatcher* Run::watcher() {
  if (options_.watcher != nullptr) options_.watcher->readings(progress_.last);
  return options_.watcher;
}

void Run::take_notes() {
  progress_.notes = pack_notes({start_.value_or(StartReport()), summary_.warnings, summary_.at_rest});
}

void Run::watch_solids(bool moves) {
  if (!folded_) return;
  const std::string folded = folded_->text(active_.state.q);
  if (folded.empty()) return;
  const std::string begins = fmt::format("analysis '{}': ", analysis().name);
  if (std::ranges::any_of(summary_.warnings, [&](const std::string& told) {
        return told.starts_with(begins) && told.find(inside_out) != std::string::npos;
      }))
    return;
  const std::string when = moves ? fmt::format("at t = {:.6g} s ", active_.state.t) : "";
  summary_.warnings.push_back(fmt::format(
      "{}{}{}: do not trust what is there; take smaller loads, another law or more elements", begins, when, folded));
  if (moves) take_notes();
}

std::string Run::watch_rotations(std::span<const double> q, double at) {
  bool noticed = false;
  const std::optional<RotationMonitor::Excess> excess = rotations_->look(q, at, progress_.rotated, noticed);
  if (noticed) {
    tell_rotations();
    take_notes();
  }
  return excess ? rotations_->text(*excess) : std::string();
}

void Run::tell_rotations() {
  if (!rotations_ || progress_.rotated.size() != rotations_->size() * RotationMonitor::numbers) return;
  const std::string begins = fmt::format("analysis '{}': ", analysis().name);
  for (RotationMonitor::Warning& warning : rotations_->warnings(progress_.rotated, analysis().over_time())) {
    const auto is_reported = [&](const std::string& text) { return text.starts_with(begins + warning.subject); };
    const auto reported = std::ranges::find_if(summary_.warnings, is_reported);
    std::string& text = reported != summary_.warnings.end() ? *reported : summary_.warnings.emplace_back();
    text = begins + warning.text;
  }
}

void Run::watch_crossings(std::string_view when) {
  if (!crossings_) return;
  for (const CrossingSurfaces::Crossing& c : crossings_->find(active_.state.q)) {
    const std::string pair = fmt::format("{} and {} {}", c.first, c.second, pass_through);
    if (std::ranges::any_of(summary_.warnings, [&](const std::string& w) { return w.find(pair) != std::string::npos; }))
      continue;
    summary_.warnings.push_back(
        fmt::format("analysis '{}': {} {}, as at ({:.3g}, {:.3g}, {:.3g}) m, and did not at the start: nothing "
                    "keeps surfaces of solids, membranes and plates apart",
                    analysis().name, pair, when, c.at[0], c.at[1], c.at[2]));
    take_notes();
  }
}

void Run::watch_reactions() {
  for (const IndeterminateReaction& found : find_indeterminate_reactions(active_.scene(), active_.state.q)) {
    std::string warning = fmt::format(
        "the reaction of joint.{} is not determined along {}: joints hold the same there, and what is reported is one "
        "of many sets that balance the loads; leave out what is held twice, or make a part flexible",
        found.joint, found.components);
    if (std::ranges::find(summary_.warnings, warning) == summary_.warnings.end())
      summary_.warnings.push_back(std::move(warning));
  }
  if (active_.probe().unbalanced() == nullptr) return;
  std::vector<std::string> joints;
  for (const std::string& author : *active_.probe().unbalanced())
    if (author.starts_with("joint.")) joints.push_back(author);
  if (joints.empty()) return;
  const std::string warning = fmt::format(
      "{}: nearly redundant, so that reactions do not balance the loads; move these joints apart, or "
      "remove one",
      joined_text(joints, " and "));
  if (std::ranges::find(summary_.warnings, warning) == summary_.warnings.end()) summary_.warnings.push_back(warning);
}

void Run::note_checkpoint() {
  recorder_.checkpoint(active_.state, progress_, active_.index());
  if (options_.watcher != nullptr)
    options_.watcher->checkpoint(RunCheckpoint(active_.state, progress_, active_.index()));
}

void Run::close_segment() {
  if (!analysis().finds_modes()) {
    watch_solids(false);
    watch_crossings("at its end");
    watch_reactions();
  }
  tell_rotations();
  ++progress_.segment;
  take_notes();
  progress_.step = 0;
  note_checkpoint();
}

bool Run::stop_asked() {
  if (options_.stop == nullptr || !options_.stop->load(std::memory_order_relaxed)) return false;
  summary_.status = RunStatus::interrupted;
  summary_.message = fmt::format("interrupted at t = {:.6g} s", active_.state.t);
  return true;
}

void Run::show(const AnalysisSpec& analysis, double done, double end) {
  if (!options_.progress) return;
  const double wall = seconds_since(shown_from_);
  const bool same = shown_analysis_ == analysis.name;
  if (!same) shown_analysis_ = analysis.name, shown_from_ = Clock::now(), shown_done_ = done;
  Progress p{analysis.name, done, end, 0, 0};
  if (same && wall > 0) p.real_time_factor = (done - shown_done_) / wall;
  if (p.real_time_factor > 0) p.remaining = (end - done) / p.real_time_factor;
  options_.progress(p);
}

bool Run::fail(std::string message) {
  if (stop_asked()) return false;  // who stops a run from outside may have kept it from its numbers
  if (message.find(" asks for ") == message.npos)
    message.insert(std::min(message.find('\n'), message.size()), suspected_signals());
  for (const auto& code : scene_.code)
    if (code->has_failed())
      message = fmt::format("{} gave no finite number at t = {:.6g} s\n{}", code->what(), code->failed_at(), message);
  watch_solids(false);
  tell_rotations();
  summary_.status = RunStatus::failed;
  summary_.message = std::move(message);
  return false;
}

/// Those of steps that were tried again, or of a state that was given up, are no reason for what fails next.
void Run::forget_failures() const {
  for (const auto& code : scene_.code) code->forget_failure();
}

void Run::rebase() {
  const double before = progress_.numerical;
  progress_.baseline = 0;
  progress_.baseline = before - energies().numerical;
}

Energies Run::energies() {
  StateEnergies<double> known;
  if (!motion_ || !motion_->stepped || motion_->energies == nullptr || !motion_->energies->find_energies(known))
    return active_.energies(progress_.baseline);
  return energies_of(known, active_.state.energy, progress_.baseline);
}

Energies Run::known_energies() {
  const Energies e = energies();
  const double all = e.kinetic + e.strain + e.gravity + e.dissipated + e.work + e.numerical;
  const bool stopped = options_.stop != nullptr && options_.stop->load(std::memory_order_relaxed);
  if (!stopped || std::isfinite(all)) recorded_ = e;
  return recorded_;
}

/// Below this, energies of a motion are rounding [J]; or all masses do not move noticeably, at 1e-8 of the extent over the
/// time simulated.
double Run::least_energy(double stored) {
  set_signals();
  std::vector<double> drift(active_.topology().nq, 0.0);
  const double speed =
      summary_.simulated > 0 ? unseen_drift * extent(active_.topology(), active_.state.q) / summary_.simulated : 0.0;
  for (const Slot& slot : active_.topology().slots)
    if (slot.kind == SlotKind::point) std::fill_n(drift.begin() + slot.offset, slot.size, speed);
  const double least = active_.system().assembler.kinetic_energy(drift.data());
  return (std::isfinite(least) ? least : 0.0) + rounding_energy(active_.system(), active_.scene().model.values,
                                                                active_.state, stored, {.h = progress_.step_size});
}

/// A wrong root of Newton's, or steps that are too large, show in the energy balance before they show anywhere else.
std::string Run::check_balance(const Energies& e) {
  const double gained = -e.numerical;
  EnergyRange range = progress_.energy;
  range.include(e);
  double in_play = range.in_play(e.dissipated) + 1e-6 * std::fabs(e.gravity) + std::numeric_limits<double>::min();
  const bool suspected = !(std::fabs(gained) < tolerated_gain * in_play && range.gained < tolerated_gain * in_play);
  if (suspected) in_play += least_energy(e.strain);
  const double share = std::fabs(gained) / in_play;
  if (!std::isfinite(share))
    return "the energies are beyond the range of numbers: do not trust the motion; lengths or velocities are far too "
           "large";
  const bool at_times = share < (gained > 0 ? tolerated_gain : tolerated_loss);
  if (progress_.steps == 0 || (at_times && range.gained < tolerated_for_a_while * in_play)) return {};
  const auto turn = turns_ && progress_.turned.size() == turns_->size() * TurnWatch::numbers
                        ? turns_->largest(progress_.turned, noticeable_turn)
                        : std::nullopt;
  const double wrong = at_times ? range.gained / in_play : share;
  const std::string much =
      wrong < 1 ? fmt::format("{:.2g} % of the energy in play", 100 * wrong) : "more than all other energy in play";
  return fmt::format("the integration {} {:.2g} J, {}: do not trust the motion without a smaller step{}",
                     at_times     ? "had for a while put in"
                     : gained > 0 ? "put in"
                                  : "took out",
                     at_times ? range.gained : std::fabs(gained), much,
                     turn ? fmt::format("; {} turned by {:.2g} rad in one", turn->part, turn->turn) : "");
}

std::span<double> Run::last_reading(int sensor) {
  const int begin = recorder_.sensor_offset(sensor), end = recorder_.sensor_offset(sensor + 1);
  return std::span(progress_.last).subspan(begin, end - begin);
}

RunSummary Run::conclude() {
  note_contact_work();
  tell_rotations();
  RunSummary summary = summary_;
  if (!over_) {
    summary.status = RunStatus::interrupted;
    summary.message =
        fmt::format("ended at t = {:.6g} s, before the end of analysis '{}'", active_.state.t, analysis().name);
  }
  summary.wall_time = seconds_since(begun_);
  const SceneModel& model = active_.scene();
  const Topology& topology = active_.topology();
  summary.coordinates = topology.ncoord;
  summary.multipliers = topology.ny - topology.ncoord;
  const StartReport start = start_ ? *start_ : count_freedom(active_);
  summary.eliminated = start.freedom.eliminated;
  summary.redundant = static_cast<int>(start.freedom.redundant.size());
  summary.implied = static_cast<int>(topology.implied.size());
  summary.degrees_of_freedom = start.freedom.dof;
  summary.moved = start.moved;
  summary.start = start.moved_text();
  if (start.has_joints()) summary.freedom = start.count_text;
  summary.elements = model.element_count();
  summary.steps = progress_.steps;
  summary.iterations = progress_.iterations;
  summary.factorizations = progress_.factorizations;
  summary.load_steps = progress_.load_steps;
  summary.t = active_.state.t;
  const Energies e = known_energies();
  summary.kinetic = e.kinetic;
  summary.strain = e.strain;
  summary.gravity = e.gravity;
  summary.dissipated = e.dissipated;
  summary.work = e.work;
  summary.numerical = e.numerical;
  summary.violation = progress_.violation;
  if (std::string warning = check_balance(e); !warning.empty()) summary.warnings.push_back(std::move(warning));
  for (size_t k = 0; k < model.sensors.size(); ++k) {
    const int a = recorder_.sensor_offset(static_cast<int>(k)), b = recorder_.sensor_offset(static_cast<int>(k) + 1);
    const auto part = [&](const std::vector<double>& x) { return std::vector<double>(x.begin() + a, x.begin() + b); };
    if (!std::isfinite(progress_.least[a])) continue;  // never sampled
    summary.sensors.emplace_back(model.sensors[k].name, SensorSummary{std::string(model.sensors[k].quantity->unit),
                                                                      part(progress_.last),
                                                                      part(progress_.least),
                                                                      part(progress_.greatest),
                                                                      {},
                                                                      {}});
    if (const InterpolatedExtremes& smooth = recorder_.smooth_extremes(); !smooth.empty()) {
      SensorSummary& sensor = summary.sensors.back().second;
      for (int i = a; i < b; ++i) {
        sensor.smooth_least.push_back(std::min(smooth.least(i), progress_.least[i]));
        sensor.smooth_greatest.push_back(std::max(smooth.greatest(i), progress_.greatest[i]));
      }
    }
  }
  if (options_.verify && summary.status == RunStatus::finished) {
    summary.errors = options_.verify(summary);
    const std::vector<std::string> large = error_warnings(summary.errors);
    summary.warnings.insert(summary.warnings.end(), large.begin(), large.end());
  }
  summary.files = recorder_.finish(summary);
  return summary;
}

RunSummary run_scene(const SceneDocument& document, const RunOptions& options) {
  return run_scene(document, interpret_scene(document), options);
}

RunSummary run_scene(const SceneDocument& document, const SceneModels& scene, const RunOptions& options) {
  Run run(document, scene, options);
  while (run.advance(std::numeric_limits<long>::max())) {
  }
  return run.conclude();
}

}  // namespace flexura

#include "flexura/run/recorder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "flexura/base/file.hpp"
#include "flexura/base/text.hpp"
#include "flexura/output/csv_file.hpp"
#include "flexura/output/hdf5_results.hpp"
#include "flexura/output/sensor_plots.hpp"
#include "flexura/output/vtk_frames.hpp"
#include "flexura/report/report.hpp"
#include "flexura/run/earlier_outputs.hpp"
#include "flexura/run/model_summary.hpp"
#include "flexura/run/run_checkpoint.hpp"
#include "flexura/version.hpp"

namespace flexura {
namespace {

constexpr long default_states = 200;  ///< per analysis where the scene gives no interval
constexpr long most_drawn = 1500;     ///< states per analysis that are drawn, where more are recorded

[[noreturn]] void refuse(const std::string& path, const std::string& message) {
  throw ResultsError({{{path, 0, 0, 1}, {}, message, {}}});
}

ChannelColumn load_column() { return {"load_factor", {}, "1", "share of the loads"}; }

std::string lines(const std::vector<std::string>& texts) { return joined_text(texts, "\n"); }

/// What only the end of a run knows.
void write_totals(JournalWriter& writer, const RunSummary& summary, int threads) {
  const auto count = [&](const char* name, long n) { writer.attribute("/meta", name, std::int64_t{n}); };
  count("elements", summary.elements);
  count("degrees_of_freedom", summary.degrees_of_freedom);
  count("steps", summary.steps);
  count("iterations", summary.iterations);
  count("factorizations", summary.factorizations);
  count("load_steps", summary.load_steps);
  if (!summary.warnings.empty()) writer.attribute("/meta", "warnings", lines(summary.warnings));
  if (std::vector<std::string> points; !summary.at_rest.critical.empty()) {
    for (const CriticalFact& point : summary.at_rest.critical) points.push_back(point.text());
    writer.attribute("/meta", "critical_points", lines(points));
  }
  if (std::vector<std::string> errors; !summary.errors.values.empty()) {
    for (const EstimatedError& value : summary.errors.values)
      errors.push_back(fmt::format("{} [{}], {}\t{}", value.sensor, value.component, value.of, error_text(value)));
    writer.attribute("/meta", "estimated_errors", lines(errors));
  }
  writer.attribute("/meta", "wall_time", summary.wall_time);
  writer.attribute("/meta", "wall_integration_time", summary.integration_time);
  count("wall_threads", threads);
}

}  // namespace

void Sampler::advance(double t) {
  if (interval > 0 && due(t)) next = std::max(next, std::lround(std::floor((t - start) / interval + 1e-9))) + 1;
}

Recorder::Recorder(const SceneDocument& document, const SceneModels& scene, const RunOptions& options)
    : document_(document), scene_(scene), options_(options) {
  const SceneModel& first = scene.models.front();
  const int dim = first.model.topology->dim;
  offsets_.push_back(0);
  for (const SensorSpec& s : first.sensors) offsets_.push_back(offsets_.back() + number_count(s, dim));
  samplers_.resize(first.sensors.size());
  sampled_.resize(first.sensors.size());
  if (options.interpolate_extremes || options.verify) smooth_extremes_ = InterpolatedExtremes(offsets_.back());
  if (!options.record) return;
  journal_path_ = options.folder + "/run.journal";
  if (options.resume) {
    auto resumed = resume_journal(journal_path_);
    if (!resumed) refuse(journal_path_, "cannot go on: " + resumed.error());
    writer_.emplace(std::move(resumed->writer));
    resumed_.emplace(std::move(resumed->checkpoint));
  } else {
    std::error_code error;
    std::filesystem::create_directories(options.folder, error);
    const std::vector<std::string> earlier = earlier_outputs(options.folder);
    auto created = JournalWriter::create(journal_path_);
    if (!created) refuse(options.folder, "cannot write results: " + created.error());
    writer_.emplace(std::move(*created));
    for (const std::string& file : earlier) std::filesystem::remove(file, error);
    writer_->attribute("/meta", "title", scene.title);
    writer_->attribute("/meta", "program", "flexura " + std::string(version));
    writer_->attribute("/meta", "instruction_set", std::string(build_arch));
    std::string names;
    for (const AnalysisSpec& a : scene.timeline.analyses) names += (names.empty() ? "" : ", ") + a.name;
    writer_->attribute("/meta", "analyses", names);
    writer_->blob("/scene/text", document.text, true, "the scene as it was given");
    writer_->blob("/scene/effective", document.effective_text, true, "the scene as it was run");
    writer_->attribute("/scene", "file", document.file);
    if (!document.set.empty())
      writer_->attribute("/scene", "set", Json(document.set).dump(-1, ' ', false, Json::error_handler_t::replace));
    std::set<std::string> taken;
    for (const ExternalFile& file : document.files) {
      std::string name = std::filesystem::path(file.name).filename().string();
      while (!taken.insert(name).second) name = "other_" + name;  // of the same name in another folder
      writer_->blob("/scene/files/" + name, file.text, false, file.name);
    }
    writer_->blob("/model/summary", json_text(model_summary(scene)), true,
                  "parts, joints, slots and items of each model");
    writer_->blob("/model/timeline", json_text(timeline_summary(scene.timeline)), true,
                  "analyses, and the model of each stretch of time");
  }
  remove_abandoned_parts(options.folder);
  drawing_.define(*writer_, scene, options.resume);
  energy_id_ = *writer_->define({"/energies",
                                 "energies of the whole model",
                                 {time_column(),
                                  {"kinetic", {}, "J", "kinetic energy"},
                                  {"strain", {}, "J", "stored in parts and springs"},
                                  {"gravity", {}, "J", "potential energy of weight"},
                                  {"dissipated", {}, "J", "lost in dampers since the start"},
                                  {"work", {}, "J", "done by loads and prescribed motions since the start"},
                                  {"numerical", {}, "J", "lost by the integration since the start"}}});
  define_violations();
  parts_.define(*writer_, scene);
  solver_id_ =
      *writer_->define({"/solver",
                        "one row per step",
                        {time_column(),
                         {"step", {}, "s", "step size"},
                         {"iterations", {}, "1", "corrections of Newton's method", {}, {}, ColumnType::integer},
                         {"factorizations", {}, "1", "of the tangent", {}, {}, ColumnType::integer},
                         {"residual", {}, "1", "over what it had to reach"}}});
  sensor_ids_ = define_sensors(first, "/sensors/", time_column());
  writer_->flush();  // a run killed from now on knows its scene
}

void Recorder::define_violations() {
  std::vector<ChannelColumn> columns{time_column(),
                                     {"constraint", {}, "1", "largest |Phi|, each in its own unit"},
                                     {"rate", {}, "1/s", "largest |dPhi/dt|"}};
  for (const SceneModel& model : scene_.models) {
    const ViolationProbe probe(model);
    for (const std::string& family : probe.families())
      if (std::find(families_.begin(), families_.end(), family) == families_.end()) families_.push_back(family);
  }
  for (const SceneModel& model : scene_.models) {
    const ViolationProbe probe(model);
    std::vector<int>& own = families_of_.emplace_back();
    for (const std::string& family : families_) own.push_back(probe.find(family));
  }
  for (const std::string& family : families_) columns.push_back({family, {}, "1", "largest |Phi| of this family"});
  violation_id_ =
      *writer_->define({"/violations", "largest violation of the constraints that carry multipliers", columns});
}

void Recorder::checkpoint(const State<double>& state, const RunProgress& progress, int model) {
  if (writer_) writer_->checkpoint(RunCheckpoint(state, progress, model).arrays());
}

void Recorder::enter(int analysis, int model) {
  const SceneModel& scene = scene_.models[model];
  const AnalysisSpec& spec = scene_.timeline.analyses[analysis];
  const double span = spec.end - spec.begin;
  const double states = scene_.output.every_step     ? 0
                        : scene_.output.interval > 0 ? scene_.output.interval
                                                     : span / default_states;
  const double sensors = scene_.output.every_step            ? 0
                         : scene_.output.sensor_interval > 0 ? scene_.output.sensor_interval
                                                             : states;
  states_ = {spec.begin, states, 0};
  drawn_ = {spec.begin, std::max(states, span / most_drawn), 0};
  for (size_t k = 0; k < samplers_.size(); ++k)
    samplers_[k] = {spec.begin, scene.sensors[k].interval > 0 ? scene.sensors[k].interval : sensors, 0};
  analysis_ = analysis;
  model_ = model;
  if (!writer_) return;
  define_envelopes(spec, scene);
  parts_.enter(scene);
  const Topology& topology = *scene.model.topology;
  // Models within one analysis have states of different sizes: the first one's path is the analysis, others append.
  const auto& segments = scene_.timeline.segments;
  const auto first =
      std::find_if(segments.begin(), segments.end(), [&](const Segment& s) { return s.analysis == analysis; });
  std::string path = "/analysis/" + spec.name;
  if (first->model != model) path += fmt::format("/model{}", model + 1);
  const std::uint64_t nq = topology.nq;
  writer_->attribute("/analysis/" + spec.name, "type", spec.type);
  if (spec.over_time()) {
    state_id_ = *writer_->define({path,
                                  "states",
                                  {time_column(),
                                   {"q", {nq}, "m", "generalized coordinates, slot by slot (/model/summary)"},
                                   {"v", {nq}, "m/s", "their rates"}}});
  } else if (spec.finds_equilibria()) {
    state_id_ =
        *writer_->define({path,
                          "equilibria by load factor",
                          {load_column(), {"q", {nq}, "m", "generalized coordinates, slot by slot (/model/summary)"}}});
    static_ids_ = define_sensors(scene, "/analysis/" + spec.name + "/sensors/", load_column());
    path_id_ = *writer_->define({"/analysis/" + spec.name + "/energies",
                                 "energies along the path of equilibria",
                                 {load_column(),
                                  {"stored", {}, "J", "gain of strain energy"},
                                  {"work", {}, "J", "done by loads and prescribed motions"},
                                  {"work_of_weight", {}, "J", "done by weight, which grows as other loads do"}}});
  }
  drawing_.enter(*writer_, spec, model, spec.over_time() ? time_column() : load_column());
}

bool Recorder::due(double t, const RunProgress& p) const {
  const auto due = [&](Sampler s, long next) {
    s.next = next;
    return s.due(t);
  };
  if (due(states_, p.states) || due(states_, p.energies)) return true;
  for (size_t k = 0; k < samplers_.size(); ++k)
    if (due(samplers_[k], static_cast<long>(p.sampler_next[k]))) return true;
  return false;
}

void Recorder::sample(const State<double>& state, SensorProbe& probe, const Assembler<double>& assembler,
                      RunProgress& p, const Energies& e, bool inertia, bool last) {
  bool updated = false;
  const auto due = [&](Sampler& s, auto& next) {
    s.next = static_cast<long>(next);
    // At the end what is not due is taken too, unless it was taken at this very time.
    if (last && (s.interval <= 0 || state.t < s.time() - (1 - 1e-9) * s.interval)) return false;
    if (!s.due(state.t) && !last) return false;
    s.advance(state.t);
    next = static_cast<std::remove_reference_t<decltype(next)>>(s.next);
    if (!updated) probe.update(state, inertia, e);
    updated = true;
    return true;
  };
  if (due(states_, p.states)) {
    p.violation = std::max(p.violation, probe.violations().position(-1));
    if (writer_) {
      writer_->row(state_id_, {state.t, state.q, state.v});
      const double energies[] = {state.t, e.kinetic, e.strain, e.gravity, e.dissipated, e.work, e.numerical};
      writer_->row(energy_id_, energies);
      write_violations(state.t, probe.violations());
      parts_.write(*writer_, probe.state(), p.frames);
      if (due(drawn_, p.drawn)) drawing_.write(*writer_, state.t, assembler, state, state.v, probe);
    }
  }
  p.energies = p.states;
  for (size_t k = 0; k < samplers_.size(); ++k) {
    sampled_[k] = due(samplers_[k], p.sampler_next[k]);
    if (sampled_[k]) sample_sensor(k, state.t, sensor_ids_, probe, p);
  }
  for (size_t k = 0; k < samplers_.size() && updated; ++k)
    if (!sampled_[k]) read_sensor(k, state.t, probe, p);
}

void Recorder::write_violations(double t, const ViolationProbe& violations) {
  row_ = {t, violations.position(-1), violations.rate(-1)};
  for (const int k : families_of_[model_]) row_.push_back(k < 0 ? 0.0 : violations.position(k));
  writer_->row(violation_id_, row_);
}

void Recorder::path_energies(const PathFact& path) {
  if (!writer_) return;
  const double row[] = {path.load_factor, path.stored, path.work, path.weight};
  writer_->row(path_id_, row);
}

void Recorder::draw_load_step(double factor, const State<double>& state, const Assembler<double>& assembler,
                              SensorProbe& probe) {
  if (writer_) drawing_.write(*writer_, factor, assembler, state, {}, probe);
}

void Recorder::load_step(double factor, const State<double>& state, SensorProbe& probe, RunProgress& p,
                         const Energies& energies) {
  probe.update(state, false, energies);
  if (writer_) writer_->row(state_id_, {factor, state.q});
  p.violation = std::max(p.violation, probe.violations().position(-1));
  for (size_t k = 0; k < samplers_.size(); ++k) {
    sample_sensor(k, factor, static_ids_, probe, p);
  }
}

void EnergyRange::include(const Energies& e) {
  const double put_in = std::max(0.0, -e.numerical);
  strain_least = any ? std::min(strain_least, e.strain) : e.strain;
  strain_most = any ? std::max(strain_most, e.strain - put_in) : e.strain;
  kinetic = std::max(kinetic, e.kinetic - put_in);
  work = std::max(work, std::fabs(e.work) - put_in);
  gained = std::max(gained, put_in);
  any = true;
}

double EnergyRange::in_play(double dissipated) const {
  return std::max(kinetic + strain_most - strain_least + std::max(0.0, dissipated - gained), work);
}

void Recorder::modes(const std::string& analysis, const std::vector<double>& q, const Modes& modes) {
  if (!writer_ || modes.count() == 0) return;
  drawing_.write_base(*writer_, analysis, q);
  const std::uint64_t nq = modes.shapes.size() / modes.count();
  std::vector<ChannelColumn> columns{{"mode", {}, "1", "number", {}, {}, ColumnType::integer},
                                     {"frequency", {}, "Hz", "eigenfrequency; negative: grows instead"},
                                     {"eigenvalue", {}, "1/s^2", "omega^2; of a complex s: -Re s^2"},
                                     {"growth", {}, "1/s", "Re s: the motion goes with exp(growth t)"},
                                     {"damping", {}, "1", "share of critical damping; negative: grows"},
                                     {"shape", {nq}, "kg^-1/2", "mass-normalised mode, slot by slot"}};
  const bool complex = !modes.shapes_imaginary.empty();
  if (complex)
    columns.push_back({"shape_imaginary", {nq}, "kg^-1/2", "the motion is Re (shape + i shape_imaginary) exp(s t)"});
  const ChannelId id = *writer_->define({"/analysis/" + analysis, "eigenfrequencies and modes", std::move(columns)});
  for (int k = 0; k < modes.count(); ++k) {
    const double numbers[] = {k + 1.0, modes.frequency[k], modes.eigenvalue[k], modes.growth[k], modes.damping[k]};
    const auto shape = [&](const std::vector<double>& of) { return std::span<const double>(of).subspan(k * nq, nq); };
    if (complex)
      writer_->row(id, {std::span<const double>(numbers), shape(modes.shapes), shape(modes.shapes_imaginary)});
    else
      writer_->row(id, {std::span<const double>(numbers), shape(modes.shapes)});
  }
}

void Recorder::critical_points(const std::string& analysis, const std::vector<CriticalPoint>& points) {
  if (!writer_ || points.empty()) return;
  const std::uint64_t nq = points.front().q.size();
  const ChannelId id =
      *writer_->define({"/analysis/" + analysis + "/critical",
                        "limit points and bifurcations on the path of equilibria",
                        {load_column(),
                         {"bifurcation", {}, "1", "1: bifurcation, 0: limit point", {}, {}, ColumnType::integer},
                         {"unstable_before", {}, "1", "unstable directions", {}, {}, ColumnType::integer},
                         {"unstable_after", {}, "1", "unstable directions", {}, {}, ColumnType::integer},
                         {"q", {nq}, "m", "generalized coordinates, slot by slot (/model/summary)"},
                         {"direction", {nq}, "1", "the critical one, its largest coordinate 1"}}});
  for (const CriticalPoint& point : points) {
    const double numbers[] = {point.load_factor, point.type == CriticalPoint::Type::bifurcation ? 1.0 : 0.0,
                              static_cast<double>(point.unstable_before), static_cast<double>(point.unstable_after)};
    writer_->row(id, {std::span<const double>(numbers), point.q, point.direction});
  }
}

void Recorder::step(double t, double h, const StepReport& report) {
  if (!writer_) return;
  const double row[] = {t, h, static_cast<double>(report.iterations), static_cast<double>(report.factorizations),
                        report.residual};
  writer_->row(solver_id_, row);
}

std::vector<std::string> Recorder::finish(RunSummary& summary) {
  std::vector<std::string> files;
  if (!writer_) return files;
  const std::string status = summary.status == RunStatus::finished      ? "finished"
                             : summary.status == RunStatus::interrupted ? "interrupted"
                                                                        : "failed: " + summary.message;
  write_totals(*writer_, summary, options_.threads);
  writer_->end(status);
  const auto complain = [&](const std::string& message) {
    if (!message.empty()) summary.unwritten.push_back(message);
  };
  if (!writer_->ok()) complain(writer_->error());
  auto journal = JournalReader::open(journal_path_);
  if (!journal) {
    complain(journal.error());
    return files;
  }
  const std::string results = options_.folder + "/results.h5";
  const std::string error = write_results(*journal, results);
  if (error.empty())
    files.push_back(results);
  else
    complain(error);
  if (options_.report && error.empty()) {
    const std::string report = options_.folder + "/report.html";
    const ReportOutcome made = write_report({results}, report);
    if (made.error.empty())
      files.push_back(report);
    else
      complain("no report: " + made.error);
    summary.warnings.insert(summary.warnings.end(), made.warnings.begin(), made.warnings.end());
  }
  const auto take = [&](Outcome<std::vector<std::string>> made) {
    if (!made) return complain(made.error());
    files.insert(files.end(), made->begin(), made->end());
  };
  const std::vector<KeptTable> tables = kept_tables(*journal);
  if (options_.csv) take(write_csv_files(*journal, tables, options_.folder));
  if (options_.plots) take(write_plot_files(*journal, tables, options_.folder, scene_.title));
  if (options_.vtk && error.empty()) take(write_vtk_frames(results, options_.folder));
  writer_.reset();  // and with it the lock: nobody else writes into the folder before all is there
  return files;
}

}  // namespace flexura

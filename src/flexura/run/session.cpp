#include "flexura/run/session.hpp"

#include <algorithm>
#include <cmath>

#include "flexura/base/checksum.hpp"
#include "flexura/run/run.hpp"

namespace flexura {
namespace {

[[noreturn]] void refuse(const std::string& message) { throw InputError({{{}, {}, message, {}}}); }

constexpr const char* fingerprint_name = "scene";

/// Of the scene as it runs and the files that it reads.
std::int64_t fingerprint_of(const SceneDocument& scene) {
  std::uint32_t crc = crc32c(scene.effective_text.data(), scene.effective_text.size());
  for (const ExternalFile& file : scene.files) crc = crc32c(file.text.data(), file.text.size(), crc);
  return crc;
}

}  // namespace

struct Session::Impl {
  Impl(std::shared_ptr<const SceneDocument> scene_document, std::shared_ptr<const SceneModels> models,
       RunOptions run_options)
      : shared_document(std::move(scene_document)),
        shared_scene(std::move(models)),
        options(std::move(run_options)),
        run(std::make_unique<Run>(document, scene, options)) {
    const SceneModel& first = scene.models.front();
    for (const SensorSpec& s : first.sensors) values.emplace_back(number_count(s, first.model.topology->dim), 0.0);
    fresh.assign(first.sensors.size(), 0);
    if (!document.signals) return;
    for (int signal = 0; signal < document.signals->size(); ++signal) {
      const int state = document.signals->input_state(signal);
      if (state < 0) continue;
      input_names.push_back(document.signals->name(signal));
      input_states.push_back(state);
    }
  }

  void moved() {
    settled = prepared = false;
    std::fill(fresh.begin(), fresh.end(), 0);
  }

  std::int64_t fingerprint() {
    if (!known_fingerprint) known_fingerprint = fingerprint_of(document);
    return *known_fingerprint;
  }

  const std::shared_ptr<const SceneDocument> shared_document;
  const std::shared_ptr<const SceneModels> shared_scene;
  const SceneDocument& document = *shared_document;
  const SceneModels& scene = *shared_scene;
  RunOptions options;
  std::optional<std::int64_t> known_fingerprint;
  std::unique_ptr<Run> run;
  std::optional<RunSummary> ended;
  std::vector<std::vector<double>> values;  ///< by sensor
  std::vector<char> fresh;                  ///< sensors that have been read at this state
  bool settled = false;                     ///< accelerations are known
  bool prepared = false;                    ///< forces are known too
  std::vector<std::string> input_names;
  std::vector<int> input_states;
};

Session::Session(SceneDocument document, RunOptions options) {
  auto shared = std::make_shared<const SceneDocument>(std::move(document));
  auto scene = std::make_shared<const SceneModels>(interpret_scene(*shared));
  impl_ = std::make_unique<Impl>(std::move(shared), std::move(scene), std::move(options));
}
Session::Session(std::shared_ptr<const SceneDocument> document, std::shared_ptr<const SceneModels> scene,
                 RunOptions options)
    : impl_(std::make_unique<Impl>(std::move(document), std::move(scene), std::move(options))) {}
Session::~Session() = default;
Session::Session(Session&&) noexcept = default;
Session& Session::operator=(Session&&) noexcept = default;

bool Session::advance(long steps) {
  if (impl_->ended) return false;
  impl_->moved();
  return impl_->run->advance(steps);
}

bool Session::advance_to(double t) {
  const double near = t - 1e-9 * impl_->run->analysis().step();
  while (time() < near)
    if (!advance(1)) return time() >= near;
  return true;
}

bool Session::is_finished() const { return impl_->ended || impl_->run->is_over(); }
RunStatus Session::status() const { return impl_->run->status(); }
const std::string& Session::message() const { return impl_->run->message(); }
const std::vector<std::string>& Session::warnings() const {
  return impl_->ended ? impl_->ended->warnings : impl_->run->warnings();
}
double Session::time() const { return state().t; }
double Session::end_time() const { return impl_->run->analysis().end; }
const std::string& Session::analysis() const { return impl_->run->analysis().name; }
const SceneDocument& Session::document() const { return impl_->document; }
const SceneModels& Session::scene() const { return impl_->scene; }
const SceneModel& Session::model() const { return impl_->run->active().scene(); }
const State<double>& Session::state() const { return impl_->run->active().state; }

Run& Session::run() {
  impl_->moved();
  return *impl_->run;
}

int Session::sensor_count() const { return static_cast<int>(impl_->fresh.size()); }
const SensorSpec& Session::sensor_spec(int sensor) const { return impl_->scene.models.front().sensors[sensor]; }

int Session::find_sensor(std::string_view name) const {
  for (int k = 0; k < sensor_count(); ++k)
    if (sensor_spec(k).name == name) return k;
  return -1;
}

std::span<const double> Session::last_reading(int sensor) const { return impl_->run->last_reading(sensor); }

std::span<const double> Session::sensor(int sensor) {
  Impl& s = *impl_;
  std::vector<double>& values = s.values[sensor];
  if (s.fresh[sensor]) return values;
  if (!s.settled) s.run->settle();
  s.settled = true;
  SensorProbe& probe = s.run->active().probe();
  if (!probe.needs_forces(sensor)) {
    if (!s.prepared) probe.look_at(state());
  } else if (!s.prepared) {
    probe.update(state(), s.run->has_inertia(), s.run->energies());
    s.prepared = true;
  }
  const std::span<double> last = s.run->last_reading(sensor);
  probe.read(sensor, values, last);
  std::copy(values.begin(), values.end(), last.begin());
  s.fresh[sensor] = 1;
  return values;
}

const std::vector<std::string>& Session::inputs() const { return impl_->input_names; }

int Session::find_input(std::string_view name) const {
  const auto at = std::find(impl_->input_names.begin(), impl_->input_names.end(), name);
  return at == impl_->input_names.end() ? -1 : static_cast<int>(at - impl_->input_names.begin());
}

double Session::input(int input) const { return state().lags[impl_->input_states[input]]; }

void Session::set_input(int input, double value) {
  if (!std::isfinite(value)) refuse("input '" + impl_->input_names[input] + "': the value must be a finite number");
  double& now = impl_->run->active().state.lags[impl_->input_states[input]];
  if (now == value) return;
  now = value;
  impl_->run->inputs_changed();
  impl_->moved();
}

Checkpoint Session::save() {
  Checkpoint checkpoint = impl_->run->save();
  NamedArray& scene = checkpoint.arrays.emplace_back();
  scene.name = fingerprint_name;
  scene.type = ColumnType::integer;
  scene.integers = {impl_->fingerprint()};
  scene.shape = {1};
  return checkpoint;
}

void Session::restore(const Checkpoint& checkpoint) {
  if (impl_->options.record)
    refuse(
        "a session that is recorded cannot go back: what is on disk stays\ntry: a session without record, or a new "
        "one");
  if (const std::string problem = impl_->run->misfit(checkpoint); !problem.empty()) refuse(problem);
  const auto* scene = checkpoint.integers(fingerprint_name);
  if (scene == nullptr || scene->size() != 1 || scene->front() != impl_->fingerprint())
    refuse("the saved state is that of another scene: its text, or a file that it reads, is another one");
  impl_->run->restore(checkpoint);
  impl_->ended.reset();
  impl_->moved();
}

RunSummary Session::finish() {
  if (!impl_->ended) impl_->ended = impl_->run->conclude();
  return *impl_->ended;
}

}  // namespace flexura

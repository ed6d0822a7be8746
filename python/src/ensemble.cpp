// Many sessions of a scene, stepped together: what flexura.gym.FlexuraVectorEnv is made of.

#include "flexura/study/ensemble.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>

#include "binding.hpp"
#include "flexura/observe/quantity.hpp"
#include "functions.hpp"
#include "interpreter.hpp"
#include "readable.hpp"

namespace flexura::python {
namespace {

using Numbers = nb::ndarray<const double, nb::c_contig, nb::device::cpu>;

class PyEnsemble {
 public:
  PyEnsemble(const PyDocument& document, std::size_t count, int threads, bool lanes)
      : holder_(document.holder), document_(document.scene) {
    asked([&] {
      ensemble_.emplace(document.scene, count,
                        EnsembleOptions{.threads = threads, .lanes = lanes, .stop = &document.functions().stop()});
    });
  }

  int traverse(visitproc visit, void* arg) const {
    Py_VISIT(holder_.ptr());
    return 0;
  }

  /// These begin anew, each with its settings. Raises SceneError, and SolverError where an analysis without time fails.
  void begin(const std::vector<std::size_t>& members, const std::vector<std::vector<Text>>& settings) {
    for (std::size_t i = 0; i < members.size(); ++i) ensemble().set(members[i], all_bytes(settings[i]));
    std::vector<std::string> problems;
    asked([&] { problems = ensemble_->begin(members); });
    for (const std::string& problem : problems)
      if (!problem.empty()) raise_error("SolverError", problem);
  }

  /// What read() reads: sensors and inputs by name. The sizes of each; shape () as 0.
  std::vector<std::size_t> observe(const std::vector<Text>& names) {
    columns_.clear();
    width_ = 0;
    std::vector<std::size_t> sizes;
    const SceneModel& model = ensemble().scene().models.front();
    const int dim = model.model.topology->dim;
    for (const Text& name : names) {
      const auto sensor = std::ranges::find(model.sensors, name.bytes, &SensorSpec::name);
      const bool is_sensor = sensor != model.sensors.end();
      if (is_sensor)
        columns_.push_back({.is_sensor = true,
                            .index = static_cast<int>(sensor - model.sensors.begin()),
                            .count = number_count(*sensor, dim)});
      else
        columns_.push_back({.is_sensor = false, .index = input(name.bytes), .count = 1});
      const std::vector<std::size_t> shape = is_sensor ? shape_of(*sensor, dim) : std::vector<std::size_t>();
      sizes.push_back(shape.empty() ? 0 : shape.front());
      width_ += static_cast<std::size_t>(columns_.back().count);
    }
    return sizes;
  }

  /// Inputs that step() sets, by name.
  void act_on(const std::vector<Text>& names) {
    inputs_.clear();
    for (const Text& name : names) inputs_.push_back(input(name.bytes));
  }

  /// Inputs (member, input) are set and members stepped until their times (member,) [s]; of NaN they stay as they are.
  void step(const Numbers& values, const Numbers& until) {
    const std::size_t count = ensemble().size(), inputs = inputs_.size();
    if (values.size() != count * inputs || until.size() != count)
      throw nb::value_error("an input for each member, and a time");
    const std::span<const double> times(until.data(), count);
    for (std::size_t k = 0; k < count; ++k)
      if (!std::isnan(times[k])) begun(k);
    asked([&] {
      for (std::size_t k = 0; k < count; ++k)
        for (std::size_t i = 0; i < inputs && !std::isnan(times[k]); ++i)
          ensemble_->session(k).set_input(inputs_[i], values.data()[k * inputs + i]);
      ensemble_->advance_to(times);
    });
  }

  /// (member, number) of what is observed.
  nb::object read(const std::vector<std::size_t>& members) {
    for (const std::size_t k : members) begun(k);
    std::vector<double> out(members.size() * width_);
    ensemble().read(columns_, members, width_, out.data());
    return owned_array(std::move(out), {members.size(), width_});
  }

  /// Times [s]; 0: goes on, 1: nothing is left, 2: a step failed; ends of the analyses that they are in [s].
  nb::tuple where() {
    std::vector<double> times, ends;
    std::vector<std::int8_t> states;
    for (std::size_t k = 0; k < ensemble().size(); ++k) {
      if (!ensemble_->has_begun(k)) {
        times.push_back(0);
        ends.push_back(0);
        states.push_back(0);
        continue;
      }
      const Session& session = ensemble_->session(k);
      times.push_back(session.time());
      ends.push_back(session.end_time());
      states.push_back(static_cast<std::int8_t>(session.status() == RunStatus::failed ? 2 : session.is_finished()));
    }
    const std::size_t count = times.size();
    return nb::make_tuple(owned_array(std::move(times), {count}), owned_array(std::move(states), {count}),
                          owned_array(std::move(ends), {count}));
  }
  nb::object message(std::size_t member) { return text_of(begun(member).message()); }
  long in_lanes() { return ensemble().in_lanes(); }

 private:
  Ensemble& ensemble() {
    if (busy_) throw std::runtime_error("the ensemble is in a step");
    return *ensemble_;
  }

  Session& begun(std::size_t member) {
    if (member >= ensemble().size() || !ensemble().has_begun(member))
      throw nb::value_error(fmt::format("member {} has not begun", member).c_str());
    return ensemble().session(member);
  }

  int input(const std::string& name) const {
    std::vector<std::string> inputs;
    if (document_.signals)
      for (const int signal : document_.signals->inputs()) inputs.push_back(document_.signals->name(signal));
    const int k = find_input(inputs, name);
    if (k < 0) no_such("input", name, inputs);
    return k;
  }

  /// Done without the interpreter's lock.
  template <class Work>
  void asked(Work&& work) {
    if (busy_) throw std::runtime_error("the ensemble is in a step");
    busy_ = true;
    try {
      const Unlocked unlocked;
      work();
    } catch (const InputError& error) {
      busy_ = false;
      raise_scene_error(error.problems(), document_.texts);
    } catch (...) {
      busy_ = false;
      throw;
    }
    busy_ = false;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
  }

  nb::object holder_;  ///< of the functions, whose stop flag runs look at
  SceneDocument document_;
  std::optional<Ensemble> ensemble_;
  std::vector<Ensemble::Column> columns_;
  std::vector<int> inputs_;
  std::size_t width_ = 0;
  bool busy_ = false;
};

int traverse_ensemble(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  return nb::inst_ready(self) ? nb::inst_ptr<PyEnsemble>(self)->traverse(visit, arg) : 0;
}

PyType_Slot ensemble_slots[] = {{Py_tp_traverse, reinterpret_cast<void*>(traverse_ensemble)}, {0, nullptr}};

}  // namespace

void bind_ensemble(nb::module_& m) {
  nb::class_<PyEnsemble>(m, "Ensemble", nb::type_slots(ensemble_slots), "Sessions of a scene, stepped together.")
      .def(nb::init<const PyDocument&, std::size_t, int, bool>(), nb::arg("document"), nb::arg("count"),
           nb::arg("threads"), nb::arg("lanes"))
      .def("begin", &PyEnsemble::begin, nb::arg("members"), nb::arg("settings"))
      .def("observe", &PyEnsemble::observe, nb::arg("names"))
      .def("act_on", &PyEnsemble::act_on, nb::arg("names"))
      .def("step", &PyEnsemble::step, nb::arg("values"), nb::arg("until"),
           nb::sig("def step(self, values: numpy.typing.NDArray[numpy.float64], until: "
                   "numpy.typing.NDArray[numpy.float64]) -> None"))
      .def("read", &PyEnsemble::read, nb::arg("members"),
           nb::sig("def read(self, members: collections.abc.Sequence[int]) -> numpy.typing.NDArray[numpy.float64]"))
      .def("where", &PyEnsemble::where,
           nb::sig("def where(self) -> tuple[numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.int8], "
                   "numpy.typing.NDArray[numpy.float64]]"))
      .def("message", &PyEnsemble::message, nb::arg("member"), nb::sig("def message(self, member: int) -> str"))
      .def_prop_ro("in_lanes", &PyEnsemble::in_lanes);
}

}  // namespace flexura::python

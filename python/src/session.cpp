// Stepping from Python. Arrays that are handed out are views of buffers of this class, which it fills again behind every
// step as long as somebody holds them.

#include "flexura/run/session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "binding.hpp"
#include "flexura/base/json.hpp"
#include "flexura/observe/sensor_probe.hpp"
#include "flexura/output/checkpoint_bytes.hpp"
#include "flexura/output/draw_model.hpp"
#include "flexura/output/snapshot.hpp"
#include "flexura/study/linearise.hpp"
#include "functions.hpp"
#include "interpreter.hpp"
#include "readable.hpp"
#include "run_options.hpp"

namespace flexura::python {
namespace {

/// A read-only array and the numbers behind it.
struct View {
  std::shared_ptr<std::vector<double>> buffer;
  nb::object array;
  bool fresh = false;

  void make(std::size_t size, const std::vector<std::size_t>& shape) {
    buffer = std::make_shared<std::vector<double>>(size);
    const nb::capsule owner(new std::shared_ptr<std::vector<double>>(buffer),
                            [](void* p) noexcept { delete static_cast<std::shared_ptr<std::vector<double>>*>(p); });
    array = nb::cast(nb::ndarray<nb::numpy, const double>(buffer->data(), shape.size(), shape.data(), owner));
  }
  bool held() const { return array.is_valid() && Py_REFCNT(array.ptr()) > 1; }
};

long integer_of(const nb::handle& given, const char* what) {
  const nb::object index = nb::steal(PyNumber_Index(given.ptr()));
  const long n = index.is_valid() ? PyLong_AsLong(index.ptr()) : -1;
  if (n != -1 || PyErr_Occurred() == nullptr) return n;
  const bool large = PyErr_ExceptionMatches(PyExc_OverflowError) != 0;
  PyErr_Clear();
  const std::string text = fmt::format("{}, not {}", what, nb::repr(given).c_str());
  if (large) throw nb::value_error(text.c_str());
  throw nb::type_error(text.c_str());
}

double number_of(const nb::handle& given, const char* what) {
  const double x = PyFloat_AsDouble(given.ptr());
  if (x != -1 || PyErr_Occurred() == nullptr) return x;
  PyErr_Clear();
  throw nb::type_error(fmt::format("{}, not {}", what, nb::repr(given).c_str()).c_str());
}

std::string name_of(const nb::handle& given, const char* what) {
  Py_ssize_t size = 0;
  const char* text = PyUnicode_Check(given.ptr()) ? PyUnicode_AsUTF8AndSize(given.ptr(), &size) : nullptr;
  if (text != nullptr) return {text, static_cast<std::size_t>(size)};
  PyErr_Clear();
  throw nb::type_error(fmt::format("the name of {} is a text, not {}", what, nb::repr(given).c_str()).c_str());
}

class PySession {
 public:
  int traverse(visitproc visit, void* arg) const {
    Py_VISIT(holder_.ptr());
    return 0;
  }

  PySession(const PyDocument& document, const Text& folder, int threads, bool csv, bool vtk, bool plots, bool report)
      : holder_(document.holder),
        functions_(document.functions()),
        session_(make(document, run_options(folder, false, csv, vtk, plots, report, threads))),
        sensors_(static_cast<std::size_t>(session_.sensor_count())) {
    for (const AnalysisSpec& a : session_.scene().timeline.analyses) {
      if (a.over_time()) break;
      ++leading_;
    }
    for (int k = 0; k < session_.sensor_count(); ++k) sensor_names_.push_back(session_.sensor_spec(k).name);
    warn();
  }

  bool step(const nb::handle& steps) {
    long n = integer_of(steps, "n: a number of steps, 0 or more");
    if (n < 0) throw nb::value_error("n: a number of steps, 0 or more");
    if (n == 1) {
      bool more = false;
      {
        const Turn turn(*this);
        const Unlocked unlocked;
        more = advance();
      }
      moved();
      return more;
    }
    bool more = !at_rest().is_finished();
    return pursue([&](Clock::time_point until) {
      while (more && n > 0) {
        more = advance();
        --n;
        if (Clock::now() > until) break;
      }
      return std::pair(more && n > 0, more);
    });
  }

  bool run_until(const nb::handle& time) {
    const double t = number_of(time, "t: a time [s]");
    if (std::isnan(t)) throw nb::value_error("t: a time [s], not nan");
    const double near = t - 1e-9 * step_size();
    return pursue([&](Clock::time_point until) {
      for (;;) {
        if (session_.time() >= near) return std::pair(false, true);
        if (!advance()) return std::pair(false, session_.time() >= near);
        if (Clock::now() > until) return std::pair(true, true);
      }
    });
  }

  nb::object read(const nb::handle& sensor) {
    const std::string name = name_of(sensor, "a sensor");
    Session& session = at_rest();
    const int k = session.find_sensor(name);
    if (k < 0) no_such("sensor", name, sensor_names_);
    View& view = sensors_[static_cast<std::size_t>(k)];
    if (!view.array.is_valid()) {
      const std::vector<std::size_t> shape = shape_of(session.sensor_spec(k), session.model().model.topology->dim);
      view.make(session.sensor(k).size(), shape);
    }
    if (!view.fresh) {
      fill(view, session.sensor(k));
      functions_.raise();
    }
    return view.array;
  }

  /// What act() sets and see() reads, by name; the numbers of each, 0: one by itself.
  std::vector<std::size_t> connect(const std::vector<Text>& inputs, const std::vector<Text>& reads) {
    acts_.clear();
    sees_.clear();
    for (const Text& name : inputs) acts_.push_back(find_input(name.bytes));
    std::vector<std::size_t> sizes;
    for (const Text& name : reads) {
      const int sensor = at_rest().find_sensor(name.bytes);
      sees_.emplace_back(sensor >= 0, sensor >= 0 ? sensor : find_input(name.bytes));
      const std::vector<std::size_t> shape =
          sensor < 0 ? std::vector<std::size_t>()
                     : shape_of(session_.sensor_spec(sensor), session_.model().model.topology->dim);
      sizes.push_back(shape.empty() ? 0 : shape.front());
    }
    return sizes;
  }
  nb::object see() {
    std::vector<double> out;
    out.reserve(16);
    for (const auto& [is_sensor, index] : sees_) {
      if (!is_sensor) {
        out.push_back(session_.input(index));
        continue;
      }
      const std::span<const double> values = at_rest().sensor(index);
      out.insert(out.end(), values.begin(), values.end());
    }
    functions_.raise();
    const std::size_t size = out.size();
    return owned_array(std::move(out), {size});
  }
  /// Inputs are set, steps made until the time, sensors read.
  nb::object act(const nb::ndarray<const double, nb::c_contig, nb::device::cpu>& values, const nb::handle& until) {
    if (values.size() != acts_.size()) throw nb::value_error("as many values as inputs");
    for (std::size_t k = 0; k < acts_.size(); ++k) at_rest().set_input(acts_[k], values.data()[k]);
    stale();
    run_until(until);
    return see();
  }

  template <std::vector<double> State<double>::* Member>
  nb::object coordinates(View& view) {
    const std::vector<double>& x = at_rest().state().*Member;
    if (!view.array.is_valid() || view.buffer->size() != x.size()) view.make(x.size(), {x.size()});
    if (!view.fresh) fill(view, x);
    return view.array;
  }
  nb::object q() { return coordinates<&State<double>::q>(q_); }
  nb::object v() { return coordinates<&State<double>::v>(v_); }

  nb::object nodes(const nb::handle& part) const {
    const std::string name = name_of(part, "a part");
    const std::size_t dot = name.find('.');
    constexpr std::string_view kinds[] = {"cable", "beam", "plate", "membrane", "solid"};
    const bool has_kind = dot != std::string::npos && std::ranges::find(kinds, name.substr(0, dot)) != std::end(kinds);
    const std::string bare = has_kind ? name.substr(dot + 1) : name;
    const SceneModel& model = at_rest().model();
    const Topology& topology = *model.model.topology;
    const auto dim = static_cast<std::size_t>(topology.dim);
    std::vector<std::string> names;
    std::vector<std::vector<int>> points;
    const auto add = [&](const std::string& part_name, std::vector<int> slots) {
      names.push_back(part_name);
      points.push_back(std::move(slots));
    };
    for (const CablePart& cable : model.cables) add(cable.name, {cable.points.begin(), cable.points.end()});
    for (const PlatePart& plate : model.plates) {
      std::vector<int> slots;
      for (const PlateNode& node : plate.model.nodes) slots.push_back(node.r);
      add(plate.name, std::move(slots));
    }
    for (const SolidPart& solid : model.solids) add(solid.name, {solid.model.nodes.begin(), solid.model.nodes.end()});
    const auto found = std::ranges::find(names, bare);
    if (found == names.end()) no_such("part with nodes", bare, names);
    const std::vector<int>& slots = points[static_cast<std::size_t>(found - names.begin())];
    std::vector<double> x;
    for (const int slot : slots) {
      const double* at =
          &session_.state().q[static_cast<std::size_t>(topology.slots[static_cast<std::size_t>(slot)].offset)];
      x.insert(x.end(), at, at + dim);
    }
    return owned_array(std::move(x), {slots.size(), dim});
  }

  void set(const nb::handle& name, const nb::handle& number) {
    const int k = find_input(name_of(name, "an input"));
    const double value = number_of(number, "value: a number");
    try {
      at_rest().set_input(k, value);
    } catch (const InputError& error) {
      throw nb::value_error(error.what());
    }
    stale();
  }
  double input(const nb::handle& name) const { return at_rest().input(find_input(name_of(name, "an input"))); }

  nb::tuple linearise(const std::vector<Text>& inputs, const std::vector<Text>& outputs, bool as_it_is) {
    LinearModel m = derived([&](const LinearQuestion& question) { return flexura::linearise(session_, question); },
                            inputs, outputs, as_it_is);
    const std::size_t n = m.states.size(), nu = m.inputs.size(), ny = m.outputs.size();
    const auto texts = [](const std::vector<std::string>& from) {
      nb::list out;
      for (const std::string& text : from) out.append(text_of(text));
      return out;
    };
    return nb::make_tuple(m.t, named(m.states), named(m.inputs), named(m.outputs), owned_array(std::move(m.A), {n, n}),
                          owned_array(std::move(m.B), {n, nu}), owned_array(std::move(m.C), {ny, n}),
                          owned_array(std::move(m.D), {ny, nu}), owned_array(std::move(m.x), {n}),
                          owned_array(std::move(m.u), {nu}), owned_array(std::move(m.y), {ny}),
                          owned_array(std::move(m.drift), {n}), m.constraints, texts(m.without_inertia), m.shifted,
                          texts(m.warnings));
  }

  nb::tuple frequency_response(const std::vector<Text>& inputs, const std::vector<Text>& outputs,
                               const std::vector<double>& frequencies, bool as_it_is) {
    FrequencyResponses r = derived(
        [&](const LinearQuestion& question) { return flexura::frequency_response(session_, question, frequencies); },
        inputs, outputs, as_it_is);
    const std::size_t nf = r.frequencies.size(), nu = r.inputs.size(), ny = r.outputs.size();
    nb::list warnings;
    for (const std::string& text : r.warnings) warnings.append(text_of(text));
    return nb::make_tuple(named(r.inputs), named(r.outputs), owned_array(std::move(r.response), {nf, ny, nu}),
                          warnings);
  }

  nb::object picture(int width, int height) {
    if (width < 1 || height < 1 || width > 8192 || height > 8192)
      throw nb::value_error("the size of a picture: width and height, 1 to 8192 pixels");
    const Session& session = at_rest();
    const SceneModel& model = session.model();
    if (drawn_ != &model) {
      drawing_ = draw_model(model, {}).drawing;
      if (drawn_ == nullptr) camera_ = snapshot_camera(drawing_);  // it stands still where something is let go
      drawn_ = &model;
    }
    return owned_array(draw_snapshot(drawing_, session.state().q, camera_, width, height),
                       {static_cast<std::size_t>(height), static_cast<std::size_t>(width), 3});
  }

  nb::bytes save() {
    const std::string bytes = checkpoint_bytes(at_rest().save());
    return nb::bytes(bytes.data(), bytes.size());
  }
  void restore(const nb::handle& state) {
    if (!nb::isinstance<nb::bytes>(state))
      throw nb::type_error(fmt::format("a flexura.State holds bytes, not {}", nb::repr(state).c_str()).c_str());
    const auto bytes = nb::borrow<nb::bytes>(state);
    try {
      at_rest().restore(checkpoint_of({bytes.c_str(), bytes.size()}));
    } catch (const InputError& error) {
      std::string text;
      for (const Problem& p : error.problems()) text += (text.empty() ? "" : "\n") + p.message;
      throw nb::value_error(text.c_str());
    }
    functions_.raise();
    moved();
  }

  nb::tuple finish() {
    RunSummary summary;
    {
      const Turn turn(*this);
      const Unlocked unlocked;
      summary = session_.finish();
    }
    functions_.raise();
    warn();
    return nb::make_tuple(text_of(json_text(summary_json(summary))), text_of(summary_text(summary)), summary.unwritten);
  }

  double time() const { return at_rest().time(); }
  const std::vector<std::string>& warnings() const { return at_rest().warnings(); }
  double end_time() const { return at_rest().end_time(); }
  nb::object analysis() const { return text_of(at_rest().analysis()); }
  /// Motion comes next, or is under way.
  bool moving() const { return over_time() || done_ >= leading_; }
  bool over_time() const {
    const AnalysisSpec* analysis = analysis_of(at_rest());
    return analysis == nullptr || analysis->over_time();
  }
  double step_size() const {
    const AnalysisSpec* analysis = analysis_of(at_rest());
    return analysis == nullptr ? 0 : analysis->step();
  }
  bool finished() const { return at_rest().is_finished(); }
  const std::vector<std::string>& sensor_names() const { return sensor_names_; }
  const std::vector<std::string>& input_names() const { return session_.inputs(); }
  std::string unit(const nb::handle& name) const {
    const std::string sensor = name_of(name, "a sensor");
    const int k = session_.find_sensor(sensor);
    if (k < 0) no_such("sensor", sensor, sensor_names_);
    return std::string(session_.sensor_spec(k).quantity->unit);
  }

 private:
  /// A step that is under way: it works without the interpreter's lock, so that other threads, and functions that the
  /// step calls, may come here. They are turned away.
  class Turn {
   public:
    explicit Turn(PySession& session) : session_(session) {
      session.at_rest();
      session.busy_ = true;
    }
    ~Turn() { session_.busy_ = false; }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

   private:
    PySession& session_;
  };

  void expect_rest() const {
    if (busy_)
      throw std::runtime_error(
          "the simulation is in a step; until that is done, only the arrays that it has handed out can be read");
  }
  Session& at_rest() { return expect_rest(), session_; }
  const Session& at_rest() const { return expect_rest(), session_; }

  static const AnalysisSpec* analysis_of(const Session& session) {
    for (const AnalysisSpec& a : session.scene().timeline.analyses)
      if (a.name == session.analysis()) return &a;
    return nullptr;
  }

  bool advance() {
    const bool more = session_.advance();
    if (done_ < leading_) {
      const AnalysisSpec* analysis = analysis_of(session_);
      done_ = analysis == nullptr || analysis->over_time() ? leading_ : done_ + 1;
    }
    return more;
  }

  static Session make(const PyDocument& document, RunOptions options) {
    Functions& functions = document.functions();
    options.stop = &functions.stop();
    try {
      Session session = [&] {
        const Unlocked unlocked;
        return Session(document.scene, std::move(options));
      }();
      functions.raise();
      return session;
    } catch (const ResultsError&) {
      throw;
    } catch (const InputError& error) {
      functions.raise();
      raise_scene_error(error.problems(), document.scene.texts);
    }
  }

  /// `part(until)` works without the interpreter until about that moment: {there is more to do, the answer}.
  template <class Part>
  bool pursue(Part&& part) {
    for (;;) {
      std::pair<bool, bool> went;
      {
        const Turn turn(*this);
        const Unlocked unlocked;
        went = part(Clock::now() + signal_interval);
      }
      if (PyErr_CheckSignals() != 0) {  // Ctrl-C
        const nb::python_error interrupt;
        moved();
        throw interrupt;
      }
      if (went.first) continue;
      moved();
      return went.second;
    }
  }

  static void fill(View& view, std::span<const double> x) {
    std::copy(x.begin(), x.end(), view.buffer->begin());
    view.fresh = true;
  }

  void stale() {
    for (View& view : sensors_) view.fresh = false;
    q_.fresh = v_.fresh = false;
  }

  /// Fills the arrays that somebody holds. What a function has raised comes first: it ended the run, and what it had
  /// raised it for could not be computed.
  void moved() {
    stale();
    functions_.raise();
    for (std::size_t k = 0; k < sensors_.size(); ++k)
      if (sensors_[k].held()) fill(sensors_[k], session_.sensor(static_cast<int>(k)));
    const State<double>& state = session_.state();
    if (q_.held() && q_.buffer->size() == state.q.size()) fill(q_, state.q);
    if (v_.held() && v_.buffer->size() == state.v.size()) fill(v_, state.v);
    functions_.raise();
    warn();
    if (session_.status() != RunStatus::failed) return;
    raise_error("SolverError", session_.message());
  }

  /// Tells Python of warnings that are new.
  void warn() {
    const std::vector<std::string>& all = session_.warnings();
    while (warned_ < all.size()) warn_of(all[warned_++]);
  }

  int find_input(const std::string& name) const {
    const int k = python::find_input(session_.inputs(), name);
    if (k < 0) no_such("input", name, session_.inputs());
    return k;
  }

  static nb::list named(const std::vector<NamedUnit>& from) {
    nb::list out;
    for (const NamedUnit& one : from) out.append(nb::make_tuple(text_of(one.name), text_of(one.unit)));
    return out;
  }

  /// What `work` makes of the state, without the interpreter's lock.
  template <class Work>
  std::invoke_result_t<Work, const LinearQuestion&> derived(Work&& work, const std::vector<Text>& inputs,
                                                            const std::vector<Text>& outputs, bool as_it_is) {
    const LinearQuestion question{.inputs = all_bytes(inputs), .outputs = all_bytes(outputs), .as_it_is = as_it_is};
    at_rest();
    try {
      auto made = [&] {
        const Turn turn(*this);
        const Unlocked unlocked;
        return work(question);
      }();
      functions_.raise();
      return made;
    } catch (const InputError& error) {
      functions_.raise();
      raise_scene_error(error.problems(), session_.document().texts);
    } catch (const LinearisationError& error) {
      functions_.raise();
      raise_error("SolverError", error.what());
    }
  }

  nb::object holder_;  ///< of the functions, which the session calls
  Functions& functions_;
  Session session_;
  std::vector<View> sensors_;
  View q_, v_;
  std::vector<std::string> sensor_names_;
  std::vector<int> acts_;                   ///< inputs
  std::vector<std::pair<bool, int>> sees_;  ///< a sensor, or an input; which
  const SceneModel* drawn_ = nullptr;       ///< of drawing_
  Drawing drawing_;
  SnapshotCamera camera_;
  std::size_t warned_ = 0;      ///< warnings that Python knows
  bool busy_ = false;           ///< changed by whom has the interpreter's lock
  int leading_ = 0, done_ = 0;  ///< analyses without time at the beginning, and how many of them are done
};

int traverse_session(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  return nb::inst_ready(self) ? nb::inst_ptr<PySession>(self)->traverse(visit, arg) : 0;
}

PyType_Slot session_slots[] = {{Py_tp_traverse, reinterpret_cast<void*>(traverse_session)}, {0, nullptr}};

}  // namespace

void bind_session(nb::module_& m) {
  nb::class_<PySession>(m, "Session", nb::type_slots(session_slots), "A scene stepped from outside.")
      .def(nb::init<const PyDocument&, const Text&, int, bool, bool, bool, bool>(), nb::arg("document"),
           nb::arg("folder") = "", nb::arg("threads") = 1, nb::arg("csv") = false, nb::arg("vtk") = false,
           nb::arg("plots") = false, nb::arg("report") = false)
      .def("step", &PySession::step, nb::arg("n").none() = 1,
           nb::sig("def step(self, n: typing.SupportsIndex = 1) -> bool"),
           "Takes `n` time steps; an analysis without time (static, modes) counts as one.\n\n"
           "Returns\n-------\nbool\n    False: nothing is left.\n\n"
           "Raises\n------\nSolverError\n    The step failed; the state is that before it.\n"
           "Exception\n    Of any kind, as a function of the scene has raised it: it ends the run.")
      .def("run_until", &PySession::run_until, nb::arg("t").none(),
           nb::sig("def run_until(self, t: typing.SupportsFloat) -> bool"),
           "Steps until the time is at least `t` [s].\n\nReturns\n-------\nbool\n    False: it ended before.\n\n"
           "Raises\n------\nAs `step`.")
      .def(
          "sensor", &PySession::read, nb::arg("name").none(),
          nb::sig("def sensor(self, name: str) -> numpy.typing.NDArray[numpy.float64]"),
          "What a sensor reads now.\n\nReturns\n-------\nndarray\n"
          "    Read-only, it follows the simulation as long as it is held. In the unit `unit(name)`; shape () for one\n"
          "    number, (2,) or (3,) for a place, vector or force (planar, spatial), in the axes of the scene; the "
          "numbers\n"
          "    of all columns one after the other where the sensor has several.\n\n"
          "Raises\n------\nKeyError\n    There is no such sensor.")
      .def("__getitem__", &PySession::read, nb::arg("name").none(),
           nb::sig("def __getitem__(self, name: str) -> numpy.typing.NDArray[numpy.float64]"),
           "The same as `sensor(name)`.")
      .def("set", &PySession::set, nb::arg("name").none(), nb::arg("value").none(),
           nb::sig("def set(self, name: str, value: typing.SupportsFloat) -> None"),
           "Gives an input signal a value, which holds from the next step on; the load goes over to it within that "
           "step.\n\n"
           "Parameters\n----------\nname : str\n    Of the signal, or of the load whose signal is an input written in "
           "place.\n"
           "value : float\n    In the unit of what the signal drives (a pressure in Pa); a factor without unit where "
           "the "
           "load has a\n    size of its own.\n\n"
           "Raises\n------\nKeyError\n    There is no such input.\nValueError\n    The value is not finite.")
      .def("input", &PySession::input, nb::arg("name").none(), nb::sig("def input(self, name: str) -> float"),
           "Value of an input signal, in the unit in which `set` takes it.")
      .def_prop_ro(
          "q", &PySession::q, nb::sig("def q(self) -> numpy.typing.NDArray[numpy.float64]"),
          "Generalized coordinates, shape (coordinate,): those of a slot one after the other, of points [m], of "
          "vectors [1], "
          "of\nscalars in their own unit (multipliers [N], angles [rad]), in the axes of the scene. Slots are those "
          "of\n"
          "``Result.model``. Read-only; follows the simulation until the model changes, where its length does.")
      .def_prop_ro("v", &PySession::v, nb::sig("def v(self) -> numpy.typing.NDArray[numpy.float64]"),
                   "Rates of `q`, shape (coordinate,), in its units per s.")
      .def("nodes", &PySession::nodes, nb::arg("name").none(),
           nb::sig("def nodes(self, name: str) -> numpy.typing.NDArray[numpy.float64]"),
           "Positions of the nodes of a cable, beam, plate, membrane or solid now, shape (node, dim) [m], in the axes "
           "of the\n"
           "scene; a copy. Raises KeyError where there is no such part.")
      .def_prop_ro("t", &PySession::time, "Time [s].")
      .def_prop_ro("end_time", &PySession::end_time, "End of the analysis [s].")
      .def_prop_ro("analysis", &PySession::analysis, nb::sig("def analysis(self) -> str"), "Name of the analysis.")
      .def_prop_ro("over_time", &PySession::over_time, "True where the analysis goes on in time.")
      .def_prop_ro("moving", &PySession::moving, "The analyses without time that come first are done.")
      .def_prop_ro("step_size", &PySession::step_size, "Step of the analysis [s].")
      .def_prop_ro("finished", &PySession::finished, "Nothing is left, or a step failed.")
      .def_prop_ro(
          "warnings", [](const PySession& s) { return s.warnings(); },
          "What the engine warns of so far; of the energy balance when the record is ended.")
      .def_prop_ro("sensor_names", &PySession::sensor_names, "Names of the sensors, in the order of the scene.")
      .def_prop_ro("input_names", &PySession::input_names,
                   "Names of the signals of type \"input\"; of one written in place \"load.NAME.signal\".")
      .def("unit", &PySession::unit, nb::arg("sensor").none(), nb::sig("def unit(self, sensor: str) -> str"),
           "Unit of a sensor, \"m\"; \"1\" where it has none.")
      .def("linear_matrices", &PySession::linearise, nb::arg("inputs"), nb::arg("outputs"), nb::arg("as_it_is"),
           nb::sig("def linear_matrices(self, inputs: list[str], outputs: list[str], as_it_is: bool) -> "
                   "tuple[typing.Any, ...]"))
      .def("linear_response", &PySession::frequency_response, nb::arg("inputs"), nb::arg("outputs"),
           nb::arg("frequencies"), nb::arg("as_it_is"),
           nb::sig("def linear_response(self, inputs: list[str], outputs: list[str], frequencies: list[float], "
                   "as_it_is: bool) -> tuple[typing.Any, ...]"))
      .def("connect", &PySession::connect, nb::arg("inputs"), nb::arg("reads"))
      .def("see", &PySession::see, nb::sig("def see(self) -> numpy.typing.NDArray[numpy.float64]"))
      .def("act", &PySession::act, nb::arg("values"), nb::arg("until"),
           nb::sig("def act(self, values: numpy.typing.NDArray[numpy.float64], until: float) -> "
                   "numpy.typing.NDArray[numpy.float64]"))
      .def("picture_of", &PySession::picture, nb::arg("width"), nb::arg("height"),
           nb::sig("def picture_of(self, width: int, height: int) -> numpy.typing.NDArray[numpy.uint8]"))
      .def("save_bytes", &PySession::save)
      .def("restore_bytes", &PySession::restore, nb::arg("state").none(),
           nb::sig("def restore_bytes(self, state: bytes) -> None"))
      .def("end_record", &PySession::finish, nb::sig("def end_record(self) -> tuple[str, str, list[str]]"));
}

}  // namespace flexura::python

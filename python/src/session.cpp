// Stepping from Python. Arrays that are handed out are views of buffers of this class, which it fills again behind every
// step as long as somebody holds them.

#include "flexura/run/session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "binding.hpp"
#include "checkpoint_bytes.hpp"
#include "flexura/base/json.hpp"
#include "flexura/base/nearest_name.hpp"
#include "flexura/output/sensor_probe.hpp"
#include "functions.hpp"
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

std::vector<std::size_t> shape_of(const SensorSpec& spec, int dim) {
  const std::vector<ChannelColumn> columns = SensorProbe::columns(spec, dim);
  if (columns.size() == 1) return {columns[0].shape.begin(), columns[0].shape.end()};
  return {static_cast<std::size_t>(SensorProbe::size(spec, dim))};
}

[[noreturn]] void no_such(const std::string& what, const std::string& name, const std::vector<std::string>& names) {
  std::string text = fmt::format("there is no {} named \"{}\"", what, name);
  if (const std::string near = nearest_name(std::string_view(name), std::span<const std::string>(names)); !near.empty())
    text += fmt::format(" (nearest: \"{}\")", near);
  else if (names.empty())
    text += fmt::format("; this scene has none");
  throw nb::key_error(text.c_str());
}

class PySession {
 public:
  PySession(const PyDocument& document, const std::string& folder, int threads, bool csv, bool vtk, bool plots,
            bool report)
      : session_(make(document, run_options(folder, false, csv, vtk, plots, report, threads))),
        sensors_(static_cast<std::size_t>(session_.sensor_count())),
        failure_(document.failure) {
    for (const AnalysisSpec& a : session_.scene().timeline.analyses) {
      if (a.over_time()) break;
      ++leading_;
    }
    for (int k = 0; k < session_.sensor_count(); ++k) sensor_names_.push_back(session_.sensor_spec(k).name);
  }

  bool step(long n) {
    if (n < 0) throw nb::value_error("n: a number of steps, 0 or more");
    if (n == 1) {
      bool more = false;
      {
        const Turn turn(*this);
        const nb::gil_scoped_release release;
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

  bool run_until(double t) {
    const double near = t - 1e-9 * std::abs(t);
    return pursue([&](Clock::time_point until) {
      for (;;) {
        if (session_.time() >= near) return std::pair(false, true);
        if (!advance()) return std::pair(false, session_.time() >= near);
        if (Clock::now() > until) return std::pair(true, true);
      }
    });
  }

  nb::object read(const std::string& name) {
    Session& session = at_rest();
    const int k = session.find_sensor(name);
    if (k < 0) no_such("sensor", name, sensor_names_);
    View& view = sensors_[static_cast<std::size_t>(k)];
    if (!view.array.is_valid()) {
      const std::vector<std::size_t> shape = shape_of(session.sensor_spec(k), session.model().model.topology->dim);
      view.make(session.sensor(k).size(), shape);
    }
    if (!view.fresh) fill(view, session.sensor(k));
    return view.array;
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

  nb::object nodes(const std::string& name) const {
    const std::string bare =
        name.starts_with("cable.") || name.starts_with("beam.") ? name.substr(name.find('.') + 1) : name;
    const SceneModel& model = at_rest().model();
    const Topology& topology = *model.model.topology;
    const auto dim = static_cast<std::size_t>(topology.dim);
    std::vector<std::string> names;
    for (const CablePart& cable : model.cables) {
      if (cable.name != bare) {
        names.push_back(cable.name);
        continue;
      }
      std::vector<double> x;
      for (const int slot : cable.points) {
        const double* at =
            &session_.state().q[static_cast<std::size_t>(topology.slots[static_cast<std::size_t>(slot)].offset)];
        x.insert(x.end(), at, at + dim);
      }
      return owned_array(std::move(x), {cable.points.size(), dim});
    }
    no_such("part with nodes", bare, names);
  }

  void set(const std::string& name, double value) {
    const int k = find_input(name);
    try {
      at_rest().set_input(k, value);
    } catch (const InputError& error) {
      throw nb::value_error(error.what());
    }
    stale();
  }
  double input(const std::string& name) const { return at_rest().input(find_input(name)); }

  nb::bytes save() {
    const std::string bytes = checkpoint_bytes(at_rest().save());
    return nb::bytes(bytes.data(), bytes.size());
  }
  void restore(const nb::bytes& bytes) {
    try {
      at_rest().restore(checkpoint_of({bytes.c_str(), bytes.size()}));
    } catch (const InputError& error) {
      std::string text;
      for (const Problem& p : error.problems()) text += (text.empty() ? "" : "\n") + p.message;
      throw nb::value_error(text.c_str());
    }
    moved();
  }

  nb::tuple finish() {
    RunSummary summary;
    {
      const Turn turn(*this);
      const nb::gil_scoped_release release;
      summary = session_.finish();
    }
    return nb::make_tuple(text_of(json_text(summary_json(summary))), text_of(summary_text(summary)), summary.unwritten);
  }

  double time() const { return at_rest().time(); }
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
  std::string unit(const std::string& sensor) const {
    const int k = session_.find_sensor(sensor);
    if (k < 0) no_such("sensor", sensor, sensor_names_);
    return session_.sensor_spec(k).unit;
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
    try {
      const nb::gil_scoped_release release;
      return Session(document, std::move(options));
    } catch (const ResultsError&) {
      throw;
    } catch (const InputError& error) {
      if (document.failure) document.failure->raise();
      raise_scene_error(error.problems(), document.texts);
    }
  }

  /// `part(until)` works without the interpreter until about that moment: {there is more to do, the answer}.
  template <class Part>
  bool pursue(Part&& part) {
    for (;;) {
      std::pair<bool, bool> went;
      {
        const Turn turn(*this);
        const nb::gil_scoped_release release;
        went = part(Clock::now() + signal_interval);
      }
      if (went.first && PyErr_CheckSignals() == 0) continue;
      moved();
      if (PyErr_Occurred() != nullptr) throw nb::python_error();
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

  /// Fills the arrays that somebody holds.
  void moved() {
    stale();
    for (std::size_t k = 0; k < sensors_.size(); ++k)
      if (sensors_[k].held()) fill(sensors_[k], session_.sensor(static_cast<int>(k)));
    const State<double>& state = session_.state();
    if (q_.held() && q_.buffer->size() == state.q.size()) fill(q_, state.q);
    if (v_.held() && v_.buffer->size() == state.v.size()) fill(v_, state.v);
    if (session_.status() != RunStatus::failed) return;
    if (failure_) failure_->raise();
    raise_error("SolverError", session_.message());
  }

  int find_input(const std::string& name) const {
    int k = session_.find_input(name);
    if (k >= 0) return k;
    // A load whose signal is written in place: "load.pull.force" by "pull".
    const std::string prefix = "load." + name + ".";
    const std::vector<std::string>& names = session_.inputs();
    for (std::size_t i = 0; i < names.size(); ++i)
      if (names[i].starts_with(prefix)) {
        if (k >= 0)
          throw nb::key_error(fmt::format("load \"{}\" has several inputs: {} and {}", name,
                                          names[static_cast<std::size_t>(k)], names[i])
                                  .c_str());
        k = static_cast<int>(i);
      }
    if (k < 0) no_such("input", name, names);
    return k;
  }

  Session session_;
  std::vector<View> sensors_;
  View q_, v_;
  std::vector<std::string> sensor_names_;
  std::shared_ptr<Failure> failure_;
  bool busy_ = false;           ///< changed by whom has the interpreter's lock
  int leading_ = 0, done_ = 0;  ///< analyses without time at the beginning, and how many of them are done
};

}  // namespace

void bind_session(nb::module_& m) {
  nb::class_<PySession>(m, "Session", "A scene stepped from outside.")
      .def(nb::init<const PyDocument&, const std::string&, int, bool, bool, bool, bool>(), nb::arg("document"),
           nb::arg("folder") = "", nb::arg("threads") = 1, nb::arg("csv") = false, nb::arg("vtk") = false,
           nb::arg("plots") = false, nb::arg("report") = false)
      .def("step", &PySession::step, nb::arg("n") = 1,
           "Takes `n` time steps; an analysis without time (static, modes) counts as one.\n\n"
           "Returns\n-------\nbool\n    False: nothing is left.\n\n"
           "Raises\n------\nSolverError\n    The step failed; the state is that before it.")
      .def("run_until", &PySession::run_until, nb::arg("t"),
           "Steps until the time is at least `t` [s].\n\nReturns\n-------\nbool\n    False: it ended before.")
      .def("sensor", &PySession::read, nb::arg("name"),
           nb::sig("def sensor(self, name: str) -> numpy.typing.NDArray[numpy.float64]"),
           "What the sensor reads now: a read-only array that follows the simulation as long as it is held.")
      .def("__getitem__", &PySession::read, nb::arg("name"),
           nb::sig("def __getitem__(self, name: str) -> numpy.typing.NDArray[numpy.float64]"),
           "The same as `sensor(name)`.")
      .def("set", &PySession::set, nb::arg("name"), nb::arg("value"),
           "Gives an input signal a value, which holds from the next step on. `name` is that of the signal, or of the "
           "load\n"
           "whose signal is an input written in place.")
      .def("input", &PySession::input, nb::arg("name"), "Value of an input signal.")
      .def_prop_ro("q", &PySession::q, nb::sig("def q(self) -> numpy.typing.NDArray[numpy.float64]"),
                   "Generalized coordinates, slot by slot; read-only, follows the simulation.")
      .def_prop_ro("v", &PySession::v, nb::sig("def v(self) -> numpy.typing.NDArray[numpy.float64]"), "Their rates.")
      .def("nodes", &PySession::nodes, nb::arg("name"),
           nb::sig("def nodes(self, name: str) -> numpy.typing.NDArray[numpy.float64]"),
           "Positions of a cable's or beam's nodes now, shape (node, dim) [m]; a copy.")
      .def_prop_ro("t", &PySession::time, "Time [s].")
      .def_prop_ro("end_time", &PySession::end_time, "End of the analysis [s].")
      .def_prop_ro("analysis", &PySession::analysis, nb::sig("def analysis(self) -> str"), "Name of the analysis.")
      .def_prop_ro("over_time", &PySession::over_time, "True where the analysis goes on in time.")
      .def_prop_ro("moving", &PySession::moving, "The analyses without time that come first are done.")
      .def_prop_ro("step_size", &PySession::step_size, "Step of the analysis [s].")
      .def_prop_ro("finished", &PySession::finished, "Nothing is left, or a step failed.")
      .def_prop_ro("sensor_names", &PySession::sensor_names)
      .def_prop_ro("input_names", &PySession::input_names)
      .def("unit", &PySession::unit, nb::arg("sensor"), "Unit of a sensor.")
      .def("save_bytes", &PySession::save)
      .def("restore_bytes", &PySession::restore, nb::arg("state"))
      .def("end_record", &PySession::finish, nb::sig("def end_record(self) -> tuple[str, str, list[str]]"));
}

}  // namespace flexura::python

#include "functions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <limits>
#include <string_view>

#include "interpreter.hpp"

namespace flexura::python {

/// A function: an object that is called with the interpreter's lock, or an address and the object to which the code there
/// belongs.
struct Code {
  nb::object object;
  std::uintptr_t address = 0;

  explicit Code(const nb::handle& given) {
    if (given.is_none()) return;
    object = nb::borrow(given);
    if (!nb::isinstance<nb::tuple>(given)) return;
    address = nb::cast<std::uintptr_t>(given[0]);
    object = given[1];
  }
  explicit operator bool() const { return object.is_valid() || address != 0; }
};

struct SignalCalls {
  Functions& functions;
  std::string name;  ///< "the signal function 'wave'"
  Code value, rate, acceleration;
};

namespace {

constexpr double failed = std::numeric_limits<double>::quiet_NaN();

/// Numbers as an argument of a function: a float where there is one, else an array that the function may keep. Where it
/// has not kept the last one, that is filled again.
class Argument {
 public:
  nb::object of(int n, const double* x) {
    if (n == 1) return nb::float_(*x);
    if (!array_.is_valid() || Py_REFCNT(array_.ptr()) > 1) {
      std::vector<double> values(x, x + n);
      numbers_ = values.data();
      array_ = owned_array(std::move(values), {static_cast<std::size_t>(n)});
    } else {
      std::copy_n(x, n, numbers_);
    }
    return array_;
  }

 private:
  nb::object array_;
  double* numbers_ = nullptr;
};

}  // namespace

struct LawCalls {
  Functions& functions;
  std::string name;  ///< "the force law 'contact'"
  Code force, tangent;
  Argument position = {}, velocity = {};
};

template <class Call>
bool Functions::call(const std::string& what, double t, Call&& call) {
  if (has_raised()) return false;
  const Locked lock;
  const nb::error_scope kept;  // of who reads a sensor while an exception is on its way
  try {
    call();
    return true;
  } catch (nb::python_error& error) {
    keep(nb::borrow(error.value()), what, t);
  } catch (const std::bad_alloc&) {
    keep(nb::borrow(PyExc_MemoryError)(), what, t);
  } catch (const std::exception& error) {
    keep(nb::borrow(PyExc_TypeError)(error.what()), what, t);
  }
  return false;
}

namespace {

template <Code SignalCalls::* Part>
double call_signal(void* context, double t) {
  auto& c = *static_cast<SignalCalls*>(context);
  const Code& code = c.*Part;
  if (code.address != 0) return reinterpret_cast<double (*)(double)>(code.address)(t);
  double u = failed;
  c.functions.call(c.name, t, [&] {
    const nb::object y = code.object(t);
    u = PyFloat_AsDouble(y.ptr());
    if (u == -1 && PyErr_Occurred() != nullptr) throw nb::python_error();
  });
  return u;
}

/// Copies n numbers from an array of doubles that lie behind each other; false: it is something else.
bool take_array(PyObject* from, std::size_t n, double* to) {
  if (PyObject_CheckBuffer(from) == 0) return false;
  Py_buffer view;
  if (PyObject_GetBuffer(from, &view, PyBUF_C_CONTIGUOUS | PyBUF_FORMAT) != 0) {
    PyErr_Clear();
    return false;
  }
  const bool fits = view.format != nullptr && std::string_view(view.format) == "d" &&
                    static_cast<std::size_t>(view.len) == n * sizeof(double);
  if (fits) std::memcpy(to, view.buf, n * sizeof(double));
  PyBuffer_Release(&view);
  return fits;
}

/// From a list or tuple of n floats, or from a float where n = 1.
bool take_floats(PyObject* from, std::size_t n, double* to) {
  PyObject* const* items = &from;
  if (PyList_Check(from) || PyTuple_Check(from)) {
    if (static_cast<std::size_t>(PySequence_Fast_GET_SIZE(from)) != n) return false;
    items = PySequence_Fast_ITEMS(from);
  } else if (n != 1) {
    return false;
  }
  if (!std::all_of(items, items + n, [](PyObject* item) { return PyFloat_Check(item); })) return false;
  std::transform(items, items + n, to, [](PyObject* item) { return PyFloat_AS_DOUBLE(item); });
  return true;
}

/// Copies n numbers from what a function returned: a number, a sequence or an array of any shape.
void take(const nb::handle& from, std::size_t n, double* to, const char* what) {
  if (take_floats(from.ptr(), n, to) || take_array(from.ptr(), n, to)) return;
  const nb::object flat = nb::module_::import_("numpy").attr("ascontiguousarray")(from, "float64");
  const auto x = nb::cast<nb::ndarray<const double, nb::c_contig, nb::device::cpu>>(flat);
  if (x.size() != n) {
    const std::string text = std::string("a force law returned ") + std::to_string(x.size()) + " numbers as " + what +
                             " where " + std::to_string(n) + " are needed";
    PyErr_SetString(PyExc_ValueError, text.c_str());
    throw nb::python_error();
  }
  std::copy_n(x.data(), n, to);
}

int call_law(void* context, int n, double t, const double* x, const double* v, double* f, double* dx, double* dv) {
  auto& c = *static_cast<LawCalls*>(context);
  if (c.force.address != 0) {
    using Force = void (*)(double, const double*, const double*, double*);
    using Tangent = void (*)(double, const double*, const double*, double*, double*);
    reinterpret_cast<Force>(c.force.address)(t, x, v, f);
    if (dx != nullptr || dv != nullptr) {
      double kx[9], kv[9];
      reinterpret_cast<Tangent>(c.tangent.address)(t, x, v, dx != nullptr ? dx : kx, dv != nullptr ? dv : kv);
    }
    return 0;
  }
  const bool fine = c.functions.call(c.name, t, [&] {
    const auto size = static_cast<std::size_t>(n);
    take(c.force.object(t, c.position.of(n, x), c.velocity.of(n, v)), size, f, "force");
    if (dx == nullptr && dv == nullptr) return;
    const nb::object both = c.tangent.object(t, c.position.of(n, x), c.velocity.of(n, v));
    if (dx != nullptr) take(both[0], size * size, dx, "tangent over x");
    if (dv != nullptr) take(both[1], size * size, dv, "tangent over v");
  });
  return fine ? 0 : 1;
}

/// What the engine gets does not hold the calls.
std::shared_ptr<void> unheld(void* calls) { return {std::shared_ptr<void>(), calls}; }

ExternalSignal signal_of(const nb::handle& given, SignalCalls& calls) {
  ExternalSignal signal;
  signal.context = unheld(&calls);
  signal.value = call_signal<&SignalCalls::value>;
  if (calls.rate) signal.rate = call_signal<&SignalCalls::rate>;
  if (calls.acceleration) signal.acceleration = call_signal<&SignalCalls::acceleration>;
  signal.breakpoints = nb::cast<std::vector<double>>(given.attr("breakpoints"));
  signal.difference = nb::cast<double>(given.attr("difference"));
  return signal;
}

ExternalLaw law_of(LawCalls& calls) {
  ExternalLaw law;
  law.context = unheld(&calls);
  law.force = call_law;
  law.gives_tangent = static_cast<bool>(calls.tangent);
  law.thread_safe = calls.force.address != 0;
  return law;
}

/// Whether the process may run what is at the address; true where the system does not tell.
bool is_code(std::uintptr_t address) {
  std::ifstream maps("/proc/self/maps");
  if (!maps) return true;
  std::uintptr_t begin = 0, end = 0;
  char dash = 0;
  std::string rights, rest;
  while (maps >> std::hex >> begin >> dash >> end >> rights && std::getline(maps, rest))
    if (begin <= address && address < end) return rights.size() > 2 && rights[2] == 'x';
  return false;
}

int traverse_functions(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  return nb::inst_ready(self) ? nb::inst_ptr<Functions>(self)->traverse(visit, arg) : 0;
}

int clear_functions(PyObject* self) {
  if (nb::inst_ready(self)) nb::inst_ptr<Functions>(self)->clear();
  return 0;
}

PyType_Slot function_slots[] = {{Py_tp_traverse, reinterpret_cast<void*>(traverse_functions)},
                                {Py_tp_clear, reinterpret_cast<void*>(clear_functions)},
                                {0, nullptr}};

}  // namespace

Functions::Functions(const nb::dict& given) {
  for (const auto& [key, value] : given) {
    const auto name = nb::cast<std::string>(key);
    const nb::tuple pair = nb::cast<nb::tuple>(value);
    if (const nb::handle signal = pair[0]; !signal.is_none()) {
      signals_.push_back(std::make_unique<SignalCalls>(*this, fmt::format("the signal function '{}'", name),
                                                       Code(signal.attr("value")), Code(signal.attr("rate")),
                                                       Code(signal.attr("acceleration"))));
      external_.signals[name] = signal_of(signal, *signals_.back());
    }
    if (const nb::handle law = pair[1]; !law.is_none()) {
      laws_.push_back(std::make_unique<LawCalls>(*this, fmt::format("the force law '{}'", name),
                                                 Code(law.attr("force")), Code(law.attr("tangent"))));
      external_.laws[name] = law_of(*laws_.back());
    }
  }
}

Functions::~Functions() = default;

void Functions::keep(nb::object exception, const std::string& what, double t) {
  if (has_raised()) return;  // by a function that this one has called
  try {
    exception.attr("add_note")(fmt::format("flexura: raised by {} at t = {:.6g} s", what, t));
  } catch (nb::python_error&) {
  }
  exception_ = std::move(exception);
  raised_.store(true, std::memory_order_release);
  stop_.store(true, std::memory_order_relaxed);
}

nb::object Functions::take() {
  if (!has_raised() || !exception_.is_valid()) return nb::none();
  nb::object exception = std::move(exception_);
  exception_.reset();
  stop_.store(false, std::memory_order_relaxed);
  raised_.store(false, std::memory_order_release);
  return exception;
}

void Functions::raise() {
  const nb::object exception = take();
  if (exception.is_none()) return;
  PyErr_SetObject(exception.type().ptr(), exception.ptr());
  throw nb::python_error();
}

int Functions::traverse(visitproc visit, void* arg) const {
  for (const auto& s : signals_)
    for (const Code* code : {&s->value, &s->rate, &s->acceleration}) Py_VISIT(code->object.ptr());
  for (const auto& l : laws_)
    for (const Code* code : {&l->force, &l->tangent}) Py_VISIT(code->object.ptr());
  Py_VISIT(exception_.ptr());
  return 0;
}

void Functions::clear() {
  raised_.store(true);
  std::vector<nb::object> gone;  // Python may run code while they go
  for (auto& s : signals_)
    for (Code* code : {&s->value, &s->rate, &s->acceleration}) gone.push_back(std::move(code->object));
  for (auto& l : laws_)
    for (Code* code : {&l->force, &l->tangent}) gone.push_back(std::move(code->object));
  gone.push_back(std::move(exception_));
}

void bind_functions(nb::module_& m) {
  nb::class_<Functions>(m, "Functions", nb::type_slots(function_slots), "Functions of a scene by name.")
      .def(nb::init<const nb::dict&>(), nb::arg("given"),
           nb::sig("def __init__(self, given: dict[str, typing.Any]) -> None"));
  m.def("is_code", &is_code, nb::arg("address"), "Whether the process may run what is at the address.");
}

}  // namespace flexura::python

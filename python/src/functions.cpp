#include "functions.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string_view>

namespace flexura::python {
namespace {

constexpr double failed = std::numeric_limits<double>::quiet_NaN();

/// A function as an object that takes the interpreter's lock, or as an address that is called without it.
struct Code {
  PyObject* object = nullptr;
  std::uintptr_t address = 0;

  explicit Code(const nb::handle& given) {
    if (given.is_none()) return;
    if (nb::isinstance<nb::int_>(given))
      address = nb::cast<std::uintptr_t>(given);
    else
      object = nb::borrow(given).release().ptr();
  }
  explicit operator bool() const { return object != nullptr || address != 0; }
  nb::handle callable() const { return object; }
};

struct SignalContext {
  Code value, rate, acceleration;
  std::shared_ptr<Failure> failure;
};

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

struct LawContext {
  Code force, tangent;
  std::shared_ptr<Failure> failure;
  Argument position = {}, velocity = {};
};

/// Who lets go of a context may not hold the interpreter's lock.
template <class Context, class... Codes>
std::shared_ptr<void> shared(Context* context, Codes Context::*... codes) {
  return {context, [codes...](Context* c) {
            if (Py_IsInitialized() == 0) return;
            const nb::gil_scoped_acquire acquire;
            (Py_XDECREF((c->*codes).object), ...);
            delete c;
          }};
}

template <Code SignalContext::* Part>
double call_signal(void* context, double t) {
  auto& c = *static_cast<SignalContext*>(context);
  const Code& code = c.*Part;
  if (code.address != 0) return reinterpret_cast<double (*)(double)>(code.address)(t);
  const nb::gil_scoped_acquire acquire;
  try {
    const nb::object y = code.callable()(t);
    const double u = PyFloat_AsDouble(y.ptr());
    if (u == -1 && PyErr_Occurred() != nullptr) throw nb::python_error();
    return u;
  } catch (nb::python_error& error) {
    c.failure->keep(error);
    return failed;
  }
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
  auto& c = *static_cast<LawContext*>(context);
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
  const nb::gil_scoped_acquire acquire;
  try {
    const auto size = static_cast<std::size_t>(n);
    take(c.force.callable()(t, c.position.of(n, x), c.velocity.of(n, v)), size, f, "force");
    if (dx != nullptr || dv != nullptr) {
      const nb::object both = c.tangent.callable()(t, c.position.of(n, x), c.velocity.of(n, v));
      if (dx != nullptr) take(both[0], size * size, dx, "tangent over x");
      if (dv != nullptr) take(both[1], size * size, dv, "tangent over v");
    }
    return 0;
  } catch (nb::python_error& error) {
    c.failure->keep(error);
  } catch (const std::exception& error) {
    PyErr_SetString(PyExc_TypeError, error.what());
    nb::python_error wrapped;
    c.failure->keep(wrapped);
  }
  return 1;
}

ExternalSignal signal_of(const nb::handle& given, const std::shared_ptr<Failure>& failure) {
  auto* context =
      new SignalContext{Code(given.attr("value")), Code(given.attr("rate")), Code(given.attr("acceleration")), failure};
  ExternalSignal signal;
  signal.context = shared(context, &SignalContext::value, &SignalContext::rate, &SignalContext::acceleration);
  signal.value = call_signal<&SignalContext::value>;
  if (context->rate) signal.rate = call_signal<&SignalContext::rate>;
  if (context->acceleration) signal.acceleration = call_signal<&SignalContext::acceleration>;
  signal.breakpoints = nb::cast<std::vector<double>>(given.attr("breakpoints"));
  signal.difference = nb::cast<double>(given.attr("difference"));
  return signal;
}

ExternalLaw law_of(const nb::handle& given, const std::shared_ptr<Failure>& failure) {
  auto* context = new LawContext{Code(given.attr("force")), Code(given.attr("tangent")), failure};
  ExternalLaw law;
  law.context = shared(context, &LawContext::force, &LawContext::tangent);
  law.force = call_law;
  law.gives_tangent = static_cast<bool>(context->tangent);
  law.thread_safe = context->force.address != 0;
  return law;
}

}  // namespace

void Failure::keep(nb::python_error& error) {
  const std::lock_guard lock(mutex_);
  if (!error_) error_ = std::make_unique<nb::python_error>(error);
}

void Failure::raise() {
  std::unique_ptr<nb::python_error> error;
  {
    const std::lock_guard lock(mutex_);
    error.swap(error_);
  }
  if (error) throw nb::python_error(*error);
}

ExternalFunctions external_functions(const nb::dict& functions, const std::shared_ptr<Failure>& failure) {
  ExternalFunctions external;
  for (const auto& [key, value] : functions) {
    const auto name = nb::cast<std::string>(key);
    const nb::tuple pair = nb::cast<nb::tuple>(value);
    if (!pair[0].is_none()) external.signals[name] = signal_of(pair[0], failure);
    if (!pair[1].is_none()) external.laws[name] = law_of(pair[1], failure);
  }
  return external;
}

}  // namespace flexura::python

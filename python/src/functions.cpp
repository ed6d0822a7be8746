#include "functions.hpp"

#include <cmath>
#include <cstdint>
#include <limits>

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

struct LawContext {
  Code force, tangent;
  std::shared_ptr<Failure> failure;
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

/// Numbers as an argument: a float where there is one, else an array.
nb::object argument(int n, const double* x) {
  if (n == 1) return nb::float_(*x);
  return owned_array(std::vector<double>(x, x + n), {static_cast<std::size_t>(n)});
}

/// Copies n numbers from what a function returned: a number, a sequence or an array of any shape.
void take(const nb::handle& from, std::size_t n, double* to, const char* what) {
  if (n == 1 && PyFloat_Check(from.ptr())) {
    *to = PyFloat_AS_DOUBLE(from.ptr());
    return;
  }
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
    take(c.force.callable()(t, argument(n, x), argument(n, v)), size, f, "force");
    if (dx != nullptr || dv != nullptr) {
      const nb::object both = c.tangent.callable()(t, argument(n, x), argument(n, v));
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

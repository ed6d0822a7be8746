#pragma once
// What the parts of the module share.

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <chrono>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "flexura/scene/document.hpp"

namespace flexura::python {

namespace nb = nanobind;
using Clock = std::chrono::steady_clock;

/// How long the interpreter waits at most until it sees a Ctrl-C.
constexpr std::chrono::milliseconds signal_interval{50};

/// Text from Python as bytes. What is not UTF-8 in a file or its name is so again.
struct Text {
  std::string bytes;
  operator const std::string&() const { return bytes; }  // NOLINT: stands for the bytes in every call
};

inline std::vector<std::string> all_bytes(const std::vector<Text>& texts) { return {texts.begin(), texts.end()}; }

void bind_scene(nb::module_& m);
void bind_run(nb::module_& m);
void bind_session(nb::module_& m);
void bind_results(nb::module_& m);
void bind_fit(nb::module_& m);
void bind_gradient(nb::module_& m);
void bind_fmu(nb::module_& m);
void bind_formula(nb::module_& m);
void bind_ensemble(nb::module_& m);

/// A class of flexura.errors.
nb::object error_class(const char* name);
/// Text that may not be UTF-8.
nb::object text_of(std::string_view text);
/// flexura.errors.Problem for each; lines from `texts`.
nb::list problems_of(const std::vector<Problem>& problems, const SourceTexts& texts);
/// Throws flexura.errors.SceneError.
[[noreturn]] void raise_scene_error(std::vector<Problem> problems, const SourceTexts& texts);
[[noreturn]] void raise_error(const char* name, std::string_view message);
/// Warns with flexura.errors.SimulationWarning, at the line of the user's code.
void warn_of(const std::string& message);
void bind_errors(nb::module_& m);

/// A NumPy array that owns the vector's memory.
template <class T>
nb::object owned_array(std::vector<T>&& values, const std::vector<std::size_t>& shape) {
  auto* held = new std::vector<T>(std::move(values));
  const nb::capsule owner(held, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return nb::cast(nb::ndarray<nb::numpy, T>(held->data(), shape.size(), shape.data(), owner));
}

}  // namespace flexura::python

namespace nanobind::detail {

template <>
struct type_caster<flexura::python::Text> {
  NB_TYPE_CASTER(flexura::python::Text, const_name("str"))

  bool from_python(handle source, std::uint8_t, cleanup_list*) noexcept {
    if (!PyUnicode_Check(source.ptr())) return false;
    const object bytes = steal(PyUnicode_AsEncodedString(source.ptr(), "utf-8", "surrogateescape"));
    if (!bytes.is_valid()) {
      PyErr_Clear();
      return false;
    }
    value.bytes.assign(PyBytes_AS_STRING(bytes.ptr()), static_cast<std::size_t>(PyBytes_GET_SIZE(bytes.ptr())));
    return true;
  }
};

}  // namespace nanobind::detail

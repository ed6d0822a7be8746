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

void bind_scene(nb::module_& m);
void bind_run(nb::module_& m);
void bind_session(nb::module_& m);
void bind_results(nb::module_& m);

/// A class of flexura.errors.
nb::object error_class(const char* name);
/// Text that may not be UTF-8.
nb::object text_of(std::string_view text);
/// flexura.errors.Problem for each; lines from `texts`.
nb::list problems_of(const std::vector<Problem>& problems, const SourceTexts& texts);
/// Throws flexura.errors.SceneError.
[[noreturn]] void raise_scene_error(std::vector<Problem> problems, const SourceTexts& texts);
[[noreturn]] void raise_error(const char* name, std::string_view message);
void bind_errors(nb::module_& m);

/// A NumPy array that owns the vector's memory.
template <class T>
nb::object owned_array(std::vector<T>&& values, const std::vector<std::size_t>& shape) {
  auto* held = new std::vector<T>(std::move(values));
  const nb::capsule owner(held, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return nb::cast(nb::ndarray<nb::numpy, T>(held->data(), shape.size(), shape.data(), owner));
}

}  // namespace flexura::python

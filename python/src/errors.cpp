// Failures of the engine as exceptions of flexura.errors.

#include <algorithm>

#include "binding.hpp"
#include "flexura/base/file.hpp"
#include "flexura/cli/command.hpp"
#include "flexura/run/simulation.hpp"

namespace flexura::python {
namespace {

/// One line: nothing that a terminal would take as a command.
std::string printable(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }, ' ');
  return text;
}

void set_error(nb::handle type, nb::handle argument) { PyErr_SetObject(type.ptr(), type(argument).ptr()); }

void translate(const std::exception_ptr& thrown, void*) {
  try {
    std::rethrow_exception(thrown);
  } catch (const ResultsError& error) {
    set_error(error_class("ResultsError"), text_of(error.what()));
  } catch (const InputError& error) {
    set_error(error_class("SceneError"), problems_of(error.problems(), {}));
  } catch (const cli::IoError& error) {
    set_error(error_class("ResultsError"), text_of(error.what()));
  } catch (const cli::UsageError& error) {
    set_error(error_class("ResultsError"), text_of(error.what()));
  }
}

}  // namespace

nb::object error_class(const char* name) { return nb::module_::import_("flexura.errors").attr(name); }

nb::object text_of(std::string_view text) {
  PyObject* object = PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace");
  if (object == nullptr) throw nb::python_error();
  return nb::steal(object);
}

nb::list problems_of(const std::vector<Problem>& problems, const SourceTexts& texts) {
  const nb::object type = error_class("Problem");
  nb::list list;
  for (const Problem& p : problems)
    list.append(type(text_of(printable(p.path)), text_of(printable(p.message)), text_of(printable(p.source.file)),
                     p.source.line, p.source.column, p.source.length, text_of(printable(p.nearest)), p.warning,
                     text_of(texts.line(p.source))));
  return list;
}

void raise_error(const char* name, std::string_view message) {
  set_error(error_class(name), text_of(message));
  throw nb::python_error();
}

void raise_scene_error(std::vector<Problem> problems, const SourceTexts& texts) {
  sort_problems(problems);
  SourceTexts known = texts;  // and files that the scene uses
  for (const Problem& p : problems)
    if (p.source.line > 0 && known.line(p.source).empty())
      if (const Outcome<std::string> text = read_file(p.source.file)) known.add(p.source.file, *text);
  set_error(error_class("SceneError"), problems_of(problems, known));
  throw nb::python_error();
}

void warn_of(const std::string& message) { nb::module_::import_("flexura.errors").attr("warn_of")(text_of(message)); }

void bind_errors(nb::module_&) { nb::register_exception_translator(translate); }

}  // namespace flexura::python

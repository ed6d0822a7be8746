// Scenes as FMUs.

#include "binding.hpp"
#include "flexura/base/file.hpp"
#include "flexura/fmi/export_fmu.hpp"
#include "functions.hpp"

namespace flexura::python {
namespace {

std::vector<std::string> write_fmu(const PyDocument& document, const Text& path, const Text& library, int version,
                                   const std::vector<Text>& inputs, const std::vector<Text>& outputs,
                                   const std::vector<Text>& parameters) {
  const FmuOptions options{.version = version,
                           .name = {},
                           .inputs = all_bytes(inputs),
                           .outputs = all_bytes(outputs),
                           .parameters = all_bytes(parameters)};
  try {
    std::vector<std::string> names;
    for (const FmuVariable& v : export_fmu(document.scene, options, library.bytes, path.bytes).variables)
      names.push_back(v.name);
    return names;
  } catch (const InputError& error) {
    raise_scene_error(error.problems(), document.scene.texts);
  } catch (const FileError& error) {
    raise_error("ResultsError", error.what());
  }
}

}  // namespace

void bind_fmu(nb::module_& m) {
  m.def("write_fmu", &write_fmu, nb::arg("document"), nb::arg("path"), nb::arg("library"), nb::arg("version"),
        nb::arg("inputs"), nb::arg("outputs"), nb::arg("parameters"),
        nb::sig("def write_fmu(document: Document, path: str, library: str, version: int, inputs: list[str], outputs: "
                "list[str], parameters: list[str]) -> list[str]"),
        "Names of the variables.");
}

}  // namespace flexura::python

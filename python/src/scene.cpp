// Scenes: reading, checking, the grammar.

#include <nlohmann/json.hpp>

#include "binding.hpp"
#include "flexura/base/file.hpp"
#include "flexura/base/json.hpp"
#include "flexura/run/consistent_start.hpp"
#include "flexura/run/frame_report.hpp"
#include "flexura/run/model_summary.hpp"
#include "flexura/scene/convert_urdf.hpp"
#include "flexura/scene/coordinate_units.hpp"
#include "flexura/scene/reader.hpp"
#include "flexura/scene/scene_model.hpp"
#include "flexura/scene/schema.hpp"
#include "functions.hpp"
#include "interpreter.hpp"
#include "readable.hpp"

namespace flexura::python {
namespace {

const char* kind_name(FieldKind kind) {
  constexpr const char* names[] = {"number", "integer", "boolean", "text",   "choice",    "vector", "points",
                                   "series", "place",   "places",  "signal", "reference", "names",  "time",
                                   "file",   "column",  "color",   "named",  "settings",  "table"};
  return names[static_cast<int>(kind)];
}

Json table_json(const TableSpec& table);

Json field_json(const FieldSpec& f) {
  Json json{{"name", f.name}, {"kind", kind_name(f.kind)}, {"doc", f.doc}, {"required", f.is_required}};
  const std::string unit = unit_at_joint(f.unit, [](std::string_view) { return JointCoordinate::any; });
  if (!unit.empty()) json["unit"] = unit;
  if (f.value) json["default"] = *f.value;
  if (!f.default_text.empty()) json["default_text"] = f.default_text;
  for (const auto& [name, bound] : {std::pair{"min", f.min}, {"max", f.max}, {"above", f.above}, {"below", f.below}})
    if (std::isfinite(bound)) json[name] = bound;
  if (f.size > 0) json["size"] = f.size;
  for (const Choice& choice : f.choices) json["choices"].push_back({{"name", choice.name}, {"doc", choice.doc}});
  if (!f.refers.empty()) json["refers"] = f.refers;
  if (f.table) json["table"] = table_json(*f.table);
  if (f.switchable) json["switchable"] = true;
  return json;
}

Json fields_json(const std::vector<FieldSpec>& fields) {
  Json json = Json::array();
  for (const FieldSpec& field : fields) json.push_back(field_json(field));
  return json;
}

Json table_json(const TableSpec& table) {
  constexpr const char* forms[] = {"single", "named", "list"};
  Json json{{"kind", table.kind},
            {"doc", table.doc},
            {"form", forms[static_cast<int>(table.form)]},
            {"is_part", table.is_part},
            {"type_optional", table.type_optional},
            {"exactly_one", table.exactly_one},
            {"fields", fields_json(table.fields)},
            {"variants", Json::array()}};
  for (const VariantSpec& variant : table.variants) {
    Json one{{"type", variant.type}, {"doc", variant.doc}, {"fields", fields_json(variant.fields)}};
    if (variant.term != nullptr) one["term"] = variant.term->name;
    json["variants"].push_back(one);
  }
  return json;
}

std::string grammar_text(int dim) {
  if (dim != 2 && dim != 3) throw nb::value_error("dim: 2 (planar) or 3 (spatial)");
  const auto grammar = scene_grammar(dim, scene_terms());
  Json json{{"dim", dim}, {"head", fields_json(grammar->head)}, {"tables", Json::array()}, {"later", Json::array()}};
  for (const TableSpec& table : grammar->tables) json["tables"].push_back(table_json(table));
  for (const LaterFeature& later : grammar->later)
    json["later"].push_back({{"kind", later.kind}, {"type", later.type}, {"doc", later.doc}});
  return json_text(json);
}

/// What `work` returns, done without the interpreter's lock. Exceptions of the scene's functions come first.
template <class Work>
auto ask(Functions& functions, Work&& work) {
  try {
    auto made = [&] {
      const Unlocked unlocked;
      return work();
    }();
    functions.raise();
    return made;
  } catch (const InputError&) {
    functions.raise();
    throw;
  }
}

SceneOptions scene_options(const std::vector<Text>& set, const Functions& functions) {
  SceneOptions options;
  options.set = all_bytes(set);
  options.functions = functions.external();
  return options;
}

PyDocument read(const Text& text, const Text& file, const std::vector<Text>& set, const nb::object& holder) {
  auto& functions = nb::cast<Functions&>(holder);
  const SceneOptions options = scene_options(set, functions);
  try {
    return {ask(functions, [&] { return read_scene_text(text.bytes, file.bytes, scene_terms(), options); }), holder};
  } catch (const InputError& error) {
    SourceTexts texts;
    texts.add(file.bytes, text.bytes);
    raise_scene_error(error.problems(), texts);
  }
}

nb::list check(const Text& text, const Text& file, const std::vector<Text>& set, Functions& functions) {
  const SceneOptions options = scene_options(set, functions);
  SourceTexts texts;
  texts.add(file.bytes, text.bytes);
  try {
    const std::vector<Problem> warnings = ask(functions, [&] {
      const SceneDocument document = read_scene_text(text.bytes, file.bytes, scene_terms(), options);
      texts = document.texts;
      const SceneModels scene = interpret_scene(document);
      std::vector<Problem> all = scene.warnings;
      for (const std::string& warning : check_start(scene, document).warnings)
        all.push_back({{file.bytes}, {}, warning, {}, true});
      return all;
    });
    return problems_of(warnings, texts);
  } catch (const InputError& error) {
    std::vector<Problem> problems = error.problems();
    sort_problems(problems);
    return problems_of(problems, texts);
  }
}

std::string summary_of(const PyDocument& document) {
  try {
    return json_text(ask(document.functions(), [&] { return model_summary(interpret_scene(document.scene)); }));
  } catch (const InputError& error) {
    raise_scene_error(error.problems(), document.scene.texts);
  }
}

double input_quantity(const PyDocument& document, const Text& name, const Text& text) {
  const SceneDocument& scene = document.scene;
  std::vector<std::string> inputs;
  if (scene.signals)
    for (const int k : scene.signals->inputs()) inputs.push_back(scene.signals->name(k));
  const int input = find_input(inputs, name.bytes);
  if (input < 0) no_such("input", name.bytes, inputs);
  const auto signal =
      std::ranges::find(scene.named_signals, inputs[static_cast<std::size_t>(input)], &NamedSignal::name);
  const bool is_factor = signal->unit.empty() || signal->unit == "1";  // it may have the unit of what it multiplies
  return quantity(text, is_factor ? "*" : signal->unit);
}

std::string frame_states_of(const Text& text, const Text& file, const std::vector<Text>& set, Functions& functions) {
  const SceneOptions options = scene_options(set, functions);
  SourceTexts texts;
  texts.add(file.bytes, text.bytes);
  try {
    return json_text(ask(functions, [&] {
      const SceneDocument document = read_scene_text(text.bytes, file.bytes, scene_terms(), options);
      texts = document.texts;
      return frame_summary(interpret_scene(document), document);
    }));
  } catch (const InputError& error) {
    raise_scene_error(error.problems(), texts);
  }
}

/// TOML, and what was left out.
nb::tuple convert(const Text& path, const nb::object& how, const std::vector<Text>& packages,
                  const std::vector<std::pair<Text, double>>& joints) {
  const auto [base, limits, collision, inertia] =
      nb::cast<std::tuple<std::string, std::string, std::string, std::string>>(how);
  UrdfOptions options{.packages = all_bytes(packages)};
  options.choose(base, limits, collision, inertia);
  for (const auto& [name, x] : joints) options.joints.push_back({name.bytes, x, {"joints", 0, 0, 1}});
  try {
    const ConvertedRobot robot = convert_urdf(path.bytes, ".", options);
    return nb::make_tuple(text_of(robot.toml), text_of(describe_all(robot.warnings, robot.texts)));
  } catch (const SceneError& error) {
    SourceTexts texts;
    if (const Outcome<std::string> text = read_file(path.bytes)) texts.add(path.bytes, *text);
    raise_scene_error(error.problems(), texts);
  }
}

int traverse_document(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  if (nb::inst_ready(self)) Py_VISIT(nb::inst_ptr<PyDocument>(self)->holder.ptr());
  return 0;
}

PyType_Slot document_slots[] = {{Py_tp_traverse, reinterpret_cast<void*>(traverse_document)}, {0, nullptr}};

}  // namespace

void bind_scene(nb::module_& m) {
  nb::class_<PyDocument>(m, "Document", nb::type_slots(document_slots), "A scene that has been read and found right.")
      .def_prop_ro(
          "file", [](const PyDocument& d) { return text_of(d.scene.file); }, nb::sig("def file(self) -> str"))
      .def_prop_ro(
          "text", [](const PyDocument& d) { return text_of(d.scene.text); }, nb::sig("def text(self) -> str"))
      .def_prop_ro(
          "effective_text", [](const PyDocument& d) { return text_of(d.scene.effective_text); },
          nb::sig("def effective_text(self) -> str"), "The text with all settings applied; itself a scene.")
      .def_prop_ro(
          "dim", [](const PyDocument& d) { return d.scene.dim; }, "2 planar, 3 spatial.")
      .def("input_quantity", &input_quantity, nb::arg("name"), nb::arg("text"),
           nb::sig("def input_quantity(self, name: str, text: str) -> float"),
           "A value of an input in SI, in the unit of the key that takes the input. Raises ValueError for another "
           "dimension.")
      .def("model_summary", &summary_of, "Parts, joints and slots of each model, as JSON. Raises SceneError.");

  m.def("read_scene", &read, nb::arg("text"), nb::arg("file"), nb::arg("set"), nb::arg("functions"),
        nb::sig("def read_scene(text: str, file: str, set: collections.abc.Sequence[str], functions: Functions) -> "
                "Document"),
        "Reads a scene; `file` is its name in messages, and files are looked for beside it. Raises SceneError.");
  m.def("check", &check, nb::arg("text"), nb::arg("file"), nb::arg("set"), nb::arg("functions"),
        nb::sig("def check(text: str, file: str, set: collections.abc.Sequence[str], functions: Functions) -> "
                "list[typing.Any]"),
        "Everything wrong with a scene, or the warnings about it; never raises for a wrong scene.");
  m.def("frame_states", &frame_states_of, nb::arg("text"), nb::arg("file"), nb::arg("set"), nb::arg("functions"),
        nb::sig(
            "def frame_states(text: str, file: str, set: collections.abc.Sequence[str], functions: Functions) -> str"),
        "States of self-stress and mechanisms at the start, as JSON. Raises SceneError.");
  m.def("grammar", &grammar_text, nb::arg("dim"), "Everything a scene of 2 or 3 dimensions may contain, as JSON.");
  m.def("convert_urdf", &convert, nb::arg("path"), nb::arg("how"), nb::arg("packages"), nb::arg("joints"),
        nb::sig("def convert_urdf(path: str, how: tuple[str, str, str, str], packages: collections.abc.Sequence[str], "
                "joints: collections.abc.Sequence[tuple[str, float]]) -> tuple[str, str]"),
        "A robot as TOML, and what was left out; `how`: base, limits, collision, inertia, as words of a scene. Raises "
        "SceneError.");
  m.def("schema", [] { return scene_schema(scene_terms()); }, "JSON Schema of scenes.");
}

}  // namespace flexura::python

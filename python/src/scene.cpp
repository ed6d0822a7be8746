// Scenes: reading, checking, the grammar.

#include <nlohmann/json.hpp>

#include "binding.hpp"
#include "flexura/base/json.hpp"
#include "flexura/run/consistent_start.hpp"
#include "flexura/run/model_summary.hpp"
#include "flexura/scene/reader.hpp"
#include "flexura/scene/scene_model.hpp"
#include "flexura/scene/schema.hpp"
#include "functions.hpp"

namespace flexura::python {
namespace {

const char* kind_name(FieldKind kind) {
  constexpr const char* names[] = {"number", "integer", "boolean", "text",     "choice",    "vector",
                                   "points", "place",   "places",  "signal",   "reference", "time",
                                   "file",   "column",  "named",   "settings", "table"};
  return names[static_cast<int>(kind)];
}

Json table_json(const TableSpec& table);

Json field_json(const FieldSpec& f) {
  Json json{{"name", f.name}, {"kind", kind_name(f.kind)}, {"doc", f.doc}, {"required", f.is_required}};
  if (!f.unit.empty()) json["unit"] = f.unit;
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

PyDocument read(const std::string& text, const std::string& file, const std::vector<std::string>& set,
                const nb::dict& functions) {
  SceneOptions options;
  options.set = set;
  const auto failure = std::make_shared<Failure>();
  options.functions = external_functions(functions, failure);
  try {
    const nb::gil_scoped_release release;
    return {read_scene_text(text, file, scene_terms(), options), failure};
  } catch (const InputError& error) {
    SourceTexts texts;
    texts.add(file, text);
    raise_scene_error(error.problems(), texts);
  }
}

nb::list check(const std::string& text, const std::string& file, const std::vector<std::string>& set,
               const nb::dict& functions) {
  SceneOptions options;
  options.set = set;
  const auto failure = std::make_shared<Failure>();
  options.functions = external_functions(functions, failure);
  SourceTexts texts;
  texts.add(file, text);
  try {
    std::vector<Problem> warnings;
    {
      const nb::gil_scoped_release release;
      const SceneDocument document = read_scene_text(text, file, scene_terms(), options);
      texts = document.texts;
      const SceneModels scene = interpret_scene(document);
      warnings = scene.warnings;
      for (const std::string& warning : check_start(scene, document).warnings)
        warnings.push_back({{file}, {}, warning, {}, true});
    }
    return problems_of(warnings, texts);
  } catch (const InputError& error) {
    std::vector<Problem> problems = error.problems();
    sort_problems(problems);
    return problems_of(problems, texts);
  }
}

std::string summary_of(const PyDocument& document) {
  try {
    return json_text(model_summary(interpret_scene(document)));
  } catch (const InputError& error) {
    raise_scene_error(error.problems(), document.texts);
  }
}

}  // namespace

void bind_scene(nb::module_& m) {
  nb::class_<PyDocument>(m, "Document", "A scene that has been read and found right.")
      .def_prop_ro(
          "file", [](const PyDocument& d) { return text_of(d.file); }, nb::sig("def file(self) -> str"))
      .def_prop_ro(
          "text", [](const PyDocument& d) { return text_of(d.text); }, nb::sig("def text(self) -> str"))
      .def_prop_ro(
          "effective_text", [](const PyDocument& d) { return text_of(d.effective_text); },
          nb::sig("def effective_text(self) -> str"), "The text with all settings applied; itself a scene.")
      .def_prop_ro(
          "dim", [](const PyDocument& d) { return d.dim; }, "2 planar, 3 spatial.")
      .def("model_summary", &summary_of, "Parts, joints and slots of each model, as JSON. Raises SceneError.");

  m.def("read_scene", &read, nb::arg("text"), nb::arg("file"), nb::arg("set") = std::vector<std::string>{},
        nb::arg("functions") = nb::dict(),
        nb::sig("def read_scene(text: str, file: str, set: collections.abc.Sequence[str] = [], functions: dict[str, "
                "typing.Any] = {}) -> Document"),
        "Reads a scene; `file` is its name in messages, and files are looked for beside it. Raises SceneError.");
  m.def("check", &check, nb::arg("text"), nb::arg("file"), nb::arg("set") = std::vector<std::string>{},
        nb::arg("functions") = nb::dict(),
        nb::sig("def check(text: str, file: str, set: collections.abc.Sequence[str] = [], functions: dict[str, "
                "typing.Any] = {}) -> "
                "list[typing.Any]"),
        "Everything wrong with a scene, or the warnings about it; never raises for a wrong scene.");
  m.def("grammar", &grammar_text, nb::arg("dim"), "Everything a scene of 2 or 3 dimensions may contain, as JSON.");
  m.def("schema", [] { return scene_schema(scene_terms()); }, "JSON Schema of scenes.");
}

}  // namespace flexura::python

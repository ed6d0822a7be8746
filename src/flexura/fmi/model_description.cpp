// Functional Mock-up Interface 2.0.4, section 2.2, and 3.0.2, section 2.4.

#include "flexura/fmi/model_description.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <set>

#include "flexura/base/text.hpp"
#include "flexura/base/xml_text.hpp"
#include "flexura/scene/units.hpp"
#include "flexura/version.hpp"

namespace flexura {
namespace {

using Causality = FmuVariable::Causality;

bool has_unit(const FmuVariable& v) { return !v.unit.empty() && v.unit != "1"; }

/// An attribute with a blank before it.
std::string attribute(std::string_view name, std::string_view value) {
  return fmt::format(" {}=\"{}\"", name, xml_text(value));
}

/// FMI has no turns: they are numbers.
std::string base_unit(const Dimension& dimension) {
  constexpr std::array names{"m", "kg", "s", "A", "K", "rad"};
  std::string text;
  for (size_t k = 0; k < names.size(); ++k)
    if (dimension.power[k] != 0) text += attribute(names[k], std::to_string(dimension.power[k]));
  return text;
}

std::string units(const FmuContent& content) {
  std::set<std::string> names;
  for (const FmuVariable& v : content.variables)
    if (has_unit(v)) names.insert(v.unit);
  std::string text = "  <UnitDefinitions>\n";
  for (const std::string& name : names) {
    const std::optional<Unit> unit = parse_unit(name);
    append_text(text, "    <Unit{}>{}</Unit>\n", attribute("name", name),
                unit ? fmt::format("<BaseUnit{}/>", base_unit(unit->dimension)) : std::string());
  }
  return names.empty() ? std::string() : text + "  </UnitDefinitions>\n";
}

/// Names such as body.crank.x and cable.wall.path[1]: tools show them as a tree.
bool is_structured(const std::string& name) {
  bool begins = true, inside = false;
  for (const char c : name) {
    const bool digit = std::isdigit(static_cast<unsigned char>(c)) != 0;
    const bool letter = std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_';
    if (inside ? !digit && c != ']' : begins ? !letter : !letter && !digit && c != '.' && c != '[') return false;
    if (c == '[') inside = true;
    if (c == ']') inside = false;
    begins = c == '.';
  }
  return !begins && !inside && name.find("][") == std::string::npos;
}

std::string naming(const FmuContent& content) {
  return std::all_of(content.variables.begin(), content.variables.end(),
                     [](const FmuVariable& v) { return is_structured(v.name); })
             ? "structured"
             : "flat";
}

struct Words {
  std::string_view causality, variability, initial;
};

Words words_of(Causality causality) {
  switch (causality) {
    case Causality::independent:
      return {"independent", "continuous", ""};
    case Causality::parameter:
      return {"parameter", "fixed", "exact"};
    case Causality::input:
      return {"input", "continuous", ""};
    case Causality::output:
      return {"output", "continuous", "calculated"};
  }
  return {};
}

bool has_start(Causality causality) { return causality == Causality::parameter || causality == Causality::input; }

std::string variable(const FmuVariable& v, size_t reference, int version) {
  const Words words = words_of(v.causality);
  std::string general = attribute("name", v.name) + attribute("valueReference", std::to_string(reference));
  if (!v.doc.empty()) general += attribute("description", v.doc);
  general += attribute("causality", words.causality) + attribute("variability", words.variability);
  if (!words.initial.empty()) general += attribute("initial", words.initial);
  std::string real;
  if (has_unit(v)) real += attribute("unit", v.unit);
  if (has_start(v.causality)) real += attribute("start", fmt::format("{}", v.start));
  return version == 2 ? fmt::format("    <ScalarVariable{}><Real{}/></ScalarVariable>\n", general, real)
                      : fmt::format("    <Float64{}{}/>\n", general, real);
}

/// Outputs, and the same as what initialization finds.
std::string structure(const FmuContent& content, int version) {
  std::string outputs, initial;
  for (size_t k = 0; k < content.variables.size(); ++k) {
    if (content.variables[k].causality != Causality::output) continue;
    if (version == 2) {
      append_text(outputs, "      <Unknown index=\"{}\"/>\n", k + 1);
    } else {
      append_text(outputs, "    <Output valueReference=\"{}\"/>\n", k);
      append_text(initial, "    <InitialUnknown valueReference=\"{}\"/>\n", k);
    }
  }
  if (version == 2 && !outputs.empty())
    outputs =
        "    <Outputs>\n" + outputs + "    </Outputs>\n    <InitialUnknowns>\n" + outputs + "    </InitialUnknowns>\n";
  return "  <ModelStructure>\n" + outputs + initial + "  </ModelStructure>\n";
}

}  // namespace

std::string model_description(const FmuContent& content, int version) {
  const bool two = version == 2;
  std::string head = attribute("fmiVersion", two ? "2.0" : "3.0") + attribute("modelName", content.name) +
                     attribute(two ? "guid" : "instantiationToken", content.token);
  if (!content.title.empty()) head += attribute("description", content.title);
  head += attribute("license", "Apache-2.0 for the program inside; the scene as its author says") +
          attribute("generationTool", fmt::format("flexura {}", flexura::version)) +
          attribute("variableNamingConvention", naming(content));
  std::string able =
      attribute("modelIdentifier", content.name) + attribute("canHandleVariableCommunicationStepSize", "true");
  for (const char* name : {"canGetAndSetFMU", "canSerializeFMU"})
    able += attribute(std::string(name) + (two ? "state" : "State"), "true");
  able += two ? attribute("canNotUseMemoryManagementFunctions", "true")
              : attribute("fixedInternalStepSize", fmt::format("{}", content.step));

  std::string text = fmt::format("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiModelDescription{}>\n", head);
  append_text(text, "  <CoSimulation{}/>\n", able);
  text += units(content);
  text +=
      "  <LogCategories>\n"
      "    <Category name=\"logStatusWarning\" description=\"what was noticed\"/>\n"
      "    <Category name=\"logStatusError\" description=\"what went wrong\"/>\n"
      "  </LogCategories>\n";
  append_text(text, "  <DefaultExperiment startTime=\"{}\" stopTime=\"{}\" stepSize=\"{}\"/>\n", content.begin,
              content.end, content.step);
  text += "  <ModelVariables>\n";
  for (size_t k = 0; k < content.variables.size(); ++k) text += variable(content.variables[k], k, version);
  text += "  </ModelVariables>\n";
  return text + structure(content, version) + "</fmiModelDescription>\n";
}

std::string fmu_page(const FmuContent& content) {
  std::string rows;
  for (const FmuVariable& v : content.variables)
    append_text(rows, "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n", xml_text(v.name),
                words_of(v.causality).causality, xml_text(v.unit),
                has_start(v.causality) ? fmt::format("{}", v.start) : std::string(), xml_text(v.doc));
  return fmt::format(
      R"(<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>{0}</title></head><body>
<h1>{0}</h1>
<p>A scene of Flexura {1} for co-simulation. The scene is in <code>resources/{2}</code>. It goes from {3} s to {4} s in steps of {5} s;
communication steps may be any. What they end between is interpolated linearly, and inputs act from the next step of the scene on.</p>
<table>
<tr><th>variable</th><th>causality</th><th>unit</th><th>start</th><th></th></tr>
{6}</table>
<p>The program inside is under the Apache License 2.0 (<code>licenses/license.txt</code>). It needs Linux on x86-64 with the instructions
of {7}. Compiled into it are fmt, JSON for Modern C++, pugixml and toml++ (MIT licence), Eigen (MPL-2.0), zlib, and the run-time library of
GCC.</p>
</body></html>
)",
      xml_text(content.title.empty() ? content.name : content.title), flexura::version, fmu_scene_file, content.begin,
      content.end, content.step, rows, build_arch);
}

}  // namespace flexura

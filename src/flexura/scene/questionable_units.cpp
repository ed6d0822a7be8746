#include "flexura/scene/questionable_units.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>

#include "flexura/part/section.hpp"

namespace flexura::detail {
namespace {

constexpr double softest = 1e3;  ///< [Pa]
constexpr double lightest = 1;   ///< [kg/m³]
constexpr double light = 10;     ///< of what is stiff [kg/m³]: densities in g/cm³ are below it
constexpr double fastest = 2e4;  ///< [m/s] √(E/ρ): that of diamond is 1.8e4
/// √(EA/ρA) [m/s]: sections that are stiff or massless on purpose are below and above; those in mm, t and s lie between.
constexpr double rigid = 1e6, massless = 5e7;
constexpr double heaviest_gravity = 300, lightest_gravity = 0.3;  ///< [m/s²]: the sun has 274, Ceres 0.28
constexpr double thinnest = 1e3;                                  ///< [Pa] of air outside

/// "210 GPa" and [0, "-9810 mm/s^2"] say their units, 210 and "= E" do not.
bool has_unit(const SceneDocument& scene, const Source& source) {
  const std::string line = scene.texts.line(source);
  const size_t at = source.column > 0 ? static_cast<size_t>(source.column - 1) : 0;
  if (at + 1 >= line.size()) return false;
  const bool is_list = line[at] == '[';
  const size_t quote = is_list ? line.find_first_of("\"'", at) : at;
  if (quote == std::string::npos || (is_list && quote > line.find(']', at))) return false;
  if (line[quote] != '"' && line[quote] != '\'') return false;
  const size_t first = line.find_first_not_of(' ', quote + 1);
  return first != std::string::npos && line[first] != '=';
}

class UnitQuestions {
 public:
  UnitQuestions(const SceneDocument& scene, std::vector<Problem>& warnings) : scene_(scene), warnings_(warnings) {}

  void look_at_material(const Record& material) {
    for (const char* key : {"E", "E1", "E2", "G12", "mu"})
      look_at_value(material, key, softest, "Pa", "softer than jelly", "210 GPa");
    look_at_value(material, "rho", lightest, "kg/m^3", "lighter than air", "7850 kg/m^3");
    look_at_speed(material);
  }

  void look_at_gravity() {
    const Numbers* g = scene_.head.get<Numbers>("gravity");
    if (g == nullptr || has_unit(scene_, scene_.head.source_of("gravity"))) return;
    double square = 0;
    for (const double x : *g) square += x * x;
    const double size = std::sqrt(square);
    if (size == 0 || (size >= lightest_gravity && size <= heaviest_gravity)) return;
    warnings_.push_back({scene_.head.source_of("gravity"),
                         "gravity",
                         fmt::format("is read as {:.4g} m/s^2, {} that of the earth{}", size,
                                     size > heaviest_gravity ? "far above" : "far below",
                                     assumption(scene_.head.source_of("gravity"), "m/s^2", "-9.81 m/s^2")),
                         {},
                         true});
  }

  void look_at_densities() {
    if (scene_.dim != 3) return;  // of planar shapes kg/m² and kg/m
    for (const Record& record : scene_.tables)
      if ((record.kind == "body" || record.kind == "sphere") &&
          look_at_value(record, "density", lightest, "kg/m^3", "lighter than air", "7850 kg/m^3"))
        return;
  }

  void look_at_sections() {
    for (const Record* section : scene_.of_kind("section")) {
      if (section->get<double>("EA") == nullptr || section->get<double>("rhoA") == nullptr) continue;
      const double speed = std::sqrt(section->number("EA") / section->number("rhoA"));
      if (!(speed > rigid && speed < massless) || has_unit(scene_, section->source_of("rhoA"))) continue;
      return warn(
          *section, "rhoA",
          fmt::format("is read as {:.3g} kg/m: with EA = {:.3g} N waves of stretch travel at {:.3g} m/s, in steel "
                      "at 5000{}",
                      section->number("rhoA"), section->number("EA"), speed,
                      assumption(section->source_of("rhoA"), "kg/m", "0.6 kg/m")));
    }
  }

  void look_at_ambient() {
    for (const Record& record : scene_.tables)
      if (look_at_value(record, "ambient", thinnest, "Pa", "nearly a vacuum; the air has 101325", "101.325 kPa"))
        return;
  }

  void look_at_line(const CablePart& line) {
    const SectionSpec& section = *line.section;
    const Record* record = section.outline ? record_of(section.origin.path) : nullptr;
    const Record* shape = record == nullptr ? nullptr : nested(*record, "shape");
    if (shape == nullptr) return;
    const SectionOutline& outline = *section.outline;
    struct Size {
      const char* key;
      const Along& along;
      double times;
    };
    for (const auto& [key, along, times] :
         {Size{"radius", outline.radius, 2}, Size{"width", outline.width, 1}, Size{"height", outline.height, 1}}) {
      if (!shape->has(key)) continue;
      double widest = 0;
      for (const double share : {0.0, 0.5, 1.0})
        widest = std::max(widest, times * along.at(share) * section.law.factor(share * line.length));
      if (widest <= line.length) continue;
      warn(*shape, key,
           fmt::format("makes the section {:.3g} m wide, and the {} \"{}\" is {:.3g} m long{}", widest, line.kind(),
                       line.name, line.length, assumption(shape->source_of(key), "m", "10 mm")));
    }
  }

  void look_at_wall(std::string_view kind, const std::string& name, double thickness, double size) {
    const Record* record = scene_.find(std::string(kind), name);
    if (record == nullptr || !record->has("thickness") || thickness <= size) return;
    warn(*record, "thickness",
         fmt::format("makes the wall {:.3g} m thick, and the {} is {:.3g} m across{}", thickness, kind, size,
                     assumption(record->source_of("thickness"), "m", "1 mm")));
  }

 private:
  /// Whether it warns.
  bool look_at_value(const Record& material, const char* key, double least, const char* unit, const char* like,
                     const char* example) {
    if (material.get<double>(key) == nullptr || has_unit(scene_, material.source_of(key))) return false;
    const double value = material.number(key);
    if (!(value > 0) || value >= least) return false;
    warn(material, key,
         fmt::format("is read as {:.3g} {}, {}{}", value, unit, like,
                     assumption(material.source_of(key), unit, example)));
    return true;
  }

  /// Of linear materials; laws of rubber are looked at where solids are made of them.
  void look_at_speed(const Record& material) {
    const char* key = material.has("E1") ? "E1" : "E";
    if (material.get<double>(key) == nullptr || material.get<double>("rho") == nullptr) return;
    const double rho = material.number("rho"), speed = std::sqrt(material.number(key) / rho);
    if (rho < lightest || rho >= light || !(speed > fastest) || has_unit(scene_, material.source_of("rho"))) return;
    warn(material, "rho",
         fmt::format(
             "is read as {:.3g} kg/m^3: with {} = {:.3g} Pa waves travel at {:.3g} m/s, faster than in diamond{}", rho,
             key, material.number(key), speed, assumption(material.source_of("rho"), "kg/m^3", "1.1 g/cm^3")));
  }

  std::string assumption(const Source& source, const char* unit, const char* example) const {
    return has_unit(scene_, source)
               ? std::string("; is that meant?")
               : fmt::format("; is that meant? A number without unit is in SI, here {}; with one: \"{}\"", unit,
                             example);
  }

  const Record* record_of(const std::string& path) const {
    const auto found = std::ranges::find(scene_.tables, path, &Record::path);
    return found == scene_.tables.end() ? nullptr : &*found;
  }

  /// Once: laws of rubber have been looked at where solids are made of them.
  void warn(const Record& record, const char* key, std::string message) {
    std::string path = fmt::format("{}.{}", record.path, key);
    if (std::ranges::find(warnings_, path, &Problem::path) != warnings_.end()) return;
    warnings_.push_back({record.source_of(key), std::move(path), std::move(message), {}, true});
  }

  const SceneDocument& scene_;
  std::vector<Problem>& warnings_;
};

double size_of_mesh(const std::vector<SurfaceNode>& nodes) {
  double size = 0;
  for (const SurfaceNode& node : nodes) size = std::max(size, norm(node.position - nodes[0].position));
  return size;
}

}  // namespace

void question_units(const SceneDocument& scene, const SceneModel& model, std::vector<Problem>& warnings) {
  UnitQuestions questions(scene, warnings);
  questions.look_at_gravity();
  for (const Record* material : scene.of_kind("material")) questions.look_at_material(*material);
  questions.look_at_densities();
  questions.look_at_sections();
  questions.look_at_ambient();
  for (const CablePart& line : model.cables) questions.look_at_line(line);
  for (const PlatePart& plate : model.plates)
    questions.look_at_wall("plate", plate.name, plate.thickness, size_of_mesh(plate.mesh.nodes));
  for (const SolidPart& solid : model.solids) {
    if (!solid.mesh.is_membrane()) continue;
    const Record* record = scene.find("membrane", solid.name);
    double size = 0;
    for (const Vec3& node : solid.mesh.nodes) size = std::max(size, norm(node - solid.mesh.nodes[0]));
    if (record != nullptr) questions.look_at_wall("membrane", solid.name, record->number("thickness"), size);
  }
}

}  // namespace flexura::detail

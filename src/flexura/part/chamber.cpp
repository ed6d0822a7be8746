// Chambers and lines: the surface around each, what is in it, and what flows.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "flexura/base/nearest_name.hpp"
#include "flexura/load/gas_mass.hpp"
#include "flexura/part/chamber_contour.hpp"
#include "flexura/part/chamber_spec.hpp"
#include "flexura/part/chamber_surface.hpp"
#include "flexura/part/machine_draft.hpp"

namespace flexura::detail {
namespace {

/// One chamber: its surface, its pressure and its contents.
class ChamberMaking {
 public:
  ChamberMaking(MachineDraft& draft, const ChamberSpec& spec, bool has_lines)
      : draft_(draft), spec_(spec), has_lines_(has_lines) {}

  void make() {
    const size_t before = draft_.problems.count();
    part_.name = spec_.name;
    const bool spatial = draft_.dim() == 3;
    find_walls();
    check_neighbours();
    check_contents();
    if (draft_.problems.count() > before || lacks_a_wall_) return;
    spatial ? enclose_in_space() : enclose_in_plane();
    if (draft_.problems.count() == before) draft_.machine.chambers.push_back(std::move(part_));
  }

 private:
  /// What the patterns name, each once; all that they do not.
  void find_walls() {
    const bool spatial = draft_.dim() == 3;
    if (spec_.surfaces.empty()) draft_.wrong(spec_.origin, "surfaces", "name what is around the chamber");
    std::vector<std::string> names;
    const auto note = [&](const auto& parts) {
      for (const auto& part : parts) names.push_back(part.name);
    };
    spatial ? note(draft_.machine.plates) : note(draft_.machine.cables);
    for (size_t k = 0; k < spec_.surfaces.size(); ++k) {
      const NamePattern& pattern = spec_.surfaces[k];
      bool any = false;
      for (const std::string& name : names)
        if (pattern.matches(spatial ? "plate" : "cable", name)) any = take(part_.parts, name, k);
      if (spatial) any = find_surfaces(pattern, k, any);
      if (any) continue;
      if (may_be_refused(pattern)) {
        lacks_a_wall_ = true;
        continue;
      }
      if (pattern.is_glob()) {
        wrong_surface(k, fmt::format("no {} has a name like \"{}\"", kind_of_wall(), pattern.text));
      } else {
        wrong_surface(k, fmt::format("there is no {} named \"{}\"", kind_of_wall(), pattern.text),
                      nearest_name(pattern.text, all_walls(names)));
      }
    }
  }

  /// True where there is one, or why not was said.
  bool find_surfaces(const NamePattern& pattern, size_t k, bool any) {
    const Machine& machine = draft_.machine;
    for (size_t s = 0; s < machine.solids.size(); ++s) {
      const SolidPart& solid = machine.solids[s];
      const std::string kind = fmt::format("{}.", solid.mesh.word());
      const std::string text = pattern.text.starts_with(kind) ? pattern.text.substr(kind.size()) : pattern.text;
      for (size_t i = 0; i < solid.mesh.sets.size() && pattern.is_glob(); ++i) {
        const SurfaceOfSolid surface{static_cast<int>(s), static_cast<int>(i)};
        if (text.find('.') == std::string::npos || !pattern.matches(solid.mesh.word(), name_of(machine, surface)) ||
            !why_no_surface(solid, solid.mesh.sets[i]).empty())
          continue;
        any = take(part_.surfaces, surface, k);
      }
      if (any || pattern.is_glob() || (text != solid.name && !text.starts_with(solid.name + "."))) continue;
      const auto found = find_surface(machine, text);
      if (const auto* none = std::get_if<NoSurface>(&found))
        wrong_surface(k, none->message, none->nearest);
      else
        take(part_.surfaces, std::get<SurfaceOfSolid>(found), k);
      return true;
    }
    return any;
  }

  /// Adds it; what two names stand for, neither with a star, was meant to be something else.
  template <class Wall>
  bool take(std::vector<Wall>& walls, const Wall& wall, size_t k) {
    if (std::find(walls.begin(), walls.end(), wall) == walls.end()) {
      walls.push_back(wall);
    } else if (const auto& names = spec_.surfaces; !names[k].is_glob()) {
      const auto same =
          std::find_if(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(k), [&](const NamePattern& name) {
            return !name.is_glob() && (name.text == names[k].text || name.text.ends_with("." + names[k].text) ||
                                       names[k].text.ends_with("." + name.text));
          });
      if (same != names.begin() + static_cast<std::ptrdiff_t>(k))
        wrong_surface(k, fmt::format("\"{}\" is named twice", names[k].text));
    }
    return true;
  }

  /// It names, or may stand for, a part that was refused.
  bool may_be_refused(const NamePattern& pattern) const {
    if (pattern.is_glob()) return !draft_.refused.empty();
    return std::ranges::any_of(draft_.refused, [&](const std::string& name) {
      std::string_view text = pattern.text;
      for (const std::string_view kind : {"plate.", "cable.", "solid.", "membrane."})
        if (text.starts_with(kind) && !text.starts_with(name + ".")) text.remove_prefix(kind.size());
      return text == name || text.starts_with(name + ".");
    });
  }

  void wrong_surface(size_t k, std::string message, std::string nearest = {}) {
    draft_.problems.errors.push_back({spec_.surfaces[k].source, spec_.origin.path_of("surfaces", static_cast<int>(k)),
                                      std::move(message), std::move(nearest)});
  }

  const char* kind_of_wall() const {
    if (draft_.dim() == 2) return "cable";
    return draft_.machine.solids.empty() ? "plate" : "plate or surface of a solid";
  }
  std::vector<std::string> all_walls(std::vector<std::string> names) const {
    for (std::string& name : surface_names(draft_.machine)) names.push_back(std::move(name));
    return names;
  }

  /// A face of a solid looks into one room.
  void check_neighbours() {
    for (const ChamberPart& other : draft_.machine.chambers)
      for (const SurfaceOfSolid& surface : part_.surfaces)
        if (std::find(other.surfaces.begin(), other.surfaces.end(), surface) != other.surfaces.end())
          draft_.wrong(spec_.origin, "surfaces",
                       fmt::format("\"{}\" is around chamber.{} already: its faces look into one room",
                                   name_of(draft_.machine, surface), other.name));
  }

  void check_contents() {
    if (has_lines_ && spec_.fill != ChamberSpec::Fill::gas)
      draft_.wrong(spec_.origin, "type", "lines lead gas: this chamber is not filled with one");
    if (has_lines_ && spec_.added)
      draft_.wrong(spec_.origin, "added", "its lines say how much gas there is; leave `added` out");
  }

  void enclose_in_space() {
    ChamberSurface surface(draft_, spec_.origin);
    for (const PlatePart& plate : draft_.machine.plates)
      if (std::find(part_.parts.begin(), part_.parts.end(), plate.name) != part_.parts.end()) surface.add_plate(plate);
    std::map<std::string, std::string> taken;  // face → its surface
    for (const SurfaceOfSolid& at : part_.surfaces) {
      const SolidPart& solid = draft_.machine.solids[at.solid];
      const std::string where = name_of(draft_.machine, at);
      const std::vector<SurfaceFace> faces = faces_of(solid, solid.mesh.sets[at.set]);
      surface.add_solid(faces, where);
      for (const SurfaceFace& face : faces) {
        const auto [other, fresh] = taken.emplace(face.name, where);
        if (fresh) continue;
        draft_.wrong(
            spec_.origin, "surfaces",
            fmt::format("\"{}\" and \"{}\" have {} in common: name one of them", other->second, where, face.name));
        return;
      }
    }
    SurfaceClosing closing{.lids = spec_.lids, .tolerance = spec_.tolerance};
    if (!meet(closing)) return draft_.wrong(spec_.origin, "planes", "the planes have no point in common");
    surface.finish(closing);
    if (surface.middle())
      draft_.problems.warn(
          spec_.origin, "surfaces",
          "the inner faces of full plates come apart where walls meet at an angle: mid-surfaces are taken");
    fill(surface, "lids = true, another surface or a plane that lies there");
  }

  /// A place on all planes, each met across those before; false: there is none.
  bool meet(SurfaceClosing& closing) const {
    Triple at = spec_.planes.empty() ? Triple{} : spec_.planes[0].point;
    std::vector<Triple> normals;
    for (const PlaneSpec& plane : spec_.planes) {
      const Triple n = (1 / norm(plane.normal)) * plane.normal;
      Triple way = n;
      for (const Triple& before : normals) way = way - dot(way, before) * before;
      const double off = dot(n, plane.point - at), length = norm(way);
      if (length < 1e-9 && std::fabs(off) > draft_.near(at)) return false;
      closing.planes.push_back({n[0], n[1], n[2]});
      if (length < 1e-9) continue;
      normals.push_back((1 / length) * way);
      at = at + (off / dot(n, way)) * way;
    }
    closing.origin = {at[0], at[1], at[2]};
    return true;
  }

  void enclose_in_plane() {
    PlanarContour contour(draft_, spec_.origin, spec_.depth);
    for (const CablePart& cable : draft_.machine.cables)
      if (std::find(part_.parts.begin(), part_.parts.end(), cable.name) != part_.parts.end()) contour.add_cable(cable);
    contour.finish(spec_.lids, spec_.tolerance);
    fill(contour, "lids = true or another cable");
  }

  void fill(auto& around, const char* remedy) {
    for (const std::string& problem : around.problems())
      draft_.wrong(spec_.origin, "surfaces",
                   problem.starts_with("leaks") ? fmt::format("{}; close it: {}", problem, remedy) : problem);
    if (!around.problems().empty()) return;
    part_.volume = around.volume();
    if (!is_filled()) return;
    const std::string& path = spec_.origin.path;
    if (spec_.fill == ChamberSpec::Fill::pressure) {
      part_.pressure = draft_.builder.slot(path + ".pressure", SlotKind::scalar, std::array{0.0});
      draft_.builder.prescribe(part_.pressure, {{draft_.builder.effective(*spec_.pressure), {1.0}}}, path,
                               spec_.origin.source);
    } else {
      part_.pressure = draft_.builder.multiplier(path + ".pressure");
      add_contents();
    }
    part_.faces = around.add_items(part_.pressure);
  }

  /// What lies flat encloses nothing yet, which a prescribed pressure does not mind. False after a problem.
  bool is_filled() const {
    const double volume = part_.volume + spec_.dead_volume;
    if (volume > 0 || (part_.volume >= 0 && spec_.fill == ChamberSpec::Fill::pressure)) return true;
    draft_.wrong(spec_.origin, "surfaces",
                 part_.volume < 0 ? fmt::format("encloses nothing: the inner faces of its walls lie in each other, by "
                                                "{:.3g} m^3; draw them apart",
                                                -part_.volume)
                                  : "encloses nothing, as it lies flat: what is in it starts from a volume; give "
                                    "`dead_volume`, or let a pressure fill it (type = \"pressure\")");
    return false;
  }

  void add_contents() {
    ModelBuilder& builder = draft_.builder;
    const double volume = part_.volume + spec_.dead_volume;
    part_.contents = spec_.origin.path;
    const int added = spec_.added ? builder.effective(*spec_.added) : builder.constant_signal();
    const double share = spec_.added ? 1 : 0;
    if (spec_.fill == ChamberSpec::Fill::liquid) {
      builder.item<ChamberLiquid>({part_.pressure, added},
                                  {.volume = volume, .compressibility = spec_.compressibility, .added = share},
                                  part_.contents, 0, spec_.origin.source);
      return;
    }
    const double P = spec_.ambient + spec_.overpressure;
    part_.is_topped_up = spec_.added.has_value();
    part_.filling = P * volume / (spec_.gas_constant * spec_.temperature);
    builder.set_initial(part_.pressure, std::array{spec_.overpressure}, std::array{0.0});
    if (!has_lines_) {
      builder.item<ChamberGas>({part_.pressure, added},
                               {.volume = volume,
                                .exponent = spec_.exponent,
                                .ambient = spec_.ambient,
                                .overpressure = spec_.overpressure,
                                .added = share},
                               part_.contents, 0, spec_.origin.source);
      return;
    }
    part_.mass = builder.multiplier(spec_.origin.path + ".mass");
    builder.set_initial(part_.mass, std::array{part_.filling}, std::array{0.0});
    builder.item<GasMass>({part_.pressure, part_.mass},
                          {.volume = volume,
                           .exponent = spec_.exponent,
                           .ambient = spec_.ambient,
                           .overpressure = spec_.overpressure,
                           .mass = part_.filling},
                          part_.contents, 0, spec_.origin.source);
  }

  MachineDraft& draft_;
  const ChamberSpec& spec_;
  bool has_lines_;
  bool lacks_a_wall_ = false;  ///< which was refused
  ChamberPart part_;
};

/// The gas of a chamber, at the end of a line.
GasAtEnd<Given> end_of(const ChamberSpec& chamber) {
  return {chamber.temperature, chamber.ambient + chamber.overpressure, chamber.exponent};
}
/// Outside of it, and in supplies: as warm as its filling.
GasAtEnd<Given> outside_of(const ChamberSpec& chamber) { return {chamber.temperature, chamber.ambient, 1}; }

/// Orifices are measured with air, and what is mixed of two gases is none of them: such lines are refused. True: it can be.
bool check_gases(MachineDraft& draft, const LineSpec& spec, const ChamberSpec& chamber, const ChamberSpec* other) {
  constexpr double air = 287.05, like_air = 0.02;  // moist air differs by less
  const auto gas = [](const ChamberSpec& c) {
    return fmt::format("chamber.{} is filled with a gas of {:.6g} J/(kg K)", c.name, c.gas_constant);
  };
  const size_t before = draft.problems.count();
  if (other != nullptr && std::fabs(other->gas_constant - chamber.gas_constant) > 1e-6 * chamber.gas_constant)
    draft.wrong(spec.origin, "to",
                fmt::format("{}, {}: mixtures of gases are not modelled", gas(chamber), gas(*other)));
  for (const ChamberSpec* c : {&chamber, other})
    if (c != nullptr && spec.law == LineLaw::Kind::orifice && std::fabs(c->gas_constant - air) > like_air * air)
      draft.wrong(
          spec.origin, "law",
          fmt::format("{}: an orifice's conductance and critical ratio are those of air ({} J/(kg K)); for other "
                      "gases take law = \"laminar\"",
                      gas(*c), air));
  return draft.problems.count() == before;
}

void add_line(MachineDraft& draft, const std::map<std::string, const ChamberSpec*>& specs, const LineSpec& spec) {
  const auto find = [&](const std::string& name) -> const ChamberPart* {
    for (const ChamberPart& chamber : draft.machine.chambers)
      if (chamber.name == name) return &chamber;
    return nullptr;  // which was said
  };
  const ChamberPart* chamber = find(spec.of);
  if (chamber == nullptr || chamber->mass < 0) return;
  const double ambient = specs.at(spec.of)->ambient;
  ModelBuilder& builder = draft.builder;
  const std::string& path = spec.origin.path;
  const int passed = builder.multiplier(path + ".passed");
  const int opening = builder.effective(spec.opening);
  const LineLaw::Options law{spec.law};
  if (spec.type == LineSpec::Type::inflow)
    return builder.item<GasInflow>({chamber->mass, passed, builder.effective(spec.rate)}, {.rate = 1}, path, 0,
                                   spec.origin.source);
  const ChamberSpec& own = *specs.at(spec.of);
  if (spec.type != LineSpec::Type::between) {
    if (!check_gases(draft, spec, own, nullptr)) return;
    const bool vents = spec.type == LineSpec::Type::vent;
    return builder.item<GasSupply>(
        {chamber->pressure, chamber->mass, passed, builder.effective(spec.pressure), opening},
        {.resistance = spec.resistance,
         .conductance = spec.conductance,
         .critical_ratio = spec.critical_ratio,
         .ambient = ambient,
         .pressure = vents ? 0.0 : 1.0,
         .supply = outside_of(own),
         .chamber = end_of(own)},
        law, path, 0, spec.origin.source);
  }
  const ChamberPart* other = find(spec.to);
  if (other == nullptr || other->mass < 0) return;
  if (other == chamber) return draft.wrong(spec.origin, "to", "both ends are in the same chamber");
  if (specs.at(spec.to)->ambient != ambient)
    return draft.wrong(
        spec.origin, "to",
        fmt::format("outside of chamber.{} the pressure is {:.6g} Pa, outside of chamber.{} {:.6g} Pa: a "
                    "line joins chambers with one ambient pressure",
                    spec.of, ambient, spec.to, specs.at(spec.to)->ambient));
  const ChamberSpec& its = *specs.at(spec.to);
  if (!check_gases(draft, spec, own, &its)) return;
  builder.item<GasLine>({chamber->pressure, chamber->mass, other->pressure, other->mass, passed, opening},
                        {.resistance = spec.resistance,
                         .conductance = spec.conductance,
                         .critical_ratio = spec.critical_ratio,
                         .ambient = ambient,
                         .a = end_of(own),
                         .b = end_of(its)},
                        law, path, 0, spec.origin.source);
}

}  // namespace

void add_chambers(MachineDraft& draft, const std::vector<ChamberSpec>& chambers, const std::vector<LineSpec>& lines) {
  std::map<std::string, const ChamberSpec*> specs;
  for (const ChamberSpec& spec : chambers) specs[spec.name] = &spec;
  for (const ChamberSpec& spec : chambers) {
    const bool has_lines = std::any_of(
        lines.begin(), lines.end(), [&](const LineSpec& line) { return line.of == spec.name || line.to == spec.name; });
    ChamberMaking(draft, spec, has_lines).make();
  }
  for (const LineSpec& spec : lines) {
    const size_t before = draft.problems.count();
    for (const auto& [key, name] : {std::pair{"of", &spec.of}, std::pair{"to", &spec.to}})
      if (!name->empty() && !specs.contains(*name))
        draft.wrong(spec.origin, key, fmt::format("there is no chamber named \"{}\"", *name));
    if (draft.problems.count() == before) add_line(draft, specs, spec);
  }
}

}  // namespace flexura::detail

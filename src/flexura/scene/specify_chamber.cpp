// [chamber.NAME], [line.NAME].

#include <fmt/format.h>

#include "flexura/scene/specify.hpp"

namespace flexura::detail {
namespace {

void add_planes(const Specifier& with, const Record& record, const NamePattern& name, ChamberSpec& spec) {
  std::vector<std::string> names;
  bool any = false;
  for (const Record* plane : with.scene.of_kind("plane")) {
    names.push_back(plane->name);
    if (!name.matches("plane", plane->name)) continue;
    any = true;
    spec.planes.push_back(*plane_spec(with, *plane));
    if (!(norm(spec.planes.back().normal) > 0)) spec.planes.pop_back();  // which is said of the plane
  }
  if (!any)
    with.problems.wrong(origin_of(record), "planes", fmt::format("there is no plane named \"{}\"", name.text),
                        nearest_name(name.text, names));
}

}  // namespace

std::optional<ChamberSpec> chamber_spec(const Specifier& with, const Record& record) {
  const auto* surfaces = record.get<std::vector<NamePattern>>("surfaces");
  if (surfaces == nullptr) return {};
  const size_t before = with.problems.count();
  ChamberSpec spec;
  spec.origin = origin_of(record);
  spec.name = record.name;
  spec.surfaces = *surfaces;
  spec.lids = record.boolean("lids");
  if (record.has("tolerance")) spec.tolerance = record.number("tolerance");
  if (record.has("depth")) spec.depth = record.number("depth");
  if (const auto* planes = record.get<std::vector<NamePattern>>("planes"))
    for (const NamePattern& name : *planes) add_planes(with, record, name, spec);
  const auto signal = [&](const char* key) {
    return record.has(key) ? std::optional(signal_of(with, record, key)) : std::nullopt;
  };
  spec.added = signal("added");
  if (record.type == "liquid") {
    spec.fill = ChamberSpec::Fill::liquid;
    spec.compressibility = record.number("compressibility");
    spec.dead_volume = record.number("dead_volume");
  } else if (record.type == "pressure") {
    spec.fill = ChamberSpec::Fill::pressure;
    spec.pressure = signal("pressure");
    if (!spec.pressure) return {};
  } else {
    spec.exponent = record.number("exponent");
    spec.ambient = record.number("ambient");
    spec.overpressure = record.number("overpressure");
    spec.dead_volume = record.number("dead_volume");
    spec.temperature = record.number("temperature");
    spec.gas_constant = record.number("gas_constant");
  }
  if (with.problems.count() > before) return {};
  return spec;
}

std::optional<LineSpec> line_spec(const Specifier& with, const Record& record) {
  using Type = LineSpec::Type;
  LineSpec spec;
  spec.origin = origin_of(record);
  spec.name = record.name;
  spec.type = record.type == "vent"      ? Type::vent
              : record.type == "inflow"  ? Type::inflow
              : record.type == "between" ? Type::between
                                         : Type::supply;
  spec.of = record.text("of");
  spec.to = record.text("to");
  spec.opening = signal_of(with, record, "opening");
  spec.pressure = signal_of(with, record, "pressure");
  spec.rate = signal_of(with, record, "rate");
  if (spec.type == Type::inflow) return spec;
  spec.law = record.text("law") == "orifice" ? LineLaw::Kind::orifice : LineLaw::Kind::laminar;
  spec.resistance = record.number("resistance");
  spec.conductance = record.number("conductance");
  spec.critical_ratio = record.number("critical_ratio");
  const char* other = spec.law == LineLaw::Kind::laminar ? "conductance" : "resistance";
  const char* own = spec.law == LineLaw::Kind::laminar ? "resistance" : "conductance";
  if (record.has(other) && !record.has(own)) {
    with.wrong(record, other,
               fmt::format("is that of the other law: law = \"{}\"",
                           spec.law == LineLaw::Kind::laminar ? "orifice" : "laminar"));
    return {};
  }
  return spec;
}

}  // namespace flexura::detail

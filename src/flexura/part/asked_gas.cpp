#include "flexura/part/asked_gas.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "flexura/load/gas_line.hpp"
#include "flexura/load/gas_mass.hpp"
#include "flexura/part/chamber_spec.hpp"

namespace flexura {
namespace {

/// The items of one type.
class ItemsOf {
 public:
  ItemsOf(const Model& model, std::string_view term) : model_(model), term_(term) {}

  /// name, slots, number(field)
  void each(auto&& see) const {
    const Topology& topology = *model_.topology;
    for (size_t b = 0; b < topology.batches.size(); ++b) {
      const ItemBatch& items = topology.batches[b];
      const TermInfo& info = items.type->info;
      if (info.name != term_) continue;
      for (size_t i = 0; i < static_cast<size_t>(items.count); ++i) {
        const double* first = &model_.values.parameters[b][info.fields.size() * i];  // all of one number each
        see(topology.item_names[items.names[i]],
            std::span(items.slots).subspan(info.slots.size() * i, info.slots.size()),
            [&, first](std::string_view field) {
              return first[std::ranges::find(info.fields, field, &Field::name) - info.fields.begin()];
            });
      }
    }
  }

 private:
  const Model& model_;
  std::string_view term_;
};

}  // namespace

std::string_view AskedGas::key() const {
  return what == What::pressure ? "pressure" : what == What::opening ? "opening" : "added";
}

bool AskedGas::is_refused(double asked) const {
  switch (what) {
    case What::pressure:
      return asked < -ambient;
    case What::opening:
      return asked < 0;
    case What::added:
      return asked <= -1;
  }
  return false;
}

std::string AskedGas::refusal(double asked, double t) const {
  switch (what) {
    case What::pressure:
      return fmt::format(
          "asks for an overpressure of {:.6g} Pa at t = {:.6g} s: with {:.6g} Pa outside {:.6g} Pa is a vacuum, and "
          "there is nothing below",
          asked, t, ambient, -ambient);
    case What::opening:
      return fmt::format("asks for an opening of {:.6g} at t = {:.6g} s: 0 is shut", asked, t);
    case What::added:
      return fmt::format("asks for {:.6g} of the filling to be added at t = {:.6g} s: -1 is all that is in it", asked,
                         t);
  }
  return {};
}

std::string AskedGas::suspicion(double asked) const {
  constexpr double little = 0.05;
  if (what != What::added || !(1 + asked < little)) return {};
  return fmt::format("; {} is asked to keep {:.3g} of its filling there: at 0 nothing is left in it", item, 1 + asked);
}

std::vector<AskedGas> asked_gas(const Machine& machine) {
  using enum AskedGas::What;
  std::vector<AskedGas> out;
  const Model& model = machine.model;
  const auto note = [&](AskedGas asked) {
    if (asked.factor != 0) out.push_back(std::move(asked));
  };
  ItemsOf(model, GasSupply::name).each([&](const std::string& name, auto slots, auto number) {
    note({pressure, name, number("pressure"), number("ambient"), slots[3]});
    note({opening, name, 1, 0, slots[4]});
  });
  ItemsOf(model, GasLine::name).each([&](const std::string& name, auto slots, auto) {
    note({opening, name, 1, 0, slots[5]});
  });
  for (const std::string_view contents : {ChamberGas::name, ChamberLiquid::name})
    ItemsOf(model, contents).each([&](const std::string& name, auto slots, auto number) {
      note({added, name, number("added"), 0, slots[1]});
    });
  for (const ChamberPart& chamber : machine.chambers)
    for (const Dependent& dependent : model.topology->dependents)
      if (chamber.contents.empty() && dependent.slot == chamber.pressure && !dependent.drives.empty())
        note({pressure, "chamber." + chamber.name, 1, ChamberSpec().ambient, dependent.drives[0].signal, true});
  return out;
}

std::string ChamberFilling::problem(std::span<const double> q, double t) const {
  constexpr double least_pressure = ChamberGas::least_share, least_mass = GasMass::least_share;
  const double P = ambient + q[pressure];
  const double share = mass < 0 ? 1 : q[mass] / filling;
  if (P > least_pressure * ambient && share > least_mass) return {};
  const std::string left = mass < 0 ? std::string() : fmt::format(", mass {:.3g} of the filling's", share);
  return fmt::format(
      "{} has no gas left at t = {:.6g} s: absolute pressure {:.4g} Pa{}\ntry: pressures, inflows or openings that "
      "leave more in it",
      chamber, t, P, left);
}

std::vector<ChamberFilling> chamber_fillings(const Machine& machine) {
  std::vector<ChamberFilling> out;
  const Topology& topology = *machine.model.topology;
  const auto coordinate = [&](int slot) { return slot < 0 ? -1 : topology.slots[slot].offset; };
  for (const std::string_view contents : {ChamberGas::name, GasMass::name})
    ItemsOf(machine.model, contents).each([&](const std::string& name, auto slots, auto number) {
      const bool has_mass = contents == GasMass::name;
      out.push_back({name, coordinate(slots[0]), has_mass ? coordinate(slots[1]) : -1, number("ambient"),
                     has_mass ? number("mass") : 0});
    });
  return out;
}

}  // namespace flexura

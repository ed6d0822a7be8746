#include "flexura/observe/sensor.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace flexura {
namespace {

bool has_choice(const ItemBatch& batch, std::string_view option, std::string_view choice) {
  const std::vector<Option>& options = batch.type->info.options;
  for (size_t k = 0; k < options.size() && k < batch.options.size(); ++k)
    if (options[k].name == option) return options[k].choices[batch.options[k]] == choice;
  return false;
}

double parameter(const Machine& machine, const ItemRef& item, std::string_view name) {
  const TermInfo& info = machine.model.topology->batches[item.batch].type->info;
  int offset = 0;
  for (const Field& field : info.fields) {
    if (field.name == name)
      return machine.model.values.parameters[item.batch][item.index * info.parameter_count() + offset];
    offset += field.size;
  }
  return 0;
}

}  // namespace

SlotSum::SlotSum(const LinearForm& form) {
  for (const LinearTerm& term : form.terms) terms.emplace_back(term.slot, term.matrix[0]);
}

void evaluate(const SlotSum& sum, const Topology& topology, std::span<const double> from, std::span<double> out) {
  Triple x{};
  for (const auto& [slot, weight] : sum.terms) {
    const double* at = &from[topology.slots[slot].offset];
    for (int i = 0; i < 2; ++i) x[i] += weight * at[i];
    if (topology.dim == 3) x[2] += weight * at[2];
  }
  std::copy_n(x.begin(), topology.dim, out.begin());
}

SectionModuli rectangle_moduli(double d1, double d2) { return {d1 * d2, d1 * d2 * d2 / 6, d2 * d1 * d1 / 6}; }

SectionModuli round_moduli(double outer, double inner) {
  const double W = std::numbers::pi / 4 * (std::pow(outer, 4) - std::pow(inner, 4)) / outer;
  return {std::numbers::pi * (outer * outer - inner * inner), W, W};
}

void SensorPlace::find_items(const Machine& machine) {
  for (Element& at : elements)
    at.item = machine.item(solid >= 0   ? machine.solids[solid].model.items[at.element]
                           : plate >= 0 ? machine.plates[plate].model.elements[at.element].name
                                        : machine.cables[cable].elements[at.element].name);
  for (JointReaction::ItemShare& share : item_shares) share.item = machine.item(share.name);
  if (!slope.empty()) {
    Triple before{};
    evaluate(slope, *machine.model.topology, machine.model.values.reference, before);
    rest = norm(before);
  }
  find_stiffness(machine);
}

/// Green's strain is not the extension, and of what relaxes the force depends on the past.
void SensorPlace::find_stiffness(const Machine& machine) {
  if (cable < 0 || elements.empty() || !elements[0].item.exists()) return;
  const ItemBatch& batch = machine.model.topology->batches[elements[0].item.batch];
  const Topology& topology = *machine.model.topology;
  for (Element& at : elements)
    if (at.item.exists())
      at.beside =
          machine.item(topology.item_names[topology.batches[at.item.batch].names[at.item.index]] + stiffening_suffix);
  EA = batch.history > 0 || has_choice(batch, "axial", "green") ? 0.0 : parameter(machine, elements[0].item, "EA");
}

}  // namespace flexura

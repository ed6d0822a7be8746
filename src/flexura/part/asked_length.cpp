#include "flexura/part/asked_length.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace flexura {
namespace {

bool asks_for_length(const TermInfo& term) {
  return std::ranges::find(term.scene.sources, std::string_view("extension"), &SlotSource::key) !=
         term.scene.sources.end();
}

}  // namespace

std::string AskedLength::refusal(double l, double t) const {
  return fmt::format(
      "asks for a length of {:.6g} m at t = {:.6g} s: near 0 its ends meet, and it has no direction; of {:.6g} m "
      "without extension it may become {:.3g} m",
      l, t, length, least * length);
}

std::string AskedLength::suspicion(double l) const {
  if (!(l < little * length)) return {};
  return fmt::format("; {} is asked to be {:.3g} m long there, of {:.3g} m: near 0 it has no direction", item, l,
                     length);
}

std::vector<AskedLength> asked_lengths(const Model& model) {
  std::vector<AskedLength> out;
  const Topology& topology = *model.topology;
  for (size_t b = 0; b < topology.batches.size(); ++b) {
    const ItemBatch& items = topology.batches[b];
    const TermInfo& term = items.type->info;
    if (!asks_for_length(term)) continue;
    const auto signal = std::ranges::find(term.slots, SlotKind::signal) - term.slots.begin();
    const auto length = std::ranges::find(term.fields, std::string_view("length"), &Field::name) - term.fields.begin();
    const size_t fields = term.fields.size(), slots = term.slots.size();  // all of one number each
    for (size_t i = 0; i < static_cast<size_t>(items.count); ++i)
      out.push_back({topology.item_names[items.names[i]],
                     model.values.parameters[b][fields * i + static_cast<size_t>(length)],
                     items.slots[slots * i + static_cast<size_t>(signal)]});
  }
  return out;
}

}  // namespace flexura

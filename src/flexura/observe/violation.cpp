#include "flexura/observe/violation.hpp"

#include <algorithm>
#include <cmath>

namespace flexura {
namespace {

double largest(std::span<const int> rows, const std::vector<double>& of) {
  double worst = 0;
  for (const int row : rows) worst = std::max(worst, std::fabs(of[row]));
  return worst;
}

}  // namespace

std::string family_of(std::string_view term) {
  if (term.ends_with("_2d") || term.ends_with("_3d")) term.remove_suffix(3);
  return std::string(term);
}

ViolationProbe::ViolationProbe(const Machine& machine) {
  const Topology& topology = *machine.model.topology;
  for (const ItemBatch& batch : topology.batches) {
    if (batch.type->info.role != Role::constraint) continue;
    const std::string term = family_of(batch.type->info.name);
    const std::vector<SlotKind>& kinds = batch.type->info.slots;
    for (int i = 0; i < batch.count; ++i) {
      const auto use = machine.constraints.find(topology.item_names[batch.names[i]]);
      const bool known = use != machine.constraints.end();
      const std::string& name = known && !use->second.family.empty() ? use->second.family : term;
      for (size_t k = 0; k < kinds.size(); ++k) {
        const Slot& slot = topology.slots[batch.slots[i * kinds.size() + k]];
        if (kinds[k] != SlotKind::scalar || !slot.multiplier) continue;
        if (find(name) < 0) names_.push_back(name);
        rows_.push_back({slot.offset, find(name), term, known ? use->second.part : std::string()});
      }
    }
  }
  std::sort(rows_.begin(), rows_.end(), [](const Row& a, const Row& b) { return a.index < b.index; });
  for (std::vector<double>* x : {&phi_, &rate_, &second_}) x->assign(topology.ny, 0.0);
  worst_of_.assign(names_.size(), 0.0);
  worst_rate_of_ = worst_of_;
}

int ViolationProbe::find(const std::string& family) const {
  const auto at = std::find(names_.begin(), names_.end(), family);
  return at == names_.end() ? -1 : static_cast<int>(at - names_.begin());
}

void ViolationProbe::update(System<double>& system, const State<double>& state) {
  worst_ = worst_rate_ = 0;
  if (rows_.empty()) return;
  std::fill(worst_of_.begin(), worst_of_.end(), 0.0);
  std::fill(worst_rate_of_.begin(), worst_rate_of_.end(), 0.0);
  system.assembler.constraint_motion(state.t, state.q.data(), state.v.data(), state.a.data(),
                                     {phi_.data(), rate_.data(), second_.data()});
  for (const Row& row : rows_) {
    worst_of_[row.family] = std::max(worst_of_[row.family], std::fabs(phi_[row.index]));
    worst_rate_of_[row.family] = std::max(worst_rate_of_[row.family], std::fabs(rate_[row.index]));
  }
  for (size_t k = 0; k < names_.size(); ++k) {
    worst_ = std::max(worst_, worst_of_[k]);
    worst_rate_ = std::max(worst_rate_, worst_rate_of_[k]);
  }
}

std::vector<int> ViolationProbe::select(const std::string& of, const std::string& part) const {
  std::vector<int> out;
  for (const Row& row : rows_) {
    // Distances within bodies are "rigidity", not "distance".
    const bool by_term = row.term == of && of != "distance";
    const bool wanted = of.empty() || of == "all" || names_[row.family] == of || by_term;
    if (wanted && (part.empty() || row.part == part)) out.push_back(row.index);
  }
  return out;
}

double ViolationProbe::position(std::span<const int> rows) const { return largest(rows, phi_); }
double ViolationProbe::rate(std::span<const int> rows) const { return largest(rows, rate_); }

}  // namespace flexura

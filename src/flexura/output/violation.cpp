#include "flexura/output/violation.hpp"

#include <algorithm>
#include <cmath>

namespace flexura {

std::string family_of(std::string_view term) {
  if (term.ends_with("_2d") || term.ends_with("_3d")) term.remove_suffix(3);
  return std::string(term);
}

ViolationProbe::ViolationProbe(const Topology& topology) {
  for (const ItemBatch& batch : topology.batches) {
    if (batch.type->info.role != Role::constraint || batch.count == 0) continue;
    const std::string name = family_of(batch.type->info.name);
    if (find(name) < 0) names_.push_back(name);
    const int family = find(name);
    const std::vector<SlotKind>& kinds = batch.type->info.slots;
    for (size_t k = 0; k < batch.slots.size(); ++k)
      if (kinds[k % kinds.size()] == SlotKind::scalar && topology.slots[batch.slots[k]].multiplier)
        rows_.emplace_back(topology.slots[batch.slots[k]].offset, family);
  }
  std::sort(rows_.begin(), rows_.end());
  rows_.erase(std::unique(rows_.begin(), rows_.end()), rows_.end());
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
  for (const auto& [row, family] : rows_) {
    worst_of_[family] = std::max(worst_of_[family], std::fabs(phi_[row]));
    worst_rate_of_[family] = std::max(worst_rate_of_[family], std::fabs(rate_[row]));
  }
  for (size_t k = 0; k < names_.size(); ++k) {
    worst_ = std::max(worst_, worst_of_[k]);
    worst_rate_ = std::max(worst_rate_, worst_rate_of_[k]);
  }
}

}  // namespace flexura

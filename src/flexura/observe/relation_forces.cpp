#include "flexura/observe/relation_forces.hpp"

#include <algorithm>
#include <cmath>

namespace flexura {
namespace {

/// Added to AᵀA of rows of size one. A pass leaves weak/(s² + weak) of what a direction of singular value s lacks: of
/// joints that nearly say the same (two pins close to each other) nearly all, with the first one. The second one
/// follows only where they are such, since it makes as much more of what is rounding in directions that nothing holds.
constexpr double weak[] = {1e-8, 1e-13};
constexpr int passes[] = {4, 100};
/// What a pass makes of the rounding of forces in directions that nothing holds, at most, with a margin.
constexpr double noise[] = {1e-7, 1e-2};
constexpr double settled = 1e-10;  ///< of the largest force: what further passes would still add
constexpr double reported = 1e-9;  ///< of it: more is a problem
constexpr double involved = 0.1;   ///< of the largest such addition

}  // namespace

RelationForces::RelationForces(const Machine& machine, const Topology& topology, size_t size,
                               const std::set<std::string>& authors)
    : machine_(machine), topology_(topology), carried_(size, 0.0) {
  for (const std::string& author : authors) without_[author] = carried_;
  order_definitions();
  expand_rows();
  factor(factor_, weak[0]);
}

/// Topological order: whatever hangs on a slot comes before it.
void RelationForces::order_definitions() {
  std::map<int, const StatedRelation*> of;
  for (const StatedRelation& relation : machine_.relations)
    if (relation.defines >= 0) of[relation.defines] = &relation;
  std::set<int> seen;
  const auto visit = [&](auto&& self, int slot) -> void {
    const auto found = of.find(slot);
    if (found == of.end() || !seen.insert(slot).second) return;
    for (const LinearTerm& term : found->second->terms) self(self, term.slot);
    definitions_.push_back(found->second);
  };
  for (const auto& [slot, relation] : of) visit(visit, slot);
  std::reverse(definitions_.begin(), definitions_.end());
}

/// The other relations in slots that none defines.
void RelationForces::expand_rows() {
  std::map<int, int> defined, column_of;
  for (size_t r = 0; r < machine_.relations.size(); ++r)
    if (machine_.relations[r].defines >= 0) defined[machine_.relations[r].defines] = static_cast<int>(r);
  for (size_t r = 0; r < machine_.relations.size(); ++r) {
    const StatedRelation& relation = machine_.relations[r];
    if (relation.defines >= 0) continue;
    const int first = static_cast<int>(rows_.size());
    const auto slots = undefined_slots_of(relation.terms, machine_.relations, defined);
    for (int i = 0; i < relation.rows; ++i) {
      double size = 0;
      for (const LinearTerm& term : relation.terms)
        for (const double weight : row_of(term.slot, term.matrix, i)) size = std::max(size, std::fabs(weight));
      if (size == 0) continue;
      Row row{static_cast<int>(r), i, 1 / size, {}};
      for (const auto& [slot, matrix] : slots) {
        const std::span<const double> weights = row_of(slot, matrix, i);
        for (size_t j = 0; j < weights.size(); ++j) {
          if (weights[j] == 0) continue;
          const auto [column, fresh] =
              column_of.emplace(topology_.slots[slot].offset + static_cast<int>(j), static_cast<int>(columns_.size()));
          if (fresh) columns_.push_back(column->first);
          row.terms.emplace_back(column->second, row.factor * weights[j]);
        }
      }
      rows_.push_back(std::move(row));
    }
    rows_of_[static_cast<int>(r)] = {first, static_cast<int>(rows_.size())};
  }
  left_.assign(columns_.size(), 0.0);
  x_ = left_;
}

std::span<const double> RelationForces::row_of(int slot, const std::vector<double>& matrix, int row) const {
  const size_t columns = topology_.slots[slot].size;
  return std::span(matrix).subspan(row * columns, columns);
}

void RelationForces::factor(ScalarFactor& factor, double added) const {
  std::map<std::pair<int, int>, double> sums;
  for (size_t k = 0; k < columns_.size(); ++k) sums[{static_cast<int>(k), static_cast<int>(k)}] = added;
  for (const Row& row : rows_)
    for (const auto& [a, x] : row.terms)
      for (const auto& [b, y] : row.terms)
        if (b <= a) sums[{a, b}] += x * y;
  std::vector<ScalarFactor::Entry> entries;
  entries.reserve(sums.size());
  for (const auto& [at, value] : sums) entries.push_back({at.first, at.second, value});
  factor.factor(static_cast<int>(columns_.size()), entries, 0.0);
}

void RelationForces::find(std::span<const double> residual) {
  std::copy(residual.begin(), residual.end(), carried_.begin());
  hand_on(carried_);
  for (size_t k = 0; k < columns_.size(); ++k) left_[k] = carried_[columns_[k]];
  balance();
  const auto add_relations = [&](std::vector<double>& force, const std::string* but) {
    std::copy(residual.begin(), residual.end(), force.begin());
    for (const Row& row : rows_) {
      const StatedRelation& relation = machine_.relations[row.relation];
      if (but != nullptr && relation.author == *but) continue;
      for (const LinearTerm& term : relation.terms) {
        const Slot& to = topology_.slots[term.slot];
        for (int j = 0; j < to.size; ++j)
          force[to.offset + j] += row.factor * row.force * term.matrix[row.row * to.size + j];
      }
    }
    hand_on(force);
  };
  add_relations(carried_, nullptr);
  for (auto& [author, force] : without_) add_relations(force, &author);
}

void RelationForces::balance() {
  double acting = 0;
  for (const double c : left_) acting = std::max(acting, std::fabs(c));
  for (Row& row : rows_) row.force = 0;
  const Addition coarse = balance(factor_, passes[0]);
  if (coarse.of_largest <= settled || coarse.size <= noise[0] * acting) return;
  if (!fine_factor_) factor(fine_factor_.emplace(), weak[1]);
  const Addition fine = balance(*fine_factor_, passes[1]);
  if (fine.of_largest <= reported || fine.size <= noise[1] * acting) return;
  for (const Row& row : rows_)
    if (std::fabs(row.added) > involved * fine.size) unbalanced_.insert(machine_.relations[row.relation].author);
}

RelationForces::Addition RelationForces::balance(ScalarFactor& factor, int most_passes) {
  Addition last;
  for (int pass = 0; pass < most_passes && (pass < passes[0] || last.of_largest > 0.1 * settled); ++pass) {
    x_ = left_;
    factor.solve(x_, 1);
    double added = 0, largest = 0;
    for (Row& row : rows_) {
      row.added = 0;
      for (const auto& [column, entry] : row.terms) row.added += entry * x_[column];
      row.force -= row.added;
      for (const auto& [column, entry] : row.terms) left_[column] -= entry * row.added;
      added = std::max(added, std::fabs(row.added));
      largest = std::max(largest, std::fabs(row.force));
    }
    const double ratio = last.size > 0 ? std::min(1.0, added / last.size) : 1.0;
    last = {added, largest > 0 ? ratio * added / largest : 0.0};
  }
  return last;
}

void RelationForces::hand_on(std::vector<double>& force) const {
  for (const StatedRelation* definition : definitions_) {
    const Slot& from = topology_.slots[definition->defines];
    for (const LinearTerm& term : definition->terms) {
      const Slot& to = topology_.slots[term.slot];
      for (int i = 0; i < from.size; ++i)
        for (int j = 0; j < to.size; ++j) force[to.offset + j] += term.matrix[i * to.size + j] * force[from.offset + i];
    }
  }
}

const std::vector<double>& RelationForces::carried_without(const std::string& author) const {
  const auto found = without_.find(author);
  return found == without_.end() ? carried_ : found->second;
}

Triple RelationForces::force(int relation, int slot) const {
  Triple out{};
  const auto rows = rows_of_.find(relation);
  if (rows == rows_of_.end()) return out;
  const int size = topology_.slots[slot].size;
  for (int k = rows->second.first; k < rows->second.second; ++k)
    for (const LinearTerm& term : machine_.relations[relation].terms)
      for (int j = 0; term.slot == slot && j < size; ++j)
        out[j] += rows_[k].factor * rows_[k].force * term.matrix[rows_[k].row * size + j];
  return out;
}

}  // namespace flexura

// Slots that others define: forces on them are theirs.

#include <algorithm>
#include <cmath>

#include "flexura/model/model_builder.hpp"

namespace flexura {

void ModelBuilder::define(int slot, LinearForm form, const std::string& author, Source source) {
  const bool is_circle = depends_on(form.terms, slot);
  equate(slot, std::move(form), author, std::move(source));
  if (is_circle) return;
  std::vector<LinearTerm>& terms = stated_.back().terms;
  terms.erase(terms.begin());
  stated_.back().defines = slot;
  defined_[slot] = next_relation() - 1;
}

bool ModelBuilder::depends_on(const std::vector<LinearTerm>& terms, int slot) const {
  std::set<int> seen;
  const auto leads = [&](auto&& self, const std::vector<LinearTerm>& from) -> bool {
    return std::ranges::any_of(from, [&](const LinearTerm& term) {
      if (term.slot == slot) return true;
      const auto defined = defined_.find(term.slot);
      return defined != defined_.end() && seen.insert(term.slot).second && self(self, stated_[defined->second].terms);
    });
  };
  return leads(leads, terms);
}

std::map<int, std::vector<double>> undefined_slots_of(const std::vector<LinearTerm>& terms,
                                                      std::span<const StatedRelation> relations,
                                                      const std::map<int, int>& defined) {
  std::map<int, std::vector<double>> left, waiting;  // by slot; by the definition of one
  const auto add = [&](int slot, const std::vector<double>& matrix) {
    const auto definition = defined.find(slot);
    std::vector<double>& sum = definition == defined.end() ? left[slot] : waiting[definition->second];
    sum.resize(matrix.size(), 0.0);
    for (size_t i = 0; i < matrix.size(); ++i) sum[i] += matrix[i];
  };
  for (const LinearTerm& term : terms) add(term.slot, term.matrix);
  while (!waiting.empty()) {  // the last first: those of its masters were mostly stated before
    const auto [k, matrix] = *waiting.rbegin();
    waiting.erase(k);
    const size_t n = static_cast<size_t>(relations[k].rows), rows = matrix.size() / n;
    for (const LinearTerm& term : relations[k].terms) {
      const size_t m = term.matrix.size() / n;
      std::vector<double> product(rows * m, 0.0);
      for (size_t i = 0; i < rows; ++i)
        for (size_t l = 0; l < n; ++l)
          for (size_t j = 0; j < m; ++j) product[i * m + j] += matrix[i * n + l] * term.matrix[l * m + j];
      add(term.slot, product);
    }
  }
  return left;
}

bool ModelBuilder::follows_from_definitions(const std::vector<LinearTerm>& terms) const {
  double size = 0;
  for (const LinearTerm& term : terms)
    for (const double x : term.matrix) size = std::max(size, std::fabs(x));
  return std::ranges::all_of(undefined_slots_of(terms, stated_, defined_), [&](const auto& entry) {
    return std::ranges::all_of(entry.second, [&](double x) { return std::fabs(x) <= 1e-10 * size; });
  });
}

}  // namespace flexura

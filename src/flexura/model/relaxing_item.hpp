#pragma once
// Items of terms whose stiffness relaxes (element/viscoelastic.hpp).

#include <string>
#include <vector>

#include "flexura/material/prony.hpp"
#include "flexura/model/model_builder.hpp"
#include "flexura/term/numbers.hpp"

namespace flexura {

/// Why there is no material of that series; empty: there is one.
inline std::string refusal_of(const PronySeries& series) {
  if (series.size() > size_t{most_branches})
    return "a Prony series of " + std::to_string(series.size()) + " pairs; allowed: " + std::to_string(most_branches);
  double sum = 0;
  for (const PronyBranch& branch : series) {
    if (!(branch.share > 0 && branch.time > 0)) return "shares and times of a Prony series are positive";
    sum += branch.share;
  }
  return sum < 1 ? "" : "the shares of a Prony series sum to less than 1: what is left is the stiffness that stays";
}

/// Makes an item of the elastic `term` the viscoelastic one: its name, and what follows its parameters and options.
/// Without a series it stays what it is.
inline void make_relaxing(const PronySeries& series, std::string& term, std::vector<double>& parameters,
                          std::vector<int>& options) {
  if (series.empty()) return;
  term = "viscoelastic_" + term;
  for (int i = 0; i < most_branches; ++i)
    parameters.push_back(i < static_cast<int>(series.size()) ? series[i].share : 0);
  for (int i = 0; i < most_branches; ++i)
    parameters.push_back(i < static_cast<int>(series.size()) ? series[i].time : 1);
  options.push_back(static_cast<int>(series.size()) - 1);
}

/// An item of E, or of the viscoelastic E where there is a series.
template <class E>
void add_relaxing_item(ModelBuilder& builder, std::span<const int> slots, const GivenParams<E>& parameters,
                       const OptionsOf<E>& options, const PronySeries& series, std::string name, double mass_damping,
                       const Source& source) {
  std::string term(E::name);
  std::vector<double> numbers = numbers_of<E>(parameters);
  std::vector<int> choices = choices_of<E>(options);
  make_relaxing(series, term, numbers, choices);
  builder.item(term, slots, numbers, choices, std::move(name), mass_damping, source);
}

}  // namespace flexura

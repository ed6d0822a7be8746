#pragma once
// Items of terms whose stiffness relaxes (element/viscoelastic.hpp).

#include <string>
#include <vector>

#include "flexura/material/prony.hpp"

namespace flexura {

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

}  // namespace flexura

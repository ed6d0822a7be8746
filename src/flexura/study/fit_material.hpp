#pragma once
// Constants of rubber from measured tension: least squares of the nominal stress of an incompressible body.
//
//     minimise Σ (w (P(λ; c) − P̂))²      w = 1, or relative: 1/max(|P̂|, |P̂|_max/20) of each test

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "flexura/material/elastic_laws.hpp"
#include "flexura/material/stability.hpp"
#include "flexura/scene/tension_file.hpp"

namespace flexura {

struct FitMaterialOptions {
  std::vector<std::string> laws = {};        ///< names; empty: all that can be fitted
  std::map<std::string, double> fixed = {};  ///< constants that are not sought, in SI; of each law that has them
  bool relative = false;
};

struct FittedConstant {
  std::string name, unit;
  double value = 0;           ///< SI
  double standard_error = 0;  ///< NaN: fixed, at a bound, or not determined
  bool fixed = false, at_bound = false;
};

/// A law against the data.
struct LawFit {
  LawChoice choice;
  ElasticConstants<double> constants{};  ///< bulk: nearly incompressible
  std::vector<FittedConstant> fitted;
  std::vector<double> correlation;  ///< of the fitted, n × n; NaN where there is none
  bool converged = false;
  std::vector<std::string> notes;  ///< what is to be known of it
  double rms = 0;                  ///< of P − P̂ [Pa]
  double rms_relative = 0;         ///< of the same over max(|P̂|, |P̂|_max/20)
  double r_squared = 0;            ///< 1 − Σ r²/Σ (P̂ − mean)²
  double aicc = 0;                 ///< Akaike's criterion, corrected for few points; the least is best
  StableRange stable[3]{};         ///< by test
  bool is_stable = false;          ///< over the stretches of the data
  const ElasticLawRow& row() const { return elastic_law(choice.law); }
};

struct MaterialFit {
  std::vector<TensionData> data;
  bool relative = false;
  std::vector<LawFit> laws;
  std::size_t best = 0;  ///< least aicc among those that are stable where they were measured, else among all
  std::vector<std::string> warnings;
};

/// Throws InputError: a law that cannot be fitted, a constant that no law has, more constants than points.
MaterialFit fit_material(std::vector<TensionData> data, const FitMaterialOptions& options = {});

}  // namespace flexura

#pragma once
// What becomes of the tables of a scene that is used in another: names get a prefix, and space is turned and moved.

#include <string>
#include <vector>

#include "flexura/scene/document.hpp"

namespace flexura::detail {

struct Enclosing {
  std::string prefix;  ///< "left."
  Placement placement;
  int first_signal = 0;               ///< index of the used scene's first signal in the scene that uses it
  std::vector<int> files;             ///< the same of each of its files
  std::vector<std::string> analyses;  ///< of the scene that uses it
  int dim = 2;
};

/// "joint.clamp" → "joint.left.clamp".
std::string prefixed_path(const std::string& path, const std::string& prefix);
/// signal(pump) → signal(left.pump), in a formula.
std::string prefixed_formula(const std::string& formula, const std::string& prefix);

void enclose(Record& record, const Enclosing& how, std::vector<Problem>& problems);

}  // namespace flexura::detail

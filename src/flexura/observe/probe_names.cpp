#include "flexura/observe/probe_names.hpp"

#include <algorithm>

namespace flexura {

int find_probe(const TermInfo& term, std::string_view quantity) {
  const auto found = std::find(term.probes.begin(), term.probes.end(), quantity);
  return found == term.probes.end() ? -1 : static_cast<int>(found - term.probes.begin());
}

}  // namespace flexura

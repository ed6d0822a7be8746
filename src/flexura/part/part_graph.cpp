#include "flexura/part/part_graph.hpp"

namespace flexura::detail {

std::string PartGraph::root(std::string part) const {
  for (auto p = parent_.find(part); p != parent_.end() && p->second != part; p = parent_.find(part)) part = p->second;
  return part;
}

void PartGraph::join(const std::string& a, const std::string& b) {
  const std::string ra = root(a), rb = root(b);
  if (ra == rb) return;
  if (ra == "ground")
    parent_[rb] = ra;
  else
    parent_[ra] = rb;
}

void PartGraph::lend_mass() {
  for (bool again = true; again;) {
    again = false;
    for (const auto& [a, b] : ties_)
      if (massive_.contains(a) != massive_.contains(b)) {
        massive_.insert(a);
        massive_.insert(b);
        again = true;
      }
  }
}

}  // namespace flexura::detail

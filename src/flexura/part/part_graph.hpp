#pragma once
// Which parts hang together, and which of them have mass or are lent it.

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace flexura::detail {

class PartGraph {
 public:
  PartGraph() { add("ground"); }

  void add(const std::string& part) { parent_[part] = part; }
  bool knows(const std::string& part) const { return parent_.contains(part); }
  /// They hold each other.
  void join(const std::string& a, const std::string& b);
  bool is_held(const std::string& part) const { return root(part) == "ground"; }

  void give_mass(const std::string& part) { massive_.insert(part); }
  /// They share a place: what has mass lends it to the other.
  void share_place(const std::string& a, const std::string& b) { ties_.emplace_back(a, b); }
  void lend_mass();
  bool has_mass(const std::string& part) const { return massive_.contains(part); }

 private:
  std::string root(std::string part) const;

  std::map<std::string, std::string> parent_;
  std::set<std::string> massive_{"ground"};
  std::vector<std::pair<std::string, std::string>> ties_;
};

}  // namespace flexura::detail

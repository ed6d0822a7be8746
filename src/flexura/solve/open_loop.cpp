#include "flexura/solve/open_loop.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <map>
#include <set>

namespace flexura {
namespace {

std::string joint_of(const std::string& item) { return item.substr(0, item.find(", ")); }

struct PartGraph {
  struct Edge {
    int a, b;
    std::string joint;
  };
  std::vector<std::string> names;
  std::map<std::string, int> index;
  std::vector<Edge> edges;

  int vertex(const std::string& name) {
    const auto [at, fresh] = index.emplace(name, static_cast<int>(names.size()));
    if (fresh) names.push_back(name);
    return at->second;
  }
  void join_all(const std::set<int>& parts, const std::string& joint) {
    for (auto a = parts.begin(); a != parts.end(); ++a)
      for (auto b = std::next(a); b != parts.end(); ++b) edges.push_back({*a, *b, joint});
  }
  /// Edges of the shortest way from a to b that does not use the joint; empty if there is none.
  std::vector<int> way(int a, int b, const std::string& without) const {
    std::vector<int> by(names.size(), -1);
    std::vector<char> seen(names.size(), 0);
    std::deque<int> queue{a};
    seen[a] = 1;
    while (!queue.empty() && !seen[b]) {
      const int at = queue.front();
      queue.pop_front();
      for (int e = 0; e < static_cast<int>(edges.size()); ++e) {
        if (edges[e].joint == without || (edges[e].a != at && edges[e].b != at)) continue;
        const int next = edges[e].a == at ? edges[e].b : edges[e].a;
        if (seen[next]) continue;
        seen[next] = 1;
        by[next] = e;
        queue.push_back(next);
      }
    }
    std::vector<int> out;
    if (!seen[b]) return out;
    for (int at = b; at != a; at = edges[by[at]].a == at ? edges[by[at]].b : edges[by[at]].a) out.push_back(by[at]);
    std::reverse(out.begin(), out.end());
    return out;
  }
};

struct Worst {
  std::string item;
  std::set<int> parts;
  double violation = -1;
};

}  // namespace

std::string OpenLoop::text() const {
  if (worst.empty()) return "all loops close";
  if (parts.empty()) return fmt::format("{} is off by {:.3g}", worst, violation);
  std::string out = "loop ";
  for (size_t i = 0; i < parts.size(); ++i) out += fmt::format("{} – {} – ", parts[i], joints[i]);
  return out + fmt::format("{} does not close: {} is off by {:.3g}", parts[0], worst, violation);
}

OpenLoop explain_open_loop(const Topology& topology, std::span<const double> violation,
                           std::span<const std::vector<std::string>> parts_of_slot) {
  PartGraph graph;
  std::vector<std::set<int>> owners(topology.slots.size());
  for (size_t s = 0; s < topology.slots.size(); ++s) {
    const Slot& slot = topology.slots[s];
    if (slot.multiplier) continue;
    for (const std::string& part : parts_of_slot[s]) owners[s].insert(graph.vertex(part));
    if (owners[s].empty() && slot.dependent >= 0 && topology.dependents[slot.dependent].weights.empty())
      owners[s].insert(graph.vertex("ground"));
  }
  for (size_t s = 0; s < topology.slots.size(); ++s) {
    const Slot& slot = topology.slots[s];
    if (slot.multiplier) continue;
    graph.join_all(owners[s], topology.slot_names[s]);
    if (slot.dependent < 0) continue;
    const Dependent& dependent = topology.dependents[slot.dependent];
    if (dependent.weights.empty() && !owners[s].contains(graph.vertex("ground"))) {
      std::set<int> both = owners[s];
      both.insert(graph.vertex("ground"));
      graph.join_all(both, topology.slot_names[s]);
    }
    for (const Weight& weight : dependent.weights)
      for (int a : owners[s])
        for (int b : owners[weight.master])
          if (!owners[weight.master].contains(a) && a != b) graph.edges.push_back({a, b, topology.slot_names[s]});
  }
  Worst worst;
  for (const ItemBatch& batch : topology.batches) {
    const TermInfo& info = batch.type->info;
    if (info.role != Role::constraint) continue;
    const int width = static_cast<int>(info.slots.size());
    for (int item = 0; item < batch.count; ++item) {
      std::set<int> parts;
      double size = 0;
      for (int k = 0; k < width; ++k) {
        if (info.slots[k] == SlotKind::signal) continue;
        const int s = batch.slots[item * width + k];
        const Slot& slot = topology.slots[s];
        if (slot.multiplier) {
          size = std::max(size, std::fabs(violation[slot.offset]));
        } else if (owners[s].size() == 1) {
          parts.insert(*owners[s].begin());
        }
      }
      // A part's own constraint: all its slots may belong to that part.
      for (int k = 0; k < width && parts.size() != 1; ++k) {
        if (info.slots[k] == SlotKind::signal) continue;
        std::set<int> common;
        for (size_t part = 0; part < graph.names.size(); ++part) {
          bool all = true;
          for (int j = 0; j < width; ++j) {
            if (info.slots[j] == SlotKind::signal) continue;
            const int s = batch.slots[item * width + j];
            if (!topology.slots[s].multiplier) all = all && owners[s].contains(static_cast<int>(part));
          }
          if (all) common.insert(static_cast<int>(part));
        }
        if (!common.empty()) parts = {*common.begin()};
        break;
      }
      const std::string& name = topology.item_names[batch.names[item]];
      if (parts.size() > 1) graph.join_all(parts, joint_of(name));
      if (size > worst.violation) worst = {name, parts, size};
    }
  }
  OpenLoop out;
  if (!(worst.violation > 0)) return out;
  out.worst = worst.item;
  out.violation = worst.violation;

  int start = -1;
  std::string first_joint;
  std::vector<int> best;
  const auto consider = [&](int from, int to, const std::string& joint) {
    const std::vector<int> way = graph.way(to, from, joint);
    if (way.empty() || (!best.empty() && way.size() >= best.size())) return;
    best = way;
    start = from;
    first_joint = joint;
  };
  if (worst.parts.size() > 1) {
    for (int a : worst.parts)
      for (int b : worst.parts)
        if (a < b) consider(a, b, joint_of(worst.item));
  } else if (worst.parts.size() == 1) {
    const int part = *worst.parts.begin();
    for (const PartGraph::Edge& e : graph.edges)
      if (e.a == part || e.b == part) consider(part, e.a == part ? e.b : e.a, e.joint);
  }
  if (start < 0) return out;
  out.parts.push_back(graph.names[start]);
  out.joints.push_back(first_joint);
  // The way leads from the other end to `start`: walked back from there, and turned round.
  int at = start;
  std::vector<std::string> parts, joints;
  std::reverse(best.begin(), best.end());
  for (const int e : best) {
    joints.push_back(graph.edges[e].joint);
    at = graph.edges[e].a == at ? graph.edges[e].b : graph.edges[e].a;
    parts.push_back(graph.names[at]);
  }
  std::reverse(parts.begin(), parts.end());
  std::reverse(joints.begin(), joints.end());
  out.parts.insert(out.parts.end(), parts.begin(), parts.end());
  out.joints.insert(out.joints.end(), joints.begin(), joints.end());
  return out;
}

}  // namespace flexura

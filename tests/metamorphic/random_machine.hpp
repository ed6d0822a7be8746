#pragma once
// Random machines as scenes: rigid mechanisms, flexible structures, driven chains, with all kinds of parts, joints,
// loads, springs, signals, integrators and analyses. They close by construction: every joint is where its places are
// in the reference.

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace flexura::test {

/// A table of a scene, and the tables without which it cannot be.
struct MachineTable {
  std::string name;  ///< "joint.j2"
  std::string text;
  std::vector<std::string> needs;
};

struct Machine {
  std::uint64_t seed = 0;
  int dim = 2;
  std::string head;
  std::vector<MachineTable> tables;
  std::string analyses;
  std::string integrator;          ///< of its dynamic analysis; empty: it has none
  double end = 0, step = 0;        ///< of the analysis over time [s]; 0: it has none
  size_t timed_analysis = 0;       ///< which one that is
  std::set<std::string> features;  ///< "joint.revolute", "beam", "integrator.hht": what is in it

  std::string scene() const;
  /// Without this table and those that need it.
  Machine without_table(size_t index) const;
};

Machine random_machine(std::uint64_t seed);

}  // namespace flexura::test

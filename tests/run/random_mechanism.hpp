#pragma once
// Random mechanisms as scenes. They close by construction: every joint is where its places are in the reference
// configuration, and only joints outside of loops are driven.

#include <cstdint>
#include <string>
#include <vector>

namespace flexura::test {

/// A table of a scene, and the tables that it names.
struct MechanismTable {
  std::string name;  ///< "joint.j2"
  std::string text;
  std::vector<std::string> needs;
};

struct Mechanism {
  std::uint64_t seed = 0;
  int dim = 2;
  bool flexible = false, loops = false, driven = false;
  std::vector<MechanismTable> tables;
  double end = 0.2, step = 1e-3;  ///< [s]

  std::string scene() const;
  /// The same with its tables in another order.
  Mechanism shuffled(std::uint64_t seed) const;
  /// The same with all joints of bodies kept by multipliers, or by elimination.
  Mechanism with_multipliers(bool multipliers) const;
  /// The same with bodies carried by trusses.
  Mechanism of_trusses() const;
  /// The same from rest: velocities that joints do not let be are made to fit in a way that depends on how they are kept.
  Mechanism at_rest() const;
  /// Without the tables whose names begin so.
  Mechanism without(const std::string& prefix) const;
  /// Without this table and those that need it.
  Mechanism without_table(size_t index) const;
};

Mechanism random_mechanism(std::uint64_t seed);

}  // namespace flexura::test

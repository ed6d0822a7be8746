#pragma once
// A mass on a rod.

#include "flexura/constraint/distance.hpp"
#include "tests/support/machines.hpp"

namespace flexura::test {

/// IFToMM A01: m = L = 1, g = 9.81, released from (−1, 0).
struct Pendulum {
  int p, lambda;  ///< slots of the mass and of the rod's multiplier
  Model model;
};
inline Pendulum pendulum() {
  ModelBuilder b(2);
  const int ground = b.slot("ground", SlotKind::point, std::array{0.0, 0.0});
  const int p = b.slot("mass", SlotKind::point, std::array{-1.0, 0.0});
  b.fix(ground, "joint.ground");
  add_mass(b, p, 1);
  const int lambda = b.multiplier("rod");
  b.item<Distance2d>({ground, p, lambda}, {.length = 1.0}, "joint.rod");
  add_gravity(b, 0, -9.81);
  return {p, lambda, b.build()};
}

}  // namespace flexura::test

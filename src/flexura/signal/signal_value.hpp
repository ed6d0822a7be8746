#pragma once

namespace flexura {

/// Value of a time function with its first and second time derivative, for prescribed motion.
/// Units: [u], [u/s], [u/s²]. At a kink or jump all three are limits from the right.
struct SignalValue {
  double u = 0;
  double du = 0;
  double ddu = 0;
};

}  // namespace flexura

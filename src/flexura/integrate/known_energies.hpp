#pragma once
// Steppers that know the energies of the state that their last step ended with.

namespace flexura {

/// [J]; gravity: −f·q.
struct StateEnergies {
  double kinetic = 0, strain = 0, gravity = 0;
};

class KnowsEnergies {
 public:
  virtual ~KnowsEnergies() = default;
  /// To the bits that the run's own system would find. False: not now.
  virtual bool find_energies(StateEnergies& energies) = 0;
};

}  // namespace flexura

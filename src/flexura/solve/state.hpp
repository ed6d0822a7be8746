#pragma once

#include <cstdint>
#include <vector>

#include "flexura/solve/contact_history.hpp"

namespace flexura {

/// Work and losses since the start of a run [J].
template <class S>
struct EnergyAccount {
  S gravity{}, loads{}, prescribed{};  ///< work done on the system by gravity, by loads, by prescribed motions
  S dissipated{};                      ///< lost in dampers
};

/// Everything that a simulation is at a moment. Saving it is a checkpoint.
template <class S>
struct State {
  double t = 0;               ///< [s]
  std::vector<S> q, v, a;     ///< q order, multipliers in q (their v and a stay 0)
  std::vector<S> a_alg;       ///< algorithmic accelerations [ny]
  std::vector<double> lags;   ///< states of first-order lags
  std::vector<double> loads;  ///< effective signals that the state is in equilibrium with (statics)
  EnergyAccount<S> energy;
  std::vector<S> history;  ///< what terms remember at t, item by item (ItemBatch::first_history)
  /// What a multistep method has to remember of the past (Adams); empty: nothing. It is part of checkpoints.
  std::vector<double> multistep;
  ContactHistory contacts;     ///< what touches, and with which impulses
  std::vector<double> angles;  ///< revolutions of directions up to t (AngleCounts::numbers)
};

}  // namespace flexura

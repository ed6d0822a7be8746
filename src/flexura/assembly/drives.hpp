#pragma once
// Signals as the items see them: gated in time, and blended by a load factor in statics.

#include <vector>

#include "flexura/model/model.hpp"

namespace flexura {

class Drives {
 public:
  explicit Drives(const Topology& topology);

  int lag_count() const { return set_ ? set_->state_size() : 0; }
  void initial_lags(double t, std::vector<double>& lags) const;
  /// Lags as at the start; inputs, which are states too, as they are.
  void restart_lags(double t, std::vector<double>& lags) const;
  /// Lag states one step on.
  void advance(double t0, double t1, const std::vector<double>& from, std::vector<double>& to) const;

  /// Decides what acts in the segment that begins at t: from ≤ t < until. Steps must not cross a gate.
  void enter(double t);
  /// Times in (t0, t1) at which something begins or ends to act.
  std::vector<double> gates(double t0, double t1) const;

  /// Times in (t0, t1] at which a signal in use jumps; from now on lags know all times there at which what they follow jumps or bends.
  /// Uses the heap.
  std::vector<double> jumps(double t0, double t1);
  /// From now on signals are read from the left at t and beyond: the step that ends at a jump does not yet see it.
  void end_at(double t) { end_ = t; }

  /// Effective signals at t [signals of the topology].
  std::span<const SignalValue> at(double t, const std::vector<double>& lags);
  /// The same with time standing still: all rates are zero.
  std::span<const SignalValue> at_rest(double t, const std::vector<double>& lags);
  /// The same between those of an earlier state (load factor 0) and t (load factor 1); rates are zero.
  std::span<const SignalValue> blend(double t, const std::vector<double>& lags, const std::vector<double>& from,
                                     double factor);
  /// What effective signals change by with the k-th signal of the set, at t. Uses the heap.
  std::vector<double> slopes(double t, const std::vector<double>& lags, int k) const;
  /// Values u of the last `at` or `blend`.
  void values(std::vector<double>& out) const;

 private:
  const Topology& topology_;
  const SignalSet* set_;
  std::vector<SignalValue> raw_, effective_;
  std::vector<char> acts_;
  std::vector<double> breaks_;  ///< of all signals, of the last times asked for
  double end_ = 1e300;
};

}  // namespace flexura

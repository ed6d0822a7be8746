#pragma once

#include <vector>

#include "flexura/signal/signal_problem.hpp"
#include "flexura/signal/signal_value.hpp"

namespace flexura {

// The closed-form shapes. Each is a plain struct: fill it, ask `problems()` once, then `at(t)`.
// `breakpoints` appends, ascending, the times in (t0, t1] where a derivative jumps and a step should end.

/// u = value
struct ConstantSignal {
  double value = 0;  ///< [u]

  bool operator==(const ConstantSignal&) const = default;
  SignalValue at(double) const { return {value, 0, 0}; }
  void breakpoints(double, double, std::vector<double>&) const {}
  bool is_constant() const { return true; }
  std::vector<SignalProblem> problems() const;
};

///              ______ to
///             /
///    from ___/            linear between start and start + duration, held before and after;
///          start          duration = 0 is a jump at start
struct RampSignal {
  double from = 0;      ///< [u]
  double to = 1;        ///< [u]
  double start = 0;     ///< [s]
  double duration = 1;  ///< [s] ≥ 0

  bool operator==(const RampSignal&) const = default;
  SignalValue at(double t) const;
  void breakpoints(double t0, double t1, std::vector<double>& out) const;
  bool is_constant() const { return from == to; }
  std::vector<SignalProblem> problems() const;
};

/// As the ramp, with 10 s³ − 15 s⁴ + 6 s⁵, s = (t − start)/duration: twice continuously differentiable.
struct SmoothStepSignal {
  double from = 0;      ///< [u]
  double to = 1;        ///< [u]
  double start = 0;     ///< [s]
  double duration = 1;  ///< [s] ≥ 0

  bool operator==(const SmoothStepSignal&) const = default;
  SignalValue at(double t) const;
  void breakpoints(double t0, double t1, std::vector<double>& out) const;
  bool is_constant() const { return from == to; }
  std::vector<SignalProblem> problems() const;
};

/// u = offset + amplitude sin(2π frequency (t − start) + phase) from `start` on; before, the value at `start` is held.
/// p (1 − cos φ): offset = amplitude = p, phase = −π/2.
struct SineSignal {
  double amplitude = 1;  ///< [u]
  double frequency = 1;  ///< [Hz]
  double phase = 0;      ///< [rad]
  double offset = 0;     ///< [u]
  double start = 0;      ///< [s]

  bool operator==(const SineSignal&) const = default;
  SignalValue at(double t) const;
  void breakpoints(double t0, double t1, std::vector<double>& out) const;
  bool is_constant() const { return amplitude == 0 || frequency == 0; }
  std::vector<SignalProblem> problems() const;
};

/// u = offset + amplitude sin(φ + phase), φ = 2π (f0 s + (f1 − f0) s²/(2 duration)), s = t − start: the frequency grows
/// linearly from f0 to f1. Afterwards it stays f1 with continuous phase; before `start` the value at `start` is held.
struct ChirpSignal {
  double amplitude = 1;  ///< [u]
  double f0 = 1;         ///< [Hz]
  double f1 = 1;         ///< [Hz]
  double duration = 1;   ///< [s] > 0
  double offset = 0;     ///< [u]
  double phase = 0;      ///< [rad]
  double start = 0;      ///< [s]

  bool operator==(const ChirpSignal&) const = default;
  SignalValue at(double t) const;
  void breakpoints(double t0, double t1, std::vector<double>& out) const;
  bool is_constant() const { return amplitude == 0 || (f0 == 0 && f1 == 0); }
  std::vector<SignalProblem> problems() const;
};

}  // namespace flexura

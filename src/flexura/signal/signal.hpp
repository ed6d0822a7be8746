#pragma once

#include <concepts>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include "flexura/signal/expression.hpp"
#include "flexura/signal/external_signal.hpp"
#include "flexura/signal/shapes.hpp"
#include "flexura/signal/signal_problem.hpp"
#include "flexura/signal/signal_value.hpp"
#include "flexura/signal/table.hpp"

namespace flexura {

/// A function of time t [s]: any of the shapes, as one copyable value. A first-order lag has a state and is made by
/// `SignalSet`.
class Signal {
 public:
  using Shape = std::variant<ConstantSignal, RampSignal, SmoothStepSignal, SineSignal, ChirpSignal, TableSignal,
                             Expression, CodeSignal>;

  Signal() = default;  ///< 0
  Signal(double constant)
      : shape_(ConstantSignal{constant}) {}  // NOLINT(google-explicit-constructor): a number is a signal
  template <class S>
    requires(!std::same_as<S, Signal> && !std::convertible_to<S, double> && std::constructible_from<Shape, S>)
  Signal(S shape) : shape_(std::move(shape)) {}  // NOLINT(google-explicit-constructor): a shape is a signal

  /// Value and derivatives; the values at jumps and kinks are those after it. No heap. `inputs` only for expressions
  /// over others.
  SignalValue at(double t, std::span<const SignalValue> inputs = {}) const;
  /// The value alone, the same bits as at(t).u.
  double value(double t, std::span<const double> inputs = {}) const;

  /// Appends, ascending, the times in (t0, t1] where a step should end because the signal or a derivative jumps.
  void breakpoints(double t0, double t1, std::vector<double>& out) const;
  bool is_constant() const;

  /// Everything wrong with the parameters; empty if the signal can be used.
  std::vector<SignalProblem> problems() const;

  const Shape& shape() const { return shape_; }
  /// The same function, as far as that shows in what it was made of.
  bool operator==(const Signal&) const = default;

 private:
  Shape shape_;
};

}  // namespace flexura

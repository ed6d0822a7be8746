#include "flexura/signal/signal.hpp"

namespace flexura {

SignalValue Signal::at(double t, std::span<const SignalValue> inputs) const {
  return std::visit(
      [&]<class S>(const S& shape) {
        if constexpr (std::same_as<S, Expression>) {
          return shape.at(t, inputs);
        } else {
          return shape.at(t);
        }
      },
      shape_);
}

double Signal::value(double t, std::span<const double> inputs) const {
  return std::visit(
      [&]<class S>(const S& shape) {
        if constexpr (std::same_as<S, Expression>) {
          return shape.value(t, inputs);
        } else if constexpr (std::same_as<S, CodeSignal>) {
          return shape.value(t);
        } else {
          return shape.at(t).u;
        }
      },
      shape_);
}

void Signal::breakpoints(double t0, double t1, std::vector<double>& out) const {
  std::visit([&](const auto& shape) { shape.breakpoints(t0, t1, out); }, shape_);
}

bool Signal::is_constant() const {
  return std::visit([](const auto& shape) { return shape.is_constant(); }, shape_);
}

std::vector<SignalProblem> Signal::problems() const {
  return std::visit([](const auto& shape) { return shape.problems(); }, shape_);
}

}  // namespace flexura

#include "flexura/signal/external_signal.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace flexura {

SignalCode::SignalCode(const std::string& name, ExternalSignal signal)
    : CalledCode("the signal function '" + name + "'"), signal_(std::move(signal)) {}

double SignalCode::checked(double x, double t) const {
  if (std::isfinite(x)) return x;
  note_failure(t);
  return std::numeric_limits<double>::quiet_NaN();
}

double SignalCode::value(double t) const { return checked(signal_.value(signal_.context.get(), t), t); }

SignalValue SignalCode::at(double t) const {
  void* context = signal_.context.get();
  SignalValue out{value(t), 0, 0};
  if (signal_.rate) out.du = checked(signal_.rate(context, t), t);
  if (signal_.acceleration) out.ddu = checked(signal_.acceleration(context, t), t);
  if (signal_.rate && signal_.acceleration) return out;
  const double middle = middle_of_differences(t);
  const double after = middle + signal_.difference, before = middle - signal_.difference;
  if (signal_.rate) {
    out.ddu = checked((signal_.rate(context, after) - signal_.rate(context, before)) / (after - before), t);
    return out;
  }
  const double u1 = value(after), u0 = value(before), half = 0.5 * (after - before);
  const double bend = (u1 - 2 * (middle == t ? out.u : value(middle)) + u0) / (half * half);
  out.du = (u1 - u0) / (after - before) + (t - middle) * bend;
  if (!signal_.acceleration) out.ddu = bend;
  return out;
}

/// t, or beside it where a breakpoint is near: then all three points lie on t's side, whatever is rounded.
double SignalCode::middle_of_differences(double t) const {
  const std::vector<double>& all = signal_.breakpoints;
  const double aside = 1.001 * signal_.difference;
  const auto next = std::upper_bound(all.begin(), all.end(), t);
  if (next != all.end() && *next <= t + aside) return t - aside;
  if (next != all.begin() && *(next - 1) > t - aside) return t + aside;
  return t;
}

void CodeSignal::breakpoints(double t0, double t1, std::vector<double>& out) const {
  if (!code) return;
  for (const double t : code->signal().breakpoints)
    if (t0 < t && t <= t1) out.push_back(t);
}

std::vector<SignalProblem> CodeSignal::problems() const {
  std::vector<SignalProblem> problems;
  if (!code) return problems;  // of a scene that another uses: that one looks for the function
  const ExternalSignal& signal = code->signal();
  if (signal.value == nullptr) problems.push_back({{}, "function", "the program gives no value", {}});
  if (!(std::isfinite(signal.difference) && signal.difference > 0))
    problems.push_back({{}, "function", "the step of its differences must be greater than 0 [s]", {}});
  if (!std::is_sorted(signal.breakpoints.begin(), signal.breakpoints.end()))
    problems.push_back({{}, "function", "its breakpoints must ascend", {}});
  return problems;
}

}  // namespace flexura

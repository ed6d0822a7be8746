#include "flexura/signal/shapes.hpp"

#include <cmath>
#include <initializer_list>
#include <numbers>

#include "flexura/signal/jet.hpp"

namespace flexura {
namespace {

constexpr double two_pi = 2 * std::numbers::pi;

struct NamedNumber {
  const char* field;
  double value;
};

std::vector<SignalProblem> not_finite(std::initializer_list<NamedNumber> numbers) {
  std::vector<SignalProblem> problems;
  for (const auto& [field, value] : numbers) {
    if (!std::isfinite(value))
      problems.push_back({.signal = {}, .field = field, .message = "must be a finite number", .nearest = {}});
  }
  return problems;
}

void require_not_negative(double duration, std::vector<SignalProblem>& problems) {
  if (duration < 0)
    problems.push_back({.signal = {}, .field = "duration", .message = "must be 0 or greater [s]", .nearest = {}});
}

void add_if_inside(double b, double t0, double t1, std::vector<double>& out) {
  if (b > t0 && b <= t1) out.push_back(b);
}

void add_ends(double start, double duration, double t0, double t1, std::vector<double>& out) {
  add_if_inside(start, t0, t1, out);
  if (duration > 0) add_if_inside(start + duration, t0, t1, out);
}

}  // namespace

std::vector<SignalProblem> ConstantSignal::problems() const { return not_finite({{"value", value}}); }

SignalValue RampSignal::at(double t) const {
  if (t < start) return {from, 0, 0};
  const double s = t - start;
  if (s >= duration) return {to, 0, 0};
  const double rate = (to - from) / duration;
  return {from + (to - from) * (s / duration), rate, 0};
}

void RampSignal::breakpoints(double t0, double t1, std::vector<double>& out) const {
  if (!is_constant()) add_ends(start, duration, t0, t1, out);
}

std::vector<SignalProblem> RampSignal::problems() const {
  auto problems = not_finite({{"from", from}, {"to", to}, {"start", start}, {"duration", duration}});
  require_not_negative(duration, problems);
  return problems;
}

SignalValue SmoothStepSignal::at(double t) const {
  if (t < start) return {from, 0, 0};
  if (t - start >= duration) return {to, 0, 0};
  const SignalValue s{(t - start) / duration, 1 / duration, 0};
  const SignalValue q = detail::quintic(s);
  const double rise = to - from;
  return {from + rise * q.u, rise * q.du, rise * q.ddu};
}

void SmoothStepSignal::breakpoints(double t0, double t1, std::vector<double>& out) const {
  if (!is_constant()) add_ends(start, duration, t0, t1, out);
}

std::vector<SignalProblem> SmoothStepSignal::problems() const {
  auto problems = not_finite({{"from", from}, {"to", to}, {"start", start}, {"duration", duration}});
  require_not_negative(duration, problems);
  return problems;
}

SignalValue SineSignal::at(double t) const {
  if (t < start) return {offset + amplitude * std::sin(phase), 0, 0};
  const double omega = two_pi * frequency;
  const double angle = omega * (t - start) + phase;
  const double wave = amplitude * std::sin(angle);
  return {offset + wave, omega * (amplitude * std::cos(angle)), -omega * omega * wave};
}

void SineSignal::breakpoints(double t0, double t1, std::vector<double>& out) const {
  if (!is_constant()) add_if_inside(start, t0, t1, out);
}

std::vector<SignalProblem> SineSignal::problems() const {
  return not_finite(
      {{"amplitude", amplitude}, {"frequency", frequency}, {"phase", phase}, {"offset", offset}, {"start", start}});
}

SignalValue ChirpSignal::at(double t) const {
  if (t < start) return {offset + amplitude * std::sin(phase), 0, 0};
  const double s = t - start;
  const bool sweeping = s < duration;
  const double rate = (f1 - f0) / duration;
  const double cycles = sweeping ? f0 * s + 0.5 * rate * s * s : 0.5 * (f0 + f1) * duration + f1 * (s - duration);
  const SignalValue angle{two_pi * cycles + phase, two_pi * (sweeping ? f0 + rate * s : f1),
                          sweeping ? two_pi * rate : 0};
  const SignalValue wave = detail::sine(angle);
  return {offset + amplitude * wave.u, amplitude * wave.du, amplitude * wave.ddu};
}

void ChirpSignal::breakpoints(double t0, double t1, std::vector<double>& out) const {
  if (!is_constant()) add_ends(start, duration, t0, t1, out);
}

std::vector<SignalProblem> ChirpSignal::problems() const {
  auto problems = not_finite({{"amplitude", amplitude},
                              {"f0", f0},
                              {"f1", f1},
                              {"duration", duration},
                              {"offset", offset},
                              {"phase", phase},
                              {"start", start}});
  if (duration <= 0)
    problems.push_back({.signal = {}, .field = "duration", .message = "must be greater than 0 [s]", .nearest = {}});
  return problems;
}

}  // namespace flexura

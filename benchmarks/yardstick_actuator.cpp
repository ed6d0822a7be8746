/// Prints what the hand-written loop takes for 10 s of the actuator, and where its tip is.
///
///     yardstick_actuator                 best of 20, per variant
///     yardstick_actuator --reference     tip at 1, 5, 9.5 (fully bent), 10 s to 12 digits, per variant
///     yardstick_actuator --check         tangent against differences, energy balance; exit code 1 if off

#include "yardstick_actuator.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string_view>

namespace {

using flexura::bench::YardstickActuator;
using flexura::bench::YardstickActuatorLanes;
using Y = YardstickActuator;

template <class A>
void time_it(const char* label, const typename A::Options& options) {
  constexpr int repeats = 20, steps = 10000;
  A model(options);
  double best = 1e9;
  long iterations = 0;
  for (int k = 0; k < repeats; ++k) {
    model.reset();
    iterations = 0;
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < steps; ++i) {
      const int n = model.step();
      if (n < 0) {
        std::printf("%-44s no convergence at step %d\n", label, i);
        return;
      }
      iterations += n;
    }
    best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  std::printf("%-44s %8.2f ms %7.3f us/step %6.3f iterations  tip (%.12f, %.12f) m\n", label, best * 1e3,
              best / steps * 1e6, static_cast<double>(iterations) / steps, model.tip_x(), model.tip_y());
}

void reference(const char* label, Y::Options options) {
  Y model(options);
  std::printf("%s\n", label);
  const int per_second = static_cast<int>(std::lround(1 / options.step));
  for (int i = 1; i <= 10 * per_second; ++i) {
    if (model.step() < 0) return void(std::printf("  no convergence at step %d\n", i));
    if (i == per_second || i == 5 * per_second || 2 * i == 19 * per_second || i == 10 * per_second)
      std::printf("  t = %4.1f s  tip (%.12f, %.12f) m\n", model.time(), model.tip_x(), model.tip_y());
  }
}

/// Largest difference of tangent and central differences of the residual, over the largest entry.
template <class A>
double tangent_error() {
  A model({});
  for (int i = 0; i < 400; ++i) model.step();  // bent, moment near its largest
  std::array<std::array<double, 16>, 16> K;
  std::array<double, 16> up, down;
  model.residual_now(up);
  model.tangent_now(K, 0);
  double error = 0, largest = 0;
  constexpr double d = 1e-6;
  for (int j = 0; j < 16; ++j) {
    double& x = model.position()[1 + j / 4][j % 4];
    const double kept = x;
    x = kept + d, model.residual_now(up);
    x = kept - d, model.residual_now(down);
    x = kept;
    for (int i = 0; i < 16; ++i) {
      error = std::max(error, std::fabs(-(up[i] - down[i]) / (2 * d) - K[i][j]));
      largest = std::max(largest, std::fabs(K[i][j]));
    }
  }
  return error / largest;
}

/// (Kinetic + strain + gravity + dissipated − work of the moment) at its worst, over the work done in 2 s.
double energy_error(Y::Scheme scheme, double step) {
  Y::Options options;
  options.scheme = scheme, options.step = step, options.start_in_equilibrium = true, options.tolerance = 1e-10;
  Y model(options);
  const auto total = [&] {
    const auto e = model.energy();
    return e[0] + e[1] + e[2];
  };
  const auto angle = [&] { return std::atan2(model.position()[4][3], model.position()[4][2]); };
  const double start = total();
  double dissipated = 0, work = 0, moved = 0, worst = 0;
  double power = 0, m = model.moment(), theta = angle();
  for (int i = 0; i < static_cast<int>(std::lround(2 / step)); ++i) {
    model.step();
    const double p = 2 * options.damping * model.energy()[0], m1 = model.moment(), theta1 = angle();
    dissipated += step / 2 * (power + p), work += (m + m1) / 2 * (theta1 - theta);
    moved += std::fabs((m + m1) / 2 * (theta1 - theta));
    power = p, m = m1, theta = theta1;
    worst = std::max(worst, std::fabs(total() - start + dissipated - work));
  }
  return worst / moved;
}

int check() {
  const double scalar = tangent_error<Y>(), lanes = tangent_error<YardstickActuatorLanes>();
  std::printf("tangent against central differences: %.1e, in lanes %.1e of the largest entry\n", scalar, lanes);
  bool good = scalar < 1e-8 && lanes < 1e-8;
  for (const auto scheme : {Y::Scheme::generalized_alpha, Y::Scheme::newmark}) {
    const double coarse = energy_error(scheme, 1e-3), fine = energy_error(scheme, 0.5e-3);
    std::printf("energy balance, %s: %.2e of the work at 1 ms, %.2e at 0.5 ms\n",
                scheme == Y::Scheme::newmark ? "newmark" : "generalized-alpha", coarse, fine);
    good = good && coarse < 1e-4 && fine < 0.35 * coarse;  // second order
  }
  std::printf("%s\n", good ? "good" : "OFF");
  return good ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view mode = argc > 1 ? argv[1] : "";
  if (mode == "--check") return check();

  Y::Options alpha, newmark;
  newmark.scheme = Y::Scheme::newmark;
  if (mode == "--reference") {
    alpha.tolerance = newmark.tolerance = 1e-11;
    reference("generalized-alpha 0.9, 1 ms, from straight", alpha);
    reference("newmark, 1 ms, from straight", newmark);
    alpha.start_in_equilibrium = newmark.start_in_equilibrium = true;
    reference("generalized-alpha 0.9, 1 ms, from equilibrium", alpha);
    reference("newmark, 1 ms, from equilibrium", newmark);
    newmark.step = alpha.step = 1e-5;
    reference("generalized-alpha 0.9, 0.01 ms, from equilibrium", alpha);
    reference("newmark, 0.01 ms, from equilibrium", newmark);
    return 0;
  }

  std::printf("10 s at 1 ms, best of 20\n");
  const auto both = [](const char* name, Y::Options o) {
    for (const auto newton : {Y::Newton::full, Y::Newton::modified})
      for (const double tolerance : {1e-6, 1e-8, 1e-10}) {
        o.newton = newton, o.tolerance = tolerance;
        YardstickActuatorLanes::Options l;
        l.scheme = static_cast<YardstickActuatorLanes::Scheme>(o.scheme);
        l.newton = static_cast<YardstickActuatorLanes::Newton>(newton), l.tolerance = tolerance;
        char label[96];
        const char* kind = newton == Y::Newton::full ? "full" : "once per step";
        std::snprintf(label, sizeof label, "%s, %s, |r| <= %.0e", name, kind, tolerance);
        time_it<Y>(label, o);
        std::snprintf(label, sizeof label, "%s, %s, |r| <= %.0e, lanes", name, kind, tolerance);
        time_it<YardstickActuatorLanes>(label, l);
      }
  };
  both("generalized-alpha 0.9", alpha);
  both("newmark", newmark);
  return 0;
}

/// What code in a simulation costs: the soft actuator (4 elements, 1 ms, 10 s) with its pressure as a built-in sine and from
/// a C function, and with a spring at its tip as a force law, with its tangent and without. In turns, best of 20.

#include <fmt/format.h>

#include <cmath>

#include "benchmarks/models.hpp"
#include "flexura/load/external_law.hpp"
#include "flexura/load/pneumatic_moment.hpp"

namespace {

using namespace flexura;
using namespace flexura::bench;

constexpr double stiffness = 0.5;  ///< [N/m] of the tip to where it hangs

int spring(void*, int n, double, const double* x, const double*, double* f, double* dx, double* dv) {
  constexpr double at[] = {0, -0.175};
  for (int i = 0; i < n; ++i) f[i] = -stiffness * (x[i] - at[i]);
  for (int k = 0; k < n * n && dx != nullptr; ++k) dx[k] = k % (n + 1) == 0 ? -stiffness : 0, dv[k] = 0;
  return 0;
}

Signal pressure(bool from_code) {
  const double p = actuator().pressure;
  if (!from_code) return SineSignal{.amplitude = p, .phase = -std::numbers::pi / 2, .offset = p};
  ExternalSignal signal;
  signal.value = [](void*, double t) { return actuator().pressure * (1 - std::cos(2 * std::numbers::pi * t)); };
  return CodeSignal{"pressure", std::make_shared<SignalCode>("pressure", signal)};
}

/// The actuator with that pressure, and a spring at its tip.
Model model_of(Signal signal, const std::function<void(ModelBuilder&, int tip)>& add = {}) {
  CableOptions options = actuator();
  options.pressure = 0;
  return cable_model(options,
                     [&](ModelBuilder& b, const std::vector<int>& r, const std::vector<int>& g) {
                       auto signals = std::make_shared<SignalSet>();
                       signals->add("pressure", std::move(signal));
                       if (!signals->finish().empty()) std::abort();
                       b.set_signals(signals);
                       b.item<PneumaticMoment2d>({g[0], g.back(), b.effective({.signal = 0})},
                                                 {.radius = 0.006, .arm = 0.009}, "chamber");
                       if (add) add(b, r.back());
                     })
      .model;
}

Model with_law(bool with_tangent) {
  return model_of(pressure(false), [&](ModelBuilder& b, int tip) {
    ExternalLaw law;
    law.force = spring;
    law.gives_tangent = with_tangent;
    const auto registered = RegisteredLaw::make("spring", law);
    b.keep(registered);
    b.item("external_force_2d", std::array{tip, b.constant_signal()}, std::array{static_cast<double>(registered->id())},
           {}, "law");
  });
}

}  // namespace

int main() {
  const std::vector<std::pair<const char*, Model>> models{{"built-in signal", model_of(pressure(false))},
                                                          {"signal from code", model_of(pressure(true))},
                                                          {"force law with tangent", with_law(true)},
                                                          {"force law, differences", with_law(false)}};
  constexpr int steps = 10000, repeats = 20;
  std::vector<std::unique_ptr<TimedRun<double>>> runs;
  for (const auto& [name, model] : models)
    runs.push_back(std::make_unique<TimedRun<double>>(model, TangentPolicy::modified, 5e-8));
  std::vector<double> best(models.size(), 1e9);
  for (int k = 0; k < repeats; ++k)
    for (size_t i = 0; i < runs.size(); ++i) {
      runs[i]->restart();
      const double start = seconds();
      if (!runs[i]->advance(steps, 1e-3)) return 1;
      best[i] = std::min(best[i], (seconds() - start) / steps * 1e6);
    }
  for (size_t i = 0; i < runs.size(); ++i)
    fmt::print("{:24} {:7.3f} us/step {:9.0f} steps/s {:6.3f} iterations {:6.3f} factorizations\n", models[i].first,
               best[i], 1e6 / best[i], static_cast<double>(runs[i]->iterations) / steps,
               static_cast<double>(runs[i]->factorizations) / steps);
  return 0;
}

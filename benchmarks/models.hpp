#pragma once
// The models that the benchmarks share.

#include <algorithm>
#include <array>
#include <chrono>
#include <functional>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

#include "flexura/element/ancf_cable_2d.hpp"
#include "flexura/integrate/generalized_alpha.hpp"
#include "flexura/load/pneumatic_moment.hpp"
#include "flexura/model/model_builder.hpp"

namespace flexura::bench {

/// Straight cable of n elements from the origin along `direction`, clamped there; the slots of its end and its model.
struct CableModel {
  Model model;
  int tip = 0;  ///< of its end in q
};

struct CableOptions {
  int elements = 4;
  double length = 0.175;  ///< [m]
  std::array<double, 2> direction{0, -1};
  double EA = 2000, EI = 0.0186, rhoA = 0.12;  ///< [N], [N m²], [kg/m]
  double damping = 0;                          ///< force −c M v [1/s]
  bool engineering = false;                    ///< strain ‖r_x‖ − 1 instead of Green's
  double pressure = 0;                         ///< of a chamber beside it, P (1 − cos 2πt) [Pa]
};

/// `add` puts more on it, given the slots of its nodes.
inline CableModel cable_model(
    const CableOptions& o,
    const std::function<void(ModelBuilder&, const std::vector<int>& r, const std::vector<int>& g)>& add = {}) {
  ModelBuilder b(2);
  std::vector<int> r, g;
  const double l = o.length / o.elements;
  for (int i = 0; i <= o.elements; ++i) {
    const int node = b.node();
    const std::array X{o.direction[0] * l * i, o.direction[1] * l * i};
    r.push_back(b.slot("r" + std::to_string(i), SlotKind::point, X, node));
    g.push_back(b.slot("g" + std::to_string(i), SlotKind::vector, o.direction, node));
  }
  using Axial = AncfCable2d::Axial;
  for (int i = 0; i < o.elements; ++i)
    b.item<AncfCable2d>({r[i], g[i], r[i + 1], g[i + 1]}, {.EA = o.EA, .EI = o.EI, .rhoA = o.rhoA, .length = l},
                        {.axial = o.engineering ? Axial::engineering : Axial::green}, "cable", o.damping);
  b.fix(r[0], "clamp");
  b.fix(g[0], "clamp");
  b.gravity(std::array{0.0, -9.81}, b.constant_signal());
  if (o.pressure != 0) {
    auto signals = std::make_shared<SignalSet>();
    signals->add("pressure", SineSignal{.amplitude = o.pressure, .phase = -std::numbers::pi / 2, .offset = o.pressure});
    if (!signals->finish().empty()) std::abort();
    b.set_signals(signals);
    b.item<PneumaticMoment2d>({g[0], g.back(), b.effective({.signal = 0})}, {.radius = 0.006, .arm = 0.009}, "chamber");
  }
  if (add) add(b, r, g);
  Model model = b.build();
  const int tip = model.topology->slots[r.back()].offset;
  return {std::move(model), tip};
}

/// The soft actuator of rong2024/realtime, as the yardstick has it.
inline CableOptions actuator() { return {.damping = 2.4, .pressure = 20e3}; }

/// A cable released horizontally under gravity.
inline CableOptions horizontal(int elements, double length) {
  return {.elements = elements, .length = length, .direction = {1, 0}};
}

inline double seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// One model with its state and its integrator, generalized-α with ρ = 0.9.
template <class S>
struct TimedRun {
  TimedRun(const Model& model, TangentPolicy tangent, const std::vector<const Values*>& values, double tolerance = 1e-8,
           int threads = 1)
      : system(model.topology, values, {.threads = threads}),
        integrator(system, NewmarkFamily::generalized_alpha(0.9), {.tolerance = tolerance, .tangent = tangent}) {
    restart();
  }
  TimedRun(const Model& model, TangentPolicy tangent, double tolerance = 1e-8, int threads = 1)
      : TimedRun(model, tangent, std::vector<const Values*>(ScalarTraits<S>::lanes, &model.values), tolerance,
                 threads) {}

  void restart() {
    state = system.initial_state(0);
    integrator.start(state);
    iterations = factorizations = worst = count = 0;
  }
  /// Steps of h; false if one does not converge.
  bool advance(int steps, double h) {
    for (int k = 0; k < steps; ++k) {
      const SolveReport<S> report = integrator.step(state, ++count * h);
      if (!all(report.converged)) return false;
      iterations += report.iterations;
      factorizations += report.factorizations;
      worst = std::max<long>(worst, report.iterations);
    }
    return true;
  }

  System<S> system;
  GeneralizedAlpha<S> integrator;
  State<S> state;
  long iterations = 0, factorizations = 0, worst = 0, count = 0;
};

inline const char* name(TangentPolicy tangent) {
  return tangent == TangentPolicy::modified        ? "modified"
         : tangent == TangentPolicy::once_per_step ? "once per step"
                                                   : "full";
}

}  // namespace flexura::bench

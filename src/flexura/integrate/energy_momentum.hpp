#pragma once
// The energy–momentum method: implicit, second order, reversible.
//
//     q₁ − q₀ = h (v₀ + v₁)/2
//     M (v₁ − v₀)/h = Tᵀ (f̄ − C (q₁ − q₀)/h − Φ_q(q̄)ᵀ λ),   q̄ = (q₀ + q₁)/2                [simo1992, gonzalez1996]
//     Φ(q₁, t₁) = 0
//
// f̄ is a discrete gradient of the energies, f̄·(q₁ − q₀) = −ΔV, and the force at the midpoint of all that has none. So
// the energy account closes to Newton's tolerance whatever h is: nothing is dissipated but by dampers. Constraints do no
// work if Φ is quadratic, as all distances and inner products are. Linear momentum is kept, and angular momentum where the
// discrete gradients turn with the body: springs, cables, quadratic constraints.
//
// After a step λ and a = (v₁ − v₀)/h are those of its midpoint. Velocities satisfy Φ_q(q̄) (v₀ + v₁) = 0, not Φ̇(q₁) = 0.

#include "flexura/solve/joint_angles.hpp"
#include "flexura/solve/newton.hpp"

namespace flexura {

class EnergyMomentum : private StageEquations<double> {
 public:
  /// What a system must be made with: the constraints' forces and rows are at different positions.
  static AssemblerOptions needs(const Topology& topology, AssemblerOptions options = {}) {
    options.unsymmetric |= topology.ny > topology.ncoord;
    return options;
  }
  /// Drift per step goes with Newton's tolerance: 1e-12 keeps the energy of mechanisms to 1e-10 over 10⁵ steps.
  static NewtonOptions tight() { return {.tolerance = 1e-12}; }

  /// A step that does not converge is done in two halves, and those again, `halvings` times at most: each piece keeps what a step keeps.
  EnergyMomentum(System<double>& system, const NewtonOptions& newton = tight(), int halvings = 0);

  /// One step from state.t to t1; on failure the state is what it was. A step that does not converge from constant
  /// velocity is tried once more from rest with a fresh tangent in each iteration, and then in pieces.
  SolveReport<double> step(State<double>& state, double t1);
  /// Accelerations and multipliers that fit q, v and t, for who reads them. False if there are none: they stay what they
  /// were, and the method, which needs none, can still go on.
  bool start(State<double>& state);
  /// Forgets factors: after a checkpoint or a change of what acts.
  void reset() {
    newton_.reset();
    h_ = 0;
  }
  const Newton<double>& newton() const { return newton_; }
  Newton<double>& newton() { return newton_; }

 private:
  struct Signals {
    std::vector<double> u, du, ddu;
    void read(std::span<const SignalValue> values);
  };
  void residual(State<double>& state, std::vector<double>& r, std::vector<double>& inertia,
                std::vector<double>& drag) override;
  void tangent(const State<double>& state, const StageWeights& weights, std::vector<double>& values) override;
  SolveReport<double> advance(State<double>& state, double t1);
  void predict(State<double>& state, bool at_rest) const;
  void account(State<double>& state, double h);
  void restore(State<double>& state) const;
  void use(const Signals& signals) { system_.assembler.set_signals(signals.u, signals.du, signals.ddu); }
  In<double> begin() const { return input(before_.t, before_.q, before_.v, begin_, 0); }
  In<double> mid() const { return input(mid_time_, mid_q_, mid_v_, mid_, 0.5 * h_); }
  /// At the rates of the step: what is remembered at its end has come about with them.
  In<double> end(const State<double>& state) const { return input(state.t, state.q, mid_v_, end_, h_); }
  In<double> input(double t, const std::vector<double>& q, const std::vector<double>& v, const Signals& s,
                   double h) const {
    return {t, q.data(), v.data(), s.u.data(), s.du.data(), nullptr, s.ddu.data(), before_.history.data(), h};
  }

  System<double>& system_;
  Newton<double> newton_;
  JointAngles angles_;
  State<double> before_;
  Signals begin_, mid_, end_;
  std::vector<double> mid_lags_, mid_q_, mid_v_, force_;
  std::vector<double> drive_begin_, drive_end_, rate_begin_, rate_end_, drive_scratch_;  ///< dependents' own motion
  std::vector<int> driven_;                                                              ///< coordinates with a drive
  double mid_time_ = 0, h_ = 0;
  int halvings_;
  bool has_losses_ = false, constrained_ = false;
};

}  // namespace flexura

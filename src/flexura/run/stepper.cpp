#include "flexura/run/stepper.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "flexura/integrate/adams.hpp"
#include "flexura/integrate/energy_momentum.hpp"
#include "flexura/integrate/generalized_alpha.hpp"
#include "flexura/integrate/runge_kutta.hpp"
#include "flexura/run/active_model.hpp"
#include "flexura/solve/kinematics.hpp"

namespace flexura {
namespace {

NewtonOptions newton_of(const AnalysisSpec& a) {
  NewtonOptions options;
  options.tolerance = a.tolerance;
  options.max_iterations = a.max_iterations;
  options.tangent = a.tangent == AnalysisSpec::Tangent::full            ? TangentPolicy::full
                    : a.tangent == AnalysisSpec::Tangent::once_per_step ? TangentPolicy::once_per_step
                                                                        : TangentPolicy::modified;
  return options;
}

StepReport report_of(const SolveReport<double>& r, const Topology& topology) {
  StepReport report;
  report.done = r.converged;
  report.iterations = r.iterations;
  report.factorizations = r.factorizations;
  report.residual = r.limit > 0 ? r.residual / r.limit : 0.0;
  if (r.converged) return report;
  report.problem = "newton: no convergence";
  report.detail = fmt::format("|r| = {:.2g} after {} iterations; largest: {}", r.worst_force, r.iterations,
                              culprit(topology, r.worst));
  return report;
}

/// What start() says where it found no accelerations.
std::string unless_singular(bool fine) {
  return fine
             ? std::string()
             : "dynamics: the mass matrix is singular: something that can move has no mass (give every part one: rhoA, "
               "m)";
}

/// Generalized-α, HHT, Newmark.
class NewmarkStepper : public Stepper {
 public:
  NewmarkStepper(System<double>& system, const NewmarkFamily& method, const AnalysisSpec& analysis, double extent)
      : system_(system),
        // Adaptive steps are cut by their own control.
        integrator_(system, method, newton_of(analysis),
                    {.project_velocities = analysis.project_velocities, .halvings = analysis.adaptive ? 0 : 6}),
        tolerance_(analysis.error_tolerance),
        extent_(extent),
        undamped_(analysis.method == AnalysisSpec::Method::newmark) {}

  std::string start(State<double>& state) override { return unless_singular(all(integrator_.start(state))); }
  StepReport step(State<double>& state, double t1) override {
    StepReport report = report_of(integrator_.step(state, t1), system_.topology());
    if (report.done) report.error = integrator_.local_error(extent_) / tolerance_;
    return report;
  }
  void reset() override { integrator_.reset(); }
  int error_order() const override { return 3; }
  std::string advice() const override {
    return undamped_ ? "integrator = \"generalized-alpha\" with rho_inf < 1" : "adaptive = {}";
  }

 private:
  System<double>& system_;
  GeneralizedAlpha<double> integrator_;
  double tolerance_, extent_;
  bool undamped_;
};

class EnergyMomentumStepper : public Stepper {
 public:
  EnergyMomentumStepper(System<double>& system, const AnalysisSpec& analysis)
      : system_(system), constraints_(system), integrator_(system, newton_of(analysis)) {}

  /// The method itself needs no accelerations; who reads them at the start does.
  std::string start(State<double>& state) override {
    integrator_.start(state);
    return unless_singular(constraints_.accelerations(state));
  }
  StepReport step(State<double>& state, double t1) override {
    return report_of(integrator_.step(state, t1), system_.topology());
  }
  void reset() override { integrator_.reset(); }
  int error_order() const override { return 3; }
  std::string advice() const override { return "integrator = \"generalized-alpha\" with rho_inf < 1"; }

 private:
  System<double>& system_;
  Constraints constraints_;
  EnergyMomentum integrator_;
};

DriftControl drift_of(const AnalysisSpec& a) {
  switch (a.stabilisation) {
    case AnalysisSpec::Stabilisation::baumgarte:
      return DriftControl(a.baumgarte);
    case AnalysisSpec::Stabilisation::fuzzy:
      return DriftControl(a.fuzzy);
    default:
      return {};
  }
}

/// What RungeKuttaOptions and AdamsOptions have in common.
template <class Options>
Options explicit_options(const AnalysisSpec& a) {
  Options options;
  options.projection = a.stabilisation == AnalysisSpec::Stabilisation::projection ? Projection::both : Projection::none;
  options.drift = drift_of(a);
  options.relative = a.rtol;
  options.absolute_q = a.atol;
  options.absolute_v = a.atol_velocity > 0 ? a.atol_velocity : 100 * a.atol;
  options.absolute_vector = a.atol_vector;
  return options;
}

/// Of methods with steps of their own.
template <class Report>
StepReport report_of_steps(const Report& r, const char* name, double t) {
  StepReport report;
  report.done = r.converged;
  report.steps = r.accepted + r.rejected;
  report.factorizations = static_cast<int>(r.evaluations);
  report.error = r.error;
  if (r.converged) return report;
  report.problem = fmt::format("{}: {}", name, r.singular ? "no accelerations" : "the error cannot be kept");
  report.detail =
      fmt::format("stopped at t = {:.6g} s with steps of {:.2g} s, error {:.2g} of what is allowed", t, r.h, r.error);
  return report;
}

constexpr const char* not_for_stiff = "integrator = \"generalized-alpha\": explicit methods are not for stiff parts";

/// Explicit Runge–Kutta: as many steps of its own as it takes; the classical method one.
class RungeKuttaStepper : public Stepper {
 public:
  RungeKuttaStepper(System<double>& system, const AnalysisSpec& analysis) : integrator_(system, options_of(analysis)) {}

  std::string start(State<double>& state) override { return unless_singular(integrator_.start(state)); }
  StepReport step(State<double>& state, double t1) override {
    const bool fixed = integrator_.options().method == &classical_4;
    return report_of_steps(fixed ? integrator_.step(state, t1) : integrator_.advance(state, t1), "runge-kutta",
                           state.t);
  }
  void reset() override { integrator_.reset(); }
  int error_order() const override { return integrator_.options().method->order; }
  std::string advice() const override { return not_for_stiff; }

 private:
  static RungeKuttaOptions options_of(const AnalysisSpec& a) {
    auto options = explicit_options<RungeKuttaOptions>(a);
    options.method = a.method == AnalysisSpec::Method::rk4    ? &classical_4
                     : a.method == AnalysisSpec::Method::rk45 ? &dormand_prince_5
                                                              : &dormand_prince_8;
    return options;
  }

  RungeKutta integrator_;
};

/// Its past is in the state: there is nothing to forget.
class AdamsStepper : public Stepper {
 public:
  AdamsStepper(System<double>& system, const AnalysisSpec& analysis) : integrator_(system, options_of(analysis)) {}

  std::string start(State<double>& state) override { return unless_singular(integrator_.start(state)); }
  StepReport step(State<double>& state, double t1) override {
    return report_of_steps(integrator_.advance(state, t1, std::max(t1, until_)), "adams", state.t);
  }
  void until(double t) override { until_ = t; }
  void reset() override {}
  int error_order() const override { return 2; }
  std::string advice() const override { return not_for_stiff; }

 private:
  static AdamsOptions options_of(const AnalysisSpec& a) {
    auto options = explicit_options<AdamsOptions>(a);
    options.max_order = a.max_order;
    return options;
  }

  Adams integrator_;
  double until_ = -1e300;
};

/// Motion that drives decide, with the forces that it takes or without.
class KinematicStepper : public Stepper {
 public:
  KinematicStepper(System<double>& system, bool forces) : system_(system), kinematics_(system), forces_(forces) {}

  std::string start(State<double>& state) override {
    system_.drives.enter(state.t);
    const StepReport report = finish(kinematics_.solve(state), state);
    return report.done ? std::string() : report.problem + ": " + report.detail;
  }
  StepReport step(State<double>& state, double t1) override { return finish(kinematics_.step(state, t1), state); }
  void reset() override {}
  int error_order() const override { return 1; }
  std::string advice() const override {
    return "a dynamic analysis: the mechanism may jam or reach a dead centre there";
  }

 private:
  StepReport finish(const KinematicReport& r, State<double>& state) {
    StepReport report;
    report.done = r.ok;
    report.iterations = r.positions.iterations;
    if (!r.ok) report.problem = "kinematics", report.detail = r.problem;
    if (r.ok && !forces_)
      for (int row : kinematics_.constraints().rows()) state.q[row] = 0;
    return report;
  }

  System<double>& system_;
  Kinematics kinematics_;
  bool forces_;
};

}  // namespace

bool needs_unsymmetric(const AnalysisSpec& analysis, const Topology& topology) {
  return analysis.kind == AnalysisSpec::Kind::dynamics && analysis.method == AnalysisSpec::Method::energy_momentum &&
         EnergyMomentum::needs(topology).unsymmetric;
}

std::unique_ptr<Stepper> make_stepper(System<double>& system, const AnalysisSpec& a, double extent) {
  const auto newmark = [&](const NewmarkFamily& method) {
    return std::make_unique<NewmarkStepper>(system, method, a, extent);
  };
  if (a.kind != AnalysisSpec::Kind::dynamics)
    return std::make_unique<KinematicStepper>(system, a.kind == AnalysisSpec::Kind::inverse_dynamics);
  switch (a.method) {
    case AnalysisSpec::Method::hht:
      return newmark(NewmarkFamily::hht(a.alpha));
    case AnalysisSpec::Method::energy_momentum:
      return std::make_unique<EnergyMomentumStepper>(system, a);
    case AnalysisSpec::Method::adams:
      return std::make_unique<AdamsStepper>(system, a);
    case AnalysisSpec::Method::rk4:
    case AnalysisSpec::Method::rk45:
    case AnalysisSpec::Method::rk853:
      return std::make_unique<RungeKuttaStepper>(system, a);
    case AnalysisSpec::Method::newmark:
      return newmark(NewmarkFamily::newmark());
    default:
      return newmark(NewmarkFamily::generalized_alpha(a.rho_inf));
  }
}

}  // namespace flexura

#include "flexura/study/stepper.hpp"

#include <fmt/format.h>

#include "flexura/integrate/generalized_alpha.hpp"
#include "flexura/study/active_model.hpp"

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

/// Generalized-α, HHT, Newmark.
class NewmarkStepper : public Stepper {
 public:
  NewmarkStepper(System<double>& system, const NewmarkFamily& method, const AnalysisSpec& analysis, double extent)
      : system_(system),
        integrator_(system, method, newton_of(analysis)),
        tolerance_(analysis.error_tolerance),
        extent_(extent),
        undamped_(analysis.method == AnalysisSpec::Method::newmark) {}

  bool start(State<double>& state) override { return all(integrator_.start(state)); }
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

}  // namespace

std::unique_ptr<Stepper> make_stepper(System<double>& system, const AnalysisSpec& a, double extent) {
  const auto newmark = [&](const NewmarkFamily& method) {
    return std::make_unique<NewmarkStepper>(system, method, a, extent);
  };
  switch (a.method) {
    case AnalysisSpec::Method::hht:
      return newmark(NewmarkFamily::hht(a.alpha));
    case AnalysisSpec::Method::newmark:
      return newmark(NewmarkFamily::newmark());
    default:
      return newmark(NewmarkFamily::generalized_alpha(a.rho_inf));
  }
}

}  // namespace flexura

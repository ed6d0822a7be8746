#include "flexura/integrate/explicit_methods.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "flexura/load/winding.hpp"

namespace flexura {
namespace {

constexpr const char* not_for_stiff = "integrator = \"generalized-alpha\": explicit methods are not for stiff parts";

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
      r.singular
          ? fmt::format("within the step of {:.2g} s from t = {:.6g} s constraints or masses turned singular", r.h, t)
          : fmt::format("stopped at t = {:.6g} s with steps of {:.2g} s, error {:.2g} of what is allowed", t, r.h,
                        r.error);
  return report;
}

/// As many steps of its own as it takes; the classical method one.
class RungeKuttaStepper final : public Stepper {
 public:
  RungeKuttaStepper(System<double>& system, const RungeKuttaOptions& options) : integrator_(system, options) {}

  std::string start(State<double>& state) override { return singular_unless(integrator_.start(state)); }
  StepReport step(State<double>& state, double t1) override {
    const bool fixed = integrator_.options().method == &classical_4;
    return report_of_steps(fixed ? integrator_.step(state, t1) : integrator_.advance(state, t1), "runge-kutta",
                           state.t);
  }
  void reset() override { integrator_.reset(); }
  int error_order() const override { return integrator_.options().method->order; }
  std::string advice() const override { return not_for_stiff; }
  TurnLimits turn_limits() const override {
    if (integrator_.options().method != &classical_4) return {};
    return {.rigid = {0.45, 0.75}, .elastic = {}, .change = {}};
  }

 private:
  RungeKutta integrator_;
};

/// Its past is in the state: there is nothing to forget.
class AdamsStepper final : public Stepper {
 public:
  AdamsStepper(System<double>& system, const AdamsOptions& options) : integrator_(system, options) {}

  std::string start(State<double>& state) override { return singular_unless(integrator_.start(state)); }
  StepReport step(State<double>& state, double t1) override {
    return report_of_steps(integrator_.advance(state, t1, std::max(t1, until_)), "adams", state.t);
  }
  void until(double t) override { until_ = t; }
  void reset() override {}
  int error_order() const override { return 2; }
  std::string advice() const override { return not_for_stiff; }

 private:
  Adams integrator_;
  double until_ = -1e300;
};

}  // namespace

void ExplicitMethod::stabilisation_field(SettingsVisitor& field) {
  field(stabilisation_,
        settings_table_field("stabilisation", "what keeps the constraints of explicit methods from drifting")
            .defaults_to(std::string(stabilisations().front().name)),
        stabilisations());
}

template <class Options>
Options ExplicitMethod::options() const {
  Options options;
  options.projection = stabilisation_ ? stabilisation_->projection() : Projection::both;
  if (stabilisation_) options.drift = stabilisation_->drift();
  options.relative = rtol_;
  options.absolute_q = atol_;
  options.absolute_v = atol_velocity_.value_or(100 * atol_);
  options.absolute_vector = atol_vector_.value_or(-1);
  return options;
}

std::string ExplicitMethod::refusal(const Topology& topology) const {
  const auto batch = std::find_if(topology.batches.begin(), topology.batches.end(), [](const ItemBatch& items) {
    return items.history > 0 && !counts_turns_only(items.type->info.name);
  });
  if (batch == topology.batches.end()) return {};
  return fmt::format(
      "{} cannot follow what remembers its past ({}); use \"generalized-alpha\", \"hht\" or \"energy-momentum\"",
      label(), topology.item_names[batch->names[0]]);
}

std::optional<RungeKuttaOptions> ExplicitMethod::runge_kutta() const {
  if (tableau() == nullptr) return {};
  RungeKuttaOptions out = options<RungeKuttaOptions>();
  out.method = tableau();
  return out;
}

std::unique_ptr<Stepper> ExplicitMethod::stepper(System<double>& system, const StepOptions&) const {
  return std::make_unique<RungeKuttaStepper>(system, runge_kutta().value());
}

std::string ClassicalMethod::why_not_adaptive() const {
  return "rk4 has constant steps: leave it out, or use " + methods_with_own_steps("or");
}

void ErrorControlledMethod::error_fields(SettingsVisitor& field) {
  field(rtol_, number_field("rtol", "1", "relative error of a step").defaults_to(rtol_).more_than(0).less_than(1));
  field(atol_, number_field("atol", "m", "error of a step where values are small, of positions")
                   .defaults_to(atol_)
                   .more_than(0));
  field(
      atol_vector_,
      number_field("atol_vector", "1", "the same of vectors and angles").more_than(0).defaults_to(std::string("atol")));
  field(
      atol_velocity_,
      number_field("atol_velocity", "m/s", "the same of velocities").more_than(0).defaults_to(std::string("100 atol")));
}

void ErrorControlledMethod::fields(SettingsVisitor& field) {
  error_fields(field);
  stabilisation_field(field);
}

std::string ErrorControlledMethod::why_not_adaptive() const {
  return methods_with_own_steps("and") + " choose their steps by rtol and atol: leave it out";
}

void AdamsMethod::fields(SettingsVisitor& field) {
  error_fields(field);
  field(max_order_, integer_field("max_order", "highest order").defaults_to(max_order_).at_least(1).at_most(12));
  stabilisation_field(field);
}

AdamsOptions AdamsMethod::adams() const {
  AdamsOptions out = options<AdamsOptions>();
  out.max_order = max_order_;
  return out;
}

std::unique_ptr<Stepper> AdamsMethod::stepper(System<double>& system, const StepOptions&) const {
  return std::make_unique<AdamsStepper>(system, adams());
}

}  // namespace flexura

#include "flexura/integrate/implicit_methods.hpp"

#include <fmt/format.h>

#include "flexura/integrate/energy_momentum.hpp"
#include "flexura/integrate/signal_work.hpp"
#include "flexura/solve/constraints.hpp"

namespace flexura {
namespace {

constexpr const char* damp_more = "integrator = \"generalized-alpha\" with rho_inf < 1";
constexpr int most_halvings = 6;  ///< of a step that does not converge

class NewmarkStepper final : public FamilyStepper {
 public:
  NewmarkStepper(System<double>& system, const NewmarkFamily& weights, const StepOptions& options,
                 bool project_velocities, std::string advice)
      : system_(system),
        // Adaptive steps are cut by their own control.
        method_{.weights = weights,
                .newton = options.newton,
                .stabilisation = {.project_velocities = project_velocities,
                                  .halvings = options.adaptive ? 0 : most_halvings},
                .adaptive = options.adaptive},
        integrator_(system, weights, options.newton, method_.stabilisation),
        tolerance_(options.error_tolerance),
        extent_(options.extent),
        advice_(std::move(advice)) {}

  std::string start(State<double>& state) override { return singular_unless(all(integrator_.start(state))); }
  bool remembers_accelerations() const override { return true; }
  std::string go_on(State<double>& state) override {
    integrator_.go_on(state);
    return {};
  }
  StepReport step(State<double>& state, double t1) override {
    StepReport report = report_of(integrator_.step(state, t1), system_.topology());
    if (report.done) report.error = integrator_.local_error(extent_) / tolerance_;
    return report;
  }
  void reset() override { integrator_.reset(); }
  int error_order() const override { return 3; }
  std::string advice() const override { return advice_; }
  TurnLimits turn_limits() const override {
    return {.rigid = {2.9, 2.9}, .elastic = {0.12, 0.2}, .change = {0.005, 0.05}};
  }
  const ContactWork* contact_work() const override { return integrator_.contact_work(); }
  FamilyMethod method() const override { return method_; }

 private:
  System<double>& system_;
  FamilyMethod method_;
  GeneralizedAlpha<double> integrator_;
  double tolerance_, extent_;
  std::string advice_;
};

class EnergyMomentumStepper final : public Stepper {
 public:
  EnergyMomentumStepper(System<double>& system, const NewtonOptions& newton)
      : system_(system), constraints_(system), integrator_(system, newton, most_halvings) {}

  /// The method itself needs no accelerations; who reads them at the start does.
  std::string start(State<double>& state) override {
    integrator_.start(state);
    return singular_unless(constraints_.accelerations(state));
  }
  StepReport step(State<double>& state, double t1) override {
    return report_of(integrator_.step(state, t1), system_.topology());
  }
  void reset() override { integrator_.reset(); }
  int error_order() const override { return 3; }
  std::string advice() const override { return damp_more; }
  /// It turns by 2 arctan(θ/2) where it should by θ.
  TurnLimits turn_limits() const override { return {.rigid = {0.35, 1.2}, .elastic = {0.2, 1.2}, .change = {}}; }

 private:
  System<double>& system_;
  Constraints constraints_;
  EnergyMomentum integrator_;
};

/// Who has the first multiplier, or "".
std::string author_of_multiplier(const Topology& topology) {
  for (size_t s = 0; s < topology.slots.size(); ++s)
    if (topology.slots[s].multiplier) return topology.slot_names[s].substr(0, topology.slot_names[s].rfind('.'));
  return {};
}

}  // namespace

std::unique_ptr<Stepper> NewmarkFamilyMethod::stepper(System<double>& system, const StepOptions& options) const {
  return std::make_unique<NewmarkStepper>(system, weights(), options, project_velocities_, advice());
}

std::string NewmarkFamilyMethod::refusal(const Topology& topology) const {
  const std::string author = undamped().empty() ? "" : author_of_multiplier(topology);
  if (author.empty()) return {};
  return fmt::format(
      "{} is unstable with constraints that have multipliers ({}): they grow without bound; use "
      "\"generalized-alpha\" or \"hht\"",
      undamped(), author);
}

FieldSpec NewmarkFamilyMethod::project_velocities_field() {
  return boolean_field("project_velocities", "velocities are projected on the constraints after each step");
}

void GeneralizedAlphaMethod::fields(SettingsVisitor& field) {
  field(rho_inf_, number_field("rho_inf", "1", "spectral radius at infinite frequency")
                      .defaults_to(rho_inf_)
                      .at_least(0)
                      .at_most(1));
  field(project_velocities_, project_velocities_field());
}

std::string GeneralizedAlphaMethod::label() const { return fmt::format("generalized-alpha, rho_inf = {:g}", rho_inf_); }

void HhtMethod::fields(SettingsVisitor& field) {
  field(alpha_, number_field("alpha", "1", "damping").defaults_to(alpha_).at_least(-1.0 / 3).at_most(0));
  field(project_velocities_, project_velocities_field());
}

std::string HhtMethod::label() const { return fmt::format("HHT, alpha = {:g}", alpha_); }

std::string NewmarkMethod::advice() const { return damp_more; }

std::unique_ptr<Stepper> EnergyMomentumMethod::stepper(System<double>& system, const StepOptions& options) const {
  return std::make_unique<EnergyMomentumStepper>(system, options.newton);
}

std::string EnergyMomentumMethod::why_not_adaptive() const {
  return "energy-momentum keeps energy with one step size: leave it out";
}

double EnergyMomentumMethod::usual_tolerance() const { return EnergyMomentum::tight().tolerance; }

/// Whether items act on an unknown without a rate, such as a pressure.
static bool acts_on_rateless(const Topology& topology, const ItemBatch& items) {
  const std::vector<SlotKind>& kinds = items.type->info.slots;
  for (size_t k = 0; k < items.slots.size(); ++k)
    if (kinds[k % kinds.size()] == SlotKind::scalar && topology.slots[items.slots[k]].multiplier) return true;
  return false;
}

/// What flows is an unknown without a rate, like a multiplier, which this method has in the middle of a step alone. Of what grows the
/// energies at the ends of a step do not tell the work of its forces.
std::string EnergyMomentumMethod::refusal(const Topology& topology) const {
  constexpr std::string_view others = "use \"generalized-alpha\" or \"hht\"";
  for (const ItemBatch& items : topology.batches) {
    const std::string& first = topology.item_names[items.names[0]];
    if (items.history > 0 && items.type->info.role == Role::load && acts_on_rateless(topology, items))
      return fmt::format("energy-momentum cannot follow what flows ({}); {}", first, others);
    if (is_driven_by_signals(topology, items))
      return fmt::format("energy-momentum cannot follow what grows ({}); {}", first, others);
  }
  return {};
}

bool EnergyMomentumMethod::needs_unsymmetric(const Topology& topology) const {
  return EnergyMomentum::needs(topology).unsymmetric;
}

}  // namespace flexura

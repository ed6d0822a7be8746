#include "flexura/integrate/analyses.hpp"

#include <fmt/format.h>

#include "flexura/integrate/kinematic_stepper.hpp"
#include "flexura/model/contact_model.hpp"

namespace flexura {

SettingsRows analyses() {
  static constexpr SettingsRow rows[] = {
      SettingsRow::of<StaticAnalysis>("static", "equilibrium at fixed time; loads grow by a load factor"),
      SettingsRow::of<DynamicAnalysis>("dynamic", "motion up to a time"),
      SettingsRow::of<KinematicAnalysis>(
          "kinematic",
          "positions, velocities and accelerations that prescribed motions decide; sensors of forces read those of "
          "inverse_dynamics"),
      SettingsRow::of<InverseDynamicAnalysis>("inverse_dynamics", "kinematic, and the forces that the motion takes"),
      SettingsRow::of<ModesAnalysis>("modes", "eigenfrequencies and modes about the state reached")};
  return rows;
}

void AdaptiveSteps::fields(SettingsVisitor& field) {
  field(tolerance, number_field("tolerance", "1", "relative error per step").defaults_to(tolerance).more_than(0));
  field(min_step, number_field("min_step", "s", "smallest step").defaults_to(min_step).more_than(0));
  field(max_step, number_field("max_step", "s", "largest step").more_than(0).defaults_to(std::string("no limit")));
}

std::shared_ptr<const TimeMethod> DynamicAnalysis::default_method() {
  return std::static_pointer_cast<const TimeMethod>(time_methods().front().make());
}

void DynamicAnalysis::fields(SettingsVisitor& field) {
  field(end, number_field("end", "s", "time at which it ends").required().more_than(0));
  field(step, number_field("step", "s", "time step; the first one if adaptive").required().more_than(0));
  field(method_, settings_table_field("integrator", "method").defaults_to(std::string(time_methods().front().name)),
        time_methods());
  FieldSpec steps = settings_table_field("adaptive", "step from an estimate of the error");
  steps.default_text = "fixed step";
  steps.switchable = true;
  field(adaptive, std::move(steps));
  field(tolerance_, tolerance_field(newton_.tolerance));
  field(newton_.max_iterations, iterations_field(newton_.max_iterations));
  field(newton_.tangent, choice_field("tangent", "how often it is evaluated",
                                      {{"modified", "when contraction is poor"},
                                       {"once_per_step", "at the beginning of each step"},
                                       {"full", "in every iteration"}}));
  field(checkpoint, number_field("checkpoint", "s", "interval at which the run can be resumed")
                        .more_than(0)
                        .defaults_to(std::string("chosen")));
  field(singular_positions,
        boolean_field("singular_positions", "warns of positions on the way at which the constraints' rank drops"));
}

std::vector<SettingsProblem> DynamicAnalysis::problems() const {
  const std::string reason = adaptive ? method().why_not_adaptive() : "";
  if (reason.empty()) return {};
  return {{"adaptive", reason}};
}

std::string DynamicAnalysis::label(double from, double to) const {
  return fmt::format("dynamic, {:g} s to {:g} s; {}, {}", from, to, method().label(),
                     adaptive || method().has_own_steps() ? "adaptive step" : fmt::format("step {:g} s", step));
}

std::string DynamicAnalysis::outline(double from, double to) const {
  return fmt::format("dynamic, {:g} … {:g} s, {} {:g} s", from, to, adaptive ? "adaptive, first step" : "step", step);
}

std::unique_ptr<Stepper> DynamicAnalysis::stepper(System<double>& system, double extent) const {
  StepOptions options{.newton = newton_, .adaptive = adaptive.has_value(), .extent = extent};
  options.newton.tolerance = tolerance_.value_or(method().usual_tolerance());
  if (adaptive) options.error_tolerance = adaptive->tolerance;
  return method().stepper(system, options);
}

SettingsProblem DynamicAnalysis::refusal(const Topology& topology) const {
  if (!method().treats_contacts() && topology.contacts != nullptr)
    return {"integrator", contacts_refusal(topology.contacts.get())};
  return {"integrator", method().refusal(topology)};
}

void KinematicAnalysis::fields(SettingsVisitor& field) {
  field(end, number_field("end", "s", "time at which it ends").required().more_than(0));
  field(step, number_field("step", "s", "between the times at which it is computed").required().more_than(0));
}

std::string KinematicAnalysis::label(double from, double to) const {
  return fmt::format("{}, {:g} s to {:g} s, step {:g} s", word(), from, to, step);
}

std::string KinematicAnalysis::outline(double from, double to) const {
  return fmt::format("{}, {:g} … {:g} s, every {:g} s", word(), from, to, step);
}

std::unique_ptr<Stepper> KinematicAnalysis::stepper(System<double>& system, double) const {
  return kinematic_stepper(system);
}

}  // namespace flexura

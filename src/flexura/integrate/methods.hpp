#pragma once
// The time integrators, one row each: name, keys, label, what it refuses, and what makes its steps.

#include "flexura/base/settings.hpp"
#include "flexura/integrate/stepper.hpp"

namespace flexura {

/// What a dynamic analysis says about steps, whichever the method.
struct StepOptions {
  NewtonOptions newton;
  bool adaptive = false;          ///< the run chooses their size by StepReport::error
  double error_tolerance = 1e-4;  ///< of a step, relative to `extent`
  double extent = 1;              ///< what errors of positions are compared with [m]
};

class TimeMethod : public Settings {
 public:
  /// For the report: "HHT, alpha = -0.05".
  virtual std::string label() const = 0;
  virtual std::unique_ptr<Stepper> stepper(System<double>& system, const StepOptions& options) const = 0;

  /// Whether it chooses its steps between the times asked for.
  virtual bool has_own_steps() const { return false; }
  /// Why the run cannot choose them, or "".
  virtual std::string why_not_adaptive() const { return {}; }
  /// Newton's tolerance where the scene says none.
  virtual double usual_tolerance() const { return NewtonOptions().tolerance; }
  /// Whether the system must be made with AssemblerOptions::unsymmetric.
  virtual bool needs_unsymmetric(const Topology&) const { return false; }
  /// Whether it is for models in which things touch.
  virtual bool treats_contacts() const { return false; }
  /// Why it is not for that model, or "".
  virtual std::string refusal(const Topology&) const { return {}; }
};

/// The first is the default.
SettingsRows time_methods();
/// Names of those with steps of their own: "rk45, rk853 and adams".
std::string methods_with_own_steps(std::string_view last_word);

}  // namespace flexura

#pragma once
// Rows of the implicit integrators. Each step is one system of equations for Newton's method.

#include "flexura/integrate/generalized_alpha.hpp"
#include "flexura/integrate/methods.hpp"

namespace flexura {

/// A method of the Newmark family as data, and how its stepper uses it: whoever steps several simulations at once makes it for lanes.
struct FamilyMethod {
  NewmarkFamily weights;
  NewtonOptions newton;
  StabilisationOptions stabilisation;
  bool adaptive = false;
};
class FamilyStepper : public Stepper {
 public:
  virtual FamilyMethod method() const = 0;
};

/// generalized-α, HHT and Newmark: the weights differ.
class NewmarkFamilyMethod : public TimeMethod {
 public:
  std::unique_ptr<Stepper> stepper(System<double>& system, const StepOptions& options) const override;
  std::string refusal(const Topology& topology) const override;
  bool treats_contacts() const override { return true; }
  virtual NewmarkFamily weights() const = 0;
  bool projects_velocities() const { return project_velocities_; }

 protected:
  /// What makes it Newmark's method without damping: "alpha = 0", or "". That keeps no bound on multipliers.
  virtual std::string undamped() const = 0;
  virtual std::string advice() const { return "adaptive = {}"; }
  static FieldSpec project_velocities_field();

  bool project_velocities_ = false;
};

class GeneralizedAlphaMethod final : public NewmarkFamilyMethod {
 public:
  void fields(SettingsVisitor& field) override;
  std::string label() const override;
  NewmarkFamily weights() const override { return NewmarkFamily::generalized_alpha(rho_inf_); }

 protected:
  std::string undamped() const override { return rho_inf_ >= 1 ? "rho_inf = 1" : ""; }

 private:
  double rho_inf_ = 0.8;
};

class HhtMethod final : public NewmarkFamilyMethod {
 public:
  void fields(SettingsVisitor& field) override;
  std::string label() const override;
  NewmarkFamily weights() const override { return NewmarkFamily::hht(alpha_); }

 protected:
  std::string undamped() const override { return alpha_ >= 0 ? "alpha = 0" : ""; }

 private:
  double alpha_ = -0.05;
};

class NewmarkMethod final : public NewmarkFamilyMethod {
 public:
  std::string label() const override { return "Newmark"; }
  NewmarkFamily weights() const override { return NewmarkFamily::newmark(); }

 protected:
  std::string undamped() const override { return "\"newmark\""; }
  std::string advice() const override;
};

class EnergyMomentumMethod final : public TimeMethod {
 public:
  std::string label() const override { return "energy-momentum"; }
  std::unique_ptr<Stepper> stepper(System<double>& system, const StepOptions& options) const override;
  std::string why_not_adaptive() const override;
  double usual_tolerance() const override;
  bool needs_unsymmetric(const Topology& topology) const override;
  std::string refusal(const Topology& topology) const override;
};

}  // namespace flexura

#pragma once
// Rows of the explicit integrators: accelerations from Φ̈ = 0 (index 1), and something that keeps Φ from drifting.

#include "flexura/integrate/adams.hpp"
#include "flexura/integrate/butcher_tableau.hpp"
#include "flexura/integrate/methods.hpp"
#include "flexura/integrate/runge_kutta.hpp"
#include "flexura/integrate/stabilisation.hpp"

namespace flexura {

class ExplicitMethod : public TimeMethod {
 public:
  /// Accelerations follow from q, q̇ and t: a part that remembers is more than that.
  std::string refusal(const Topology& topology) const override;
  /// Nothing: it is no Runge–Kutta method.
  std::optional<RungeKuttaOptions> runge_kutta() const;
  /// Of Runge–Kutta methods.
  std::unique_ptr<Stepper> stepper(System<double>& system, const StepOptions& options) const override;

 protected:
  virtual const ButcherTableau* tableau() const { return nullptr; }
  void stabilisation_field(SettingsVisitor& field);
  /// What RungeKuttaOptions and AdamsOptions have in common.
  template <class Options>
  Options options() const;

  std::shared_ptr<const Stabilisation> stabilisation_;  ///< null: the first row
  double rtol_ = 1e-8, atol_ = 1e-10;
  std::optional<double> atol_vector_, atol_velocity_;  ///< empty: as atol, 100 atol
};

/// Constant steps.
class ClassicalMethod final : public ExplicitMethod {
 public:
  void fields(SettingsVisitor& field) override { stabilisation_field(field); }
  std::string label() const override { return "Runge-Kutta 4"; }
  std::string why_not_adaptive() const override;

 protected:
  const ButcherTableau* tableau() const override { return &classical_4; }
};

/// Steps of its own, by the errors allowed.
class ErrorControlledMethod : public ExplicitMethod {
 public:
  void fields(SettingsVisitor& field) override;
  bool has_own_steps() const override { return true; }
  std::string why_not_adaptive() const override;

 protected:
  void error_fields(SettingsVisitor& field);
};

class DormandPrince5Method final : public ErrorControlledMethod {
 public:
  std::string label() const override { return "Runge-Kutta 5(4)"; }

 protected:
  const ButcherTableau* tableau() const override { return &dormand_prince_5; }
};

class DormandPrince8Method final : public ErrorControlledMethod {
 public:
  std::string label() const override { return "Runge-Kutta 8(5,3)"; }

 protected:
  const ButcherTableau* tableau() const override { return &dormand_prince_8; }
};

class AdamsMethod final : public ErrorControlledMethod {
 public:
  void fields(SettingsVisitor& field) override;
  std::string label() const override { return "Adams PECE"; }
  AdamsOptions adams() const;
  std::unique_ptr<Stepper> stepper(System<double>& system, const StepOptions& options) const override;

 private:
  int max_order_ = 12;
};

}  // namespace flexura

#pragma once
// The analyses, one row each; those that go through time.

#include "flexura/integrate/methods.hpp"
#include "flexura/solve/analysis.hpp"

namespace flexura {

/// The rows of [[analysis]]: those at a fixed time are in solve/.
SettingsRows analyses();

/// Steps whose size follows from an estimate of the error.
struct AdaptiveSteps final : Settings {
  double tolerance = 1e-4, min_step = 1e-9;  ///< [1, s]
  std::optional<double> max_step;            ///< [s]

  void fields(SettingsVisitor& field) override;
};

class MotionAnalysis : public Analysis {
 public:
  double end = 0, step = 1e-3;  ///< [s]
  std::optional<AdaptiveSteps> adaptive;
  std::optional<double> checkpoint;  ///< interval [s]; empty: chosen by the run
  bool singular_positions = false;   ///< those on the way, at which the constraints' rank drops, are told

  Axis axis() const final { return Axis::time; }
  /// `extent`: what errors of positions are compared with [m].
  virtual std::unique_ptr<Stepper> stepper(System<double>& system, double extent) const = 0;
  /// Whether prescribed motions decide everything, and forces nothing.
  virtual bool is_driven() const = 0;
  /// Whether the system must be made with AssemblerOptions::unsymmetric.
  virtual bool needs_unsymmetric(const Topology&) const { return false; }
};

/// Motion under forces.
class DynamicAnalysis final : public MotionAnalysis {
 public:
  void fields(SettingsVisitor& field) override;
  std::vector<SettingsProblem> problems() const override;
  std::string label(double begin, double end) const override;
  std::string outline(double begin, double end) const override;
  std::unique_ptr<Stepper> stepper(System<double>& system, double extent) const override;
  bool is_driven() const override { return false; }
  bool needs_unsymmetric(const Topology& topology) const override { return method().needs_unsymmetric(topology); }
  SettingsProblem refusal(const Topology& topology) const override;
  const TimeMethod& method() const { return *method_; }

 private:
  std::shared_ptr<const TimeMethod> method_ = default_method();
  static std::shared_ptr<const TimeMethod> default_method();
  std::optional<double> tolerance_;
  NewtonOptions newton_;
};

/// Positions, velocities and accelerations that prescribed motions decide, and the forces that they take.
class KinematicAnalysis : public MotionAnalysis {
 public:
  KinematicAnalysis() { singular_positions = true; }
  void fields(SettingsVisitor& field) override;
  std::string label(double begin, double end) const override;
  std::string outline(double begin, double end) const override;
  std::unique_ptr<Stepper> stepper(System<double>& system, double extent) const override;
  bool is_driven() const override { return true; }
  /// Whether derivatives are those of the forces too, whatever sensors read: they must be unique then.
  virtual bool with_forces() const { return false; }

 protected:
  virtual const char* word() const { return "kinematic"; }
};

class InverseDynamicAnalysis final : public KinematicAnalysis {
 public:
  bool with_forces() const override { return true; }

 protected:
  const char* word() const override { return "inverse dynamic"; }
};

}  // namespace flexura

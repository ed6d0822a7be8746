#include "flexura/integrate/kinematic_stepper.hpp"

#include "flexura/solve/kinematics.hpp"

namespace flexura {
namespace {

class KinematicStepper final : public Stepper {
 public:
  explicit KinematicStepper(System<double>& system) : system_(system), kinematics_(system) {}

  std::string start(State<double>& state) override {
    system_.drives.enter(state.t);
    const StepReport report = finish(kinematics_.solve(state));
    return report.done ? std::string() : report.problem + ": " + report.detail;
  }
  StepReport step(State<double>& state, double t1) override { return finish(kinematics_.step(state, t1)); }
  void reset() override {}
  int error_order() const override { return 1; }
  std::string advice() const override {
    return "a dynamic analysis: the mechanism may jam or reach a dead centre there";
  }

 private:
  static StepReport finish(const KinematicReport& r) {
    StepReport report;
    report.done = r.ok;
    report.iterations = r.positions.iterations;
    if (!r.ok) report.problem = "kinematics", report.detail = r.problem;
    return report;
  }

  System<double>& system_;
  Kinematics kinematics_;
};

}  // namespace

std::unique_ptr<Stepper> kinematic_stepper(System<double>& system) {
  return std::make_unique<KinematicStepper>(system);
}

}  // namespace flexura

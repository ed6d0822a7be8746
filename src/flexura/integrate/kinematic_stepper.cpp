#include "flexura/integrate/kinematic_stepper.hpp"

#include "flexura/solve/kinematics.hpp"

namespace flexura {
namespace {

class KinematicStepper final : public Stepper {
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

std::unique_ptr<Stepper> kinematic_stepper(System<double>& system, bool forces) {
  return std::make_unique<KinematicStepper>(system, forces);
}

}  // namespace flexura

#include "flexura/integrate/stepper.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "flexura/model/contact_model.hpp"
#include "flexura/solve/culprit.hpp"
#include "flexura/solve/joint_angles.hpp"

namespace flexura {

std::string singular_unless(bool fine) {
  return fine
             ? std::string()
             : "dynamics: the mass matrix is singular: something that can move has no mass (give every part one: rhoA, "
               "m)";
}

StepReport report_of(const SolveReport<double>& solved, const Topology& topology) {
  StepReport report;
  report.done = solved.converged;
  report.iterations = solved.iterations;
  report.factorizations = solved.factorizations;
  report.residual = solved.limit > 0 ? solved.residual / solved.limit : 0.0;
  if (solved.converged) return report;
  const std::vector<int> angles = JointAngles(topology).rows();
  if (solved.residual <= solved.limit && std::ranges::find(angles, solved.worst) != angles.end()) {
    report.problem = "dynamics: an angle is lost";
    report.detail =
        fmt::format("{} turns by more than half a revolution against its parts", culprit(topology, solved.worst));
    return report;
  }
  report.problem = "newton: no convergence";
  if (solved.touching[0] >= 0) {
    const std::string &a = topology.contacts->name(solved.touching[0]),
                      &b = topology.contacts->name(solved.touching[1]);
    const std::string what = solved.gap == 0 ? fmt::format("{} and {} meet, and no impulse lets them part", a, b)
                             : solved.gap < 0
                                 ? fmt::format("{} and {} lie in each other by {:.2g} m", a, b, -solved.gap)
                                 : fmt::format("{} and {} press across a gap of {:.2g} m", a, b, solved.gap);
    report.detail = fmt::format("{} after {} iterations", what, solved.iterations);
    return report;
  }
  if (solved.worst < 0 || !std::isfinite(solved.worst_force)) {
    report.detail = fmt::format("the forces are no finite numbers after {} iterations", solved.iterations);
    return report;
  }
  if (solved.iterations == 0 &&
      solved.worst_force == 0) {  // there is nothing to solve for, and the matrix has no factor
    report.detail = fmt::format("the equations are singular: at {} something can move that has no mass",
                                culprit(topology, solved.worst));
    return report;
  }
  report.detail =
      fmt::format("|r| = {:.2g}{} after {} iterations; largest: {}", solved.worst_force,
                  residual_unit(topology, solved.worst), solved.iterations, culprit(topology, solved.worst));
  return report;
}

}  // namespace flexura

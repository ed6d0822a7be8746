#include "flexura/solve/joint_angles.hpp"

#include <algorithm>
#include <cmath>

#include "flexura/constraint/joint_angle.hpp"
#include "flexura/model/term_type.hpp"

namespace flexura {

JointAngles::JointAngles(const Topology& topology) : dim_(topology.dim) {
  constexpr std::size_t slots = JointAngle<2>::slots.size();
  for (const ItemBatch& batch : topology.batches) {
    if (batch.type->info.name != JointAngle<2>::name && batch.type->info.name != JointAngle<3>::name) continue;
    for (std::size_t i = 0; i < static_cast<std::size_t>(batch.count); ++i) {
      const int* of = &batch.slots[i * slots];
      const auto offset = [&](int k) { return topology.slots[of[k]].offset; };
      angles_.push_back({offset(0), offset(1), offset(2), offset(3), topology.slots[of[3]].dependent >= 0});
      rows_.push_back(offset(4));
    }
  }
}

double JointAngles::largest_change(const std::vector<double>& q0, const std::vector<double>& q1, Which which) const {
  double largest = 0;
  for (const Angle& angle : angles_)
    if (angle.is_dependent || which == Which::all)
      largest = std::max(largest, std::fabs(q1[angle.theta] - q0[angle.theta]));
  return largest;
}

std::vector<double> JointAngles::open_angles(const std::vector<double>& q, int ny) const {
  std::vector<double> out(static_cast<std::size_t>(ny), 0.0);
  for (std::size_t k = 0; k < angles_.size(); ++k) {
    const Angle& angle = angles_[k];
    const double *x = &q[angle.x], *y = &q[angle.y], *e = &q[angle.e];
    if (angle.is_dependent) out[rows_[k]] = std::atan2(product(e, y), product(e, x)) - q[angle.theta];
  }
  return out;
}

}  // namespace flexura

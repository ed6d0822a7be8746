#include "flexura/run/reversed_joints.hpp"

#include "flexura/observe/body_motion.hpp"
#include "flexura/part/joint_types.hpp"
#include "flexura/part/specs.hpp"

namespace flexura {
namespace {

bool is_rigid(const MaterialPlace& place) {
  return place.on == MaterialPlace::On::body || place.on == MaterialPlace::On::ground;
}

/// A direction of the reference, as the side has it now.
Triple direction_now(const SceneModel& scene, const MaterialPlace& side, const std::vector<double>& q,
                     const Triple& v) {
  if (side.on != MaterialPlace::On::body) return v;
  const BodyPart& body = scene.bodies[side.part];
  const BodyFrame frame = body_frame(body, *scene.model.topology, q);
  const Triple local = body.spec->reference.turned_back(v);
  Triple out{};
  for (int k = 0; k < body.axes; ++k)
    for (int i = 0; i < 3; ++i) out[i] += local[k] * frame.axes[k][i];
  return out;
}

/// Directions that the joint keeps parallel.
std::vector<Triple> kept_directions(const JointRow& row, const JointSpec& spec, int dim) {
  if (row.keeps_axis && spec.axis) return {*spec.axis};
  if (!row.keeps_turn) return {};
  std::vector<Triple> out{{1, 0, 0}, {0, 1, 0}};
  if (dim == 3) out.push_back({0, 0, 1});
  return out;
}

}  // namespace

std::string reversed_joint(const SceneModel& scene, const std::vector<double>& q) {
  const int dim = scene.model.topology->dim;
  for (const JointPart& joint : scene.joints) {
    const JointRow* row = find_joint(joint.type, dim);
    const auto& [first, second] = joint.places;
    if (row == nullptr || joint.spec == nullptr || !is_rigid(first) || !is_rigid(second)) continue;
    for (const Triple& v : kept_directions(*row, *joint.spec, dim))
      if (dot(direction_now(scene, first, q, v), direction_now(scene, second, q, v)) < 0) return joint.name;
  }
  return {};
}

}  // namespace flexura

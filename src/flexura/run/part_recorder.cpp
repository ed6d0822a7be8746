#include "flexura/run/part_recorder.hpp"

#include <algorithm>

#include "flexura/observe/body_motion.hpp"

namespace flexura {
namespace {

template <class Part>
const Part* find_part(const std::vector<Part>& parts, const std::string& name) {
  const auto at = std::find_if(parts.begin(), parts.end(), [&](const Part& p) { return p.name == name; });
  return at == parts.end() ? nullptr : &*at;
}

}  // namespace

void PartRecorder::define(JournalWriter& writer, const SceneModels& scene) {
  const int dim = scene.models.front().model.topology->dim;
  numbers_ = flexura::frame_numbers(dim);
  const auto missing = [](const auto& list, const std::string& name) { return find_part(list, name) == nullptr; };
  for (const SceneModel& model : scene.models) {
    for (const BodyPart& body : model.bodies) {
      if (!missing(bodies_, body.name)) continue;
      std::vector<ChannelColumn> columns = frame_columns(dim, "frame of the body");
      columns.insert(columns.begin(), time_column());
      const auto id = writer.define({"/parts/body/" + body.name, "frame of the body", std::move(columns)});
      bodies_.push_back({body.name, *id, nullptr});
    }
    for (const JointPart& joint : model.joints) {
      if (!missing(joints_, joint.name)) continue;
      std::vector<ChannelColumn> columns{time_column()};
      if (joint.angle >= 0)
        columns.push_back({"angle", {}, "rad", "of the second part against the first, counts turns"});
      if (joint.offset >= 0) columns.push_back({"displacement", {}, "m", "along the axis"});
      if (!joint.multipliers.empty())
        columns.push_back(
            {"lambda", {joint.multipliers.size()}, "1", "multipliers, as /model/summary names their items"});
      if (columns.size() == 1) continue;
      const auto id = writer.define({"/joints/" + joint.name, joint.type, std::move(columns)});
      joints_.push_back({joint.name, *id, joint.multipliers.size(), joint.angle >= 0, joint.offset >= 0, nullptr});
    }
  }
}

void PartRecorder::enter(const SceneModel& scene) {
  scene_ = &scene;
  for (Body& body : bodies_) body.part = find_part(scene.bodies, body.name);
  for (Joint& joint : joints_) joint.part = find_part(scene.joints, joint.name);
}

void PartRecorder::note_angles(const CountedAngles& angles, const State<double>& state,
                               std::vector<double>& frames) const {
  constexpr int angle_place = 2;
  for (size_t k = 0; k < bodies_.size() && scene_ != nullptr; ++k) {
    if (bodies_[k].part == nullptr) continue;
    const int body = static_cast<int>(bodies_[k].part - scene_->bodies.data());
    if (angles.counts_body(body)) frames[k * numbers_ + angle_place] = angles.of_body(state, body);
  }
}

void PartRecorder::write(JournalWriter& writer, const State<double>& state, std::vector<double>& frames) {
  const Topology& topology = *scene_->model.topology;
  for (size_t k = 0; k < bodies_.size(); ++k) {
    if (bodies_[k].part == nullptr) continue;
    row_.assign(1 + numbers_, state.t);
    const std::span<double> frame = std::span(row_).subspan(1),
                            last = std::span(frames).subspan(k * numbers_, numbers_);
    read_frame(*bodies_[k].part, topology, state.q, frame, last);
    std::copy(frame.begin(), frame.end(), last.begin());
    writer.row(bodies_[k].id, row_);
  }
  const auto value = [&](int slot) { return slot < 0 ? 0.0 : state.q[topology.slots[slot].offset]; };
  for (const Joint& joint : joints_) {
    if (joint.part == nullptr) continue;
    row_.assign(1, state.t);
    if (joint.angle) row_.push_back(value(joint.part->angle));
    if (joint.offset) row_.push_back(value(joint.part->offset));
    for (size_t k = 0; k < joint.multipliers; ++k)
      row_.push_back(k < joint.part->multipliers.size() ? value(joint.part->multipliers[k]) : 0.0);
    writer.row(joint.id, row_);
  }
}

}  // namespace flexura

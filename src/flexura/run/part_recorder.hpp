#pragma once
// Writes the frames of bodies and the coordinates and multipliers of joints into a run's journal.

#include <vector>

#include "flexura/observe/counted_angles.hpp"
#include "flexura/output/journal_writer.hpp"
#include "flexura/scene/scene_model.hpp"
#include "flexura/solve/state.hpp"

namespace flexura {

class PartRecorder {
 public:
  /// Channels /parts/body/NAME and /joints/NAME, of every body and joint of any model.
  void define(JournalWriter& writer, const SceneModels& scene);
  /// From now on states are those of this model.
  void enter(const SceneModel& scene);
  /// `frames` [frame_numbers()]: what was written last, kept for the signs of quaternions and the turns of angles.
  void write(JournalWriter& writer, const State<double>& state, std::vector<double>& frames);
  /// The angles of planar bodies, into `frames`.
  void note_angles(const CountedAngles& angles, const State<double>& state, std::vector<double>& frames) const;
  int frame_numbers() const { return numbers_ * static_cast<int>(bodies_.size()); }

 private:
  struct Body {
    std::string name;
    ChannelId id;
    const BodyPart* part;  ///< of the model entered; null where it has none
  };
  struct Joint {
    std::string name;
    ChannelId id;
    size_t multipliers;
    bool angle, offset;
    const JointPart* part;
  };
  const SceneModel* scene_ = nullptr;
  std::vector<Body> bodies_;
  std::vector<Joint> joints_;
  int numbers_ = 0;  ///< of one frame
  std::vector<double> row_;
};

}  // namespace flexura

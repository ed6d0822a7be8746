#pragma once
// How a state goes on where the model changes, backwards: the transpose of what ActiveModel::enter does, which is linear. Part of
// flexura_ensemble.

#include "flexura/integrate/newmark_tangent.hpp"
#include "flexura/run/active_model.hpp"
#include "flexura/scene/scene_model.hpp"

namespace flexura {

class StateCarry {
 public:
  StateCarry(const SceneModel& from, const SceneModel& to);

  /// What is felt of the state in `to`, of its own coordinates alone, is felt of that in `from`. Throws GradientError where something
  /// begins to remember.
  Cotangent back(const Cotangent& felt) const;
  /// Whether coordinates begin where numbers of the scene have them: in a body, or at rest.
  bool begins_anew() const { return begins_anew_; }

 private:
  /// Coordinates from `to` on of the new model are those from `from` on of the old one, times the weight.
  struct Part {
    int from, to, size;
    double weight;
    bool free;  ///< in both models
  };
  void find_bodies(const SceneModel& from, const SceneModel& to, const std::vector<int>& origin);

  const Topology& from_;
  std::vector<Part> parts_;
  std::vector<CarriedMemory> memories_;
  bool begins_anew_ = false;
};

}  // namespace flexura

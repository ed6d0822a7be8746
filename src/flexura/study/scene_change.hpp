#pragma once
// What numbers of a scene change of its models: differences of sixth order of scenes that are read with the numbers beside their values.
// Part of flexura_ensemble.

#include <optional>
#include <span>
#include <vector>

#include "flexura/scene/scene_model.hpp"
#include "flexura/scene/scene_number.hpp"
#include "flexura/study/gradient.hpp"

namespace flexura {

/// Of one number, by model.
struct SceneChange {
  struct OfModel {
    Values direction;  ///< of the model's numbers
    bool values = false;
    bool signals = false;       ///< some follow another function of time
    std::vector<char> sensors;  ///< [sensors] it may read something else at the same free coordinates
  };
  std::vector<OfModel> models;

  /// Whether the consistent start may be another one. `projected`: it is not what the scene says, but was brought to the joints.
  bool moves_start(const SceneModels& scene, int model, bool projected) const;
};

/// Where a scene is read beside a number, in steps, and the weights of its slope.
struct Stencil {
  std::vector<double> offsets, weights;
  std::vector<double> lower, lowest;  ///< weights of differences of lower orders, to judge the error by
};
/// Of sixth order: on both sides, or on one where a bound is.
std::span<const Stencil> stencils();
/// By which a number is moved.
double step_of(const SceneNumber& number, double relative_step);

/// All numbers of a model, in spans one after the other.
std::vector<std::span<const double>> numbers_of(const Values& values);
std::vector<std::span<double>> numbers_of(Values& values);

/// Whether signals of two models follow the same functions of time.
bool same_signals(const Topology& a, const Topology& b);
/// Whether a sensor reads the same slots alike in both models, and nothing else.
bool reads_same_slots(const SensorSpec& a, const SensorSpec& b);
/// Sensors that read something else may do so for what the number changes: completes `sensors`, of which those are set that others show.
void add_sensors_felt(const SceneModel& model, SceneChange::OfModel& change);

/// Of many numbers from few scenes: all are moved at once, and by which a number of a model changes is told by scenes in which a part of
/// them is moved, each number in a set of its own. Where one follows from several of them these are taken apart. Empty: it has to be
/// looked at by itself.
std::vector<std::optional<SceneChange>> changes_together(const SceneModels& scene, const ReadScene& read,
                                                         std::span<const SceneNumber> numbers, double relative_step);

}  // namespace flexura

#pragma once
// How a model changes with a number of its scene: copies of the scene with the number beside its value, and differences of sixth
// order of what they make. Part of flexura_ensemble.

#include <algorithm>
#include <cmath>

#include "flexura/scene/scene_number.hpp"
#include "flexura/solve/dual_residual.hpp"
#include "flexura/study/difference_doubt.hpp"
#include "flexura/study/scene_change.hpp"
#include "flexura/study/scene_copy.hpp"

namespace flexura {

class SceneVariation {
 public:
  /// Throws InputError where the scene cannot be with the number beside its value, or is another one then.
  SceneVariation(const SceneModels& scene, const ReadScene& read, const SceneNumber& number, double relative_step);

  size_t size() const { return copies_.size(); }
  SceneCopy& copy(size_t k) { return *copies_[k]; }
  /// From the scene's number to that of copy k.
  double offset(size_t k) const { return offsets_[k] * step_; }
  /// Of x(k) with the number.
  double slope(auto&& x) const {
    const double first = x(0);  // what all have leaves no rounding
    double sum = 0;
    for (size_t k = 0; k < copies_.size(); ++k) sum += weights_[k] * (x(k) - first);
    return sum / step_;
  }
  /// The same, with what it may be off by: of what is smooth, differences of rising order close in on each other.
  struct Difference {
    double value, error;
    double largest;  ///< |x| of a copy
  };
  Difference difference(auto&& x) const {
    const double first = x(0);
    double sum[3] = {0, 0, 0}, largest = 0;
    for (size_t k = 0; k < copies_.size(); ++k) {
      const double value = x(k);
      largest = std::max(largest, std::fabs(value));
      const double weights[] = {weights_[k], lower_[k], lowest_[k]};
      for (int order = 0; order < 3; ++order) sum[order] += weights[order] * (value - first);
    }
    const double near = std::fabs(sum[0] - sum[1]), far = std::fabs(sum[1] - sum[2]);
    return {sum[0] / step_, near * std::min(1.0, near / std::max(far, 1e-300)) / step_, largest};
  }
  /// Whether the error is more than rounding of x.
  bool exceeds_rounding(const Difference& d) const { return d.error * step_ > 1e-9 * d.largest; }
  double step() const { return step_; }
  const std::string& path() const { return path_; }
  /// Of the signals that have been differenced since it was cleared.
  DifferenceDoubt& doubt() { return doubt_; }

  /// Of the numbers of a model.
  const Values& direction(int model) const { return change_.models[model].direction; }
  bool moves_values(int model) const { return change_.models[model].values; }
  /// Whether the reference configuration is among them.
  bool moves_reference(int model) const { return any_change(direction(model).reference); }

  const SceneChange& change() const { return change_; }

  /// Of coordinates with the number: what rounding may be.
  double negligible(const State<double>& state) const {
    double far = 0;
    for (const double x : state.q) far = std::max(far, std::fabs(x));
    return 1e-13 * far * relative_step_ / step_;
  }

  /// Where the copies' states are now, as change of `state`.
  State<Tangent> slopes(const State<double>& state);
  /// Copies take the state, moved by what it changes by.
  void set_states(const State<Tangent>& state);
  /// Signals of the copies, as change of those of the scene itself.
  void signals(std::span<const SignalValue> scene, std::vector<Tangent>& u, std::vector<Tangent>& du,
               std::vector<Tangent>& ddu);
  /// The same at a time within the step that begins at t0.
  void signals_within(std::span<const SignalValue> scene, double t0, double t, std::vector<Tangent>& u,
                      std::vector<Tangent>& du, std::vector<Tangent>& ddu);

 private:
  void find_directions(const SceneModels& scene);
  void change_signals(std::span<const SignalValue> scene, auto&& of_copy, std::vector<Tangent>& u,
                      std::vector<Tangent>& du, std::vector<Tangent>& ddu);

  double step_ = 0, relative_step_;
  std::vector<double> offsets_, weights_, lower_, lowest_;  ///< in steps; of the slope, and of those of lower orders
  std::string path_;
  DifferenceDoubt doubt_;
  std::vector<std::unique_ptr<SceneCopy>> copies_;
  SceneChange change_;
};

}  // namespace flexura

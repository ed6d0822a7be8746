#pragma once
// Samples of signals that are linear between them, signal.pump.points[12][1]: what is felt of the signal at a time is felt of the two
// samples beside it, so that thousands cost no more than one. Part of flexura_ensemble.

#include <algorithm>

#include "flexura/integrate/newmark_tangent.hpp"
#include "flexura/scene/scene_model.hpp"
#include "flexura/scene/scene_number.hpp"

namespace flexura {

class TableSamples {
 public:
  /// Whether the number is such a sample of which nothing else knows; then its gradient goes to `place`.
  bool take(const SceneDocument& document, const SceneModels& scene, const SceneNumber& number, size_t place);
  bool any() const { return !samples_.empty(); }
  bool has(int signal) const { return std::ranges::find(samples_, signal, &Samples::signal) != samples_.end(); }
  /// `begins`: a stretch begins at t, or all rests; else it is the end of a step.
  void add(double t, bool begins, bool at_rest, const Topology& topology, const SignalCotangent& felt,
           std::vector<double>& gradient) const;

 private:
  struct Samples {
    int signal;
    std::vector<double> times;
    std::vector<int> places;  ///< of each row; −1: not asked for
  };
  std::vector<Samples> samples_;
};

}  // namespace flexura

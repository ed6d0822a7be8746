#pragma once
// How far bodies, rods and elastic parts turn in each step: every method is off by some turn per step, and at what its rows say
// (TurnLimits) the run tells it or ends.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "flexura/integrate/stepper.hpp"
#include "flexura/scene/scene_model.hpp"

namespace flexura {

class TurnWatch {
 public:
  /// What a run remembers of each part, all zero at first: how far it has turned one way [rad] in steps beyond what is
  /// noted and beyond what is refused, 3 numbers each; whether it has been told; the largest turn of a step [rad].
  static constexpr int numbers = 8;

  explicit TurnWatch(const SceneModel& model);

  size_t size() const { return parts_.size(); }
  /// The rates at the beginning of a step.
  void begin(const State<double>& state);

  struct Finding {
    std::string part;  ///< "body 'rotor'"
    bool refused = false;
    double turn = 0;    ///< of the step [rad]
    double change = 0;  ///< of the turn, against the step before [rad]; 0: it is the turn that is beyond the limit
    double share = 1;   ///< of the step, which would do
  };
  /// After a step of h [s] that has ended at the state. A part is told once, when it has made a whole turn one way in steps
  /// beyond a limit: what swings, and the jolt of an impact, are no turning. A body that turns by more than half a turn in
  /// one step is refused at once.
  std::optional<Finding> step(const State<double>& state, double h, const TurnLimits& limits, std::span<double> memory);

  /// What turns farthest beyond what is noted in a step of h [s] from the state.
  std::optional<Finding> fastest(const State<double>& state, double h, const TurnLimits& limits) const;
  /// The part that turned by most in a step, beyond `least` [rad].
  std::optional<Finding> largest(std::span<const double> memory, double least) const;

 private:
  struct Part {
    std::string name;
    bool is_rigid = false;
    bool is_loose = false;                       ///< a rod of which no end is held: followed as elastic parts are
    int base = -1;                               ///< first point of a body, solid or rod; -1: none is needed
    std::vector<int> points = {}, vectors = {};  ///< places in q: points count from the base
  };
  template <int D>
  Triple rate(const Part& part, const State<double>& state) const;
  Triple rate(const Part& part, const State<double>& state) const;
  static TurnLimits::Pair limit_of(const Part& part, const TurnLimits& limits);

  std::vector<Part> parts_;
  std::vector<Triple> rates_;  ///< at the end of the last step [rad/s]
  int dim_;
};

}  // namespace flexura

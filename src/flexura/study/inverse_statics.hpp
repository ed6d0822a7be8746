#pragma once
// Equilibria of a scene as a function of its inputs, and the inputs that bring sensors to targets: postures of soft arms,
// pressures of actuators, tensions of tendons.
//
//     minimise Σ (w_i (y_i(u) − ŷ_i))²  over low ≤ u ≤ high,   y(u): sensors at the equilibrium with inputs u
//
// By least_squares(), with steps of a quarter of the scales at most and derivatives by differences between equilibria. Each
// equilibrium is sought from that of the best inputs so far, so that the solution belongs to the branch on which the search
// began.

#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "flexura/scene/document.hpp"
#include "flexura/scene/scene_model.hpp"
#include "flexura/solve/state.hpp"

namespace flexura {

/// The scene's model under constant inputs. Its first model counts, at time 0; inputs are signals of type "input".
class SteeredStatics {
 public:
  /// Throws InputError where the scene cannot be built or has no input.
  explicit SteeredStatics(SceneDocument document, int threads = 1);
  ~SteeredStatics();
  SteeredStatics(SteeredStatics&&) noexcept;
  SteeredStatics& operator=(SteeredStatics&&) noexcept;

  const std::vector<std::string>& inputs() const;
  /// Follows the equilibria from the present inputs to these, in the order of inputs(). False: there is none on the way that
  /// is stable and found; then everything is as before.
  bool move_to(const std::vector<double>& values);
  std::vector<double> values() const;
  /// Back to the start, all inputs at the scene's values and no loads.
  void restart();

  /// What a sensor reads now. Throws InputError for an unknown name.
  std::vector<double> read(std::string_view sensor);
  const SceneModel& model() const;
  const State<double>& state() const;
  /// A state of before.
  void return_to(const State<double>& state);
  long equilibria() const;  ///< that were sought

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

struct SteeredInput {
  std::string name;
  double start = 0;
  double low = -std::numeric_limits<double>::infinity(), high = std::numeric_limits<double>::infinity();
  double scale = 1;  ///< a change that counts: differences take 1/1000 of it, a step at most a quarter
};

struct StaticTarget {
  std::string sensor;
  int component = 0;
  double value = 0;   ///< [unit of the sensor]
  double weight = 1;  ///< [1/unit]
};

struct InverseStaticsOptions {
  double tolerance = 1e-6;  ///< of the root of the sum of squares
  int max_iterations = 60;
};

struct InverseStaticsReport {
  bool converged = false;      ///< within the tolerance
  std::string message;         ///< why not
  std::vector<double> inputs;  ///< in the order given; the best found
  double miss = 0;             ///< root of the sum of squares there
  int iterations = 0;
};

/// Inputs that bring the sensors to their targets; those not named stay. Afterwards `statics` is at the best inputs found.
/// Throws InputError for unknown names, components that a sensor does not have, and bounds without room.
InverseStaticsReport inverse_statics(SteeredStatics& statics, const std::vector<SteeredInput>& inputs,
                                     const std::vector<StaticTarget>& targets,
                                     const InverseStaticsOptions& options = {});

}  // namespace flexura

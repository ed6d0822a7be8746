#pragma once
// What sensors of a run feel of numbers of its scene, ∂y/∂p.
//
// Exact, by duals and by the factors of the equations themselves: equilibria, frequencies, where a motion begins, steps of the Newmark family,
// of Runge-Kutta, Adams and energy-momentum, and motions that drives decide. By differences of sixth order of what costs no solution of them:
// the building of the model, its consistent start, a model that takes over from another, and what sensors make of a state. Of these 1e-11 is
// left.
//
//     forwards    a solve for each number and step: any number of results
//     backwards   a transposed solve for each result and step: any number of numbers, as the samples of a signal
//
// Refused, with the reason: contacts, forces of inverse dynamics that are not unique, numbers that change times, the method or the kind of
// model, sensors that add up over time (work, what is dissipated); backwards also other methods than the Newmark family, and forces where
// something rubs.
//
// Part of flexura_ensemble.

#include <atomic>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "flexura/scene/document.hpp"
#include "flexura/scene/reader.hpp"

namespace flexura {

/// Reads the scene again with further changes of --set.
using ReadScene = std::function<SceneDocument(const std::vector<std::string>& set)>;
/// Of a scene that has been read with these options, or of one that needs none: no functions, files as they lie.
ReadScene read_again(const SceneDocument& document, const SceneOptions& options = {});

/// Forwards costs by numbers, backwards by results (times × columns).
enum class GradientWay { automatic, forwards, backwards };

struct GradientQuestion {
  std::vector<std::string> wrt;         ///< paths of numbers: scene_number.hpp
  std::vector<std::string> of = {};     ///< "tip", "tip.y"; none: all sensors
  std::vector<double> times = {};       ///< ends of steps [s]; without these and `after`: where the run ends
  std::vector<std::string> after = {};  ///< analyses at whose ends sensors are read
  double relative_step = 1e-3;          ///< of the differences, to the number's size
  /// Backwards: of the states of a run, which is done again in pieces where they take more [bytes].
  std::size_t most_bytes = std::size_t(1) << 28;
  const std::atomic<bool>* stop = nullptr;
};

/// Of an analysis of modes.
struct ModeDerivatives {
  std::string analysis;
  std::vector<double> frequencies;        ///< [Hz]; negative: it grows so
  std::vector<int> first;                 ///< [modes] the first that shares the eigenvalue
  std::vector<double> slopes;             ///< [modes × numbers] of frequencies; NaN: of motions as a whole
  std::vector<double> eigenvalue_slopes;  ///< of ω² [1/s²]
  std::string problem;                    ///< not empty: why there are no slopes
};

struct Derivatives {
  std::vector<std::string> columns;  ///< "tip.y"
  std::vector<std::string> units;
  std::vector<std::string> sensors;   ///< [columns] whose number it is
  std::vector<double> times;          ///< [s]
  std::vector<std::string> analyses;  ///< [times] that the state is of
  std::vector<char> timed;            ///< [times] 1: asked for as a time; 0: as the end of an analysis, or of the run
  GradientWay way = GradientWay::forwards;
  std::vector<double> numbers;         ///< of the scene
  std::vector<double> values;          ///< [times × columns]
  std::vector<double> jacobian;        ///< [times × columns × numbers]
  std::vector<ModeDerivatives> modes;  ///< forwards

  double slope(size_t time, size_t column, size_t number) const {
    return jacobian[(time * columns.size() + column) * numbers.size() + number];
  }
};

/// Forwards. Throws InputError with all that is wrong with the question; GradientError where the run or its derivative fails.
Derivatives differentiate(const SceneDocument& document, const ReadScene& read, const GradientQuestion& question);
/// The same slopes, backwards from each result by itself.
Derivatives differentiate_by_results(const SceneDocument& document, const ReadScene& read,
                                     const GradientQuestion& question);
/// The way that is asked for; automatic: the one with fewer solves, and forwards where there is none backwards.
Derivatives differentiate(const SceneDocument& document, const ReadScene& read, const GradientQuestion& question,
                          GradientWay way);

/// Backwards. `weights` [times × columns] from the values (those of Derivatives): of Σ w y(p) the gradient by p.
struct WeightedGradient {
  Derivatives values;  ///< without a jacobian
  std::vector<double> gradient;
  double run_seconds = 0, back_seconds = 0;
  std::size_t state_bytes = 0;  ///< kept of the run, at most at a time
  long steps_again = 0;         ///< of the run that were done once more
  long item_evaluations = 0;    ///< kernels on duals that the way back called, each of several items
};
using Weights = std::function<std::vector<double>(const Derivatives& values)>;
WeightedGradient differentiate_backwards(const SceneDocument& document, const ReadScene& read,
                                         const GradientQuestion& question, const Weights& weights);

struct GradientError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace flexura

#pragma once
// What sensors of a run feel of numbers of its scene, ∂y/∂p.
//
// Exact, by duals and by the factors of the equations themselves: equilibria, and steps of the Newmark family. By differences of sixth
// order of what costs no solution of them: the building of the model, its consistent start, projections and accelerations where a
// stretch of motion begins, a model that takes over from another, and what sensors make of a state. Of these 1e-11 is left.
//
//     forwards    a solve for each number and step: any number of results
//     backwards   a transposed solve for each result and step: any number of numbers, as the samples of a signal
//
// Refused, with the reason: contacts, other integrators, numbers that change times or the kind of model, sensors that add up
// over time (work, what is dissipated); backwards also what remembers (friction, relaxation) and models that change.
//
// Part of flexura_ensemble.

#include <atomic>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "flexura/scene/document.hpp"

namespace flexura {

/// Reads the scene again with further changes of --set.
using ReadScene = std::function<SceneDocument(const std::vector<std::string>& set)>;
/// Of a scene that reads no functions of the program.
ReadScene read_again(const SceneDocument& document);

struct GradientQuestion {
  std::vector<std::string> wrt;      ///< paths of numbers: scene_number.hpp
  std::vector<std::string> of = {};  ///< "tip", "tip.y"; none: all sensors
  std::vector<double> times = {};    ///< ends of steps [s]; none: where the run ends
  double relative_step = 1e-3;       ///< of the differences, to the number's size
  const std::atomic<bool>* stop = nullptr;
};

struct Derivatives {
  std::vector<std::string> columns;  ///< "tip.y"
  std::vector<std::string> units;
  std::vector<double> times;     ///< [s]
  std::vector<double> numbers;   ///< of the scene
  std::vector<double> values;    ///< [times × columns]
  std::vector<double> jacobian;  ///< [times × columns × numbers]

  double slope(size_t time, size_t column, size_t number) const {
    return jacobian[(time * columns.size() + column) * numbers.size() + number];
  }
};

/// Throws InputError with all that is wrong with the question; GradientError where the run or its derivative fails.
Derivatives differentiate(const SceneDocument& document, const ReadScene& read, const GradientQuestion& question);

/// Backwards. `weights` [times × columns] from the values (those of Derivatives): of Σ w y(p) the gradient by p.
struct WeightedGradient {
  Derivatives values;  ///< without a jacobian
  std::vector<double> gradient;
  double run_seconds = 0, back_seconds = 0;
  std::size_t state_bytes = 0;  ///< kept of the run
};
using Weights = std::function<std::vector<double>(const Derivatives& values)>;
WeightedGradient differentiate_backwards(const SceneDocument& document, const ReadScene& read,
                                         const GradientQuestion& question, const Weights& weights);

struct GradientError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace flexura

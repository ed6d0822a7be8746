#pragma once
// Inputs over time with which sensors follow trajectories.
//
//     minimise Σ_i Σ_j |y_j(t_i; u) − ŷ_j(t_i)|²/τ_j² + ε Σ_k ((u_k − ū)/s)²   over low ≤ u ≤ high
//
// u: samples of each input at even times, straight lines in between; y: the motion of the scene itself, step by step, which begins
// where its analyses without time end under the first samples; t_i: ends of steps, some three between two samples. ∂y/∂u is exact,
// forwards through the steps (gradient.hpp); the search is least_squares(). It begins with the inputs that hold the wanted
// places at rest. ε is small: effort chooses where targets do not.

#include "flexura/scene/reader.hpp"
#include "flexura/study/inverse_statics.hpp"

namespace flexura {

struct TrajectoryInput {
  SoughtInput what;
  int samples = 21;
};

/// What is wanted of a sensor over time, between the rows a spline.
struct Trajectory {
  WantedReading what;
  std::vector<std::vector<double>> points;  ///< of each time
};

struct DynamicPlan {
  std::string title;
  std::string scene_text, scene_file;
  SceneOptions reading;  ///< with all settings
  std::vector<TrajectoryInput> inputs;
  std::vector<double> t;  ///< of the trajectories [s], increasing
  std::vector<Trajectory> targets;
  int max_iterations = 20;
  bool starts_at_rest = true;  ///< the search begins with what holds the places; false: with the starts of the inputs
};

struct DynamicReport {
  bool followed = false;  ///< each target within its tolerance at the ends of all steps
  std::string message;
  std::vector<std::vector<double>> times;      ///< of the samples of each input [s]
  std::vector<std::vector<double>> inputs;     ///< samples of each
  std::vector<double> t;                       ///< ends of steps within the trajectory [s]
  std::vector<double> wanted, reached;         ///< [times × columns of all targets]
  std::vector<std::vector<double>> distances;  ///< of each target at each time [its unit]
  std::vector<double> rms, largest;            ///< of the distances of each target
  std::vector<double> first_rms;               ///< of the inputs that the search began with
  int iterations = 0;
  long runs = 0, gradients = 0;
};

struct DynamicOptions {
  std::function<void(const std::string& line)> progress = {};
  const std::atomic<bool>* stop = nullptr;
  StudyLog* log = nullptr;  ///< runs that it knows are taken from it, the others kept there
};

/// Throws InputError for what the scene does not have, GradientError where the motion at the start fails or has no derivative.
/// FileError where the log cannot be written.
DynamicReport inverse_dynamics(const DynamicPlan& plan, const DynamicOptions& options = {});

/// Of all that decides what is found.
std::uint32_t fingerprint_of(const DynamicPlan& plan);

}  // namespace flexura

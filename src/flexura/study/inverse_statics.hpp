#pragma once
// The inputs that bring sensors to targets at equilibrium: postures of soft arms, pressures of actuators, tensions of tendons.
//
//     |y_j(u) − ŷ_j| ≤ τ_j for each target j,  and of all u that do it the one with the least Σ ((u_k − ū_k)/s_k)²,  low ≤ u ≤ high
//
// τ: tolerances; ū: where an input makes no effort, s: what counts as one. Effort is weighed less and less against the targets,
// each search from the solution before, until the targets are met. Each search is least_squares(), with steps of a quarter of
// the scales at most and the derivatives of SteeredStatics (by differences between equilibria where something touches). Each
// equilibrium is sought from that of the best inputs so far, so that the solution belongs to the branch on which the search began.

#include <atomic>
#include <functional>
#include <limits>
#include <optional>

#include "flexura/study/steered_statics.hpp"

namespace flexura {

class StudyLog;

struct SteeredInput {
  std::string name;
  double start = 0;
  double low = -std::numeric_limits<double>::infinity(), high = std::numeric_limits<double>::infinity();
  double scale = 1;  ///< a change that counts: a step is at most a quarter, differences take 1/1000
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

// ---- lists of points ----

/// An input that is sought.
struct SoughtInput {
  SteeredInput input;
  std::string unit = {};  ///< SI; "" where it is a factor
  bool has_effort = false;
  double rest = 0, effort = 1;  ///< ū and s
};

/// Numbers of one sensor that are wanted together.
struct WantedReading {
  std::string name;
  std::string sensor;
  std::vector<int> components;       ///< of the sensor's numbers
  std::vector<std::string> columns;  ///< "tip.x", "tip.y"
  std::vector<std::string> units;    ///< of each
  bool is_quaternion = false;        ///< then the miss is the angle in between, as long as it is small
  std::string unit = "1";            ///< of the tolerance
  double tolerance = 1;              ///< of the length of the miss
};
/// What a scene reads of all of them, one after the other. Throws InputError for sensors that there are not.
SensorRow row_of(const SteeredStatics& statics, const std::vector<WantedReading>& targets);

struct InversePlan {
  std::string title;
  SceneDocument scene;
  std::vector<SoughtInput> inputs;
  std::vector<WantedReading> targets;
  std::vector<std::vector<double>>
      points;               ///< of each point what is wanted, the columns of all targets one after the other
  int max_iterations = 60;  ///< of each search
  int restarts = 4;  ///< searches from elsewhere within the bounds where a point is not reached from the one before
};

struct ReachedPoint {
  bool found = false;             ///< there is an equilibrium
  bool reached = false;           ///< every target within its tolerance
  std::vector<double> inputs;     ///< in the order of the plan
  std::vector<double> readings;   ///< columns of all targets
  std::vector<double> distances;  ///< left, of each target [its unit]
  double effort = 0;              ///< Σ ((u − ū)/s)²
  std::vector<char> at_bound;     ///< of each input
  int iterations = 0;
  long equilibria = 0;
  bool from_elsewhere = false;  ///< found from a restart: the inputs jump
  std::string message;          ///< why it is not reached
};

struct InverseListReport {
  std::vector<ReachedPoint> points;  ///< as many as were done
  bool interrupted = false;
  std::vector<std::string> warnings = {};
  std::size_t reached() const;
};

/// The search for inputs, which stays where the last one ended.
class InverseSearch {
 public:
  /// Throws InputError for inputs and sensors that the scene does not have.
  InverseSearch(SteeredStatics& statics, std::vector<SoughtInput> inputs, std::vector<WantedReading> targets,
                int max_iterations, int restarts);
  ~InverseSearch();
  /// From the equilibrium at which `statics` is, or by restarts.
  ReachedPoint reach(std::span<const double> wanted);
  /// What it reads; angles go on counting turns from `last`, which follows the search.
  SensorRow& row();

  /// Where it stays: what the next search goes on from.
  struct Place {
    State<double> state;
    bool stands = false;                     ///< the state is an equilibrium; else that of the scene
    std::vector<std::vector<double>> turns;  ///< of sensors that count them
    double effort = 0;                       ///< weight of effort at which a target was reached last
  };
  Place place() const;
  void return_to(const Place& place);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

struct InverseListOptions {
  std::function<void(std::size_t done, std::size_t all)> progress = {};
  const std::atomic<bool>* stop = nullptr;
  StudyLog* log = nullptr;  ///< points that it knows are taken from it, the others kept there
};
/// One point after the other, each from the one before. Throws FileError where the log cannot be written.
InverseListReport inverse_statics(const InversePlan& plan, const InverseListOptions& options = {});

/// Of all that decides what is found.
std::uint32_t fingerprint_of(const InversePlan& plan);

}  // namespace flexura

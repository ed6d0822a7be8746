#pragma once
// Where a place of a scene can be brought by inputs within their bounds, at equilibrium: the reachable set, its boundary, and how
// well the inputs move the place there.
//
//     samples    y(u) on a grid or a Sobol' sequence of u, each followed along the straight way from the inputs at the start
//     w = √det(J Jᵀ), κ = σ₁/σ_d      J = ∂y/∂u · diag(s), exact; s: efforts, or units of the inputs [yoshikawa1985]
//     boundary   the nearest points of the set to points just outside of it
//
// Of fewer inputs than numbers of the place, w = √det(JᵀJ): the set is a curve or a surface, which has no boundary of this kind.
//
// The cells of an even grid over the place are filled from the samples outwards: the neighbour of a cell that is reached is reached
// where inverse statics finds inputs for its middle; where it does not, the nearest point that it finds is one of the boundary. So
// what lies between samples is no hole, and boundary points are exact to the search, whatever the cells.

#include <array>

#include "flexura/study/inverse_statics.hpp"

namespace flexura {

struct WorkspacePlan {
  std::string title;
  SceneDocument scene;
  std::vector<SoughtInput> inputs;
  std::vector<int> counts = {};  ///< of a grid, for each input; empty: a Sobol' sequence
  long runs = 0;                 ///< of that
  std::uint64_t seed = 0;
  WantedReading
      place;  ///< up to three numbers of one unit; its tolerance is that of targets, 0: a thousandth of what is reached
  int cells = 40;  ///< along the longest side of the set; 0: no boundary
  std::vector<std::pair<std::string, std::vector<double>>> targets = {};

  std::size_t samples() const;
};

struct WorkspaceSample {
  bool found = false;
  std::vector<double> inputs, place;
  std::vector<double> singular_values = {};  ///< of J, largest first; empty: it has no derivative there
  double manipulability = 0, condition = 0;  ///< NaN where there is no derivative; κ is infinite where J is singular
};

struct WorkspaceTarget {
  std::string name;
  std::vector<double> wanted;
  ReachedPoint found;
};

struct WorkspaceReport {
  std::vector<WorkspaceSample> samples;
  std::vector<WorkspaceSample> boundary;
  std::vector<WorkspaceTarget> targets;
  double cell = 0;                             ///< side of a cell [unit of the place]
  std::vector<double> corner = {};             ///< of the cell 0, 0, 0
  std::vector<std::array<int, 3>> cells = {};  ///< that are reached
  double tolerance = 0;                        ///< of targets
  long equilibria = 0;
  bool interrupted = false;
  std::vector<std::string> warnings;

  std::size_t found() const;
  /// Length, area or volume of the cells that are reached; a cell at the boundary counts whole.
  double measure() const;
};

struct WorkspaceOptions {
  int threads = 1;  ///< the results do not depend on it
  std::function<void(const std::string& what, std::size_t done, std::size_t all)> progress = {};
  const std::atomic<bool>* stop = nullptr;
  StudyLog* log = nullptr;  ///< equilibria that it knows are taken from it, the others kept there
};

/// Throws InputError for inputs and sensors that the scene does not have, FileError where the log cannot be written.
WorkspaceReport map_workspace(const WorkspacePlan& plan, const WorkspaceOptions& options = {});

/// Of all that decides what is found.
std::uint32_t fingerprint_of(const WorkspacePlan& plan);

}  // namespace flexura

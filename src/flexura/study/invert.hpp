#pragma once
// Inverse problems: numbers of a scene for a wanted behaviour. Pressures for a pose, moments for a posture, stiffnesses and rest
// shapes for a deflection; at rest and in motion.
//
//     |y_i(p) − ŷ_i| ≤ τ_i,  and of all p that do it the one with the least Σ ((p_k − p̄_k)/s_k)²,  within bounds of p
//
// τ: tolerances; p̄: where a number makes no effort, s: what counts as one. Effort is weighed less and less against the targets,
// each search from the solution before, until the targets are met.

#include "flexura/study/identify.hpp"

namespace flexura {

/// Of a number that is sought: what it costs to be away from `rest`.
struct Effort {
  double rest = 0, scale = 1;  ///< [SI], or of the logarithm
};

struct Inversion {
  Identification what;  ///< targets are its measured values, tolerances their noise; without priors
  std::vector<std::optional<Effort>> effort;  ///< one for each number
};

struct InvertReport {
  bool reached = false;  ///< every target within its tolerance
  IdentifyReport fit;
  std::vector<double> miss;     ///< of each target, in its tolerance
  double effort = 0;            ///< Σ ((p − p̄)/s)²
  long runs = 0, recalled = 0;  ///< of all searches: computed, found in the log
};

/// Throws InputError as identify() does.
InvertReport invert(const Inversion& what, const IdentifyOptions& options = {});

}  // namespace flexura

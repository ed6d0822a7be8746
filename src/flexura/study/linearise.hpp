#pragma once
// A scene as a linear system about the state that a session is at: from signals to sensors.
//
//     δẋ = A δx + B δu        δy = C δx + D δu
//
// Part of flexura_ensemble.

#include <atomic>
#include <complex>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "flexura/run/session.hpp"

namespace flexura {

struct LinearQuestion {
  /// Signals by name; none: those of type "input", and where there are none all that something feels.
  std::vector<std::string> inputs = {};
  /// "tip", "tip.y"; none: all sensors that the state and the inputs decide, the others are told in the warnings.
  std::vector<std::string> outputs = {};
  /// The state need be no equilibrium, though an analysis without time comes next: its accelerations are found and told.
  bool as_it_is = false;
};

/// Where a scene is linearised; nothing said: behind the analyses without time that come first, at the equilibrium of a static one.
struct LinearisationPoint {
  bool start = false;         ///< where the first analysis begins
  std::optional<double> t{};  ///< [s]
  std::string analysis = {};  ///< behind the analysis of this name
};
/// A session that has gone there. Throws InputError for times and names that there are not, LinearisationError where the run fails.
Session session_at(SceneDocument document, const LinearisationPoint& at, const std::atomic<bool>* stop = nullptr);

/// A name, and the unit of its numbers; "" where the unit is that of whatever the signal drives.
struct NamedUnit {
  std::string name, unit;
};

struct LinearModel {
  double t = 0;  ///< of the state [s]
  std::vector<NamedUnit> states, inputs, outputs;
  std::vector<double> A, B, C, D;            ///< row after row
  std::vector<double> x, u, y;               ///< at the state
  std::vector<double> drift;                 ///< ẋ there, zero at rest
  int constraints = 0;                       ///< independent ones, projected out
  std::vector<std::string> without_inertia;  ///< coordinates that follow the rest at once: no states
  bool shifted = false;                      ///< states are coordinates less multiples of inputs, whose rates act
  std::vector<std::string> warnings;
};

/// Throws InputError with all that is wrong with the question or the scene; LinearisationError where the equations have no such form.
LinearModel linearise(const Session& session, const LinearQuestion& question = {});

/// Eigenvalues of A [1/s], by their size; of those within 1e-9 of each other, as pairs are, the lower one first.
std::vector<std::complex<double>> poles_of(const LinearModel& model);

/// H(iω) [frequencies × outputs × inputs] by the sparse matrices of all unknowns, so also of models that are too large for
/// `linearise`, and where rates of inputs reach the outputs. Of a state at rest.
struct FrequencyResponses {
  std::vector<NamedUnit> inputs, outputs;
  std::vector<double> frequencies;  ///< [Hz]
  std::vector<std::complex<double>> response;
  std::vector<std::string> warnings;
};
FrequencyResponses frequency_response(const Session& session, const LinearQuestion& question,
                                      std::span<const double> frequencies);

struct LinearisationError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace flexura

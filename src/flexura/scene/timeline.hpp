#pragma once
// The analyses of a scene in order, cut where the model changes because something begins or ends to act.

#include <string>
#include <vector>

#include "flexura/scene/document.hpp"
#include "flexura/solve/drift_control.hpp"

namespace flexura {

/// One [[analysis]] in plain numbers.
struct AnalysisSpec {
  enum class Kind { statics, dynamics, kinematics, inverse_dynamics, modes };
  enum class Method { generalized_alpha, hht, newmark, energy_momentum, rk4, rk45, rk853, adams };
  enum class Tangent { modified, once_per_step, full };
  enum class Stabilisation { projection, none, baumgarte, fuzzy };

  std::string name;
  Kind kind = Kind::dynamics;
  double begin = 0, end = 0;  ///< [s]; equal for statics and modes
  double tolerance = 1e-8;
  int max_iterations = 25;
  // statics
  double load_step = 0.1;
  bool arc_length = false;
  // dynamics
  double step = 1e-3;  ///< [s]
  Method method = Method::generalized_alpha;
  double rho_inf = 0.8;  ///< generalized-α
  double alpha = -0.05;  ///< HHT
  bool project_velocities = false;
  double rtol = 1e-8, atol = 1e-10;                         ///< explicit methods with steps of their own
  double atol_vector = -1, atol_velocity = -1;              ///< negative: as atol, 100 atol
  int max_order = 12;                                       ///< Adams
  Stabilisation stabilisation = Stabilisation::projection;  ///< of explicit methods
  BaumgarteOptions baumgarte;
  FuzzyOptions fuzzy;
  Tangent tangent = Tangent::modified;
  double checkpoint = 0;  ///< interval [s]; 0: chosen by the run
  bool adaptive = false;
  double error_tolerance = 1e-4, min_step = 1e-9, max_step = 0;  ///< [1, s, s]; 0: no limit
  /// Whether the method chooses its steps between the times of `step`.
  bool has_own_steps() const { return method == Method::rk45 || method == Method::rk853 || method == Method::adams; }
  // modes
  int mode_count = 10;
  Source source;

  bool over_time() const { return kind != Kind::statics && kind != Kind::modes; }
};

/// A stretch of time in which the model stays the same.
struct Segment {
  int analysis = 0;
  double begin = 0, end = 0;  ///< [s]
  int model = 0;              ///< index into SceneModels
};

struct Timeline {
  std::vector<AnalysisSpec> analyses;
  std::vector<Segment> segments;
};

/// When a record acts: as long as `from` and `until` say, in time or by analyses.
struct Activation {
  double from = -1e300, until = 1e300;  ///< [s], from ≤ t < until
  int first_analysis = 0, last_analysis = 1 << 30;

  bool always() const { return from <= -1e300 && until >= 1e300 && first_analysis == 0 && last_analysis == 1 << 30; }
  /// Throughout the segment (the analyses cut at from and until).
  bool covers(const Segment& segment) const;
};
Activation activation_of(const Record& record, const Timeline& timeline);

/// Loads follow `from` and `until` within a model; for everything else a new model begins.
bool changes_model(const Record& record);

/// Analyses and segments; `model` is not yet set. Problems are appended.
Timeline make_timeline(const SceneDocument& scene, std::vector<Problem>& problems);

}  // namespace flexura

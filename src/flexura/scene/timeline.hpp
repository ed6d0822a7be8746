#pragma once
// The analyses of a scene in order, cut where the model changes because something begins or ends to act.

#include <memory>
#include <string>
#include <vector>

#include "flexura/integrate/analyses.hpp"
#include "flexura/scene/document.hpp"

namespace flexura {

/// One [[analysis]]: when, and what.
struct AnalysisSpec {
  std::string name;
  std::string type;           ///< its row in analyses()
  double begin = 0, end = 0;  ///< [s]; equal where it takes no time
  std::shared_ptr<const Analysis> what;
  Source source;

  Analysis::Axis axis() const { return what->axis(); }
  /// Null of an analysis that takes no time.
  const MotionAnalysis* motion() const { return dynamic_cast<const MotionAnalysis*>(what.get()); }
  /// Between the times at which it is asked for [s]; 0 where it takes no time.
  double step() const { return over_time() ? motion()->step : 0; }
  bool over_time() const { return axis() == Analysis::Axis::time; }
  bool finds_equilibria() const { return axis() == Analysis::Axis::load_factor; }
  bool finds_modes() const { return axis() == Analysis::Axis::mode; }
  /// Motion under forces, or one that prescribed motions decide.
  bool is_dynamic() const { return over_time() && !motion()->is_driven(); }
  bool is_driven() const { return over_time() && motion()->is_driven(); }
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

/// Loads follow `from` and `until` within a model; for everything else, and for what follows a target, a new model begins.
bool changes_model(const Record& record);

/// Analyses and segments; `model` is not yet set. Problems are appended.
Timeline make_timeline(const SceneDocument& scene, std::vector<Problem>& problems);

}  // namespace flexura

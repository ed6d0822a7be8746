#pragma once
// A scene made into models: one for each span of time in which the same parts, joints and masses act.
//
//     SceneModel scene(document);                  // throws InputError with every problem
//     SegmentModel m = scene.build(t, analysis);   // what acts at t in that analysis
//
// Loads are gated inside a model (EffectiveSignal); joints, masses and springs that come or go change the model:
// `structural_events` lists those times, at which the caller rebuilds and maps the state by slot names.

#include <map>
#include <string>
#include <vector>

#include "flexura/integrate/generalized_alpha.hpp"
#include "flexura/model/model_builder.hpp"
#include "flexura/model/sensor.hpp"
#include "flexura/scene/document.hpp"
#include "flexura/solve/statics.hpp"

namespace flexura {

enum class AnalysisKind { statics, dynamics, modes };

struct AnalysisSpec {
  std::string name;
  AnalysisKind kind = AnalysisKind::dynamics;
  double end = 0, step = 1e-3;       ///< dynamics [s]; `end` is a time, not a duration
  NewmarkFamily method;
  std::string method_name;           ///< "generalized-alpha", "hht", "newmark"
  NewtonOptions newton;
  bool adaptive = false;
  double error_tolerance = 1e-5, min_step = 1e-8, max_step = 1;
  double checkpoint = 0;             ///< interval of simulated time [s]; 0: chosen by the program
  StaticOptions statics;
  int modes = 10;
  Source source;
};

struct OutputSpec {
  double interval = 0;         ///< of states [s]; 0: 200 over the analysis
  double sensor_interval = 0;  ///< [s]; 0: every step
};

struct SegmentModel {
  Model model;
  std::vector<Sensor> sensors;
  std::vector<CurveShape> curves;
  std::vector<Problem> warnings;
};

class SceneModel {
 public:
  explicit SceneModel(const SceneDocument& document);

  const std::vector<AnalysisSpec>& analyses() const { return analyses_; }
  const OutputSpec& output() const { return output_; }
  /// Parts, joints, masses, springs and gravity that act at t (right of it) in analysis number `analysis`.
  SegmentModel build(double t, int analysis) const;
  /// Times in (t0, t1] at which something that is part of the model comes or goes, ascending.
  std::vector<double> structural_events(double t0, double t1, int analysis) const;

 private:
  const SceneDocument& document_;
  std::vector<AnalysisSpec> analyses_;
  OutputSpec output_;
};

}  // namespace flexura

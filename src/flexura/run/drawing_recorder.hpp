#pragma once
// Writes the drawings of a scene's models into a run's journal, and over time the numbers that go with them.

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "flexura/observe/sensor_probe.hpp"
#include "flexura/output/drawn_fields.hpp"
#include "flexura/output/journal_writer.hpp"
#include "flexura/scene/scene_model.hpp"
#include "flexura/solve/state.hpp"

namespace flexura {

class DrawingRecorder {
 public:
  /// Draws every model. Of a journal that goes on the drawings are there already.
  void define(JournalWriter& writer, const SceneModels& scene, bool resumed);
  /// From now on states are those of this analysis in this model.
  void enter(JournalWriter& writer, const AnalysisSpec& analysis, int model, const ChannelColumn& axis);
  /// Fields and arrows of a state, with the signals that the assembler has. `v` empty: at rest. The probe shares redundant forces.
  void write(JournalWriter& writer, double at, const Assembler<double>& assembler, const State<double>& state,
             std::span<const double> v, SensorProbe& probe);
  /// The configuration that modes swing about.
  void write_base(JournalWriter& writer, const std::string& analysis, std::span<const double> q);

 private:
  struct Model {
    DrawnModel drawn;
    std::unique_ptr<DrawnFields> fields;  ///< refers to `drawn`
    bool show_constraints = false;
  };
  std::vector<std::unique_ptr<Model>> models_;
  int model_ = 0;
  bool has_columns_ = false;
  ChannelId id_ = 0;
  std::vector<double> values_, quantities_, row_;
};

}  // namespace flexura

#include "flexura/run/drawing_recorder.hpp"

#include <algorithm>
#include <cmath>

#include "flexura/output/drawing_file.hpp"

namespace flexura {

void DrawingRecorder::define(JournalWriter& writer, const SceneModels& scene, bool resumed) {
  for (const SceneModel& model : scene.models) {
    Model& own = *models_.emplace_back(std::make_unique<Model>());
    own.drawn = draw_model(model, model.sensors);
    own.fields = std::make_unique<DrawnFields>(model, own.drawn);
    own.show_constraints = own.fields->show_constraints();
    if (!resumed) write_drawing(writer, static_cast<int>(models_.size()) - 1, own.drawn.drawing);
  }
}

void DrawingRecorder::enter(JournalWriter& writer, const AnalysisSpec& analysis, int model, const ChannelColumn& axis) {
  model_ = model;
  const Drawing& drawing = models_[model]->drawn.drawing;
  const Channel channel = drawing_channel(model, analysis.name, axis, drawing);
  has_columns_ = channel.columns.size() > 1;
  if (has_columns_) id_ = *writer.define(channel);
  values_.resize(drawing.fields.size() * static_cast<size_t>(drawing.field_points));
  quantities_.resize(3 * drawing.quantities.size());
}

void DrawingRecorder::write(JournalWriter& writer, double at, const Assembler<double>& assembler,
                            const State<double>& state, std::span<const double> v, SensorProbe& probe) {
  if (!has_columns_) return;
  const Model& model = *models_[model_];
  const State<double>& shown = model.show_constraints ? probe.shared(state) : state;
  model.fields->evaluate(assembler, state.t, shown.q, v, values_, quantities_);
  drawing_row(model.drawn.drawing, at, values_, quantities_, row_);
  // Of a function of the program that has given up.
  if (!std::all_of(row_.begin(), row_.end(), [](double x) { return std::isfinite(x); })) return;
  writer.row(id_, row_);
}

void DrawingRecorder::write_base(JournalWriter& writer, const std::string& analysis, std::span<const double> q) {
  writer.array({drawing_table(model_, analysis) + "/base",
                {q.size()},
                ColumnType::real,
                {q.begin(), q.end()},
                {},
                "m",
                "generalized coordinates that the modes swing about"});
}

}  // namespace flexura

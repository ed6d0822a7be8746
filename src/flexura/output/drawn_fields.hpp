#pragma once
// The numbers that colour a drawing, and the vectors of its arrows, from a state.

#include <span>
#include <vector>

#include "flexura/observe/moment.hpp"
#include "flexura/output/draw_model.hpp"

namespace flexura {

/// Fields of a drawing of the model: the drawn rows of the table of quantities that can be read at any of its field points, in
/// the order of the fields, and the pressures of its chambers.
std::vector<DrawnField> fields_of(const Machine& machine, const DrawnModel& drawn);

/// Reads them, and what loads do. Values come from the readers of the quantities: each field point is bound once, as a sensor
/// is, for each row that can be read there. Keeps references to both arguments.
class DrawnFields {
 public:
  DrawnFields(const Machine& machine, const DrawnModel& drawn);
  DrawnFields(const DrawnFields&) = delete;
  DrawnFields& operator=(const DrawnFields&) = delete;

  const std::vector<DrawnField>& fields() const { return fields_; }
  /// Some colour is the force of a constraint: where rows are redundant, of the state with the multipliers of least size.
  bool show_constraints() const;

  /// Of a state of this model, with the signals that its assembler has: q and v [nq] in q order, v empty: at rest.
  /// values [fields × field_points], field by field, NaN: no value. quantities [quantities × 3].
  void evaluate(const Assembler<double>& assembler, double t, std::span<const double> q, std::span<const double> v,
                std::span<double> values, std::span<double> quantities);

 private:
  /// A row of the table at a field point.
  struct Reading {
    int field = 0, point = 0;
    BoundSensor sensor;
    BoundSensor deeper = {};  ///< at edges of plates: what is drawn lies on the line through both
  };
  /// What items do together, as an arrow shows it.
  struct Effort {
    DrawnPlaces::Effort::Kind kind = DrawnPlaces::Effort::Kind::force;
    SensorPlace place;
    const SlotMap* axis = nullptr;  ///< along_axis: a row, or empty
  };

  Triple vector_of(const Effort& effort) const;
  double number(const BoundSensor& sensor);

  const Drawing& drawing_;
  std::vector<DrawnField> fields_;
  std::vector<SensorPlace> places_;  ///< of the field points
  std::vector<SensorPlace> deeper_;  ///< behind those at edges of plates
  std::vector<SensorPlace> chambers_;
  std::vector<Reading> readings_;  ///< point by point
  std::vector<Effort> efforts_;
  Moment now_;
  State<double> state_;
  std::vector<double> numbers_;  ///< that one row writes
};

}  // namespace flexura

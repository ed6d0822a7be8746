#pragma once
// The numbers that colour a drawing, and the vectors of its arrows, from a state.

#include <memory>
#include <span>

#include "flexura/assembly/assembler.hpp"
#include "flexura/assembly/drives.hpp"
#include "flexura/math/triple.hpp"
#include "flexura/report/drawing.hpp"

namespace flexura {

/// Fields that make sense for the model: strain, curvature, stress, forces and moments of cables and beams, von Mises' stress,
/// membrane force and bending moment of plates, axial force of springs and rods, pressure of chambers, speed. Values come from the engine's own elements (Batch::probe,
/// Batch::item_force), signals as in the run. Keeps references to both arguments.
class DrawnFields {
 public:
  DrawnFields(const SceneModel& scene, const Drawing& drawing);

  const std::vector<DrawnField>& fields() const { return fields_; }

  /// A stretch of states begins at time t. Static: loads grow from those of the last state read to those of t.
  void begin(double t, bool is_static);
  /// Of a state of the stretch: at time `axis`, or of a static analysis at that share of the loads; q and v [nq] in q
  /// order, v empty: at rest. Times ascend within a run: lags are followed from one state to the next as if what they
  /// follow were linear between, and begin at rest or where the scene says. (In the run they follow each step.) Inputs
  /// keep their first value.
  /// values [fields × field_points], field by field, NaN: no value. quantities [quantities × 3].
  void evaluate(std::span<const double> q, std::span<const double> v, double axis, std::span<double> values,
                std::span<double> quantities);

 private:
  enum class Source {
    strain,
    curvature,
    moment,
    stress,
    axial_force,
    torque,
    shear,
    pressure,
    speed,
    plate_stress,
    membrane,
    bending
  };
  struct Pressure {
    int cable = 0;            ///< index into SceneModel::cables
    double from = 0, to = 1;  ///< shares of its length
    int signal = 0;           ///< effective
  };
  struct Resistance {
    double area = 0, modulus1 = 0, modulus2 = 0;  ///< 0: not known
  };

  void list_fields();
  void list_pressures();
  void set_signals(double axis);
  /// What the elements say at a point: the term's probes, their mean at a node.
  std::array<double, most_probes> inside(const Drawing::FieldPoint& point, const double* q) const;
  double strain(const Drawing::FieldPoint& point, int index, double axial_force, const double* q) const;
  double stress(const Drawing::FieldPoint& point, int index, const std::array<double, most_probes>& inside) const;
  double tension(const Drawing::FieldPoint& point, const double* q, const double* v) const;
  /// Σ weight · x of a row; places that do not move count if `fixed`.
  Triple combine(const SlotMap& map, int row, const double* x, bool fixed) const;
  Triple quantity(const Drawing::Quantity& quantity, const double* q, const double* v) const;
  const ItemBatch& force_of(const ItemPlace& at, const double* q, const double* v) const;
  bool is_beam(const Drawing::FieldPoint& point) const;

  const SceneModel& scene_;
  const Drawing& drawing_;
  const Topology& topology_;
  std::unique_ptr<Assembler<double>> assembler_;
  Drives drives_;
  std::vector<DrawnField> fields_;
  std::vector<Source> sources_;                   ///< of the fields
  std::vector<std::vector<Pressure>> pressures_;  ///< of the fields that are pressures
  std::vector<Resistance> resistances_;           ///< of the field points
  double time_ = 0;
  bool is_static_ = false, has_begun_ = false;
  std::vector<double> lags_, next_lags_, from_, still_;
  mutable std::vector<double> local_;  ///< force of one item
};

}  // namespace flexura

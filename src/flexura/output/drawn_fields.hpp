#pragma once
// The numbers that colour a drawing, and the vectors of its arrows, from a state.

#include <array>
#include <span>
#include <vector>

#include "flexura/assembly/assembler.hpp"
#include "flexura/math/triple.hpp"
#include "flexura/output/draw_model.hpp"

namespace flexura {

/// Fields that make sense for the model: strain, curvature, stress, forces and moments of cables and beams, von Mises' stress,
/// membrane force and bending moment of plates, axial force of springs and rods, pressure of chambers, speed. Values come
/// from the engine's own elements (Batch::probe, Batch::item_force). Keeps references to both arguments.
class DrawnFields {
 public:
  DrawnFields(const Machine& scene, const DrawnModel& drawn);

  const std::vector<DrawnField>& fields() const { return fields_; }

  /// Of a state of this model, with the signals that its assembler has: q and v [nq] in q order, v empty: at rest.
  /// values [fields × field_points], field by field, NaN: no value. quantities [quantities × 3].
  void evaluate(const Assembler<double>& assembler, double t, std::span<const double> q, std::span<const double> v,
                std::span<double> values, std::span<double> quantities);

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
    int cable = 0;            ///< index into Machine::cables
    double from = 0, to = 1;  ///< shares of its length
    int signal = 0;           ///< effective
  };
  struct Resistance {
    double area = 0, modulus1 = 0, modulus2 = 0;  ///< 0: not known
  };

  void list_fields();
  void list_pressures();
  /// What the elements say at a point: the term's probes, their mean at a node.
  std::array<double, most_probes> inside(const DrawnPlaces::FieldPoint& point, const double* q) const;
  double strain(const DrawnPlaces::FieldPoint& point, int index, double axial_force, const double* q) const;
  double stress(const DrawnPlaces::FieldPoint& point, int index, const std::array<double, most_probes>& inside) const;
  double tension(const DrawnPlaces::FieldPoint& point, const double* q, const double* v) const;
  /// Σ weight · x of a row; places that do not move count if `fixed`.
  Triple combine(const SlotMap& map, int row, const double* x, bool fixed) const;
  Triple vector_of(const DrawnPlaces::Effort& effort, const double* q, const double* v) const;
  const ItemBatch& force_of(const ItemPlace& at, const double* q, const double* v) const;
  bool is_beam(const DrawnPlaces::FieldPoint& point) const;

  const Machine& scene_;
  const Drawing& drawing_;
  const DrawnPlaces& places_;
  const Topology& topology_;
  const Assembler<double>* assembler_ = nullptr;  ///< of the state that is read
  double time_ = 0;                               ///< the same [s]
  std::vector<DrawnField> fields_;
  std::vector<Source> sources_;                   ///< of the fields
  std::vector<std::vector<Pressure>> pressures_;  ///< of the fields that are pressures
  std::vector<Resistance> resistances_;           ///< of the field points
  std::vector<double> still_;
  mutable std::vector<double> local_;  ///< force of one item
};

}  // namespace flexura

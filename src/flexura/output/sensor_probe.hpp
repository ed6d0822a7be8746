#pragma once
// Reads the sensors of a scene's model from a state.

#include <memory>
#include <span>
#include <vector>

#include "flexura/output/journal_record.hpp"
#include "flexura/output/violation.hpp"
#include "flexura/scene/scene_model.hpp"
#include "flexura/solve/constraints.hpp"

namespace flexura {

/// Energies of the whole model at a moment [J].
struct Energies {
  double kinetic = 0, strain = 0;
  double gravity = 0;     ///< potential energy of weight, −f·q
  double dissipated = 0;  ///< in dampers, since the start
  double work = 0;        ///< of loads and prescribed motions, since the start
  double numerical = 0;   ///< lost (> 0) or gained by the integration since the start
};

class SensorProbe {
 public:
  SensorProbe(const SceneModel& scene, System<double>& system);

  /// What a sensor records in one row, and how many numbers that is.
  static std::vector<ChannelColumn> columns(const SensorSpec& sensor, int dim);
  static int size(const SensorSpec& sensor, int dim);

  /// Prepares to read sensors at this state: the signals of state.t must be set. `inertia`: reactions include it.
  void update(const State<double>& state, bool inertia, const Energies& energies);
  /// Enough for sensors of places, directions, coordinates and strains, and much cheaper.
  void look_at(const State<double>& state) {
    state_ = &state;
    system_.look_back(state);
  }
  bool needs_forces(int index) const { return sensors_[index].needs_forces; }
  /// `last`: what the sensor read before, from which angles count turns and quaternions keep their sign.
  void read(int index, std::span<double> out, std::span<const double> last) const;

  /// The state read last, its multipliers those of least size where rows are redundant and a sensor asks for forces.
  const State<double>& state() const { return *state_; }
  const ViolationProbe& violations() const { return violations_; }

 private:
  /// A sensor with all that is looked up once.
  struct Sensor {
    const SensorSpec* spec = nullptr;
    void (SensorProbe::*read)(const Sensor&, std::span<double> out, std::span<const double> last) const = nullptr;
    int size = 0;
    bool needs_forces = false;               ///< or energies, signals, multipliers: all that update() works out
    std::vector<std::pair<int, int>> items;  ///< batch and item: of the element, or of the item shares
    std::vector<int> rows;                   ///< of constraints
    int probe = 0;                           ///< index of the quantity inside the element, of the first of a wall's
  };
  In<double> input() const { return system_.assembler.input(state_->t, state_->q.data(), state_->v.data()); }
  template <std::vector<double> State<double>::* From>
  void read_place(const Sensor& s, std::span<double> out, std::span<const double> last) const;
  void read_direction(const Sensor& s, std::span<double> out, std::span<const double> last) const;
  void read_angle(const Sensor& s, std::span<double> out, std::span<const double> last) const;
  void read_coordinate(const Sensor& s, std::span<double> out, std::span<const double> last) const;
  void read_body(const Sensor& s, std::span<double> out, std::span<const double> last) const;
  template <std::vector<double> State<double>::* Rates>
  void read_turning(const Sensor& s, std::span<double> out, std::span<const double> last) const;
  void read_inside(const Sensor& s, std::span<double> out, std::span<const double> last) const;
  void read_wall(const Sensor& s, std::span<double> out, std::span<const double> last) const;
  void read_distance(const Sensor& s, std::span<double> out, std::span<const double> last) const;
  void read_elastic(const Sensor& s, std::span<double> out, std::span<const double> last) const;
  void read_reaction(const Sensor& s, std::span<double> out, std::span<const double> last) const;
  void read_reaction_moment(const Sensor& s, std::span<double> out, std::span<const double> last) const;
  void read_multipliers(const Sensor& s, std::span<double> out, std::span<const double> last) const;
  void read_violation(const Sensor& s, std::span<double> out, std::span<const double> last) const;
  void read_energy(const Sensor& s, std::span<double> out, std::span<const double> last) const;
  void read_momentum(const Sensor& s, std::span<double> out, std::span<const double> last) const;
  void read_angular_momentum(const Sensor& s, std::span<double> out, std::span<const double> last) const;
  void read_signal(const Sensor& s, std::span<double> out, std::span<const double> last) const;

  struct Reading;
  static const Reading readings[];

  const double* at(int slot) const;
  void at_place(const SensorSpec& s, const std::vector<double>& from, bool gradient, double* out) const;
  void plate_direction(const SensorSpec& s, std::span<double> out) const;
  void share_redundant(const State<double>& state);
  void for_item_shares(const Sensor& s, auto&& add) const;
  void for_momenta(auto&& add) const;

  const SceneModel& scene_;
  System<double>& system_;
  ViolationProbe violations_;
  const State<double>* state_ = nullptr;
  Energies energies_;
  bool needs_elastic_ = false, needs_residual_ = false, needs_signals_ = false;
  bool needs_multipliers_ = false;            ///< and rows are redundant
  std::unique_ptr<Constraints> constraints_;  ///< for the multipliers of least size
  State<double> least_;                       ///< the state with those
  std::vector<Sensor> sensors_;
  std::vector<double> residual_, elastic_;          ///< residual_: Q − C v − M a in q order
  std::vector<double> carried_;                     ///< residual_, and at each slot that of the slots defined by it
  std::vector<const SlotDefinition*> definitions_;  ///< each before those of its masters
  void order_definitions();
  void carry_residual();
  mutable std::vector<double> local_;     ///< force of one item
  mutable std::vector<double> momentum_;  ///< M v, in q order
  std::vector<SignalValue> signals_;
};

}  // namespace flexura

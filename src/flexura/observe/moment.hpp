#pragma once
// What readers of quantities see: a model at a moment, and what of it has been worked out.

#include <array>
#include <span>
#include <vector>

#include "flexura/assembly/assembler.hpp"
#include "flexura/math/triple.hpp"
#include "flexura/observe/energies.hpp"
#include "flexura/observe/relation_forces.hpp"
#include "flexura/observe/sensor.hpp"
#include "flexura/observe/violation.hpp"
#include "flexura/solve/state.hpp"

namespace flexura {

/// A quantity at a place with all that is looked up once.
struct BoundSensor {
  const SensorPlace* place = nullptr;
  const Quantity* quantity = nullptr;
  int choice = 0;                  ///< of Quantity::selection
  int size = 0;                    ///< numbers
  std::array<int, 6> probes = {};  ///< Quantity::probes in the elements there, −1 where they have none
  std::vector<int> rows = {};      ///< of constraints
};
BoundSensor bind(const Quantity& quantity, const SensorPlace& place, int choice, const Topology& topology);

/// Quantities inside an element, as its term's `probes` names them.
using Probes = std::array<double, most_probes>;

class Moment {
 public:
  Moment(const Machine& its_machine, const Topology& its_topology) : machine(its_machine), topology(its_topology) {}

  const Machine& machine;
  const Topology& topology;
  const Assembler<double>* assembler = nullptr;
  const ViolationProbe* violations = nullptr;
  const RelationForces* relations = nullptr;  ///< where a reaction is read
  const State<double>* state = nullptr;
  // What Quantity::needs asks for.
  Energies energies = {};
  std::vector<double> residual = {};  ///< Q − C v − M a in q order
  std::vector<double> elastic = {};   ///< in q order
  std::vector<SignalValue> signals = {};
  mutable std::vector<double> momentum = {};  ///< scratch: M v, in q order

  /// Memory for what is read at such a place.
  void make_room(const SensorPlace& place);
  /// Before anything is read of a state that is another or has changed.
  void forget() const { probed_ = nullptr, held_ = {}; }

  int dim() const { return topology.dim; }
  const Slot& slot(int slot) const { return topology.slots[slot]; }
  const double* q(int slot) const { return &state->q[this->slot(slot).offset]; }
  /// Two or three numbers as a vector of space.
  Triple vector(const double* x) const { return {x[0], x[1], dim() == 3 ? x[2] : 0.0}; }
  /// Of numbers in q order. Nothing where the place has none, as a direction that is not there.
  void at(const SlotSum& sum, const std::vector<double>& from, std::span<double> out) const {
    if (!sum.empty()) evaluate(sum, topology, from, out);
  }
  Triple at(const SlotSum& sum, const std::vector<double>& from) const {
    Triple out{};
    at(sum, from, out);
    return out;
  }
  Triple at(const SlotSum& sum) const { return at(sum, state->q); }

  /// Inside each of the elements there. Worked out once for all that is read at one place.
  std::span<const Probes> inside(const SensorPlace& place) const;
  /// The mean over them of the sensor's k-th probe, and of those behind it; 0 where there is none.
  double mean(const BoundSensor& sensor, int k, int behind = 0) const;

  /// The force of an item on one of its slots. The item is evaluated once for all of them.
  Triple force(const ItemRef& item, int slot) const;
  /// The model's slot that is an item's local one; of a signal the effective signal.
  int slot_of(const ItemRef& item, int slot) const;

 private:
  mutable const SensorPlace* probed_ = nullptr;
  mutable std::vector<Probes> probes_;  ///< in the elements of probed_
  mutable ItemRef held_ = {};
  mutable std::vector<double> local_;  ///< force of held_
};

// What items do, Σ over their shares, added to `out`.
using ItemShares = std::span<const JointReaction::ItemShare>;
/// Forces on points.
void add_item_forces(const Moment& now, ItemShares shares, std::span<double> out);
/// Moments: x × f of vectors and, if `about` is one, of points about it.
void add_item_moments(const Moment& now, ItemShares shares, const Triple* about, std::span<double> out);
/// Of two points what pulls them together, of two directions the moment on the second, of a coordinate its force.
void add_item_efforts(const Moment& now, ItemShares shares, std::span<double> out);

/// x × f, added to a moment: all of it, or its part out of the plane.
void add_moment(const Triple& x, const Triple& f, double factor, std::span<double> out);

}  // namespace flexura

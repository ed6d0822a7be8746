#pragma once
// What readers of quantities see: a model at a moment, and what of it has been worked out.

#include <array>
#include <span>
#include <vector>

#include "flexura/assembly/batch.hpp"
#include "flexura/math/triple.hpp"
#include "flexura/observe/energies.hpp"
#include "flexura/observe/sensor.hpp"
#include "flexura/observe/violation.hpp"
#include "flexura/solve/system.hpp"

namespace flexura {

struct Moment {
  const Machine& machine;
  System<double>& system;
  const ViolationProbe& violations;
  const State<double>* state = nullptr;
  // What Quantity::needs asks for.
  Energies energies = {};
  std::vector<double> residual = {};  ///< Q − C v − M a in q order
  std::vector<double> carried = {};   ///< the same, and at each slot that of the slots defined by it
  std::vector<double> elastic = {};   ///< in q order
  std::vector<SignalValue> signals = {};
  mutable std::vector<double> local = {}, momentum = {};  ///< scratch: force of one item; M v, in q order

  int dim() const { return system.topology().dim; }
  const Slot& slot(int slot) const { return system.topology().slots[slot]; }
  const double* q(int slot) const { return &state->q[this->slot(slot).offset]; }
  /// Two or three numbers as a vector of space.
  Triple vector(const double* x) const { return {x[0], x[1], dim() == 3 ? x[2] : 0.0}; }
  /// Of numbers in q order. Nothing where the place has none, as a direction that is not there.
  void at(const LinearForm& form, const std::vector<double>& from, std::span<double> out) const {
    if (!form.terms.empty()) evaluate(form, system.topology(), from, out);
  }
  Triple at(const LinearForm& form) const {
    Triple out{};
    at(form, state->q, out);
    return out;
  }
  /// Quantities inside an element there, as its term's `probes` names them.
  std::array<double, most_probes> inside(const SensorSpec::ElementPlace& place) const {
    std::array<double, most_probes> out{};
    system.assembler.batches()[place.item.batch]->probe(
        place.item.index, system.assembler.input(state->t, state->q.data(), state->v.data()), place.xi, place.eta,
        out.data());
    return out;
  }
};

/// A sensor with all that is looked up once.
struct BoundSensor {
  const SensorSpec& spec;
  int size = 0;                    ///< numbers
  std::array<int, 4> probes = {};  ///< Quantity::probes in the elements there, −1 where they have none
  std::vector<int> rows = {};      ///< of constraints
};

/// x × f, added to a moment: all of it, or its part out of the plane.
void add_moment(const Triple& x, const Triple& f, double factor, std::span<double> out);

}  // namespace flexura

#pragma once
// Model = Topology (who touches whom; no physics) + Values (the numbers of one simulation).
//
//     q = [y | dependent]        y: free slots, second-order coordinates first, multipliers last
//     dependent slot = Σ W master + b₀ + Σ d_k u_k(t)

#include <memory>
#include <string>
#include <vector>

#include "flexura/base/problem.hpp"
#include "flexura/model/term_type.hpp"
#include "flexura/signal/signal_set.hpp"

namespace flexura {

class RegisteredLaw;  // load/external_law.hpp
struct ContactModel;  // model/contact_model.hpp

struct Slot {
  SlotKind kind = SlotKind::point;
  int size = 0;             ///< coordinates
  int offset = 0;           ///< in q
  int block = -1;           ///< of the linear solver; −1: dependent
  int block_offset = 0;     ///< within the block
  int dependent = -1;       ///< index into Topology::dependents; −1: free
  bool multiplier = false;  ///< an unknown without inertia
  bool is_length = false;   ///< a place, a component of one, a displacement or a length [m]; else a number or an angle
};

/// master contributes weights[first … + rows × columns) (row-major, rows = size of the dependent slot).
struct Weight {
  int master = 0;  ///< slot, always free
  int first = 0;   ///< into Values::weights
};

/// signal's value times direction[first … + size of the slot) (Values::directions).
struct Drive {
  int signal = 0;  ///< effective signal
  int first = 0;   ///< into Values::directions
};

struct Dependent {
  int slot = 0;
  int base = 0;  ///< b₀ at Values::bases[base … + size)
  std::vector<Weight> weights;
  std::vector<Drive> drives;
};

/// Items of one type with the same options.
struct ItemBatch {
  const TermType* type = nullptr;
  std::vector<int> options;
  int count = 0;
  std::vector<int> slots;  ///< [count × slots of the type]; signals: index of the effective signal
  std::vector<int> names;  ///< [count] into Topology::item_names
  int history = 0;         ///< numbers that an item remembers
  int first_history = 0;   ///< item i's at State::history[first_history + i history …]
};

/// Two points at a distance that a person named: "truss.boom".
struct Rod {
  int ends[2] = {-1, -1};  ///< slots
  std::string name;
};

/// A signal as a load sees it: signal −1 is the constant 1; acts for from ≤ t < until [s].
struct EffectiveSignal {
  int signal = -1;
  double from = -1e300, until = 1e300;
  int since = 0;  ///< number of the analysis that it begins with: there it grows from zero, whatever acts already
  bool operator==(const EffectiveSignal&) const = default;
};

struct Topology {
  int dim = 2;
  int ny = 0;      ///< free coordinates and multipliers
  int ncoord = 0;  ///< free second-order coordinates (a prefix of y)
  int nq = 0;
  int block_count = 0;
  std::vector<Slot> slots;
  std::vector<std::string> slot_names;
  std::vector<Dependent> dependents;
  std::vector<ItemBatch> batches;
  std::vector<std::string> item_names;
  std::vector<std::string> implied;  ///< names of constraints that follow from others: they are left out
  std::vector<EffectiveSignal> signals;
  std::shared_ptr<const SignalSet> signal_set;
  std::vector<std::shared_ptr<const RegisteredLaw>> laws;  ///< that items call: kept as long as they may
  int history = 0;                                         ///< numbers that all items remember
  int chunks = 1;                                ///< pieces of work; they belong to the model, not to the threads
  std::shared_ptr<const ContactModel> contacts;  ///< what may touch; null: nothing
  std::vector<std::vector<int>> rigid_bodies;    ///< points and vectors that carry each
  std::vector<Rod> rods;                         ///< what else keeps two points at a distance
  std::vector<Rod> pins;                         ///< what keeps two points together by multipliers

  int find_slot(const std::string& name) const;  ///< −1 if there is none
};

struct GravityField {
  double g[3] = {0, 0, 0};  ///< [m/s²]
  int signal = 0;           ///< effective signal
};

/// The numbers of one simulation; an ensemble is one Topology with many Values.
struct Values {
  std::vector<double> reference;  ///< X of every slot, in q order
  std::vector<double> q0, v0;     ///< initial state in q order
  std::vector<double> weights, bases, directions;
  std::vector<std::vector<double>> parameters;    ///< per batch [count × parameters of the type]
  std::vector<std::vector<double>> mass_damping;  ///< per batch [count], added force −c M v of the item [1/s]
  std::vector<GravityField> gravity;
};

struct Model {
  std::shared_ptr<const Topology> topology;
  Values values;
};

}  // namespace flexura

#pragma once
// A batch: all items of one type with the same options, behind one indirect call.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "flexura/model/model.hpp"

namespace flexura {

/// Numbers that Batch::probe writes, at most.
inline constexpr int most_probes = 90;

/// What a batch reads: coordinates and velocities in q order, effective signals and their rates, what items remember.
template <class S>
struct In {
  double t = 0;
  const S* q = nullptr;
  const S* v = nullptr;
  const S* sig = nullptr;
  const S* sig_rate = nullptr;
  const S* a = nullptr;  ///< accelerations, second derivatives of the signals: only for constraint_motion
  const S* sig_second = nullptr;
  const S* past = nullptr;    ///< history of all items at t_n
  double h = 0;               ///< since t_n [s]
  const S* before = nullptr;  ///< tangent only: q where stresses were known, from where they are predicted linearly
};

/// Φ, Φ̇ and Φ̈ of every constraint row along the motion (q, v, a), indexed as y; other entries are not touched.
template <class S>
struct ConstraintMotion {
  S *phi, *rate, *second;
};

/// Where a block of a local tangent goes: element (i, j) to values[offset + i row + j column]; offset < 0: nowhere.
struct Target {
  std::int32_t offset = -1;
  std::int16_t row = 0, column = 0;
};

/// An item that touches dependent slots: K̂ = Ŵᵀ K Ŵ over its free masters.
struct ReducedItem {
  int columns = 0;  ///< coordinates of the masters
  int weights = 0;  ///< column c of Ŵ: ItemMaps::weights[first_weight[weights + c] … first_weight[weights + c + 1])
  int first = 0, count = 0;  ///< masters: ItemMaps::masters[first … + count)
  int targets = 0;           ///< count × count targets in ItemMaps::reduced_targets
};
struct Master {
  int size = 0, column = 0;
};
/// An entry of Ŵ that is not zero.
template <class V>
struct MasterWeight {
  int row;
  V value;
};

/// Destinations of all items of a batch. Built by the assembler; determinism lives here.
template <class S>
struct ItemMaps {
  std::vector<int> chunk_first;  ///< [chunks + 1] first item of each chunk
  std::vector<int> gather;       ///< [items × slots] offset in q (signals: index)
  std::vector<int> scatter;      ///< [items × slots] offset in the residual, private cells included
  std::vector<Target> targets;   ///< [items × slots × slots]
  std::vector<int> reduced;      ///< [items] index into reduced_items, or −1
  std::vector<ReducedItem> reduced_items;
  std::vector<Master> masters;
  std::vector<Target> reduced_targets;
  std::vector<MasterWeight<ValueOf<S>>> weights;  ///< rows ascending
  std::vector<int> first_weight;
  bool symmetric_matrix = true;  ///< only one triangle of the matrix is stored
  // Four local coordinates that lie side by side in all items move as one pack; chunk c is coordinates 4c … 4c + 3.
  bool gather_packs = false, scatter_packs = false;
  std::vector<std::int32_t> blocks;    ///< [items × chunks × chunks] offset of a 4 × 4 block, −1: nowhere
  std::vector<char> block_by_columns;  ///< [chunks × chunks] a block's columns lie side by side, else its rows
  int block_stride = 0;                ///< from one to the next
  std::vector<char> in_blocks;         ///< [items] `blocks` holds all that the item scatters
  int first_multiplier = 0, end_multiplier = 0;  ///< offsets in q
};

/// Items of a batch with their parameters in every lane (ensemble) or with their derivative (dual: two Values).
struct BatchItems {
  const Topology* topology = nullptr;
  const ItemBatch* batch = nullptr;
  int index = 0;  ///< of the batch
  std::span<const Values* const> values;
};

template <class S>
class Batch {
 public:
  virtual ~Batch() = default;
  virtual void residual(int chunk, const In<S>& in, S* r) const = 0;
  virtual void tangent(int chunk, const In<S>& in, double cd, ValueOf<S>* values) const = 0;
  virtual S energy(const In<S>& in) const = 0;
  virtual S dissipation(const In<S>& in) const = 0;
  /// Energy lost since t_n by items that remember [J].
  virtual S loss(const In<S>& in) const = 0;
  /// Writes what items remember at the end of the step, all chunks or one, in the places of State::history.
  virtual void remember(int chunk, const In<S>& in, S* history) const = 0;
  /// remember() of items that have always been where they are.
  virtual void begin(const In<S>& in, S* history) const = 0;
  /// Quantities inside an item at shares of its length, of its width where it is a surface, and (ξ, η, ζ) of a solid: see the
  /// term's `probes`.
  virtual void probe(int item, const In<S>& in, const std::array<double, 3>& place, S* out) const = 0;
  /// Local force of one item, in the term's order of coordinates.
  virtual void item_force(int item, const In<S>& in, S* local) const = 0;
  /// Of constraints: exact, the kernel evaluated on Taylor numbers.
  virtual void constraint_motion(int chunk, const In<S>& in, const ConstraintMotion<S>& out) const = 0;
  /// Force over a step that conserves energy: a discrete gradient between the ends for what has an energy, forces of
  /// constraints and all else at the midpoint (multipliers of `mid`), constraint rows at the end.
  virtual void step_residual(int chunk, const In<S>& begin, const In<S>& mid, const In<S>& end, S* r) const = 0;
  /// −∂(step_residual)/∂(q at the end) with the gradient halfway for the discrete one; c_d = 2/h. With constraints the matrix
  /// must be unsymmetric.
  virtual void step_tangent(int chunk, const In<S>& begin, const In<S>& mid, const In<S>& end, double cd,
                            ValueOf<S>* values) const = 0;
  /// Scalars m_ab of an item, [slots × slots].
  virtual void mass(int item, S* m) const = 0;

  bool has_residual = false, has_mass = false, has_energy = false, has_dissipation = false, has_history = false;
  bool symmetric = true;
  Role role = Role::conservative;
  ItemMaps<S> maps;
};

}  // namespace flexura

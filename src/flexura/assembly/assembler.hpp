#pragma once
// Residual, tangent, mass and energy of a model, for S = double, Lanes (whole simulations) or Dual<double>.
//
//     r(q) = Q(q, v, t) in full space; the caller subtracts M a + C v and reduces with Tᵀ.
//     Before the reduction the entries of dependent slots are the reactions.
//
// Work is cut into chunks that belong to the model. The first chunk that touches an entry writes it; later ones write
// private cells behind the array, which are summed in a fixed order. So bits do not depend on the thread count.

#include <functional>
#include <memory>
#include <utility>

#include "flexura/assembly/batch.hpp"
#include "flexura/assembly/thread_pool.hpp"
#include "flexura/math/dual.hpp"

namespace flexura {

/// Blocks of y and the pairs that the items and masses couple.
struct CouplingPattern {
  std::vector<int> sizes;
  std::vector<char> multipliers;  ///< 1: a block of multipliers
  std::vector<std::pair<int, int>> pairs;
  bool symmetric = true;
  std::vector<char> skew;  ///< 1: an unsymmetric term acts on this block
};

/// Where the tangent is stored: value count, whether one triangle only, and the place of each block pair.
struct MatrixLayout {
  std::ptrdiff_t value_count = 0;
  bool symmetric = true;
  std::function<Target(int, int)> target;
};

struct AssemblerOptions {
  int threads = 1;
  bool unsymmetric = false;  ///< both triangles, whatever the terms say: for step_tangent
  /// Makes the batches of a solo simulation; the default's hold native_lanes items per block.
  std::unique_ptr<Batch<double>> (*make_batch)(const BatchItems&) = nullptr;
};

template <class S>
class Assembler {
 public:
  using V = ValueOf<S>;

  /// `values`: one per lane for Lanes; value and direction for Dual; one for double. They are only read here.
  Assembler(std::shared_ptr<const Topology> topology, std::span<const Values* const> values,
            const AssemblerOptions& options = {});
  ~Assembler();
  Assembler(const Assembler&) = delete;
  Assembler& operator=(const Assembler&) = delete;

  const Topology& topology() const { return *topology_; }
  const CouplingPattern& pattern() const { return pattern_; }
  void set_layout(const MatrixLayout& layout);

  std::vector<S> initial_q() const { return q0_; }
  std::vector<S> initial_v() const { return v0_; }

  /// Effective signals [topology().signals.size()]: value, first and second derivative.
  void set_signals(std::span<const SignalValue> signals);
  void set_signals(std::span<const S> u, std::span<const S> du, std::span<const S> ddu);

  /// What terms remember of t_n, in the places of State::history, and the time since then; as many numbers as
  /// Topology::history. What follows is evaluated after it; at first nothing has happened, and h = 0.
  void set_history(const std::vector<S>& past, double h);
  /// Writes what they remember at (t, q, v), the end of the step.
  void remember(double t, const S* q, const S* v, S* history) const;
  /// remember() of items that have always been at q.
  void begin_history(double t, const S* q, S* history) const;
  bool has_history() const { return !history_.empty(); }
  /// Energy that they have lost since t_n [J].
  S loss(double t, const S* q, const S* v) const;

  /// Dependent tails of q, v, a from their free parts and the signals.
  void expand(S* q, S* v, S* a) const;
  /// Entries that a residual needs: nq and private cells.
  int residual_size() const { return nq_ + private_; }
  /// r[0 … nq) = forces of all items and gravity at (q, v) and the current signals.
  /// `acting` [nq], if given: gravity and loads alone.
  void residual(double t, const S* q, const S* v, S* r, S* acting = nullptr) const;
  /// Forces of the items with that role only, without gravity; of loads with gravity.
  void forces_of(Role role, double t, const S* q, const S* v, S* f) const;
  /// The same of some batches, by their places in batches().
  void forces_of(std::span<const int> batches, double t, const S* q, const S* v, S* f) const;
  /// Those that read velocities, and those that read signals.
  const std::vector<int>& velocity_batches() const { return velocity_batches_; }
  const std::vector<int>& signal_batches() const { return signal_batches_; }
  /// f −= c M x
  void subtract_mass_times(const S* x, S c, S* f) const;
  /// f −= C v: mass-proportional damping.
  void subtract_damping(const S* v, S* f) const;
  bool has_loads() const { return !load_batches_.empty(); }
  bool has_damping() const { return has_damping_; }
  /// inertia = −M a, drag = −C v (both [nq], only entries with mass are written), r += inertia + drag.
  void add_inertia(const S* a, const S* v, S* inertia, S* drag, S* r) const;
  /// r(y) += Wᵀ r(dependent): after it the first ny entries are the reduced residual.
  void reduce(S* r) const;
  /// values = cm M + cd C + Σ (−∂Q/∂q − cd ∂Q/∂v), reduced. `before` [nq]: stresses are those that its tangent predicts.
  void tangent(double t, const S* q, const S* v, double cm, double cd, V* values, const S* before = nullptr);
  /// values = Σ (−∂Q/∂q − cd ∂Q/∂v) of some batches, reduced.
  void tangent_of_batches(std::span<const int> batches, double t, const S* q, const S* v, double cd, V* values);
  /// Φ, Φ̇, Φ̈ of all constraint rows along (q, v, a) with dependents expanded; [ny] each, coordinates untouched.
  void constraint_motion(double t, const S* q, const S* v, const S* a, const ConstraintMotion<S>& out) const;
  /// values = cm M and what constraints add: [cm M + λ Φ_qq, Φ_qᵀ; Φ_q, 0], reduced; pass q with λ = 0 for no Φ_qq.
  void constraint_matrix(double t, const S* q, const S* v, double cm, V* values);
  /// Forces over a step (batch.hpp: step_residual), gravity at the midpoint's signals included. Each input
  /// brings its own signals.
  void step_residual(const In<S>& begin, const In<S>& mid, const In<S>& end, S* r) const;
  void step_tangent(const In<S>& begin, const In<S>& mid, const In<S>& end, double cm, double cd, V* values);
  /// What batches read at the current signals.
  In<S> input(double t, const S* q, const S* v) const { return in(t, q, v); }
  /// values = M, C, reduced.
  void mass_matrix(V* values) const;
  void damping_matrix(V* values) const;

  S potential_energy(double t, const S* q) const;              ///< elastic energy of conservative items [J]
  S kinetic_energy(const S* v) const;                          ///< ½ vᵀ M v [J]
  S dissipation(double t, const S* q, const S* v) const;       ///< power lost in dampers, C included [W]
  S item_dissipation(double t, const S* q, const S* v) const;  ///< the same without C
  /// Gravity force at the current signals.
  const std::vector<S>& gravity_force() const { return gravity_; }
  /// Acceleration of gravity at the current signals [m/s²].
  const std::array<S, 3>& gravity() const { return gravity_at_; }
  S inner(const S* a, const S* b) const;  ///< Σ a b over nq
  /// Total mass seen by a uniform translation along x [kg].
  S total_mass() const;

  /// (master slot, weight D × size row-major) of a slot; a free slot is its own master.
  std::vector<std::pair<int, std::vector<S>>> masters(int slot) const;
  /// Energy and force access per batch, for sensors and messages.
  const std::vector<std::unique_ptr<Batch<S>>>& batches() const { return batches_; }
  const std::vector<S>& signals() const { return u_; }
  const std::vector<S>& signal_rates() const { return du_; }
  const std::vector<S>& signal_accelerations() const { return ddu_; }

 private:
  struct MassMatrix {  // by rows over slots: m_ab I
    struct Row {
      int offset, size, first, count;
    };
    std::vector<Row> rows;
    std::vector<int> columns;
    std::vector<S> values;
  };

  void make_batches(std::span<const Values* const> values, const AssemblerOptions& options);
  void make_mass();
  void make_pattern();
  void chunk_bounds();
  void residual_maps();
  void tangent_maps(const MatrixLayout& layout);
  void pack_maps(Batch<S>& batch, const ItemBatch& items) const;
  void block_maps(Batch<S>& batch, const ItemBatch& items) const;
  void make_base(const MatrixLayout& layout);
  void scatter_block(const MatrixLayout& layout, int slot_a, int slot_b, S m, std::vector<V>& into) const;
  void times(const MassMatrix& m, const S* x, const S& c, S* f) const;
  void make_product();
  template <int rows, int size>
  void product_row(int index, const S* a, const S* v, S* inertia, S* drag, S* r) const;
  void evaluate(const std::vector<const Batch<S>*>& batches, const In<S>& input, S* r) const;
  void update_gravity();
  In<S> in(double t, const S* q, const S* v) const {
    return {t, q, v, u_.data(), du_.data(), nullptr, ddu_.data(), history_.data(), since_};
  }
  void tangent_of(double cm, double cd, V* values, auto&& each);
  void add_tangents(V* values, V* to, auto&& each);

  std::shared_ptr<const Topology> topology_;
  int nq_ = 0, private_ = 0;
  std::vector<std::unique_ptr<Batch<S>>> batches_;
  std::vector<S> q0_, v0_;
  std::vector<S> weights_, bases_, directions_;
  std::vector<int> moving_;  ///< dependents with weights or drives
  std::vector<std::pair<std::array<S, 3>, int>> gravity_fields_;
  std::vector<S> gravity_;
  bool has_gravity_ = false, has_damping_ = false;
  MassMatrix mass_, damping_;
  /// M and C by rows for their products: a row is one slot, or two planar ones that couple to the same slots.
  struct ProductRow {
    int offset, rows, size, first, count;  ///< `count` columns, masses [count × rows] at product_mass_[first …]
    int columns;                           ///< first of its columns in product_columns_
  };
  std::vector<ProductRow> product_rows_;
  std::vector<int> product_columns_;
  std::vector<S> product_mass_, product_damping_;
  std::vector<const Batch<S>*> load_batches_, other_batches_;  ///< those with residuals
  std::vector<int> velocity_batches_, signal_batches_;         ///< of them
  std::array<S, 3> gravity_at_;                                ///< acceleration that gravity_ is of
  std::vector<char> point_;                                    ///< by offset in q: the slot there is a point
  CouplingPattern pattern_;
  std::vector<S> u_, du_, ddu_;
  std::vector<S> history_;  ///< of t_n
  double since_ = 0;        ///< h

  struct Sum {  // to += from, `size` entries (or a stored block)
    std::ptrdiff_t to, from;
    int size;
  };
  std::vector<Sum> residual_sums_, tangent_sums_;
  std::ptrdiff_t value_count_ = 0, private_values_ = 0;
  std::vector<V> base_mass_, base_damping_, base_, cells_;
  double base_cm_ = 0, base_cd_ = 0;
  mutable ThreadPool pool_;
};

extern template class Assembler<double>;
extern template class Assembler<Lanes>;
extern template class Assembler<Dual<double>>;

}  // namespace flexura

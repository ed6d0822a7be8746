#pragma once
// Newton's method for one implicit stage, lane by lane.
//
//     find y:  r(y) = Tᵀ (Q(q, v, t) − C v − M a) = 0,   δv = w.dv δq,  δa = w.da δq
//     J = Tᵀ (K + w.cm M + w.cd C) T,   J δ = r
//
// Stop at |r_i|/√J_ii ≤ max(tolerance · F, 4 ε G) with F = max |f_k|/√J_kk over inertia, gravity (and
// loads, in statics), G = max √J_jj |q_j|:
// all in √J, so that units and refinement do not matter. For a multiplier J_ii is its pivot; its row is met too where
// |r_i| ≤ 4 ε Σ_j |J_ij q_j|, its own rounding: near a singular position the pivot is so small that r_i/√J_ii is all noise.
// Where a stage has equations of
// its own, coordinates must reach the rounding of what is not inertia, G = max |J_jj − cm M_jj| |q_j|/√J_jj: conserving
// methods add up what is left over many steps.

#include <functional>
#include <utility>

#include "flexura/linear/sparse_fallback.hpp"
#include "flexura/solve/contacts.hpp"

namespace flexura {

enum class TangentPolicy {
  modified,       ///< kept while it contracts, over iterations and steps
  once_per_step,  ///< fresh in the first iteration of each step
  full            ///< fresh in each iteration
};

struct NewtonOptions {
  double tolerance = 1e-8;  ///< relative to the largest inertia and gravity force
  int max_iterations = 25;
  TangentPolicy tangent = TangentPolicy::modified;
  /// Halves a step, five times at most, until the next one with the same factor would move points less (the natural
  /// test of deuflhard2011): for statics far from equilibrium. The residual itself is no guide: a cable that turns
  /// stretches first, and insisting on a smaller residual at each step takes ten times the iterations.
  bool line_search = false;
  /// Of the model [m]: joints are kept to the tolerance of it, whatever forces are allowed; 0: as forces are.
  double extent = 0;
  /// Tangents with the stresses that the last step predicts (term_batch.hpp), in place of those at its end.
  bool predict_stress = false;
};

struct StageWeights {
  double cm = 0, cd = 0;  ///< of M and C (and ∂Q/∂v) in the matrix
  double dv = 0, da = 0;  ///< δv = dv δq, δa = da δq
  bool inertia = true;    ///< false: statics, M and C only regularise
  bool operator==(const StageWeights&) const = default;
};

/// Equations of a stage that are not those at its end: residual and matrix in place of the assembler's own.
template <class S>
class StageEquations {
 public:
  virtual ~StageEquations() = default;
  /// Dependents of the state from its free coordinates; r, inertia and drag as Assembler::add_inertia leaves them, r not
  /// yet reduced.
  virtual void residual(State<S>& state, std::vector<S>& r, std::vector<S>& inertia, std::vector<S>& drag) = 0;
  virtual void tangent(const State<S>& state, const StageWeights& weights, std::vector<ValueOf<S>>& values) = 0;
};

template <class S>
struct SolveReport {
  using V = ValueOf<S>;
  MaskOf<V> converged{};
  int iterations = 0, factorizations = 0;
  V residual{};                ///< max |r_i|/√J_ii at the end
  V limit{};                   ///< what it had to reach
  int worst = -1;              ///< index in y of the largest |r_i|/√J_ii (first unconverged lane)
  double worst_force = 0;      ///< |r_i| there
  bool weak = false;           ///< a factorisation failed in some lane
  int touching[2] = {-1, -1};  ///< members of the contact that fits worst, if one does not (ContactModel)
  double gap = 0;              ///< of it [m]
};

template <class S>
class Newton {
  using V = ValueOf<S>;

 public:
  /// `equations`: of the stage, if they are not the ones above; they must outlive this.
  Newton(System<S>& system, const NewtonOptions& options, StageEquations<S>* equations = nullptr);

  /// Contacts that act in the stage, begun by the caller; one simulation only. They must outlive this.
  void set_contacts(Contacts* contacts) { contacts_ = contacts; }

  /// The next solution begins elsewhere: its first residual has `force` [ny] besides, its first step is taken as it is, and then `arrive`
  /// sets the signals of where it ends (statics: from the last equilibrium, with what is prescribed moving linearly).
  void approach(const std::vector<S>& force, std::function<void()> arrive) {
    force_ = &force;
    arrive_ = std::move(arrive);
  }
  /// Signals must be set; q, v, a hold the predictor. Lanes outside `active` are not touched.
  SolveReport<S> solve(State<S>& state, const StageWeights& weights, MaskOf<V> active = uniform_mask<V>(true));
  /// Forgets the factor. Called at checkpoints, so that a resumed run repeats the same bits.
  void reset() {
    held_ = uniform_mask<V>(false);
    solves_ = V(0.0);
    with_contacts_ = false;
    if (contacts_ != nullptr) system_.solver.reset_overlays();
  }

  /// Q − C v − M a in q order at the last evaluation; entries of dependent slots are minus the reactions.
  const std::vector<S>& full_residual() const { return r_; }
  /// Of the last evaluation, in q order: forces of gravity and loads; −C v.
  const std::vector<S>& acting_force() const { return acting_; }
  const std::vector<S>& drag() const { return drag_; }
  /// √J_ii of the last step's first factor, y order.
  std::span<const V> scale() const { return sqrt_diagonal_; }
  NewtonOptions& options() { return options_; }
  /// Forces [nq] whose size counts beside inertia and gravity in the stop rule (statics: the loads).
  std::vector<S>& reference_force() { return reference_; }
  /// Forces [ny] that act besides, or empty (statics: what keeps the start in balance).
  std::vector<S>& holding_force() { return holding_; }
  /// Redundant rows of constraints in the last factor (indices in y).
  const std::vector<int>& redundant_rows() const { return redundant_rows_; }
  V negative_pivots() const { return negative_pivots_; }

 private:
  /// How far a solution has come, lane by lane.
  struct Progress {
    MaskOf<V> todo, converged, failed;
    MaskOf<V> refresh;   ///< to be factored anew
    MaskOf<V> stale;     ///< with a factor older than this step
    MaskOf<V> unscaled;  ///< with √J_ii older than this step
    V step;              ///< length of the last one
    V floor{};           ///< of the residual, from rounding
    int extra;           ///< iterations that carry the derivative after the value has converged
  };
  int most_iterations() const;
  Progress begin(const StageWeights& weights, MaskOf<V> active);
  void evaluate(State<S>& state, bool inertia);
  void renew(State<S>& state, const StageWeights& weights, MaskOf<V> lanes, Progress& at, SolveReport<S>& report);
  void judge(State<S>& state, Progress& at, SolveReport<S>& report);
  bool admit(State<S>& state, Progress& at);
  void find_step(Progress& at);
  MaskOf<V> watch_contraction(Progress& at, V size) const;
  void conclude(MaskOf<V> active, const Progress& at, SolveReport<S>& report);

  void factorize(State<S>& state, const StageWeights& weights, MaskOf<V> lanes);
  void add_contacts();
  bool contacts_act() const;
  void solve_for_step();  ///< delta_ = J⁻¹ delta_
  void rescale(MaskOf<V> lanes);
  void find_rounding(const State<S>& state, MaskOf<V> lanes);
  /// Of the last evaluation, all in √J: largest residual of coordinates and of constraints, and what it is compared with.
  struct Size {
    V coordinates, constraints, force, position, stiffness;
  };
  V rounding_of_all(const State<S>& state) const;
  Size measure(const State<S>& state) const;
  void move(State<S>& state, const StageWeights& weights, MaskOf<V> lanes);
  void search(State<S>& state, const StageWeights& weights, MaskOf<V> lanes);
  V largest_motion(const std::vector<S>& delta) const;
  void name_worst(SolveReport<S>& report, MaskOf<V> failed) const;

  System<S>& system_;
  StageEquations<S>* equations_;
  NewtonOptions options_;
  std::vector<S> trial_;                   ///< of the line search
  std::vector<S> before_;                  ///< q before the last step
  bool stepped_ = false;                   ///< before_ is of this stage
  const std::vector<S>* force_ = nullptr;  ///< approach
  std::function<void()> arrive_;
  std::vector<S> r_, inertia_, drag_, acting_, delta_, reference_, holding_;
  std::vector<V> fresh_, diagonal_, sqrt_diagonal_, inverse_sqrt_, mass_;
  struct Coupling {
    int row, column;
    std::ptrdiff_t index;
  };
  std::vector<Coupling> couplings_;          ///< entries of the rows of multipliers
  std::vector<V> rounding_, reach_;          ///< of those rows, from ncoord
  std::vector<char> is_joint_;               ///< of those rows: not those of pressures and the like
  MaskOf<V> held_ = uniform_mask<V>(false);  ///< lanes with a usable factor
  StageWeights held_weights_;
  V solves_{0.0};  ///< in the last step of each lane
  std::vector<int> redundant_rows_;
  V negative_pivots_{};
  std::unique_ptr<SparseFallback> pivoting_;  ///< solves when the block factor is too weak (one simulation only)
  bool use_pivoting_ = false;
  Contacts* contacts_ = nullptr;
  bool with_contacts_ = false;       ///< the last factor holds some
  std::vector<V> without_contacts_;  ///< its matrix before them, where they are restless
};

extern template class Newton<double>;
extern template class Newton<Lanes>;
extern template class Newton<Dual<double>>;

}  // namespace flexura

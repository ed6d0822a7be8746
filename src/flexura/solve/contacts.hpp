#pragma once
// Frictionless contacts of one simulation: which may close in a step, which are closed, and with what multipliers.
//
//     g = n·(x_a − x_b) − r_a − r_b ≥ 0 ⊥ λ ≥ 0        n from b to a, λ n on a and −λ n on b
//
// Primal-dual active set, recentred and condensed. Per contact ρ_J = 1/(G J⁻¹ Gᵀ) with J's diagonal, without contact;
// r ≈ ρ_J decides, ρ = 10⁶ ρ_J solves:
//
//     active     λ − r g > 0, else λ = 0
//     J + Gᵀ (ρ n nᵀ − λ H) G,  H = ∂n/∂x       right-hand side: residual with λ, − Gᵀ ρ g n
//     then       λ ← λ − ρ (g + n·δx)           linearised values, only where active
//     stop       residual with λ; |g| ≤ 10⁻¹¹ of the size where active, g ≥ 0 elsewhere
//
// The condensed matrix is that of a quasi-definite system: any order of elimination will do, and redundant contacts (four
// legs) ask for no care. A contact of a point with a plane adds no entries, a pair of points adds those of its blocks.
//
// Nothing passes: candidates are found from boxes swept by the motion, checked after it; a pair that would be crossed is held
// on its own side of the plane in which it touched.

#include <algorithm>
#include <optional>
#include <span>

#include "flexura/math/box_tree.hpp"
#include "flexura/model/contact_model.hpp"
#include "flexura/solve/block_pivoting.hpp"
#include "flexura/solve/contact_problem.hpp"

namespace flexura {

/// What contacts cost, since they were made.
struct ContactWork {
  long comparisons = 0;  ///< of boxes, and of spheres with planes
  long candidates = 0;   ///< pairs near enough, summed over searches
  long searches = 0;
  long active = 0;          ///< contacts that entered a matrix, summed over factorisations
  long factorizations = 0;  ///< with contacts

  ContactWork& operator+=(const ContactWork& more) {
    comparisons += more.comparisons, candidates += more.candidates, searches += more.searches;
    active += more.active, factorizations += more.factorizations;
    return *this;
  }
};

/// A pair that may close in this step.
struct Contact {
  ContactKey key;
  int group = 0;
  PointPair points;
  double reach = 0;  ///< r_a + r_b [m]
  double size = 0;   ///< what gaps are compared with [m]

  Vec3d before{};         ///< x_a − x_b at t_n; of a plane x_a
  double gap_before = 0;  ///< at t_n [m]
  Vec3d n{};
  double gap = 0;
  double curvature = 0;  ///< H = curvature (I − n nᵀ) [1/m]
  bool held = false;     ///< crossed: n is that of the first touch, and does not turn any more
  bool active = false;
  double lambda = 0;     ///< ν, correction of positions [N]
  double scale = 0;      ///< r
  double stiffness = 0;  ///< ρ

  // Of velocities.
  double approach = 0;  ///< u_N⁻, ≤ 0 [m/s]
  double impulse = 0;   ///< Λ_N [N s]
};

class Contacts {
 public:
  explicit Contacts(System<double>& system);

  // ---- a step ----------------------------------------------------------------------------------------------------------
  /// From the positions and the history at t_n, and positions near those at the step's end: what may close.
  void begin(std::span<const double> before, const ContactHistory& history, std::span<const double> after);
  /// At rest inertia does not say what a contact feels: stiffness does, the diagonal [ny] of a tangent near the step's end.
  void rest_on(std::span<const double> diagonal);
  /// The history as first guess again: before each attempt to solve. `cm`: weight of M in the stage's matrix.
  void restart(double cm);
  /// Gaps at q, and who is active.
  void look(const double* q);
  bool any_active() const { return active_ > 0; }
  /// Looks since restart() at which somebody changed sides: laps that are no failure of Newton's method.
  int changes() const { return changes_; }
  /// λ n at the last look, in q order before the reduction.
  void add_forces(double* r) const;
  /// Pairs of blocks that the active contacts couple.
  std::span<const std::pair<int, int>> couplings();
  /// Into a matrix whose diagonal without contact is `diagonal` [ny].
  void add_tangent(std::span<const double> diagonal, const LinearSolver<double>& solver, std::span<double> values);
  /// − Gᵀ ρ g n
  void add_right_side(double* y) const;
  void recentre(const double* dy);
  /// Whether sides have changed so often that steps are found with find_step().
  bool is_restless() const;
  /// A step of Newton's method and who acts at its end, exactly but for the turning of normals. `step` [ny]: the residual with
  /// λ, in y; the solver is left with a factor of its own. False: not found.
  bool find_step(LinearSolver<double>& solver, std::span<const double> J, std::span<const double> diagonal,
                 std::vector<double>& step);
  /// Whether the gaps at the last look are what they must be.
  bool are_closed() const;
  /// Whether nothing passed through anything between t_n and q; if something did, it is held back from now on, or became a
  /// candidate, and the stage goes on.
  bool admits(const double* q);
  /// Refused so often that smaller steps must help.
  bool is_hopeless() const;
  /// Whether something lies in something else at the last look, and neither can move.
  bool is_blocked() const;
  /// The candidate whose gap is furthest from what it must be; null where all are right.
  const Contact* worst() const;

  // ---- what was found ----------------------------------------------------------------------------------------------------
  std::span<Contact> candidates() { return candidates_; }
  /// Closed at the last look: gap zero within rounding, or pressed.
  bool is_closed(const Contact& c) const { return c.active || c.gap <= closed_gap(c); }
  static double closed_gap(const Contact& c) { return 1e-9 * c.size; }
  bool any_closed() const {
    return std::any_of(candidates_.begin(), candidates_.end(), [&](const Contact& c) { return is_closed(c); });
  }
  /// Records of the closed contacts, over a step of length h.
  void write(ContactHistory& history, double h) const;
  /// The same at rest: their forces are λ.
  void write_at_rest(ContactHistory& history) const;

  const ContactModel& model() const { return model_; }
  const Overlay& overlay() const { return overlay_; }
  std::span<const double> mass() const { return mass_; }  ///< diagonal of M [ny]
  ContactWork& work() { return work_; }

 private:
  /// What is wrong with its gap at the last look [m].
  double misfit(const Contact& c) const;

  struct PlanePair {
    int sphere, plane, group;
  };
  void list_planes();
  int group_of(int a, int b) const;
  void sweep(const double* after);
  void search();
  Contact make(ContactKey key, int group) const;
  void place(Contact& c, const double* q) const;
  static bool wants_to_act(const Contact& c) { return c.scale > 0 && c.lambda - c.scale * c.gap > 0; }
  void decide();
  bool holds_back(Contact& c, const Vec3d& after) const;
  double gap_tolerance(const Contact& c) const;

  System<double>& system_;
  const ContactModel& model_;
  Overlay overlay_;
  std::vector<double> mass_;
  std::vector<std::vector<int>> groups_of_;  ///< by member
  std::vector<PlanePair> plane_pairs_;
  double extent_ = 0;  ///< of all that may touch, in the reference [m]

  std::vector<double> start_;  ///< q at t_n
  ContactHistory history_;
  std::vector<Box> boxes_;  ///< swept, by sphere
  BoxTree tree_;
  std::vector<Contact> candidates_, fresh_;
  std::vector<std::pair<int, int>> couplings_;
  double cm_ = 1;
  std::vector<double> stiffness_;  ///< what decides at rest: rest_on
  BlockPivoting pivoting_;
  ContactProblem problem_;
  std::vector<double> loads_;  ///< the residual without λ, in y
  int active_ = 0, changes_ = 0, refusals_ = 0;
  ContactWork work_;
};

/// Two things of which one may move and that lie in each other.
struct Overlap {
  ContactKey key;
  int group = 0;
  double depth = 0;  ///< [m]
};
/// The deepest overlap at positions q that is more than rounding of typed numbers, 10⁻⁶ of the size.
std::optional<Overlap> find_overlap(System<double>& system, const std::vector<double>& q);

}  // namespace flexura

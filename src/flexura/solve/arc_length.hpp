#pragma once
// Equilibrium paths through limit points: statics in which the load factor is an unknown.
//
//     r(y, Λ) = 0,  loads s = s₀ + Λ (s₁ − s₀): from what the state was in equilibrium with to now; where the model has
//                   changed since, r(y, Λ) = (1 − Λ) r(y₀, 0): what came or went does so along the path
//     n·(y − y₀, Λ − Λ₀) = Δ        the normal plane at the predictor (Riks, Ramm), n the unit tangent there
//
//     one factor of J = −∂r/∂y for both:  J δ_r = r,  J δ_f = ∂r/∂Λ,  δy = δ_r + δΛ δ_f,  δΛ from the plane
//
// Lengths on the path: ds² = (motion / c)² + dΛ², motion = root mean square over slots of |δr|/extent (points) and |δg|
// (vectors): neither units nor refinement matter. c: what the load moves in the first step, per unit of Λ, at least 0.1.
//
// Stability: J has one negative pivot for each independent multiplier; more count directions in which the equilibrium is
// unstable. Where that number changes between two points of the path, the place is found by bisection along the path: a
// limit point if Λ turns there, otherwise a bifurcation.
//
// Continuation: tangents of successive points differ by at most `largest_angle`, and the chord by half of it from both; where
// they turn or the stability changes the point in the middle of the step must fit too. Otherwise the step is halved.
//
// Branches: from a bifurcation (y_c, Λ_c) with the null vector φ of J, |φ| = 1, the path is left for φ·(y − y_c) = Δ, at
// first with y = y_c + Δ φ, Λ = Λ_c: that holds what grows along the branch and leaves Λ free, so it finds branches that
// leave flatly (a column) and those that leave at a slope (a frame) alike.

//
// End: where a function g of the state is zero, by regula falsi over the length of the last step; each trial is a point of the
// path. Where g and its derivative along the path say that |g| has a minimum within the step, that is examined too.

#include <functional>
#include <limits>
#include <vector>

#include "flexura/linear/sparse_fallback.hpp"
#include "flexura/solve/joint_angles.hpp"
#include "flexura/solve/system.hpp"

namespace flexura {

struct ArcLengthOptions {
  double end = 1;         ///< the path ends where Λ gets here; NaN: after `max_points`
  int max_points = 1000;  ///< of the path
  double first_step = 0.05, smallest_step = 1e-7, largest_step = 0.2;  ///< length on the path
  double largest_angle = 0.12;      ///< between tangents of successive points [rad]; then the step is halved
  int good_iterations = 4;          ///< steps grow below and shrink above
  int max_iterations = 12;          ///< of Newton's method; then the step is halved
  double tolerance = 1e-9;          ///< as NewtonOptions::tolerance
  double location = 1e-7;           ///< critical points: share of the step that the bisection leaves
  std::vector<double> levels = {};  ///< load factors at which the path has a point each time it passes
  bool model_changed = false;       ///< since the equilibrium that the state is
  /// The bifurcation, counted from 1, at which the path goes on along the branch: positive with the largest motion of a point
  /// in the critical direction along its axis, negative against it; 0: nowhere.
  int branch = 0;
  bool forward = true;              ///< false: first towards smaller Λ
  std::function<bool()> stop = {};  ///< asked before each step: true ends the path
  /// The path also ends at the first point behind its start where this is zero: of a state of the path with its loads and
  /// multipliers. Empty: nowhere.
  std::function<double(const State<double>&)> until = {};
};

struct CriticalPoint {
  enum class Type { limit, bifurcation } type = Type::limit;
  double load_factor = 0;                       ///< Λ there
  int unstable_before = 0, unstable_after = 0;  ///< unstable directions on either side
  std::vector<double> q;                        ///< state there [nq]
  std::vector<double> direction;  ///< the critical one, largest coordinate 1 [nq]; multipliers: their change
};

struct ArcLengthReport {
  bool converged = false;      ///< the end was reached (or `max_points`, where no end was given)
  bool stopped = false;        ///< by ArcLengthOptions::stop
  bool at_max_points = false;  ///< it ended after `max_points`, on the path, before the load factor where it was to end
  bool at_until = false;       ///< it ended where ArcLengthOptions::until is zero
  double nearest = std::numeric_limits<double>::infinity();  ///< the value of `until` nearest to zero behind the start
  double nearest_factor = 0;                                 ///< Λ there
  double load_factor = 0;                                    ///< reached
  int points = 0, iterations = 0, factorizations = 0;
  int unstable = 0;                     ///< unstable directions at the end
  bool in_balance = true;               ///< at Λ = 0; otherwise there is no path
  bool branched = false;                ///< at ArcLengthOptions::branch
  bool no_branch = false;               ///< none could be found there
  std::vector<CriticalPoint> critical;  ///< in the order met
};

class ArcLength {
 public:
  ArcLength(System<double>& system, const ArcLengthOptions& options);
  /// Follows the path from the equilibrium with state.loads (Λ = 0). `accept` is called at each point of the path, at
  /// Λ = 0 first; state.loads are those of the point, and at the end those of where the path ended.
  ArcLengthReport solve(State<double>& state, const std::function<void(double, const State<double>&)>& accept = {});
  /// As StaticSolver::unbalanced().
  const std::vector<double>& unbalanced() const { return unbalanced_; }

 private:
  /// A point of the path and its tangent there.
  struct Point {
    std::vector<double> q;  ///< [nq]
    double factor = 0;
    std::vector<double> direction;  ///< tangent, y part [ny]
    double direction_factor = 0;
    int unstable = 0;
    bool counted = false;  ///< `unstable` is known: not where pivoting was needed
  };
  bool correct(Point& point, const std::vector<double>& normal, double normal_factor, double distance,
               const Point& from);
  bool correct_step(const Point& from, double step, Point& to);
  bool turned(const Point& from, const Point& to) const;
  bool continues(const Point& from, const Point& to, double step);
  bool tangent_at(Point& point, const Point* before);
  void evaluate(const Point& point);
  bool factor(const double* before);
  void solve_for(std::vector<double>& y) const;
  double measure(const Point& point, double& limit) const;
  double product(const std::vector<double>& a, const std::vector<double>& b) const;
  void apply_loads(double factor);
  void locate(const Point& from, const Point& to, double step);
  enum class End { none, found, unsure };  ///< unsure: the step must be shorter
  End find_end(const Point& from, Point& to, double& step);
  End close_in(const Point& from, double low, double g0, double high, double g1, Point& to, double& step);
  void go_to(const Point& point, State<double>& state);
  double until_at(const Point& point);
  double until_rate(const Point& point);
  void note_nearest(double value, double factor);
  bool take_branch(const CriticalPoint& from, double step, Point& to);
  double passed_level(double from, double to) const;
  std::vector<double> critical_direction(const Point& point);

  System<double>& system_;
  ArcLengthOptions options_;
  JointAngles angles_;
  State<double> state_;                  ///< scratch
  const State<double>* path_ = nullptr;  ///< the last point, as the caller has it
  /// Of ArcLengthOptions::until: at the last point, at the next one, and the largest so far.
  double until_ = 0, until_next_ = 0, until_scale_ = 0;
  std::vector<double> from_loads_, metric_, r_, load_, unbalanced_, trial_, by_load_, scale_, reference_;
  double motion_scale_ = 1;  ///< c
  int iterations_ = 0;       ///< of the last correction
  SparseFallback pivoting_;
  bool analysed_ = false, use_pivoting_ = false;
  int negative_ = 0, redundant_rows_ = 0;
  int bifurcations_ = 0;  ///< met so far
  ArcLengthReport report_;
};

}  // namespace flexura

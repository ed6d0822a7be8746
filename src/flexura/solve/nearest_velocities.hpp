#pragma once
// Velocities with which a motion begins: those that the joints allow, nearest to what is stated of the parts.
//
//     first      Σ ½ |v − r|²_M    over parts of which something is stated,      r(x) = V + ω × (x − c)
//     then       Σ ½ |v − r|²_M    over flexible parts of which nothing is stated
//     then       Σ ½ |v − d|²_M    over all parts, d: what is stated, else the default
//
// each least among what the sums before leave, subject to Φ̇ = 0 and v = T ẏ + ḃ(t). M is the mass of the parts; in the
// second sum it is shared evenly among the nodes of a part, their directions as if at its ends: how light an end is says
// nothing of how the part moves. What is not stated of V and ω is free: rigid coordinates follow the joints, and
// flexible parts move as rigid bodies as far as the joints let them. The sums are over parts and not over coordinates:
// a place that a joint makes one has what is stated on either side.
//
// The sums are weighted 1 : 10⁻⁶ : 10⁻⁹ in one sparse matrix, closer to each other where its factor leaves Φ̇ open. Passes with its factor remove what the smaller weights
// change: the smaller sums hold on to where they are while a greater one is made least (proximal points), and what that
// has reached is kept by multipliers afterwards.

#include <span>
#include <utility>
#include <vector>

#include "flexura/linear/linear_solver.hpp"
#include "flexura/math/triple.hpp"
#include "flexura/solve/constraints.hpp"

namespace flexura {

/// How a part moves at the start, as a rigid body.
struct PartMotion {
  Triple center{};               ///< c [m]
  Triple velocity{}, turning{};  ///< V [m/s], ω [rad/s]; of what is not stated: where nothing else says what it is
  bool states_velocity = false, states_turning = false;
  bool is_rigid = true;                    ///< by its own constraints
  bool is_point = false;                   ///< it has no rotation
  std::vector<std::pair<int, int>> items;  ///< with mass: batch, and place in it
  int massless = -1;                       ///< slot of a point without mass of its own; −1: it has one

  bool states_any() const { return states_velocity || states_turning; }
};

class NearestVelocities {
 public:
  /// `rest`: items with mass that belong to none of the parts.
  NearestVelocities(System<double>& system, Constraints& constraints, std::span<const PartMotion> motions,
                    std::span<const std::pair<int, int>> rest);

  /// Sets v at q and t with the signals that the assembler holds. False: the equations cannot be solved, v is what it
  /// was.
  /// Velocities that are already those of all parts, and fit, stay as they are, bit for bit.
  bool solve(State<double>& state);

  /// How a part moves after solve(), as a whole and by its mass.
  struct Fit {
    Triple velocity{}, turning{};  ///< V and ω that fit v best, at its centre
    double speed = 0;              ///< |v|_M/√m [m/s]
    double stated = 0;             ///< |r|_M/√m
    double missed = 0;             ///< |v − r|_M/√m, of parts in the first two sums
  };
  const Fit& fit(size_t part) const { return fits_[part]; }

 private:
  struct Pair {
    int a, b;  ///< of Part::slots
    double mass;
  };
  struct Part {
    double weight = 0;     ///< 1 in the first sum
    bool follows = false;  ///< in the second sum
    std::vector<int> slots;
    std::vector<Pair> pairs;                   ///< both orders
    std::vector<Pair> even;                    ///< in place of them in the second sum
    double mass = 0;                           ///< [kg]
    int block = -1;                            ///< of what is free of V and ω; −1: nothing is
    int first = 0, free = 0;                   ///< its place in x, and how much it is
    bool moves = false, turns = false;         ///< V is free; ω is
    std::vector<Triple> arm, fixed, velocity;  ///< by slot: x − c or the vector; d; v
    std::vector<Triple> target, goal, near;    ///< v − r to come near to, to keep; v to be near to
  };
  using Masters = std::vector<std::pair<int, std::vector<double>>>;

  Part& add_part(std::span<const std::pair<int, int>> items, int massless);
  void place_free();
  void analyse();
  void prepare(const State<double>& state);
  bool fits_already(const State<double>& state);
  bool factor(const State<double>& state);
  bool solve_with(const State<double>& state, double lower, double last);
  bool satisfies_constraints(const State<double>& state, double size);
  bool satisfies_constraints_at_x(const State<double>& state);
  void share_evenly(Part& part) const;
  const std::vector<Pair>& weighted(const Part& part) const { return part.even.empty() ? part.pairs : part.even; }
  void add_masses(const Part& part, const std::vector<Pair>& pairs, double weight);
  void add_free(const Part& part);
  double radius_squared(const Part& part) const;
  void add_light_masses(const State<double>& state);
  void add(int row, int column, double value);
  Triple free_field(const Part& part, size_t slot, int k) const;
  Triple deviation(const Part& part, size_t slot) const;
  void push(int slot, const Triple& force);
  double pass();
  void make_least(double weight);
  void read_velocities(Part& part) const;
  void find_fit(size_t part);

  System<double>& system_;
  Constraints& constraints_;
  std::span<const PartMotion> motions_;
  const Topology& topology_;
  int dim_, unknowns_ = 0;
  std::vector<Part> parts_;       ///< as motions_, then the rest
  std::vector<Masters> masters_;  ///< by slot, of those with mass
  LinearSolver<double> solver_;
  std::vector<double> values_, x_, rhs_, base_, rates_, diagonal_, light_;
  std::vector<std::pair<int, int>> place_;  ///< of x: block, and place in it
  std::vector<Fit> fits_;
  double lower_ = 0, last_ = 0;  ///< weights of the second and third sum
  bool has_begun_ = false;
};

}  // namespace flexura

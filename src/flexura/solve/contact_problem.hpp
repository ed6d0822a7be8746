#pragma once
// Who pushes, and how hard, where everything else is linear:
//
//     min ½ xᵀ K x − bᵀ x   under   g = n·(x_a − x_b) + g₀ ≥ 0        K x − b = Σ Gᵀ λ,  0 ≤ λ ⊥ g ≥ 0
//
// Impacts are such a problem, K = M; a step of Newton's method with contacts is another. Constraints may be part of K. A
// primal-dual active set as in contacts.hpp; where it does not settle soon, contacts begin as springs that grow ever stiffer and
// then take over what they carry, the augmented Lagrangian
//
//     min ½ xᵀ K x − bᵀ x + Σ max(0, λ₀ − k g)²/(2k),   λ₀ ← max(0, λ₀ − k g)
//
// by Newton's method along straight lines, which cannot go round in circles since this is convex. Then who pushes is known.

#include <span>
#include <utility>
#include <vector>

#include "flexura/solve/block_pivoting.hpp"
#include "flexura/solve/overlay.hpp"

namespace flexura {

class ContactProblem {
 public:
  struct Row {
    PointPair points;
    Vec3d n;
    double free;   ///< g₀
    double scale;  ///< r, what it feels of K
    double size;   ///< what gaps are compared with
    double force;  ///< λ; before: a guess
    bool pushes = false;
    double held = 0;   ///< by a spring that is not stretched
    double gap = 0;    ///< g where a search begins
    double gains = 0;  ///< of g along a direction of search
  };

  explicit ContactProblem(const Overlay& overlay) : overlay_(overlay) {}

  /// In the order in which they were found in the last step too.
  std::vector<Row>& rows() { return rows_; }
  std::span<const Row> rows() const { return rows_; }
  /// K as values of the solver without overlay, b [ny] in y order or empty for 0. False: not found. The solver is left with a
  /// factor of its own. `same`: K, the contacts and the solver are those of the last solution, so that its factor serves again
  /// where the same contacts push.
  bool solve(LinearSolver<double>& solver, std::span<const double> K, std::span<const double> b, std::vector<double>& x,
             bool same = false);
  /// Of the last solution: factorisations, and contacts in them.
  long factorizations() const { return factorizations_; }
  long entered() const { return entered_; }

 private:
  struct Setting {
    LinearSolver<double>& solver;
    std::span<const double> K, b;
  };
  double gap(const Row& row, const std::vector<double>& x) const {
    return row.free + overlay_.along(row.points, row.n, x.data());
  }
  bool decide(const std::vector<double>& x);
  /// b − K x in rest_.
  void find_rest(const Setting& at, const std::vector<double>& x);
  bool factor(const Setting& at, double hard);
  bool is_factored() const;
  bool is_solved(const std::vector<double>& x) const;
  bool begin_softly(const Setting& at, std::vector<double>& x);
  bool relax(const Setting& at, double hard, std::vector<double>& x);
  double lowest(const Setting& at, double hard);

  const Overlay& overlay_;
  std::vector<Row> rows_;
  BlockPivoting pivoting_;
  long factorizations_ = 0, entered_ = 0;
  std::vector<double> values_, rest_, product_, start_;
  std::vector<std::pair<int, int>> couplings_;
  std::vector<char> factored_;  ///< who pushes in the solver's factor
  bool has_factor_ = false;     ///< which is of contacts that are as good as rigid
};

}  // namespace flexura

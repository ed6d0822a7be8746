#include "flexura/solve/contact_problem.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "flexura/base/stop_request.hpp"

namespace flexura {
namespace {

constexpr double solves = 1e6;  ///< ρ over what a contact feels
constexpr int most_laps = 60;
constexpr int patience = 20;                           ///< laps before contacts begin softly
constexpr double hardness[] = {1, 10, 100, 1e3, 1e4};  ///< then, over what they feel
constexpr int most_soft_laps = 50;
constexpr int most_raises = 12;      ///< of what the springs hold where they are not stretched
constexpr double near = 1e-9;        ///< of gaps, which ends that
constexpr double tolerance = 1e-12;  ///< of gaps and forces
constexpr double rounding = 1e-9;    ///< of forces, below which what a lap leaves as it was is rounding
constexpr double negligible = 1e-6;  ///< of the force that moves a contact by its size

}  // namespace

bool ContactProblem::solve(LinearSolver<double>& solver, std::span<const double> K, std::span<const double> b,
                           std::vector<double>& x, bool same) {
  const Setting at{solver, K, b};
  std::fill(x.begin(), x.end(), 0.0);
  factorizations_ = entered_ = 0;
  rest_.resize(x.size());
  product_.resize(x.size());
  for (Row& row : rows_) row.pushes = row.force > 0;
  double loads = 0;
  for (const double f : b) loads = std::max(loads, std::fabs(f));
  double least =
      std::numeric_limits<double>::infinity();  // what moves a contact by far less than its tolerance is no load
  for (const Row& row : rows_) least = std::min(least, row.scale * row.size);
  if (!rows_.empty()) loads = std::max(loads, negligible * least);
  pivoting_.restart();
  has_factor_ = has_factor_ && same;
  double lacked = 0;
  for (int lap = 0; lap < most_laps && !stop_requested(); ++lap) {
    if (lap == patience) {
      if (!begin_softly(at, x)) return false;
      has_factor_ = false;
    }
    const bool changed = decide(x);
    find_rest(at, x);
    double largest = loads;
    for (const Row& row : rows_) {
      if (!row.pushes) continue;
      overlay_.add_reduced_force(row.points, row.force * row.n, rest_.data());
      largest = std::max(largest, std::fabs(row.force));
    }
    double lacking = 0;
    for (const double f : rest_) {
      if (!std::isfinite(f)) return false;
      lacking = std::max(lacking, std::fabs(f));
    }
    // In mechanisms of light parts forces inside are far larger than those of contacts: so is their rounding.
    const double below = rows_.empty() ? rounding * largest : std::max(rounding * largest, tolerance * least);
    const bool is_rounding = lacking <= below && lacking > 0.1 * lacked;
    if (!changed && (lacking <= tolerance * largest || is_rounding) && is_solved(x)) return true;
    lacked = lacking;
    if (!is_factored() && !factor(at, solves)) return false;
    for (const Row& row : rows_)
      if (row.pushes) overlay_.add_reduced_force(row.points, -solves * row.scale * gap(row, x) * row.n, rest_.data());
    solver.solve(std::span<double>(rest_));
    for (Row& row : rows_) {
      if (!row.pushes) continue;
      const double gained = overlay_.along(row.points, row.n, rest_.data());
      row.force -= solves * row.scale * (gap(row, x) + gained);  // in this order: gained is far below gaps
    }
    for (size_t i = 0; i < x.size(); ++i) x[i] += rest_[i];
  }
  return false;
}

/// Who pushes. Returns whether that is new.
bool ContactProblem::decide(const std::vector<double>& x) {
  const auto wants_to_push = [&](const Row& row) {
    return row.force - row.scale * gap(row, x) > tolerance * row.scale * row.size;
  };
  const auto wrong =
      std::count_if(rows_.begin(), rows_.end(), [&](const Row& row) { return row.pushes != wants_to_push(row); });
  const bool all = pivoting_.changes_all(static_cast<int>(wrong));
  bool may_change = true;
  for (Row& row : rows_) {
    if (may_change && row.pushes != wants_to_push(row)) {
      row.pushes = !row.pushes;
      may_change = all;
    }
    if (!row.pushes) row.force = 0;
  }
  return wrong > 0;
}

bool ContactProblem::is_solved(const std::vector<double>& x) const {
  return std::all_of(rows_.begin(), rows_.end(), [&](const Row& row) {
    const double allowed = 10 * tolerance * row.size;
    return row.pushes ? std::fabs(gap(row, x)) <= allowed : gap(row, x) >= -allowed;
  });
}

void ContactProblem::find_rest(const Setting& at, const std::vector<double>& x) {
  at.solver.multiply<double>(at.K, x, product_);
  for (size_t i = 0; i < rest_.size(); ++i) rest_[i] = (at.b.empty() ? 0.0 : at.b[i]) - product_[i];
}

bool ContactProblem::begin_softly(const Setting& at, std::vector<double>& x) {
  std::fill(x.begin(), x.end(), 0.0);
  for (Row& row : rows_) row.held = row.force = 0, row.pushes = false;
  // From where nothing touches and constraints hold: from there on they hold along every line.
  if (!factor(at, 0)) return false;
  find_rest(at, x);
  at.solver.solve(std::span<double>(rest_));
  x.swap(rest_);
  for (const double hard : hardness)
    if (!relax(at, hard, x)) return false;
  const auto is_near = [&](const Row& row) {
    const double is = gap(row, x);
    return (row.pushes ? std::fabs(is) : -is) <= near * row.size;
  };
  for (int k = 0; k < most_raises && !std::all_of(rows_.begin(), rows_.end(), is_near); ++k) {
    for (Row& row : rows_) row.held = row.force;
    if (!relax(at, hardness[std::size(hardness) - 1], x)) return false;
  }
  pivoting_.restart();
  return true;
}

/// The least sum with springs of one stiffness.
bool ContactProblem::relax(const Setting& at, double hard, std::vector<double>& x) {
  for (int lap = 0; lap < most_soft_laps; ++lap) {
    if (stop_requested()) return false;
    find_rest(at, x);
    start_.assign(rest_.begin(), rest_.end());
    bool changed = lap == 0;
    for (Row& row : rows_) {
      row.gap = gap(row, x);
      row.force = std::max(row.held - hard * row.scale * row.gap, 0.0);
      changed = changed || row.pushes != (row.force > 0);
      row.pushes = row.force > 0;
      if (row.pushes) overlay_.add_reduced_force(row.points, row.force * row.n, rest_.data());
    }
    if (!changed) break;
    if (!factor(at, hard)) return false;
    at.solver.solve(std::span<double>(rest_));
    const double way = lowest(at, hard);
    for (size_t i = 0; i < x.size(); ++i) x[i] += way * rest_[i];
  }
  return true;
}

/// Where along rest_ that sum is least: its slope is piecewise linear and grows.
double ContactProblem::lowest(const Setting& at, double hard) {
  double first = 0, growth = 0;
  at.solver.multiply<double>(at.K, rest_, product_);
  for (size_t i = 0; i < rest_.size(); ++i) first -= rest_[i] * start_[i], growth += rest_[i] * product_[i];
  for (Row& row : rows_) row.gains = overlay_.along(row.points, row.n, rest_.data());
  const auto slope = [&](double way) {
    double sum = first + way * growth;
    for (const Row& row : rows_)
      sum -= std::max(row.held - hard * row.scale * (row.gap + way * row.gains), 0.0) * row.gains;
    return sum;
  };
  double low = 0, high = 1;
  for (int k = 0; k < 10 && slope(high) < 0; ++k) low = high, high *= 2;
  for (int k = 0; k < 30; ++k) {
    const double middle = 0.5 * (low + high);
    (slope(middle) < 0 ? low : high) = middle;
  }
  return high;
}

/// With those that push.
bool ContactProblem::is_factored() const {
  return has_factor_ && std::equal(rows_.begin(), rows_.end(), factored_.begin(), factored_.end(),
                                   [](const Row& row, char pushes) { return row.pushes == (pushes != 0); });
}

/// With contacts of that stiffness over what they feel.
bool ContactProblem::factor(const Setting& at, double hard) {
  couplings_.clear();
  factored_.clear();
  for (const Row& row : rows_) factored_.push_back(row.pushes);
  ++factorizations_;
  for (const Row& row : rows_) entered_ += row.pushes;
  for (const Row& row : rows_)
    if (row.pushes) overlay_.add_couplings(row.points, couplings_);
  at.solver.set_overlay(couplings_);
  values_.assign(at.solver.value_count(), 0.0);
  std::copy(at.K.begin(), at.K.end(), values_.begin());
  for (const Row& row : rows_) {
    if (!row.pushes) continue;
    double N[3][3];
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) N[i][j] = hard * row.scale * row.n[i] * row.n[j];
    overlay_.add_tangent(row.points, N, at.solver, values_);
  }
  has_factor_ = at.solver.factor(values_).ok;
  return has_factor_;
}

}  // namespace flexura

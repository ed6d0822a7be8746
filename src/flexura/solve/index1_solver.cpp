#include "flexura/solve/index1_solver.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "flexura/linear/pivots.hpp"
#include "flexura/math/entries.hpp"

namespace flexura {
namespace {

/// As the sparse factor: a pivot this much smaller than what it was eliminated from belongs to a redundant row.
constexpr double redundant_ratio = 1e-11;

/// y += c x
void add_multiple(int n, double c, const double* x, double* y) {
  for_entries<double>(
      n, [&]<class P>(int i) { store_entries(y + i, fma(P(c), load_entries<P>(x + i), load_entries<P>(y + i))); });
}

}  // namespace

Index1Solver::Index1Solver(System<double>& system, Index1Method method)
    : system_(system), constraints_(system), mass_(system), n_(system.topology().ncoord) {
  const Topology& t = system.topology();
  x_.assign(t.ny, 0.0);
  residual_.assign(system.assembler.residual_size(), 0.0);
  before_a_.assign(t.nq, 0.0);
  before_multipliers_.assign(t.ny - n_, 0.0);
  find_touched();
  schur_ = mass_.regular() && !matrix().has_massless() && method != Index1Method::whole &&
           (method == Index1Method::schur || is_schur_less_work());
  if (!schur_) return;
  invert_mass();
  const size_t rows = count(), touched = touched_.size();
  spread_.assign(rows * touched, 0.0);
  schur_matrix_.assign(rows * rows, 0.0);
  for (auto* x : {&pivot_, &mu_}) x->assign(rows, 0.0);
  redundant_rows_.reserve(rows);
}

void Index1Solver::find_touched() {
  const auto couplings = matrix().couplings();
  std::vector<int> place(n_, -1), row_place(system_.topology().ny, -1);
  for (const auto& c : couplings) place[c.column] = 0;
  for (int i = 0; i < n_; ++i) {
    if (place[i] < 0) continue;
    place[i] = static_cast<int>(touched_.size());
    touched_.push_back(i);
  }
  for (int k = 0; k < count(); ++k) row_place[rows()[k]] = k;
  std::vector<std::vector<RowEntry>> of_row(count());
  for (size_t c = 0; c < couplings.size(); ++c)
    of_row[row_place[couplings[c].row]].push_back(
        {place[couplings[c].column], couplings[c].column, static_cast<std::ptrdiff_t>(c)});
  row_start_.push_back(0);
  for (auto& row : of_row) {
    std::sort(row.begin(), row.end(), [](const RowEntry& a, const RowEntry& b) { return a.touched < b.touched; });
    row_entries_.insert(row_entries_.end(), row.begin(), row.end());
    row_start_.push_back(static_cast<int>(row_entries_.size()));
  }
}

/// By a factor of three at least: mechanisms of few bodies pass singular positions better with the whole matrix (two windows
/// with 8(5,3) at rtol 1e-8, 1e-9 and 1e-10: all pass with it, one of three with S).
bool Index1Solver::is_schur_less_work() const {
  const double m = count(), touched = static_cast<double>(touched_.size());
  const double entries = static_cast<double>(row_entries_.size());
  return entries * (touched + m) / 4 + m * m * m / 24 + mass_.solve_work() <= matrix().factor_work() / 12;
}

void Index1Solver::invert_mass() {
  const size_t touched = touched_.size();
  inverse_.assign(touched * touched, 0.0);
  for (size_t j = 0; j < touched; ++j) {
    std::fill(x_.begin(), x_.end(), 0.0);
    x_[touched_[j]] = 1;
    mass_.solve(std::span(x_).first(n_));
    for (size_t i = 0; i < touched; ++i) inverse_[j * touched + i] = x_[touched_[i]];
  }
}

bool Index1Solver::factor(const State<double>& state) {
  if (!schur_) return constraints_.factor(state);
  if (count() == 0) return true;
  constraints_.evaluate(state);
  const bool ok = factor_schur();
  return weak_ ? constraints_.factor(state) : ok;
}

/// S = Φ_q M⁻¹ Φ_qᵀ = L D Lᵀ, row by row.
bool Index1Solver::factor_schur() {
  const int m = count(), touched = static_cast<int>(touched_.size());
  redundant_rows_.clear();
  weak_ = false;
  bool ok = true;
  for (int i = 0; i < m; ++i) {
    double* z = &spread_[static_cast<size_t>(i) * touched];
    std::fill(z, z + touched, 0.0);
    for (int e = row_start_[i]; e < row_start_[i + 1]; ++e)
      add_multiple(touched, value(row_entries_[e]), &inverse_[static_cast<size_t>(row_entries_[e].touched) * touched],
                   z);
    double* s = &schur_matrix_[static_cast<size_t>(i) * m];
    for (int j = 0; j <= i; ++j) {
      double sum = 0;
      for (int e = row_start_[j]; e < row_start_[j + 1]; ++e)
        sum = fma(value(row_entries_[e]), z[row_entries_[e].touched], sum);
      s[j] = sum;
    }
    // l_ij = (s_ij − Σ_k l_ik d_k l_jk)/d_j; here w_j = l_ij d_j.
    double size = s[i], pivot = s[i];
    for (int j = 0; j < i; ++j) {
      const double* l = &schur_matrix_[static_cast<size_t>(j) * m];
      const double w = s[j] - sum_of_products<double>(
                                  j, [&]<class P>(int k) { return load_entries<P>(s + k); },
                                  [&]<class P>(int k) { return load_entries<P>(l + k); });
      s[j] = w;
    }
    for (int j = 0; j < i; ++j) {
      const double l = s[j] * pivot_[j], part = l * s[j];
      pivot -= part;
      size += std::fabs(part);
      s[j] = l;
    }
    if (pivot <= redundant_ratio * size) {
      redundant_rows_.push_back(rows()[i]);
      pivot_[i] = 0;
      ok = ok && std::isfinite(pivot);
    } else {
      pivot_[i] = 1 / pivot;
      ok = ok && std::isfinite(pivot) && pivot > detail::worthless_ratio * size;
    }
    weak_ = weak_ || pivot <= weak_pivot * size;
  }
  return ok;
}

/// [f; g] → [x; μ]; without a force f = 0.
void Index1Solver::solve_schur(std::span<double> y, bool has_force) {
  const int m = count(), touched = static_cast<int>(touched_.size());
  const std::span<double> x = y.first(n_);
  if (has_force) {
    mass_.solve(x);
  } else {
    std::fill(x.begin(), x.end(), 0.0);
  }
  if (m == 0) return;
  for (int i = 0; i < m; ++i) {
    double sum = -y[rows()[i]];
    if (has_force)
      for (int e = row_start_[i]; e < row_start_[i + 1]; ++e)
        sum = fma(value(row_entries_[e]), x[row_entries_[e].column], sum);
    const double* l = &schur_matrix_[static_cast<size_t>(i) * m];
    mu_[i] = sum - sum_of_products<double>(
                       i, [&]<class P>(int k) { return load_entries<P>(l + k); },
                       [&]<class P>(int k) { return load_entries<P>(&mu_[k]); });
  }
  for (int i = 0; i < m; ++i) mu_[i] *= pivot_[i];
  for (int i = m - 1; i > 0; --i) add_multiple(i, -mu_[i], &schur_matrix_[static_cast<size_t>(i) * m], mu_.data());
  for (int i = 0; i < m; ++i) y[rows()[i]] = mu_[i];
  if (touched == n_) {
    for (int i = 0; i < m; ++i) add_multiple(n_, -mu_[i], &spread_[static_cast<size_t>(i) * touched], x.data());
    return;
  }
  std::fill(x_.begin(), x_.begin() + n_, 0.0);
  for (int i = 0; i < m; ++i)
    for (int e = row_start_[i]; e < row_start_[i + 1]; ++e)
      x_[row_entries_[e].column] = fma(value(row_entries_[e]), mu_[i], x_[row_entries_[e].column]);
  mass_.solve(std::span(x_).first(n_));
  for (int i = 0; i < n_; ++i) x[i] -= x_[i];
}

void Index1Solver::solve_rows(std::span<double> y) {
  if (schur_ && !weak_) return solve_schur(y, false);
  std::fill(y.begin(), y.begin() + n_, 0.0);
  constraints_.solve(y);
}

bool Index1Solver::accelerations(State<double>& state, const DriftControl& control) {
  if (!schur_) return constraints_.accelerations(state, control);
  const Topology& t = system_.topology();
  Assembler<double>& assembler = system_.assembler;
  std::copy(state.a.begin(), state.a.end(), before_a_.begin());
  std::copy(state.q.begin() + n_, state.q.begin() + t.ny, before_multipliers_.begin());
  std::fill(state.a.begin(), state.a.end(), 0.0);
  assembler.expand(state.q.data(), state.v.data(), state.a.data());
  for (int row : rows()) state.q[row] = 0;
  constraints_.solve_scalars(state);
  bool ok = factor(state);
  if (weak_) {
    std::copy(before_a_.begin(), before_a_.end(), state.a.begin());
    std::copy(before_multipliers_.begin(), before_multipliers_.end(), state.q.begin() + n_);
    return constraints_.accelerations(state, control);
  }
  if (ok) {
    assembler.residual(state.t, state.q.data(), state.v.data(), residual_.data());
    assembler.subtract_mass_times(state.a.data(), 1.0, residual_.data());
    assembler.subtract_damping(state.v.data(), residual_.data());
    assembler.reduce(residual_.data());
    const std::span<double> y = std::span(residual_).first(t.ny);
    if (count() > 0) {
      const ConstraintMotion<double>& m = motion(state);
      for (int row : rows()) y[row] = -m.second[row] - control(m.phi[row], m.rate[row]);
    }
    solve_schur(y, true);
    for (int i = 0; i < n_; ++i) {
      ok = ok && std::isfinite(y[i]);
      state.a[i] = y[i];
    }
    for (int row : rows()) {
      ok = ok && std::isfinite(y[row]);
      state.q[row] = y[row];
    }
    assembler.expand(state.q.data(), state.v.data(), state.a.data());
  }
  if (!ok) {
    std::copy(before_a_.begin(), before_a_.end(), state.a.begin());
    std::copy(before_multipliers_.begin(), before_multipliers_.end(), state.q.begin() + n_);
  }
  return ok;
}

}  // namespace flexura

#include "flexura/solve/modal_pencil.hpp"

#include <algorithm>
#include <cmath>

namespace flexura {

ModalPencil::ModalPencil(System<double>& system, const State<double>& state)
    : size_(system.topology().ny), coordinates_(system.topology().ncoord) {
  const CouplingPattern& coupling = system.assembler.pattern();
  solver_.analyse({coupling.sizes, coupling.multipliers, coupling.pairs}, Symmetry::symmetric);

  Assembler<double>& assembler = system.assembler;
  std::vector<double> q = state.q, v(q.size(), 0.0), a(q.size(), 0.0);
  system.drives.enter(state.t);
  system.look_back(state);
  assembler.set_signals(system.drives.at_rest(state.t, state.lags));
  assembler.expand(q.data(), v.data(), a.data());
  std::fill(v.begin(), v.end(), 0.0);
  std::vector<double> values(system.values.size());
  assembler.tangent(state.t, q.data(), v.data(), 0.0, 0.0, values.data());
  asymmetry_ = system.solver.layout().asymmetry(values);
  symmetrise(system.solver.layout(), values, stiffness_);
  assembler.mass_matrix(values.data());
  symmetrise(system.solver.layout(), values, mass_);

  std::vector<double> diagonal(size_);
  mass_diagonal_.resize(size_);
  solver_.diagonal(stiffness_, std::span<double>(diagonal));
  solver_.diagonal(mass_, std::span<double>(mass_diagonal_));
  for (int i = 0; i < coordinates_; ++i)
    if (mass_diagonal_[i] > 0) scale_ = std::max(scale_, diagonal[i] / mass_diagonal_[i]);
  bool any_mass = false, finite = true;
  for (double m : mass_diagonal_) any_mass |= m > 0;
  for (double x : stiffness_) finite &= std::isfinite(x);
  if (!finite) scale_ = std::numeric_limits<double>::quiet_NaN();
  if (any_mass && scale_ == 0) scale_ = 1;  // free masses: any scale will do
  shifted_.resize(stiffness_.size());
  if (scale_ > 0) {
    factor(-1e6 * scale_);
    far_below_ = below_;
    below_ = 0;
  }
}

void ModalPencil::symmetrise(const ValueLayout& from, std::span<const double> values, std::vector<double>& to) {
  if (from.symmetry == Symmetry::symmetric) {  // the same pattern and so the same layout
    to.assign(values.begin(), values.end());
    return;
  }
  struct Place {
    std::int64_t key;
    double value;
  };
  std::vector<Place> places;
  from.for_each_entry(
      [&](std::int64_t i, std::int64_t j, std::ptrdiff_t at) { places.push_back({i * size_ + j, values[at]}); });
  std::sort(places.begin(), places.end(), [](const Place& a, const Place& b) { return a.key < b.key; });
  const auto value = [&](std::int64_t i, std::int64_t j) {
    const std::int64_t key = i * size_ + j;
    const auto at = std::lower_bound(places.begin(), places.end(), key,
                                     [](const Place& place, std::int64_t k) { return place.key < k; });
    return at != places.end() && at->key == key ? at->value : 0.0;
  };
  to.assign(solver_.value_count(), 0.0);
  solver_.layout().for_each_entry([&](int i, int j, std::ptrdiff_t at) { to[at] = 0.5 * (value(i, j) + value(j, i)); });
}

void ModalPencil::solve(std::span<double> x) const {
  std::vector<double> right(x.begin(), x.end()), product(x.size());
  solver_.solve(x);
  solver_.multiply<double>(shifted_, x, std::span<double>(product));
  for (size_t i = 0; i < right.size(); ++i) right[i] -= product[i];
  solver_.solve(std::span<double>(right));
  for (size_t i = 0; i < right.size(); ++i) x[i] += right[i];
}

bool ModalPencil::factor(double shift) {
  for (size_t i = 0; i < shifted_.size(); ++i) shifted_[i] = stiffness_[i] - shift * mass_[i];
  const FactorReport<double> report = solver_.factor(shifted_);
  below_ = static_cast<int>(report.negative_pivots) + static_cast<int>(report.redundant_rows.size()) - far_below_;
  return report.ok;
}

}  // namespace flexura

#include "flexura/integrate/impacts.hpp"

#include <algorithm>
#include <cmath>

namespace flexura {
namespace {

constexpr double energy_rounding = 1e-13;
constexpr double sliding = 0.01;  ///< share of the whole velocity that the tolerance of normal velocities is taken of

}  // namespace

Impacts::Impacts(System<double>& system, Contacts& contacts, ConstraintMatrix<double>& constraints)
    : system_(system), contacts_(contacts), problem_(contacts.overlay()) {
  analyse(solver_);
  const Topology& topology = system.topology();
  matrix_.assign(solver_.value_count(), 0.0);
  for (auto* x : {&change_, &half_, &full_}) x->assign(topology.ny, 0.0);
  if (topology.ny > topology.ncoord)
    for (auto* x : {&loads_, &phi_, &rate_, &second_}) x->assign(topology.ny, 0.0);
  trial_.assign(topology.nq, 0.0);
  still_.assign(topology.nq, 0.0);
  full_q_.assign(topology.nq, 0.0);
  has_drives_ = std::any_of(topology.dependents.begin(), topology.dependents.end(),
                            [](const Dependent& d) { return !d.drives.empty(); });
  if (!has_drives_) return;
  for (auto* x : {&driven_, &mean_driven_}) x->assign(topology.nq, 0.0);
  for (auto* x : {&lacking_, &forces_}) x->assign(system.assembler.residual_size(), 0.0);
  penalties_ = constraints.penalties();
  penalised_.assign(topology.ny, 0.0);
  has_penalties_ = std::any_of(penalties_.begin(), penalties_.end(), [](double p) { return p != 0; });
}

void Impacts::analyse(LinearSolver<double>& solver) const {
  const CouplingPattern& coupling = system_.assembler.pattern();
  solver.analyse({coupling.sizes, coupling.multipliers, coupling.pairs, coupling.skew},
                 system_.symmetric ? Symmetry::symmetric : Symmetry::unsymmetric);
}

bool Impacts::solve(State<double>& state, const State<double>& before, double h, double available, bool same) {
  const Topology& topology = system_.topology();
  if (!same) {
    q_.assign(state.q.begin(), state.q.end());
    std::fill(q_.begin() + topology.ncoord, q_.begin() + topology.ny, 0.0);
    system_.assembler.constraint_matrix(state.t, q_.data(), state.v.data(), 1.0, matrix_.data());
    if (share_ > 0 && !factor_damped(state)) return false;
  }
  ahead_.clear();
  if (share_ > 0) give_way(state);
  collect(state, before, h);
  if (has_drives_) note_drives(state, before);
  // What joints have drifted to: held by contacts, it would grow.
  if (!loads_.empty()) {
    system_.assembler.constraint_motion(state.t, state.q.data(), state.v.data(), state.a.data(),
                                        {phi_.data(), rate_.data(), second_.data()});
    for (int i = topology.ncoord; i < topology.ny; ++i) loads_[i] = -rate_[i];
    if (has_penalties_) balance_penalties(state);
  }
  if (!find(1, same)) return false;
  const bool bounces = std::any_of(closed_.begin(), closed_.end(), [](const Closed& c) { return c.target > 0; });
  const double most = available * (1 + energy_rounding);
  if (bounces && kinetic(state, change_) - work_of_drives(state, change_, impulses()) > most) {
    full_.swap(change_);
    all_impulses_.assign(impulses_.begin(), impulses_.end());
    if (!find(0, true)) return false;
    limit(state, available);
  }
  drive_work_ = work_of_drives(state, change_, impulses());
  for (int i = 0; i < topology.ncoord; ++i) state.v[i] += change_[i];
  system_.assembler.expand(state.q.data(), state.v.data(), state.a.data());
  for (const Closed& c : closed_) c.contact->impulse = c.impulse;
  return true;
}

/// The matrix has p Φ_qᵀ Φ_q beside M: with p Φ_qᵀ Φ_q Δv = −p Φ_qᵀ Φ̇ on the other side, multipliers are the joints' impulses.
void Impacts::balance_penalties(const State<double>& state) {
  const Topology& topology = system_.topology();
  for (int i = topology.ncoord; i < topology.ny; ++i) penalised_[i] = penalties_[i] * loads_[i];
  std::fill(lacking_.begin(), lacking_.end(), 0.0);
  add_joint_forces(state, penalised_);
  system_.assembler.reduce(lacking_.data());
  std::copy_n(lacking_.begin(), topology.ncoord, loads_.begin());
}

/// lacking_ += Φ_qᵀ μ, in which residuals are linear; μ in y order.
void Impacts::add_joint_forces(const State<double>& state, const std::vector<double>& multipliers) {
  const Topology& topology = system_.topology();
  full_q_.assign(state.q.begin(), state.q.end());
  for (const bool pushed : {false, true}) {
    for (int i = topology.ncoord; i < topology.ny; ++i) full_q_[i] = pushed ? multipliers[i] : 0.0;
    system_.assembler.residual(state.t, full_q_.data(), state.v.data(), forces_.data());
    for (int i = 0; i < topology.nq; ++i) lacking_[i] += pushed ? -forces_[i] : forces_[i];
  }
}

/// matrix_ becomes that of M + κ C, with a factor.
bool Impacts::factor_damped(const State<double>& state) {
  Assembler<double>& assembler = system_.assembler;
  if (damped_.empty()) analyse(damped_solver_);
  full_q_.assign(state.q.begin(), state.q.end());
  assembler.expand(full_q_.data(), guess_.data(), still_.data());
  damped_.resize(matrix_.size());
  undamped_.resize(matrix_.size());
  assembler.tangent(state.t, full_q_.data(), guess_.data(), 0.0, share_, damped_.data());
  assembler.tangent(state.t, full_q_.data(), guess_.data(), 0.0, 0.0, undamped_.data());
  for (size_t i = 0; i < matrix_.size(); ++i) matrix_[i] += damped_[i] - undamped_[i];
  return damped_solver_.factor(matrix_).ok;
}

/// v of the state becomes v*.
void Impacts::give_way(State<double>& state) {
  const Assembler<double>& assembler = system_.assembler;
  const Topology& topology = system_.topology();
  assembler.expand(state.q.data(), guess_.data(), state.a.data());
  ahead_.resize(state.v.size());
  for (size_t i = 0; i < ahead_.size(); ++i) ahead_[i] = guess_[i] - state.v[i];
  rest_.assign(static_cast<size_t>(assembler.residual_size()), 0.0);
  assembler.subtract_mass_times(ahead_.data(), 1.0, rest_.data());
  assembler.reduce(rest_.data());
  std::copy_n(rest_.begin(), topology.ncoord, half_.begin());
  std::fill(half_.begin() + topology.ncoord, half_.end(), 0.0);
  damped_solver_.solve(std::span<double>(half_));
  ahead_.assign(state.v.begin(), state.v.end());
  for (int i = 0; i < topology.ncoord; ++i) state.v[i] = guess_[i] + half_[i];
  assembler.expand(state.q.data(), state.v.data(), state.a.data());
  for (size_t i = 0; i < ahead_.size(); ++i) ahead_[i] = state.v[i] - ahead_[i];
}

/// Closed contacts, how fast they close without impulses and how fast they are to open.
void Impacts::collect(const State<double>& state, const State<double>& before, double h) {
  const Overlay& overlay = contacts_.overlay();
  const auto& g = system_.assembler.gravity();
  const double slow = 2 * h * std::sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
  closed_.clear();
  speed_scale_ = 0;
  auto record = state.contacts.begin();
  for (Contact& c : contacts_.candidates()) {
    if (!contacts_.is_closed(c)) continue;
    const double mobility = overlay.compliance(c.points, c.n, contacts_.mass());
    if (!(mobility > 0)) continue;
    const double free = dot(c.n, overlay.difference(c.points, state.v.data()));
    const double first = dot(c.n, overlay.difference(c.points, before.v.data()));
    c.approach = 0;
    if (c.gap_before > contacts_.closed_gap(c) && free < 0) {
      const double squared = first * first - 2 * (free - first) / h * c.gap_before;
      c.approach = -std::min(std::sqrt(std::max(squared, 0.0)), std::max(std::fabs(first), std::fabs(free)));
    }
    const double target = -c.approach > slow ? -restitution(c) * c.approach : 0.0;
    while (record != state.contacts.end() && record->key < c.key.packed()) ++record;
    const bool known = record != state.contacts.end() && record->key == c.key.packed();
    closed_.push_back({&c, free, target, 1 / mobility, known ? record->impulse : 0.0});
    // Of what slides fast the speed along n is known to its rounding only.
    const double along = norm(overlay.difference(c.points, state.v.data())),
                 whole = std::max(along, norm(overlay.at(c.points.a, state.v.data())));
    speed_scale_ = std::max({speed_scale_, std::fabs(free), std::fabs(first), sliding * whole});
  }
}

bool Impacts::find(double share, bool same) {
  std::vector<ContactProblem::Row>& rows = problem_.rows();
  rows.clear();
  for (const Closed& c : closed_)
    rows.push_back({c.contact->points, c.contact->n, c.free - share * c.target, c.scale, speed_scale_, c.guess});
  if (!problem_.solve(solver_, matrix_, loads_, change_, same)) return false;
  for (size_t k = 0; k < closed_.size(); ++k) closed_[k].impulse = rows[k].force;
  return true;
}

double Impacts::kinetic(const State<double>& state, const std::vector<double>& change) {
  const Topology& topology = system_.topology();
  trial_.assign(state.v.begin(), state.v.end());
  for (int i = 0; i < topology.ncoord; ++i) trial_[i] += change[i];
  q_.assign(state.q.begin(), state.q.end());
  still_.assign(state.a.begin(), state.a.end());
  system_.assembler.expand(q_.data(), trial_.data(), still_.data());
  return system_.assembler.kinetic_energy(trial_.data());
}

std::span<const double> Impacts::impulses() {
  impulses_.clear();
  for (const Closed& c : closed_) impulses_.push_back(c.impulse);
  return impulses_;
}

/// What is prescribed is W y + U: U from what y = 0 leaves.
void Impacts::note_drives(const State<double>& state, const State<double>& before) {
  const Assembler<double>& assembler = system_.assembler;
  full_q_.assign(state.q.begin(), state.q.end());
  std::fill(driven_.begin(), driven_.end(), 0.0);
  assembler.expand(full_q_.data(), driven_.data(), still_.data());
  trial_.assign(before.v.begin(), before.v.end());
  assembler.expand(full_q_.data(), trial_.data(), still_.data());  // as it would be with U of the end
  for (size_t i = 0; i < trial_.size(); ++i) mean_driven_[i] = driven_[i] + 0.5 * (before.v[i] - trial_[i]);
}

double Impacts::work_of_drives(const State<double>& state, const std::vector<double>& change,
                               std::span<const double> impulses) {
  if (!has_drives_) return 0;
  const Topology& topology = system_.topology();
  const Assembler<double>& assembler = system_.assembler;
  double work = 0, pushed = 0, carried = 0;
  for (size_t k = 0; k < closed_.size(); ++k) {
    const Contact& c = *closed_[k].contact;
    const bool was_closed = c.gap_before <= contacts_.closed_gap(c);
    const std::vector<double>& drives = was_closed ? mean_driven_ : driven_;
    work -= impulses[k] * dot(c.n, contacts_.overlay().difference(c.points, drives.data()));
    pushed += impulses[k];
    carried += was_closed ? impulses[k] : 0;
  }
  // What reaches drives through joints and inertia, at the mean of both velocities.
  full_q_.assign(state.q.begin(), state.q.end());
  std::fill(full_q_.begin() + topology.ncoord, full_q_.begin() + topology.ny, 0.0);
  std::fill(trial_.begin(), trial_.end(), 0.0);
  std::copy_n(change.begin(), topology.ncoord, trial_.begin());
  assembler.expand(full_q_.data(), trial_.data(), still_.data());
  for (size_t i = 0; i < trial_.size(); ++i) trial_[i] -= driven_[i];
  for (size_t i = 0; i < ahead_.size(); ++i) trial_[i] += ahead_[i];
  std::fill(lacking_.begin(), lacking_.end(), 0.0);
  assembler.subtract_mass_times(trial_.data(), -1.0, lacking_.data());
  if (topology.ny > topology.ncoord) add_joint_forces(state, change);
  const double share = pushed > 0 ? carried / pushed : 0;
  for (int i = topology.ny; i < topology.nq; ++i)
    work += lacking_[i] * (driven_[i] + share * (mean_driven_[i] - driven_[i]));
  return work;
}

/// Between no restitution (change_) and all of it (full_): kinetic energy is a parabola of the share, the work of drives a line.
void Impacts::limit(State<double>& state, double available) {
  const double given = work_of_drives(state, change_, impulses()), more = work_of_drives(state, full_, all_impulses_);
  const double none = kinetic(state, change_) - given, all = kinetic(state, full_) - more;
  for (size_t i = 0; i < half_.size(); ++i) half_[i] = 0.5 * (change_[i] + full_[i]);
  const double half = kinetic(state, half_) - 0.5 * (given + more);
  const double curve = 2 * (all + none - 2 * half), slope = all - none - curve;
  double share = 0;
  if (none < available) {
    const double c = none - available, root = std::sqrt(std::max(slope * slope - 4 * curve * c, 0.0));
    share = std::clamp(-2 * c / (slope + root), 0.0, 1.0);
  }
  for (size_t i = 0; i < half_.size(); ++i) change_[i] += share * (full_[i] - change_[i]);
  for (size_t k = 0; k < closed_.size(); ++k) closed_[k].impulse += share * (all_impulses_[k] - closed_[k].impulse);
}

}  // namespace flexura

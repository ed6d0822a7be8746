#include "flexura/solve/linear_motion.hpp"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <Eigen/QR>
#include <Eigen/SparseCore>
#include <algorithm>
#include <cmath>
#include <limits>

#include "flexura/solve/constraint_matrix.hpp"
#include "flexura/solve/culprit.hpp"
#include "flexura/solve/drive_rows.hpp"
#include "flexura/solve/extent.hpp"
#include "flexura/solve/flow_rows.hpp"
#include "flexura/solve/state_tangents.hpp"

namespace flexura {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using Sparse = Eigen::SparseMatrix<double>;

constexpr double dependent = 1e-11;  ///< of unit rows and columns, as in the block factor

Index size_of(const std::vector<int>& x) { return static_cast<Index>(x.size()); }

/// The model on duals about its state, one direction at a time.
class Direction {
 public:
  Direction(DualResidual& residual, const FlowRows& flows, const DriveRows& drives, const State<double>& state,
            std::span<const SignalValue> signals)
      : residual_(residual),
        flows_(flows),
        drives_(drives),
        state_(unchanging(state)),
        ny_(residual.assembler.topology().ny) {
    for (const SignalValue& s : signals) u_.push_back(s.u), du_.push_back(s.du), ddu_.push_back(s.ddu);
    for (auto* x : {&phi_, &rate_, &second_}) x->assign(static_cast<size_t>(ny_), Tangent(0.0));
    residual_.assembler.set_history(state_.history, 0);
  }

  std::vector<Tangent>& part(int order) { return order == 0 ? state_.q : order == 1 ? state_.v : state_.a; }
  void clear() {
    for (int order = 0; order < 3; ++order)
      for (Tangent& x : part(order)) x.d = 0;
    signals(-1, {});
  }
  /// The k-th derivative of an input changes by 1.
  void signals(int k, const std::vector<double>& slope) {
    for (int order = 0; order < 3; ++order) {
      std::vector<Tangent>& to = order == 0 ? u_ : order == 1 ? du_ : ddu_;
      for (size_t i = 0; i < to.size(); ++i) to[i].d = order == k ? slope[i] : 0.0;
    }
    residual_.assembler.set_signals(u_, du_, ddu_);
  }
  /// dΦ, dΦ̇ or dΦ̈ of the rows.
  VectorXd constraints(int order, const std::vector<int>& rows) {
    Assembler<Tangent>& assembler = residual_.assembler;
    assembler.expand(state_.q.data(), state_.v.data(), state_.a.data());
    assembler.constraint_motion(state_.t, state_.q.data(), state_.v.data(), state_.a.data(),
                                {phi_.data(), rate_.data(), second_.data()});
    const std::vector<Tangent>& from = order == 0 ? phi_ : order == 1 ? rate_ : second_;
    VectorXd out(size_of(rows));
    for (Index i = 0; i < out.size(); ++i) out[i] = from[static_cast<size_t>(rows[i])].d;
    return out;
  }
  VectorXd residual() {
    const std::span<const Tangent> r = residual_.at(state_, true);
    VectorXd out(ny_);
    for (Index i = 0; i < ny_; ++i) out[i] = r[static_cast<size_t>(i)].d;
    drives_.add_change(residual_, state_, out);
    flows_.replace_change(residual_, state_, out);
    return out;
  }

 private:
  DualResidual& residual_;
  const FlowRows& flows_;
  const DriveRows& drives_;
  State<Tangent> state_;
  std::vector<Tangent> u_, du_, ddu_, phi_, rate_, second_;
  Index ny_;
};

/// Which coordinates follow from the others by the constraints, and how.
class Dependence {
 public:
  Dependence(System<double>& system, const State<double>& state) {
    const Topology& topology = system.topology();
    ConstraintMatrix<double> matrix(system);
    rows_.assign(matrix.rows().begin(), matrix.rows().end());
    std::vector<int> row_of(static_cast<size_t>(topology.ny), -1), unknown_of = row_of;
    coupled_.assign(static_cast<size_t>(topology.ny), 0);
    for (const auto& c : matrix.couplings()) coupled_[static_cast<size_t>(c.column)] = 1;
    for (size_t k = 0; k < rows_.size(); ++k) row_of[static_cast<size_t>(rows_[k])] = static_cast<int>(k);
    std::vector<int> unknowns;
    for (int i = 0; i < topology.ny; ++i)
      if (row_of[static_cast<size_t>(i)] < 0)
        unknown_of[static_cast<size_t>(i)] = static_cast<int>(unknowns.size()), unknowns.push_back(i);
    if (rows_.empty()) {
      free_ = unknowns;
      return;
    }
    // Of a kind that can be compared: points in lengths of the machine; coordinates of joints rather stay.
    constexpr double stays = 0.03;
    const double size = extent(topology, state.q);
    VectorXd weight = VectorXd::Ones(size_of(unknowns));
    for (const Slot& slot : topology.slots)
      for (int i = slot.offset; slot.block >= 0 && i < slot.offset + slot.size; ++i)
        if (const int k = unknown_of[static_cast<size_t>(i)]; k >= 0)
          weight[k] = slot.kind == SlotKind::point ? size : slot.size == 1 ? stays : 1.0;
    MatrixXd gradients = MatrixXd::Zero(size_of(rows_), size_of(unknowns));
    matrix.evaluate(state.t, state.q, state.v);
    for (const auto& c : matrix.couplings())
      if (const int k = unknown_of[static_cast<size_t>(c.column)]; k >= 0)
        gradients(row_of[static_cast<size_t>(c.row)], k) += matrix.value(c) * weight[k];
    scale_ = VectorXd::Ones(size_of(rows_));
    for (Index i = 0; i < gradients.rows(); ++i)
      if (const double norm = gradients.row(i).norm(); norm > 0) scale_[i] = 1 / norm;
    gradients = scale_.asDiagonal() * gradients;
    Eigen::ColPivHouseholderQR<MatrixXd> qr(gradients);
    qr.setThreshold(dependent);
    std::vector<char> follows(unknowns.size(), 0);
    MatrixXd columns(gradients.rows(), qr.rank());
    for (Index k = 0; k < qr.rank(); ++k) {
      const int column = qr.colsPermutation().indices()[k];
      follows[static_cast<size_t>(column)] = 1;
      dependent_.push_back(unknowns[static_cast<size_t>(column)]);
      columns.col(k) = gradients.col(column) / weight[column];
    }
    for (size_t k = 0; k < unknowns.size(); ++k)
      if (!follows[k]) free_.push_back(unknowns[k]);
    factor_.setThreshold(dependent);
    back_.setThreshold(dependent);
    if (dependent_.empty()) return;
    factor_.compute(columns);
    back_.compute(MatrixXd(columns.transpose()));
  }

  const std::vector<int>& free() const { return free_; }
  int count() const { return static_cast<int>(dependent_.size()); }
  /// Whether some constraint feels the coordinate.
  bool couples(int coordinate) const { return coupled_[static_cast<size_t>(coordinate)] != 0; }

  /// Lets positions (0), velocities (1) or accelerations (2) that depend on the others follow.
  void complete(Direction& direction, int order) const {
    if (dependent_.empty()) return;
    const VectorXd off = scale_.cwiseProduct(direction.constraints(order, rows_));
    const VectorXd move = factor_.solve(off);
    std::vector<Tangent>& part = direction.part(order);
    for (Index k = 0; k < move.size(); ++k) part[static_cast<size_t>(dependent_[k])].d -= move[k];
  }
  /// Multipliers that balance what is left at dependent coordinates [ny × columns], added to q.
  void add_multipliers(const MatrixXd& left, MatrixXd& q) const {
    if (dependent_.empty()) return;
    const MatrixXd lambda = scale_.asDiagonal() * MatrixXd(back_.solve(MatrixXd(left(dependent_, Eigen::all))));
    q(rows_, Eigen::all) += lambda;
  }

 private:
  std::vector<int> rows_, free_, dependent_;
  std::vector<char> coupled_;  ///< [ny]
  VectorXd scale_;
  Eigen::CompleteOrthogonalDecomposition<MatrixXd> factor_, back_;  ///< of the rows' columns there, and transposed
};

/// The residual's derivatives at the state: the terms' own tangents. Where these are not exact, as of laws that programs register, there
/// are none, and duals tell it direction by direction.
class Tangents {
 public:
  Tangents(System<double>& system, const FlowRows& flows, const DriveRows& drives, Direction& direction,
           const State<double>& state, std::span<const SignalValue> signals) {
    const int ny = system.topology().ny;
    std::vector<Eigen::Triplet<double>> parts[3];
    std::vector<TangentEntry> entries = state_tangents(system, state, signals);
    drives.add_tangents(entries);
    flows.replace_tangents(entries);
    for (const TangentEntry& e : entries) {
      const double values[3] = {e.stiffness, e.damping, e.mass};
      for (int k = 0; k < 3; ++k)
        if (values[k] != 0) parts[k].emplace_back(e.row, e.column, values[k]);
    }
    for (int k = 0; k < 3; ++k) {
      matrix_[k].resize(ny, ny);
      matrix_[k].setFromTriplets(parts[k].begin(), parts[k].end());
    }
    exact_ = true;
    for (int order = 0; order < 2 && exact_; ++order) exact_ = agrees(direction, system.topology(), order);
    direction.clear();
  }

  bool exact() const { return exact_; }
  /// dR of changes of q, v and a.
  Sparse residual(const Sparse& q, const Sparse& v, const Sparse& a) const {
    return Sparse(-(matrix_[0] * q) - matrix_[1] * v - matrix_[2] * a);
  }

 private:
  /// In one direction in which all coordinates differ, row by row against what is summed there.
  bool agrees(Direction& direction, const Topology& topology, int order) const {
    constexpr double allowed = 1e-9;
    direction.clear();
    VectorXd along(topology.ny);
    const int end = order == 0 ? topology.ny : topology.ncoord;
    along.setZero();
    for (int i = 0; i < end; ++i)
      direction.part(order)[static_cast<size_t>(i)].d = along[i] = 1 + 0.5 * std::sin(1.7 * i + order);
    const VectorXd dual = direction.residual(), own = -(matrix_[order] * along);
    const VectorXd size = matrix_[order].cwiseAbs() * along.cwiseAbs();
    const double all = size.size() == 0 ? 0 : size.maxCoeff();
    for (Index i = 0; i < own.size(); ++i)
      if (!(std::fabs(dual[i] - own[i]) <= allowed * size[i] + 1e-14 * all)) return false;
    return true;
  }

  Sparse matrix_[3];  ///< K, D, M
  bool exact_ = false;
};

/// What the model feels of the first derivatives of one kind of change: of z, ż, z̈, u, u̇ or ü.
struct Slopes {
  Sparse q, v, a, residual;  ///< [ny × changes]
};

/// Changes of an order, or of a derivative of the inputs: `set(k)` makes the k-th; `plain(k)`: the coordinate that it is alone, and
/// that no constraint feels, or −1.
template <class Set, class Plain>
Slopes slopes(Direction& direction, const Dependence& dependence, const Tangents* tangents, Index ny, Index count,
              int order, Set set, Plain plain) {
  std::vector<Eigen::Triplet<double>> parts[4];
  for (Index k = 0; k < count; ++k) {
    const auto column = static_cast<int>(k);
    if (const int alone = tangents == nullptr ? -1 : plain(k); alone >= 0) {
      parts[order].emplace_back(alone, column, 1.0);
      continue;
    }
    direction.clear();
    set(k);
    for (int level = order; level < 3; ++level) dependence.complete(direction, level);
    if (tangents == nullptr) {
      const VectorXd residual = direction.residual();
      for (int i = 0; i < ny; ++i)
        if (residual[i] != 0) parts[3].emplace_back(i, column, residual[i]);
    }
    for (int level = order; level < 3; ++level)
      for (int i = 0; i < ny; ++i)
        if (const double d = direction.part(level)[static_cast<size_t>(i)].d; d != 0)
          parts[level].emplace_back(i, column, d);
  }
  Slopes out;
  Sparse* matrices[] = {&out.q, &out.v, &out.a, &out.residual};
  for (int k = 0; k < 4; ++k) {
    matrices[k]->resize(ny, count);
    matrices[k]->setFromTriplets(parts[k].begin(), parts[k].end());
  }
  if (tangents != nullptr) out.residual = tangents->residual(out.q, out.v, out.a);
  return out;
}

bool is_finite(const Sparse& m) {
  return std::all_of(m.valuePtr(), m.valuePtr() + m.nonZeros(), [](double x) { return std::isfinite(x); });
}

/// M̄ z̈ + D̄ ż + K̄ z = B̄ U with U = [u u̇ ü], after z = T ẑ splits into what has mass, what dampers hold and what is at rest.
struct Reduced {
  MatrixXd M, D, K, B, T;
  std::vector<int> mass, damped, still;  ///< places in z
  bool is_turned = false;                ///< T is not the identity

  /// "" or why not. `name`: of a place in z.
  template <class Name>
  std::string split(Name name);
};

template <class Name>
std::string Reduced::split(Name name) {
  const Index n = M.rows();
  T = MatrixXd::Identity(n, n);
  M = MatrixXd(0.5 * (M + M.transpose()));
  VectorXd scale(n);
  for (Index i = 0; i < n; ++i) scale[i] = M(i, i) > 0 ? 1 / std::sqrt(M(i, i)) : 0.0;
  std::vector<int> without;
  if (n > 0) {
    const MatrixXd scaled = scale.asDiagonal() * M * scale.asDiagonal();
    // A row without a diagonal is empty. All others have mass, mostly: that is seen at a tenth of the cost of a rank.
    constexpr double surely = 1e-6;
    for (int i = 0; i < n; ++i) (M(i, i) > 0 ? mass : without).push_back(i);
    const Eigen::LLT<MatrixXd> all(MatrixXd(scaled(mass, mass)));
    const bool is_positive =
        mass.empty() || (all.info() == Eigen::Success && all.matrixLLT().diagonal().cwiseAbs2().minCoeff() > surely);
    if (!is_positive) {
      mass.clear(), without.clear();
      Eigen::ColPivHouseholderQR<MatrixXd> qr(scaled);
      qr.setThreshold(dependent);
      const auto order = qr.colsPermutation().indices();
      for (Index k = 0; k < n; ++k) (k < qr.rank() ? mass : without).push_back(order[k]);
    }
    std::sort(mass.begin(), mass.end());
    std::sort(without.begin(), without.end());
  }
  if (!without.empty()) {
    if (!mass.empty() && !M(mass, without).isZero(0)) {  // what moves without mass moves some of the others along
      is_turned = true;
      T(mass, without) = -MatrixXd(Eigen::LLT<MatrixXd>(M(mass, mass)).solve(MatrixXd(M(mass, without))));
      M = MatrixXd(T.transpose() * M * T), D = MatrixXd(T.transpose() * D * T), K = MatrixXd(T.transpose() * K * T);
      B = MatrixXd(T.transpose() * B);
    }
    const double size = D.cwiseAbs().maxCoeff();
    for (const int i : without) {
      double most = 0;
      for (const int j : without) most = std::max({most, std::fabs(D(i, j)), std::fabs(D(j, i))});
      (most > 1e-14 * size ? damped : still).push_back(i);
    }
    for (const int i : still)
      for (const int j : mass)
        if (std::fabs(D(j, i)) > 1e-12 * size)
          return fmt::format("'{}' has no mass, and a damper pulls with it at what has: give it a mass", name(i));
  }
  const auto regular = [&](const MatrixXd& matrix, const std::vector<int>& of) {
    const MatrixXd part = matrix(of, of);
    return of.empty() || Eigen::FullPivLU<MatrixXd>(part).isInvertible();
  };
  if (!regular(D, damped))
    return fmt::format("dampers alone do not decide how '{}' moves: give it a mass", name(damped[0]));
  if (!regular(K, still)) return fmt::format("'{}' has no mass, and nothing holds it", name(still[0]));
  return {};
}

}  // namespace

LinearMotion linearise_motion(System<double>& system, DualResidual& residual, const State<double>& state,
                              std::span<const SignalValue> signals, const std::vector<std::vector<double>>& inputs) {
  LinearMotion out;
  const Topology& topology = system.topology();
  const Index ny = topology.ny, m = static_cast<Index>(inputs.size());
  out.inputs = static_cast<int>(m);
  const Dependence dependence(system, state);
  out.constraints = dependence.count();
  const std::vector<int>& z = dependence.free();
  const Index n = size_of(z);
  const FlowRows flows(system, residual, state, signals, inputs);
  const DriveRows drives(system, state, signals);
  Direction direction(residual, flows, drives, state, signals);
  const Tangents tangents(system, flows, drives, direction, state, signals);
  const Tangents* exact = tangents.exact() ? &tangents : nullptr;
  const auto of_order = [&](int order) {
    return slopes(
        direction, dependence, exact, ny, n, order,
        [&](Index k) { direction.part(order)[static_cast<size_t>(z[static_cast<size_t>(k)])].d = 1; },
        [&](Index k) {
          const int coordinate = z[static_cast<size_t>(k)];
          return dependence.couples(coordinate) ? -1 : coordinate;
        });
  };
  const Slopes by_z = of_order(0), by_rate = of_order(1), by_second = of_order(2);
  Slopes by_input[3];
  for (int k = 0; k < 3; ++k)
    by_input[k] = slopes(
        direction, dependence, nullptr, ny, m, k,
        [&](Index i) { direction.signals(k, inputs[static_cast<size_t>(i)]); }, [](Index) { return -1; });
  for (const Slopes* s : {&by_z, &by_rate, &by_second})
    if (!is_finite(s->residual)) {
      out.problem = "the derivative at this state is not finite";
      return out;
    }

  const Sparse Nt = by_z.q.transpose();
  Reduced reduced;
  reduced.M = MatrixXd(-(Nt * by_second.residual));
  reduced.D = MatrixXd(-(Nt * by_rate.residual));
  reduced.K = MatrixXd(-(Nt * by_z.residual));
  reduced.B.setZero(n, 3 * m);
  for (int k = 0; k < 3; ++k) reduced.B.middleCols(k * m, m) = MatrixXd(Nt * by_input[k].residual);
  out.problem = reduced.split([&](int place) { return unknown_name(topology, z[static_cast<size_t>(place)]); });
  if (!out.problem.empty()) return out;

  // [x | U] → ẑ, and its rates: rows of these matrices. What is at rest follows first, then rates of what dampers hold.
  const std::vector<int>&p = reduced.mass, &d = reduced.damped, &s = reduced.still;
  const Index np = size_of(p), nd = size_of(d), states = 2 * np + nd, columns = states + 3 * m;
  MatrixXd position = MatrixXd::Zero(n, columns), rate = position, second = position,
           loads = MatrixXd::Zero(n, columns);
  loads.rightCols(3 * m) = reduced.B;
  const Sparse K = reduced.K.sparseView(), D = reduced.D.sparseView();
  for (Index i = 0; i < np; ++i) position(p[i], i) = rate(p[i], np + i) = 1;
  for (Index i = 0; i < nd; ++i) position(d[i], 2 * np + i) = 1;
  if (!s.empty()) {
    const MatrixXd left = loads - K * position - D * rate;
    position(s, Eigen::all) =
        MatrixXd(Eigen::FullPivLU<MatrixXd>(reduced.K(s, s)).solve(MatrixXd(left(s, Eigen::all))));
  }
  if (!d.empty()) {
    const MatrixXd left = loads - K * position - D * rate;
    rate(d, Eigen::all) = MatrixXd(Eigen::FullPivLU<MatrixXd>(reduced.D(d, d)).solve(MatrixXd(left(d, Eigen::all))));
  }
  if (!p.empty()) {
    const MatrixXd left = loads - K * position - D * rate;
    second(p, Eigen::all) = MatrixXd(Eigen::LLT<MatrixXd>(reduced.M(p, p)).solve(MatrixXd(left(p, Eigen::all))));
  }
  MatrixXd F(states, columns);
  F.topRows(np) = rate(p, Eigen::all);
  F.middleRows(np, np) = second(p, Eigen::all);
  F.bottomRows(nd) = rate(d, Eigen::all);
  if (!s.empty()) {  // ż of what is at rest: d/dt of how it follows; a third derivative of an input is not told
    const MatrixXd follows = position(s, Eigen::all);
    MatrixXd moved = follows.leftCols(states) * F;
    moved.rightCols(2 * m) += follows.middleCols(states, 2 * m);
    rate(s, Eigen::all) = moved;
  }
  out.A = F.leftCols(states);
  for (int k = 0; k < 3; ++k) out.B[k] = F.middleCols(states + k * m, m);
  for (const int rates : {0, 1})
    for (const int i : p)
      out.states.push_back(z[static_cast<size_t>(i)]), out.rates.push_back(static_cast<char>(rates));
  for (const int i : d) out.states.push_back(z[static_cast<size_t>(i)]), out.rates.push_back(0);
  for (const int i : s) out.at_rest.push_back(z[static_cast<size_t>(i)]);

  if (reduced.is_turned)
    position = MatrixXd(reduced.T * position), rate = MatrixXd(reduced.T * rate), second = MatrixXd(reduced.T * second);
  const auto add_inputs = [&](MatrixXd& to, Sparse Slopes::* part) {
    for (int k = 0; k < 3; ++k) to.middleCols(states + k * m, m) += MatrixXd(by_input[k].*part);
  };
  out.q = by_z.q * position;
  out.v = by_z.v * position + by_rate.v * rate;
  out.a = by_z.a * position + by_rate.a * rate + by_second.a * second;
  add_inputs(out.q, &Slopes::q), add_inputs(out.v, &Slopes::v), add_inputs(out.a, &Slopes::a);
  if (dependence.count() > 0) {
    MatrixXd left = by_z.residual * position + by_rate.residual * rate + by_second.residual * second;
    add_inputs(left, &Slopes::residual);
    dependence.add_multipliers(left, out.q);
  }

  out.drift.setZero(states);
  out.x.setZero(states);
  for (Index i = 0; i < np; ++i) {
    const auto at = static_cast<size_t>(out.states[static_cast<size_t>(i)]);
    out.drift[i] = state.v[at];
    out.drift[np + i] = state.a[at];
    out.imbalance = std::max(out.imbalance, std::fabs(state.a[at]));
  }
  for (Index i = 0; i < nd; ++i) {
    const int at = out.states[static_cast<size_t>(2 * np + i)];
    out.drift[2 * np + i] = flows.is_state(at) ? flows.rate(at) : state.v[static_cast<size_t>(at)];
  }
  for (Index i = 0; i < states; ++i) {
    const int at = out.states[static_cast<size_t>(i)];
    out.x[i] = flows.is_state(at)                       ? flows.passed(at)
               : out.rates[static_cast<size_t>(i)] != 0 ? state.v[static_cast<size_t>(at)]
                                                        : state.q[static_cast<size_t>(at)];
  }
  return out;
}

}  // namespace flexura

#include "flexura/solve/frame_states.hpp"

#include <fmt/format.h>

#include <Eigen/SparseCore>
#include <algorithm>
#include <cmath>
#include <map>

#include "flexura/linear/sparse_qr.hpp"
#include "flexura/load/truss.hpp"
#include "flexura/math/decompositions.hpp"
#include "flexura/math/singular_values.hpp"
#include "flexura/solve/extent.hpp"
#include "flexura/term/numbers.hpp"

namespace flexura {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using Sparse = Eigen::SparseMatrix<double>;

constexpr double dependent = 1e-8;    ///< of a row: less is left of one that others imply
constexpr int most_unknowns = 20000;  ///< rows or coordinates
constexpr Index most_listed = 60;     ///< mechanisms; states of self-stress

template <int D>
void add_members(const Model& model, const State<double>& state, std::vector<ElasticMember>& out) {
  using Truss = ElasticTruss<D>;
  const Topology& t = *model.topology;
  for (size_t b = 0; b < t.batches.size(); ++b) {
    const ItemBatch& batch = t.batches[b];
    if (batch.type->info.name != Truss::name) continue;
    const auto options = options_from<Truss>(batch.options);
    const size_t width = batch.type->info.slots.size(),
                 count = model.values.parameters[b].size() / static_cast<size_t>(batch.count);
    for (int i = 0; i < batch.count; ++i) {
      const int* slots = batch.slots.data() + static_cast<size_t>(i) * width;
      const auto p =
          params_from<Truss>(std::span(model.values.parameters[b]).subspan(static_cast<size_t>(i) * count, count));
      double square = 0;
      for (int k = 0; k < D; ++k) {
        const double d = state.q[t.slots[slots[1]].offset + k] - state.q[t.slots[slots[0]].offset + k];
        square += d * d;
      }
      out.push_back({t.item_names[batch.names[i]],
                     {slots[0], slots[1]},
                     typename Truss::template Tension<double>(p, options, std::sqrt(square)).force,
                     options.carries == Truss::Carries::tension});
    }
  }
}

/// All that is asked of one state of a model, in coordinates x: q = scale · x.
class Frame {
 public:
  Frame(System<double>& system, const Model& model, const State<double>& state)
      : system_(system),
        topology_(*model.topology),
        state_(state),
        constraints_(system),
        length_(extent(topology_, state.q)) {
    out_.coordinates = topology_.ncoord;
    out_.constraints = constraints_.count();
    out_.elastic = elastic_members(model, state);
    name_rows();
  }

  FrameStates solve() {
    if (std::max(out_.coordinates, out_.count()) > most_unknowns) {
      out_.problem = fmt::format("more than {} rows or coordinates", most_unknowns);
      return std::move(out_);
    }
    stop_signals();
    make_rows();
    factor();
    find_rigid();
    find_stresses();
    find_mechanisms();
    return std::move(out_);
  }

 private:
  void name_rows() {
    std::map<std::string, int> rows_of_item;
    std::vector<RowName> names = row_names(topology_, constraints_.rows());
    for (RowName& name : names) {
      if (name.item.empty()) name.item = name.multiplier;
      ++rows_of_item[name.item];
    }
    for (const RowName& name : names) {
      out_.rows.push_back(rows_of_item[name.item] > 1 ? name.multiplier : name.item);
      out_.members.push_back(name.item);
    }
    for (const ElasticMember& member : out_.elastic) {
      out_.rows.push_back(member.name);
      out_.members.push_back(member.name);
    }
  }

  /// Lengths that are driven stand still: what is asked for is geometry.
  void stop_signals() {
    const std::vector<double> u = system_.assembler.signals(), none(u.size(), 0.0);
    system_.assembler.set_signals(std::span<const double>(u), none, none);
  }

  /// What a unit of each free coordinate does to a member's ends: direction · (ṙ₁ − ṙ₀).
  std::map<int, double> elongation(const ElasticMember& member) const {
    const int D = topology_.dim;
    std::map<int, double> row;
    const double *a = at(state_.q, member.slots[0]), *b = at(state_.q, member.slots[1]);
    double square = 0;
    for (int i = 0; i < D; ++i) square += (b[i] - a[i]) * (b[i] - a[i]);
    const double length = std::sqrt(square);
    for (int end = 0; end < 2 && length > 0; ++end)
      for (const auto& [master, weights] : system_.assembler.masters(member.slots[end])) {
        const Slot& slot = topology_.slots[master];
        for (int i = 0; i < D; ++i)
          for (int j = 0; j < slot.size; ++j)
            row[slot.offset + j] +=
                (end == 0 ? -1 : 1) * (b[i] - a[i]) / length * weights[static_cast<size_t>(i * slot.size + j)];
      }
    return row;
  }

  void make_rows() {
    const int n = out_.coordinates, rows = out_.count();
    scale_ = VectorXd::Ones(n);
    for (const Slot& slot : topology_.slots)
      if (slot.kind != SlotKind::point && slot.dependent < 0 && slot.offset < n)
        scale_.segment(slot.offset, slot.size).setConstant(1 / length_);
    std::vector<Eigen::Triplet<double>> entries;
    constraints_.evaluate(state_);
    std::map<int, int> place;
    for (int r = 0; r < out_.constraints; ++r) place[constraints_.rows()[r]] = r;
    for (const auto& c : constraints_.matrix().couplings()) {
      const double value = constraints_.matrix().value(c) * (c.column < n ? scale_[c.column] : 0);
      if (const auto found = place.find(c.row); found != place.end() && value != 0)
        entries.emplace_back(c.column, found->second, value);
    }
    for (size_t e = 0; e < out_.elastic.size(); ++e)
      for (const auto& [column, value] : elongation(out_.elastic[e]))
        if (column < n && value != 0)
          entries.emplace_back(column, out_.constraints + static_cast<int>(e), value * scale_[column]);
    transposed_.resize(n, rows);
    transposed_.setFromTriplets(entries.begin(), entries.end());
    size_ = VectorXd::Ones(rows);
    for (int r = 0; r < rows; ++r) {
      const double norm = transposed_.col(r).norm();
      if (norm > 0) size_[r] = norm, transposed_.col(r) /= norm;
    }
    transposed_.makeCompressed();
  }

  void factor() {
    if (out_.count() == 0 || out_.coordinates == 0) return;
    qr_.compute(transposed_, dependent);
    out_.rank = static_cast<int>(qr_.rank());
    for (int k = 0; k < out_.rank; ++k) out_.weakest = std::min(out_.weakest, std::fabs(qr_.pivot(k)));
  }

  /// Forces as they are of forces on rows of unit length.
  void find_stresses() {
    const Index r = out_.rank, s = out_.count() - r;
    if (s == 0 || s > most_listed * 10) return;
    MatrixXd x = r > 0 ? qr_.kernel() : MatrixXd::Identity(out_.count(), s);
    x = size_.cwiseInverse().asDiagonal() * x;
    for (Index k = 0; k < s; ++k) {
      const double most = x.col(k).cwiseAbs().maxCoeff();
      x.col(k) = (x.col(k) / most).unaryExpr([](double f) { return std::fabs(f) < 1e-9 ? 0.0 : f; });
      double cables = 0;  // a cable pulls
      for (size_t e = 0; e < out_.elastic.size(); ++e)
        if (out_.elastic[e].is_cable) cables += x(out_.constraints + static_cast<Index>(e), k);
      if (cables < 0) x.col(k) = -x.col(k);
      out_.stresses.emplace_back(x.col(k).data(), x.col(k).data() + x.rows());
    }
    stresses_ = std::move(x);
  }

  /// Translations and rotations that grounded and driven slots allow too.
  void find_rigid() {
    const int D = topology_.dim, turns = D == 2 ? 1 : 3;
    const Index n = out_.coordinates, tail = topology_.nq - topology_.ny;
    MatrixXd all = MatrixXd::Zero(n, D + turns), open = MatrixXd::Zero(n == 0 ? 0 : tail + out_.count(), D + turns);
    VectorXd centre = VectorXd::Zero(D);
    int points = 0;
    for (const Slot& slot : topology_.slots)
      if (slot.kind == SlotKind::point && slot.size == D && !slot.multiplier)
        centre += Eigen::Map<const VectorXd>(state_.q.data() + slot.offset, D), ++points;
    if (points == 0 || n == 0) return;
    centre /= points;
    for (int k = 0; k < D + turns; ++k) {
      std::vector<double> whole(topology_.nq, 0.0);
      for (const Slot& slot : topology_.slots) {
        if (slot.multiplier || slot.kind == SlotKind::scalar || slot.size != D) continue;
        const bool is_point = slot.kind == SlotKind::point;
        double* v = whole.data() + slot.offset;
        if (k < D) {
          v[k] = is_point ? 1 : 0;
          continue;
        }
        double arm[3] = {0, 0, 0};
        for (int i = 0; i < D; ++i) arm[i] = (state_.q[slot.offset + i] - (is_point ? centre[i] : 0)) / length_;
        const int i = D == 2 ? 0 : (k - D + 1) % 3, j = D == 2 ? 1 : (k - D + 2) % 3;  // turned about the third axis
        v[i] -= arm[j];
        v[j] += arm[i];
      }
      all.col(k) = Eigen::Map<const VectorXd>(whole.data(), n).cwiseQuotient(scale_);
      const std::vector<double> follows = expanded(all.col(k));
      for (Index i = 0; i < tail; ++i) open(i, k) = follows[topology_.ny + i] - whole[topology_.ny + i];
      if (out_.count() > 0) open.block(tail, k, out_.count(), 1) = transposed_.transpose() * all.col(k);
    }
    const bool all_allowed = open.rows() == 0 || open.cwiseAbs().maxCoeff() < dependent;
    rigid_ = all_allowed ? all : product(all, perpendicular(open.transpose()));
    // A turn about a line on which all points lie moves none of them: of it only rounding is left.
    if (rigid_.cols() > 0) rigid_ = orthonormal(rigid_, largest(all));
    out_.rigid = static_cast<int>(rigid_.cols());
  }

  static MatrixXd orthonormal(const MatrixXd& x) { return orthonormal(x, largest(x)); }
  /// Of columns of which those that are rounding of `size` count as zero.
  static MatrixXd orthonormal(const MatrixXd& x, double size) {
    const double most = largest(x);
    if (!(most > dependent * size)) return MatrixXd(x.rows(), 0);
    const PivotedQr qr(x, dependent * size / most);
    return qr.q(qr.rank());
  }
  static double largest(const MatrixXd& x) { return x.colwise().norm().maxCoeff(); }

  /// An orthonormal basis of what is perpendicular to all columns.
  static MatrixXd perpendicular(const MatrixXd& x) {
    const PivotedQr qr(x, dependent);
    return qr.q().rightCols(x.rows() - qr.rank());
  }

  /// Velocities of all slots.
  std::vector<double> expanded(const VectorXd& x) const {
    std::vector<double> q = state_.q, v(topology_.nq, 0.0), a(topology_.nq, 0.0);
    for (Index i = 0; i < x.size(); ++i) v[i] = scale_[i] * x[i];
    system_.assembler.expand(q.data(), v.data(), a.data());
    return v;
  }

  void find_mechanisms() {
    const Index n = out_.coordinates, all = n - out_.rank, m = out_.mechanisms();
    if (m <= 0 || m > most_listed) return;
    MatrixXd u = out_.rank > 0 ? qr_.q_from(out_.rank) : MatrixXd::Identity(n, all);
    if (rigid_.cols() > 0) {  // what is left of them beside rigid motions
      u -= product(rigid_, transposed_product(rigid_, u));
      u = PivotedQr(u).q(m);
    }
    const std::vector<MatrixXd> Q = product_forces(u);
    const MatrixXd held = acted_on(Q, m);
    MatrixXd free = MatrixXd::Identity(m, m);
    if (held.cols() > 0) free = perpendicular(held);
    const bool stiffened = judge(Q, held);
    for (Index k = 0; k < m - held.cols(); ++k) list(product(u, free.col(k)), MechanismKind::finite);
    for (Index k = 0; k < held.cols(); ++k)
      list(product(u, held_.col(k)), stiffened ? MechanismKind::infinitesimal : MechanismKind::branching);
  }

  /// Q_k in the mechanisms u, by Φ̈ at velocities u.
  std::vector<MatrixXd> product_forces(const MatrixXd& u) const {
    const Index m = u.cols(), s = std::min(stresses_.cols(), most_listed);
    std::vector<MatrixXd> out(static_cast<size_t>(s), MatrixXd::Zero(m, m));
    const auto set = [&](Index i, Index j, const VectorXd& second) {
      for (Index k = 0; k < s; ++k) {
        const double value = stresses_.col(k).dot(second);
        out[static_cast<size_t>(k)](i, j) = out[static_cast<size_t>(k)](j, i) = value;
      }
    };
    if (s == 0) return out;
    for (Index i = 0; i < m; ++i) {
      set(i, i, second_order(u.col(i)));
      for (Index j = 0; j < i; ++j)
        set(i, j, 0.25 * (second_order(u.col(i) + u.col(j)) - second_order(u.col(i) - u.col(j))));
    }
    return out;
  }

  VectorXd second_order(const VectorXd& x) const {
    std::vector<double> q = state_.q, v = expanded(x), a(topology_.nq, 0.0), phi(topology_.ny, 0.0), rate = phi,
                        second = phi;
    system_.assembler.expand(q.data(), v.data(), a.data());
    system_.assembler.constraint_motion(state_.t, q.data(), v.data(), a.data(),
                                        {phi.data(), rate.data(), second.data()});
    VectorXd out(out_.count());
    for (int r = 0; r < out_.constraints; ++r) out[r] = second[constraints_.rows()[r]];
    for (size_t e = 0; e < out_.elastic.size(); ++e) {
      const auto& [from, to] = out_.elastic[e].slots;
      double square = 0, move = 0;
      for (int i = 0; i < topology_.dim; ++i) {
        square += std::pow(at(q, to)[i] - at(q, from)[i], 2);
        move += std::pow(at(v, to)[i] - at(v, from)[i], 2);
      }
      out[out_.constraints + static_cast<Index>(e)] = square > 0 ? move / std::sqrt(square) : 0;
    }
    return out;
  }

  /// Directions that some Q_k acts on, an orthonormal basis.
  MatrixXd acted_on(const std::vector<MatrixXd>& Q, Index m) const {
    if (Q.empty()) return MatrixXd(m, 0);
    MatrixXd beside(m, m * static_cast<Index>(Q.size()));
    for (size_t k = 0; k < Q.size(); ++k) beside.middleCols(m * static_cast<Index>(k), m) = Q[k];
    // Of Q_k u = Σ s_i Φ̈_i with |s| ≤ 1, |u| = 1 only rounding counts as nothing: 1/length.
    if (beside.cwiseAbs().maxCoeff() < dependent / length_) return MatrixXd(m, 0);
    return orthonormal(beside);
  }

  /// Whether some Σ α_k Q_k is positive definite on `held`: α follows the direction that is held least (perceptron). What the
  /// elastic members carry is judged first. Leaves the directions in held_.
  bool judge(const std::vector<MatrixXd>& Q, const MatrixXd& held) {
    held_ = held;
    const size_t s = Q.size();
    std::vector<MatrixXd> in(s);
    for (size_t k = 0; k < s; ++k) in[k] = transposed_product(held, product(Q[k], held));
    const VectorXd given = prestress();
    if (held.cols() == 0) {
      if (out_.prestress) out_.prestress->stiffens = false;
      return false;
    }
    SymmetricEigen eigen;
    const auto lowest = [&](const VectorXd& alpha) {
      MatrixXd sum = MatrixXd::Zero(held.cols(), held.cols());
      for (size_t k = 0; k < s; ++k) sum += alpha[static_cast<Index>(k)] * in[k];
      eigen = symmetric_eigen(sum);
      return eigen.values[0] / std::max(eigen.values.cwiseAbs().maxCoeff(), 1e-300);
    };
    const auto keep = [&] { held_ = product(held, eigen.vectors); };
    if (given.size() > 0 && lowest(given) > dependent) {
      out_.prestress->stiffens = true;
      keep();
      return true;
    }
    VectorXd alpha(static_cast<Index>(s));
    for (size_t k = 0; k < s; ++k) alpha[static_cast<Index>(k)] = in[k].trace();
    const int tries = static_cast<int>(std::clamp(1e8 / std::pow(static_cast<double>(held.cols()), 3), 50.0, 2000.0));
    for (int k = 0; k < tries; ++k) {
      if (lowest(alpha) > dependent) {
        keep();
        return true;
      }
      const VectorXd u = eigen.vectors.col(0);
      for (size_t i = 0; i < s; ++i) alpha[static_cast<Index>(i)] += u.dot(product(in[i], u).col(0));
    }
    keep();
    return false;
  }

  /// Σ α_k of the states that the elastic members' tensions are; empty where they are none.
  VectorXd prestress() {
    VectorXd tension(static_cast<Index>(out_.elastic.size()));
    for (size_t e = 0; e < out_.elastic.size(); ++e) tension[static_cast<Index>(e)] = out_.elastic[e].tension;
    const double size = tension.size() > 0 ? tension.norm() : 0;
    if (!(size > 0)) return {};
    const Index s = std::min(stresses_.cols(), most_listed);
    FrameStates::Prestress found;
    found.misfit = 1;
    VectorXd alpha;
    if (s > 0 && s == stresses_.cols()) {
      const MatrixXd elastic = stresses_.bottomRows(tension.size());
      const SingularValues values({elastic.data(), static_cast<size_t>(elastic.size())}, static_cast<int>(s));
      const std::vector<double> shortest = values.solve({tension.data(), static_cast<size_t>(tension.size())});
      alpha = Eigen::Map<const VectorXd>(shortest.data(), s);
      found.misfit = (product(elastic, alpha) - tension).norm() / size;
      if (found.misfit < 1e-6) {
        const VectorXd forces = product(stresses_, alpha);
        found.forces.assign(forces.data(), forces.data() + forces.size());
      }
    }
    out_.prestress = found;
    return found.forces.empty() ? VectorXd() : alpha;
  }

  void list(const VectorXd& x, MechanismKind kind) {
    std::vector<double> v = expanded(x);
    double moved = 0, turned = 0;
    for (const Slot& slot : topology_.slots)
      for (int i = slot.offset; i < slot.offset + slot.size && !slot.multiplier; ++i)
        (slot.kind == SlotKind::point ? moved : turned) =
            std::max(slot.kind == SlotKind::point ? moved : turned, std::fabs(v[i]));
    const double most = moved > 1e-9 ? moved : std::max(turned, 1e-300);
    for (double& value : v) value = std::fabs(value) < 1e-9 * most ? 0 : value / most;
    out_.listed.push_back({kind, std::move(v)});
  }

  const double* at(const std::vector<double>& q, int slot) const { return q.data() + topology_.slots[slot].offset; }

  System<double>& system_;
  const Topology& topology_;
  const State<double>& state_;
  Constraints constraints_;
  double length_;
  FrameStates out_;
  VectorXd scale_, size_;  ///< of coordinates; of rows
  Sparse transposed_;      ///< Jᵀ, columns of unit length
  SparseQr qr_;
  MatrixXd rigid_, stresses_, held_;
};

}  // namespace

std::vector<ElasticMember> elastic_members(const Model& model, const State<double>& state) {
  std::vector<ElasticMember> out;
  if (model.topology->dim == 2)
    add_members<2>(model, state, out);
  else
    add_members<3>(model, state, out);
  return out;
}

int FrameStates::of_kind(MechanismKind kind) const {
  return static_cast<int>(
      std::count_if(listed.begin(), listed.end(), [&](const Mechanism& one) { return one.kind == kind; }));
}

FrameStates frame_states(System<double>& system, const Model& model, const State<double>& state) {
  return Frame(system, model, state).solve();
}

}  // namespace flexura

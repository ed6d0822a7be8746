#include "flexura/solve/symmetric_modes.hpp"

#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>

#include "flexura/base/stop_request.hpp"
#include "flexura/math/decompositions.hpp"

namespace flexura {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double good_residual = 1e-10, fair_residual = 1e-6;  ///< ‖T x − θ x‖/θ; eigenvalues: its square

// ---- block Krylov on T = (A − σ B)⁻¹ B, symmetric in the inner product of B; θ = 1/(μ − σ) ----------------------------

class BlockKrylov {
 public:
  BlockKrylov(ModalPencil& pencil, int count, double shift)
      : pencil_(pencil), count_(count), width_(count + 4), fixed_(!std::isnan(shift)), shift_(shift) {}

  /// Empty `values` and a problem, where no safe factor was found.
  RealPairs solve() {
    RealPairs out;
    MatrixXd start = random_block();
    if (!fixed_) safe_ = shift_ = -1e-4 * pencil_.scale();
    if (!factor()) return failed();
    for (int restart = 0; restart < 40; ++restart) {
      const bool tuned = fixed_ || restart >= 12;
      iterate(start, tuned ? 12 : 3);
      if (stop_requested()) return failed();
      if (!tuned && !well_placed()) {
        start = ritz_vectors(std::min<int>(width_, static_cast<int>(order_.size())));
        place_shift();
        if (!factor()) return failed();
        continue;
      }
      const int found = std::min<int>(count_, static_cast<int>(order_.size()));
      if (worst_ > good_residual && restart < 39 && !(stalled_ && worst_ <= fair_residual)) {
        start = ritz_vectors(std::min<int>(width_, static_cast<int>(order_.size())));
        continue;
      }
      out.vectors = ritz_vectors(found);
      out.values.resize(found);
      for (int k = 0; k < found; ++k) out.values[k] = eigenvalue(k);
      estimate_errors(pencil_, shift_, out);
      if (worst_ > fair_residual) out.problem = fmt::format("modes did not converge: residual {:.1e}", worst_);
      if (out.problem.empty() && found > 0 && !complete(out)) {
        if (restart < 39) {  // a mode is missing: go on with fresh directions beside those found
          MatrixXd more(pencil_.size(), found + width_);
          more << out.vectors, random_block();
          start = more;
          out = {};
          if (!factor()) return failed();
          continue;
        }
        out.sure = false;
      }
      out.proved = proved_;
      break;
    }
    return out;
  }

 private:
  static RealPairs failed() {
    RealPairs out;
    out.problem = "the tangent cannot be factored without pivoting";
    return out;
  }

  /// Numbers in (−1, 1), the same in every run.
  MatrixXd random_block() {
    MatrixXd x(pencil_.size(), width_);
    for (Eigen::Index i = 0; i < x.size(); ++i) {
      seed_ = seed_ * 6364136223846793005u + 1442695040888963407u;
      x.data()[i] = static_cast<double>(static_cast<std::int64_t>(seed_ >> 11)) * 0x1p-52 - 1.0;
    }
    return apply_mass(x);  // no part in constraints and massless coordinates
  }

  /// Factors at the shift; moved down until all modes lie above it, unless it is given.
  bool factor() {
    for (int attempt = 0; attempt < 60 && !stop_requested(); ++attempt) {
      const bool ok = pencil_.factor(shift_);
      below_ = pencil_.below();
      if (ok && (fixed_ || below_ == 0)) {
        safe_ = shift_;
        return true;
      }
      if (fixed_) {
        shift_ -= (attempt + 1) * 1e-9 * std::max(std::fabs(shift_), 1e-6 * pencil_.scale());
      } else if (shift_ > safe_) {
        shift_ = attempt < 20 ? shift_ - 0.1 * (shift_ - safe_) : safe_;
      } else {
        safe_ = shift_ *= 4;
        if (shift_ < -1e5 * pencil_.scale()) return false;
      }
    }
    return false;
  }

  MatrixXd apply_mass(const MatrixXd& x) const {
    MatrixXd out(x.rows(), x.cols());
    for (Eigen::Index k = 0; k < x.cols(); ++k)
      pencil_.times_mass({x.col(k).data(), static_cast<size_t>(x.rows())},
                         {out.col(k).data(), static_cast<size_t>(x.rows())});
    return out;
  }
  MatrixXd apply_inverse(MatrixXd x) const {
    for (Eigen::Index k = 0; k < x.cols() && !stop_requested(); ++k)
      pencil_.solve({x.col(k).data(), static_cast<size_t>(x.rows())});
    return x;
  }

  /// Makes the columns of w orthonormal to the basis and each other; drops those that depend on the others.
  void append(MatrixXd w) {
    const Eigen::Index old = basis_.cols();
    basis_.conservativeResize(w.rows(), old + w.cols());
    mass_basis_.conservativeResize(w.rows(), old + w.cols());
    Eigen::Index to = old;
    for (Eigen::Index k = 0; k < w.cols() && !stop_requested(); ++k) {
      VectorXd x = w.col(k);
      MatrixXd mx = apply_mass(x);
      const double before = std::sqrt(std::max(0.0, x.dot(mx.col(0))));
      for (int pass = 0; pass < 2; ++pass) {
        x -= product(basis_.leftCols(to), transposed_product(mass_basis_.leftCols(to), x));
        mx = apply_mass(x);
      }
      const double size = std::sqrt(std::max(0.0, x.dot(mx.col(0))));
      if (!(size > 1e-11 * before) || !(size > 0)) continue;
      basis_.col(to) = x / size;
      mass_basis_.col(to) = mx.col(0) / size;
      ++to;
    }
    basis_.conservativeResize(Eigen::NoChange, to);
    mass_basis_.conservativeResize(Eigen::NoChange, to);
  }

  /// Krylov space of up to `depth` blocks above `start`, Ritz pairs and residuals of the wanted ones.
  void iterate(const MatrixXd& start, int depth) {
    basis_.resize(start.rows(), 0);
    mass_basis_.resize(start.rows(), 0);
    projected_.resize(0, 0);
    order_.clear();
    MatrixXd w = apply_inverse(apply_mass(start));
    stalled_ = false;
    double last = std::numeric_limits<double>::infinity();
    for (int block = 0; block < depth && !stop_requested(); ++block) {
      const Eigen::Index old = basis_.cols();
      append(w);
      const Eigen::Index all = basis_.cols(), fresh = all - old;
      if (fresh == 0) {
        worst_ = 0;  // the space is closed: all modes are in it
        return;
      }
      w = apply_inverse(mass_basis_.rightCols(fresh));
      const MatrixXd column = transposed_product(mass_basis_, w);
      projected_.conservativeResize(all, all);
      projected_.rightCols(fresh) = column;
      projected_.bottomRows(fresh) = column.transpose();
      projected_.bottomRightCorner(fresh, fresh) =
          0.5 * (column.bottomRows(fresh) + column.bottomRows(fresh).transpose());
      w -= product(basis_, column);
      w -= product(basis_, transposed_product(mass_basis_, w));
      const MatrixXd gram = transposed_product(w, apply_mass(w));
      ritz_ = symmetric_eigen(projected_);
      order_.clear();
      for (Eigen::Index i = all - 1; i >= 0; --i)
        if (ritz_.values[i] > 0) order_.push_back(static_cast<int>(i));
      worst_ = 0;
      for (int k = 0; k < std::min<int>(count_, static_cast<int>(order_.size())); ++k) {
        const VectorXd s = ritz_.vectors.col(order_[k]).tail(fresh);
        worst_ = std::max(worst_, std::sqrt(std::max(0.0, s.dot(product(gram, s).col(0)))) / ritz_.values[order_[k]]);
      }
      if (worst_ <= good_residual && static_cast<int>(order_.size()) >= std::min<Eigen::Index>(count_, all)) return;
      stalled_ = worst_ > 0.5 * last && worst_ <= fair_residual;
      if (stalled_) return;
      last = worst_;
    }
  }

  double eigenvalue(int k) const { return shift_ + 1 / ritz_.values[order_[k]]; }
  MatrixXd ritz_vectors(int n) const {
    MatrixXd s(basis_.cols(), n);
    for (int k = 0; k < n; ++k) s.col(k) = ritz_.vectors.col(order_[k]);
    return product(basis_, s);
  }

  /// A shift as far below the lowest mode as a third of the wanted spectrum is wide.
  double best_shift() const {
    const int last = static_cast<int>(order_.size()) - 1;
    const double low = eigenvalue(0), high = eigenvalue(std::clamp(std::max(count_ - 1, std::min(3, last)), 0, last));
    return low - std::max(0.3 * (high - low), 1e4 * epsilon * pencil_.scale());
  }
  bool well_placed() const {
    if (order_.empty()) return true;
    const double distance = eigenvalue(0) - shift_;
    return distance < 4 * (eigenvalue(0) - best_shift());
  }
  /// Rough Ritz values lie far above the modes: then the shift comes nearer to zero by steps.
  void place_shift() { shift_ = worst_ < 1e-3 || safe_ >= 0 ? best_shift() : std::min(best_shift(), 1e-3 * safe_); }

  /// True if the inertia just above the last mode counts as many modes as were found.
  bool complete(const RealPairs& found) {
    const int n = static_cast<int>(found.values.size());
    double last = found.values[n - 1];
    int expected = n;
    for (; expected < static_cast<int>(order_.size()); ++expected) {  // past a cluster
      if (eigenvalue(expected) - last > 1e-5 * (last - shift_)) break;
      last = eigenvalue(expected);
    }
    const double next = expected < static_cast<int>(order_.size()) ? eigenvalue(expected) : last + (last - shift_);
    const double at = last + std::min(0.5 * (next - last), 1e-3 * (last - shift_));
    if (!pencil_.factor(at)) {
      proved_ = false;
      return true;
    }
    return pencil_.below() - below_ <= expected;
  }

  ModalPencil& pencil_;
  int count_, width_;
  bool fixed_, stalled_ = false;
  double shift_, safe_ = 0;  ///< in use; the last below all modes
  int below_ = 0;
  std::uint64_t seed_ = 1;
  MatrixXd basis_, mass_basis_, projected_;
  SymmetricEigen ritz_;
  std::vector<int> order_;  ///< Ritz pairs above the shift, from the lowest mode
  double worst_ = 0;
  bool proved_ = true;  ///< the count of modes below the last was possible
};

}  // namespace

/// x = S Z y: S = scaling, Z = orthonormal null space of the constraints; of y the part N without mass follows the rest:
/// K_NN y_N = −K_NR y_R.
RealPairs dense_modes(const ModalPencil& pencil) {
  RealPairs out;
  const int n = pencil.size(), nc = pencil.coordinates();
  MatrixXd A = MatrixXd::Zero(n, n), B = MatrixXd::Zero(n, n);
  pencil.for_each_entry([&](int i, int j, double a, double b) { A(i, j) = a, B(i, j) = b; });
  std::vector<int> u, c;
  for (int i = 0; i < n; ++i) (i >= nc && A.row(i).tail(n - nc).isZero(0) ? c : u).push_back(i);
  const int nu = static_cast<int>(u.size());
  VectorXd s(nu);
  for (int i = 0; i < nu; ++i) {
    const double m = B(u[i], u[i]), k = std::fabs(A(u[i], u[i])) / pencil.scale();
    s[i] = m > 0 ? 1 / std::sqrt(m) : k > 0 ? 1 / std::sqrt(k) : 1.0;
  }
  const MatrixXd K = s.asDiagonal() * A(u, u) * s.asDiagonal(), M = s.asDiagonal() * B(u, u) * s.asDiagonal();
  MatrixXd Z = MatrixXd::Identity(nu, nu);
  if (!c.empty()) {
    MatrixXd gradients = s.asDiagonal() * A(u, c);
    for (int k = 0; k < gradients.cols(); ++k) {
      const double size = gradients.col(k).norm();
      if (size > 0) gradients.col(k) /= size;
    }
    const PivotedQr qr(gradients, 1e-11);
    Z = qr.q().rightCols(nu - qr.rank());
  }
  const SymmetricEigen mass = symmetric_eigen(transposed_product(Z, product(M, Z)));
  const int nz = static_cast<int>(Z.cols());
  int massless = 0;
  while (massless < nz && mass.values[massless] <= 1e-12) ++massless;
  const MatrixXd N = product(Z, mass.vectors.leftCols(massless));
  MatrixXd R = product(Z, mass.vectors.rightCols(nz - massless)) *
               mass.values.tail(nz - massless).cwiseSqrt().cwiseInverse().asDiagonal();
  if (massless > 0 && R.cols() > 0) {
    const PivotedQr held(transposed_product(N, product(K, N)));
    if (held.rank() < massless) {
      out.problem = "something without mass is not held by any stiffness: its motion is undetermined";
      return out;
    }
    const MatrixXd follow = held.solve(transposed_product(N, product(K, R)));
    R -= product(N, follow);
  }
  if (R.cols() == 0) return out;
  const MatrixXd reduced = transposed_product(R, product(K, R));
  const SymmetricEigen modes = symmetric_eigen(0.5 * (reduced + reduced.transpose()));
  out.values = modes.values;
  out.vectors = MatrixXd::Zero(n, out.values.size());
  out.vectors(u, Eigen::all) = s.asDiagonal() * product(R, modes.vectors);
  if (!c.empty()) {  // change of the multipliers: Gᵀ δλ = −(K − μ M) φ
    const MatrixXd gradients = s.asDiagonal() * A(u, c);
    const MatrixXd y = product(R, modes.vectors);
    const MatrixXd missing = product(M, y) * out.values.asDiagonal() - product(K, y);
    const MatrixXd change = PivotedQr(gradients).solve(missing);
    out.vectors(c, Eigen::all) = change;
  }
  return out;
}

void estimate_errors(const ModalPencil& pencil, double shift, RealPairs& pairs) {
  const auto size = static_cast<size_t>(pencil.size());
  VectorXd stiff(pencil.size()), mass(pencil.size()), x(pencil.size());
  const auto norm = [&](VectorXd& v) {
    pencil.times_mass({v.data(), size}, {mass.data(), size});
    return std::sqrt(std::max(0.0, v.dot(mass)));
  };
  pairs.errors.clear();
  for (Eigen::Index k = 0; k < pairs.values.size(); ++k) {
    x = pairs.vectors.col(k);
    const double length = norm(x);  // leaves M x
    pencil.times_stiffness({x.data(), size}, {stiff.data(), size});
    stiff -= pairs.values[k] * mass;
    pencil.solve({stiff.data(), size});
    pairs.errors.push_back(norm(stiff) * std::fabs(pairs.values[k] - shift) / std::max(length, 1e-300));
  }
}

RealPairs krylov_modes(ModalPencil& pencil, int count, double shift) {
  return BlockKrylov(pencil, count, shift).solve();
}

}  // namespace flexura

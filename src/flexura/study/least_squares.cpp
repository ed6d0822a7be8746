#include "flexura/study/least_squares.hpp"

#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "flexura/base/problem.hpp"
#include "flexura/math/singular_values.hpp"

namespace flexura {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

SingularValues singular_values(const MatrixXd& A) {
  return {{A.data(), static_cast<std::size_t>(A.size())}, static_cast<int>(A.cols())};
}

class Fit {
 public:
  Fit(const std::vector<SoughtParameter>& parameters, std::size_t count, const Residuals& residuals,
      const LeastSquaresOptions& options, const ResidualSlopes& slopes)
      : parameters_(parameters),
        function_(residuals),
        slopes_(slopes),
        options_(options),
        n_(static_cast<Index>(parameters.size())),
        m_(static_cast<Index>(count)),
        x_(n_),
        r_(m_),
        J_(m_, n_),
        size_(VectorXd::Zero(n_)) {}

  LeastSquaresReport run() {
    check();
    for (Index k = 0; k < n_; ++k) x_[k] = of(k).start;
    if (!evaluate(x_, r_)) {
      report_.message = "the residuals have no value at the start";
      r_.setConstant(std::numeric_limits<double>::infinity());
    } else {
      iterate();
    }
    finish();
    return std::move(report_);
  }

 private:
  const SoughtParameter& of(Index k) const { return parameters_[static_cast<std::size_t>(k)]; }

  void check() const {
    std::vector<Problem> problems;
    for (const SoughtParameter& p : parameters_)
      if (!(p.low < p.high) || !(p.start >= p.low) || !(p.start <= p.high) || !(p.scale > 0))
        problems.push_back({{}, p.name, "low < high, the start between them and a scale above zero", {}});
    if (parameters_.empty() || m_ == 0)
      problems.push_back({{}, "least squares", "it takes a parameter and a residual at least", {}});
    if (!problems.empty()) throw InputError(problems);
  }

  bool evaluate(const VectorXd& x, VectorXd& r) {
    ++report_.evaluations;
    return function_({x.data(), static_cast<std::size_t>(n_)}, {r.data(), static_cast<std::size_t>(m_)}) &&
           r.allFinite();
  }

  bool differentiate() {
    if (slopes_)
      return slopes_({x_.data(), static_cast<std::size_t>(n_)}, {J_.data(), static_cast<std::size_t>(m_ * n_)}) &&
             J_.allFinite();
    VectorXd up(m_), down(m_);
    for (Index k = 0; k < n_; ++k) {
      const double h = 1e-5 * of(k).scale;
      VectorXd above = x_, below = x_;
      above[k] = std::min(x_[k] + h, of(k).high);
      below[k] = std::max(x_[k] - h, of(k).low);
      if (!evaluate(above, up)) above = x_, up = r_;
      if (!evaluate(below, down)) below = x_, down = r_;
      const double width = above[k] - below[k];
      if (!(width > 0)) return false;
      J_.col(k) = (up - down) / width;
    }
    return true;
  }

  /// Parameters that may move: not at a bound with the slope leading outwards.
  std::vector<Index> free_parameters() const {
    std::vector<Index> out;
    for (Index k = 0; k < n_; ++k) {
      const double slope = J_.col(k).dot(r_);
      const bool held = (x_[k] <= of(k).low && slope >= 0) || (x_[k] >= of(k).high && slope <= 0);
      if (!held) out.push_back(k);
    }
    return out;
  }

  bool is_level(const std::vector<Index>& free) const {
    const double length = r_.norm();
    return std::all_of(free.begin(), free.end(), [&](Index k) {
      return std::abs(J_.col(k).dot(r_)) <= options_.tolerance * J_.col(k).norm() * length;
    });
  }

  VectorXd step(const std::vector<Index>& free, double damping) const {
    const auto count = static_cast<Index>(free.size());
    MatrixXd A = MatrixXd::Zero(m_ + count, count);
    VectorXd b = VectorXd::Zero(m_ + count);
    b.head(m_) = -r_;
    for (Index j = 0; j < count; ++j) {
      const Index k = free[static_cast<std::size_t>(j)];
      A.col(j).head(m_) = J_.col(k);
      A(m_ + j, j) = std::sqrt(damping) * std::max(size_[k], 1e-300);
    }
    const std::vector<double> part = singular_values(A).solve({b.data(), static_cast<size_t>(b.size())});
    VectorXd out = VectorXd::Zero(n_);
    for (std::size_t j = 0; j < free.size(); ++j) out[free[j]] = part[j];
    return out;
  }

  bool is_small(const VectorXd& delta) const {
    for (Index k = 0; k < n_; ++k)
      if (std::abs(delta[k]) > 1e-4 * options_.tolerance * (std::abs(x_[k]) + of(k).scale)) return false;
    return true;
  }

  void iterate() {
    double damping = 1e-3;
    VectorXd r(m_);
    for (; report_.iterations < options_.max_iterations; ++report_.iterations) {
      if (!differentiate()) {
        report_.message = "the residuals have no derivative there";
        return;
      }
      for (Index k = 0; k < n_; ++k) size_[k] = std::max(size_[k], J_.col(k).norm());
      const std::vector<Index> free = free_parameters();
      if (free.empty() || r_.norm() == 0 || is_level(free)) {
        report_.converged = true;
        return;
      }
      while (true) {
        VectorXd next = x_ + step(free, damping);
        for (Index k = 0; k < n_; ++k) next[k] = std::clamp(next[k], of(k).low, of(k).high);
        const VectorXd delta = next - x_;
        if (is_small(delta) || damping > 1e20) {  // nothing better is to be had within rounding
          report_.converged = true;
          return;
        }
        if (evaluate(next, r) && r.squaredNorm() < r_.squaredNorm()) {
          x_ = next;
          r_ = r;
          damping = std::max(0.1 * damping, 1e-14);
          break;
        }
        damping *= 4;
      }
    }
    report_.message = fmt::format("not converged after {} iterations", report_.iterations);
  }

  void finish() {
    report_.x.assign(x_.begin(), x_.end());
    report_.residuals.assign(r_.begin(), r_.end());
    report_.sum_of_squares = r_.squaredNorm();
    const auto n = static_cast<std::size_t>(n_);
    report_.at_bound.assign(n, false);
    report_.standard_error.assign(n, unknown);
    report_.correlation.assign(n * n, unknown);
    if (!std::isfinite(report_.sum_of_squares)) return;
    std::vector<Index> free;
    for (Index k = 0; k < n_; ++k) {
      const bool bound = x_[k] <= of(k).low || x_[k] >= of(k).high;
      report_.at_bound[static_cast<std::size_t>(k)] = bound;
      if (!bound) free.push_back(k);
    }
    const auto count = static_cast<Index>(free.size());
    if (m_ <= count || count == 0) return;
    MatrixXd A(m_, count);
    VectorXd length(count);
    for (Index j = 0; j < count; ++j) {
      A.col(j) = J_.col(free[static_cast<std::size_t>(j)]);
      length[j] = A.col(j).norm();
      if (length[j] > 0) A.col(j) /= length[j];
    }
    const SingularValues svd = singular_values(A);
    const int last = svd.count() - 1;
    if (!(svd.value(last) > 1e-8 * svd.value(0))) {
      name_undetermined(free, svd.right(last));
      return;
    }
    MatrixXd half(count, count);
    for (int k = 0; k <= last; ++k) half.col(k) = Eigen::Map<const VectorXd>(svd.right(k).data(), count) / svd.value(k);
    const MatrixXd covariance = half * half.transpose();
    const double s = std::sqrt(report_.sum_of_squares / static_cast<double>(m_ - count));
    for (Index i = 0; i < count; ++i) {
      const auto row = static_cast<std::size_t>(free[static_cast<std::size_t>(i)]);
      report_.standard_error[row] = s * std::sqrt(covariance(i, i)) / length[i];
      for (Index j = 0; j < count; ++j)
        report_.correlation[row * n + static_cast<std::size_t>(free[static_cast<std::size_t>(j)])] =
            covariance(i, j) / std::sqrt(covariance(i, i) * covariance(j, j));
    }
  }

  void name_undetermined(const std::vector<Index>& free, std::span<const double> direction) {
    std::string names;
    for (std::size_t j = 0; j < direction.size(); ++j)
      if (std::abs(direction[j]) > 0.1) names += (names.empty() ? "" : ", ") + of(free[j]).name;
    report_.message = "not determined by these residuals: " + names;
  }

  const std::vector<SoughtParameter>& parameters_;
  const Residuals& function_;
  const ResidualSlopes& slopes_;
  const LeastSquaresOptions& options_;
  Index n_, m_;
  VectorXd x_, r_;
  MatrixXd J_;
  VectorXd size_;  ///< D
  LeastSquaresReport report_;
};

}  // namespace

LeastSquaresReport least_squares(const std::vector<SoughtParameter>& parameters, std::size_t residual_count,
                                 const Residuals& residuals, const LeastSquaresOptions& options,
                                 const ResidualSlopes& slopes) {
  return Fit(parameters, residual_count, residuals, options, slopes).run();
}

}  // namespace flexura

#include "flexura/study/least_squares.hpp"

#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "flexura/base/problem.hpp"
#include "flexura/math/singular_values.hpp"
#include "flexura/study/sparse_basis.hpp"

namespace flexura {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
/// Part of a parameter in a direction that is not told, against the largest: below, it is what slopes are off by.
constexpr double no_part = 1e-3;

SingularValues singular_values(const MatrixXd& A) {
  return {{A.data(), static_cast<std::size_t>(A.size())}, static_cast<int>(A.cols())};
}

/// ρ and its first two derivatives at z.
struct LossValue {
  double rho, first, second;
};
LossValue loss_at(Loss loss, double z) {
  switch (loss) {
    case Loss::huber:
      if (z > 1) return {2 * std::sqrt(z) - 1, 1 / std::sqrt(z), -0.5 / (z * std::sqrt(z))};
      break;
    case Loss::soft_l1: {
      const double root = std::sqrt(1 + z);
      return {2 * (root - 1), 1 / root, -0.5 / (root * root * root)};
    }
    case Loss::cauchy:
      return {std::log1p(z), 1 / (1 + z), -1 / ((1 + z) * (1 + z))};
    case Loss::squares:
      break;
  }
  return {z, 1, 0};
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
        size_(VectorXd::Zero(n_)) {
    for (Index k = 0; k < n_; ++k)
      if (of(k).prior) priors_.push_back(k);
    J_ = MatrixXd::Zero(rows(), n_);
    r_.resize(rows());
  }

  LeastSquaresReport run() {
    check();
    for (Index k = 0; k < n_; ++k) x_[k] = of(k).start;
    if (!evaluate(x_, r_)) {
      report_.message = "the residuals have no value at the start";
      r_.setConstant(std::numeric_limits<double>::infinity());
      report_.cost = std::numeric_limits<double>::infinity();
    } else {
      accept(x_, r_);
      iterate();
    }
    finish();
    return std::move(report_);
  }

 private:
  const SoughtParameter& of(Index k) const { return parameters_[static_cast<std::size_t>(k)]; }
  /// Residuals, and then those of the priors.
  Index rows() const { return m_ + static_cast<Index>(priors_.size()); }

  void check() const {
    std::vector<Problem> problems;
    for (const SoughtParameter& p : parameters_) {
      if (!(p.low < p.high) || !(p.start >= p.low) || !(p.start <= p.high) || !(p.scale > 0))
        problems.push_back({{}, p.name, "low < high, the start between them and a scale above zero", {}});
      if (p.prior && !(p.prior->deviation > 0))
        problems.push_back({{}, p.name, "the deviation of a prior is above zero", {}});
    }
    if (parameters_.empty() || m_ == 0)
      problems.push_back({{}, "least squares", "it takes a parameter and a residual at least", {}});
    if (!problems.empty()) throw InputError(problems);
  }

  bool evaluate(const VectorXd& x, VectorXd& r) {
    ++report_.evaluations;
    r.resize(rows());
    for (std::size_t p = 0; p < priors_.size(); ++p) {
      const Index k = priors_[p];
      r[m_ + static_cast<Index>(p)] = (x[k] - of(k).prior->mean) / of(k).prior->deviation;
    }
    return function_({x.data(), static_cast<std::size_t>(n_)}, {r.data(), static_cast<std::size_t>(m_)}) &&
           r.allFinite();
  }

  double cost(const VectorXd& r) const {
    if (options_.loss == Loss::squares) return r.squaredNorm();
    const double c2 = options_.loss_scale * options_.loss_scale;
    double out = 0;
    for (Index i = 0; i < m_; ++i) out += c2 * loss_at(options_.loss, r[i] * r[i] / c2).rho;
    return out + r.tail(rows() - m_).squaredNorm();
  }

  void accept(const VectorXd& x, const VectorXd& r) {
    x_ = x;
    r_ = r;
    report_.cost = cost(r_);
    root_weight_ = VectorXd::Ones(rows());
    if (options_.loss != Loss::squares)
      for (Index i = 0; i < m_; ++i)
        root_weight_[i] = std::sqrt(loss_at(options_.loss, std::pow(r_[i] / options_.loss_scale, 2)).first);
    if (options_.accepted) options_.accepted({x_.data(), static_cast<std::size_t>(n_)});
  }

  bool differentiate() {
    has_slopes_ = false;
    for (std::size_t p = 0; p < priors_.size(); ++p)
      J_(m_ + static_cast<Index>(p), priors_[p]) = 1 / of(priors_[p]).prior->deviation;
    if (slopes_) {
      MatrixXd J(m_, n_);
      if (!slopes_({x_.data(), static_cast<std::size_t>(n_)}, {J.data(), static_cast<std::size_t>(m_ * n_)}))
        return false;
      J_.topRows(m_) = J;
    } else {
      VectorXd up(rows()), down(rows());
      for (Index k = 0; k < n_; ++k) {
        const double h = 1e-5 * of(k).scale;
        VectorXd above = x_, below = x_;
        above[k] = std::min(x_[k] + h, of(k).high);
        below[k] = std::max(x_[k] - h, of(k).low);
        if (!evaluate(above, up)) above = x_, up = r_;
        if (!evaluate(below, down)) below = x_, down = r_;
        const double width = above[k] - below[k];
        if (!(width > 0)) return false;
        J_.col(k).head(m_) = (up - down).head(m_) / width;
      }
    }
    return has_slopes_ = J_.allFinite();
  }

  VectorXd weighted_residuals() const { return root_weight_.cwiseProduct(r_); }
  MatrixXd weighted_slopes() const { return root_weight_.asDiagonal() * J_; }

  /// Parameters that may move: not at a bound with the slope leading outwards.
  std::vector<Index> free_parameters(const MatrixXd& J, const VectorXd& r) const {
    std::vector<Index> out;
    for (Index k = 0; k < n_; ++k) {
      const double slope = J.col(k).dot(r);
      const bool held = (x_[k] <= of(k).low && slope >= 0) || (x_[k] >= of(k).high && slope <= 0);
      if (!held) out.push_back(k);
    }
    return out;
  }

  bool is_level(const std::vector<Index>& free, const MatrixXd& J, const VectorXd& r) const {
    const double length = r.norm();
    return std::all_of(free.begin(), free.end(), [&](Index k) {
      return std::abs(J.col(k).dot(r)) <= options_.tolerance * J.col(k).norm() * length;
    });
  }

  VectorXd step(const std::vector<Index>& free, const MatrixXd& J, const VectorXd& r, double damping) const {
    const auto count = static_cast<Index>(free.size());
    MatrixXd A = MatrixXd::Zero(rows() + count, count);
    VectorXd b = VectorXd::Zero(rows() + count);
    b.head(rows()) = -r;
    for (Index j = 0; j < count; ++j) {
      const Index k = free[static_cast<std::size_t>(j)];
      A.col(j).head(rows()) = J.col(k);
      A(rows() + j, j) = std::sqrt(damping) * std::max(size_[k], 1e-300);
    }
    const std::vector<double> part = singular_values(A).solve({b.data(), static_cast<size_t>(b.size())});
    VectorXd out = VectorXd::Zero(n_);
    double longest = 0;
    for (std::size_t j = 0; j < free.size(); ++j) {
      out[free[j]] = part[j];
      longest = std::max(longest, std::abs(part[j]) / of(free[j]).scale);
    }
    if (longest > options_.longest_step) out *= options_.longest_step / longest;
    return out;
  }

  /// Parameters that the step would take beyond a bound go there, and the others make the best of that.
  VectorXd step_within_bounds(std::vector<Index> free, const MatrixXd& J, VectorXd r, double damping) const {
    VectorXd out = VectorXd::Zero(n_);
    while (!free.empty()) {
      const VectorXd part = step(free, J, r, damping);
      const size_t before = free.size();
      std::erase_if(free, [&](Index k) {
        const double next = x_[k] + part[k];
        if (next >= of(k).low && next <= of(k).high) return false;
        out[k] = (next < of(k).low ? of(k).low : of(k).high) - x_[k];
        r += J.col(k) * out[k];
        return true;
      });
      if (free.size() == before) return out + part;
    }
    return out;
  }

  bool is_small(const VectorXd& delta) const {
    for (Index k = 0; k < n_; ++k)
      if (std::abs(delta[k]) > 1e-4 * options_.tolerance * (std::abs(x_[k]) + of(k).scale)) return false;
    return true;
  }

  bool is_good_enough() const { return report_.cost <= options_.good_enough * options_.good_enough; }

  void iterate() {
    double damping = options_.first_damping;
    VectorXd r(rows());
    for (; report_.iterations < options_.max_iterations; ++report_.iterations) {
      if (is_good_enough() && options_.good_enough > 0) {
        report_.converged = true;
        return;
      }
      if (!differentiate()) {
        report_.message = "the residuals have no derivative there";
        return;
      }
      const MatrixXd J = weighted_slopes();
      const VectorXd now = weighted_residuals();
      for (Index k = 0; k < n_; ++k) size_[k] = std::max(size_[k], J.col(k).norm());
      const std::vector<Index> free = free_parameters(J, now);
      if (free.empty() || now.norm() == 0 || is_level(free, J, now)) {
        report_.converged = true;
        return;
      }
      while (true) {
        VectorXd next = x_ + step_within_bounds(free, J, now, damping);
        for (Index k = 0; k < n_; ++k) next[k] = std::clamp(next[k], of(k).low, of(k).high);
        const VectorXd delta = next - x_;
        const double gain = now.squaredNorm() - (now + J * delta).squaredNorm();
        if (is_small(delta) || damping > 1e20 ||
            (options_.least_gain > 0 && gain < options_.least_gain * now.squaredNorm())) {
          report_.converged = true;  // nothing better is to be had within rounding
          return;
        }
        if (evaluate(next, r) && cost(r) < report_.cost) {
          const double share = gain > 0 ? (report_.cost - cost(r)) / gain : 1;
          accept(next, r);
          if (!options_.follows_gain || share > 0.75)
            damping = std::max(0.1 * damping, 1e-14);
          else if (share < 0.5)
            damping = std::max(4 * damping, 1e-2);
          break;
        }
        damping *= 4;
      }
    }
    report_.message = fmt::format("not converged after {} iterations", report_.iterations);
  }

  /// s, of residuals as they are or, with a loss, as it has them count.
  double noise(Index free) const {
    if (options_.loss == Loss::squares)
      return options_.known_noise ? 1 : std::sqrt(r_.squaredNorm() / static_cast<double>(rows() - free));
    double squares = r_.tail(rows() - m_).squaredNorm(), slope = static_cast<double>(rows() - m_);
    for (Index i = 0; i < m_; ++i) {
      const double z = std::pow(r_[i] / options_.loss_scale, 2);
      const LossValue loss = loss_at(options_.loss, z);
      squares += std::pow(loss.first * r_[i], 2);
      slope += loss.first + 2 * z * loss.second;
    }
    slope /= static_cast<double>(rows());
    return std::sqrt(squares / static_cast<double>(std::max<Index>(1, rows() - free))) / std::max(slope, 1e-3);
  }

  void finish() {
    report_.x.assign(x_.begin(), x_.end());
    report_.residuals.assign(r_.begin(), r_.begin() + m_);
    report_.sum_of_squares = r_.head(m_).squaredNorm();
    const auto n = static_cast<std::size_t>(n_);
    report_.at_bound.assign(n, false);
    report_.standard_error.assign(n, unknown);
    report_.correlation.assign(n * n, unknown);
    report_.covariance.assign(n * n, unknown);
    if (!std::isfinite(report_.sum_of_squares)) return;
    std::vector<Index> free;
    for (Index k = 0; k < n_; ++k) {
      const bool bound = x_[k] <= of(k).low || x_[k] >= of(k).high;
      report_.at_bound[static_cast<std::size_t>(k)] = bound;
      if (!bound) free.push_back(k);
    }
    if (has_slopes_) {
      const MatrixXd J = J_.topRows(m_);
      report_.slopes.assign(J.data(), J.data() + J.size());
    }
    const auto count = static_cast<Index>(free.size());
    if (count == 0 || rows() < count || (rows() == count && !options_.known_noise) || !J_.allFinite()) return;
    // Slopes of residuals as they are: the loss is in s.
    MatrixXd A(rows(), count);
    VectorXd length(count);
    for (Index j = 0; j < count; ++j) {
      A.col(j) = J_.col(free[static_cast<std::size_t>(j)]);
      length[j] = A.col(j).norm();
      if (length[j] > 0) A.col(j) /= length[j];
    }
    const SingularValues svd = singular_values(A);
    Index told = 0;
    while (told < count && svd.value(static_cast<int>(told)) > options_.least_singular * svd.value(0)) ++told;
    const auto right = [&](Index k) {
      return Eigen::Map<const VectorXd>(svd.right(static_cast<int>(k)).data(), count);
    };
    MatrixXd half(count, told), rest(count, count - told);
    for (Index k = 0; k < told; ++k) half.col(k) = right(k) / svd.value(static_cast<int>(k));
    for (Index k = told; k < count; ++k) rest.col(k - told) = right(k);
    name_undetermined(free, sparse_basis(rest, no_part), length);
    const VectorXd part = told < count ? VectorXd(rest.rowwise().norm()) : VectorXd(VectorXd::Zero(count));
    const MatrixXd covariance = half * half.transpose();
    const double s = noise(told);
    for (Index i = 0; i < count; ++i) {
      const auto row = static_cast<std::size_t>(free[static_cast<std::size_t>(i)]);
      if (part[i] <= no_part) report_.standard_error[row] = s * std::sqrt(covariance(i, i)) / length[i];
      for (Index j = 0; j < count; ++j) {
        const std::size_t at = row * n + static_cast<std::size_t>(free[static_cast<std::size_t>(j)]);
        const double lengths = length[i] * length[j];
        report_.covariance[at] = lengths > 0 ? s * s * covariance(i, j) / lengths : 0;
        if (part[i] <= no_part && part[j] <= no_part)
          report_.correlation[at] = covariance(i, j) / std::sqrt(covariance(i, i) * covariance(j, j));
      }
    }
  }

  void name_undetermined(const std::vector<Index>& free, const MatrixXd& directions, const VectorXd& length) {
    for (Index c = 0; c < directions.cols(); ++c) {
      VectorXd change = VectorXd::Zero(n_);
      for (Index j = 0; j < directions.rows(); ++j) {
        const Index k = free[static_cast<std::size_t>(j)];
        const bool seen = length[j] > 0;  // else the parameter by itself leads nowhere
        change[k] = directions(j, c) / (seen ? length[j] * of(k).scale : 1);
      }
      change.normalize();
      report_.undetermined.emplace_back(change.begin(), change.end());
    }
    const auto first = [](const std::vector<double>& change) {
      return std::ranges::find_if(change, [](double x) { return x != 0; }) - change.begin();
    };
    std::ranges::sort(report_.undetermined, {}, first);
    for (const std::vector<double>& change : report_.undetermined) {
      std::string names;
      for (Index k = 0; k < n_; ++k)
        if (change[static_cast<std::size_t>(k)] != 0) names += (names.empty() ? "" : ", ") + of(k).name;
      report_.message +=
          (&change == report_.undetermined.data() ? "not determined by these residuals: " : "; ") + names;
    }
  }

  const std::vector<SoughtParameter>& parameters_;
  const Residuals& function_;
  const ResidualSlopes& slopes_;
  const LeastSquaresOptions& options_;
  Index n_, m_;
  std::vector<Index> priors_;
  VectorXd x_, r_;
  VectorXd root_weight_;  ///< √ρ′
  MatrixXd J_;            ///< of r, without weights
  bool has_slopes_ = false;
  VectorXd size_;  ///< D
  LeastSquaresReport report_;
};

}  // namespace

double usual_loss_scale(Loss loss) {
  // Huber 1.345 and Cauchy 2.385: 95 % [holland1977]. soft L1 by the same integral.
  constexpr double scales[] = {1, 1.345, 1.29, 2.385};
  return scales[static_cast<int>(loss)];
}

LeastSquaresReport least_squares(const std::vector<SoughtParameter>& parameters, std::size_t residual_count,
                                 const Residuals& residuals, const LeastSquaresOptions& options,
                                 const ResidualSlopes& slopes) {
  return Fit(parameters, residual_count, residuals, options, slopes).run();
}

}  // namespace flexura

#include "flexura/solve/quadratic_modes.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <utility>

#include "flexura/base/stop_request.hpp"
#include "flexura/math/decompositions.hpp"

namespace flexura {
namespace {

using Eigen::MatrixXcd;
using Eigen::MatrixXd;
using Eigen::VectorXcd;
using Eigen::VectorXd;
using Complex = std::complex<double>;

constexpr int width = 4;                          ///< of a block: as many equal eigenvalues are found
constexpr int whole_space = 200;                  ///< up to so many unknowns all eigenvalues are computed
constexpr double converged = 1e-10, fair = 1e-7;  ///< residuals: wanted; enough where rounding allows no more
constexpr double genuine = 1e-6;                  ///< of an eigenvalue of the pencil
constexpr double beyond = 1e4;  ///< |s|² above this many times the scale belong to constraints and what has no mass

std::span<double> span(VectorXd& x) { return {x.data(), static_cast<size_t>(x.size())}; }

/// A space V of displacements that grows by Q⁻¹ M V and Q⁻¹ C V, Q = K + σ C + σ² M being factored, and the pencil projected on
/// it: what is skew, symmetric or positive stays so, and multipliers drop out. Eigenvalues of the small pencil are those of its
/// companion form A = [0 I; −K −C], B = [I 0; 0 M], by (A − σ B)⁻¹ B.
class SecondOrderKrylov {
 public:
  /// Without `rates` C is left out, and the factor must be that of K + σ² M.
  SecondOrderKrylov(const QuadraticPencil& pencil, bool rates, double shift)
      : pencil_(pencil),
        rates_(rates),
        n_(pencil.size()),
        shift_(shift),
        tolerance_(std::clamp(64 * epsilon * pencil.scale() / (shift * shift), converged, fair)),
        weights_(VectorXd::Zero(n_)) {
    for (int i = 0; i < pencil.coordinates(); ++i) {  // multipliers follow the coordinates
      const double own = pencil.mass_diagonal()[i] + pencil.stiffness_diagonal()[i] / pencil.scale();
      weights_[i] = own > 0 ? own : 1.0;
    }
  }

  /// All directions that constraints allow at once.
  void take_all() {
    const int nc = pencil_.coordinates();
    MatrixXd A = MatrixXd::Zero(n_, n_);
    pencil_.for_each_entry([&](int i, int j, double k, double, double) { A(i, j) = k; });
    std::vector<int> u, c;  // unknowns with a stiffness of their own belong to the coordinates
    for (int i = 0; i < n_; ++i) (i >= nc && A.row(i).tail(n_ - nc).isZero(0) ? c : u).push_back(i);
    const auto nu = static_cast<Eigen::Index>(u.size());
    VectorXd scale(nu);
    for (Eigen::Index i = 0; i < nu; ++i)
      scale[i] = u[i] < nc ? 1 / std::sqrt(weights_[u[i]]) : 1 / std::sqrt(std::max(std::fabs(A(u[i], u[i])), 1e-300));
    MatrixXd free = MatrixXd::Identity(nu, nu);
    if (!c.empty()) {
      MatrixXd gradients = scale.asDiagonal() * A(c, u).transpose();
      for (Eigen::Index k = 0; k < gradients.cols(); ++k) gradients.col(k) /= std::max(gradients.col(k).norm(), 1e-300);
      const PivotedQr qr(gradients, 1e-11);
      free = qr.q().rightCols(nu - qr.rank());
    }
    basis_ = MatrixXd::Zero(n_, free.cols());
    basis_(u, Eigen::all) = scale.asDiagonal() * free;
    project(0);
    whole_ = true;
    look(0);
  }

  /// Until the `count` eigenvalues nearest to the shift have converged, or the space has `largest` vectors. True but for the
  /// last.
  bool run(int count, int largest) {
    MatrixXd start(n_, width);
    std::uint64_t seed = 1;
    for (Eigen::Index i = 0; i < start.size(); ++i) {  // the same in every run
      seed = seed * 6364136223846793005u + 1442695040888963407u;
      start.data()[i] = static_cast<double>(static_cast<std::int64_t>(seed >> 11)) * 0x1p-52 - 1.0;
    }
    Eigen::Index fresh = append(solved_products(start, false)),
                 next_look = std::min(std::max(count, 3 * width), largest);
    while (!stop_requested()) {
      const Eigen::Index all = basis_.cols();
      if (all >= next_look || fresh == 0) {
        if (look(count)) return true;
        if (all >= largest || fresh == 0) return false;
        next_look = std::min<Eigen::Index>(all + 3 * width, largest);
      }
      const MatrixXd last = basis_.rightCols(fresh);
      fresh = append(solved_products(last, false));
      if (rates_) fresh += append(solved_products(last, true));
    }
    return false;
  }

  bool whole() const { return whole_; }
  int count() const { return static_cast<int>(order_.size()); }
  Complex theta(int k) const { return values_[order_[k]]; }
  /// s with rates, else s².
  Complex eigenvalue(int k) const { return (rates_ ? shift_ : shift_ * shift_) + 1.0 / theta(k); }
  /// x = −Q⁻¹ ((s − σ) C x + (s² − σ²) M x): the multipliers too.
  VectorXcd vector(int k) const {
    const VectorXcd y = vectors_.col(order_[k]).head(basis_.cols());
    const Complex s = eigenvalue(k), square = rates_ ? s * s : s;
    VectorXcd r = (shift_ * shift_ - square) * complex_product(mass_basis_, y);
    if (rates_) r += (shift_ - s) * complex_product(rate_basis_, y);
    return solved(r);
  }

 private:
  double norm(const VectorXcd& x) const { return std::sqrt(x.cwiseAbs2().dot(weights_)); }

  /// Q⁻¹ M z, or with C.
  MatrixXd solved_products(const MatrixXd& z, bool rates) const {
    MatrixXd out(n_, z.cols());
    VectorXd from(n_), to(n_);
    for (Eigen::Index k = 0; k < z.cols(); ++k) {
      from = z.col(k);
      if (rates)
        pencil_.times_rates(span(from), span(to));
      else
        pencil_.times_mass(span(from), span(to));
      pencil_.solve(span(to));
      out.col(k) = to;
    }
    return out;
  }

  VectorXcd solved(const VectorXcd& r) const {
    VectorXd real = r.real(), imaginary = r.imag();
    pencil_.solve(span(real));
    pencil_.solve(span(imaginary));
    VectorXcd out(n_);
    out.real() = real;
    out.imag() = imaginary;
    return out;
  }

  /// Makes the columns orthonormal to the basis and each other, and part of it; drops those that depend on the rest.
  Eigen::Index append(const MatrixXd& w) {
    const Eigen::Index old = basis_.cols();
    Eigen::Index to = old;
    basis_.conservativeResize(n_, old + w.cols());
    for (Eigen::Index k = 0; k < w.cols(); ++k) {
      VectorXd x = w.col(k);
      const double before = norm(x);
      largest_ = std::max(largest_, before);
      for (int pass = 0; pass < 2; ++pass)
        x -= product(basis_.leftCols(to), transposed_product(basis_.leftCols(to), weights_.asDiagonal() * x));
      const double size = norm(x);
      if (!(size > 1e-11 * before) || !(before > 1e-15 * largest_)) continue;
      basis_.col(to++) = x / size;
    }
    basis_.conservativeResize(Eigen::NoChange, to);
    project(old);
    return to - old;
  }

  /// Products with the new columns, and the three projections.
  void project(Eigen::Index old) {
    const Eigen::Index all = basis_.cols();
    const auto extend = [&](MatrixXd& products, MatrixXd& small, auto times) {
      products.conservativeResize(n_, all);
      VectorXd from(n_), to(n_);
      for (Eigen::Index k = old; k < all; ++k) {
        from = basis_.col(k);
        times(from, to);
        products.col(k) = to;
      }
      small = transposed_product(basis_, products);
    };
    extend(mass_basis_, mass_, [&](VectorXd& x, VectorXd& y) { pencil_.times_mass(span(x), span(y)); });
    extend(stiff_basis_, stiff_, [&](VectorXd& x, VectorXd& y) { pencil_.times_stiffness(span(x), span(y)); });
    if (rates_) extend(rate_basis_, rate_, [&](VectorXd& x, VectorXd& y) { pencil_.times_rates(span(x), span(y)); });
  }

  /// (A − σ B)⁻¹ B of the projected pencil, velocities in units of σ.
  MatrixXd small_operator() const {
    const Eigen::Index m = basis_.cols();
    const double square = shift_ * shift_;
    MatrixXd shifted = stiff_ + square * mass_;
    if (rates_) shifted += shift_ * rate_;
    const PivotedQr inverse(shifted);
    if (!rates_) return -inverse.solve(mass_);
    MatrixXd out(2 * m, 2 * m);
    out.topLeftCorner(m, m) = -inverse.solve(rate_ + shift_ * mass_);
    out.topRightCorner(m, m) = -inverse.solve(shift_ * mass_);
    out.bottomLeftCorner(m, m) = MatrixXd::Identity(m, m) / shift_ + out.topLeftCorner(m, m);
    out.bottomRightCorner(m, m) = out.topRightCorner(m, m);
    return out;
  }

  /// Eigenvalues of the projection; true if those wanted have converged.
  bool look(int count) {
    GeneralEigen pairs = general_eigen(small_operator());
    values_ = std::move(pairs.values);
    vectors_ = std::move(pairs.vectors);
    order_.clear();
    for (Eigen::Index i = 0; i < values_.size(); ++i)
      if (values_[i].imag() >= 0 && std::abs(values_[i]) > 0) order_.push_back(static_cast<int>(i));
    std::stable_sort(order_.begin(), order_.end(),
                     [&](int a, int b) { return std::abs(values_[a]) > std::abs(values_[b]); });
    if (static_cast<int>(order_.size()) < count) return false;
    for (int k = 0; k < count; ++k)
      if (missing(k) > tolerance_) return false;
    return true;
  }

  /// ‖Q⁻¹ (s² M + s C + K) x‖ / ‖x‖.
  double missing(int k) const {
    const VectorXcd y = vectors_.col(order_[k]).head(basis_.cols());
    const Complex s = eigenvalue(k), square = rates_ ? s * s : s;
    VectorXcd r = complex_product(stiff_basis_, y) + square * complex_product(mass_basis_, y);
    if (rates_) r += s * complex_product(rate_basis_, y);
    return norm(solved(r)) / std::max(norm(complex_product(basis_, y)), 1e-300);
  }

  const QuadraticPencil& pencil_;
  bool rates_, whole_ = false;
  int n_;
  double shift_, tolerance_, largest_ = 0;
  VectorXd weights_;
  MatrixXd basis_, mass_basis_, rate_basis_, stiff_basis_, mass_, rate_, stiff_;
  VectorXcd values_;
  MatrixXcd vectors_;
  std::vector<int> order_;  ///< eigenvalues with Im θ ≥ 0, from the largest
};

/// Residual of s² M x + s C x + K x against its parts: what belongs to no finite eigenvalue has a large one.
double residual(const QuadraticPencil& pencil, Complex s, const VectorXcd& x) {
  const int n = pencil.size(), nc = pencil.coordinates();
  VectorXcd left = VectorXcd::Zero(n);
  VectorXd parts = VectorXd::Zero(n);
  const double largest = x.head(nc).cwiseAbs().maxCoeff();
  pencil.for_each_entry([&](int i, int j, double k, double c, double m) {
    left[i] += (k + s * (c + s * m)) * x[j];
    const double size = i < nc ? std::abs(x[j]) : largest;  // a row may be kept by being still
    parts[i] += (std::fabs(k) + std::abs(s) * (std::fabs(c) + std::abs(s) * std::fabs(m))) * size;
  });
  const auto share = [&](int first, int count) {
    const double of = parts.segment(first, count).norm();
    return of > 0 ? left.segment(first, count).norm() / of : 0.0;
  };
  return std::max(share(0, nc), share(nc, n - nc));
}

struct Found {
  Complex s;
  VectorXcd x;
};

/// A shift of the size of what is wanted, found by coming nearer to zero: s² in K + s² M, and the lowest |s²| that is no
/// rigid motion.
bool place_shift(QuadraticPencil& pencil, int count, double& square, double& lowest) {
  square = 1e-3 * pencil.scale();
  for (int attempt = 0; attempt < 24 && !stop_requested(); ++attempt) {
    if (!pencil.factor(0, square)) {
      square *= 1.7;
      continue;
    }
    SecondOrderKrylov space(pencil, false, std::sqrt(square));
    bool found = pencil.size() <= whole_space;
    if (found)
      space.take_all();
    else
      found = space.run(count, 10 * width);
    lowest = 0;
    for (int k = 0; k < std::min(count, space.count()); ++k) {
      const double size = std::abs(space.eigenvalue(k));
      if (size > 1e3 * epsilon * pencil.scale() && (lowest == 0 || size < lowest)) lowest = size;
    }
    if (lowest == 0) lowest = square;
    if (found && square >= 0.1 * lowest && square <= lowest) return true;
    square = found ? 0.3 * lowest : std::min(0.3 * lowest, 1e-2 * square);
  }
  return false;
}

bool alike(const VectorXcd& a, const VectorXcd& b, int nc) {
  const double size = a.head(nc).norm() * b.head(nc).norm();
  return size > 0 && std::abs(a.head(nc).dot(b.head(nc))) > (1 - 1e-6) * size;
}

}  // namespace

ComplexPairs quadratic_modes(QuadraticPencil& pencil, int count) {
  ComplexPairs out;
  double square = 0, lowest = 0;
  const bool rates = pencil.has_rates();
  if (!place_shift(pencil, count + width, square, lowest)) {
    out.problem = "the tangent cannot be factored: something is held by nothing, or constraints contradict each other";
    return out;
  }
  const double shift = std::sqrt(square);
  bool factored = false;
  double used = shift;
  for (int attempt = 0; attempt < 8 && !factored; ++attempt) {
    used = shift * (1 + 0.37 * attempt);
    factored = pencil.factor(rates ? used : 0, used * used);
  }
  if (!factored) {
    out.problem = "the tangent cannot be factored at any shift";
    return out;
  }
  SecondOrderKrylov space(pencil, rates, used);
  if (pencil.size() <= whole_space) {
    space.take_all();
  } else if (!space.run(count + 2, 12 * count + 160)) {
    if (!stop_requested()) out.problem = "modes did not converge";
    return out;
  }
  out.sure = space.whole();

  const double rounding = 1e3 * epsilon * pencil.scale();
  std::vector<Found> found;
  for (int k = 0; k < space.count() && static_cast<int>(found.size()) < count + 2 * width; ++k) {
    Complex s = rates ? space.eigenvalue(k) : std::sqrt(space.eigenvalue(k));
    if (!(std::norm(s) < beyond * pencil.scale())) continue;
    VectorXcd x = space.vector(k);
    if (s.imag() < 0) s = std::conj(s), x = x.conjugate().eval();
    if (!(residual(pencil, s, x) < genuine)) continue;
    const auto keep = [&](Complex exponent, const VectorXcd& shape) {
      const bool still = std::norm(exponent) <= rounding;
      for (const Found& other : found)
        if (still && std::norm(other.s) <= rounding && alike(other.x, shape, pencil.coordinates())) return;
      found.push_back({exponent, shape});
    };
    keep(s, x);
    if (!rates && s.real() > 1e-7 * std::abs(s) && s.imag() > 1e-7 * std::abs(s))  // of s² and its conjugate
      keep({-s.real(), s.imag()}, x.conjugate());
  }
  std::stable_sort(found.begin(), found.end(), [](const Found& a, const Found& b) {
    const double x = std::abs(a.s), y = std::abs(b.s);
    return std::fabs(x - y) > 1e-9 * (x + y) ? x < y : a.s.real() > b.s.real();
  });
  if (static_cast<int>(found.size()) > count) found.resize(count);
  out.vectors.resize(pencil.size(), static_cast<Eigen::Index>(found.size()));
  for (size_t k = 0; k < found.size(); ++k) {
    out.exponents.push_back(found[k].s);
    out.vectors.col(static_cast<Eigen::Index>(k)) = found[k].x;
  }
  return out;
}

}  // namespace flexura

#include "flexura/solve/quadratic_modes.hpp"

#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
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

constexpr int width = 4;           ///< of a block: as many equal eigenvalues are found
constexpr double countable = 0.1;  ///< rounding of all eigenvalues at once, relative to the lowest
constexpr int whole_space = 200;   ///< up to so many unknowns all eigenvalues are computed
constexpr int affordable = 300;    ///< degrees of freedom of which they are where a growing space finds none
constexpr double converged = 1e-10, fair = 1e-6;  ///< residuals: targets; enough where rounding allows no more
constexpr double poor = 1e-3;                     ///< with a larger residual it is no mode
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
        dependent_(std::clamp(100 * epsilon * pencil.scale() / (shift * shift), 1e-10, 1e-4)),
        weights_(VectorXd::Zero(n_)) {
    for (int i = 0; i < pencil.coordinates(); ++i) {  // multipliers follow the coordinates
      const double own = pencil.mass_diagonal()[i] + pencil.stiffness_diagonal()[i] / pencil.scale();
      weights_[i] = own > 0 ? own : 1.0;
    }
  }

  /// All directions that constraints allow at once. `count`: pairs of which worst_residual() is to be known.
  void take_all(int count = 0) {
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
    look(count);
  }

  /// Grows the space until the `count` eigenvalues nearest to the shift have residuals below `tolerance`: first by blocks,
  /// then by Q⁻¹ r of the pairs that have not converged, with restarts from the pairs nearest to the shift. What has
  /// converged stays in the space. Fresh random directions show at the end whether an eigenvalue was missed, as of a
  /// multiple one. False: some residuals stay above it.
  bool run(int count, int largest, double tolerance, int looks) {
    grow(count);
    int checks = 0, idle = 0;
    double best = std::numeric_limits<double>::infinity();
    for (int step = 0; step < looks && !stop_requested(); ++step) {
      look(count);
      const double worst = worst_residual(count);
      idle = worst < 0.5 * best ? 0 : idle + 1;
      best = std::min(best, worst);
      const bool good = worst <= tolerance || (idle > 5 && worst <= fair);
      if (good && (checks > 0 || tolerance > fair)) return true;
      if (basis_.cols() + 6 * width > largest) restart(count + 2 * width);
      const Eigen::Index fresh = good ? grow(0) : append(missing_directions(count, tolerance));
      checks += good;
      if (fresh == 0 && grow(0) == 0) return good;
    }
    return false;
  }

  double norm(const VectorXcd& x) const { return std::sqrt(x.cwiseAbs2().dot(weights_)); }
  /// ‖Q⁻¹ (s² M + s C + K) x‖ |s − σ|² / ‖x‖; without rates |s² − σ²|.
  double error(Complex s, const VectorXcd& x) const {
    const auto product = [&](auto times) {
      VectorXd from = x.real(), real(n_), imaginary(n_);
      times(from, real);
      from = x.imag();
      times(from, imaginary);
      return VectorXcd(real.cast<Complex>() + Complex(0, 1) * imaginary.cast<Complex>());
    };
    VectorXcd r = product([&](VectorXd& a, VectorXd& b) { pencil_.times_stiffness(span(a), span(b)); });
    r += s * s * product([&](VectorXd& a, VectorXd& b) { pencil_.times_mass(span(a), span(b)); });
    if (rates_) r += s * product([&](VectorXd& a, VectorXd& b) { pencil_.times_rates(span(a), span(b)); });
    const double distance = rates_ ? std::norm(s - shift_) : std::abs(s * s - shift_ * shift_);
    return norm(solved(r)) / std::max(norm(x), 1e-300) * distance;
  }
  bool whole() const { return whole_; }
  /// ‖Q⁻¹ (s² M + s C + K) x‖ / ‖x‖ of the first `count`; infinite where fewer are known.
  double worst_residual(int count) const {
    if (static_cast<int>(residuals_.size()) < count) return std::numeric_limits<double>::infinity();
    return *std::max_element(residuals_.begin(), residuals_.begin() + count);
  }
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
      if (!(size > dependent_ * before) || !(before > 1e-15 * largest_)) continue;
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

  /// Eigenvalues of the projection, and the residuals of the first `count`.
  void look(Eigen::Index count) {
    const MatrixXd small = small_operator();
    GeneralEigen pairs = general_eigen(small);
    values_ = std::move(pairs.values);
    vectors_ = std::move(pairs.vectors);
    if (!rates_) separate_equals();
    order_.clear();
    for (Eigen::Index i = 0; i < values_.size(); ++i)
      if (values_[i].imag() >= 0 && std::abs(values_[i]) > 0) order_.push_back(static_cast<int>(i));
    std::stable_sort(order_.begin(), order_.end(),
                     [&](int a, int b) { return std::abs(values_[a]) > std::abs(values_[b]); });
    missing_.clear();
    residuals_.clear();
    for (int k = 0; k < std::min<int>(static_cast<int>(count), this->count()); ++k) {
      VectorXcd y = complex_product(small, vectors_.col(order_[k]));  // damps what rounding leaves of stiff directions
      vectors_.col(order_[k]) = y / y.norm();
      y = vectors_.col(order_[k]).head(basis_.cols());
      missing_.push_back(missing(k));
      residuals_.push_back(norm(missing_.back()) / std::max(norm(complex_product(basis_, y)), 1e-300));
    }
  }

  /// Rounding makes a conjugate pair of two equal s²: their real and imaginary parts are the two shapes.
  void separate_equals() {
    for (Eigen::Index i = 0; i + 1 < values_.size(); ++i) {
      const double beside = std::fabs(values_[i].imag());
      if (beside == 0 || values_[i + 1] != std::conj(values_[i])) continue;
      if (beside <= genuine * std::abs(values_[i])) {
        const VectorXcd y = vectors_.col(i);
        values_[i] = values_[i + 1] = values_[i].real();
        vectors_.col(i) = (y.real() / std::max(y.real().norm(), 1e-300)).cast<Complex>();
        vectors_.col(i + 1) = (y.imag() / std::max(y.imag().norm(), 1e-300)).cast<Complex>();
      }
      ++i;
    }
  }

  /// Q⁻¹ (s² M + s C + K) x.
  VectorXcd missing(int k) const {
    const VectorXcd y = vectors_.col(order_[k]).head(basis_.cols());
    const Complex s = eigenvalue(k), square = rates_ ? s * s : s;
    VectorXcd r = complex_product(stiff_basis_, y) + square * complex_product(mass_basis_, y);
    if (rates_) r += s * complex_product(rate_basis_, y);
    return solved(r);
  }

  /// Real and imaginary parts of the first of those, where the residuals are above `tolerance`.
  MatrixXd missing_directions(int count, double tolerance) const {
    MatrixXd out(n_, 0);
    for (int k = 0; k < std::min<int>(count, static_cast<int>(missing_.size())) && out.cols() < 4 * width; ++k)
      if (residuals_[k] > tolerance) add_parts(missing_[k], out);
    return out;
  }
  void add_parts(const VectorXcd& x, MatrixXd& to) const {
    const double size = std::max(norm(x), 1e-300);
    to.conservativeResize(n_, to.cols() + 2);
    to.col(to.cols() - 2) = x.real() / size;
    to.col(to.cols() - 1) = x.imag() / size;
  }

  /// Goes on with the space of the first `kept` pairs alone.
  void restart(int kept) {
    MatrixXd vectors(n_, 0);
    for (int k = 0; k < std::min(kept, count()); ++k)
      add_parts(complex_product(basis_, vectors_.col(order_[k]).head(basis_.cols())), vectors);
    basis_.resize(n_, 0);
    for (auto* products : {&mass_basis_, &rate_basis_, &stiff_basis_}) products->resize(n_, 0);
    append(vectors);
  }

  /// Blocks of Q⁻¹ M and Q⁻¹ C on a fresh random one, at least three, until the space has `count` vectors: how many came.
  Eigen::Index grow(int count) {
    MatrixXd start(n_, width);
    for (Eigen::Index i = 0; i < start.size(); ++i) {  // the same in every run
      seed_ = seed_ * 6364136223846793005u + 1442695040888963407u;
      start.data()[i] = static_cast<double>(static_cast<std::int64_t>(seed_ >> 11)) * 0x1p-52 - 1.0;
    }
    const Eigen::Index before = basis_.cols();
    Eigen::Index fresh = append(solved_products(start, false));
    for (int block = 1; fresh > 0 && (block < 3 || basis_.cols() < count) && !stop_requested(); ++block) {
      const MatrixXd last = basis_.rightCols(fresh);
      fresh = append(solved_products(last, false));
      if (rates_) fresh += append(solved_products(last, true));
    }
    return basis_.cols() - before;
  }

  const QuadraticPencil& pencil_;
  bool rates_, whole_ = false;
  int n_;
  double shift_, dependent_, largest_ = 0;
  std::uint64_t seed_ = 1;
  VectorXd weights_;
  MatrixXd basis_, mass_basis_, rate_basis_, stiff_basis_, mass_, rate_, stiff_;
  VectorXcd values_;
  MatrixXcd vectors_;
  std::vector<int> order_;          ///< eigenvalues with Im θ ≥ 0, from the largest
  std::vector<VectorXcd> missing_;  ///< Q⁻¹ r of the first of them
  std::vector<double> residuals_;   ///< and its size relative to the shape
};

/// Residual of s² M x + s C x + K x against its parts: what belongs to no finite eigenvalue has a large one.
/// `shift`: of what is found nearest to zero, for the parts of a rigid motion are zero.
double residual(const QuadraticPencil& pencil, Complex s, const VectorXcd& x, double shift) {
  const double rate = std::max(std::abs(s), shift);
  const int n = pencil.size(), nc = pencil.coordinates();
  VectorXcd left = VectorXcd::Zero(n);
  VectorXd parts = VectorXd::Zero(n);
  const double largest = x.head(nc).cwiseAbs().maxCoeff();
  pencil.for_each_entry([&](int i, int j, double k, double c, double m) {
    left[i] += (k + s * (c + s * m)) * x[j];
    const double size = i < nc ? std::abs(x[j]) : largest;  // a row may be kept by being still
    parts[i] += (std::fabs(k) + rate * (std::fabs(c) + rate * std::fabs(m))) * size;
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
  double error = 0;  ///< of s² [1/s²]

  bool is_known() const { return error <= 1e-6 * std::norm(s); }
};
using AllFound = std::vector<Found>;

/// max C_ii / M_ii [1/s]: of the size of the largest exponent that a damper makes.
double rate_scale(const QuadraticPencil& pencil) {
  double out = 0;
  pencil.for_each_entry([&](int i, int j, double, double c, double) {
    const double mass = i < pencil.coordinates() ? pencil.mass_diagonal()[i] : 0;
    if (i == j && mass > 0) out = std::max(out, std::fabs(c) / mass);
  });
  return std::isfinite(out) ? out : 0;
}

void sort(AllFound& found) {
  std::stable_sort(found.begin(), found.end(), [](const Found& a, const Found& b) {
    const double x = std::abs(a.s), y = std::abs(b.s);
    return std::fabs(x - y) > 1e-9 * (x + y) ? x < y : a.s.real() > b.s.real();
  });
}

/// A shift of the size of the requested eigenvalues, found by coming nearer to zero: by the lowest |s|² that is no rigid motion.
enum class Placement { found, singular, lost };
Placement place_shift(QuadraticPencil& pencil, int count, double& shift) {
  const bool rates = pencil.has_rates();
  const double rounding = 1e3 * epsilon * pencil.scale();
  bool factored = false;
  double square = 1e-3 * pencil.scale();
  for (int attempt = 0; attempt < 24 && !stop_requested(); ++attempt) {
    shift = std::sqrt(square);
    if (!pencil.factor(rates ? shift : 0, square)) {
      square *= 1.7;
      continue;
    }
    factored = true;
    SecondOrderKrylov space(pencil, rates, shift);
    bool found = pencil.size() <= whole_space;
    if (found)
      space.take_all();
    else
      found = space.run(std::min(count, 8), 30 * width, 1e-2, 12);
    std::vector<double> sizes;
    for (int k = 0; k < std::min(count, space.count()); ++k) {
      const double size = rates ? std::norm(space.eigenvalue(k)) : std::abs(space.eigenvalue(k));
      if (size > rounding) sizes.push_back(size);
    }
    std::sort(sizes.begin(), sizes.end());
    const double lowest = sizes.empty() ? square : std::max(sizes[0], 1e-6 * sizes[sizes.size() / 2]);
    if (found && square >= 0.1 * lowest && square <= lowest) return Placement::found;
    square = found ? 0.3 * lowest : std::min(0.3 * lowest, 1e-2 * square);
  }
  return factored ? Placement::lost : Placement::singular;
}

bool alike(const VectorXcd& a, const VectorXcd& b, int nc) {
  const double size = a.head(nc).norm() * b.head(nc).norm();
  return size > 0 && std::abs(a.head(nc).dot(b.head(nc))) > (1 - 1e-6) * size;
}

/// Whether the eigenvalues of the whole space, which are less exact, show no more below the last than were found.
bool misses_none(const SecondOrderKrylov& found, const SecondOrderKrylov& all, int count) {
  if (found.count() < count) return false;
  const double last = 0.99 * std::abs(found.eigenvalue(count - 1));
  const auto below = [&](const SecondOrderKrylov& space) {
    int n = 0;
    for (int k = 0; k < space.count(); ++k) n += std::abs(space.eigenvalue(k)) < last ? 1 : 0;
    return n;
  };
  return below(all) <= below(found);
}

/// The first eigenvalues of a space that are those of the pencil and finite. The pencil holds the factor at its shift.
AllFound finite_pairs(const QuadraticPencil& pencil, const SecondOrderKrylov& space, double shift, int count) {
  const bool rates = pencil.has_rates();
  const double rigid = 1e3 * epsilon * pencil.scale();
  const double largest = std::max(beyond * pencil.scale(), 100 * std::pow(rate_scale(pencil), 2));
  AllFound found;
  for (int k = 0; k < space.count() && static_cast<int>(found.size()) < count; ++k) {
    Complex s = rates ? space.eigenvalue(k) : std::sqrt(space.eigenvalue(k));
    if (!(std::norm(s) < largest)) continue;
    VectorXcd x = space.vector(k);
    if (s.imag() < 0) s = std::conj(s), x = x.conjugate().eval();
    if (!(residual(pencil, s, x, shift) < genuine)) continue;
    const auto keep = [&](Complex exponent, const VectorXcd& shape) {
      const bool still = std::norm(exponent) <= rigid;
      for (const Found& other : found)
        if (still && std::norm(other.s) <= rigid && alike(other.x, shape, pencil.coordinates())) return;
      found.push_back({exponent, shape, space.error(exponent, shape)});
    };
    keep(s, x);
    if (!rates && s.real() > 1e-7 * std::abs(s) && s.imag() > 1e-7 * std::abs(s))  // of s² and its conjugate
      keep({-s.real(), s.imag()}, x.conjugate());
  }
  return found;
}

/// Those of `other`, found from a higher shift, into `found`: of two that agree the one known better, and of the rest those that
/// are known. Of equal ones as many stay as either side has.
void merge(AllFound& found, const AllFound& other) {
  std::vector<char> has_partner(found.size(), 0);
  const size_t before = found.size();
  for (const Found& more : other) {
    size_t nearest = before;
    for (size_t k = 0; k < before; ++k) {
      const double within =
          1e-5 * std::abs(more.s) + (more.error + found[k].error) / std::max(std::abs(more.s), 1e-300);
      const auto distance = [&](size_t i) { return std::abs(found[i].s - more.s); };
      if (!has_partner[k] && distance(k) <= within && (nearest == before || distance(k) < distance(nearest)))
        nearest = k;
    }
    if (nearest < before) {
      has_partner[nearest] = 1;
      if (more.error < found[nearest].error) found[nearest] = more;
    } else if (more.is_known()) {
      found.push_back(more);
    }
  }
}

/// From one shift pairs are known within some three decades about it, where dampers and stiff parts spread them over more. Of few unknowns
/// the whole space is taken again at higher shifts, until the first `count` pairs are known or none is left above.
void sweep(QuadraticPencil& pencil, int count, double shift, AllFound& found) {
  constexpr double stride = 30, near = 0.1;
  const double rigid = 1e3 * epsilon * pencil.scale();
  const double highest = std::max(std::sqrt(pencil.scale()), rate_scale(pencil));
  for (int round = 0; round < 12 && shift < highest && !stop_requested(); ++round) {
    sort(found);
    const auto is_open = [&](const Found& pair) { return !pair.is_known() && std::norm(pair.s) > rigid; };
    const auto open = std::ranges::find_if(found, is_open);
    const auto known = open - found.begin();
    if (known >= count) break;
    shift = std::min(stride * shift, highest);
    if (!pencil.factor(shift, shift * shift)) continue;
    SecondOrderKrylov space(pencil, true, shift);
    space.take_all();
    AllFound above = finite_pairs(pencil, space, shift, space.count());
    std::erase_if(above, [&](const Found& pair) { return std::abs(pair.s) < near * shift; });
    // What the lower shift has found up here without knowing it is this.
    if (!above.empty())
      std::erase_if(found, [&](const Found& pair) { return is_open(pair) && std::abs(pair.s) >= near * shift; });
    merge(found, above);
  }
}

}  // namespace

ComplexPairs quadratic_modes(QuadraticPencil& pencil, int count, double near) {
  ComplexPairs out;
  const bool rates = pencil.has_rates();
  double used = std::sqrt(0.3 * near);
  const bool given = near > 0 && pencil.factor(rates ? used : 0, used * used);
  switch (given ? Placement::found : place_shift(pencil, count + width, used)) {
    case Placement::found:
      break;
    case Placement::singular:
      out.problem =
          "the tangent cannot be factored: something is held by nothing, or constraints contradict each other";
      return out;
    case Placement::lost:
      out.problem = "no shift was found near the lowest modes";
      return out;
  }
  auto searched = std::make_unique<SecondOrderKrylov>(pencil, rates, used);
  // What is projected on the whole space keeps an error of the size of the stiffest part.
  const double rounding = 64 * epsilon * pencil.scale() / (used * used);
  bool small = pencil.size() <= whole_space;
  double worst = std::numeric_limits<double>::infinity();
  if (!small || rounding > fair) {
    const int requested = count + 2;
    searched->run(requested, 6 * (requested + 2 * width) + 40, std::clamp(rounding, converged, fair), 60);
    worst = searched->worst_residual(count);
    if (stop_requested()) return out;
  }
  const int multipliers = pencil.size() - pencil.coordinates();
  small = small || (!(worst <= poor) && pencil.coordinates() - multipliers <= affordable);
  if (!(worst <= poor) && !small) {
    out.problem = fmt::format("modes did not converge: residual {:.1e}; try fewer modes", worst);
    return out;
  }
  // Of many exponents that nearly agree, as those of what dampers overdamp do, a growing space finds some.
  bool misses_some = !small;
  if (small) {
    auto all = std::make_unique<SecondOrderKrylov>(pencil, rates, used);
    all->take_all(count);
    misses_some = rounding >= countable || !misses_none(*searched, *all, count);
    if ((misses_some || !(worst <= fair)) && all->worst_residual(count) <= worst)
      searched = std::move(all), misses_some = false;
  }
  const SecondOrderKrylov& space = *searched;
  out.sure = space.whole() || !misses_some;

  AllFound found = finite_pairs(pencil, space, used, count + 2 * width);
  if (small && rates) sweep(pencil, count, used, found);
  sort(found);
  if (static_cast<int>(found.size()) > count) found.resize(count);
  out.vectors.resize(pencil.size(), static_cast<Eigen::Index>(found.size()));
  for (size_t k = 0; k < found.size(); ++k) {
    out.exponents.push_back(found[k].s);
    out.errors.push_back(found[k].error);
    out.vectors.col(static_cast<Eigen::Index>(k)) = found[k].x;
  }
  return out;
}

}  // namespace flexura

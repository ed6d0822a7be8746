#include "flexura/solve/modes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <complex>
#include <functional>
#include <numbers>

#include "flexura/base/stop_request.hpp"
#include "flexura/solve/extent.hpp"
#include "flexura/solve/quadratic_modes.hpp"
#include "flexura/solve/symmetric_modes.hpp"
#include "flexura/solve/unbalanced_force.hpp"

namespace flexura {
namespace {

using Eigen::VectorXd;

constexpr int largest_dense = 2000;
constexpr double rigid_below = 1e-8;  ///< of the largest |s|² found: less, and within rounding, is a rigid motion

/// Writes modes in q order.
class ModeWriter {
 public:
  /// `times_mass` and `diagonal`: of the free unknowns.
  template <class Pencil>
  ModeWriter(System<double>& system, const Pencil& pencil, Modes& out)
      : system_(system),
        out_(out),
        ny_(system.topology().ny),
        times_mass_([&pencil, n = static_cast<size_t>(ny_)](VectorXd& x, VectorXd& mx) {
          pencil.times_mass({x.data(), n}, {mx.data(), n});
        }),
        diagonal_(pencil.mass_diagonal()) {
    const size_t nq = system.topology().nq;
    std::vector<double> still(nq, 0.0);
    q_.assign(nq, 0.0), a_.assign(nq, 0.0), rate_.assign(nq, 0.0);
    system.assembler.expand(q_.data(), rate_.data(), a_.data());  // what signals alone do
  }

  /// ω² with a real shape, known but for `error`.
  void real(double mu, double error, const VectorXd& x) {
    const bool grows = mu < -std::max(out_.rounding, 10 * error);  // nearer to zero nothing is known to grow
    const std::complex<double> s(grows ? std::sqrt(-mu) : 0.0, grows ? 0.0 : std::sqrt(std::max(mu, 0.0)));
    write(s, mu, x.cast<std::complex<double>>());
    out_.unstable += grows;
  }
  /// s with a complex shape, s² known but for `error`.
  void complex(std::complex<double> s, double error, const Eigen::VectorXcd& x) {
    if (std::norm(s) <= 10 * error || (std::norm(s) <= out_.rounding && std::norm(s) < rigid_below * largest_)) s = 0;
    write(s, -(s * s).real(), x);
    out_.unstable += s.real() > 1e-6 * std::abs(s) && std::norm(s) > std::max(still_, 10 * error);
  }
  /// |s|² that cannot be told from a motion as a whole, where the state itself is not quite steady.
  void still_below(double square) { still_ = square; }
  /// |s|² of the largest mode.
  void largest(double square) { largest_ = square; }
  /// Imaginary parts are kept only if there is one.
  void finish() {
    if (std::all_of(imaginary_.begin(), imaginary_.end(), [](double x) { return x == 0; })) return;
    out_.shapes_imaginary = std::move(imaginary_);
  }

 private:
  /// Mass-normalised, with the phase made unique: the component of largest √M_ii |x_i| is real and positive.
  void write(std::complex<double> s, double eigenvalue, Eigen::VectorXcd x) {
    VectorXd part = x.real(), mass(ny_), other = x.imag();
    times_mass_(part, mass);
    double square = part.dot(mass);
    times_mass_(other, mass);
    square += other.dot(mass);
    const int nc = system_.topology().ncoord;
    double largest = 0;
    std::complex<double> phase = 1;
    for (int i = 0; i < nc; ++i) largest = std::max(largest, std::sqrt(diagonal_[i]) * std::abs(x[i]));
    for (int i = 0; i < nc; ++i) {
      if (std::sqrt(diagonal_[i]) * std::abs(x[i]) < (1 - 1e-5) * largest) continue;
      if (std::abs(x[i]) > 0) phase = std::conj(x[i]) / std::abs(x[i]);
      break;
    }
    x *= phase / std::sqrt(square);
    append(x.real(), out_.shapes);
    const VectorXd imaginary = x.imag();
    const bool real = imaginary.cwiseAbs().maxCoeff() <= 1e-9 * x.cwiseAbs().maxCoeff();
    append(real ? VectorXd(VectorXd::Zero(ny_)) : imaginary, imaginary_);
    out_.eigenvalue.push_back(eigenvalue);
    const bool swings = s.imag() > 0;
    out_.frequency.push_back((swings ? s.imag() : 0.0 - std::max(0.0, s.real())) / (2 * std::numbers::pi));
    out_.growth.push_back(s.real());
    out_.damping.push_back(s.real() == 0 ? 0.0 : -s.real() / std::abs(s));
  }
  void append(const VectorXd& x, std::vector<double>& to) {
    std::vector<double> shape(q_.size(), 0.0);
    std::copy(x.data(), x.data() + ny_, shape.begin());
    system_.assembler.expand(q_.data(), shape.data(), a_.data());  // velocities depend on velocities by T alone
    for (size_t i = ny_; i < shape.size(); ++i) shape[i] -= rate_[i];
    to.insert(to.end(), shape.begin(), shape.end());
  }

  System<double>& system_;
  Modes& out_;
  int ny_;
  std::function<void(VectorXd&, VectorXd&)> times_mass_;
  std::span<const double> diagonal_;
  double still_ = 0, largest_ = 0;
  std::vector<double> q_, a_, rate_, imaginary_;
};

void say(std::string& text, const std::string& more) { text += (text.empty() ? "" : "; ") + more; }

/// Residuals relative to the eigenvalues, and a warning that names the modes where they are too large. An eigenvalue that is
/// rounding, and known to no more than 1 %, is 0: also where no elastic mode was requested, which others are compared
/// with. Below 1e3 times the rounding, errors are relative to that.
void check_residuals(const std::vector<double>& errors, Modes& out) {
  constexpr double acceptable = 1e-4;  // half of it in the frequency
  std::string inexact;
  int count = 0;
  std::vector<double> squares;
  for (size_t k = 0; k < errors.size(); ++k)
    squares.push_back(std::norm(std::complex(2 * std::numbers::pi * out.frequency[k], out.growth[k])));
  const double largest = squares.empty() ? 0.0 : *std::max_element(squares.begin(), squares.end());
  for (size_t k = 0; k < errors.size(); ++k) {
    const double within = 1e3 * out.rounding;
    const bool far_below = squares[k] < within && squares[k] < rigid_below * largest;
    const bool is_zero = squares[k] < std::min(10 * out.rounding, 100 * errors[k]) && errors[k] < within;
    const bool rigid = squares[k] == 0 || far_below || is_zero;
    out.residual.push_back(rigid ? 0.0 : errors[k] / std::max(squares[k], within));
    if (out.residual[k] <= acceptable || ++count > 3) continue;
    inexact += fmt::format("{}mode {} ({:.6g} Hz): {:.1e}", inexact.empty() ? "" : ", ", k + 1, out.frequency[k],
                           out.residual[k]);
  }
  if (count == 0) return;
  if (count > 3) inexact += fmt::format(" and {} more", count - 3);
  say(out.warning, fmt::format("modes are inexact, residuals of K φ = ω² M φ relative to ω²: {} (up to {:g} is usual); "
                               "stiffnesses or masses may differ too much",
                               inexact, acceptable));
}

/// Dense modes keep an absolute error of the size of the stiffest part: where that matters the Krylov modes, if they are
/// found, are nearer.
void improve(ModalPencil& pencil, const ModesOptions& options, double rounding, RealPairs& dense) {
  double lowest = std::numeric_limits<double>::infinity();
  for (double mu : dense.values) lowest = std::min(lowest, std::fabs(mu));
  if (!(lowest < 1e6 * rounding) || options.method != ModesMethod::automatic) return;
  RealPairs krylov = krylov_modes(pencil, static_cast<int>(dense.values.size()), options.shift);
  if (krylov.problem.empty() && krylov.sure && krylov.values.size() == dense.values.size()) dense = std::move(krylov);
}

/// |ω²| of the lowest elastic mode of the symmetric problem; 0 where it is not found.
double lowest_elastic(ModalPencil& pencil, int count) {
  const RealPairs plain = krylov_modes(pencil, count, std::numeric_limits<double>::quiet_NaN());
  double lowest = 0;
  if (!plain.problem.empty()) return 0;
  for (size_t k = 0; k < plain.errors.size(); ++k) {
    const double size = std::fabs(plain.values[static_cast<Eigen::Index>(k)]);
    if (size > 100 * plain.errors[k] && size > 1e-30 * pencil.scale() && (lowest == 0 || size < lowest)) lowest = size;
  }
  return lowest;
}

/// What the velocities of the state mean for its modes, where they are not a steady turning of the whole.
void judge_motion(const System<double>& system, const State<double>& state, const SteadyRotation& rotation,
                  Modes& out) {
  if (rotation.turns()) {
    if (rotation.imbalance > 1e-3)
      say(out.warning, fmt::format("the state does not turn steadily: up to {:.1g} of the forces that would keep it "
                                   "turning at {:.4g} rad/s are missing, and modes are those of its frozen tangent",
                                   rotation.imbalance, rotation.rate));
    return;
  }
  double lowest = 0;
  for (double e : out.eigenvalue)
    if (lowest == 0 && std::fabs(e) > 1e3 * out.rounding) lowest = std::fabs(e);
  if (!(rotation.speed > 1e-3 * extent(system.topology(), state.q) * std::sqrt(lowest))) return;
  const std::string why =
      rotation.tied.empty() ? "" : fmt::format(" ('{}' is tied to what does not turn)", rotation.tied);
  say(out.warning, fmt::format("the state moves, '{}' by {:.3g} m/s, and not as a steady rotation of the whole{}: its "
                               "velocities are left out",
                               rotation.fastest, rotation.greatest, why));
}

/// Rotations as a whole are judged above.
void judge_balance(System<double>& system, const State<double>& state, const SteadyRotation& rotation,
                   const ModesOptions& options, Modes& out) {
  if (options.equilibrium || rotation.turns()) return;
  const std::string text = imbalance_text(system.topology(), unbalanced_force(system, state));
  if (!text.empty()) say(out.warning, text);
}

Modes solve_quadratic(System<double>& system, const State<double>& state, const SteadyRotation& rotation,
                      const ModesOptions& options, QuadraticPencil& pencil, double lowest) {
  Modes out;
  if (!(pencil.scale() > 0)) {
    out.problem = "the tangent at this state is not finite";
    return out;
  }
  out.rounding = 4 * epsilon * pencil.scale();
  out.spin = rotation.rate;
  const ComplexPairs pairs = quadratic_modes(pencil, options.count, lowest);
  out.problem = pairs.problem;
  if (!out.problem.empty() || stop_requested()) return out;
  out.complete = pairs.sure;
  ModeWriter writer(system, pencil, out);
  writer.still_below(1e3 * out.rounding + 10 * rotation.imbalance * rotation.rate * rotation.rate);
  for (const std::complex<double> s : pairs.exponents) writer.largest(std::norm(s));  // they ascend
  for (size_t k = 0; k < pairs.exponents.size(); ++k)
    writer.complex(pairs.exponents[k], pairs.errors[k], pairs.vectors.col(static_cast<Eigen::Index>(k)));
  writer.finish();
  check_residuals(pairs.errors, out);
  out.converged = true;
  judge_motion(system, state, rotation, out);
  judge_balance(system, state, rotation, options, out);
  return out;
}

}  // namespace

Modes solve_modes(System<double>& system, const State<double>& state, const ModesOptions& options) {
  struct SignalsAfterwards {
    System<double>& system;
    const State<double>& state;
    ~SignalsAfterwards() { system.assembler.set_signals(system.drives.at(state.t, state.lags)); }
  } const afterwards{system, state};
  Modes out;
  ModalPencil pencil(system, state);
  if (!(pencil.scale() > 0) || !std::isfinite(pencil.scale())) {
    out.problem = pencil.scale() == 0 ? "nothing that can move has a mass" : "the tangent at this state is not finite";
    return out;
  }
  if (options.count < 1) {
    out.problem = "at least one mode must be asked for";
    return out;
  }
  out.rounding = 4 * epsilon * pencil.scale();
  system.assembler.set_signals(system.drives.at(state.t, state.lags));
  SteadyRotation rotation = find_rotation(system, state);
  system.assembler.set_signals(system.drives.at_rest(state.t, state.lags));
  if (!(rotation.rate > 1e-9 * std::sqrt(pencil.scale()))) rotation.rate = 0;
  const bool symmetric = !rotation.turns() && pencil.asymmetry() <= 1e-9;
  if (!symmetric || options.damped) {
    QuadraticPencil quadratic(system, state, rotation, options.damped);
    if (!symmetric || quadratic.has_rates())
      return solve_quadratic(system, state, rotation, options, quadratic, lowest_elastic(pencil, options.count));
  }

  const bool small = pencil.size() < 4 * (options.count + 4) || pencil.size() <= 40;
  bool dense = options.method == ModesMethod::dense || (options.method == ModesMethod::automatic && small);
  RealPairs pairs;
  if (!dense) {
    pairs = krylov_modes(pencil, options.count, options.shift);
    dense = !stop_requested() && !pairs.problem.empty() && options.method == ModesMethod::automatic &&
            pencil.size() <= largest_dense;
  }
  if (dense) {
    pairs = dense_modes(pencil);
    int first = 0;
    while (first < pairs.values.size() && pairs.values[first] < options.shift) ++first;  // NaN: none
    const int n = std::min(options.count, static_cast<int>(pairs.values.size()) - first);
    pairs.values = VectorXd(pairs.values.segment(first, n));
    pairs.vectors = Eigen::MatrixXd(pairs.vectors.middleCols(first, n));
    if (small && pairs.problem.empty()) improve(pencil, options, out.rounding, pairs);
    double near = std::numeric_limits<double>::infinity();  // a shift of the size of the lowest elastic mode
    for (double mu : pairs.values)
      if (std::fabs(mu) > out.rounding) near = std::min(near, std::fabs(mu));
    if (pairs.errors.empty() && near < std::numeric_limits<double>::infinity() && pencil.factor(-0.3 * near))
      estimate_errors(pencil, -0.3 * near, pairs);
  }
  if (!pairs.problem.empty()) {
    out.problem = pairs.problem;
    return out;
  }
  if (!pairs.sure) say(out.warning, "a mode is missing: fewer were found than lie below the last");
  out.complete = pairs.sure && pairs.proved;
  ModeWriter writer(system, pencil, out);
  for (Eigen::Index k = 0; k < pairs.values.size(); ++k) {
    const double error = pairs.errors.empty() ? 0.0 : pairs.errors[static_cast<size_t>(k)];
    writer.real(pairs.values[k], error, pairs.vectors.col(k));
  }
  check_residuals(pairs.errors, out);
  out.converged = true;
  judge_motion(system, state, rotation, out);
  judge_balance(system, state, rotation, options, out);
  return out;
}

}  // namespace flexura

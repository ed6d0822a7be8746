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

namespace flexura {
namespace {

using Eigen::VectorXd;

constexpr int largest_dense = 2000;

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

  /// ω² with a real shape.
  void real(double mu, const VectorXd& x) {
    const bool grows = mu < -out_.rounding;  // nearer to zero nothing grows that could be told
    const std::complex<double> s(grows ? std::sqrt(-mu) : 0.0, grows ? 0.0 : std::sqrt(std::max(mu, 0.0)));
    write(s, mu, x.cast<std::complex<double>>());
    out_.unstable += grows;
  }
  void complex(std::complex<double> s, const Eigen::VectorXcd& x) {
    write(s, -(s * s).real(), x);
    out_.unstable += s.real() > 1e-6 * std::abs(s) && std::norm(s) > still_;
  }
  /// |s|² that cannot be told from a motion as a whole, where the state itself is not quite steady.
  void still_below(double square) { still_ = square; }
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
  double still_ = 0;
  std::vector<double> q_, a_, rate_, imaginary_;
};

void say(std::string& text, const std::string& more) { text += (text.empty() ? "" : "; ") + more; }

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

Modes solve_quadratic(System<double>& system, const State<double>& state, const SteadyRotation& rotation,
                      const ModesOptions& options) {
  Modes out;
  QuadraticPencil pencil(system, state, rotation, options.damped);
  if (!(pencil.scale() > 0)) {
    out.problem = "the tangent at this state is not finite";
    return out;
  }
  out.rounding = 4 * epsilon * pencil.scale();
  out.spin = rotation.rate;
  const ComplexPairs pairs = quadratic_modes(pencil, options.count);
  out.problem = pairs.problem;
  if (!out.problem.empty() || stop_requested()) return out;
  out.complete = pairs.sure;
  ModeWriter writer(system, pencil, out);
  writer.still_below(1e3 * out.rounding + 10 * rotation.imbalance * rotation.rate * rotation.rate);
  for (size_t k = 0; k < pairs.exponents.size(); ++k)
    writer.complex(pairs.exponents[k], pairs.vectors.col(static_cast<Eigen::Index>(k)));
  writer.finish();
  out.converged = true;
  judge_motion(system, state, rotation, out);
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
  if (rotation.turns() || options.damped || pencil.asymmetry() > 1e-9)
    return solve_quadratic(system, state, rotation, options);

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
  }
  if (!pairs.problem.empty()) {
    out.problem = pairs.problem;
    return out;
  }
  if (!pairs.sure) say(out.warning, "a mode is missing: fewer were found than lie below the last");
  out.complete = pairs.sure && pairs.proved;
  ModeWriter writer(system, pencil, out);
  for (Eigen::Index k = 0; k < pairs.values.size(); ++k) writer.real(pairs.values[k], pairs.vectors.col(k));
  out.converged = true;
  judge_motion(system, state, rotation, out);
  return out;
}

}  // namespace flexura

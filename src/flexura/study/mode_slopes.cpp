#include "flexura/study/mode_slopes.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "flexura/solve/modal_pencil.hpp"

namespace flexura {
namespace {

constexpr double repeated = 1e-7;  ///< eigenvalues that are nearer to each other count as one
constexpr double still = 1e3;      ///< roundings of an eigenvalue up to which it is that of a motion as a whole

}  // namespace

std::string why_no_slopes(const Modes& modes, const State<double>& state) {
  if (modes.spin != 0 || std::ranges::any_of(state.v, [](double v) { return v != 0; }))
    return "no derivative of modes about a state that moves";
  if (modes.released)
    return "no derivative of modes about a state that no static analysis has found: add one before them";
  if (!modes.shapes_imaginary.empty() || std::ranges::any_of(modes.damping, [](double d) { return d > 0 && d < 1; }))
    return "no derivative of modes with dampers or forces that follow: they are solved as another problem";
  return {};
}

std::vector<int> repeated_modes(const Modes& modes) {
  std::vector<int> first(modes.eigenvalue.size());
  for (size_t k = 0; k < first.size(); ++k) {
    const double here = modes.eigenvalue[k];
    const bool same =
        k > 0 && std::fabs(here - modes.eigenvalue[k - 1]) <= repeated * std::fabs(here) + still * modes.rounding;
    first[k] = same ? first[k - 1] : static_cast<int>(k);
  }
  return first;
}

std::vector<double> eigenvalue_slopes(const Modes& modes, SceneVariation& number, const State<Tangent>& change) {
  const std::vector<int> first = repeated_modes(modes);
  const size_t count = first.size();
  number.set_states(change);
  // Xᵀ A X and Xᵀ B X of modes of a group, of each copy.
  std::vector<std::vector<double>> stiffness(number.size()), mass(number.size());
  const auto place = [&](size_t k, size_t l) { return k * count + l; };
  for (size_t c = 0; c < number.size(); ++c) {
    stiffness[c].assign(count * count, 0.0);
    mass[c].assign(count * count, 0.0);
    const ModalPencil pencil(number.copy(c).system(), number.copy(c).state());
    for (size_t k = 0; k < count; ++k)
      for (size_t l = static_cast<size_t>(first[k]); l <= k; ++l) {
        const std::span<const double> x = modes.shape(static_cast<int>(k)), y = modes.shape(static_cast<int>(l));
        double a = 0, b = 0;
        pencil.for_each_entry([&](int i, int j, double A, double B) { a += x[i] * A * y[j], b += x[i] * B * y[j]; });
        stiffness[c][place(k, l)] = a;
        mass[c][place(k, l)] = b;
      }
  }
  std::vector<double> out(count);
  for (size_t begin = 0, end = 0; begin < count; begin = end) {
    for (end = begin; end < count && first[end] == static_cast<int>(begin); ++end) {
    }
    const auto size = static_cast<Eigen::Index>(end - begin);
    Eigen::MatrixXd slopes(size, size);
    for (Eigen::Index i = 0; i < size; ++i)
      for (Eigen::Index j = 0; j <= i; ++j) {
        const size_t at = place(begin + static_cast<size_t>(i), begin + static_cast<size_t>(j));
        const double mu = modes.eigenvalue[begin];
        slopes(i, j) = slopes(j, i) = number.slope([&](size_t c) { return stiffness[c][at]; }) -
                                      mu * number.slope([&](size_t c) { return mass[c][at]; });
      }
    const Eigen::VectorXd values =
        size == 1 ? Eigen::VectorXd(slopes.diagonal())
                  : Eigen::VectorXd(Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(slopes).eigenvalues());
    for (Eigen::Index i = 0; i < size; ++i) out[begin + static_cast<size_t>(i)] = values[i];
  }
  return out;
}

/// f = √μ/2π, negative where μ is: what grows.
std::vector<double> frequency_slopes(const Modes& modes, const std::vector<double>& eigenvalue_slopes) {
  std::vector<double> out;
  for (size_t k = 0; k < eigenvalue_slopes.size(); ++k) {
    const double mu = modes.eigenvalue[k];
    out.push_back(std::fabs(mu) <= still * modes.rounding
                      ? std::numeric_limits<double>::quiet_NaN()
                      : eigenvalue_slopes[k] / (4 * std::numbers::pi * std::sqrt(std::fabs(mu))));
  }
  return out;
}

}  // namespace flexura

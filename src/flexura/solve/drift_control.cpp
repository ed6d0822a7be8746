#include "flexura/solve/drift_control.hpp"

#include <algorithm>
#include <cmath>

namespace flexura {
namespace {

/// Outputs reach beyond −1 and 1, so that the outermost sets have their centres there.
constexpr double reach = 2;
constexpr int samples = 241;

double sample(int i) { return -reach + 2 * reach * i / (samples - 1); }

}  // namespace

DriftControl::DriftControl(const BaumgarteOptions& options)
    : kind_(Kind::baumgarte), rate_gain_(2 * options.alpha), position_gain_(options.beta * options.beta) {}

DriftControl::DriftControl(const FuzzyOptions& options) : kind_(Kind::fuzzy), fuzzy_(options) {
  fuzzy_.sets = std::clamp(fuzzy_.sets, 3, most_sets);
  if (fuzzy_.sets % 2 == 0) --fuzzy_.sets;
  spacing_ = 2.0 / (fuzzy_.sets - 1);
  if (!(fuzzy_.sigma > 0)) fuzzy_.sigma = 0.7 * spacing_;
  if (fuzzy_.inference == FuzzyOptions::Inference::mamdani) {
    for (int k = 0; k < fuzzy_.sets; ++k)
      for (int i = 0; i < samples; ++i) shape_.push_back(membership(sample(i), centre(k)));
  }
  constexpr double small = 1e-5;
  s0_ = fuzzy_.membership == FuzzyOptions::Membership::trapezoidal ? 1.0 : output(small, 0) / small;
  kp_ = 1 / fuzzy_.phi_max;
  ku_ = fuzzy_.omega * fuzzy_.omega * fuzzy_.phi_max / s0_;
  kd_ = 2 * fuzzy_.zeta * fuzzy_.omega / (ku_ * s0_);
}

/// Triangles and trapezoids of neighbours sum to 1; a trapezoid's top is half as wide as the spacing.
double DriftControl::membership(double x, double centre) const {
  const double d = std::fabs(x - centre) / spacing_;
  switch (fuzzy_.membership) {
    case FuzzyOptions::Membership::gaussian: {
      const double z = (x - centre) / fuzzy_.sigma;
      return std::exp(-0.5 * z * z);
    }
    case FuzzyOptions::Membership::triangular:
      return std::max(0.0, 1 - d);
    default:
      return std::clamp(2 * (0.75 - d), 0.0, 1.0);
  }
}

/// `strength`: of each output set.
double DriftControl::centroid(const double* strength) const {
  double area = 0, moment = 0;
  for (int i = 0; i < samples; ++i) {
    double height = 0;
    for (int k = 0; k < fuzzy_.sets; ++k)
      height = std::max(height, std::min(strength[k], shape_[static_cast<size_t>(k) * samples + i]));
    area += height;
    moment += height * sample(i);
  }
  return area > 0 ? moment / area : 0;
}

double DriftControl::output(double e, double r) const {
  const int n = fuzzy_.sets;
  double of_e[most_sets], of_r[most_sets];
  for (int i = 0; i < n; ++i) of_e[i] = membership(e, centre(i)), of_r[i] = membership(r, centre(i));
  if (fuzzy_.inference == FuzzyOptions::Inference::mamdani) {
    double strength[most_sets] = {};
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) {
        const int k = std::clamp(i + j - n / 2, 0, n - 1);
        strength[k] = std::max(strength[k], of_e[i] * of_r[j]);
      }
    return centroid(strength);
  }
  double weight = 0, sum = 0;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      const double w = of_e[i] * of_r[j];
      weight += w;
      sum += w * std::clamp(centre(i) + centre(j), -1.0, 1.0);
    }
  return sum / weight;
}

double DriftControl::operator()(double phi, double rate) const {
  switch (kind_) {
    case Kind::none:
      return 0;
    case Kind::baumgarte:
      return rate_gain_ * rate + position_gain_ * phi;
    default:
      return ku_ * output(std::clamp(kp_ * phi, -1.0, 1.0), std::clamp(kd_ * rate, -1.0, 1.0));
  }
}

}  // namespace flexura

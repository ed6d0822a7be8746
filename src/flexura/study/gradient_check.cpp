#include "flexura/study/gradient_check.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "flexura/scene/scene_number.hpp"

namespace flexura {
namespace {

constexpr std::array steps{5e-5, 2e-4, 8e-4};  ///< of the number
constexpr double rounding = 1e-12;             ///< of values of a run, as Newton's method leaves them at best
constexpr double step_of_zero = 1;             ///< [SI] where nothing says how large a number may be

/// What was read in a run: sensors, and frequencies of all analyses of modes one after the other.
std::vector<double> readings(const Derivatives& d) {
  std::vector<double> out = d.values;
  for (const ModeDerivatives& modes : d.modes)
    out.insert(out.end(), modes.frequencies.begin(), modes.frequencies.end());
  return out;
}

/// The larger; no number if one of them is none.
double larger(double a, double b) { return std::isnan(a) || std::isnan(b) ? a + b : std::max(a, b); }

/// Of one number, with all steps.
class Differences {
 public:
  Differences(double value, double size, auto&& readings_at) {
    for (size_t s = 0; s < steps.size(); ++s) {
      const auto at = [&](double offset) { return readings_at(value + offset * steps[s] * size); };
      const std::vector<double> a = at(-2), b = at(-1), c = at(1), d = at(2);
      const size_t count = std::min({a.size(), b.size(), c.size(), d.size()});
      for (size_t i = 0; i < count; ++i) by_[s].push_back((8 * (c[i] - b[i]) - (d[i] - a[i])) / (12 * steps[s] * size));
    }
    least_ = steps[1] * size;
  }
  double middle(size_t i) const { return at(1, i); }

  /// Of some readings, with their slopes.
  struct Reading {
    size_t place;
    double size, slope;  ///< size: the largest number of the sensor
  };
  void compare(std::span<const Reading> readings, SlopeComparison& out) const {
    std::array<double, 2> apart{};
    std::array<double, 3> off{};
    double value = 0;
    for (const Reading& r : readings) {
      out.slope = std::max(out.slope, std::fabs(r.slope));
      value = std::max(value, r.size);
      for (size_t s = 0; s < 3; ++s) off[s] = larger(off[s], std::fabs(r.slope - at(s, r.place)));
      for (size_t s = 0; s < 2; ++s) apart[s] = larger(apart[s], std::fabs(at(s, r.place) - at(s + 1, r.place)));
    }
    out.off = std::ranges::min(off);
    out.resolution = 2 * std::ranges::min(apart) + rounding * value / least_;
  }

 private:
  /// No number where a run beside found fewer modes.
  double at(size_t step, size_t place) const {
    return place < by_[step].size() ? by_[step][place] : std::numeric_limits<double>::quiet_NaN();
  }

  std::array<std::vector<double>, steps.size()> by_;
  double least_ = 0;
};

/// Of all modes that have slopes of their own.
void compare_modes(const Derivatives& d, size_t number, size_t first, const Differences& differences,
                   std::vector<ModeComparison>& out) {
  const size_t numbers = d.numbers.size();
  for (const ModeDerivatives& modes : d.modes) {
    const size_t count = modes.frequencies.size();
    for (size_t k = 0; k < count && modes.problem.empty(); ++k) {
      const bool shares =
          modes.first[k] != static_cast<int>(k) || (k + 1 < count && modes.first[k + 1] == static_cast<int>(k));
      const double slope = modes.slopes[k * numbers + number];
      if (shares || std::isnan(slope)) continue;
      ModeComparison here;
      here.analysis = modes.analysis, here.mode = k, here.number = number;
      const Differences::Reading reading{first + k, std::fabs(modes.frequencies[k]), slope};
      differences.compare({&reading, 1}, here);
      out.push_back(here);
    }
    first += count;
  }
}

}  // namespace

GradientCheck check_gradient(const SceneDocument& document, const ReadScene& read, const GradientQuestion& question,
                             const Derivatives& slopes) {
  GradientCheck out;
  const size_t columns = slopes.columns.size(), numbers = slopes.numbers.size(), times = slopes.times.size();
  out.differences.assign(slopes.jacobian.size(), 0.0);
  GradientQuestion plain = question;
  plain.wrt.clear();
  const std::vector<SceneNumber> all = find_scene_numbers(document, question.wrt);
  for (size_t p = 0; p < numbers; ++p) {
    const double size = all[p].value != 0 ? std::fabs(all[p].value) : all[p].scale > 0 ? all[p].scale : step_of_zero;
    const Differences differences(all[p].value, size, [&](double x) {
      ++out.runs;
      return readings(differentiate(read({all[p].setting(x)}), read, plain));
    });
    for (size_t c = 0; c < columns; ++c) {
      GradientComparison here;
      here.column = c, here.number = p;
      std::vector<Differences::Reading> of;
      for (size_t t = 0; t < times; ++t) {
        const size_t i = t * columns + c;
        double largest = 0;
        for (size_t other = 0; other < columns; ++other)
          if (slopes.sensors[other] == slopes.sensors[c])
            largest = std::max(largest, std::fabs(slopes.values[t * columns + other]));
        of.push_back({i, largest, slopes.slope(t, c, p)});
        out.differences[i * numbers + p] = differences.middle(i);
      }
      differences.compare(of, here);
      out.comparisons.push_back(here);
    }
    compare_modes(slopes, p, columns * times, differences, out.modes);
  }
  return out;
}

}  // namespace flexura

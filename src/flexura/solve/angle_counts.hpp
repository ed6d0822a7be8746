#pragma once
// Angles of directions in the plane of x and y that count revolutions, followed from one accepted step to the next.
//
//     g = Σ w q = ‖g‖ (cos θ, sin θ),   θ̇ = (g × ġ)/‖g‖²
//     θ₁ = atan2(g₁) + 2π k   nearest to   θ₀ + ½ (t₁ − t₀)(θ̇₀ + θ̇₁)
//
// Where a joint's coordinate φ measures the direction from another one, θ_base + φ + const is expected in place of the
// trapezoidal rule: it is exact. k is right as long as the expectation is off by less than half a turn.

#include <span>
#include <string>
#include <utility>
#include <vector>

namespace flexura {

struct CountedDirection {
  static constexpr int fixed_axes = -1, no_base = -2;

  std::string name;                           ///< "body 'rotor'"
  std::vector<std::pair<int, double>> terms;  ///< of g: where x is in q, weight
  double reference = 0;                       ///< angle in the reference [rad]
  double start = 0;                           ///< where it starts, to half a turn [rad]
  /// What its angle is measured from: another direction, by its index; the axes of the plane; nothing.
  int base = no_base;
  int coordinate = -1;  ///< where φ is in q; −1: both are joined rigidly
  double sign = 1;      ///< −1: φ is that of the base against this one
  double ahead = 0;     ///< const [rad]
  int carrier = -1;     ///< a direction with which it has turned from the reference to the start
};

class AngleCounts {
 public:
  /// Numbers of State::angles: the time, then of each direction θ, θ̇ and by how much an expectation was off at most.
  static constexpr int numbers = 3;

  AngleCounts() = default;
  explicit AngleCounts(std::vector<CountedDirection> directions);

  int size() const { return static_cast<int>(directions_.size()); }
  const CountedDirection& operator[](int k) const { return directions_[k]; }
  /// Whether `angles` are those of these directions.
  bool fit(const std::vector<double>& angles) const { return angles.size() == 1 + directions_.size() * numbers; }

  /// At a start, as far as the reference, stated angles and joints tell it. `known`: of these θ stays what it is.
  void begin(double t, std::span<const double> q, std::span<const double> v, std::vector<double>& angles,
             const std::vector<char>& known = {}) const;
  /// At the end of a step.
  void count(double t, std::span<const double> q, std::span<const double> v, std::vector<double>& angles) const;

  static double angle(const std::vector<double>& angles, int k) { return angles[1 + k * numbers]; }
  /// The same at another time near that of the angles.
  double angle(const std::vector<double>& angles, int k, double t, std::span<const double> q,
               std::span<const double> v) const;
  /// By how much an expectation was off at most since take_off() [rad].
  static double off(const std::vector<double>& angles, int k) { return angles[3 + k * numbers]; }
  static double take_off(std::vector<double>& angles, int k) { return std::exchange(angles[3 + k * numbers], 0.0); }
  /// The largest |θ̇| [rad/s].
  double fastest(const std::vector<double>& angles) const;

 private:
  struct Turn {
    double angle = 0, rate = 0;
  };
  Turn turn(const CountedDirection& d, std::span<const double> q, std::span<const double> v) const;
  /// θ by its base, if it has one and `turn` agrees; else `other`.
  double expected(const CountedDirection& d, std::span<const double> q, const std::vector<double>& angles, double turn,
                  double other) const;

  std::vector<CountedDirection> directions_;
  std::vector<int> order_;  ///< bases and carriers first
};

}  // namespace flexura

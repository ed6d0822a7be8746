#pragma once
// Angles of joints and the frames that they follow: φ = atan2(e·y, e·x), θ = φ but for whole revolutions (joint_angle.hpp).
//
//     φ̇ = (a ḃ − b ȧ)/(a² + b²),  a = e·x, b = e·y
//
// The constraint does not know which revolution: what is here keeps the one that belongs to the motion.

#include <numbers>
#include <vector>

#include "flexura/math/scalar.hpp"
#include "flexura/model/model.hpp"

namespace flexura {

class JointAngles {
 public:
  explicit JointAngles(const Topology& topology);

  bool empty() const { return angles_.empty(); }
  /// The row of Φ of each angle, as an index in y.
  const std::vector<int>& rows() const { return rows_; }

  /// Lanes in which each θ went along with its frame in a step of h [s]: by as much as φ̇ at both ends says, within half a
  /// revolution. Elsewhere the step ended in another revolution. `row`: of an angle that did so. What is prescribed may jump by whole
  /// revolutions, as a record within half a revolution does: of it the rate counts.
  template <class S>
  MaskOf<ValueOf<S>> follow(const std::vector<S>& q0, const std::vector<S>& v0, const std::vector<S>& q1,
                            const std::vector<S>& v1, double h, int* row = nullptr) const {
    using V = ValueOf<S>;
    MaskOf<V> all_follow = uniform_mask<V>(true);
    for (std::size_t k = 0; k < angles_.size(); ++k) {
      const Angle& angle = angles_[k];
      const V change = angle.is_dependent ? V(0.5 * h) * (value_of(v0[angle.theta]) + value_of(v1[angle.theta]))
                                          : value_of(q1[angle.theta]) - value_of(q0[angle.theta]);
      const V turned = V(0.5 * h) * (value_of(rate(angle, q0, v0)) + value_of(rate(angle, q1, v1)));
      const MaskOf<V> follows = abs(change - turned) <= V(std::numbers::pi);
      if (row != nullptr && !all(follows)) *row = rows_[k];
      all_follow = all_follow & follows;
    }
    return all_follow;
  }

  /// Largest change of a θ [rad]: of those that signals prescribe or gears tie to others, or of all.
  enum class Which { dependent, all };
  double largest_change(const std::vector<double>& q0, const std::vector<double>& q1, Which which) const;

  /// φ − θ of those that signals prescribe or gears tie to others, φ within half a revolution: by how much they are to turn, whole revolutions
  /// included; of others 0. By row of Φ [ny].
  std::vector<double> open_angles(const std::vector<double>& q, int ny) const;

 private:
  struct Angle {
    int x, y, e, theta;  ///< in q
    bool is_dependent;
  };

  template <class S>
  S product(const S* a, const S* b) const {
    S sum = a[0] * b[0];
    for (int i = 1; i < dim_; ++i) sum += a[i] * b[i];
    return sum;
  }
  template <class S>
  S rate(const Angle& angle, const std::vector<S>& q, const std::vector<S>& v) const {
    const S *x = &q[angle.x], *y = &q[angle.y], *e = &q[angle.e];
    const S *dx = &v[angle.x], *dy = &v[angle.y], *de = &v[angle.e];
    const S a = product(e, x), b = product(e, y);
    const S da = product(de, x) + product(e, dx), db = product(de, y) + product(e, dy);
    return (a * db - b * da) / (a * a + b * b);
  }

  int dim_;
  std::vector<Angle> angles_;
  std::vector<int> rows_;
};

}  // namespace flexura

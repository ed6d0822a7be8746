#pragma once
// The turn that fits how vectors move best: Σ |f − w × m|² least, so that Σ m × (w × m) = Σ m × f.

#include "flexura/math/vec.hpp"

namespace flexura {

/// ω × a; in the plane ω is one number.
template <class T>
Vec<2, T> turned(const Vec<1, T>& w, const Vec<2, T>& a) {
  return w[0] * perp(a);
}
template <class T>
Vec<3, T> turned(const Vec<3, T>& w, const Vec<3, T>& a) {
  return cross(w, a);
}

template <int D, class T>
class TurnFit;

template <class T>
class TurnFit<2, T> {
 public:
  using Turn = Vec<1, T>;

  void add(const Vec<2, T>& m) { square_ = fma(m[1], m[1], fma(m[0], m[0], square_)); }
  static Turn moment(const Vec<2, T>& m, const Vec<2, T>& f) { return {cross(m, f)}; }
  Turn operator()(const Turn& moment) const { return {moment[0] / max(square_, T(1e-300))}; }

 private:
  T square_{};
};

template <class T>
class TurnFit<3, T> {
 public:
  using Turn = Vec<3, T>;

  void add(const Vec<3, T>& m) {
    const T square = dot(m, m);
    for (int i = 0; i < 3; ++i) {
      matrix_[i][i] = matrix_[i][i] + square;
      for (int j = 0; j < 3; ++j) matrix_[i][j] = matrix_[i][j] - m[i] * m[j];
    }
  }
  static Turn moment(const Vec<3, T>& m, const Vec<3, T>& f) { return cross(m, f); }
  /// About a line that all lie on nothing turns. The second pass removes what that costs others.
  Turn operator()(const Turn& moment) const {
    const T small = T(1e-9) * (matrix_[0][0] + matrix_[1][1] + matrix_[2][2]);
    Vec<3, T> row[3] = {matrix_[0], matrix_[1], matrix_[2]};
    for (int i = 0; i < 3; ++i) row[i][i] = row[i][i] + small;
    const Vec<3, T> x = cross(row[1], row[2]), y = cross(row[2], row[0]), z = cross(row[0], row[1]);
    const T inverse = T(1.0) / max(dot(row[0], x), T(1e-300));
    const auto solved = [&](const Turn& m) { return inverse * (m[0] * x + m[1] * y + m[2] * z); };
    const Turn first = solved(moment);
    const Turn left = moment - Turn{dot(matrix_[0], first), dot(matrix_[1], first), dot(matrix_[2], first)};
    return first + solved(left);
  }

 private:
  Vec<3, T> matrix_[3]{};
};

}  // namespace flexura

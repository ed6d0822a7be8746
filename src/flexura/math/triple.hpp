#pragma once
// Vectors of space as plain arrays, where no other scalar than double is wanted.

#include <array>
#include <cmath>

namespace flexura {

using Triple = std::array<double, 3>;

inline Triple operator+(const Triple& a, const Triple& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
inline Triple operator-(const Triple& a, const Triple& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
inline Triple operator*(double s, const Triple& a) { return {s * a[0], s * a[1], s * a[2]}; }
inline double dot(const Triple& a, const Triple& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
inline Triple cross(const Triple& a, const Triple& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
inline double norm(const Triple& a) { return std::hypot(a[0], a[1], a[2]); }

}  // namespace flexura

#pragma once
// Small vectors of D components of any scalar.

#include "flexura/math/scalar.hpp"

namespace flexura {

template <int D, class T>
struct Vec {
  T c[D];

  T& operator[](int i) { return c[i]; }
  const T& operator[](int i) const { return c[i]; }

  static Vec load(const T* x) {
    Vec out;
    for (int i = 0; i < D; ++i) out.c[i] = x[i];
    return out;
  }
  void store(T* x) const {
    for (int i = 0; i < D; ++i) x[i] = c[i];
  }
  void add_to(T* x) const {
    for (int i = 0; i < D; ++i) x[i] += c[i];
  }

  friend Vec operator+(Vec a, const Vec& b) { return a += b; }
  friend Vec operator-(Vec a, const Vec& b) { return a -= b; }
  friend Vec operator*(const T& s, Vec a) {
    for (int i = 0; i < D; ++i) a.c[i] = s * a.c[i];
    return a;
  }
  friend Vec operator*(const Vec& a, const T& s) { return s * a; }
  friend Vec operator/(Vec a, const T& s) {
    for (int i = 0; i < D; ++i) a.c[i] = a.c[i] / s;
    return a;
  }
  friend Vec operator-(Vec a) {
    for (int i = 0; i < D; ++i) a.c[i] = -a.c[i];
    return a;
  }
  Vec& operator+=(const Vec& b) {
    for (int i = 0; i < D; ++i) c[i] += b.c[i];
    return *this;
  }
  Vec& operator-=(const Vec& b) {
    for (int i = 0; i < D; ++i) c[i] -= b.c[i];
    return *this;
  }
};

template <int D, class T>
T dot(const Vec<D, T>& a, const Vec<D, T>& b) {
  T sum = a[0] * b[0];
  for (int i = 1; i < D; ++i) sum = fma(a[i], b[i], sum);
  return sum;
}
template <int D, class T>
T norm(const Vec<D, T>& a) {
  return sqrt(dot(a, a));
}
/// a turned by +90°: J a.
template <class T>
Vec<2, T> perp(const Vec<2, T>& a) {
  return {-a[1], a[0]};
}
/// Planar cross product a × b, positive when b lies counter-clockwise of a.
template <class T>
T cross(const Vec<2, T>& a, const Vec<2, T>& b) {
  return a[0] * b[1] - a[1] * b[0];
}
template <class T>
Vec<3, T> cross(const Vec<3, T>& a, const Vec<3, T>& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

}  // namespace flexura

#pragma once
// Faces that pressure acts on, as forms of third degree in their coordinates.

#include "flexura/element/face_shape.hpp"
#include "flexura/math/quadrature.hpp"
#include "flexura/term/term.hpp"

namespace flexura {

namespace detail {

// Out of line and alike for all shapes: what is compiled does not multiply with them.

template <class T>
[[gnu::noinline]] void face_forces(const double* c, int N, const Vec<3, T>* x, Vec<3, T>* F) {
  for (int i = 0; i < N; ++i) F[i] = {T(0.0), T(0.0), T(0.0)};
  for (int j = 0; j < N; ++j)
    for (int k = j + 1; k < N; ++k) {
      const Vec<3, T> area = cross(x[j], x[k]);
      for (int i = 0; i < N; ++i)
        for (int a = 0; a < 3; ++a) F[i][a] = fma(T(c[(i * N + j) * N + k]), area[a], F[i][a]);
    }
}

template <class T>
[[gnu::noinline]] void face_tangent(const double* c, int N, const Vec<3, T>* x, const T* factor, int width, T* K) {
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j) {
      const double* of = c + (i * N + j) * N;
      Vec<3, T> m{T(0.0), T(0.0), T(0.0)};
      for (int k = 0; k < N; ++k)
        for (int a = 0; a < 3; ++a) m[a] = fma(T(of[k]), x[k][a], m[a]);
      if (factor != nullptr) m = (factor[i] * factor[j]) * m;
      T* block = K + 3 * (i * width + j);
      for (int a = 0; a < 3; ++a) {
        const int b = (a + 1) % 3, d = (a + 2) % 3;
        block[a * width + a] = T(0.0);
        block[a * width + b] = -m[d];
        block[b * width + a] = m[d];
      }
    }
}

}  // namespace detail

/// What the pressure on a face needs of it, r = Σ B_i x_i:
///
///     F_i = ½ Σ_jk c_ijk x_j × x_k,   c_ijk = −c_ikj        −∂F_i/∂x_j = [m_ij]×,  m_ij = Σ_k c_ijk x_k
///
///     pull     c_ijk = ∫ B_i (B_j,ξ B_k,η − B_k,ξ B_j,η) dξ dη        F_i = ∫ B_i r_ξ × r_η: what p = 1 does
///     volume   c_ijk = ⅓ (pull_ijk + pull_jki + pull_kij)            F_i = ∂V/∂x_i of V = ⅓ ∫ r·(r_ξ × r_η)
///
/// On a closed surface both are the same force; on each face by itself they differ by what acts on its edge, and only the
/// second has a symmetric tangent. V = ⅓ Σ x_i·F_i, a form of third degree. By Gauss points enough for the functions: exact.
template <class Shape>
struct FaceForm {
  static constexpr int N = Shape::functions;
  double c[N][N][N];

  enum class Kind { pull, volume };
  explicit FaceForm(Kind kind) : c{} {
    using Rule = Gauss<5>;
    for (int k = 0; k < 25; ++k) {
      double xi = Rule::x[k % 5], eta = Rule::x[k / 5], w = Rule::w[k % 5] * Rule::w[k / 5];
      if (Shape::is_triangle) w *= 1 - xi, eta *= 1 - xi;
      const FacePlace<N> B = Shape::at(xi, eta);
      for (int i = 0; i < N; ++i)
        for (int j = 0; j < N; ++j)
          for (int l = 0; l < N; ++l) c[i][j][l] += w * B[i][0] * (B[j][1] * B[l][2] - B[l][1] * B[j][2]);
    }
    if (kind == Kind::pull) return;
    const FaceForm pull = *this;
    for (int i = 0; i < N; ++i)
      for (int j = 0; j < N; ++j)
        for (int l = 0; l < N; ++l) c[i][j][l] = (pull.c[i][j][l] + pull.c[j][l][i] + pull.c[l][i][j]) / 3;
  }

  /// F of all functions.
  template <class T>
  void forces(const Vec<3, T>* x, Vec<3, T>* F) const {
    detail::face_forces(&c[0][0][0], N, x, F);
  }
  /// −factor_i ∂F_i/∂x_j factor_j into the blocks of a matrix with `width` columns; factor null: ones.
  template <class T>
  void tangent(const Vec<3, T>* x, const T* factor, int width, T* K) const {
    detail::face_tangent(&c[0][0][0], N, x, factor, width, K);
  }
};

template <class Shape>
inline const FaceForm<Shape> face_pull{FaceForm<Shape>::Kind::pull};
template <class Shape>
inline const FaceForm<Shape> face_volume{FaceForm<Shape>::Kind::volume};

/// V = ⅓ Σ x_i·F_i.
template <int N, class T>
T enclosed(const Vec<3, T>* x, const Vec<3, T>* F) {
  T sum = T(0.0);
  for (int i = 0; i < N; ++i) sum += dot(x[i], F[i]);
  return T(1.0 / 3.0) * sum;
}

}  // namespace flexura

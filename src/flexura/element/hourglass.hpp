#pragma once
// What holds the hourglass modes of a hexahedron of 8 nodes: the stresses of Pian and Tong's hybrid element [pian1986]. Loops run at
// run time.

#include "flexura/element/solid_points.hpp"

namespace flexura {

inline constexpr int hourglass_modes = 4, hourglass_stresses = 12;

/// ηζ, ξζ, ξη, ξηζ of a node or place, with ξ, η, ζ on [−1, 1].
constexpr std::array<double, hourglass_modes> hourglass_functions(const double (&x)[3]) {
  const double s[3] = {2 * x[0] - 1, 2 * x[1] - 1, 2 * x[2] - 1};
  return {s[1] * s[2], s[0] * s[2], s[0] * s[1], s[0] * s[1] * s[2]};
}

/// A stress along directions a and b of the element, as the product of the parameters of `of`.
struct HourglassStress {
  int a, b;
  bool of[3];

  constexpr double at(const double (&x)[3]) const {
    double product = 1;
    for (int i = 0; i < 3; ++i)
      if (of[i]) product *= 2 * x[i] - 1;
    return product;
  }
};
inline constexpr HourglassStress hourglass_stress[hourglass_stresses] = {
    {0, 0, {false, true, false}}, {0, 0, {false, false, true}}, {0, 0, {false, true, true}},
    {1, 1, {true, false, false}}, {1, 1, {false, false, true}}, {1, 1, {true, false, true}},
    {2, 2, {true, false, false}}, {2, 2, {false, true, false}}, {2, 2, {true, true, false}},
    {1, 2, {true, false, false}}, {0, 2, {false, true, false}}, {0, 1, {false, false, true}}};

/// Moduli at rest.
template <class T>
struct RestModuli {
  T shear, bulk;

  /// ε : of σ.
  void strain(const T (&sigma)[6], T (&epsilon)[6]) const {
    const T trace = sigma[0] + sigma[1] + sigma[2];
    const T mean = trace / (T(9.0) * bulk), part = T(1.0 / 3) * trace, per = T(0.5) / shear;
    for (int p = 0; p < 6; ++p) epsilon[p] = p < 3 ? fma(per, sigma[p] - part, mean) : per * sigma[p];
  }
};

/// Of an element in its reference. With d_α = ∇h_α − its mean, σ = Σ β_m f_m t_m,
///
///     H_mn = ∫ f_m f_n t_m : C⁻¹ : t_n dV,   G_(m)(αi) = ∫ f_m t_m·d_α dV,   β = H⁻¹ G e
///
/// f_m: with a mean of zero, so that constant strains do no work on them.
template <class T>
struct Hourglass {
  T volume{}, slope[24], mode[32];   ///< mean of ∂N_n/∂X, [node][3]; γ_nα, [node][α]
  T tensor[6 * hourglass_stresses];  ///< t_m
  T mean[hourglass_stresses];        ///< of the products f_m before it is taken away
  T root[triangle(hourglass_stresses - 1, hourglass_stresses - 1) + 1];  ///< of H = L Lᵀ
  T work[hourglass_stresses * 12];                                       ///< L⁻¹ G

  Hourglass(const SolidRule& rule, const T* X, const RestModuli<T>& moduli);

  /// Lower triangle of Gᵀ H⁻¹ G.
  void stiffness(T* K) const {
    for (int i = 0; i < 12; ++i)
      for (int j = 0; j <= i; ++j) {
        T sum(0.0);
        for (int m = 0; m < hourglass_stresses; ++m) sum = fma(work[12 * m + i], work[12 * m + j], sum);
        K[triangle(i, j)] = sum;
      }
  }
  /// At a place, of the strains e.
  void stress(const T* e, const double (&x)[3], T (&sigma)[6]) const {
    T beta[hourglass_stresses];
    for (int m = 0; m < hourglass_stresses; ++m) {
      beta[m] = T(0.0);
      for (int i = 0; i < 12; ++i) beta[m] = fma(work[12 * m + i], e[i], beta[m]);
    }
    for (int m = hourglass_stresses - 1; m >= 0; --m) {  // Lᵀ
      for (int n = m + 1; n < hourglass_stresses; ++n) beta[m] -= root[triangle(n, m)] * beta[n];
      beta[m] = beta[m] / root[triangle(m, m)];
    }
    for (T& s : sigma) s = T(0.0);
    for (int m = 0; m < hourglass_stresses; ++m) {
      const T size = (T(hourglass_stress[m].at(x)) - mean[m]) * beta[m];
      for (int p = 0; p < 6; ++p) sigma[p] = fma(size, tensor[6 * m + p], sigma[p]);
    }
  }
};

template <class T>
[[gnu::noinline]] Hourglass<T>::Hourglass(const SolidRule& rule, const T* X, const RestModuli<T>& moduli) {
  constexpr int nodes = 8, places = 8;
  SolidGaussPoint<T> point[places];
  solid_points(rule, X, point);
  T gradient[places][3 * nodes];
  for (T& b : slope) b = T(0.0);
  for (int k = 0; k < places; ++k) {
    const T(&inverse)[9] = point[k].inverse;
    for (int n = 0; n < nodes; ++n)
      for (int a = 0; a < 3; ++a) {
        const double* s = rule.slopes(k) + 3 * n;
        T& g = gradient[k][3 * n + a];
        g = fma(T(s[0]), inverse[a], fma(T(s[1]), inverse[3 + a], T(s[2]) * inverse[6 + a]));
        slope[3 * n + a] = fma(point[k].weight, g, slope[3 * n + a]);
      }
    volume += point[k].weight;
  }
  const T per = T(1.0) / volume;
  for (T& b : slope) b = per * b;

  T pattern[hourglass_modes][3];  // Σ_m h_αm X_m
  double h[nodes][hourglass_modes];
  for (T(&row)[3] : pattern)
    for (T& c : row) c = T(0.0);
  for (int n = 0; n < nodes; ++n) {
    const auto at = solid_node(SolidKind::hexahedron_8, n);
    const auto of = hourglass_functions({at[0], at[1], at[2]});
    for (int m = 0; m < hourglass_modes; ++m) {
      h[n][m] = of[m];
      for (int i = 0; i < 3; ++i) pattern[m][i] = fma(T(of[m]), X[3 * n + i] - X[i], pattern[m][i]);
    }
  }
  for (int n = 0; n < nodes; ++n)
    for (int m = 0; m < hourglass_modes; ++m) {
      T sum(h[n][m]);
      for (int i = 0; i < 3; ++i) sum -= pattern[m][i] * slope[3 * n + i];
      mode[4 * n + m] = T(0.125) * sum;
    }

  const SolidFunctions center = solid_functions(SolidKind::hexahedron_8, 0.5, 0.5, 0.5);
  T axes[9];  // ∂X/∂ξ by rows of X
  solid_gradient(nodes, center.slope[0], X, axes);
  double f[places][hourglass_stresses];
  for (int m = 0; m < hourglass_stresses; ++m) {
    const HourglassStress& of = hourglass_stress[m];
    for (int p = 0; p < 6; ++p) {
      const int i = voigt_first[p], j = voigt_second[p];
      tensor[6 * m + p] = T(0.5) * fma(axes[3 * i + of.a], axes[3 * j + of.b], axes[3 * i + of.b] * axes[3 * j + of.a]);
    }
    mean[m] = T(0.0);
    for (int k = 0; k < places; ++k) {
      f[k][m] = of.at(solid_place(SolidKind::hexahedron_8, k).x);
      mean[m] = fma(per * point[k].weight, T(f[k][m]), mean[m]);
    }
  }
  for (int m = 0; m < hourglass_stresses; ++m) {
    T sigma[6], epsilon[6];
    for (int p = 0; p < 6; ++p) sigma[p] = tensor[6 * m + p];
    moduli.strain(sigma, epsilon);
    for (int n = 0; n <= m; ++n) {
      T product(0.0), both(0.0);
      for (int p = 0; p < 6; ++p) product = fma(T(p < 3 ? 1.0 : 2.0) * epsilon[p], tensor[6 * n + p], product);
      for (int k = 0; k < places; ++k) both = fma(point[k].weight * (T(f[k][m]) - mean[m]), T(f[k][n]) - mean[n], both);
      root[triangle(m, n)] = product * both;
    }
    for (int a = 0; a < hourglass_modes; ++a) {
      T d[3] = {T(0.0), T(0.0), T(0.0)};  // ∫ f_m d_α dV
      for (int k = 0; k < places; ++k)
        for (int n = 0; n < nodes; ++n)
          for (int j = 0; j < 3; ++j)
            d[j] = fma(point[k].weight * (T(f[k][m]) - mean[m]) * T(h[n][a]), gradient[k][3 * n + j] - slope[3 * n + j],
                       d[j]);
      for (int i = 0; i < 3; ++i)
        work[12 * m + 3 * a + i] =
            fma(sigma[voigt[i][0]], d[0], fma(sigma[voigt[i][1]], d[1], sigma[voigt[i][2]] * d[2]));
    }
  }
  for (int m = 0; m < hourglass_stresses; ++m)  // Cholesky, and L⁻¹ G
    for (int n = 0; n <= m; ++n) {
      T sum = root[triangle(m, n)];
      for (int c = 0; c < n; ++c) sum -= root[triangle(m, c)] * root[triangle(n, c)];
      root[triangle(m, n)] = m == n ? sqrt(sum) : sum / root[triangle(n, n)];
    }
  for (int m = 0; m < hourglass_stresses; ++m)
    for (int i = 0; i < 12; ++i) {
      T sum = work[12 * m + i];
      for (int c = 0; c < m; ++c) sum -= root[triangle(m, c)] * work[12 * c + i];
      work[12 * m + i] = sum / root[triangle(m, m)];
    }
}

}  // namespace flexura

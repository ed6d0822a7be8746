#include "flexura/material/laminate.hpp"

#include <cmath>

namespace flexura {

PlaneStiffness orthotropic_stiffness(double E1, double E2, double nu12, double G12) {
  const double factor = 1 / (1 - nu12 * nu12 * E2 / E1);
  return {factor * E1, factor * nu12 * E2, factor * E2, 0, 0, G12};
}

PlaneStiffness isotropic_stiffness(double E, double nu) { return orthotropic_stiffness(E, E, nu, E / (2 * (1 + nu))); }

PlaneStiffness turned(const PlaneStiffness& Q, double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  // Strains in the material's axes: ε_1 = c² ε_x + s² ε_y + c s γ, …
  const double t[3][3] = {{c * c, s * s, c * s}, {s * s, c * c, -c * s}, {-2 * c * s, 2 * c * s, c * c - s * s}};
  const double full[3][3] = {{Q[0], Q[1], Q[3]}, {Q[1], Q[2], Q[4]}, {Q[3], Q[4], Q[5]}};
  const auto entry = [&](int i, int j) {
    double sum = 0;
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b) sum += t[a][i] * full[a][b] * t[b][j];
    return sum;
  };
  return {entry(0, 0), entry(0, 1), entry(1, 1), entry(0, 2), entry(1, 2), entry(2, 2)};
}

Laminate make_laminate(std::span<const Layer> layers) {
  Laminate out;
  for (const Layer& layer : layers) out.thickness += layer.thickness;
  double below = -out.thickness / 2;
  for (const Layer& layer : layers) {
    const PlaneStiffness Q = turned(layer.Q, layer.angle);
    const double h = layer.thickness, z = below + h / 2;
    for (int i = 0; i < 6; ++i) {
      out.A[i] += h * Q[i];
      out.B[i] += h * z * Q[i];
      out.D[i] += h * (z * z + h * h / 12) * Q[i];
    }
    out.rho_h += h * layer.rho;
    below += h;
  }
  if (!layers.empty()) {
    out.bottom = turned(layers.front().Q, layers.front().angle);
    out.top = turned(layers.back().Q, layers.back().angle);
  }
  // A symmetric laminate has no coupling: what is left of it is rounding.
  double size = 0;
  for (double a : out.A) size = std::fmax(size, std::fabs(a));
  for (double& b : out.B)
    if (std::fabs(b) <= 1e-15 * size * out.thickness) b = 0;
  return out;
}

}  // namespace flexura

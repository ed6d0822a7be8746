#pragma once
// Stiffness of layered walls: the A, B, D matrices of classical laminate theory.

#include <array>
#include <span>

namespace flexura {

/// Symmetric 3 × 3 matrix on (ε_1, ε_2, γ_12): 11, 12, 22, 16, 26, 66.
using PlaneStiffness = std::array<double, 6>;

/// σ = Q ε in plane stress, in the material's axes: Q_11 = E1/(1 − ν12 ν21), Q_12 = ν12 Q_22, ν21 = ν12 E2/E1.  [Pa]
/// Definite where ν12² < E1/E2.
PlaneStiffness orthotropic_stiffness(double E1, double E2, double nu12, double G12);
PlaneStiffness isotropic_stiffness(double E, double nu);

/// In axes from which the material's lie at `angle` [rad], counter-clockwise about the normal.
PlaneStiffness turned(const PlaneStiffness& Q, double angle);

struct Layer {
  PlaneStiffness Q{};    ///< in the material's axes [Pa]
  double thickness = 0;  ///< [m]
  double rho = 0;        ///< [kg/m³]
  double angle = 0;      ///< of the material's first axis [rad]
};

/// N = A ε + B κ,  M = B ε + D κ, where the layer at the height z along the normal has the strain ε + z κ.
struct Laminate {
  PlaneStiffness A{}, B{}, D{};  ///< [N/m, N, N m]
  double thickness = 0;          ///< [m]
  double rho_h = 0;              ///< mass per area [kg/m²]
  PlaneStiffness top{}, bottom{};
};

/// Layers from the bottom face to the top; heights are counted from the middle.
Laminate make_laminate(std::span<const Layer> layers);

}  // namespace flexura

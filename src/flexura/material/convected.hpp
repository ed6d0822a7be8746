#pragma once
// What a material sees: points of one block side by side, in convected coordinates.
//
//     g_α = ∂r/∂x^α, α = 1, 2, 3;   ε_αβ = ½ (g_α·g_β − G_α·G_β): Green's strain;   G^αβ: inverse of G_α·G_β
//     ψ(ε) per reference volume     S^αβ = ∂ψ/∂ε_αβ     D^αβγδ = ∂S^αβ/∂ε_γδ
//
// Any material whose energy depends on invariants needs no more; fibres come as contravariant components. An element needs
// neither rotations nor local frames on a curved reference.

namespace flexura {

/// Order of the six components of a symmetric tensor.
inline constexpr int voigt_first[6] = {0, 1, 2, 1, 0, 0}, voigt_second[6] = {0, 1, 2, 2, 2, 1};
inline constexpr int voigt[3][3] = {{0, 5, 4}, {5, 1, 3}, {4, 3, 2}};
/// Lower triangle by rows.
constexpr int triangle(int p, int q) { return p >= q ? p * (p + 1) / 2 + q : q * (q + 1) / 2 + p; }

/// A symmetric tensor at each of N points.
template <class T, int N>
using SymmetricAt = T[6][N];
/// A symmetric 6 × 6 matrix at each of N points.
template <class T, int N>
using StiffnessAt = T[21][N];

}  // namespace flexura

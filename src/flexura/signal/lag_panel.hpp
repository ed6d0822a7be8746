#pragma once
// A first-order lag over one panel of time: its input by Gauss's nodes, the exponential exactly.
//
//     x' = a (u − x),  s ∈ [0, 1]        a: length of the panel over the time constant
//     x(s) = x₀ + (1 − e^(−a s)) (ū − x₀) + ∫₀ˢ a e^(−a (s − σ)) (u(σ) − ū) dσ
//
// u is the polynomial through its values at the nodes, ū one of them: constants are exact. The integral is Gauss's for small a; for
// large a it is p(s) − e^(−a s) p(0), with the polynomial p that solves p + p'/a = u − ū. Ends of panels are no nodes, so that what jumps
// there is seen from within. Of order 16 at the end of the panel.

#include <array>
#include <span>

namespace flexura {

struct LagPanel {
  static constexpr int nodes = 8;
  /// Of Gauss's rule on [0, 1].
  static const std::array<double, nodes>& places();

  std::array<double, nodes> at{};  ///< x at the nodes
  double end = 0;                  ///< x at the end

  /// `within`: at the nodes too.
  LagPanel(double a, double start, std::span<const double, nodes> u, bool within);
};

}  // namespace flexura

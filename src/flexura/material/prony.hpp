#pragma once
// Prony series: linear viscoelasticity as a generalized Maxwell model.
//
//        ┌──/\/\/── g∞ C ──────────┐
//     ───┼──/\/\/── g₁ C ──▭ τ₁ ───┼───       S = C (g∞ e + Σ gᵢ εᵢ),   ε̇ᵢ + εᵢ/τᵢ = ė,   g∞ = 1 − Σ gᵢ
//        └──/\/\/── g₂ C ──▭ τ₂ ───┘
//
// e: strain; εᵢ: that of the spring of branch i; C: stiffness against what is sudden. Relaxation: S(t) = C (g∞ + Σ gᵢ e^(−t/τᵢ)) e.
// With e linear over a step from t_n, exact [taylor1970, simo1998]; x = h/τ:
//     ε = E ε_n + β (e − e_n),   E = exp(−x),  β = (1 − E)/x
//     lost: 2 g [½ (1 − E²) Q(ε_n + β/(1 + E) (e − e_n)) + (1/x − 2 β/(x (1 + E))) Q(e − e_n)],   Q(u) = ½ C u²
// so a step is one of an elastic body, of stiffness g∞ + Σ gᵢ βᵢ, that is free of stress at another strain. Second order in h;
// the loss is a sum of squares.

#include <vector>

#include "flexura/math/dual.hpp"

namespace flexura {

inline constexpr int most_branches = 8;

struct PronyBranch {
  double share = 0, time = 1;  ///< g, τ [s]
  bool operator==(const PronyBranch&) const = default;
};
/// Shares positive, less than 1 together; times positive; at most `most_branches`. Empty: elastic.
using PronySeries = std::vector<PronyBranch>;

/// What a branch does over a step: E, β, and the weights of Q in the loss.
template <class T>
struct MaxwellStep {
  T keep, gain;
  T turn;          ///< β/(1 + E)
  T spent, along;  ///< of Q(ε_n + turn Δe) and Q(Δe)

  MaxwellStep(const T& time, double h) {
    const T x = T(h) / time, y = max(x, T(1e-3)), x2 = x * x;
    const auto short_step = x < T(0.05);  // where differences would cancel
    keep = exp(-min(x, T(700.0)));
    const T series =
        T(1.0) - x * (T(1.0 / 2) -
                      x * (T(1.0 / 6) -
                           x * (T(1.0 / 24) -
                                x * (T(1.0 / 120) - x * (T(1.0 / 720) - x * (T(1.0 / 5040) - x * T(1.0 / 40320)))))));
    gain = select(short_step, series, (T(1.0) - keep) / y);
    turn = gain / (T(1.0) + keep);
    spent = T(1.0) - keep * keep;
    along = select(short_step, x * (T(1.0 / 6) - x2 * (T(1.0 / 60) - x2 * (T(17.0 / 10080) - x2 * T(31.0 / 181440)))),
                   T(2.0) * (T(1.0) - T(2.0) * turn) / y);
  }
};

}  // namespace flexura

#pragma once
// What is added to Φ̈ = 0 so that constraints do not drift: Φ̈ = −U(Φ, Φ̇), row by row.
//
//     none        U = 0                                          Φ grows as t²
//     Baumgarte   U = 2 α Φ̇ + β² Φ                               β = ω, α = ζ ω          [baumgarte1972, ghoneimy2025]
//     fuzzy       e = K_p Φ, r = K_d Φ̇, limited to [−1, 1];  U = K_u f(e, r)             [ghoneimy2025]
//
//         sets at c_i = −1 … 1, equally spaced; rule (i, j): o_ij = clip(c_i + c_j, −1, 1)
//         Sugeno:  f = Σ μ_i(e) μ_j(r) o_ij / Σ μ_i(e) μ_j(r)
//         Mamdani: f = centre of the area under max_ij min(μ_i(e) μ_j(r), μ(y − o_ij))
//
//         K_p = 1/φ_max,  K_u = ω² φ_max/s₀,  K_d = 2 ζ ω/(K_u s₀),  s₀ = ∂f/∂e at the origin
//
//     Near Φ = Φ̇ = 0 that is Baumgarte's with ω and ζ; |U| stays below K_u however far the constraint is off. Trapezoidal
//     sets have f = 0 around the origin: what is smaller than φ_max/(2 sets − 2) is left alone; s₀ = 1 is their mean slope.

#include <vector>

namespace flexura {

struct BaumgarteOptions {
  double alpha = 5, beta = 12;  ///< [1/s]
};

struct FuzzyOptions {
  enum class Membership { gaussian, triangular, trapezoidal };
  enum class Inference { sugeno, mamdani };
  int sets = 7;  ///< odd
  Membership membership = Membership::gaussian;
  Inference inference = Inference::sugeno;
  double sigma = 0;              ///< of Gaussian sets; 0: 0.7 of their spacing, 0.2333 for seven
  double phi_max = 1e-3;         ///< violation from which U does not grow, in the constraint's own unit (mostly m)
  double omega = 12, zeta = .7;  ///< [1/s], [1]
};

class DriftControl {
 public:
  DriftControl() = default;
  explicit DriftControl(const BaumgarteOptions& options);
  explicit DriftControl(const FuzzyOptions& options);

  bool acts() const { return kind_ != Kind::none; }
  /// U of one row; takes nothing from the heap.
  double operator()(double phi, double rate) const;
  /// f(e, r) of the fuzzy controller.
  double output(double e, double r) const;
  double slope() const { return s0_; }  ///< s₀
  double gain() const { return ku_; }   ///< K_u, greatest |U|

 private:
  enum class Kind { none, baumgarte, fuzzy };
  static constexpr int most_sets = 31;
  double membership(double x, double centre) const;
  double centre(int i) const { return -1 + spacing_ * i; }
  double centroid(const double* strength) const;

  Kind kind_ = Kind::none;
  double rate_gain_ = 0, position_gain_ = 0;  ///< 2 α, β²
  FuzzyOptions fuzzy_;
  double spacing_ = 1, kp_ = 1, kd_ = 1, ku_ = 0, s0_ = 1;
  std::vector<double> shape_;  ///< Mamdani: membership of every output set at every sample of y
};

}  // namespace flexura

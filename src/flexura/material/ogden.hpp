#pragma once

#include "flexura/material/hyperelastic.hpp"
#include "flexura/material/spectrum.hpp"

namespace flexura {

/// Ŵ = Σ μ_p/α_p (λ₁^α_p + λ₂^α_p + λ₃^α_p − 3), three terms [ogden1972].   c: μ₁, α₁, μ₂, α₂, μ₃, α₃;  2 μ = Σ μ_p α_p
///
/// With β = α/2 and P = C^(β−1), t = C:P = Σ λᵢ^α, Q = DP of each term, and a = J^(−α/3) (isochoric) or 1 (coupled):
///     isochoric   S = Σ μ_p a (P − t/3 C⁻¹)
///                 D = Σ μ_p a (2 Q − α/3 (P⊗C⁻¹ + C⁻¹⊗P) + α t/9 C⁻¹⊗C⁻¹ + 2/3 t I)
///     coupled     S = Σ μ_p (P − C⁻¹),   D = Σ μ_p (2 Q + 2 I)
template <class T>
class OgdenPoint {
 public:
  OgdenPoint(VolumeForm form, const T* c, const T (&C)[6])
      : c_(c), C_(C), change_(C), spectrum_(C), is_coupled_(form == VolumeForm::coupled), log_J_(log(change_.J)) {}

  /// With ln λᵢ alone, so that near rest nothing of the first order is lost to rounding: exp z − 1 = z sinhc(z/2) exp(z/2).
  T energy() const {
    T log_stretch[3], W = T(0.0);
    for (int i = 0; i < 3; ++i) log_stretch[i] = T(0.5) * spectrum_.log_of(i);
    const T log_J = log_stretch[0] + log_stretch[1] + log_stretch[2];
    for (int n = 0; n < 3; ++n) {
      const T mu = c_[2 * n], alpha = select(c_[2 * n + 1] == T(0.0), T(1.0), c_[2 * n + 1]);  // no energy with α = 0
      for (const T& log_of : log_stretch) {
        const T z = c_[2 * n + 1] * (is_coupled_ ? log_of : log_of - T(1.0 / 3) * log_J);
        W = fma(mu / alpha, z * sinhc(T(0.5) * z) * exp(T(0.5) * z), W);
      }
      if (is_coupled_) W -= mu * log_J;
    }
    return W;
  }

  void stress(T (&S)[6]) const {
    for (T& s : S) s = T(0.0);
    for (int n = 0; n < 3; ++n) add_stress(term(n), S);
  }

  void stiffness(T (&S)[6], T (&D)[21]) const {
    for (T& s : S) s = T(0.0);
    for (T& d : D) d = T(0.0);
    for (int n = 0; n < 3; ++n) {
      const Part part = term(n);
      add_stress(part, S);
      T Q[21];
      spectrum_.slope(T(0.5) * part.alpha - T(1.0), Q);
      const T factor = part.mu * scale(part), third = T(1.0 / 3) * part.alpha;
      for (int p = 0; p < 6; ++p)
        for (int q = 0; q <= p; ++q) {
          T sum = T(2.0) * Q[triangle(p, q)];
          if (is_coupled_) {
            sum = fma(T(2.0), change_.product(p, q), sum);
          } else {
            const T ip = change_.inverse[p], iq = change_.inverse[q];
            sum = fma(T(2.0 / 3) * part.trace, change_.product(p, q), sum);
            sum = fma(-third, fma(part.P[p], iq, ip * part.P[q]), sum);
            sum = fma(T(1.0 / 3) * third * part.trace * ip, iq, sum);
          }
          D[triangle(p, q)] = fma(factor, sum, D[triangle(p, q)]);
        }
    }
  }

 private:
  struct Part {
    T mu, alpha, P[6], trace;
  };

  Part term(int n) const {
    Part out;
    out.mu = c_[2 * n];
    out.alpha = c_[2 * n + 1];
    spectrum_.power(T(0.5) * out.alpha - T(1.0), out.P);
    out.trace = T(0.0);
    for (int p = 0; p < 6; ++p) out.trace = fma(T(p < 3 ? 1.0 : 2.0) * C_[p], out.P[p], out.trace);
    return out;
  }
  T scale(const Part& part) const { return is_coupled_ ? T(1.0) : exp(T(-1.0 / 3) * part.alpha * log_J_); }
  void add_stress(const Part& part, T (&S)[6]) const {
    const T share = is_coupled_ ? T(1.0) : T(1.0 / 3) * part.trace, factor = part.mu * scale(part);
    for (int p = 0; p < 6; ++p) S[p] = fma(factor, fma(-share, change_.inverse[p], part.P[p]), S[p]);
  }

  const T* c_;
  const T (&C_)[6];
  VolumeChange<T> change_;
  Spectrum<T> spectrum_;
  bool is_coupled_;
  T log_J_;
};

}  // namespace flexura

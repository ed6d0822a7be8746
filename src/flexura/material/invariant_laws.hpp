#pragma once
// Ŵ of incompressible rubber by invariants, Ŵ = f(I₁) + c (I₂ − 3), and what follows from it for C.
//
// Each law says f, f′, f″ at I₁ and c. Every W of hyperelastic.hpp is a function w(I₁, I₂, J) of it, with
//     g₁ = 2 ∂I₁/∂C = 2·1,   g₂ = 2 ∂I₂/∂C = 2 (I₁ 1 − C),   g_J = 2 ∂J/∂C = J C⁻¹
//     S = Σ w_i g_i,   D = Σ w_ij g_i⊗g_j + 4 w₂ (1⊗1 − 𝕀) + w_J 4 ∂²J/∂C∂C

#include "flexura/material/hyperelastic.hpp"

namespace flexura {

// Near rest what is stored is of second order in C − 1: nothing of the first may be lost to rounding. So laws are functions of
// x = I₁ − 3, and x and ln J come from C − 1.

/// ln(1 + y), where y is small too.
template <class T>
T log_of_one_and(const T& y) {
  const T u = T(1.0) + y;
  return log(u) + (y - (u - T(1.0))) / u;
}

/// f(x) with f(0) = 0, x = I₁ − 3, its derivatives, and the factor c of I₂ − 3.
template <class T>
struct Incompressible {
  T f, f1, f11, second;
};

/// f = ½ μ (I₁ − 3).   c: μ
struct NeoHooke {
  static constexpr bool has_second = false;
  template <class T>
  static Incompressible<T> at(const T* c, const T& x) {
    const T half = T(0.5) * c[0];
    return {half * x, half, T(0.0), T(0.0)};
  }
};

/// Ŵ = C₁ (I₁ − 3) + C₂ (I₂ − 3) [mooney1940, rivlin1948].   c: C₁, C₂
struct MooneyRivlin {
  static constexpr bool has_second = true;
  template <class T>
  static Incompressible<T> at(const T* c, const T& x) {
    return {c[0] * x, c[0], T(0.0), c[1]};
  }
};

/// f = Σ Cᵢ (I₁ − 3)ⁱ [yeoh1993].   c: C₁, C₂, C₃
struct Yeoh {
  static constexpr bool has_second = false;
  template <class T>
  static Incompressible<T> at(const T* c, const T& x) {
    return {x * fma(x, fma(x, c[2], c[1]), c[0]), fma(x, fma(T(3.0) * x, c[2], T(2.0) * c[1]), c[0]),
            fma(T(6.0) * x, c[2], T(2.0) * c[1]), T(0.0)};
  }
};

/// f = −½ μ J_m ln(1 − (I₁ − 3)/J_m) [gent1996]: chains at full stretch at I₁ = 3 + J_m, nothing beyond.   c: μ, J_m
struct Gent {
  static constexpr bool has_second = false;
  template <class T>
  static Incompressible<T> at(const T* c, const T& x) {
    const T used = x / c[1], left = T(1.0) - used;
    const T f1 = T(0.5) * c[0] / left;
    return {T(-0.5) * c[0] * c[1] * log_of_one_and(-used), f1, f1 / (c[1] * left), T(0.0)};
  }
};

/// f = μ Σ αᵢ λ_m^(2 − 2i) (I₁ⁱ − 3ⁱ), the first five terms of the eight-chain network [arruda1993].   c: μ, λ_m
struct ArrudaBoyce {
  static constexpr bool has_second = false;
  static constexpr double alpha[5] = {1.0 / 2, 1.0 / 20, 11.0 / 1050, 19.0 / 7000, 519.0 / 673750};
  template <class T>
  static Incompressible<T> at(const T* c, const T& x) {
    const T ratio = T(1.0) / (c[1] * c[1]), y0 = T(3.0) * ratio, y = fma(ratio, x, y0);
    T p = T(0.0), between = T(0.0), f1 = T(0.0), f11 = T(0.0);
    for (int i = 5; i >= 1; --i) {  // Horner; `between`: (p(y) − p(y0))/(y − y0) of p = Σ αᵢ yⁱ
      between = fma(between, y, p);
      p = fma(p, y0, T(alpha[i - 1]));
      f1 = fma(f1, y, T(i * alpha[i - 1]));
      if (i >= 2) f11 = fma(f11, y, T(i * (i - 1) * alpha[i - 1]));
    }
    between = fma(between, y, p);
    return {c[0] * x * between, c[0] * f1, c[0] * ratio * f11, T(0.0)};
  }
};

/// W = f(I₁) + c (I₂ − 3) at one C, in one of three forms.
template <class Law, class T>
class InvariantPoint {
 public:
  enum class Form { isochoric, coupled, plain };

  InvariantPoint(Form form, const T* constants, const T (&C)[6]) : C_(C), change_(C), form_(form) {
    I1_ = C[0] + C[1] + C[2];
    const T square = change_.J * change_.J;
    if (Law::has_second) I2_ = square * (change_.inverse[0] + change_.inverse[1] + change_.inverse[2]);
    // E = C − 1:  I₁ = 3 + tr E,  I₂ = 3 + 2 tr E + e₂,  det C = 1 + tr E + e₂ + e₃
    const T E[6] = {C[0] - T(1.0), C[1] - T(1.0), C[2] - T(1.0), C[3], C[4], C[5]};
    const T trace = E[0] + E[1] + E[2];
    const T minors[3] = {fma(E[1], E[2], -(E[3] * E[3])), fma(E[0], E[2], -(E[4] * E[4])),
                         fma(E[0], E[1], -(E[5] * E[5]))};
    const T e2 = minors[0] + minors[1] + minors[2];
    const T e3 =
        fma(E[0], minors[0], fma(E[5], fma(E[4], E[3], -(E[5] * E[2])), E[4] * fma(E[5], E[3], -(E[4] * E[1]))));
    change_of_square_ = trace + e2 + e3;
    T x = trace;
    x2_ = fma(T(2.0), trace, e2);
    if (form == Form::isochoric) {
      scale_ = exp(T(-2.0 / 3) * log(change_.J));
      scale2_ = scale_ * scale_;
      // a³ det C = 1
      const T less = -change_of_square_ / ((T(1.0) + change_of_square_) * (scale2_ + scale_ + T(1.0)));  // a − 1
      x = fma(T(3.0), less, scale_ * trace);
      x2_ = fma(T(3.0) * less, scale_ + T(1.0), scale2_ * x2_);
    }
    law_ = Law::at(constants, x);
    // the stress of Ŵ at C = 1
    if (form == Form::coupled) rest_ = fma(T(4.0), law_.second, T(2.0) * Law::at(constants, T(0.0)).f1);
  }

  T energy() const {
    T W = law_.f;
    if (Law::has_second) W = fma(law_.second, x2_, W);
    return form_ == Form::coupled ? W - T(0.5) * rest_ * log_of_one_and(change_of_square_) : W;
  }

  void stress(T (&S)[6]) const {
    const Slopes w = slopes();
    for (int p = 0; p < 6; ++p) S[p] = stress(w, p);
  }

  void stiffness(T (&S)[6], T (&D)[21]) const {
    const Slopes w = slopes();
    const Curvatures h = curvatures();
    for (int p = 0; p < 6; ++p) {
      S[p] = stress(w, p);
      for (int q = 0; q <= p; ++q) {
        const T gp = change_.first(p), gq = change_.first(q);
        T sum = fma(w.J, change_.second(p, q), h.JJ * gp * gq);
        if (q < 3) sum = fma(h.oneJ, T(2.0) * gp, sum);
        if (p < 3) sum = fma(h.oneJ, T(2.0) * gq, sum);
        if (p < 3 && q < 3) sum = fma(T(4.0), h.oneone, sum);
        if (Law::has_second) {
          sum = fma(h.twoJ, fma(g2(p), gq, g2(q) * gp), sum);
          if (p < 3 && q < 3 && p != q) sum = fma(T(4.0), w.two, sum);
          if (p >= 3 && p == q) sum = fma(T(-2.0), w.two, sum);
        }
        D[triangle(p, q)] = sum;
      }
    }
  }

 private:
  struct Slopes {
    T one, two, J;  ///< w₁, w₂, w_J
  };
  struct Curvatures {
    T oneone, oneJ, twoJ, JJ;  ///< w₁₂ = w₂₂ = 0
  };

  T g2(int p) const { return p < 3 ? T(2.0) * (I1_ - C_[p]) : T(-2.0) * C_[p]; }
  T stress(const Slopes& w, int p) const {
    T sum = w.J * change_.first(p);
    if (p < 3) sum = fma(T(2.0), w.one, sum);
    if (Law::has_second) sum = fma(w.two, g2(p), sum);
    return sum;
  }

  /// Isochoric, with Ī₁ = a I₁, Ī₂ = a² I₂, a = J^(−2/3):  w₁ = a f′,  w₂ = a² c,  w_J = −⅔ (Ī₁ f′ + 2 Ī₂ c)/J.
  Slopes slopes() const {
    if (form_ != Form::isochoric) return {law_.f1, law_.second, form_ == Form::coupled ? -rest_ / change_.J : T(0.0)};
    T h = scale_ * I1_ * law_.f1;
    if (Law::has_second) h = fma(T(2.0) * scale2_ * I2_, law_.second, h);
    return {scale_ * law_.f1, scale2_ * law_.second, T(-2.0 / 3) * h / change_.J};
  }
  /// w₁₁ = a² f″,  w₁J = −⅔ a (f′ + Ī₁ f″)/J,  w₂J = −4/3 a² c/J,
  /// w_JJ = [⅔ (Ī₁ f′ + 2 Ī₂ c) + 4/9 (Ī₁ f′ + 4 Ī₂ c + Ī₁² f″)]/J².
  Curvatures curvatures() const {
    if (form_ == Form::plain) return {law_.f11, T(0.0), T(0.0), T(0.0)};
    const T per = T(1.0) / change_.J;
    if (form_ == Form::coupled) return {law_.f11, T(0.0), T(0.0), rest_ * per * per};
    const T bar = scale_ * I1_, first = bar * law_.f1;
    T JJ = fma(T(10.0 / 9), first, T(4.0 / 9) * bar * bar * law_.f11);
    if (Law::has_second) JJ = fma(T(28.0 / 9) * scale2_ * I2_, law_.second, JJ);
    return {scale2_ * law_.f11, T(-2.0 / 3) * scale_ * fma(bar, law_.f11, law_.f1) * per,
            T(-4.0 / 3) * scale2_ * law_.second * per, JJ * per * per};
  }

  const T (&C_)[6];
  VolumeChange<T> change_;
  Form form_;
  T I1_, I2_{0.0}, scale_{1.0}, scale2_{1.0}, rest_{0.0};
  T change_of_square_, x2_;  ///< J² − 1; I₂ or Ī₂, less 3
  Incompressible<T> law_;
};

}  // namespace flexura

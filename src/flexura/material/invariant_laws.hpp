#pragma once
// Ŵ of incompressible rubber by invariants, Ŵ = f(I₁) + c (I₂ − 3), and what follows from it for C.
//
// Each law says f, f′, f″ at I₁ and c. Every W of hyperelastic.hpp is a function w(I₁, I₂, e) of it, e = ln J, with
//     g₁ = 2 ∂I₁/∂C = 2·1,   g₂ = 2 ∂I₂/∂C = 2 (I₁ 1 − C),   g_e = 2 ∂e/∂C = C⁻¹
//     S = Σ w_i g_i,   D = Σ w_ij g_i⊗g_j + 4 w₂ (1⊗1 − 𝕀) − 2 w_e I,   I of hyperelastic.hpp

#include "flexura/material/hyperelastic.hpp"
#include "flexura/math/cube_root.hpp"
#include "flexura/math/unroll.hpp"

namespace flexura {

/// f(I₁) with f(3) = 0, its derivatives, and the factor c of I₂ − 3.
template <class T>
struct Incompressible {
  T f, f1, f11, second;
};

/// f = ½ μ (I₁ − 3).   c: μ
struct NeoHooke {
  static constexpr bool has_second = false;
  template <class T>
  static Incompressible<T> at(const T* c, const T& I1) {
    const T half = T(0.5) * c[0];
    return {half * (I1 - T(3.0)), half, T(0.0), T(0.0)};
  }
};

/// Ŵ = C₁ (I₁ − 3) + C₂ (I₂ − 3) [mooney1940, rivlin1948].   c: C₁, C₂
struct MooneyRivlin {
  static constexpr bool has_second = true;
  template <class T>
  static Incompressible<T> at(const T* c, const T& I1) {
    return {c[0] * (I1 - T(3.0)), c[0], T(0.0), c[1]};
  }
};

/// f = Σ Cᵢ (I₁ − 3)ⁱ [yeoh1993].   c: C₁, C₂, C₃
struct Yeoh {
  static constexpr bool has_second = false;
  template <class T>
  static Incompressible<T> at(const T* c, const T& I1) {
    const T x = I1 - T(3.0);
    return {x * fma(x, fma(x, c[2], c[1]), c[0]), fma(x, fma(T(3.0) * x, c[2], T(2.0) * c[1]), c[0]),
            fma(T(6.0) * x, c[2], T(2.0) * c[1]), T(0.0)};
  }
};

/// f = −½ μ J_m ln(1 − (I₁ − 3)/J_m) [gent1996]: chains at full stretch at I₁ = 3 + J_m, nothing beyond.   c: μ, J_m
struct Gent {
  static constexpr bool has_second = false;
  template <class T>
  static Incompressible<T> at(const T* c, const T& I1) {
    const T left = T(1.0) - (I1 - T(3.0)) / c[1];
    const T f1 = T(0.5) * c[0] / left;
    return {T(-0.5) * c[0] * c[1] * log(left), f1, f1 / (c[1] * left), T(0.0)};
  }
};

/// f = μ Σ αᵢ λ_m^(2 − 2i) (I₁ⁱ − 3ⁱ), the first five terms of the eight-chain network [arruda1993].   c: μ, λ_m
struct ArrudaBoyce {
  static constexpr bool has_second = false;
  static constexpr double alpha[5] = {1.0 / 2, 1.0 / 20, 11.0 / 1050, 19.0 / 7000, 519.0 / 673750};
  template <class T>
  static Incompressible<T> at(const T* c, const T& I1) {
    const T ratio = T(1.0) / (c[1] * c[1]), x = ratio * I1, x0 = T(3.0) * ratio;
    T f = T(0.0), f1 = T(0.0), f11 = T(0.0), rest = T(0.0);
    for (int i = 5; i >= 1; --i) {  // Horner; f − f(3) as a product with I₁ − 3 would save nothing
      f = fma(f, x, T(alpha[i - 1]));
      rest = fma(rest, x0, T(alpha[i - 1]));
      f1 = fma(f1, x, T(i * alpha[i - 1]));
      if (i >= 2) f11 = fma(f11, x, T(i * (i - 1) * alpha[i - 1]));
    }
    return {c[0] * fma(f, I1, T(-3.0) * rest), c[0] * f1, c[0] * ratio * f11, T(0.0)};
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
    if (form == Form::isochoric) {
      scale_ = inverse_cube_root(square);
      scale2_ = scale_ * scale_;
    }
    law_ = Law::at(constants, scale_ * I1_);
    // the stress of Ŵ at C = 1
    if (form == Form::coupled) rest_ = fma(T(4.0), law_.second, T(2.0) * Law::at(constants, T(3.0)).f1);
  }

  T energy() const {
    T W = law_.f;
    if (Law::has_second) W = fma(law_.second, scale2_ * I2_ - T(3.0), W);
    return form_ == Form::coupled ? W - rest_ * log(change_.J) : W;
  }

  void stress(T (&S)[6]) const { stress(slopes(), S); }

  void stiffness(T (&S)[6], T (&D)[21]) const {
    const Slopes w = slopes();
    const Curvatures h = curvatures();
    stress(w, S);
    const T minus = T(-2.0) * w.e, mixed = T(2.0) * h.one_e, pure = T(4.0) * h.one_one, both = T(4.0) * w.two;
    const auto& i = change_.inverse;
    for_each_index<6>([&](auto row) {
      constexpr int p = row;
      for_each_index<p + 1>([&](auto column) {
        constexpr int q = column;
        T sum = fma(minus, change_.product(p, q), h.e_e * i[p] * i[q]);
        if constexpr (q < 3 && p < 3) sum = fma(mixed, i[p] + i[q], sum) + pure;
        if constexpr (q < 3 && p >= 3) sum = fma(mixed, i[p], sum);
        if constexpr (Law::has_second) {
          sum = fma(h.two_e, fma(g2(p), i[q], g2(q) * i[p]), sum);
          if constexpr (p < 3 && q < p) sum += both;
          if constexpr (p >= 3 && p == q) sum = fma(T(-0.5), both, sum);
        }
        D[triangle(p, q)] = sum;
      });
    });
  }

 private:
  struct Slopes {
    T one, two, e;  ///< w₁, w₂, w_e
  };
  struct Curvatures {
    T one_one, one_e, two_e, e_e;  ///< w₁₂ = w₂₂ = 0
  };

  T g2(int p) const { return p < 3 ? T(2.0) * (I1_ - C_[p]) : T(-2.0) * C_[p]; }
  void stress(const Slopes& w, T (&S)[6]) const {
    for (int p = 0; p < 6; ++p) {
      S[p] = w.e * change_.inverse[p];
      if (p < 3) S[p] = fma(T(2.0), w.one, S[p]);
      if (Law::has_second) S[p] = fma(w.two, g2(p), S[p]);
    }
  }

  /// Isochoric, with Ī₁ = a I₁, Ī₂ = a² I₂, a = J^(−2/3):  w₁ = a f′,  w₂ = a² c,  w_e = −⅔ (Ī₁ f′ + 2 Ī₂ c).
  Slopes slopes() const {
    if (form_ != Form::isochoric) return {law_.f1, law_.second, -rest_};
    T h = scale_ * I1_ * law_.f1;
    if (Law::has_second) h = fma(T(2.0) * scale2_ * I2_, law_.second, h);
    return {scale_ * law_.f1, scale2_ * law_.second, T(-2.0 / 3) * h};
  }
  /// w₁₁ = a² f″,  w₁e = −⅔ a (f′ + Ī₁ f″),  w₂e = −4/3 a² c,  w_ee = 4/9 (Ī₁ f′ + 4 Ī₂ c + Ī₁² f″).
  Curvatures curvatures() const {
    if (form_ != Form::isochoric) return {law_.f11, T(0.0), T(0.0), T(0.0)};
    const T bar = scale_ * I1_, slope = fma(bar, law_.f11, law_.f1);
    T e_e = bar * slope;
    if (Law::has_second) e_e = fma(T(4.0) * scale2_ * I2_, law_.second, e_e);
    return {scale2_ * law_.f11, T(-2.0 / 3) * scale_ * slope, T(-4.0 / 3) * scale2_ * law_.second, T(4.0 / 9) * e_e};
  }

  const T (&C_)[6];
  VolumeChange<T> change_;
  Form form_;
  T I1_, I2_{0.0}, scale_{1.0}, scale2_{1.0}, rest_{0.0};
  Incompressible<T> law_;
};

}  // namespace flexura

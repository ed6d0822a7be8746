#pragma once

#include "flexura/term/term.hpp"

namespace flexura {

/// The gas of a chamber, on the chamber's overpressure p [Pa] over the ambient p_a.
///
///     P = p_a + p,   P (V_gas/c)ⁿ = P₀ V₀ⁿ   →   V_gas(p) = c V₀ (P₀/P)^(1/n),   P₀ = p_a + p₀
///     r_p = V₀ − V_gas(p),   K_pp = V_gas′(p) = −V_gas/(n P)
///
/// V₀: volume of the gas in the reference configuration (with hoses and dead volume), where it has the overpressure p₀.
/// n = 1: isothermal; n = γ (air: 1.4): adiabatic. c = 1 + added · signal: amount of gas relative to the filling; what
/// flows in has the state that the filling would have at the present pressure.
/// Below p_a/100 the law goes on along its tangent, so that no iterate leaves its domain.
struct ChamberGas {
  static constexpr std::string_view name = "chamber_gas";
  static constexpr int dim = 2;
  static constexpr std::array slots{SlotKind::scalar, SlotKind::signal};
  static constexpr Role role = Role::load;
  static constexpr bool symmetric = true;
  static bool uses_velocity(const NoOptions&) { return false; }

  static constexpr double least_share =
      0.01;  ///< of the ambient pressure, from which the law goes on along its tangent

  template <class T>
  struct Params {
    T volume, exponent{}, ambient{}, overpressure{}, added{};
  };
  /// Of the filling and of what surrounds it; of GasMass too.
  static void gas_fields(auto& p, auto&& field) {
    field(p.volume, Field{.name = "volume", .unit = "m^3", .doc = "volume of the gas in the reference", .above = 0});
    field(p.exponent, Field{.name = "exponent",
                            .unit = "1",
                            .doc = "polytropic exponent n: 1 isothermal, 1.4 adiabatic air",
                            .value = 1,
                            .above = 0});
    field(p.ambient, Field{.name = "ambient", .unit = "Pa", .doc = "pressure outside", .value = 101325, .above = 0});
    field(p.overpressure,
          Field{.name = "overpressure", .unit = "Pa", .doc = "of the filling in the reference", .value = 0, .min = 0});
  }
  static void fields(auto& p, auto&& field) {
    gas_fields(p, field);
    field(p.added, Field{.name = "added",
                         .unit = "1",
                         .doc = "gas added where the signal is 1, as a share of the filling",
                         .value = 0});
  }

  template <class T>
  struct Law {
    T volume, slope;  ///< V_gas, V_gas′
  };
  /// Of so much gas as fills `content` in the state of the filling.
  template <class T>
  static Law<T> law_of(const auto& p, const T& content, const T& overpressure) {
    const T filling = p.ambient + p.overpressure, least = T(least_share) * p.ambient;
    const T P = p.ambient + overpressure, inside = max(P, least);
    const T volume = content * exp(log(filling / inside) / p.exponent);
    const T slope = -volume / (p.exponent * inside);
    return {fma(slope, P - inside, volume), slope};
  }
  template <class T>
  static Law<T> law(const Params<T>& p, const Context<T>& c, const T& overpressure) {
    return law_of(p, p.volume * fma(p.added, c.sig[0], T(1.0)), overpressure);
  }

  template <class T>
  static void residual(const Params<T>& p, const NoOptions&, const Context<T>& c, const T* x, const T*, T* r) {
    r[0] = p.volume - law(p, c, x[0]).volume;
  }
  template <class T>
  static void tangent(const Params<T>& p, const NoOptions&, const Context<T>& c, const T* x, const T*, double, T* K) {
    K[0] = law(p, c, x[0]).slope;
  }

  /// Energy that a closed chamber (c = 1) has taken up since its filling expanded from V₀ to V, against the ambient too:
  ///     ∫ (p_a − P) dV = p_a (V − V₀) + P₀ V₀ ((V₀/V)^(n−1) − 1)/(n − 1)          [J]
  static double stored(const Params<double>& p, double overpressure) {
    const double n = p.exponent, filling = p.ambient + p.overpressure, P = p.ambient + overpressure;
    const double volume = p.volume * std::pow(filling / P, 1 / n), logarithm = std::log(p.volume / volume);
    const double work = n == 1 ? logarithm : std::expm1((n - 1) * logarithm) / (n - 1);
    return p.ambient * (volume - p.volume) + filling * p.volume * work;
  }
};

}  // namespace flexura

#pragma once

#include "flexura/load/chamber_gas.hpp"

namespace flexura {

/// The gas of a chamber that lines lead to: its overpressure p [Pa] and its mass m [kg].
///
///     r_p = V₀ − c V₁(p),   c = m/m₀;   V₁(p): ChamberGas's law for the filling        m₀ = P₀ V₀/(R T)
///     r_m = m − m₀ − Σ W                                                               W: what lines brought [kg], added by them
///
/// What flows in has the state that the filling would have at the present pressure. Below c = 1/1000 the amount is kept, so that
/// no iterate leaves the law's domain. Unsymmetric: the mass knows nothing of the pressure here.
struct GasMass {
  static constexpr std::string_view name = "gas_mass";
  static constexpr int dim = 2;
  static constexpr std::array slots{SlotKind::scalar, SlotKind::scalar};
  static constexpr Role role = Role::load;
  static constexpr bool symmetric = false;
  static bool uses_velocity(const NoOptions&) { return false; }
  static constexpr double least_share = 1e-3;  ///< of the filling, below which the amount is kept

  template <class T>
  struct Params {
    T volume, exponent{}, ambient{}, overpressure{}, mass;
  };
  static void fields(auto& p, auto&& field) {
    ChamberGas::gas_fields(p, field);
    field(p.mass, Field{.name = "mass", .unit = "kg", .doc = "of the filling, m0", .above = 0});
  }

  template <class T>
  static void residual(const Params<T>& p, const NoOptions&, const Context<T>&, const T* x, const T*, T* r) {
    const T c = x[1] / p.mass, least = T(least_share);
    r[0] = p.volume - ChamberGas::law_of(p, p.volume * max(c, least), x[0]).volume;
    r[1] = x[1] - p.mass;
  }
  template <class T>
  static void tangent(const Params<T>& p, const NoOptions&, const Context<T>&, const T* x, const T*, double, T* K) {
    const T c = x[1] / p.mass, least = T(least_share);
    const ChamberGas::Law<T> law = ChamberGas::law_of(p, p.volume * max(c, least), x[0]);
    K[0] = law.slope;
    K[1] = select(c > least, law.volume / max(x[1], least * p.mass), T(0.0));
    K[2] = T(0.0);
    K[3] = T(-1.0);
  }
};

/// A liquid that fills a chamber, of compressibility β: at β = 0 the overpressure is the multiplier of V = V_fill.
///
///     r_p = V₀ − V_fill,   V_fill = V₀ (1 + added · signal)(1 − β p)
struct ChamberLiquid {
  static constexpr std::string_view name = "chamber_liquid";
  static constexpr int dim = 2;
  static constexpr std::array slots{SlotKind::scalar, SlotKind::signal};
  static constexpr Role role = Role::load;
  static constexpr bool symmetric = true;
  static bool uses_velocity(const NoOptions&) { return false; }

  template <class T>
  struct Params {
    T volume, compressibility{}, added{};
  };
  static void fields(auto& p, auto&& field) {
    field(p.volume, Field{.name = "volume", .unit = "m^3", .doc = "volume of the liquid at p = 0", .above = 0});
    field(p.compressibility,
          Field{.name = "compressibility", .unit = "1/Pa", .doc = "beta; 0: incompressible", .value = 0, .min = 0});
    field(p.added, Field{.name = "added",
                         .unit = "1",
                         .doc = "liquid added where the signal is 1, as a share of the filling",
                         .value = 0});
  }

  template <class T>
  static void residual(const Params<T>& p, const NoOptions&, const Context<T>& c, const T* x, const T*, T* r) {
    const T amount = fma(p.added, c.sig[0], T(1.0));
    r[0] = p.volume * (T(1.0) - amount * (T(1.0) - p.compressibility * x[0]));
  }
  template <class T>
  static void tangent(const Params<T>& p, const NoOptions&, const Context<T>& c, const T*, const T*, double, T* K) {
    K[0] = -p.volume * fma(p.added, c.sig[0], T(1.0)) * p.compressibility;
  }
};

}  // namespace flexura

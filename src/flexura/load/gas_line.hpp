#pragma once

#include "flexura/term/term.hpp"

namespace flexura {

/// Gas that has passed since the beginning, W [kg], with Ẇ = f, in implicit steps of two-step backward differences:
///
///     (1 + 2ω)/(1 + ω) (W − W_n) − ω²/(1 + ω) (W_n − W_n−1) = h f(t_n+1),    ω = h/h_n
///
/// second order, A- and L-stable [hairer1996 V.1]: what a short line equalises within a step does not ring. The first step, and the
/// one after a step in which nothing passed, is implicit Euler's. In statics each load step lasts so long that lines come
/// to rest, a thousand seconds being short against it; what a signal lets in has no rest and stays what it was.
/// History: W_n, (W_n − W_n−1)/h_n², 1/h_n.
struct PassedGas {
  static constexpr int history = 3;
  static constexpr double settling = 1e4;  ///< h of statics [s]

  static double step(double h) { return h < settling ? h : settling; }

  /// D h, with Ẇ ≈ D; its derivative by W.
  template <class T>
  struct Difference {
    T value, slope;
    Difference(const Context<T>& c, const T& W) {
      const T h = T(step(c.h)), omega = h * c.past[2];
      slope = (T(1.0) + T(2.0) * omega) / (T(1.0) + omega);
      value = slope * (W - c.past[0]) - h * h * c.past[1] / (T(1.0) + omega);
    }
  };
  template <class T>
  static void begin(const T& W, T* next) {
    next[0] = W;
    next[1] = next[2] = T(0.0);
  }
  template <class T>
  static void remember(const Context<T>& c, const T& W, T* next) {
    next[0] = W;
    if (!(c.h > 0)) {
      next[1] = c.past[1];
      next[2] = c.past[2];
      return;
    }
    const T rate = T(1 / step(c.h)), passed = W - c.past[0];
    next[1] = passed * rate * rate;
    next[2] = select(passed == T(0.0), T(0.0), rate);
  }
};

/// What a term remembers whose coordinate `passed` is W.
template <int passed>
struct PassesGas {
  static constexpr int history = PassedGas::history;

  template <class T>
  static void begin(const auto&, const auto&, const Context<T>&, const T* x, T* next) {
    PassedGas::begin(x[passed], next);
  }
  template <class T>
  static void remember(const auto&, const auto&, const Context<T>& c, const T* x, const T*, T* next) {
    PassedGas::remember(c, x[passed], next);
  }
};

/// The gas at one end of a line: T [K] at the pressure P_f [Pa], polytropic exponent n.
template <class T>
struct GasAtEnd {
  T temperature = T(293.15), filling = T(101325.0), exponent = T(1.0);
};

/// How much a line lets through between pressures P_a and P_b [kg/s, towards b].
///
///     laminar   f = u (P_a − P_b)/R
///     orifice   f = u C ρ₀ P_1 √(T₀/T_1) ψ(P_2/P_1),  1 upstream:  ψ = 1 for r ≤ b,  √(1 − ((r − b)/(1 − b))²) above [iso6358]
///
/// u ≥ 0: opening, a signal. C: sonic conductance [m³/(s Pa)] at ρ₀ = 1.185 kg/m³ and T₀ = 293.15 K, b: critical ratio, both of air.
/// T_1: of the gas upstream, whose state is that of its filling at the present pressure, T_1 = T (P_1/P_f)^((n − 1)/n). From r = 0.999 on ψ
/// goes to zero along its chord, as the standard has it. In statics, where nothing flows in the end, it is C ρ₀ (P_a − P_b).
struct LineLaw {
  enum class Kind { laminar, orifice };
  struct Options {
    Kind law = Kind::laminar;
    bool operator==(const Options&) const = default;
  };
  static void options(auto& o, auto&& option) {
    static constexpr std::string_view laws[] = {"laminar", "orifice"};
    option(o.law, Option{"law", "how the flow depends on the pressures", laws});
  }
  static void fields(auto& p, auto&& field) {
    field(p.resistance, Field{.name = "resistance", .unit = "Pa s/kg", .doc = "laminar: R", .value = 1e9, .above = 0});
    field(p.conductance, Field{.name = "conductance",
                               .unit = "m^3/(s Pa)",
                               .doc = "orifice: sonic conductance C",
                               .value = 1e-8,
                               .above = 0});
    field(p.critical_ratio, Field{.name = "critical_ratio",
                                  .unit = "1",
                                  .doc = "orifice: b, below which the flow is sonic",
                                  .value = 0.4,
                                  .min = 0,
                                  .below = 0.9});
    field(p.ambient, Field{.name = "ambient", .unit = "Pa", .doc = "pressure outside", .value = 101325, .above = 0});
  }
  static constexpr double density = 1.185;       ///< ρ₀ [kg/m³]
  static constexpr double temperature = 293.15;  ///< T₀ [K]

  /// The fields of an end, by these names.
  static void end_fields(auto& end, auto&& field, std::string_view temperature, std::string_view filling,
                         std::string_view exponent) {
    field(end.temperature, Field{.name = temperature,
                                 .unit = "K",
                                 .doc = "of the filling at this end",
                                 .value = LineLaw::temperature,
                                 .above = 0});
    field(end.filling,
          Field{.name = filling, .unit = "Pa", .doc = "pressure of this filling", .value = 101325, .above = 0});
    field(end.exponent,
          Field{.name = exponent, .unit = "1", .doc = "polytropic exponent of the gas there", .value = 1, .above = 0});
  }

  template <class T>
  struct Flow {
    T f, by_a, by_b;  ///< with its derivatives by both pressures
  };
  template <class T>
  static Flow<T> flow(const auto& p, const Options& o, double h, const T& opening, const T& pa, const T& pb,
                      const GasAtEnd<T>& a = {}, const GasAtEnd<T>& b = {}) {
    if (o.law == Kind::laminar || h >= PassedGas::settling) {
      const T g = opening * (o.law == Kind::laminar ? T(1.0) / p.resistance : T(density) * p.conductance);
      return {g * (pa - pb), g, -g};
    }
    const T least = T(1e-3) * p.ambient;
    const T A = max(p.ambient + pa, least), B = max(p.ambient + pb, least);
    const T slope_a = select(p.ambient + pa > least, T(1.0), T(0.0)),
            slope_b = select(p.ambient + pb > least, T(1.0), T(0.0));
    const auto forwards = A > B;
    const T up = select(forwards, A, B), down = select(forwards, B, A), r = down / up, critical = p.critical_ratio;
    const T n = select(forwards, a.exponent, b.exponent), e = T(0.5) * (n - T(1.0)) / n;
    const T warmth = sqrt(T(temperature) / select(forwards, a.temperature, b.temperature)) *
                     exp(-e * log(up / select(forwards, a.filling, b.filling)));  // √(T₀/T_1)
    const T edge = T(0.999), chord = psi(edge, critical) / (T(1.0) - edge);
    const T inside = min(r, edge), value = psi(inside, critical), k = T(1.0) / (T(1.0) - critical);
    const auto linear = r > edge, sonic = r <= critical;
    const T shape = select(linear, chord * (T(1.0) - r), value);
    const T curved = select(sonic, T(0.0), -(inside - critical) * k * k / max(value, T(1e-9)));
    const T slope = select(linear, -chord, curved);
    const T g = opening * p.conductance * T(density) * warmth;
    const T by_up = g * (shape - r * slope - e * shape), by_down = g * slope, f = g * up * shape;
    return {select(forwards, f, -f), slope_a * select(forwards, by_up, -by_down),
            slope_b * select(forwards, by_down, -by_up)};
  }

 private:
  template <class T>
  static T psi(const T& r, const T& b) {
    const T x = max(r - b, T(0.0)) / (T(1.0) - b);
    return sqrt(max(T(1.0) - x * x, T(1e-12)));
  }
};

namespace detail {

template <class T>
struct LineParams {
  T resistance{}, conductance{}, critical_ratio{}, ambient{};
  GasAtEnd<T> a{}, b{};
};

}  // namespace detail

/// A line between two chambers of gas: W [kg] has passed from the first to the second.
///
///     p_a, m_a ◯═══════◯ p_b, m_b       Ẇ = f(p_a, p_b) by LineLaw, PassedGas;   r_m_a = +W,  r_m_b = −W
///
/// The rows of the masses are those of GasMass, m − m₀ − ΣW: what one loses the other has, to rounding. Overpressures [Pa].
struct GasLine : PassesGas<4> {
  static constexpr std::string_view name = "gas_line";
  static constexpr int dim = 2;
  static constexpr std::array slots{SlotKind::scalar, SlotKind::scalar, SlotKind::scalar,
                                    SlotKind::scalar, SlotKind::scalar, SlotKind::signal};
  static constexpr Role role = Role::load;
  static constexpr bool symmetric = false;
  static bool uses_velocity(const LineLaw::Options&) { return false; }
  using Law = LineLaw::Kind;
  using Options = LineLaw::Options;
  static void options(auto& o, auto&& option) { LineLaw::options(o, option); }
  template <class T>
  using Params = detail::LineParams<T>;
  static void fields(auto& p, auto&& field) {
    LineLaw::fields(p, field);
    LineLaw::end_fields(p.a, field, "temperature_a", "filling_a", "exponent_a");
    LineLaw::end_fields(p.b, field, "temperature_b", "filling_b", "exponent_b");
  }

  template <class T>
  static void residual(const Params<T>& p, const Options& o, const Context<T>& c, const T* x, const T*, T* r) {
    const PassedGas::Difference<T> d(c, x[4]);
    r[0] = r[2] = T(0.0);
    r[1] = x[4];
    r[3] = -x[4];
    r[4] = d.value - T(PassedGas::step(c.h)) * LineLaw::flow(p, o, c.h, c.sig[0], x[0], x[2], p.a, p.b).f;
  }
  template <class T>
  static void tangent(const Params<T>& p, const Options& o, const Context<T>& c, const T* x, const T*, double, T* K) {
    const LineLaw::Flow<T> flow = LineLaw::flow(p, o, c.h, c.sig[0], x[0], x[2], p.a, p.b);
    const T h = T(PassedGas::step(c.h));
    for (int i = 0; i < 25; ++i) K[i] = T(0.0);
    K[5 + 4] = T(-1.0);
    K[15 + 4] = T(1.0);
    K[20] = h * flow.by_a;
    K[22] = h * flow.by_b;
    K[24] = -PassedGas::Difference<T>(c, x[4]).slope;
  }
};

/// A line from a supply of given overpressure `pressure` · signal to a chamber, or out of it: pressure 0 is the atmosphere.
///
///     p_s ═══════◯ p, m         Ẇ = f(p_s, p) by LineLaw, PassedGas;   r_m = −W
struct GasSupply : PassesGas<2> {
  static constexpr std::string_view name = "gas_supply";
  static constexpr int dim = 2;
  static constexpr std::array slots{SlotKind::scalar, SlotKind::scalar, SlotKind::scalar, SlotKind::signal,
                                    SlotKind::signal};
  static constexpr Role role = Role::load;
  static constexpr bool symmetric = false;
  static bool uses_velocity(const LineLaw::Options&) { return false; }
  using Law = LineLaw::Kind;
  using Options = LineLaw::Options;
  static void options(auto& o, auto&& option) { LineLaw::options(o, option); }

  template <class T>
  struct Params {
    T resistance{}, conductance{}, critical_ratio{}, ambient{}, pressure{};
    GasAtEnd<T> supply{}, chamber{};
  };
  static void fields(auto& p, auto&& field) {
    LineLaw::fields(p, field);
    field(
        p.pressure,
        Field{.name = "pressure", .unit = "Pa", .doc = "overpressure of the supply where the signal is 1", .value = 0});
    LineLaw::end_fields(p.supply, field, "temperature_supply", "filling_supply", "exponent_supply");
    LineLaw::end_fields(p.chamber, field, "temperature", "filling", "exponent");
  }

  template <class T>
  static void residual(const Params<T>& p, const Options& o, const Context<T>& c, const T* x, const T*, T* r) {
    const PassedGas::Difference<T> d(c, x[2]);
    r[0] = T(0.0);
    r[1] = -x[2];
    r[2] = d.value - T(PassedGas::step(c.h)) *
                         LineLaw::flow(p, o, c.h, c.sig[1], p.pressure * c.sig[0], x[0], p.supply, p.chamber).f;
  }
  template <class T>
  static void tangent(const Params<T>& p, const Options& o, const Context<T>& c, const T* x, const T*, double, T* K) {
    const LineLaw::Flow<T> flow = LineLaw::flow(p, o, c.h, c.sig[1], p.pressure * c.sig[0], x[0], p.supply, p.chamber);
    for (int i = 0; i < 9; ++i) K[i] = T(0.0);
    K[5] = T(1.0);
    K[6] = T(PassedGas::step(c.h)) * flow.by_b;
    K[8] = -PassedGas::Difference<T>(c, x[2]).slope;
  }
};

/// Gas that a signal lets into a chamber [kg/s], whatever its pressure: Ẇ = rate · signal, r_m = −W. Statics keeps W.
struct GasInflow : PassesGas<1> {
  static constexpr std::string_view name = "gas_inflow";
  static constexpr int dim = 2;
  static constexpr std::array slots{SlotKind::scalar, SlotKind::scalar, SlotKind::signal};
  static constexpr Role role = Role::load;
  static constexpr bool symmetric = false;
  static bool uses_velocity(const NoOptions&) { return false; }

  template <class T>
  struct Params {
    T rate{};
  };
  static void fields(auto& p, auto&& field) {
    field(p.rate, Field{.name = "rate", .unit = "kg/s", .doc = "where the signal is 1", .value = 1});
  }

  template <class T>
  static void residual(const Params<T>& p, const NoOptions&, const Context<T>& c, const T* x, const T*, T* r) {
    const T h = T(c.h < PassedGas::settling ? c.h : 0.0);
    r[0] = -x[1];
    r[1] = PassedGas::Difference<T>(c, x[1]).value - h * p.rate * c.sig[0];
  }
  template <class T>
  static void tangent(const Params<T>&, const NoOptions&, const Context<T>& c, const T* x, const T*, double, T* K) {
    K[0] = K[2] = T(0.0);
    K[1] = T(1.0);
    K[3] = -PassedGas::Difference<T>(c, x[1]).slope;
  }
};

}  // namespace flexura

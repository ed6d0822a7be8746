#pragma once

#include "flexura/load/truss.hpp"
#include "flexura/term/term.hpp"

namespace flexura {

/// What a drive does whose rate and effort are limited. Its nut s runs after the target u and carries the load over its own stiffness.
///
///      ▒▒▭▭▭s──/\/\/──x      f = k (z + τ ż),  z = s − x: what it is squeezed by     x: coordinate or extension; f > 0 makes it grow
///                            s* = s_n + sat(u − s_n, c h): where the nut gets by the end of the step
///
///     yields   s = x + sat(s* − x, F/k), |f| ≤ F: a greater load pushes it back, as a relief valve or a clutch that slips
///     holds    s between s_n and s*, as far as k z is no more than F against its way: what it cannot move it keeps, as a screw that locks
///
/// The way c h is exact, so that a target that jumps is reached at the rate c. ż is that over the step, of first order; at once (h = 0)
/// the nut stands still, and its damper pushes as at the end of the last step. It begins where it is, without force. In statics
/// (h = forever) it has all the time that it takes.
struct LimitedDrive {
  enum class Overload { yields, holds };
  struct Options {
    Overload overload = Overload::yields;
    bool operator==(const Options&) const = default;
  };
  static void options(auto& o, auto&& option) {
    static constexpr std::string_view choices[] = {"yields", "holds"};
    option(o.overload, Option{"overload", "what a load above its limit does: pushes it back, or stops it", choices});
  }

  static constexpr int history = 3;  ///< x_n, s_n, k τ ż_n

  template <class T>
  struct Params {
    T stiffness, settling, limit, max_rate;
  };

  // The fields of all drives; the limit is a force or a torque.
  static void stiffness(auto& p, std::string_view unit, auto&& field) {
    field(p.stiffness,
          Field{.name = "stiffness", .unit = unit, .doc = "stiffness k over which it carries its load", .above = 0});
    field(p.settling,
          Field{.name = "settling", .unit = "s", .doc = "time tau of its damper k tau", .value = 0, .min = 0});
  }
  static void max_rate(auto& p, std::string_view unit, auto&& field) {
    field(p.max_rate, Field{.name = "max_rate",
                            .unit = unit,
                            .doc = "rate at which it runs after its target",
                            .value = 1e9,
                            .above = 0});
  }

  template <class T>
  struct Nut {
    T s, f, damper, answer;  ///< damper: what f is beside k z; answer: −∂f/∂x
    Nut(const Params<T>& p, const Options& o, const Context<T>& c, const T& x) {
      const T was = c.past[1], way = p.max_rate * T(c.h), squeezed = p.limit / p.stiffness;
      const T wanted = was + min(max(c.sig[0] - was, -way), way);
      const T lag = c.h > 0 ? p.settling / T(c.h) : T(0.0), moved = x - c.past[0];
      MaskOf<T> goes_along;  // with x, so that what squeezes it does not change
      if (o.overload == Overload::yields) {
        const T low = x - squeezed, high = x + squeezed;
        goes_along = (wanted < low) | (wanted > high);
        s = min(max(wanted, low), high);
      } else {
        const T at_limit = x + select(wanted > was, squeezed, -squeezed);
        const T low = min(was, wanted), high = max(was, wanted);
        goes_along = (at_limit > low) & (at_limit < high);
        s = min(max(at_limit, low), high);
      }
      damper = c.h > 0 ? p.stiffness * lag * (s - was - moved) : c.past[2];
      f = p.stiffness * (s - x) + damper;
      if (o.overload == Overload::yields) {
        goes_along = goes_along | (abs(f) > p.limit);
        f = min(max(f, -p.limit), p.limit);
        damper = f - p.stiffness * (s - x);
      }
      answer = select(goes_along, T(0.0), p.stiffness * (T(1.0) + lag));
    }
  };
};

/// Drive on the angle or displacement of a joint, or the length of a truss: LimitedDrive with x the coordinate.
template <int D>
struct CoordinateDrive {
  static constexpr std::string_view name = D == 2 ? "coordinate_drive_2d" : "coordinate_drive_3d";
  static constexpr int dim = D;
  static constexpr std::array slots{SlotKind::scalar, SlotKind::signal};
  static constexpr bool symmetric = true;
  static constexpr Role role = Role::load;
  static constexpr SlotSource sources[] = {{"at", 0}, {"target", 0}};
  static constexpr SceneForm scene{
      "load", "drive",
      "drive with limits of rate and effort that brings a joint's angle or displacement, or a truss's "
      "length, to a target",
      sources};
  static constexpr int history = LimitedDrive::history;
  using Options = LimitedDrive::Options;
  static void options(auto& o, auto&& option) { LimitedDrive::options(o, option); }
  static bool uses_velocity(const Options&) { return false; }

  template <class T>
  struct Params {
    T stiffness, settling{}, limit{}, max_rate{};
    LimitedDrive::Params<T> drive() const { return {stiffness, settling, limit, max_rate}; }
  };
  static void fields(auto& p, auto&& field) {
    LimitedDrive::stiffness(p, "*", field);
    field(p.limit, Field{.name = "limit", .unit = "*", .doc = "largest effort", .value = 1e12, .above = 0});
    LimitedDrive::max_rate(p, "*", field);
  }

  template <class T>
  static void residual(const Params<T>& p, const Options& o, const Context<T>& c, const T* x, const T*, T* r) {
    r[0] = LimitedDrive::Nut<T>(p.drive(), o, c, x[0]).f;
  }
  template <class T>
  static void tangent(const Params<T>& p, const Options& o, const Context<T>& c, const T* x, const T*, double, T* K) {
    K[0] = LimitedDrive::Nut<T>(p.drive(), o, c, x[0]).answer;
  }
  template <class T>
  static void begin(const Params<T>&, const Options&, const Context<T>&, const T* x, T* next) {
    next[0] = next[1] = x[0];
    next[2] = T(0.0);
  }
  template <class T>
  static void remember(const Params<T>& p, const Options& o, const Context<T>& c, const T* x, const T*, T* next) {
    const LimitedDrive::Nut<T> nut(p.drive(), o, c, x[0]);
    next[0] = x[0];
    next[1] = nut.s;
    next[2] = nut.damper;
  }
};

/// Truss whose length is driven with limits of rate and force, as by a screw or a cylinder: LimitedDrive with x = l − L.
///
///      0 o▒▒▭▭▭━━━o 1      r₁ = f n = −r₀,  n = d/l;   ∂(f n)/∂d = f' n nᵀ + (f/l) (I − n nᵀ)
template <int D>
struct DriveTruss {
  static constexpr std::string_view name = D == 2 ? "drive_truss_2d" : "drive_truss_3d";
  static constexpr int dim = D, N = 2 * D;
  static constexpr std::array slots{SlotKind::point, SlotKind::point, SlotKind::signal};
  static constexpr bool symmetric = true;
  static constexpr Role role = Role::load;
  static constexpr SlotSource sources[] = {{"between", 0}, {"between", 1}, {"extension", 0}};
  static constexpr SceneForm scene{
      "truss", "drive", "a straight member whose length follows a signal, with limits of rate and force", sources};
  static constexpr int history = LimitedDrive::history;
  using Options = LimitedDrive::Options;
  static void options(auto& o, auto&& option) { LimitedDrive::options(o, option); }
  static bool uses_velocity(const Options&) { return false; }

  template <class T>
  struct Params {
    T length, stiffness, settling{}, max_force{}, max_rate{}, m{};
    LimitedDrive::Params<T> drive() const { return {stiffness, settling, max_force, max_rate}; }
  };
  static void fields(auto& p, auto&& field) {
    field(p.length, Field{.name = "length", .unit = "m", .doc = "length without extension", .above = 0});
    LimitedDrive::stiffness(p, "N/m", field);
    field(p.max_force,
          Field{.name = "max_force", .unit = "N", .doc = "largest force either way", .value = 1e12, .above = 0});
    LimitedDrive::max_rate(p, "m/s", field);
    TrussMass::field(p, field);
  }

  template <class T>
  static Vec<D, T> along(const T* x) {
    return Vec<D, T>::load(x + D) - Vec<D, T>::load(x);
  }
  template <class T>
  static LimitedDrive::Nut<T> nut(const Params<T>& p, const Options& o, const Context<T>& c, const T& l) {
    return {p.drive(), o, c, l - p.length};
  }
  template <class T>
  static void residual(const Params<T>& p, const Options& o, const Context<T>& c, const T* x, const T*, T* r) {
    const Vec<D, T> d = along(x);
    const T l = norm(d);
    const Vec<D, T> push = (nut(p, o, c, l).f / l) * d;
    (T(-1.0) * push).store(r);
    push.store(r + D);
  }
  template <class T>
  static void tangent(const Params<T>& p, const Options& o, const Context<T>& c, const T* x, const T*, double, T* K) {
    const Vec<D, T> d = along(x);
    const T l = norm(d);
    const Vec<D, T> n = d / l;
    const LimitedDrive::Nut<T> at = nut(p, o, c, l);
    const T across = -at.f / l, more = at.answer - across;
    for (int i = 0; i < D; ++i)
      for (int j = 0; j < D; ++j) {
        const T k = more * n[i] * n[j] + (i == j ? across : T(0.0));
        K[i * N + j] = K[(D + i) * N + D + j] = k;
        K[i * N + D + j] = K[(D + i) * N + j] = -k;
      }
  }
  template <class T>
  static void begin(const Params<T>& p, const Options&, const Context<T>&, const T* x, T* next) {
    next[0] = next[1] = norm(along(x)) - p.length;
    next[2] = T(0.0);
  }
  template <class T>
  static void remember(const Params<T>& p, const Options& o, const Context<T>& c, const T* x, const T*, T* next) {
    const T l = norm(along(x));
    const LimitedDrive::Nut<T> at = nut(p, o, c, l);
    next[0] = l - p.length;
    next[1] = at.s;
    next[2] = at.damper;
  }
  template <class T>
  static void mass(const Params<T>& p, T* m) {
    TrussMass::add<2>(p.m, m);
  }
};

/// Its equilibrium does not depend on what was before: s = x + sat(u − x, F/k). By the name of a term and the options of an item.
inline bool is_drive_that_yields(std::string_view name, std::span<const int> options) {
  const bool is_drive = name == CoordinateDrive<2>::name || name == CoordinateDrive<3>::name ||
                        name == DriveTruss<2>::name || name == DriveTruss<3>::name;
  return is_drive && options[0] == static_cast<int>(LimitedDrive::Overload::yields);
}

using CoordinateDrive2d = CoordinateDrive<2>;
using CoordinateDrive3d = CoordinateDrive<3>;
using DriveTruss2d = DriveTruss<2>;
using DriveTruss3d = DriveTruss<3>;

}  // namespace flexura

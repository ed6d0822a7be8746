#pragma once

#include "flexura/constraint/distance.hpp"
#include "flexura/load/motor.hpp"
#include "flexura/term/term.hpp"

namespace flexura {

/// What all trusses have in common: two points, and a mass m that is spread evenly over the straight line between them,
/// m/3 on either, m/6 between both [meijaard-truss].
struct TrussMass {
  static void field(auto& p, auto&& declare) {
    declare(p.m, Field{.name = "m", .unit = "kg", .doc = "mass, spread evenly over the length", .value = 0, .min = 0});
  }
  /// m: [slots × slots], the points first.
  template <int slots, class T>
  static void add(const T& mass, T* m) {
    for (int i = 0; i < slots * slots; ++i) m[i] = T(0.0);
    m[0] = m[slots + 1] = mass / T(3.0);
    m[1] = m[slots] = mass / T(6.0);
  }
};

/// What a body of trusses has at a node beside the masses of its members: of a tetrahedron m_ii − 2 Σ m_ij [meijaard-truss eq 5], which
/// may be negative; the body's mass as a whole is not.
template <int D>
struct TrussNode {
  static constexpr std::string_view name = D == 2 ? "truss_node_2d" : "truss_node_3d";
  static constexpr int dim = D;
  static constexpr std::array slots{SlotKind::point};
  static constexpr Role role = Role::conservative;
  static constexpr SlotSource sources[] = {{"at", 0}};
  static constexpr SceneForm scene{"truss", "node", "mass at a node of trusses that have mass; may be negative",
                                   sources};

  template <class T>
  struct Params {
    T m;
  };
  static void fields(auto& p, auto&& field) { field(p.m, Field{.name = "m", .unit = "kg", .doc = "mass"}); }

  template <class T>
  static void mass(const Params<T>& p, T* m) {
    m[0] = p.m;
  }
};

/// Elastic truss.
///
///      0 o━━━━━━━━o 1      N = N₀ + EA (l − l₀)/l₀       pulls both ends together where positive
///
/// carries = tension: a cable that goes slack, N = 0 where N₀ + EA (l − l₀)/l₀ ≤ 0.
/// Tangent: with n = d/l,  ∂(N n)/∂r₁ = N_l n nᵀ + (N/l) (I − n nᵀ).                            Units: SI.
template <int D>
struct ElasticTruss {
  static constexpr std::string_view name = D == 2 ? "elastic_truss_2d" : "elastic_truss_3d";
  static constexpr int dim = D, N = 2 * D;
  static constexpr std::array slots{SlotKind::point, SlotKind::point};
  static constexpr bool symmetric = true;
  static constexpr Role role = Role::conservative;
  static constexpr SlotSource sources[] = {{"between", 0}, {"between", 1}};
  static constexpr SceneForm scene{"truss", "elastic", "a straight member that stretches", sources};

  enum class Carries { both, tension };
  struct Options {
    Carries carries = Carries::both;
    bool operator==(const Options&) const = default;
  };
  static void options(auto& o, auto&& option) {
    static constexpr std::string_view choices[] = {"both", "tension"};
    option(o.carries, Option{"carries", "what it resists: tension and compression, or tension, as a cable", choices});
  }
  static bool uses_velocity(const Options&) { return false; }

  template <class T>
  struct Params {
    T EA, length, prestress{}, m{};
  };
  static void fields(auto& p, auto&& field) {
    field(p.EA, Field{.name = "EA", .unit = "N", .doc = "axial stiffness", .above = 0});
    field(p.length,
          Field{.name = "length", .unit = "m", .doc = "length at which it carries the prestress", .above = 0});
    field(p.prestress, Field{.name = "prestress", .unit = "N", .doc = "tension at that length", .value = 0});
    TrussMass::field(p, field);
  }

  template <class T>
  static Vec<D, T> along(const T* x) {
    return Vec<D, T>::load(x + D) - Vec<D, T>::load(x);
  }
  template <class T>
  struct Tension {
    T force;  ///< N as far as it is carried
    T taut;   ///< 1, or 0 where it is slack
    Tension(const Params<T>& p, const Options& o, const T& l)
        : force(fma(p.EA, (l - p.length) / p.length, p.prestress)), taut(1.0) {
      if (o.carries == Carries::both) return;
      taut = select(force > T(0.0), T(1.0), T(0.0));
      force = taut * force;
    }
  };

  template <class T>
  static void residual(const Params<T>& p, const Options& o, const Context<T>&, const T* x, const T*, T* r) {
    const Vec<D, T> d = along(x);
    const T l = norm(d);
    const Vec<D, T> pull = (Tension<T>(p, o, l).force / l) * d;
    pull.store(r);
    (T(-1.0) * pull).store(r + D);
  }

  template <class T>
  static void tangent(const Params<T>& p, const Options& o, const Context<T>&, const T* x, const T*, double, T* K) {
    const Vec<D, T> d = along(x);
    const T l = norm(d);
    const Vec<D, T> n = d / l;
    const Tension<T> tension(p, o, l);
    const T across = tension.force / l, more = tension.taut * p.EA / p.length - across;
    for (int i = 0; i < D; ++i)
      for (int j = 0; j < D; ++j) {
        const T k = more * n[i] * n[j] + (i == j ? across : T(0.0));
        K[i * N + j] = K[(D + i) * N + D + j] = k;
        K[i * N + D + j] = K[(D + i) * N + j] = -k;
      }
  }

  /// From where it carries nothing.
  template <class T>
  static T energy(const Params<T>& p, const Options& o, const Context<T>&, const T* x) {
    const T force = Tension<T>(p, o, norm(along(x))).force;
    return T(0.5) * p.length / p.EA * force * force;
  }
  /// Along the mean d̄, as of SpringDamper:  f = 2 ΔW/Δ(l²) d̄,  ΔW = (l₀/2EA) (N_b² − N_a²). One that goes slack or taut on the way
  /// has a ΔN of less than EA Δl/l₀.
  template <class T>
  static void discrete_gradient(const Params<T>& p, const Options& o, const Context<T>&, const T* xa, const T* xb,
                                T* r) {
    const Vec<D, T> da = along(xa), db = along(xb);
    const T la = norm(da), lb = norm(db);
    const Tension<T> a(p, o, la), b(p, o, lb);
    const auto changes = a.taut + b.taut == T(1.0);  // then Δl is not 0
    const T whole = p.EA / p.length * select(changes, lb - la, T(1.0));
    const T share = select(changes, (b.force - a.force) / whole, a.taut);
    const Vec<D, T> pull = (share * (a.force + b.force) / (la + lb)) * (T(0.5) * (da + db));
    pull.store(r);
    (T(-1.0) * pull).store(r + D);
  }
  template <class T>
  static void mass(const Params<T>& p, T* m) {
    TrussMass::add<2>(p.m, m);
  }
};

/// Rigid truss, and one whose length is driven: l = L + u(t).
///
///      0 o════════o 1      Φ = (d·d/l − l)/2 [m],  d = r₁ − r₀;   λ [N] > 0 pulls the ends together (constraint/distance.hpp)
template <int D, bool is_driven>
struct StiffTruss {
  static constexpr std::string_view name =
      is_driven ? (D == 2 ? "driven_truss_2d" : "driven_truss_3d") : (D == 2 ? "rigid_truss_2d" : "rigid_truss_3d");
  static constexpr int dim = D;
  static constexpr auto slots = [] {
    if constexpr (is_driven)
      return std::array{SlotKind::point, SlotKind::point, SlotKind::scalar, SlotKind::signal};
    else
      return std::array{SlotKind::point, SlotKind::point, SlotKind::scalar};
  }();
  static constexpr bool symmetric = true;
  static constexpr Role role = Role::constraint;
  static constexpr SlotSource driven_sources[] = {{"between", 0}, {"between", 1}, {"", 0}, {"extension", 0}};
  static constexpr SlotSource rigid_sources[] = {{"between", 0}, {"between", 1}, {"", 0}};
  static constexpr SceneForm scene =
      is_driven ? SceneForm{"truss", "actuator", "a straight member whose length follows a signal", driven_sources}
                : SceneForm{"truss", "rigid", "a straight member that keeps its length", rigid_sources};

  template <class T>
  struct Params {
    T length, m{};
  };
  static void fields(auto& p, auto&& field) {
    field(p.length,
          Field{.name = "length", .unit = "m", .doc = is_driven ? "length without extension" : "length", .above = 0});
    TrussMass::field(p, field);
  }
  static bool uses_velocity(const NoOptions&) { return false; }

  template <class T>
  static T length(const Params<T>& p, const Context<T>& c) {
    if constexpr (is_driven)
      return p.length + c.sig[0];
    else
      return p.length;
  }
  template <class T>
  static void residual(const Params<T>& p, const NoOptions& o, const Context<T>& c, const T* x, const T* v, T* r) {
    Distance<D>::residual({length(p, c)}, o, c, x, v, r);
  }
  template <class T>
  static void tangent(const Params<T>& p, const NoOptions& o, const Context<T>& c, const T* x, const T* v, double cd,
                      T* K) {
    Distance<D>::tangent({length(p, c)}, o, c, x, v, cd, K);
  }
  template <class T>
  static void mass(const Params<T>& p, T* m) {
    TrussMass::add<3>(p.m, m);
  }
};

/// Truss whose length is free: its mass alone. What acts on its length, as springs and motors do, names it (DistanceCoordinate).
template <int D>
struct FreeTruss {
  static constexpr std::string_view name = D == 2 ? "free_truss_2d" : "free_truss_3d";
  static constexpr int dim = D;
  static constexpr std::array slots{SlotKind::point, SlotKind::point};
  static constexpr Role role = Role::conservative;
  static constexpr SlotSource sources[] = {{"between", 0}, {"between", 1}};
  static constexpr SceneForm scene{"truss", "free", "a straight member whose length springs, motors and gears act on",
                                   sources};

  template <class T>
  struct Params {
    T m{};
  };
  static void fields(auto& p, auto&& field) { TrussMass::field(p, field); }
  template <class T>
  static void mass(const Params<T>& p, T* m) {
    TrussMass::add<2>(p.m, m);
  }
};

/// Truss that pushes, as a hydraulic or pneumatic cylinder.
///
///      0 o▭▭▭▭━━━o 1      F = sat(u) g,  u: the thrust [N], positive apart;  l̇ = n·ḋ,  n = d/l
///
/// What moves with its thrust loses pressure at the valve, an orifice, as the square of its rate: g = 1 − (l̇/c)² up to the rate c at which
/// nothing is left; else g = 1.
///
///     r₁ = F n = −r₀.   With P = I − n nᵀ:  ∂(F n)/∂d = F/l P + F'/l n (P ḋ)ᵀ,  ∂(F n)/∂ḋ = F' n nᵀ,  F' = sat(u) g'
template <int D>
struct CylinderTruss {
  static constexpr std::string_view name = D == 2 ? "cylinder_truss_2d" : "cylinder_truss_3d";
  static constexpr int dim = D, N = 2 * D;
  static constexpr std::array slots{SlotKind::point, SlotKind::point, SlotKind::signal};
  static constexpr bool symmetric = false;
  static constexpr Role role = Role::load;
  static constexpr SlotSource sources[] = {{"between", 0}, {"between", 1}, {"thrust", 0}};
  static constexpr SceneForm scene{"truss", "cylinder", "a straight member that pushes its ends apart", sources};

  template <class T>
  struct Params {
    T max_thrust{}, max_rate{}, m{};
  };
  static void fields(auto& p, auto&& field) {
    field(p.max_thrust,
          Field{.name = "max_thrust", .unit = "N", .doc = "largest thrust either way", .value = 1e12, .above = 0});
    field(p.max_rate, Field{.name = "max_rate",
                            .unit = "m/s",
                            .doc = "rate at which its valve leaves it no thrust, of which it loses the square",
                            .value = 1e9,
                            .above = 0});
    TrussMass::field(p, field);
  }

  template <class T>
  struct Push {
    Vec<D, T> n, w;  ///< unit vector from 0 to 1; rate of d
    T l, rate, F, F_rate;
    Push(const Params<T>& p, const Context<T>& c, const T* x, const T* v) {
      const Vec<D, T> d = Vec<D, T>::load(x + D) - Vec<D, T>::load(x);
      w = Vec<D, T>::load(v + D) - Vec<D, T>::load(v);
      l = norm(d);
      n = d / l;
      rate = dot(n, w);
      const T f = Saturated<T>(c.sig[0], p.max_thrust).value;
      const T ahead = select(f < T(0.0), T(-1.0), T(1.0)) / p.max_rate, z = min(max(rate * ahead, T(0.0)), T(1.0));
      F = f * (T(1.0) - z * z);
      F_rate = select(z < T(1.0), T(-2.0) * f * z * ahead, T(0.0));
    }
  };
  template <class T>
  static void residual(const Params<T>& p, const NoOptions&, const Context<T>& c, const T* x, const T* v, T* r) {
    const Push<T> push(p, c, x, v);
    (-push.F * push.n).store(r);
    (push.F * push.n).store(r + D);
  }
  template <class T>
  static void tangent(const Params<T>& p, const NoOptions&, const Context<T>& c, const T* x, const T* v, double cd,
                      T* K) {
    const Push<T> push(p, c, x, v);
    const Vec<D, T> turning = push.w - push.rate * push.n;  // P ḋ
    for (int i = 0; i < D; ++i)
      for (int j = 0; j < D; ++j) {
        const T P = (i == j ? T(1.0) : T(0.0)) - push.n[i] * push.n[j];
        const T k = push.F / push.l * P + push.F_rate * push.n[i] * (turning[j] / push.l + T(cd) * push.n[j]);
        K[i * N + j] = K[(D + i) * N + D + j] = -k;
        K[i * N + D + j] = K[(D + i) * N + j] = k;
      }
  }
  template <class T>
  static void mass(const Params<T>& p, T* m) {
    TrussMass::add<2>(p.m, m);
  }
};

/// Mass of any planar body that moves with two places, rigid or dilating uniformly [meijaard-truss eq 3]. The slots are p, q − p and
/// J (q − p), combinations of the two places, so that a mass off the line couples them as eq 3 has it.
///
///      p o──┬─────o q      r(x, y) = p + x/l (q − p) + y/l J (q − p),  l = ‖q − p‖ in the reference
///         e │ f            T = ½ m ṗ² + m ṗ·(e ṡ₁ + f ṡ₂)/l + ½ (I + m (e² + f²)) ‖ṡ₁‖²/l²
struct TrussBody2d {
  static constexpr std::string_view name = "truss_body_2d";
  static constexpr int dim = 2;
  static constexpr std::array slots{SlotKind::point, SlotKind::vector, SlotKind::vector};
  static constexpr Role role = Role::conservative;
  static constexpr SlotSource sources[] = {{"between", 0}, {"between", 1}, {"between", 1}};
  static constexpr SceneForm scene{"truss", "body",
                                   "mass of a planar body that moves with two places, rigid or dilating", sources};

  template <class T>
  struct Params {
    T m, along{}, across{}, inertia;
  };
  static void fields(auto& p, auto&& field) {
    field(p.m, Field{.name = "m", .unit = "kg", .doc = "mass", .above = 0});
    field(
        p.along,
        Field{
            .name = "along", .unit = "m", .doc = "centre of mass from the first place towards the second", .value = 0});
    field(p.across,
          Field{.name = "across", .unit = "m", .doc = "centre of mass from that line, to the left", .value = 0});
    field(p.inertia, Field{.name = "inertia",
                           .unit = "kg m^2",
                           .doc = "moment of inertia about the centre of mass; of a dilating body in the reference",
                           .min = 0});
  }
  template <class T>
  struct Data {
    T m[3][3];
  };
  template <class T>
  static Data<T> prepare(const Params<T>& p, const NoOptions&, const T* X) {
    const T square = X[2] * X[2] + X[3] * X[3], length = sqrt(square);
    const T polar = fma(p.m, fma(p.along, p.along, p.across * p.across), p.inertia);
    const T e = p.m * p.along / length, f = p.m * p.across / length, half = T(0.5) * polar / square;
    return {{{p.m, e, f}, {e, half, T(0.0)}, {f, T(0.0), half}}};
  }
  template <class T>
  static void mass(const Data<T>& data, T* m) {
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b) m[3 * a + b] = data.m[a][b];
  }
};

using TrussNode2d = TrussNode<2>;
using TrussNode3d = TrussNode<3>;
using ElasticTruss2d = ElasticTruss<2>;
using ElasticTruss3d = ElasticTruss<3>;
using RigidTruss2d = StiffTruss<2, false>;
using RigidTruss3d = StiffTruss<3, false>;
using DrivenTruss2d = StiffTruss<2, true>;
using DrivenTruss3d = StiffTruss<3, true>;
using FreeTruss2d = FreeTruss<2>;
using FreeTruss3d = FreeTruss<3>;
using CylinderTruss2d = CylinderTruss<2>;
using CylinderTruss3d = CylinderTruss<3>;

}  // namespace flexura

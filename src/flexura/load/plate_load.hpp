#pragma once

#include "flexura/element/cubic_line.hpp"
#include "flexura/element/surface_place.hpp"
#include "flexura/load/face_form.hpp"
#include "flexura/math/dual.hpp"

namespace flexura {

/// Pressure on a plate that follows it: along the normal where it is positive. The slots are those of a surface as thin plates have it:
/// the mid-surface, or a face of a full plate.
///
///     r_i = p(t) ∫ S_i (r_ξ × r_η) dξ dη      by FaceForm::pull: exact for the element's functions
///
/// The tangent is unsymmetric where the surface has an edge.
struct PlatePressure {
  static constexpr std::string_view name = "plate_pressure";
  static constexpr int dim = 3;
  static constexpr std::array slots = [] {
    std::array<SlotKind, 13> kinds{};
    for (int i = 0; i < 12; ++i) kinds[i] = i % 3 == 0 ? SlotKind::point : SlotKind::vector;
    kinds[12] = SlotKind::signal;
    return kinds;
  }();
  static constexpr bool symmetric = false;
  static constexpr Role role = Role::load;
  enum class Face { bottom, middle, top };
  struct Options {
    Face face = Face::bottom;
    bool operator==(const Options&) const = default;
  };
  static void options(auto& o, auto&& option) {
    static constexpr std::string_view faces[] = {"bottom", "middle", "top"};
    option(o.face, Option{"face", "of a full plate, where it acts; thin plates are their mid-surface", faces});
  }
  static bool uses_velocity(const Options&) { return false; }
  static constexpr SlotSource sources[] = {{"on", 0},  {"on", 1},  {"on", 2},      {"on", 3}, {"on", 4},
                                           {"on", 5},  {"on", 6},  {"on", 7},      {"on", 8}, {"on", 9},
                                           {"on", 10}, {"on", 11}, {"pressure", 0}};
  static constexpr SceneForm scene{
      "load", "pressure", "pressure that turns with what it is on: on a plate along its normal, on a solid into it",
      sources};

  template <class T>
  struct Params {
    T length, width;
  };
  static void fields(auto& p, auto&& field) {
    field(p.length, Field{.name = "length", .unit = "m", .doc = "length of the parameter x", .above = 0});
    field(p.width, Field{.name = "width", .unit = "m", .doc = "length of the parameter y", .above = 0});
  }

  template <class T>
  static T factor(const Params<T>& p, int i) {
    return i % 3 == 0 ? T(1.0) : i % 3 == 1 ? p.length : p.width;
  }
  template <class T>
  static void residual(const Params<T>& p, const Options&, const Context<T>& c, const T* x, const T*, T* r) {
    Vec<3, T> e[12], F[12];
    for (int i = 0; i < 12; ++i) e[i] = factor(p, i) * Vec<3, T>::load(x + 3 * i);
    face_pull<detail::ThinPlateFace>.forces(e, F);
    for (int i = 0; i < 12; ++i) ((c.sig[0] * factor(p, i)) * F[i]).store(r + 3 * i);
  }
  template <class T>
  static void tangent(const Params<T>& p, const Options&, const Context<T>& c, const T* x, const T*, double, T* K) {
    Vec<3, T> e[12];
    T scale[12];
    for (int i = 0; i < 12; ++i) {
      scale[i] = factor(p, i);
      e[i] = (c.sig[0] * scale[i]) * Vec<3, T>::load(x + 3 * i);
    }
    face_pull<detail::ThinPlateFace>.tangent(e, scale, 36, K);
  }
};

/// Moment on a node of a thin plate, fixed in space: through the spin of its tangent plane [ghoneimy2025 eqs 11–15]. On a
/// ring of nodes: through that of the plane that lies through them best (`ring_moment` of scenes), which stretches and
/// compresses the wall as bending does, where moments on the nodes dent it.
///
///      g_v ↑ n            ω = Σ (n·ġ_α) a^α × n + ½ n Σ n·(a^α × ġ_α),   n = g_u × g_v/‖·‖, a^α dual to g_α in the plane
///          └──→ g_u       f_α = M·∂ω/∂ġ_α = (M·(a^α × n)) n + ½ (M·n) n × a^α:   Σ g_α × f_α = M
struct PlateMoment {
  static constexpr std::string_view name = "plate_moment";
  static constexpr int dim = 3;
  static constexpr std::array slots{SlotKind::vector, SlotKind::vector, SlotKind::signal};
  static constexpr bool symmetric = false;
  static constexpr Role role = Role::load;
  static bool uses_velocity(const NoOptions&) { return false; }
  static constexpr SlotSource sources[] = {{"at", 0}, {"at", 0}, {"signal", 0}};
  static constexpr SceneForm scene{
      "load", "ring_moment", "moment on a ring of nodes of a plate, on their mean rotation; fixed in space", sources};

  template <class T>
  struct Params {
    Vec<3, T> moment;
  };
  static void fields(auto& p, auto&& field) {
    field(p.moment, Field{.name = "moment", .unit = "N m", .doc = "moment, multiplied by the signal"});
  }

  template <class T>
  static void forces(const Vec<3, T>& moment, const Vec<3, T> (&g)[2], Vec<3, T> (&f)[2]) {
    const T uu = dot(g[0], g[0]), uv = dot(g[0], g[1]), vv = dot(g[1], g[1]);
    const Vec<3, T> normal = cross(g[0], g[1]);
    const T inverse = T(1.0) / dot(normal, normal);
    const Vec<3, T> n = sqrt(inverse) * normal;
    const Vec<3, T> dual[2] = {inverse * (vv * g[0] - uv * g[1]), inverse * (uu * g[1] - uv * g[0])};
    const T half = T(0.5) * dot(moment, n);
    for (int k = 0; k < 2; ++k) f[k] = dot(moment, cross(dual[k], n)) * n + half * cross(n, dual[k]);
  }
  template <class T>
  static void residual(const Params<T>& p, const NoOptions&, const Context<T>& c, const T* x, const T*, T* r) {
    const Vec<3, T> g[2] = {Vec<3, T>::load(x), Vec<3, T>::load(x + 3)};
    Vec<3, T> f[2];
    forces(c.sig[0] * p.moment, g, f);
    f[0].store(r);
    f[1].store(r + 3);
  }
  template <class T>
  static void tangent(const Params<T>& p, const NoOptions&, const Context<T>& c, const T* x, const T*, double, T* K) {
    using Path = Dual<T>;
    Vec<3, Path> moment;
    for (int i = 0; i < 3; ++i) moment[i] = Path(c.sig[0] * p.moment.c[i], T(0.0));
    for (int j = 0; j < 6; ++j) {
      Vec<3, Path> g[2], f[2];
      for (int i = 0; i < 6; ++i) g[i / 3][i % 3] = Path(x[i], T(i == j ? 1.0 : 0.0));
      forces(moment, g, f);
      for (int i = 0; i < 6; ++i) K[i * 6 + j] = -f[i / 3][i % 3].d;
    }
  }
};

/// Force per length along an edge of a thin plate, or along a spatial cable, on one of its elements, fixed in space.
///
///      ↓ ↓ ↓ ↓ ↓        r_a = s(t) ∫ S_a f dS, dS = ‖R_x‖ dx: per length of the reference; cubic through r and r_x of the ends
///      o~~~~~~~o        5 Gauss points
struct EdgeForce3d {
  static constexpr std::string_view name = "edge_force_3d";
  static constexpr int dim = 3;
  static constexpr std::array slots{SlotKind::point, SlotKind::vector, SlotKind::point, SlotKind::vector,
                                    SlotKind::signal};
  static constexpr bool symmetric = true;
  static constexpr Role role = Role::load;
  static bool uses_velocity(const NoOptions&) { return false; }
  static constexpr SlotSource sources[] = {{"at", 0}, {"at", 0}, {"at", 0}, {"at", 0}, {"signal", 0}};
  static constexpr SceneForm scene{"load", "edge_force", "force per length along an edge of a plate, fixed in space",
                                   sources};

  template <class T>
  struct Params {
    Vec<3, T> force;
    T length;
  };
  static void fields(auto& p, auto&& field) {
    field(p.force, Field{.name = "force", .unit = "N/m", .doc = "force per length of the reference, times the signal"});
    field(p.length, Field{.name = "length", .unit = "m", .doc = "length of the element's parameter", .above = 0});
  }
  template <class T>
  struct Data {
    Vec<3, T> force[4];
  };
  template <class T>
  static Data<T> prepare(const Params<T>& p, const NoOptions&, const T* X) {
    const T inverse = T(1.0) / p.length;
    const CubicLine<3, T> line(X, inverse);
    T share[4] = {T(0.0), T(0.0), T(0.0), T(0.0)};
    for (int k = 0; k < 5; ++k) {
      const T weight = p.length * T(Gauss<5>::w[k]) * norm(line.d(cubic_shape(Gauss<5>::x[k])));
      const std::array<double, 4> c = cubic_position_shape(Gauss<5>::x[k]);
      for (int a = 0; a < 4; ++a) share[a] += weight * T(c[a]) * (a % 2 == 0 ? T(1.0) : p.length);
    }
    Data<T> data;
    for (int a = 0; a < 4; ++a) data.force[a] = share[a] * p.force;
    return data;
  }
  template <class T>
  static void residual(const Data<T>& data, const NoOptions&, const Context<T>& c, const T*, const T*, T* r) {
    for (int a = 0; a < 4; ++a) (c.sig[0] * data.force[a]).store(r + 3 * a);
  }
  template <class T>
  static void tangent(const Data<T>&, const NoOptions&, const Context<T>&, const T*, const T*, double, T* K) {
    for (int i = 0; i < 144; ++i) K[i] = T(0.0);
  }
};

}  // namespace flexura

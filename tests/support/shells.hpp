#pragma once
// Shells of the literature by the thin plate, for tests and for the tables of docs/validation/plates.md.

#include <array>
#include <cmath>
#include <memory>
#include <numbers>
#include <stdexcept>
#include <vector>

#include "flexura/load/plate_load.hpp"
#include "flexura/load/point_force.hpp"
#include "flexura/mesh/plate_model.hpp"
#include "flexura/mesh/surface_shapes.hpp"
#include "flexura/solve/modes.hpp"
#include "flexura/solve/statics.hpp"
#include "tests/support/machines.hpp"

namespace flexura::test {

/// Minutes of shells under sanitizers, which run the elements' own tests.
#ifdef __SANITIZE_ADDRESS__
constexpr bool is_slow = true;
#else
constexpr bool is_slow = false;
#endif

using Rule = AncfThinPlate::Integration;

inline PlateSection wall(double E, double nu, double h, Rule rule = Rule::full, double rho = 1) {
  const Layer layer{isotropic_stiffness(E, nu), h, rho, 0};
  PlateSection out;
  out.laminate = make_laminate({&layer, 1});
  out.integration = rule;
  return out;
}

/// A shell with its loads; these grow with the signal u = t.
struct Shell {
  SurfaceMesh mesh;
  ModelBuilder builder{3};
  PlateModel model;
  int load = 0;  ///< the effective signal of the loads

  Shell(SurfaceMesh m, const PlateSection& section) : mesh(std::move(m)) {
    auto signals = std::make_shared<SignalSet>();
    signals->add("load", RampSignal{});
    if (!signals->finish().empty()) throw std::logic_error("the load's signal");
    builder.set_signals(signals);
    load = builder.effective({.signal = 0});
    model = add_plate(builder, "shell", mesh, section);
  }
  int corner(const char* set) const { return mesh.find(set)->nodes.at(0); }
  /// Component `axis` of a slot keeps its value.
  void hold(int slot, int axis) {
    std::vector<double> row(3, 0.0);
    row[axis] = 1;
    builder.relate({1, {{slot, row}}, {-builder.reference(slot)[axis]}, {}}, "joint.symmetry");
  }
  void clamp(const char* set) {
    for (const int node : mesh.find(set)->nodes) {
      const PlateNode& n = model.nodes[node];
      for (const int slot : {n.r, n.g_u, n.g_v}) builder.fix(slot, "joint.clamp");
    }
  }
  /// A Koiter shell's clamp of an edge across y: its curve, and of the gradient across it all but its length.
  void clamp_across_y(const char* set) {
    for (const int node : mesh.find(set)->nodes) {
      const PlateNode& n = model.nodes[node];
      for (const int slot : {n.r, n.g_u}) builder.fix(slot, "joint.clamp");
      for (const int axis : {0, 2}) hold(n.g_v, axis);
    }
  }
  /// The plane through the origin across `axis` is one of symmetry: nodes stay in it, the gradient along the edge too, and the
  /// one that crosses it (g_u if `crossing_u`) stays perpendicular.
  void mirror(const char* set, int axis, bool crossing_u) {
    for (const int node : mesh.find(set)->nodes) {
      const PlateNode& n = model.nodes[node];
      hold(n.r, axis);
      hold(crossing_u ? n.g_v : n.g_u, axis);
      for (const int other : {(axis + 1) % 3, (axis + 2) % 3}) hold(crossing_u ? n.g_u : n.g_v, other);
    }
  }
  /// A rigid diaphragm across y holds the edge "top": its plane moves only along y.
  void diaphragm() {
    for (const int node : mesh.find("top")->nodes)
      for (const int slot : {model.nodes[node].r, model.nodes[node].g_u})
        for (const int axis : {0, 2}) hold(slot, axis);
  }
  void force(int node, double x, double y, double z) {
    builder.item<PointForce3d>({model.nodes[node].r, load}, {.force = {x, y, z}}, "force");
  }
  /// Force per length along an edge of constant u ("end") or v ("top").
  void edge_force(const char* set, double z) {
    for (const ElementSide& side : mesh.find(set)->sides) {
      const PlateElement& e = model.elements[side.element];
      const bool along_v = side.side == 1;
      const std::array<int, 4> at = along_v ? std::array{3, 5, 6, 8} : std::array{9, 10, 6, 7};
      builder.item<EdgeForce3d>({e.slots[at[0]], e.slots[at[1]], e.slots[at[2]], e.slots[at[3]], load},
                                {.force = {0.0, 0.0, z}, .length = e.parameters[along_v ? 1 : 0]}, "load");
    }
  }
  /// u of nodes where the loads have the shares: one equilibrium after the other.
  std::vector<std::vector<Vec3>> path(const std::vector<double>& shares, const std::vector<int>& nodes) {
    Simulation<double> s(builder.build());
    StaticSolver solver(s.system, {});
    std::vector<std::vector<Vec3>> out;
    for (const double share : shares) {
      s.state.t = share;
      if (!solver.solve(s.state).converged) throw std::runtime_error("no equilibrium");
      std::vector<Vec3>& row = out.emplace_back();
      for (const int node : nodes) {
        Vec3 u{};
        for (int i = 0; i < 3; ++i) u[i] = s.q(model.nodes[node].r, i) - mesh.nodes[node].position[i];
        row.push_back(u);
      }
    }
    return out;
  }
};

/// Table 1 of [sze2004]: P/Pmax, −U and W of the end.
inline constexpr double end_shear_table[][3] = {
    {0.1, 0.103, 1.309}, {0.25, 0.563, 3.015}, {0.5, 1.604, 4.933}, {0.75, 2.541, 6.031}, {1, 3.286, 6.698}};
/// Table 3: W of the inner and the outer corner.
inline constexpr double slit_annulus_table[][3] = {
    {0.1, 4.277, 5.876}, {0.25, 7.602, 10.288}, {0.5, 10.468, 13.768}, {0.75, 12.310, 15.842}, {1, 13.891, 17.528}};
/// Table 5: V of A outwards, −U of B inwards.
inline constexpr double hemisphere_table[][3] = {
    {0.25, 2.596, 3.833}, {0.5, 3.406, 5.902}, {0.75, 3.816, 7.234}, {1, 4.067, 8.178}};

using Pair = std::array<double, 2>;

/// [sze2004, 3.1]: E 1.2e6, ν 0, 10 × 1 × 0.1, shear 4 at the free end: −U and W of its middle.
inline std::vector<Pair> end_shear(int along, int across, const std::vector<double>& shares, Rule rule = Rule::full) {
  Shell s(make_mesh(FlatPlate{.length = 10, .width = 1, .elements_u = along, .elements_v = across}),
          wall(1.2e6, 0, 0.1, rule));
  s.clamp("start");
  s.edge_force("end", 4);
  std::vector<Pair> out;
  for (const auto& u : s.path(shares, {s.corner("corner_end_bottom")})) out.push_back({-u[0][0], u[0][2]});
  return out;
}

/// [sze2004, 3.2]: E 1.2e6, ν 0, 12 × 1 × 0.1, end moment 50π/3, which rolls it to a full circle: −U and W.
inline std::vector<Pair> end_moment(int along, int across, const std::vector<double>& shares, Rule rule = Rule::full) {
  Shell s(make_mesh(FlatPlate{.length = 12, .width = 1, .elements_u = along, .elements_v = across}),
          wall(1.2e6, 0, 0.1, rule));
  s.clamp("start");
  const std::vector<int>& end = s.mesh.find("end")->nodes;
  for (const int node : end) {  // in the shares of the trapezoidal rule
    const double share = (node == end.front() || node == end.back() ? 0.5 : 1.0) / across;
    s.builder.item<PlateMoment>({s.model.nodes[node].g_u, s.model.nodes[node].g_v, s.load},
                                {.moment = {0.0, -50 * std::numbers::pi / 3 * share, 0.0}}, "moment");
  }
  std::vector<Pair> out;
  for (const auto& u : s.path(shares, {s.corner("corner_end_bottom")})) out.push_back({-u[0][0], u[0][2]});
  return out;
}
/// The arc of 12 m with the angle 2π share: −U and W of its end.
inline Pair end_moment_exact(double share) {
  const double angle = 2 * std::numbers::pi * share;
  return {12 * (1 - std::sin(angle) / angle), 12 * (1 - std::cos(angle)) / angle};
}

/// [sze2004, 3.3]: E 21e6, ν 0, radii 6 and 10, h 0.03, 0.8 per length on one lip: W of its inner and outer end.
inline std::vector<Pair> slit_annulus(int radial, int around, const std::vector<double>& shares,
                                      Rule rule = Rule::full) {
  Annulus ring;
  ring.radial = radial, ring.around = around;
  Shell s(make_mesh(ring), wall(21e6, 0, 0.03, rule));
  s.clamp("bottom");
  s.edge_force("top", 0.8);
  const std::vector<int>& lip = s.mesh.find("top")->nodes;
  std::vector<Pair> out;
  for (const auto& u : s.path(shares, {lip.front(), lip.back()})) out.push_back({u[0][2], u[1][2]});
  return out;
}

/// [sze2004, 3.4]: hemisphere with a hole of 18°, a quarter of it. 400 pull at A (x axis) and push at B (y axis), half of it on
/// the quarter: displacement of A outwards and of B inwards.
inline std::vector<Pair> hemisphere(int elements, const std::vector<double>& shares, Rule rule = Rule::full) {
  Hemisphere h;
  h.elements_u = h.elements_v = elements;
  Shell s(make_mesh(h), wall(6.825e7, 0.3, 0.04, rule));
  s.mirror("start", 1, true);
  s.mirror("end", 0, true);
  const int a = s.corner("corner_start_bottom"), b = s.corner("corner_end_bottom");
  s.hold(s.model.nodes[a].r, 2);
  s.force(a, 200, 0, 0);
  s.force(b, 0, -200, 0);
  std::vector<Pair> out;
  for (const auto& u : s.path(shares, {a, b})) out.push_back({u[0][0], -u[1][1]});
  return out;
}

/// A quarter of a barrel vault: u along the arc from the crown, v along y from the middle; a diaphragm at its end.
inline SurfaceMesh vault(double radius, double angle, double half_length, int elements_u, int elements_v,
                         double warp = 0, const Grading& grading_v = {}) {
  SurfaceGrid grid;
  grid.map = surface_map([=](auto u, auto v) {
    using T = decltype(u);
    return Vec<3, T>{T(radius) * sin(u / T(radius)), v, T(radius) * cos(u / T(radius))};
  });
  grid.u = grid_lines(0, radius * angle, elements_u);
  grid.v = grid_lines(0, half_length, elements_v, grading_v);
  grid.warp = warp;
  return structured_mesh(grid);
}

/// Scordelis & Lo: R 25, L 50, 80°, h 0.25, E 4.32e8, ν 0, 90 per area; drop of the middle of a free edge: 0.3006 by deep
/// shell theory (0.3024 in [macneal1985]). A quarter, by its weight times 1e-5, so that the answer is the linear one.
inline double scordelis_lo(int elements, Rule rule = Rule::full) {
  Shell s(vault(25, 40 * std::numbers::pi / 180, 25, elements, elements), wall(4.32e8, 0, 0.25, rule, 90 / 0.25));
  s.mirror("start", 0, true);
  s.mirror("bottom", 1, false);
  s.diaphragm();
  constexpr double little = 1e-5;
  s.builder.gravity(std::array{0.0, 0.0, -little}, s.load);
  return -s.path({1}, {s.corner("corner_end_bottom")})[0][0][2] / little;
}

/// Cylinder with end diaphragms, pinched in its middle by two forces of 1: R 300, L 600, h 3, E 3e6, ν 0.3: displacement below
/// the force, 1.8248e-5 by a double series of thin shell theory [lindberg1969, belytschko1985]. An eighth.
inline double pinched_cylinder(int elements, Rule rule = Rule::full) {
  Shell s(vault(300, std::numbers::pi / 2, 300, elements, elements), wall(3e6, 0.3, 3, rule));
  s.mirror("start", 0, true);
  s.mirror("end", 2, true);
  s.mirror("bottom", 1, false);
  s.diaphragm();
  const int below = s.corner("corner_start_bottom");
  s.force(below, 0, 0, -0.25);
  return -s.path({1}, {below})[0][0][2];
}

/// A half cylinder pinched at its free edge [sze2004]: E 2.0685e7, ν 0.3, h 0.03, R 1.016, L 3.048, 2000 down on the middle of
/// one end, the other clamped, the straight edges on planes of symmetry: P/Pmax, W below the force.
inline constexpr double half_cylinder_table[][2] = {{0.05, 0.05421}, {0.1, 0.161},   {0.2, 0.37582},
                                                    {0.3, 0.6641},   {0.5, 1.32653}, {1, 1.71505}};
/// Half of it; elements along the axis end `ratio` times as long as the first, at the clamp.
inline std::vector<double> half_cylinder(int around, int along, const std::vector<double>& shares, double ratio = 1,
                                         Rule rule = Rule::full) {
  Shell s(vault(1.016, std::numbers::pi / 2, 3.048, around, along, 0, {.ratio = ratio}),
          wall(2.0685e7, 0.3, 0.03, rule));
  s.mirror("start", 0, true);
  s.mirror("end", 2, true);
  s.clamp_across_y("bottom");
  const int below = s.corner("corner_start_top");
  s.force(below, 0, 0, -1000);
  std::vector<double> out;
  for (const auto& u : s.path(shares, {below})) out.push_back(-u[0][2]);
  return out;
}
/// The same wall flat, 3.2 wide, with the force P in the middle of its free end: W by a little force, in P m²/D.
inline double flat_cantilever(int across, int along) {
  constexpr double E = 2.0685e7, nu = 0.3, h = 0.03, P = 1e-4;
  Shell s(make_mesh(FlatPlate{.length = 1.6, .width = 3.048, .elements_u = across, .elements_v = along}),
          wall(E, nu, h));
  s.mirror("start", 0, true);
  s.clamp_across_y("bottom");
  const int below = s.corner("corner_start_top");
  s.force(below, 0, 0, -P / 2);
  return -s.path({1}, {below})[0][0][2] / P * E * h * h * h / (12 * (1 - nu * nu));
}

/// Frequencies of a square plate, simply supported or free, in (π²/L²) √(D/ρh); ν 0.3, thickness L/1000.
inline std::vector<double> plate_frequencies(int elements, bool is_supported, int count, Rule rule = Rule::full) {
  constexpr double E = 1e9, nu = 0.3, h = 0.001, rho = 1000;
  Shell s(make_mesh(FlatPlate{.elements_u = elements, .elements_v = elements}), wall(E, nu, h, rule, rho));
  if (is_supported)
    for (const auto& [set, is_u] : {std::pair{"start", true}, {"end", true}, {"bottom", false}, {"top", false}})
      for (const int node : s.mesh.find(set)->nodes) {
        const PlateNode& n = s.model.nodes[node];
        for (int axis = 0; axis < 3; ++axis) s.hold(n.r, axis);
        s.hold(is_u ? n.g_v : n.g_u, 2);
      }
  Simulation<double> simulation(s.builder.build());
  const int rigid = is_supported ? 0 : 6;
  const Modes modes = solve_modes(simulation.system, simulation.state, {.count = rigid + count});
  if (!modes.converged) throw std::runtime_error(modes.problem);
  const double D = E * h * h * h / (12 * (1 - nu * nu));
  const double unit = std::numbers::pi * std::numbers::pi * std::sqrt(D / (rho * h));
  std::vector<double> out;
  for (int k = rigid; k < rigid + count; ++k) out.push_back(2 * std::numbers::pi * modes.frequency[k] / unit);
  return out;
}

}  // namespace flexura::test

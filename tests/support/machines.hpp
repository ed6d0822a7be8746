#pragma once
// Small models that several tests need: cables along a path, and a model ready to be solved.

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <vector>

#include "flexura/body/point_mass.hpp"
#include "flexura/element/ancf_cable_2d.hpp"
#include "flexura/load/node_moment.hpp"
#include "flexura/load/point_force.hpp"
#include "flexura/model/model_builder.hpp"
#include "flexura/solve/system.hpp"

namespace flexura::test {

struct Section {
  double EA = 2000, EI = 0.0186, rhoA = 0.12;            ///< [N], [N m²], [kg/m]: the soft actuator's
  double stretch_retardation = 0, bend_retardation = 0;  ///< [s]
};
using CableOptions = AncfCable2d::Options;
inline constexpr CableOptions material_green, material_damped{.damped = AncfCable2d::Damped::yes},
    material_engineering{.axial = AncfCable2d::Axial::engineering},
    simplified_chord{.curvature = AncfCable2d::Curvature::simplified, .axial = AncfCable2d::Axial::chord};

struct Cable {
  std::vector<int> r, g;  ///< slots of the nodes
  int tip() const { return r.back(); }
};

/// A circular arc (curvature 0: straight) from `start` in the direction `angle`.
struct Path {
  double length = 1, angle = 0, curvature = 0, x = 0, y = 0;

  std::array<double, 2> point(double s) const {
    if (curvature == 0) return {x + s * std::cos(angle), y + s * std::sin(angle)};
    return {x + (std::sin(angle + curvature * s) - std::sin(angle)) / curvature,
            y - (std::cos(angle + curvature * s) - std::cos(angle)) / curvature};
  }
  std::array<double, 2> direction(double s) const {
    return {std::cos(angle + curvature * s), std::sin(angle + curvature * s)};
  }
};

inline Cable add_cable(ModelBuilder& b, int elements, const Path& path, const Section& section,
                       const CableOptions& options = material_green, double mass_damping = 0) {
  Cable c;
  for (int i = 0; i <= elements; ++i) {
    const int node = b.node();
    const double s = path.length * i / elements;
    c.r.push_back(b.slot(fmt::format("r{}", i), SlotKind::point, path.point(s), node));
    c.g.push_back(b.slot(fmt::format("g{}", i), SlotKind::vector, path.direction(s), node));
  }
  const GivenParams<AncfCable2d> p{.EA = section.EA,
                                   .EI = section.EI,
                                   .rhoA = section.rhoA,
                                   .length = path.length / elements,
                                   .stretch_retardation = section.stretch_retardation,
                                   .bend_retardation = section.bend_retardation};
  for (int i = 0; i < elements; ++i)
    b.item<AncfCable2d>({c.r[i], c.g[i], c.r[i + 1], c.g[i + 1]}, p, options, fmt::format("element {}", i),
                        mass_damping);
  return c;
}

inline void clamp(ModelBuilder& b, const Cable& c) {
  b.fix(c.r[0], "joint.clamp");
  b.fix(c.g[0], "joint.clamp");
}
inline void add_gravity(ModelBuilder& b, double gx, double gy) { b.gravity(std::array{gx, gy}, b.constant_signal()); }
inline void add_mass(ModelBuilder& b, int slot, double m) { b.item<PointMass2d>({slot}, {.m = m}, "mass"); }
inline void add_force(ModelBuilder& b, int slot, double fx, double fy, int signal = -1) {
  b.item<PointForce2d>({slot, signal < 0 ? b.constant_signal() : signal}, {.force = {fx, fy}}, "force");
}
inline void add_moment(ModelBuilder& b, int slot, double moment, int signal = -1) {
  b.item<NodeMoment2d>({slot, signal < 0 ? b.constant_signal() : signal}, {.moment = moment}, "moment");
}

/// A model, its system and a state at t = 0.
template <class S = double>
struct Simulation {
  Model model;
  System<S> system;
  State<S> state;

  explicit Simulation(Model m, const AssemblerOptions& options = {})
      : model(std::move(m)), system(model.topology, pointer(), options), state(system.initial_state(0)) {}
  Simulation(std::shared_ptr<const Topology> topology, std::span<const Values* const> values,
             const AssemblerOptions& options = {})
      : model{topology, *values[0]}, system(topology, values, options), state(system.initial_state(0)) {}

  int at(int slot, int i) const { return model.topology->slots[slot].offset + i; }
  S q(int slot, int i) const { return state.q[at(slot, i)]; }
  S v(int slot, int i) const { return state.v[at(slot, i)]; }

 private:
  std::span<const Values* const> pointer() {
    values_ = &model.values;
    return {&values_, 1};
  }
  const Values* values_ = nullptr;
};

}  // namespace flexura::test

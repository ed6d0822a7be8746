// A project that knows only the installed package: a hose, clamped on the left, that a weight bends.
//
//     ▨═══════════════════o  m g
//
#include <iostream>

#include "flexura/body/point_mass.hpp"
#include "flexura/part/forms.hpp"
#include "flexura/part/machine_builder.hpp"
#include "flexura/solve/statics.hpp"
#include "flexura/version.hpp"

int main() {
  using namespace flexura;
  MachineBuilder builder({.dim = 3});
  builder.add(CableSpec{.name = "hose",
                        .path = PathCurve::polyline({{0, 0, 0}, {0.4, 0, 0}}),
                        .section = {.law = section_numbers(round_section(0.005, 0.003, 0.45), 5e7, 0.45, 1100)},
                        .elements = 16});
  builder.add(JointSpec{.name = "clamp", .type = JointType::weld, .of = {ground(), place_on("hose", "start")}});
  TermSpec weight = specify<PointMass3d>("weight", {.m = 0.02});
  weight.places = {{"at", {place_on("hose", "end")}}};
  builder.add(weight);
  builder.gravity({0, 0, -9.81});
  const Machine machine = builder.build();

  const Values* values = &machine.model.values;
  System<double> system(machine.model.topology, std::span(&values, 1));
  State<double> state = system.initial_state(0);
  const bool converged = StaticSolver(system, {}).solve(state).converged;
  Triple tip{};
  evaluate(cable_point(machine.cables[0], 15, 1, 3), *machine.model.topology, state.q, tip);
  std::cout << "flexura " << version << ": the tip hangs " << -tip[2] << " m below the clamp\n";
  return converged && tip[2] < -0.05 && tip[2] > -0.4 ? 0 : 1;
}

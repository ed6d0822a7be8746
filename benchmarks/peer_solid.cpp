/// Flexura's figures for the bar of benchmarks/peers/solid.py, as the JSON that it reads:
///
///     peer_solid [hexahedron_8|hexahedron_20 NX NY NZ BULK]     without: hexahedron_8 12 4 4 1e8
///
/// Processor time of one thread from the mesh's items to the equilibrium, analysis of the linear system included; `solve` is the share of
/// factors and solutions: the mean of a few at the end times how many there were.

#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <ctime>
#include <stdexcept>
#include <string>

#include "flexura/mesh/solid_model.hpp"
#include "flexura/mesh/solid_shapes.hpp"
#include "flexura/solve/statics.hpp"

namespace {

using namespace flexura;

double processor_time() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

/// Mean of a few.
template <class F>
double mean_time(F f) {
  constexpr int count = 3;
  const double start = processor_time();
  for (int i = 0; i < count; ++i) f();
  return (processor_time() - start) / count;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 1 && argc != 6) return 2;
  const bool quadratic = argc == 6 && std::string(argv[1]) == "hexahedron_20";
  std::array cells{12, 4, 4};
  for (int i = 0; argc == 6 && i < 3; ++i) cells[i] = std::atoi(argv[2 + i]);
  const double bulk = argc == 6 ? std::atof(argv[5]) : 1e8;
  const SolidMesh mesh = make_mesh(Block{.size = {0.12, 0.02, 0.02},
                                         .elements = cells,
                                         .kind = quadratic ? SolidKind::hexahedron_20 : SolidKind::hexahedron_8});
  const SolidSection rubber{.rho = 1100,
                            .constants = {{1e5}, bulk},
                            .formulation = quadratic ? Solid::Formulation::full : Solid::Formulation::mixed};
  ModelBuilder builder(3);
  const SolidModel solid = add_solid(builder, "bar", mesh, rubber);
  for (const int node : mesh.find("left")->nodes) builder.fix(solid.nodes[node], "clamp");
  builder.gravity(std::array{0.0, 0.0, -9.81}, builder.constant_signal());
  const Model model = builder.build();

  const double start = processor_time();
  const Values* values[] = {&model.values};
  System<double> system(model.topology, values, {});
  State<double> at = system.initial_state(0);
  const State<double> begin = at;
  StaticOptions options;
  options.first_step = options.largest_step = 0.2;
  StaticSolver solver(system, options);
  const StaticReport report = solver.solve(at);
  const double seconds = processor_time() - start;
  if (!report.converged) throw std::runtime_error("no equilibrium");

  const double factor = mean_time([&] { (void)system.solver.factor(system.values); });
  std::vector<double> y(model.topology->ny, 1.0);
  const double solve = mean_time([&] { system.solver.solve(std::span<double>(y)); });
  int tip = 0;
  for (int node = 0; node < static_cast<int>(mesh.nodes.size()); ++node) {
    const auto& X = mesh.nodes[node];
    if (X[0] > 0.12 - 1e-9 && X[1] < 1e-9 && X[2] < 1e-9) tip = model.topology->slots[solid.nodes[node]].offset;
  }
  fmt::print(
      "{{\"coordinates\": {}, \"iterations\": {}, \"load_steps\": {}, \"tip\": [{:.15g}, {:.15g}, {:.15g}], "
      "\"seconds\": {:.6f}, \"solve\": {:.6f}}}\n",
      model.topology->ny, report.iterations, report.load_steps, at.q[tip] - begin.q[tip],
      at.q[tip + 1] - begin.q[tip + 1], at.q[tip + 2] - begin.q[tip + 2], seconds,
      report.iterations * (factor + solve));
  return 0;
}

#include "flexura/run/rounding_energy.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "flexura/solve/extent.hpp"

namespace flexura {

double rounding_energy(System<double>& system, const State<double>& state, double stored, double h) {
  constexpr double of_place = 1e-14,
                   of_work = 1e-12;  // Newton's method leaves 1e-9 of a force, and of its work the square
  const Topology& topology = system.topology();
  Assembler<double>& assembler = system.assembler;
  const double length = extent(topology, state.q);
  std::vector<double> force(assembler.residual_size()), acting(assembler.residual_size());
  assembler.residual(state.t, state.q.data(), state.v.data(), force.data(), acting.data());
  double largest = 0;
  for (const Slot& slot : topology.slots)
    for (int i = slot.offset; i < slot.offset + slot.size && !slot.multiplier; ++i)
      largest = std::max({largest, std::fabs(force[i]), std::fabs(acting[i])});
  auto matrix = system.values;
  std::vector<double> stiffness(topology.ny), mass(topology.ny);
  assembler.tangent(state.t, state.q.data(), state.v.data(), 0.0, 0.0, matrix.data());
  system.solver.diagonal(matrix, std::span<double>(stiffness));
  assembler.mass_matrix(matrix.data());
  system.solver.diagonal(matrix, std::span<double>(mass));
  double elastic = 0;
  for (const Slot& slot : topology.slots) {
    const double rounding = of_place * (slot.kind == SlotKind::point ? length : 1.0);
    for (int i = slot.offset; i < slot.offset + slot.size && slot.dependent < 0 && !slot.multiplier; ++i)
      elastic += std::fabs(stiffness[i]) * rounding * rounding *
                 (1 + (mass[i] > 0 ? h * h * std::fabs(stiffness[i]) / mass[i] : 0.0));
  }
  const double energy = elastic + of_work * (largest * length + std::fabs(stored));
  return std::isfinite(energy) ? energy : 0.0;
}

}  // namespace flexura

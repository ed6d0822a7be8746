#include "flexura/run/rounding_energy.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <string_view>
#include <vector>

#include "flexura/load/chamber_gas.hpp"
#include "flexura/load/gas_mass.hpp"
#include "flexura/model/term_type.hpp"
#include "flexura/solve/extent.hpp"

namespace flexura {
namespace {

/// Σ P₀ V₀ of the fillings of chambers [J].
double energy_of_gas(const Topology& topology, const Values& values) {
  constexpr size_t volume = 0, ambient = 2, overpressure = 3;  // ChamberGas::gas_fields
  double sum = 0;
  for (size_t b = 0; b < topology.batches.size(); ++b) {
    const ItemBatch& batch = topology.batches[b];
    const std::string_view name = batch.type->info.name;
    if (batch.count == 0 || (name != ChamberGas::name && name != GasMass::name)) continue;
    const std::vector<double>& all = values.parameters[b];
    const size_t each = all.size() / static_cast<size_t>(batch.count);
    for (size_t i = 0; i < all.size(); i += each) sum += (all[i + ambient] + all[i + overpressure]) * all[i + volume];
  }
  return sum;
}

}  // namespace

double rounding_energy(System<double>& system, const Values& values, const State<double>& state, double stored,
                       const PlaceAccuracy& accuracy) {
  const double of_place = accuracy.of_place, h = accuracy.h;
  constexpr double of_work = 1e-12;  // Newton's method leaves 1e-9 of a force, and of its work the square
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
  const double energy = elastic + of_work * (largest * length + std::fabs(stored) + energy_of_gas(topology, values));
  return std::isfinite(energy) ? energy : 0.0;
}

}  // namespace flexura

#include "flexura/solve/state_tangents.hpp"

namespace flexura {

std::vector<TangentEntry> state_tangents(System<double>& system, const State<double>& state,
                                         std::span<const SignalValue> signals) {
  Assembler<double>& assembler = system.assembler;
  assembler.set_signals(signals);
  system.look_back(state);
  std::vector<double> still(system.values.size()), damped(still), mass(still);
  constexpr double much = 1e30;  // tangent(…, cd) − tangent(…, 0) = cd D: much of it, as K is of another size
  assembler.tangent(state.t, state.q.data(), state.v.data(), 0.0, 0.0, still.data());
  assembler.tangent(state.t, state.q.data(), state.v.data(), 0.0, much, damped.data());
  assembler.mass_matrix(mass.data());
  std::vector<TangentEntry> out;
  system.solver.layout().for_each_entry([&](int i, int j, std::ptrdiff_t at) {
    const auto k = static_cast<size_t>(at);
    out.push_back({i, j, still[k], (damped[k] - still[k]) / much, mass[k]});
  });
  return out;
}

}  // namespace flexura

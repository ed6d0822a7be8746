// What signals ask of a run that cannot be.

#include <fmt/format.h>

#include <cmath>

#include "flexura/run/run.hpp"

namespace flexura {

std::string Run::undefined_signal(double t) {
  const Topology& topology = active_.topology();
  if (topology.signals.empty()) return {};
  const std::span<const SignalValue> values = active_.system().drives.at(t, active_.state.lags);
  const auto refuse = [&](size_t signal, const char* what) {
    const std::string name = topology.signal_set->name(topology.signals[signal].signal);
    set_signals();
    return fmt::format("dynamics: {} has no finite {} at t = {:.6g} s", name.empty() ? "a signal" : "signal " + name,
                       what, t);
  };
  if (const std::string refused = refused_signal(values, t); !refused.empty()) {
    set_signals();
    return fmt::format("dynamics: {}", refused);
  }
  for (size_t i = 0; i < values.size(); ++i)
    if (!std::isfinite(values[i].u)) return refuse(i, "value");
  for (const Dependent& dependent : topology.dependents)  // what is prescribed moves at their rates
    for (const auto& drive : dependent.drives)
      if (!std::isfinite(values[drive.signal].du) || !std::isfinite(values[drive.signal].ddu))
        return refuse(drive.signal, "rate");
  return {};
}

std::string Run::refused_signal(std::span<const SignalValue> signals, double t) const {
  const auto first_of = [&](const auto& all) -> std::string {
    for (const auto& asked : all)
      if (const double x = asked.at(signals); asked.is_refused(x) && !asked.is_only_strange())
        return fmt::format("{} {}", asked.item, asked.refusal(x, t));
    return {};
  };
  std::string out = first_of(lengths_);
  return out.empty() ? first_of(gas_) : out;
}

std::string Run::emptied_chamber(const State<double>& state) const {
  for (const ChamberFilling& filling : fillings_)
    if (std::string problem = filling.problem(state.q, state.t); !problem.empty()) return problem;
  return {};
}

std::string Run::suspected_signals() {
  std::string out;
  if (lengths_.empty() && gas_.empty()) return out;
  const std::span<const SignalValue> signals = active_.system().drives.at(active_.state.t, active_.state.lags);
  for (const AskedLength& asked : lengths_) out += asked.suspicion(asked.at(signals));
  for (const AskedGas& asked : gas_) out += asked.suspicion(asked.at(signals));
  return out;
}

}  // namespace flexura

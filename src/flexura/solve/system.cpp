#include "flexura/solve/system.hpp"

#include <algorithm>

#include "flexura/math/instantiate.hpp"

namespace flexura {

template <class S>
System<S>::System(std::shared_ptr<const Topology> topology, std::span<const Values* const> values_of,
                  const AssemblerOptions& options)
    : assembler(std::move(topology), values_of, options), drives(assembler.topology()) {
  const CouplingPattern& coupling = assembler.pattern();
  symmetric = coupling.symmetric;
  solver.analyse({coupling.sizes, coupling.multipliers, coupling.pairs, coupling.skew},
                 symmetric ? Symmetry::symmetric : Symmetry::unsymmetric, options.threads);
  MatrixLayout layout;
  layout.value_count = solver.value_count();
  layout.symmetric = symmetric;
  layout.target = [this](int i, int j) {
    const Entry e = solver.entry(i, j);
    return Target{static_cast<std::int32_t>(e.offset), static_cast<std::int16_t>(e.row_stride),
                  static_cast<std::int16_t>(e.col_stride)};
  };
  assembler.set_layout(layout);
  values.assign(layout.value_count, V(0.0));
  next_history_.assign(this->topology().history, S(0.0));
}

template <class S>
State<S> System<S>::initial_state(double t0) {
  State<S> s;
  s.t = t0;
  s.q = assembler.initial_q();
  s.v = assembler.initial_v();
  s.a.assign(s.q.size(), S(0.0));
  s.a_alg.assign(topology().ny, S(0.0));
  s.loads.assign(topology().signals.size(), 0.0);
  drives.initial_lags(t0, s.lags);
  drives.enter(t0);
  assembler.set_signals(drives.at(t0, s.lags));
  assembler.expand(s.q.data(), s.v.data(), s.a.data());
  s.history.assign(topology().history, S(0.0));
  begin_history(s);
  return s;
}

template <class S>
void System<S>::accept_history(State<S>& state, const std::vector<S>& rates, MaskOf<V> lanes) {
  count_angles(state);
  if (!assembler.has_history()) return;
  assembler.remember(state.t, state.q.data(), rates.data(), next_history_.data());
  for (size_t i = 0; i < next_history_.size(); ++i)
    state.history[i] = select(lanes, next_history_[i], state.history[i]);
  look_back(state);
}

template <class S>
void System<S>::count_angles(State<S>& state) const {
  if constexpr (std::is_same_v<S, double>) {
    if (angles.size() > 0 && angles.fit(state.angles)) angles.count(state.t, state.q, state.v, state.angles);
  }
}

template <class S>
void System<S>::begin_history(State<S>& state) {
  if (!assembler.has_history()) return;
  assembler.begin_history(state.t, state.q.data(), state.history.data());
  look_back(state);
}

template <class S>
int System<S>::unstable_directions(int negative_pivots) const {
  if constexpr (std::is_same_v<V, double>) {
    if (negative_pivots > 0 && !symmetric && solver.layout().asymmetry(values) > 1e-9) return negative_pivots % 2;
  }
  return std::max(0, negative_pivots);
}

template <class S>
std::vector<S> System<S>::unbalanced(State<S>& state) {
  std::vector<S> r(assembler.residual_size());
  assembler.expand(state.q.data(), state.v.data(), state.a.data());
  assembler.residual(state.t, state.q.data(), state.v.data(), r.data());
  assembler.reduce(r.data());
  r.resize(topology().ny);
  std::fill(r.begin() + topology().ncoord, r.end(), S(0.0));
  return r;
}

#define FLEXURA_INSTANTIATE(S) template struct System<S>;
FLEXURA_FOR_EACH_SCALAR(FLEXURA_INSTANTIATE)
#undef FLEXURA_INSTANTIATE

}  // namespace flexura

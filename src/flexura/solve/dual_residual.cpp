#include "flexura/solve/dual_residual.hpp"

namespace flexura {

Values no_direction(const Values& values) {
  Values out = values;
  for (auto* x : {&out.reference, &out.q0, &out.v0, &out.weights, &out.bases, &out.directions})
    x->assign(x->size(), 0.0);
  for (auto* list : {&out.parameters, &out.mass_damping})
    for (std::vector<double>& x : *list) x.assign(x.size(), 0.0);
  for (GravityField& field : out.gravity)
    for (double& g : field.g) g = 0;
  return out;
}

State<Tangent> unchanging(const State<double>& state) {
  State<Tangent> out;
  out.t = state.t;
  const auto lift = [](const std::vector<double>& from) { return std::vector<Tangent>(from.begin(), from.end()); };
  out.q = lift(state.q);
  out.v = lift(state.v);
  out.a = lift(state.a);
  out.a_alg = lift(state.a_alg);
  out.history = lift(state.history);
  out.lags = state.lags;
  out.loads = state.loads;
  return out;
}

State<double> value_of(const State<Tangent>& state) {
  State<double> out;
  out.t = state.t;
  const auto values = [](const std::vector<Tangent>& from) {
    std::vector<double> to;
    for (const Tangent& x : from) to.push_back(x.v);
    return to;
  };
  out.q = values(state.q);
  out.v = values(state.v);
  out.a = values(state.a);
  out.a_alg = values(state.a_alg);
  out.history = values(state.history);
  out.lags = state.lags;
  out.loads = state.loads;
  return out;
}

}  // namespace flexura

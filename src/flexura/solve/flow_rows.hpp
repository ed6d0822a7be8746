#pragma once
// Gas lines in small motions: the gas that has passed is a state whose rate is the flow f of the line's own law.
//
//     Ẇ = f(p, u)        dR_W = ∂f/∂p dp + ∂f/∂u du − dẆ
//
// Only what chambers gain counts. Lines and chambers (with the outside as one more) are a graph; what a line c beyond
// its spanning forest lets pass is added, σ = ±1, to the lines of the forest that lead from its beginning to its end:
//
//     c ══▶◯══▶        W̃_t = W_t + Σ σ_tc W_c,   W_c stays      supply and vent of one chamber: one state, its gas
//     t ══▶
//
// A line whose flow depends on no pressure and on no input stays shut. Part of flexura_ensemble.

#include <Eigen/Core>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "flexura/solve/dual_residual.hpp"
#include "flexura/solve/state_tangents.hpp"

namespace flexura {

/// Whether the term is a gas line, by its name.
bool is_gas_line(std::string_view term);

class FlowRows {
 public:
  /// The arguments of linearise_motion.
  FlowRows(System<double>& system, DualResidual& residual, const State<double>& state,
           std::span<const SignalValue> signals, const std::vector<std::vector<double>>& inputs);

  /// Rows of lines in K and D.
  void replace_tangents(std::vector<TangentEntry>& entries) const;
  /// Rows of lines in dR [ny], of what q, v and the signals of `residual` change by.
  void replace_change(DualResidual& residual, const State<Tangent>& state, Eigen::Ref<Eigen::VectorXd> change) const;

  /// W̃ [kg] and its rate [kg/s] at the state, where y is one.
  bool is_state(int y) const;
  double passed(int y) const;
  double rate(int y) const;
  /// The largest |ṁ|/m of a chamber [1/s], and a line that leads to it.
  double imbalance() const { return imbalance_; }
  const std::string& unbalanced() const { return unbalanced_; }

 private:
  struct Line {
    int y;         ///< of W
    int from, to;  ///< places in y of the masses at its ends, −1: outside
    int memory;    ///< in State::history
    std::string name;
    double passed, flow;
    std::vector<std::pair<int, double>> by_pressure;  ///< ∂f/∂y
    bool changes = false;                             ///< the flow depends on pressures or inputs
    std::vector<std::pair<int, double>> members;      ///< lines and σ that W̃ is made of; none: no state
  };
  void find_lines(const Topology& topology);
  void read_flows(System<double>& system, const State<double>& state, std::span<const SignalValue> signals);
  void look_for_inputs(DualResidual& residual, const State<double>& state, std::span<const SignalValue> signals,
                       const std::vector<std::vector<double>>& inputs);
  void find_forest();
  void weigh_chambers(const State<double>& state);
  const Line* state_of(int y) const;
  /// f of each line, with what it changes by.
  std::vector<Tangent> flows(DualResidual& residual, const State<Tangent>& state) const;
  /// A history in which nothing has passed before.
  template <class S>
  std::vector<S> fresh(std::vector<S> history, const std::vector<S>& q) const;

  std::vector<Line> lines_;
  std::vector<int> batches_;
  double imbalance_ = 0;
  std::string unbalanced_;
};

}  // namespace flexura

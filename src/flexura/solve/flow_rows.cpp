#include "flexura/solve/flow_rows.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "flexura/load/gas_line.hpp"

namespace flexura {
namespace {

constexpr double second = 1;  ///< r(h) = W − W_n − h f of a line without a past

/// Slots of an item: the gas that has passed, the masses that lose and gain it; −1: it comes from outside.
struct LineSlots {
  int passed, from, to;
};
double without_derivative(double x) { return x; }
Tangent without_derivative(const Tangent& x) { return {x.v, 0.0}; }

const LineSlots* slots_of_line(std::string_view term) {
  static constexpr LineSlots between{4, 1, 3}, supply{2, -1, 1}, inflow{1, -1, 0};
  if (term == GasLine::name) return &between;
  if (term == GasSupply::name) return &supply;
  return term == GasInflow::name ? &inflow : nullptr;
}

}  // namespace

bool is_gas_line(std::string_view term) { return slots_of_line(term) != nullptr; }

FlowRows::FlowRows(System<double>& system, DualResidual& residual, const State<double>& state,
                   std::span<const SignalValue> signals, const std::vector<std::vector<double>>& inputs) {
  find_lines(system.topology());
  if (lines_.empty()) return;
  read_flows(system, state, signals);
  look_for_inputs(residual, state, signals, inputs);
  find_forest();
  weigh_chambers(state);
}

void FlowRows::find_lines(const Topology& topology) {
  for (size_t b = 0; b < topology.batches.size(); ++b) {
    const ItemBatch& batch = topology.batches[b];
    const LineSlots* slots = slots_of_line(batch.type->info.name);
    if (slots == nullptr) continue;
    batches_.push_back(static_cast<int>(b));
    const size_t width = batch.slots.size() / static_cast<size_t>(batch.count);
    for (int item = 0; item < batch.count; ++item) {
      const auto offset = [&](int slot) {
        if (slot < 0) return -1;
        const int at = batch.slots[static_cast<size_t>(item) * width + static_cast<size_t>(slot)];
        return topology.slots[static_cast<size_t>(at)].offset;
      };
      Line line{};
      line.y = offset(slots->passed), line.from = offset(slots->from), line.to = offset(slots->to);
      line.memory = batch.first_history + item * batch.history;
      line.name = topology.item_names[static_cast<size_t>(batch.names[static_cast<size_t>(item)])];
      lines_.push_back(std::move(line));
    }
  }
}

template <class S>
std::vector<S> FlowRows::fresh(std::vector<S> history, const std::vector<S>& q) const {
  for (const Line& line : lines_) {
    S* past = history.data() + line.memory;
    std::fill_n(past, PassedGas::history, S(0.0));
    past[0] = without_derivative(q[static_cast<size_t>(line.y)]);
  }
  return history;
}

/// r(h) = W − W_n − h f, and its tangent −∂r/∂y.
void FlowRows::read_flows(System<double>& system, const State<double>& state, std::span<const SignalValue> signals) {
  Assembler<double>& assembler = system.assembler;
  std::vector<double> r(static_cast<size_t>(assembler.residual_size())), tangent(system.values.size());
  assembler.set_signals(signals);
  assembler.set_history(fresh(state.history, state.q), second);
  assembler.forces_of(batches_, state.t, state.q.data(), state.v.data(), r.data());
  assembler.tangent_of_batches(batches_, state.t, state.q.data(), state.v.data(), 0.0, tangent.data());
  system.look_back(state);
  std::map<int, Line*> at;
  for (Line& line : lines_) {
    line.passed = state.q[static_cast<size_t>(line.y)];
    line.flow = -r[static_cast<size_t>(line.y)] / second;
    at[line.y] = &line;
  }
  system.solver.layout().for_each_entry([&](int row, int column, std::ptrdiff_t index) {
    const auto found = at.find(row);
    const double value = tangent[static_cast<size_t>(index)] / second;
    if (found == at.end() || column == row || value == 0) return;
    found->second->by_pressure.emplace_back(column, value);
    found->second->changes = true;
  });
}

std::vector<Tangent> FlowRows::flows(DualResidual& residual, const State<Tangent>& state) const {
  Assembler<Tangent>& assembler = residual.assembler;
  std::vector<Tangent> r(static_cast<size_t>(assembler.residual_size())), out;
  assembler.set_history(fresh(state.history, state.q), second);
  assembler.forces_of(batches_, state.t, state.q.data(), state.v.data(), r.data());
  assembler.set_history(state.history, 0);
  for (const Line& line : lines_) {
    const auto y = static_cast<size_t>(line.y);
    out.push_back((Tangent(0.0, state.q[y].d) - r[y]) * Tangent(1 / second));
  }
  return out;
}

void FlowRows::look_for_inputs(DualResidual& residual, const State<double>& state, std::span<const SignalValue> signals,
                               const std::vector<std::vector<double>>& inputs) {
  const State<Tangent> still = unchanging(state);
  std::vector<Tangent> u, du, ddu;
  for (const SignalValue& s : signals) u.push_back(s.u), du.push_back(s.du), ddu.push_back(s.ddu);
  for (const std::vector<double>& input : inputs) {
    for (size_t i = 0; i < u.size(); ++i) u[i].d = input[i];
    residual.assembler.set_signals(u, du, ddu);
    const std::vector<Tangent> f = flows(residual, still);
    for (size_t k = 0; k < f.size(); ++k) lines_[k].changes = lines_[k].changes || f[k].d != 0;
  }
}

void FlowRows::find_forest() {
  struct Step {
    int to;
    size_t line;
    double sign;
  };
  std::map<int, std::vector<Step>> forest;
  // Lines of the forest from one end to the other, each with +1 where the way goes along it.
  const auto way = [&](int from, int to) {
    std::map<int, Step> back;  // by end: where the way to it comes from
    std::vector<int> open{from};
    for (size_t k = 0; k < open.size(); ++k)
      for (const Step& step : forest[open[k]])
        if (step.to != from && back.emplace(step.to, Step{open[k], step.line, step.sign}).second)
          open.push_back(step.to);
    std::vector<std::pair<size_t, double>> out;
    for (int at = to; at != from && back.contains(at); at = back.at(at).to)
      out.emplace_back(back.at(at).line, back.at(at).sign);
    return out;
  };
  for (size_t k = 0; k < lines_.size(); ++k) {
    Line& line = lines_[k];
    if (!line.changes) continue;
    const auto between = way(line.from, line.to);
    for (const auto& [t, sign] : between) lines_[t].members.emplace_back(static_cast<int>(k), sign);
    if (!between.empty()) continue;
    line.members.emplace_back(static_cast<int>(k), 1.0);
    forest[line.from].push_back({line.to, k, 1.0});
    forest[line.to].push_back({line.from, k, -1.0});
  }
}

void FlowRows::weigh_chambers(const State<double>& state) {
  std::map<int, double> gained;
  for (const Line& line : lines_) gained[line.from] -= line.flow, gained[line.to] += line.flow;
  for (const Line& line : lines_)
    for (const int end : {line.from, line.to}) {
      if (end < 0) continue;
      const double rate = std::fabs(gained[end] / state.q[static_cast<size_t>(end)]);
      if (rate > imbalance_) imbalance_ = rate, unbalanced_ = line.name;
    }
}

const FlowRows::Line* FlowRows::state_of(int y) const {
  const auto at = std::ranges::find(lines_, y, &Line::y);
  return at == lines_.end() || at->members.empty() ? nullptr : &*at;
}

bool FlowRows::is_state(int y) const { return state_of(y) != nullptr; }

double FlowRows::passed(int y) const {
  double sum = 0;
  for (const auto& [k, sign] : state_of(y)->members) sum += sign * lines_[static_cast<size_t>(k)].passed;
  return sum;
}

double FlowRows::rate(int y) const {
  double sum = 0;
  for (const auto& [k, sign] : state_of(y)->members) sum += sign * lines_[static_cast<size_t>(k)].flow;
  return sum;
}

void FlowRows::replace_tangents(std::vector<TangentEntry>& entries) const {
  if (lines_.empty()) return;
  std::erase_if(entries, [&](const TangentEntry& e) { return is_state(e.row); });
  for (const Line& line : lines_) {
    if (line.members.empty()) continue;
    std::map<int, double> stiffness;
    for (const auto& [k, sign] : line.members)
      for (const auto& [column, slope] : lines_[static_cast<size_t>(k)].by_pressure) stiffness[column] -= sign * slope;
    entries.push_back({line.y, line.y, 0, 1, 0});
    for (const auto& [column, value] : stiffness) entries.push_back({line.y, column, value, 0, 0});
  }
}

void FlowRows::replace_change(DualResidual& residual, const State<Tangent>& state,
                              Eigen::Ref<Eigen::VectorXd> change) const {
  if (lines_.empty()) return;
  const std::vector<Tangent> f = flows(residual, state);
  for (const Line& line : lines_) {
    if (line.members.empty()) continue;
    double sum = -state.v[static_cast<size_t>(line.y)].d;
    for (const auto& [k, sign] : line.members) sum += sign * f[static_cast<size_t>(k)].d;
    change[line.y] = sum;
  }
}

}  // namespace flexura

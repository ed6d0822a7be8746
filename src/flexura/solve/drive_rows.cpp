#include "flexura/solve/drive_rows.hpp"

#include <algorithm>
#include <cmath>

#include "flexura/load/drive.hpp"

namespace flexura {
namespace {

constexpr double rate_step = 1;  ///< [s]

bool has_idle(const ItemBatch& batch, const State<double>& state, std::span<const SignalValue> signals) {
  constexpr double rounding = 1e-9;
  const size_t width = batch.slots.size() / static_cast<size_t>(batch.count);
  for (size_t item = 0; item < static_cast<size_t>(batch.count); ++item) {
    const auto target = static_cast<size_t>(batch.slots[item * width + width - 1]);
    const size_t memory = static_cast<size_t>(batch.first_history) + item * static_cast<size_t>(batch.history);
    const double u = signals[target].u, nut = state.history[memory + 1];
    if (!(std::fabs(u - nut) <= rounding * std::max(std::fabs(u), 1e-3))) return true;
  }
  return false;
}

}  // namespace

bool is_limited_drive(std::string_view term) {
  return term == CoordinateDrive2d::name || term == CoordinateDrive3d::name || term == DriveTruss2d::name ||
         term == DriveTruss3d::name;
}

std::vector<IdleDrive> idle_drives(const Topology& topology, const State<double>& state,
                                   std::span<const SignalValue> signals) {
  std::vector<IdleDrive> out;
  for (const ItemBatch& batch : topology.batches) {
    if (!is_limited_drive(batch.type->info.name) || !has_idle(batch, state, signals)) continue;
    const size_t width = batch.slots.size() / static_cast<size_t>(batch.count);
    for (size_t item = 0; item < static_cast<size_t>(batch.count); ++item)
      out.push_back(
          {topology.item_names[static_cast<size_t>(batch.names[item])], batch.slots[item * width + width - 1]});
  }
  return out;
}

DriveRows::DriveRows(System<double>& system, const State<double>& state, std::span<const SignalValue> signals) {
  const Topology& topology = system.topology();
  for (size_t b = 0; b < topology.batches.size(); ++b)
    if (is_limited_drive(topology.batches[b].type->info.name) && !has_idle(topology.batches[b], state, signals))
      batches_.push_back(static_cast<int>(b));
  if (batches_.empty()) return;

  Assembler<double>& assembler = system.assembler;
  assembler.set_signals(signals);
  history_ = state.history;
  std::vector<double> here = state.history;  // x where it is
  assembler.begin_history(state.t, state.q.data(), here.data());
  for (const int b : batches_) {
    const ItemBatch& batch = topology.batches[static_cast<size_t>(b)];
    for (int item = 0; item < batch.count; ++item) {
      const auto memory = static_cast<size_t>(batch.first_history + item * batch.history);
      history_[memory] = here[memory];
    }
  }
  const auto tangent = [&](double h) {
    std::vector<double> values(system.values.size());
    assembler.set_history(history_, h);
    assembler.tangent_of_batches(batches_, state.t, state.q.data(), state.v.data(), 0.0, values.data());
    return values;
  };
  const std::vector<double> now = tangent(0), rest = tangent(forever), soon = tangent(rate_step);
  system.look_back(state);
  system.solver.layout().for_each_entry([&](int row, int column, std::ptrdiff_t at) {
    const auto k = static_cast<size_t>(at);
    const double stiffness = rest[k] - now[k], damping = (soon[k] - rest[k]) * rate_step;
    if (stiffness != 0 || damping != 0) entries_.push_back({row, column, stiffness, damping, 0});
  });
}

void DriveRows::add_tangents(std::vector<TangentEntry>& entries) const {
  entries.insert(entries.end(), entries_.begin(), entries_.end());
}

void DriveRows::add_change(DualResidual& residual, const State<Tangent>& state,
                           Eigen::Ref<Eigen::VectorXd> change) const {
  if (batches_.empty()) return;
  Assembler<Tangent>& assembler = residual.assembler;
  const std::vector<Tangent> history(history_.begin(), history_.end());
  std::vector<Tangent> q = state.q, r(static_cast<size_t>(assembler.residual_size()));
  const auto add = [&](double h, double factor) {
    assembler.set_history(history, h);
    assembler.forces_of(batches_, state.t, q.data(), state.v.data(), r.data());
    assembler.reduce(r.data());
    for (Eigen::Index i = 0; i < change.size(); ++i) change[i] += factor * r[static_cast<size_t>(i)].d;
  };
  add(forever, 1), add(0, -1);
  // Along the rates: the τ/h that the law has in a step of h.
  const std::vector<Tangent> u = assembler.signals(), du = assembler.signal_rates(),
                             ddu = assembler.signal_accelerations();
  std::vector<Tangent> along = u;
  for (size_t i = 0; i < u.size(); ++i) along[i].d = du[i].d;
  for (size_t i = 0; i < q.size(); ++i) q[i].d = state.v[i].d;
  assembler.set_signals(along, du, ddu);
  add(rate_step, rate_step), add(forever, -rate_step);
  assembler.set_signals(u, du, ddu);
  assembler.set_history(state.history, 0);
}

}  // namespace flexura

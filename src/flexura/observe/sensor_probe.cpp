#include "flexura/observe/sensor_probe.hpp"

#include <algorithm>
#include <set>

#include "flexura/solve/redundancy.hpp"

namespace flexura {

SensorProbe::SensorProbe(const Machine& machine, std::span<const SensorSpec> sensors, System<double>& system)
    : system_(system), violations_(machine), now_(machine, system.topology()) {
  const Topology& topology = system.topology();
  now_.assembler = &system.assembler;
  now_.violations = &violations_;
  now_.residual.assign(system.assembler.residual_size(), 0.0);
  now_.elastic = now_.momentum = now_.residual;
  if (topology.signal_set) now_.signals.resize(topology.signal_set->size());
  bool has_reactions = false;
  std::set<std::string> authors;
  for (const SensorSpec& spec : sensors) {
    const Quantity& quantity = *spec.quantity;
    BoundSensor& bound = sensors_.emplace_back(bind(quantity, spec, spec.choice, topology));
    if (quantity.needs & needs::violations)
      bound.rows = violations_.select(std::string(quantity.selection.choices[spec.choice].name), spec.part);
    needs_ |= quantity.needs;
    const auto is_constraint = [&](const JointReaction::ItemShare& share) {
      return share.item.exists() && topology.batches[share.item.batch].type->info.role == Role::constraint;
    };
    const bool of_constraint = std::any_of(spec.item_shares.begin(), spec.item_shares.end(), is_constraint);
    if (of_constraint) needs_ |= needs::multipliers;
    reads_reactions_.push_back(of_constraint || (quantity.needs & (needs::residual | needs::multipliers)) != 0);
    has_reactions |= !spec.shares.empty() || !spec.ties.empty();
    if (!spec.author.empty()) authors.insert(spec.author);
    now_.make_room(spec);
  }
  if (!has_reactions) return;
  relations_ = std::make_unique<RelationForces>(machine, topology, now_.residual.size(), authors);
  now_.relations = relations_.get();
}

void SensorProbe::prepare(const State<double>& state, bool inertia, const Energies& energies, unsigned needed) {
  now_.state = (needed & needs::multipliers) ? &shared(state) : &state;
  now_.energies = energies;
  Assembler<double>& assembler = system_.assembler;
  system_.look_back(state);
  if (needed & needs::residual) {
    double* residual = now_.residual.data();
    assembler.residual(state.t, now_.state->q.data(), state.v.data(), residual);
    if (inertia) {
      assembler.subtract_mass_times(state.a.data(), 1.0, residual);
      assembler.subtract_damping(state.v.data(), residual);
    }
    if (relations_) relations_->find(now_.residual);
  }
  if (needed & needs::elastic)
    assembler.forces_of(Role::conservative, state.t, state.q.data(), state.v.data(), now_.elastic.data());
  if ((needed & needs::signals) && system_.topology().signal_set)
    system_.topology().signal_set->values(state.t, state.lags, now_.signals);
  if (needed & needs::violations) violations_.update(system_, state);
}

/// Looked for once: where it comes and goes, at singular positions, a solver shares as it likes.
bool SensorProbe::has_redundant(const State<double>& state) {
  if (!redundant_) {
    if (violations_.has_rows()) constraints_ = std::make_unique<Constraints>(system_);
    redundant_ =
        constraints_ && constraints_->count() > 0 && constraints_->factor(state) && !constraints_->redundant().empty();
    if (!*redundant_) constraints_.reset(), needs_ &= ~unsigned{needs::multipliers};
  }
  return *redundant_;
}

const State<double>& SensorProbe::shared(const State<double>& state) {
  if (!has_redundant(state)) return state;
  const std::vector<double> lambda = minimum_norm_multipliers(*constraints_, system_.topology(), state);
  if (&state != &least_) least_ = state;
  for (int row : constraints_->rows()) least_.q[row] = lambda[row];
  return least_;
}

void SensorProbe::read(int index, std::span<double> out, std::span<const double> last) const {
  std::fill(out.begin(), out.end(), 0.0);
  const BoundSensor& sensor = sensors_[index];
  now_.forget();
  if (out.size() == static_cast<size_t>(sensor.size)) sensor.quantity->read(now_, sensor, out, last);
}

}  // namespace flexura

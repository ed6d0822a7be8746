#include "flexura/output/sensor_probe.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include "flexura/element/ancf_cable_2d.hpp"
#include "flexura/math/triple.hpp"
#include "flexura/output/body_motion.hpp"
#include "flexura/solve/redundancy.hpp"

namespace flexura {
namespace {

using Vector = Triple;

std::pair<int, int> find_item(const Topology& topology, const std::string& name) {
  for (size_t b = 0; b < topology.batches.size(); ++b)
    for (int i = 0; i < topology.batches[b].count; ++i)
      if (topology.item_names[topology.batches[b].names[i]] == name) return {static_cast<int>(b), i};
  return {-1, -1};
}

Vector load(const double* x, int dim) { return {x[0], x[1], dim == 3 ? x[2] : 0.0}; }

/// x × f, added to a moment: all of it, or its part out of the plane.
void add_moment(const Vector& x, const Vector& f, double factor, std::span<double> out) {
  const double z = x[0] * f[1] - x[1] * f[0];
  if (out.size() == 1) {
    out[0] += factor * z;
    return;
  }
  out[0] += factor * (x[1] * f[2] - x[2] * f[1]);
  out[1] += factor * (x[2] * f[0] - x[0] * f[2]);
  out[2] += factor * z;
}

}  // namespace

enum class SensorShape { scalar, vector, turning, frame, multipliers, violation, wall };

struct SensorProbe::Reading {
  std::string_view type;
  SensorShape shape;
  decltype(Sensor::read) read;
  bool needs_forces = false;
};

const SensorProbe::Reading SensorProbe::readings[] = {
    {"position", SensorShape::vector, &SensorProbe::read_place<&State<double>::q>},
    {"velocity", SensorShape::vector, &SensorProbe::read_place<&State<double>::v>},
    {"acceleration", SensorShape::vector, &SensorProbe::read_place<&State<double>::a>},
    {"direction", SensorShape::vector, &SensorProbe::read_direction},
    {"angle", SensorShape::scalar, &SensorProbe::read_angle},
    {"displacement", SensorShape::scalar, &SensorProbe::read_coordinate},
    {"frame", SensorShape::frame, &SensorProbe::read_body},
    {"angular_velocity", SensorShape::turning, &SensorProbe::read_turning<&State<double>::v>},
    {"angular_acceleration", SensorShape::turning, &SensorProbe::read_turning<&State<double>::a>},
    {"axial_force", SensorShape::scalar, &SensorProbe::read_inside},
    {"curvature", SensorShape::scalar, &SensorProbe::read_inside},
    {"moment", SensorShape::scalar, &SensorProbe::read_inside},
    {"membrane_force", SensorShape::wall, &SensorProbe::read_wall},
    {"bending_moment", SensorShape::wall, &SensorProbe::read_wall},
    {"membrane_strain", SensorShape::wall, &SensorProbe::read_wall},
    {"curvature_change", SensorShape::wall, &SensorProbe::read_wall},
    {"strain", SensorShape::wall, &SensorProbe::read_wall},
    {"stress", SensorShape::wall, &SensorProbe::read_wall},
    {"von_mises", SensorShape::scalar, &SensorProbe::read_wall},
    {"distance", SensorShape::scalar, &SensorProbe::read_distance},
    {"node_elastic_moment", SensorShape::scalar, &SensorProbe::read_elastic, true},
    {"node_elastic_force_norm", SensorShape::scalar, &SensorProbe::read_elastic, true},
    {"reaction", SensorShape::vector, &SensorProbe::read_reaction, true},
    {"reaction_moment", SensorShape::turning, &SensorProbe::read_reaction_moment, true},
    {"multiplier", SensorShape::multipliers, &SensorProbe::read_multipliers, true},
    {"constraint_violation", SensorShape::violation, &SensorProbe::read_violation, true},
    {"energy", SensorShape::scalar, &SensorProbe::read_energy, true},
    {"momentum", SensorShape::vector, &SensorProbe::read_momentum},
    {"angular_momentum", SensorShape::turning, &SensorProbe::read_angular_momentum},
    {"signal", SensorShape::scalar, &SensorProbe::read_signal, true}};

std::vector<ChannelColumn> SensorProbe::columns(const SensorSpec& s, int dim) {
  const auto* reading =
      std::find_if(std::begin(readings), std::end(readings), [&](const auto& r) { return r.type == s.type; });
  switch (reading == std::end(readings) ? SensorShape::scalar : reading->shape) {
    case SensorShape::vector:
      return {vector_column(dim, s.type, s.unit, s.doc)};
    case SensorShape::turning:
      if (dim == 3) return {vector_column(dim, s.type, s.unit, s.doc)};
      break;
    case SensorShape::frame:
      return frame_columns(dim, s.doc);
    case SensorShape::multipliers:
      return {{s.type, {s.multipliers.size()}, s.unit, s.doc}};
    case SensorShape::violation:
      return {{"position", {}, "1", "largest |Phi|, in its own unit"}, {"rate", {}, "1/s", "largest |dPhi/dt|"}};
    case SensorShape::wall:
      return {{s.type, {3}, s.unit, s.doc, "wall", {"11", "22", "12"}}};
    default:
      break;
  }
  return {{s.type, {}, s.unit, s.doc}};
}

int SensorProbe::size(const SensorSpec& sensor, int dim) {
  int size = 0;
  for (const ChannelColumn& column : columns(sensor, dim)) size += static_cast<int>(column.size());
  return size;
}

SensorProbe::SensorProbe(const SceneModel& scene, System<double>& system)
    : scene_(scene), system_(system), violations_(scene) {
  const Topology& topology = system.topology();
  residual_.assign(system.assembler.residual_size(), 0.0);
  elastic_ = residual_;
  int most = 0;
  for (const SensorSpec& spec : scene.sensors) {
    Sensor sensor;
    sensor.spec = &spec;
    sensor.size = size(spec, topology.dim);
    for (const Reading& r : readings)
      if (r.type == spec.type) sensor.read = r.read, sensor.needs_forces = r.needs_forces;
    needs_elastic_ |= sensor.read == &SensorProbe::read_elastic;
    needs_residual_ |= sensor.read == &SensorProbe::read_reaction || sensor.read == &SensorProbe::read_reaction_moment;
    needs_multipliers_ |= spec.type == "multiplier" || spec.type.starts_with("reaction");
    needs_signals_ |= sensor.read == &SensorProbe::read_signal;
    if (sensor.read == &SensorProbe::read_inside && spec.cable >= 0)
      sensor.items.push_back(find_item(topology, scene.cables[spec.cable].elements[spec.element].name));
    if (sensor.read == &SensorProbe::read_wall)
      for (const SensorSpec::WallPlace& at : spec.wall)
        sensor.items.push_back(find_item(topology, scene.plates[spec.plate].model.elements[at.element].name));
    for (const SensorSpec::ItemShare& share : spec.item_shares) {
      sensor.items.push_back(find_item(topology, share.item));
      const int batch = sensor.items.back().first;
      if (batch >= 0) most = std::max(most, topology.batches[batch].type->info.dofs());
    }
    sensor.probe = spec.type == "axial_force" ? 0 : spec.type == "curvature" ? 1 : 2;
    if (sensor.read == &SensorProbe::read_violation) sensor.rows = violations_.select(spec.of, spec.part);
    sensors_.push_back(std::move(sensor));
  }
  local_.assign(most, 0.0);
  for (const SensorSpec& spec : scene.sensors)
    if (spec.carried && definitions_.empty()) order_definitions();
  carried_ = residual_;
  if (topology.signal_set) signals_.resize(topology.signal_set->size());
}

/// Topological order: whatever hangs on a slot comes before it.
void SensorProbe::order_definitions() {
  std::map<int, const SlotDefinition*> of;
  for (const SlotDefinition& definition : scene_.definitions) of[definition.slot] = &definition;
  std::set<int> seen;
  const auto visit = [&](auto&& self, int slot) -> void {
    const auto found = of.find(slot);
    if (found == of.end() || !seen.insert(slot).second) return;
    for (const LinearTerm& term : found->second->terms) self(self, term.slot);
    definitions_.push_back(found->second);
  };
  for (const SlotDefinition& definition : scene_.definitions) visit(visit, definition.slot);
  std::reverse(definitions_.begin(), definitions_.end());
}

void SensorProbe::carry_residual() {
  std::copy(residual_.begin(), residual_.end(), carried_.begin());
  const Topology& topology = system_.topology();
  for (const SlotDefinition* definition : definitions_) {
    const Slot& from = topology.slots[definition->slot];
    for (const LinearTerm& term : definition->terms) {
      const Slot& to = topology.slots[term.slot];
      for (int i = 0; i < from.size; ++i)
        for (int j = 0; j < to.size; ++j)
          carried_[to.offset + j] += term.matrix[i * to.size + j] * carried_[from.offset + i];
    }
  }
}

void SensorProbe::update(const State<double>& state, bool inertia, const Energies& energies) {
  state_ = &state;
  energies_ = energies;
  if (needs_multipliers_ && violations_.has_rows()) share_redundant(state);
  const State<double>& with_least = *state_;
  Assembler<double>& assembler = system_.assembler;
  system_.look_back(state);
  if (needs_residual_) {
    assembler.residual(state.t, with_least.q.data(), state.v.data(), residual_.data());
    if (inertia) {
      assembler.subtract_mass_times(state.a.data(), 1.0, residual_.data());
      assembler.subtract_damping(state.v.data(), residual_.data());
    }
    carry_residual();
  }
  if (needs_elastic_) assembler.forces_of(Role::conservative, state.t, state.q.data(), state.v.data(), elastic_.data());
  if (needs_signals_ && system_.topology().signal_set)
    system_.topology().signal_set->values(state.t, state.lags, signals_);
  violations_.update(system_, state);
}

/// Redundancy is looked for once: where it comes and goes, at singular positions, a solver shares as it likes.
void SensorProbe::share_redundant(const State<double>& state) {
  if (!constraints_) {
    constraints_ = std::make_unique<Constraints>(system_);
    needs_multipliers_ = constraints_->count() > 0 && constraints_->factor(state) && !constraints_->redundant().empty();
    if (!needs_multipliers_) return;
  }
  const std::vector<double> lambda = minimum_norm_multipliers(*constraints_, system_.topology(), state);
  least_ = state;
  for (int row : constraints_->rows()) least_.q[row] = lambda[row];
  state_ = &least_;
}

void SensorProbe::read(int index, std::span<double> out, std::span<const double> last) const {
  std::fill(out.begin(), out.end(), 0.0);
  const Sensor& sensor = sensors_[index];
  if (sensor.read != nullptr && out.size() == static_cast<size_t>(sensor.size)) (this->*sensor.read)(sensor, out, last);
}

const double* SensorProbe::at(int slot) const { return &state_->q[system_.topology().slots[slot].offset]; }

/// Position (or its derivative by x) of a place: a node's slot, or interpolated inside an element.
void SensorProbe::at_place(const SensorSpec& s, const std::vector<double>& from, bool gradient, double* out) const {
  const Topology& topology = system_.topology();
  const int slot = gradient ? s.vector : s.point;
  if (slot >= 0) {
    std::copy_n(from.begin() + topology.slots[slot].offset, topology.dim, out);
    return;
  }
  if (s.cable < 0) return;
  const ElementRef& element = scene_.cables[s.cable].elements[s.element];
  const double l = element.length;
  std::array<double, 4> c{};
  if (gradient) {
    const AncfCable2d::Shape shape = AncfCable2d::shape(s.xi);
    c = {-shape.f[0] / l, shape.f[1], shape.f[0] / l, shape.f[2]};
  } else {
    c = AncfCable2d::position_shape(s.xi);
    c[1] *= l;
    c[3] *= l;
  }
  for (int i = 0; i < topology.dim; ++i) {
    out[i] = 0;
    for (int a = 0; a < 4; ++a) out[i] += c[a] * from[topology.slots[element.slots[a]].offset + i];
  }
}

template <std::vector<double> State<double>::* From>
void SensorProbe::read_place(const Sensor& s, std::span<double> out, std::span<const double>) const {
  at_place(*s.spec, state_->*From, false, out.data());
}

void SensorProbe::read_direction(const Sensor& s, std::span<double> out, std::span<const double>) const {
  if (s.spec->plate >= 0) {
    plate_direction(*s.spec, out);
  } else {
    at_place(*s.spec, state_->q, true, out.data());
  }
  double size = 0;
  for (double x : out) size += x * x;
  size = std::sqrt(size);
  for (double& x : out) x /= size > 0 ? size : 1;
}

void SensorProbe::read_angle(const Sensor& s, std::span<double> out, std::span<const double> last) const {
  if (s.spec->coordinate >= 0) return read_coordinate(s, out, last);
  double g[3] = {1, 0, 0};
  at_place(*s.spec, state_->q, true, g);
  out[0] = unwrapped(std::atan2(g[1], g[0]), last[0]);
}

void SensorProbe::read_coordinate(const Sensor& s, std::span<double> out, std::span<const double>) const {
  if (s.spec->coordinate >= 0) out[0] = *at(s.spec->coordinate);
}

void SensorProbe::read_body(const Sensor& s, std::span<double> out, std::span<const double> last) const {
  if (s.spec->body >= 0) read_frame(scene_.bodies[s.spec->body], system_.topology(), state_->q, out, last);
}

template <std::vector<double> State<double>::* Rates>
void SensorProbe::read_turning(const Sensor& s, std::span<double> out, std::span<const double>) const {
  if (s.spec->body < 0) return;
  const BodyPart& body = scene_.bodies[s.spec->body];
  const Topology& topology = system_.topology();
  const Vector w = turning(body, body_frame(body, topology, state_->q), body_frame(body, topology, state_->*Rates));
  std::copy_n(w.begin() + (out.size() == 1 ? 2 : 0), out.size(), out.begin());
}

void SensorProbe::read_inside(const Sensor& s, std::span<double> out, std::span<const double>) const {
  if (s.items.empty() || s.items[0].first < 0) return;
  const auto [batch, item] = s.items[0];
  double values[most_probes] = {};
  system_.assembler.batches()[batch]->probe(item, input(), s.spec->xi, 0, values);
  out[0] = values[s.probe];
}

void SensorProbe::read_distance(const Sensor& s, std::span<double> out, std::span<const double>) const {
  const int dim = system_.topology().dim;
  out[0] = norm(load(at(s.spec->ends[1]), dim) - load(at(s.spec->ends[0]), dim));
}

void SensorProbe::read_elastic(const Sensor& s, std::span<double> out, std::span<const double>) const {
  const int offset = system_.topology().slots[s.spec->vector].offset;
  const double Q[2] = {-elastic_[offset], -elastic_[offset + 1]};
  out[0] = s.spec->type == "node_elastic_moment" ? state_->q[offset] * Q[1] - state_->q[offset + 1] * Q[0]
                                                 : std::hypot(Q[0], Q[1]);
}

/// add(kind, slot, force): of each item share, the force of the item on its slot, with the share's sign.
void SensorProbe::for_item_shares(const Sensor& s, auto&& add) const {
  const Topology& topology = system_.topology();
  for (size_t k = 0; k < s.spec->item_shares.size(); ++k) {
    const SensorSpec::ItemShare& share = s.spec->item_shares[k];
    const auto [batch, item] = s.items[k];
    if (batch < 0) continue;
    const ItemBatch& items = topology.batches[batch];
    const std::vector<SlotKind>& kinds = items.type->info.slots;
    system_.assembler.batches()[batch]->item_force(item, input(), local_.data());
    int offset = 0;
    for (int a = 0; a < share.slot; ++a) offset += slot_size(kinds[a], topology.dim);
    Vector force = load(&local_[offset], topology.dim);
    for (double& x : force) x *= share.sign;
    add(kinds[share.slot], items.slots[item * static_cast<int>(kinds.size()) + share.slot], force);
  }
}

void SensorProbe::read_reaction(const Sensor& s, std::span<double> out, std::span<const double>) const {
  const SensorSpec& spec = *s.spec;
  const Topology& topology = system_.topology();
  const int dim = topology.dim;
  if (spec.multiplier >= 0) {  // tension pulls the second end towards the first
    const double tension = *at(spec.multiplier);
    double length = 0, d[3];
    for (int i = 0; i < dim; ++i) {
      d[i] = at(spec.ends[1])[i] - at(spec.ends[0])[i];
      length += d[i] * d[i];
    }
    for (int i = 0; i < dim; ++i) out[i] = -tension * d[i] / std::sqrt(length);
  }
  const std::vector<double>& residual = spec.carried ? carried_ : residual_;
  for (const SensorSpec::Share& share : spec.shares)
    if (share.point >= 0)
      for (int i = 0; i < dim; ++i) out[i] += spec.sign * -residual[topology.slots[share.point].offset + i];
  for_item_shares(s, [&](SlotKind kind, int, const Vector& force) {
    if (kind != SlotKind::point) return;
    for (int i = 0; i < dim; ++i) out[i] += force[i];
  });
}

void SensorProbe::read_reaction_moment(const Sensor& s, std::span<double> out, std::span<const double>) const {
  const SensorSpec& spec = *s.spec;
  const Topology& topology = system_.topology();
  const int dim = topology.dim;
  const Vector about = spec.point >= 0 ? load(at(spec.point), dim) : Vector{};
  const auto add = [&](SlotKind kind, int slot, const Vector& force, double factor) {
    Vector x = load(at(slot), dim);
    if (kind == SlotKind::point) {
      if (spec.point < 0) return;
      for (int i = 0; i < 3; ++i) x[i] -= about[i];
    }
    add_moment(x, force, factor, out);
  };
  const std::vector<double>& residual = spec.carried ? carried_ : residual_;
  for (const SensorSpec::Share& share : spec.shares)
    for (const int slot : {share.point, share.vector})
      if (slot >= 0)
        add(topology.slots[slot].kind, slot, load(&residual[topology.slots[slot].offset], dim), -spec.sign);
  for_item_shares(s, [&](SlotKind kind, int slot, const Vector& force) {
    if (kind == SlotKind::point || kind == SlotKind::vector) add(kind, slot, force, 1.0);
  });
}

void SensorProbe::read_multipliers(const Sensor& s, std::span<double> out, std::span<const double>) const {
  for (size_t k = 0; k < s.spec->multipliers.size(); ++k)
    if (s.spec->multipliers[k] >= 0) out[k] = *at(s.spec->multipliers[k]);
}

void SensorProbe::read_violation(const Sensor& s, std::span<double> out, std::span<const double>) const {
  out[0] = violations_.position(s.rows);
  out[1] = violations_.rate(s.rows);
}

void SensorProbe::read_energy(const Sensor& s, std::span<double> out, std::span<const double>) const {
  const Energies& e = energies_;
  const std::string& of = s.spec->of;
  out[0] = of == "kinetic"      ? e.kinetic
           : of == "strain"     ? e.strain
           : of == "gravity"    ? e.gravity
           : of == "dissipated" ? e.dissipated
           : of == "work"       ? e.work
                                : e.kinetic + e.strain + e.gravity;
}

/// add(slot, p): of each slot of points or vectors, what of M v belongs to it.
void SensorProbe::for_momenta(auto&& add) const {
  momentum_.assign(residual_.size(), 0.0);
  system_.assembler.subtract_mass_times(state_->v.data(), -1.0, momentum_.data());
  const Topology& topology = system_.topology();
  for (const Slot& slot : topology.slots)
    if (slot.kind == SlotKind::point || slot.kind == SlotKind::vector)
      add(slot, load(&momentum_[slot.offset], topology.dim));
}

/// A translation moves points and leaves vectors.
void SensorProbe::read_momentum(const Sensor&, std::span<double> out, std::span<const double>) const {
  for_momenta([&](const Slot& slot, const Vector& p) {
    for (size_t i = 0; i < out.size() && slot.kind == SlotKind::point; ++i) out[i] += p[i];
  });
}

/// A rotation about the origin turns points and vectors alike.
void SensorProbe::read_angular_momentum(const Sensor&, std::span<double> out, std::span<const double>) const {
  for_momenta([&](const Slot& slot, const Vector& p) {
    add_moment(load(&state_->q[slot.offset], system_.topology().dim), p, 1.0, out);
  });
}

void SensorProbe::read_signal(const Sensor& s, std::span<double> out, std::span<const double>) const {
  if (s.spec->signal >= 0 && !signals_.empty()) out[0] = signals_[s.spec->signal].u;
}

}  // namespace flexura

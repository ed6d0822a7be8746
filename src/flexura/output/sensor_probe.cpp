#include "flexura/output/sensor_probe.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "flexura/element/ancf_cable_2d.hpp"

namespace flexura {
namespace {

bool is_vector(const std::string& type) {
  return type == "position" || type == "velocity" || type == "acceleration" || type == "direction" ||
         type == "reaction";
}
int probe_index(const std::string& type) { return type == "axial_force" ? 0 : type == "curvature" ? 1 : 2; }

std::pair<int, int> find_item(const Topology& topology, const std::string& name) {
  for (size_t b = 0; b < topology.batches.size(); ++b)
    for (int i = 0; i < topology.batches[b].count; ++i)
      if (topology.item_names[topology.batches[b].names[i]] == name) return {static_cast<int>(b), i};
  return {-1, -1};
}

}  // namespace

SensorProbe::SensorProbe(const SceneModel& scene, System<double>& system) : scene_(scene), system_(system) {
  const int dim = system.topology().dim;
  residual_.assign(system.assembler.residual_size(), 0.0);
  elastic_ = residual_;
  for (const SensorSpec& s : scene.sensors) {
    sizes_.push_back(is_vector(s.type) ? dim : 1);
    needs_elastic_ |= s.type.starts_with("node_elastic");
    const bool inside = s.type == "axial_force" || s.type == "curvature" || s.type == "moment";
    items_.push_back(inside && s.cable >= 0
                         ? find_item(system.topology(), scene.cables[s.cable].elements[s.element].name)
                         : std::pair(-1, -1));
  }
}

std::vector<std::string> SensorProbe::components(int index) const {
  if (sizes_[index] == 1) return {};
  return sizes_[index] == 2 ? std::vector<std::string>{"x", "y"} : std::vector<std::string>{"x", "y", "z"};
}

void SensorProbe::update(const State<double>& state, bool inertia, const Energies& energies) {
  state_ = &state;
  energies_ = energies;
  system_.assembler.residual(state.t, state.q.data(), state.v.data(), residual_.data());
  if (inertia) {
    system_.assembler.subtract_mass_times(state.a.data(), 1.0, residual_.data());
    system_.assembler.subtract_damping(state.v.data(), residual_.data());
  }
  if (needs_elastic_)
    system_.assembler.forces_of(Role::conservative, state.t, state.q.data(), state.v.data(), elastic_.data());
}

double SensorProbe::violation() const {
  double worst = 0;
  for (const Slot& slot : system_.topology().slots)
    if (slot.multiplier) worst = std::max(worst, std::fabs(residual_[slot.offset]));
  return worst;
}

/// Position (or its derivative by x) of a place: a node's slot, or interpolated inside an element.
void SensorProbe::at_place(const SensorSpec& s, const std::vector<double>& from, bool gradient, double* out) const {
  const Topology& topology = system_.topology();
  const int slot = gradient ? s.vector : s.point;
  if (slot >= 0) {
    std::copy_n(from.begin() + topology.slots[slot].offset, topology.dim, out);
    return;
  }
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

double SensorProbe::probe(const SensorSpec& s, int which) const {
  const auto [batch, item] = items_[&s - scene_.sensors.data()];
  double values[3] = {0, 0, 0};
  if (batch >= 0) system_.assembler.batches()[batch]->probe(item, state_->q.data(), s.xi, values);
  return values[which];
}

void SensorProbe::read(int index, std::span<double> out, std::vector<double>& turns) const {
  const SensorSpec& s = scene_.sensors[index];
  const Topology& topology = system_.topology();
  const int dim = topology.dim;
  const auto force = [&](int slot, int i) { return -residual_[topology.slots[slot].offset + i]; };
  std::fill(out.begin(), out.end(), 0.0);
  if (s.type == "position") {
    at_place(s, state_->q, false, out.data());
  } else if (s.type == "velocity") {
    at_place(s, state_->v, false, out.data());
  } else if (s.type == "acceleration") {
    at_place(s, state_->a, false, out.data());
  } else if (s.type == "direction") {
    at_place(s, state_->q, true, out.data());
    double size = 0;
    for (double x : out) size += x * x;
    size = std::sqrt(size);
    for (double& x : out) x /= size > 0 ? size : 1;
  } else if (s.type == "angle") {
    double g[3];
    at_place(s, state_->q, true, g);
    const double wrapped = std::atan2(g[1], g[0]);
    const double turn = 2 * std::numbers::pi;
    out[0] = wrapped + turn * std::round((turns[index] - wrapped) / turn);
    turns[index] = out[0];
  } else if (s.type == "axial_force" || s.type == "curvature" || s.type == "moment") {
    out[0] = probe(s, probe_index(s.type));
  } else if (s.type == "node_elastic_moment" || s.type == "node_elastic_force_norm") {
    const int at = topology.slots[s.vector].offset;
    const double Q[2] = {-elastic_[at], -elastic_[at + 1]};
    out[0] = s.type == "node_elastic_moment" ? state_->q[at] * Q[1] - state_->q[at + 1] * Q[0] : std::hypot(Q[0], Q[1]);
  } else if (s.type == "reaction") {
    if (s.multiplier >= 0) {  // tension pulls the second end towards the first
      const double tension = state_->q[topology.slots[s.multiplier].offset];
      double length = 0, d[3];
      for (int i = 0; i < dim; ++i) {
        d[i] = state_->q[topology.slots[s.ends[1]].offset + i] - state_->q[topology.slots[s.ends[0]].offset + i];
        length += d[i] * d[i];
      }
      for (int i = 0; i < dim; ++i) out[i] = -tension * d[i] / std::sqrt(length);
    }
    for (const SensorSpec::Share& share : s.shares)
      if (share.point >= 0)
        for (int i = 0; i < dim; ++i) out[i] += s.sign * force(share.point, i);
  } else if (s.type == "reaction_moment") {
    for (const SensorSpec::Share& share : s.shares) {
      if (share.point >= 0 && s.point >= 0) {
        double r[2];
        for (int i = 0; i < 2; ++i)
          r[i] = state_->q[topology.slots[share.point].offset + i] - state_->q[topology.slots[s.point].offset + i];
        out[0] += s.sign * (r[0] * force(share.point, 1) - r[1] * force(share.point, 0));
      }
      if (share.vector >= 0) {
        const double* g = &state_->q[topology.slots[share.vector].offset];
        out[0] += s.sign * (g[0] * force(share.vector, 1) - g[1] * force(share.vector, 0));
      }
    }
  } else if (s.type == "energy") {
    const Energies& e = energies_;
    out[0] = s.of == "kinetic"      ? e.kinetic
             : s.of == "strain"     ? e.strain
             : s.of == "gravity"    ? e.gravity
             : s.of == "dissipated" ? e.dissipated
             : s.of == "work"       ? e.work
                                    : e.kinetic + e.strain + e.gravity;
  } else if (s.type == "signal") {
    for (size_t k = 0; k < topology.signals.size(); ++k)
      if (topology.signals[k].signal == s.signal) out[0] = system_.assembler.signals()[k];
    if (topology.signal_set && s.signal >= 0) {
      std::vector<SignalValue> values(topology.signal_set->size());
      topology.signal_set->values(state_->t, state_->lags, values);
      out[0] = values[s.signal].u;
    }
  }
}

}  // namespace flexura

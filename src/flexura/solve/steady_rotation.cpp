#include "flexura/solve/steady_rotation.hpp"

#include <Eigen/Core>
#include <cmath>

#include "flexura/math/singular_values.hpp"

namespace flexura {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double same_motion = 1e-6;  ///< of the kinetic energy: what a settled spin may differ from a rotation

/// Mass of each slot's own coordinates: the row sum of M is of no use for vectors, its diagonal is.
std::vector<double> weights(System<double>& system) {
  const Topology& t = system.topology();
  std::vector<double> values(system.values.size()), diagonal(t.ny), all(t.nq, 0.0);
  system.assembler.mass_matrix(values.data());
  system.solver.diagonal(values, std::span<double>(diagonal));
  std::copy(diagonal.begin(), diagonal.begin() + t.ncoord, all.begin());
  return all;
}

bool moves(const Topology& t, const Slot& slot) { return !slot.multiplier && slot.size == t.dim; }

/// Ω × x for unit Ω about axis k.
void column(int dim, int axis, const double* x, double* out) {
  if (dim == 2) {
    out[0] = -x[1], out[1] = x[0];
    return;
  }
  const int a = (axis + 1) % 3, b = (axis + 2) % 3;
  out[axis] = 0, out[a] = -x[b], out[b] = x[a];
}

/// Whether relations between slots turn with the whole: T Ω̂ y = Ω̂ T y for any y. Names a slot where they do not.
std::string tied_slot(System<double>& system, const SteadyRotation& rotation) {
  const Topology& t = system.topology();
  std::vector<double> q(t.nq, 0.0), base(t.nq, 0.0), zero(t.nq, 0.0), y(t.nq, 0.0), turned_y(t.nq, 0.0);
  system.assembler.expand(q.data(), base.data(), zero.data());  // what signals do
  unsigned seed = 1;
  for (const Slot& slot : t.slots) {
    if (slot.dependent >= 0) continue;
    for (int i = 0; i < slot.size; ++i) {
      seed = seed * 1664525u + 1013904223u;
      y[slot.offset + i] = slot.multiplier ? 0.0 : 0.5 + seed * 0x1p-33;
    }
  }
  for (const Slot& slot : t.slots) {
    if (slot.dependent >= 0 || !moves(t, slot)) continue;
    const auto r = turned(rotation, &y[slot.offset], t.dim);
    std::copy(r.begin(), r.begin() + t.dim, turned_y.begin() + slot.offset);
  }
  std::fill(q.begin(), q.end(), 0.0);
  system.assembler.expand(q.data(), y.data(), zero.data());
  system.assembler.expand(q.data(), turned_y.data(), zero.data());
  for (size_t k = 0; k < t.slots.size(); ++k) {
    const Slot& slot = t.slots[k];
    if (slot.dependent < 0 || slot.size != t.dim) continue;
    double own[3] = {}, size = 0;
    for (int i = 0; i < t.dim; ++i) own[i] = y[slot.offset + i] - base[slot.offset + i], size += std::fabs(own[i]);
    const auto r = turned(rotation, own, t.dim);
    for (int i = 0; i < t.dim; ++i)
      if (!(std::fabs(turned_y[slot.offset + i] - base[slot.offset + i] - r[i]) <= 1e-9 * rotation.rate * size))
        return t.slot_names[k];
  }
  return {};
}

/// Largest missing force when everything is accelerated by Ω̂ v, over the largest that acts. Loads that turn with the
/// whole, springs and multipliers balance it; a weight across the axis or a motor does not.
double imbalance(System<double>& system, const State<double>& state, const SteadyRotation& rotation) {
  const Topology& t = system.topology();
  Assembler<double>& assembler = system.assembler;
  std::vector<double> q = state.q, v = state.v, a(t.nq, 0.0), r(assembler.residual_size()), inertia(t.nq, 0.0),
                      drag(t.nq, 0.0);
  for (const Slot& slot : t.slots) {
    if (!moves(t, slot)) continue;
    const auto c = turned(rotation, &v[slot.offset], t.dim);
    std::copy(c.begin(), c.begin() + t.dim, a.begin() + slot.offset);
  }
  assembler.residual(state.t, q.data(), v.data(), r.data());
  assembler.add_inertia(a.data(), v.data(), inertia.data(), drag.data(), r.data());
  assembler.reduce(r.data());
  assembler.reduce(inertia.data());
  double missing = 0, acting = 0;
  for (int i = 0; i < t.ncoord; ++i) {
    missing = std::max(missing, std::fabs(r[i]));
    acting = std::max(acting, std::fabs(inertia[i]));
  }
  return acting > 0 ? missing / acting : 0;
}

}  // namespace

std::array<double, 3> turned(const SteadyRotation& rotation, const double* in, int dim) {
  const auto& w = rotation.spin;
  if (dim == 2) return {-w[2] * in[1], w[2] * in[0], 0};
  return {w[1] * in[2] - w[2] * in[1], w[2] * in[0] - w[0] * in[2], w[0] * in[1] - w[1] * in[0]};
}

SteadyRotation find_rotation(System<double>& system, const State<double>& state) {
  const Topology& t = system.topology();
  SteadyRotation out;
  const std::vector<double> mass = weights(system);
  const int axes = t.dim == 2 ? 1 : 3, unknowns = axes + t.dim;
  MatrixXd normal = MatrixXd::Zero(unknowns, unknowns);
  VectorXd right = VectorXd::Zero(unknowns);
  const auto rows = [&](const Slot& slot, auto use) {
    for (int i = 0; i < t.dim; ++i) {
      VectorXd row = VectorXd::Zero(unknowns);
      for (int k = 0; k < axes; ++k) {
        double c[3];
        column(t.dim, k, &state.q[slot.offset], c);
        row[k] = c[i];
      }
      if (slot.kind == SlotKind::point) row[axes + i] = 1;
      use(slot.offset + i, row);
    }
  };
  double energy = 0, heaviest = 0;
  for (double m : mass) heaviest = std::max(heaviest, m);
  // Of what depends on others or stands: it decides where masses leave the axis open.
  const double weak = 1e-9 * heaviest;
  for (const Slot& slot : t.slots) {
    if (!moves(t, slot)) continue;
    rows(slot, [&](int at, const VectorXd& row) {
      const double weight = slot.dependent >= 0 ? weak : mass[at];
      normal += weight * row * row.transpose();
      right += weight * state.v[at] * row;
      energy += mass[at] * state.v[at] * state.v[at];
    });
  }
  if (!(energy > 0)) return out;
  const SingularValues factor({normal.data(), static_cast<size_t>(normal.size())}, unknowns);
  const auto solved = [&](const VectorXd& b) {
    const std::vector<double> x = factor.solve({b.data(), static_cast<size_t>(unknowns)});
    return VectorXd(Eigen::Map<const VectorXd>(x.data(), unknowns));
  };
  VectorXd fit = solved(right);
  for (int pass = 0; pass < 2; ++pass) {  // of the weak weights few digits are left
    right.setZero();
    for (const Slot& slot : t.slots)
      if (moves(t, slot))
        rows(slot, [&](int at, const VectorXd& row) {
          right += (slot.dependent >= 0 ? weak : mass[at]) * (state.v[at] - row.dot(fit)) * row;
        });
    fit += solved(right);
  }
  double left = 0, own = 0;
  for (size_t s = 0; s < t.slots.size(); ++s) {
    const Slot& slot = t.slots[s];
    if (!moves(t, slot)) continue;
    double relative = 0, speed = 0;
    rows(slot, [&](int at, const VectorXd& row) {
      const double drift = slot.kind == SlotKind::point ? fit[axes + (at - slot.offset)] : 0.0;
      const double miss = state.v[at] - row.dot(fit);
      // Of what depends on others only that it turns too: its weight is that of the others.
      const double weight = slot.dependent < 0 ? mass[at] : 0.0;
      left += weight * miss * miss;
      own += weight * (state.v[at] - drift) * (state.v[at] - drift);
      relative += (state.v[at] - drift) * (state.v[at] - drift);
      speed += state.v[at] * state.v[at];
    });
    if (slot.kind != SlotKind::point) continue;
    out.speed = std::max(out.speed, std::sqrt(relative));
    if (std::sqrt(speed) > out.greatest) out.greatest = std::sqrt(speed), out.fastest = t.slot_names[s];
  }
  out.remainder = own > 0 ? left / own : 0;
  if (out.remainder > same_motion) return out;
  for (int k = 0; k < axes; ++k) out.spin[t.dim == 2 ? 2 : k] = fit[k];
  out.rate = std::sqrt(out.spin[0] * out.spin[0] + out.spin[1] * out.spin[1] + out.spin[2] * out.spin[2]);
  if (!out.turns()) return out;
  out.tied = tied_slot(system, out);
  if (!out.tied.empty()) {
    out.rate = 0;
    return out;
  }
  out.imbalance = imbalance(system, state, out);
  return out;
}

}  // namespace flexura

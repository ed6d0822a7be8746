// Forces over a step that keep the energy, their tangent, and the forces of single items.

#include <gtest/gtest.h>

#include "flexura/assembly/make_batch.hpp"
#include "tests/support/term_setting.hpp"

namespace flexura::test {
namespace {

/// Two configurations with the midpoint between them: the multipliers of the midpoint are those of the end, and the end is
/// reached at the midpoint's rate.
struct Step {
  std::vector<double> q0, q1, qm, v0, vm;
  double h = 0;
};
Step step_of(const Topology& t, const std::vector<double>& q, double h, Random& random, double size = 0.1) {
  Step s{q, q, q, {}, std::vector<double>(q.size()), h};
  for (size_t i = 0; i < q.size(); ++i) s.q1[i] += random.uniform(-size, size);
  for (size_t i = 0; i < q.size(); ++i) {
    const bool multiplier = static_cast<int>(i) >= t.ncoord && static_cast<int>(i) < t.ny;
    s.qm[i] = multiplier ? s.q1[i] : 0.5 * (s.q0[i] + s.q1[i]);
    s.vm[i] = multiplier ? 0 : (s.q1[i] - s.q0[i]) / h;
  }
  s.v0 = s.vm;
  return s;
}
In<double> input(Dense<double>& d, const std::vector<double>& q, const std::vector<double>& v, double h) {
  In<double> in = d.assembler.input(0, q.data(), v.data());
  in.h = h;
  return in;
}
In<double> begin_of(Dense<double>& d, const Step& s) { return input(d, s.q0, s.v0, 0); }
In<double> mid_of(Dense<double>& d, const Step& s) { return input(d, s.qm, s.vm, 0.5 * s.h); }
In<double> end_of(Dense<double>& d, const Step& s) { return input(d, s.q1, s.vm, s.h); }
std::vector<double> step_residual(Dense<double>& d, const Step& s) {
  std::vector<double> r(d.assembler.residual_size());
  d.assembler.step_residual(begin_of(d, s), mid_of(d, s), end_of(d, s), r.data());
  r.resize(d.nq);
  return r;
}

/// What items remember is of the beginning of the step.
std::vector<double> begin_at(Dense<double>& d, const Setting& set, const Step& s) {
  put(d, set);
  std::vector<double> history(set.history.size());
  d.assembler.remember(0, s.q0.data(), s.v0.data(), history.data());
  d.assembler.set_history(history, 0);
  return history;
}

using EveryStep = EveryTerm;

// Undamped: r·Δq = −ΔV, less what items that remember have lost, to rounding of the energies, and no resultant force appears.
TEST_P(EveryStep, ExchangesExactlyTheEnergyThatItsItemStores) {
  if (!info().has_energy) GTEST_SKIP() << "no energy";
  for (int sample = 0; sample < 4; ++sample) {
    for (int count : {1, 3, 6}) {
      const Setting set = setting(term(), random_items(term(), count, random), random);
      const Step s = step_of(*set.model.topology, set.q, 0.01, random);
      Dense<double> d(set.model, {.unsymmetric = true});
      const std::vector<double> history = begin_at(d, set, s);
      Step still = s;
      std::fill(still.vm.begin(), still.vm.end(), 0.0);
      const std::vector<double> r = step_residual(d, still);
      double work = 0, size = 0;
      for (int i = 0; i < d.nq; ++i) {
        work += r[i] * (s.q1[i] - s.q0[i]);
        size += std::fabs(r[i] * (s.q1[i] - s.q0[i]));
      }
      const double V0 = d.assembler.potential_energy(0, s.q0.data());
      d.assembler.set_history(history, s.h);
      const double V1 = d.assembler.potential_energy(0, s.q1.data());
      const double lost = d.assembler.loss(0, still.q1.data(), still.vm.data());
      EXPECT_NEAR(work, V0 - V1 - lost, 1e-13 * cancellation(info()) * (size + std::fabs(V0) + std::fabs(V1)));
      EXPECT_GT(std::fabs(V1 - V0) + lost, 1e-6);
    }
  }
}

/// Whether nothing but points and vectors stores the item's energy: it is that of its shape then.
bool is_shape(const TermInfo& info, const Topology& t) {
  return info.has_energy && info.role == Role::conservative && t.slots.size() > 1 &&
         std::all_of(t.slots.begin(), t.slots.end(),
                     [](const Slot& s) { return s.kind == SlotKind::point || s.kind == SlotKind::vector; });
}

/// Σ f over points and Σ x × f over points and vectors, with the sums of their sizes.
struct Resultants {
  double force[3] = {}, moment[3] = {}, force_size = 0, moment_size = 0;
};
Resultants resultants(const Topology& t, const std::vector<double>& x, const std::vector<double>& f) {
  Resultants out;
  for (const Slot& slot : t.slots) {
    double at[3] = {}, on[3] = {};
    for (int k = 0; k < slot.size; ++k) at[k] = x[slot.offset + k], on[k] = f[slot.offset + k];
    for (int k = 0; k < 3; ++k) {
      if (slot.kind == SlotKind::point) out.force[k] += on[k];
      out.moment[k] += at[(k + 1) % 3] * on[(k + 2) % 3] - at[(k + 2) % 3] * on[(k + 1) % 3];
      for (int j = 0; j < 3; ++j) out.moment_size += std::fabs(at[k] * on[j]);
      out.force_size += std::fabs(on[k]);
    }
  }
  return out;
}

// The step's forces have neither a resultant nor a moment about its middle, so a model of such items keeps linear and angular
// momentum; dampers too.
TEST_P(EveryStep, KeepsBothMomenta) {
  for (int sample = 0; sample < 4; ++sample) {
    const Setting set = setting(term(), random_items(term(), 3, random), random);
    const Topology& t = *set.model.topology;
    if (!is_shape(info(), t)) GTEST_SKIP() << "not of a shape alone";
    const Step s = step_of(t, set.q, 0.01, random);
    Dense<double> d(set.model, {.unsymmetric = true});
    begin_at(d, set, s);
    const Resultants sum = resultants(t, s.qm, step_residual(d, s));
    for (int k = 0; k < 3; ++k) {
      EXPECT_NEAR(sum.force[k], 0, 1e-13 * sum.force_size) << "along " << k;
      EXPECT_NEAR(sum.moment[k], 0, 1e-13 * sum.moment_size) << "about " << k;
    }
  }
}

/// x turned by `angle` about a skew axis (in the plane: its normal) and, where it is a point, moved.
std::vector<double> turned(const Topology& t, const std::vector<double>& x, double angle) {
  std::vector<double> out = x;
  const double c = std::cos(angle), s = std::sin(angle), n[3] = {1 / 3.0, 2 / 3.0, 2 / 3.0}, move[3] = {0.3, -0.2, 0.5};
  for (const Slot& slot : t.slots) {
    const double* a = &x[slot.offset];
    double* b = &out[slot.offset];
    if (slot.size == 2) {
      b[0] = c * a[0] - s * a[1];
      b[1] = s * a[0] + c * a[1];
    } else {
      const double along = n[0] * a[0] + n[1] * a[1] + n[2] * a[2];
      for (int k = 0; k < 3; ++k) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        b[k] = c * a[k] + (1 - c) * along * n[k] + s * (n[i] * a[j] - n[j] * a[i]);
      }
    }
    for (int k = 0; k < slot.size && slot.kind == SlotKind::point; ++k) b[k] += move[k];
  }
  return out;
}

// What is turned by half a radian in a step, without strain, is nowhere strained meanwhile. The middle of the ends is shorter by 3 %.
TEST_P(EveryStep, FeelsNothingOfARigidMotion) {
  const Setting set = setting(term(), random_items(term(), 3, random), random);
  const Topology& t = *set.model.topology;
  if (!is_shape(info(), t)) GTEST_SKIP() << "not of a shape alone";
  const std::vector<double>& X = set.model.values.reference;
  for (const double angle : {0.05, 0.5}) {
    Step s{X, turned(t, X, angle), X, {}, std::vector<double>(X.size()), 0.01};
    for (size_t i = 0; i < X.size(); ++i) {
      s.qm[i] = 0.5 * (s.q0[i] + s.q1[i]);
      s.vm[i] = (s.q1[i] - s.q0[i]) / s.h;
    }
    s.v0 = s.vm;
    Dense<double> d(set.model, {.unsymmetric = true});
    begin_at(d, set, s);
    Step strained = s;
    for (size_t i = 0; i < X.size(); ++i)
      strained.q1[i] = (1 + 1e-3) * s.q1[i], strained.qm[i] = 0.5 * (s.q0[i] + strained.q1[i]);
    const double size = largest(step_residual(d, strained));  // of a strain of a thousandth
    if (largest(d.residual(X, std::vector<double>(X.size(), 0.0))) > 1e-9 * size)
      GTEST_SKIP() << "strained as it is made";
    EXPECT_LT(largest(step_residual(d, s)), 1e-9 * size) << "turned by " << angle;
  }
}

// A step without motion: the force of the point, not 0/0.
// But for the moment that the damper of a spatial cable with `geometric` curvature has: a step takes it out.
TEST_P(EveryStep, OfNoLengthIsTheForceAtThePoint) {
  if (term().name().starts_with("ancf_cable_3d_curvature_geometric") &&
      term().name().find("damped_yes") != std::string::npos)
    GTEST_SKIP() << "its damper has a moment";
  if (!info().has_residual) GTEST_SKIP() << "no residual";
  const Setting set = setting(term(), random_items(term(), 5, random), random);
  Dense<double> d(set.model, {.unsymmetric = true});
  d.assembler.set_signals(set.signals);
  const Step s{set.q, set.q, set.q, set.v, set.v};
  const std::vector<double> step = step_residual(d, s), point = d.residual(set.q, set.v);
  for (int i = 0; i < d.nq; ++i)
    EXPECT_NEAR(step[i], point[i], 1e-13 * cancellation(info()) * std::max(1.0, largest(point)));
}

/// Of large elements about forty columns, of all directions.
int every(int n) {
  const int step = std::max(1, n / 40);
  return step % 3 == 0 ? step + 1 : step;
}
/// Central differences of the residual by the end of the step, the whole midpoint following it; `every` so many columns.
std::vector<double> differences(Dense<double>& d, const Topology& t, const Step& s, double h, double eps) {
  std::vector<double> k(static_cast<size_t>(d.n) * d.n);
  for (int j = 0; j < d.n; j += every(d.n)) {
    std::vector<double> r[2];
    for (int side : {0, 1}) {
      Step moved = s;
      const double e = side == 0 ? -eps : eps;
      moved.q1[j] += e;
      const bool multiplier = j >= t.ncoord;
      moved.qm[j] += multiplier ? e : 0.5 * e;
      if (!multiplier) moved.vm[j] += e / h;
      r[side] = step_residual(d, moved);
    }
    for (int i = 0; i < d.n; ++i) k[i * d.n + j] = -(r[1][i] - r[0][i]) / (2 * eps);
  }
  return k;
}

// Constraints and loads: the tangent is the derivative (differences with 2e-6 and 1e-6, extrapolated, for the third derivative of gas
// through an orifice is 1e5 of the first; 3e-10 of rounding). Of a discrete gradient it is that of the midpoint's: equal in the limit of short steps.
TEST_P(EveryStep, HasTheTangentOfItsMidpointAndOfItsEnd) {
  if (!info().has_residual) GTEST_SKIP() << "no residual";
  for (int count : {1, 5}) {
    const Setting set = setting(term(), random_items(term(), count, random), random);
    const Topology& t = *set.model.topology;
    const double h = info().has_energy ? 5e-4 : 0.5;
    const Step s = step_of(t, set.q, h, random, info().has_energy ? 1e-4 : 0.1);
    Dense<double> d(set.model, {.unsymmetric = true});
    begin_at(d, set, s);
    std::vector<double> exact = differences(d, t, s, h, 1e-6);
    if (!info().has_energy) {
      const std::vector<double> wide = differences(d, t, s, h, 2e-6);
      for (size_t i = 0; i < exact.size(); ++i) exact[i] += (exact[i] - wide[i]) / 3;
    }
    std::vector<double> k(exact.size());
    // c_d/2 is ∂v_m/∂q₁: midpoint velocities are (q₁ − q₀)/h.
    d.assembler.step_tangent(begin_of(d, s), mid_of(d, s), end_of(d, s), 0, 2 / h, k.data());
    const double tolerance = info().has_energy ? 5e-2 : 1e-8;
    const double size = tolerance * std::max(1e-3, largest(exact));
    for (int i = 0; i < d.n; ++i)
      for (int j = 0; j < d.n; j += every(d.n)) EXPECT_NEAR(k[i * d.n + j], exact[i * d.n + j], size) << i << " " << j;
  }
}

// Rows of constraints are read at the end, forces at the midpoint with its multipliers.
TEST_P(EveryStep, FulfilsConstraintsAtItsEnd) {
  if (info().role != Role::constraint) GTEST_SKIP() << "no constraint";
  const Setting set = setting(term(), random_items(term(), 6, random), random);
  const Topology& t = *set.model.topology;
  const Step s = step_of(t, set.q, 0.1, random);
  Dense<double> d(set.model, {.unsymmetric = true});
  d.assembler.set_signals(set.signals);
  const std::vector<double> r = step_residual(d, s), mid = d.residual(s.qm, s.vm), end = d.residual(s.q1, s.vm);
  std::vector<char> is_row(t.nq, 0);
  // The suite makes every scalar slot a multiplier: all their rows are at the end.
  for (const Slot& slot : t.slots)
    if (slot.multiplier) is_row[slot.offset] = 1;
  for (int i = 0; i < t.nq; ++i) EXPECT_EQ(r[i], is_row[i] ? end[i] : mid[i]) << i;
}

// Σ of the items' forces in their places is the residual, in lanes and alone.
TEST_P(EveryStep, IsTheSumOfItsItemsForces) {
  if (!info().has_residual) GTEST_SKIP() << "no residual";
  for (bool alone : {true, false}) {
    const Setting set = setting(term(), random_items(term(), 6, random), random);
    Dense<double> d(set.model, {.make_batch = alone ? make_batch_alone : nullptr});
    d.assembler.set_signals(set.signals);
    const std::vector<double> r = d.residual(set.q, set.v);
    std::vector<double> sum(d.nq, 0.0), local(info().dofs());
    for (int item = 0; item < 6; ++item) {
      d.assembler.batches()[0]->item_force(item, d.assembler.input(0, set.q.data(), set.v.data()), local.data());
      const std::vector<int> at = local_places(set.model, item);
      for (size_t i = 0; i < at.size(); ++i) sum[at[i]] += local[i];
    }
    for (int i = 0; i < d.nq; ++i) EXPECT_EQ(sum[i], r[i]) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Terms, EveryStep, ::testing::ValuesIn(all_term_cases()), case_name);

}  // namespace
}  // namespace flexura::test

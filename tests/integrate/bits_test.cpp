// The same bits for lanes and threads, in time stepping; exact derivatives through whole simulations.

#include <gtest/gtest.h>

#include <cstring>
#include <set>

#include "flexura/assembly/make_batch.hpp"
#include "flexura/base/checksum.hpp"
#include "flexura/constraint/distance.hpp"
#include "flexura/integrate/generalized_alpha.hpp"
#include "flexura/load/chamber_2d.hpp"
#include "flexura/load/chamber_gas.hpp"
#include "flexura/load/distributed_force.hpp"
#include "flexura/load/follower_force.hpp"
#include "flexura/load/pneumatic_moment.hpp"
#include "flexura/load/spring_damper.hpp"
#include "flexura/load/torsional_spring.hpp"
#include "tests/support/machines.hpp"
#include "tests/support/term_sample.hpp"

namespace flexura::test {
namespace {

using std::array;

/// FNV-1a of the bits of a state.
std::uint64_t hash(const State<double>& s) {
  std::uint64_t h = 1469598103934665603ull;
  const auto add = [&](const void* data, size_t bytes) {
    for (size_t i = 0; i < bytes; ++i) h = (h ^ static_cast<const unsigned char*>(data)[i]) * 1099511628211ull;
  };
  for (const auto* x : {&s.q, &s.v, &s.a, &s.a_alg, &s.history, &s.lags}) add(x->data(), x->size() * sizeof(double));
  add(&s.energy, sizeof(s.energy));
  add(&s.t, sizeof(s.t));
  return h;
}
State<double> lane_of_state(const State<Lanes>& s, int lane) {
  State<double> out;
  out.t = s.t;
  const auto pick = [&](const std::vector<Lanes>& x) {
    std::vector<double> y;
    for (const Lanes& xi : x) y.push_back(xi[lane]);
    return y;
  };
  out.q = pick(s.q), out.v = pick(s.v), out.a = pick(s.a), out.a_alg = pick(s.a_alg), out.history = pick(s.history);
  out.energy = {s.energy.gravity[lane], s.energy.loads[lane], s.energy.prescribed[lane], s.energy.dissipated[lane]};
  return out;
}

/// A cable with every kind of part; `variant` changes all its numbers, not its topology.
Model machine(int variant, bool unsymmetric = false, int elements = 5) {
  const double f = std::pow(1.6, variant);
  ModelBuilder b(2);
  auto signals = std::make_shared<SignalSet>();
  signals->add("pump", SineSignal{.amplitude = 1, .frequency = 3});
  EXPECT_TRUE(signals->finish().empty());
  b.set_signals(signals);
  const Section section{
      .EA = 200 * f, .EI = 0.02 * f * f, .rhoA = 0.2 / f, .stretch_retardation = 1e-3 * f, .bend_retardation = 2e-3};
  const Cable c = add_cable(b, elements, {.length = 0.1 * elements, .curvature = 0.4 * f}, section,
                            unsymmetric ? material_damped : material_green, 0.5 * f);
  b.fix(c.r[0], "joint.clamp");
  b.prescribe(c.g[0], {{b.effective({.signal = 0}), {-0.05 * f, 0.1}}}, "motion");
  add_gravity(b, 0.1 * f, -9.81);
  add_mass(b, c.tip(), 0.05 * f);
  add_moment(b, c.g.back(), 0.05 * f, b.effective({.signal = 0}));
  const int end = elements - 1, p = b.slot("bob", SlotKind::point, array{0.1 * elements, -0.3 - 0.05 * f});
  add_mass(b, p, 0.02 * f);
  const auto X = b.reference(c.r[end]);
  const int lambda = b.multiplier("rod");
  b.item<Distance2d>({c.r[end], p, lambda}, {.length = std::hypot(0.1 * elements - X[0], -0.3 - 0.05 * f - X[1])},
                     "rod");
  if (unsymmetric)
    b.item<SpringDamper2d>({c.r[1], p}, {.stiffness = 2.0 * f, .damping = 0.05, .free_length = 0.2}, "spring");
  // What remembers: two branches of a series.
  if (unsymmetric)
    b.item("viscoelastic_spring_damper_2d", array{c.r[end - 1], p},
           array{3.0 * f, 0.02, 0.2, 0.3 / f, 0.2, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.02 * f, 0.1, 1.0, 1.0, 1.0, 1.0, 1.0,
                 1.0},
           array{1}, "rubber");
  return b.build();
}

class EveryPolicy : public ::testing::TestWithParam<TangentPolicy> {};

// Lanes converge after different numbers of iterations and renew their factors at different times; what one does must
// not show in another.
TEST_P(EveryPolicy, FourSimulationsInLanesHaveTheBitsOfFourAlone) {
  for (bool unsymmetric : {false, true}) {
    std::vector<Model> models;
    std::vector<const Values*> values;
    for (int k = 0; k < native_lanes; ++k) models.push_back(machine(k, unsymmetric));
    for (const Model& m : models) values.push_back(&m.values);
    const NewtonOptions options{.tangent = GetParam()};
    Simulation<Lanes> together(models[0].topology, values);
    GeneralizedAlpha<Lanes> all_lanes(together.system, NewmarkFamily::generalized_alpha(0.8), options);
    ASSERT_TRUE(all(all_lanes.start(together.state)));
    std::vector<std::unique_ptr<Simulation<double>>> alone;
    std::vector<std::unique_ptr<GeneralizedAlpha<double>>> integrators;
    for (const Model& m : models) {
      alone.push_back(std::make_unique<Simulation<double>>(m));
      integrators.push_back(std::make_unique<GeneralizedAlpha<double>>(alone.back()->system,
                                                                       NewmarkFamily::generalized_alpha(0.8), options));
      ASSERT_TRUE(integrators.back()->start(alone.back()->state));
    }
    bool different_work = false;
    for (int step = 1; step <= 150; ++step) {
      ASSERT_TRUE(all(all_lanes.step(together.state, 2e-3 * step).converged));
      int least = 1000, most = 0;
      for (int k = 0; k < native_lanes; ++k) {
        const SolveReport<double> report = integrators[k]->step(alone[k]->state, 2e-3 * step);
        ASSERT_TRUE(report.converged);
        least = std::min(least, report.iterations), most = std::max(most, report.iterations);
        ASSERT_EQ(hash(lane_of_state(together.state, k)), hash(alone[k]->state)) << "step " << step << " lane " << k;
      }
      different_work |= least < most;
    }
    EXPECT_TRUE(different_work) << "lanes that do the same prove nothing";
  }
}

// Some lanes converge in a step that is too large for others: those keep their state, and neither shows in the other.
TEST_P(EveryPolicy, ALaneThatFailsDoesNotDisturbTheOthers) {
  std::vector<Model> models;
  std::vector<const Values*> values;
  for (int k = 0; k < native_lanes; ++k) models.push_back(machine(k, true));
  for (const Model& m : models) values.push_back(&m.values);
  bool mixed = false;
  for (double h : {0.01, 0.03, 0.1, 0.3})
    for (int most : {2, 3, 4, 5, 6, 8, 11, 15, 20}) {
      const NewtonOptions options{.max_iterations = most, .tangent = GetParam()};
      Simulation<Lanes> together(models[0].topology, values);
      GeneralizedAlpha<Lanes> all_lanes(together.system, NewmarkFamily::generalized_alpha(0.8), options);
      ASSERT_TRUE(all(all_lanes.start(together.state)));
      const auto converged = all_lanes.step(together.state, h).converged;
      int count = 0;
      for (int k = 0; k < native_lanes; ++k) {
        Simulation<double> s(models[k]);
        GeneralizedAlpha<double> integrator(s.system, NewmarkFamily::generalized_alpha(0.8), options);
        ASSERT_TRUE(integrator.start(s.state));
        EXPECT_EQ(integrator.step(s.state, h).converged, converged.lane(k)) << most << " lane " << k;
        s.state.t = together.state.t;  // an ensemble's time goes on with those that converged
        EXPECT_EQ(hash(lane_of_state(together.state, k)), hash(s.state)) << most << " lane " << k;
        count += converged.lane(k);
      }
      mixed |= count > 0 && count < native_lanes;
    }
  EXPECT_TRUE(mixed) << "no step divided the lanes";
}

INSTANTIATE_TEST_SUITE_P(Policies, EveryPolicy,
                         ::testing::Values(TangentPolicy::modified, TangentPolicy::once_per_step, TangentPolicy::full),
                         [](const auto& info) {
                           return std::string(info.param == TangentPolicy::modified ? "modified"
                                              : info.param == TangentPolicy::full   ? "full"
                                                                                    : "once_per_step");
                         });

// A model of many chunks: bits belong to the model, not to threads or lane widths.
TEST(StateHash, IsTheSameForOneAndTwoThreadsAndEveryLaneWidth) {
  for (bool unsymmetric : {false, true}) {
    const Model m = machine(1, unsymmetric, 600);
    ASSERT_GT(m.topology->chunks, 3);
    std::vector<std::uint64_t> hashes;
    for (const AssemblerOptions& options :
         {AssemblerOptions{.threads = 1}, AssemblerOptions{.threads = 1, .make_batch = make_batch_alone},
          AssemblerOptions{.threads = 2}, AssemblerOptions{.threads = 2, .make_batch = make_batch_alone}}) {
      Simulation<double> s(m, options);
      GeneralizedAlpha<double> integrator(s.system, NewmarkFamily::generalized_alpha(0.8), {});
      ASSERT_TRUE(integrator.start(s.state));
      for (int k = 1; k <= 20; ++k) ASSERT_TRUE(integrator.step(s.state, 1e-3 * k).converged) << k;
      hashes.push_back(hash(s.state));
    }
    for (std::uint64_t h : hashes) EXPECT_EQ(h, hashes[0]);
  }
}

/// A planar cable with a lag, a driven and a welded slot, springs and loads; `multipliers`: with a chamber.
void add_loaded_cable(ModelBuilder& b, int pump, int valve, bool multipliers) {
  const Section section{.EA = 300, .EI = 0.02, .rhoA = 0.2, .stretch_retardation = 1e-3, .bend_retardation = 2e-3};
  const Cable c = add_cable(b, 4, {.length = 0.5, .curvature = 0.8}, section, material_damped, 0.5);
  b.fix(c.r[0], "joint.clamp");
  b.prescribe(c.g[0], {{pump, {-0.05, 0.1}}}, "motion");
  const int inside = b.combination("inside", SlotKind::point,
                                   {2, {{c.r[1], {.5, 0, 0, .5}}, {c.r[2], {.5, 0, 0, .5}}}, {}, {}}, "place");
  add_mass(b, inside, 0.05);
  add_force(b, c.tip(), 0.1, 0.2, valve);
  add_moment(b, c.g[2], 0.02, valve);
  b.item<PneumaticMoment2d>({c.g[0], c.g.back(), pump}, {.radius = 0.1, .arm = 0.5}, "pressure");
  b.item<FollowerForce2d>({c.tip(), c.g.back(), valve}, {.force = {0.05, 0.1}}, "follower");
  b.item<DistributedForce2d>({c.r[1], c.g[1], c.r[2], c.g[2], pump}, {.force = {0.2, 0.3}, .length = 0.125},
                             {.frame = DistributedForce2d::Frame::follower}, "wind");
  b.item<SpringDamper2d>({c.r[0], c.r[3]}, {.stiffness = 3.0, .damping = 0.05, .free_length = 0.3}, "spring");
  b.item<TorsionalSpring2d>({c.g[1], c.g[3]}, {.stiffness = 0.02, .damping = 0.001, .turn = 0.1}, "hinge");
  if (!multipliers) return;
  const int pressure = b.multiplier("pressure");
  b.item<ChamberEdge2d>({c.r[2], c.g[2], c.r[3], c.g[3], pressure}, {.length = 0.125, .depth = 0.1}, "edge");
  b.item<ChamberWall2d>({c.r[3], c.r[2], pressure}, {.depth = 0.1}, "wall");
  b.item<ChamberGas>({pressure, valve}, {.volume = 1e-4, .exponent = 1.4, .ambient = 1e3, .added = 0.1}, "gas");
}

/// A random item on slots of its own, each with mass. Coordinates of constraints are free, other scalars follow a point.
void add_item(ModelBuilder& b, const TermType& type, const array<int, 2>& signals, Random& random) {
  const TermInfo& info = type.info;
  ItemNumbers item = random_item(type, random);
  make_consistent(info, item);
  std::vector<int> slots;
  int at = 0;
  const std::vector<double> mass{0.5}, far(info.dim, 1.0);
  const std::string mass_type = fmt::format("point_mass_{}d", info.dim), name(info.name);
  const int carrier = b.slot(name + " carrier", SlotKind::point, far);
  b.item(mass_type, array{carrier}, mass, {}, name + " mass");
  for (SlotKind kind : info.slots) {
    const std::string slot_name = fmt::format("{} {}", name, slots.size());
    const int size = slot_size(kind, info.dim);
    const bool constraint = info.role == Role::constraint;
    const bool last = std::all_of(info.slots.begin() + static_cast<std::ptrdiff_t>(slots.size()) + 1, info.slots.end(),
                                  [](SlotKind other) { return other == SlotKind::signal; });
    if (kind == SlotKind::signal) {
      slots.push_back(signals[slots.size() % 2]);
    } else if (kind == SlotKind::scalar && constraint && last) {
      slots.push_back(b.multiplier(slot_name));
    } else {
      slots.push_back(b.slot(slot_name, kind, std::span(item.reference).subspan(at, size)));
      if (kind == SlotKind::scalar && !constraint) {
        std::vector<double> along(info.dim, 0.0);
        along[0] = 0.3;
        b.equate(slots.back(), {1, {{carrier, along}}, {-0.3}, {}}, "carrier");
      }
      if (kind != SlotKind::scalar) b.item(mass_type, array{slots.back()}, mass, {}, name + " mass");
    }
    at += size;
  }
  b.item(name, slots, item.parameters, std::vector<int>(info.options.size(), 0), name);
}

/// Items of every registered term in that many dimensions; `multipliers`: with constraints.
Model everything(int dim, bool multipliers) {
  ModelBuilder b(dim);
  auto signals = std::make_shared<SignalSet>();
  signals->add("pump", SineSignal{.amplitude = 1, .frequency = 3});
  signals->add("valve", LagSignal{.of = "pump", .tau = 0.05});
  EXPECT_TRUE(signals->finish().empty());
  b.set_signals(signals);
  const int pump = b.effective({.signal = 0}), valve = b.effective({.signal = 1});
  const double g[] = {0.1, -9.81, 0.3};
  b.gravity(std::span(g, dim), b.constant_signal());
  if (dim == 2) add_loaded_cable(b, pump, valve, multipliers);
  for (const TermType* type : registered_terms()) {
    // Numbers of its own, whatever terms there are besides.
    Random random(crc32c(type->info.name.data(), type->info.name.size()));
    if (type->info.dim == dim && (multipliers || type->info.role != Role::constraint))
      add_item(b, *type, {pump, valve}, random);
  }
  return b.build();
}

TEST(StateHash, TheModelsOfEverythingHaveEveryRegisteredTerm) {
  std::set<const TermType*> types;
  for (int dim : {2, 3}) {
    const Model m = everything(dim, true);
    for (const ItemBatch& batch : m.topology->batches) types.insert(batch.type);
  }
  EXPECT_EQ(types.size(), registered_terms().size());
}

// A state saved at any step and gone on with in a fresh integrator gives the bits of a run that also forgot its factors
// there: every method, every term.
TEST(StateHash, ResumingAtAnyStepGivesTheSameBits) {
  for (int dim : {2, 3})
    for (const auto& [family, multipliers] : {std::pair{NewmarkFamily::generalized_alpha(0.8), true},
                                              {NewmarkFamily::generalized_alpha(0.0), true},
                                              {NewmarkFamily::hht(-0.2), true},
                                              {NewmarkFamily::newmark(), false}}) {
      const Model m = everything(dim, multipliers);
      Simulation<double> s(m);
      GeneralizedAlpha<double> integrator(s.system, family, {});
      ASSERT_TRUE(integrator.start(s.state));
      int k = 1;
      for (bool converged = true; converged && k <= 40; ++k) {
        const State<double> saved = s.state;
        integrator.reset();
        converged = integrator.step(s.state, 1e-3 * k).converged;
        Simulation<double> resumed(m);
        resumed.state = saved;
        resumed.system.drives.enter(saved.t);
        GeneralizedAlpha<double> fresh(resumed.system, family, {});
        ASSERT_EQ(fresh.step(resumed.state, 1e-3 * k).converged, converged) << dim << "D, step " << k;
        ASSERT_EQ(hash(resumed.state), hash(s.state)) << dim << "D, step " << k;
      }
      EXPECT_GT(k, 10) << "of random items some get where no step of 1 ms converges, all of the same";
    }
}

// d(tip)/d(EI) by duals against a central difference with a relative step of 1e-4: 1e-6 of its third derivative, and
// Newton's 1e-12 over the step.
TEST(Sensitivity, OfTheTipToTheBendingStiffnessIsItsDerivative) {
  for (TangentPolicy policy : {TangentPolicy::modified, TangentPolicy::once_per_step, TangentPolicy::full}) {
    const Model base = machine(0, true);
    const NewtonOptions options{.tolerance = 1e-13, .tangent = policy};
    const int cable = 0, per_item = 6, EI = 1, elements = base.topology->batches[0].count;
    ASSERT_EQ(base.topology->batches[cable].type->info.name, "ancf_cable_2d");
    const auto tip_after = [&](const Model& m) {
      Simulation<double> s(m);
      GeneralizedAlpha<double> integrator(s.system, NewmarkFamily::generalized_alpha(0.8), options);
      EXPECT_TRUE(integrator.start(s.state));
      for (int k = 1; k <= 200; ++k) EXPECT_TRUE(integrator.step(s.state, 1e-3 * k).converged);
      return s.state.q;
    };
    const auto with = [&](double factor) {
      Model m = base;
      for (int e = 0; e < elements; ++e) m.values.parameters[cable][e * per_item + EI] *= factor;
      return m;
    };
    const double step = 1e-4, stiffness = base.values.parameters[cable][EI];
    const std::vector<double> up = tip_after(with(1 + step)), down = tip_after(with(1 - step));
    Values direction = base.values;
    for (auto* x : {&direction.reference, &direction.q0, &direction.v0, &direction.weights, &direction.bases,
                    &direction.directions})
      std::fill(x->begin(), x->end(), 0.0);
    for (auto& p : direction.parameters) std::fill(p.begin(), p.end(), 0.0);
    for (auto& p : direction.mass_damping) std::fill(p.begin(), p.end(), 0.0);
    for (GravityField& g : direction.gravity) g.g[0] = g.g[1] = g.g[2] = 0;
    for (int e = 0; e < elements; ++e) direction.parameters[cable][e * per_item + EI] = 1;
    const array<const Values*, 2> values{&base.values, &direction};
    Simulation<Dual<double>> s(base.topology, values);
    GeneralizedAlpha<Dual<double>> integrator(s.system, NewmarkFamily::generalized_alpha(0.8), options);
    ASSERT_TRUE(integrator.start(s.state));
    for (int k = 1; k <= 200; ++k) ASSERT_TRUE(integrator.step(s.state, 1e-3 * k).converged);
    double size = 0, worst = 0;
    for (int i = 0; i < base.topology->ncoord; ++i) {
      const double difference = (up[i] - down[i]) / (2 * step * stiffness);
      size = std::max(size, std::fabs(difference));
      worst = std::max(worst, std::fabs(difference - s.state.q[i].d));
    }
    RecordProperty(fmt::format("relative_{}", static_cast<int>(policy)), fmt::format("{:.1e}", worst / size));
    EXPECT_GT(size, 0.1);
    EXPECT_LE(worst, 3e-6 * size) << "policy " << static_cast<int>(policy);
  }
}

}  // namespace
}  // namespace flexura::test

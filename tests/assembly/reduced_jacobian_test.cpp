// The assembled, reduced tangent of models with dependent slots against the derivative of Tᵀr itself.

#include <gtest/gtest.h>

#include "flexura/constraint/distance.hpp"
#include "flexura/load/distributed_force.hpp"
#include "flexura/load/follower_force.hpp"
#include "flexura/load/spring_damper.hpp"
#include "tests/support/dense.hpp"
#include "tests/support/machines.hpp"
#include "tests/support/random.hpp"

namespace flexura::test {
namespace {

using std::array;
using D = Dual<double>;

/// One way to hold or to join a curved cable that carries every kind of load.
struct Case {
  const char* name;
  void (*join)(ModelBuilder&, const Cable&);
  bool follower = false;
};

int inside(ModelBuilder& b, const Cable& c, int element, double xi, double length) {
  const double w[] = {1 - 3 * xi * xi + 2 * xi * xi * xi, length * (xi - 2 * xi * xi + xi * xi * xi),
                      3 * xi * xi - 2 * xi * xi * xi, length * (xi * xi * xi - xi * xi)};
  const int slots[] = {c.r[element], c.g[element], c.r[element + 1], c.g[element + 1]};
  LinearForm form{2, {}, {}, {}};
  for (int k = 0; k < 4; ++k) form.terms.push_back({slots[k], {w[k], 0, 0, w[k]}});
  return b.combination("inside", SlotKind::point, form, "cable@");
}

const Case cases[] = {
    {"free", [](ModelBuilder&, const Cable&) {}},
    {"clamped", [](ModelBuilder& b, const Cable& c) { clamp(b, c); }},
    {"clamp_direction",
     [](ModelBuilder& b, const Cable& c) {
       b.fix(c.r[0], "joint.clamp");
       const auto X = b.reference(c.g[0]);
       const double one = 1;
       const int length = b.slot("length", SlotKind::scalar, {&one, 1});
       b.equate(c.g[0], {2, {{length, {X[0], X[1]}}}, {}, {}}, "joint.clamp");
     }},
    {"roller",
     [](ModelBuilder& b, const Cable& c) {
       clamp(b, c);
       const auto X = b.reference(c.tip());
       b.relate({1, {{c.tip(), {0.6, 0.8}}}, {-0.6 * X[0] - 0.8 * X[1]}, {}}, "joint.roller");
     }},
    {"prescribed",
     [](ModelBuilder& b, const Cable& c) {
       clamp(b, c);
       b.prescribe(c.tip(), {{b.constant_signal(), {0.02, -0.03}}}, "motion.tip");
     }},
    // Another cable starts inside the second element and a mass sits inside the third.
    {"branch",
     [](ModelBuilder& b, const Cable& c) {
       clamp(b, c);
       const int place = inside(b, c, 1, 0.3, 0.25);
       const auto X = b.reference(place);
       const Cable side = add_cable(b, 2, {.length = 0.5, .angle = 2, .x = X[0], .y = X[1]}, {.EA = 50, .EI = 0.7});
       b.equate(side.r[0], {2, {{place, {1, 0, 0, 1}}}, {}, {}}, "joint.pin");
       add_mass(b, inside(b, c, 2, 0.7, 0.25), 0.3);
     }},
    // A gradient that is another one turned by a right angle, as a rigid corner of two cables.
    {"corner",
     [](ModelBuilder& b, const Cable& c) {
       clamp(b, c);
       const auto X = b.reference(c.tip());
       const double end = 0.3 + 0.9;  // direction of the tip
       const Cable side =
           add_cable(b, 2, {.length = 0.5, .angle = end + M_PI / 2, .x = X[0], .y = X[1]}, {.EA = 50, .EI = 0.7});
       b.equate(side.r[0], {2, {{c.tip(), {1, 0, 0, 1}}}, {}, {}}, "joint.corner");
       b.equate(side.g[0], {2, {{c.g.back(), {0, -1, 1, 0}}}, {}, {}}, "joint.corner");
     }},
    // The last node of the cable is a combination of two earlier ones: an element whose slots share masters.
    {"self",
     [](ModelBuilder& b, const Cable& c) {
       b.equate(c.tip(), {2, {{c.r[3], {0.5, 0, 0, 0.5}}, {c.r[1], {0.5, 0.1, -0.1, 0.5}}}, {0.4, 0.1}, {}}, "joint.a");
       b.equate(c.g[4], {2, {{c.g[3], {1, 0, 0, 1}}}, {}, {}}, "joint.b");
     }},
};

Model machine(const Case& joined, bool unsymmetric) {
  ModelBuilder b(2);
  const Section section{.EA = 80, .EI = 0.5, .rhoA = 0.8, .stretch_retardation = 0.02, .bend_retardation = 0.03};
  const Cable c = add_cable(b, 4, {.length = 1, .angle = 0.3, .curvature = 0.9}, section,
                            unsymmetric ? material_damped : material_green, 0.4);
  add_gravity(b, 1, -9.81);
  add_force(b, c.tip(), 0.4, -0.7);
  add_moment(b, c.g[2], 0.6);
  const int lambda = b.multiplier("rod");
  b.item<Distance2d>({c.r[1], c.r[3], lambda}, {.length = 0.45}, "rod");
  if (unsymmetric) {
    b.item<FollowerForce2d>({c.tip(), c.g[4], b.constant_signal()}, {.force = {0.5, -0.8}}, "follower");
    b.item<DistributedForce2d>({c.r[0], c.g[0], c.r[1], c.g[1], b.constant_signal()},
                               {.force = {0.4, 0.3}, .length = 0.25}, {.frame = DistributedForce2d::Frame::follower},
                               "wind");
    b.item<SpringDamper2d>({c.r[0], c.r[2]}, {.stiffness = 3.0, .damping = 0.5, .free_length = 0.3}, "spring");
  }
  joined.join(b, c);
  return b.build();
}

class ReducedJacobian : public ::testing::TestWithParam<Case> {};

// 1e-12 of the largest entry: both sides are exact but for rounding.
TEST_P(ReducedJacobian, IsTheDerivativeOfTheReducedResidual) {
  for (bool unsymmetric : {false, true}) {
    const Model m = machine(GetParam(), unsymmetric);
    const int ny = m.topology->ny, ncoord = m.topology->ncoord;
    const double cm = 0.7, cd = unsymmetric ? 1.3 : 0.0;
    Random random(1);
    Dense<double> d(m, {}, !unsymmetric);
    Dense<D> dual(m);
    const std::vector<SignalValue> signals(m.topology->signals.size(), {1, 0, 0});
    d.assembler.set_signals(signals);
    dual.assembler.set_signals(signals);
    std::vector<double> q = d.assembler.initial_q(), v(q.size()), a(q.size(), 0.0);
    for (double& x : q) x += random.uniform(-0.1, 0.1);
    for (double& x : v) x = random.uniform(-1, 1);
    d.assembler.expand(q.data(), v.data(), a.data());
    const std::vector<double> k = d.tangent(q, v, cm, cd);
    std::vector<double> exact(k.size());
    double size = 0;
    for (int j = 0; j < ny; ++j) {
      std::vector<D> dq = to_dual(q), dv = to_dual(v), da(q.size(), D(0.0));
      dq[j].d = 1;
      if (j < ncoord) dv[j].d = cd, da[j].d = cm;
      dual.assembler.expand(dq.data(), dv.data(), da.data());
      std::vector<D> r(dual.assembler.residual_size());
      dual.assembler.residual(0, dq.data(), dv.data(), r.data());
      dual.assembler.subtract_mass_times(da.data(), D(1.0), r.data());
      dual.assembler.subtract_damping(dv.data(), r.data());
      dual.assembler.reduce(r.data());
      for (int i = 0; i < ny; ++i) {
        exact[i * ny + j] = -r[i].d;
        size = std::max(size, std::fabs(r[i].d));
      }
    }
    for (int i = 0; i < ny; ++i)
      for (int j = 0; j < ny; ++j) {
        const double entry = unsymmetric || j <= i ? k[i * ny + j] : k[j * ny + i];
        EXPECT_NEAR(entry, exact[i * ny + j], 1e-12 * size) << i << " " << j << (unsymmetric ? " full" : " lower");
      }
  }
}

INSTANTIATE_TEST_SUITE_P(Joints, ReducedJacobian, ::testing::ValuesIn(cases),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace flexura::test

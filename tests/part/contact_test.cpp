// Spheres, planes and contacts as typed specifications.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "flexura/integrate/generalized_alpha.hpp"
#include "flexura/part/machine_builder.hpp"

namespace flexura::test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> messages(MachineBuilder& builder) {
  try {
    builder.build();
  } catch (const InputError& error) {
    std::vector<std::string> out;
    for (const Problem& problem : error.problems())
      out.push_back(problem.path + ": " + problem.message + (problem.nearest.empty() ? "" : " " + problem.nearest));
    return out;
  }
  return {};
}

SphereSpec ball(const std::string& name, const Triple& position) {
  return {.name = name, .radius = 0.1, .mass = 2, .position = position};
}
PlaneSpec table() { return {.name = "table", .point = {}, .normal = {0, 0, 3}}; }
BodySpec block() {
  return {.name = "block",
          .inertia = {.mass = 2, .center = {}, .inertia = {0.1, 0.1, 0.1}},
          .reference = {.origin = {0, 0, 5}},
          .points = {{"left", {-0.1, 0, 0}}, {"right", {0.1, 0, 0}}}};
}

TEST(Contact, SpheresArePointsOfMassAndPlacesOfParts) {
  MachineBuilder builder({.dim = 3});
  builder.add(ContactSpec{.name = "all", .between = {{"*"}}, .restitution = 0.5});
  builder.add(block());
  builder.add(ball("a", {0, 0, 1}));
  builder.add(SphereSpec{.name = "left", .radius = 0.2, .mass = 0.5, .at = place_on("block", "left")});
  builder.add(SphereSpec{.name = "right", .radius = 0.2, .at = place_on("block", "right")});
  builder.add(SphereSpec{.name = "stop", .radius = 0.3, .at = ground_at({3, 0, 0})});
  builder.add(table());
  const Machine machine = builder.build();
  const Topology& topology = *machine.model.topology;
  ASSERT_NE(topology.contacts, nullptr);
  const ContactModel& contacts = *topology.contacts;
  ASSERT_EQ(contacts.spheres.size(), 4u);
  EXPECT_EQ(contacts.spheres[0].slot, topology.find_slot("a"));
  EXPECT_THAT(contacts.planes[0].normal, ElementsAre(0, 0, 1));
  EXPECT_THAT(contacts.groups[0].members, ElementsAre(0, 1, 2, 3, 4));
  EXPECT_EQ(contacts.find("table"), 4);
  // Those of the block are tied to each other, and to nothing else.
  EXPECT_EQ(contacts.group_of({1, 2}), -1);
  EXPECT_EQ(contacts.group_of({0, 1}), 0);
  EXPECT_EQ(contacts.group_of({2, 4}), 0);
  // Masses: the ball's and that on the block; 2 + 2 + 0.5 kg.
  const Values* values = &machine.model.values;
  System<double> system(machine.model.topology, std::span(&values, 1));
  std::vector<double> v(static_cast<size_t>(topology.nq), 0.0);
  for (const Slot& slot : topology.slots)
    if (slot.kind == SlotKind::point) v[static_cast<size_t>(slot.offset)] = 1;
  EXPECT_NEAR(system.assembler.kinetic_energy(v.data()), 0.5 * 4.5, 1e-12);
}

// v = √(2 g H), half of it behind.
TEST(Contact, ABallBouncesOnATable) {
  MachineBuilder builder({.dim = 3});
  builder.add(ball("a", {0, 0, 1.1}));
  builder.add(table());
  builder.add(ContactSpec{.name = "floor", .between = {{"a"}, {"plane.table"}}, .restitution = 0.5});
  builder.gravity({0, 0, -9.81});
  const Machine machine = builder.build();
  const Values* values = &machine.model.values;
  System<double> system(machine.model.topology, std::span(&values, 1));
  State<double> state = system.initial_state(0);
  GeneralizedAlpha<double> integrator(system, NewmarkFamily::generalized_alpha(0.8), {});
  ASSERT_TRUE(integrator.start(state));
  while (state.contacts.empty() && state.t < 1) ASSERT_TRUE(integrator.step(state, state.t + 1e-3).converged);
  EXPECT_NEAR(state.v[2], 0.5 * std::sqrt(2 * 9.81), 1e-9);
}

TEST(Contact, SaysWhatIsWrong) {
  MachineBuilder builder({.dim = 3});
  builder.add(SphereSpec{.name = "light", .radius = 0.1});
  builder.add(SphereSpec{.name = "negative", .radius = -0.1, .mass = 1});
  builder.add(SphereSpec{.name = "lost", .radius = 0.1, .at = place_on("nothing")});
  builder.add(ball("a", {0, 0, 1}));
  builder.add(PlaneSpec{.name = "a", .point = {}, .normal = {}});
  builder.add(ContactSpec{.name = "none", .between = {{"aa"}, {"sphere.q*"}}, .restitution = 2});
  builder.add(ContactSpec{.name = "one", .between = {{"light"}}});
  builder.add(ContactSpec{.name = "two", .between = {{"light"}, {"negative"}}});
  builder.add(ContactSpec{.name = "again", .between = {{"sphere.*"}}});
  EXPECT_THAT(
      messages(builder),
      ElementsAre("sphere.light: has no mass: give \"m\" or \"density\"", "sphere.negative.radius: must be 0 or more",
                  "plane.a: \"a\" is already the name of a sphere; what may touch needs different names",
                  "plane.a.normal: must not be zero", "contact.none.restitution: must be from 0 to 1; this is 2",
                  "contact.none.between[0]: there is no sphere or plane named \"aa\" a",
                  "contact.none.between[1]: no sphere and no plane has a name like \"sphere.q*\"",
                  "contact.one.between: names no two things that could touch: at least one sphere, and something "
                  "else that is not of the same body",
                  "contact.again.between: \"light\" and \"negative\" may touch by contact.two already"));
}

TEST(Contact, PatternsStandForNames) {
  const auto fits = [](const char* pattern, const char* name) { return NamePattern{pattern}.matches("sphere", name); };
  EXPECT_TRUE(fits("*", "left.ball") && fits("left.*", "left.ball") && fits("sphere.left*", "left.ball"));
  EXPECT_TRUE(fits("b*a*l", "ball") && fits("ball*", "ball") && fits("sphere.ball", "ball"));
  EXPECT_FALSE(fits("plane.*", "ball") || fits("b*a", "ball") || fits("", "ball") || fits("sphere", "ball"));
  EXPECT_FALSE(fits((std::string(200, '*') + "x").c_str(), std::string(200, 'a').c_str()));
}

}  // namespace
}  // namespace flexura::test

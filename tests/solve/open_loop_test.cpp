// Messages about loops that do not close.

#include "flexura/solve/open_loop.hpp"

#include <gtest/gtest.h>

#include "flexura/constraint/distance.hpp"
#include "flexura/solve/constraints.hpp"
#include "mechanisms.hpp"

namespace flexura::test {
namespace {

using std::array;

// Two loops of bars; only the second has a bar that is too short. Parts: bars by name; shared points are their joints.
TEST(OpenLoop, NamesTheLoopThatDoesNotClose) {
  ModelBuilder b(2);
  const int o = b.slot("O", SlotKind::point, array{0.0, 0.0}), c = b.slot("C", SlotKind::point, array{3.0, 0.0}),
            d = b.slot("D", SlotKind::point, array{6.0, 0.0});
  for (int slot : {o, c, d}) b.fix(slot, "ground");
  const int p = b.slot("P", SlotKind::point, array{0.0, 1.0}), q = b.slot("Q", SlotKind::point, array{3.0, 1.0}),
            r = b.slot("R", SlotKind::point, array{6.0, 1.0});
  const auto bar = [&](int from, int to, double length, const char* name) {
    b.item("rod_mass_2d", array{from, to}, rod_mass(1), {}, name);
    b.item<Distance2d>({from, to, b.multiplier(name)}, {.length = length}, name);
  };
  bar(o, p, 1, "left"), bar(p, q, 3, "top"), bar(c, q, 1, "middle"), bar(q, r, 0.5, "short"), bar(d, r, 1, "right");
  Simulation<double> s(b.build());
  Constraints constraints(s.system);
  const ProjectionReport report = constraints.project_positions(s.state);
  ASSERT_FALSE(report.converged);
  const Topology& t = *s.model.topology;
  std::vector<std::vector<std::string>> parts(t.slots.size());
  parts[p] = {"left", "top"}, parts[q] = {"middle", "top", "short"}, parts[r] = {"short", "right"};
  parts[o] = {"left"}, parts[c] = {"middle"}, parts[d] = {"right"};
  const OpenLoop loop = explain_open_loop(t, std::span(constraints.motion(s.state).phi, t.ny), parts);
  std::vector<std::string> sorted = loop.parts;
  std::sort(sorted.begin(), sorted.end());
  EXPECT_EQ(sorted, (std::vector<std::string>{"ground", "middle", "right", "short"})) << loop.text();
  EXPECT_EQ(loop.joints.size(), loop.parts.size());
  EXPECT_NE(loop.text().find("does not close"), std::string::npos);
  EXPECT_GT(loop.violation, 0.1);
}

TEST(OpenLoop, IsEmptyWhereAllIsClosed) {
  const FourBar m = four_bar(nullptr);
  const std::vector<double> zero(m.model.topology->ny, 0.0);
  const std::vector<std::vector<std::string>> parts(m.model.topology->slots.size());
  const OpenLoop loop = explain_open_loop(*m.model.topology, zero, parts);
  EXPECT_TRUE(loop.parts.empty());
  EXPECT_EQ(loop.text(), "all loops close");
}

}  // namespace
}  // namespace flexura::test

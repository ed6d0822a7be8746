// What sensors read of contacts, in states that are given.

#include <gmock/gmock.h>

#include "flexura/observe/sensor_probe.hpp"
#include "flexura/scene/scene_model.hpp"
#include "tests/scene/scene_testing.hpp"

namespace flexura::testing {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;

const std::string scene_text = R"(space = "spatial"
[plane.table]
point  = [0, 0, 0]
normal = [0, 0, 1]
[sphere]
a = { position = [0, 0, 1], radius = 0.1, m = 1 }
b = { position = [3, 4, 1], radius = 0.2, m = 3 }
[contact.balls]
between = ["a", "b"]
[contact.floor]
between = ["a", "table"]
[sensor.on_a]
type = "contact_force"
of = "a"
[sensor.on_b]
type = "contact_force"
of = "b"
[sensor.on_table]
type = "contact_force"
of = "table"
[sensor.floor]
type = "contact_count"
of = "floor"
[sensor.balls]
type = "contact_count"
of = "balls"
[sensor.apart]
type = "gap"
first = "b"
second = "a"
[sensor.height]
type = "gap"
first = "b"
second = "table"
[[analysis]]
name = "move"
type = "dynamic"
end = 1
step = 0.1
)";

TEST(ContactSensors, ReadForcesCountsAndGaps) {
  const SceneModels models = interpret_scene(read(scene_text));
  const SceneModel& model = models.models[0];
  const Values* values = &model.model.values;
  System<double> system(model.model.topology, std::span(&values, 1));
  State<double> state = system.initial_state(0);
  SensorProbe probe(model, model.sensors, system);
  const auto at = [&](const std::string& name) {
    probe.look_at(state);
    std::vector<double> out, last;
    for (size_t k = 0; k < model.sensors.size(); ++k) {
      if (model.sensors[k].name != name) continue;
      out.resize(static_cast<size_t>(number_count(model.sensors[k], 3)));
      last.resize(out.size());
      probe.read(static_cast<int>(k), out, last);
    }
    return out;
  };
  EXPECT_THAT(at("on_a"), ElementsAre(0, 0, 0));
  EXPECT_THAT(at("floor"), ElementsAre(0));
  EXPECT_THAT(at("apart"), ElementsAre(DoubleNear(5 - 0.3, 1e-15)));
  EXPECT_THAT(at("height"), ElementsAre(DoubleNear(0.8, 1e-15)));
  // 10 N between a and b, from b to a along −(3, 4, 0)/5; 7 N of the table on a.
  const ContactModel& contacts = *model.model.topology->contacts;
  const int a = contacts.find("a"), b = contacts.find("b"), table = contacts.find("table");
  state.contacts = {{ContactKey{a, b}.packed(), 0, 1, 10, 0}, {ContactKey{a, table}.packed(), 0, 0.7, 7, 0}};
  EXPECT_THAT(at("on_a"), ElementsAre(DoubleNear(-6, 1e-14), DoubleNear(-8, 1e-14), 7));
  EXPECT_THAT(at("on_b"), ElementsAre(DoubleNear(6, 1e-14), DoubleNear(8, 1e-14), 0));
  EXPECT_THAT(at("on_table"), ElementsAre(0, 0, -7));
  EXPECT_THAT(at("floor"), ElementsAre(1));
  EXPECT_THAT(at("balls"), ElementsAre(1));
}

}  // namespace
}  // namespace flexura::testing

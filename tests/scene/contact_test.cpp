// Spheres, planes and contacts as scenes write them.

#include <gmock/gmock.h>

#include <numbers>

#include "flexura/scene/scene_model.hpp"
#include "scene_testing.hpp"

namespace flexura::testing {
namespace {

using ::testing::ElementsAre;

const std::string balls = R"(space = "spatial"
[plane.table]
point  = [0, 0, 0]
normal = [0, 0, 2]
[sphere]
a = { position = [0, 0, 1], radius = 0.1, density = 1000 }
b = { position = [1, 0, 1], radius = 0.2, m = 3, velocity = [0, 0, -1] }
[sphere.eye]
at = "b"
radius = 0.01
[sphere.stop]
at = [5, 0, 0]
radius = 0.5
)";
const std::string fall = R"([[analysis]]
name = "fall"
type = "dynamic"
end  = 1
step = 1e-3
)";

TEST(ContactScene, BecomesAModel) {
  const SceneModels scene =
      interpret_scene(read(balls + "[contact.floor]\nbetween = [\"*\"]\nrestitution = 0.5\n" + fall));
  const SceneModel& model = scene.models[0];
  ASSERT_NE(model.model.topology->contacts, nullptr);
  const ContactModel& contacts = *model.model.topology->contacts;
  ASSERT_EQ(contacts.spheres.size(), 4u);
  EXPECT_EQ(contacts.groups[0].restitution, 0.5);
  EXPECT_THAT(contacts.groups[0].members, ElementsAre(0, 1, 2, 3, 4));
  EXPECT_EQ(contacts.planes[0].normal[2], 1.0);
  EXPECT_EQ(contacts.spheres[2].slot, contacts.spheres[1].slot);
  EXPECT_EQ(contacts.group_of({1, 2}), -1) << "one place";
  const Slot& b = model.model.topology->slots[contacts.spheres[1].slot];
  EXPECT_EQ(model.model.values.v0[b.offset + 2], -1);
  const ItemRef mass = model.item("sphere.a");
  EXPECT_DOUBLE_EQ(model.model.values.parameters[mass.batch][mass.index], 1000 * 4.0 / 3 * std::numbers::pi * 1e-3);
}

TEST(ContactScene, WithoutContactNothingTouches) {
  const SceneModels scene = interpret_scene(read(balls + fall));
  EXPECT_EQ(scene.models[0].model.topology->contacts, nullptr);
  EXPECT_EQ(scene.models[0].contacts.spheres.size(), 4u);
}

TEST(ContactScene, BeginsAndEnds) {
  const SceneModels scene = interpret_scene(read(balls +
                                                 "[contact.floor]\nbetween = [\"a\", \"table\"]\nuntil = "
                                                 "0.5\n[contact.other]\nbetween = [\"b\", \"table\"]\nfrom = 0.25\n" +
                                                 fall));
  ASSERT_EQ(scene.timeline.segments.size(), 3u);
  const auto groups = [&](size_t segment) {
    std::vector<std::string> names;
    for (const ContactGroup& group : scene.models[scene.timeline.segments[segment].model].contacts.groups)
      names.push_back(group.name);
    return names;
  };
  EXPECT_THAT(groups(0), ElementsAre("floor"));
  EXPECT_THAT(groups(1), ElementsAre("floor", "other"));
  EXPECT_THAT(groups(2), ElementsAre("other"));
}

// Names of a used scene have its prefix, behind the kind; planes are moved and turned with it.
TEST(ContactScene, IsUsedInOthers) {
  const std::string contact =
      "[contact.own]\nbetween = [\"sphere.*\", \"table\", \"plane.table\"]\n[sensor.force]\ntype = "
      "\"contact_force\"\nof = \"table\"\n[sensor.gap]\ntype = \"gap\"\nfirst = \"a\"\nsecond = \"table\"\n";
  const Files files{{{"balls.toml", balls + contact + fall}}};
  const std::string use =
      "space = \"spatial\"\n[use.left]\nscene = \"balls.toml\"\nposition = [0, 0, 3]\naxes = [[1, 0, 0], [0, 0, 1]]\n"
      "[sphere.mine]\nposition = [10, 0, 0]\nradius = 0.1\nm = 1\n[contact.both]\nbetween = [\"mine\", \"left.*\"]\n";
  const SceneModels alone = interpret_scene(read(balls + contact + fall, {}, files));
  EXPECT_EQ(alone.models[0].contacts.groups[0].members.size(), 5u);
  try {
    interpret_scene(read(use + fall, {}, files));
    FAIL();
  } catch (const InputError& error) {  // those of the used scene touch by its own contact
    EXPECT_THAT(error.what(), ::testing::HasSubstr("may touch by contact."));
  }
  const std::string one = std::string(use).replace(use.find("left.*"), 6, "left.a");
  const SceneModels scene = interpret_scene(read(one + fall, {}, files));
  const ContactModel& contacts = scene.models[0].contacts;
  EXPECT_EQ(contacts.planes[0].name, "left.table");
  EXPECT_NEAR(contacts.planes[0].normal[1], -1, 1e-15);
  EXPECT_NEAR(contacts.planes[0].point[2], 3, 1e-15);
  ASSERT_EQ(contacts.groups.size(), 2u);
  for (const ContactGroup& group : contacts.groups)
    EXPECT_EQ(group.members.size(), group.name == "both" ? 2u : 5u) << group.name;
  ASSERT_EQ(scene.models[0].sensors.size(), 2u);
  EXPECT_EQ(scene.models[0].sensors[0].touching[0], contacts.find("left.table"));
}

}  // namespace
}  // namespace flexura::testing

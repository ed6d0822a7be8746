// Scenes used in scenes: names, places in space, signals, files, and where messages point.

#include <cmath>
#include <numbers>

#include "flexura/scene/scene_model.hpp"
#include "scene_testing.hpp"

namespace flexura::testing {
namespace {

const std::string finger = R"toml(title = "finger"
[parameters]
L = 0.2
[section.wall]
EA = 2000
EI = 0.02
rhoA = 0.12
[cable.hose]
section = "wall"
path = [[0, 0], ["= L", 0]]
elements = 4
[joint.clamp]
type = "weld"
of = ["ground", "hose.start"]
[joint.rod]
type = "distance"
of = [[0, 1], "hose.end"]
[mass.tip]
at = "hose.end"
m = 1
[signal.pump]
type = "ramp"
to = 1
duration = 1
[load.pull]
type = "force"
at = "hose.end"
force = [0, 3]
signal = "= 2 * signal(pump)"
[sensor.end]
type = "position"
at = "tip"
[[analysis]]
name = "alone"
type = "static"
)toml";
const std::string statics = "[[analysis]]\nname = \"hang\"\ntype = \"static\"\n";

Files with(const std::string& text) { return Files{{{"finger.toml", text}}}; }

const Record& found(const SceneDocument& scene, const char* kind, const char* name) {
  const Record* record = scene.find(kind, name);
  EXPECT_NE(record, nullptr) << kind << "." << name;
  static const Record none;
  return record == nullptr ? none : *record;
}

void expect_near(const Numbers& x, const Numbers& expected) {
  ASSERT_EQ(x.size(), expected.size());
  for (size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(x[i], expected[i], 1e-15) << i;
}

TEST(Use, ThingsEnterWithAPrefixTurnedAndMoved) {
  const SceneDocument scene =
      read("[use.left]\nscene = \"finger.toml\"\nposition = [1, 2]\nangle = \"90 deg\"\n" +
               std::string("parameters = { L = \"300 mm\" }\n") +
               "[joint.tie]\ntype = \"distance\"\nof = [\"left.tip\", [0, 0]]\nlength = 3\n" + statics,
           {}, with(finger));
  EXPECT_EQ(found(scene, "cable", "left.hose").text("section"), "left.wall");
  const Points& path = *found(scene, "cable", "left.hose").get<Points>("path");
  expect_near(path[0], {1, 2});
  expect_near(path[1], {1, 2.3});
  const auto& rod = *found(scene, "joint", "left.rod").get<std::vector<Place>>("of");
  expect_near(rod[0].coordinates, {0, 2});
  EXPECT_EQ(rod[1].part, "left.hose");
  EXPECT_EQ(rod[1].text, "left.hose.end");
  expect_near(*found(scene, "load", "left.pull").get<Numbers>("force"), {-3, 0});
  EXPECT_EQ(found(scene, "joint", "left.clamp").path, "joint.left.clamp");
  EXPECT_EQ(scene.of_kind("analysis").size(), 1u);
  EXPECT_FALSE(scene.head.has("title"));
  ASSERT_EQ(scene.files.size(), 1u);
  EXPECT_EQ(scene.files[0].text, finger);
  // The formula reads the signal of its own scene.
  std::vector<double> u(scene.signals->size());
  scene.signals->evaluate(0.5, u);
  EXPECT_EQ(u[found(scene, "load", "left.pull").get<SignalIndex>("signal")->index], 1.0);
  EXPECT_GE(scene.signals->find("left.pump"), 0);
  const SceneModels models = interpret_scene(scene);
  EXPECT_EQ(models.models[0].cables[0].name, "left.hose");
  EXPECT_EQ(models.models[0].sensors[0].name, "left.end");
}

TEST(Use, TwiceAndNestedAndInFolders) {
  const Files files{{{"parts/finger.toml", finger + "[signal.t]\ntype = \"table\"\nfile = \"p.csv\"\n"},
                     {"parts/p.csv", "t,p\n0,1\n1,2\n"},
                     {"hand.toml",
                      "[use.a]\nscene = \"parts/finger.toml\"\nposition = [1, 0]\n[use.b]\nscene = "
                      "\"parts/finger.toml\"\nposition = [2, 0]\n[signal.s]\ntype = \"expression\"\nformula = "
                      "\"signal(a.pump) + signal('b.t')\"\n"}}};
  const SceneDocument scene = read(
      "[use.left]\nscene = \"hand.toml\"\n[use.right]\nscene = \"hand.toml\"\nposition = [10, 0]\nangle = \"180 deg\"\n"
      "[mass.more]\nat = \"right.b.hose@0.5\"\nm = 1\n[sensor.s]\ntype = \"signal\"\nof = \"left.s\"\n" +
          statics,
      {}, files);
  EXPECT_EQ(scene.of_kind("cable").size(), 4u);
  EXPECT_EQ(scene.files.size(), 3u);
  EXPECT_EQ(scene.files[2].name, "parts/p.csv");
  expect_near((*found(scene, "cable", "left.a.hose").get<Points>("path"))[1], {1.2, 0});
  expect_near((*found(scene, "cable", "right.b.hose").get<Points>("path"))[1], {7.8, 0});
  EXPECT_NE(scene.signals->find("left.b.t"), -1);
  std::vector<double> u(scene.signals->size());
  scene.signals->evaluate(0.5, u);
  EXPECT_EQ(u[scene.signals->find("right.s")], 2.0);
}

TEST(Use, SettingsReachIntoTheUsedScene) {
  const std::string text = "[use.left]\nscene = \"finger.toml\"\nset = { section.wall.EA = 3000 }\n" + statics;
  EXPECT_EQ(found(read(text, {}, with(finger)), "section", "left.wall").number("EA"), 3000);
  const SceneDocument set = read(text, {"left.section.wall.EA=4000", "left.parameters.L=0.5"}, with(finger));
  EXPECT_EQ(found(set, "section", "left.wall").number("EA"), 4000);
  expect_near((*found(set, "cable", "left.hose").get<Points>("path"))[1], {0.5, 0});
  // What is recorded as run reads the same.
  const SceneDocument again = read(set.effective_text, {}, with(finger));
  EXPECT_EQ(found(again, "section", "left.wall").number("EA"), 4000);
  EXPECT_EQ(again.effective_text, set.effective_text);
  EXPECT_EQ(problems_of(text, {"left.section.wal.EA=1"}, with(finger)),
            Lines{"--set left.section.wal.EA=1:0:0: section.wal.EA: the scene has no \"section.wal\" (wall?)"});
}

TEST(Use, SpatialPlacementsTurnDirectionsAndDefaults) {
  const Files files{{{"part.toml",
                      "space = \"spatial\"\n[body.a]\nm = 1\ninertia = [1, 1, 1]\nvelocity = [1, 0, 0]\n"
                      "[body.b]\nm = 1\ninertia = [1, 1, 1]\nposition = [1, 0, 0]\naxes = [[0, 1, 0], [-1, 0, 0]]\n"
                      "[joint.hinge]\ntype = \"revolute\"\nof = [\"a\", \"b\"]\naxis = [1, 0, 0]\nat = [0, 0, 1]\n"}}};
  const double h = std::sqrt(0.5);
  const SceneDocument scene = read(
      "space = \"spatial\"\n[use.u]\nscene = \"part.toml\"\nposition = [0, 0, 5]\naxes = [[0, 1, 0], [-1, 0, 0]]\n" +
          statics,
      {}, files);
  expect_near(*found(scene, "body", "u.a").get<Numbers>("position"), {0, 0, 5});
  expect_near(*found(scene, "body", "u.a").get<Numbers>("quat_xyzw"), {0, 0, h, h});
  expect_near(*found(scene, "body", "u.a").get<Numbers>("velocity"), {0, 1, 0});
  expect_near(*found(scene, "body", "u.b").get<Numbers>("position"), {0, 1, 5});
  EXPECT_FALSE(found(scene, "body", "u.b").has("quat_xyzw"));
  expect_near((*found(scene, "body", "u.b").get<Points>("axes"))[0], {-1, 0, 0});
  expect_near(*found(scene, "joint", "u.hinge").get<Numbers>("axis"), {0, 1, 0});
  expect_near(*found(scene, "joint", "u.hinge").get<Numbers>("at"), {0, 0, 6});
}

// What follows a part is along and across it; across which direction a cable bends is a direction of space.
TEST(Use, ForcesThatFollowAPartStayAsTheyAre) {
  const auto scene_of = [](const char* space, const std::string& load) {
    const char* path = std::string_view(space) == "planar" ? "[[0, 0], [1, 0]]" : "[[0, 0, 0], [1, 0, 0]]";
    const char* placed = std::string_view(space) == "planar" ? "angle = \"90 deg\"" : "axes = [[0, 1, 0], [-1, 0, 0]]";
    const Files files{
        {{"part.toml", fmt::format("space = \"{}\"\n[section.s]\nEA = 1\nEI = 1\nrhoA = 1\n[cable.c]\nsection = "
                                   "\"s\"\npath = {}\nelements = 1\n[load.f]\n{}",
                                   space, path, load)}}};
    return read(fmt::format("space = \"{}\"\n[use.u]\nscene = \"part.toml\"\n{}\n", space, placed) + statics, {},
                files);
  };
  const auto number = [](const SceneDocument& scene, const char* key) {
    return *found(scene, "load", "u.f").get<Numbers>(key);
  };
  const SceneDocument planar =
      scene_of("planar", "type = \"distributed\"\non = \"c\"\nforce = [1, 2]\nframe = \"follower\"\n");
  expect_near(number(planar, "force"), {1, 2});
  expect_near(number(scene_of("planar", "type = \"distributed\"\non = \"c\"\nforce = [1, 2]\n"), "force"), {-2, 1});
  const std::string normal = "normal = [1, 0, 0]\n";
  for (const char* load : {"type = \"distributed\"\non = \"c\"\nforce = [1, 2, 3]\nframe = \"follower\"\n",
                           "type = \"follower_force\"\nat = \"c.end\"\nforce = [1, 2, 3]\n"}) {
    const SceneDocument spatial = scene_of("spatial", load + normal);
    expect_near(number(spatial, "force"), {1, 2, 3});
    expect_near(number(spatial, "normal"), {0, 1, 0});
  }
}

// By random orientations, the halves of the quaternion formula included.
TEST(Use, QuaternionsAndMatricesAgree) {
  for (int n = 0; n < 200; ++n) {
    std::array<double, 4> q{std::sin(n * 1.1), std::sin(n * 2.3 + 1), std::cos(n * 0.7), n % 3 == 0 ? 0 : std::sin(n)};
    const Placement once = Placement::turned_by(q), again = Placement::turned_by(once.quat_xyzw());
    for (int i = 0; i < 9; ++i) EXPECT_NEAR(once.R[i], again.R[i], 1e-14);
  }
}

// A vector of space that is not marked would be left behind where a scene is turned.
TEST(Use, EveryVectorOfTheGrammarSaysHowItTurns) {
  for (const int dim : {2, 3}) {
    const std::function<void(const TableSpec&)> check_table = [&](const TableSpec& table) {
      const auto check = [&](const FieldSpec& field) {
        const bool is_vector = field.kind == FieldKind::vector || field.kind == FieldKind::points;
        EXPECT_FALSE(is_vector && field.turns == Turns::unsaid) << dim << ": " << table.kind << "." << field.name;
        if (field.table != nullptr) check_table(*field.table);
      };
      for (const FieldSpec& field : table.fields) check(field);
      for (const VariantSpec& variant : table.variants)
        for (const FieldSpec& field : variant.fields) check(field);
    };
    const auto grammar = scene_grammar(dim, scene_terms());
    for (const TableSpec& table : grammar->tables) check_table(table);
    TableSpec head;
    head.kind = "head";
    head.fields = grammar->head;
    check_table(head);
  }
}

TEST(Use, MessagesPointIntoTheFileThatIsWrong) {
  const std::string use = "[use.left]\nscene = \"finger.toml\"\n";
  std::string bad = finger;
  bad.replace(bad.find("hose.start"), 10, "hoze.start");
  EXPECT_EQ(problems_of(use + "[use.right]\nscene = \"finger.toml\"\n" + statics, {}, with(bad)),
            Lines{"finger.toml:14:17: joint.clamp.of[1]: there is no part named \"hoze\" (hose?)"});
  EXPECT_EQ(problems_of(use + "[mass.more]\nat = \"left.hoze.end\"\nm = 1\n" + statics, {}, with(finger)),
            Lines{"4:6: mass.more.at: there is no part named \"left.hoze\" (left.hose?)"});
  EXPECT_EQ(problems_of(use + "[mass.more]\nat = \"left.tipp\"\nm = 1\n" + statics, {}, with(finger)),
            Lines{"4:6: mass.more.at: the scene used as \"left\" has no part named \"tipp\" (left.tip?)"});
  EXPECT_EQ(problems_of(use + "[mass.more]\nat = \"left\"\nm = 1\n" + statics, {}, with(finger)),
            Lines{"4:6: mass.more.at: \"left\" is a scene used here: name a place in it, as \"left.NAME\""});
}

}  // namespace
}  // namespace flexura::testing

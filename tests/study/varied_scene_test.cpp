#include "flexura/study/varied_scene.hpp"

#include <gtest/gtest.h>

#include <map>

#include "flexura/scene/scene_model.hpp"

namespace flexura::test {
namespace {

const std::string scene_text = R"([mass.bob]
at = "p"
m = "= parameters.m"
[parameters]
m = 2.0
[point.p]
position = [1, 0]
[signal.push]
type = "table"
file = "push.csv"
value = "F"
[signal.again]
type = "table"
file = "push.csv"
value = "F"
interpolation = "hold"
[load.push]
type = "force"
at = "p"
force = [1, 0]
signal = "push"
[load.again]
type = "force"
at = "p"
force = [0, 1]
signal = "again"
[[analysis]]
name = "go"
type = "dynamic"
end = 1
step = 1e-2
)";

struct Files {
  std::map<std::string, int> asked;
  SceneOptions options() {
    SceneOptions o;
    o.load = [this](const std::string& path) -> std::optional<std::string> {
      ++asked[path];
      if (path != "push.csv") return {};
      return "t,F,G\n0,0,1\n0.1,1,2\n0.2,-1,4\n0.7,3,0\n";
    };
    return o;
  }
};

/// Values of both signals at times around the table's rows, and the mass.
std::vector<double> numbers_of(const SceneDocument& document) {
  const SceneModels scene = interpret_scene(document);
  std::vector<double> out, u(2);
  for (const double t : {-1.0, 0.0, 0.05, 0.1, 0.15, 0.2, 0.45, 0.7, 2.0}) {
    document.signals->evaluate(t, u);
    out.insert(out.end(), u.begin(), u.end());
  }
  for (const std::vector<double>& of_batch : scene.models.front().model.values.parameters)
    out.insert(out.end(), of_batch.begin(), of_batch.end());
  return out;
}

// The same scene as reading it with all settings, however often; files are read once, and what differs in a table's keys is not mixed up.
TEST(VariedScene, IsTheSceneReadWithItsSettings) {
  Files files;
  std::string text = scene_text;
  text.replace(text.find("= parameters.m"), 14, "= m");
  const SceneDocument first = read_scene_text(text, "s.toml", scene_terms(), files.options());
  files.asked.clear();
  VariedScene varied(first, files.options());
  const std::vector<std::vector<std::string>> all = {
      {},
      {"parameters.m=3.5"},
      {"signal.push.interpolation=\"cubic\"", "parameters.m=1"},
      {"signal.push.value=\"G\""},
      {"signal.again.period=0.7"},
      {"signal.push.interpolation=\"hold\"", "signal.push.value=3"},
  };
  for (int again = 0; again < 2; ++again)
    for (const std::vector<std::string>& set : all) {
      Files others;
      SceneOptions reading = others.options();
      reading.set = set;
      const SceneDocument expected = read_scene_text(text, "s.toml", scene_terms(), reading);
      const SceneDocument document = varied.vary(set);
      EXPECT_EQ(numbers_of(document), numbers_of(expected));
      EXPECT_EQ(document.set, set);
      EXPECT_EQ(document.files.size(), 1u);
    }
  EXPECT_EQ(files.asked["push.csv"], 1);
  varied.change("parameters.m=5");
  EXPECT_EQ(varied.vary({}).set, std::vector<std::string>{"parameters.m=5"});
}

TEST(VariedScene, ReplacesWhatASettingWrote) {
  Files files;
  std::string text = scene_text;
  text.replace(text.find("= parameters.m"), 14, "= m");
  SceneOptions options = files.options();
  options.set = {R"(signal.push={type="piecewise", points=[[0, 0], [2, 1]]})"};
  const VariedScene varied(read_scene_text(text, "s.toml", scene_terms(), options), options);
  options.set.push_back("signal.push.points=[[0, 0], [2, 3]]");
  EXPECT_EQ(numbers_of(varied.vary({&options.set.back(), 1})),
            numbers_of(read_scene_text(text, "s.toml", scene_terms(), options)));
}

TEST(VariedScene, SaysWhatIsWrongEachTime) {
  Files files;
  std::string text = scene_text;
  text.replace(text.find("= parameters.m"), 14, "= m");
  const VariedScene varied(read_scene_text(text, "s.toml", scene_terms(), files.options()), files.options());
  for (int again = 0; again < 2; ++again) {
    const std::vector<std::string> wrong{"parameters.m=-1", "signal.push.value=\"H\""};
    try {
      varied.vary(wrong);
      FAIL();
    } catch (const InputError& error) {
      const std::string message = error.what();
      EXPECT_NE(message.find("there is no column named \"H\""), std::string::npos) << message;
      EXPECT_NE(message.find("mass.bob.m"), std::string::npos) << message;
    }
  }
}

SceneDocument numbered_scene(Files& files) {
  std::string text = scene_text;
  text.replace(text.find("= parameters.m"), 14, "= m");
  return read_scene_text(text, "s.toml", scene_terms(), files.options());
}

TEST(VariedScene, TellsFilesThatCannotBeReadFromWhatIsWrong) {
  Files files;
  const VariedScene varied(numbered_scene(files), files.options());
  EXPECT_THROW(varied.vary(std::vector<std::string>{"signal.push.file=\"gone.csv\""}), UnreadableFiles);
  try {
    varied.vary(std::vector<std::string>{"signal.push.file=\"gone.csv\"", "parameters.m=-1"});
    FAIL();
  } catch (const UnreadableFiles&) {
    FAIL();
  } catch (const InputError&) {
  }
}

// A robot's mesh is asked for to see whether it is there, then to be drawn.
TEST(VariedScene, ReadsMeshesOfRobotsOnce) {
  int asked = 0;
  SceneOptions options;
  options.load = [&](const std::string& path) -> std::optional<std::string> {
    if (path == "arm.urdf")
      return R"(<robot name="r"><link name="a"><visual><geometry><mesh filename="a.stl"/></geometry></visual>
<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link></robot>)";
    if (path != "a.stl") return {};
    ++asked;
    return "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\n"
           "endsolid a\n";
  };
  const std::string text =
      "space = \"spatial\"\n[use.arm]\nurdf = \"arm.urdf\"\nbase = \"free\"\n[[analysis]]\nname = \"go\"\n"
      "type = \"dynamic\"\nend = 1\nstep = 1e-2\n";
  const VariedScene varied(read_scene_text(text, "s.toml", scene_terms(), options), options);
  asked = 0;
  for (int k = 0; k < 3; ++k) EXPECT_EQ(varied.vary(std::vector<std::string>{"gravity=[0,0,-1]"}).dim, 3);
  EXPECT_EQ(asked, 1);
}

// The plane's scene in space, and back where `space` has been set for all.
TEST(VariedScene, MayBeOfAnotherDimension) {
  Files files;
  VariedScene varied(numbered_scene(files), files.options());
  const std::vector<std::string> in_space = {"space=\"spatial\"", "point.p.position=[1,0,0]", "load.push.force=[1,0,0]",
                                             "load.again.force=[0,1,0]"};
  SceneOptions reading = files.options();
  reading.set = in_space;
  const std::string text = numbered_scene(files).text;
  const SceneDocument expected = read_scene_text(text, "s.toml", scene_terms(), reading);
  ASSERT_EQ(expected.dim, 3);
  const SceneDocument document = varied.vary(in_space);
  EXPECT_EQ(document.dim, 3);
  EXPECT_EQ(numbers_of(document), numbers_of(expected));
  EXPECT_EQ(varied.vary({}).dim, 2);
  for (const std::string& setting : in_space) varied.change(setting);
  EXPECT_EQ(varied.vary({}).dim, 3);
}

}  // namespace
}  // namespace flexura::test

// Robots from URDF files: what is read, and what is said of files that are wrong.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "flexura/scene/convert_urdf.hpp"
#include "flexura/scene/reader.hpp"
#include "flexura/scene/scene_model.hpp"
#include "flexura/scene/urdf_inertia.hpp"

namespace flexura {
namespace {

using testing::HasSubstr;

const std::string inertial =
    R"(<inertial><mass value="1"/><inertia ixx="1e-2" iyy="1e-2" izz="1e-2" ixy="0" iyz="0" ixz="0"/></inertial>)";

std::string link(const std::string& name, const std::string& inside = inertial) {
  return "<link name=\"" + name + "\">" + inside + "</link>\n";
}
std::string joint(const std::string& name, const std::string& parent, const std::string& child,
                  const std::string& inside = {}, const std::string& type = "continuous") {
  return "<joint name=\"" + name + "\" type=\"" + type + "\"><parent link=\"" + parent + "\"/><child link=\"" + child +
         "\"/>" + inside + "</joint>\n";
}
std::string robot(const std::string& inside) { return "<robot name=\"r\">\n" + inside + "</robot>\n"; }
/// Links a, b and a joint between them.
std::string two(const std::string& in_joint = {}, const std::string& type = "continuous") {
  return robot(link("a") + link("b") + joint("j", "a", "b", in_joint, type));
}
/// A link with a visual of this geometry.
std::string look(const std::string& geometry) {
  return robot(link("a", inertial + "<visual><geometry>" + geometry + "</geometry></visual>"));
}
std::string with_inertial(const std::string& inside) {
  return robot(link("a") + link("b", "<inertial>" + inside + "</inertial>") + joint("j", "a", "b"));
}

UrdfScene converted(const std::string& text, const UrdfOptions& options = {}) {
  return urdf_scene(text, "robot.urdf", options);
}
std::string all_of(const std::vector<Problem>& problems) {
  std::string out;
  for (const Problem& problem : problems) out += describe(problem) + "\n";
  return out;
}
const RawNode& at(const RawNode& root, const std::vector<std::string>& keys) {
  const RawNode* node = &root;
  for (const std::string& key : keys) {
    node = node->find(key);
    if (node == nullptr) throw std::runtime_error("no " + key);
  }
  return *node;
}
std::vector<double> numbers_at(const RawNode& root, const std::vector<std::string>& keys) {
  std::vector<double> out;
  for (const RawNode& item : at(root, keys).items) out.push_back(item.number);
  return out;
}

struct Bad {
  const char* name;
  std::string text;
  std::string message;  ///< a part of what is said
};

std::string nested(int depth) {
  std::string out;
  for (int k = 0; k < depth; ++k) out += "<gazebo>";
  for (int k = 0; k < depth; ++k) out += "</gazebo>";
  return out;
}

std::vector<Bad> bad_files() {
  const std::string no_mass = R"(<inertia ixx="1" iyy="1" izz="1"/>)";
  return {
      {"empty", "", "robot.urdf:1:1: error: is not XML from here on: no document element found"},
      {"no xml", "a scene = 3\n", "robot.urdf:1:12: error: is not XML from here on"},
      {"unclosed", "<robot>\n<link name=\"a\">\n</robot>",
       "robot.urdf:3:3: error: is not XML from here on: start-end tags mismatch"},
      {"binary",
       std::string("\x7f"
                   "ELF\0\1\2",
                   7),
       "is no text in UTF-8"},
      {"utf-16", "\xff\xfe<\0r\0", "is no text in UTF-8"},
      {"latin-1",
       "<robot>\n<!-- Gr\xf6\xdf"
       "e -->\n</robot>",
       "robot.urdf:2:1: error: this line is not UTF-8"},
      {"sdf", "<sdf version=\"1.6\"/>", "is a file of SDFormat; a URDF file has <robot> at its top"},
      {"mjcf", "<mujoco/>", "is a file of MuJoCo"},
      {"other root", "<machine/>", "a URDF file has <robot> at its top; this one has <machine>"},
      {"two roots", robot(link("a")) + robot(link("b")), "there is a second element at the top"},
      {"xacro", robot("<xacro:include filename=\"b.xacro\"/>"),
       "expand it first, with `xacro robot.urdf > robot.urdf`"},
      {"no link", robot(""), "robot: has no <link>"},
      {"link without name", robot("<link/>"), "robot.urdf:2:2: error: link: <link> has no \"name\""},
      {"two links of a name", robot(link("a") + link("a")),
       "robot.urdf:3:13: error: link a: there is another link of this name"},
      {"two joints of a name", robot(link("a") + link("b") + link("c") + joint("j", "a", "b") + joint("j", "b", "c")),
       "joint j: there is another joint of this name"},
      {"unknown type", two({}, "revolut"), "there is no joint of type \"revolut\""},
      {"no type", robot(link("a") + "<joint name=\"j\"><parent link=\"a\"/><child link=\"a\"/></joint>"),
       "<joint> has no \"type\""},
      {"no parent", robot(link("a") + link("b") + "<joint name=\"j\" type=\"fixed\"><child link=\"b\"/></joint>"),
       "joint j: has no <parent>"},
      {"no child", robot(link("a") + link("b") + "<joint name=\"j\" type=\"fixed\"><parent link=\"b\"/></joint>"),
       "joint j: has no <child>"},
      {"unknown parent", robot(link("base") + link("b") + joint("j", "bsae", "b")), "there is no link named \"bsae\""},
      {"joined to itself", robot(link("a") + joint("j", "a", "a")), "joint j: joins a link to itself"},
      {"two parents", robot(link("a") + link("b") + link("c") + joint("i", "a", "c") + joint("j", "b", "c")),
       "\"c\" is the child of joint \"i\" already: links of URDF form a tree"},
      {"two trees", robot(link("a") + link("b")), "and \"a\" and \"b\" have no joint above them: join all but one"},
      {"ring", robot(link("a") + link("b") + link("c") + joint("i", "b", "c") + joint("j", "c", "b")),
       "links hang on each other in a ring: c -> b -> c"},
      {"zero axis", two(R"(<axis xyz="0 0 0"/>)"), "an axis must not be zero"},
      {"short axis", two(R"(<axis xyz="0 1"/>)"), "\"xyz\" of <axis> must be 3 numbers; there are 2"},
      {"nan", two(R"(<origin xyz="0 nan 0"/>)"), "must be 3 numbers; \"nan\" is no finite number"},
      {"infinite", two(R"(<origin rpy="inf 0 0"/>)"), "\"inf\" is no finite number"},
      {"too large", two(R"(<origin xyz="1e999 0 0"/>)"), "\"1e999\" is no finite number"},
      {"decimal comma", two(R"(<origin xyz="0,5 0 0"/>)"), "\"0,5\" is no finite number"},
      {"a unit", two(R"(<origin xyz="50mm 0 0"/>)"), "\"50mm\" is no finite number"},
      {"two origins", two(R"(<origin xyz="0 0 0"/><origin xyz="0 0 1"/>)"), "there is a second <origin>"},
      {"limits the wrong way", two(R"(<limit lower="1" upper="-1" effort="1" velocity="1"/>)", "revolute"),
       "the lower limit 1 is above the upper one, -1"},
      {"negative effort", two(R"(<limit lower="-1" upper="1" effort="-1" velocity="1"/>)", "revolute"),
       "\"effort\" of <limit> must be >= 0; this is -1"},
      {"negative damping", two(R"(<dynamics damping="-0.1"/>)"),
       "\"damping\" of <dynamics> must be >= 0; this is -0.1"},
      {"mimic of itself", two(R"(<mimic joint="j"/>)"), "joint j: follows itself"},
      {"mimic of none", two(R"(<mimic joint="elbow"/>)"), "there is no joint named \"elbow\""},
      {"mimic by nothing", two(R"(<mimic joint="j" multiplier="0"/>)"), "by a factor of 0 is fixed"},
      {"mimic of a fixed one",
       robot(link("a") + link("b") + link("c") + joint("i", "a", "b", {}, "fixed") +
             joint("j", "b", "c", R"(<mimic joint="i"/>)")),
       "joint \"i\" has no coordinate to follow"},
      {"no mass", with_inertial(no_mass), "<inertial> has no <mass>"},
      {"negative mass", with_inertial(R"(<mass value="-1"/>)" + no_mass), "a mass must be > 0; this is -1"},
      {"mass in words", with_inertial(R"(<mass value="heavy"/>)" + no_mass), "\"heavy\" is no finite number"},
      {"no inertia", with_inertial(R"(<mass value="1"/>)"), "moves, and has no moments of inertia"},
      {"half an inertia", with_inertial(R"(<mass value="1"/><inertia ixx="1" iyy="1"/>)"), "<inertia> has no \"izz\""},
      {"triangle inequality", with_inertial(R"(<mass value="1"/><inertia ixx="1" iyy="1" izz="3"/>)"),
       "no mass is distributed like that"},
      {"products too large", with_inertial(R"(<mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="5"/>)"),
       "no mass is distributed like that"},
      {"inertia without mass", with_inertial(R"(<mass value="0"/>)" + no_mass), "has moments of inertia and no mass"},
      {"link without mass that moves", robot(link("a") + link("b", "") + joint("j", "a", "b")),
       "link b: moves, and has no mass"},
      {"point mass that moves", with_inertial(R"(<mass value="1"/><inertia ixx="0" iyy="0" izz="0"/>)"),
       "moves, and has no moments of inertia"},
  };
}

TEST(Urdf, EveryBadFileIsToldWhy) {
  for (const Bad& bad : bad_files()) {
    const UrdfScene scene = converted(bad.text);
    EXPECT_THAT(all_of(scene.problems), HasSubstr(bad.message)) << bad.name;
  }
  EXPECT_GE(bad_files().size(), 40U);
}

TEST(Urdf, AllProblemsAreToldAtOnce) {
  const UrdfScene scene =
      converted(robot(link("a") + link("b", "<inertial/>") + joint("j", "a", "b", R"(<axis xyz="0 0 0"/>)") +
                      joint("k", "a", "b", {}, "hinge")));
  EXPECT_EQ(scene.problems.size(), 3U) << all_of(scene.problems);
}

/// A link with this collision geometry.
std::string touch(const std::string& geometry) {
  return robot(link("a", inertial + "<collision><geometry>" + geometry + "</geometry></collision>"));
}

// Motion needs no geometry and no colours: what is wrong with them is a warning that names what is left out.
TEST(Urdf, FaultsOfGeometryAreWarnings) {
  const Bad files[] = {
      {"box without size", look("<box/>"), "<box> has no \"size\"; this <visual> is left out"},
      {"flat box", look(R"(<box size="1 1 0"/>)"), "the size of a box must be > 0; this is 1 1 0; this <visual>"},
      {"point", touch(R"(<box size="0 0 0"/>)"), "must be > 0; this is 0 0 0; this <collision> is left out"},
      {"two sizes", look(R"(<box size="1 1"/>)"), "must be 3 numbers; there are 2; this <visual> is left out"},
      {"negative radius", look(R"(<sphere radius="-1"/>)"), "the radius of a sphere must be > 0; this is -1"},
      {"no radius", touch("<sphere/>"), "<sphere> has no \"radius\"; this <collision> is left out"},
      {"zero radius", touch(R"(<sphere radius="0"/>)"), "the radius of a sphere must be > 0; this is 0"},
      {"disk", look(R"(<cylinder radius="1" length="0"/>)"), "the length of a cylinder must be > 0; this is 0"},
      {"line", touch(R"(<capsule radius="0" length="1"/>)"), "the radius of a capsule must be > 0; this is 0"},
      {"no geometry", robot(link("a", inertial + "<visual/>")), "<visual> has no <geometry>; this <visual>"},
      {"collision without", robot(link("a", inertial + "<collision/>")), "<collision> has no <geometry>"},
      {"empty geometry", look(""), "<geometry> holds nothing; known are <box>"},
      {"other geometry", look("<cone/>"), "<geometry> holds <cone>; known are <box>, <cylinder>, <capsule>, <sphere>"},
      {"plane", touch(R"(<plane normal="0 0 1"/>)"), "<geometry> holds <plane>"},
      {"two geometries", look(R"(<box size="1 1 1"/><sphere radius="1"/>)"), "<geometry> holds <box> and <sphere>"},
      {"mesh without a file", look("<mesh/>"), "<mesh> has no \"filename\"; this <visual> is left out"},
      {"scale of 0", look(R"(<mesh filename="a.stl" scale="1 0 1"/>)"), "a scale must not be 0; this is 1 0 1"},
      {"scale of 2", look(R"(<mesh filename="a.stl" scale="1 1"/>)"), "\"scale\" of <mesh> must be 3 numbers"},
      {"origin",
       robot(link("a", inertial + R"(<visual><origin xyz="0 0"/><geometry><box size="1 1 1"/></geometry></visual>)")),
       "\"xyz\" of <origin> must be 3 numbers; there are 2; this <visual> is left out"},
      {"null bytes", robot(link("a")) + std::string(3, '\0'), "null bytes follow the text; they are left out"},
  };
  for (const Bad& file : files) {
    const UrdfScene scene = converted(file.text, {.collision = UrdfCollision::all});
    EXPECT_TRUE(scene.problems.empty()) << file.name << ": " << all_of(scene.problems);
    EXPECT_THAT(all_of(scene.warnings), HasSubstr(file.message)) << file.name;
    for (const Problem& warning : scene.warnings) EXPECT_TRUE(warning.warning) << file.name;
    EXPECT_EQ(scene.root.find("visual"), nullptr) << file.name;
    EXPECT_EQ(scene.root.find("sphere"), nullptr) << file.name;
  }
}

TEST(Urdf, ShortListsOfColoursAndScalesAreRead) {
  const auto visual = [](const std::string& text) {
    UrdfOptions options;
    options.is_file = [](const std::string&) { return true; };
    return at(converted(text, options).root, {"visual", "a"});
  };
  const auto rgb = robot(link(
      "a",
      inertial +
          R"(<visual><geometry><box size="1 1 1"/></geometry><material name="m"><color rgba="1 0 0"/></material></visual>)"));
  EXPECT_EQ(visual(rgb).find("color")->text, "#ff0000");
  EXPECT_THAT(all_of(converted(rgb).warnings), HasSubstr("\"rgba\" of <color> has 3 values"));
  const auto two_values = robot(link(
      "a",
      inertial +
          R"(<visual><geometry><box size="1 1 1"/></geometry><material name="m"><color rgba="1 0"/></material></visual>)"));
  EXPECT_EQ(visual(two_values).find("color"), nullptr);
  EXPECT_THAT(all_of(converted(two_values).warnings),
              HasSubstr("must be 4 numbers; there are 2; the colour is left out"));
  const auto one_scale = look(R"(<mesh filename="a.stl" scale="0.001"/>)");
  EXPECT_EQ(at(visual(one_scale), {"shape", "scale"}).number, 0.001);
  EXPECT_THAT(all_of(converted(one_scale).warnings), HasSubstr("\"scale\" of <mesh> has 1 value"));
}

TEST(Urdf, LimitsThatAreNotUsedMayBeWrong) {
  for (const char* limit : {R"(<limit lower="1" upper="-1"/>)", R"(<limit effort="-1"/>)", R"(<limit lower="low"/>)"}) {
    const std::string text = two(limit, "revolute");
    EXPECT_FALSE(converted(text).problems.empty()) << limit;
    const UrdfScene without = converted(text, {.stops = false});
    EXPECT_TRUE(without.problems.empty()) << all_of(without.problems);
    EXPECT_THAT(all_of(without.warnings), HasSubstr("; limits are left out")) << limit;
  }
  const std::string rate = two(R"(<limit velocity="-1"/>)");
  EXPECT_THAT(all_of(converted(rate).warnings), HasSubstr("this is -1; limits of velocities are left out"));
  EXPECT_FALSE(converted(rate, {.rates = true}).problems.empty());
}

// Each value that no joint of the scene has is named; exporters write zeros everywhere, which mean nothing.
TEST(Urdf, ValuesOfJointsWithoutACoordinateAreNamed) {
  const std::string inside =
      R"(<axis xyz="0 0 1"/><limit lower="-0.5" upper="0.5" effort="10" velocity="2"/><dynamics damping="5" friction="1"/>)";
  for (const std::string type : {"planar", "floating"}) {
    const UrdfScene scene = converted(two(inside, type));
    EXPECT_TRUE(scene.problems.empty()) << all_of(scene.problems);
    for (const std::string value : {"lower of <limit>", "upper of <limit>", "effort of <limit>", "velocity of <limit>",
                                    "damping of <dynamics>", "friction of <dynamics>"})
      EXPECT_THAT(all_of(scene.warnings), HasSubstr(value + " of " + type + " joints"));
    const std::string zeros = R"(<axis xyz="0 0 1"/><limit effort="0" velocity="0"/><dynamics damping="0"/>)";
    EXPECT_TRUE(converted(two(zeros, type)).warnings.empty());
  }
  EXPECT_THAT(all_of(converted(two(R"(<limit lower="-3" upper="3" effort="1"/>)")).warnings),
              HasSubstr("left out: lower of <limit> of continuous joints, upper of <limit> of continuous joints"));
}

TEST(Urdf, MissingInertiaIsThatOfAPoint) {
  const std::string text = robot(link("a") + link("b", R"(<inertial><mass value="1"/></inertial>)"));
  const UrdfScene fixed =
      converted(text.substr(0, text.find("</robot>")) + joint("j", "a", "b", {}, "fixed") + "</robot>");
  EXPECT_TRUE(fixed.problems.empty()) << all_of(fixed.problems);
  EXPECT_EQ(at(fixed.root, {"mass", "b_mass", "m"}).number, 1);
  EXPECT_THAT(all_of(fixed.warnings), HasSubstr("<inertial> has no <inertia>: the mass is taken as a point"));
  for (const char* inside : {R"(<mass value="1"/>)", R"(<inertia ixx="1" iyy="1" izz="1"/>)", "",
                             R"(<mass value="1"/><inertia ixx="1" iyy="1"/>)"}) {
    const UrdfScene scene = converted(with_inertial(inside), {.inertia = UrdfInertia::mended});
    EXPECT_TRUE(scene.problems.empty()) << inside << all_of(scene.problems);
    EXPECT_THAT(all_of(scene.warnings), HasSubstr("inertia is mended: ")) << inside;
    EXPECT_GT(at(scene.root, {"body", "b", "m"}).number, 0) << inside;
  }
}

// The byte 0xe4 is the letter of that code point, two bytes of UTF-8.
TEST(Urdf, DeclaredLatin1IsRead) {
  const std::string body = "<robot name=\"f\xe4hre\">" + link("a") + "</robot>";
  for (const char* encoding : {"ISO-8859-1", "iso-8859-1", "latin1"}) {
    const UrdfScene scene = converted("<?xml version=\"1.0\" encoding='" + std::string(encoding) + "'?>\n" + body);
    EXPECT_TRUE(scene.problems.empty()) << all_of(scene.problems);
    EXPECT_EQ(at(scene.root, {"title"}).text, "f\xc3\xa4hre");
  }
  EXPECT_FALSE(converted("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + body).problems.empty());
}

TEST(Urdf, WhatIsLargeOrDeepIsRead) {
  std::string chain = link("l0");
  for (int k = 1; k <= 2000; ++k)
    chain += link("l" + std::to_string(k)) +
             joint("j" + std::to_string(k), "l" + std::to_string(k - 1), "l" + std::to_string(k));
  EXPECT_EQ(at(converted(robot(chain)).root, {"body"}).entries.size(), 2001U);
  const UrdfScene deep = converted(robot(link("a") + nested(100000)));
  EXPECT_TRUE(deep.problems.empty());
  const std::string bomb = "<!DOCTYPE robot [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;\">]>\n";
  EXPECT_EQ(at(converted(bomb + robot(link("&b;"))).root, {"body"}).entries[0].key, "link__b_")
      << "entities are not expanded";
}

TEST(Urdf, WhatIsLeftOutIsOneWarning) {
  const UrdfScene scene = converted(
      robot(link("a", inertial + R"(<visual><geometry><box size="1 1 1" colour="red"/></geometry></visual>)") +
            "<transmission name=\"t\"/><transmission name=\"u\"/><gazebo/>" +
            link("b", inertial + R"(<collision><geometry><box size="1 1 1"/></geometry></collision>)") +
            joint("j", "a", "b", R"(<calibration rising="0"/><limit efort="3"/>)")));
  ASSERT_EQ(scene.warnings.size(), 1U) << all_of(scene.warnings);
  EXPECT_EQ(
      scene.warnings[0].message,
      "left out: <transmission> (2), <gazebo>, colour of <box>, <calibration>, efort of <limit> (nearest: effort), "
      "collision geometry that is no sphere (1; collision = \"all\" takes the corners of boxes, cylinders, "
      "capsules and meshes)");
}

// Efforts and velocities are limits of what drives a joint; those of 0 mean nothing, and velocities count where they are asked for.
TEST(Urdf, EffortsAndVelocitiesLimitDrives) {
  const std::string text = two(R"(<limit lower="-1" upper="1" effort="150" velocity="2"/>)", "revolute");
  const auto joint_of = [&](const UrdfOptions& options) { return at(converted(text, options).root, {"joint", "j"}); };
  EXPECT_EQ(joint_of({}).find("max_effort")->number, 150);
  EXPECT_EQ(joint_of({}).find("max_rate"), nullptr);
  EXPECT_EQ(joint_of({.rates = true}).find("max_rate")->number, 2);
  EXPECT_EQ(joint_of({.stops = false}).find("max_effort"), nullptr);
  const UrdfScene none = converted(two(R"(<limit effort="0" velocity="0"/>)"), {.rates = true});
  EXPECT_EQ(at(none.root, {"joint", "j"}).find("max_effort"), nullptr);
  EXPECT_EQ(at(none.root, {"joint", "j"}).find("max_rate"), nullptr);
}

// A stop throws back what starts beyond it: 1230 J of an arm at 1.2 rad that may turn by 0.5 rad.
TEST(Urdf, StartsBeyondLimitsAreTold) {
  const std::string arm = two(R"(<limit lower="-3.07" upper="-0.07" effort="87"/>)", "revolute");
  EXPECT_THAT(all_of(converted(arm).warnings),
              HasSubstr("joints start beyond their limits, where the stops throw them back: \"j\" at 0 rad, outside "
                        "-3.07 to -0.07 rad"));
  UrdfOptions inside;
  inside.joints = {{"j", -1.5, {}}};
  EXPECT_TRUE(converted(arm, inside).warnings.empty()) << all_of(converted(arm, inside).warnings);
  EXPECT_TRUE(converted(arm, {.stops = false}).warnings.empty());
  EXPECT_THAT(all_of(converted(two(R"(<limit lower="1" upper="2"/>)", "prismatic")).warnings),
              HasSubstr("\"j\" at 0 m, outside 1 to 2 m"));
  EXPECT_THAT(all_of(converted(two(R"(<limit effort="3"/>)", "revolute")).warnings),
              HasSubstr("limits leave joints no way to move (those left out are 0): \"j\" at 0 rad"));
}

TEST(Urdf, UnitsOffByAThousandAreDoubted) {
  const std::string box = R"(<visual><geometry><box size="400 60 60"/></geometry></visual>)";
  EXPECT_THAT(all_of(converted(robot(link("a", inertial + box))).warnings), HasSubstr("are they in mm?"));
  const std::string small = R"(<visual><geometry><box size="0.4 0.06 0.06"/></geometry></visual>)";
  const std::string grams = R"(<inertial><mass value="1"/><inertia ixx="2e4" iyy="2e4" izz="2e4"/></inertial>)";
  EXPECT_THAT(all_of(converted(robot(link("a", grams + small))).warnings), HasSubstr("is it in kg m^2?"));
  const std::string far =
      R"(<inertial><origin xyz="200 0 0"/><mass value="1"/><inertia ixx="1e-2" iyy="1e-2" izz="1e-2"/></inertial>)";
  EXPECT_THAT(all_of(converted(robot(link("a", far + small))).warnings), HasSubstr("is it in m?"));
}

// Turned by 90 degrees about x and moved: corners at x ± 1, y ± 3, z ± 2.
TEST(Urdf, CornersAreWhatContactsKnowOfBoxes) {
  const std::string collisions =
      R"(<collision><origin xyz="0.5 0 0" rpy="1.5707963267948966 0 0"/><geometry><box size="2 4 6"/></geometry></collision>)"
      R"(<collision><geometry><capsule radius="0.1" length="1"/></geometry></collision>)"
      R"(<collision><geometry><cylinder radius="0.1" length="1"/></geometry></collision>)"
      R"(<collision><geometry><sphere radius="0.2"/></geometry></collision>)"
      R"(<collision><geometry><mesh filename="a.stl"/></geometry></collision>)";
  const UrdfScene scene = converted(robot(link("a", inertial + collisions)), {.collision = UrdfCollision::all});
  EXPECT_EQ(at(scene.root, {"sphere"}).entries.size(), 8U + 2 + 32 + 1);
  const std::vector<double> corner = numbers_at(scene.root, {"body", "a", "points", "collision_1_8"});
  EXPECT_NEAR(corner[0], 1.5, 1e-15);
  EXPECT_NEAR(corner[1], -3, 1e-15);
  EXPECT_NEAR(corner[2], 2, 1e-15);
  EXPECT_EQ(at(scene.root, {"sphere", "a_collision_1_8", "radius"}).number, 0);
  EXPECT_EQ(at(scene.root, {"sphere", "a_collision_2_2", "radius"}).number, 0.1);
  EXPECT_EQ(numbers_at(scene.root, {"body", "a", "points", "collision_2_2"}), (std::vector<double>{0, 0, 0.5}));
  EXPECT_EQ(at(scene.root, {"sphere", "a_collision_4", "radius"}).number, 0.2);
  EXPECT_THAT(all_of(scene.warnings), HasSubstr("collision meshes that cannot be read (1)"));
  EXPECT_EQ(converted(robot(link("a", inertial + collisions)), {.collision = UrdfCollision::none}).root.find("sphere"),
            nullptr);
}

TEST(Urdf, NamesAreFitted) {
  const UrdfScene scene = converted(robot(link("base link") + link("base.link") + link("2nd") +
                                          joint("a/b", "base link", "base.link") + joint("c", "base.link", "2nd")));
  std::vector<std::string> names;
  for (const RawEntry& body : at(scene.root, {"body"}).entries) names.push_back(body.key);
  EXPECT_THAT(names, testing::ElementsAre("base_link", "base_link_2", "link_2nd"));
  ASSERT_EQ(scene.warnings.size(), 1U);
  EXPECT_THAT(scene.warnings[0].message, HasSubstr("\"base link\" is called \"base_link\" here"));
}

TEST(Urdf, InertiaIsTurnedIntoTheLinksFrame) {
  const UrdfScene scene = converted(robot(link(
      "a",
      R"(<inertial><origin xyz="0 0 0.1" rpy="0 0 0.7853981633974483"/><mass value="2"/><inertia ixx="1" iyy="2" izz="2.5"/></inertial>)")));
  const std::vector<double> J = numbers_at(scene.root, {"body", "a", "inertia"}),
                            P = numbers_at(scene.root, {"body", "a", "products_of_inertia"});
  EXPECT_NEAR(J[0], 1.5, 1e-15);
  EXPECT_NEAR(J[1], 1.5, 1e-15);
  EXPECT_NEAR(J[2], 2.5, 1e-15);
  EXPECT_NEAR(P[0], -0.5, 1e-15);
}

// Exporters write an axis of zeros for joints that have none.
TEST(Urdf, OnlyJointsWithAnAxisNeedOne) {
  for (const char* type : {"fixed", "floating"})
    EXPECT_TRUE(converted(two(R"(<axis xyz="0 0 0"/>)", type)).problems.empty()) << type;
  EXPECT_FALSE(converted(two(R"(<axis xyz="0 0 0"/>)", "planar")).problems.empty());
}

// A robot of which some joints have been fixed keeps what they followed.
TEST(Urdf, AFixedJointFollowsNobody) {
  const UrdfScene scene = converted(robot(link("a") + link("b") + link("c") + joint("i", "a", "b") +
                                          joint("j", "b", "c", R"(<mimic joint="i"/>)", "fixed")));
  EXPECT_TRUE(scene.problems.empty()) << all_of(scene.problems);
  EXPECT_THAT(all_of(scene.warnings), HasSubstr("left out: <mimic> of a joint without a coordinate"));
}

// Second moments of (3, 1, 1) are (-½, 3/2, 3/2): without the negative one (3, 3/2, 3/2), with the sphere's of 2 mm in its place, of
// moments 8e-6, (3, 3/2 + 4e-6, 3/2 + 4e-6). Turned by 45 degrees about z with it.
TEST(Urdf, InertiaIsMendedWhereThatIsAskedFor) {
  for (const double value : nearest_inertia({3, 1, 1, 0, 0, 0})) EXPECT_TRUE(value == 0 || value == 1.5 || value == 3);
  const std::array<double, 6> turned = nearest_inertia({2, 2, 1, 1, 0, 0});
  const double expected[] = {2.25, 2.25, 1.5, 0.75, 0, 0};
  for (int i = 0; i < 6; ++i) EXPECT_NEAR(turned[i], expected[i], 1e-15) << i;
  const std::array<double, 6> possible{0.02, 0.03, 0.04, 0.001, -0.002, 0.003};
  for (int i = 0; i < 6; ++i) EXPECT_NEAR(nearest_inertia(possible)[i], possible[i], 1e-17) << i;

  // One that no mass has, one that moves without mass, a point mass that moves, zeros but for rounding, moments without mass.
  const std::string text =
      robot(link("a", R"(<inertial><mass value="2"/><inertia ixx="3" iyy="1" izz="1"/></inertial>)") + link("b", "") +
            link("c", R"(<inertial><mass value="1"/><inertia ixx="0" iyy="0" izz="0"/></inertial>)") +
            link("d", R"(<inertial><mass value="1"/><inertia ixx="1e-30" iyy="-1e-30" izz="0"/></inertial>)") +
            link("e", R"(<inertial><mass value="0"/><inertia ixx="1e-6" iyy="1e-6" izz="1e-6"/></inertial>)") +
            joint("i", "a", "b", R"(<origin xyz="0 0 2"/>)") + joint("j", "b", "c") + joint("k", "c", "d") +
            joint("l", "d", "e"));
  EXPECT_EQ(converted(text).problems.size(), 3U) << all_of(converted(text).problems);
  EXPECT_THAT(all_of(converted(text).problems), HasSubstr("inertia = \"mended\""));
  const UrdfScene scene = converted(text, {.inertia = UrdfInertia::mended});
  EXPECT_TRUE(scene.problems.empty()) << all_of(scene.problems);
  const std::vector<double> a = numbers_at(scene.root, {"body", "a", "inertia"});
  ASSERT_EQ(a.size(), 3U);
  EXPECT_NEAR(a[0], 3, 1e-14);
  for (int i = 1; i < 3; ++i) EXPECT_NEAR(a[i], 1.5 + 4e-6, 1e-14);
  EXPECT_NEAR(at(scene.root, {"body", "b", "m"}).number, 4e-6, 1e-20);                   // a millionth of all
  EXPECT_NEAR(numbers_at(scene.root, {"body", "b", "inertia"})[0], 4e-6 * 4e-6, 1e-22);  // and a sphere's of 2 mm
  for (const char* name : {"c", "d"}) EXPECT_NEAR(numbers_at(scene.root, {"body", name, "inertia"})[2], 4e-6, 1e-18);
  for (const double J : numbers_at(scene.root, {"body", "e", "inertia"})) EXPECT_NEAR(J, 1e-6, 1e-20);
  ASSERT_FALSE(scene.warnings.empty());
  EXPECT_EQ(
      scene.warnings[0].message,
      "inertia is mended: moments of a by 0.5 of 3 kg m^2, e has 4e-06 kg, b has 4e-06 kg and moments of 1.6e-11 kg "
      "m^2, c has moments of 4e-06 kg m^2, d has moments of 4e-06 kg m^2");
}

// (-1, 1, 1) is nearest to a rod along x, which has nothing to turn about x with: a joint about x asks for the little that a sphere has.
TEST(Urdf, MendedInertiaTurnsAboutEveryAxis) {
  const std::string text =
      robot(link("a") + link("b", R"(<inertial><mass value="2"/><inertia ixx="-1" iyy="1" izz="1"/></inertial>)") +
            joint("i", "a", "b", R"(<origin xyz="0 0 2"/><axis xyz="1 0 0"/>)"));
  const UrdfScene scene = converted(text, {.inertia = UrdfInertia::mended});
  const std::vector<double> b = numbers_at(scene.root, {"body", "b", "inertia"});
  ASSERT_EQ(b.size(), 3U);
  EXPECT_NEAR(b[0], 8e-6, 1e-14);
  for (int i = 1; i < 3; ++i) EXPECT_NEAR(b[i], 1.5 + 4e-6, 1e-14);
}

TEST(Urdf, JointsStartWhereTheyAreTold) {
  const std::string text =
      robot(link("a") + link("b") + link("c") + joint("j", "a", "b", R"(<origin xyz="0 0 1"/><axis xyz="0 0 1"/>)") +
            joint("k", "b", "c",
                  R"(<origin xyz="1 0 0"/><axis xyz="1 0 0"/><mimic joint="j" multiplier="0.5" offset="0.1"/>)",
                  "prismatic"));
  UrdfOptions options;
  options.joints = {{"j", 1.5707963267948966, {}}};
  const UrdfScene scene = converted(text, options);
  const std::vector<double> c = numbers_at(scene.root, {"body", "c", "initial", "position"});
  EXPECT_NEAR(c[0], 0, 1e-15);
  EXPECT_NEAR(c[1], 1 + 0.5 * 1.5707963267948966 + 0.1, 1e-14);  // written with 15 digits
  EXPECT_NEAR(c[2], 1, 1e-15);
  options.joints = {{"k", 1, {}}, {"l", 1, {}}};
  const std::string said = all_of(converted(text, options).problems);
  EXPECT_THAT(said, HasSubstr("follows joint \"j\": give that one's place"));
  EXPECT_THAT(said, HasSubstr("the robot has no joint \"l\""));
}

TEST(Urdf, MeshesOfPackagesAreFound) {
  const std::string text = look(R"(<mesh filename="package://arm/meshes/a.stl" scale="0.001 -0.001 0.001"/>)");
  std::vector<std::string> asked;
  UrdfOptions options;
  options.is_file = [&](const std::string& path) { return asked.push_back(path), path == "/ros/arm/meshes/a.stl"; };
  const UrdfScene scene = urdf_scene(text, "/ros/arm/urdf/arm.urdf", options);
  EXPECT_EQ(at(scene.root, {"visual", "a", "shape", "file"}).text, "../meshes/a.stl");
  EXPECT_EQ(numbers_at(scene.root, {"visual", "a", "shape", "stretch"}), (std::vector<double>{1e-3, -1e-3, 1e-3}));
  options.is_file = [](const std::string&) { return false; };
  EXPECT_THAT(all_of(urdf_scene(text, "/ros/arm/urdf/arm.urdf", options).warnings),
              HasSubstr("\"package://arm/meshes/a.stl\" is in none of the folders"));
}

const char* const analysis = "\n[[analysis]]\nname = \"move\"\ntype = \"dynamic\"\nend = 1\nstep = 1e-3\n";

/// A scene that uses a robot.
SceneModels scene_with(const std::string& use, const std::string& robot_text) {
  SceneOptions options;
  options.load = [&](const std::string& path) { return path == "arm.urdf" ? std::optional(robot_text) : std::nullopt; };
  return interpret_scene(read_scene_text("space = \"spatial\"\n[use.arm]\nurdf = \"arm.urdf\"\n" + use + analysis,
                                         "scene.toml", scene_terms(), options));
}

const std::string arm = robot(link("base") + link("upper") + link("fore") + link("hand") + link("tool", "") +
                              joint("shoulder", "base", "upper", R"(<origin xyz="0 0 0.1"/><axis xyz="0 1 0"/>)") +
                              joint("elbow", "upper", "fore", R"(<origin xyz="0.3 0 0"/><axis xyz="0 1 0"/>)") +
                              joint("wrist", "fore", "hand", R"(<origin xyz="0.25 0 0"/><axis xyz="0 1 0"/>)") +
                              joint("mount", "hand", "tool", R"(<origin xyz="0.1 0 0"/>)", "fixed"));

TEST(Urdf, LinksWithoutMassAreFramesOnOthers) {
  for (const char* base : {"fixed", "free"}) {
    const SceneModels scene = scene_with("base = \"" + std::string(base) + "\"\n", arm);
    const Machine& machine = scene.models[0];
    EXPECT_EQ(machine.bodies.back().name, "arm.tool");
    for (const int slot : machine.bodies.back().slots)
      EXPECT_TRUE(machine.model.topology->slots[static_cast<size_t>(slot)].offset >= machine.model.topology->ny)
          << "it has coordinates of its own";
  }
}

TEST(Urdf, APartTakesThePlaceOfALink) {
  const std::string blade = R"(
[section.blade]
EA = 1e6
GA1 = 1e6
GA2 = 1e6
EI = 50
GJ = 30
rhoA = 0.5
rhoI1 = 1e-5
rhoI2 = 1e-5
[beam.blade]
section = "blade"
path = [[0.3, 0, 0.1], [0.55, 0, 0.1]]
elements = 2
)";
  const SceneModels scene =
      scene_with("replace.fore = { elbow = \"blade.start\", wrist = \"blade.end\" }\n" + blade, arm);
  const Machine& machine = scene.models[0];
  EXPECT_EQ(machine.bodies.size(), 4U);
  for (const JointPart& joint : machine.joints) {
    if (joint.name == "arm.elbow") {
      EXPECT_EQ(joint.parts[1], "blade");
    }
  }
  EXPECT_THROW(scene_with("replace.fore = { elbow = \"blade.start\" }\n" + blade, arm), InputError);
  EXPECT_THROW(scene_with("replace.forearm = { elbow = \"blade.start\" }\n" + blade, arm), InputError);
}

TEST(Urdf, WhatIsConvertedReadsBack) {
  const UrdfScene scene = converted(arm);
  const SceneModels read =
      interpret_scene(read_scene_text(write_toml(scene.root) + analysis, "arm.toml", scene_terms()));
  EXPECT_EQ(read.models[0].bodies.size(), 5U);
}

}  // namespace
}  // namespace flexura

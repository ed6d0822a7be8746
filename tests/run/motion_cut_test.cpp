// Motions of stiff damped parts on a hub, cut in all ways: nothing is dissipated by a cut.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "flexura/run/run.hpp"
#include "flexura/scene/reader.hpp"
#include "flexura/scene/scene_model.hpp"

namespace flexura {
namespace {

/// A part of steel of 0.4 m along x on the hub, with a retardation time of 1 ms; what it damps is up to 10⁴ times
/// faster than a step.
struct Arm {
  const char* name;
  int dim;
  const char* tables;
  const char *root, *tip;
};

constexpr const char* spin_3d = "angular_velocity = [0, 0, 40]\nabout = [0, 0, 0]\n";
constexpr const char* spin_2d = "angular_velocity = 40\nabout = [0, 0]\n";

constexpr Arm arms[] = {
    {"cable", 2, R"([section.s]
EA = 1e7
EI = 40
rhoA = 0.4
damping_stretch = "1 ms"
damping_bend = "1 ms"
[cable.arm]
section = "s"
path = [[0, 0], [0.4, 0]]
elements = 4
)",
     "arm.start", "arm.end"},
    {"beam", 3, R"([section.s]
shape = { type = "circle", radius = "4 mm" }
material = "steel"
damping_stretch = "1 ms"
[beam.arm]
section = "s"
path = [[0, 0, 0], [0.4, 0, 0]]
elements = 3
)",
     "arm.start", "arm.end"},
    {"full beam", 3, R"([section.s]
shape = { type = "rectangle", height = "10 mm", width = "8 mm" }
material = "steel"
damping_stretch = "1 ms"
[beam.arm]
element = "full"
section = "s"
path = [[0, 0, 0], [0.4, 0, 0]]
elements = 3
)",
     "arm.start", "arm.end"},
    {"plate", 3, R"([plate.arm]
shape = { type = "flat", size = [0.4, 0.1] }
material = "steel"
thickness = "4 mm"
elements = [3, 1]
damping = "1 ms"
)",
     "arm.start", "arm.corner_end_top"},
    {"solid", 3, R"([solid.arm]
shape = { type = "block", size = [0.4, 0.04, 0.02] }
material = "steel"
element = "hexahedra-20"
elements = [3, 1, 1]
damping = "1 ms"
)",
     "arm.left", "arm.right"},
};

enum class Hub { prescribed, multipliers, servo, geared };
enum class Cut { none, load, removed, split, resumed, saved, projected };

const char* word(Hub hub) {
  constexpr const char* words[] = {"prescribed", "multipliers", "servo", "geared"};
  return words[static_cast<int>(hub)];
}
const char* word(Cut cut) {
  constexpr const char* words[] = {
      "not cut", "a load of zero jumps", "a joint elsewhere is removed", "two analyses", "resumed",
      "saved",   "projected velocities"};
  return words[static_cast<int>(cut)];
}

std::string hub_text(const Arm& arm, Hub hub) {
  const bool planar = arm.dim == 2;
  const char* axis = planar ? "" : "axis = [0, 0, 1]\n";
  const char* at = planar ? "at = [0, 0]\n" : "at = [0, 0, 0]\n";
  std::string text = fmt::format("[body.hub]\nm = 1\ninertia = {}\n{}", planar ? "1" : "[1, 1, 1]",
                                 planar ? "angular_velocity = 40\n" : "angular_velocity = [0, 0, 40]\n");
  text += fmt::format("[joint.bearing]\ntype = \"revolute\"\nof = [\"ground\", \"hub\"]\n{}{}", at, axis);
  if (hub == Hub::prescribed || hub == Hub::multipliers) text += "angle = \"= 40 * t\"\n";
  if (hub == Hub::multipliers) text += "method = \"multipliers\"\n";
  if (hub == Hub::servo)
    text += "[load.m]\ntype = \"servo\"\nat = \"bearing\"\ntarget = \"= 40 * t\"\nkp = 2000\nkd = 50\n";
  if (hub == Hub::geared)
    text += fmt::format(
        "[body.pinion]\nposition = {}\nm = 0.2\ninertia = {}\n{}"
        "[joint.shaft]\ntype = \"revolute\"\nof = [\"ground\", \"pinion\"]\nat = {}\n{}angle = \"= -80 * t\"\n"
        "[joint.teeth]\ntype = \"gear\"\nfirst = \"shaft\"\nsecond = \"bearing\"\nratio = -0.5\n",
        planar ? "[0, 1]" : "[0, 1, 0]", planar ? "0.01" : "[0.01, 0.01, 0.01]",
        planar ? "angular_velocity = -80\n" : "angular_velocity = [0, 0, -80]\n", planar ? "[0, 1]" : "[0, 1, 0]",
        axis);
  return text;
}

std::string scene(const Arm& arm, Hub hub, Cut cut) {
  const bool planar = arm.dim == 2;
  std::string text = fmt::format("space = \"{}\"\n[material.steel]\nE = \"210 GPa\"\nnu = 0.3\nrho = 7850\n",
                                 planar ? "planar" : "spatial");
  text += hub_text(arm, hub);
  text += arm.tables;
  text += planar ? spin_2d : spin_3d;
  text += fmt::format("[joint.root]\ntype = \"weld\"\nof = [\"hub\", \"{}\"]\n", arm.root);
  // Elsewhere: what is let go there matters to nothing else.
  text += fmt::format(
      "[point.weight]\nposition = {0}\n[mass.lump]\nat = \"weight\"\nm = 0.1\n[joint.hook]\n"
      "type = \"pin\"\nof = [\"ground\", \"weight\"]\nat = {0}\n{1}",
      planar ? "[5, 5]" : "[5, 5, 0]", cut == Cut::removed ? "until = 0.03\n" : "");
  if (cut == Cut::load)
    text += fmt::format(
        "[load.nothing]\ntype = \"force\"\nat = \"{}\"\nforce = {}\nsignal = {{ type = \"piecewise\", "
        "points = [[0, 1], [0.03, 1], [0.03, 0]] }}\n",
        arm.tip, planar ? "[0, 0]" : "[0, 0, 0]");
  const auto analysis = [&](const char* name, double end) {
    text += fmt::format(
        "[[analysis]]\nname = \"{}\"\ntype = \"dynamic\"\nend = {}\nstep = \"1 ms\"\n{}", name, end,
        cut == Cut::projected ? "integrator = { type = \"generalized-alpha\", project_velocities = true }\n" : "");
  };
  if (cut == Cut::split || cut == Cut::resumed) analysis("first", 0.03);
  analysis("last", 0.06);
  return text;
}

struct Outcome {
  double dissipated = std::numeric_limits<double>::quiet_NaN(), in_play = 0;
};

Outcome run(const Arm& arm, Hub hub, Cut cut) {
  const SceneDocument document = read_scene_text(scene(arm, hub, cut), "cut.toml", scene_terms());
  const SceneModels models = interpret_scene(document);
  RunOptions options;
  options.record = false;
  Run first(document, models, options), second(document, models, options);
  Run* last = &first;
  if (cut == Cut::saved || cut == Cut::resumed) {
    first.advance(cut == Cut::saved ? 30 : 30);
    second.restore(first.save());
    last = &second;
  }
  while (last->advance(1000)) {
  }
  const RunSummary summary = last->conclude();
  EXPECT_EQ(summary.status, RunStatus::finished) << summary.message;
  return {summary.dissipated, summary.kinetic};
}

class CutMotion : public testing::TestWithParam<int> {};

// What is dissipated is what is dissipated without the cut, to a millionth of the energy in play: cuts alone lost 10 %
// of it.
TEST_P(CutMotion, DissipatesNothing) {
  const Arm& arm = arms[GetParam()];
  for (const Hub hub : {Hub::prescribed, Hub::multipliers, Hub::servo, Hub::geared}) {
    const Outcome plain = run(arm, hub, Cut::none);
    for (const Cut cut : {Cut::load, Cut::removed, Cut::split, Cut::resumed, Cut::saved, Cut::projected}) {
      const Outcome now = run(arm, hub, cut);
      EXPECT_NEAR(now.dissipated, plain.dissipated, 1e-6 * plain.in_play + 0.02 * plain.dissipated)
          << arm.name << ", " << word(hub) << ", " << word(cut);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Arms, CutMotion, testing::Range(0, static_cast<int>(std::size(arms))));

}  // namespace
}  // namespace flexura

// What the way back through a run costs, in runs of the same scene: by samples of a control signal and by other numbers, and by the memory
// that it may take.
// Processor time, the least of three. Prints the tables of docs/gradients.md.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>

#include "flexura/run/simulation.hpp"
#include "flexura/scene/reader.hpp"
#include "flexura/study/gradient.hpp"

namespace {

using namespace flexura;

double processor_seconds(auto&& work) {
  double least = 1e300;
  for (int k = 0; k < 3; ++k) {
    const std::clock_t start = std::clock();
    work();
    least = std::min(least, static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
  }
  return least;
}

/// The actuator with its upper pressure by samples.
SceneDocument scene_of(long steps, int samples) {
  const double end = static_cast<double>(steps) * 5e-4;
  std::string points;
  for (int k = 0; k < samples; ++k) {
    const double t = end * k / (samples - 1);
    points += fmt::format("{}[{}, {}]", k > 0 ? ", " : "", t, 2e4 * std::sin(3 * t));
  }
  SceneOptions options;
  options.set = {fmt::format("analysis.move.end={}", end), "mass.payload.until=1e3",
                 "load.upper_chamber.pressure={ type = \"piecewise\", points = [" + points + "] }"};
  return read_scene("examples/soft_actuator.toml", scene_terms(), options);
}

/// A cable that falls, of 100 elements with a section each.
SceneDocument cut_cable() {
  constexpr int parts = 100;
  std::string text = "space = \"planar\"\ngravity = [0, -9.81]\n";
  for (int k = 0; k < parts; ++k) {
    const std::string end = k == 0 ? "\"ground\"" : fmt::format("\"c{}.end\"", k - 1);
    text += fmt::format("[section.s{}]\nEA = 2000\nEI = 0.02\nrhoA = 0.12\n", k);
    text += fmt::format("[cable.c{0}]\nsection = \"s{0}\"\npath = [[{1}, 0], [{2}, 0]]\nelements = 1\n", k, 0.01 * k,
                        0.01 * (k + 1));
    text += fmt::format("[joint.j{0}]\ntype = \"weld\"\nof = [{1}, \"c{0}.start\"]\n", k, end);
  }
  text += fmt::format(
      "[sensor.tip]\ntype = \"position\"\nat = \"c{}.end\"\n[[analysis]]\nname = \"fall\"\n"
      "type = \"dynamic\"\nintegrator = \"generalized-alpha\"\nend = 4\nstep = 1e-3\n",
      parts - 1);
  return read_scene_text(text, "adjoint.toml", scene_terms());
}

struct Cost {
  double run, whole;
  WeightedGradient gradient;
};

Cost cost(const SceneDocument& scene, const GradientQuestion& question) {
  Cost out;
  RunOptions options;
  options.record = false;
  out.run = processor_seconds([&] { run_scene(scene, options); });
  out.whole = processor_seconds([&] {
    out.gradient = differentiate_backwards(scene, read_again(scene), question, [](const Derivatives& d) {
      return std::vector<double>(d.values.size(), 1.0);
    });
  });
  return out;
}

Cost cost(long steps, int samples, size_t bytes, const std::vector<std::string>& more = {}) {
  GradientQuestion question{.wrt = more, .of = {"tip.x", "tip.y"}, .most_bytes = bytes};
  for (int k = 0; k < samples; ++k) question.wrt.push_back(fmt::format("load.upper_chamber.pressure.points[{}][1]", k));
  return cost(scene_of(steps, samples), question);
}

}  // namespace

int main() {
  constexpr size_t all = size_t(1) << 40;
  fmt::print("| samples | run [s] | run and way back [s] | runs |\n|---|---|---|---|\n");
  for (const int samples : {10, 100, 1000}) {
    const Cost c = cost(4000, samples, all);
    fmt::print("| {} | {:.4f} | {:.4f} | {:.2f} |\n", samples, c.run, c.whole, c.whole / c.run);
  }
  fmt::print("\n| steps | memory allowed | states [MB] | steps again | runs |\n|---|---|---|---|---|\n");
  for (const long steps : {1000, 10000})
    for (const size_t bytes : {all, size_t(0)}) {
      const Cost c = cost(steps, 100, bytes);
      fmt::print("| {} | {} | {:.2f} | {} | {:.2f} |\n", steps, bytes == 0 ? "least" : "all",
                 static_cast<double>(c.gradient.state_bytes) / 1e6, c.gradient.steps_again, c.whole / c.run);
    }
  fmt::print("\n| other numbers | runs |\n|---|---|\n");
  const std::vector<std::string> numbers{"section.wall.EI", "section.wall.EA", "section.wall.rhoA", "mass.payload.m",
                                         "parameters.R2",   "parameters.L",    "gravity[1]"};
  for (const size_t n : {0, 1, 2, 3, 7}) {
    const Cost c = cost(4000, 10, all, {numbers.begin(), numbers.begin() + static_cast<long>(n)});
    fmt::print("| {} | {:.2f} |\n", n, c.whole / c.run);
  }
  fmt::print("\n| what relaxes | run [s] | run and way back [s] | runs |\n|---|---|---|---|\n");
  struct Relaxing {
    const char *example, *sensor;
    std::vector<std::string> numbers;
  };
  const Relaxing relaxing[] = {
      {"relaxation", "load", {"material.rubber.E", "material.rubber.relaxation[0][1]", "mass.load.m"}},
      {"rubber_arm",
       "weight",
       {"material.silicone.c10", "material.silicone.bulk", "material.silicone.relaxation[0][1]"}},
  };
  for (const Relaxing& r : relaxing) {
    GradientQuestion question{.wrt = r.numbers, .of = {r.sensor}, .most_bytes = all};
    const Cost c = cost(read_scene(fmt::format("examples/{}.toml", r.example), scene_terms(), {}), question);
    fmt::print("| {} | {:.4f} | {:.4f} | {:.2f} |\n", r.example, c.run, c.whole, c.whole / c.run);
  }
  fmt::print("\n| stiffnesses | run [s] | run and way back [s] | runs |\n|---|---|---|---|\n");
  const SceneDocument cable = cut_cable();
  for (const int n : {1, 10, 40, 100}) {
    GradientQuestion question{.wrt = {}, .of = {"tip.x", "tip.y"}, .most_bytes = all};
    for (int k = 0; k < n; ++k) question.wrt.push_back(fmt::format("section.s{}.EI", k));
    const Cost c = cost(cable, question);
    fmt::print("| {} | {:.4f} | {:.4f} | {:.2f} |\n", n, c.run, c.whole, c.whole / c.run);
  }
}

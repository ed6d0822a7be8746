/// Andrews' squeezing mechanism, 0.03 s, two and a half revolutions: embedded Runge–Kutta and Adams; least of 200. Of bodies on two points
/// each, of trusses, and of trusses with a crank. Run from the repository's root.

#include "tests/support/andrews.hpp"

#include <fmt/format.h>

#include "benchmarks/models.hpp"
#include "flexura/integrate/adams.hpp"
#include "flexura/integrate/runge_kutta.hpp"
#include "flexura/scene/reader.hpp"
#include "flexura/scene/scene_model.hpp"

using namespace flexura;
using namespace flexura::bench;

namespace {

double worst_error(const test::Andrews& m, const State<double>& s) {
  test::AndrewsAngles angle, rate;
  test::andrews_angles(m, s.q, s.v, angle, rate);
  double out = 0;
  for (int i = 0; i < 7; ++i) {
    const double difference = std::remainder(angle[i] - test::andrews_end[i], 2 * std::numbers::pi);
    out = std::max(
        {out, std::fabs(difference / test::andrews_end[i]), std::fabs(rate[i] / test::andrews_end_rates[i] - 1)});
  }
  return out;
}

constexpr int repeats = 200;

template <class Integrator>
bool measure(const char* name, const test::Andrews& m, System<double>& system, Integrator& integrator,
             Projection projection, double tolerance) {
  double best = 1e9, error = 0;
  long accepted = 0, rejected = 0, evaluations = 0;
  for (int k = 0; k < repeats; ++k) {
    State<double> state = system.initial_state(0);
    const double begin = seconds();
    integrator.start(state);
    const auto report = integrator.advance(state, 0.03);
    best = std::min(best, seconds() - begin);
    if (!report.converged) return false;
    accepted = report.accepted, rejected = report.rejected, evaluations = report.evaluations;
    error = worst_error(m, state);
  }
  fmt::print("{:>6}  {:10}  {:9.0e}  {:11.1e}  {:5}  {:8}  {:11}  {:6.2f}  {:13.2f}\n", name,
             projection == Projection::both ? "both" : "none", tolerance, error, accepted, rejected, evaluations,
             best * 1e3, best / static_cast<double>(evaluations) * 1e6);
  return true;
}

/// A scene with points O, A, B, F, E, G, H; a place of a body is a point as well.
test::Andrews of_scene(const std::string& file) {
  const SceneModels scene = interpret_scene(read_scene(file, scene_terms()));
  test::Andrews m{.model = scene.models[0].model, .O = -1, .A = -1, .B = -1, .F = -1, .E = -1, .G = -1, .H = -1};
  const std::vector<std::string>& names = m.model.topology->slot_names;
  const auto find = [&](const std::string& name) {
    for (size_t k = 0; k < names.size(); ++k)
      if (names[k] == name || names[k] == "crank." + name) return static_cast<int>(k);
    throw std::runtime_error("no point " + name + " in " + file);
  };
  m.A = find("A"), m.B = find("B"), m.F = find("F"), m.E = find("E"), m.G = find("G"), m.H = find("H");
  const std::vector<Slot>& slots = m.model.topology->slots;
  for (size_t k = 0; k < slots.size(); ++k) {
    const double* X = m.model.values.reference.data() + slots[k].offset;
    if (slots[k].kind == SlotKind::point && X[0] == 0 && X[1] == 0) m.O = static_cast<int>(k);
  }
  return m;
}

bool measure(const test::Andrews& m, std::span<const double> tolerances, std::span<const Projection> projections) {
  const Values* values = &m.model.values;
  System<double> system(m.model.topology, {&values, 1});
  for (const Projection projection : projections) {
    for (const ButcherTableau* method : {&dormand_prince_8, &dormand_prince_5})
      for (const double tolerance : tolerances) {
        RungeKutta integrator(system, {.method = method,
                                       .projection = projection,
                                       .relative = tolerance,
                                       .absolute_q = 1e-2 * tolerance,
                                       .absolute_v = tolerance});
        if (!measure(method->order == 8 ? "8" : "5", m, system, integrator, projection, tolerance)) return false;
      }
    for (const double tolerance : tolerances) {
      Adams integrator(
          system,
          {.projection = projection, .relative = tolerance, .absolute_q = 1e-2 * tolerance, .absolute_v = tolerance});
      if (!measure("Adams", m, system, integrator, projection, tolerance)) return false;
    }
  }
  return true;
}

}  // namespace

int main() {
  constexpr double all[] = {1e-6, 1e-7, 5e-8, 1e-8, 1e-10, 1e-12}, some[] = {1e-6, 1e-8, 1e-10, 1e-12};
  constexpr Projection both[] = {Projection::both, Projection::none};
  const std::string trusses = "validation/meijaard-truss/seven-body";
  const auto title = [](const char* name) {
    fmt::print("{}\nmethod  projection  tolerance  worst error  steps  rejected  evaluations      ms  us/evaluation\n",
               name);
  };
  title("bodies on two points");
  if (!measure(test::andrews(), all, both)) return 1;
  title("ten trusses");
  if (!measure(of_scene(trusses + ".toml"), some, std::span(both).first(1))) return 1;
  title("nine trusses and a crank");
  if (!measure(of_scene(trusses + "-crank.toml"), some, std::span(both).first(1))) return 1;
  return 0;
}

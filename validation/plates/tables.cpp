/// The tables of docs/validation/plates.md: shells of the literature, frequencies and patch tests by the thin plate.
///
///     build/release/validation/plates [NAME...]      end-shear end-moment slit-annulus hemisphere half-cylinder cylinder
///                                                    roof frequencies patch pendulum

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <string>

#include "flexura/integrate/generalized_alpha.hpp"
#include "tests/support/plate_patch.hpp"

using namespace flexura;
using namespace flexura::test;

namespace {

constexpr Rule rules[] = {Rule::full, Rule::reduced};
const char* name(Rule rule) { return rule == Rule::full ? "full" : "reduced"; }

/// Of the processor, so that other work on the machine counts less.
double seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

struct LoadRow {
  double share;
  Pair reference;
};
template <int n>
std::vector<LoadRow> rows_of(const double (&table)[n][3]) {
  std::vector<LoadRow> out;
  for (const auto& row : table) out.push_back({row[0], {row[1], row[2]}});
  return out;
}

/// Per mesh and rule both displacements at the full load and the largest error over all loads; all loads of the last mesh.
void nonlinear(const char* title, const char* first, const char* second, const std::vector<LoadRow>& table,
               const std::vector<std::string>& meshes, const auto& solve) {
  std::vector<double> shares;
  for (const LoadRow& row : table) shares.push_back(row.share);
  fmt::print("### {}\n\n| mesh | points | {} | {} | largest error | time |\n|---|---|---|---|---|---|\n", title, first,
             second);
  std::vector<Pair> last;
  for (size_t mesh = 0; mesh < meshes.size(); ++mesh)
    for (const Rule rule : rules) {
      const double start = seconds();
      const std::vector<Pair> found = solve(mesh, shares, rule);
      const double time = seconds() - start;
      double worst = 0, scale = 0;
      for (size_t k = 0; k < found.size(); ++k)
        for (int i = 0; i < 2; ++i) {
          // A displacement that passes zero is measured by the other.
          scale = std::max(std::fabs(table[k].reference[0]), std::fabs(table[k].reference[1]));
          const double size = std::fabs(table[k].reference[i]) < 0.05 * scale ? scale : table[k].reference[i];
          worst = std::max(worst, std::fabs(found[k][i] - table[k].reference[i]) / size);
        }
      fmt::print("| {} | {} | {:.4f} | {:.4f} | {:.2f} % | {:.2f} s |\n", meshes[mesh], name(rule), found.back()[0],
                 found.back()[1], 100 * worst, time);
      if (rule == Rule::full) last = found;
    }
  fmt::print("| reference | | {:.4f} | {:.4f} | | |\n\nOn {}, full:\n\n| load | {} | reference | {} | reference |\n",
             table.back().reference[0], table.back().reference[1], meshes.back(), first, second);
  fmt::print("|---|---|---|---|---|\n");
  for (size_t k = 0; k < last.size(); ++k)
    fmt::print("| {} | {:.4f} | {:.4f} | {:.4f} | {:.4f} |\n", table[k].share, last[k][0], table[k].reference[0],
               last[k][1], table[k].reference[1]);
  fmt::print("\n");
}

void end_shear_tables() {
  const int n[] = {4, 8, 16, 32};
  nonlinear("Cantilever under end shear", "−U", "W", rows_of(end_shear_table), {"4 × 1", "8 × 1", "16 × 1", "32 × 1"},
            [&](size_t k, const auto& shares, Rule rule) { return end_shear(n[k], 1, shares, rule); });
}

void end_moment_tables() {
  const int n[][2] = {{8, 1}, {16, 1}, {32, 1}, {32, 2}, {64, 4}};
  std::vector<LoadRow> table;
  for (const double share : {0.125, 0.25, 0.5, 0.75, 1.0}) table.push_back({share, end_moment_exact(share)});
  nonlinear("Cantilever under end moment", "−U", "W", table, {"8 × 1", "16 × 1", "32 × 1", "32 × 2", "64 × 4"},
            [&](size_t k, const auto& shares, Rule rule) { return end_moment(n[k][0], n[k][1], shares, rule); });
}

void slit_annulus_tables() {
  const int n[][2] = {{3, 15}, {4, 20}, {6, 32}, {10, 60}};
  nonlinear("Slit annulus", "W_A", "W_B", rows_of(slit_annulus_table), {"3 × 15", "4 × 20", "6 × 32", "10 × 60"},
            [&](size_t k, const auto& shares, Rule rule) { return slit_annulus(n[k][0], n[k][1], shares, rule); });
}

void hemisphere_tables() {
  const int n[] = {8, 12, 16, 24, 32};
  nonlinear("Pinched hemisphere", "V_A", "−U_B", rows_of(hemisphere_table),
            {"8 × 8", "12 × 12", "16 × 16", "24 × 24", "32 × 32"},
            [&](size_t k, const auto& shares, Rule rule) { return hemisphere(n[k], shares, rule); });
}

void half_cylinder_tables() {
  std::vector<double> shares;
  for (const auto& row : half_cylinder_table) shares.push_back(row[0]);
  fmt::print("### Half cylinder pinched at its free edge\n\n| mesh | ratio |");
  for (const double share : shares) fmt::print(" {} |", share);
  fmt::print("\n|---|---|---|---|---|---|---|---|\n");
  for (const double ratio : {1.0, 0.25, 0.125})
    for (const int n : {8, 16, 24, 32}) {
      fmt::print("| {} × {} | {} |", n, n, ratio);
      for (const double w : half_cylinder(n, n, shares, ratio)) fmt::print(" {:.4f} |", w);
      fmt::print("\n");
    }
  fmt::print("| reference | |");
  for (const auto& row : half_cylinder_table) fmt::print(" {:.4f} |", row[1]);
  fmt::print("\n\n");
}

void linear(const char* title, const char* unit, double factor, const std::vector<int>& meshes,
            const std::vector<double>& references, const auto& solve) {
  fmt::print("### {}\n\n| mesh | points | {} |", title, unit);
  for (const double reference : references) fmt::print(" against {} |", reference);
  fmt::print("\n|---|---|---|");
  for (size_t k = 0; k < references.size(); ++k) fmt::print("---|");
  fmt::print("\n");
  for (const int n : meshes)
    for (const Rule rule : rules) {
      const double found = factor * solve(n, rule);
      fmt::print("| {} × {} | {} | {:.5f} |", n, n, name(rule), found);
      for (const double reference : references) fmt::print(" {:+.2f} % |", 100 * (found / reference - 1));
      fmt::print("\n");
    }
  fmt::print("\n");
}
void cylinder_tables() {
  linear("Pinched cylinder", "10⁵ w", 1e5, {4, 8, 12, 16, 24, 32, 48}, {1.8248, 1.8282}, pinched_cylinder);
}
void roof_tables() { linear("Roof of Scordelis and Lo", "drop", 1, {4, 6, 8, 12, 16, 24}, {0.3006}, scordelis_lo); }

void frequency_tables() {
  const std::vector<double> supported = {2, 5, 5, 8}, free = {1.364614, 1.985504, 2.459086};
  for (const bool is_supported : {true, false}) {
    const std::vector<double>& exact = is_supported ? supported : free;
    fmt::print("### Frequencies of a square plate, {}\n\n| mesh | points |",
               is_supported ? "simply supported" : "free");
    for (const double value : exact) fmt::print(" {} | error |", value);
    fmt::print("\n|---|---|");
    for (size_t k = 0; k < exact.size(); ++k) fmt::print("---|---|");
    fmt::print("\n");
    for (const int n : {4, 8, 12, 16, 24})
      for (const Rule rule : rules) {
        const auto found = plate_frequencies(n, is_supported, static_cast<int>(exact.size()), rule);
        fmt::print("| {} × {} | {} |", n, n, name(rule));
        for (size_t k = 0; k < exact.size(); ++k)
          fmt::print(" {:.5f} | {:+.2f} % |", found[k], 100 * (found[k] / exact[k] - 1));
        fmt::print("\n");
      }
    fmt::print("\n");
  }
}

void patch_table(const char* title, const std::vector<PatchState>& states, const PlateSection& section,
                 const auto& mesh) {
  constexpr int n[] = {4, 8, 16};
  fmt::print("### {}\n\n| state | 4 × 4 | 8 × 8 | 16 × 16 | energy of the error |\n|---|---|---|---|---|\n", title);
  for (const PatchState& state : states) {
    fmt::print("| {} |", state.name);
    std::string energies;
    for (const int k : n) {
      const PatchResult found = patch_test(mesh(k), section, state);
      fmt::print(" {:.0e} |", found.displacement);
      energies += fmt::format("{}{:.0e}", energies.empty() ? "" : ", ", found.strain);
    }
    fmt::print(" {} |\n", energies);
  }
  fmt::print("\n");
}
void patch_tables() {
  const PlateSection plane = wall(1e6, 0.3, 0.01), thick = wall(1e6, 0, 0.05), thin = wall(1e6, 0, 0.005);
  patch_table("Rectangles of unequal sides", plane_states(), plane, graded_patch);
  patch_table("Parallelograms", plane_states(), plane, sheared_patch);
  patch_table("Lines of a smooth map (warp 0.1)", plane_states(), plane, warped_patch);
  patch_table("Four quadrilaterals, bisected", plane_states(), plane, bisected_patch);
  patch_table("Nodes moved at random by up to 0.3 of the spacing", plane_states(), plane, random_patch);
  patch_table("Cylinder, R/h = 20", cylinder_states(1, 0.05), thick, [](int n) { return cylinder_patch(n, 0); });
  patch_table("Cylinder, R/h = 200", cylinder_states(1, 0.005), thin, [](int n) { return cylinder_patch(n, 0); });
  patch_table("Cylinder, R/h = 20, warp 0.1", cylinder_states(1, 0.05), thick,
              [](int n) { return cylinder_patch(n, 0.1); });
}

/// The plate pendulum of ghoneimy2025: far corner at 0.2 s by steps of 1 ms.
void pendulum_table() {
  fmt::print("### Plate pendulum, far corner at 0.2 s\n\n| mesh | points | x | z |\n|---|---|---|---|\n");
  for (const int n : {4, 8, 12, 16})
    for (const Rule rule : rules) {
      ModelBuilder b(3);
      const SurfaceMesh mesh = make_mesh(FlatPlate{.length = 0.3, .width = 0.3, .elements_u = n, .elements_v = n});
      const PlateModel plate = add_plate(b, "plate", mesh, wall(1e5, 0.3, 0.01, rule, 7810));
      b.fix(plate.nodes[0].r, "joint.pin");
      b.gravity(std::array{0.0, 0.0, -9.81}, b.constant_signal());
      Simulation<double> s(b.build());
      GeneralizedAlpha<double> method(s.system, NewmarkFamily::generalized_alpha(1), {}, {});
      method.start(s.state);
      for (int k = 1; k <= 200; ++k)
        if (!method.step(s.state, 1e-3 * k).converged) throw std::runtime_error("no convergence");
      fmt::print("| {} × {} | {} | {:.6f} | {:.6f} |\n", n, n, name(rule), s.q(plate.nodes.back().r, 0),
                 s.q(plate.nodes.back().r, 2));
    }
  fmt::print("\n");
}

}  // namespace

int main(int argc, char** argv) {
  const std::pair<const char*, void (*)()> all[] = {{"end-shear", end_shear_tables},
                                                    {"end-moment", end_moment_tables},
                                                    {"slit-annulus", slit_annulus_tables},
                                                    {"hemisphere", hemisphere_tables},
                                                    {"half-cylinder", half_cylinder_tables},
                                                    {"cylinder", cylinder_tables},
                                                    {"roof", roof_tables},
                                                    {"frequencies", frequency_tables},
                                                    {"patch", patch_tables},
                                                    {"pendulum", pendulum_table}};
  for (int k = 1; k < argc; ++k)
    if (std::ranges::none_of(all, [&](const auto& table) { return std::string(argv[k]) == table.first; })) {
      fmt::print(stderr, "there is no table \"{}\"\n", argv[k]);
      return 2;
    }
  for (const auto& [name, print] : all)
    if (argc == 1 || std::find(argv + 1, argv + argc, std::string(name)) != argv + argc) print();
  return 0;
}

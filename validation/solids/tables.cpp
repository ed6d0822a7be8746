/// The tables of docs/validation/solids.md: what soft bodies lose where they are nearly incompressible, thin and distorted.
///
///     build/release/validation/solids [NAME...]      modes tension layer bending torsion plates
///
/// Chains of eight cells, h × h × h/a, of neo-Hookean rubber, k/μ = 10 … 1e5, aspect ratios a = 1 … 50, small loads. Distorted: the
/// sections between cells lean and lie off their places by 0.15 h, in turn to either side. Every number is a softness,
///
///     what is found over the exact one         < 1: too stiff, it locks         > 1: too soft

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <ctime>
#include <functional>
#include <numbers>
#include <string>

#include "tests/support/dense.hpp"
#include "tests/support/full_plates.hpp"
#include "tests/support/solids.hpp"

using namespace flexura;
using namespace flexura::test;

namespace {

constexpr double ratios[] = {10, 1e2, 1e3, 1e4, 1e5}, aspects[] = {1, 5, 20, 50}, leans[] = {0, 0.3};
constexpr int cells = 8;
constexpr double mu = 1, h = 1.0 / cells;

int most_iterations = 0, failures = 0;

/// NaN where there is no equilibrium.
bool solve(Simulation<double>& s) {
  const StaticReport report = StaticSolver(s.system, {}).solve(s.state);
  most_iterations = std::max(most_iterations, report.iterations);
  failures += !report.converged;
  return report.converged;
}
double energy(Simulation<double>& s) {
  return solve(s) ? s.system.assembler.potential_energy(s.state.t, s.state.q.data()) : NAN;
}

/// x = value
void place(ModelBuilder& b, int slot, int axis, double value) {
  std::vector<double> row(3, 0.0);
  row[axis] = 1;
  b.relate({1, {{slot, row}}, {-value}, {}}, "placed");
}

struct Element {
  SolidKind kind;
  bool is_reduced = false;

  std::string name() const { return std::string(name_of(kind)) + (is_reduced ? " reduced" : ""); }
};
const Element elements[] = {{SolidKind::hexahedron_8},  {SolidKind::hexahedron_8, true}, {SolidKind::hexahedron_20},
                            {SolidKind::hexahedron_27}, {SolidKind::tetrahedron_10},     {SolidKind::tetrahedron_4}};

Rubber rubber(const Element& of, double ratio) {
  const Rubber out = neo_hooke(mu, ratio * mu);
  return of.is_reduced ? reduced(out) : out;
}

/// Eight cells along X, 1 long; `width` along Y, `t` along Z; the axis is at Y = Z = 0.
SolidBlock chain(SolidKind kind, double width, double t, double lean, std::array<int, 2> across = {1, 1}) {
  return solid_block(kind, {cells, across[0], across[1]}, [=](const Triple& s) {
    const double c = s[0] * cells;
    const int cell = std::min(static_cast<int>(c + 1e-9), cells - 1);
    const auto side = [](int i) { return i == 0 || i == cells ? 0 : i % 2 == 1 ? 1 : -1; };
    const double out = lean * (side(cell) * (cell + 1 - c) + side(cell + 1) * (c - cell));
    const double y = width * (s[1] - .5), z = t * (s[2] - .5);
    return Triple{s[0] + out * (h / 2 + z + y / 2), y, z};
  });
}

/// Uniaxial, by its end: the energy of E over that which is found, so that stiff is below 1.
double tension(const Element& of, double ratio, double aspect, double lean) {
  const double t = h / aspect, strain = 1e-4, E = Moduli::of(mu, ratio * mu).E;
  const SolidBlock block = chain(of.kind, h, t, lean);
  ModelBuilder b(3);
  const std::vector<int> slots = add_solid(b, block, rubber(of, ratio));
  for (size_t n = 0; n < slots.size(); ++n) {
    const Triple& s = block.share[n];
    if (s[0] == 0 || s[0] == 1) place(b, slots[n], 0, s[0] * (1 + strain));
    if (s[1] == 0) hold(b, slots[n], 1);
    if (s[2] == 0) hold(b, slots[n], 2);
  }
  Simulation<double> s(b.build());
  return E / 2 * strain * strain * h * t / energy(s);
}

/// A layer between two rigid plates that it is bonded to, pulled apart, in plane strain: stress over strain. Half of its length, 1, and
/// of its height by nx × nz cells.
double layer_modulus(const Element& of, double ratio, double height, double lean, int nx, int nz) {
  const double strain = 1e-4;
  SolidBlock block = solid_block(of.kind, {nx, 1, nz}, [=](const Triple& s) {
    const auto wave = [](double x) { return 4 * x * (1 - x); };
    const double c = s[0] * nx;
    const int cell = std::min(static_cast<int>(c + 1e-9), nx - 1);
    const auto side = [nx](int i) { return i == 0 || i == nx ? 0 : i % 2 == 1 ? 1 : -1; };
    const double out = lean * (side(cell) * (cell + 1 - c) + side(cell + 1) * (c - cell));
    return Triple{s[0] + out * (0.5 / nx) * wave(0.5 * s[2]), s[1] / nx, height * s[2]};
  });
  ModelBuilder b(3);
  const std::vector<int> slots = add_solid(b, block, rubber(of, ratio));
  for (size_t n = 0; n < slots.size(); ++n) {
    const Triple& s = block.share[n];
    hold(b, slots[n], 1);
    if (s[0] == 0 || s[2] == 1) hold(b, slots[n], 0);
    if (s[2] == 0) hold(b, slots[n], 2);
    if (s[2] == 1) place(b, slots[n], 2, height * (1 + strain));
  }
  Simulation<double> s(b.build());
  return 2 * energy(s) / (strain * strain * height / nx);
}

/// A wide strip clamped at one end under a force at the other: its deflection over that of E/(1 − ν²) and shear.
double bending(const Element& of, double ratio, double aspect, double lean) {
  const double t = h / aspect;
  const Moduli m = Moduli::of(mu, ratio * mu);
  const SolidBlock block = chain(of.kind, t, t, lean);
  ModelBuilder b(3);
  const std::vector<int> slots = add_solid(b, block, rubber(of, ratio));
  for (size_t i = 0; i < slots.size(); ++i) block.share[i][0] == 0 ? b.fix(slots[i], "clamp") : hold(b, slots[i], 1);
  const double bend = 0.01, force = bend * 3 * m.wide() * t * t * t * t / 12;
  pull(b, block, slots, 0, 1, {0, 0, force / (t * t)});
  Simulation<double> s(b.build());
  if (!solve(s)) return NAN;
  const int tip = node_at(block, {1, .5, .5});
  return (s.q(slots[tip], 2) - block.X[tip][2]) / (bend + force / (5.0 / 6 * mu * t * t));
}

/// μ J of a rectangle, w ≥ t [timoshenko].
double torsion_constant(double w, double t) {
  double sum = 0;
  for (int n = 1; n < 40; n += 2) sum += std::tanh(n * std::numbers::pi * w / (2 * t)) / std::pow(n, 5);
  return w * t * t * t / 3 * (1 - 192 * t / (std::pow(std::numbers::pi, 5) * w) * sum);
}

/// Both ends turned against each other, warping free: the energy of Saint-Venant over that which is found.
double torsion(const Element& of, double ratio, double aspect, double lean, int across = 1) {
  const double t = h / aspect, angle = 1e-3;
  const SolidBlock block = chain(of.kind, h, t, lean, {across, across});
  ModelBuilder b(3);
  const std::vector<int> slots = add_solid(b, block, rubber(of, ratio));
  bool held = false;
  for (size_t n = 0; n < slots.size(); ++n) {
    const Triple &s = block.share[n], &X = block.X[n];
    if (s[0] != 0 && s[0] != 1) continue;
    const double turn = s[0] * angle;
    place(b, slots[n], 1, X[1] * std::cos(turn) - X[2] * std::sin(turn));
    place(b, slots[n], 2, X[1] * std::sin(turn) + X[2] * std::cos(turn));
    if (!held) hold(b, slots[n], 0), held = true;
  }
  Simulation<double> s(b.build());
  return mu * torsion_constant(h, t) * angle * angle / 2 / energy(s);
}

// ── Full plates, 8 × 2 elements of h × h ─────────────────────────────────────────────────────────────────────────────

enum class Wall { rubber, paper };
enum class Load { tension, bending, torsion };

double plate(Wall kind, Load load, double ratio, double aspect, double lean) {
  const double t = h / aspect, width = 2 * h;
  const Moduli m = Moduli::of(mu, ratio * mu);
  Shell s(make_mesh(FlatPlate{
              .length = 1, .width = width, .elements_u = cells, .elements_v = 2, .distortion = lean > 0 ? 0.2 : 0}),
          rubber_wall(mu, ratio, t, kind == Wall::paper));
  const double strain = 1e-4, angle = 1e-3, bend = 0.01;
  const double force = bend * 3 * m.wide() * width * t * t * t / 12;
  if (load == Load::bending) {
    glue(s, "start", true);
    s.edge_force("end", force / width);
  }
  bool held = false;
  for (size_t k = 0; k < s.mesh.nodes.size(); ++k) {
    const PlateNode& n = s.model.nodes[k];
    const Vec3& X = s.mesh.nodes[k].position;
    const bool start = X[0] == 0, end = std::fabs(X[0] - 1) < 1e-12;
    if (load == Load::bending) {
      for (const int slot : test::slots_of(n))
        if (!(start && (slot == n.r || slot == n.g_v || slot == n.r_z))) s.hold(slot, 1);
    } else if (load == Load::tension) {
      for (const int slot : {n.r, n.g_u, n.g_v}) s.hold(slot, 2);
      if (start || end) {  // all of the faces, not their mid-lines alone
        place(s.builder, n.r, 0, X[0] * (1 + strain));
        for (const int slot : {n.g_v, n.r_z, n.r_zz})
          if (slot >= 0) s.hold(slot, 0);
      }
      if (X[1] == 0) s.hold(n.r, 1), s.hold(n.g_u, 1);
    } else if (start || end) {
      const double turn = X[0] * angle, c = std::cos(turn), d = std::sin(turn), y = X[1] - width / 2;
      place(s.builder, n.r, 1, width / 2 + y * c), place(s.builder, n.r, 2, y * d);
      place(s.builder, n.g_v, 1, c), place(s.builder, n.g_v, 2, d);
      place(s.builder, n.r_z, 1, -d), place(s.builder, n.r_z, 2, c);
      if (n.r_zz >= 0) s.hold(n.r_zz, 1), s.hold(n.r_zz, 2);
      if (!held) s.hold(n.r, 0), held = true;
    }
  }
  Simulation<double> sim(s.builder.build());
  if (load == Load::tension) return m.E / 2 * strain * strain * width * t / energy(sim);
  if (load == Load::torsion) return mu * torsion_constant(width, t) * angle * angle / 2 / energy(sim);
  sim.state.t = 1;
  if (!solve(sim)) return NAN;
  return sim.q(s.model.nodes[s.corner("corner_end_bottom")].r, 2) / (bend + force / (5.0 / 6 * mu * t * width));
}

// ── Tables ───────────────────────────────────────────────────────────────────────────────────────────────────────────

double seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

using Softness = std::function<double(double ratio, double aspect, double lean)>;

/// A row for each k/μ and aspect ratio, two columns for each thing: straight, distorted.
void table(const char* title, const std::vector<std::pair<std::string, Softness>>& columns) {
  const double start = seconds();
  most_iterations = failures = 0;
  fmt::print("### {}\n\n| k/μ, aspect ratio |", title);
  for (const auto& [name, softness] : columns) fmt::print(" {} | distorted |", name);
  fmt::print("\n|---|");
  for (size_t k = 0; k < columns.size(); ++k) fmt::print("---|---|");
  fmt::print("\n");
  for (const double ratio : ratios)
    for (const double aspect : aspects) {
      fmt::print("| {:g}, {:g} |", ratio, aspect);
      for (const auto& [name, softness] : columns)
        for (const double lean : leans) fmt::print(" {:.3f} |", softness(ratio, aspect, lean));
      fmt::print("\n");
      std::fflush(stdout);
    }
  fmt::print("\nAt most {} iterations of a case, {} without an equilibrium; {:.0f} s.\n\n", most_iterations, failures,
             seconds() - start);
}

std::vector<std::pair<std::string, Softness>> of_all(double (*softness)(const Element&, double, double, double)) {
  std::vector<std::pair<std::string, Softness>> out;
  for (const Element& of : elements)
    out.emplace_back(of.name(), [=](double r, double a, double d) { return softness(of, r, a, d); });
  return out;
}

/// Of 27 nodes on 32 × 4 cells.
double fine_layer(double ratio, double aspect) {
  static std::map<std::pair<double, double>, double> known;
  double& out = known[{ratio, aspect}];
  if (out == 0) out = layer_modulus({SolidKind::hexahedron_27}, ratio, 2 * h / aspect, 0, 32, 4);
  return out;
}

/// Half of the layer is 8 × 2 cells of aspect ratio a. The closed form is of long layers: a parabola of pressure across the wall, μ b²/H²
/// where k is beyond all bounds; at the rim lateral motion is free, inside it is not.
void layers() {
  std::vector<std::pair<std::string, Softness>> columns;
  columns.emplace_back("long layer", [](double ratio, double aspect, double) {
    const double l = std::sqrt(3 / ratio) * aspect / (2 * h), rim = std::tanh(l) / l;
    return fine_layer(ratio, aspect) / (ratio * mu * (1 - rim) + 4 * mu * rim + 4.0 / 3 * mu * (1 - rim));
  });
  for (const Element& of : elements)
    columns.emplace_back(of.name(), [=](double ratio, double aspect, double lean) {
      return fine_layer(ratio, aspect) / layer_modulus(of, ratio, 2 * h / aspect, lean, cells, 2);
    });
  table("Bonded layer, pulled", columns);
  fmt::print("| k/μ 1e5, aspect ratio 20 at 8 × 2 cells | 8 × 2 | 16 × 4 | 32 × 4 |\n|---|---|---|---|\n");
  for (const Element& of :
       {Element{SolidKind::hexahedron_8}, Element{SolidKind::hexahedron_8, true}, Element{SolidKind::tetrahedron_10}})
    for (const double lean : leans) {
      fmt::print("| {}{} |", of.name(), lean > 0 ? ", distorted" : "");
      for (const auto& [nx, nz] : {std::pair{8, 2}, std::pair{16, 4}, std::pair{32, 4}})
        fmt::print(" {:.3f} |", fine_layer(1e5, 20) / layer_modulus(of, 1e5, 2 * h / 20, lean, nx, nz));
      fmt::print("\n");
    }
  fmt::print("\n");
}

/// Modes without energy of one element and of 2 × 2 × 2, thin ones and nearly incompressible ones too. Eigenvalues below 3e-15 of the
/// largest count as none, ten times what rounding leaves of them.
void modes() {
  fmt::print(
      "### Modes without energy\n\n| element | cells | k/μ | aspect ratio | modes | seventh over the largest "
      "|\n|---|---|---|---|---|---|\n");
  for (const Element& of : elements)
    for (const int n : {1, 2})
      for (const double ratio : {10.0, 1e5})
        for (const double aspect : {1.0, 50.0}) {
          SolidBlock block = solid_block(of.kind, {n, n, n}, [=](const Triple& x) {
            return Triple{x[0] + 0.1 * x[1] * x[1], x[1] + 0.07 * x[0] * x[2], (x[2] - 0.05 * x[0] * x[1]) / aspect};
          });
          if (n == 1) {
            SolidBlock one;
            one.kind = of.kind;
            for (const int node : block.elements[0]) one.X.push_back(block.X[node]);
            one.elements.emplace_back();
            for (int a = 0; a < node_count(of.kind); ++a) one.elements[0].push_back(a);
            block = one;
          }
          ModelBuilder b(3);
          add_solid(b, block, rubber(of, ratio));
          const Model model = b.build();
          Dense<double> dense(model);
          const std::vector<double> v(model.values.q0.size(), 0.0), K = dense.tangent(model.values.q0, v, 0, 0);
          const Eigen::Map<const Eigen::MatrixXd> matrix(K.data(), dense.n, dense.n);
          const Eigen::VectorXd values =
              Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(matrix, Eigen::EigenvaluesOnly).eigenvalues();
          const double most = values[values.size() - 1];
          const auto count =
              std::count_if(values.begin(), values.end(), [&](double x) { return std::fabs(x) < 3e-15 * most; });
          fmt::print("| {} | {} | {:g} | {:g} | {} | {:.1e} |\n", of.name(), n * n * n, ratio, aspect, count,
                     values[6] / most);
        }
  fmt::print("\n");
}

void plates() {
  constexpr std::pair<Load, const char*> loads[] = {
      {Load::tension, "tension"}, {Load::bending, "bending"}, {Load::torsion, "torsion"}};
  for (const auto& [wall, title] : {std::pair{Wall::rubber, "Full plates of 60 coordinates"},
                                    std::pair{Wall::paper, "Plates of 48 coordinates (xing2022)"}}) {
    std::vector<std::pair<std::string, Softness>> columns;
    for (const auto& [load, name] : loads)
      columns.emplace_back(name, [=](double r, double a, double d) { return plate(wall, load, r, a, d); });
    table(title, columns);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const auto wanted = [&](const char* name) {
    return argc == 1 || std::any_of(argv + 1, argv + argc, [&](const char* a) { return std::string(a) == name; });
  };
  if (wanted("modes")) modes();
  if (wanted("tension")) table("Tension", of_all(tension));
  if (wanted("layer")) layers();
  if (wanted("bending")) table("Bending", of_all(bending));
  if (wanted("torsion")) {
    table("Torsion", of_all([](const Element& k, double r, double a, double d) { return torsion(k, r, a, d); }));
    table("Torsion, 2 × 2 cells in the section",
          of_all([](const Element& k, double r, double a, double d) { return torsion(k, r, a, d, 2); }));
  }
  if (wanted("plates")) plates();
}

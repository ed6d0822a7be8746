/// One evaluation of index-1 accelerations: the Schur complement on a mass matrix factored once against the sparse factor of the
/// whole matrix at each call. Least of many, microseconds; * the one that is taken.

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "benchmarks/models.hpp"
#include "flexura/constraint/distance.hpp"
#include "flexura/element/full_plate.hpp"
#include "flexura/solve/index1_solver.hpp"
#include "tests/support/andrews.hpp"
#include "tests/support/machines.hpp"
#include "tests/support/mechanism_chains.hpp"

using namespace flexura;
using namespace flexura::bench;

namespace {

/// nx × ny ANCF plates of 48 coordinates, free; `rods` distances from the ground to nodes along an edge.
Model plate(int nx, int ny, int rods) {
  ModelBuilder b(3);
  std::vector<std::array<int, 4>> node;
  for (int j = 0; j <= ny; ++j)
    for (int i = 0; i <= nx; ++i) {
      const int n = b.node();
      node.push_back({b.slot("r", SlotKind::point, std::array{0.1 * i, 0.1 * j, 0.0}, n),
                      b.slot("r_x", SlotKind::vector, std::array{1.0, 0.0, 0.0}, n),
                      b.slot("r_y", SlotKind::vector, std::array{0.0, 1.0, 0.0}, n),
                      b.slot("r_z", SlotKind::vector, std::array{0.0, 0.0, 1.0}, n)});
    }
  for (int j = 0; j < ny; ++j)
    for (int i = 0; i < nx; ++i) {
      std::array<int, 16> slots;
      const int first = j * (nx + 1) + i;
      int* next = slots.data();
      for (int k : {first, first + 1, first + nx + 2, first + nx + 1})
        next = std::copy(node[k].begin(), node[k].end(), next);
      b.item<AncfPlate48>(slots,
                          {.length = 0.1,
                           .width = 0.1,
                           .thickness = 0.01,
                           .rho = 1000.0,
                           .constants = {{5.8e5, 3.8e5, 0.0, 0.0, 0.0, 0.0}},
                           .bulk = 0.0},
                          {.law = ElasticLaw::st_venant_kirchhoff}, "plate");
    }
  for (int k = 0; k < rods; ++k) {
    const int anchor = b.slot(fmt::format("anchor{}", k), SlotKind::point, std::array{0.1 * k, 0.0, 1.0});
    b.fix(anchor, "ground");
    b.item<Distance3d>({anchor, node[k][0], b.multiplier(fmt::format("rod{}", k))}, {.length = 1.0}, "rod");
  }
  b.gravity(std::array{0.0, 0.0, -9.81}, b.constant_signal());
  return b.build();
}

double time_of(const Model& model, Index1Method method, bool& schur) {
  test::Simulation<double> s(model);
  Index1Solver solver(s.system, method);
  schur = solver.uses_schur();
  double best = 1e9;
  const double end = seconds() + 1;
  for (int k = 0; k < 50 || (seconds() < end && k < 20000); ++k) {
    const double begin = seconds();
    if (!solver.accelerations(s.state, {})) return -1;
    best = std::min(best, seconds() - begin);
  }
  return best * 1e6;
}

}  // namespace

int main() {
  const std::pair<const char*, std::function<Model()>> models[] = {
      {"andrews", [] { return test::andrews().model; }},
      {"linkage", [] { return test::linkage(); }},
      {"planar chain, 10 rods", [] { return test::planar_chain(10); }},
      {"planar chain, 100 rods", [] { return test::planar_chain(100); }},
      {"spherical joints, 3 bodies", [] { return test::spatial_chain(3, test::SpatialJoint::spherical); }},
      {"spherical joints, 10 bodies", [] { return test::spatial_chain(10, test::SpatialJoint::spherical); }},
      {"spherical joints, 100 bodies", [] { return test::spatial_chain(100, test::SpatialJoint::spherical); }},
      {"80 plates", [] { return plate(10, 8, 0); }},
      {"80 plates, 8 rods", [] { return plate(10, 8, 8); }},
      {"320 plates, 8 rods", [] { return plate(20, 16, 8); }}};
  fmt::print("{:30} {:>6} {:>6} {:>10} {:>10} {:>8}\n", "model", "coord", "rows", "schur", "whole", "forces");
  for (const auto& [name, make] : models) {
    const Model model = make();
    bool schur = false, chosen = false, whole = false;
    const double a = time_of(model, Index1Method::schur, schur), b = time_of(model, Index1Method::whole, whole);
    test::Simulation<double> s(model);
    chosen = Index1Solver(s.system).uses_schur();
    std::vector<double> r(s.system.assembler.residual_size());
    double forces = 1e9;
    for (int k = 0; k < 200; ++k) {
      const double begin = seconds();
      s.system.assembler.residual(0, s.state.q.data(), s.state.v.data(), r.data());
      forces = std::min(forces, seconds() - begin);
    }
    fmt::print("{:30} {:6} {:6} {:9.2f}{} {:9.2f}{} {:8.2f}\n", name, model.topology->ncoord,
               model.topology->ny - model.topology->ncoord, a, chosen ? '*' : ' ', b, chosen ? ' ' : '*', forces * 1e6);
  }
  return 0;
}

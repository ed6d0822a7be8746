#pragma once
// Full plates of rubber for tests: walls, clamps, loads.

#include "tests/support/shells.hpp"

namespace flexura::test {

/// Neo-Hookean, by shear modulus and k/μ.
inline PlateSection rubber_wall(double mu, double ratio, double thickness, bool paper = false) {
  PlateSection out;
  out.full = FullWall{.thickness = thickness,
                      .rho = 1000,
                      .law = {ElasticLaw::neo_hooke, VolumeForm::isochoric},
                      .constants = {{mu}, ratio * mu},
                      .paper = paper};
  return out;
}
/// St. Venant–Kirchhoff.
inline PlateSection steel_wall(double E, double nu, double thickness, bool paper = false) {
  const double mu = E / (2 * (1 + nu));
  PlateSection out = rubber_wall(mu, 0, thickness, paper);
  out.full->law.law = ElasticLaw::st_venant_kirchhoff;
  out.full->constants = {{2 * mu * nu / (1 - 2 * nu), mu}, 0};
  return out;
}

struct Moduli {
  double E, nu;
  static Moduli of(double mu, double k) { return {9 * k * mu / (3 * k + mu), (3 * k - 2 * mu) / (2 * (3 * k + mu))}; }
  double wide() const { return E / (1 - nu * nu); }
};

inline std::vector<int> slots_of(const PlateNode& n) {
  std::vector<int> out;
  for (const int slot : {n.r, n.g_u, n.g_v, n.r_z, n.r_zz})
    if (slot >= 0) out.push_back(slot);
  return out;
}

/// Clamped as a solid is glued: no point of the edge's face moves. The slope across it and r_zz are free.
inline void glue(Shell& s, const char* set, bool along_v) {
  for (const int node : s.mesh.find(set)->nodes) {
    const PlateNode& n = s.model.nodes[node];
    for (const int slot : {n.r, along_v ? n.g_v : n.g_u, n.r_z}) s.builder.fix(slot, "joint.clamp");
  }
}

}  // namespace flexura::test

#pragma once
// Beams of full elements for tests: along any framed curve, of any law.

#include "flexura/element/ancf_beam_24.hpp"
#include "flexura/material/elastic_laws.hpp"
#include "flexura/part/section.hpp"
#include "tests/support/beams.hpp"

namespace flexura::test {

struct FullBeamCase {
  LawChoice law{ElasticLaw::neo_hooke, VolumeForm::isochoric};
  ElasticConstants<double> constants{};
  double height = 0.1, width = 0.1;  ///< along d₁ and d₂
  AncfBeam24::Strains strains = AncfBeam24::Strains::enhanced;
  bool keeps_width = false, round = false;
  double hole = 0, rho = 1000;

  ElasticModuli moduli() const { return moduli_at_rest(law, constants); }
  SectionGeometry section() const {
    const double nu = moduli().poisson();
    return round ? round_section(height / 2, hole * height / 2, nu) : rectangle_section(width, height, nu);
  }
  GivenParams<AncfBeam24> parameters(double length) const {
    const SectionGeometry s = section();
    const double nu = moduli().poisson();
    return {.length = length,
            .size_1 = height,
            .size_2 = width,
            .hole = hole,
            .rho = rho,
            .constants = given(Vec<most_elastic_constants, double>::load(constants.c)),
            .bulk = constants.bulk,
            .shear_1 = s.shear1,
            .shear_2 = s.shear2,
            .torsion = std::min(1.0, s.J * (s.I1 + s.I2) / (4 * s.I1 * s.I2)),
            .contraction_1 = keeps_width ? nu / (1 - nu) : nu,
            .contraction_2 = keeps_width ? 0 : nu};
  }
  AncfBeam24::Options options() const {
    return {.law = law.law,
            .form = law.form,
            .strains = strains,
            .section = round ? AncfBeam24::Section::ellipse : AncfBeam24::Section::rectangle};
  }
};
/// Neo-Hookean, by μ and k/μ.
inline FullBeamCase rubber_bar(double mu, double ratio) { return {.constants = {{mu}, ratio * mu}}; }
/// St. Venant–Kirchhoff.
inline FullBeamCase steel_bar(double E, double nu) {
  const double mu = E / (2 * (1 + nu));
  FullBeamCase out{.constants = {{2 * mu * nu / (1 - 2 * nu), mu}, 0}};
  out.law.law = ElasticLaw::st_venant_kirchhoff;
  return out;
}

/// Nodes r, d₁, d₂, r_x of slots; the first is clamped but for its lengths and r_x unless `free`.
struct FullBeamNodes {
  std::vector<std::array<int, 4>> nodes;
  int tip(int slot = 0) const { return nodes.back()[slot]; }
};
inline FullBeamNodes add_full_beam(ModelBuilder& b, int elements, double length, const FullBeamCase& of,
                                   const std::function<Frame(double)>& at, bool free = false) {
  FullBeamNodes out;
  for (int k = 0; k <= elements; ++k) {
    const Frame f = at(static_cast<double>(k) / elements);
    const int node = b.node();
    std::array<int, 4> slots{b.slot(fmt::format("{}.r", k), SlotKind::point, f.r, node)};
    const char* names[] = {"r_y", "r_z", "r_x"};
    for (int i = 0; i < 3; ++i)
      slots[i + 1] = b.slot(fmt::format("{}.{}", k, names[i]), SlotKind::vector, f.d[i], node);
    out.nodes.push_back(slots);
    if (k > 0 || free) continue;
    b.fix(slots[0], "clamp");
    for (int i = 0; i < 2; ++i)
      for (const Triple& n : {f.d[1 - i], f.d[2]})
        b.relate({1, {{slots[i + 1], {n.begin(), n.end()}}}, {0.0}, {}}, "clamp");
  }
  for (int e = 0; e < elements; ++e) {
    std::array<int, 8> slots{};
    for (int a = 0; a < 2; ++a) {
      const std::array<int, 4>& n = out.nodes[e + a];
      const int own[4] = {n[0], n[3], n[1], n[2]};
      std::copy_n(own, 4, slots.begin() + 4 * a);
    }
    b.item<AncfBeam24>(slots, of.parameters(length / elements), of.options(), fmt::format("element {}", e));
  }
  return out;
}

}  // namespace flexura::test

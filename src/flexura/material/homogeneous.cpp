#include "flexura/material/homogeneous.hpp"

#include <algorithm>
#include <cmath>

namespace flexura {

namespace {

struct Principal {
  double S[3];     ///< of W, or of ψ
  double D[3][3];  ///< 4 ∂²W/∂Cᵢ∂Cⱼ
};

Principal principal(LawChoice choice, const ElasticConstants<double>& constants, const Stretches<double>& stretches,
                    bool with_volume) {
  double C[6] = {}, S[6], D[21];
  for (int i = 0; i < 3; ++i) C[i] = stretches.of[i] * stretches.of[i];
  elastic_stiffness(choice, constants, C, S, D);
  if (with_volume) {
    const VolumeChange<double> change(C);
    add_volume_stress(constants, change, S);
    add_volume_stiffness(constants, change, D);
  }
  Principal out;
  for (int i = 0; i < 3; ++i) {
    out.S[i] = S[i];
    for (int j = 0; j < 3; ++j) out.D[i][j] = D[triangle(i, j)];
  }
  return out;
}

}  // namespace

Stretches<double> incompressible_stretches(TensionTest test, double stretch) {
  switch (test) {
    case TensionTest::uniaxial:
      return {{stretch, 1 / std::sqrt(stretch), 1 / std::sqrt(stretch)}};
    case TensionTest::equibiaxial:
      return {{stretch, stretch, 1 / (stretch * stretch)}};
    case TensionTest::planar:
      break;
  }
  return {{stretch, 1, 1 / stretch}};
}

// dP/dλ by the chain rule over λ₂(λ) and λ₃(λ), dSᵢ = Σ Dᵢⱼ λⱼ dλⱼ.
double incompressible_tension(TensionTest test, LawChoice choice, const ElasticConstants<double>& constants,
                              double stretch, double* slope) {
  const Stretches<double> at = incompressible_stretches(test, stretch);
  const auto [l1, l2, l3] = at.of;
  const Principal w = principal(choice, constants, at, false);
  if (slope) {
    double rate[3] = {1, 0, 0};  // dλᵢ/dλ
    if (test == TensionTest::uniaxial) rate[1] = rate[2] = -0.5 * l3 / stretch;
    if (test == TensionTest::equibiaxial) rate[1] = 1, rate[2] = -2 * l3 / stretch;
    if (test == TensionTest::planar) rate[2] = -l3 / stretch;
    double dS[3] = {};
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) dS[i] += w.D[i][j] * at.of[j] * rate[j];
    *slope = w.S[0] + l1 * dS[0] - l3 * l3 / l1 * dS[2] - w.S[2] * (2 * l3 * rate[2] / l1 - l3 * l3 / (l1 * l1));
  }
  return l1 * w.S[0] - l3 * l3 / l1 * w.S[2];
}

// Newton on the logarithms of the free stretches until λ S of the free directions is rounding. Each step is bounded, since at
// large k the first linear guess of the volume may be far out.
CompressibleTension compressible_tension(TensionTest test, LawChoice choice, const ElasticConstants<double>& constants,
                                         double stretch) {
  CompressibleTension out{std::nan(""), incompressible_stretches(test, stretch)};
  double(&l)[3] = out.stretches.of;
  const bool sides = test == TensionTest::uniaxial;  // λ₂ = λ₃ are free, else λ₃
  for (int iteration = 0; iteration < 100; ++iteration) {
    const Principal w = principal(choice, constants, out.stretches, true);
    const double row[3] = {w.D[2][0] * l[0] * l[0], w.D[2][1] * l[1] * l[1], w.D[2][2] * l[2] * l[2]};  // ∂S₃/∂ln λᵢ
    const double size = std::abs(row[0]) + std::abs(row[1]) + std::abs(row[2]) + std::abs(w.S[0]);
    if (!std::isfinite(size)) return out;
    const double slope = sides ? row[1] + row[2] : row[2];
    const double step = std::clamp(-w.S[2] / slope, -0.2, 0.2);
    if (std::abs(w.S[2]) <= 4 * epsilon * size || std::abs(step) <= epsilon) {
      out.stress = l[0] * w.S[0];
      return out;
    }
    l[2] *= std::exp(step);
    if (sides) l[1] = l[2];
  }
  return out;
}

}  // namespace flexura

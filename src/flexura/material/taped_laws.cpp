// Laws of rubber on numbers that write down what is done with them: the slopes of S are D, whatever way S was found. Constants are not
// unknowns. Part of flexura_ensemble.

#include "flexura/material/hyperelastic.hpp"
#include "flexura/math/taped.hpp"

namespace flexura {
namespace {

using Tensor = Taped<Lanes>[6];

ElasticConstants<Lanes> values_of(const ElasticConstants<Taped<Lanes>>& constants) {
  ElasticConstants<Lanes> out;
  for (int i = 0; i < most_elastic_constants; ++i) out.c[i] = constants.c[i].v;
  out.bulk = constants.bulk.v;
  return out;
}

/// A number of these slopes by the components of C, each of which stands for both of its places.
Taped<Lanes> number(Lanes value, const Lanes (&slope)[6], const Tensor& C) {
  std::int32_t sum = -1;
  for (int p = 0; p < 6; p += 2)
    if (C[p].place >= 0 || C[p + 1].place >= 0 || sum >= 0)
      sum = Tape<Lanes>::current()->add(C[p].place, slope[p], C[p + 1].place, slope[p + 1], sum);
  return {value, sum};
}

}  // namespace

template <>
Taped<Lanes> elastic_energy(LawChoice choice, const ElasticConstants<Taped<Lanes>>& constants, const Tensor& C) {
  const ElasticConstants<Lanes> values = values_of(constants);
  Lanes c[6], S[6];
  for (int p = 0; p < 6; ++p) c[p] = C[p].v;
  elastic_stress(choice, values, c, S);
  for (int p = 0; p < 3; ++p) S[p] = Lanes(0.5) * S[p];
  return number(elastic_energy(choice, values, c), S, C);
}

template <>
void elastic_stress(LawChoice choice, const ElasticConstants<Taped<Lanes>>& constants, const Tensor& C, Tensor& S) {
  Lanes c[6], s[6], D[21];
  for (int p = 0; p < 6; ++p) c[p] = C[p].v;
  elastic_stiffness(choice, values_of(constants), c, s, D);
  for (int p = 0; p < 6; ++p) {
    Lanes slope[6];
    for (int q = 0; q < 6; ++q) slope[q] = Lanes(q < 3 ? 0.5 : 1.0) * D[triangle(std::max(p, q), std::min(p, q))];
    S[p] = number(s[p], slope, C);
  }
}

template <>
void elastic_stiffness(LawChoice choice, const ElasticConstants<Taped<Lanes>>& constants, const Tensor& C, Tensor& S,
                       Taped<Lanes> (&D)[21]) {
  const ElasticConstants<Lanes> values = values_of(constants);
  ElasticConstants<Dual<Lanes>> fixed;
  for (int i = 0; i < most_elastic_constants; ++i) fixed.c[i] = {values.c[i], Lanes(0.0)};
  fixed.bulk = {values.bulk, Lanes(0.0)};
  Dual<Lanes> c[6], s[6], d[6][21];
  for (int p = 0; p < 6; ++p) c[p] = {C[p].v, Lanes(0.0)};
  for (int p = 0; p < 6; ++p) {
    c[p].d = Lanes(1.0);
    elastic_stiffness(choice, fixed, c, s, d[p]);
    c[p].d = Lanes(0.0);
  }
  for (int k = 0; k < 21; ++k)
    D[k] = number(d[0][k].v, {d[0][k].d, d[1][k].d, d[2][k].d, d[3][k].d, d[4][k].d, d[5][k].d}, C);
  elastic_stress(choice, constants, C, S);
}

}  // namespace flexura

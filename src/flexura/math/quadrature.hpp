#pragma once
// Gauss–Legendre rules on [0, 1]: n points integrate polynomials of degree 2n − 1 exactly (Abramowitz & Stegun 25.4.30).

namespace flexura {

template <int N>
struct Gauss;

template <>
struct Gauss<1> {
  static constexpr double x[] = {0.5};
  static constexpr double w[] = {1.0};
};
template <>
struct Gauss<2> {
  static constexpr double x[] = {0.21132486540518711775, 0.78867513459481288225};
  static constexpr double w[] = {0.5, 0.5};
};
template <>
struct Gauss<3> {
  static constexpr double x[] = {0.11270166537925831148, 0.5, 0.88729833462074168852};
  static constexpr double w[] = {0.27777777777777777778, 0.44444444444444444444, 0.27777777777777777778};
};
template <>
struct Gauss<4> {
  static constexpr double x[] = {0.06943184420297371239, 0.33000947820757186760, 0.66999052179242813240,
                                 0.93056815579702628761};
  static constexpr double w[] = {0.17392742256872692869, 0.32607257743127307131, 0.32607257743127307131,
                                 0.17392742256872692869};
};
template <>
struct Gauss<5> {
  static constexpr double x[] = {0.04691007703066800360, 0.23076534494715845448, 0.5, 0.76923465505284154552,
                                 0.95308992296933199640};
  static constexpr double w[] = {0.11846344252809454376, 0.23931433524968323402, 0.28444444444444444444,
                                 0.23931433524968323402, 0.11846344252809454376};
};

/// The polynomial that is one at point k of a rule of N points and zero at the others.
template <class Rule, int N>
constexpr double lagrange(int k, double x) {
  double weight = 1;
  for (int other = 0; other < N; ++other)
    if (other != k) weight *= (x - Rule::x[other]) / (Rule::x[k] - Rule::x[other]);
  return weight;
}

}  // namespace flexura

// Prony series on every term that relaxes, against closed forms.

#include <gtest/gtest.h>

#include "flexura/material/prony.hpp"
#include "tests/support/term_setting.hpp"

namespace flexura::test {
namespace {

bool is_composite(const TermCase& c) { return c.type->info.name.starts_with("composite_"); }
/// Without fibres and growth, which stay, and of what is as thick as its nodes say (tests/element/composite_membrane_test.cpp has the rest).
bool is_matrix_alone(const TermCase& c) {
  bool relaxes = false;
  if (has_free_thickness(c)) return false;
  for (size_t k = 0; k < c.options.size(); ++k) {
    const std::string_view option = c.type->info.options[k].name;
    if ((option == "families" || option == "grows") && c.options[k] != 0) return false;
    relaxes = relaxes || (option == "branches" && c.options[k] > 0);
  }
  return relaxes;
}
/// Whose change of volume, which does not relax, costs nothing: of solids, full plates and beams.
void make_all_relax(const TermCase& c, std::vector<double>& parameters) {
  if (!is_composite(c) || c.type->info.name == CompositeMembrane::name) return;
  const int constants = is_full_plate(c.type->info.name)  ? 4
                        : is_full_beam(c.type->info.name) ? 5
                                                          : 1,
            bulk = constants + most_elastic_constants;
  parameters[bulk] = 0;
  if (ElasticLaw{c.options[0]} == ElasticLaw::st_venant_kirchhoff)
    parameters[constants] = -2.0 / 3 * parameters[constants + 1];
}

std::vector<TermCase> relaxing_cases() {
  std::vector<TermCase> out;
  for (const TermCase& c : all_term_cases())
    if (c.type->info.name.starts_with("viscoelastic_") || (is_composite(c) && is_matrix_alone(c))) out.push_back(c);
  return out;
}

struct Series {
  std::vector<double> share, time;
  explicit Series(const Setting& s, int branches) {
    const std::vector<double>& numbers = s.model.values.parameters[0];
    const auto shares = numbers.end() - 2 * most_branches, times = numbers.end() - most_branches;
    share.assign(shares, shares + branches);
    time.assign(times, times + branches);
  }
  /// g∞ + Σ g e^(−t/τ)
  double left(double t) const {
    double sum = 1;
    for (size_t i = 0; i < share.size(); ++i) sum += share[i] * std::expm1(-t / time[i]);
    return sum;
  }
};

class EveryRelaxingTerm : public EveryTerm {
 protected:
  int branches() const { return term().options.back() + (is_composite(term()) ? 0 : 1); }
  /// A random setting whose stress-free state has just been left.
  Setting strained() {
    ItemNumbers item = random_item(*term().type, random);
    make_stress_free(info(), item);
    make_all_relax(term(), item.parameters);
    Setting s = setting(term(), {item}, random);
    std::fill(s.history.begin(), s.history.end(), 0.0);
    return s;
  }
};

// Held still, force and energy are those of the elastic term times closed forms, whatever the steps. The energy of a branch
// falls with the square of its strain. 1e-12: rounding of twelve steps.
TEST_P(EveryRelaxingTerm, RelaxesAsItsSeriesSays) {
  for (int sample = 0; sample < 3; ++sample) {
    const Setting s = strained();
    const Series series(s, branches());
    const std::vector<double> at_rest(s.q.size(), 0.0);
    Dense<double> d(s.model);
    std::vector<double> history = s.history;
    const auto step = [&](double h) {
      d.assembler.set_history(history, h);
      d.assembler.remember(0, s.q.data(), at_rest.data(), history.data());
      d.assembler.set_history(history, 0);
    };
    step(0);
    const std::vector<double> elastic = d.residual(s.q, at_rest);
    const double stored = d.assembler.potential_energy(0, s.q.data());
    if (term().name().find("law_yeoh_paper") != std::string::npos)
      GTEST_SKIP() << "not free of stress at rest: of less than nothing nothing can be lost";
    EXPECT_GE(stored, 0);
    double t = 0;
    for (double h : {1e-5, 1e-3, 0.02, 0.02, 0.3, 0.02, 1.0, 5.0}) {
      step(h);
      t += h;
      const std::vector<double> r = d.residual(s.q, at_rest);
      for (int i = 0; i < d.nq; ++i) EXPECT_NEAR(r[i], series.left(t) * elastic[i], 1e-12 * largest(elastic));
      double left = 1;
      for (size_t k = 0; k < series.share.size(); ++k) left += series.share[k] * std::expm1(-2 * t / series.time[k]);
      EXPECT_NEAR(d.assembler.potential_energy(0, s.q.data()), left * stored, 1e-12 * stored) << t;
    }
    step(forever);
    const std::vector<double> r = d.residual(s.q, at_rest);
    for (int i = 0; i < d.nq; ++i) EXPECT_NEAR(r[i], series.left(1e9) * elastic[i], 1e-12 * largest(elastic));
  }
}

// At the end of a step in which it was strained evenly: the mean of the relaxing stiffness over the step. Small strains of
// random direction, so that strains are linear in the motion; 1e-4 of it is what they are not.
TEST_P(EveryRelaxingTerm, FollowsAnEvenStrainExactly) {
  for (int sample = 0; sample < 3; ++sample) {
    Setting s = strained();
    const Series series(s, branches());
    const std::vector<int> at = local_places(s.model, 0);
    std::vector<double> reference(s.q.size()), at_rest(s.q.size(), 0.0);
    for (size_t i = 0; i < s.q.size(); ++i) reference[i] = s.model.values.reference[i];
    for (size_t i = 0; i < s.q.size(); ++i) s.q[i] = reference[i] + 1e-5 * (s.q[i] - reference[i]);
    Dense<double> d(s.model);
    d.assembler.set_history(s.history, 0);
    const std::vector<double> elastic = d.residual(s.q, at_rest);
    const double h = 0.7;
    double mean = 1;
    for (size_t k = 0; k < series.share.size(); ++k)
      mean += series.share[k] * (-series.time[k] * std::expm1(-h / series.time[k]) / h - 1);
    d.assembler.set_history(s.history, h);
    const std::vector<double> r = d.residual(s.q, at_rest);
    for (int i = 0; i < d.nq; ++i) EXPECT_NEAR(r[i], mean * elastic[i], 1e-4 * largest(elastic));
  }
}

INSTANTIATE_TEST_SUITE_P(Suite, EveryRelaxingTerm, ::testing::ValuesIn(relaxing_cases()), case_name);

// Both formulas of a step where they meet, and the limits of no time and of all time.
TEST(MaxwellStep, IsSmoothWhereItsFormulasMeet) {
  const double below = 0.05 * (1 - 1e-14), above = 0.05 * (1 + 1e-14);
  const MaxwellStep<double> a(1.0, below), b(1.0, above);
  EXPECT_NEAR(a.gain, b.gain, 2e-14);
  EXPECT_NEAR(a.along, b.along, 1e-13);
  const MaxwellStep<double> none(2.0, 0.0), all(2.0, 1e100);
  EXPECT_EQ(none.keep, 1);
  EXPECT_EQ(none.gain, 1);
  EXPECT_EQ(none.spent, 0);
  EXPECT_EQ(none.along, 0);
  EXPECT_NEAR(all.keep, 0, 1e-300);
  EXPECT_NEAR(all.gain, 0, 1e-99);
  EXPECT_EQ(all.spent, 1);
  EXPECT_NEAR(all.along, 0, 1e-99);
}

}  // namespace
}  // namespace flexura::test

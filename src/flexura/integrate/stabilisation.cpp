#include "flexura/integrate/stabilisation.hpp"

#include <fmt/format.h>

#include <cmath>

namespace flexura {
namespace {

struct ProjectionRow final : Stabilisation {
  Projection projection() const override { return Projection::both; }
};

/// Φ̈ = −2 α Φ̇ − β² Φ, by α and β or by ω = β and ζ = α/ω.
struct BaumgarteRow final : Stabilisation {
  std::optional<double> alpha, beta, omega, zeta;

  void fields(SettingsVisitor& field) override {
    field(alpha, number_field("alpha", "1/s", "of the rate").more_than(0).defaults_to(std::string("5")));
    field(beta, number_field("beta", "1/s", "of the violation").more_than(0).defaults_to(std::string("12")));
    field(omega, number_field("omega", "1/s", "in place of alpha and beta: the frequency, beta")
                     .more_than(0)
                     .defaults_to(std::string("12")));
    field(zeta, number_field("zeta", "1", "with omega: the damping ratio, alpha/omega")
                    .more_than(0)
                    .defaults_to(std::string("0.7071")));
  }
  std::vector<SettingsProblem> problems() const override {
    if ((!omega && !zeta) || (!alpha && !beta)) return {};
    return {{.key = "",
             .message = "takes alpha and beta, or omega and zeta (alpha = zeta omega, beta = omega), not both",
             .at = "omega"}};
  }
  DriftControl drift() const override {
    const double frequency = omega.value_or(12);
    return DriftControl(omega || zeta ? BaumgarteOptions{zeta.value_or(std::sqrt(0.5)) * frequency, frequency}
                                      : BaumgarteOptions{alpha.value_or(5), beta.value_or(12)});
  }
};

struct FuzzyRow final : Stabilisation {
  FuzzyOptions options;
  std::optional<double> sigma;

  void fields(SettingsVisitor& field) override {
    field(options.sets,
          integer_field("sets", "fuzzy sets of each input, odd").defaults_to(options.sets).at_least(3).at_most(31));
    field(options.membership, choice_field("membership", "form of the sets",
                                           {{"gaussian", "bells of width sigma"},
                                            {"triangular", "triangles"},
                                            {"trapezoidal", "trapezoids; small violations are left alone"}}));
    field(options.inference,
          choice_field("inference", "what the rules give",
                       {{"sugeno", "mean of the rules' outputs"}, {"mamdani", "centre of the area under their sets"}}));
    field(sigma, number_field("sigma", "1", "width of Gaussian sets")
                     .more_than(0)
                     .defaults_to(std::string("0.7 of their spacing")));
    field(options.phi_max,
          number_field("phi_max", "1", "violation from which the control does not grow, in units of the constraint")
              .defaults_to(options.phi_max)
              .more_than(0));
    field(options.omega, number_field("omega", "1/s", "frequency near zero").defaults_to(options.omega).more_than(0));
    field(options.zeta, number_field("zeta", "1", "damping ratio near zero").defaults_to(options.zeta).more_than(0));
  }
  std::vector<SettingsProblem> problems() const override {
    if (options.sets % 2 == 1) return {};
    return {{"sets", fmt::format("{}: must be odd, so that one set is about zero", options.sets)}};
  }
  DriftControl drift() const override {
    FuzzyOptions all = options;
    all.sigma = sigma.value_or(0);
    return DriftControl(all);
  }
};

}  // namespace

SettingsRows stabilisations() {
  static constexpr SettingsRow rows[] = {
      SettingsRow::of<ProjectionRow>(
          "projection", "positions and velocities are brought back after each step, the shortest way in mass"),
      SettingsRow::of<Stabilisation>("none", "constraints drift"),
      SettingsRow::of<BaumgarteRow>("baumgarte", "d2Phi/dt2 = -2 alpha dPhi/dt - beta^2 Phi"),
      SettingsRow::of<FuzzyRow>(
          "fuzzy", "fuzzy control of the drift: near zero baumgarte with omega and zeta, limited far away")};
  return rows;
}

}  // namespace flexura

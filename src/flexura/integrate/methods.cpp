#include "flexura/integrate/methods.hpp"

#include "flexura/integrate/explicit_methods.hpp"
#include "flexura/integrate/implicit_methods.hpp"

namespace flexura {

SettingsRows time_methods() {
  static constexpr SettingsRow rows[] = {
      SettingsRow::of<GeneralizedAlphaMethod>("generalized-alpha", "second order, damps high frequencies"),
      SettingsRow::of<HhtMethod>("hht", "Hilber, Hughes and Taylor"),
      SettingsRow::of<NewmarkMethod>("newmark", "beta 1/4, gamma 1/2; not with constraints that have multipliers"),
      SettingsRow::of<EnergyMomentumMethod>(
          "energy-momentum", "second order, keeps energy and momentum where nothing dissipates or drives"),
      SettingsRow::of<ClassicalMethod>("rk4", "the classical method of order 4, explicit, constant steps"),
      SettingsRow::of<DormandPrince5Method>("rk45",
                                            "Dormand and Prince 5(4), explicit, steps of its own: rigid mechanisms"),
      SettingsRow::of<DormandPrince8Method>(
          "rk853", "Dormand and Prince 8(5,3), explicit, steps of its own: the same to many digits"),
      SettingsRow::of<AdamsMethod>("adams",
                                   "Adams, Bashforth and Moulton, explicit, steps and orders of its own: where forces "
                                   "are costly and smooth")};
  return rows;
}

std::string methods_with_own_steps(std::string_view last_word) {
  std::vector<std::string_view> names;
  for (const SettingsRow& row : time_methods())
    if (static_cast<const TimeMethod&>(*row.make()).has_own_steps()) names.push_back(row.name);
  std::string text;
  for (size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 == names.size() ? " " + std::string(last_word) + " " : ", ";
    text += names[i];
  }
  return text;
}

}  // namespace flexura

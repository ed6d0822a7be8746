// Xing, Zhang and Liu 2022: the falling plate by the paper's element and each of its laws.

#include <fmt/format.h>

#include <algorithm>
#include <ctime>

#include "validation/xing2022/cases.hpp"

namespace flexura::detail {
namespace {

struct Law {
  const char *name, *doc, *material;
  std::vector<std::string> set = {};
};

const char* const constants = "c10 = 0.2712e6, c20 = 0.03053e6, c30 = -401.3, bulk = 1e9, rho = 1100";

std::vector<Law> laws() {
  return {{"improved", "improved Yeoh, of the change of shape alone (21)", "type = \"yeoh\""},
          {"coupled", "Yeoh of C itself, less 2 C10 ln J so that it is free of stress at rest",
           "type = \"yeoh\", form = \"coupled\""},
          {"kirchhoff", "St. Venant-Kirchhoff of the same moduli", "type = \"st-venant-kirchhoff\""},
          {"damped", "improved Yeoh, mass-proportional damping c = 1.5 / s", "type = \"yeoh\"", {"mass_damping=1.5"}}};
}

std::string material_of(const Law& law) {
  const bool linear = std::string_view(law.name) == "kirchhoff";
  return fmt::format("material.silicone={{ {}, {} }}", law.material,
                     linear ? "mu = 0.5424e6, bulk = 1e9, rho = 1100" : constants);
}

Json fallen(const Series& P) {
  Json out = Json::array();
  for (const double t : {0.06, 0.10, 0.14}) out.push_back({P.at(t, 0), P.at(t, 2)});
  return out;
}
double lowest_of(const Series& P) {
  return P.t[static_cast<size_t>(std::min_element(P.x[2].begin(), P.x[2].end()) - P.x[2].begin())];
}

void plate_laws(Case& one) {
  one.chosen(
      "as plate-yeoh, selective, 8 x 7 elements held against 12 x 10, to 0.3 s; the own law of the paper, which has "
      "stress at rest, "
      "on 6 x 5 to 0.1 s; processor time of the whole run over its steps, reading included: not judged");
  for (const char* key :
       {"material.silicone", "plate.sheet.element", "plate.sheet.elements", "analysis.fall.end", "mass_damping"})
    one.varies(key);
  std::vector<PlotCurve> curves;
  const auto run = [&](const Law& law, const char* mesh, const char* end, double* time) {
    std::vector<std::string> set{"plate.sheet.element=xing2022", fmt::format("plate.sheet.elements={}", mesh),
                                 material_of(law), fmt::format("analysis.fall.end={}", end)};
    set.insert(set.end(), law.set.begin(), law.set.end());
    const std::clock_t begin = std::clock();
    Series P = one.run("plate", set).of("P");
    if (time != nullptr)
      *time = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC / static_cast<double>(P.t.size() - 1);
    return P;
  };
  for (const Law& law : laws()) {
    const std::string name = law.name;
    double time = 0;
    const Series P = run(law, "[8, 7]", "0.3", &time), fine = run(law, "[12, 10]", "0.14", nullptr);
    one.quantity(name, fallen(P), {finer_mesh(fallen(fine), 4e-3)});
    const double lowest = lowest_of(P);
    one.quantity(name + "_lowest", lowest, {paper(0.2, 0, 0.02)});
    one.quantity(name + "_time", time);
    PlotCurve curve{law.doc, P.t, {}};
    for (const double z : P.x[2]) curve.y.push_back(1e3 * z);
    curves.push_back(std::move(curve));
  }
  const Law own{"paper", "", "type = \"yeoh-paper\""};
  double time = 0;
  const Series P = run(own, "[6, 5]", "0.1", &time);
  one.quantity("paper", {P.at(0.06, 0), P.at(0.06, 2), P.at(0.1, 0), P.at(0.1, 2)});
  one.quantity("paper_time", time);
  one.plot("z", {.title = "Height of P", .x_label = "time [s]", .y_label = "z [mm]", .curves = curves});
}

}  // namespace

std::vector<CaseDefinition> xing2022_law_cases() {
  std::vector<QuantityInfo> quantities;
  for (const Law& law : laws()) {
    quantities.push_back({law.name, "m", fmt::format("x and z of P at 0.06, 0.1 and 0.14 s: {}", law.doc)});
    quantities.push_back({std::string(law.name) + "_lowest", "s", "when P is lowest"});
    quantities.push_back({std::string(law.name) + "_time", "s", "processor time of a step of 2 ms, 8 x 7 elements"});
  }
  quantities.push_back(
      {"paper", "m", "x and z of P at 0.06 and 0.1 s: Yeoh as it is printed (18), not free of stress at rest"});
  quantities.push_back({"paper_time", "s", "processor time of a step of 2 ms, 6 x 5 elements"});
  return {{{"xing2022", "plate-laws",
            "the paper's plate by its laws: improved and coupled Yeoh, St. Venant-Kirchhoff, damped (figures 4 to 8)",
            quantities},
           plate_laws}};
}

}  // namespace flexura::detail

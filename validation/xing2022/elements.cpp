// Xing, Zhang and Liu 2022: the falling plate by all elements that there are.

#include <fmt/format.h>

#include <ctime>

#include "validation/xing2022/cases.hpp"

namespace flexura::detail {
namespace {

struct Row {
  const char *name, *scene, *doc;
  std::vector<std::string> set;
  const char* miss = nullptr;  ///< why it is off
};

const std::vector<Row>& rows() {
  static const std::vector<Row> all{
      {"cable", "strip", "cable, 10 elements of 8 coordinates, E/(1 - nu^2)", {}},
      {"beam",
       "beam",
       "beam of 24 coordinates [yakoub2001] with Yeoh's law, 10 elements, of a strip that keeps its width",
       {"beam.sheet.width=held"}},
      {"beam_narrow",
       "beam",
       "the same where bending contracts its width, E",
       {},
       "a bar bends with E, and a plate of this width with E/(1 - nu^2)"},
      {"beam_selective",
       "beam",
       "the same, change of volume on the axis only",
       {"beam.sheet.strains=selective"},
       "the rule's bending: 4 mu/3 in place of E/(1 - nu^2)"},
      {"beam_full",
       "beam",
       "the same as it was published, all strains everywhere",
       {"beam.sheet.strains=full"},
       "locks: k/mu = 4000"},
      {"thin",
       "plate",
       "thin plate, 10 x 8 elements of 36 coordinates, linear elastic",
       {"plate.sheet.element=thin", "material.silicone={ E = 1626904.0, nu = 0.49972882, rho = 1100 }"}},
      {"xing2022",
       "plate",
       "the paper's plate, 10 x 8 elements of 48 coordinates, its rule",
       {"plate.sheet.element=xing2022"},
       "the rule's bending: a wide plate bends with 4 mu/3 in place of E/(1 - nu^2)"},
      {"full", "plate", "full plate, 10 x 8 elements of 60 coordinates", {}},
      {"bricks_8",
       "bricks",
       "hexahedra of 8 nodes, 36 x 16 x 2",
       {"solid.sheet.element=hexahedra-8", "solid.sheet.elements=[36, 16, 2]"},
       "two cells of 8 nodes through the thickness are a few per cent too soft (docs/solids.md)"},
      {"bricks_20", "bricks", "hexahedra of 20 nodes, 18 x 8 x 1", {}}};
  return all;
}

void elements(Case& one) {
  for (const char* key :
       {"plate.sheet.element", "solid.sheet.elements", "beam.sheet.strains", "beam.sheet.width", "analysis.fall.end"})
    one.varies(key);
  one.chosen("as plate-yeoh; processor time of the whole run over its steps, reading included: not judged");
  std::vector<PlotCurve> curves;
  for (const Row& row : rows()) {
    std::vector<std::string> set = row.set;
    set.emplace_back("analysis.fall.end=0.2");
    const std::clock_t begin = std::clock();
    const Series P = one.run(row.scene, set).of("P");
    const double time = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC / 100;
    const int up = std::string_view(row.scene) == "strip" ? 1 : 2;
    Held held = independent({{0.168132, -0.061781}, {0.125838, -0.119762}}, 2e-3);
    const std::string name = row.name;
    one.quantity(name, {{P.at(0.1, 0), P.at(0.1, up)}, {P.at(0.14, 0), P.at(0.14, up)}},
                 {row.miss == nullptr ? held : std::move(held).because(row.miss)});
    one.quantity(name + "_time", time);
    PlotCurve curve{row.doc, P.t, {}};
    for (const double z : P.x[up]) curve.y.push_back(1e3 * z);
    curves.push_back(std::move(curve));
  }
  one.plot("z", {.title = "Height of P", .x_label = "time [s]", .y_label = "z [mm]", .curves = curves});
}

}  // namespace

std::vector<CaseDefinition> xing2022_element_cases() {
  std::vector<QuantityInfo> quantities;
  for (const Row& row : rows()) {
    quantities.push_back({row.name, "m", fmt::format("x and z of P at 0.1 and 0.14 s: {}", row.doc)});
    quantities.push_back({std::string(row.name) + "_time", "s", "processor time of a step of 2 ms"});
  }
  return {{{"xing2022", "elements",
            "the plate that falls, by cables, beams, plates and solids side by side (section 5)", quantities},
           elements}};
}

}  // namespace flexura::detail

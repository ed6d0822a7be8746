// The table of quantities: every row is complete, and grammar and documentation have them all.

#include "flexura/observe/quantity.hpp"

#include <gmock/gmock.h>

#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "flexura/element/ancf_cable_2d.hpp"
#include "flexura/element/ancf_cable_3d.hpp"
#include "flexura/element/ancf_thin_plate.hpp"
#include "flexura/element/composite_solid.hpp"
#include "flexura/element/director_beam.hpp"
#include "flexura/element/full_plate.hpp"
#include "flexura/element/membrane.hpp"
#include "flexura/element/solid.hpp"
#include "flexura/model/term_type.hpp"
#include "flexura/observe/probe_names.hpp"
#include "tests/scene/scene_testing.hpp"

namespace flexura::testing {
namespace {

TEST(Quantities, EachRowIsComplete) {
  std::set<std::string_view> names;
  for (const Quantity& q : quantities()) {
    EXPECT_TRUE(names.insert(q.name).second) << q.name << " twice";
    EXPECT_EQ(find_quantity(q.name), &q);
    EXPECT_FALSE(q.doc.empty()) << q.name;
    EXPECT_NE(q.read, nullptr) << q.name;
    EXPECT_EQ(q.selection.key.empty(), q.selection.choices.empty()) << q.name;
    std::set<std::string_view> choices;
    for (const NamedChoice& choice : q.selection.choices) {
      EXPECT_TRUE(choices.insert(choice.name).second) << q.name << ": " << choice.name << " twice";
      EXPECT_FALSE(choice.doc.empty()) << q.name << ": " << choice.name;
    }
    // A number of the wall is that of one place, never the mean over a set of nodes.
    EXPECT_FALSE((q.where & where::plate) && (q.where & where::wall)) << q.name;
  }
  EXPECT_EQ(find_quantity("temperature"), nullptr);
}

// Fields of drawings are rows of the table. They are read from a state and the signals alone, and where rows share a field
// it is the same to all of them but for where it is.
TEST(Quantities, DrawnRowsAgree) {
  std::map<std::string_view, const Quantity*> first;
  int order = 0;
  for (const Quantity* q : drawn_quantities()) {
    EXPECT_GE(q->drawn.order, order) << q->name;
    order = q->drawn.order;
    EXPECT_FALSE(q->drawn.name.empty()) << q->name;
    EXPECT_FALSE(q->drawn.doc.empty()) << q->name;
    EXPECT_NE(q->where, 0u) << q->name;
    EXPECT_EQ(q->needs & ~unsigned{needs::signals}, 0u) << q->name;
    EXPECT_EQ(q->drawn.number != nullptr, q->shape != Shape::scalar) << q->name;
    EXPECT_LT(q->drawn.choice, std::max<int>(1, static_cast<int>(q->selection.choices.size()))) << q->name;
    const auto [same, fresh] = first.emplace(q->drawn.name, q);
    EXPECT_EQ(same->second->drawn.order, q->drawn.order) << q->name;
    EXPECT_EQ(same->second->unit, q->unit) << q->name;
    EXPECT_EQ(same->second->drawn.doc, q->drawn.doc) << q->name;
    EXPECT_EQ(same->second->drawn.sign, q->drawn.sign) << q->name;
    if (!fresh) {
      EXPECT_EQ(same->second->where & q->where, 0u) << q->name;
    }
  }
  EXPECT_EQ(first.size(), 16u);
}

// What a row reads inside elements, each element that it may meet has under that name; a tensor's components follow each other.
TEST(Quantities, ElementsHaveWhatIsReadInside) {
  const TermInfo &plate = find_term(AncfThinPlate::name)->info, &full = find_term(AncfPlate60::name)->info;
  const auto wall_has = [&](const Quantity& q, std::string_view probe) {
    return ((q.where & where::wall) && find_probe(plate, probe) >= 0) ||
           ((q.where & where::thick) && find_probe(full, probe) >= 0);
  };
  std::vector<TermInfo> lines, solids, fibred;
  for (const std::string_view name : {SolidHexahedron8::name, SolidHexahedron20::name, SolidHexahedron27::name,
                                      SolidTetrahedron4::name, SolidTetrahedron10::name})
    solids.push_back(find_term(name)->info);
  for (const std::string_view name :
       {CompositeSolidElement<SolidKind::hexahedron_8>::name, CompositeSolidElement<SolidKind::hexahedron_20>::name,
        CompositeSolidElement<SolidKind::hexahedron_27>::name, CompositeSolidElement<SolidKind::tetrahedron_4>::name,
        CompositeSolidElement<SolidKind::tetrahedron_10>::name})
    fibred.push_back(find_term(name)->info);
  for (const std::string_view name : {AncfCable2d::name, AncfCable3d::name, DirectorBeam2::name, DirectorBeam3::name})
    lines.push_back(find_term(name)->info);
  for (const Quantity& q : quantities()) {
    for (const std::string_view probe : q.probes) {
      if (probe.empty()) continue;
      EXPECT_TRUE(q.where & (where::line | where::beam | where::shaped | where::wall | where::solid | where::fibred |
                             where::edge))
          << q.name;
      if (q.where & where::fibred) {
        for (const TermInfo& solid : fibred) EXPECT_GE(find_probe(solid, probe), 0) << solid.name << ": " << probe;
      }
      if (q.where & where::edge) {
        EXPECT_GE(find_probe(find_term(Membrane::name)->info, probe), 0) << probe;
        EXPECT_GE(find_probe(find_term(SolidTetrahedron4::name)->info, probe), 0) << probe;
      }
      if (q.where & where::solid) {
        for (const TermInfo& solid : solids)
          EXPECT_TRUE(find_probe(solid, probe) >= 0 || wall_has(q, probe)) << solid.name << ": " << probe;
      }
      for (const TermInfo& line : lines) {
        const bool is_beam = line.name != AncfCable2d::name && line.name != AncfCable3d::name;
        if ((q.where & where::line) || (is_beam && (q.where & (where::beam | where::shaped)))) {
          EXPECT_GE(find_probe(line, probe), 0) << line.name << ": " << probe;
        }
      }
      if (q.where != where::wall) continue;
      const int first = find_probe(plate, probe);
      EXPECT_GE(first, 0) << probe;
      if (!probe.ends_with("11")) continue;
      const std::string stem(probe.substr(0, probe.size() - 2));
      EXPECT_EQ(find_probe(plate, stem + "22"), first + 1);
      EXPECT_EQ(find_probe(plate, stem + "12"), first + 2);
    }
  }
  EXPECT_EQ(find_probe(plate, "N33"), -1);
}

TEST(Quantities, ScenesMayAskForEach) {
  for (const int dim : {2, 3}) {
    const auto grammar = scene_grammar(dim, scene_terms());
    const TableSpec& sensors = *grammar->find_table("sensor");
    std::vector<std::string> wanted;
    for (const Quantity& q : quantities())
      if (exists_in(q, dim)) wanted.emplace_back(q.name);
    EXPECT_EQ(sensors.types(), wanted);
  }
}

// The table of sensors in docs/scene-format.md names each of them, and no other.
TEST(Quantities, AreDocumented) {
  std::ifstream file("docs/scene-format.md");
  std::stringstream text;
  text << file.rdbuf();
  std::set<std::string> documented, wanted;
  bool inside = false;
  const std::regex name("`([a-z_]+)`");
  for (std::string line; std::getline(text, line);) {
    if (line.starts_with("| sensor |")) inside = true;
    if (line.empty()) inside = false;
    if (!inside) continue;
    const std::string cell = line.substr(0, line.find('|', 1));
    for (std::sregex_iterator at(cell.begin(), cell.end(), name), end; at != end; ++at) documented.insert((*at)[1]);
  }
  for (const Quantity& q : quantities()) wanted.emplace(q.name);
  EXPECT_EQ(documented, wanted);
}

}  // namespace
}  // namespace flexura::testing

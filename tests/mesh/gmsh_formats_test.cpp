// Formats and sections of Gmsh files, and what a scene does not read of them.

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <cstring>

#include "flexura/base/problem.hpp"
#include "flexura/mesh/gmsh_solid.hpp"
#include "flexura/mesh/membrane_mesh.hpp"
#include "flexura/mesh/solid_checks.hpp"
#include "flexura/mesh/surface_checks.hpp"

namespace flexura {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

struct Format {
  double version = 2.2;
  bool is_binary = false, is_swapped = false;
  int count_size = 8;          // bytes of a count in format 4.1
  bool is_parametric = false;  // two parameters of each node
  friend void PrintTo(const Format& f, std::ostream* out) {
    *out << f.version << (f.is_binary ? " binary" : " ASCII") << (f.is_swapped ? " swapped" : "") << f.count_size
         << (f.is_parametric ? " parametric" : "");
  }
};

/// Values as the format writes them; a record is a line of an ASCII file.
class Writer {
 public:
  explicit Writer(const Format& format) : f_(format) {}
  std::string text;

  void line(std::string_view words) { text += fmt::format("{}\n", words); }
  Writer& integer(int x) { return value(x); }
  Writer& number(double x) { return value(x); }
  Writer& count(std::int64_t x) { return f_.count_size == 4 ? value(static_cast<std::int32_t>(x)) : value(x); }
  Writer& tag(int x) { return f_.version == 4.1 ? count(x) : integer(x); }
  void end() {
    if (!f_.is_binary) text += "\n";
  }
  void close(std::string_view section) { text += fmt::format("{}$End{}\n", f_.is_binary ? "\n" : "", section); }

 private:
  template <class T>
  Writer& value(T x) {
    if (!f_.is_binary) {
      text += fmt::format("{} ", x);
      return *this;
    }
    char bytes[sizeof x];
    std::memcpy(bytes, &x, sizeof x);
    if (f_.is_swapped) std::reverse(bytes, bytes + sizeof x);
    text.append(bytes, sizeof x);
    return *this;
  }
  Format f_;
};

constexpr double points[5][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}};
constexpr int cells[2][4] = {{1, 2, 3, 4}, {2, 3, 4, 5}};

/// Two tetrahedra of 1/6 and 1/3 in the group "body", tags 11 and 12.
std::string two_tetrahedra(const Format& f) {
  if (f.version == 1)
    return "$NOD\n5\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n5 1 1 1\n$ENDNOD\n"
           "$ELM\n2\n11 4 7 1 4 1 2 3 4\n12 4 7 1 4 2 3 4 5\n$ENDELM\n";
  const bool is_4 = f.version >= 4, is_41 = f.version == 4.1;
  Writer w(f);
  w.line("$MeshFormat");
  w.line(fmt::format("{} {} {}", f.version, f.is_binary ? 1 : 0, is_41 ? f.count_size : 8));
  if (f.is_binary) w.integer(1);
  w.close("MeshFormat");
  w.line("$PhysicalNames\n1");
  w.line(f.version == 2.0 ? "7 \"body\"" : "3 7 \"body\"");
  w.line("$EndPhysicalNames");
  if (is_4) {
    w.line("$Entities");
    w.count(0).count(0).count(0).count(1).end();
    w.integer(1);
    for (const double x : {0, 0, 0, 1, 1, 1}) w.number(x);
    w.count(1).integer(7).count(0).end();
    w.close("Entities");
  }
  const char* nodes = f.is_parametric && !is_4 ? "ParametricNodes" : "Nodes";
  w.line(fmt::format("${}", nodes));
  if (!is_4) w.line("5");
  if (is_4) {
    w.count(1).count(5);
    if (is_41) w.count(1).count(5);
    w.end();
    const int dimension = f.is_parametric ? 2 : 3;
    w.integer(is_41 ? dimension : 1).integer(is_41 ? 1 : dimension).integer(f.is_parametric ? 1 : 0).count(5).end();
  }
  for (int n = 0; n < 5 && is_41; ++n) w.tag(n + 1).end();
  for (int n = 0; n < 5; ++n) {
    if (!is_41) w.tag(n + 1);
    for (const double x : points[n]) w.number(x);
    if (f.is_parametric && !is_4) w.integer(2).integer(1);
    if (f.is_parametric) w.number(0.25).number(-0.5);
    w.end();
  }
  w.close(nodes);
  w.line("$Elements");
  if (!is_4) w.line("2");
  if (is_4) {
    w.count(1).count(2);
    if (is_41) w.count(11).count(12);
    w.end();
    w.integer(is_41 ? 3 : 1).integer(is_41 ? 1 : 3).integer(4).count(2).end();
  } else if (f.is_binary) {
    w.integer(4).integer(2).integer(2);
  }
  for (int e = 0; e < 2; ++e) {
    w.tag(11 + e);
    if (!is_4 && !f.is_binary) w.integer(4).integer(2);
    if (!is_4) w.integer(7).integer(1);
    for (const int n : cells[e]) w.tag(n);
    w.end();
  }
  w.close("Elements");
  return w.text;
}

const Format formats[] = {{1},
                          {2.0},
                          {2.1},
                          {2.2},
                          {4},
                          {4.1},
                          {2.2, true},
                          {2.2, true, true},
                          {4, true},
                          {4, true, true},
                          {4.1, true},
                          {4.1, true, true},
                          {4.1, true, false, 4},
                          {4.1, true, true, 4},
                          {2.2, false, false, 8, true},
                          {2.2, true, false, 8, true},
                          {4, true, false, 8, true},
                          {4.1, false, false, 8, true},
                          {4.1, true, true, 8, true}};
class EveryGmshFormat : public testing::TestWithParam<Format> {};
INSTANTIATE_TEST_SUITE_P(Formats, EveryGmshFormat, testing::ValuesIn(formats));

// Exact: det/6 of both is a sum of products of 0 and 1.
TEST_P(EveryGmshFormat, GivesTwoTetrahedra) {
  const GmshSolid read = read_gmsh_solid(two_tetrahedra(GetParam()), "two.msh");
  EXPECT_DOUBLE_EQ(volume(read.mesh), 0.5);
  EXPECT_THAT(read.mesh.element_tags, ElementsAre(11, 12));
  EXPECT_THAT(read.mesh.node_tags, ElementsAre(1, 2, 3, 4, 5));
  EXPECT_THAT(read.notices, IsEmpty());
  const char* name = GetParam().version == 1 ? "physical_3_7" : "body";
  ASSERT_NE(read.mesh.find(name), nullptr);
  EXPECT_THAT(read.mesh.find(name)->elements, SizeIs(2));
}

/// "" where the file is read.
std::string refusal(const std::string& contents) {
  try {
    read_gmsh_solid(contents, "two.msh");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST_P(EveryGmshFormat, EveryTruncationIsRefusedOrReadWhole) {
  const std::string whole = two_tetrahedra(GetParam());
  const size_t end = whole.rfind("$E") + 1;
  for (size_t length = 0; length < whole.size(); ++length) {
    const std::string message = refusal(whole.substr(0, length));
    if (message.empty())
      EXPECT_GE(length, end) << length;
    else
      EXPECT_THAT(message, testing::StartsWith("two.msh:")) << length;
  }
}

TEST_P(EveryGmshFormat, EverySpoiledByteIsRefusedOrRead) {
  const std::string whole = two_tetrahedra(GetParam());
  for (size_t at = 0; at < whole.size(); ++at)
    for (const char c : {'\0', '\1', '\x7f', '\x80', '\xff', '-', '9', '\n', '$', ' '}) {
      std::string text = whole;
      text[at] = c;
      const std::string message = refusal(text);
      EXPECT_TRUE(message.empty() || message.starts_with("two.msh:")) << at << message;
    }
}

std::string with(std::string text, std::string_view from, std::string_view to) {
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(GmshFormats, BinaryMistakesAreNamedWithTheirByte) {
  std::string text = two_tetrahedra({4.1, true});
  text.resize(text.find("$Elements") + 60);
  EXPECT_THAT(refusal(text), testing::ContainsRegex("found the end of the file \\(byte [0-9]+\\)"));
  EXPECT_THAT(refusal("$MeshFormat\n4.1 1 16\n"), HasSubstr("data size must be 8 or 4, it is 16"));
  EXPECT_THAT(refusal("$MeshFormat\n4.1 1 8\n\2\1\1\1\n$EndMeshFormat\n"), HasSubstr("either byte order"));
  EXPECT_THAT(refusal(with(two_tetrahedra({4.1, true}), "$EndNodes", std::string("\0\xff\n", 3))),
              HasSubstr("expected $EndNodes, found \"??\""));
  EXPECT_THAT(refusal("$MeshFormat\n3 0 8\n$EndMeshFormat\n"), HasSubstr("two.msh:2:1: error: format 3 is not read"));
}

TEST(GmshFormats, SectionsMayComeInAnyOrder) {
  for (const double version : {1.0, 2.2, 4.0, 4.1}) {
    std::string text = two_tetrahedra({version});
    const bool is_1 = version == 1;
    const size_t nodes = text.find(is_1 ? "$NOD" : "$Nodes"), elements = text.find(is_1 ? "$ELM" : "$Elements");
    const std::string moved = text.substr(0, nodes) + text.substr(elements) + text.substr(nodes, elements - nodes);
    EXPECT_EQ(refusal(moved), "") << version;
    EXPECT_DOUBLE_EQ(volume(read_gmsh_solid(moved, "two.msh").mesh), 0.5);
  }
  const std::string comment = "$Comments\nby a program\n$EndComments\n", text = two_tetrahedra({2.2});
  for (const char* before : {"$MeshFormat", "$PhysicalNames", "$Nodes", "$Elements"})
    EXPECT_EQ(refusal(with(text, before, comment + before)), "") << before;
  EXPECT_EQ(refusal(comment + two_tetrahedra({4.1, true})), "");
  // Contents of unknown binary sections may hold anything, ends of lines too.
  const std::string binary = std::string("$Periodic\n\0\1\n$\n\2\n$EndPeriodic\n", 30);
  EXPECT_EQ(refusal(with(two_tetrahedra({4.1, true}), "$Elements", binary + "$Elements")), "");
}

// Elements of lower dimensions have no use without a group; of a group they are left out by name.
TEST(GmshFormats, LowerElementsThatAreNoneAreLeftOut) {
  const std::string text =
      with(two_tetrahedra({2.2}), "$Elements\n2\n", "$Elements\n5\n1 1 2 0 1 1 1\n2 2 2 0 1 1 1 2\n3 1 2 8 1 1 77\n");
  const GmshSolid read = read_gmsh_solid(text, "two.msh");
  EXPECT_DOUBLE_EQ(volume(read.mesh), 0.5);
  EXPECT_THAT(read.notices, ElementsAre(HasSubstr("1 line of physical groups left out")));
  EXPECT_THAT(refusal(with(two_tetrahedra({2.2}), "1 2 3 4 \n", "1 2 3 3 \n")),
              HasSubstr("element 11 has node 3 twice"));
}

// As some programs write them: no blank before the quote, and a name of no dimension.
TEST(GmshFormats, NamesOfGroupsThatNothingIsInRefuseNoFile) {
  const std::string text =
      with(two_tetrahedra({2.2}), "$PhysicalNames\n1\n", "$PhysicalNames\n3\n3 8\"ideal\"\n-1 7 \"none\"\n");
  EXPECT_EQ(refusal(text), "");
  EXPECT_THAT(refusal(with(two_tetrahedra({2.2}), "$PhysicalNames\n1\n", "$PhysicalNames\n2\n3 x \"ideal\"\n")),
              HasSubstr("expected a dimension and the tag of a physical group before its name"));
}

TEST(GmshFormats, TypesThatAreNotDocumentedAreLeftOut) {
  const std::string text = with(two_tetrahedra({2.2}), "$Elements\n2\n", "$Elements\n3\n1 34 2 0 1 4 1 2 3 4\n");
  EXPECT_THAT(read_gmsh_solid(text, "two.msh").notices, ElementsAre(HasSubstr("1 element of type 34")));
}

TEST(GmshFormats, HigherOrdersBecomeTheirCorners) {
  std::string nodes = "20\n", element = "$Elements\n1\n11 29 2 0 1";
  for (int n = 0; n < 20; ++n) {
    const double* x = points[std::min(n, 3)];
    nodes += fmt::format("{} {} {} {}\n", n + 1, n < 4 ? x[0] : 0.25, n < 4 ? x[1] : 0.25, n < 4 ? x[2] : 0.01 * n);
    element += fmt::format(" {}", n + 1);
  }
  const std::string text =
      "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n" + nodes + "$EndNodes\n" + element + "\n$EndElements\n";
  const GmshSolid read = read_gmsh_solid(text, "one.msh");
  EXPECT_DOUBLE_EQ(volume(read.mesh), 1.0 / 6);
  EXPECT_THAT(read.notices, ElementsAre(HasSubstr("1 tetrahedra of more than 10 nodes became"), HasSubstr("16 nodes")));
}

// A quadrilateral and a triangle; `groups` and `surface` are those of the surface 1.
std::string sail(std::string_view groups, std::string_view partitions = "", int surface = 1) {
  return fmt::format(
      "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n2 3 \"wall\"\n2 5 \"skin\"\n$EndPhysicalNames\n"
      "$Entities\n0 0 1 0\n1 0 0 0 2 1 0 {} 0\n$EndEntities\n{}$Nodes\n1 5 1 5\n2 1 0 5\n1\n2\n3\n4\n5\n"
      "0 0 0\n1 0 0\n1 1 0\n0 1 0\n2 0 0\n$EndNodes\n$Elements\n2 2 1 2\n2 {} 3 1\n1 1 2 3 4\n2 {} 2 1\n2 2 5 3\n"
      "$EndElements\n",
      groups, partitions, surface, surface);
}

double normal_z(const SolidMesh& mesh, int element) { return solid_point(mesh, element, {0.3, 0.3, 0}).slope[2][2]; }

TEST(GmshFormats, ASignOfAGroupReversesItsSurfaces) {
  for (const auto& [groups, z] : {std::pair("1 3", 1.0), std::pair("1 -3", -1.0), std::pair("2 3 -5", 1.0)}) {
    const GmshSolid read = read_gmsh_membrane(sail(groups), "sail.msh");
    for (int e = 0; e < 3; ++e) EXPECT_DOUBLE_EQ(normal_z(read.mesh, e), z) << groups;
    EXPECT_EQ(read.mesh.find("wall")->faces.size(), 3u);
    EXPECT_THAT(read.notices, groups[2] == '3' && groups[0] == '2'
                                  ? testing::Matcher<const std::vector<std::string>&>(
                                        ElementsAre(HasSubstr("2 elements are in groups of both directions")))
                                  : IsEmpty());
    EXPECT_DOUBLE_EQ(statistics(read.mesh).volume, 1.5);
  }
}

TEST(GmshFormats, GroupsOfPartitionsAreFound) {
  const std::string partitions =
      "$PartitionedEntities\n2\n1\n9 1\n0 0 1 0\n4 2 1 2 1 2 0 0 0 2 1 0 1 -3 0\n$EndPartitionedEntities\n";
  const GmshSolid read = read_gmsh_membrane(sail("1 3", partitions, 4), "sail.msh");
  ASSERT_NE(read.mesh.find("wall"), nullptr);
  EXPECT_EQ(read.mesh.find("wall")->faces.size(), 3u);
  EXPECT_DOUBLE_EQ(normal_z(read.mesh, 0), -1);
}

TEST(GmshFormats, RowsOfTheSameNodesAreOneElement) {
  const std::string
      head = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n$EndNodes\n",
      twice = "$Elements\n4\n1 3 2 3 1 1 2 3 4\n2 3 2 5 1 2 3 4 1\n3 1 2 6 1 1 2\n4 1 2 7 1 1 2\n$EndElements\n";
  const GmshSurface plate = read_gmsh(head + twice, "wall.msh");
  EXPECT_EQ(plate.mesh.elements.size(), 1u);
  EXPECT_THAT(plate.mesh.set_names(), ElementsAre("physical_2_3", "physical_2_5", "physical_1_6", "physical_1_7"));
  EXPECT_THAT(plate.mesh.find("physical_1_7")->sides, ElementsAre(ElementSide{0, 0}));
  EXPECT_THAT(plate.notices, IsEmpty());
  EXPECT_EQ(read_gmsh_membrane(head + twice, "wall.msh").mesh.elements.size(), 2u);
  const std::string again = with(with(two_tetrahedra({2.2}), "$Elements\n2\n", "$Elements\n4\n"), "$EndElements",
                                 "13 4 2 8 1 1 2 3 4\n14 4 2 7 1 2 3 4 5\n$EndElements");
  const GmshSolid solid = read_gmsh_solid(again, "two.msh");
  EXPECT_DOUBLE_EQ(volume(solid.mesh), 0.5);
  EXPECT_THAT(solid.mesh.set_names(), ElementsAre("body", "physical_3_8"));
  EXPECT_THAT(solid.notices, ElementsAre(HasSubstr("1 row repeats an element")));
}

TEST(GmshFormats, SurfacesLeaveVolumesOut) {
  const std::string text = with(sail("1 3"), "$Elements\n2 2 1 2\n", "$Elements\n3 3 1 3\n3 1 4 1\n3 1 2 3 5\n");
  EXPECT_THAT(read_gmsh_membrane(text, "sail.msh").notices,
              ElementsAre(HasSubstr("1 tetrahedra of the file were left out")));
}

// Findings of a plate name the elements of the file.
TEST(GmshFormats, FindingsNameTheTagsOfTheFile) {
  const std::string text =
      "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n10 0 0 0\n20 1 0 0\n30 0.2 0.2 0\n40 0 1 0\n$EndNodes\n"
      "$Elements\n1\n700 3 2 0 1 10 20 30 40\n$EndElements\n";
  EXPECT_THAT(findings(read_gmsh(text, "dart.msh").mesh)[0].message, HasSubstr("700"));
}

// A thin first layer along an arched edge: the circle through the edge's nodes rises by 0.06 between them, the layer is 0.03 high.
TEST(GmshFormats, EdgesAreNotSmoothedIntoFolds) {
  const double x[] = {-1, 0, 1, 2}, y[] = {-0.45, 0, 0, -0.45}, up[] = {0, 0.03, 1};
  std::string text = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n12\n";
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 4; ++i) text += fmt::format("{} {} {} 0\n", 1 + 4 * j + i, x[i], y[i] + up[j]);
  text += "$EndNodes\n$Elements\n6\n";
  for (int j = 0; j < 2; ++j)
    for (int i = 1; i < 4; ++i)
      text +=
          fmt::format("{} 3 2 0 1 {} {} {} {}\n", 3 * j + i, 4 * j + i, 4 * j + i + 1, 4 * j + i + 5, 4 * j + i + 4);
  const GmshSurface read = read_gmsh(text + "$EndElements\n", "arch.msh");
  EXPECT_THAT(statistics(read.mesh).inverted, IsEmpty());
  EXPECT_THAT(read.notices,
              testing::Contains(HasSubstr("not smoothed at 8 nodes, where elements would fold: 1, 2, 3, 4, 5")));
}

}  // namespace
}  // namespace flexura

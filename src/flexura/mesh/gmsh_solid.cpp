#include "flexura/mesh/gmsh_solid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "flexura/base/problem.hpp"
#include "flexura/mesh/finding_text.hpp"
#include "flexura/mesh/gmsh_records.hpp"
#include "flexura/mesh/split_cell.hpp"
#include "flexura/mesh/surface_grid.hpp"

namespace flexura {
namespace {

/// Of higher orders that of the corners.
std::optional<SolidKind> kind_of_cell(const GmshType& type) {
  for (const SolidKind& cell : solid_kinds())
    if (cell_info(cell).gmsh == type.number) return cell;
  if (type.shape->name == "tetrahedron") return SolidKind::tetrahedron_4;
  if (type.shape->name == "hexahedron") return SolidKind::hexahedron_8;
  return {};
}

bool is_split(const GmshType& type) { return type.shape->name == "prism" || type.shape->name == "pyramid"; }

class SolidBuilder {
 public:
  SolidBuilder(const GmshRecords& records, GmshSolid& out) : records_(records), out_(out) {}

  void build(const std::string& file, const GmshOptions& options) {
    add_elements(file, options.scale);
    const size_t left = records_.nodes.size() - out_.mesh.nodes.size();
    if (options.order == 2)
      for (SolidCell& cell : out_.mesh.elements) make_quadratic(cell);
    add_groups();
    out_.notices = records_.notices;
    if (mirrored_ > 0)
      out_.notices.push_back(fmt::format("{} turned over: the nodes were in the order of a mirror image.",
                                         detail::counted(mirrored_, "element was", "elements were")));
    if (split_ > 0)
      out_.notices.push_back(fmt::format("{} split into tetrahedra.",
                                         detail::counted(split_, "prism or pyramid was", "prisms and pyramids were")));
    if (left > 0)
      out_.notices.push_back(fmt::format("{} that no solid element has {} left out.",
                                         left == 1 ? "1 node" : fmt::format("{} nodes", left),
                                         left == 1 ? "was" : "were"));
    if (lost_ > 0)
      out_.notices.push_back(
          fmt::format("{} on no solid element.",
                      detail::counted(lost_, "element of physical groups lies", "elements of physical groups lie")));
  }

 private:
  void add_elements(const std::string& file, double scale) {
    number_.assign(records_.nodes.size(), -1);
    refuse_elements(file);
    SolidMesh& mesh = out_.mesh;
    for (const GmshRecords::Element& e : records_.elements)
      if (e.dimension() == 3)
        for (const int n : e.nodes) number_[n] = 0;
    for (size_t k = 0; k < records_.nodes.size(); ++k) {
      if (number_[k] < 0) continue;
      number_[k] = static_cast<int>(mesh.nodes.size());
      const std::array<double, 3>& x = records_.nodes[k].position;
      mesh.nodes.push_back({scale * x[0], scale * x[1], scale * x[2]});
      mesh.node_tags.push_back(records_.nodes[k].tag);
      last_tag_ = std::max(last_tag_, records_.nodes[k].tag);
    }
    for (const GmshRecords::Element& e : records_.elements) {
      if (e.dimension() != 3) continue;
      first_cell_.push_back(static_cast<int>(mesh.elements.size()));
      add_cells(e);
      mesh.element_tags.resize(mesh.elements.size(), e.tag);
      turn_over(first_cell_.back());
    }
    first_cell_.push_back(static_cast<int>(mesh.elements.size()));
    if (mesh.elements.empty())
      throw InputError(
          {{Source{file, 0, 0, 1}, "",
            "has no hexahedra, tetrahedra, prisms or pyramids: mesh the volume (Mesh 3), and let physical groups of "
            "volumes be saved",
            ""}});
  }

  void refuse_elements(const std::string& file) const {
    constexpr size_t most_refused = 20;
    std::vector<Problem> refused;
    std::map<std::array<int, 4>, std::int64_t> of_hexahedra;  // faces by their corners in ascending order
    for (const GmshRecords::Element& e : records_.elements) {
      if (e.dimension() != 3 || kind_of_cell(*e.type) != SolidKind::hexahedron_8) continue;
      const CellInfo& info = cell_info(SolidKind::hexahedron_8);
      for (int f = 0; f < info.face_count; ++f) {
        std::array<int, 4> face{};
        for (int k = 0; k < 4; ++k) face[k] = e.nodes[info.from_gmsh[info.faces[f].nodes[k]]];
        std::ranges::sort(face);
        of_hexahedra.emplace(face, e.tag);
      }
    }
    for (const GmshRecords::Element& e : records_.elements) {
      if (e.dimension() != 3 || kind_of_cell(*e.type)) continue;
      if (refused.size() == most_refused) break;
      if (!is_split(*e.type)) {
        refused.push_back(gmsh_problem(
            file, e.at,
            fmt::format("element {} is a {} of {} nodes; solids are of hexahedra of 8, 20 or 27 nodes, tetrahedra of 4 "
                        "or 10, and prisms and pyramids, which are split into tetrahedra",
                        e.tag, e.type->shape->name, e.type->nodes)));
        continue;
      }
      for (std::array<int, 4> face : quadrilateral_faces(e.nodes)) {
        std::ranges::sort(face);
        const auto found = of_hexahedra.find(face);
        if (found == of_hexahedra.end()) continue;
        refused.push_back(gmsh_problem(
            file, e.at,
            fmt::format("element {} is a {} on a face of the hexahedron {}: prisms and pyramids are split into "
                        "tetrahedra, whose triangles do not fit there; mesh with tetrahedra or hexahedra alone",
                        e.tag, e.type->shape->name, found->second)));
        break;
      }
    }
    if (!refused.empty()) throw InputError(std::move(refused));
  }

  void add_cells(const GmshRecords::Element& e) {
    std::vector<SolidCell>& cells = out_.mesh.elements;
    if (!is_split(*e.type)) {
      SolidCell& cell = cells.emplace_back(SolidCell{*kind_of_cell(*e.type), {}});
      const CellInfo& info = cell_info(cell.kind);
      for (int a = 0; a < info.nodes; ++a) cell.nodes[a] = number_[e.nodes[info.from_gmsh[a]]];
      return;
    }
    ++split_;
    const std::vector<int> corners = numbers_of(e);
    const auto add = [&](const auto& tetrahedra) {
      for (const std::array<int, 4>& corners_of_one : tetrahedra) {
        SolidCell& cell = cells.emplace_back(SolidCell{SolidKind::tetrahedron_4, {}});
        std::ranges::copy(corners_of_one, cell.nodes.begin());
      }
    };
    if (corners.size() == 5)
      add(split_pyramid(std::span<const int, 5>(corners)));
    else
      add(split_prism(std::span<const int, 6>(corners)));
  }
  std::vector<int> numbers_of(const GmshRecords::Element& e) const {
    std::vector<int> out;
    for (const int n : e.nodes) out.push_back(number_[n]);
    return out;
  }

  /// The cells of the last element, if all of them are in the order of a mirror image.
  void turn_over(int first) {
    std::vector<SolidCell>& cells = out_.mesh.elements;
    for (int k = first; k < static_cast<int>(cells.size()); ++k)
      if (!is_mirrored(k)) return;
    for (size_t k = static_cast<size_t>(first); k < cells.size(); ++k) mirror(cells[k]);
    ++mirrored_;
  }

  bool is_mirrored(int element) const {
    const CellInfo& info = cell_info(out_.mesh.elements[element].kind);
    for (int a = 0; a < info.corners; ++a)
      if (!(solid_point(out_.mesh, element, info.places[a]).jacobian() < 0)) return false;
    return true;
  }
  /// Exchanges ξ and η.
  static void mirror(SolidCell& cell) {
    const SolidCell given = cell;
    const CellInfo& info = cell_info(cell.kind);
    for (int a = 0; a < info.nodes; ++a)
      for (int b = 0; b < info.nodes; ++b) {
        const std::array<double, 3>&x = info.places[a], &y = info.places[b];
        if (x[0] == y[1] && x[1] == y[0] && x[2] == y[2]) cell.nodes[a] = given.nodes[b];
      }
  }

  void make_quadratic(SolidCell& cell) {
    const CellInfo& linear = cell_info(cell.kind);
    if (linear.is_quadratic) return;
    cell.kind = linear.is_simplex ? SolidKind::tetrahedron_10 : SolidKind::hexahedron_20;
    const CellInfo& info = cell_info(cell.kind);
    for (int k = info.corners; k < info.nodes; ++k)
      for (int a = 0; a < info.corners; ++a)
        for (int b = 0; b < a; ++b)
          if (is_middle(info, k, a, b)) cell.nodes[k] = middle_of(cell.nodes[a], cell.nodes[b]);
  }
  static bool is_middle(const CellInfo& info, int k, int a, int b) {
    for (int i = 0; i < 3; ++i)
      if (info.places[k][i] != 0.5 * (info.places[a][i] + info.places[b][i])) return false;
    return true;
  }
  int middle_of(int a, int b) {
    SolidMesh& mesh = out_.mesh;
    const auto [at, is_new] = middles_.emplace(std::minmax(a, b), static_cast<int>(mesh.nodes.size()));
    if (is_new) {
      mesh.nodes.push_back(0.5 * (mesh.nodes[a] + mesh.nodes[b]));
      mesh.node_tags.push_back(++last_tag_);
    }
    return at->second;
  }
  /// Those of the sides of an element of a group.
  void add_middles(std::vector<int>& nodes) const {
    if (middles_.empty()) return;
    const size_t count = nodes.size();
    for (size_t a = 0; a < count; ++a)
      for (size_t b = 0; b < count; ++b)
        if (const auto found = middles_.find({nodes[a], nodes[b]}); found != middles_.end())
          nodes.push_back(found->second);
  }

  /// Faces of elements by their corners; the last one wins, so that each is there once.
  void find_faces() {
    for (int e = 0; e < static_cast<int>(out_.mesh.elements.size()); ++e) {
      const SolidCell& element = out_.mesh.elements[e];
      const CellInfo& info = cell_info(element.kind);
      for (int f = 0; f < info.face_count; ++f) {
        std::vector<int> key;
        for (int k = 0; k < info.faces[f].corners; ++k) key.push_back(element.nodes[info.faces[f].nodes[k]]);
        std::sort(key.begin(), key.end());
        faces_.emplace(std::move(key), SolidFace{e, f});
      }
    }
  }

  void add_groups() {
    find_faces();
    std::map<std::string, std::set<int>> nodes;
    std::map<int, std::vector<SolidFace>> outer;  // of elements
    for (const SolidFace& face : outer_faces(out_.mesh)) outer[face.element].push_back(face);
    size_t solid = 0;
    for (const GmshRecords::Element& e : records_.elements) {
      if (e.dimension() == 3) ++solid;
      for (const std::int64_t tag : e.groups) {
        SolidSet& set = add_set(out_.mesh, records_.group_name(e.dimension(), tag));
        std::vector<int> own = numbers_of(e);
        const auto middles = own.begin() + e.type->shape->corners;  // those of prisms and pyramids are left out
        own.erase(std::remove(middles, own.end(), -1), own.end());
        if (std::find(own.begin(), own.end(), -1) != own.end() || (e.dimension() == 2 && !add_face(e, set))) {
          ++lost_;
          continue;
        }
        add_middles(own);
        if (e.dimension() == 3)
          for (int cell = first_cell_[solid - 1]; cell < first_cell_[solid]; ++cell) {
            set.elements.push_back(cell);
            if (const auto faces = outer.find(cell); faces != outer.end())
              set.faces.insert(set.faces.end(), faces->second.begin(), faces->second.end());
          }
        nodes[set.name].insert(own.begin(), own.end());
      }
    }
    for (SolidSet& set : out_.mesh.sets) set.nodes.assign(nodes[set.name].begin(), nodes[set.name].end());
    std::erase_if(out_.mesh.sets, [](const SolidSet& set) { return set.nodes.empty(); });
  }

  bool add_face(const GmshRecords::Element& e, SolidSet& set) {
    std::vector<int> corners = numbers_of(e);
    corners.resize(static_cast<size_t>(e.type->shape->corners));
    if (add_face(corners, set)) return true;
    if (corners.size() != 4) return false;
    bool found = true;
    for (const std::array<int, 3>& half : split_face(std::span<const int, 4>(corners)))
      found = add_face({half.begin(), half.end()}, set) && found;
    return found;
  }
  bool add_face(std::vector<int> corners, SolidSet& set) {
    std::ranges::sort(corners);
    const auto face = faces_.find(corners);
    if (face == faces_.end()) return false;
    set.faces.push_back(face->second);
    return true;
  }

  const GmshRecords& records_;
  GmshSolid& out_;
  std::vector<int> number_;      // of the file's nodes in the mesh; −1: left out
  std::vector<int> first_cell_;  // of each element of the file, and the count of cells behind them
  std::map<std::vector<int>, SolidFace> faces_;
  std::map<std::pair<int, int>, int> middles_;  // of sides, by their ends in ascending order
  std::int64_t last_tag_ = 0;
  int lost_ = 0, mirrored_ = 0, split_ = 0;
};

}  // namespace

GmshSolid read_gmsh_solid(std::string_view contents, const std::string& file, const GmshOptions& options) {
  ParameterCheck check;
  check.positive(options.scale, "scale", "");
  check.done();
  const GmshRecords records = read_gmsh_records(contents, file, GmshContents::volumes);
  GmshSolid out;
  SolidBuilder(records, out).build(file, options);
  return out;
}

}  // namespace flexura

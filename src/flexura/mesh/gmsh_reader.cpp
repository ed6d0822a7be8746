#include "flexura/mesh/gmsh_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "flexura/mesh/finding_text.hpp"
#include "flexura/mesh/gmsh_records.hpp"
#include "flexura/mesh/surface_gradients.hpp"
#include "flexura/mesh/surface_grid.hpp"

namespace flexura {
namespace {

struct Line {
  int first, last;  // nodes of the mesh
};

/// Lines one after the other, as long as each begins or ends where the one before ends; open curves from an end.
std::vector<Line> in_order(std::vector<Line> lines) {
  std::multimap<int, size_t> at;
  for (size_t k = 0; k < lines.size(); ++k) at.emplace(lines[k].first, k), at.emplace(lines[k].last, k);
  std::vector<bool> taken(lines.size(), false);
  std::vector<Line> out;
  const auto follow = [&](size_t k, int from) {
    for (;;) {
      taken[k] = true;
      if (lines[k].first != from) std::swap(lines[k].first, lines[k].last);
      out.push_back(lines[k]);
      from = lines[k].last;
      const auto [begin, end] = at.equal_range(from);
      const auto next = std::find_if(begin, end, [&](const auto& entry) { return !taken[entry.second]; });
      if (next == end) return;
      k = next->second;
    }
  };
  for (size_t k = 0; k < lines.size(); ++k)  // first the curves that begin somewhere, in their own direction
    if (!taken[k] && at.count(lines[k].first) == 1) follow(k, lines[k].first);
  for (size_t k = 0; k < lines.size(); ++k)
    if (!taken[k] && at.count(lines[k].last) == 1) follow(k, lines[k].last);
  for (size_t k = 0; k < lines.size(); ++k)
    if (!taken[k]) follow(k, lines[k].first);
  return out;
}

void add_unless_there(std::vector<int>& list, std::vector<bool>& there, int number) {
  if (!there[number]) list.push_back(number);
  there[number] = true;
}

class Builder {
 public:
  Builder(const GmshRecords& records, GmshSurface& out) : records_(records), out_(out) {}

  void build(const std::string& file, const GmshOptions& options) {
    add_elements(file, options.scale);
    const int turned = orient_elements(out_.mesh);
    if (turned < 0)
      out_.notices.emplace_back("The surface has one face only: elements cannot all look to the same face.");
    if (turned > 0)
      out_.notices.push_back(
          fmt::format("{} elements were turned over, to look to the same face as their neighbours.", turned));
    out_.mesh.corner_maps.clear();
    if (const std::vector<int> sharp = recover_gradients(out_.mesh); !sharp.empty())
      out_.notices.push_back(fmt::format("The surface is not smoothed at {}, where elements would fold: {}.",
                                         detail::counted(sharp.size(), "node", "nodes"),
                                         detail::numbers_of(sharp, out_.mesh.node_tags)));
    add_groups();
    out_.notices.insert(out_.notices.end(), records_.notices.begin(), records_.notices.end());
    if (const size_t left = records_.nodes.size() - out_.mesh.nodes.size(); left > 0)
      out_.notices.push_back(fmt::format("{} nodes that are no corner of a quadrilateral were left out.", left));
    if (lost_lines_ > 0)
      out_.notices.push_back(fmt::format("{} lines of physical groups are no side of a quadrilateral.", lost_lines_));
    if (lost_points_ > 0)
      out_.notices.push_back(
          fmt::format("{} points of physical groups are no corner of a quadrilateral.", lost_points_));
  }

 private:
  void add_elements(const std::string& file, double scale) {
    number_.assign(records_.nodes.size(), -1);
    for (const GmshRecords::Element& e : records_.elements)
      if (e.dimension() == 2)
        for (const int n : e.nodes) number_[n] = 0;
    for (size_t k = 0; k < records_.nodes.size(); ++k) {
      if (number_[k] < 0) continue;
      number_[k] = static_cast<int>(out_.mesh.nodes.size());
      const std::array<double, 3>& x = records_.nodes[k].position;
      out_.mesh.nodes.push_back({{scale * x[0], scale * x[1], scale * x[2]}, {}, {}, 1});
      out_.mesh.node_tags.push_back(records_.nodes[k].tag);
    }
    for (const GmshRecords::Element& e : records_.elements) {
      if (e.dimension() != 2) continue;
      SurfaceElement element;
      for (int c = 0; c < 4; ++c) element.nodes[c] = number_[e.nodes[c]];
      out_.mesh.elements.push_back(element);
      out_.mesh.element_tags.push_back(e.tag);
    }
    if (out_.mesh.elements.empty())
      throw InputError({{Source{file, 0, 0, 1}, "",
                         "has no quadrilaterals: mesh the surface (Mesh 2), recombined, and let physical groups of "
                         "surfaces be saved",
                         ""}});
  }

  void add_groups() {
    struct Group {
      std::vector<int> elements, points;
      std::vector<Line> lines;
    };
    std::vector<std::string> order;
    std::map<std::string, Group> groups;
    int quadrilateral = -1;
    for (const GmshRecords::Element& e : records_.elements) {
      if (e.dimension() == 2) ++quadrilateral;
      for (const std::int64_t tag : e.groups) {
        const std::string name = records_.group_name(e.dimension(), tag);
        const auto [entry, fresh] = groups.try_emplace(name);
        if (fresh) order.push_back(name);
        if (e.dimension() == 2) entry->second.elements.push_back(quadrilateral);
        const int a = number_[e.nodes[0]], b = e.dimension() == 1 ? number_[e.nodes[1]] : 0;
        if (e.dimension() == 0) a < 0 ? void(++lost_points_) : entry->second.points.push_back(a);
        if (e.dimension() == 1) a < 0 || b < 0 ? void(++lost_lines_) : entry->second.lines.push_back({a, b});
      }
    }
    std::map<std::pair<int, int>, ElementSide> sides;
    for (int e = 0; e < static_cast<int>(out_.mesh.elements.size()); ++e)
      for (int k = 0; k < 4; ++k) {
        const std::array<int, 4>& n = out_.mesh.elements[e].nodes;
        sides.emplace(std::minmax(n[k], n[(k + 1) % 4]), ElementSide{e, k});
      }
    for (const std::string& name : order) {
      const Group& group = groups[name];
      MeshSet set{name, {}, {}, group.elements};
      std::vector<bool> there(out_.mesh.nodes.size(), false);
      for (const Line& line : in_order(group.lines)) {
        const auto side = sides.find(std::minmax(line.first, line.last));
        side == sides.end() ? void(++lost_lines_) : set.sides.push_back(side->second);
        add_unless_there(set.nodes, there, line.first);
        add_unless_there(set.nodes, there, line.last);
      }
      for (const int n : group.points) add_unless_there(set.nodes, there, n);
      for (const int e : group.elements)
        for (const int n : out_.mesh.elements[e].nodes) add_unless_there(set.nodes, there, n);
      if (!set.nodes.empty()) out_.mesh.sets.push_back(std::move(set));
    }
  }

  const GmshRecords& records_;
  GmshSurface& out_;
  std::vector<int> number_;  // of the file's nodes in the mesh; −1: left out
  int lost_lines_ = 0, lost_points_ = 0;
};

}  // namespace

GmshSurface read_gmsh(std::string_view contents, const std::string& file, const GmshOptions& options) {
  ParameterCheck check;
  check.positive(options.scale, "scale", "");
  check.done();
  const GmshRecords records = read_gmsh_records(contents, file, GmshContents::quadrilaterals);
  GmshSurface out;
  Builder(records, out).build(file, options);
  return out;
}

}  // namespace flexura

// Lengths and areas that are kept: the edges and faces that they are the sum of, and their multipliers.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <queue>
#include <set>

#include "flexura/base/nearest_name.hpp"
#include "flexura/constraint/face_area.hpp"
#include "flexura/constraint/line_length.hpp"
#include "flexura/part/constraint_spec.hpp"
#include "flexura/part/forms.hpp"
#include "flexura/part/location.hpp"
#include "flexura/part/machine_draft.hpp"

namespace flexura {
namespace detail {
namespace {

constexpr int most_coordinates = 36;

/// What keeps an element, one row for each shape.
struct KeptShape {
  std::string_view term;
  double (*size)(std::span<const double> lengths, const double* x);
  void (*functions)(double xi, bool is_slope, double* out) = nullptr;  ///< of an edge, without the length of gradients
};

template <class E>
double length_of(std::span<const double> lengths, const double* x) {
  return E::prepare(ParamsOf<E>{lengths[0], 0.0}, {}, x).reference;
}
template <class E>
double area_of(std::span<const double> lengths, const double* x) {
  return E::prepare(ParamsOf<E>{lengths[0], lengths[1], 0.0}, {}, x).reference;
}

template <class E>
void functions_of(double xi, bool is_slope, double* out) {
  std::ranges::copy(is_slope ? E::slope(xi) : E::value(xi), out);
}

constexpr KeptShape kept_shapes[] = {
    {CubicLength2d::name, length_of<CubicLength2d>, functions_of<CubicEdge<2>>},
    {CubicLength3d::name, length_of<CubicLength3d>, functions_of<CubicEdge<3>>},
    {QuadraticLength3d::name, length_of<QuadraticLength3d>, functions_of<QuadraticEdge>},
    {StraightLength3d::name, length_of<StraightLength3d>, functions_of<StraightEdge>},
    {AreaT3::name, area_of<AreaT3>},
    {AreaT6::name, area_of<AreaT6>},
    {AreaQ4::name, area_of<AreaQ4>},
    {AreaQ8::name, area_of<AreaQ8>},
    {AreaQ9::name, area_of<AreaQ9>},
    {AreaPlate::name, area_of<AreaPlate>}};

const KeptShape& shape_of(const KeptElement& element) {
  return *std::ranges::find(kept_shapes, element.term, &KeptShape::term);
}

/// An edge of elements between two of its part's nodes.
struct Edge {
  int from = 0, to = 0;    ///< nodes of the part
  std::vector<int> nodes;  ///< all of them
  KeptElement element;
};

/// The edges of a part, each once.
class EdgeNet {
 public:
  EdgeNet(const MachineDraft& draft, const CablePart& cable) : draft_(draft) {
    const int per_element = (static_cast<int>(cable.points.size()) - 1) / static_cast<int>(cable.elements.size());
    for (size_t e = 0; e < cable.elements.size(); ++e) {
      const ElementRef& element = cable.elements[e];
      const int first = static_cast<int>(e) * per_element;
      if (!cable.frames.empty()) {
        std::vector<int> nodes, slots;
        for (int a = 0; a <= per_element; ++a) nodes.push_back(first + a), slots.push_back(cable.points[first + a]);
        add_polynomial(std::move(nodes), std::move(slots));
      } else {
        add_cubic(first, first + 1, {element.slots, element.slots + 4}, element.length);
      }
    }
  }
  EdgeNet(const MachineDraft& draft, const PlatePart& plate) : draft_(draft), is_grid_(plate.mesh.nodes_u > 0) {
    for (size_t e = 0; e < plate.mesh.elements.size(); ++e)
      for (int side = 0; side < 4; ++side) add_side(plate, {static_cast<int>(e), side});
  }
  EdgeNet(const MachineDraft& draft, const SolidPart& solid) : draft_(draft) {
    for (const SolidCell& cell : solid.mesh.elements) {
      const CellInfo& info = cell_info(cell.kind);
      for (const CellFace& face : std::span(info.faces).first(info.face_count))
        for (int k = 0; k < face.corners; ++k) {
          std::vector<int> nodes{cell.nodes[face.nodes[k]]};
          if (info.is_quadratic) nodes.push_back(cell.nodes[face.nodes[face.corners + k]]);
          nodes.push_back(cell.nodes[face.nodes[(k + 1) % face.corners]]);
          std::vector<int> slots;
          for (const int node : nodes) slots.push_back(solid.model.nodes[node]);
          add_polynomial(std::move(nodes), std::move(slots));
        }
    }
  }

  const std::vector<Edge>& edges() const { return edges_; }
  /// Those of which all nodes are among these.
  std::vector<const Edge*> among(const std::vector<int>& nodes) const {
    const std::set<int> there(nodes.begin(), nodes.end());
    std::vector<const Edge*> out;
    for (const Edge& edge : edges_)
      if (std::all_of(edge.nodes.begin(), edge.nodes.end(), [&](int node) { return there.contains(node); }))
        out.push_back(&edge);
    return out;
  }
  /// The shortest way from one node to another, in its order; empty if there is none.
  std::vector<const Edge*> way(int from, int to) const {
    std::map<int, std::vector<int>> at;
    for (size_t k = 0; k < edges_.size(); ++k)
      for (const int node : {edges_[k].from, edges_[k].to}) at[node].push_back(static_cast<int>(k));
    std::map<int, std::pair<double, int>> best{{from, {0.0, -1}}};
    using Reached = std::pair<double, int>;
    std::priority_queue<Reached, std::vector<Reached>, std::greater<>> next;
    next.emplace(0.0, from);
    while (!next.empty()) {
      const auto [length, node] = next.top();
      next.pop();
      if (node == to) break;
      if (length > best.at(node).first) continue;
      for (const int k : at[node]) {
        const int other = edges_[k].from == node ? edges_[k].to : edges_[k].from;
        const double further = length + sizes_[k];
        const auto [place, fresh] = best.emplace(other, std::pair{further, k});
        if (!fresh && !(further < place->second.first)) continue;
        place->second = {further, k};
        next.emplace(further, other);
      }
    }
    std::vector<const Edge*> out;
    if (!best.contains(to)) return out;
    for (int node = to; node != from;) {
      const Edge& edge = edges_[best.at(node).second];
      out.push_back(&edge);
      node = edge.from == node ? edge.to : edge.from;
    }
    std::reverse(out.begin(), out.end());
    return out;
  }

 private:
  /// Side k of a plate's element, from corner k to the next: along u or against it, along v or against it.
  void add_side(const PlatePart& plate, const ElementSide& side) {
    const PlateElement& element = plate.model.elements[side.element];
    const std::array<int, 4>& nodes = plate.mesh.elements[side.element].nodes;
    const int first = side.side < 2 ? side.side : (side.side + 1) % 4,
              second = side.side < 2 ? side.side + 1 : side.side;
    const bool along_u = side.side % 2 == 0;
    const int gradient = along_u ? 1 : 2;
    add_cubic(nodes[first], nodes[second],
              {element.slots[3 * first], element.slots[3 * first + gradient], element.slots[3 * second],
               element.slots[3 * second + gradient]},
              element.parameters[along_u ? 0 : 1]);
  }
  void add_cubic(int from, int to, std::vector<int> slots, double length) {
    const bool planar = draft_.dim() == 2;
    add({from,
         to,
         {from, to},
         {std::string(planar ? CubicLength2d::name : CubicLength3d::name), std::move(slots), {length}}});
  }
  /// Its parameter is as long as the edge is in the reference.
  void add_polynomial(std::vector<int> nodes, std::vector<int> slots) {
    const bool is_straight = nodes.size() == 2;
    const int from = nodes.front(), to = nodes.back();
    KeptElement element{
        std::string(is_straight ? StraightLength3d::name : QuadraticLength3d::name), std::move(slots), {1.0}};
    element.lengths[0] = reference_size(draft_, element);
    add({from, to, std::move(nodes), std::move(element)});
  }
  void add(Edge edge) {
    // Between two nodes of a grid that is closed after two elements there are two edges, one each way.
    const bool turned = !is_grid_ && edge.from > edge.to;
    if (!known_.emplace(turned ? edge.to : edge.from, turned ? edge.from : edge.to).second) return;
    sizes_.push_back(reference_size(draft_, edge.element));
    edges_.push_back(std::move(edge));
  }

 public:
  static double reference_size(const MachineDraft& draft, const KeptElement& element) {
    std::array<double, most_coordinates> X{};
    double* next = X.data();
    for (const int slot : element.slots) {
      const std::span<const double> x = draft.builder.reference(slot);
      next = std::copy_n(x.begin(), draft.dim(), next);
    }
    return size_of(element, X.data());
  }

 private:
  const MachineDraft& draft_;
  bool is_grid_ = false;
  std::vector<Edge> edges_;
  std::vector<double> sizes_;  ///< lengths of the reference [m]
  std::set<std::pair<int, int>> known_;
};

/// One constraint: what it is on, its multipliers and items.
class ConstraintMaking {
 public:
  ConstraintMaking(MachineDraft& draft, const ConstraintSpec& spec) : draft_(draft), spec_(spec) {}

  void make() {
    const size_t before = draft_.problems.count();
    part_.name = spec_.name;
    part_.is_area = spec_.type == ConstraintSpec::Type::area;
    for (size_t k = 0; k < spec_.on.size(); ++k) add_whole(spec_.on[k], static_cast<int>(k));
    for (size_t k = 0; k < spec_.at.size(); ++k) add_at(spec_.at[k], spec_.origin.path_of("at", static_cast<int>(k)));
    if (!spec_.between.empty()) add_between();
    if (draft_.problems.count() > before) return;
    if (part_.elements.empty())
      return draft_.wrong(spec_.origin, "",
                          part_.is_area ? "keeps no area: name a surface" : "keeps no length: name a line");
    add_items();
    draft_.machine.kept.push_back(std::move(part_));
  }

 private:
  void wrong(std::string_view key, int index, const Source& source, std::string message, std::string nearest = {}) {
    draft_.problems.errors.push_back(
        {source, spec_.origin.path_of(key, index), std::move(message), std::move(nearest)});
  }

  void add_whole(const NamePattern& name, int index) {
    bool any = false;
    std::vector<std::string> names;
    const auto each = [&](const auto& parts, const char* kind, auto&& add) {
      for (const auto& part : parts) {
        names.push_back(part.name);
        if (!name.matches(kind, part.name)) continue;
        any = true;
        add(part);
      }
    };
    if (part_.is_area) {
      each(draft_.machine.plates, "plate", [&](const PlatePart& plate) {
        for (const PlateElement& element : plate.model.elements) add_plate_face(element);
      });
    } else {
      for (const CablePart& cable : draft_.machine.cables) {
        const char* kind = cable.kind();
        each(std::span(&cable, 1), kind, [&](const CablePart& part) {
          const EdgeNet net(draft_, part);
          for (const Edge& edge : net.edges()) add(edge.element);
        });
      }
    }
    const char* kind = part_.is_area ? "plate" : "cable or beam";
    if (!any)
      wrong("on", index, name.source,
            name.is_glob() ? fmt::format("no {} has a name like \"{}\"", kind, name.text)
                           : fmt::format("there is no {} named \"{}\"", kind, name.text),
            name.is_glob() ? "" : nearest_name(name.text, names));
  }

  void add_at(const Place& place, const std::string& path) {
    const std::optional<Location> at = locate(draft_, place, path);
    if (!at) return;
    const auto refuse = [&](const char* what) {
      draft_.problems.errors.push_back({place.source, path, fmt::format("\"{}\" is not {}", place.text, what), {}});
    };
    part_.is_area ? add_surface(*at, refuse) : add_line(*at, refuse);
  }

  void add_surface(const Location& at, auto&& refuse) {
    constexpr const char* what = "a surface: a set of a plate's elements or of a solid's faces";
    const size_t before = part_.elements.size();
    if (at.on_plate() && at.place.at == Place::At::named) {
      const PlatePart& plate = draft_.machine.plates[at.at.part];
      for (const int e : plate.mesh.find(at.place.point)->elements) add_plate_face(plate.model.elements[e]);
    } else if (at.on_solid() && at.at.set >= 0) {
      const SolidPart& solid = draft_.machine.solids[at.at.part];
      for (const SolidFace& face : solid.mesh.sets[at.at.set].faces) add_solid_face(solid, face);
    }
    if (part_.elements.size() == before) refuse(what);
  }

  void add_line(const Location& at, auto&& refuse) {
    constexpr const char* what = "a line: an edge of a plate, a ring of nodes, a curve of a solid";
    std::vector<const Edge*> edges;
    std::optional<EdgeNet> net;
    if (at.on_plate()) {
      const PlatePart& plate = draft_.machine.plates[at.at.part];
      const MeshSet* set = at.place.at == Place::At::named ? plate.mesh.find(at.place.point) : nullptr;
      if (set == nullptr || set->elements.empty()) edges = net.emplace(draft_, plate).among(at.at.nodes);
    } else if (at.on_solid() && at.at.set >= 0) {
      const SolidPart& solid = draft_.machine.solids[at.at.part];
      const SolidSet& set = solid.mesh.sets[at.at.set];
      if (set.faces.empty() && set.elements.empty()) edges = net.emplace(draft_, solid).among(set.nodes);
    }
    if (edges.empty()) return refuse(what);
    for (const Edge* edge : edges) add(edge->element);
  }

  void add_between() {
    std::vector<Location> ends;
    for (int k = 0; k < 2; ++k)
      if (std::optional<Location> found = locate(draft_, spec_.between[k], spec_.origin.path_of("between", k)))
        ends.push_back(std::move(*found));
    if (ends.size() < 2) return;
    if (ends[0].at.on != ends[1].at.on || ends[0].at.part != ends[1].at.part)
      return draft_.wrong(spec_.origin, "between", "both places must be on one part");
    std::array<int, 2> nodes{};
    for (int k = 0; k < 2; ++k) {
      const MaterialPlace& at = ends[k].at;
      nodes[k] = at.on == MaterialPlace::On::cable ? at.node : at.nodes.size() == 1 ? at.nodes[0] : -1;
      if (nodes[k] < 0)
        return wrong("between", k, ends[k].place.source,
                     fmt::format("\"{}\" is not one node of a cable, beam, plate or solid", ends[k].place.text));
    }
    if (nodes[0] == nodes[1]) return draft_.wrong(spec_.origin, "between", "both places are the same");
    const int part = ends[0].at.part;
    const EdgeNet net = ends[0].cable() >= 0 ? EdgeNet(draft_, draft_.machine.cables[part])
                        : ends[0].on_plate() ? EdgeNet(draft_, draft_.machine.plates[part])
                                             : EdgeNet(draft_, draft_.machine.solids[part]);
    const std::vector<const Edge*> way = net.way(nodes[0], nodes[1]);
    if (way.empty())
      return draft_.wrong(spec_.origin, "between", "no edges of elements lead from one place to the other");
    for (const Edge* edge : way) add(edge->element);
  }

  void add_plate_face(const PlateElement& element) {
    add({std::string(AreaPlate::name),
         {element.slots.begin(), element.slots.end()},
         {element.parameters[0], element.parameters[1]}});
  }
  void add_solid_face(const SolidPart& solid, const SolidFace& face) {
    std::vector<int> slots;
    for (const int node : face_nodes(solid.mesh, face)) slots.push_back(solid.model.nodes[node]);
    const bool is_triangle = cell_info(solid.mesh.elements[face.element].kind).faces[face.face].corners == 3;
    constexpr std::pair<size_t, std::string_view> triangles[] = {{3, AreaT3::name}, {6, AreaT6::name}},
                                                  squares[] = {{4, AreaQ4::name}, {8, AreaQ8::name}, {9, AreaQ9::name}};
    std::string term;
    for (const auto& [count, name] :
         is_triangle ? std::span<const std::pair<size_t, std::string_view>>(triangles) : squares)
      if (count == slots.size()) term = name;
    add({std::move(term), std::move(slots), {1.0, 1.0}});
  }
  /// What is named twice counts once.
  void add(const KeptElement& element) {
    if (known_.insert(element.slots).second) part_.elements.push_back(element);
  }

  void add_items() {
    const std::string& path = spec_.origin.path;
    ModelBuilder& builder = draft_.builder;
    const int change = spec_.change ? builder.effective(*spec_.change) : builder.constant_signal();
    std::vector<int> options;
    if (!part_.is_area) options.push_back(static_cast<int>(spec_.measure));
    for (size_t k = 0; k < part_.elements.size(); ++k) {
      const KeptElement& element = part_.elements[k];
      part_.reference += EdgeNet::reference_size(draft_, element);
      if (k == 0 || spec_.each)
        part_.multipliers.push_back(
            builder.multiplier(spec_.each ? fmt::format("{}, element {}.lambda", path, k + 1) : path + ".lambda"));
      std::vector<int> slots = element.slots;
      slots.push_back(part_.multipliers.back());
      slots.push_back(change);
      std::string name = part_.elements.size() == 1 ? path : fmt::format("{}, element {}", path, k + 1);
      draft_.machine.constraints[name] = {part_.is_area ? "area" : "length", spec_.name};
      std::vector<double> parameters = element.lengths;
      parameters.push_back(spec_.change ? 1.0 : 0.0);
      builder.item(element.term, slots, parameters, options, std::move(name), 0, spec_.origin.source);
    }
  }

  MachineDraft& draft_;
  const ConstraintSpec& spec_;
  KeptPart part_;
  std::set<std::vector<int>> known_;
};

}  // namespace

void add_constraints(MachineDraft& draft, const std::vector<ConstraintSpec>& specs) {
  for (const ConstraintSpec& spec : specs) ConstraintMaking(draft, spec).make();
}

}  // namespace detail

double size_of(const KeptElement& element, const double* x) {
  return detail::shape_of(element).size(element.lengths, x);
}

LinearForm edge_form(const KeptElement& edge, double xi, bool is_slope, int dim) {
  std::array<double, 4> value{};
  detail::shape_of(edge).functions(xi, is_slope, value.data());
  const bool has_gradients = edge.slots.size() == 4;
  std::vector<std::pair<int, double>> weights;
  for (size_t a = 0; a < edge.slots.size(); ++a)
    weights.emplace_back(edge.slots[a], value[a] * (has_gradients && a % 2 == 1 ? edge.lengths[0] : 1));
  return form_of(weights, dim);
}

}  // namespace flexura

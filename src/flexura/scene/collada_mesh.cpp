#include "flexura/scene/collada_mesh.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstring>
#include <map>
#include <pugixml.hpp>
#include <unordered_map>
#include <vector>

namespace flexura {
namespace {

using Node = pugi::xml_node;
using Vector = std::array<double, 3>;

constexpr std::size_t most_triangles = 20'000'000, most_nodes = 1'000'000;  // that copies of copies may come to
constexpr int deepest = 100;

/// x ↦ A x + b.
struct Affine {
  std::array<double, 9> A{1, 0, 0, 0, 1, 0, 0, 0, 1};
  Vector b{};

  Vector operator()(const Vector& x) const {
    Vector out = b;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) out[i] += A[3 * i + j] * x[j];
    return out;
  }
  Affine operator*(const Affine& inner) const {
    Affine out;
    out.b = (*this)(inner.b);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        out.A[3 * i + j] = 0;
        for (int k = 0; k < 3; ++k) out.A[3 * i + j] += A[3 * i + k] * inner.A[3 * k + j];
      }
    return out;
  }
  bool mirrors() const {
    const auto& a = A;
    return a[0] * (a[4] * a[8] - a[5] * a[7]) - a[1] * (a[3] * a[8] - a[5] * a[6]) +
               a[2] * (a[3] * a[7] - a[4] * a[6]) <
           0;
  }
};

Affine rotation(const Vector& axis, double degrees) {
  const double n = std::hypot(axis[0], axis[1], axis[2]), angle = degrees * std::acos(-1.0) / 180;
  Affine out;
  if (!(n > 0)) return out;
  const double c = std::cos(angle), s = std::sin(angle), x = axis[0] / n, y = axis[1] / n, z = axis[2] / n;
  out.A = {c + x * x * (1 - c),     x * y * (1 - c) - z * s, x * z * (1 - c) + y * s,
           y * x * (1 - c) + z * s, c + y * y * (1 - c),     y * z * (1 - c) - x * s,
           z * x * (1 - c) - y * s, z * y * (1 - c) + x * s, c + z * z * (1 - c)};
  return out;
}

/// What stops the reading; it does not leave this file.
struct Wrong {
  MeshError error;
};

class ColladaReader {
 public:
  explicit ColladaReader(std::string_view contents) : text_(contents) {}

  ColladaMesh read() {
    const Node root = parse();
    index(root);
    if (const pugi::xml_attribute meter = root.child("asset").child("unit").attribute("meter")) {
      const std::vector<double> unit = numbers(root.child("asset").child("unit"), meter.value());
      if (unit.size() != 1 || !(unit[0] > 0)) fail(root.child("asset"), "the unit must be a number > 0");
      for (int i = 0; i < 3; ++i) scene_.A[4 * i] = unit[0];
    }
    if (const Node scene = scene_of(root)) {
      for (const Node node : scene.children("node")) visit(node, scene_, 0);
    } else {
      for (const Node library : root.children("library_geometries"))
        for (const Node geometry : library.children("geometry")) add_geometry(geometry, scene_, {});
    }
    if (out_.surface.triangles.empty()) fail(root, "holds no triangles");
    const auto most = std::max_element(colors_.begin(), colors_.end(),
                                       [](const auto& a, const auto& b) { return a.second < b.second; });
    if (most != colors_.end()) out_.color = most->first;
    return std::move(out_);
  }

 private:
  [[noreturn]] void fail(const Node& node, std::string message) const {
    const std::ptrdiff_t offset = node ? node.offset_debug() : -1;
    const int line =
        offset < 0 ? 0
                   : 1 + static_cast<int>(std::count(
                             text_.begin(), text_.begin() + std::min<std::ptrdiff_t>(offset, std::ssize(text_)), '\n'));
    throw Wrong{{line, std::move(message)}};
  }

  Node parse() {
    const pugi::xml_parse_result result = document_.load_buffer(text_.data(), text_.size());
    if (!result) {
      const auto end =
          text_.begin() + std::min<std::ptrdiff_t>(std::max<std::ptrdiff_t>(result.offset, 0), std::ssize(text_));
      throw Wrong{{1 + static_cast<int>(std::count(text_.begin(), end, '\n')),
                   fmt::format("is not XML from here on: {}", result.description())}};
    }
    const Node root = document_.document_element();
    if (std::strcmp(root.name(), "COLLADA") != 0)
      fail(root, fmt::format("a COLLADA file has <COLLADA> at its top; this one has <{}>", root.name()));
    return root;
  }

  /// All that others refer to by "#id".
  void index(const Node& root) {
    for (const Node library : root.children())
      if (std::strncmp(library.name(), "library_", 8) == 0) index_below(library, 0);
  }
  void index_below(const Node& node, int depth) {
    for (const Node child : node.children()) {
      if (child.type() != pugi::node_element) continue;
      if (const pugi::xml_attribute id = child.attribute("id")) by_id_.emplace(id.value(), child);
      if (depth < deepest) index_below(child, depth + 1);
    }
  }
  Node find(const char* reference) const {
    if (reference[0] != '#') return {};
    const auto found = by_id_.find(reference + 1);
    return found == by_id_.end() ? Node() : found->second;
  }
  Node needed(const Node& from, const char* attribute, const char* tag) const {
    const char* reference = from.attribute(attribute).value();
    const Node found = find(reference);
    if (!found || std::strcmp(found.name(), tag) != 0)
      fail(from, fmt::format("<{}> refers to \"{}\", and there is no <{}> of this id", from.name(), reference, tag));
    return found;
  }

  Node scene_of(const Node& root) const {
    if (const Node instance = root.child("scene").child("instance_visual_scene"))
      return needed(instance, "url", "visual_scene");
    return root.child("library_visual_scenes").child("visual_scene");
  }

  // ---- numbers

  template <class Number>
  std::vector<Number> list(const Node& node, std::string_view text) const {
    std::vector<Number> out;
    const auto is_blank = [](char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; };
    for (std::size_t at = 0;;) {
      while (at < text.size() && is_blank(text[at])) ++at;
      if (at == text.size()) return out;
      std::size_t end = at;
      while (end < text.size() && !is_blank(text[end])) ++end;
      const char* first = text.data() + at + (text[at] == '+' ? 1 : 0);
      Number x{};
      const auto [stop, error] = std::from_chars(first, text.data() + end, x);
      if (error != std::errc() || stop != text.data() + end || !std::isfinite(static_cast<double>(x)))
        fail(node, fmt::format("\"{}\" in <{}> is no {}", text.substr(at, std::min<std::size_t>(end - at, 40)),
                               node.name(), std::is_integral_v<Number> ? "whole number" : "finite number"));
      out.push_back(x);
      at = end;
    }
  }
  std::vector<double> numbers(const Node& node, std::string_view text) const { return list<double>(node, text); }
  std::vector<double> numbers(const Node& node, std::size_t count) const {
    std::vector<double> out = numbers(node, node.child_value());
    if (out.size() != count) fail(node, fmt::format("<{}> holds {} numbers, not {}", node.name(), count, out.size()));
    return out;
  }
  std::vector<long> indices(const Node& node) const { return list<long>(node, node.child_value()); }

  // ---- the scene

  Affine step_of(const Node& node) const {
    const std::string_view name = node.name();
    Affine out;
    if (name == "matrix") {
      const std::vector<double> m = numbers(node, 16);
      for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) out.A[3 * i + j] = m[4 * i + j];
        out.b[i] = m[4 * i + 3];
      }
    } else if (name == "translate") {
      const std::vector<double> x = numbers(node, 3);
      out.b = {x[0], x[1], x[2]};
    } else if (name == "scale") {
      const std::vector<double> x = numbers(node, 3);
      for (int i = 0; i < 3; ++i) out.A[4 * i] = x[i];
    } else if (name == "rotate") {
      const std::vector<double> x = numbers(node, 4);
      out = rotation({x[0], x[1], x[2]}, x[3]);
    } else if (name == "skew" || name == "lookat") {
      fail(node, fmt::format("<{}> of a node is not read", name));
    }
    return out;
  }

  void visit(const Node& node, Affine placed, int depth) {
    if (depth > deepest || ++visited_ > most_nodes)
      fail(node, "nodes hang on each other in a ring, or are far too many");
    for (const Node child : node.children()) placed = placed * step_of(child);
    for (const Node child : node.children()) {
      const std::string_view name = child.name();
      if (name == "node") visit(child, placed, depth + 1);
      if (name == "instance_node") visit(needed(child, "url", "node"), placed, depth + 1);
      if (name == "instance_geometry") add_geometry(needed(child, "url", "geometry"), placed, child);
    }
  }

  // ---- triangles

  /// `instance`: which material is meant by which symbol.
  void add_geometry(const Node& geometry, const Affine& placed, const Node& instance) {
    const Node mesh = geometry.child("mesh");
    for (const Node part : mesh.children()) {
      const std::string_view name = part.name();
      const bool strip = name == "tristrips", fan = name == "trifans";
      if (name != "triangles" && name != "polylist" && name != "polygons" && !strip && !fan) continue;
      const std::size_t before = out_.surface.triangles.size();
      add_part(part, placed, name == "triangles", strip);
      if (const std::string color = color_of(part.attribute("material").value(), instance); !color.empty())
        colors_[color] += out_.surface.triangles.size() - before;
    }
  }

  void add_part(const Node& part, const Affine& placed, bool triangles, bool strip) {
    std::size_t stride = 0, at = 0;
    Node vertices;
    for (const Node input : part.children("input")) {
      const std::size_t offset = input.attribute("offset").as_uint();
      stride = std::max(stride, offset + 1);
      if (std::strcmp(input.attribute("semantic").value(), "VERTEX") == 0)
        vertices = needed(input, "source", "vertices"), at = offset;
    }
    if (!vertices) fail(part, fmt::format("<{}> has no <input> of VERTEX", part.name()));
    const std::vector<int>& points = points_of(vertices, placed);
    std::vector<long> counts;
    if (const Node vcount = part.child("vcount")) counts = indices(vcount);
    for (const Node p : part.children("p")) {
      const std::vector<long> list = indices(p);
      const std::size_t corners = list.size() / stride;
      std::vector<int> polygon;
      const auto corner = [&](std::size_t k) {
        const long index = list[k * stride + at];
        if (index < 0 || index >= std::ssize(points))
          fail(p, fmt::format("there is no vertex {}; there are {}", index, points.size()));
        return points[static_cast<std::size_t>(index)];
      };
      if (counts.empty()) counts.assign(triangles ? corners / 3 : 1, triangles ? 3 : static_cast<long>(corners));
      std::size_t next = 0;
      for (const long count : counts) {
        if (count < 0 || next + static_cast<std::size_t>(count) > corners)
          fail(p, fmt::format("polygons of <{}> have more corners than <p> holds", part.name()));
        polygon.clear();
        for (long k = 0; k < count; ++k) polygon.push_back(corner(next++));
        for (std::size_t k = 2; k < polygon.size(); ++k) {
          std::array<int, 3> triangle{polygon[0], polygon[k - 1], polygon[k]};
          if (strip) triangle = {polygon[k - 2], polygon[k - 1], polygon[k]};
          if (placed.mirrors() != (strip && k % 2 == 1)) std::swap(triangle[1], triangle[2]);
          out_.surface.triangles.push_back(triangle);
        }
        if (out_.surface.triangles.size() > most_triangles) fail(p, "has far too many triangles");
      }
      if (!part.child("vcount")) counts.clear();  // of each <p> its own
    }
  }

  /// Of the vertices of a mesh, points of the surface: those of equal coordinates are one.
  const std::vector<int>& points_of(const Node& vertices, const Affine& placed) {
    indices_.clear();
    for (const Node input : vertices.children("input")) {
      if (std::strcmp(input.attribute("semantic").value(), "POSITION") != 0) continue;
      const Node source = needed(input, "source", "source"),
                 accessor = source.child("technique_common").child("accessor"), array = source.child("float_array");
      const std::vector<double> x = numbers(array, array.child_value());
      const std::size_t step = accessor.attribute("stride").as_uint(3), first = accessor.attribute("offset").as_uint(0),
                        count = accessor ? accessor.attribute("count").as_uint() : x.size() / 3;
      if (step < 3 || count > x.size() || (count > 0 && first + (count - 1) * step + 3 > x.size()))
        fail(source, fmt::format("its accessor asks for more than the {} numbers that it holds", x.size()));
      for (std::size_t k = 0; k < count; ++k) {
        const double* p = x.data() + first + k * step;
        Vector at = placed({p[0], p[1], p[2]});
        for (double& c : at) c += 0.0;  // −0 is 0
        const auto [known, fresh] = known_.emplace(at, static_cast<int>(out_.surface.points.size()));
        if (fresh) out_.surface.points.push_back(at);
        indices_.push_back(known->second);
      }
      return indices_;
    }
    fail(vertices, "<vertices> have no <input> of POSITION");
  }

  // ---- colours

  std::string color_of(const char* symbol, const Node& instance) const {
    Node material = find(("#" + std::string(symbol)).c_str());
    for (const Node bound : instance.child("bind_material").child("technique_common").children("instance_material"))
      if (std::strcmp(bound.attribute("symbol").value(), symbol) == 0)
        material = find(bound.attribute("target").value());
    const Node effect = find(material.child("instance_effect").attribute("url").value());
    const Node technique = effect.child("profile_COMMON").child("technique");
    for (const char* shading : {"phong", "lambert", "blinn"})
      if (const Node color = technique.child(shading).child("diffuse").child("color")) {
        const std::vector<double> rgba = numbers(color, color.child_value());
        if (rgba.size() < 3) return {};
        std::string out = "#";
        for (int i = 0; i < 3; ++i)
          out += fmt::format("{:02x}", static_cast<int>(std::lround(255 * std::clamp(rgba[i], 0.0, 1.0))));
        return out;
      }
    return {};
  }

  std::string_view text_;
  pugi::xml_document document_;
  std::unordered_map<std::string, Node> by_id_;
  Affine scene_;  ///< the unit
  std::size_t visited_ = 0;
  std::map<Vector, int> known_;
  std::vector<int> indices_;
  std::map<std::string, std::size_t> colors_;  ///< triangles of each
  ColladaMesh out_;
};

}  // namespace

std::variant<ColladaMesh, MeshError> read_collada(std::string_view contents) {
  try {
    return ColladaReader(contents).read();
  } catch (const Wrong& wrong) {
    return wrong.error;
  }
}

}  // namespace flexura

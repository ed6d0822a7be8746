#include "flexura/output/snapshot_mesh.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>

#include "flexura/output/body_mesh.hpp"
#include "flexura/output/drawn_run.hpp"

namespace flexura {
namespace {

constexpr int sides = 12;  ///< corners of what is round

/// Of parts without a colour of their own: Okabe and Ito's set.
constexpr std::array<std::uint32_t, 6> palette{0x0072b2, 0xe69f00, 0x009e73, 0xcc79a7, 0x56b4e9, 0xd55e00};

Triple unit(const Triple& x) {
  const double size = norm(x);
  return size > 0 ? (1 / size) * x : Triple{1, 0, 0};
}
/// Any direction across.
Triple across(const Triple& x) {
  const Triple axis = std::fabs(x[2]) < 0.8 * norm(x) ? Triple{0, 0, 1} : Triple{1, 0, 0};
  return unit(cross(axis, x));
}

class Mesher {
 public:
  Mesher(const Drawing& drawing, std::span<const double> q, double mark, double thinnest)
      : drawing_(drawing), mark_(mark), thinnest_(thinnest) {
    for (const Drawing::MovingSlot& slot : drawing.slots) {
      Triple x{};
      for (int i = 0; i < 3; ++i)
        x[i] = q.empty() ? slot.reference[i] : i < drawing.dim ? q[static_cast<size_t>(slot.offset + i)] : 0;
      places_.push_back(x);
    }
    places_.insert(places_.end(), drawing.fixed.begin(), drawing.fixed.end());
  }

  std::vector<Triple> read(const SlotMap& map) const {
    std::vector<Triple> out;
    for (int row = 0; row < map.size(); ++row) out.push_back(place_of(map, row, places_));
    return out;
  }

  void draw(const Drawable& part, std::uint32_t color) {
    color_ = color;
    const std::vector<Triple> at = read(part.position);
    if (at.empty()) return;
    switch (part.kind) {
      case Drawable::Kind::curve:
        return curve(part, at);
      case Drawable::Kind::surface:
        for (size_t k = 0; k + 3 < part.quads.size(); k += 4)
          quad(at[part.quads[k]], at[part.quads[k + 1]], at[part.quads[k + 2]], at[part.quads[k + 3]]);
        return;
      case Drawable::Kind::body:
        return body(part, at[0]);
      case Drawable::Kind::line:
        if (at.size() > 1) tube({at[0], at[1]}, {0.5 * mark_, 0.5 * mark_});
        return;
      case Drawable::Kind::point:
        return ball(at[0], std::max(part.radius, mark_));
      default:
        return;  // joints, arrows and sensors are no parts
    }
  }

  std::vector<SnapshotTriangle> triangles;

 private:
  void triangle(const Triple& a, const Triple& b, const Triple& c) { triangles.push_back({{a, b, c}, color_}); }
  void quad(const Triple& a, const Triple& b, const Triple& c, const Triple& d) {
    triangle(a, b, c);
    triangle(a, c, d);
  }
  /// Rings of as many corners each, one after the other, closed at both ends.
  void skin(const std::vector<std::vector<Triple>>& rings) {
    const size_t n = rings.front().size();
    for (size_t k = 0; k + 1 < rings.size(); ++k)
      for (size_t i = 0; i < n; ++i)
        quad(rings[k][i], rings[k][(i + 1) % n], rings[k + 1][(i + 1) % n], rings[k + 1][i]);
    for (const auto* ring : {&rings.front(), &rings.back()})
      for (size_t i = 1; i + 1 < n; ++i) triangle((*ring)[0], (*ring)[i], (*ring)[i + 1]);
  }
  static std::vector<Triple> ring(const Triple& center, const Triple& a, const Triple& b) {
    std::vector<Triple> out;
    for (int k = 0; k < sides; ++k) {
      const double angle = 2 * std::numbers::pi * k / sides;
      out.push_back(center + std::cos(angle) * a + std::sin(angle) * b);
    }
    return out;
  }
  void tube(const std::vector<Triple>& at, const std::vector<double>& radius) {
    std::vector<std::vector<Triple>> rings;
    for (size_t k = 0; k < at.size(); ++k) {
      const Triple along = at[std::min(k + 1, at.size() - 1)] - at[k > 0 ? k - 1 : 0], a = across(along);
      rings.push_back(ring(at[k], radius[k] * a, radius[k] * unit(cross(along, a))));
    }
    skin(rings);
  }
  void ball(const Triple& center, double radius) {
    constexpr int rows = 8;
    std::vector<std::vector<Triple>> rings;
    for (int k = 0; k <= rows; ++k) {
      const double angle = std::numbers::pi * k / rows, out = radius * std::sin(angle);
      rings.push_back(ring(center + Triple{0, 0, radius * std::cos(angle)}, {out, 0, 0}, {0, out, 0}));
    }
    skin(rings);
  }

  void curve(const Drawable& part, const std::vector<Triple>& at) {
    const std::vector<Triple> first = read(part.second), second = read(part.third);
    const SectionShape& s = part.section;
    const bool rectangle = s.type == SectionShape::Type::rectangle, tapers = part.sizes.size() == 2 * at.size();
    std::vector<std::vector<Triple>> rings;
    for (size_t k = 0; k < at.size(); ++k) {
      const Triple along = unit(at[std::min(k + 1, at.size() - 1)] - at[k > 0 ? k - 1 : 0]);
      Triple a = first.size() == at.size() ? unit(first[k])
                 : drawing_.dim == 2       ? Triple{-along[1], along[0], 0}
                                           : across(along);
      const Triple b = second.size() == at.size() ? unit(second[k]) : unit(cross(along, a));
      const double u = std::max(thinnest_, tapers      ? part.sizes[2 * k]
                                           : rectangle ? s.width
                                                       : s.radius),
                   v = std::max(thinnest_, tapers ? part.sizes[2 * k + 1] : s.height);
      if (rectangle)
        rings.push_back({at[k] + 0.5 * u * a + 0.5 * v * b, at[k] - 0.5 * u * a + 0.5 * v * b,
                         at[k] - 0.5 * u * a - 0.5 * v * b, at[k] + 0.5 * u * a - 0.5 * v * b});
      else
        rings.push_back(ring(at[k], u * a, u * b));
    }
    if (rings.size() > 1) skin(rings);
  }

  void body(const Drawable& part, const Triple& origin) {
    const std::vector<Triple> first = read(part.tangent), second = read(part.second), third = read(part.third);
    const Triple x = first.empty() ? Triple{1, 0, 0} : first[0];
    const Triple y = second.empty() ? cross(Triple{0, 0, 1}, x) : second[0];
    const Triple z = third.empty() ? cross(x, y) : third[0];
    const auto turned = [&](const Triple& local) { return local[0] * x + local[1] * y + local[2] * z; };
    for (const BodyShape& shape : part.shapes) {
      if (shape.type == BodyShape::Type::link) {
        const Triple begin = origin + turned(shape.center), end = origin + turned(shape.to);
        tube({begin, end}, {shape.size[0], shape.size[0]});
        ball(begin, shape.size[0]);
        ball(end, shape.size[0]);
        continue;
      }
      const BodyMesh mesh = mesh_of(shape);
      std::vector<Triple> corners;
      for (const Triple& corner : mesh.points) corners.push_back(origin + turned(corner));
      for (const std::vector<std::int64_t>& face : mesh.faces)
        for (size_t k = 1; k + 1 < face.size(); ++k) triangle(corners[face[0]], corners[face[k]], corners[face[k + 1]]);
    }
  }

  const Drawing& drawing_;
  double mark_, thinnest_;
  std::vector<Triple> places_;
  std::uint32_t color_ = 0;
};

std::uint32_t color_of(const Drawable& part, size_t& next) {
  std::uint32_t color = 0;
  if (part.color.size() == 7 &&
      std::from_chars(part.color.data() + 1, part.color.data() + 7, color, 16).ec == std::errc())
    return color;
  return palette[next++ % palette.size()];
}

bool is_part(const Drawable& drawable) {
  using Kind = Drawable::Kind;
  return drawable.kind != Kind::joint && drawable.kind != Kind::arrow && drawable.kind != Kind::sensor;
}

}  // namespace

std::vector<SnapshotTriangle> snapshot_mesh(const Drawing& drawing, std::span<const double> q, double mark,
                                            double thinnest) {
  Mesher mesher(drawing, q, mark, thinnest);
  size_t next = 0;
  for (const Drawable& part : drawing.drawables)
    if (is_part(part)) mesher.draw(part, color_of(part, next));
  return std::move(mesher.triangles);
}

std::vector<Triple> reference_places(const Drawing& drawing) {
  std::vector<Triple> out;
  for (const SnapshotTriangle& t : snapshot_mesh(drawing, {}, 0, 0))
    out.insert(out.end(), t.corners.begin(), t.corners.end());
  return out;
}

}  // namespace flexura

#include "flexura/output/snapshot_mesh.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>

namespace flexura {
namespace {

using Point = Vec<3, double>;
constexpr int sides = 12;  ///< corners of what is round

/// Of parts without a colour of their own: Okabe and Ito's set.
constexpr std::array<std::uint32_t, 6> palette{0x0072b2, 0xe69f00, 0x009e73, 0xcc79a7, 0x56b4e9, 0xd55e00};

Point unit(const Point& x) {
  const double size = norm(x);
  return size > 0 ? (1 / size) * x : Point{1, 0, 0};
}
/// Any direction across.
Point across(const Point& x) {
  const Point axis = std::fabs(x[2]) < 0.8 * norm(x) ? Point{0, 0, 1} : Point{1, 0, 0};
  return unit(cross(axis, x));
}

class Mesher {
 public:
  Mesher(const Drawing& drawing, std::span<const double> q, double mark, double thinnest)
      : drawing_(drawing), mark_(mark), thinnest_(thinnest) {
    for (const Drawing::MovingSlot& slot : drawing.slots) {
      Point x{};
      for (int i = 0; i < 3; ++i)
        x[i] = q.empty() ? slot.reference[i] : i < drawing.dim ? q[static_cast<size_t>(slot.offset + i)] : 0;
      places_.push_back(x);
    }
    for (const auto& x : drawing.fixed) places_.push_back({x[0], x[1], x[2]});
  }

  std::vector<Point> read(const SlotMap& map) const {
    std::vector<Point> out;
    for (int row = 0; row < map.size(); ++row) {
      Point x{};
      for (std::uint32_t k = map.start[row]; k < map.start[row + 1]; ++k)
        x += static_cast<double>(map.weight[k]) * places_[map.slot[k]];
      out.push_back(x);
    }
    return out;
  }

  void draw(const Drawable& part, std::uint32_t color) {
    color_ = color;
    const std::vector<Point> at = read(part.position);
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
  void triangle(const Point& a, const Point& b, const Point& c) { triangles.push_back({{a, b, c}, color_}); }
  void quad(const Point& a, const Point& b, const Point& c, const Point& d) {
    triangle(a, b, c);
    triangle(a, c, d);
  }
  /// Rings of as many corners each, one after the other, closed at both ends.
  void skin(const std::vector<std::vector<Point>>& rings) {
    const size_t n = rings.front().size();
    for (size_t k = 0; k + 1 < rings.size(); ++k)
      for (size_t i = 0; i < n; ++i)
        quad(rings[k][i], rings[k][(i + 1) % n], rings[k + 1][(i + 1) % n], rings[k + 1][i]);
    for (const auto* ring : {&rings.front(), &rings.back()})
      for (size_t i = 1; i + 1 < n; ++i) triangle((*ring)[0], (*ring)[i], (*ring)[i + 1]);
  }
  static std::vector<Point> ring(const Point& center, const Point& a, const Point& b) {
    std::vector<Point> out;
    for (int k = 0; k < sides; ++k) {
      const double angle = 2 * std::numbers::pi * k / sides;
      out.push_back(center + std::cos(angle) * a + std::sin(angle) * b);
    }
    return out;
  }
  void tube(const std::vector<Point>& at, const std::vector<double>& radius) {
    std::vector<std::vector<Point>> rings;
    for (size_t k = 0; k < at.size(); ++k) {
      const Point along = at[std::min(k + 1, at.size() - 1)] - at[k > 0 ? k - 1 : 0], a = across(along);
      rings.push_back(ring(at[k], radius[k] * a, radius[k] * unit(cross(along, a))));
    }
    skin(rings);
  }
  void ellipsoid(const Point& center, const std::array<Point, 3>& axes) {
    constexpr int rows = 8;
    std::vector<std::vector<Point>> rings;
    for (int k = 0; k <= rows; ++k) {
      const double angle = std::numbers::pi * k / rows;
      rings.push_back(ring(center + std::cos(angle) * axes[2], std::sin(angle) * axes[0], std::sin(angle) * axes[1]));
    }
    skin(rings);
  }
  void ball(const Point& center, double radius) {
    ellipsoid(center, {Point{radius, 0, 0}, Point{0, radius, 0}, Point{0, 0, radius}});
  }

  void curve(const Drawable& part, const std::vector<Point>& at) {
    const std::vector<Point> first = read(part.second), second = read(part.third);
    const SectionShape& s = part.section;
    const bool rectangle = s.type == SectionShape::Type::rectangle, tapers = part.sizes.size() == 2 * at.size();
    std::vector<std::vector<Point>> rings;
    for (size_t k = 0; k < at.size(); ++k) {
      const Point along = unit(at[std::min(k + 1, at.size() - 1)] - at[k > 0 ? k - 1 : 0]);
      Point a = first.size() == at.size() ? unit(first[k])
                : drawing_.dim == 2       ? Point{-along[1], along[0], 0}
                                          : across(along);
      const Point b = second.size() == at.size() ? unit(second[k]) : unit(cross(along, a));
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

  void body(const Drawable& part, const Point& origin) {
    const std::vector<Point> first = read(part.tangent), second = read(part.second), third = read(part.third);
    const Point x = first.empty() ? Point{1, 0, 0} : first[0];
    const Point y = second.empty() ? cross(Point{0, 0, 1}, x) : second[0];
    const Point z = third.empty() ? cross(x, y) : third[0];
    const auto turned = [&](const auto& local) {
      return static_cast<double>(local[0]) * x + static_cast<double>(local[1]) * y + static_cast<double>(local[2]) * z;
    };
    for (const BodyShape& shape : part.shapes) {
      const Point center = origin + turned(shape.center);
      const std::array<Point, 3> axes{turned(shape.axes[0]), turned(shape.axes[1]), turned(shape.axes[2])};
      const auto& size = shape.size;
      switch (shape.type) {
        case BodyShape::Type::box: {
          std::vector<std::vector<Point>> rings;
          for (const double end : {-0.5, 0.5}) {
            const Point middle = center + end * size[2] * axes[2], a = 0.5 * size[0] * axes[0],
                        b = 0.5 * size[1] * axes[1];
            rings.push_back({middle + a + b, middle - a + b, middle - a - b, middle + a - b});
          }
          skin(rings);
          break;
        }
        case BodyShape::Type::sphere:
          ball(center, size[0]);
          break;
        case BodyShape::Type::ellipsoid:
          ellipsoid(center, {size[0] * axes[0], size[1] * axes[1], size[2] * axes[2]});
          break;
        case BodyShape::Type::cylinder:
        case BodyShape::Type::cone:
          skin({ring(center - 0.5 * size[2] * axes[2], size[0] * axes[0], size[0] * axes[1]),
                ring(center + 0.5 * size[2] * axes[2], size[1] * axes[0], size[1] * axes[1])});
          break;
        case BodyShape::Type::link: {
          const Point end = origin + turned(shape.to);
          tube({center, end}, {size[0], size[0]});
          ball(center, size[0]);
          ball(end, size[0]);
          break;
        }
        case BodyShape::Type::mesh: {
          const auto corner = [&](size_t k) {
            const float* v = &shape.vertices[3 * static_cast<size_t>(shape.triangles[k])];
            return origin + turned(std::array<double, 3>{v[0], v[1], v[2]});
          };
          for (size_t k = 0; k + 2 < shape.triangles.size(); k += 3) triangle(corner(k), corner(k + 1), corner(k + 2));
          break;
        }
      }
    }
  }

  const Drawing& drawing_;
  double mark_, thinnest_;
  std::vector<Point> places_;
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

std::vector<Vec<3, double>> reference_places(const Drawing& drawing) {
  std::vector<Point> out;
  for (const SnapshotTriangle& t : snapshot_mesh(drawing, {}, 0, 0))
    out.insert(out.end(), t.corners.begin(), t.corners.end());
  return out;
}

}  // namespace flexura

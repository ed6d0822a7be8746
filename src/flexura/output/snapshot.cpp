#include "flexura/output/snapshot.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "flexura/output/snapshot_mesh.hpp"

namespace flexura {
namespace {

constexpr int finer = 2;                   ///< samples of a pixel in each direction
constexpr std::uint32_t paper = 0xffffff;  ///< behind all
constexpr double dark = 0.45;              ///< share of its colour of what is seen along its face
constexpr double mark = 0.006;             ///< radius of what has none, of the picture's height

std::uint32_t shaded(std::uint32_t color, double light) {
  std::uint32_t out = 0;
  for (int shift = 0; shift <= 16; shift += 8)
    out |= static_cast<std::uint32_t>(std::lround(light * (color >> shift & 0xffu))) << shift;
  return out;
}

/// Samples with how near each is to who looks.
class Canvas {
 public:
  Canvas(int width, int height)
      : width_(width),
        height_(height),
        nearest_(static_cast<size_t>(width) * height, -std::numeric_limits<double>::infinity()),
        colors_(nearest_.size(), paper) {}

  /// Corners (column, row, nearness).
  void fill(const std::array<Triple, 3>& at, std::uint32_t color) {
    const auto& [a, b, c] = at;
    const double area = (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]);
    if (!(std::fabs(area) > 1e-12)) return;
    const auto first = [](double x) { return static_cast<int>(std::max(0.0, std::ceil(x - 0.5))); };
    const auto last = [](double x, int size) { return static_cast<int>(std::min(size - 1.0, std::floor(x - 0.5))); };
    const int top = first(std::min({a[1], b[1], c[1]})), bottom = last(std::max({a[1], b[1], c[1]}), height_);
    const int left = first(std::min({a[0], b[0], c[0]})), right = last(std::max({a[0], b[0], c[0]}), width_);
    for (int y = top; y <= bottom; ++y)
      for (int x = left; x <= right; ++x) {
        const double px = x + 0.5, py = y + 0.5;
        const double u = ((b[0] - px) * (c[1] - py) - (c[0] - px) * (b[1] - py)) / area,
                     v = ((c[0] - px) * (a[1] - py) - (a[0] - px) * (c[1] - py)) / area, w = 1 - u - v;
        if (u < 0 || v < 0 || w < 0) continue;
        const double near = u * a[2] + v * b[2] + w * c[2];
        const size_t at_sample = static_cast<size_t>(y) * width_ + x;
        if (near <= nearest_[at_sample]) continue;
        nearest_[at_sample] = near;
        colors_[at_sample] = color;
      }
  }
  std::uint32_t color(int x, int y) const { return colors_[static_cast<size_t>(y) * width_ + x]; }

 private:
  int width_, height_;
  std::vector<double> nearest_;
  std::vector<std::uint32_t> colors_;
};

}  // namespace

SnapshotCamera snapshot_camera(const Drawing& drawing) {
  SnapshotCamera camera;
  if (drawing.dim == 2) {
    camera.right = {1, 0, 0}, camera.up = {0, 1, 0}, camera.near = {0, 0, 1};
  } else {
    const Triple near{-0.48, -0.78, 0.4};
    camera.near = (1 / norm(near)) * near;
    const Triple right = cross(Triple{0, 0, 1}, camera.near);
    camera.right = (1 / norm(right)) * right;
    camera.up = cross(camera.near, camera.right);
  }
  Triple low{}, high{};
  bool any = false;
  for (const Triple& x : reference_places(drawing)) {
    for (int i = 0; i < 3; ++i) {
      low[i] = any ? std::min(low[i], x[i]) : x[i];
      high[i] = any ? std::max(high[i], x[i]) : x[i];
    }
    any = true;
  }
  camera.center = 0.5 * (low + high);
  camera.height = std::max(1.5 * norm(high - low), 1e-6);
  return camera;
}

std::vector<std::uint8_t> draw_snapshot(const Drawing& drawing, std::span<const double> q, const SnapshotCamera& camera,
                                        int width, int height) {
  Canvas canvas(finer * width, finer * height);
  const double scale = finer * std::min(width, height) / camera.height;
  const double pixel = finer / scale;
  for (const SnapshotTriangle& t : snapshot_mesh(drawing, q, std::max(mark * camera.height, pixel), pixel)) {
    std::array<Triple, 3> at;
    bool finite = true;
    for (int k = 0; k < 3; ++k) {
      const Triple x = t.corners[k] - camera.center;
      at[k] = {0.5 * finer * width + scale * dot(x, camera.right), 0.5 * finer * height - scale * dot(x, camera.up),
               dot(x, camera.near)};
      for (int i = 0; i < 3; ++i) finite = finite && std::fabs(at[k][i]) < 1e9;
    }
    if (!finite) continue;
    const Triple normal = cross(t.corners[1] - t.corners[0], t.corners[2] - t.corners[0]);
    const double size = norm(normal);
    if (!(size > 0)) continue;
    // Light from over the shoulder.
    const Triple light = camera.near + 0.5 * camera.up - 0.3 * camera.right;
    const double bright = std::min(1.0, std::fabs(dot(normal, light)) / (size * norm(light)));
    canvas.fill(at, shaded(t.color, dark + (1 - dark) * bright));
  }
  std::vector<std::uint8_t> out;
  out.reserve(3 * static_cast<size_t>(width) * height);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      for (int shift = 16; shift >= 0; shift -= 8) {
        std::uint32_t sum = 0;
        for (int j = 0; j < finer; ++j)
          for (int i = 0; i < finer; ++i) sum += canvas.color(finer * x + i, finer * y + j) >> shift & 0xffu;
        out.push_back(static_cast<std::uint8_t>(sum / (finer * finer)));
      }
  return out;
}

}  // namespace flexura

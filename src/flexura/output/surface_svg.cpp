#include "flexura/output/surface_svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "flexura/base/text.hpp"
#include "flexura/base/xml_text.hpp"
#include "flexura/element/surface_place.hpp"
#include "flexura/output/plot_svg.hpp"

namespace flexura {
namespace {

using Point = Vec<3, double>;

constexpr double margin = 14, caption_height = 24, title_height = 30, note_height = 20;  // px

/// Axes of the picture: right, up, towards the eye.
struct View {
  Point right, up, eye;

  explicit View(const SurfacePicture& picture) : right(), up(), eye() {
    eye = 1 / norm(picture.from) * picture.from;
    right = cross(picture.up, eye);
    right = 1 / norm(right) * right;
    up = cross(eye, right);
  }
  Point of(const Point& x) const { return {dot(x, right), dot(x, up), dot(x, eye)}; }
};

struct Frame {
  double low[2] = {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
  double high[2] = {-std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  void add(const Point& x) {
    for (int i = 0; i < 2; ++i) {
      low[i] = std::min(low[i], x[i]);
      high[i] = std::max(high[i], x[i]);
    }
  }
};

/// Light from the upper left in front; the inside of a surface is darker and warmer.
std::string colour(const Point& normal) {
  const Point light = {-0.35, 0.6, 0.72};
  const bool inside = normal[2] < 0;
  const double shade = 0.35 + 0.65 * std::max(0.0, (inside ? -1.0 : 1.0) * dot(normal, light));
  const int base[2][3] = {{172, 186, 204}, {178, 140, 124}};
  int c[3];
  for (int i = 0; i < 3; ++i) c[i] = static_cast<int>(std::lround(base[inside ? 1 : 0][i] * std::min(1.0, shade)));
  return fmt::format("#{:02x}{:02x}{:02x}", c[0], c[1], c[2]);
}

class Panel {
 public:
  Panel(const View& view, const Frame& frame, double scale, double x, double y, double radius)
      : view_(view), frame_(frame), scale_(scale), x_(x), y_(y), radius_(radius) {}

  void draw(const SurfacePanel& panel, std::string& out) const {
    struct Face {
      Point corner[4];
      double depth = 0;
    };
    std::vector<Face> faces;
    for (const auto& quad : panel.quads) {
      Face face;
      for (int i = 0; i < 4; ++i) {
        face.corner[i] = view_.of(quad[i]);
        face.depth += face.corner[i][2];
      }
      faces.push_back(face);
    }
    std::sort(faces.begin(), faces.end(), [](const Face& a, const Face& b) { return a.depth < b.depth; });
    for (const Face& face : faces) {
      Point normal = cross(face.corner[2] - face.corner[0], face.corner[3] - face.corner[1]);
      const double size = norm(normal);
      if (!(size > 0)) continue;
      normal = 1 / size * normal;
      const std::string fill = colour(normal);
      append_text(out, R"(<path d="M{} {} {} {}z" fill="{}" stroke="{}"/>)", place(face.corner[0]),
                  place(face.corner[1]), place(face.corner[2]), place(face.corner[3]), fill, fill);
      out += '\n';
    }
    for (const auto& line : panel.lines) {
      out += R"(<path class="line" d=")";
      for (size_t i = 0; i < line.size(); ++i) out += (i == 0 ? "M" : " ") + place(view_.of(line[i]));
      out += "\"/>\n";
    }
    for (const Point& point : panel.points) {
      const Point p = view_.of(point);
      out += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:g}\"/>\n", across(p), down(p), radius_);
    }
  }

 private:
  double across(const Point& p) const { return x_ + scale_ * (p[0] - frame_.low[0]); }
  double down(const Point& p) const { return y_ + scale_ * (frame_.high[1] - p[1]); }
  std::string place(const Point& p) const { return fmt::format("{:.1f},{:.1f}", across(p), down(p)); }

  const View& view_;
  const Frame& frame_;
  double scale_, x_, y_, radius_;
};

}  // namespace

std::string svg_text(const SurfacePicture& picture) {
  const View view(picture);
  Frame frame;
  if (picture.panels.empty()) frame.add({0, 0, 0});
  for (const SurfacePanel& panel : picture.panels) {
    for (const auto& quad : panel.quads)
      for (const Point& x : quad) frame.add(view.of(x));
    for (const auto& line : panel.lines)
      for (const Point& x : line) frame.add(view.of(x));
    for (const Point& x : panel.points) frame.add(view.of(x));
  }
  const double size[2] = {std::max(frame.high[0] - frame.low[0], 1e-12), std::max(frame.high[1] - frame.low[1], 1e-12)};
  const double scale = std::min((picture.panel_width - 2 * margin) / size[0],
                                (picture.panel_height - 2 * margin - caption_height) / size[1]);
  const int count = static_cast<int>(picture.panels.size()), columns = std::clamp(count, 1, picture.columns);
  const int rows = (count + columns - 1) / columns;
  const double top = (picture.title.empty() ? 0 : title_height) + (picture.note.empty() ? 0 : note_height);
  const double bar_height = 26;
  const int width = columns * picture.panel_width;
  const double cell = scale * size[1] + 2 * margin + caption_height, height = top + rows * cell + bar_height;
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1:.0f}\" width=\"{0}\" height=\"{1:.0f}\" "
      "font-family=\"sans-serif\" font-size=\"13\">\n<style>path {{ stroke-width: 0.6; stroke-linejoin: round; }} "
      ".line {{ fill: none; stroke: #d55e00; stroke-width: 1.5; }} circle {{ fill: #d55e00; }}</style>\n"
      "<rect width=\"{0}\" height=\"{1:.0f}\" fill=\"white\"/>\n",
      width, height);
  if (!picture.title.empty())
    out += fmt::format("<text x=\"16\" y=\"22\" font-size=\"17\">{}</text>\n", xml_text(picture.title));
  if (!picture.note.empty())
    out += fmt::format("<text x=\"16\" y=\"{:.0f}\" fill=\"#555\">{}</text>\n", top - 6, xml_text(picture.note));
  for (int k = 0; k < count; ++k) {
    const int line = k / columns;
    const double x = (k % columns) * picture.panel_width, y = top + line * cell;
    Panel(view, frame, scale, x + (picture.panel_width - scale * size[0]) / 2, y + caption_height + margin,
          picture.point_radius)
        .draw(picture.panels[k], out);
    out += fmt::format("<text x=\"{:.0f}\" y=\"{:.0f}\" text-anchor=\"middle\">{}</text>\n",
                       x + picture.panel_width / 2.0, y + 18, xml_text(picture.panels[k].caption));
  }
  const std::vector<double> lengths = nice_ticks(0, 0.6 * picture.panel_width / scale, 2);
  const double length = lengths.empty() || !(lengths.back() > 0) ? size[0] : lengths.back();
  out += fmt::format(
      "<path d=\"M16 {0:.0f}h{1:.1f}\" style=\"stroke: #444; stroke-width: 2\"/><text x=\"{2:.0f}\" y=\"{3:.0f}\" "
      "fill=\"#444\">{4:g} m</text>\n</svg>\n",
      height - 12, scale * length, 24 + scale * length, height - 8, length);
  return out;
}

}  // namespace flexura

#include "flexura/output/plot_svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "flexura/base/text.hpp"
#include "flexura/base/xml_text.hpp"
#include "flexura/output/plot_axis.hpp"

namespace flexura {

namespace {

using detail::PlotAxis;
using Style = PlotCurve::Style;

/// Distinct for all common kinds of colour vision: Okabe and Ito, "Color universal design", 2008.
constexpr const char* colours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#444444"};
constexpr double small_text = 13, title_text = 17, character = 0.58;  // px, px, width of a character / its size
constexpr std::size_t most_markers = 200;

bool has_line(Style style) { return style != Style::markers; }
bool has_markers(Style style) { return style == Style::markers || style == Style::line_and_markers; }

double text_width(std::string_view text, double size) {
  const auto characters = std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; });
  return character * size * static_cast<double>(characters);
}

struct Range {
  double low = std::numeric_limits<double>::infinity(), high = -std::numeric_limits<double>::infinity();
  void add(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
};

struct PlotPoint {
  double x, y;  // px
};

class PlotPicture {
 public:
  explicit PlotPicture(const Plot& plot) : plot_(plot) {}

  std::string text() {
    place_legend();
    place_axes();
    begin();
    draw_grid();
    for (std::size_t i = 0; i < plot_.curves.size(); ++i) draw_band(i);
    for (std::size_t i = 0; i < plot_.curves.size(); ++i) draw_curve(i);
    draw_legend();
    out_ += "</svg>\n";
    return std::move(out_);
  }

 private:
  template <class... Args>
  void add(fmt::format_string<Args...> format, Args&&... args) {
    append_text(out_, format, std::forward<Args>(args)...);
  }

  const char* colour(std::size_t curve) const {
    const int other = plot_.curves[curve].colour_of;
    return colours[(other < 0 ? curve : static_cast<std::size_t>(other)) % std::size(colours)];
  }

  /// The legend lies above the axes, in as many rows as it takes, and so never on a curve.
  void place_legend() {
    top_ = 14;
    if (!plot_.title.empty()) top_ += title_text + 6;
    if (!plot_.note.empty()) top_ += small_text + 5;
    double x = 16, row = top_ + 8;
    bool any = false;
    for (std::size_t i = 0; i < plot_.curves.size(); ++i) {
      const std::string& label = plot_.curves[i].label;
      if (label.empty()) continue;
      const double width = 34 + text_width(label, small_text) + 20;
      if (any && x + width > plot_.width - 10) {
        x = 16;
        row += 20;
      }
      legend_.push_back({i, {x, row}});
      x += width;
      any = true;
    }
    if (any) top_ = row + 12;
    top_ += 10;
  }

  void place_axes() {
    Range x, y;
    bool markers = false;
    for (const PlotCurve& curve : plot_.curves) {
      markers = markers || has_markers(curve.style);
      for (std::size_t i = 0; i < std::min(curve.x.size(), curve.y.size()); ++i) {
        if (!std::isfinite(curve.x[i]) || !std::isfinite(curve.y[i])) continue;
        x.add(curve.x[i]);
        y.add(curve.y[i]);
      }
      for (const PlotBand& band : curve.band) {
        y.add(band.low);
        y.add(band.high);
      }
    }
    bottom_ = plot_.height - (plot_.x_label.empty() ? 30 : 52);
    right_ = plot_.width - 22;
    const int rows = std::max(2, static_cast<int>((bottom_ - top_) / 45));
    y_ = detail::make_axis(y.low, y.high, 0.05, rows);
    place_left();
    const int columns = std::max(2, static_cast<int>((right_ - left_) / 80));
    x_ = detail::make_axis(x.low, x.high, markers || plot_.equal_axes ? 0.03 : 0, columns);
    if (plot_.equal_axes) make_equal(rows, columns);
  }

  void place_left() {
    double width = 0;
    for (const std::string& label : y_.labels) width = std::max(width, text_width(label, small_text));
    left_ = 18 + width + (plot_.y_label.empty() ? 0 : 24);
  }

  /// Widens the axis that shows less per pixel.
  void make_equal(int rows, int columns) {
    const double per_x = (x_.high - x_.low) / (right_ - left_), per_y = (y_.high - y_.low) / (bottom_ - top_);
    PlotAxis& axis = per_x < per_y ? x_ : y_;
    const double ratio = per_x < per_y ? per_y / per_x : per_x / per_y;
    const double middle = (axis.low + axis.high) / 2, half = (axis.high - axis.low) / 2 * ratio;
    axis.low = middle - half;
    axis.high = middle + half;
    detail::set_ticks(axis, per_x < per_y ? columns : rows);
  }

  PlotPoint at(double x, double y) const {
    return {left_ + x_.share(x) * (right_ - left_), bottom_ - y_.share(y) * (bottom_ - top_)};
  }

  void begin() {
    add("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
        "font-family=\"'DejaVu Sans', Verdana, Helvetica, Arial, sans-serif\" font-size=\"{2}\" fill=\"#333333\">\n",
        plot_.width, plot_.height, small_text);
    add("<rect width=\"{}\" height=\"{}\" fill=\"#ffffff\"/>\n", plot_.width, plot_.height);
    double y = 14;
    if (!plot_.title.empty()) {
      y += title_text;
      add("<text x=\"16\" y=\"{:.0f}\" font-size=\"{}\" fill=\"#111111\">{}</text>\n", y - 2, title_text,
          xml_text(plot_.title));
      y += 6;
    }
    if (!plot_.note.empty())
      add("<text x=\"16\" y=\"{:.0f}\" fill=\"#777777\">{}</text>\n", y + small_text - 2, xml_text(plot_.note));
  }

  void draw_grid() {
    for (std::size_t i = 0; i < x_.ticks.size(); ++i) {
      const double x = at(x_.ticks[i], y_.low).x;
      add("<path d=\"M{0:.1f} {1:.1f}V{2:.1f}\" stroke=\"{3}\"/>\n", x, top_, bottom_, grid_colour(x_.ticks[i]));
      add("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n", x, bottom_ + 18, x_.labels[i]);
    }
    for (std::size_t i = 0; i < y_.ticks.size(); ++i) {
      const double y = at(x_.low, y_.ticks[i]).y;
      add("<path d=\"M{0:.1f} {1:.1f}H{2:.1f}\" stroke=\"{3}\"/>\n", left_, y, right_, grid_colour(y_.ticks[i]));
      add("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>\n", left_ - 7, y + 4.5, y_.labels[i]);
    }
    add("<path d=\"M{0:.1f} {1:.1f}V{2:.1f}H{3:.1f}\" fill=\"none\" stroke=\"#555555\"/>\n", left_, top_, bottom_,
        right_);
    const double middle_x = (left_ + right_) / 2, middle_y = (top_ + bottom_) / 2;
    if (!plot_.x_label.empty())
      add("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n", middle_x, bottom_ + 40,
          xml_text(with_factor(plot_.x_label, x_.factor)));
    if (!plot_.y_label.empty())
      add("<text transform=\"translate(20 {:.1f}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n", middle_y,
          xml_text(with_factor(plot_.y_label, y_.factor)));
  }

  static const char* grid_colour(double tick) { return tick == 0 ? "#bbbbbb" : "#e6e6e6"; }

  /// "tip [m]" and "×10⁻³" give "tip [×10⁻³ m]": the numbers at the ticks are to be multiplied.
  static std::string with_factor(const std::string& label, const std::string& factor) {
    if (factor.empty()) return label;
    const std::size_t unit = label.rfind('[');
    if (unit == std::string::npos) return label + " [" + factor + "]";
    const bool plain = label.compare(unit, 3, "[1]") == 0 || label.compare(unit, 3, "[-]") == 0;
    return label.substr(0, unit + 1) + factor + (plain ? "]" : " " + label.substr(unit + 1));
  }

  /// Points in pixels; an interruption is a point that is not finite. Of the many points in one column of pixels the
  /// first, lowest, highest and last are enough.
  std::vector<PlotPoint> thinned(const PlotCurve& curve) const {
    std::vector<PlotPoint> points, column;
    const auto close_column = [&] {
      if (column.size() <= 4) {
        points.insert(points.end(), column.begin(), column.end());
      } else {
        const auto [low, high] = std::minmax_element(column.begin(), column.end(),
                                                     [](const PlotPoint& a, const PlotPoint& b) { return a.y < b.y; });
        points.push_back(column.front());
        points.push_back(low < high ? *low : *high);
        points.push_back(low < high ? *high : *low);
        points.push_back(column.back());
      }
      column.clear();
    };
    for (std::size_t i = 0; i < std::min(curve.x.size(), curve.y.size()); ++i) {
      const PlotPoint point = at(curve.x[i], curve.y[i]);
      const bool finite = std::isfinite(point.x) && std::isfinite(point.y);
      if (!column.empty() && (!finite || std::floor(point.x) != std::floor(column.front().x))) close_column();
      if (finite)
        column.push_back(point);
      else
        points.push_back(point);
    }
    close_column();
    return points;
  }

  /// One range for each column of pixels.
  void draw_band(std::size_t number) {
    const std::vector<PlotBand>& band = plot_.curves[number].band;
    if (band.empty()) return;
    const auto first = static_cast<long>(std::floor(left_)), count = static_cast<long>(std::ceil(right_)) - first + 1;
    std::vector<Range> columns(static_cast<std::size_t>(std::max(1L, count)));
    for (const PlotBand& stretch : band) {
      const PlotPoint from = at(stretch.x0, stretch.low), to = at(stretch.x1, stretch.high);
      if (!std::isfinite(from.x) || !std::isfinite(to.x) || !std::isfinite(from.y) || !std::isfinite(to.y)) continue;
      const auto column = [&](double x) { return std::clamp(static_cast<long>(std::floor(x)) - first, 0L, count - 1); };
      for (long k = column(from.x); k <= column(to.x); ++k) {
        columns[static_cast<std::size_t>(k)].add(from.y);
        columns[static_cast<std::size_t>(k)].add(to.y);
      }
    }
    for (std::size_t begin = 0; begin < columns.size(); ++begin) {
      if (!std::isfinite(columns[begin].low)) continue;
      std::size_t end = begin;
      while (end < columns.size() && std::isfinite(columns[end].low)) ++end;
      const auto x = [&](std::size_t k) { return static_cast<double>(first) + static_cast<double>(k); };
      out_ += "<path d=\"";
      for (std::size_t k = begin; k < end; ++k) add("{}{:.0f} {:.2f}h1", k == begin ? 'M' : 'L', x(k), columns[k].low);
      for (std::size_t k = end; k-- > begin;) add("L{:.0f} {:.2f}h-1", x(k) + 1, columns[k].high);
      add("z\" fill=\"{}\" fill-opacity=\"0.22\"/>\n", colour(number));
      begin = end;
    }
  }

  void draw_curve(std::size_t number) {
    const PlotCurve& curve = plot_.curves[number];
    if (has_line(curve.style)) {
      out_ += "<path d=\"";
      bool pen_down = false;
      for (const PlotPoint& point : thinned(curve)) {
        const bool finite = std::isfinite(point.x) && std::isfinite(point.y);
        if (finite) add("{}{:.2f} {:.2f}", pen_down ? 'L' : 'M', point.x, point.y);
        pen_down = finite;
      }
      add("\" {}/>\n", stroke(number));
    }
    if (has_markers(curve.style)) {
      const std::size_t count = std::min(curve.x.size(), curve.y.size());
      const std::size_t stride = std::max<std::size_t>(1, (count + most_markers - 1) / most_markers);
      for (std::size_t i = 0; i < count; i += stride)
        if (std::isfinite(curve.x[i]) && std::isfinite(curve.y[i])) draw_marker(number, at(curve.x[i], curve.y[i]));
    }
  }

  std::string stroke(std::size_t number) const {
    return fmt::format("fill=\"none\" stroke=\"{}\" stroke-width=\"1.8\" stroke-linejoin=\"round\"{}", colour(number),
                       plot_.curves[number].style == Style::dashed ? " stroke-dasharray=\"7 5\"" : "");
  }

  /// Circle, square, diamond and triangle by turns, so that curves differ in print too.
  void draw_marker(std::size_t number, PlotPoint p) {
    const std::string paint = fmt::format("fill=\"#ffffff\" stroke=\"{}\" stroke-width=\"1.6\"", colour(number));
    switch (number % 4) {
      case 0:
        add("<circle cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"3.6\" {}/>\n", p.x, p.y, paint);
        break;
      case 1:
        add("<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"6.6\" height=\"6.6\" {}/>\n", p.x - 3.3, p.y - 3.3, paint);
        break;
      case 2:
        add("<path d=\"M{:.2f} {:.2f}l4.4 4.4l-4.4 4.4l-4.4 -4.4z\" {}/>\n", p.x, p.y - 4.4, paint);
        break;
      default:
        add("<path d=\"M{:.2f} {:.2f}l4.2 7.2h-8.4z\" {}/>\n", p.x, p.y - 4.4, paint);
    }
  }

  void draw_legend() {
    for (const auto& [number, p] : legend_) {
      const PlotCurve& curve = plot_.curves[number];
      if (has_line(curve.style)) add("<path d=\"M{:.1f} {:.1f}h28\" {}/>\n", p.x, p.y, stroke(number));
      if (has_markers(curve.style)) draw_marker(number, {p.x + 14, p.y});
      add("<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", p.x + 34, p.y + 4.5, xml_text(curve.label));
    }
  }

  struct LegendEntry {
    std::size_t curve;
    PlotPoint place;
  };

  const Plot& plot_;
  std::string out_;
  std::vector<LegendEntry> legend_;
  PlotAxis x_, y_;
  double left_ = 0, right_ = 0, top_ = 0, bottom_ = 0;  // px, of the axes
};

}  // namespace

std::string svg_text(const Plot& plot) { return PlotPicture(plot).text(); }

}  // namespace flexura

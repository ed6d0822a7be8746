#pragma once

#include <string>
#include <vector>

namespace flexura {

/// From x0 to x1 what a curve stands for lies between low and high.
struct PlotBand {
  double x0, x1, low, high;
};

/// Points (x, y) drawn as a line, as markers or both. A number that is not finite interrupts the line.
struct PlotCurve {
  enum class Style { line, dashed, markers, line_and_markers };
  std::string label;  ///< empty: not in the legend
  std::vector<double> x, y;
  Style style = Style::line;
  std::vector<PlotBand> band = {};  ///< ascending; drawn behind the curve
  int colour_of = -1;               ///< the curve whose colour this one has; −1: one of its own, by its place
};

/// A line plot as a picture that needs no library, no font file and no script.
struct Plot {
  std::string title = {};
  std::string x_label = {}, y_label = {};  ///< with unit: "t [s]"
  std::vector<PlotCurve> curves = {};
  int width = 800, height = 500;  ///< px
  bool equal_axes = false;        ///< a metre in x is as long as one in y: shapes and paths
  std::string note = {};          ///< small, below the title: parameters, source
};

std::string svg_text(const Plot& plot);

/// Steps of 1, 2 or 5 times a power of ten; the multiples within [low, high], at most `count` of them.
std::vector<double> nice_ticks(double low, double high, int count);

}  // namespace flexura

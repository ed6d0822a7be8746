#include <gtest/gtest.h>

#include <cmath>

#include "flexura/base/temporary_folder.hpp"
#include "flexura/output/journal.hpp"
#include "flexura/output/plot_axis.hpp"
#include "flexura/output/plot_svg.hpp"
#include "flexura/output/sensor_plots.hpp"
#include "tests/output/well_formed.hpp"

namespace flexura {
namespace {

using Reals = std::vector<double>;
using Texts = std::vector<std::string>;

TEST(NiceTicks, AreMultiplesOfOneTwoOrFiveAndNeverMoreThanAsked) {
  EXPECT_EQ(nice_ticks(0, 10, 6), (Reals{0, 2, 4, 6, 8, 10}));
  EXPECT_EQ(nice_ticks(-0.3, 0.3, 7), (Reals{-0.30000000000000004, -0.2, -0.1, 0, 0.1, 0.2, 0.30000000000000004}));
  EXPECT_TRUE(nice_ticks(1, 1, 5).empty());
  EXPECT_TRUE(nice_ticks(0, INFINITY, 5).empty());
  for (double width = 1e-18; width < 1e18; width *= 1.7)
    for (int count = 2; count < 12; ++count) {
      const Reals ticks = nice_ticks(0.3 * width, 1.3 * width, count);
      ASSERT_LE(static_cast<int>(ticks.size()), count);
      ASSERT_GE(static_cast<int>(ticks.size()), 1) << width << ' ' << count;
      for (const double tick : ticks) {
        ASSERT_GE(tick, 0.3 * width * (1 - 1e-8));
        ASSERT_LE(tick, 1.3 * width * (1 + 1e-8));
      }
    }
}

TEST(PlotAxis, LabelsAreShortAndLargeOrSmallNumbersShareAFactor) {
  const auto labels = [](double low, double high) { return detail::make_axis(low, high, 0, 5).labels; };
  EXPECT_EQ(labels(0, 1), (Texts{"0.0", "0.5", "1.0"}));
  EXPECT_EQ(labels(-20, 20), (Texts{"−20", "−10", "0", "10", "20"}));
  const auto small = detail::make_axis(0, 4e-5, 0, 5);
  EXPECT_EQ(small.factor, "×10⁻⁶");
  EXPECT_EQ(small.labels, (Texts{"0", "10", "20", "30", "40"}));
  EXPECT_EQ(detail::make_axis(0, 2e6, 0, 5).factor, "×10⁶");
  EXPECT_EQ(detail::make_axis(0, 2e4, 0, 5).factor, "");
}

TEST(PlotAxis, AConstantAndNothingAtAllStillHaveARange) {
  const auto constant = detail::make_axis(3, 3, 0.05, 5);
  EXPECT_LT(constant.low, 3);
  EXPECT_GT(constant.high, 3);
  const auto nothing = detail::make_axis(INFINITY, -INFINITY, 0.05, 5);
  EXPECT_LT(nothing.low, nothing.high);
  EXPECT_FALSE(nothing.ticks.empty());
}

Plot waves(std::size_t points) {
  Plot plot{.title = "a < b & \"c\"", .x_label = "t [s]", .y_label = "y [m]", .curves = {}, .note = "x > 1"};
  PlotCurve curve{"sine", {}, {}, PlotCurve::Style::line};
  for (std::size_t i = 0; i < points; ++i) {
    curve.x.push_back(1e-3 * static_cast<double>(i));
    curve.y.push_back(std::sin(0.5 * static_cast<double>(i)));
  }
  plot.curves = {curve};
  return plot;
}

TEST(PlotSvg, IsWellFormedWhateverIsInIt) {
  EXPECT_EQ(xml_fault(svg_text(waves(100))), "");
  EXPECT_EQ(xml_fault(svg_text({})), "");
  Plot odd = waves(3);
  odd.equal_axes = true;
  odd.curves[0].y = {NAN, INFINITY, -INFINITY};
  odd.curves.push_back({"uneven", {1, 2, 3}, {1}, PlotCurve::Style::line_and_markers});
  const std::string text = svg_text(odd);
  EXPECT_EQ(xml_fault(text), "");
  EXPECT_EQ(text.find("nan"), std::string::npos);
  EXPECT_EQ(text.find("inf"), std::string::npos);
}

TEST(PlotSvg, ALongCurveIsThinnedToItsPixelsAndKeepsItsPeaks) {
  Plot plot = waves(1000000);
  plot.curves[0].y[777777] = 5;
  const std::string text = svg_text(plot);
  EXPECT_LT(text.size(), 60000U);
  Plot without = waves(1000000);
  EXPECT_NE(text, svg_text(without));
  EXPECT_NE(text.find(">5<"), std::string::npos) << "the axis reaches to the single peak";
}

TEST(PlotSvg, ACurveMayHaveTheColourOfAnother) {
  Plot plot{.curves = {{.label = "", .x = {0, 1}, .y = {0, 1}}, {.label = "", .x = {0, 1}, .y = {1, 0}}}};
  EXPECT_NE(svg_text(plot).find("#d55e00"), std::string::npos);
  plot.curves[1].colour_of = 0;
  EXPECT_EQ(svg_text(plot).find("#d55e00"), std::string::npos);
}

TEST(PlotSvg, AGapInterruptsTheLine) {
  Plot plot = waves(30);
  const auto strokes = [](const std::string& text) {
    const std::size_t begin = text.rfind("<path d=\"M", text.find("stroke-width"));
    std::string path = text.substr(begin, text.find("\" ", begin) - begin);
    return std::count(path.begin(), path.end(), 'M');
  };
  EXPECT_EQ(strokes(svg_text(plot)), 1);
  plot.curves[0].y[10] = NAN;
  EXPECT_EQ(strokes(svg_text(plot)), 2);
}

TEST(PlotSvg, EqualAxesShowAMetreAsLongInBothDirections) {
  const auto width_and_height = [](bool equal) {
    Plot plot{.equal_axes = equal};
    plot.curves = {{"", {0, 1, 1, 0, 0}, {0, 0, 1, 1, 0}, PlotCurve::Style::line}};
    const std::string text = svg_text(plot);
    const std::size_t begin = text.rfind("<path d=\"M", text.find("stroke-width")) + 10;
    double x0, y0, x1, y1, x2, y2;
    EXPECT_EQ(std::sscanf(text.c_str() + begin, "%lf %lfL%lf %lfL%lf %lf", &x0, &y0, &x1, &y1, &x2, &y2), 6);
    return std::pair(x1 - x0, y1 - y2);
  };
  const auto [width, height] = width_and_height(true);
  EXPECT_NEAR(width, height, 0.02);  // coordinates have two decimals
  const auto [wide, high] = width_and_height(false);
  EXPECT_GT(wide, 1.2 * high);
}

TEST(SensorPlots, OnePicturePerSensorAndColumn) {
  const TemporaryFolder folder;
  auto writer = JournalWriter::create(folder / "run.journal");
  const auto tip = writer->define(
      {"/sensors/tip", "", {{"t", {}, "s", ""}, {"position", {2}, "m", "of the tip", "world", {"x", "y"}}}});
  const auto hinge = writer->define(
      {"/sensors/left/hinge", "", {{"t", {}, "s", ""}, {"value", {}, "rad", ""}, {"rate", {}, "rad/s", ""}}});
  writer->define({"/sensors/never", "", {{"t", {}, "s", ""}, {"value", {}, "m", ""}}});
  for (int i = 0; i < 20; ++i) {
    writer->row(*tip, {0.1 * i, std::sin(0.3 * i), std::cos(0.3 * i)});
    writer->row(*hinge, {0.1 * i, 1.0 * i, 2.0});
  }
  writer->end("finished");
  const auto reader = JournalReader::open(folder / "run.journal");
  ASSERT_TRUE(reader) << reader.error();
  const auto paths = write_plot_files(*reader, kept_tables(*reader), folder / "plots");
  ASSERT_TRUE(paths) << paths.error();
  EXPECT_EQ(*paths, (Texts{folder / "plots/tip.svg", folder / "plots/left.hinge.value.svg",
                           folder / "plots/left.hinge.rate.svg"}));
  const auto rows = reader->read_rows(*reader->find("/sensors/tip"));
  const auto plots = plots_of(reader->channels()[*tip], *rows);
  ASSERT_EQ(plots.size(), 1U);
  EXPECT_EQ(plots[0].title, "tip: position");
  EXPECT_EQ(plots[0].y_label, "position [m]");
  ASSERT_EQ(plots[0].curves.size(), 2U);
  EXPECT_EQ(plots[0].curves[1].label, "position.y");
  EXPECT_EQ(plots[0].curves[1].y[3], std::cos(0.3 * 3));
}

TEST(SensorPlots, WhatLiesBetweenSamplesIsABand) {
  const Channel sensor{"/sensors/tip", "", {{"t", {}, "s", ""}, {"position", {2}, "m", "", "", {"x", "y"}}}};
  const Channel envelope{"/envelopes/tip",
                         "",
                         {{"t", {}, "s", ""}, {"position_least", {2}, "m", ""}, {"position_greatest", {2}, "m", ""}}};
  std::vector<Plot> plots = plots_of(sensor, Reals{0, 1, 2, 1, 1, 2, 3, 1, 2});
  add_bands(plots, sensor, envelope, Reals{0, 1, 2, 1, 2, 1, -4, 0, 5, 6, 3, 1, 1, 2, 2});
  ASSERT_EQ(plots.size(), 1U);
  EXPECT_NE(plots[0].note.find("band: least and greatest of all steps"), std::string::npos);
  const std::vector<PlotBand>&x = plots[0].curves[0].band, &y = plots[0].curves[1].band;
  ASSERT_EQ(x.size(), 3U);
  EXPECT_EQ(x[0].x0, 0) << "nothing lies before the first sample";
  EXPECT_EQ(x[1].x0, 0);
  EXPECT_EQ(x[1].x1, 1);
  EXPECT_EQ(x[1].low, -4);
  EXPECT_EQ(x[1].high, 5);
  EXPECT_EQ(y[1].low, 0);
  EXPECT_EQ(y[1].high, 6);
  EXPECT_EQ(x[2].x0, 1);
  const std::string text = svg_text(plots[0]);
  EXPECT_NE(text.find("fill-opacity"), std::string::npos);
  EXPECT_EQ(text.find("nan"), std::string::npos);
}

}  // namespace
}  // namespace flexura

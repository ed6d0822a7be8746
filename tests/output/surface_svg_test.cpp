#include "flexura/output/surface_svg.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace flexura {
namespace {

using testing::HasSubstr;

TEST(SurfaceSvg, FarFacesComeFirstAndInsidesHaveAColourOfTheirOwn) {
  // Two squares of 1 m in planes across Y, seen from −Y: the near one at y = 0, the far one at y = 1 turned away.
  SurfacePicture picture{.title = "a < b"};
  picture.panels = {
      {.caption = "two",
       .quads = {{{{0, 0, 0}, {1, 0, 0}, {1, 0, 1}, {0, 0, 1}}}, {{{0, 1, 0}, {0, 1, 2}, {1, 1, 2}, {1, 1, 0}}}},
       .points = {{0.5, 0, 0.5}}}};
  const std::string svg = svg_text(picture);
  EXPECT_THAT(svg, HasSubstr("a &lt; b"));
  EXPECT_THAT(svg, HasSubstr(">two</text>"));
  EXPECT_THAT(svg, HasSubstr("<circle"));
  const size_t first = svg.find("fill=\"#", svg.find("<path d=\"M")), second = svg.find("<path d=\"M", first);
  ASSERT_NE(second, std::string::npos);
  const auto red_and_blue = [&](size_t at) {
    const std::string hex = svg.substr(svg.find("fill=\"#", at) + 7, 6);
    return std::pair{std::stoi(hex.substr(0, 2), nullptr, 16), std::stoi(hex.substr(4, 2), nullptr, 16)};
  };
  const auto far = red_and_blue(first - 1), near = red_and_blue(second);
  EXPECT_GT(far.first, far.second);    // warm: its inside is seen
  EXPECT_LT(near.first, near.second);  // cool
}

TEST(SurfaceSvg, PanelsShareOneScale) {
  SurfacePicture picture;
  picture.panels = {{.quads = {{{{0, 0, 0}, {2, 0, 0}, {2, 0, 2}, {0, 0, 2}}}}},
                    {.quads = {{{{0, 0, 0}, {1, 0, 0}, {1, 0, 1}, {0, 0, 1}}}}}};
  const std::string svg = svg_text(picture);
  const auto width = [&](size_t at) {  // from the first corner to the second
    double x0 = 0, y0 = 0, x1 = 0;
    EXPECT_EQ(std::sscanf(svg.c_str() + at, "<path d=\"M%lf,%lf %lf", &x0, &y0, &x1), 3);
    return x1 - x0;
  };
  const size_t first = svg.find("<path d=\"M"), second = svg.find("<path d=\"M", first + 1);
  EXPECT_NEAR(width(first), 2 * width(second), 0.2);
}

TEST(SurfaceSvg, AnEmptyPictureIsOne) { EXPECT_THAT(svg_text({}), HasSubstr("</svg>")); }

}  // namespace
}  // namespace flexura

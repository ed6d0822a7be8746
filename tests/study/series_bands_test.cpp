#include "flexura/study/series_bands.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace flexura::test {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::Pointwise;

std::vector<const SweepSeries*> pointers(const std::vector<SweepSeries>& all) {
  std::vector<const SweepSeries*> out;
  for (const SweepSeries& one : all) out.push_back(&one);
  return out;
}

// Runs a t with a = 0, 0.1, …, 1: the quartiles at t are t/4, t/2 and 3t/4, in whatever order the runs stand.
TEST(SeriesBands, OfRaysAreRays) {
  std::vector<SweepSeries> runs;
  for (const int k : {5, 0, 10, 3, 1, 9, 2, 8, 7, 4, 6}) {
    SweepSeries& run = runs.emplace_back();
    for (const double t : {0.0, 1.0, 2.0}) {
      run.at.push_back(t);
      run.values.insert(run.values.end(), {7.0, 0.1 * k * t});
    }
  }
  const auto all = pointers(runs);
  const CommonAxis axis = common_axis(all, 100);
  EXPECT_THAT(axis.at, ElementsAre(0, 1, 2));
  const SeriesBands bands = bands_of(on_axis(all, axis, 2, 1), all.size());
  const auto rays = [](double slope) { return std::vector<double>{0, slope, 2 * slope}; };
  EXPECT_THAT(bands.least, Pointwise(DoubleNear(1e-15), rays(0)));
  EXPECT_THAT(bands.lower, Pointwise(DoubleNear(1e-15), rays(0.25)));
  EXPECT_THAT(bands.median, Pointwise(DoubleNear(1e-15), rays(0.5)));
  EXPECT_THAT(bands.upper, Pointwise(DoubleNear(1e-15), rays(0.75)));
  EXPECT_THAT(bands.greatest, Pointwise(DoubleNear(1e-15), rays(1)));
  EXPECT_THAT(bands_of(on_axis(all, axis, 2, 0), all.size()).upper, ElementsAre(7, 7, 7));
}

// Quartiles of n values are at 1 + (n − 1)/4 of them in order: of two a quarter of the way, of one itself.
TEST(SeriesBands, AreOfTheRunsThatReachAPlace) {
  const std::vector<SweepSeries> runs{{{0, 1, 2}, {0, 10, 20}}, {{0, 1}, {4, 4}}, {}};
  auto all = pointers(runs);
  all.push_back(nullptr);  // failed
  const CommonAxis axis = common_axis(all, 5);
  EXPECT_THAT(axis.at, ElementsAre(0, 0.5, 1, 1.5, 2));
  const SeriesBands bands = bands_of(on_axis(all, axis, 1, 0), all.size());
  EXPECT_THAT(bands.least, ElementsAre(0, 4, 4, 15, 20));
  EXPECT_THAT(bands.lower, ElementsAre(1, 4.25, 5.5, 15, 20));
  EXPECT_THAT(bands.median, ElementsAre(2, 4.5, 7, 15, 20));
  EXPECT_THAT(bands.greatest, ElementsAre(4, 5, 10, 15, 20));
  EXPECT_TRUE(common_axis(std::vector<const SweepSeries*>{nullptr}, 5).at.empty());
}

TEST(SeriesBands, KeepJumpsWhereAllRunsHaveThemAndCountSamplesThatGoBack) {
  const std::vector<SweepSeries> jump{{{0, 1, 1, 2}, {0, 0, 5, 5}}};
  const auto jumps = pointers(jump);
  EXPECT_THAT(on_axis(jumps, common_axis(jumps, 10), 1, 0), ElementsAre(0, 0, 5, 5));
  // A path of equilibria: the load factor grows, falls, grows.
  const std::vector<SweepSeries> path{{{0, 0.5, 0.2, 0.9}, {1, 2, 3, 4}}, {{0, 0.5}, {10, 20}}};
  const auto paths = pointers(path);
  const CommonAxis axis = common_axis(paths, 10);
  EXPECT_TRUE(axis.counts_samples);
  EXPECT_THAT(axis.at, ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(bands_of(on_axis(paths, axis, 1, 0), 2).greatest, ElementsAre(10, 20, 3, 4));
}

}  // namespace
}  // namespace flexura::test

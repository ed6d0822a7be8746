// The blocks of the linear solver that a model's unknowns are put into.

#include "flexura/model/block_layout.hpp"

#include <gtest/gtest.h>

#include "tests/support/machines.hpp"
#include "tests/support/mechanism_chains.hpp"

namespace flexura::test {
namespace {

std::vector<int> sizes_of(const Topology& t) {
  std::vector<int> out(t.block_count, 0);
  for (const Slot& s : t.slots)
    if (s.block >= 0) out[s.block] += s.size;
  return out;
}

TEST(BlockLayout, NodesOfACableStayWhole) {
  ModelBuilder b(2);
  clamp(b, add_cable(b, 10, {}, {}));
  const Model model = b.build();
  EXPECT_EQ(sizes_of(*model.topology), std::vector<int>(10, 4));
}

// Nodes of 9 and 6 unknowns: measured 1.48 us per body in blocks of 9, 0.91 in blocks of 6, 0.74 in blocks of 3.
TEST(BlockLayout, BodiesWithUnlikeNodesAreCutWhereThePaddingCostsMore) {
  const Model model = spatial_chain(20, SpatialJoint::spherical);
  for (int size : sizes_of(*model.topology)) EXPECT_EQ(size, 3);
}

TEST(BlockLayout, MultipliersNeverShareABlockWithCoordinates) {
  for (const Model& model : {planar_chain(5), spatial_chain(5, SpatialJoint::hinge), windows(4), linkage()}) {
    const Topology& t = *model.topology;
    std::vector<int> kind(t.block_count, -1);
    for (const Slot& s : t.slots) {
      if (s.block < 0) continue;
      EXPECT_TRUE(kind[s.block] < 0 || kind[s.block] == s.multiplier);
      kind[s.block] = s.multiplier;
    }
  }
}

// y is the concatenation of the blocks: the solver relies on it.
TEST(BlockLayout, BlocksFollowEachOtherInTheUnknowns) {
  for (const Model& model : {spatial_chain(5, SpatialJoint::spherical), windows(4), linkage()}) {
    const Topology& t = *model.topology;
    const std::vector<int> sizes = sizes_of(t);
    std::vector<int> first(sizes.size() + 1, 0);
    for (size_t k = 0; k < sizes.size(); ++k) first[k + 1] = first[k] + sizes[k];
    EXPECT_EQ(first.back(), t.ny);
    for (const Slot& s : t.slots)
      if (s.block >= 0) {
        EXPECT_EQ(s.offset, first[s.block] + s.block_offset);
      }
  }
}

}  // namespace
}  // namespace flexura::test

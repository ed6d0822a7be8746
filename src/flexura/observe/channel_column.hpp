#pragma once
// What a stream of numbers is called, and how it is shaped.

#include <cstdint>
#include <string>
#include <vector>

namespace flexura {

/// `single`: numbers of 24 bits of precision, for drawings; two of a row take the place of one.
enum class ColumnType { real, integer, single };

/// One quantity of a channel: a number, vector or matrix per row. Names that begin with "wall_" (columns, attributes,
/// checkpoint arrays) hold times of the clock on the wall: the only ones that may differ between two runs of one scene.
struct ChannelColumn {
  std::string name;                          ///< e.g. "position"; unique in its channel
  std::vector<std::uint64_t> shape;          ///< of one row: {} a number, {2} a planar vector, {n, 2} one per node
  std::string unit;                          ///< SI, e.g. "m", "N m", "1"
  std::string doc;                           ///< one line
  std::string frame = {};                    ///< e.g. "world", or empty where it has no meaning
  std::vector<std::string> components = {};  ///< names along the last index, e.g. {"x", "y"}; empty: numbers
  ColumnType type = ColumnType::real;

  /// Numbers in one row.
  std::uint64_t size() const {
    std::uint64_t product = 1;
    for (const std::uint64_t n : shape) product *= n;
    return product;
  }
  bool operator==(const ChannelColumn&) const = default;
};

inline ChannelColumn time_column() { return {"t", {}, "s", "time"}; }

}  // namespace flexura

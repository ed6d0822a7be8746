#pragma once
// Arrays of a report (docs/report-format.md, "Blocks").

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "flexura/base/json.hpp"

namespace flexura {

/// All arrays of a report, compressed one after the other. Equal arrays are kept once.
class BlockStore {
 public:
  using Shape = std::vector<std::size_t>;

  /// Each returns the JSON that refers to the array. `delta`: rows hold differences to the row before.
  Json add(std::span<const std::uint16_t> values, const Shape& shape, bool delta = false);
  Json add(std::span<const std::uint32_t> values, const Shape& shape);
  Json add(std::span<const float> values, const Shape& shape);
  Json add(std::span<const double> values, const Shape& shape);

  /// The zlib streams, to be written as base64.
  const std::string& bytes() const { return bytes_; }

 private:
  Json store(std::string_view planes, const char* type, std::size_t count, const Shape& shape, bool delta);

  std::string bytes_;
  std::multimap<std::size_t, std::pair<std::size_t, std::size_t>> known_;  ///< by hash: where, how long
};

}  // namespace flexura

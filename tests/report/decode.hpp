#pragma once
// Reads the blocks of a report as a viewer does.

#include <zlib.h>

#include <cstdint>
#include <cstring>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "flexura/base/json.hpp"

namespace flexura {

template <class Number>
std::vector<Number> decode(const std::string& blocks, const Json& json) {
  const std::size_t count = json["count"], at = json["at"], bytes = json["bytes"];
  std::vector<unsigned char> planes(count * sizeof(Number) + 1);
  uLongf size = planes.size();
  if (uncompress(planes.data(), &size, reinterpret_cast<const Bytef*>(blocks.data()) + at, bytes) != Z_OK ||
      size != count * sizeof(Number))
    throw std::runtime_error("not the block that its JSON says");
  std::vector<Number> numbers(count);
  for (std::size_t i = 0; i < count; ++i) {
    unsigned char number[sizeof(Number)];
    for (std::size_t k = 0; k < sizeof(Number); ++k) number[k] = planes[k * count + i];
    std::memcpy(&numbers[i], number, sizeof(Number));
  }
  if (json.contains("delta")) {
    const std::size_t width = count / json["shape"][0].get<std::size_t>();
    for (std::size_t i = width; i < count; ++i) numbers[i] = static_cast<Number>(numbers[i] + numbers[i - width]);
  }
  return numbers;
}

}  // namespace flexura

#include "flexura/base/checksum.hpp"

#include <nmmintrin.h>

#include <cstring>

namespace flexura {

std::uint32_t crc32c(const void* data, std::size_t bytes, std::uint32_t crc) {
  const char* p = static_cast<const char*>(data);
  std::uint64_t state = ~crc;
  for (; bytes >= 8; bytes -= 8, p += 8) {
    std::uint64_t word;
    std::memcpy(&word, p, 8);
    state = _mm_crc32_u64(state, word);
  }
  auto tail = static_cast<std::uint32_t>(state);
  for (; bytes > 0; --bytes, ++p) tail = _mm_crc32_u8(tail, static_cast<unsigned char>(*p));
  return ~tail;
}

}  // namespace flexura

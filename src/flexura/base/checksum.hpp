#pragma once

#include <cstddef>
#include <cstdint>

namespace flexura {

/// CRC-32C (Castagnoli, polynomial 0x1EDC6F41, reflected) of some bytes; `crc` continues an earlier call.
/// crc32c("123456789") = 0xE3069283, RFC 3720 appendix B.4.
std::uint32_t crc32c(const void* data, std::size_t bytes, std::uint32_t crc = 0);

}  // namespace flexura

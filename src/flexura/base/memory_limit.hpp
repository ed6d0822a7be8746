#pragma once
// A bound on the memory of this process, for who reads files that may claim anything.

#include <cstdint>

namespace flexura {

/// From here on more than `bytes` are refused (std::bad_alloc); what is there already counts.
void limit_memory(std::uint64_t bytes);
/// The bound, 0 where there is none.
std::uint64_t memory_limit();
/// Before another program is started, which would inherit it.
void lift_memory_limit();

}  // namespace flexura

#include "flexura/base/memory_limit.hpp"

#include <sys/resource.h>

#include <algorithm>

namespace flexura {
namespace {

std::uint64_t bound = 0;

void set_soft(rlim_t wanted) {
  rlimit limit{};
  if (::getrlimit(RLIMIT_DATA, &limit) != 0) return;
  limit.rlim_cur = std::min(wanted, limit.rlim_max);
  ::setrlimit(RLIMIT_DATA, &limit);
}

}  // namespace

void limit_memory([[maybe_unused]] std::uint64_t bytes) {
#ifndef __SANITIZE_ADDRESS__  // its shadow alone is more than any bound
  bound = bytes;
  set_soft(bytes);
#endif
}

std::uint64_t memory_limit() { return bound; }

void lift_memory_limit() {
  if (bound == 0) return;
  bound = 0;
  set_soft(RLIM_INFINITY);
}

}  // namespace flexura

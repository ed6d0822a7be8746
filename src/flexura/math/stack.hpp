#pragma once
// Room on the stack whose size is known only at run time: kernels' local numbers, without a heap in a step.

#include <cstddef>

/// `count` uninitialised numbers of a trivially destructible type, until the block ends that this stands in.
#define FLEXURA_STACK(T, count) \
  static_cast<T*>(__builtin_alloca_with_align(sizeof(T) * static_cast<std::size_t>(count), 512))

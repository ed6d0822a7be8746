#pragma once
// Link count_allocations.cpp of the same folder's test to count the heap's use of a whole executable.

namespace flexura::test {

/// Calls of operator new so far, in every thread.
long allocations();

}  // namespace flexura::test

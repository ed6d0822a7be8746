#pragma once
// The heap's use of a whole test executable: every one of them is linked with count_allocations.cpp.

namespace flexura::test {

/// Calls of operator new so far, in every thread.
long allocations();

}  // namespace flexura::test

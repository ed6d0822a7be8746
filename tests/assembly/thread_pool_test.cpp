// Threads that do not pay are left alone: counted are chunks that others than the caller took, and processor time of waiting.

#include "flexura/assembly/thread_pool.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <ctime>
#include <thread>

namespace flexura {
namespace {

double processor_time() {  // [s], of all threads
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

TEST(ThreadPool, DoesNotWakeAnybodyForOneChunk) {
  ThreadPool pool(2);
  std::atomic<int> taken{0};
  const auto caller = std::this_thread::get_id();
  for (int run = 0; run < 1000; ++run) pool.for_each(1, [&](int) { taken += std::this_thread::get_id() != caller; });
  EXPECT_EQ(taken, 0);
}

// Chunks of nanoseconds are the caller's, but for the looks at the other way: one run of 64.
TEST(ThreadPool, KeepsSmallChunksToTheCaller) {
  ThreadPool pool(2);
  constexpr int runs = 20000, chunks = 4;
  std::atomic<int> taken{0};
  std::array<int, chunks> done{};
  const auto caller = std::this_thread::get_id();
  for (int run = 0; run < runs; ++run)
    pool.for_each(chunks, [&](int i) {
      ++done[i];
      if (std::this_thread::get_id() != caller) ++taken;
    });
  EXPECT_LE(taken, runs * chunks / 32);
  for (const int count : done) EXPECT_EQ(count, runs);
}

// Who waits looks around for some 50 µs and sleeps then: four threads that wait take no processor.
TEST(ThreadPool, SleepsWhereItWaits) {
  ThreadPool pool(4);
  std::atomic<int> sum{0};
  for (int run = 0; run < 64; ++run) pool.for_each(16, [&](int i) { sum += i; });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  const double before = processor_time();
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  EXPECT_LT(processor_time() - before, 0.02);
  EXPECT_EQ(sum, 64 * 120);
}

}  // namespace
}  // namespace flexura

#pragma once
// Runs the chunks of a model on a few threads. Which thread takes which chunk has no influence on the result.
//
// Nobody waits for a thread that has not begun: chunks are taken one by one, and a thread that wakes late finds none left. Who
// has to wait looks around for some microseconds and then sleeps, as the processor may be another's.
//
// Threads never cost for long: each place that calls takes the time of its runs alone and shared, keeps to the faster way, and
// looks at the other now and then.

#include <array>
#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

namespace flexura {

class ThreadPool {
 public:
  /// At most as many as there are processors for this process: more would only wait for each other.
  explicit ThreadPool(int threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  int threads() const { return static_cast<int>(workers_.size()) + 1; }

  /// Calls f(i) for i = 0 … count − 1, each once, and returns when all are done. No heap use.
  template <class F>
  void for_each(int count, const F& f) {
    if (workers_.empty() || count < 2) {
      for (int i = 0; i < count; ++i) f(i);
      return;
    }
    run(static_cast<std::uint32_t>(count), [](const void* g, int i) { (*static_cast<const F*>(g))(i); }, &f);
  }

 private:
  using Call = void (*)(const void*, int);
  /// Of one place of call and number of chunks: a mean of the last times [ns], and how often it was called.
  struct Habit {
    Call call = nullptr;
    std::uint32_t count = 0, runs = 0;
    double alone = 0, shared = 0;
  };
  Habit& habit_of(Call call, std::uint32_t count);
  void share(std::uint32_t count, Call call, const void* f);
  void run(std::uint32_t count, Call call, const void* f);
  void work();
  void take();

  /// Run, number of its chunks, next chunk: taken together, a chunk is of the run whose call_ and function_ are read.
  struct Ticket {
    std::uint32_t run = 0;
    std::uint16_t count = 0, next = 0;
  };
  static_assert(std::atomic<Ticket>::is_always_lock_free);

  std::vector<std::thread> workers_;
  std::array<Habit, 32> habits_{};
  std::size_t known_ = 0, replaced_ = 0;
  Call call_ = nullptr;
  const void* function_ = nullptr;
  std::atomic<Ticket> ticket_{Ticket{}};
  std::atomic<std::uint32_t> done_{0};  ///< chunks of the run
  std::atomic<std::uint32_t> run_{0};   ///< what threads without work wait for
  std::atomic<bool> stop_{false};
};

/// Processors that this process may use.
int available_processors();

}  // namespace flexura

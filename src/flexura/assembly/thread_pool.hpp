#pragma once
// Runs the chunks of a model on a few threads. Which thread takes which chunk has no influence on the result.

#include <atomic>
#include <thread>
#include <vector>

namespace flexura {

class ThreadPool {
 public:
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
    run(count, [](const void* g, int i) { (*static_cast<const F*>(g))(i); }, &f);
  }

 private:
  using Call = void (*)(const void*, int);
  void run(int count, Call call, const void* f);
  void work();
  void take();

  std::vector<std::thread> workers_;
  Call call_ = nullptr;
  const void* function_ = nullptr;
  int count_ = 0;
  std::atomic<int> next_{0}, busy_{0};
  std::atomic<unsigned> generation_{0};
  std::atomic<bool> stop_{false};
};

}  // namespace flexura

#include "flexura/assembly/thread_pool.hpp"

#include <immintrin.h>

namespace flexura {

ThreadPool::ThreadPool(int threads) {
  for (int i = 1; i < threads; ++i) workers_.emplace_back([this] { work(); });
}

ThreadPool::~ThreadPool() {
  stop_ = true;
  ++generation_;
  generation_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

void ThreadPool::take() {
  for (int i = next_.fetch_add(1); i < count_; i = next_.fetch_add(1)) call_(function_, i);
}

void ThreadPool::run(int count, Call call, const void* f) {
  call_ = call;
  function_ = f;
  count_ = count;
  next_ = 0;
  busy_ = static_cast<int>(workers_.size());
  ++generation_;
  generation_.notify_all();
  take();
  for (int spins = 0; busy_.load() > 0; ++spins) {
    if (spins > 10000) std::this_thread::yield();
    _mm_pause();
  }
}

void ThreadPool::work() {
  unsigned seen = 0;
  while (true) {
    for (int spins = 0; generation_.load() == seen; ++spins) {
      if (spins > 20000) generation_.wait(seen);
      _mm_pause();
    }
    seen = generation_.load();
    if (stop_) return;
    take();
    --busy_;
  }
}

}  // namespace flexura

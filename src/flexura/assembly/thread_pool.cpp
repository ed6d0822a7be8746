#include "flexura/assembly/thread_pool.hpp"

#include <immintrin.h>
#include <sched.h>

#include <algorithm>
#include <chrono>

namespace flexura {
namespace {

constexpr int spins = 2000;  ///< before sleeping; some 50 µs
constexpr std::uint32_t first_looks = 3, look_again = 64;

/// Until x is no longer `old`.
void wait_for_change(const std::atomic<std::uint32_t>& x, std::uint32_t old) {
  for (int i = 0; i < spins; ++i) {
    if (x.load(std::memory_order_acquire) != old) return;
    _mm_pause();
  }
  x.wait(old, std::memory_order_acquire);
}

}  // namespace

int available_processors() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) == 0) return std::max(1, CPU_COUNT(&set));
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

ThreadPool::ThreadPool(int threads) {
  const int used = std::min(threads, available_processors());
  for (int i = 1; i < used; ++i) workers_.emplace_back([this] { work(); });
}

ThreadPool::~ThreadPool() {
  stop_ = true;
  ++run_;
  run_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

void ThreadPool::take() {
  Ticket ticket = ticket_.load(std::memory_order_acquire);
  while (ticket.next < ticket.count) {
    Ticket taken = ticket;
    ++taken.next;
    if (!ticket_.compare_exchange_weak(ticket, taken, std::memory_order_acq_rel)) continue;
    call_(function_, ticket.next);
    if (done_.fetch_add(1, std::memory_order_acq_rel) + 1 == ticket.count) done_.notify_one();
    ticket = ticket_.load(std::memory_order_acquire);
  }
}

ThreadPool::Habit& ThreadPool::habit_of(Call call, std::uint32_t count) {
  for (std::size_t i = 0; i < known_; ++i)
    if (habits_[i].call == call && habits_[i].count == count) return habits_[i];
  Habit& habit = known_ < habits_.size() ? habits_[known_++] : habits_[replaced_++ % habits_.size()];
  habit = {call, count, 0, 0, 0};
  return habit;
}

void ThreadPool::run(std::uint32_t count, Call call, const void* f) {
  Habit& habit = habit_of(call, count);
  const bool other_way = habit.runs % look_again == look_again - 1;
  const bool shared = habit.runs < 2 * first_looks ? habit.runs % 2 == 1 : (habit.shared < habit.alone) != other_way;
  ++habit.runs;
  const auto begin = std::chrono::steady_clock::now();
  if (shared)
    share(count, call, f);
  else
    for (std::uint32_t i = 0; i < count; ++i) call(f, static_cast<int>(i));
  const double took = std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - begin).count();
  double& mean = shared ? habit.shared : habit.alone;
  mean = mean == 0 ? took : mean + 0.2 * (std::min(took, 4 * mean) - mean);
}

void ThreadPool::share(std::uint32_t count, Call call, const void* f) {
  call_ = call;
  function_ = f;
  done_.store(0, std::memory_order_relaxed);
  const std::uint32_t run = run_.load(std::memory_order_relaxed) + 1;
  ticket_.store({run, static_cast<std::uint16_t>(count), 0}, std::memory_order_release);
  run_.store(run, std::memory_order_release);
  run_.notify_all();
  take();
  for (std::uint32_t done = done_.load(std::memory_order_acquire); done != count;
       done = done_.load(std::memory_order_acquire))
    wait_for_change(done_, done);
}

void ThreadPool::work() {
  for (std::uint32_t seen = 0;;) {
    wait_for_change(run_, seen);
    seen = run_.load(std::memory_order_acquire);
    if (stop_) return;
    take();
  }
}

}  // namespace flexura

#include "interpreter.hpp"

#include <pthread.h>

#include <atomic>
#include <chrono>
#include <thread>

namespace flexura::python {
namespace {

using namespace std::chrono_literals;
constexpr auto patience = 5s;  ///< with functions that do not return

std::atomic<bool> closed{false};
std::atomic<int> coming{0};        ///< threads that have begun to take the lock, or call Python from inside the engine
thread_local bool closes = false;  ///< it has closed the interpreter, or works for who has: it may go on

[[noreturn]] void wait_for_the_end() {
  for (;;) std::this_thread::sleep_for(1h);
}

void come() {
  coming.fetch_add(1);
  if (!closed.load() || closes) return;
  coming.fetch_sub(1);
  wait_for_the_end();
}

void gone() { coming.fetch_sub(1); }

/// Of a forked process: the other threads are not there.
const int counts_anew = pthread_atfork(nullptr, nullptr, [] { coming.store(0); });

}  // namespace

void close_interpreter() {
  closes = true;
  closed.store(true);
  static_cast<void>(counts_anew);
  PyThreadState* const state = PyEval_SaveThread();
  const auto until = std::chrono::steady_clock::now() + patience;
  while (coming.load() > 0 && std::chrono::steady_clock::now() < until) std::this_thread::sleep_for(1ms);
  PyEval_RestoreThread(state);
}

Unlocked::~Unlocked() {
  come();
  PyEval_RestoreThread(state_);
  gone();
}

Locked::Locked() {
  come();
  state_ = PyGILState_Ensure();
}

Locked::~Locked() {
  PyGILState_Release(state_);
  gone();
}

WorksFor::WorksFor() : closes_(closes) {}
void WorksFor::begin() const { closes = closes_; }

}  // namespace flexura::python

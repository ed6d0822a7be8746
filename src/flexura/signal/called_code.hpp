#pragma once
// A function of the program around the simulation, as the simulation sees it: a name for messages, and whether it failed.

#include <atomic>
#include <memory>
#include <string>
#include <utility>

namespace flexura {

/// May be called, and may fail, in several threads at once.
class CalledCode {
 public:
  explicit CalledCode(std::string what) : what_(std::move(what)) {}
  CalledCode(const CalledCode&) = delete;
  CalledCode& operator=(const CalledCode&) = delete;

  const std::string& what() const { return what_; }  ///< "the force law 'contact'"
  /// It gave no finite number at t [s].
  void note_failure(double t) const {
    failed_at_.store(t, std::memory_order_relaxed);
    failed_.store(true, std::memory_order_release);
  }
  void forget_failure() const { failed_.store(false, std::memory_order_release); }
  bool has_failed() const { return failed_.load(std::memory_order_acquire); }
  double failed_at() const { return failed_at_.load(std::memory_order_relaxed); }  ///< the last time [s]

 private:
  std::string what_;
  mutable std::atomic<bool> failed_{false};
  mutable std::atomic<double> failed_at_{0};
};

}  // namespace flexura

#pragma once
// Ctrl-C inside what takes long: loops of this thread ask whether somebody wants them to end.

#include <atomic>

namespace flexura {

/// As long as it lives, loops of this thread look at the flag; null: at none.
class StopScope {
 public:
  explicit StopScope(const std::atomic<bool>* flag);
  StopScope(const StopScope&) = delete;
  StopScope& operator=(const StopScope&) = delete;
  ~StopScope();

 private:
  const std::atomic<bool>* before_;
};

/// Whoever asks leaves what it was doing as if it had failed; the run says that it was stopped.
bool stop_requested();

}  // namespace flexura

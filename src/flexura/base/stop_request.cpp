#include "flexura/base/stop_request.hpp"

namespace flexura {
namespace {

thread_local const std::atomic<bool>* stop_flag = nullptr;

}  // namespace

StopScope::StopScope(const std::atomic<bool>* flag) : before_(stop_flag) { stop_flag = flag; }
StopScope::~StopScope() { stop_flag = before_; }

bool stop_requested() { return stop_flag != nullptr && stop_flag->load(std::memory_order_relaxed); }

}  // namespace flexura

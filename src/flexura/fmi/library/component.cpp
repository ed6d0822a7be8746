#include "flexura/fmi/library/component.hpp"

#include <cstring>
#include <stdexcept>
#include <string_view>

#include "flexura/output/checkpoint_bytes.hpp"

namespace flexura::fmi {
namespace {

void keep(void** state, Checkpoint&& checkpoint) {
  if (*state == nullptr)
    *state = new Checkpoint(std::move(checkpoint));
  else
    *static_cast<Checkpoint*>(*state) = std::move(checkpoint);
}

}  // namespace

int get_state(void* handle, void** state) noexcept {
  return guarded(handle, [&](FmuInstance& instance) { keep(state, instance.save()); });
}

int set_state(void* handle, void* state) noexcept {
  return guarded(handle, [&](FmuInstance& instance) {
    if (state == nullptr) throw std::runtime_error("there is no state to go to");
    instance.restore(*static_cast<const Checkpoint*>(state));
  });
}

int free_state(void** state) noexcept {
  if (state == nullptr) return ok;
  delete static_cast<Checkpoint*>(*state);
  *state = nullptr;
  return ok;
}

int state_size(void* handle, void* state, std::size_t* size) noexcept {
  return guarded(handle,
                 [&](FmuInstance&) { *size = checkpoint_bytes(*static_cast<const Checkpoint*>(state)).size(); });
}

int write_state(void* handle, void* state, void* bytes, std::size_t size) noexcept {
  return guarded(handle, [&](FmuInstance&) {
    const std::string text = checkpoint_bytes(*static_cast<const Checkpoint*>(state));
    if (text.size() > size) throw std::runtime_error("the state has more bytes than there is room for");
    std::memcpy(bytes, text.data(), text.size());
  });
}

int read_state(void* handle, const void* bytes, std::size_t size, void** state) noexcept {
  return guarded(handle, [&](FmuInstance&) {
    keep(state, checkpoint_of(std::string_view(static_cast<const char*>(bytes), size)));
  });
}

}  // namespace flexura::fmi

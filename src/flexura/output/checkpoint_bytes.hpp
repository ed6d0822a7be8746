#pragma once

#include <string>
#include <string_view>

#include "flexura/output/journal_record.hpp"

namespace flexura {

/// A checkpoint as bytes, little endian, and back. Throws InputError where the bytes are not one.
std::string checkpoint_bytes(const Checkpoint& checkpoint);
Checkpoint checkpoint_of(std::string_view bytes);

}  // namespace flexura

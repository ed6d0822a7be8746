#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace flexura {

/// Base64 with padding (RFC 4648, section 4).
std::string base64(std::string_view bytes);

/// The bytes; none if `text` is no base64 with padding.
std::optional<std::string> from_base64(std::string_view text);

}  // namespace flexura

#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "flexura/base/outcome.hpp"

namespace flexura {

/// JSON with keys in order of insertion.
using Json = nlohmann::ordered_json;

/// Sets object[key] = value; a value that is not finite becomes null, and object["<key>_reason"] says why.
void set_number(Json& object, std::string_view key, double value, std::string_view reason = {});

/// Text with two blanks per level. Numbers read back as the same bits; numbers that are not finite and came in past
/// set_number() are null; what is no UTF-8 becomes U+FFFD.
std::string json_text(const Json& value);

Outcome<Json> parse_json(std::string_view text, const std::string& name);

}  // namespace flexura

#include "flexura/base/json.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

namespace flexura {

void set_number(Json& object, std::string_view key, double value, std::string_view reason) {
  const std::string name(key), note = name + "_reason";
  if (std::isfinite(value)) {
    object[name] = value;
    return;
  }
  object[name] = nullptr;
  object[note] = reason.empty() ? fmt::format("the value is {}", value) : std::string(reason);
}

std::string json_text(const Json& value) {
  // The library writes numbers that are not finite as null and others with the fewest digits that read back.
  return value.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Outcome<Json> parse_json(std::string_view text, const std::string& name) {
  try {
    return Json::parse(text);
  } catch (const Json::parse_error& error) {
    return Outcome<Json>::failure(fmt::format("'{}' is no JSON: {}", name, error.what()));
  }
}

}  // namespace flexura

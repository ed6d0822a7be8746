#pragma once
// Names of several things at once: "left", "ball*", "sphere.*".

#include <string>
#include <string_view>

#include "flexura/base/problem.hpp"

namespace flexura {

/// A name, or one with its kind before it; * stands for any letters, none too.
struct NamePattern {
  std::string text;
  Source source = {};

  bool is_glob() const { return text.find('*') != std::string::npos; }
  /// "NAME" or "KIND.NAME".
  bool matches(std::string_view kind, std::string_view name) const;
};

}  // namespace flexura

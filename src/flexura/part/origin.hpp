#pragma once
// Where a specification comes from: its name in messages, and where its text stands, if it has one.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "flexura/base/problem.hpp"

namespace flexura {

struct Origin {
  std::string path = {};                                  ///< "cable.hose": author of relations, name in messages
  Source source = {};                                     ///< of the whole
  std::vector<std::pair<std::string, Source>> keys = {};  ///< of what is stated in it, by name
  int order = 0;                                          ///< among all that a machine was given

  bool states(std::string_view key) const;
  /// Of the key, or of the whole where it is not stated.
  const Source& source_of(std::string_view key) const;
  /// "cable.hose.path"; of an empty key the path itself.
  std::string path_of(std::string_view key) const;
  /// "joint.clamp.of[1]"
  std::string path_of(std::string_view key, int index) const;
};

/// What builders find wrong, or worth knowing.
struct Problems {
  std::vector<Problem> errors, warnings;

  void wrong(const Origin& origin, std::string_view key, std::string message, std::string nearest = {});
  void warn(const Origin& origin, std::string_view key, std::string message);
  size_t count() const { return errors.size(); }
};

}  // namespace flexura

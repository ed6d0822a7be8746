#pragma once
// The texts that problems point into, and the error that shows their lines.

#include <map>
#include <string>
#include <vector>

#include "flexura/base/problem.hpp"

namespace flexura {

class SourceTexts {
 public:
  void add(const std::string& file, const std::string& text);
  /// The line a source points to, "" if it is not known. Tabs and the like are shown as blanks.
  std::string line(const Source& source) const;

 private:
  struct Lines {
    std::string text;
    std::vector<size_t> begins;
  };
  std::map<std::string, Lines> files_;
};

bool is_utf8(const std::string& text);

/// Ordered by file and place, each with its line underlined.
std::string describe_all(const std::vector<Problem>& problems, const SourceTexts& texts);

/// An InputError whose what() shows the lines.
class SceneError : public InputError {
 public:
  SceneError(std::vector<Problem> problems, const SourceTexts& texts)
      : InputError(std::move(problems)), text_(describe_all(this->problems(), texts)) {}
  const char* what() const noexcept override { return text_.c_str(); }

 private:
  std::string text_;
};

/// Nothing is wrong but that files cannot be read.
struct UnreadableFiles : SceneError {
  using SceneError::SceneError;
};

/// By file and place, in the order found where they are the same; doubles removed.
void sort_problems(std::vector<Problem>& problems);

}  // namespace flexura

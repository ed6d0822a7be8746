#pragma once
// What is wrong with an input, where, and what would be right. All problems of an input are reported at once.

#include <stdexcept>
#include <string>
#include <vector>

namespace flexura {

/// A place in a text: file (or "--set", "model"), 1-based line and column; 0 where unknown.
struct Source {
  std::string file;
  int line = 0, column = 0;
  int length = 1;  ///< characters to underline
};

struct Problem {
  Source source;
  std::string path;     ///< dotted key, e.g. "joint.clamp.of[1]"
  std::string message;  ///< one sentence: what is wrong, and what is allowed
  std::string nearest;  ///< nearest valid name, or empty
  bool warning = false;
};

/// "file:line:column: error: path: message", the line underlined where its text is known, and the nearest name.
std::string describe(const Problem& problem, const std::string& line_text = {});

/// Carries every problem found; what() is all of them, one after the other.
class InputError : public std::runtime_error {
 public:
  explicit InputError(std::vector<Problem> problems);
  const std::vector<Problem>& problems() const { return problems_; }

 private:
  std::vector<Problem> problems_;
};

}  // namespace flexura

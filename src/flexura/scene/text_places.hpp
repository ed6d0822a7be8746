#pragma once
// Bytes of a text by line and column.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace flexura {

/// Lines and columns count from 1, columns in characters (UTF-8). The text must outlive it.
class TextPlaces {
 public:
  explicit TextPlaces(std::string_view text);

  /// A column beyond the end of the line goes on behind it; 0: there is no such line.
  std::size_t byte(std::size_t line, std::size_t column) const;
  /// A line without its end; empty where there is none.
  std::string line(std::size_t line) const;

  /// Characters that the last place was off from one that is known: at most so many, however long its line is.
  static constexpr std::size_t stride = 64;
  std::size_t walked() const { return walked_; }

 private:
  std::string_view text_;
  std::vector<std::size_t> marks_;  ///< bytes of every stride-th character of each line, line by line
  std::vector<std::size_t> first_;  ///< of each line: its first mark; then the number of marks
  mutable std::size_t walked_ = 0;
};

}  // namespace flexura

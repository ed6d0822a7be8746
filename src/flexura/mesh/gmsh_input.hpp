#pragma once
// Text and binary values of a Gmsh file, read in order.
//
//     ASCII file    a record is a line, its values are words
//     binary file   values follow each other in the byte order of the file; headings of sections are lines, as in ASCII files

#include <cstdint>
#include <string>
#include <string_view>

#include "flexura/base/problem.hpp"

namespace flexura {

struct GmshPosition {
  int line = 0;            ///< from 1; 0 in binary files, and of the whole file
  std::int64_t byte = -1;  ///< in binary files, from the beginning; −1: none
};

/// The first 40 characters for messages, "?" for those that are not printed.
std::string gmsh_quoted(std::string_view text);

/// A mistake in a file: at its line, or with the number of the byte in the message.
Problem gmsh_problem(const std::string& file, const GmshPosition& at, std::string message);

class GmshInput {
 public:
  GmshInput(std::string_view contents, std::string file) : whole_(contents), file_(std::move(file)) {}

  [[noreturn]] void fail_at(const GmshPosition& at, std::string message) const;
  [[noreturn]] void fail(std::string message) const { fail_at(position(), std::move(message)); }
  GmshPosition position() const {
    return is_binary_ ? GmshPosition{0, static_cast<std::int64_t>(begin_)} : GmshPosition{line_};
  }

  /// From here on, records are binary: `large` bytes for each count, 4 or 8.
  void set_binary(bool is_swapped, int large);
  bool is_binary() const { return is_binary_; }

  /// The next line that is not blank, without blanks at its ends; false at the end of the file.
  bool next_line();
  std::string_view line() const { return text_; }

  /// Begins a record of a section: its next line, in binary files the next byte.
  void record(std::string_view section);
  /// The same of what is text in binary files too.
  void text_record(std::string_view section);
  void end_of(std::string_view section);
  void skip_section(std::string_view section);

  std::int64_t integer(std::string_view what);  ///< a word, or 4 bytes
  std::int64_t large(std::string_view what);    ///< a word, or the bytes of a count
  double number(std::string_view what);         ///< finite
  /// A count of records, each of two bytes or more: above what the file holds, it is refused.
  std::int64_t count(std::string_view what, bool is_large);
  void skip_integers(std::int64_t n);
  void skip_numbers(std::int64_t n);
  void skip_large(std::int64_t n);
  std::size_t words_left() const;  ///< of the line; of binary records 0
  std::size_t bytes_left() const { return whole_.size() - at_; }

 private:
  [[noreturn]] void fail_at_end(std::string_view section) const;
  std::string_view word();
  std::int64_t integer_of(std::string_view word, std::string_view what) const;
  /// The next bytes, in the order of this machine.
  template <class T>
  T binary(std::string_view what);
  void skip(std::int64_t n, std::size_t size);

  std::string_view whole_, text_, words_;
  std::string file_;
  std::size_t at_ = 0, begin_ = 0;  // of what comes next; of the record
  int line_ = 0, large_ = 8;
  bool is_binary_ = false, is_swapped_ = false, reads_bytes_ = false;
};

}  // namespace flexura

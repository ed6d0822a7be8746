#pragma once
// What a study has computed, on disk as it comes, so that one which was killed goes on where it was, to the same bits.

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "flexura/base/json.hpp"
#include "flexura/base/line_file.hpp"
#include "flexura/scene/document.hpp"

namespace flexura {

/// Of all that decides what a study computes: texts, files, settings, numbers.
class Fingerprint {
 public:
  void add(std::string_view text);
  void add(std::span<const double> numbers);
  /// The scene, its settings and the files that it reads.
  void add(const SceneDocument& scene);
  std::uint32_t value() const { return crc_; }

 private:
  std::uint32_t crc_ = 0;
};

/// The bits of numbers, little-endian, as base64, and back. Throws std::invalid_argument where the text is none, or of another count.
std::string text_of_numbers(std::span<const double> numbers);
std::vector<double> numbers_of_text(const std::string& text);
std::vector<double> numbers_of_text(const std::string& text, std::size_t count);

/// A line of JSON for each thing that was computed, {"run": its name, …}.
class StudyLog {
 public:
  /// Reads what is there; "": of no study, which remembers nothing. What a kill has left of a line is taken off, what is no line of a log passed over. `study`: which study it
  /// is of, kept in the first line, and of another nothing is taken; "": of any, names being enough. Throws FileError, and InputError
  /// where the log is of another study.
  explicit StudyLog(const std::string& path = {}, const std::string& study = {});

  /// What `read` makes of what was kept under the name, which is forgotten then. None: there is nothing, or it is damaged and `read`
  /// throws.
  template <class Read>
  auto recall(const std::string& name, Read read) -> std::optional<decltype(read(std::declval<const Json&>()))> {
    std::optional<decltype(read(std::declval<const Json&>()))> out;
    look_up(name, [&](const Json& line) { out.emplace(read(line)); });
    return out;
  }
  /// From any thread. What cannot be written is told by check().
  void keep(const std::string& name, const Json& object);
  /// Throws FileError where something could not be written.
  void check() const;

 private:
  void look_up(const std::string& name, const std::function<void(const Json&)>& take);

  std::map<std::string, std::string> lines_;  ///< by name
  std::optional<LineFile> file_;
  mutable std::mutex mutex_;
  std::string unwritten_;
};

}  // namespace flexura

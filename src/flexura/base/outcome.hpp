#pragma once
// A value, or a sentence that says why there is none. Nothing in this room throws because of a file.

#include <optional>
#include <string>
#include <utility>

namespace flexura {

template <class T>
class [[nodiscard]] Outcome {
 public:
  Outcome(T value) : value_(std::move(value)) {}  // NOLINT: a value is an outcome
  static Outcome failure(std::string error) { return Outcome(std::nullopt, std::move(error)); }

  explicit operator bool() const { return value_.has_value(); }
  T& operator*() { return *value_; }
  const T& operator*() const { return *value_; }
  T* operator->() { return &*value_; }
  const T* operator->() const { return &*value_; }
  /// One or more sentences, with the file's name; empty if there is a value.
  const std::string& error() const { return error_; }

 private:
  Outcome(std::nullopt_t, std::string error) : error_(std::move(error)) {}

  std::optional<T> value_;
  std::string error_;
};

}  // namespace flexura

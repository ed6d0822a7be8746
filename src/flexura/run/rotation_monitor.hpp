#pragma once
// Elements that bend and twist farther than their shape functions follow well: a warning once a part and analysis, an error at the limit.

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "flexura/part/element_rotation.hpp"

namespace flexura {

class RotationMonitor {
 public:
  /// What a run remembers of each part, all zero at first: the largest rotation of one of its elements [rad], the element from 1, and
  /// when or at which load factor it was first beyond what is noticeable.
  static constexpr int numbers = 3;

  explicit RotationMonitor(const Machine& machine) : parts_(rotated_elements(machine)) {}
  size_t size() const { return parts_.size(); }

  /// An element whose moment no longer rises.
  struct Excess {
    int part, element;  ///< the element from 1
    double angle;       ///< [rad]
  };
  /// Takes up an accepted state, at the time or load factor `at`. `noticed`: a part has become one to warn about. No heap use.
  std::optional<Excess> look(std::span<const double> q, double at, std::span<double> memory, bool& noticed) const;

  /// "beam 'arm', element 2, …" of each part to warn about. `when`: what `at` is, as "t = {:.4g} s".
  struct Warning {
    std::string subject, text;  ///< what the text begins with, the same all along
  };
  std::vector<Warning> warnings(std::span<const double> memory, bool over_time) const;
  std::string text(const Excess& excess) const;
  /// "more elements: of element 2 of beam 'arm', its end sections are …; ", or "" where none is turned far.
  std::string advice(std::span<const double> q) const;

 private:
  std::vector<std::unique_ptr<RotatedElements>> parts_;
};

}  // namespace flexura

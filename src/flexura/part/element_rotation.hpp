#pragma once
// Rotation between the end sections of elements, against what elements of their kind can follow.
//
// Interpolated sections bear only so much rotation in one element: beyond it the moment no longer rises with the rotation. Each kind of
// element that has such a limit states here how far its elements are turned. A new kind: a class of RotatedElements and a line in
// rotated_elements().

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "flexura/part/machine.hpp"

namespace flexura {

struct ElementRotation {
  double angle = 0;  ///< between the end sections, less that of the stress-free shape [rad]
  double used = 0;   ///< of what the element resists, 1 where its moment has its maximum
};

/// The elements of one part. No function but the constructors takes memory.
class RotatedElements {
 public:
  virtual ~RotatedElements() = default;
  virtual int count() const = 0;
  /// At coordinates q. What is clearly below 60 degrees may be reported as nothing.
  virtual ElementRotation rotation(int element, std::span<const double> q) const = 0;
  /// What is turned: of solids and plates, sides or corners of a cell.
  virtual std::string_view turned(int element) const;
  /// "beam 'arm'"
  const std::string& part() const { return part_; }
  /// Rotation of an evenly bent or twisted element at its limit [rad].
  double limit() const { return limit_; }

 protected:
  RotatedElements(std::string part, double limit) : part_(std::move(part)), limit_(limit) {}

 private:
  std::string part_;
  double limit_;
};

/// Of all parts of the machine whose elements have a limit, which must outlive them.
std::vector<std::unique_ptr<RotatedElements>> rotated_elements(const Machine& machine);

}  // namespace flexura

#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "flexura/part/machine.hpp"

namespace flexura {

/// What says so in it.
inline constexpr std::string_view inside_out = "inside out";

/// Watches solids for elements that have been turned inside out, J ≤ 0 at points at which they are integrated: no law says anything of
/// such a place.
class FoldedSolids {
 public:
  explicit FoldedSolids(const Machine& machine);
  /// What to say of them at q; "" where there are none, and then no heap is used.
  std::string text(std::span<const double> q);

 private:
  const Machine* machine_;
  std::vector<SolidMesh> meshes_;  ///< of each solid, where it was last looked at
};

}  // namespace flexura

#pragma once
// The contour around a chamber in the plane: cables end to end, straight walls between ends that do not meet.

#include <string>
#include <vector>

#include "flexura/part/machine.hpp"
#include "flexura/part/origin.hpp"

namespace flexura::detail {

struct MachineDraft;

class PlanarContour {
 public:
  PlanarContour(MachineDraft& draft, const Origin& origin, double depth)
      : draft_(draft), from_(origin), depth_(depth) {}
  void add_cable(const CablePart& cable) { cables_.push_back(&cable); }

  /// `walls`: ends that are apart are joined by straight walls.
  void finish(bool walls, double tolerance);
  const std::vector<std::string>& problems() const { return problems_; }
  double volume() const { return volume_; }  ///< of the reference [m³]
  std::vector<std::string> add_items(int pressure);

 private:
  /// A cable from its start to its end, or the other way; then, maybe, a wall to the next.
  struct Piece {
    const CablePart* cable;
    bool back, wall = false;
    int first() const { return back ? cable->points.back() : cable->points.front(); }
    int last() const { return back ? cable->points.front() : cable->points.back(); }
  };
  std::string end_name(const Piece& piece, bool last) const;

  MachineDraft& draft_;
  const Origin& from_;
  double depth_;
  std::vector<const CablePart*> cables_;
  std::vector<Piece> pieces_;
  std::vector<std::string> problems_;
  double volume_ = 0;
  bool left_ = true;  ///< the chamber lies left of the pieces' direction
};

}  // namespace flexura::detail

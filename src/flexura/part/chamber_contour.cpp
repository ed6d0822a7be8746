#include "flexura/part/chamber_contour.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "flexura/load/chamber_2d.hpp"
#include "flexura/part/machine_draft.hpp"

namespace flexura::detail {
namespace {

constexpr double flat_area = 1e-12;  ///< of the square of the length around: areas up to that are rounding

double distance(const MachineDraft& draft, int a, int b) {
  const auto x = draft.builder.reference(a), y = draft.builder.reference(b);
  return std::hypot(x[0] - y[0], x[1] - y[1]);
}

/// ½ ∮ r × dr of an edge or wall in the reference, by the slots' coordinates.
template <int N>
double area_of(const MachineDraft& draft, const typename ChamberContour<N>::Weights& weights,
               const std::array<int, N>& slots, double length) {
  double x[2 * N], factor[N];
  for (int k = 0; k < N; ++k) {
    const auto X = draft.builder.reference(slots[k]);
    x[2 * k] = X[0], x[2 * k + 1] = X[1];
    factor[k] = k % 2 == 1 && N == 4 ? length : 1.0;
  }
  return ChamberContour<N>::volume(weights, factor, x);
}

}  // namespace

std::string PlanarContour::end_name(const Piece& piece, bool last) const {
  return fmt::format("{}.{}", piece.cable->name, last == piece.back ? "start" : "end");
}

void PlanarContour::finish(bool walls, double tolerance) {
  std::vector<const CablePart*> left = cables_;
  pieces_ = {{left[0], false}};
  left.erase(left.begin());
  while (!left.empty()) {  // the end that is nearest comes next
    const int from = pieces_.back().last();
    Piece best{left[0], false};
    for (const CablePart* cable : left)
      for (const bool back : {false, true})
        if (const Piece next{cable, back}; distance(draft_, from, next.first()) < distance(draft_, from, best.first()))
          best = next;
    left.erase(std::find(left.begin(), left.end(), best.cable));
    pieces_.push_back(best);
  }
  double size = 0;
  for (const CablePart* cable : cables_) size += cable->length;
  if (!(tolerance > 0)) tolerance = 1e-3 * size;
  double area = 0;
  for (size_t k = 0; k < pieces_.size(); ++k) {
    Piece& piece = pieces_[k];
    const Piece& next = pieces_[(k + 1) % pieces_.size()];
    const double gap = distance(draft_, piece.last(), next.first());
    piece.wall = piece.last() != next.first() && gap > 0;
    if (gap > tolerance && !walls) {
      const auto x = draft_.builder.reference(piece.last());
      problems_.push_back(fmt::format("leaks between \"{}\" and \"{}\": an opening {:.3g} m wide at ({:.3g}, {:.3g})",
                                      end_name(piece, true), end_name(next, false), gap, x[0], x[1]));
    }
    double along = 0;
    for (const ElementRef& e : piece.cable->elements)
      along += area_of<4>(draft_, ChamberEdge2d::weights, {e.slots[0], e.slots[1], e.slots[2], e.slots[3]}, e.length);
    area += piece.back ? -along : along;
    if (piece.wall) area += area_of<2>(draft_, ChamberWall2d::weights, {piece.last(), next.first()}, 1);
  }
  if (std::fabs(area) <= flat_area * size * size) area = 0;
  left_ = area >= 0;
  volume_ = depth_ * std::fabs(area);
}

std::vector<std::string> PlanarContour::add_items(int pressure) {
  using Side = ChamberEdge2d::Side;
  std::vector<std::string> names;
  for (size_t k = 0; k < pieces_.size(); ++k) {
    const Piece& piece = pieces_[k];
    for (const ElementRef& e : piece.cable->elements) {
      names.push_back(fmt::format("{}, {}", from_.path, e.name));
      draft_.builder.item<ChamberEdge2d>(
          {e.slots[0], e.slots[1], e.slots[2], e.slots[3], pressure}, {.length = e.length, .depth = depth_},
          {.side = left_ != piece.back ? Side::left : Side::right}, names.back(), 0, from_.source);
    }
    if (!piece.wall) continue;
    names.push_back(fmt::format("{}, wall from {}", from_.path, end_name(piece, true)));
    draft_.builder.item<ChamberWall2d>({piece.last(), pieces_[(k + 1) % pieces_.size()].first(), pressure},
                                       {.depth = depth_}, {.side = left_ ? Side::left : Side::right}, names.back(), 0,
                                       from_.source);
  }
  return names;
}

}  // namespace flexura::detail

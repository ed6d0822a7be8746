#pragma once
// Extremes between the samples of a smooth function.
//
// Of five samples (t, x) in turn, s₁, s₂, s₃ are the second divided differences about the inner three. Where x₂ is the extreme of
// its neighbours, the parabola through the three has its vertex at
//
//     x₂ − d²/(4 s₂),   d = its derivative at t₂ = (x₂ − x₁)/(t₂ − t₁) + s₂ (t₂ − t₁)
//
// It counts where the function bends evenly: s₁ and s₃ have the sign of s₂ and at least a third of it. At jumps and kinks the
// sample itself is the extreme.

#include <array>
#include <limits>
#include <vector>

namespace flexura {

class InterpolatedExtremes {
 public:
  InterpolatedExtremes() = default;
  explicit InterpolatedExtremes(int numbers) : numbers_(numbers) {}

  /// A further sample of a number. A `t` equal to the last one replaces that sample; a smaller one begins anew.
  void add(int number, double t, double x);
  /// The least and greatest sample or vertex so far; infinite without a sample.
  double least(int number) const { return numbers_[number].least; }
  double greatest(int number) const { return numbers_[number].greatest; }
  bool empty() const { return numbers_.empty(); }

 private:
  struct Number {
    std::array<double, 5> t{}, x{};
    int count = 0;
    double least = std::numeric_limits<double>::infinity(), greatest = -least;
  };
  std::vector<Number> numbers_;
};

}  // namespace flexura

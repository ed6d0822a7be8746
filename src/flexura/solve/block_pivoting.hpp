#pragma once
// Who acts, where all at once may go round in circles.

#include <limits>

namespace flexura {

/// Rule of an active set [judice1994]: all members that are on the wrong side change sides as long as they become fewer, with a
/// few tries where they do not; then one at a time, that of least index, which ends in finitely many steps [murty1988], until
/// fewer are wrong than ever before.
class BlockPivoting {
 public:
  void restart() { *this = {}; }
  /// Whether all of `wrong` members may change, or only the first.
  bool changes_all(int wrong) {
    if (wrong == 0) return true;
    if (wrong < fewest_) {
      fewest_ = wrong;
      tries_ = most_tries;
      return true;
    }
    return tries_-- > 0;
  }

 private:
  static constexpr int most_tries = 8;
  int fewest_ = std::numeric_limits<int>::max();
  int tries_ = most_tries;
};

}  // namespace flexura

#pragma once
// What a state remembers of its contacts.

#include <cstdint>
#include <vector>

namespace flexura {

/// One contact that was closed at the end of the last step.
struct ContactRecord {
  std::int64_t key = 0;   ///< ContactKey::packed
  double correction = 0;  ///< multiplier ν of the correction of positions [N]: where the next step begins
  double impulse = 0;     ///< Λ_N over the last step [N s]
  double force = 0;       ///< the same over the step's length, Λ_N/h [N]
  double approach = 0;    ///< normal velocity u_N⁻ that it closed with, ≤ 0 [m/s]

  static constexpr int numbers = 4;  ///< beside the key, in checkpoints
};

/// By key, ascending. It is part of checkpoints.
using ContactHistory = std::vector<ContactRecord>;

/// The same as numbers, [keys × ContactRecord::numbers], in the order of the fields.
struct ContactArrays {
  explicit ContactArrays(const ContactHistory& history);
  std::vector<std::int64_t> keys;
  std::vector<double> numbers;
};
/// The other way; what is short of numbers is left out.
ContactHistory contact_history(const std::vector<std::int64_t>& keys, const std::vector<double>& numbers);

}  // namespace flexura

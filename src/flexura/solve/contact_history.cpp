#include "flexura/solve/contact_history.hpp"

#include <cstddef>

namespace flexura {

ContactArrays::ContactArrays(const ContactHistory& history) {
  for (const ContactRecord& record : history) {
    keys.push_back(record.key);
    numbers.insert(numbers.end(), {record.correction, record.impulse, record.force, record.approach});
  }
}

ContactHistory contact_history(const std::vector<std::int64_t>& keys, const std::vector<double>& numbers) {
  ContactHistory history;
  for (std::size_t k = 0; k < keys.size() && (k + 1) * ContactRecord::numbers <= numbers.size(); ++k) {
    const double* x = &numbers[k * ContactRecord::numbers];
    history.push_back({keys[k], x[0], x[1], x[2], x[3]});
  }
  return history;
}

}  // namespace flexura

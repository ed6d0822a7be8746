#include "flexura/load/external_law.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <mutex>
#include <utility>

namespace flexura {
namespace {

struct Table {
  std::mutex mutex;
  std::map<int, std::weak_ptr<const RegisteredLaw>> laws;
  int next = 1;  ///< 0 is no law
};

Table& table() {
  static Table* const only = new Table;  // laws may outlive all other static objects
  return *only;
}

bool all_finite(const double* x, int count) {
  return std::all_of(x, x + count, [](double xi) { return std::isfinite(xi); });
}

}  // namespace

RegisteredLaw::RegisteredLaw(const std::string& name, ExternalLaw law)
    : CalledCode("the force law '" + name + "'"), law_(std::move(law)) {}

std::shared_ptr<const RegisteredLaw> RegisteredLaw::make(const std::string& name, ExternalLaw law) {
  const std::shared_ptr<RegisteredLaw> made(new RegisteredLaw(name, std::move(law)));
  const std::lock_guard lock(table().mutex);
  made->id_ = table().next++;
  table().laws[made->id_] = made;
  return made;
}

std::shared_ptr<const RegisteredLaw> RegisteredLaw::find(double id) {
  const std::lock_guard lock(table().mutex);
  const auto found = table().laws.find(static_cast<int>(id));
  return found == table().laws.end() ? nullptr : found->second.lock();
}

RegisteredLaw::~RegisteredLaw() {
  const std::lock_guard lock(table().mutex);
  table().laws.erase(id_);
}

bool RegisteredLaw::ask(int n, double t, const double* x, const double* v, double* f, double* dx, double* dv) const {
  std::fill(f, f + n, std::numeric_limits<double>::quiet_NaN());  // what is not written is not a number either
  if (law_.force(law_.context.get(), n, t, x, v, f, dx, dv) == 0 && all_finite(f, n) &&
      (dx == nullptr || (all_finite(dx, n * n) && all_finite(dv, n * n))))
    return true;
  if (all_finite(x, n) && all_finite(v, n)) note_failure(t);  // else something else failed before
  return false;
}

/// Central: the error is of second order in the step, and rounding leaves about 1e-10 |f| per unit of x.
bool RegisteredLaw::differences(int n, double t, const double* x, const double* v, double* dx, double* dv) const {
  double at[2][largest], before[largest], after[largest];
  const auto columns = [&](int of, double* out) {
    std::copy(x, x + n, at[0]);
    std::copy(v, v + n, at[1]);
    for (int j = 0; j < n; ++j) {
      const double middle = at[of][j], h = difference * std::max(1.0, std::fabs(middle));
      const double low = middle - h, high = middle + h;
      at[of][j] = low;
      const bool fine = ask(n, t, at[0], at[1], before, nullptr, nullptr);
      at[of][j] = high;
      if (!fine || !ask(n, t, at[0], at[1], after, nullptr, nullptr)) return false;
      at[of][j] = middle;
      for (int i = 0; i < n; ++i) out[i * n + j] = (after[i] - before[i]) / (high - low);
    }
    return true;
  };
  return columns(0, dx) && (dv == nullptr || columns(1, dv));
}

void RegisteredLaw::call(int n, double t, const double* x, const double* v, double* f, double* dx, double* dv) const {
  bool fine = false;
  if (dx == nullptr) {
    fine = ask(n, t, x, v, f, nullptr, nullptr);
  } else if (law_.gives_tangent) {
    double unused[largest * largest];
    fine = ask(n, t, x, v, f, dx, dv ? dv : unused);
  } else {
    fine = ask(n, t, x, v, f, nullptr, nullptr) && differences(n, t, x, v, dx, dv);
  }
  if (fine) return;
  constexpr double nothing = std::numeric_limits<double>::quiet_NaN();
  std::fill(f, f + n, nothing);
  if (dx) std::fill(dx, dx + n * n, nothing);
  if (dv) std::fill(dv, dv + n * n, nothing);
}

}  // namespace flexura

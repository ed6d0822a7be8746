#pragma once

#include <algorithm>
#include <array>
#include <limits>
#include <memory>

#include "flexura/load/external_law.hpp"
#include "flexura/math/dual.hpp"
#include "flexura/term/term.hpp"

namespace flexura {

/// s f(t, x, v) and its derivative on any scalar: a law from code is called once for each lane, and with its tangent for
/// dual numbers. Where s = 0 (before `from`, after `until`) it is not called.
template <int N, class T>
class LawCalls {
  static constexpr int lanes = ScalarTraits<T>::lanes;
  static constexpr bool is_dual = std::is_same_v<T, Dual<double>>;

 public:
  LawCalls() = default;
  explicit LawCalls(const T& ids) {
    for (int lane = 0; lane < lanes; ++lane) laws_[lane] = RegisteredLaw::find(ScalarTraits<T>::lane(ids, lane));
  }

  void force(const Context<T>& c, const T* x, const T* v, T* f) const {
    each_lane(c, x, v, [&](const Ask& ask) {
      double value[N], dx[N * N], dv[N * N];
      if (!ask.again) call(ask, c.t, value, is_dual ? dx : nullptr, is_dual ? dv : nullptr);
      for (int i = 0; i < N; ++i) {
        set_lane(f[i], ask.lane, ask.again ? lane_of(f[i], ask.lane - 1) : value[i]);
        if constexpr (is_dual) {
          f[i].d = 0;
          for (int j = 0; j < N; ++j) f[i].d += dx[i * N + j] * x[j].d + dv[i * N + j] * v[j].d;
        }
      }
    });
    for (int i = 0; i < N; ++i) f[i] = c.sig[0] * f[i];
  }

  /// K = −s (∂f/∂x + c_d ∂f/∂v)
  void tangent(const Context<T>& c, const T* x, const T* v, double cd, T* K) const {
    each_lane(c, x, v, [&](const Ask& ask) {
      double value[N], dx[N * N], dv[N * N] = {};
      if (!ask.again) call(ask, c.t, value, dx, cd == 0 ? nullptr : dv);
      for (int k = 0; k < N * N; ++k)
        set_lane(K[k], ask.lane, ask.again ? lane_of(K[k], ask.lane - 1) : -(dx[k] + cd * dv[k]));
    });
    for (int k = 0; k < N * N; ++k) K[k] = c.sig[0] * K[k];
  }

 private:
  struct Ask {
    int lane;
    const double *x, *v;
    bool acts;
    bool again;  ///< the lane before asks the same, as lanes beyond the last item do
  };
  static double lane_of(const T& x, int lane) { return ScalarTraits<T>::lane(x, lane); }
  static void set_lane(T& x, int lane, double value) { ScalarTraits<T>::set_lane(x, lane, value); }

  template <class F>
  void each_lane(const Context<T>& c, const T* x, const T* v, F&& f) const {
    std::array<double, 2 * N + 1> numbers, last;  // x, v, s
    for (int lane = 0; lane < lanes; ++lane) {
      for (int i = 0; i < N; ++i) numbers[i] = lane_of(x[i], lane), numbers[N + i] = lane_of(v[i], lane);
      numbers[2 * N] = lane_of(c.sig[0], lane);
      bool acts = numbers[2 * N] != 0;
      if constexpr (is_dual) acts = acts || c.sig[0].d != 0;
      const bool again = lane > 0 && laws_[lane] == laws_[lane - 1] && numbers == last;
      f(Ask{lane, numbers.data(), numbers.data() + N, acts, again});
      last = numbers;
    }
  }
  void call(const Ask& ask, double t, double* f, double* dx, double* dv) const {
    const RegisteredLaw* law = laws_[ask.lane].get();
    if (ask.acts && law != nullptr) return law->call(N, t, ask.x, ask.v, f, dx, dv);
    const double value = ask.acts ? std::numeric_limits<double>::quiet_NaN() : 0.0;
    std::fill(f, f + N, value);
    if (dx) std::fill(dx, dx + N * N, value);
    if (dv) std::fill(dv, dv + N * N, value);
  }

  std::array<std::shared_ptr<const RegisteredLaw>, lanes> laws_;
};

}  // namespace flexura

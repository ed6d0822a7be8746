#pragma once

#include <type_traits>
#include <utility>

namespace flexura {

/// f(i) for i = 0 … N − 1, each i a compile-time constant, so that what depends on it alone is one too.
template <int N, class F>
[[gnu::always_inline]] inline void for_each_index(F&& f) {
  [&]<int... i>(std::integer_sequence<int, i...>) __attribute__((always_inline)) {
    (f(std::integral_constant<int, i>{}), ...);
  }(std::make_integer_sequence<int, N>{});
}

}  // namespace flexura

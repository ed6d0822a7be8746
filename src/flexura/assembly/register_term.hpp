#pragma once
// The generated units of terms expand this, once per line of terms.def.

#include "flexura/model/term_type.hpp"
#include "flexura/term/kernels.hpp"

namespace flexura {

template <Term E>
TermType make_term_type() {
  TermType type;
  type.info = term_info<E>();
  type.symmetric = [](std::span<const int> options) { return is_symmetric<E>(options_from<E>(options)); };
  type.history = [](std::span<const int> options) { return history_of<E>(options_from<E>(options)); };
  // One instance of the kernels: a single item goes through lanes, too. Two took twice the time to compile.
  if constexpr (evaluated_alone<E>) {
    type.alone = &kernels_of<E, double>;
  } else {
    type.in_lanes = &kernels_of<E, Lanes>;
  }
  return type;
}

}  // namespace flexura

#define FLEXURA_REGISTER_TERM(E)                      \
  namespace flexura {                                 \
  const TermType* register_term_##E() {               \
    static const TermType type = make_term_type<E>(); \
    return &type;                                     \
  }                                                   \
  }

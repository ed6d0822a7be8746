#pragma once
// The generated units of terms expand this, once per line of terms.def.

#include "flexura/assembly/term_batch.hpp"
#include "flexura/model/term_type.hpp"

namespace flexura {

template <Term E>
TermType make_term_type() {
  TermType type;
  type.info = term_info<E>();
  type.symmetric = [](std::span<const int> options) { return is_symmetric<E>(options_from<E>(options)); };
  type.history = [](std::span<const int> options) { return history_of<E>(options_from<E>(options)); };
  // One instance of the kernels: a single item goes through lanes, too. Two took twice the time to compile.
  type.make_solo = [](const BatchItems& items) -> std::unique_ptr<Batch<double>> {
    return std::make_unique<TermBatch<E, double, evaluated_alone<E> ? 0 : native_lanes>>(items);
  };
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

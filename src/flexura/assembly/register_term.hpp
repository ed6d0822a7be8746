#pragma once
// One generated translation unit per line of terms.def expands this.

#include "flexura/assembly/term_batch.hpp"
#include "flexura/model/term_type.hpp"

namespace flexura {

template <Term E>
OptionsOf<E> read_options(std::span<const int> numbers) {
  OptionsOf<E> options{};
  if constexpr (detail::has_options<E>) {
    int k = 0;
    E::options(options, [&]<class M>(M& member, const Option&) { member = static_cast<M>(numbers[k++]); });
  }
  return options;
}

template <Term E>
TermType make_term_type() {
  TermType type;
  type.info = term_info<E>();
  type.symmetric = [](std::span<const int> options) { return is_symmetric<E>(read_options<E>(options)); };
  type.history = [](std::span<const int> options) { return history_of<E>(read_options<E>(options)); };
  type.make_solo = [](const BatchItems& items, int lanes) -> std::unique_ptr<Batch<double>> {
    if (lanes == 1 || items.batch->count == 1) return std::make_unique<TermBatch<E, double, 0>>(items);
    return std::make_unique<TermBatch<E, double, native_lanes>>(items);
  };
  type.make_ensemble = [](const BatchItems& items) -> std::unique_ptr<Batch<Lanes>> {
    return std::make_unique<TermBatch<E, Lanes, 0>>(items);
  };
  type.make_dual = [](const BatchItems& items) -> std::unique_ptr<Batch<Dual<double>>> {
    return std::make_unique<TermBatch<E, Dual<double>, 0>>(items);
  };
  return type;
}

}  // namespace flexura

#define FLEXURA_REGISTER_TERM(E)                      \
  namespace flexura {                                 \
  const TermType& term_type_##E() {                   \
    static const TermType type = make_term_type<E>(); \
    return type;                                      \
  }                                                   \
  }

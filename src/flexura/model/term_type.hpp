#pragma once
// A registered term without its type: what it is, and its kernels. Those for other scalars are in assembly/make_batch.hpp.

#include <span>

#include "flexura/term/term_info.hpp"

namespace flexura {

template <class T>
struct Kernels;  // term/kernels.hpp

struct TermType {
  TermInfo info;
  bool (*symmetric)(std::span<const int> options);
  int (*history)(std::span<const int> options);  ///< numbers that an item remembers
  // By one of the two items are evaluated.
  const Kernels<Lanes>* in_lanes = nullptr;
  const Kernels<double>* alone = nullptr;  ///< of terms that are evaluated one item at a time
};

/// All terms of terms.def, in its order.
std::span<const TermType* const> registered_terms();
/// The registered term of that name, or nullptr.
const TermType* find_term(std::string_view name);

}  // namespace flexura

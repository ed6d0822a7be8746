#pragma once
// A registered term without its type: what it is, and how to make a batch of its items. Batches for other scalars than
// double are those of assembly/make_batch.hpp.

#include <memory>
#include <span>

#include "flexura/term/term_info.hpp"

namespace flexura {

template <class S>
class Batch;  // assembly/batch.hpp
struct BatchItems;

struct TermType {
  TermInfo info;
  bool (*symmetric)(std::span<const int> options);
  int (*history)(std::span<const int> options);  ///< numbers that an item remembers
  std::unique_ptr<Batch<double>> (*make_solo)(const BatchItems&);
};

/// All terms of terms.def, in its order.
std::span<const TermType* const> registered_terms();
/// The registered term of that name, or nullptr.
const TermType* find_term(std::string_view name);

}  // namespace flexura

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
  /// `lanes`: items per block of a solo simulation, native_lanes or 1 (which must give the same bits).
  std::unique_ptr<Batch<double>> (*make_solo)(const BatchItems&, int lanes);
};

/// All terms of terms.def, in its order.
std::span<const TermType* const> registered_terms();
/// The registered term of that name, or nullptr.
const TermType* find_term(std::string_view name);

}  // namespace flexura

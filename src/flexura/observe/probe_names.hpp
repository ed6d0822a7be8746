#pragma once
// Quantities inside elements by the names that their terms give them.

#include <string_view>

#include "flexura/term/term_info.hpp"

namespace flexura {

/// Index into what Batch::probe writes for an item of the term; −1 where it has no such quantity.
int find_probe(const TermInfo& term, std::string_view quantity);

}  // namespace flexura

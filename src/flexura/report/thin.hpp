#pragma once
// Fewer rows of long tables.

#include <cstdint>
#include <span>
#include <vector>

namespace flexura {

/// At most `most` rows, evenly over `at`, which ascends; the first and the last are among them.
std::vector<std::uint64_t> even_rows(std::span<const double> at, std::size_t most);

/// Rows of a table [rows][columns] that keep the least and the greatest value of each column in each of the equal
/// stretches that `most` rows have room for; the first and the last row are among them. All rows where they are no more
/// than `most`.
std::vector<std::uint64_t> telling_rows(std::span<const double> values, std::size_t columns, std::size_t most);

}  // namespace flexura

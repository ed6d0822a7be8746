#pragma once

#include "flexura/output/kept_tables.hpp"

namespace flexura {

/// Columns of numbers with a name and a unit each, row-major.
struct NumberTable {
  struct Heading {
    std::string name, unit;
  };
  std::vector<Heading> headings;
  std::vector<double> values;  ///< [row][headings.size()]

  std::size_t rows() const { return headings.empty() ? 0 : values.size() / headings.size(); }
};

/// A field on one line, in quotes where it holds a separator or a quote, RFC 4180.
std::string csv_field(std::string text);

/// One column per component: "t", "position.x", "position.y"; "q.0", "q.1" where components have no names. A column named
/// "value" takes the last part of the channel's path.
NumberTable table_of(const Channel& channel, std::vector<double> rows);

/// RFC 4180 with a header "t [s],position.x [m]" and line ends \n; each number in the fewest digits that read back as the
/// same bits.
std::string csv_text(const NumberTable& table);

/// One file per table. Returns the paths.
Outcome<std::vector<std::string>> write_csv_files(const JournalReader& journal, std::span<const KeptTable> tables,
                                                  const std::string& folder);

}  // namespace flexura

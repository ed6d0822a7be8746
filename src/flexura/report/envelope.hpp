#pragma once
// What sensors read between their samples, as ranges over time.

#include <vector>

#include "flexura/report/table.hpp"

namespace flexura {

/// Between two times a column lies within its range.
struct EnvelopeData {
  std::vector<double> from, to;         ///< ascending
  std::vector<double> least, greatest;  ///< [rows][columns]
};

/// Of a sensor over time, at most `most` rows, neighbours taken together; no rows where every step was sampled.
Outcome<EnvelopeData> read_envelope(const ResultsFile& results, const TableSource& source, std::size_t most);

Json envelope_json(const TableSource& source, const EnvelopeData& data, BlockStore& blocks);

}  // namespace flexura

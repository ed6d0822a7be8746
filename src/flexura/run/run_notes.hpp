#pragma once
// What a summary says beside the state: a run that goes on from a checkpoint tells it as an undisturbed one does.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "flexura/run/consistent_start.hpp"
#include "flexura/run/summary.hpp"

namespace flexura {

struct RunNotes {
  StartReport start;
  // As in RunSummary.
  std::vector<std::string> warnings;
  RestResults at_rest;
};

/// As numbers of a checkpoint: the length of a JSON text in bytes and the text, filled up with zeros.
std::vector<std::int64_t> pack_notes(const RunNotes& notes);
/// Nothing where the numbers are no notes.
std::optional<RunNotes> unpack_notes(std::span<const std::int64_t> numbers);

}  // namespace flexura

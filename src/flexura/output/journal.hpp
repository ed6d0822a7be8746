#pragma once
// An append-only file that holds a run from its first row on and survives SIGKILL at any moment; the results file is made
// from it, and a stopped run goes on from it.

#include "flexura/output/journal_reader.hpp"  // IWYU pragma: export
#include "flexura/output/journal_record.hpp"  // IWYU pragma: export
#include "flexura/output/journal_writer.hpp"  // IWYU pragma: export

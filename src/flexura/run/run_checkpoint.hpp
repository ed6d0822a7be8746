#pragma once
// Everything that a run is at a moment, as named arrays: in its journal, or kept by who steps it.

#include <array>
#include <cstdint>

#include "flexura/output/journal_record.hpp"
#include "flexura/run/recorder.hpp"
#include "flexura/solve/state.hpp"

namespace flexura {

/// The arrays of a checkpoint. They look at the state and the progress, which must outlive them.
class RunCheckpoint {
 public:
  RunCheckpoint(const State<double>& state, const RunProgress& progress, int model);
  RunCheckpoint(const RunCheckpoint&) = delete;
  RunCheckpoint& operator=(const RunCheckpoint&) = delete;

  /// Those of contacts only where something touches.
  std::span<const ArrayView> arrays() const { return std::span(arrays_).first(contacts_.keys.empty() ? 23 : 25); }
  Checkpoint owned() const;

 private:
  std::array<std::int64_t, 9> counts_;
  std::array<double, 9> numbers_;
  std::array<double, 6> energy_;
  ContactArrays contacts_;
  std::array<ArrayView, 25> arrays_;
};

/// The other way. Returns the model that the state is of, −1 if the checkpoint does not say.
int restore_run(const Checkpoint& checkpoint, RunProgress& progress, State<double>& state);

}  // namespace flexura

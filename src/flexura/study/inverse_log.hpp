#pragma once
// Points of inverse statics as lines of a log, and back.

#include "flexura/study/inverse_statics.hpp"
#include "flexura/study/study_log.hpp"

namespace flexura {

Json json_of(const ReachedPoint& point);
/// Throws std::exception where it is none of so many inputs and targets with so many numbers in all.
ReachedPoint point_of(const Json& json, std::size_t inputs, std::size_t targets, std::size_t columns);

Json json_of(const ReachedPoint& point, const InverseSearch::Place& place);
/// The point that was kept under the name, if there is one, and in `place` where the search was afterwards; `place` is one of the
/// same scene.
std::optional<ReachedPoint> recalled_point(StudyLog& log, const std::string& name, const InversePlan& plan,
                                           InverseSearch::Place& place);

/// Of an input and of what is wanted, all that decides what is found.
void add_to(Fingerprint& all, const SoughtInput& input);
void add_to(Fingerprint& all, const WantedReading& target);

}  // namespace flexura

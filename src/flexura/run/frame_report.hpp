#pragma once
// States of self-stress and mechanisms of a scene at its start, for `flexura check --frame` and Python.

#include <string>

#include "flexura/base/json.hpp"
#include "flexura/scene/scene_model.hpp"
#include "flexura/solve/frame_states.hpp"

namespace flexura {

/// Of the first model, where its constraints are closed. Throws InputError as check_start does.
///
///     {"coordinates", "constraints", "elastic_members", "rank", "self_stress", "mechanisms", "rigid_body_motions", "finite",
///      "infinitesimal", "branching", "weakest", "states": [{NAME: force}], "motions": [{"kind", "moves": {SLOT: [...]}}],
///      "prestress": {"misfit", "stiffens", "forces": {NAME: N}}, "remarks": [...]}
///
/// Forces of states: the largest is 1. Moves: the largest of a point is 1.
Json frame_summary(const SceneModels& scene, const SceneDocument& document);
/// Lines for people.
std::string frame_summary_text(const Json& summary);

}  // namespace flexura

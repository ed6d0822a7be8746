#pragma once
// What the models of a scene are made of: /model/summary of the results, and what `flexura check` and `info` print.

#include <string>

#include "flexura/base/json.hpp"
#include "flexura/scene/scene_model.hpp"

namespace flexura {

/// {"title", "models": [{"coordinates", "eliminated", "multipliers", "bodies", "joints", "cables", "slots", ...}]}
Json model_summary(const SceneModels& scene);
/// Analyses in order with what they do in words, and the model of each stretch of time.
Json timeline_summary(const Timeline& timeline);
/// Lines for people: bodies, and of each joint what is eliminated and what carries multipliers.
std::string model_summary_text(const Json& summary);

}  // namespace flexura

#pragma once

#include "flexura/report/block.hpp"
#include "flexura/report/drawing.hpp"

namespace flexura {

/// A model of the report: what is drawn of it, and where its slots are in the reference configuration.
Json drawing_json(const Drawing& drawing, const SceneModel& model, BlockStore& blocks);

}  // namespace flexura

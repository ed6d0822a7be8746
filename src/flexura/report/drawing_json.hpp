#pragma once

#include "flexura/observe/drawing.hpp"
#include "flexura/report/block.hpp"

namespace flexura {

/// A model of the report: what is drawn of it, and where its slots are in the reference configuration.
Json drawing_json(const Drawing& drawing, BlockStore& blocks);

}  // namespace flexura

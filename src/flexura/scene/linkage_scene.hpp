#pragma once
// A linkage as a scene, which [linkage.NAME] takes in as [use.NAME] does any other.

#include "flexura/part/linkage.hpp"
#include "flexura/scene/raw_toml.hpp"

namespace flexura {

/// Points, trusses of mass m and frames. All sources are the one given.
RawNode linkage_scene(const LinkageParts& parts, double m, int dim, const Source& source);

}  // namespace flexura

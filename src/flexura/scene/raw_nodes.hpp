#pragma once
// Nodes of a scene that no file wrote: of a linkage's members, of a URDF's links. All that is made names its source.

#include <array>
#include <span>
#include <string>

#include "flexura/scene/raw_toml.hpp"

namespace flexura {

RawNode node_of(double x, const Source& source);  ///< 0 for -0
RawNode node_of(const std::string& text, const Source& source);
RawNode node_of(std::span<const double> x, const Source& source);
RawNode node_of(const std::array<double, 3>& x, const Source& source);
RawNode node_of(const std::array<double, 4>& x, const Source& source);
RawNode node_of(std::span<const std::string> texts, const Source& source);
RawNode true_node(const Source& source);
RawNode empty_table(const Source& source);

/// Behind the other entries of a table, at the source of the node itself.
RawNode& add(RawNode& table, const std::string& key, RawNode node);

}  // namespace flexura

#include "flexura/scene/linkage_scene.hpp"

#include "flexura/scene/raw_nodes.hpp"

namespace flexura {

RawNode linkage_scene(const LinkageParts& parts, double m, int dim, const Source& source) {
  RawNode root = empty_table(source);
  const auto table = [&] { return empty_table(source); };
  add(root, "space", node_of(dim == 2 ? "planar" : "spatial", source));
  RawNode points = table(), trusses = table(), bodies = table();
  for (const LinkageParts::Node& own : parts.nodes) {
    RawNode& point = add(points, own.name, table());
    add(point, "position", node_of(std::span(own.position).first(static_cast<size_t>(dim)), source));
    if (own.fixed) add(point, "fixed", true_node(source));
  }
  for (const LinkageParts::Member& own : parts.members) {
    RawNode& truss = add(trusses, own.name(), table());
    add(truss, "between", node_of(own.between, source));
    add(truss, "m", node_of(m, source));
  }
  for (const LinkageParts::Frame& own : parts.frames) {
    RawNode& body = add(bodies, own.name, table());
    add(body, "as", node_of("trusses", source));
    add(body, "m", node_of(0.0, source));
    add(body, "nodes", node_of(own.nodes, source));
  }
  add(root, "point", std::move(points));
  add(root, "truss", std::move(trusses));
  if (!bodies.entries.empty()) add(root, "body", std::move(bodies));
  return root;
}

}  // namespace flexura

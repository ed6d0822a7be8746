#include "flexura/scene/linkage_scene.hpp"

namespace flexura {
namespace {

RawNode node(RawNode::Kind kind, const Source& source) {
  RawNode out;
  out.kind = kind;
  out.source = source;
  return out;
}
RawNode text(const std::string& value, const Source& source) {
  RawNode out = node(RawNode::Kind::text, source);
  out.text = value;
  return out;
}
RawNode number(double value, const Source& source) {
  RawNode out = node(RawNode::Kind::number, source);
  out.number = value;
  return out;
}
RawNode truth(const Source& source) {
  RawNode out = node(RawNode::Kind::boolean, source);
  out.boolean = true;
  return out;
}
RawNode list(std::vector<RawNode> items, const Source& source) {
  RawNode out = node(RawNode::Kind::array, source);
  out.items = std::move(items);
  return out;
}
RawNode texts(std::span<const std::string> values, const Source& source) {
  std::vector<RawNode> items;
  for (const std::string& value : values) items.push_back(text(value, source));
  return list(std::move(items), source);
}

RawNode& add(RawNode& table, const std::string& key, RawNode value) {
  table.entries.push_back({key, value.source, std::move(value)});
  return table.entries.back().node;
}

}  // namespace

RawNode linkage_scene(const LinkageParts& parts, double m, int dim, const Source& source) {
  RawNode root = node(RawNode::Kind::table, source);
  const auto table = [&] { return node(RawNode::Kind::table, source); };
  add(root, "space", text(dim == 2 ? "planar" : "spatial", source));
  RawNode points = table(), trusses = table(), bodies = table();
  for (const LinkageParts::Node& own : parts.nodes) {
    RawNode& point = add(points, own.name, table());
    std::vector<RawNode> x;
    for (int i = 0; i < dim; ++i) x.push_back(number(own.position[static_cast<size_t>(i)], source));
    add(point, "position", list(std::move(x), source));
    if (own.fixed) add(point, "fixed", truth(source));
  }
  for (const LinkageParts::Member& own : parts.members) {
    RawNode& truss = add(trusses, own.name(), table());
    add(truss, "between", texts(own.between, source));
    add(truss, "m", number(m, source));
  }
  for (const LinkageParts::Frame& own : parts.frames) {
    RawNode& body = add(bodies, own.name, table());
    add(body, "as", text("trusses", source));
    add(body, "m", number(0, source));
    add(body, "nodes", texts(own.nodes, source));
  }
  add(root, "point", std::move(points));
  add(root, "truss", std::move(trusses));
  if (!bodies.entries.empty()) add(root, "body", std::move(bodies));
  return root;
}

}  // namespace flexura

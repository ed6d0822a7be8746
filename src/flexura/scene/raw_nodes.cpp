#include "flexura/scene/raw_nodes.hpp"

namespace flexura {
namespace {

RawNode node_of_kind(RawNode::Kind kind, const Source& source) {
  RawNode out;
  out.kind = kind;
  out.source = source;
  return out;
}

template <class Element>
RawNode list_of_nodes(std::span<const Element> elements, const Source& source) {
  RawNode out = node_of_kind(RawNode::Kind::array, source);
  for (const Element& x : elements) out.items.push_back(node_of(x, source));
  return out;
}

}  // namespace

RawNode node_of(double x, const Source& source) {
  RawNode out = node_of_kind(RawNode::Kind::number, source);
  out.number = x == 0 ? 0 : x;  // no minus sign
  return out;
}

RawNode node_of(const std::string& text, const Source& source) {
  RawNode out = node_of_kind(RawNode::Kind::text, source);
  out.text = text;
  return out;
}

RawNode node_of(std::span<const double> x, const Source& source) { return list_of_nodes(x, source); }
RawNode node_of(const std::array<double, 3>& x, const Source& source) {
  return list_of_nodes(std::span<const double>(x), source);
}
RawNode node_of(const std::array<double, 4>& x, const Source& source) {
  return list_of_nodes(std::span<const double>(x), source);
}
RawNode node_of(std::span<const std::string> texts, const Source& source) { return list_of_nodes(texts, source); }

RawNode true_node(const Source& source) {
  RawNode out = node_of_kind(RawNode::Kind::boolean, source);
  out.boolean = true;
  return out;
}

RawNode empty_table(const Source& source) { return node_of_kind(RawNode::Kind::table, source); }

RawNode& add(RawNode& table, const std::string& key, RawNode node) {
  const Source source = node.source;
  table.entries.push_back({key, source, std::move(node), {}});
  return table.entries.back().node;
}

}  // namespace flexura

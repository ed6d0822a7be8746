#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <type_traits>

#include "flexura/base/text.hpp"
#include "flexura/output/hdf5_reader.hpp"

namespace flexura {

namespace {

std::string_view last_part(std::string_view path) { return path.substr(path.rfind('/') + 1); }

/// Place of a number in a row-major array: "[3,0]".
std::string place(std::size_t index, const std::vector<std::uint64_t>& shape) {
  std::vector<std::size_t> indices(shape.size());
  for (std::size_t i = shape.size(); i-- > 0; index /= shape[i]) indices[i] = index % shape[i];
  return "[" + joined_text(indices, ",") + "]";
}

template <class T>
bool same_bits(T a, T b) {
  if constexpr (std::is_same_v<T, double>)
    return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
  else
    return a == b;
}

template <class T>
std::string difference(const std::vector<T>& a, const std::vector<T>& b, const std::vector<std::uint64_t>& shape) {
  std::size_t first = 0, count = 0;
  for (std::size_t i = a.size(); i-- > 0;) {
    if (same_bits(a[i], b[i])) continue;
    first = i;
    ++count;
  }
  if (count == 0) return {};
  return fmt::format("{} of {} values differ, the first at {}: {} and {}", count, a.size(), place(first, shape),
                     a[first], b[first]);
}

std::string difference(const Dataset& a, const Dataset& b) {
  if (a.info.type != b.info.type) return "types differ";
  if (a.info.shape != b.info.shape)
    return fmt::format("shapes differ: [{}] and [{}]", joined_text(a.info.shape, ","), joined_text(b.info.shape, ","));
  if (a.info.type == DatasetInfo::Type::real) return difference(a.reals, b.reals, a.info.shape);
  if (a.info.type == DatasetInfo::Type::integer) return difference(a.integers, b.integers, a.info.shape);
  return a.text == b.text ? "" : "contents differ";
}

std::string value_text(const Attribute& attribute) {
  switch (attribute.kind) {
    case Attribute::Kind::real:
      return fmt::format("{}", attribute.real);
    case Attribute::Kind::integer:
      return fmt::format("{}", attribute.integer);
    case Attribute::Kind::text:
      return attribute.text;
  }
  return {};
}

bool same(const Attribute& a, const Attribute& b) {
  return a.kind == b.kind && same_bits(a.real, b.real) && a.integer == b.integer && a.text == b.text;
}

using AttributesByName = std::map<std::string, Attribute>;
Outcome<AttributesByName> attributes_by_name(const std::string& file) {
  auto all = list_attributes(file);
  if (!all) return Outcome<AttributesByName>::failure(all.error());
  AttributesByName result;
  for (const Attribute& attribute : *all)
    if (!is_wall_clock(attribute.name)) result[attribute.path + "@" + attribute.name] = attribute;
  return result;
}

}  // namespace

Outcome<std::vector<std::string>> compare_results(const std::string& a, const std::string& b) {
  using Result = Outcome<std::vector<std::string>>;
  std::vector<std::string> lines;
  std::map<std::string, int> found;  // bit 0: in a, bit 1: in b
  for (const int side : {0, 1}) {
    const auto datasets = list_datasets(side == 0 ? a : b);
    if (!datasets) return Result::failure(datasets.error());
    for (const DatasetInfo& info : *datasets)
      if (!is_wall_clock(last_part(info.path))) found[info.path] |= 1 << side;
  }
  for (const auto& [path, sides] : found) {
    if (sides != 3) {
      lines.push_back(fmt::format("{}: only in '{}'", path, sides == 1 ? a : b));
      continue;
    }
    const auto left = read_dataset(a, path), right = read_dataset(b, path);
    if (!left || !right) return Result::failure(left ? right.error() : left.error());
    if (left->info.unit != right->info.unit) lines.push_back(fmt::format("{}: units differ", path));
    if (const std::string text = difference(*left, *right); !text.empty())
      lines.push_back(fmt::format("{}: {}", path, text));
  }
  const auto left = attributes_by_name(a), right = attributes_by_name(b);
  if (!left || !right) return Result::failure(left ? right.error() : left.error());
  for (const auto& [name, attribute] : *left) {
    const auto other = right->find(name);
    if (other == right->end())
      lines.push_back(fmt::format("attribute {}: only in '{}'", name, a));
    else if (!same(attribute, other->second))
      lines.push_back(fmt::format("attribute {}: {} and {}", name, value_text(attribute), value_text(other->second)));
  }
  for (const auto& [name, attribute] : *right)
    if (!left->contains(name)) lines.push_back(fmt::format("attribute {}: only in '{}'", name, b));
  return lines;
}

}  // namespace flexura

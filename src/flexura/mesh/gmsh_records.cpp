#include "flexura/mesh/gmsh_records.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>

#include "flexura/base/problem.hpp"

namespace flexura {
namespace {

constexpr GmshType types[] = {{1, 2, 1, "line"},
                              {2, 3, 2, "triangle"},
                              {3, 4, 2, "quadrilateral"},
                              {4, 4, 3, "tetrahedron"},
                              {5, 8, 3, "hexahedron"},
                              {6, 6, 3, "prism"},
                              {7, 5, 3, "pyramid"},
                              {8, 3, 1, "line"},
                              {9, 6, 2, "triangle"},
                              {10, 9, 2, "quadrilateral"},
                              {11, 10, 3, "tetrahedron"},
                              {12, 27, 3, "hexahedron"},
                              {13, 18, 3, "prism"},
                              {14, 14, 3, "pyramid"},
                              {15, 1, 0, "point"},
                              {16, 8, 2, "quadrilateral"},
                              {17, 20, 3, "hexahedron"},
                              {18, 15, 3, "prism"},
                              {19, 13, 3, "pyramid"},
                              {20, 9, 2, "triangle"},
                              {21, 10, 2, "triangle"},
                              {26, 4, 1, "line"},
                              {27, 5, 1, "line"},
                              {28, 6, 1, "line"},
                              {36, 16, 2, "quadrilateral"},
                              {37, 25, 2, "quadrilateral"}};

std::string_view trimmed(std::string_view text) {
  const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  return text;
}

/// The file line by line, and the words of the line read last.
class Lines {
 public:
  Lines(std::string_view contents, std::string file) : rest_(contents), file_(std::move(file)) {}

  [[noreturn]] void fail(std::string message) const { fail_at(line_, std::move(message)); }
  [[noreturn]] void fail_at(int line, std::string message) const {
    throw InputError({{Source{file_, line, line > 0 ? 1 : 0, 1}, "", std::move(message), ""}});
  }
  /// The next line that is not blank; false at the end of the file.
  bool next() {
    while (!rest_.empty()) {
      const size_t length = std::min(rest_.find('\n'), rest_.size());
      text_ = trimmed(rest_.substr(0, length));
      rest_.remove_prefix(std::min(length + 1, rest_.size()));
      ++line_;
      if (!text_.empty()) return true;
    }
    text_ = {};
    return false;
  }
  /// The next line of a section, split into words.
  void next_in(std::string_view section) {
    if (!next()) fail_at(line_ + 1, fmt::format("the file ends inside ${}", section));
    if (text_.starts_with("$")) fail(fmt::format("${} ends too early: more lines were announced", section));
    words_.clear();
    for (std::string_view left = text_; !left.empty();) {
      const size_t length = std::min(left.find_first_of(" \t"), left.size());
      words_.push_back(left.substr(0, length));
      left = trimmed(left.substr(length));
    }
  }
  void need(size_t words, std::string_view what) const {
    if (words_.size() < words) fail(fmt::format("expected {}, found {} words", what, words_.size()));
  }
  size_t words() const { return words_.size(); }
  std::int64_t integer(size_t k, std::string_view what) const {
    if (k >= words_.size()) fail(fmt::format("expected {}, found the end of the line", what));
    std::int64_t value = 0;
    const std::string_view word = words_[k];
    const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc() || stop != word.data() + word.size())
      fail(fmt::format("expected {}, a whole number, found \"{}\"", what, words_[k].substr(0, 40)));
    return value;
  }
  std::int64_t tag(size_t k, std::string_view what) const {
    const std::int64_t value = integer(k, what);
    if (value < 1) fail(fmt::format("{} must be 1 or above, it is {}", what, value));
    return value;
  }
  double number(size_t k, std::string_view what) const {
    if (k >= words_.size()) fail(fmt::format("expected {}, found the end of the line", what));
    std::string_view word = words_[k];
    if (word.starts_with('+')) word.remove_prefix(1);
    double value = 0;
    const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc() || stop != word.data() + word.size() || !std::isfinite(value))
      fail(fmt::format("expected {}, a finite number, found \"{}\"", what, words_[k].substr(0, 40)));
    return value;
  }
  /// A count of records, each of two characters or more.
  std::int64_t count(size_t k, std::string_view what) const {
    const std::int64_t value = integer(k, what);
    if (value < 0) fail(fmt::format("{} must be 0 or above, it is {}", what, value));
    if (value > static_cast<std::int64_t>(rest_.size() / 2 + 1))
      fail(fmt::format("{} is {}, more than the rest of the file can hold", what, value));
    return value;
  }
  void end_of(std::string_view section) {
    if (!next()) fail_at(line_ + 1, fmt::format("the file ends inside ${}", section));
    if (text_ != fmt::format("$End{}", section))
      fail(fmt::format("expected $End{}, found \"{}\"", section, text_.substr(0, 40)));
  }
  void skip_to_end_of(std::string_view section) {
    const int begin = line_;
    const std::string end = fmt::format("$End{}", section);
    while (next())
      if (text_ == end) return;
    fail_at(begin, fmt::format("${} has no {}", section, end));
  }
  std::string_view text() const { return text_; }
  int line() const { return line_; }

 private:
  std::string_view rest_, text_;
  std::vector<std::string_view> words_;
  std::string file_;
  int line_ = 0;
};

class Reader {
 public:
  Reader(std::string_view contents, const std::string& file, GmshContents wanted)
      : lines_(contents, file),
        volumes_(wanted == GmshContents::volumes),
        triangles_(wanted == GmshContents::triangles) {}

  GmshRecords read() {
    if (!lines_.next() || lines_.text() != "$MeshFormat")
      lines_.fail_at(1, "is no Gmsh mesh: it must begin with $MeshFormat");
    read_format();
    while (lines_.next()) {
      if (!lines_.text().starts_with("$"))
        lines_.fail(fmt::format("expected a section such as $Nodes, found \"{}\"", lines_.text().substr(0, 40)));
      const std::string section(lines_.text().substr(1));
      if (section.starts_with("End")) lines_.fail(fmt::format("${} closes no section", section));
      if (section == "PhysicalNames") {
        read_names();
      } else if (section == "Entities" && newer_) {
        read_entities();
      } else if (section == "Nodes") {
        once(has_nodes_, section);
        newer_ ? read_node_blocks() : read_nodes();
      } else if (section == "Elements") {
        once(has_elements_, section);
        if (!has_nodes_) lines_.fail("$Elements must come after $Nodes");
        newer_ ? read_element_blocks() : read_elements();
      } else {
        lines_.skip_to_end_of(section);
        continue;
      }
      lines_.end_of(section);
    }
    for (const bool has : {has_nodes_, has_elements_})
      if (!has) lines_.fail_at(0, fmt::format("has no section ${}", has_nodes_ ? "Elements" : "Nodes"));
    return std::move(out_);
  }

 private:
  void once(bool& seen, const std::string& section) const {
    if (seen) lines_.fail(fmt::format("${} comes a second time", section));
    seen = true;
  }

  void read_format() {
    lines_.next_in("MeshFormat");
    lines_.need(3, "version, file type and data size");
    const double version = lines_.number(0, "the version");
    if (version != 2.2 && version != 4.1)
      lines_.fail(fmt::format("format {} is not read; save the mesh as 2.2 or 4.1 (Mesh.MshFileVersion)", version));
    if (lines_.integer(1, "the file type") != 0)
      lines_.fail("the file is binary; save the mesh as ASCII (Mesh.Binary = 0)");
    newer_ = version == 4.1;
    lines_.end_of("MeshFormat");
  }

  void read_names() {
    lines_.next_in("PhysicalNames");
    const std::int64_t count = lines_.count(0, "the number of names");
    for (std::int64_t k = 0; k < count; ++k) {
      lines_.next_in("PhysicalNames");
      const std::int64_t dimension = lines_.integer(0, "a dimension");
      if (dimension < 0 || dimension > 3) lines_.fail(fmt::format("the dimension must be 0 to 3, it is {}", dimension));
      const std::int64_t tag = lines_.tag(1, "the tag of a physical group");
      const std::string_view text = lines_.text();
      const size_t begin = text.find('"'), end = text.rfind('"');
      if (begin == std::string_view::npos || end <= begin + 1) lines_.fail("expected a name in quotes");
      out_.names[{static_cast<int>(dimension), tag}] = text.substr(begin + 1, end - begin - 1);
    }
  }

  /// Physical groups of points, curves and surfaces; a negative tag only says that the group's direction is reversed.
  void read_entities() {
    lines_.next_in("Entities");
    std::int64_t counts[4];
    for (int d = 0; d < 4; ++d) counts[d] = lines_.count(d, "a number of entities");
    for (int d = 0; d < 4; ++d)
      for (std::int64_t k = 0; k < counts[d]; ++k) {
        lines_.next_in("Entities");
        const std::int64_t entity = lines_.integer(0, "the tag of an entity");
        const size_t place = d == 0 ? 4 : 7;  // after the tag and the place or box
        const std::int64_t groups = lines_.integer(place, "the number of physical groups");
        if (groups < 0 || groups > static_cast<std::int64_t>(lines_.words()))
          lines_.fail(fmt::format("{} physical groups are announced, more than the line holds", groups));
        for (std::int64_t g = 0; g < groups; ++g) groups_[{d, entity}].push_back(group_tag(place + 1 + g));
      }
  }
  std::int64_t group_tag(size_t k) const {
    const std::int64_t tag = lines_.integer(k, "the tag of a physical group");
    if (tag < -INT32_MAX || tag > INT32_MAX) lines_.fail(fmt::format("{} is no tag of a physical group", tag));
    return std::abs(tag);
  }

  void add_node(std::int64_t tag, size_t first) {
    if (!places_.emplace(tag, static_cast<int>(out_.nodes.size())).second)
      lines_.fail(fmt::format("there are two nodes {}", tag));
    out_.nodes.push_back(
        {tag, {lines_.number(first, "x"), lines_.number(first + 1, "y"), lines_.number(first + 2, "z")}});
  }
  void read_nodes() {
    lines_.next_in("Nodes");
    const std::int64_t count = lines_.count(0, "the number of nodes");
    for (std::int64_t k = 0; k < count; ++k) {
      lines_.next_in("Nodes");
      lines_.need(4, "the tag of a node and x y z");
      add_node(lines_.tag(0, "the tag of a node"), 1);
    }
  }
  void read_node_blocks() {
    lines_.next_in("Nodes");
    lines_.need(4, "numbers of blocks and nodes, least and largest tag");
    const std::int64_t blocks = lines_.count(0, "the number of blocks"), count = lines_.count(1, "the number of nodes");
    const int begin = lines_.line();
    for (std::int64_t b = 0; b < blocks; ++b) {
      lines_.next_in("Nodes");
      lines_.need(4, "dimension, tag, parametric, number of nodes");
      const std::int64_t here = lines_.count(3, "the number of nodes of the block");
      std::vector<std::int64_t> tags;
      for (std::int64_t k = 0; k < here; ++k) {
        lines_.next_in("Nodes");
        if (lines_.words() != 1) lines_.fail("expected the tag of a node alone");
        tags.push_back(lines_.tag(0, "the tag of a node"));
      }
      for (const std::int64_t tag : tags) {
        lines_.next_in("Nodes");
        lines_.need(3, "x y z");
        add_node(tag, 0);
      }
    }
    if (static_cast<std::int64_t>(out_.nodes.size()) != count)
      lines_.fail_at(begin, fmt::format("{} nodes are announced, the blocks have {}", count, out_.nodes.size()));
  }

  const GmshType& type_at(size_t k) const {
    const std::int64_t number = lines_.integer(k, "the type of an element");
    const GmshType* type = gmsh_type(number);
    if (type == nullptr) lines_.fail(fmt::format("element type {} is not known", number));
    return *type;
  }
  void add_element(std::int64_t tag, const GmshType& type, std::vector<std::int64_t> groups, size_t first) {
    if (type.name == "triangle" && !volumes_ && !triangles_)
      lines_.fail(
          fmt::format("element {} is a triangle; thin plates need quadrilaterals: recombine the mesh "
                      "(Mesh.RecombineAll = 1, Mesh.SubdivisionAlgorithm = 1)",
                      tag));
    if (type.dimension == 3 && !volumes_)
      lines_.fail(fmt::format("element {} is a solid ({}); only surfaces{} are read", tag, type.name,
                              triangles_ ? "" : " of quadrilaterals"));
    if (lines_.words() != first + type.nodes)
      lines_.fail(fmt::format("element {} is a {} of {} nodes, found {}", tag, type.name, type.nodes,
                              lines_.words() > first ? lines_.words() - first : 0));
    GmshRecords::Element element{tag, &type, lines_.line(), std::move(groups), {-1, -1, -1, -1}};
    const int corners = type.dimension == 3       ? 0
                        : type.name == "triangle" ? 3
                        : type.dimension == 2     ? 4
                                                  : type.dimension + 1;
    for (int k = 0; k < type.nodes; ++k) {
      const std::int64_t node = lines_.tag(first + k, "the tag of a node");
      const auto place = places_.find(node);
      if (place == places_.end()) lines_.fail(fmt::format("element {} has node {}, which does not exist", tag, node));
      if (volumes_ || triangles_) element.nodes.push_back(place->second);
      if (k >= corners) continue;
      for (int other = 0; other < k; ++other)
        if (element.corners[other] == place->second)
          lines_.fail(fmt::format("element {} has node {} twice", tag, node));
      element.corners[k] = place->second;
    }
    if (type.dimension == 2 && type.nodes > 4) ++out_.quadrilaterals_of_more_nodes;
    out_.elements.push_back(std::move(element));
  }
  void read_elements() {
    lines_.next_in("Elements");
    const std::int64_t count = lines_.count(0, "the number of elements");
    for (std::int64_t k = 0; k < count; ++k) {
      lines_.next_in("Elements");
      const std::int64_t tag = lines_.tag(0, "the tag of an element");
      const GmshType& type = type_at(1);
      const std::int64_t tags = lines_.integer(2, "the number of tags");
      if (tags < 0 || tags > static_cast<std::int64_t>(lines_.words()))
        lines_.fail(fmt::format("{} tags are announced, more than the line holds", tags));
      std::vector<std::int64_t> groups;
      if (tags > 0) {
        const std::int64_t group = group_tag(3);
        if (group != 0) groups.push_back(group);
      }
      add_element(tag, type, std::move(groups), 3 + tags);
    }
  }
  void read_element_blocks() {
    lines_.next_in("Elements");
    lines_.need(4, "numbers of blocks and elements, least and largest tag");
    const std::int64_t blocks = lines_.count(0, "the number of blocks"),
                       count = lines_.count(1, "the number of elements");
    const int begin = lines_.line();
    std::int64_t read = 0;
    for (std::int64_t b = 0; b < blocks; ++b) {
      lines_.next_in("Elements");
      lines_.need(4, "dimension, tag, element type, number of elements");
      const std::int64_t dimension = lines_.integer(0, "a dimension"),
                         entity = lines_.integer(1, "the tag of an entity");
      const GmshType& type = type_at(2);
      if (dimension != type.dimension) lines_.fail(fmt::format("a {} does not fit dimension {}", type.name, dimension));
      const std::int64_t here = lines_.count(3, "the number of elements of the block");
      const auto groups = groups_.find({type.dimension, entity});
      for (std::int64_t k = 0; k < here; ++k) {
        lines_.next_in("Elements");
        add_element(lines_.tag(0, "the tag of an element"), type,
                    groups == groups_.end() ? std::vector<std::int64_t>{} : groups->second, 1);
      }
      read += here;
    }
    if (read != count) lines_.fail_at(begin, fmt::format("{} elements are announced, the blocks have {}", count, read));
  }

  Lines lines_;
  GmshRecords out_;
  std::unordered_map<std::int64_t, int> places_;
  std::map<std::pair<int, std::int64_t>, std::vector<std::int64_t>> groups_;  // of entities
  bool volumes_ = false, triangles_ = false, newer_ = false, has_nodes_ = false, has_elements_ = false;
};

}  // namespace

const GmshType* gmsh_type(std::int64_t number) {
  const auto* const found =
      std::find_if(std::begin(types), std::end(types), [&](const GmshType& type) { return type.number == number; });
  return found == std::end(types) ? nullptr : found;
}

GmshRecords read_gmsh_records(std::string_view contents, const std::string& file, GmshContents wanted) {
  return Reader(contents, file, wanted).read();
}

}  // namespace flexura

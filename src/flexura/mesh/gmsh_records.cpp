#include "flexura/mesh/gmsh_records.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <unordered_map>

#include "flexura/mesh/finding_text.hpp"

namespace flexura {
namespace {

using Entity = std::pair<int, std::int64_t>;  // dimension and tag

/// The file as it stands: sections in any order, tags in place of places.
struct GmshFile {
  struct Element {
    GmshRecords::Element element;
    std::vector<std::int64_t> node_tags;
    Entity entity{-1, 0};  // format 4: its groups are those of the entity
  };
  std::vector<GmshRecords::Node> nodes;
  std::vector<GmshPosition> node_positions;
  std::vector<Element> elements;
  std::map<Entity, std::vector<std::int64_t>> groups;  // negative: reversed
  std::map<Entity, std::string> names;
  std::map<std::string_view, int> left_out;  // names of shapes of dimensions that are not read
  std::map<std::int64_t, int> unknown_types;
};

/// Sections of a file, one function each.
class GmshSections {
 public:
  GmshSections(std::string_view contents, const std::string& file, int dimension)
      : in_(contents, file), dimension_(dimension) {}

  GmshFile read() {
    if (!in_.next_line() || !in_.line().starts_with("$"))
      in_.fail_at({1}, "is no Gmsh mesh: it must begin with $MeshFormat, or in format 1 with $NOD");
    do read_section();
    while (in_.next_line());
    if (version_ == 0) in_.fail_at({}, "is no Gmsh mesh: it has no section $MeshFormat");
    for (const bool has : {has_nodes_, has_elements_})
      if (!has) in_.fail_at({}, fmt::format("has no section ${}", has_nodes_ ? "Elements" : "Nodes"));
    return std::move(out_);
  }
  const GmshInput& input() const { return in_; }

 private:
  bool is_4() const { return version_ >= 4; }
  bool is_41() const { return version_ == 4.1; }

  void read_section() {
    if (!in_.line().starts_with("$"))
      in_.fail(fmt::format("expected a section such as $Nodes, found \"{}\"", gmsh_quoted(in_.line())));
    const std::string section(in_.line().substr(1));
    if (section.starts_with("End") || section.starts_with("END"))
      in_.fail(fmt::format("${} closes no section", gmsh_quoted(section)));
    const bool is_nodes = section == "Nodes" || section == "ParametricNodes" || section == "NOD",
               is_elements = section == "Elements" || section == "ELM";
    if ((section == "NOD" || section == "ELM") && version_ == 0) version_ = 1;
    if (section == "MeshFormat") {
      read_format();
    } else if (section == "PhysicalNames") {
      read_names();
    } else if (is_4() && (section == "Entities" || section == "PartitionedEntities")) {
      read_entities(section);
    } else if (is_nodes || is_elements) {
      if (version_ == 0) in_.fail(fmt::format("${} comes before $MeshFormat", section));
      bool& seen = is_nodes ? has_nodes_ : has_elements_;
      if (seen) in_.fail(fmt::format("${} comes a second time", section));
      seen = true;
      if (is_nodes) is_4() ? read_node_blocks() : read_nodes(section);
      if (is_elements) is_4() ? read_element_blocks() : read_elements(section);
    } else {
      return in_.skip_section(section);
    }
    in_.end_of(section);
  }

  void read_format() {
    in_.text_record("MeshFormat");
    const std::size_t words = in_.words_left();
    if (words < 3) in_.fail(fmt::format("expected version, file type and data size, found {} words", words));
    version_ = in_.number("the version");
    if (!(version_ >= 2 && version_ <= 2.2) && version_ != 4 && version_ != 4.1)
      in_.fail(
          fmt::format("format {} is not read; 1, 2.0 to 2.2, 4.0 and 4.1 are: save the mesh as one of them "
                      "(Mesh.MshFileVersion)",
                      version_));
    const std::int64_t type = in_.integer("the file type"), size = in_.integer("the data size");
    if (type != 0 && type != 1) in_.fail(fmt::format("the file type must be 0 (ASCII) or 1 (binary), it is {}", type));
    if (type == 0) return;
    if (size != 8 && !(size == 4 && is_41()))
      in_.fail(fmt::format("the data size must be 8{}, it is {}", is_41() ? " or 4" : "", size));
    in_.set_binary(false, static_cast<int>(size));
    in_.record("MeshFormat");
    const std::int64_t one = in_.integer("the number 1 that gives the byte order");
    if (one != 1 && one != 0x01000000)
      in_.fail(fmt::format("expected the number 1, in either byte order, found {}", one));
    in_.set_binary(one != 1, static_cast<int>(size));
  }

  /// Format 2.0 names groups of all dimensions at once.
  void read_names() {
    in_.text_record("PhysicalNames");
    const std::int64_t count = in_.count("the number of names", false);
    for (std::int64_t k = 0; k < count; ++k) {
      in_.text_record("PhysicalNames");
      const std::string_view text = in_.line();
      const std::size_t begin = text.find('"'), end = text.rfind('"');
      if (begin == std::string_view::npos || end <= begin + 1) in_.fail("expected a name in quotes");
      const std::string name(text.substr(begin + 1, end - begin - 1));
      const std::vector<std::int64_t> numbers = numbers_in(text.substr(0, begin));
      const bool has_dimension = numbers.size() == 2;
      if (!has_dimension && !(version_ == 2.0 && numbers.size() == 1))
        in_.fail("expected a dimension and the tag of a physical group before its name");
      const std::int64_t tag = numbers.back();
      // A group of no dimension that meshes have has no elements, and none of a tag below 1 is referred to.
      for (int d = 0; d < 4; ++d)
        if (!has_dimension || d == numbers[0]) out_.names[{d, tag}] = name;
    }
  }

  /// Whole numbers between blanks; empty if there is anything else.
  static std::vector<std::int64_t> numbers_in(std::string_view text) {
    std::vector<std::int64_t> out;
    const char *at = text.data(), *const end = at + text.size();
    const auto skip_blanks = [&] {
      while (at != end && (*at == ' ' || *at == '\t')) ++at;
    };
    for (skip_blanks(); at != end; skip_blanks()) {
      std::int64_t number = 0;
      const auto [next, error] = std::from_chars(at, end, number);
      if (error != std::errc() || (next != end && *next != ' ' && *next != '\t')) return {};
      out.push_back(number);
      at = next;
    }
    return out;
  }

  /// Physical groups of points, curves, surfaces and volumes, of partitions too.
  void read_entities(const std::string& section) {
    const bool is_partitioned = section == "PartitionedEntities";
    if (is_partitioned) {
      in_.record(section);
      in_.large("the number of partitions");
      in_.record(section);
      const std::int64_t ghosts = in_.count("the number of ghost entities", true);
      for (std::int64_t k = 0; k < ghosts; ++k) in_.record(section), in_.skip_integers(2);
    }
    in_.record(section);
    std::int64_t counts[4];
    for (std::int64_t& n : counts) n = in_.count("a number of entities", true);
    for (int d = 0; d < 4; ++d)
      for (std::int64_t k = 0; k < counts[d]; ++k) {
        in_.record(section);
        const std::int64_t entity = in_.integer("the tag of an entity");
        if (is_partitioned) {
          in_.skip_integers(2);  // its parent
          in_.skip_integers(announced("partitions", in_.is_binary() && is_41()));
        }
        in_.skip_numbers(d == 0 && is_41() ? 3 : 6);  // its place or box
        const std::int64_t groups = announced("physical groups", true);
        for (std::int64_t g = 0; g < groups; ++g) {
          const std::int64_t group = group_tag();
          if (group != 0) out_.groups[{d, entity}].push_back(group);
        }
        if (d > 0 && in_.is_binary()) in_.skip_integers(announced("bounding entities", true));
      }
  }
  std::int64_t announced(std::string_view what, bool is_large) {
    const std::int64_t n = is_large ? in_.large("a number") : in_.integer("a number");
    if (n < 0 || (in_.is_binary() ? n > static_cast<std::int64_t>(in_.bytes_left() / 4)
                                  : n > static_cast<std::int64_t>(in_.words_left())))
      in_.fail(fmt::format("{} {} are announced, more than the {} holds", n, what, in_.is_binary() ? "file" : "line"));
    return n;
  }
  std::int64_t group_tag() {
    const std::int64_t tag = in_.integer("the tag of a physical group");
    if (tag < -INT32_MAX || tag > INT32_MAX) in_.fail(fmt::format("{} is no tag of a physical group", tag));
    return tag;
  }

  std::int64_t tag(std::string_view what, bool is_large) {
    const std::int64_t value = is_large ? in_.large(what) : in_.integer(what);
    if (value < 0) in_.fail(fmt::format("{} must be 0 or above, it is {}", what, value));
    return value;
  }
  void add_node(std::int64_t tag) {
    GmshRecords::Node node{tag, {}};
    constexpr const char* names[] = {"x", "y", "z"};
    for (int i = 0; i < 3; ++i) node.position[i] = in_.number(names[i]);
    out_.nodes.push_back(node);
    out_.node_positions.push_back(in_.position());
  }
  void read_nodes(const std::string& section) {
    in_.text_record(section);
    const std::int64_t count = in_.count("the number of nodes", false);
    for (std::int64_t k = 0; k < count; ++k) {
      in_.record(section);
      if (!in_.is_binary() && in_.words_left() < 4)
        in_.fail(fmt::format("expected the tag of a node and x y z, found {} words", in_.words_left()));
      add_node(tag("the tag of a node", false));
      if (section != "ParametricNodes" || !in_.is_binary()) continue;
      const std::int64_t dimension = in_.integer("the dimension of an entity");
      in_.skip_integers(1);  // its tag
      skip_parameters(dimension);
    }
  }
  void skip_parameters(std::int64_t dimension) { in_.skip_numbers(dimension == 1 || dimension == 2 ? dimension : 0); }

  void read_node_blocks() {
    in_.record("Nodes");
    const GmshPosition begin = in_.position();
    const std::int64_t blocks = in_.count("the number of blocks", true), count = in_.count("the number of nodes", true);
    if (is_41()) in_.skip_large(2);  // least and largest tag
    for (std::int64_t b = 0; b < blocks; ++b) {
      in_.record("Nodes");
      const std::int64_t first = in_.integer("the dimension or tag of an entity"),
                         second = in_.integer("the tag or dimension of an entity");
      const std::int64_t parameters = in_.integer("0 or 1 for parametric nodes") == 0 ? 0 : is_41() ? first : second;
      const std::int64_t here = in_.count("the number of nodes of the block", true);
      std::vector<std::int64_t> tags;
      for (std::int64_t k = 0; k < here && is_41(); ++k) {
        in_.record("Nodes");
        tags.push_back(tag("the tag of a node", true));
        if (in_.words_left() > 0) in_.fail("expected the tag of a node alone");
      }
      for (std::int64_t k = 0; k < here; ++k) {
        in_.record("Nodes");
        if (!in_.is_binary() && in_.words_left() < (is_41() ? 3 : 4))
          in_.fail(fmt::format("expected {}x y z, found {} words", is_41() ? "" : "the tag of a node and ",
                               in_.words_left()));
        add_node(is_41() ? tags[static_cast<std::size_t>(k)] : tag("the tag of a node", false));
        if (in_.is_binary()) skip_parameters(parameters);
      }
    }
    if (static_cast<std::int64_t>(out_.nodes.size()) != count)
      in_.fail_at(begin, fmt::format("{} nodes are announced, the blocks have {}", count, out_.nodes.size()));
  }

  /// Null of a type that is not documented: its row is left out, but in a binary file nobody knows where it ends.
  const GmshType* type_of(std::int64_t number) {
    const GmshType* type = gmsh_type(number);
    if (type == nullptr && in_.is_binary()) in_.fail(fmt::format("element type {} is not known", number));
    return type;
  }
  void add_element(std::int64_t tag, const GmshType* type, std::vector<std::int64_t> groups, Entity entity,
                   std::int64_t number) {
    if (type == nullptr) {
      ++out_.unknown_types[number];
      return;
    }
    if (!in_.is_binary() && in_.words_left() != static_cast<std::size_t>(type->nodes))
      in_.fail(fmt::format("element {} is a {} of {} nodes, found {}", tag, type->shape->name, type->nodes,
                           in_.words_left()));
    GmshFile::Element e{{tag, type, in_.position(), std::move(groups), {}}, {}, entity};
    for (int k = 0; k < type->nodes; ++k) e.node_tags.push_back(this->tag("the tag of a node", is_41()));
    if (type->shape->dimension > dimension_)
      ++out_.left_out[type->shape->names];
    else
      out_.elements.push_back(std::move(e));
  }

  void read_elements(const std::string& section) {
    in_.text_record(section);
    const std::int64_t count = in_.count("the number of elements", false);
    if (in_.is_binary()) return read_binary_elements(count);
    for (std::int64_t k = 0; k < count; ++k) {
      in_.record(section);
      const std::int64_t tag = this->tag("the tag of an element", false);
      const std::int64_t number = in_.integer("the type of an element");
      std::vector<std::int64_t> groups;
      if (section == "ELM") {
        groups.push_back(group_tag());
        in_.skip_integers(2);  // elementary entity, number of nodes
      } else {
        const std::int64_t tags = announced("tags", false);
        if (tags > 0) groups.push_back(group_tag());
        in_.skip_integers(tags - 1);
      }
      add_element(tag, type_of(number), unsigned_groups(std::move(groups)), {-1, 0}, number);
    }
  }
  /// Blocks of elements of one type.
  void read_binary_elements(std::int64_t count) {
    for (std::int64_t read = 0; read < count;) {
      in_.record("Elements");
      const std::int64_t number = in_.integer("the type of an element");
      const GmshType* type = type_of(number);
      const std::int64_t here = in_.count("the number of elements of the block", false);
      if (here < 1 || here > count - read)
        in_.fail(fmt::format("a block has {} elements, {} are left of those announced", here, count - read));
      const std::int64_t tags = announced("tags", false);
      for (std::int64_t k = 0; k < here; ++k) {
        in_.record("Elements");
        const std::int64_t tag = this->tag("the tag of an element", false);
        std::vector<std::int64_t> groups;
        if (tags > 0) groups.push_back(group_tag());
        if (tags > 1) in_.skip_integers(tags - 1);
        add_element(tag, type, unsigned_groups(std::move(groups)), {-1, 0}, number);
      }
      read += here;
    }
  }
  /// Formats before 4 write the nodes of reversed groups in reversed order.
  static std::vector<std::int64_t> unsigned_groups(std::vector<std::int64_t> groups) {
    std::erase(groups, 0);
    for (std::int64_t& group : groups) group = std::abs(group);
    return groups;
  }

  void read_element_blocks() {
    in_.record("Elements");
    const GmshPosition begin = in_.position();
    const std::int64_t blocks = in_.count("the number of blocks", true),
                       count = in_.count("the number of elements", true);
    if (is_41()) in_.skip_large(2);  // least and largest tag
    std::int64_t read = 0;
    for (std::int64_t b = 0; b < blocks; ++b) {
      in_.record("Elements");
      const std::int64_t first = in_.integer("the dimension or tag of an entity"),
                         second = in_.integer("the tag or dimension of an entity");
      const Entity entity{static_cast<int>(std::clamp<std::int64_t>(is_41() ? first : second, -1, 4)),
                          is_41() ? second : first};
      const std::int64_t number = in_.integer("the type of an element");
      const GmshType* type = type_of(number);
      if (type != nullptr && entity.first != type->shape->dimension)
        in_.fail(fmt::format("a {} does not fit dimension {}", type->shape->name, is_41() ? first : second));
      const std::int64_t here = in_.count("the number of elements of the block", true);
      for (std::int64_t k = 0; k < here; ++k) {
        in_.record("Elements");
        add_element(tag("the tag of an element", is_41()), type, {}, entity, number);
      }
      read += here;
    }
    if (read != count) in_.fail_at(begin, fmt::format("{} elements are announced, the blocks have {}", count, read));
  }

  GmshInput in_;
  GmshFile out_;
  int dimension_;
  double version_ = 0;  // 0: not known yet
  bool has_nodes_ = false, has_elements_ = false;
};

/// Corner nodes of an element in ascending order, by which rows are compared.
struct CornerKey {
  std::array<int, 8> corners;
  int dimension;
  std::size_t element;
  friend auto operator<=>(const CornerKey&, const CornerKey&) = default;
  bool same_nodes(const CornerKey& other) const { return corners == other.corners && dimension == other.dimension; }
};

/// From tags to places, one step each.
class GmshResolver {
 public:
  GmshResolver(const GmshInput& input, GmshFile file, GmshContents contents)
      : in_(input),
        file_(std::move(file)),
        contents_(contents),
        dimension_(contents == GmshContents::volumes ? 3 : 2) {}

  GmshRecords resolve() {
    out_.names = std::move(file_.names);
    find_places();
    for (GmshFile::Element& e : file_.elements) add(e);
    merge_repeated();
    write_notices();
    return std::move(out_);
  }

 private:
  void find_places() {
    out_.nodes = std::move(file_.nodes);
    places_.reserve(out_.nodes.size());
    for (std::size_t k = 0; k < out_.nodes.size(); ++k)
      if (!places_.emplace(out_.nodes[k].tag, static_cast<int>(k)).second)
        in_.fail_at(file_.node_positions[k], fmt::format("there are two nodes {}", out_.nodes[k].tag));
  }

  void add(GmshFile::Element& given) {
    GmshRecords::Element& e = given.element;
    const GmshShape& shape = *e.type->shape;
    const bool is_reversed = take_groups(given);
    const bool is_lower = shape.dimension < dimension_;
    if (is_lower && e.groups.empty()) return;
    if (shape.name == "triangle" && contents_ == GmshContents::quadrilaterals)
      in_.fail_at(e.at, fmt::format("element {} is a triangle; plates need quadrilaterals: recombine the mesh "
                                    "(Mesh.RecombineAll = 1, Mesh.SubdivisionAlgorithm = 1), or take a membrane",
                                    e.tag));
    const bool has_middles = contents_ == GmshContents::volumes && is_second_order(*e.type);
    const int nodes = has_middles ? e.type->nodes : shape.corners;
    for (int k = 0; k < nodes; ++k) {
      const auto place = places_.find(given.node_tags[k]);
      if (place == places_.end()) {
        if (is_lower) return void(++spoiled_[{shape.name, shape.names}]);
        in_.fail_at(e.at, fmt::format("element {} has node {}, which does not exist", e.tag, given.node_tags[k]));
      }
      for (int other = 0; other < std::min(k, shape.corners); ++other)
        if (k < shape.corners && e.nodes[other] == place->second) {
          if (is_lower) return void(++spoiled_[{shape.name, shape.names}]);
          in_.fail_at(e.at, fmt::format("element {} has node {} twice", e.tag, given.node_tags[k]));
        }
      e.nodes.push_back(place->second);
    }
    if (is_reversed && shape.dimension == 1) std::swap(e.nodes[0], e.nodes[1]);
    if (is_reversed && shape.dimension == 2) std::reverse(e.nodes.begin() + 1, e.nodes.begin() + shape.corners);
    if (!is_lower && e.has_more_nodes() && !has_middles) ++cut_[shape.names];
    out_.elements.push_back(std::move(e));
  }
  /// Those that solids have, and their sides and faces.
  static bool is_second_order(const GmshType& type) {
    return type.number <= 19 && type.shape->name != "prism" && type.shape->name != "pyramid";
  }

  /// Whether the first group reverses the element.
  bool take_groups(GmshFile::Element& given) {
    GmshRecords::Element& e = given.element;
    const auto found = file_.groups.find(given.entity);
    if (found == file_.groups.end()) return false;
    const bool is_reversed = found->second.front() < 0;
    for (const std::int64_t group : found->second) {
      if ((group < 0) != is_reversed) ++both_senses_;
      if (std::find(e.groups.begin(), e.groups.end(), std::abs(group)) == e.groups.end())
        e.groups.push_back(std::abs(group));
    }
    return is_reversed && e.dimension() < 3;
  }

  /// Formats before 4 have one row for each group of an element.
  void merge_repeated() {
    std::vector<CornerKey> keys;
    keys.reserve(out_.elements.size());
    for (std::size_t k = 0; k < out_.elements.size(); ++k) {
      const GmshRecords::Element& e = out_.elements[k];
      CornerKey key{{}, e.dimension(), k};
      key.corners.fill(-1);
      std::copy_n(e.nodes.begin(), e.type->shape->corners, key.corners.begin());
      std::sort(key.corners.begin(), key.corners.end());
      keys.push_back(key);
    }
    std::sort(keys.begin(), keys.end());
    std::vector<bool> is_repeated(out_.elements.size(), false);
    for (std::size_t k = 0, first = 0; k < keys.size(); ++k) {
      if (k == first) continue;
      if (!keys[k].same_nodes(keys[first])) {
        first = k;
        continue;
      }
      GmshRecords::Element& kept = out_.elements[keys[first].element];
      const GmshRecords::Element& other = out_.elements[keys[k].element];
      bool is_new = false;
      for (const std::int64_t group : other.groups) {
        if (std::find(kept.groups.begin(), kept.groups.end(), group) != kept.groups.end()) continue;
        kept.groups.push_back(group);
        is_new = true;
      }
      if (!is_new) ++repeated_;
      is_repeated[keys[k].element] = true;
    }
    std::size_t kept = 0;
    for (std::size_t k = 0; k < out_.elements.size(); ++k)
      if (!is_repeated[k]) {
        if (kept != k) out_.elements[kept] = std::move(out_.elements[k]);
        ++kept;
      }
    out_.elements.erase(out_.elements.begin() + static_cast<std::ptrdiff_t>(kept), out_.elements.end());
  }

  void write_notices() {
    std::vector<std::string>& out = out_.notices;
    for (const auto& [names, count] : file_.left_out)
      out.push_back(fmt::format("{} {} of the file were left out: this part is a surface.", count, names));
    for (const auto& [number, count] : file_.unknown_types)
      out.push_back(fmt::format("{} of type {}, which is not read, left out.",
                                detail::counted(count, "element", "elements"), number));
    for (const auto& [names, count] : spoiled_)
      out.push_back(
          fmt::format("{} of physical groups left out: a node twice, or one that does not exist.",
                      detail::counted(count, std::string(names.first).c_str(), std::string(names.second).c_str())));
    for (const auto& [names, count] : cut_)
      out.push_back(fmt::format("{} {} of more than {} nodes became those of their corners.", count, names,
                                names == "triangles"    ? 3
                                : names == "hexahedra"  ? 27
                                : names == "tetrahedra" ? 10
                                : names == "prisms"     ? 6
                                : names == "pyramids"   ? 5
                                                        : 4));
    if (both_senses_ > 0)
      out.push_back(fmt::format("{} in groups of both directions and look as in the first.",
                                detail::counted(both_senses_, "element is", "elements are")));
    if (repeated_ > 0)
      out.push_back(fmt::format("{} an element with the same nodes and were read once.",
                                detail::counted(repeated_, "row repeats", "rows repeat")));
  }

  const GmshInput& in_;
  GmshFile file_;
  GmshContents contents_;
  int dimension_;
  GmshRecords out_;
  std::unordered_map<std::int64_t, int> places_;
  std::map<std::pair<std::string_view, std::string_view>, int> spoiled_;
  std::map<std::string_view, int> cut_;
  int both_senses_ = 0, repeated_ = 0;
};

}  // namespace

std::string GmshRecords::group_name(int dimension, std::int64_t tag) const {
  const auto found = names.find({dimension, tag});
  return found != names.end() ? found->second : fmt::format("physical_{}_{}", dimension, tag);
}

GmshRecords read_gmsh_records(std::string_view contents, const std::string& file, GmshContents contents_read) {
  GmshSections sections(contents, file, contents_read == GmshContents::volumes ? 3 : 2);
  GmshFile read = sections.read();
  return GmshResolver(sections.input(), std::move(read), contents_read).resolve();
}

}  // namespace flexura

#include "flexura/scene/urdf_robot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <iterator>
#include <numbers>
#include <pugixml.hpp>
#include <set>
#include <span>
#include <sstream>

#include "flexura/base/nearest_name.hpp"
#include "flexura/part/rigid_body.hpp"
#include "flexura/scene/source_texts.hpp"

namespace flexura {

using detail::can_be_inertia;

namespace {

using Names = std::vector<std::string>;
using Node = pugi::xml_node;

/// Turned by roll about x, then pitch about y, then yaw about z, all fixed.
Placement placement_of(const std::array<double, 3>& xyz, const std::array<double, 3>& rpy) {
  const double cr = std::cos(rpy[0]), sr = std::sin(rpy[0]), cp = std::cos(rpy[1]), sp = std::sin(rpy[1]),
               cy = std::cos(rpy[2]), sy = std::sin(rpy[2]);
  Placement out;
  out.R = {cy * cp,
           cy * sp * sr - sy * cr,
           cy * sp * cr + sy * sr,  //
           sy * cp,
           sy * sp * sr + cy * cr,
           sy * sp * cr - cy * sr,  //
           -sp,
           cp * sr,
           cp * cr};
  out.p = xyz;
  return out;
}

/// Of the XML declaration, in lower case; "" where there is none.
std::string declared_encoding(std::string_view text) {
  if (!text.starts_with("<?xml")) return {};
  text = text.substr(0, text.find("?>"));
  const std::size_t key = text.find("encoding");
  const std::size_t open = key == std::string_view::npos ? key : text.find_first_of("\"'", key);
  if (open == std::string_view::npos) return {};
  text = text.substr(open + 1);
  std::string out(text.substr(0, text.find_first_of("\"'")));
  for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return out;
}

/// Bytes of Latin-1 are code points. Other encodings stay as they are.
std::string in_utf8(const std::string& text) {
  const std::string encoding = declared_encoding(text);
  constexpr std::array latin_1{"iso-8859-1", "iso8859-1", "iso_8859-1", "latin1", "latin-1", "l1"};
  if (std::find(latin_1.begin(), latin_1.end(), encoding) == latin_1.end()) return text;
  std::string out;
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (code < 0x80)
      out += c;
    else
      out += {static_cast<char>(0xc0 | (code >> 6)), static_cast<char>(0x80 | (code & 0x3f))};
  }
  return out;
}

class UrdfReader {
 public:
  UrdfReader(const std::string& text, const std::string& file, const UrdfUse& use)
      : file_(file), buffer_(in_utf8(text)), use_(use) {
    const std::size_t end = buffer_.find_last_not_of('\0') + 1;
    has_trailing_nul_ = end > 0 && end < buffer_.size();
    if (has_trailing_nul_) buffer_.resize(end);
    for (std::size_t i = 0; i < buffer_.size(); ++i)
      if (buffer_[i] == '\n') lines_.push_back(i + 1);
  }

  UrdfReading read() {
    if (const Node root = parse()) {
      read_root(root);
      if (out_.problems.empty()) check_tree();
      for (const auto& [what, count] : left_out_)
        out_.robot.left_out.push_back(count == 1 ? what : fmt::format("{} ({})", what, count));
    }
    return std::move(out_);
  }

 private:
  Source place(std::size_t offset, std::size_t length) const {
    const auto line = std::upper_bound(lines_.begin(), lines_.end(), offset) - lines_.begin();
    return {file_, static_cast<int>(line), static_cast<int>(offset - lines_[static_cast<std::size_t>(line) - 1]) + 1,
            static_cast<int>(std::clamp<std::size_t>(length, 1, 60))};
  }
  Source place(const Node& node) const {
    return place(static_cast<std::size_t>(std::max<std::ptrdiff_t>(node.offset_debug(), 0)), std::strlen(node.name()));
  }
  Source place_of(const char* text, const Node& node) const {
    const std::ptrdiff_t offset = text - buffer_.data();
    if (offset < 0 || offset >= static_cast<std::ptrdiff_t>(buffer_.size())) return place(node);
    return place(static_cast<std::size_t>(offset), std::strlen(text));
  }
  Source place(const Node& node, const char* attribute) const {
    const pugi::xml_attribute a = node.attribute(attribute);
    return a ? place_of(a.value(), node) : place(node);
  }
  void wrong(Source source, std::string path, std::string message, std::string nearest = {}) {
    out_.problems.push_back({std::move(source), std::move(path), std::move(message), std::move(nearest)});
  }
  void warn(Source source, std::string path, std::string message) {
    out_.warnings.push_back({std::move(source), std::move(path), std::move(message), {}, true});
  }
  /// Reads something that the scene can do without: its problems are warnings that end with `so`. Whether there were none.
  bool read_unneeded(const std::string& so, const auto& read) {
    const std::size_t before = out_.problems.size();
    read();
    const bool is_right = out_.problems.size() == before;
    for (std::size_t k = before; k < out_.problems.size(); ++k) {
      Problem& problem = out_.problems[k];
      problem.message += "; " + so;
      problem.warning = true;
      out_.warnings.push_back(std::move(problem));
    }
    out_.problems.resize(before);
    return is_right;
  }

  // ---- the document

  Node parse() {
    const auto refuse = [&](Source source, std::string message) {
      wrong(std::move(source), {}, std::move(message));
      return Node();
    };
    if (buffer_.starts_with("\xff\xfe") || buffer_.starts_with("\xfe\xff") || buffer_.find('\0') != std::string::npos)
      return refuse({file_, 0, 0, 1}, "is no text in UTF-8: a URDF file is XML");
    for (std::size_t k = 0; k < lines_.size(); ++k) {
      const std::size_t end = k + 1 < lines_.size() ? lines_[k + 1] : buffer_.size();
      if (!is_utf8(buffer_.substr(lines_[k], end - lines_[k])))
        return refuse({file_, static_cast<int>(k) + 1, 1, 1}, "this line is not UTF-8: save the file in that encoding");
    }
    if (has_trailing_nul_) warn(place(buffer_.size() - 1, 1), {}, "null bytes follow the text; they are left out");
    const pugi::xml_parse_result result =
        document_.load_buffer_inplace(buffer_.data(), buffer_.size(), pugi::parse_default, pugi::encoding_utf8);
    if (!result)
      return refuse(
          place(std::min(static_cast<std::size_t>(result.offset), buffer_.empty() ? 0 : buffer_.size() - 1), 1),
          fmt::format("is not XML from here on: {}", lower(result.description())));
    const Node root = document_.document_element();
    const std::string name = root.name();
    if (name == "sdf" || name == "mujoco")
      return refuse(place(root), fmt::format("is a file of {}; a URDF file has <robot> at its top",
                                             name == "sdf" ? "SDFormat" : "MuJoCo"));
    if (name != "robot")
      return refuse(place(root), fmt::format("a URDF file has <robot> at its top; this one has <{}>", name));
    for (Node other = root.next_sibling(); other; other = other.next_sibling())
      if (other.type() == pugi::node_element) return refuse(place(other), "there is a second element at the top");
    for (const Node child : root.children())
      if (std::strncmp(child.name(), "xacro:", 6) == 0)
        return refuse(place(child), fmt::format("is a macro: expand it first, with `xacro {} > robot.urdf`", file_));
    return root;
  }

  static std::string lower(std::string text) {
    if (!text.empty() && text[0] >= 'A' && text[0] <= 'Z') text[0] = static_cast<char>(text[0] - 'A' + 'a');
    return text;
  }

  void leave_out(const std::string& what, const Source& source) {
    if (left_out_.empty()) out_.robot.first_left_out = source;
    const auto known =
        std::find_if(left_out_.begin(), left_out_.end(), [&](const auto& entry) { return entry.first == what; });
    known == left_out_.end() ? void(left_out_.emplace_back(what, 1)) : void(++known->second);
  }

  /// What the node holds beside these is left out. Of tags that stand there once the second is a problem.
  void look_over(const Node& node, const std::string& path, const Names& attributes, const Names& once,
                 const Names& many = {}) {
    for (const pugi::xml_attribute a : node.attributes()) {
      const std::string name = a.name();
      if (std::find(attributes.begin(), attributes.end(), name) != attributes.end() || name.starts_with("xmlns"))
        continue;
      const std::string near = nearest_name(name, attributes);
      leave_out(fmt::format("{} of <{}>{}", name, node.name(), near.empty() ? "" : fmt::format(" (nearest: {})", near)),
                place_of(a.name(), node));
    }
    std::set<std::string> seen;
    for (const Node child : node.children()) {
      if (child.type() != pugi::node_element) continue;
      const std::string name = child.name();
      if (std::find(once.begin(), once.end(), name) != once.end()) {
        if (!seen.insert(name).second) wrong(place(child), path, fmt::format("there is a second <{}>", name));
      } else if (std::find(many.begin(), many.end(), name) == many.end()) {
        Names known = once;
        known.insert(known.end(), many.begin(), many.end());
        const std::string near = nearest_name(name, known);
        leave_out(fmt::format("<{}>{}", name, near.empty() ? "" : fmt::format(" (nearest: <{}>)", near)), place(child));
      }
    }
  }

  // ---- values

  std::string text_of(const Node& node, const char* attribute, const std::string& path) {
    const pugi::xml_attribute a = node.attribute(attribute);
    if (!a || a.value()[0] == '\0') {
      wrong(place(node), path, fmt::format("<{}> has no \"{}\"", node.name(), attribute));
      return {};
    }
    return a.value();
  }

  /// Exactly so many numbers; false after a problem.
  bool numbers(const Node& node, const char* attribute, const std::string& path, std::span<double> out) {
    const std::string_view text = node.attribute(attribute).value();
    std::size_t count = 0, at = 0;
    const auto is_blank = [](char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; };
    while (true) {
      while (at < text.size() && is_blank(text[at])) ++at;
      if (at == text.size()) break;
      std::size_t end = at;
      while (end < text.size() && !is_blank(text[end])) ++end;
      const char* first = text.data() + at + (text[at] == '+' ? 1 : 0);
      double x = 0;
      const auto [stop, error] = std::from_chars(first, text.data() + end, x);
      const bool has_comma = error == std::errc() && stop + 1 == text.data() + end && *stop == ',';
      if (has_comma)
        warn(place(node, attribute), path,
             fmt::format("\"{}\" of <{}>: the comma in \"{}\" is left out; numbers are separated by spaces", attribute,
                         node.name(), text.substr(at, std::min<std::size_t>(end - at, 40))));
      if (error != std::errc() || (stop != text.data() + end && !has_comma) || !std::isfinite(x)) {
        wrong(place(node, attribute), path,
              fmt::format("\"{}\" of <{}> must be {}; \"{}\" is no finite number", attribute, node.name(),
                          out.size() == 1 ? "a number" : fmt::format("{} numbers", out.size()),
                          text.substr(at, std::min<std::size_t>(end - at, 40))));
        return false;
      }
      if (count < out.size()) out[count] = x;
      ++count;
      at = end;
    }
    if (count == out.size()) return true;
    wrong(place(node, attribute), path,
          fmt::format("\"{}\" of <{}> must be {}; there {} {}", attribute, node.name(),
                      out.size() == 1 ? "a number" : fmt::format("{} numbers", out.size()), count == 1 ? "is" : "are",
                      count));
    return false;
  }

  static int count_of(const Node& node, const char* attribute) {
    std::istringstream words(node.attribute(attribute).value());
    return static_cast<int>(std::distance(std::istream_iterator<std::string>(words), {}));
  }

  std::optional<double> number(const Node& node, const char* attribute, const std::string& path) {
    double x = 0;
    if (!node.attribute(attribute) || !numbers(node, attribute, path, {&x, 1})) return {};
    return x;
  }

  double needed_number(const Node& node, const char* attribute, const std::string& path) {
    if (!node.attribute(attribute)) {
      wrong(place(node), path, fmt::format("<{}> has no \"{}\"", node.name(), attribute));
      return 0;
    }
    return number(node, attribute, path).value_or(0);
  }

  double length(const Node& node, const char* attribute, const std::string& path) {
    const std::size_t before = out_.problems.size();
    const double x = needed_number(node, attribute, path);
    if (out_.problems.size() == before && !(x > 0))
      wrong(place(node, attribute), path,
            fmt::format("the {} of a {} must be > 0; this is {}", attribute, node.name(), x));
    return x;
  }

  Placement origin_of(const Node& node, const std::string& path) {
    const Node origin = node.child("origin");
    std::array<double, 3> xyz{}, rpy{};
    if (!origin) return {};
    look_over(origin, path, {"xyz", "rpy"}, {});
    if (origin.attribute("xyz")) numbers(origin, "xyz", path, xyz);
    if (origin.attribute("rpy")) numbers(origin, "rpy", path, rpy);
    return placement_of(xyz, rpy);
  }

  // ---- robot

  void read_root(const Node& root) {
    UrdfRobot& robot = out_.robot;
    robot.name = root.attribute("name").value();
    look_over(root, "robot", {"name", "version"}, {}, {"link", "joint", "material"});
    for (const Node material : root.children("material")) read_material(material);
    for (const Node link : root.children("link")) read_link(link);
    for (const Node joint : root.children("joint")) read_joint(joint);
    if (robot.links.empty()) wrong(place(root), "robot", "has no <link>");
  }

  /// Colour of a material; "" without.
  std::string read_material(const Node& node) {
    const std::string name = node.attribute("name").value();
    look_over(node, "material", {"name"}, {"color", "texture"});
    if (const Node color = node.child("color"); color && color.attribute("rgba")) {
      std::array<double, 4> rgba{};
      const bool is_rgb = count_of(color, "rgba") == 3;
      if (is_rgb)
        warn(place(color, "rgba"), "material", "\"rgba\" of <color> has 3 values: they are red, green and blue");
      if (!read_unneeded("the colour is left out",
                         [&] { numbers(color, "rgba", "material", std::span(rgba).first(is_rgb ? 3 : 4)); }))
        return {};
      std::string text = "#";
      for (int i = 0; i < 3; ++i)
        text += fmt::format("{:02x}", static_cast<int>(std::lround(255 * std::clamp(rgba[i], 0.0, 1.0))));
      if (!name.empty()) colors_.emplace(name, text);
      return text;
    }
    if (node.child("texture")) leave_out("<texture>", place(node.child("texture")));
    const auto known = colors_.find(name);
    return known == colors_.end() ? std::string() : known->second;
  }

  void read_link(const Node& node) {
    UrdfLink link;
    link.source = place(node);
    link.name = text_of(node, "name", "link");
    const std::string path = "link " + link.name;
    if (!link.name.empty() && !link_index_.emplace(link.name, out_.robot.links.size()).second)
      wrong(place(node, "name"), path, "there is another link of this name");
    look_over(node, path, {"name", "type"}, {"inertial"}, {"visual", "collision"});
    if (const Node inertial = node.child("inertial")) read_inertial(inertial, path, link);
    for (const Node visual : node.children("visual")) read_look(visual, path, link.visuals);
    for (const Node collision : node.children("collision")) read_look(collision, path, link.collisions);
    out_.robot.links.push_back(std::move(link));
  }

  void read_inertial(const Node& node, const std::string& path, UrdfLink& link) {
    const std::size_t before = out_.problems.size();
    look_over(node, path, {}, {"origin", "mass", "inertia"});
    const Node mass = node.child("mass"), inertia = node.child("inertia");
    link.mass_source = place(mass ? mass : node);
    link.inertia_source = place(inertia ? inertia : node);
    const bool is_mended = use_.inertia == UrdfInertia::mended;
    if (!mass && !is_mended)
      wrong(place(node), path, "<inertial> has no <mass>; inertia = \"mended\" gives it a little");
    if (!inertia) warn(place(node), path, "<inertial> has no <inertia>: the mass is taken as a point");
    link.center = origin_of(node, path);
    if (mass) {
      look_over(mass, path, {"value"}, {});
      link.mass = needed_number(mass, "value", path);
      if (link.mass < 0) wrong(place(mass, "value"), path, fmt::format("a mass must be > 0; this is {}", link.mass));
    }
    constexpr const char* keys[] = {"ixx", "iyy", "izz", "ixy", "iyz", "ixz"};
    if (inertia) look_over(inertia, path, Names(std::begin(keys), std::end(keys)), {});
    for (int k = 0; inertia && k < 6; ++k) {
      if (k < 3 && is_mended && !inertia.attribute(keys[k])) link.mend = true;
      link.inertia[k] =
          k < 3 && !link.mend ? needed_number(inertia, keys[k], path) : number(inertia, keys[k], path).value_or(0);
    }
    if (out_.problems.size() > before) return;
    const bool has_inertia = std::any_of(link.inertia.begin(), link.inertia.end(), [](double x) { return x != 0; });
    link.has_inertial = link.mass > 0 || has_inertia;
    bool principal_ones = false;
    const auto refuse = [&](const Source& source, std::string message) {
      if (!is_mended) wrong(source, path, std::move(message) + "; inertia = \"mended\" takes what is near");
      link.mend = true;
    };
    if (link.mass == 0 && has_inertia) refuse(link.mass_source, "has moments of inertia and no mass");
    if (link.mass > 0 && has_inertia && !can_be_inertia(link.inertia.data(), principal_ones))
      refuse(link.inertia_source,
             "no mass is distributed like that: each principal moment is positive and at most the sum of the others");
  }

  void read_look(const Node& node, const std::string& path, std::vector<UrdfLook>& out) {
    UrdfLook look;
    look.source = place(node);
    const bool is_visual = std::strcmp(node.name(), "visual") == 0;
    const bool is_right = read_unneeded(fmt::format("this <{}> is left out", node.name()), [&] {
      look_over(node, path, {"name"},
                is_visual ? Names{"origin", "geometry", "material"} : Names{"origin", "geometry"});
      look.placed = origin_of(node, path);
      read_shape(node, path, look.geometry);
    });
    if (const Node material = node.child("material")) look.color = read_material(material);
    if (is_right) out.push_back(std::move(look));
  }

  void read_shape(const Node& look, const std::string& path, UrdfGeometry& out) {
    const Node geometry = look.child("geometry");
    if (!geometry) return wrong(place(look), path, fmt::format("<{}> has no <geometry>", look.name()));
    const Names shapes{"box", "cylinder", "sphere", "mesh", "capsule"};
    look_over(geometry, path, {}, {"box", "cylinder", "sphere", "mesh"}, {"capsule"});
    Names inside;
    Node shape;
    for (const Node child : geometry.children()) {
      if (child.type() != pugi::node_element) continue;
      inside.push_back(child.name());
      if (std::find(shapes.begin(), shapes.end(), child.name()) == shapes.end()) continue;
      if (shape)
        return wrong(place(child), path, fmt::format("<geometry> holds <{}> and <{}>", shape.name(), child.name()));
      shape = child;
    }
    if (shape) return read_geometry(shape, path, out);
    wrong(place(geometry), path,
          fmt::format("<geometry> holds {}; known are <box>, <cylinder>, <capsule>, <sphere> and <mesh>",
                      inside.empty() ? "nothing" : "<" + inside.front() + ">"));
  }

  void read_geometry(const Node& node, const std::string& path, UrdfGeometry& out) {
    using Kind = UrdfGeometry::Kind;
    const std::string name = node.name();
    out.source = place(node);
    if (name == "box") {
      out.kind = Kind::box;
      look_over(node, path, {"size"}, {});
      if (text_of(node, "size", path).empty() || !numbers(node, "size", path, out.size)) return;
      const auto& [x, y, z] = out.size;
      if (!(std::min({x, y, z}) > 0))
        wrong(place(node, "size"), path, fmt::format("the size of a box must be > 0; this is {} {} {}", x, y, z));
    } else if (name == "sphere") {
      out.kind = Kind::sphere;
      look_over(node, path, {"radius"}, {});
      out.radius = length(node, "radius", path);
    } else if (name == "cylinder" || name == "capsule") {
      out.kind = Kind::cylinder;
      out.has_round_ends = name == "capsule";
      look_over(node, path, {"radius", "length"}, {});
      out.radius = length(node, "radius", path);
      out.length = length(node, "length", path);
    } else {
      out.kind = Kind::mesh;
      look_over(node, path, {"filename", "scale"}, {});
      out.file = text_of(node, "filename", path);
      out.source = place(node, "filename");
      if (node.attribute("scale")) read_scale(node, path, out);
    }
  }

  void read_scale(const Node& node, const std::string& path, UrdfGeometry& out) {
    if (count_of(node, "scale") == 1) {
      const double scale = number(node, "scale", path).value_or(1);
      out.scale = {scale, scale, scale};
      warn(place(node, "scale"), path, "\"scale\" of <mesh> has 1 value: it is that of all three axes");
    } else if (!numbers(node, "scale", path, out.scale)) {
      return;
    }
    if (std::any_of(out.scale.begin(), out.scale.end(), [](double x) { return x == 0; }))
      wrong(place(node, "scale"), path,
            fmt::format("a scale must not be 0; this is {} {} {}", out.scale[0], out.scale[1], out.scale[2]));
  }

  // ---- joints

  void read_joint(const Node& node) {
    UrdfJoint joint;
    joint.source = place(node);
    joint.name = text_of(node, "name", "joint");
    const std::string path = "joint " + joint.name;
    if (!joint.name.empty() && !joint_names_.insert(joint.name).second)
      wrong(place(node, "name"), path, "there is another joint of this name");
    look_over(node, path, {"name", "type"}, {"origin", "parent", "child", "axis", "limit", "dynamics", "mimic"});
    read_type(node, path, joint);
    joint.placed = origin_of(node, path);
    read_link_of(node, "parent", path, joint.parent, joint.parent_source);
    read_link_of(node, "child", path, joint.child, joint.child_source);
    // Exporters write one of zeros for joints that have none.
    if (const Node axis = node.child("axis"); axis && joint.has_axis()) read_axis(axis, path, joint);
    if (const Node limit = node.child("limit")) read_limit(limit, path, joint);
    if (const Node dynamics = node.child("dynamics")) read_dynamics(dynamics, path, joint);
    if (const Node mimic = node.child("mimic")) {
      if (joint.has_coordinate())
        read_mimic(mimic, path, joint);
      else
        leave_out("<mimic> of a joint without a coordinate", place(mimic));
    }
    out_.robot.joints.push_back(std::move(joint));
  }

  void read_type(const Node& node, const std::string& path, UrdfJoint& joint) {
    const Names types{"revolute", "continuous", "prismatic", "fixed", "floating", "planar"};
    const std::size_t before = out_.problems.size();
    const std::string type = text_of(node, "type", path);
    const auto known = std::find(types.begin(), types.end(), type);
    if (known != types.end())
      joint.type = static_cast<UrdfJoint::Type>(known - types.begin());
    else if (out_.problems.size() == before)
      wrong(place(node, "type"), path,
            fmt::format("there is no joint of type \"{}\"; allowed: {}", type, list_of(types)),
            nearest_name(type, types));
  }

  void read_link_of(const Node& joint, const char* tag, const std::string& path, std::string& name, Source& source) {
    const Node node = joint.child(tag);
    if (!node) return wrong(place(joint), path, fmt::format("has no <{}>", tag));
    look_over(node, path, {"link"}, {});
    name = text_of(node, "link", path);
    source = place(node, "link");
  }

  void read_axis(const Node& node, const std::string& path, UrdfJoint& joint) {
    look_over(node, path, {"xyz"}, {});
    if (text_of(node, "xyz", path).empty() || !numbers(node, "xyz", path, joint.axis)) return;
    const double n = std::hypot(joint.axis[0], joint.axis[1], joint.axis[2]);
    if (n == 0) return wrong(place(node, "xyz"), path, "an axis must not be zero");
    for (double& x : joint.axis) x /= n;
  }

  void read_limit(const Node& node, const std::string& path, UrdfJoint& joint) {
    look_over(node, path, {"lower", "upper", "effort", "velocity"}, {});
    joint.limit_source = place(node);
    const auto needed = [&](bool is_needed, const char* what, const auto& read) {
      is_needed ? void(read()) : void(read_unneeded(fmt::format("{} are left out", what), read));
    };
    needed(use_.rates, "limits of velocities", [&] { joint.velocity = positive(node, "velocity", path); });
    needed(use_.limits, "limits", [&] {
      joint.effort = positive(node, "effort", path);
      if (joint.type != UrdfJoint::Type::revolute && joint.type != UrdfJoint::Type::prismatic) return;
      joint.lower = number(node, "lower", path).value_or(0);
      joint.upper = number(node, "upper", path).value_or(0);
      if (*joint.lower > *joint.upper)
        wrong(joint.limit_source, path,
              fmt::format("the lower limit {} is above the upper one, {}{}", *joint.lower, *joint.upper,
                          use_.limits ? "; limits = \"none\" reads the file without them" : ""));
    });
    if (joint.moves() && !joint.has_coordinate())
      leave_out_values(node, {"lower", "upper", "effort", "velocity"}, path, joint);
    if (joint.type == UrdfJoint::Type::continuous) leave_out_values(node, {"lower", "upper"}, path, joint);
  }

  /// Values other than 0 for which a joint of this type has no use.
  void leave_out_values(const Node& node, const Names& attributes, const std::string& path, const UrdfJoint& joint) {
    constexpr const char* types[] = {"revolute", "continuous", "prismatic", "fixed", "floating", "planar"};
    for (const std::string& key : attributes) {
      double x = 0;
      read_unneeded("it is left out", [&] { x = number(node, key.c_str(), path).value_or(0); });
      if (x != 0)
        leave_out(fmt::format("{} of <{}> of {} joints", key, node.name(), types[static_cast<int>(joint.type)]),
                  place(node, key.c_str()));
    }
  }

  std::optional<double> positive(const Node& node, const char* attribute, const std::string& path) {
    const std::optional<double> x = number(node, attribute, path);
    if (!x || *x >= 0) return x;
    wrong(place(node, attribute), path,
          fmt::format("\"{}\" of <{}> must be >= 0; this is {}", attribute, node.name(), *x));
    return {};
  }

  void read_dynamics(const Node& node, const std::string& path, UrdfJoint& joint) {
    look_over(node, path, {"damping", "friction"}, {});
    joint.dynamics_source = place(node);
    if (!joint.has_coordinate()) {
      if (joint.moves()) leave_out_values(node, {"damping", "friction"}, path, joint);
      return;
    }
    joint.damping = positive(node, "damping", path).value_or(0);
    joint.friction = positive(node, "friction", path).value_or(0);
  }

  void read_mimic(const Node& node, const std::string& path, UrdfJoint& joint) {
    look_over(node, path, {"joint", "multiplier", "offset"}, {});
    joint.mimic = {text_of(node, "joint", path), number(node, "multiplier", path).value_or(1),
                   number(node, "offset", path).value_or(0), place(node, "joint")};
    if (joint.mimic->multiplier == 0)
      wrong(place(node, "multiplier"), path, "a joint that follows another by a factor of 0 is fixed: write so");
  }

  // ---- all together

  void check_tree() {
    const UrdfRobot& robot = out_.robot;
    Names links, joints;
    for (const UrdfLink& link : robot.links) links.push_back(link.name);
    for (const UrdfJoint& joint : robot.joints) joints.push_back(joint.name);
    std::map<std::string, const UrdfJoint*> above;
    for (const UrdfJoint& joint : robot.joints) {
      const std::string path = "joint " + joint.name;
      for (const auto& [name, source] :
           {std::pair{joint.parent, joint.parent_source}, std::pair{joint.child, joint.child_source}})
        if (!link_index_.contains(name))
          wrong(source, path, fmt::format("there is no link named \"{}\"", name), nearest_name(name, links));
      if (joint.parent == joint.child) wrong(joint.child_source, path, "joins a link to itself");
      const auto [other, fresh] = above.emplace(joint.child, &joint);
      if (!fresh)
        wrong(joint.child_source, path,
              fmt::format(
                  "\"{}\" is the child of joint \"{}\" already: links of URDF form a tree; close a loop by a joint "
                  "of the scene that uses this robot",
                  joint.child, other->second->name));
      if (joint.mimic) check_mimic(joint, joints);
    }
    if (!out_.problems.empty()) return;
    Names roots;
    for (const UrdfLink& link : robot.links)
      if (!above.contains(link.name)) roots.push_back(link.name);
    if (roots.size() > 1)
      wrong(robot.links[link_index_[roots[1]]].source, "link " + roots[1],
            fmt::format("links of URDF form one tree, and {} have no joint above them: join all but one",
                        list_of(roots, "and")));
    if (robot.from_root().size() == robot.joints.size() && !roots.empty()) return;
    for (const UrdfJoint& joint : robot.joints) {  // a ring: go up until a joint comes again
      std::set<std::string> seen;
      const UrdfJoint* at = &joint;
      while (at != nullptr && seen.insert(at->name).second) {
        const auto next = above.find(at->parent);
        at = next == above.end() ? nullptr : next->second;
      }
      if (at == nullptr) continue;
      std::string ring = at->child;
      for (const UrdfJoint* walk = at;;) {
        ring = walk->parent + " -> " + ring;
        walk = above[walk->parent];
        if (walk == at) break;
      }
      return wrong(at->child_source, "joint " + at->name, fmt::format("links hang on each other in a ring: {}", ring));
    }
  }

  void check_mimic(const UrdfJoint& joint, const Names& joints) {
    const std::string path = "joint " + joint.name;
    const UrdfRobot& robot = out_.robot;
    std::set<std::string> seen{joint.name};
    for (const UrdfJoint* at = &joint; at->mimic;) {
      const int next = robot.find_joint(at->mimic->joint);
      if (next < 0) {
        if (at == &joint)
          wrong(joint.mimic->source, path, fmt::format("there is no joint named \"{}\"", joint.mimic->joint),
                nearest_name(joint.mimic->joint, joints));
        return;
      }
      at = &robot.joints[static_cast<std::size_t>(next)];
      if (!at->has_coordinate())
        return wrong(joint.mimic->source, path, fmt::format("joint \"{}\" has no coordinate to follow", at->name));
      if (!seen.insert(at->name).second) return wrong(joint.mimic->source, path, "follows itself");
    }
  }

  std::string file_, buffer_;
  UrdfUse use_;
  bool has_trailing_nul_ = false;
  std::vector<std::size_t> lines_{0};
  pugi::xml_document document_;
  UrdfReading out_;
  std::map<std::string, std::string> colors_;
  std::map<std::string, std::size_t> link_index_;
  std::set<std::string> joint_names_;
  std::vector<std::pair<std::string, int>> left_out_;
};

template <class Range>
int index_by_name(const Range& range, std::string_view name) {
  const auto found = std::find_if(range.begin(), range.end(), [&](const auto& entry) { return entry.name == name; });
  return found == range.end() ? -1 : static_cast<int>(found - range.begin());
}

}  // namespace

int UrdfRobot::find_link(std::string_view link) const { return index_by_name(links, link); }
int UrdfRobot::find_joint(std::string_view joint) const { return index_by_name(joints, joint); }

int UrdfRobot::joint_above(std::string_view link) const {
  const auto found =
      std::find_if(joints.begin(), joints.end(), [&](const UrdfJoint& joint) { return joint.child == link; });
  return found == joints.end() ? -1 : static_cast<int>(found - joints.begin());
}

std::vector<int> UrdfRobot::from_root() const {
  std::multimap<std::string, int> below;
  std::set<std::string> children;
  for (std::size_t k = 0; k < joints.size(); ++k) {
    below.emplace(joints[k].parent, static_cast<int>(k));
    children.insert(joints[k].child);
  }
  std::vector<std::string> links_left;
  for (const UrdfLink& link : links)
    if (!children.contains(link.name)) links_left.push_back(link.name);
  std::vector<int> out;
  for (std::size_t next = 0; next < links_left.size(); ++next) {
    const auto [first, last] = below.equal_range(links_left[next]);
    for (auto at = first; at != last; ++at) {
      out.push_back(at->second);
      links_left.push_back(joints[static_cast<std::size_t>(at->second)].child);
    }
  }
  return out;
}

UrdfReading read_urdf(const std::string& text, const std::string& file, const UrdfUse& use) {
  return UrdfReader(text, file, use).read();
}

}  // namespace flexura

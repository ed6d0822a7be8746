#include "flexura/scene/urdf_scene.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <optional>
#include <set>

#include "flexura/base/nearest_name.hpp"
#include "flexura/scene/body_shape.hpp"
#include "flexura/scene/place.hpp"
#include "flexura/scene/raw_nodes.hpp"
#include "flexura/scene/urdf_collision.hpp"
#include "flexura/scene/urdf_inertia.hpp"

namespace flexura {
namespace {

namespace fs = std::filesystem;

// Penetration over which an end stop engages. Of angles, of displacements.
constexpr double stop_angle = 1e-3, stop_distance = 1e-4;  // rad, m

void add(RawNode& table, const std::string& key, const auto& value, const Source& source) {
  add(table, key, node_of(value, source));
}

/// [kind.name]
RawNode& add_table(RawNode& root, const std::string& kind, const std::string& name, const Source& source,
                   const std::string& comment = {}) {
  const RawNode empty = empty_table(source);
  RawNode* tables = root.find(kind);
  if (tables == nullptr) tables = &add(root, kind, empty);
  RawNode& out = add(*tables, name, empty);
  tables->entries.back().comment = comment;
  return out;
}

/// Without what only rounding has left: 0.33 in place of 0.32999999999999996.
double clean(double x, double size) {
  return std::fabs(x) < 1e-15 * size ? 0 : std::strtod(fmt::format("{:.15g}", x).c_str(), nullptr);
}

void add_placement(RawNode& table, const Placement& at, const Source& source) {
  std::array<double, 3> p = at.p;
  const double size = std::max({1e-3, std::fabs(p[0]), std::fabs(p[1]), std::fabs(p[2])});
  for (double& x : p) x = clean(x, size);
  if (p != std::array<double, 3>{}) add(table, "position", p, source);
  std::array<double, 4> q = at.quat_xyzw();
  for (double& x : q) x = clean(x, 1);
  if (q != std::array<double, 4>{0, 0, 0, 1}) add(table, "quat_xyzw", q, source);
}

/// About an axis.
Placement turned(const std::array<double, 3>& axis, double angle) {
  const double s = std::sin(angle / 2);
  return Placement::turned_by(std::array{s * axis[0], s * axis[1], s * axis[2], std::cos(angle / 2)});
}

class SceneWriter {
 public:
  SceneWriter(UrdfRobot robot, const std::string& file, const UrdfOptions& options)
      : robot_(std::move(robot)), file_(file), options_(options) {}

  UrdfScene write() {
    out_.root.source = {file_, 1, 1, 1};
    give_names();
    find_places();
    check_options();
    check_replaced();
    read_collision_meshes();
    mend();
    check_masses();
    const Source top = robot_.links.front().source;
    if (!robot_.name.empty()) add(out_.root, "title", robot_.name, top);
    add(out_.root, "space", std::string("spatial"), top);
    for (std::size_t k = 0; k < robot_.links.size(); ++k) write_body(k);
    for (std::size_t k = 0; k < robot_.links.size(); ++k) write_looks(k);
    if (!options_.free_base) write_base();
    for (std::size_t k = 0; k < robot_.joints.size(); ++k) write_joint(k);
    for (std::size_t k = 0; k < robot_.joints.size(); ++k) write_forces(k);
    check_starts();
    check_sizes();
    say_what_is_left_out();
    return std::move(out_);
  }

 private:
  using Index = std::size_t;
  Index link_of(const std::string& name) const { return static_cast<Index>(robot_.find_link(name)); }
  void wrong(const Source& source, std::string path, std::string message, std::string nearest = {}) {
    out_.problems.push_back({source, std::move(path), std::move(message), std::move(nearest)});
  }
  void warn(const Source& source, std::string path, std::string message) {
    out_.warnings.push_back({source, std::move(path), std::move(message), {}, true});
  }

  // ---- names and places

  /// Letters, digits, _ and -, each name once.
  static std::string fit(const std::string& name, const std::string& prefix, std::set<std::string>& taken) {
    std::string out;
    for (const char c : name) out += is_name("a" + std::string(1, c)) ? c : '_';
    if (!is_name(out)) out = prefix + "_" + out;
    if (out == "ground") out += "_link";
    const std::string first = out;
    for (int k = 2; !taken.insert(out).second; ++k) out = fmt::format("{}_{}", first, k);
    return out;
  }

  void give_names() {
    std::vector<std::string> changed;
    const auto give = [&](const std::string& name, const char* prefix, std::set<std::string>& taken) {
      std::string out = fit(name, prefix, taken);
      if (out != name) changed.push_back(fmt::format("\"{}\" is called \"{}\" here", name, out));
      return out;
    };
    for (const UrdfLink& link : robot_.links) bodies_.push_back(give(link.name, "link", parts_));
    std::set<std::string> joints;
    for (const UrdfJoint& joint : robot_.joints) joints_.push_back(give(joint.name, "joint", joints));
    base_joint_ = fit("base", "joint", joints);
    points_.resize(bodies_.size());
    if (changed.empty()) return;
    std::string list = changed[0];
    for (Index k = 1; k < changed.size(); ++k) list += ", " + changed[k];
    warn(robot_.links.front().source, "robot", fmt::format("names hold letters, digits, _ and -: {}", list));
  }

  double start_of(Index joint) const {
    const UrdfJoint& at = robot_.joints[joint];
    if (at.mimic) {
      const auto other = static_cast<Index>(robot_.find_joint(at.mimic->joint));
      return at.mimic->multiplier * start_of(other) + at.mimic->offset;
    }
    for (const UrdfOptions::Named& value : options_.joints)
      if (value.name == joints_[joint] || value.name == at.name) return value.x;
    return 0;
  }

  /// Frames of all links with joints at 0, and where they start.
  void find_places() {
    reference_.resize(bodies_.size());
    initial_.resize(bodies_.size());
    for (const int k : robot_.from_root()) {
      const auto joint = static_cast<Index>(k);
      const UrdfJoint& at = robot_.joints[joint];
      const Index parent = link_of(at.parent), child = link_of(at.child);
      reference_[child] = reference_[parent] * at.placed;
      Placement moved = at.placed;
      if (at.has_coordinate()) {
        const double x = start_of(joint);
        Placement motion = at.turns() ? turned(at.axis, x) : Placement{};
        if (!at.turns())
          for (int i = 0; i < 3; ++i) motion.p[i] = x * at.axis[i];
        moved = moved * motion;
      }
      initial_[child] = initial_[parent] * moved;
    }
  }

  void check_options() {
    std::vector<std::string> known, links;
    for (Index k = 0; k < joints_.size(); ++k)
      if (robot_.joints[k].has_coordinate() && !robot_.joints[k].mimic) known.push_back(joints_[k]);
    for (const UrdfOptions::Named& value : options_.joints) {
      const auto is_it = [&](Index k) { return value.name == joints_[k] || value.name == robot_.joints[k].name; };
      Index k = 0;
      while (k < joints_.size() && !is_it(k)) ++k;
      if (k == joints_.size())
        wrong(value.source, options_.path + "joints." + value.name,
              fmt::format("the robot has no joint \"{}\"", value.name), nearest_name(value.name, known));
      else if (robot_.joints[k].mimic)
        wrong(value.source, options_.path + "joints." + value.name,
              fmt::format("follows joint \"{}\": give that one's place", robot_.joints[k].mimic->joint));
      else if (!robot_.joints[k].has_coordinate())
        wrong(value.source, options_.path + "joints." + value.name, "this joint has neither angle nor displacement");
    }
  }

  void check_replaced() {
    for (const UrdfOptions::Named& replaced : options_.replaced)
      if (std::find(bodies_.begin(), bodies_.end(), replaced.name) == bodies_.end())
        wrong(replaced.source, options_.path + "replace." + replaced.name,
              fmt::format("the robot has no link \"{}\"", replaced.name), nearest_name(replaced.name, bodies_));
  }

  bool spheres() const { return options_.collision != UrdfCollision::none; }

  bool is_replaced(Index link) const {
    return std::any_of(options_.replaced.begin(), options_.replaced.end(),
                       [&](const UrdfOptions::Named& replaced) { return replaced.name == bodies_[link]; });
  }

  /// A link without mass can only be a frame on another.
  bool is_frame(Index link) const { return !robot_.links[link].has_inertial || is_replaced(link); }
  static bool is_point_mass(const UrdfLink& link) {
    return link.mass > 0 && std::all_of(link.inertia.begin(), link.inertia.end(), [](double x) { return x == 0; });
  }

  bool moves_without_inertia(Index k) const {
    const UrdfLink& link = robot_.links[k];
    return !is_replaced(k) && (!link.has_inertial || is_point_mass(link)) && !hangs_on_fixed(k);
  }

  void check_masses() {
    for (Index k = 0; k < bodies_.size(); ++k) {
      if (!moves_without_inertia(k)) continue;
      const UrdfLink& link = robot_.links[k];
      wrong(link.source, "link " + link.name,
            std::string(link.has_inertial
                            ? "moves, and has no moments of inertia: give <inertial> its <inertia>"
                            : "moves, and has no mass: give it an <inertial> with <mass> and <inertia>, or make its "
                              "joint fixed") +
                "; inertia = \"mended\" gives it a little");
    }
  }

  void mend() {
    if (options_.inertia != UrdfInertia::mended) return;
    const std::vector<std::string> said =
        mend_inertia(robot_, extent(), [&](Index k) { return moves_without_inertia(k); });
    if (said.empty()) return;
    std::string list = said[0];
    for (Index k = 1; k < said.size(); ++k) list += ", " + said[k];
    warn(robot_.links.front().source, "robot", "inertia is mended: " + list);
  }

  /// Fixed to the ground or, up or down the tree, to a link with mass.
  bool hangs_on_fixed(Index start) const {
    std::set<std::string> seen{robot_.links[start].name};
    std::vector<Index> next{start};
    while (!next.empty()) {
      const Index at = next.back();
      next.pop_back();
      const UrdfLink& link = robot_.links[at];
      if (at != start && link.has_inertial && !is_point_mass(link)) return true;
      if (robot_.joint_above(link.name) < 0 && !options_.free_base) return true;
      for (const UrdfJoint& joint : robot_.joints) {
        if (joint.type != UrdfJoint::Type::fixed) continue;
        for (const auto& [from, to] : {std::pair{joint.parent, joint.child}, std::pair{joint.child, joint.parent}})
          if (from == link.name && seen.insert(to).second) next.push_back(link_of(to));
      }
    }
    return false;
  }

  // ---- tables

  void write_body(Index k) {
    const UrdfLink& link = robot_.links[k];
    const Source& source = link.source;
    find_points(k);
    RawNode& body = add_table(out_.root, "body", bodies_[k], source);
    add_placement(body, reference_[k], source);
    const Placement &rest = reference_[k], &start = initial_[k];
    if (start.R != rest.R || start.p != rest.p) {  // what it leaves out is that of the reference
      RawNode initial;
      initial.source = source;
      add_placement(initial, start, source);
      if (initial.find("position") == nullptr) add(initial, "position", std::array<double, 3>{}, source);
      if (initial.find("quat_xyzw") == nullptr) add(initial, "quat_xyzw", std::array<double, 4>{0, 0, 0, 1}, source);
      add(body, "initial", std::move(initial));
    }
    if (is_frame(k) || is_point_mass(link)) {
      add(body, "m", 0.0, source);
    } else {
      add(body, "m", link.mass, link.mass_source);
      if (link.center.p != std::array<double, 3>{}) add(body, "center", link.center.p, link.inertia_source);
      write_inertia(link, body);
    }
    if (!points_[k].empty()) {
      RawNode points;
      points.source = source;
      for (const auto& [name, x] : points_[k]) add(points, name, x, source);
      add(body, "points", std::move(points));
    }
    if (!is_frame(k) && is_point_mass(link)) {
      RawNode& mass = add_table(out_.root, "mass", fit(bodies_[k] + "_mass", "mass", parts_), link.mass_source);
      add(mass, "at", bodies_[k] + ".mass", link.mass_source);
      add(mass, "m", link.mass, link.mass_source);
    }
  }

  /// Places of the body that something needs by name.
  void find_points(Index k) {
    const UrdfLink& link = robot_.links[k];
    if (!is_frame(k) && is_point_mass(link)) points_[k].emplace_back("mass", link.center.p);
    for (Index i = 0; i < link.collisions.size() && !is_replaced(k); ++i) {
      const std::vector<UrdfContact> touching = contacts_on(link, i);
      for (Index c = 0; c < touching.size(); ++c)
        points_[k].emplace_back(contact_name(touching, i, c), touching[c].center);
    }
    for (Index i = 0; i < robot_.joints.size(); ++i) {  // where a part takes the place of the other link
      const UrdfJoint& joint = robot_.joints[i];
      if (joint.parent == link.name && is_replaced(link_of(joint.child)))
        points_[k].emplace_back(joints_[i], joint.placed.p);
      if (joint.child == link.name && is_replaced(link_of(joint.parent)))
        points_[k].emplace_back(joints_[i], std::array<double, 3>{});
    }
  }

  /// R J Rᵀ, in the link's axes.
  static void write_inertia(const UrdfLink& link, RawNode& body) {
    const auto& [xx, yy, zz, xy, yz, xz] = link.inertia;
    const std::array<double, 9> J{xx, xy, xz, xy, yy, yz, xz, yz, zz};
    const std::array<double, 9>& R = link.center.R;
    const auto turned = [&](int i, int j) {
      double sum = 0;
      for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b) sum += R[3 * i + a] * J[3 * a + b] * R[3 * j + b];
      return link.center.is_turned() ? clean(sum, std::max({xx, yy, zz})) : J[3 * i + j];
    };
    add(body, "inertia", std::array<double, 3>{turned(0, 0), turned(1, 1), turned(2, 2)}, link.inertia_source);
    const std::array<double, 3> products{turned(0, 1), turned(1, 2), turned(0, 2)};
    if (products != std::array<double, 3>{}) add(body, "products_of_inertia", products, link.inertia_source);
  }

  void write_looks(Index k) {
    const UrdfLink& link = robot_.links[k];
    if (is_replaced(k)) return;
    const auto sphere_at = [](const UrdfLook& look, const UrdfLook& other) {
      const bool both = look.geometry.kind == UrdfGeometry::Kind::sphere && other.geometry.kind == look.geometry.kind;
      return both && look.geometry.radius == other.geometry.radius && look.placed.p == other.placed.p;
    };
    for (const UrdfLook& look : link.visuals) {
      const auto is_drawn = [&](const UrdfLook& collision) { return spheres() && sphere_at(look, collision); };
      if (std::any_of(link.collisions.begin(), link.collisions.end(), is_drawn)) continue;  // by the sphere
      const std::optional<RawNode> shape = shape_of(look.geometry, "link " + link.name);
      if (!shape) continue;
      RawNode& visual = add_table(out_.root, "visual", fit(bodies_[k], "link", visuals_), look.source);
      add(visual, "on", bodies_[k], look.source);
      add(visual, "shape", *shape);
      add_placement(visual, look.placed, look.source);
      if (!look.color.empty()) add(visual, "color", look.color, look.source);
    }
    for (Index i = 0; i < link.collisions.size(); ++i) {
      const UrdfGeometry& geometry = link.collisions[i].geometry;
      const std::vector<UrdfContact> touching = contacts_on(link, i);
      if (touching.empty() && geometry.kind != UrdfGeometry::Kind::sphere) ++other_collisions_;
      for (Index c = 0; c < touching.size(); ++c) {
        const std::string point = contact_name(touching, i, c);
        RawNode& sphere =
            add_table(out_.root, "sphere", fit(bodies_[k] + "_" + point, "sphere", parts_), geometry.source);
        add(sphere, "at", bodies_[k] + "." + point, geometry.source);
        add(sphere, "radius", touching[c].radius, geometry.source);
        for (const UrdfLook& look : link.visuals)
          if (sphere_at(look, link.collisions[i]) && !look.color.empty() && sphere.find("color") == nullptr)
            add(sphere, "color", look.color, look.source);
      }
    }
  }

  /// What contacts shall know of the i-th collision geometry.
  std::vector<UrdfContact> contacts_on(const UrdfLink& link, Index i) const {
    const UrdfLook& collision = link.collisions[i];
    const bool is_sphere = collision.geometry.kind == UrdfGeometry::Kind::sphere;
    if (options_.collision != UrdfCollision::all && !(spheres() && is_sphere)) return {};
    const auto mesh = meshes_.find(&collision);
    return contacts_of(collision, mesh == meshes_.end() ? MeshCorners() : mesh->second);
  }

  /// Corners of collision meshes; what is not there, or not all of it, is said.
  void read_collision_meshes() {
    if (options_.collision != UrdfCollision::all) return;
    for (Index k = 0; k < robot_.links.size(); ++k)
      for (const UrdfLook& collision : robot_.links[k].collisions) {
        const UrdfGeometry& geometry = collision.geometry;
        if (geometry.kind != UrdfGeometry::Kind::mesh || is_replaced(k)) continue;
        const std::string path = "link " + robot_.links[k].name;
        const std::string name = find_mesh(geometry, path, "so that contacts do not know it");
        if (name.empty() || !options_.load) continue;
        const std::optional<std::string> text =
            options_.load((fs::path(file_).parent_path() / name).lexically_normal().string());
        if (!text) continue;  // found a moment ago
        const auto read = read_surface(*text, name);
        if (const MeshError* error = std::get_if<MeshError>(&read)) {
          warn(geometry.source, path,
               fmt::format("\"{}\" {}, so that contacts do not know it", geometry.file, error->message));
          continue;
        }
        MeshCorners corners = corners_of(std::get<TriangleMesh>(read), geometry.scale);
        if (corners.left_out > 0)
          warn(geometry.source, path,
               fmt::format(
                   "\"{}\" has more corners than contacts take of a mesh: {} of them, beyond which it reaches by "
                   "{:.2g} m at most",
                   geometry.file, corners.points.size(), corners.left_out));
        meshes_.emplace(&collision, std::move(corners));
      }
  }
  /// Of a sphere "collision_2", of corners "collision_2_5".
  static std::string contact_name(const std::vector<UrdfContact>& touching, Index i, Index c) {
    return touching.size() == 1 ? fmt::format("collision_{}", i + 1) : fmt::format("collision_{}_{}", i + 1, c + 1);
  }

  std::optional<RawNode> shape_of(const UrdfGeometry& geometry, const std::string& path) {
    using Kind = UrdfGeometry::Kind;
    const Source& source = geometry.source;
    RawNode out;
    out.source = source;
    const auto type = [&](const char* name) { add(out, "type", std::string(name), source); };
    if (geometry.kind == Kind::box) {
      type("box");
      add(out, "size", geometry.size, source);
    } else if (geometry.kind == Kind::sphere) {
      type("sphere");
      add(out, "radius", geometry.radius, source);
    } else if (geometry.kind == Kind::cylinder) {
      type("cylinder");
      add(out, "radius", geometry.radius, source);
      add(out, "length", geometry.length, source);
    } else {
      const std::string file = find_mesh(geometry, path, "so that it is not drawn");
      if (file.empty()) return {};
      type("mesh");
      add(out, "file", file, source);
      const auto [x, y, z] = geometry.scale;
      if (x == y && y == z && x > 0) {
        if (x != 1) add(out, "scale", x, source);
      } else {
        add(out, "stretch", geometry.scale, source);
      }
    }
    return out;
  }

  /// Relative to the folder of the URDF file where it lies there; "" after a warning.
  std::string find_mesh(const UrdfGeometry& geometry, const std::string& path, const char* so) {
    const auto not_drawn = [&](std::string why) {
      warn(geometry.source, path, fmt::format("\"{}\" {}, {}", geometry.file, why, so));
      return std::string();
    };
    std::string ending = fs::path(geometry.file).extension().string();
    for (char& c : ending) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    if (ending != ".stl" && ending != ".obj" && ending != ".dae")
      return not_drawn("is neither STL nor OBJ nor COLLADA (.dae)");
    const fs::path beside = fs::path(file_).parent_path();
    std::vector<std::string> tried;
    for (const fs::path& at : candidates(geometry.file)) {
      const std::string name = at.lexically_normal().string();
      if (!options_.is_file || options_.is_file((beside / name).lexically_normal().string())) return name;
      tried.push_back(name);
    }
    return not_drawn(geometry.file.starts_with("package://")
                         ? "is in none of the folders above this file, of `packages` and of ROS_PACKAGE_PATH"
                         : "cannot be read");
  }

  /// Where a file may lie, from the folder of the URDF file.
  std::vector<fs::path> candidates(const std::string& name) const {
    const std::string file = "file://", package = "package://";
    if (name.starts_with(file)) return {name.substr(file.size())};
    if (!name.starts_with(package)) return {name};
    const fs::path whole = name.substr(package.size());
    const fs::path inside = whole.lexically_relative(*whole.begin());
    std::vector<fs::path> out;
    std::error_code error;
    fs::path above = fs::absolute(file_, error).parent_path(), up;
    for (; !above.empty(); above = above.parent_path(), up /= "..") {
      if (above.filename() == *whole.begin()) out.push_back(up / inside);
      out.push_back(up / whole);
      if (above == above.root_path()) break;
    }
    std::vector<std::string> folders = options_.packages;
    if (const char* path = std::getenv("ROS_PACKAGE_PATH"))
      for (std::string& folder : folders_of(path)) folders.push_back(std::move(folder));
    for (const fs::path folder : folders) {
      out.push_back(folder / whole);
      out.push_back(folder / "share" / whole);
      if (folder.filename() == *whole.begin()) out.push_back(folder / inside);
    }
    return out;
  }

  void write_base() {
    Index root = 0;
    while (robot_.joint_above(robot_.links[root].name) >= 0) ++root;
    const Source& source = robot_.links[root].source;
    RawNode& joint = add_table(out_.root, "joint", base_joint_, source);
    add(joint, "type", std::string("weld"), source);
    add(joint, "of", std::vector<std::string>{"ground", bodies_[root]}, source);
    if (is_replaced(root)) out_.on_replaced[bodies_[root]].push_back({base_joint_, 1});
  }

  void write_joint(Index k) {
    using Type = UrdfJoint::Type;
    const UrdfJoint& at = robot_.joints[k];
    const Source& source = at.source;
    if (at.type == Type::floating) return;
    const Index parent = link_of(at.parent), child = link_of(at.child);
    const std::map<Type, const char*> types{{Type::revolute, "revolute"},
                                            {Type::continuous, "revolute"},
                                            {Type::prismatic, "prismatic"},
                                            {Type::fixed, "weld"},
                                            {Type::planar, "planar"}};
    RawNode& joint = add_table(out_.root, "joint", joints_[k], source, limits_text(at));
    add(joint, "type", std::string(types.at(at.type)), source);
    std::vector<std::string> of{bodies_[parent], bodies_[child]};
    const bool by_points = is_replaced(parent) || is_replaced(child);
    const Placement& frame = reference_[child];
    std::array<double, 3> at_point = frame.p;
    for (double& x : at_point) x = clean(x, 1e-3);
    std::vector<std::pair<Index, std::string>> mounts;  // links, frames on them
    for (const int side : {0, 1}) {
      const Index link = side == 0 ? parent : child;
      std::string& place = of[static_cast<Index>(side)];
      if (is_replaced(link) && at.type != Type::fixed && is_framed(k)) {
        place = fit(joints_[k] + "_frame", "link", parts_);
        mounts.emplace_back(link, place);
        place += ".center";
      } else if (is_replaced(link)) {
        out_.on_replaced[bodies_[link]].push_back({joints_[k], side});
      } else if (by_points) {
        place += "." + joints_[k];
      }
    }
    add(joint, "of", of, source);
    if (!by_points) add(joint, "at", at_point, source);
    if (at.type == Type::fixed) return;
    std::array<double, 3> axis = at.axis;
    frame.turn(axis);
    for (double& x : axis) x = clean(x, 1);
    add(joint, at.type == Type::planar ? "normal" : "axis", axis, source);
    constexpr double clear = 3;  // [rad]; beyond half a revolution poses do not say by how much
    if (const double start = at.turns() ? start_of(k) : 0.0; std::fabs(start) > clear)
      add(joint, "initial_angle", start, source);
    write_limits(at, joint);
    for (const auto& [link, name] : mounts) write_mount(k, link, name, at_point);
  }

  bool is_framed(Index joint) const {
    return std::any_of(options_.framed.begin(), options_.framed.end(),
                       [&](const UrdfOptions::Named& framed) { return framed.name == joints_[joint]; });
  }

  /// A frame without mass, welded to the part in place of a link.
  void write_mount(Index k, Index link, const std::string& name, const std::array<double, 3>& place) {
    const Source& source = robot_.joints[k].source;
    RawNode& body = add_table(out_.root, "body", name, source);
    add(body, "position", place, source);
    add(body, "m", 0.0, source);
    std::set<std::string> taken(joints_.begin(), joints_.end());
    taken.insert(base_joint_);
    const std::string weld = fit(name + "_weld", "joint", taken);
    RawNode& joint = add_table(out_.root, "joint", weld, source);
    add(joint, "type", std::string("weld"), source);
    add(joint, "of", std::vector<std::string>{bodies_[link], name + ".center"}, source);
    out_.on_replaced[bodies_[link]].push_back({joints_[k], 0, weld});
  }

  /// What is not written as a key: velocities, as most programs that read them do not limit them.
  std::string limits_text(const UrdfJoint& at) const {
    if (!at.velocity || options_.rates || !at.has_coordinate()) return {};
    return fmt::format("velocity up to {} {}", *at.velocity, at.turns() ? "rad/s" : "m/s");
  }
  /// Those of 0 are of nobody who has thought of them.
  void write_limits(const UrdfJoint& at, RawNode& joint) const {
    if (!options_.stops || !at.has_coordinate()) return;
    if (at.effort.value_or(0) > 0) add(joint, "max_effort", *at.effort, at.limit_source);
    if (options_.rates && at.velocity.value_or(0) > 0) add(joint, "max_rate", *at.velocity, at.limit_source);
  }

  static double rounded(double x) { return std::strtod(fmt::format("{:.4g}", x).c_str(), nullptr); }

  /// Links that hang on a joint.
  std::vector<char> links_below(Index joint) const {
    std::vector<char> below(robot_.links.size(), 0);
    below[link_of(robot_.joints[joint].child)] = 1;
    for (const int k : robot_.from_root())
      if (const UrdfJoint& at = robot_.joints[static_cast<Index>(k)]; below[link_of(at.parent)])
        below[link_of(at.child)] = 1;
    return below;
  }

  /// Of a link at its place with all joints at 0: about the axis through a point, or its mass.
  double inertia_about(Index k, const std::array<double, 3>& point, const std::array<double, 3>& axis,
                       bool turns) const {
    const UrdfLink& link = robot_.links[k];
    if (!turns) return link.mass;
    const Placement centre = reference_[k] * link.center;
    std::array<double, 3> u{}, arm{};
    for (int i = 0; i < 3; ++i) arm[i] = centre.p[i] - point[i];
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) u[i] += centre.R[3 * j + i] * axis[j];
    const auto& [xx, yy, zz, xy, yz, xz] = link.inertia;
    const double along = arm[0] * axis[0] + arm[1] * axis[1] + arm[2] * axis[2];
    const double distance = arm[0] * arm[0] + arm[1] * arm[1] + arm[2] * arm[2] - along * along;
    return xx * u[0] * u[0] + yy * u[1] * u[1] + zz * u[2] * u[2] +
           2 * (xy * u[0] * u[1] + yz * u[1] * u[2] + xz * u[0] * u[2]) + link.mass * std::max(0.0, distance);
  }

  /// What a motion of the joint alone moves, all others at 0 [kg m² or kg]; of a free robot that of either side in series.
  double inertia_behind(Index joint) const {
    const UrdfJoint& at = robot_.joints[joint];
    const std::vector<char> below = links_below(joint);
    const Placement& frame = reference_[link_of(at.child)];
    std::array<double, 3> axis = at.axis;
    frame.turn(axis);
    double side[2] = {0, 0};
    for (Index k = 0; k < robot_.links.size(); ++k)
      side[below[k] != 0 ? 1 : 0] += inertia_about(k, frame.p, axis, at.turns());
    constexpr double smallest = 1e-12;
    double inertia = side[1];
    if (options_.free_base && side[0] > 0) inertia = side[0] * side[1] / (side[0] + side[1]);
    return std::max(inertia, smallest);
  }

  /// Dampers, end stops, friction, and what follows another joint.
  void write_forces(Index k) {
    const UrdfJoint& at = robot_.joints[k];
    if (!at.has_coordinate()) return;
    const Source& source = at.dynamics_source.file.empty() ? at.source : at.dynamics_source;
    const bool stops = options_.stops && at.lower && at.upper;
    if (at.damping > 0 || stops) {
      RawNode& spring = add_table(out_.root, "spring", joints_[k], source);
      add(spring, "type", std::string("joint"), source);
      add(spring, "at", joints_[k], source);
      if (at.damping > 0) add(spring, "damping", at.damping, source);
      if (stops) {
        const double inertia = inertia_behind(k), rate = 1 / options_.step;
        add(spring, "lower", *at.lower, at.limit_source);
        add(spring, "upper", *at.upper, at.limit_source);
        add(spring, "stop_stiffness", rounded(inertia * rate * rate), at.limit_source);
        add(spring, "stop_damping", rounded(2 * inertia * rate), at.limit_source);
        add(spring, "stop_width", at.turns() ? stop_angle : stop_distance, at.limit_source);
        out_.root.find("spring")->entries.back().comment =
            fmt::format("stops: critically damped with {:.3g} {} behind the joint, in steps of {:.3g} s", inertia,
                        at.turns() ? "kg m^2" : "kg", options_.step);
      }
    }
    if (at.friction > 0) {
      RawNode& load = add_table(out_.root, "load", joints_[k] + "_friction", source);
      add(load, "type", std::string("friction"), source);
      add(load, "at", joints_[k], source);
      add(load, "coulomb", at.friction, source);
    }
    if (!at.mimic) return;
    std::set<std::string> taken(joints_.begin(), joints_.end());
    taken.insert(base_joint_);
    RawNode& gear = add_table(out_.root, "joint", fit(joints_[k] + "_follows", "joint", taken), at.mimic->source);
    add(gear, "type", std::string("gear"), at.mimic->source);
    add(gear, "first", joints_[static_cast<Index>(robot_.find_joint(at.mimic->joint))], at.mimic->source);
    add(gear, "second", joints_[k], at.mimic->source);
    add(gear, "ratio", at.mimic->multiplier, at.mimic->source);
    if (at.mimic->offset != 0) add(gear, "offset", at.mimic->offset, at.mimic->source);
  }

  // ---- what looks wrong, and what is left out

  /// Largest length that is written in the file [m].
  double extent() const {
    double extent = 0;
    for (const UrdfJoint& joint : robot_.joints) {
      const auto& p = joint.placed.p;
      extent = std::max(extent, std::hypot(p[0], p[1], p[2]));
    }
    for (const UrdfLink& link : robot_.links)
      for (const UrdfLook& look : link.visuals) {
        const UrdfGeometry& g = look.geometry;
        extent = std::max({extent, g.size[0], g.size[1], g.size[2], g.radius, g.length});
      }
    return extent;
  }

  /// Stops push a joint back that starts beyond them, and one whose limits leave no way does not move.
  void check_starts() {
    if (!options_.stops) return;
    std::string beyond, locked;
    const Source* first_beyond = nullptr;
    const Source* first_locked = nullptr;
    const auto append = [](std::string& list, std::string text) { list += (list.empty() ? "" : ", ") + text; };
    for (Index k = 0; k < joints_.size(); ++k) {
      const UrdfJoint& at = robot_.joints[k];
      if (!at.has_coordinate() || !at.lower || !at.upper) continue;
      const double start = start_of(k);
      const char* unit = at.turns() ? "rad" : "m";
      if (start < *at.lower || start > *at.upper) {
        append(beyond, fmt::format("\"{}\" at {:.6g} {}, outside {:.6g} to {:.6g} {}", joints_[k], start, unit,
                                   *at.lower, *at.upper, unit));
        if (first_beyond == nullptr) first_beyond = &at.limit_source;
      } else if (*at.lower == *at.upper) {
        append(locked, fmt::format("\"{}\" at {:.6g} {}", joints_[k], *at.lower, unit));
        if (first_locked == nullptr) first_locked = &at.limit_source;
      }
    }
    if (first_beyond != nullptr)
      warn(*first_beyond, "robot",
           fmt::format("joints start beyond their limits, where the stops throw them back: {}; `joints` puts them "
                       "elsewhere",
                       beyond));
    if (first_locked != nullptr)
      warn(*first_locked, "robot",
           fmt::format("limits leave joints no way to move (those left out are 0): {}", locked));
  }

  void check_sizes() {
    const double extent = this->extent();
    if (extent > 100)
      warn(robot_.links.front().source, "robot",
           fmt::format("lengths reach {:.4g} m: are they in mm? URDF has them in m", extent));
    for (const UrdfLink& link : robot_.links) {
      if (!link.has_inertial || link.mass == 0 || extent == 0) continue;
      const auto& c = link.center.p;
      const double arm = std::hypot(c[0], c[1], c[2]),
                   gyration = std::sqrt(std::max({link.inertia[0], link.inertia[1], link.inertia[2]}) / link.mass);
      if (gyration > 10 * extent)
        warn(
            link.inertia_source, "link " + link.name,
            fmt::format("inertia is that of a body of some {:.3g} m, and lengths of the robot reach {:.3g} m: is it in "
                        "kg m^2?",
                        2 * gyration, extent));
      if (arm > 10 * extent)
        warn(link.inertia_source, "link " + link.name,
             fmt::format("the centre of mass is {:.3g} m away, and lengths of the robot reach {:.3g} m: is it in m?",
                         arm, extent));
    }
  }

  void say_what_is_left_out() {
    std::vector<std::string> left_out = robot_.left_out;
    if (other_collisions_ > 0)
      left_out.push_back(
          options_.collision == UrdfCollision::all
              ? fmt::format("collision meshes that cannot be read ({})", other_collisions_)
              : fmt::format("collision geometry that is no sphere ({}; collision = \"all\" takes the corners of boxes, "
                            "cylinders, capsules and meshes)",
                            other_collisions_));
    if (left_out.empty()) return;
    std::string list = left_out[0];
    for (Index k = 1; k < left_out.size(); ++k) list += ", " + left_out[k];
    const Source& source = robot_.first_left_out.file.empty() ? robot_.links.front().source : robot_.first_left_out;
    warn(source, "robot", "left out: " + list);
  }

  UrdfRobot robot_;
  std::string file_;
  const UrdfOptions& options_;
  UrdfScene out_;
  std::vector<std::string> bodies_, joints_;  ///< names in the scene, of links and joints
  std::string base_joint_;
  std::set<std::string> parts_, visuals_;                                           ///< names that are taken
  std::vector<std::vector<std::pair<std::string, std::array<double, 3>>>> points_;  ///< of each link, in its frame
  std::vector<Placement> reference_, initial_;                                      ///< frames of links
  std::map<const UrdfLook*, MeshCorners> meshes_;                                   ///< of collision meshes
  int other_collisions_ = 0;
};

}  // namespace

void UrdfOptions::choose(std::string_view base, std::string_view limits, std::string_view collision_word,
                         std::string_view inertia_word) {
  free_base = base == "free";
  stops = limits != "none";
  rates = limits == "rates";
  collision = collision_word == "none"  ? UrdfCollision::none
              : collision_word == "all" ? UrdfCollision::all
                                        : UrdfCollision::spheres;
  inertia = inertia_word == "mended" ? UrdfInertia::mended : UrdfInertia::strict;
}

std::vector<std::string> folders_of(const std::string& list) {
  std::vector<std::string> out;
  for (std::size_t at = 0; at <= list.size();) {
    const std::size_t end = std::min(list.find(':', at), list.size());
    if (end > at) out.push_back(list.substr(at, end - at));
    at = end + 1;
  }
  return out;
}

UrdfScene urdf_scene(const std::string& text, const std::string& file, const UrdfOptions& options) {
  UrdfReading reading = read_urdf(text, file, {options.inertia, options.stops, options.rates});
  if (!reading.problems.empty()) return {{}, std::move(reading.problems), std::move(reading.warnings), {}};
  UrdfScene scene = SceneWriter(std::move(reading.robot), file, options).write();
  scene.warnings.insert(scene.warnings.begin(), reading.warnings.begin(), reading.warnings.end());
  return scene;
}

}  // namespace flexura

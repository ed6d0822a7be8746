// Joints of plates: their nodes held by the ground, carried by a body, or tied to another part's.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "flexura/scene/interpreter.hpp"

namespace flexura::detail {
namespace {

Triple triple_of(const Vec3& x) { return {x[0], x[1], x[2]}; }

/// Where a place stands: "joint.clamp.of[1]".
std::string path_of(const Record& record, int side) { return fmt::format("{}.of[{}]", record.path, side); }

}  // namespace

/// What does not need the bodies is said at once.
void Interpreter::plan_plate_joint(const Record& record, const Location& a, const Location& b) {
  const bool on_spot = record.type == "weld" || record.type == "pin" || record.type == "spherical";
  if (!on_spot && record.type != "prescribed")
    return wrong(
        record, "type",
        fmt::format("\"{}\" does not go with a plate; \"weld\", \"pin\" and \"prescribed\" do; a small [body.NAME] "
                    "welded to the plate takes every joint",
                    record.type));
  if (record.type == "prescribed" && !a.ground)
    return wrong(record, "of", "the first place of a prescribed joint must be \"ground\"");
  for (const Location* side : {&a, &b})
    if (side->plate >= 0 && side->on_plate.nodes.empty() && record.type == "weld")
      return wrong(record, "of",
                   "a weld needs nodes of the plate: an edge or a corner, or shares that are those of a node");
  const std::string method = record.text("method");
  const bool with_body = a.body >= 0 || b.body >= 0;
  if (method == "multipliers")
    return wrong(record, "method", "a plate's welds are \"eliminated\", or with a body \"relations\" or \"compliant\"");
  if ((method == "relations" || method == "compliant") && !with_body)
    return wrong(record, "method", fmt::format("\"{}\" is for a plate and a body", method));
  if (method == "compliant" && !record.has("stiffness"))
    return wrong(record, "", "\"stiffness\" is missing: of all springs together [N/m]");
  for (const char* key : {"stiffness", "direction_length"})
    if (method != "compliant" && record.has(key)) wrong(record, key, "is that of method = \"compliant\"");
  PlateJoint joint;
  joint.record = &record;
  joint.side[0] = a, joint.side[1] = b;
  joint.part = static_cast<int>(result_.joints.size());
  note_joint(record, a, b, 0, -1);
  plate_joints_.push_back(std::move(joint));
}

/// slot = form, as a definition that reactions can be read from.
void Interpreter::tie_node(PlateJoint& joint, int slot, LinearForm form) {
  result_.definitions.push_back({slot, form.terms});
  result_.joints[joint.part].eliminated += 3;
  builder_.equate(slot, std::move(form), joint.record->path, joint.record->source_of("of"));
}

/// Slots of the points on both sides, but for bodies.
std::vector<int> Interpreter::held_points(const PlateJoint& joint) const {
  std::vector<int> out;
  for (const Location& side : joint.side) {
    for (const int node : side.on_plate.nodes) out.push_back(result_.plates[side.plate].model.nodes[node].r);
    if (side.plate < 0 && side.body < 0 && !side.ground) out.push_back(side.point);
  }
  return out;
}

bool Interpreter::is_separable(const PlateJoint& joint) const {
  for (const Location& side : joint.side)
    if (side.plate >= 0 && side.on_plate.nodes.empty()) return false;
  const std::vector<int> mine = held_points(joint);
  const auto shared = [&](int slot) { return std::find(mine.begin(), mine.end(), slot) != mine.end(); };
  if (std::any_of(claimed_.begin(), claimed_.end(), shared)) return false;
  return std::none_of(plate_joints_.begin(), plate_joints_.end(), [&](const PlateJoint& other) {
    const std::vector<int> theirs = held_points(other);
    return &other != &joint && std::any_of(theirs.begin(), theirs.end(), shared);
  });
}

void Interpreter::finish_plate_joints() {
  for (PlateJoint& joint : plate_joints_) {
    Location &a = joint.side[0], &b = joint.side[1];
    const bool second = b.plate >= 0;  // the plate's side whose nodes are decided
    Location &held = second ? b : a, &other = second ? a : b;
    joint.sign = second ? 1 : -1;
    if (other.ground) {
      plate_to_ground(joint, held);
    } else if (other.body >= 0) {
      plate_to_body(joint, held, other);
    } else {
      plate_to_part(joint, held, other);
    }
  }
}

/// Nodes of an edge lie in order: where they are held, so is the curve between them.
void Interpreter::plate_to_ground(PlateJoint& joint, Location& held) {
  const Record& record = *joint.record;
  const std::vector<Place>& places = *record.get<std::vector<Place>>("of");
  const int side = joint.sign > 0 ? 1 : 0;
  const PlatePart& plate = result_.plates[held.plate];
  Location center;
  center.ground = true;
  center.X = held.X;
  joint.center = point_slot(center, places[1 - side], path_of(record, 1 - side));
  if (record.type == "prescribed") {
    const char* axes[] = {"x", "y", "z"};
    std::vector<int> slots;
    for (const int node : held.on_plate.nodes) slots.push_back(plate.model.nodes[node].r);
    if (held.on_plate.nodes.empty()) slots.push_back(point_slot(held, places[side], path_of(record, side)));
    for (const int slot : slots) {
      for (int i = 0; i < 3; ++i) {
        if (!record.has(axes[i])) continue;
        std::vector<double> row(3, 0.0);
        row[i] = -1;
        builder_.relate({1, {{slot, row}}, {builder_.reference(slot)[i]}, {{effective(record, axes[i]), {1.0}}}},
                        record.path, record.source_of(axes[i]));
        result_.joints[joint.part].eliminated += 1;
      }
      joint.shares.push_back({slot, -1});
    }
    if (!record.has("x") && !record.has("y") && !record.has("z"))
      wrong(record, "of", "nothing is prescribed: give x, y or z");
    return;
  }
  const auto hold = [&](int slot, bool is_point) {
    if (!fixed_.insert(slot).second) return;
    builder_.fix(slot, record.path, record.source_of("of"));
    result_.joints[joint.part].eliminated += 3;
    joint.shares.push_back(is_point ? SensorSpec::Share{slot, -1} : SensorSpec::Share{-1, slot});
  };
  if (held.on_plate.nodes.empty()) {
    const int slot = point_slot(held, places[side], path_of(record, side));
    if (slot >= 0) hold(slot, true);
    return;
  }
  const int along = record.type == "weld" ? 3 : edge_direction(held);
  for (const int node : held.on_plate.nodes) {
    const PlateNode& slots = plate.model.nodes[node];
    hold(slots.r, true);
    if (along == 3 || along == 1) hold(slots.g_u, false);
    if (along == 3 || along == 2) hold(slots.g_v, false);
  }
}

/// The gradient that runs along a set of nodes: 1 g_u, 2 g_v; 0: one node, or no edge of a structured mesh.
int Interpreter::edge_direction(const Location& at) const {
  const SurfaceMesh& mesh = result_.plates[at.plate].mesh;
  if (at.on_plate.nodes.size() < 2 || mesh.nodes_u == 0) return 0;
  const auto row = [&](int node) { return node / mesh.nodes_v; };
  const auto column = [&](int node) { return node % mesh.nodes_v; };
  const auto same = [&](auto&& of) {
    return std::all_of(at.on_plate.nodes.begin(), at.on_plate.nodes.end(),
                       [&](int node) { return of(node) == of(at.on_plate.nodes[0]); });
  };
  return same(row) ? 2 : same(column) ? 1 : 0;
}

/// `of_plate`: which of the slots belong to the plate.
void Interpreter::add_relation(PlateJoint& joint, const char* family, const char* term, std::vector<int> slots,
                               double value, const std::vector<int>& of_plate) {
  JointPart& part = result_.joints[joint.part];
  const std::string name = fmt::format("{}, {} {}", joint.record->path, family, part.items.size() + 1);
  for (int k = 0; k < static_cast<int>(slots.size()); ++k) {
    const bool is_plates = std::find(of_plate.begin(), of_plate.end(), k) != of_plate.end();
    if (is_plates == (joint.sign > 0)) joint.item_shares.push_back({name, k, 1});
  }
  slots.push_back(builder_.multiplier(name + ".lambda"));
  part.multipliers.push_back(slots.back());
  part.items.push_back(name);
  result_.constraints[name] = {family, part.name};
  std::vector<double> parameters{value};
  if (std::string_view(term) != "distance_3d") parameters.push_back(0);
  builder_.item(term, slots, parameters, {}, name, 0, joint.record->source);
}

/// Nodes are fixed combinations of what carries the body: linear, eliminated. Or the paper's relations [ghoneimy2025 eqs
/// 44-48]: of each node n the distance from the interface's centre j, the angle of r_n - r_j to an axis u across the tube
/// (as (r_n - r_j).u), and (r_n - r_j).t, r_nx.v, r_ny.(r_n - r_j) kept at their initial values, with t the tube's axis
/// and v across it and u. Or springs between each node's r, g_u, g_v and where the weld would have them.
void Interpreter::plate_to_body(PlateJoint& joint, Location& held, Location& at) {
  const Record& record = *joint.record;
  const std::vector<Place>& places = *record.get<std::vector<Place>>("of");
  const int side = joint.sign > 0 ? 1 : 0;
  const PlatePart& plate = result_.plates[held.plate];
  const Body& body = bodies_[at.body];
  const auto place_of = [&](const Vec3& x, bool is_point) {
    const Triple X = triple_of(x);
    return BodyPlace{is_point, is_point ? body.reference.to_local(X) : body.reference.turned_back(X)};
  };
  const BodyPlace middle{true, body.reference.to_local(held.position())};
  joint.center = body_slot(at.body, middle, name_of(at.body, middle));
  if (joint.center < 0) return;
  const std::string method = record.text("method");
  const auto carry = [&](int slot, const BodyPlace& place) {
    const std::optional<std::vector<double>> c = bodies_[at.body].basis->weights(place);
    if (!c) return wrong(record, "of", "a slender rod carries only what lies on its line");
    tie_node(joint, slot, on_basis(at.body, *c));
    joint.shares.push_back(place.is_point ? SensorSpec::Share{slot, -1} : SensorSpec::Share{-1, slot});
  };
  if (held.on_plate.nodes.empty()) {
    const int slot = point_slot(held, places[side], path_of(record, side));
    const auto c = bodies_[at.body].basis->weights(middle);
    if (slot < 0 || !c) return;
    LinearForm same = on_basis(at.body, *c);
    same.terms.push_back(scaled(slot, 3, -1));
    same.constant.assign(3, 0.0);
    builder_.relate(std::move(same), record.path, record.source_of("of"));
    result_.joints[joint.part].eliminated += 3;
    return;
  }
  if (record.type == "weld" && method == "relations") {
    const BodyPlace axes[3] = {place_of(ring_axis(held), false), place_of(ring_side(held, 0), false),
                               place_of(ring_side(held, 1), false)};
    int t[3];
    for (int k = 0; k < 3; ++k) t[k] = body_slot(at.body, axes[k], name_of(at.body, axes[k]));
    if (t[0] < 0 || t[1] < 0 || t[2] < 0) return;
    const Vec3 center{held.X[0], held.X[1], held.X[2]}, axis = ring_axis(held), u = ring_side(held, 0),
                                                        v = ring_side(held, 1);
    for (const int node : held.on_plate.nodes) {
      const SurfaceNode& n = plate.mesh.nodes[node];
      const PlateNode& slots = plate.model.nodes[node];
      const Vec3 arm = n.position - center;
      add_relation(joint, "distance", "distance_3d", {joint.center, slots.r}, norm(arm), {1});
      add_relation(joint, "angle", "offset_3d", {joint.center, slots.r, t[1]}, dot(arm, u), {1});
      add_relation(joint, "orthogonality", "offset_3d", {joint.center, slots.r, t[0]}, dot(arm, axis), {1});
      add_relation(joint, "orthogonality", "inner_product_3d", {slots.g_u, t[2]}, dot(n.gradient_u, v), {0});
      add_relation(joint, "orthogonality", "offset_3d", {joint.center, slots.r, slots.g_v}, dot(arm, n.gradient_v),
                   {1, 2});
    }
    return;
  }
  int axes[3] = {-1, -1, -1};  // of the body, for dampers
  for (int k = 0; k < 3 && method == "compliant"; ++k) {
    const BodyPlace axis{false, {k == 0 ? 1.0 : 0.0, k == 1 ? 1.0 : 0.0, k == 2 ? 1.0 : 0.0}};
    axes[k] = body_slot(at.body, axis, name_of(at.body, axis));
    if (axes[k] < 0) return;
  }
  const int along = record.type == "weld" ? 3 : edge_direction(held);
  for (const int node : held.on_plate.nodes) {
    const SurfaceNode& n = plate.mesh.nodes[node];
    const PlateNode& slots = plate.model.nodes[node];
    if (method == "compliant") {
      const auto spring = [&](const char* term, int slot, const Vec3& X, bool is_point, double k, double c) {
        const BodyPlace place = place_of(X, is_point);
        const int other = body_slot(at.body, place, name_of(at.body, place));
        if (other < 0) return;
        const std::string name = fmt::format("{}, tie {}", record.path, slot);
        const double parameters[] = {k, c};
        builder_.item(term, std::array{other, slot, axes[0], axes[1], axes[2]}, parameters, {}, name, 0, record.source);
        result_.joints[joint.part].items.push_back(name);
        for (int k = 0; k < 5; ++k)
          if ((k == 1) == (joint.sign > 0)) joint.item_shares.push_back({name, k, 1});
      };
      const double share = 1 / static_cast<double>(held.on_plate.nodes.size());
      const double k = share * record.number("stiffness"), c = share * record.number("damping");
      const double h2 = record.has("direction_length") ? std::pow(record.number("direction_length"), 2)
                                                       : plate.thickness * plate.thickness;
      spring("point_tie", slots.r, n.position, true, k, c);
      if (along == 3 || along == 1) spring("vector_tie", slots.g_u, n.gradient_u, false, h2 * k, h2 * c);
      if (along == 3 || along == 2) spring("vector_tie", slots.g_v, n.gradient_v, false, h2 * k, h2 * c);
      continue;
    }
    carry(slots.r, place_of(n.position, true));
    if (along == 3 || along == 1) carry(slots.g_u, place_of(n.gradient_u, false));
    if (along == 3 || along == 2) carry(slots.g_v, place_of(n.gradient_v, false));
  }
}

/// Unit axis of a ring: across the mean plane of its nodes; a single node or a straight edge: the mean of g_u.
Vec3 Interpreter::ring_axis(const Location& at) const {
  const SurfaceMesh& mesh = result_.plates[at.plate].mesh;
  const Vec3 center{at.X[0], at.X[1], at.X[2]};
  Vec3 sum{}, along{};
  for (size_t k = 0; k < at.on_plate.nodes.size(); ++k) {
    const Vec3 a = mesh.nodes[at.on_plate.nodes[k]].position - center,
               b = mesh.nodes[at.on_plate.nodes[(k + 1) % at.on_plate.nodes.size()]].position - center;
    sum += cross(a, b);
    along += mesh.nodes[at.on_plate.nodes[k]].gradient_u;
  }
  double size = 0;
  for (const int node : at.on_plate.nodes) size = std::max(size, norm(mesh.nodes[node].position - center));
  const Vec3 axis = norm(sum) > 1e-6 * size * size ? sum : along;
  return axis / norm(axis);
}

/// Two unit vectors across the ring's axis, the first between the first two nodes, so that none has the angle 0 or 180 deg:
/// halfway, and of an odd number nearer to the first, since one stands opposite of halfway.
Vec3 Interpreter::ring_side(const Location& at, int which) const {
  const SurfaceMesh& mesh = result_.plates[at.plate].mesh;
  const Vec3 axis = ring_axis(at), center{at.X[0], at.X[1], at.X[2]};
  Vec3 first = mesh.nodes[at.on_plate.nodes[0]].position - center;
  if (at.on_plate.nodes.size() > 1)
    first += (at.on_plate.nodes.size() % 2 == 0 ? 1.0 : 0.5) * (mesh.nodes[at.on_plate.nodes[1]].position - center);
  first -= dot(first, axis) * axis;
  if (!(norm(first) > 0))
    first = mesh.nodes[at.on_plate.nodes[0]].gradient_v - dot(mesh.nodes[at.on_plate.nodes[0]].gradient_v, axis) * axis;
  first = first / norm(first);
  return which == 0 ? first : cross(axis, first);
}

/// Points coincide; edges of two plates node by node, with the direction along them, in a weld with both.
void Interpreter::plate_to_part(PlateJoint& joint, Location& held, Location& other) {
  const Record& record = *joint.record;
  const std::vector<Place>& places = *record.get<std::vector<Place>>("of");
  const int side = joint.sign > 0 ? 1 : 0;
  const auto relate = [&](int slot, std::vector<LinearTerm> terms) {
    terms.push_back(scaled(slot, 3, -1));
    builder_.relate({3, std::move(terms), {0, 0, 0}, {}}, record.path, record.source_of("of"));
    result_.joints[joint.part].eliminated += 3;
  };
  const double size = 1e-9 * (1 + norm(held.position()));
  if (other.plate < 0 || held.on_plate.nodes.size() < 2) {
    if (record.type == "weld" && !(other.plate >= 0 && other.on_plate.nodes.size() == 1))
      return wrong(record, "of", "a plate is welded to the ground, a body or another plate; with others use \"pin\"");
    if (norm(other.position() - held.position()) > size)
      return wrong(record, "of",
                   fmt::format("\"{}\" and \"{}\" are {:.6g} m apart in the reference configuration", places[0].text,
                               places[1].text, norm(other.position() - held.position())));
    const int a = point_slot(other, places[1 - side], path_of(record, 1 - side)),
              b = point_slot(held, places[side], path_of(record, side));
    if (a < 0 || b < 0) return;
    joint.center = a;
    relate(b, {scaled(a, 3, 1)});
    joint.shares.push_back({b, -1});
    if (record.type != "weld") return;
  }
  const PlatePart &mine = result_.plates[held.plate], &theirs = result_.plates[other.plate];
  if (held.on_plate.nodes.size() != other.on_plate.nodes.size())
    return wrong(record, "of",
                 fmt::format("\"{}\" has {} nodes and \"{}\" has {}", places[0].text,
                             joint.side[0].on_plate.nodes.size(), places[1].text, joint.side[1].on_plate.nodes.size()));
  const int along = record.type == "weld" ? 3 : edge_direction(held);
  for (const int node : held.on_plate.nodes) {
    const SurfaceNode& n = mine.mesh.nodes[node];
    const PlateNode& slots = mine.model.nodes[node];
    const auto partner = std::find_if(other.on_plate.nodes.begin(), other.on_plate.nodes.end(), [&](int candidate) {
      return norm(theirs.mesh.nodes[candidate].position - n.position) <= size;
    });
    if (partner == other.on_plate.nodes.end())
      return wrong(record, "of",
                   fmt::format("no node of \"{}\" is where node {} of \"{}\" is", places[1 - side].text, node,
                               places[side].text));
    const SurfaceNode& m = theirs.mesh.nodes[*partner];
    const PlateNode& masters = theirs.model.nodes[*partner];
    if (held.on_plate.nodes.size() > 1) {
      relate(slots.r, {scaled(masters.r, 3, 1)});
      joint.shares.push_back({slots.r, -1});
      if (joint.center < 0) joint.center = masters.r;
    }
    const double aa = dot(m.gradient_u, m.gradient_u), ab = dot(m.gradient_u, m.gradient_v),
                 bb = dot(m.gradient_v, m.gradient_v), det = aa * bb - ab * ab;
    for (const int k : {1, 2}) {
      if (along != 3 && along != k) continue;
      const Vec3& g = k == 1 ? n.gradient_u : n.gradient_v;
      const double pu = dot(g, m.gradient_u), pv = dot(g, m.gradient_v);
      const double cu = (bb * pu - ab * pv) / det, cv = (aa * pv - ab * pu) / det;
      if (norm(cu * m.gradient_u + cv * m.gradient_v - g) > 1e-6 * norm(g))
        return wrong(record, "of",
                     "the plates meet at an angle: a weld of two plates needs one tangent plane; use \"pin\", or "
                     "a [body.NAME] between them");
      std::vector<LinearTerm> terms;
      if (cu != 0) terms.push_back(scaled(masters.g_u, 3, cu));
      if (cv != 0) terms.push_back(scaled(masters.g_v, 3, cv));
      const int slot = k == 1 ? slots.g_u : slots.g_v;
      relate(slot, std::move(terms));
      joint.shares.push_back({-1, slot});
    }
  }
}

}  // namespace flexura::detail

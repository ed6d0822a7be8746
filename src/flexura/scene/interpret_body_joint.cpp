// Joints of rigid bodies: what is linear becomes shared or eliminated slots, what is not gets multipliers.
//
//     places that coincide, axes that coincide    one slot for both parts
//     welds and slides                            the orientation of one part carries the other
//     perpendicular, on a line, in a plane        multipliers; relations where the direction is fixed
//     angles and displacements                    coordinates of their own, where something asks for them

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "flexura/scene/interpreter.hpp"

namespace flexura::detail {
/// Places and axes that coincide get one slot; where a reaction is asked for, the second place gets its own, tied to the first's.
void Interpreter::share_places() {
  for (const bool point : {true, false}) {
    const auto marks = [&](JointPlan& plan) { return point ? plan.point_mark : plan.axis_mark; };
    for (JointPlan& plan : plans_) {
      int* mark = marks(plan);
      if (mark[0] < 0 && mark[1] < 0) continue;
      for (int s : {0, 1}) {
        if (mark[s] >= 0) continue;
        const int slot = point ? side_point(plan, s) : direction_slot(plan.side[s], plan.axis, *plan.record);
        if (slot < 0) continue;
        mark[s] = static_cast<int>(marks_.size());
        marks_.push_back({-1, {point, {}}, slot});
      }
      if (mark[0] >= 0 && mark[1] >= 0 && !plan.wants_reaction) unite(mark[0], mark[1]);
    }
    for (JointPlan& plan : plans_) {
      int* mark = marks(plan);
      if (!plan.wants_reaction || mark[0] < 0 || mark[1] < 0) continue;
      if (root_of(mark[0]) == root_of(mark[1])) continue;
      const bool swap = marks_[root_of(mark[1])].slot >= 0;
      const int master = mark[swap ? 1 : 0], own = mark[swap ? 0 : 1];
      if (marks_[root_of(own)].slot >= 0) continue;  // both are given: a relation, with multipliers
      const int slot = slot_of_mark(master);
      LinearForm same{scene_.dim, {scaled(slot, scene_.dim, 1)}, {}, {}};
      Mark& root = marks_[root_of(own)];
      root.slot = combine(fmt::format("{}.{}", plan.record->path, point ? "place" : "axis"),
                          point ? SlotKind::point : SlotKind::vector, same, plan.record->path);
      plan.shares.push_back({point ? root.slot : -1, point ? -1 : root.slot});
      plan.share_sign = swap ? -1 : 1;
    }
  }
}

/// Welds and slides: which body has its orientation from which joint.
void Interpreter::share_turns() {
  std::map<int, int> parent;  // bodies; others: −1 − index of the plan's side, each its own
  const auto root = [&](int x) {
    while (parent.contains(x)) x = parent[x];
    return x;
  };
  for (size_t p = 0; p < plans_.size(); ++p) {
    JointPlan& plan = plans_[p];
    if (!plan.same_turn || !plan.eliminated) continue;
    const auto node = [&](int s) {
      return plan.side[s].body >= 0 ? plan.side[s].body : plan.side[s].ground ? -1 : -2 - static_cast<int>(2 * p + s);
    };
    const int a = root(node(0)), b = root(node(1));
    if (a == b) continue;
    for (const int own : {1, 0}) {
      const int body = plan.side[own].body;
      if (body < 0 || bodies_[body].carrier >= 0 || root(body) != body) continue;
      bodies_[body].carrier = static_cast<int>(p);
      parent[body] = own == 1 ? a : b;
      break;
    }
  }
}

int Interpreter::side_point(JointPlan& plan, int s) {
  Location& side = plan.side[s];
  const std::vector<Place>& places = *plan.record->get<std::vector<Place>>("of");
  if (side.body >= 0) {
    const BodyPlace place{true, bodies_[side.body].reference.to_local(side.position())};
    return body_slot(side.body, place, name_of(side.body, place));
  }
  return point_slot(side, places[s], fmt::format("{}.of[{}]", plan.record->path, s));
}

int Interpreter::direction_slot(Location& location, const Triple& n, const Record& record) {
  const size_t dim = scene_.dim;
  if (location.body >= 0) {
    const BodyPlace place{false, bodies_[location.body].reference.turned_back(n)};
    return body_slot(location.body, place, name_of(location.body, place));
  }
  const auto clean = [](double x) { return std::fabs(x) < 1e-15 ? 0.0 : x; };
  if (location.ground) {
    const std::string name = fmt::format("ground.({:.12g}, {:.12g}, {:.12g})", clean(n[0]), clean(n[1]), clean(n[2]));
    const auto [made, fresh] = made_slots_.emplace(name, -1);
    if (fresh) {
      made->second = builder_.slot(name, SlotKind::vector, {n.data(), dim});
      builder_.fix(made->second, "ground", record.source);
      fixed_.insert(made->second);
    }
    return made->second;
  }
  if (location.cable < 0) {
    wrong(record, "of", fmt::format("\"{}\" is a point: it has no direction", location.part));
    return -1;
  }
  const CablePart& cable = result_.cables[location.cable];
  if (!cable.frames.empty()) {
    if (location.node < 0) {
      wrong(record, "of", "a joint that holds directions of a beam must be at one of its nodes");
      return -1;
    }
    const std::array<int, 3>& frame = cable.frames[location.node];
    LinearForm form{3, {}, {}, {}};
    for (const int slot : frame) {
      const auto d = builder_.reference(slot);
      const double c = dot(n, {d[0], d[1], d[2]});
      if (std::fabs(c - 1) < 1e-14) return slot;
      if (std::fabs(c) > 1e-15) form.terms.push_back(scaled(slot, 3, c));
    }
    const std::string name = fmt::format("{}.{}.({:.12g}, {:.12g}, {:.12g})", cable.name, location.node, clean(n[0]),
                                         clean(n[1]), clean(n[2]));
    const auto [made, fresh] = made_slots_.emplace(name, -1);
    if (fresh) made->second = combine(name, SlotKind::vector, form, "beam." + cable.name);
    return made->second;
  }
  const Triple g{location.direction[0], location.direction[1], dim > 2 ? location.direction[2] : 0.0};
  const std::vector<Place>& places = *record.get<std::vector<Place>>("of");
  const Place& place = places[places[0].part == location.part ? 0 : 1];
  const int tangent = vector_slot(location, place, record.path + ".of");
  if (tangent < 0) return -1;
  const double g2 = dot(g, g), a = dot(n, g) / g2;
  LinearTerm term;
  if (dim == 2) {
    const double b = (n[1] * g[0] - n[0] * g[1]) / g2;
    term = {tangent, {a, -b, b, a}};
  } else {
    if (norm(n - a * g) > 1e-9) {
      wrong(record, "of",
            fmt::format("the cable \"{}\" has no torsion: only its tangent can be held, not other directions; a "
                        "[beam.NAME] has them",
                        location.part));
      return -1;
    }
    term = scaled(tangent, 3, a);
  }
  if (term.matrix == scaled(tangent, static_cast<int>(dim), 1).matrix) return tangent;
  const std::string name = fmt::format("{}.({:.12g}, {:.12g}, {:.12g}) of {}", record.path, clean(n[0]), clean(n[1]),
                                       clean(n[2]), location.part);
  const auto [made, fresh] = made_slots_.emplace(name, -1);
  if (fresh)
    made->second = combine(name, SlotKind::vector, {static_cast<int>(dim), {term}, {}, {}}, "cable." + location.part);
  return made->second;
}

void Interpreter::finish_joints() {
  prescribe_bodies();
  for (size_t i = 0; i < bodies_.size(); ++i) finish_body(static_cast<int>(i));
  if (!scene_.head.boolean("assemble"))
    for (const JointPlan& plan : plans_) check_initial_poses(plan);
  for (JointPlan& plan : plans_) finish_joint(plan);
  for (const Record& record : scene_.tables)
    if (acts(record) && record.kind == "joint" && record.type == "gear") add_gear(record);
}

/// A relation between slots that are there puts its force on a body without showing it: other joints' reactions would
/// hold it too.
bool Interpreter::any_reaction() const {
  return std::any_of(plans_.begin(), plans_.end(), [](const JointPlan& plan) { return plan.wants_reaction; });
}

/// Two slots that are the same thing: nothing if they are one, a relation otherwise.
void Interpreter::same_slots(JointPlan& plan, int a, int b, bool point) {
  JointPart& part = result_.joints[plan.part];
  // A slot of its own shows what the joint carries only if the part's basis took it.
  if (!plan.same_turn)
    std::erase_if(plan.shares, [&](const SensorSpec::Share& share) {
      const int slot = point ? share.point : share.vector;
      return slot >= 0 && slot != a && slot != b;
    });
  const auto shows = [&](const SensorSpec::Share& share) { return (point ? share.point : share.vector) >= 0; };
  const bool of_other = a != b && !plan.wants_reaction && any_reaction() && (point || plan.same_axis);
  if (of_other || (plan.wants_reaction && std::none_of(plan.shares.begin(), plan.shares.end(), shows))) {
    // Both slots serve other joints too: only multipliers tell what this one carries.
    if (point) return keep_together(plan, a, b, false);
    for (const Triple& n : perpendiculars(plan.axis)) keep_perpendicular(plan, n, plan.axis);
    return;
  }
  part.eliminated += scene_.dim;
  if (a == b) return;
  LinearForm same{
      scene_.dim, {scaled(b, scene_.dim, -1), scaled(a, scene_.dim, 1)}, std::vector<double>(scene_.dim, 0.0), {}};
  builder_.relate(same, plan.record->path, plan.record->source_of("of"));
}

void Interpreter::add_constraint(JointPlan& plan, const char* term, std::vector<int> slots,
                                 std::vector<double> parameters, int of_second) {
  JointPart& part = result_.joints[plan.part];
  if (std::all_of(slots.begin(), slots.end(), [&](int s) { return fixed_.contains(s); })) return;
  const std::string name =
      part.items.empty() ? plan.record->path : fmt::format("{}, equation {}", plan.record->path, part.items.size() + 1);
  const int lambda = builder_.multiplier(name + ".lambda");
  slots.push_back(lambda);
  part.multipliers.push_back(lambda);
  part.items.push_back(name);
  result_.constraints[name] = {{}, part.name};
  plan.item_shares.push_back({name, of_second, 1});
  builder_.item(fmt::format("{}_{}d", term, scene_.dim), slots, parameters, {}, name, 0, plan.record->source);
}

/// The second place stays in the plane through the first, or follows a coordinate from there.
void Interpreter::keep_offset(JointPlan& plan, const Triple& normal) {
  const int a = side_point(plan, 0), b = side_point(plan, 1);
  const int n = direction_slot(plan.side[0], normal, *plan.record);
  if (a < 0 || b < 0 || n < 0) return;
  if (plan.side[0].ground && plan.eliminated && !any_reaction()) {  // linear: n·(r_b − X) = 0
    const size_t dim = scene_.dim;
    LinearForm form{1,
                    {{b, {normal.begin(), normal.begin() + static_cast<long>(dim)}}},
                    {-dot(normal, plan.side[0].position())},
                    {}};
    builder_.relate(form, plan.record->path, plan.record->source_of("of"));
    ++result_.joints[plan.part].eliminated;
    return;
  }
  add_constraint(plan, "offset", {a, b, n}, {0, 0}, 1);
}

/// The places coincide, or keep the arm between them that turns with the first: by multipliers.
void Interpreter::keep_together(JointPlan& plan, int a, int b, bool with_arm) {
  Location ground;
  ground.ground = true;
  const Triple arm = plan.side[1].position() - plan.side[0].position();
  const bool moves = with_arm && norm(arm) > 1e-12 * (1 + norm(plan.side[0].position()));
  for (int k = 0; k < scene_.dim; ++k) {
    const int n = direction_slot(moves ? plan.side[0] : ground, unit_axis(k), *plan.record);
    if (n < 0) return;
    add_constraint(plan, "offset", {a, b, n}, {moves ? arm[k] : 0.0, 0}, 1);
  }
}

void Interpreter::keep_perpendicular(JointPlan& plan, const Triple& a, const Triple& b) {
  const int va = direction_slot(plan.side[0], a, *plan.record), vb = direction_slot(plan.side[1], b, *plan.record);
  if (va < 0 || vb < 0) return;
  add_constraint(plan, "inner_product", {va, vb}, {dot(a, b), 0}, 1);
}

/// A beam's node welded to the ground: its own slots show what the joint carries.
void Interpreter::share_held_node(JointPlan& plan) {
  const int own = plan.side[0].ground ? 1 : 0;
  const Location& node = plan.side[own];
  if (!plan.side[1 - own].ground || node.cable < 0 || node.node < 0) return;
  const std::vector<std::array<int, 3>>& frames = result_.cables[node.cable].frames;
  if (frames.empty()) return;
  plan.shares.push_back({node.point, -1});
  for (const int director : frames[node.node]) plan.shares.push_back({-1, director});
  plan.share_sign = own == 1 ? 1 : -1;
}

void Interpreter::finish_joint(JointPlan& plan) {
  const Record& record = *plan.record;
  const std::string& type = record.type;
  JointPart& part = result_.joints[plan.part];
  const int dim = scene_.dim;
  for (const int s : {0, 1}) massive_.insert(plan.side[s].part);
  const std::array<Triple, 2> across = dim == 3
                                           ? perpendiculars(norm(plan.axis) > 0 ? plan.axis : Triple{0, 0, 1})
                                           : std::array<Triple, 2>{Triple{-plan.axis[1], plan.axis[0], 0}, Triple{}};
  const auto carries_side = [&](int side) {
    const int body = plan.side[side].body;
    return body >= 0 && bodies_[body].carrier >= 0 && &plans_[bodies_[body].carrier] == &plan;
  };
  const bool carries = carries_side(0) || carries_side(1);
  if (type == "weld" && plan.eliminated && plan.wants_reaction && !carries) share_held_node(plan);
  const bool linear =
      plan.eliminated &&
      (type == "weld" || type == "prismatic" ? carries || !plan.wants_reaction || !plan.shares.empty() : true);
  if (plan.coincide) {
    if (type == "weld" && linear) {
      if (carries) {
        part.eliminated += dim;
      } else {
        // r_b = r_a + the arm, which turns with the first
        const Triple arm = plan.side[1].position() - plan.side[0].position();
        const int a = side_point(plan, 0), b = side_point(plan, 1);
        if (a < 0 || b < 0) return;
        if (norm(arm) <= 1e-12 * (1 + norm(plan.side[0].position()))) {
          same_slots(plan, a, b, true);
        } else {
          const int v = direction_slot(plan.side[0], (1 / norm(arm)) * arm, record);
          if (v < 0) return;
          LinearForm form{dim,
                          {scaled(b, dim, -1), scaled(a, dim, 1), scaled(v, dim, norm(arm))},
                          std::vector<double>(dim, 0.0),
                          {}};
          builder_.relate(form, record.path, record.source_of("of"));
          part.eliminated += dim;
        }
      }
    } else {
      const int a = side_point(plan, 0), b = side_point(plan, 1);
      if (a < 0 || b < 0) return;
      if (linear) {
        same_slots(plan, a, b, true);
      } else {
        keep_together(plan, a, b, type == "weld");
      }
    }
  }
  if (plan.same_turn) {
    if (plan.eliminated && carries) {
      part.eliminated += dim == 2 ? 1 : 3;
    } else if (linear) {
      for (int k = 0; k < dim; ++k) {
        const int a = direction_slot(plan.side[0], unit_axis(k), record),
                  b = direction_slot(plan.side[1], unit_axis(k), record);
        if (a < 0 || b < 0) return;
        same_slots(plan, a, b, false);
      }
    } else if (dim == 2) {
      keep_perpendicular(plan, {1, 0, 0}, {0, 1, 0});
      const auto stretches = [](const Location& side) { return side.cable >= 0; };  // a clamp holds that too
      if (stretches(plan.side[0]) || stretches(plan.side[1])) keep_perpendicular(plan, {1, 0, 0}, {1, 0, 0});
    } else {
      for (int k = 0; k < 3; ++k) keep_perpendicular(plan, unit_axis(k), unit_axis((k + 1) % 3));
    }
  }
  if (plan.same_axis) {
    if (plan.eliminated) {
      const int a = direction_slot(plan.side[0], plan.axis, record),
                b = direction_slot(plan.side[1], plan.axis, record);
      if (a < 0 || b < 0) return;
      same_slots(plan, a, b, false);
      part.eliminated -= 1;  // of three equations for a unit vector two are new
    } else {
      for (const Triple& n : across) keep_perpendicular(plan, n, plan.axis);
    }
  }
  if (type == "universal") keep_perpendicular(plan, plan.axis, plan.second_axis);
  if (type == "prismatic" || type == "cylindrical" || type == "point_on_line") {
    keep_offset(plan, across[0]);
    if (dim == 3) keep_offset(plan, across[1]);
  }
  if (type == "planar" || type == "point_on_plane") keep_offset(plan, plan.axis);
  if (record.has("angle")) drive(plan, angle_slot(plan), "angle");
  if (record.has("displacement")) drive(plan, offset_slot(plan), "displacement");
}

}  // namespace flexura::detail

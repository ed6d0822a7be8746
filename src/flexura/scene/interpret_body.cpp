// [body.NAME] → the points and vectors that carry it, its mass, and what keeps it rigid.
//
// A body is carried by D + 1 points and vectors (natural coordinates). Those that joints share with other bodies come
// first, so that the joint costs nothing; the rest are its own.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "flexura/scene/interpreter.hpp"
#include "flexura/scene/placement.hpp"

namespace flexura::detail {
namespace {

/// Matrix of J: the vector turned by a quarter, times c.
std::vector<double> quarter_turn(double c) { return {0, -c, c, 0}; }

}  // namespace

bool Interpreter::read_pose(const Record& record, RigidFrame& frame) {
  const std::optional<Placement> placement = placement_of(record, scene_.dim, problems);
  if (!placement) return false;
  frame.origin = placement->p;
  for (int k = 0; k < 3; ++k)
    for (int i = 0; i < 3; ++i) frame.axes[k][i] = placement->R[3 * i + k];
  return true;
}

bool Interpreter::read_inertia(const Record& record, Body& body) {
  RigidInertia& out = body.inertia;
  const size_t before = problems.size();
  const auto* shape_value = record.get<std::shared_ptr<const Record>>("shape");
  const double m = record.number("m");
  if (shape_value != nullptr) {
    double density = record.number("density");
    if (const std::string* name = record.get<std::string>("material"))
      if (const Record* material = scene_.find("material", *name)) density = material->number("rho");
    if (record.has("density") && record.has("material"))
      wrong(record, "density", "the density is given twice, by \"density\" and by \"material\"");
    if (density > 0 && m > 0) wrong(record, "m", "the mass is given twice: it follows from the shape and the density");
    if (!(density > 0) && !(m > 0))
      wrong(record, "", "a shape needs a density: give \"density\", \"material\", or the mass \"m\"");
    if (problems.size() > before) return false;
    const auto found = inertia_of_shape(**shape_value, density > 0 ? density : 1.0, scene_.dim, scene_.files, problems);
    if (!found) return false;
    out = *found;
    if (m > 0) {
      const double factor = m / out.mass;
      out.mass = m;
      for (double& x : out.inertia) x *= factor;
    }
    for (const char* key : {"center", "inertia", "products_of_inertia"})
      if (record.has(key)) wrong(record, key, "follows from the shape: leave it out");
    return problems.size() == before;
  }
  for (const char* key : {"density", "material"})
    if (record.has(key)) wrong(record, key, "is that of a shape: give \"shape\", or leave it out");
  if (!(m > 0)) {
    wrong(record, "", "the body has no mass: give \"m\" and \"inertia\", or a \"shape\" and a \"density\"");
    return false;
  }
  out.mass = m;
  if (const Numbers* center = record.get<Numbers>("center")) std::copy(center->begin(), center->end(), out.center);
  if (!record.has("inertia")) {
    wrong(record, "", "the body has no moment of inertia: give \"inertia\" about the centre of mass, or a \"shape\"");
    return false;
  }
  if (scene_.dim == 2) {
    out.inertia[2] = record.number("inertia");
    return problems.size() == before;
  }
  const Numbers& J = *record.get<Numbers>("inertia");
  std::copy(J.begin(), J.end(), out.inertia);
  if (const Numbers* products = record.get<Numbers>("products_of_inertia"))
    std::copy(products->begin(), products->end(), out.inertia + 3);
  return problems.size() == before;
}

void Interpreter::add_body(const Record& record) {
  Body body;
  body.record = &record;
  const size_t before = problems.size();
  read_pose(record, body.reference);
  body.initial = body.reference;
  if (const auto* initial = record.get<std::shared_ptr<const Record>>("initial")) {
    read_pose(**initial, body.initial);
    if (!(*initial)->has("position")) body.initial.origin = body.reference.origin;
    const bool turned = (*initial)->has("angle") || (*initial)->has("quat_xyzw") || (*initial)->has("axes");
    if (!turned) body.initial.axes = body.reference.axes;
  }
  read_inertia(record, body);
  if (const Numbers* v = record.get<Numbers>("velocity")) body.velocity = triple(*v);
  if (scene_.dim == 2) {
    body.spin = {0, 0, record.number("angular_velocity")};
  } else if (const Numbers* w = record.get<Numbers>("angular_velocity")) {
    body.spin = triple(*w);
  }
  const RigidInertia& J = body.inertia;
  const Triple center{J.center[0], J.center[1], J.center[2]};
  body.points.emplace_back("center", center);
  if (const NamedNumbers* points = record.get<NamedNumbers>("points"))
    for (const NamedNumbers::Entry& entry : points->entries) {
      if (entry.name == "center")
        problems.push_back(
            {entry.source, record.path + ".points.center", "\"center\" is the centre of mass already", {}});
      body.points.emplace_back(entry.name, triple(entry.x));
    }
  if (problems.size() > before) return;
  if (scene_.dim == 3) {
    // J is that of a mass distribution if E = tr(J)/2 I − J = ∫ρ x xᵀ has no negative eigenvalue.
    const double xx = J.inertia[0], yy = J.inertia[1], zz = J.inertia[2];
    const double xy = J.inertia[3], yz = J.inertia[4], xz = J.inertia[5];
    const double half = 0.5 * (xx + yy + zz), a = half - xx, b = half - yy, c = half - zz;
    const double size = std::max({xx, yy, zz, 0.0});
    const double minors[] = {a * b - xy * xy, b * c - yz * yz, a * c - xz * xz};
    const double det = a * (b * c - yz * yz) + xy * (-xy * c - yz * xz) - xz * (xy * yz + b * xz);
    const bool fits = std::min({a, b, c}) >= -1e-9 * size &&
                      *std::min_element(minors, minors + 3) >= -1e-9 * size * size && det >= -1e-9 * size * size * size;
    if (!fits || !(size > 0))
      return wrong(
          record,
          std::min({a, b, c}) >= 0 && size > 0 && record.has("products_of_inertia") ? "products_of_inertia"
          : record.has("inertia")                                                   ? "inertia"
                                                                                    : "shape",
          "no mass is distributed like that: each principal moment is positive and at most the sum of the others");
  }
  body.extent = std::sqrt(std::max({J.inertia[0], J.inertia[1], J.inertia[2]}) / J.mass);
  for (const auto& [name, x] : body.points) body.extent = std::max(body.extent, norm(x - center));
  body.node = builder_.node();
  body.stiffening_node = builder_.node();
  body_index_[record.name] = static_cast<int>(bodies_.size());
  parent_[record.name] = record.name;
  massive_.insert(record.name);
  bodies_.push_back(std::move(body));
}

std::string Interpreter::name_of(int index, const BodyPlace& place) const {
  const Body& body = bodies_[index];
  for (const auto& [name, x] : body.points)
    if (place.is_point && norm(x - place.local) <= 1e-12 * body.extent) return body.record->name + "." + name;
  const auto clean = [](double x) { return std::fabs(x) < 1e-15 ? 0.0 : x; };
  return fmt::format("{}{}{:.12g}, {:.12g}, {:.12g}{}", body.record->name, place.is_point ? "@(" : ".vector(",
                     clean(place.local[0]), clean(place.local[1]), clean(place.local[2]), ")");
}

int Interpreter::new_body_slot(int index, const BodyPlace& place, const std::string& name, int node) {
  const Body& body = bodies_[index];
  const auto of = [&](const RigidFrame& frame) {
    return place.is_point ? frame.to_space(place.local) : frame.turned(place.local);
  };
  const size_t dim = scene_.dim;
  const Triple X = of(body.reference), q = of(body.initial);
  const Triple arm = body.initial.turned(place.local);
  const Triple v = (place.is_point ? body.velocity : Triple{}) + cross(body.spin, arm);
  const int slot = builder_.slot(name, place.is_point ? SlotKind::point : SlotKind::vector, {X.data(), dim}, node);
  builder_.set_initial(slot, {q.data(), dim}, {v.data(), dim});
  note_anchor(slot, index, place);
  return slot;
}

void Interpreter::note_anchor(int slot, int index, const BodyPlace& place) {
  const RigidFrame& frame = bodies_[index].initial;
  const Triple q = place.is_point ? frame.to_space(place.local) : frame.turned(place.local);
  initial_[slot] = {q.begin(), q.begin() + scene_.dim};
  result_.anchors.push_back({slot, index, place.is_point, {place.local[0], place.local[1], place.local[2]}});
}

int Interpreter::mark_of(int body, const BodyPlace& place) {
  for (int mark : bodies_[body].marks)
    if (marks_[mark].place.is_point == place.is_point &&
        norm(marks_[mark].place.local - place.local) <= 1e-9 * (place.is_point ? bodies_[body].extent : 1.0))
      return mark;
  marks_.push_back({body, place});
  bodies_[body].marks.push_back(static_cast<int>(marks_.size()) - 1);
  return static_cast<int>(marks_.size()) - 1;
}

int Interpreter::root_of(int mark) const {
  while (marks_[mark].parent >= 0) mark = marks_[mark].parent;
  return mark;
}

/// Gives two marks one slot, unless each has its own already.
void Interpreter::unite(int a, int b) {
  a = root_of(a), b = root_of(b);
  if (a == b || (marks_[a].slot >= 0 && marks_[b].slot >= 0)) return;
  if (marks_[b].slot >= 0) std::swap(a, b);
  marks_[b].parent = a;
  marks_[a].count += marks_[b].count;
}

int Interpreter::slot_of_mark(int mark) {
  Mark& root = marks_[root_of(mark)];
  if (root.slot < 0)
    root.slot = new_body_slot(root.body, root.place, name_of(root.body, root.place), bodies_[root.body].node);
  return root.slot;
}

int Interpreter::body_slot(int index, const BodyPlace& place, const std::string& name) {
  finish_body(index);
  Body& body = bodies_[index];
  const auto [made, fresh] = made_slots_.emplace(name, -1);
  if (!fresh) return made->second;
  const std::optional<std::vector<double>> c = body.basis->weights(place);
  if (!c) {
    problems.push_back({body.record->source,
                        body.record->path,
                        fmt::format("\"{}\" is not on the line that carries this slender body", name),
                        {}});
    return -1;
  }
  for (size_t a = 0; a < c->size(); ++a)
    if ((*c)[a] == 1 && std::count(c->begin(), c->end(), 0.0) + 1 == static_cast<long>(c->size()))
      return made->second = body.slots[a];
  const LinearForm form = on_basis(index, *c);
  made->second = combine(name, place.is_point ? SlotKind::point : SlotKind::vector, form, body.record->path);
  note_anchor(made->second, index, place);
  return made->second;
}

LinearForm Interpreter::on_basis(int index, const std::vector<double>& c) const {
  LinearForm form{scene_.dim, {}, {}, {}};
  for (size_t a = 0; a < c.size(); ++a)
    if (c[a] != 0) form.terms.push_back(scaled(bodies_[index].slots[a], scene_.dim, c[a]));
  return form;
}

bool Interpreter::is_defined(int slot) const {
  return std::any_of(result_.definitions.begin(), result_.definitions.end(),
                     [&](const SlotDefinition& definition) { return definition.slot == slot; });
}

int Interpreter::axis_slot(int index, int axis) {
  const BodyPlace place{false, unit_axis(axis)};
  return body_slot(index, place, name_of(index, place));
}

void Interpreter::finish_body(int index) {
  if (bodies_[index].begun) return;
  bodies_[index].begun = true;
  if (bodies_[index].carrier >= 0) {
    carried_basis(index);
  } else {
    make_basis(index);
  }
  Body& body = bodies_[index];
  // Shared places that the basis does not hold are combinations of it.
  for (int mark : body.marks) {
    const int root = root_of(mark);
    if (marks_[root].slot < 0 && marks_[root].count < 2) continue;
    const bool fresh = marks_[root].slot < 0;
    if (std::find(body.slots.begin(), body.slots.end(), marks_[root].slot) != body.slots.end()) continue;
    const std::optional<std::vector<double>> c = body.basis->weights(marks_[mark].place);
    if (!c) continue;
    if (fresh) {
      marks_[root].slot = body_slot(index, marks_[mark].place, name_of(index, marks_[mark].place));
      continue;
    }
    const int slot = marks_[root].slot;
    const bool is_given = marks_[root].body < 0 || is_defined(slot);
    if (is_given && any_reaction()) continue;  // the joint ties them, by multipliers
    const LinearForm form = on_basis(index, *c);
    if (!is_given) result_.definitions.push_back({slot, form.terms});
    builder_.equate(slot, form, body.record->path, body.record->source);
  }
  if (body.rigid_by_itself) add_rigidity(index);
  add_mass(index);
  if (body.record->has("initial"))
    result_.stated_positions.insert(result_.stated_positions.end(), body.slots.begin(), body.slots.end());
  if (body.record->has("velocity") || body.record->has("angular_velocity"))
    result_.stated_velocities.insert(result_.stated_velocities.end(), body.slots.begin(), body.slots.end());
  BodyPart part;
  part.name = body.record->name;
  part.slots = body.slots;
  part.mass = body.inertia.mass;
  part.axes = scene_.dim;
  for (int k = 0; k <= part.axes; ++k) {
    const auto c = body.basis->weights(k == 0 ? BodyPlace{} : BodyPlace{false, unit_axis(k - 1)});
    if (!c) {
      wrong(*body.record, "", "its places are too far apart, or too near each other, to compute with");
      return;
    }
    part.weights.insert(part.weights.end(), c->begin(), c->end());
  }
  for (const auto& [name, x] : body.points)
    part.points.emplace_back(name, std::vector<double>(x.begin(), x.begin() + scene_.dim));
  result_.bodies[index] = std::move(part);
  result_.body_records[index] = body.record;
}

/// Two points far apart, then directions as far from parallel as there are, then own ones.
void Interpreter::make_basis(int index) {
  Body& body = bodies_[index];
  std::vector<int> points, vectors;  // marks
  for (int mark : body.marks) {
    const Mark& root = marks_[root_of(mark)];
    if (root.slot < 0 && root.count < 2) continue;
    (marks_[mark].place.is_point ? points : vectors).push_back(mark);
  }
  const auto local = [&](int mark) { return marks_[mark].place.local; };
  std::vector<BodyPlace> places;
  std::vector<int> slots;
  std::vector<Triple> spanned;  // orthonormal
  const auto rest = [&](Triple d) {
    for (const Triple& e : spanned) d = d - dot(d, e) * e;
    return d;
  };
  const auto take = [&](const BodyPlace& place, int slot, const Triple& direction) {
    places.push_back(place);
    slots.push_back(slot);
    const Triple d = rest((1 / norm(direction)) * direction);
    if (norm(d) > 0) spanned.push_back((1 / norm(d)) * d);
  };
  // The first point: an end of the longest distance between shared points.
  int first = points.empty() ? -1 : points[0];
  double longest = 0;
  for (int a : points)
    for (int b : points)
      if (norm(local(a) - local(b)) > longest * (1 + 1e-9)) longest = norm(local(a) - local(b)), first = a;
  const Triple center{body.inertia.center[0], body.inertia.center[1], body.inertia.center[2]};
  const BodyPlace origin{true, first >= 0 ? local(first) : center};
  places.push_back(origin);
  slots.push_back(first >= 0 ? slot_of_mark(first) : new_body_slot(index, origin, name_of(index, origin), body.node));
  const int directions = scene_.dim == 2 ? 1 : 3;
  constexpr double far = 0.1, independent = 0.3;
  while (static_cast<int>(spanned.size()) < directions) {
    int best = -1;
    double quality = independent;
    for (int mark : points) {
      const Triple d = local(mark) - origin.local;
      if (norm(d) < far * body.extent) continue;
      const double q = norm(rest((1 / norm(d)) * d)) * std::min(1.0, norm(d) / std::max(longest, 1e-300) + 0.5);
      if (q > quality * (1 + 1e-9)) quality = q, best = mark;
    }
    for (int mark : vectors)
      if (const double q = norm(rest(local(mark))); q > quality * (1 + 1e-9)) quality = q, best = mark;
    if (best < 0) break;
    take(marks_[best].place, slot_of_mark(best),
         marks_[best].place.is_point ? local(best) - origin.local : local(best));
  }
  while (static_cast<int>(spanned.size()) < directions) {  // own unit vectors, along the frame's axes where that is so
    Triple best{};
    for (int k = 0; k < scene_.dim; ++k) {
      if (const Triple d = rest(unit_axis(k)); norm(d) > norm(best) + 1e-9) best = d;
    }
    const BodyPlace vector{false, (1 / norm(best)) * best};
    take(vector, new_body_slot(index, vector, name_of(index, vector), body.node), vector.local);
  }
  if (scene_.dim == 2) {  // the normal, turned from the direction
    const bool is_point = places[1].is_point;
    const Triple d = is_point ? places[1].local - origin.local : places[1].local;
    const double length = norm(d);
    LinearForm form{2, {{slots[1], quarter_turn(1 / length)}}, {}, {}};
    if (is_point) form.terms.push_back({slots[0], quarter_turn(-1 / length)});
    const BodyPlace normal{false, {-d[1] / length, d[0] / length, 0}};
    places.push_back(normal);
    slots.push_back(combine(body.record->name + ".normal", SlotKind::vector, form, body.record->path));
  }
  body.basis.emplace(std::move(places));
  body.slots = std::move(slots);
}

/// Place and orientation, or the orientation only, from the part that a weld or a slide ties it to.
void Interpreter::carried_basis(int index) {
  JointPlan& plan = plans_[bodies_[index].carrier];
  const int own = plan.side[0].body == index ? 0 : 1;
  Location& other = plan.side[1 - own];
  if (other.body >= 0) finish_body(other.body);
  Body& body = bodies_[index];
  const Record& joint = *plan.record;
  std::vector<BodyPlace> places;
  std::vector<int> slots;
  std::vector<int> turned;
  const int directions = scene_.dim;
  for (int k = 0; k < directions; ++k) {
    const int slot = direction_slot(other, body.reference.axes[k], joint);
    if (slot < 0) break;
    // A slot of its own, so that what the joint carries can be read from it.
    const std::string name = fmt::format("{}.axis {}", body.record->name, k + 1);
    LinearForm same{scene_.dim, {scaled(slot, scene_.dim, 1)}, {}, {}};
    turned.push_back(combine(name, SlotKind::vector, same, joint.path));
    places.push_back({false, unit_axis(k)});
  }
  BodyPlace point{true, body.reference.to_local(plan.side[own].position())};
  int slot = -1;
  if (plan.coincide && static_cast<int>(turned.size()) == directions) {
    // r = other's place + the arm between them, which turns with the other
    const int at = side_point(plan, 1 - own);
    if (at >= 0) {
      LinearForm form{scene_.dim, {scaled(at, scene_.dim, 1)}, {}, {}};
      slot = combine(fmt::format("{}.place", body.record->name), SlotKind::point, form, joint.path);
      const Triple arm = plan.side[own].position() - other.position();
      if (norm(arm) > 1e-12 * (1 + norm(other.position()))) point.local = body.reference.to_local(other.position());
    }
  }
  if (slot < 0) {
    for (int mark : body.marks)
      if (marks_[mark].place.is_point && (marks_[root_of(mark)].slot >= 0 || marks_[root_of(mark)].count > 1)) {
        point = marks_[mark].place;
        slot = slot_of_mark(mark);
        break;
      }
  }
  if (slot < 0) slot = new_body_slot(index, point, name_of(index, point), body.node);
  places.insert(places.begin(), point);
  slots.push_back(slot);
  slots.insert(slots.end(), turned.begin(), turned.end());
  for (size_t k = plan.coincide ? 0 : 1; k < slots.size(); ++k)
    plan.shares.push_back({k == 0 ? slots[0] : -1, k == 0 ? -1 : slots[k]});
  plan.share_sign = own == 1 ? 1 : -1;
  if (static_cast<int>(turned.size()) < directions) {  // a problem was said
    const std::vector<BodyPlace> whole{{true, {}}, {false, {1, 0, 0}}, {false, {0, 1, 0}}, {false, {0, 0, 1}}};
    places.assign(whole.begin(), whole.begin() + scene_.dim + 1);
    slots.assign(places.size(), slot);
  }
  body.rigid_by_itself = other.cable >= 0 && result_.cables[other.cable].frames.empty();
  body.basis.emplace(std::move(places));
  body.slots = std::move(slots);
}

void Interpreter::add_rigidity(int index) {
  Body& body = bodies_[index];
  const BodyBasis& basis = *body.basis;
  const std::string suffix = fmt::format("_{}d", scene_.dim);
  const int count = scene_.dim == 2 ? 2 : basis.size();
  // A direction without mass needs a pivot; one of the size of inertia over a short time squared does no harm.
  const double p = 1e4 * std::max({body.inertia.inertia[0], body.inertia.inertia[1], body.inertia.inertia[2]});
  const double L2 = body.extent * body.extent;
  int number = 0;
  const auto keep = [&](const std::string& term, std::vector<int> slots, std::vector<double> parameters) {
    if (std::all_of(slots.begin(), slots.end(), [&](int s) { return fixed_.contains(s); })) return;
    std::vector<int> key = slots;
    std::sort(key.begin(), key.end());
    if (!kept_.insert(key).second) return;
    const std::string name = fmt::format("{}, rigidity {}", body.record->path, ++number);
    slots.push_back(builder_.multiplier(name + ".lambda", body.stiffening_node));
    builder_.may_be_implied(slots.back());
    builder_.item(term + suffix, slots, parameters, {}, name, 0, body.record->source);
    result_.constraints[name] = {"rigidity", body.record->name};
  };
  for (int a = 0; a < count; ++a)
    for (int b = 0; b < a; ++b) {
      const BodyPlace &x = basis[a], &y = basis[b];
      if (x.is_point && y.is_point) {
        keep("distance", {body.slots[b], body.slots[a]}, {norm(x.local - y.local)});
      } else if (b == 0) {
        keep("vector_length", {body.slots[a]}, {norm(x.local), p});
      } else if (!x.is_point && !y.is_point) {
        keep("inner_product", {body.slots[b], body.slots[a]}, {dot(x.local, y.local), p});
      } else {
        const int point = x.is_point ? a : b, vector = x.is_point ? b : a;
        const double value = dot(basis[point].local - basis[0].local, basis[vector].local);
        keep("offset", {body.slots[0], body.slots[point], body.slots[vector]}, {value, p / L2});
      }
    }
}

void Interpreter::add_mass(int index) {
  Body& body = bodies_[index];
  const RigidInertia& J = body.inertia;
  const Triple c{J.center[0], J.center[1], J.center[2]};
  std::array<double, 9> E{};  // ∫ρ x xᵀ about the frame's origin
  if (scene_.dim == 2) {
    E[0] = E[4] = 0.5 * J.inertia[2];  // only the sum counts
  } else {
    const double half = 0.5 * (J.inertia[0] + J.inertia[1] + J.inertia[2]);
    const double offs[3] = {-J.inertia[3], -J.inertia[4], -J.inertia[5]};
    E = {half - J.inertia[0], offs[0], offs[2], offs[0], half - J.inertia[1], offs[1], offs[2], offs[1],
         half - J.inertia[2]};
  }
  const auto with_center = [&] {
    std::array<double, 9> total = E;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) total[3 * i + j] += J.mass * c[i] * c[j];
    return total;
  };
  const BodyBasis& basis = *body.basis;
  const std::string name = body.record->path;
  const double damping = scene_.head.number("mass_damping");
  if (scene_.dim == 2 && basis[1].is_point) {
    // A centre of mass on the line of two points: a rod, without the normal.
    const Triple d = basis[1].local - basis[0].local, t = (1 / norm(d)) * d;
    const Triple off = c - basis[0].local;
    if (norm(off - dot(off, t) * t) <= 1e-14 * body.extent) {
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) E[3 * i + j] = J.inertia[2] * t[i] * t[j];
      const BodyBasis line({basis[0], basis[1]});
      const int slots[] = {body.slots[0], body.slots[1]};
      return builder_.item("rod_mass_2d", slots, line.mass_matrix(J.mass, c, with_center()), {}, name, damping,
                           body.record->source);
    }
  }
  builder_.item(scene_.dim == 2 ? "rigid_mass_2d" : "rigid_mass_3d", body.slots,
                basis.mass_matrix(J.mass, c, with_center()), {}, name, damping, body.record->source);
}

}  // namespace flexura::detail

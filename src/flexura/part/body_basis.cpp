// Which points and vectors carry a body.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "flexura/part/machine_draft.hpp"

namespace flexura::detail {
namespace {

/// Matrix of J: the vector turned by a quarter, times c.
std::vector<double> quarter_turn(double c) { return {0, -c, c, 0}; }

/// Takes one place or direction after the other, so that their directions from the first point span the body; of a body of
/// trusses places only.
class BasisChoice {
 public:
  BasisChoice(MachineDraft& draft, int index) : draft_(draft), index_(index), body_(draft.bodies[index]) {
    for (const int mark : body_.marks)
      if (draft.marks.is_shared(mark)) (draft.marks[mark].place.is_point ? points_ : vectors_).push_back(mark);
  }

  /// An end of the longest distance between shared points, or the centre of mass.
  void take_first_point() {
    int first = points_.empty() ? -1 : points_[0];
    for (const int a : points_)
      for (const int b : points_)
        if (norm(local(a) - local(b)) > longest_ * (1 + 1e-9)) longest_ = norm(local(a) - local(b)), first = a;
    const BodyPlace origin{true, first >= 0 ? local(first) : body_.center()};
    places_.push_back(origin);
    slots_.push_back(first >= 0 ? slot_of_mark(draft_, first) : new_body_slot(draft_, index_, origin));
  }

  /// Shared points and vectors as long as one is far enough from the span of those taken; the farthest first.
  void take_shared() {
    while (!is_complete()) {
      const int best = farthest();
      if (best < 0) return;
      const BodyPlace place = draft_.marks[best].place;
      take(place, slot_of_mark(draft_, best), place.is_point ? place.local - origin() : place.local);
    }
  }

  /// The stated points. False: they do not span the body, or so nearly that the factorisation takes the sixth distance for redundant, from
  /// a thousandth of its size on.
  bool take_stated() {
    for (const int slot : body_.nodes) {
      const auto X = draft_.builder.reference(slot);
      const BodyPlace node{true, body_.reference.to_local({X[0], X[1], X.size() > 2 ? X[2] : 0.0})};
      places_.push_back(node);
      slots_.push_back(slot);
      const Triple d = node.local - origin(), outside = rest(d);
      if (norm(outside) > flat * norm(d)) spanned_.push_back((1 / norm(outside)) * outside);
    }
    return is_complete();
  }

  /// Of trusses: nodes of its own on the axes of joints, which are edges then; named points; nodes along the frame's axes.
  void take_nodes() {
    const double arm = std::max(longest_, body_.extent);
    std::vector<Triple> wanted;
    for (const int mark : vectors_) wanted.push_back(origin() + arm * local(mark));
    for (size_t k = 1; k < body_.points.size(); ++k) wanted.push_back(body_.points[k].second);
    for (const Triple& x : wanted)
      if (const Triple d = x - origin(); !is_complete() && quality(d) > independent) take_node(x);
    while (!is_complete()) take_node(origin() + arm * unit_axis(most_independent_axis()));
  }

  /// Unit vectors of its own, along the frame's axes where that is so.
  void take_own() {
    while (!is_complete()) {
      Triple best{};
      for (int k = 0; k < draft_.dim(); ++k)
        if (const Triple d = rest(unit_axis(k)); norm(d) > norm(best) + 1e-9) best = d;
      const BodyPlace vector{false, (1 / norm(best)) * best};
      take(vector, new_body_slot(draft_, index_, vector), vector.local);
    }
  }

  /// Planar: the normal, turned from the direction.
  void add_normal() {
    const bool is_point = places_[1].is_point;
    const Triple d = is_point ? places_[1].local - origin() : places_[1].local;
    const double length = norm(d);
    LinearForm form{2, {{slots_[1], quarter_turn(1 / length)}}, {}, {}};
    if (is_point) form.terms.push_back({slots_[0], quarter_turn(-1 / length)});
    places_.push_back({false, {-d[1] / length, d[0] / length, 0}});
    slots_.push_back(draft_.combine(body_.spec->name + ".normal", SlotKind::vector, form, body_.spec->origin.path));
  }

  void finish() {
    body_.basis.emplace(std::move(places_));
    body_.slots = std::move(slots_);
  }

 private:
  const Triple& local(int mark) const { return draft_.marks[mark].place.local; }
  const Triple& origin() const { return places_[0].local; }
  void take_node(const Triple& x) {
    const BodyPlace node{true, x};
    take(node, new_body_slot(draft_, index_, node), x - origin());
  }
  int most_independent_axis() const {
    int best = 0;
    for (int k = 1; k < draft_.dim(); ++k)
      if (norm(rest(unit_axis(k))) > norm(rest(unit_axis(best))) + 1e-9) best = k;
    return best;
  }
  bool is_complete() const { return static_cast<int>(spanned_.size()) == (draft_.dim() == 2 ? 1 : 3); }

  /// What of a direction is outside the span.
  Triple rest(Triple d) const {
    for (const Triple& e : spanned_) d = d - dot(d, e) * e;
    return d;
  }

  void take(const BodyPlace& place, int slot, const Triple& direction) {
    places_.push_back(place);
    slots_.push_back(slot);
    const Triple d = rest((1 / norm(direction)) * direction);
    if (norm(d) > 0) spanned_.push_back((1 / norm(d)) * d);
  }

  static constexpr double flat = 1e-2;        ///< of a stated point's arm outside the span of those before it
  static constexpr double independent = 0.3;  ///< of a direction outside the span

  /// How much the arm to a place adds to the span; 0 where it is too near.
  double quality(const Triple& d) const {
    constexpr double far = 0.1;
    if (norm(d) < far * body_.extent) return 0;
    return norm(rest((1 / norm(d)) * d)) * std::min(1.0, norm(d) / std::max(longest_, 1e-300) + 0.5);
  }

  /// Mark of the shared point or vector that adds most to the span; −1: none adds enough.
  int farthest() const {
    int best = -1;
    double most = independent;
    for (const int mark : points_)
      if (const double q = quality(local(mark) - origin()); q > most * (1 + 1e-9)) most = q, best = mark;
    for (const int mark : vectors_) {
      if (body_.spec->of_trusses) break;
      if (const double q = norm(rest(local(mark))); q > most * (1 + 1e-9)) most = q, best = mark;
    }
    return best;
  }

  MachineDraft& draft_;
  int index_;
  RigidBody& body_;
  std::vector<int> points_, vectors_;  ///< shared, by their marks
  double longest_ = 0;                 ///< distance between shared points [m]
  std::vector<BodyPlace> places_;
  std::vector<int> slots_;
  std::vector<Triple> spanned_;  ///< orthonormal
};

/// The axes of a body as combinations of what the other part of its carrier has; fewer after a problem.
std::vector<int> carried_axes(MachineDraft& draft, const RigidBody& body, const JointSpec& joint, Location& other) {
  std::vector<int> turned;
  for (int k = 0; k < draft.dim(); ++k) {
    const int slot = direction_slot(draft, other, body.reference.axes[k], joint.origin);
    if (slot < 0) break;
    // A slot of its own, so that what the joint carries can be read from it.
    turned.push_back(draft.combine(fmt::format("{}.axis {}", body.spec->name, k + 1), SlotKind::vector,
                                   {draft.dim(), {scaled(slot, draft.dim(), 1)}, {}, {}}, joint.origin.path));
  }
  return turned;
}

/// Where the joint holds the body's place too: that of the other part, or with the arm between them; −1 otherwise.
int carried_point(MachineDraft& draft, JointPlan& plan, int own, BodyPlace& point) {
  const int at = side_point(draft, plan, 1 - own);
  if (at < 0) return -1;
  const RigidBody& body = draft.bodies[plan.side[own].body()];
  const Triple there = plan.side[1 - own].position();
  const Triple arm = plan.side[own].position() - there;
  if (norm(arm) > 1e-12 * (draft.size + norm(there))) point.local = body.reference.to_local(there);
  return draft.combine(fmt::format("{}.place", body.spec->name), SlotKind::point,
                       {draft.dim(), {scaled(at, draft.dim(), 1)}, {}, {}}, plan.spec->origin.path);
}

/// A point that other joints share, or one of its own.
int free_point(MachineDraft& draft, int index, BodyPlace& point) {
  for (const int mark : draft.bodies[index].marks)
    if (draft.marks[mark].place.is_point && draft.marks.is_shared(mark)) {
      point = draft.marks[mark].place;
      return slot_of_mark(draft, mark);
    }
  return new_body_slot(draft, index, point);
}

}  // namespace

void choose_basis(MachineDraft& draft, int index) {
  RigidBody& body = draft.bodies[index];
  if (!body.nodes.empty()) {
    BasisChoice stated(draft, index);
    if (stated.take_stated()) {
      if (draft.dim() == 2) stated.add_normal();
      return stated.finish();
    }
    draft.wrong(body.spec->origin, "nodes",
                draft.dim() == 2
                    ? "are one point: a body needs two"
                    : "lie in a plane, or nearly: a body needs four of which the last is off the plane of the "
                      "others by a hundredth of its distance or more");
    body.nodes.clear();  // what else is wrong is told of a body that has its own
  }
  BasisChoice choice(draft, index);
  choice.take_first_point();
  choice.take_shared();
  body.spec->of_trusses ? choice.take_nodes() : choice.take_own();
  if (draft.dim() == 2) choice.add_normal();
  choice.finish();
}

void carry_basis(MachineDraft& draft, int index) {
  JointPlan& plan = draft.plans[draft.bodies[index].carrier];
  const int own = plan.side[0].body() == index ? 0 : 1;
  Location& other = plan.side[1 - own];
  if (other.body() >= 0) finish_body(draft, other.body());
  RigidBody& body = draft.bodies[index];

  const std::vector<int> axes = carried_axes(draft, body, *plan.spec, other);
  if (static_cast<int>(axes.size()) < draft.dim()) return choose_basis(draft, index);  // a problem was said
  BodyPlace point = body.point_at(plan.side[own].position());
  int place = plan.row->coincide ? carried_point(draft, plan, own, point) : -1;
  if (place < 0) place = free_point(draft, index, point);

  std::vector<BodyPlace> places{point};
  for (int k = 0; k < draft.dim(); ++k) places.push_back({false, unit_axis(k)});
  body.slots = {place};
  body.slots.insert(body.slots.end(), axes.begin(), axes.end());
  const double sign = own == 1 ? 1 : -1;
  if (plan.row->coincide) plan.shares.push_back({.point = place, .sign = sign});
  for (const int axis : axes) plan.shares.push_back({.vector = axis, .sign = sign});
  body.rigid_by_itself = false;
  body.basis.emplace(std::move(places));
}

}  // namespace flexura::detail

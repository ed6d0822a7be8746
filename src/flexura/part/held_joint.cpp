// Joints of cables and points: linear relations between their slots.

#include <fmt/format.h>

#include <cmath>
#include <set>

#include "flexura/part/machine_draft.hpp"

namespace flexura::detail {
namespace {

double distance(const Triple& a, const Triple& b) {
  double sum = 0;
  for (size_t i = 0; i < 3; ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(sum);
}

/// Planar v as a g + b J g: the matrix that maps g to v and turns and stretches with g.
std::vector<double> along(const Triple& g, double vx, double vy) {
  const double g2 = g[0] * g[0] + g[1] * g[1];
  const double a = (vx * g[0] + vy * g[1]) / g2, b = (vy * g[0] - vx * g[1]) / g2;
  return {a, -b, b, a};
}

double rounding(const Triple& X) { return 1e-9 * (1 + std::fabs(X[0]) + std::fabs(X[1])); }

/// One joint: which side the other decides, and what is remembered of it.
class HeldJoint {
 public:
  HeldJoint(MachineDraft& draft, const JointSpec& spec, int part, Location& a, Location& b)
      : draft_(draft), spec_(spec), part_(part), a_(a), b_(b) {}

  void weld() {
    if (a_.is_ground() || b_.is_ground()) return hold_on_ground(true);
    const auto [master, dependent, sign] = order();
    const int ra = point_slot(draft_, master), ga = vector_slot(draft_, master);
    const int rb = point_slot(draft_, dependent), gb = vector_slot(draft_, dependent);
    if (ra < 0 || ga < 0 || rb < 0 || gb < 0) return;
    const Triple there = reference_direction(draft_, master), here = reference_direction(draft_, dependent);
    const Triple arm = dependent.position() - master.position();
    LinearForm position{2, {scaled(rb, 2, -1), scaled(ra, 2, 1)}, {0, 0}, {}};
    if (std::hypot(arm[0], arm[1]) > 1e-12) position.terms.push_back({ga, along(there, arm[0], arm[1])});
    relate(std::move(position), "of");
    relate({2, {scaled(gb, 2, -1), {ga, along(there, here[0], here[1])}}, {0, 0}, {}}, "of");
    remember(dependent, &master, sign, true);
  }

  void pin() {
    if (a_.X && b_.X)
      if (const double gap = distance(*a_.X, *b_.X); gap > rounding(*a_.X))
        return draft_.wrong(spec_.origin, "of",
                            fmt::format("\"{}\" and \"{}\" are {:.6g} m apart in the reference configuration; a pin "
                                        "needs them together",
                                        spec_.of[0].text, spec_.of[1].text, gap));
    if (a_.is_ground() || b_.is_ground()) return hold_on_ground(false);
    const auto [master, dependent, sign] = order();
    const int ra = point_slot(draft_, master), rb = point_slot(draft_, dependent), dim = draft_.dim();
    if (ra < 0 || rb < 0) return;
    relate({dim, {scaled(rb, dim, -1), scaled(ra, dim, 1)}, std::vector<double>(dim, 0.0), {}}, "of");
    remember(dependent, &master, sign, false);
  }

  /// n·g = 0 with the normals n of the reference direction.
  void clamp_direction() {
    if (!a_.is_ground() && !b_.is_ground())
      return draft_.wrong(spec_.origin, "of", "clamp_direction holds a part to the ground; between parts use \"weld\"");
    Location& held = a_.is_ground() ? b_ : a_;
    const int vector = vector_slot(draft_, held);
    if (vector < 0) return;
    fix(held, false);
    for (const Triple& n : normals(reference_direction(draft_, held)))
      relate({1, {{vector, {n.begin(), n.begin() + draft_.dim()}}}, {0}, {}}, "of");
    remember(held, nullptr, ground_sign(), true);
  }

  void prescribe() {
    if (!a_.is_ground())
      return draft_.wrong(spec_.origin, "of", "the first place of a prescribed joint must be \"ground\"");
    const int point = point_slot(draft_, b_);
    if (point < 0) return;
    constexpr const char* axes[] = {"x", "y", "z"};
    bool any = false;
    for (int i = 0; i < draft_.dim(); ++i) {
      if (!spec_.motion[i]) continue;
      any = true;
      std::vector<double> row(draft_.dim(), 0.0);
      row[i] = -1;
      relate({1, {{point, row}}, {b_.position()[i]}, {{draft_.builder.effective(*spec_.motion[i]), {1.0}}}}, axes[i]);
    }
    if (!any)
      return draft_.wrong(
          spec_.origin, "of",
          draft_.dim() == 3 ? "nothing is prescribed: give x, y or z" : "nothing is prescribed: give x or y");
    remember(b_, nullptr, 1, false);
  }

 private:
  struct Order {
    Location &master, &dependent;
    double sign;  ///< of what the dependent end shows
  };
  /// The second place depends on the first, unless another joint decides it already.
  Order order() {
    const bool swap = draft_.claimed.contains(b_.point) && !draft_.claimed.contains(a_.point);
    return swap ? Order{b_, a_, -1} : Order{a_, b_, 1};
  }
  std::vector<Triple> normals(const Triple& g) const {
    if (draft_.dim() == 2) return {{-g[1], g[0], 0}};
    const auto [first, second] = perpendiculars((1 / norm(g)) * g);
    return {first, second};
  }
  double ground_sign() const { return a_.is_ground() ? 1 : -1; }

  void relate(LinearForm form, std::string_view key) {
    draft_.builder.relate(std::move(form), spec_.origin.path, spec_.origin.source_of(key));
  }

  void hold_on_ground(bool direction) {
    Location& held = a_.is_ground() ? b_ : a_;
    fix(held, direction);
    if (held.point >= 0) remember(held, nullptr, ground_sign(), direction && held.vector >= 0);
  }

  void fix(Location& location, bool direction) {
    const int point = point_slot(draft_, location);
    if (point < 0) return;
    draft_.builder.fix(point, spec_.origin.path, spec_.origin.source_of("of"));
    if (direction && location.cable() >= 0)
      draft_.builder.fix(vector_slot(draft_, location), spec_.origin.path, spec_.origin.source_of("of"));
    check_initial(location);
  }

  /// The initial shape must fit where a joint to the ground holds it.
  void check_initial(const Location& location) {
    for (const int slot : {location.point, location.vector}) {
      const auto initial = draft_.initial.find(slot);
      if (slot < 0 || initial == draft_.initial.end()) continue;
      const auto reference = draft_.builder.reference(slot);
      const Triple X = triple({reference.begin(), reference.end()});
      if (const double gap = distance(initial->second, X); gap > rounding(X))
        return draft_.wrong(spec_.origin, "of",
                            fmt::format("holds \"{}\" as in its path, but its initial shape is {:.3g} {} away",
                                        location.part, gap, slot == location.point ? "m" : "in direction"));
    }
  }

  void remember(const Location& dependent, const Location* master, double sign, bool direction) {
    HeldEnd end{part_, dependent.point, direction ? dependent.vector : -1, master == nullptr ? -1 : master->point,
                sign};
    end.separable = dependent.at.node >= 0 || dependent.cable() < 0;
    if (!draft_.claimed.insert(dependent.point).second) end.separable = false;
    draft_.held_ends.push_back(end);
  }

  MachineDraft& draft_;
  const JointSpec& spec_;
  int part_;
  Location &a_, &b_;
};

/// The dependent end of a joint, and whatever hangs on the same point by other joints.
void add_share(const MachineDraft& draft, int point, int vector, JointReaction& out, std::set<int>& seen) {
  if (!seen.insert(point).second) return;
  out.shares.push_back({point, vector});
  for (const HeldEnd& end : draft.held_ends)
    if (end.master_point == point) add_share(draft, end.point, end.vector, out, seen);
}

}  // namespace

void hold(MachineDraft& draft, const JointSpec& spec, int part, Location& a, Location& b) {
  HeldJoint joint(draft, spec, part, a, b);
  if (spec.type == JointType::weld) return joint.weld();
  if (spec.type == JointType::clamp_direction) return joint.clamp_direction();
  joint.pin();
}

void prescribe(MachineDraft& draft, const JointSpec& spec, int part, Location& a, Location& b) {
  HeldJoint(draft, spec, part, a, b).prescribe();
}

void drive_bodies(MachineDraft& draft) {
  for (const auto& [part, spec] : draft.driven_bodies) {
    std::optional<Location> a = locate(draft, spec->of[0], spec->origin.path_of("of", 0));
    std::optional<Location> b = locate(draft, spec->of[1], spec->origin.path_of("of", 1));
    if (a && b) prescribe(draft, *spec, part, *a, *b);
  }
}

JointReaction reaction_of_held(const MachineDraft& draft, const HeldEnd& end) {
  JointReaction out;
  std::set<int> seen;
  add_share(draft, end.point, end.vector, out, seen);
  out.sign = end.sign;
  out.point = end.point;
  out.vector = end.vector;
  return out;
}

}  // namespace flexura::detail

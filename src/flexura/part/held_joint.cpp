// Joints of cables and points: linear relations between their slots, and multipliers for the angle between two cables.

#include <fmt/format.h>

#include <cmath>

#include "flexura/constraint/distance.hpp"
#include "flexura/constraint/inner_product.hpp"
#include "flexura/constraint/offset.hpp"
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

/// One joint: which side the other decides, and what is remembered of it.
class HeldJoint {
 public:
  HeldJoint(MachineDraft& draft, const JointSpec& spec, int part, Location& a, Location& b)
      : draft_(draft), spec_(spec), part_(part), a_(a), b_(b) {}

  /// Place and tangent: of a gradient its direction, so that the material may stretch there.
  void weld() {
    if (a_.is_ground() || b_.is_ground()) return hold_on_ground(true);
    if (draft_.dim() == 3)
      return draft_.wrong(spec_.origin, "of",
                          "cables in space have no torsion: between two of them use \"pin\", or a small [body.NAME] "
                          "with \"clamp_direction\"; [beam.NAME] has all directions");
    const int ra = point_slot(draft_, a_), ga = vector_slot(draft_, a_);
    const int rb = point_slot(draft_, b_), gb = vector_slot(draft_, b_);
    if (ra < 0 || ga < 0 || rb < 0 || gb < 0) return;
    if (spec_.holds_stretch) return refuse_stretch(draft_, spec_);
    const Triple arm = b_.position() - a_.position();
    const bool has_arm = norm(arm) > 1e-12 * (draft_.size + norm(a_.position()));
    if (!has_arm) {
      const auto [master, dependent, sign] = order();
      same_place(dependent.point, master.point);
      remember(dependent, sign, false);
    } else {
      keep<Offset2d>({ra, rb, normal_of(arm)}, {.value = 0, .penalty = 0});
      keep<Distance2d>({ra, rb}, {.length = norm(arm)});
      draft_.machine.joints[part_].eliminated -= 2;
      draft_.held_ends.push_back({.joint = part_, .point = rb});
    }
    keep<InnerProduct2d>({normal_of(reference_direction(draft_, b_)), gb}, {.value = 0, .penalty = 0});
  }

  void pin() {
    if (a_.X && b_.X)
      if (const double gap = distance(*a_.X, *b_.X); gap > draft_.near(*a_.X))
        return draft_.wrong(spec_.origin, "of",
                            fmt::format("\"{}\" and \"{}\" are {:.6g} m apart in the reference configuration; a pin "
                                        "needs them together",
                                        spec_.of[0].text, spec_.of[1].text, gap));
    if (a_.is_ground() || b_.is_ground()) return hold_on_ground(false);
    const auto [master, dependent, sign] = order();
    const int ra = point_slot(draft_, master), rb = point_slot(draft_, dependent);
    if (ra < 0 || rb < 0) return;
    same_place(rb, ra);
    remember(dependent, sign, false);
  }

  /// What multipliers do is read with the end.
  void finish() {
    if (!items_.empty() && !draft_.held_ends.empty()) draft_.held_ends.back().items = std::move(items_);
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
    remember(b_, 1, false);
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
    ties_.push_back({draft_.builder.next_relation(), form.terms[0].slot});
    draft_.builder.relate(std::move(form), spec_.origin.path, spec_.origin.source_of(key));
  }
  void fix(int slot) {
    ties_.push_back({draft_.builder.next_relation(), slot});
    draft_.builder.fix(slot, spec_.origin.path, spec_.origin.source_of("of"));
  }

  void same_place(int slot, int master) {
    const int dim = draft_.dim();
    relate({dim, {scaled(slot, dim, -1), scaled(master, dim, 1)}, std::vector<double>(dim, 0.0), {}}, "of");
  }

  /// A slot with the first cable's tangent that is in the reference the unit vector across d.
  int normal_of(const Triple& d) {
    const double size = norm(d);
    const LinearTerm term{a_.vector, along(reference_direction(draft_, a_), -d[1] / size, d[0] / size)};
    return draft_.combine(fmt::format("{}.normal {}", spec_.origin.path, items_.size() + 1), SlotKind::vector,
                          {2, {term}, {}, {}}, spec_.origin.path);
  }

  /// By a multiplier; the second of the slots is the second place's.
  template <class E>
  void keep(const std::array<int, slots_of<E> - 1>& of, const GivenParams<E>& parameters) {
    JointPart& part = draft_.machine.joints[part_];
    const std::string& path = spec_.origin.path;
    const std::string name = part.items.empty() ? path : fmt::format("{}, equation {}", path, part.items.size() + 1);
    std::array<int, slots_of<E>> slots{};
    std::copy(of.begin(), of.end(), slots.begin());
    slots.back() = draft_.builder.multiplier(name + ".lambda");
    part.multipliers.push_back(slots.back());
    part.items.push_back(name);
    draft_.machine.constraints[name] = {{}, spec_.name};
    items_.push_back({name, 1, 1});
    draft_.builder.item<E>(slots, parameters, name, 0, spec_.origin.source);
  }

  void hold_on_ground(bool direction) {
    Location& held = a_.is_ground() ? b_ : a_;
    const int point = point_slot(draft_, held);
    if (point < 0) return;
    fix(point);
    const bool of_cable = direction && held.cable() >= 0;
    if (of_cable) {
      const int vector = vector_slot(draft_, held);
      if (spec_.holds_stretch) hold_stretch(vector);
      for (const Triple& n : normals(reference_direction(draft_, held)))
        relate({1, {{vector, {n.begin(), n.begin() + draft_.dim()}}}, {0}, {}}, "of");
    }
    check_initial(held, of_cable);
    remember(held, ground_sign(), of_cable);
  }

  void hold_stretch(int vector) {
    fix(vector);
    draft_.machine.joints[part_].eliminated += 1;
  }

  /// The initial shape must fit where a joint to the ground holds it.
  void check_initial(const Location& location, bool direction) {
    const auto complain = [&](double gap, const char* how) {
      draft_.wrong(
          spec_.origin, "of",
          fmt::format("holds \"{}\" as in its path, but its initial shape is {:.3g} {} away", location.part, gap, how));
    };
    const Triple X = location.position();
    const auto r = draft_.initial.find(location.point), g = draft_.initial.find(location.vector);
    if (r != draft_.initial.end())
      if (const double gap = distance(r->second, X); gap > draft_.near(X)) return complain(gap, "m");
    if (!direction || g == draft_.initial.end()) return;
    const Triple d = reference_direction(draft_, location);
    if (const double gap = norm((1 / norm(g->second)) * g->second - (1 / norm(d)) * d); gap > 1e-9)
      complain(gap, "in direction");
  }

  void remember(const Location& dependent, double sign, bool direction) {
    for (JointReaction::Tie& tie : ties_) tie.sign = sign;
    HeldEnd end{part_, dependent.point, direction ? dependent.vector : -1, std::move(ties_)};
    end.separable = dependent.at.node >= 0 || dependent.cable() < 0;
    if (!draft_.claimed.insert(dependent.point).second) end.separable = false;
    draft_.held_ends.push_back(end);
  }

  MachineDraft& draft_;
  const JointSpec& spec_;
  int part_;
  Location &a_, &b_;
  std::vector<JointReaction::ItemShare> items_;
  std::vector<JointReaction::Tie> ties_;
};

}  // namespace

void hold(MachineDraft& draft, const JointSpec& spec, int part, Location& a, Location& b) {
  HeldJoint joint(draft, spec, part, a, b);
  spec.type == JointType::pin ? joint.pin() : joint.weld();
  joint.finish();
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

JointReaction reaction_of_held(const HeldEnd& end) {
  JointReaction out;
  out.items = end.items;
  out.ties = end.ties;
  out.point = end.point;
  out.vector = end.vector;
  return out;
}

}  // namespace flexura::detail

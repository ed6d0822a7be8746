// Joints that are linear relations between slots, and what holds what.

#include <fmt/format.h>

#include <cmath>

#include "flexura/scene/interpreter.hpp"

namespace flexura::detail {
namespace {

double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(sum);
}

/// Planar v as a g + b J g: the matrix that maps g to v and turns and stretches with g.
std::vector<double> along(const std::vector<double>& g, double vx, double vy) {
  const double g2 = g[0] * g[0] + g[1] * g[1];
  const double a = (vx * g[0] + vy * g[1]) / g2, b = (vy * g[0] - vx * g[1]) / g2;
  return {a, -b, b, a};
}

/// Where a place stands: "joint.clamp.of[1]".
std::string path_of(const Record& record, const Place& place) {
  return fmt::format("{}.of[{}]", record.path, &place - record.get<std::vector<Place>>("of")->data());
}

}  // namespace

std::string Interpreter::root(std::string part) const {
  for (auto p = parent_.find(part); p != parent_.end() && p->second != part; p = parent_.find(part)) part = p->second;
  return part;
}

void Interpreter::join(const std::string& a, const std::string& b) {
  const std::string ra = root(a), rb = root(b);
  if (ra == rb) return;
  if (ra == "ground")
    parent_[rb] = ra;
  else
    parent_[ra] = rb;
}

void Interpreter::add_joint(const Record& record) {
  if (record.type == "gear") return;  // once the joints it ties are there
  const std::vector<Place>& places = *record.get<std::vector<Place>>("of");
  std::optional<Location> a = locate(places[0], record.path + ".of[0]");
  std::optional<Location> b = locate(places[1], record.path + ".of[1]");
  if (!a || !b) return;
  if (record.has("from"))
    return wrong(record, "from", "joints that begin later are not in this version yet; they can end, with `until`");
  if (a->ground && b->ground) return wrong(record, "of", "both places are on the ground");
  if (a->body >= 0 && a->body == b->body) return wrong(record, "of", "both places are on the same body");
  if (are_same(*a, *b)) return wrong(record, "of", "both places are the same");
  join(a->part, b->part);
  const bool decides_all = record.type != "prescribed" || (record.has("x") && record.has("y"));
  if (decides_all) ties_.emplace_back(a->part, b->part);
  if (a->plate >= 0 || b->plate >= 0) return plan_plate_joint(record, *a, *b);
  if (plan_joint(record, *a, *b, places)) return;
  const int directions = record.type == "weld" ? scene_.dim : record.type == "clamp_direction" ? 1 : 0;
  const int driven = static_cast<int>(record.has("x")) + record.has("y") + record.has("z");
  note_joint(record, *a, *b, record.type == "prescribed" ? driven : scene_.dim + directions, -1);
  if (record.type == "weld") return weld(record, *a, *b, places);
  if (record.type == "pin") return pin(record, *a, *b, places);
  if (record.type == "clamp_direction") return clamp_direction(record, *a, *b, places);
  if (record.type == "prescribed" && b->body >= 0) return later_.push_back(&record);  // once welds are known
  if (record.type == "prescribed") return prescribe(record, *a, *b, places);
}

/// Prescribed places of bodies: their slots depend on what carries the body.
void Interpreter::prescribe_bodies() {
  for (const Record* record : later_) {
    const std::vector<Place>& places = *record->get<std::vector<Place>>("of");
    std::optional<Location> a = locate(places[0], record->path + ".of[0]");
    std::optional<Location> b = locate(places[1], record->path + ".of[1]");
    if (a && b) prescribe(*record, *a, *b, places);
  }
}

void Interpreter::note_joint(const Record& record, const Location& a, const Location& b, int eliminated,
                             int multiplier) {
  JointPart part;
  part.name = record.name;
  part.type = record.type;
  part.eliminated = eliminated;
  if (multiplier >= 0) {
    part.multipliers.push_back(multiplier);
    part.items.push_back(record.path);
  }
  part.parts[0] = a.part;
  part.parts[1] = b.part;
  result_.joints.push_back(std::move(part));
}

/// The initial shape must fit where a joint to the ground holds it.
void Interpreter::check_initial(const Record& record, const Location& location) {
  for (const int slot : {location.point, location.vector}) {
    const auto initial = initial_.find(slot);
    if (slot < 0 || initial == initial_.end()) continue;
    const auto X = builder_.reference(slot);
    const double gap = distance(initial->second, {X.begin(), X.end()});
    if (gap > 1e-9 * (1 + std::fabs(X[0]) + std::fabs(X[1])))
      return wrong(record, "of",
                   fmt::format("holds \"{}\" as in its path, but its initial shape is {:.3g} {} away", location.part,
                               gap, slot == location.point ? "m" : "in direction"));
  }
}

void Interpreter::remember(const Record& record, const Location& dependent, const Location* master, double sign,
                           bool direction) {
  Relation relation{
      &record, dependent.point, direction ? dependent.vector : -1, master == nullptr ? -1 : master->point, sign, true};
  relation.separable = dependent.node >= 0 || dependent.cable < 0;
  if (!claimed_.insert(dependent.point).second) relation.separable = false;
  relations_.push_back(relation);
}

/// Fixes a place to the ground.
void Interpreter::hold(const Record& record, Location& location, const Place& place, bool direction) {
  const int point = point_slot(location, place, path_of(record, place));
  if (point < 0) return;
  builder_.fix(point, record.path, record.source_of("of"));
  if (direction && location.cable >= 0)
    builder_.fix(vector_slot(location, place, path_of(record, place)), record.path, record.source_of("of"));
  check_initial(record, location);
}

void Interpreter::weld(const Record& record, Location& a, Location& b, const std::vector<Place>& places) {
  if (a.ground || b.ground) {
    Location& held = a.ground ? b : a;
    hold(record, held, a.ground ? places[1] : places[0], true);
    if (held.point >= 0) remember(record, held, nullptr, a.ground ? 1 : -1, held.vector >= 0);
    return;
  }
  const bool swap = claimed_.contains(b.point) && !claimed_.contains(a.point);
  Location& master = swap ? b : a;
  Location& dependent = swap ? a : b;
  const int ra = point_slot(master, places[swap ? 1 : 0], path_of(record, places[swap ? 1 : 0])),
            ga = vector_slot(master, places[swap ? 1 : 0], path_of(record, places[swap ? 1 : 0]));
  const int rb = point_slot(dependent, places[swap ? 0 : 1], path_of(record, places[swap ? 0 : 1])),
            gb = vector_slot(dependent, places[swap ? 0 : 1], path_of(record, places[swap ? 0 : 1]));
  if (ra < 0 || ga < 0 || rb < 0 || gb < 0) return;
  const double ox = dependent.X[0] - master.X[0], oy = dependent.X[1] - master.X[1];
  LinearForm position{2, {scaled(rb, 2, -1), scaled(ra, 2, 1)}, {0, 0}, {}};
  if (std::hypot(ox, oy) > 1e-12) position.terms.push_back({ga, along(master.direction, ox, oy)});
  builder_.relate(position, record.path, record.source_of("of"));
  LinearForm turn{2,
                  {scaled(gb, 2, -1), {ga, along(master.direction, dependent.direction[0], dependent.direction[1])}},
                  {0, 0},
                  {}};
  builder_.relate(turn, record.path, record.source_of("of"));
  remember(record, dependent, &master, swap ? -1 : 1, true);
}

void Interpreter::pin(const Record& record, Location& a, Location& b, const std::vector<Place>& places) {
  if (!a.X.empty() && !b.X.empty()) {
    const double gap = distance(a.X, b.X);
    if (gap > 1e-9 * (1 + std::fabs(a.X[0]) + std::fabs(a.X[1])))
      return wrong(record, "of",
                   fmt::format("\"{}\" and \"{}\" are {:.6g} m apart in the reference configuration; a pin "
                               "needs them together",
                               places[0].text, places[1].text, gap));
  }
  if (a.ground || b.ground) {
    Location& held = a.ground ? b : a;
    hold(record, held, a.ground ? places[1] : places[0], false);
    if (held.point >= 0) remember(record, held, nullptr, a.ground ? 1 : -1, false);
    return;
  }
  const bool swap = claimed_.contains(b.point) && !claimed_.contains(a.point);
  Location& master = swap ? b : a;
  Location& dependent = swap ? a : b;
  const int ra = point_slot(master, places[swap ? 1 : 0], path_of(record, places[swap ? 1 : 0]));
  const int rb = point_slot(dependent, places[swap ? 0 : 1], path_of(record, places[swap ? 0 : 1]));
  if (ra < 0 || rb < 0) return;
  LinearForm same{
      scene_.dim, {scaled(rb, scene_.dim, -1), scaled(ra, scene_.dim, 1)}, std::vector<double>(scene_.dim, 0.0), {}};
  builder_.relate(same, record.path, record.source_of("of"));
  remember(record, dependent, &master, swap ? -1 : 1, false);
}

void Interpreter::clamp_direction(const Record& record, Location& a, Location& b, const std::vector<Place>& places) {
  if (!a.ground && !b.ground)
    return wrong(record, "of", "clamp_direction holds a part to the ground; between parts use \"weld\"");
  Location& held = a.ground ? b : a;
  const Place& place = places[a.ground ? 1 : 0];
  const int vector = vector_slot(held, place, path_of(record, place));
  if (vector < 0) return;
  hold(record, held, place, false);
  // n·g = 0 with the normal n of the reference direction
  LinearForm normal{1, {{vector, {-held.direction[1], held.direction[0]}}}, {0}, {}};
  builder_.relate(normal, record.path, record.source_of("of"));
  remember(record, held, nullptr, a.ground ? 1 : -1, true);
}

void Interpreter::prescribe(const Record& record, Location& a, Location& b, const std::vector<Place>& places) {
  if (!a.ground) return wrong(record, "of", "the first place of a prescribed joint must be \"ground\"");
  const int point = point_slot(b, places[1], path_of(record, places[1]));
  if (point < 0) return;
  const char* axes[] = {"x", "y", "z"};
  bool any = false;
  for (int i = 0; i < scene_.dim; ++i) {
    if (!record.has(axes[i])) continue;
    any = true;
    std::vector<double> row(scene_.dim, 0.0);
    row[i] = -1;
    LinearForm form{1, {{point, row}}, {b.X[i]}, {{effective(record, axes[i]), {1.0}}}};
    builder_.relate(form, record.path, record.source_of(axes[i]));
  }
  if (!any)
    return wrong(record, "of",
                 scene_.dim == 3 ? "nothing is prescribed: give x, y or z" : "nothing is prescribed: give x or y");
  remember(record, b, nullptr, 1, false);
}

/// A point of its own moves only with a mass on it or a joint that ties it to something.
void Interpreter::check_masses() {
  massive_.insert("ground");
  for (const CablePart& cable : result_.cables) massive_.insert(cable.name);
  for (const PlatePart& plate : result_.plates) massive_.insert(plate.name);
  for (bool again = true; again;) {
    again = false;
    for (const auto& [a, b] : ties_)
      if (massive_.contains(a) != massive_.contains(b)) {
        massive_.insert(a);
        massive_.insert(b);
        again = true;
      }
  }
  for (const Record* record : scene_.of_kind("point"))
    if (!record->boolean("fixed") && !massive_.contains(record->name))
      problems.push_back(
          {record->source,
           record->path,
           fmt::format("has no mass: put a mass on it (at = \"{0}\"), tie it to a part by a joint, or let it "
                       "be fixed",
                       record->name),
           {}});
}

/// In statics every part must hang together with the ground.
void Interpreter::check_held() {
  if (!statics_) return;
  std::string analysis;
  for (const AnalysisSpec& spec : timeline_.analyses)
    if (spec.finds_equilibria() && analysis.empty()) analysis = spec.name;
  for (const Record& record : scene_.tables) {
    if (!record.spec->is_part || record.kind == "mass" || record.kind == "use") continue;
    if (!parent_.contains(record.name) || root(record.name) == "ground") continue;
    problems.push_back(
        {record.source,
         record.path,
         fmt::format("nothing holds this part in the static analysis \"{}\"; join it to the ground, as "
                     "with a [joint.NAME] of = [\"ground\", \"{}\"]",
                     analysis, record.kind == "point" || record.kind == "body" ? record.name : record.name + ".start"),
         {}});
  }
}

}  // namespace flexura::detail

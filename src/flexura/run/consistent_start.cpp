#include "flexura/run/consistent_start.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string_view>

#include "flexura/math/vec.hpp"
#include "flexura/run/geared_starts.hpp"
#include "flexura/run/initial_velocities.hpp"
#include "flexura/run/negative_mass.hpp"
#include "flexura/run/reversed_joints.hpp"
#include "flexura/solve/contacts.hpp"
#include "flexura/solve/extent.hpp"
#include "flexura/solve/joint_angles.hpp"
#include "flexura/solve/open_loop.hpp"
#include "flexura/solve/redundancy.hpp"

namespace flexura {

std::string part_at(const SceneModel& scene, int slot) {
  if (slot < 0) return "nothing";
  for (const BodyPart& body : scene.bodies)
    if (std::find(body.slots.begin(), body.slots.end(), slot) != body.slots.end())
      return fmt::format("body '{}'", body.name);
  for (const CablePart& cable : scene.cables)
    if (std::find(cable.points.begin(), cable.points.end(), slot) != cable.points.end())
      return fmt::format("cable '{}'", cable.name);
  const std::string& name = scene.model.topology->slot_names[slot];
  for (const BodyPart& body : scene.bodies)
    if (name.starts_with(body.name + ".")) return fmt::format("body '{}'", body.name);
  for (const PlatePart& plate : scene.plates)
    if (name.starts_with(plate.name + ".")) return fmt::format("plate '{}'", plate.name);
  for (const SolidPart& solid : scene.solids)
    if (name.starts_with(solid.name + ".")) return fmt::format("{} '{}'", solid.mesh.word(), solid.name);
  return name;
}

namespace {

constexpr double closed = 1e-6;      ///< of the extent: positions that far apart are typed with few digits
constexpr double noticeable = 1e-9;  ///< of the extent: moves below are not worth a line
constexpr size_t most_names = 6;

std::vector<std::vector<std::string>> parts_of_slots(const SceneModel& scene) {
  std::vector<std::vector<std::string>> parts(scene.model.topology->slots.size());
  const auto add = [&](int slot, const std::string& name) {
    if (slot < 0) return;
    if (std::find(parts[slot].begin(), parts[slot].end(), name) == parts[slot].end()) parts[slot].push_back(name);
  };
  for (const BodyPart& body : scene.bodies)
    for (int slot : body.slots) add(slot, body.name);
  for (const CablePart& cable : scene.cables)
    for (const ElementRef& element : cable.elements)
      for (int slot : element.slots) add(slot, cable.name);
  for (const PlatePart& plate : scene.plates)
    for (const PlateElement& element : plate.model.elements)
      for (int slot : element.slots) add(slot, plate.name);
  for (const SolidPart& solid : scene.solids)
    for (const int slot : solid.model.nodes) add(slot, solid.name);
  for (const PointPart& point : scene.points) add(point.slot, point.name);
  return parts;
}

/// The joint or item of a row.
std::string author_of(const SceneModel& scene, int row) {
  if (row < 0) return {};
  const RowName name = row_name(*scene.model.topology, row);
  for (const JointPart& joint : scene.joints)
    if (std::find(joint.items.begin(), joint.items.end(), name.item) != joint.items.end())
      return fmt::format("joint.{}", joint.name);
  return name.item.empty() ? name.multiplier : name.item;
}

std::string list_names(const std::vector<std::string>& names) {
  std::string text;
  for (size_t k = 0; k < std::min(names.size(), most_names); ++k) text += (k > 0 ? ", " : "") + names[k];
  return names.size() > most_names ? fmt::format("{} and {} more", text, names.size() - most_names) : text;
}

std::string list_authors(const SceneModel& scene, std::span<const int> rows) {
  std::vector<std::string> names;
  for (int row : rows)
    if (std::string name = author_of(scene, row); std::find(names.begin(), names.end(), name) == names.end())
      names.push_back(std::move(name));
  return list_names(names);
}

/// `author`: "joint.hinge", "body.rod, rigidity 1", "joint 'rod'".
[[noreturn]] void refuse(const SceneDocument& document, const std::string& author, std::string message) {
  const std::string path = author.substr(0, author.find(','));
  for (const Record& record : document.tables)
    if (record.path == path) throw InputError({{record.source, path, std::move(message), {}}});
  throw InputError({{{}, {}, std::move(message), {}}});
}

/// Rows by size of their violation, as far as they matter.
std::vector<int> open_rows(Constraints& constraints, const State<double>& state) {
  const double* phi = constraints.motion(state).phi;
  std::vector<int> rows(constraints.rows().begin(), constraints.rows().end());
  std::sort(rows.begin(), rows.end(), [&](int a, int b) { return std::fabs(phi[a]) > std::fabs(phi[b]); });
  const double largest = rows.empty() ? 0 : std::fabs(phi[rows.front()]);
  std::erase_if(rows, [&](int row) { return std::fabs(phi[row]) < 1e-3 * largest; });
  return rows;
}

/// What a start changes.
struct StartMove {
  double moved = 0;       ///< largest change of a point [m]
  double turned = 0;      ///< of a component of a direction over its length, or of an angle [rad]
  double angle = 0;       ///< by which a direction or a joint's angle turns [rad]
  double shift = 0;       ///< of a joint's displacement or of a length [m]
  int slot = -1;          ///< that moved or turned most
  bool is_angle = false;  ///< it is a joint's angle, which has no place
  bool is_rigid = true;   ///< bodies alone move, none of which has a stated pose
};
double angle_turned(const Slot& slot, const std::vector<double>& before, const std::vector<double>& after) {
  Vec3 a{}, b{};
  for (int i = 0; i < std::min(slot.size, 3); ++i)
    a[i] = before[static_cast<size_t>(slot.offset + i)], b[i] = after[static_cast<size_t>(slot.offset + i)];
  return std::atan2(norm(cross(a, b)), dot(a, b));
}

StartMove move_between(const SceneModel& scene, const std::vector<double>& before, const std::vector<double>& after,
                       double extent) {
  const Topology& topology = *scene.model.topology;
  std::vector<char> may_move(topology.slots.size(), 0);
  for (const BodyPart& body : scene.bodies)
    for (const int slot : body.slots) may_move[slot] = 1;
  for (const int slot : scene.stated_positions) may_move[slot] = 0;
  StartMove out;
  double most = -1;
  for (size_t s = 0; s < topology.slots.size(); ++s) {
    const Slot& slot = topology.slots[s];
    if (slot.multiplier) continue;
    double size = 0, length = 0;
    for (int i = slot.offset; i < slot.offset + slot.size; ++i) {
      size = std::max(size, std::fabs(after[i] - before[i]));
      length = std::hypot(length, before[i]);
    }
    double share = size;
    if (slot.kind == SlotKind::point) {
      share /= extent;
      out.moved = std::max(out.moved, size);
    } else if (slot.is_length) {
      share /= extent;
      out.shift = std::max(out.shift, size);
    } else {
      if (slot.kind == SlotKind::vector) share /= length;
      out.turned = std::max(out.turned, share);
    }
    const bool is_angle = slot.kind == SlotKind::scalar && topology.slot_names[s].ends_with(".angle");
    if (slot.kind == SlotKind::vector) out.angle = std::max(out.angle, angle_turned(slot, before, after));
    if (is_angle) out.angle = std::max(out.angle, size);
    if (share > most) most = share, out.slot = static_cast<int>(s), out.is_angle = is_angle;
    const bool is_coordinate = slot.kind == SlotKind::scalar || slot.dependent >= 0;
    if (share > closed && !is_coordinate && !may_move[s]) out.is_rigid = false;
  }
  return out;
}

/// Whether positions and directions stay but for `share` of the extent and of their lengths.
bool is_within(const StartMove& move, double share, double extent) {
  return std::max(move.moved, move.shift) <= share * extent && move.turned <= share;
}

/// "move by 0.1 m and turn by 0.2 rad (11.5 degrees)": of both what is more than rounding.
std::string motion_text(std::string_view moves, const StartMove& way, std::string_view turns, double slack,
                        double rounding) {
  const double moved = std::max(way.moved, way.shift);
  const std::string turn =
      fmt::format("{} {:.3g} rad ({:.3g} degrees)", turns, way.angle, way.angle * 180 / std::numbers::pi);
  if (way.is_angle) return moved > slack ? fmt::format("{} and points {} {:.3g} m", turn, moves, moved) : turn;
  std::string text = moved > slack ? fmt::format("{} {:.3g} m", moves, moved) : std::string();
  if (way.angle > rounding || text.empty()) text += (text.empty() ? "" : " and ") + turn;
  return text;
}

/// Whether the rows are of angles, displacements and lengths alone, which have coordinates of their own: where a drive or a gear says what
/// they are, the joint starts there.
bool are_coordinates(const Topology& topology, std::span<const int> rows) {
  std::vector<char> ties(static_cast<size_t>(topology.ny), 0);
  for (const ItemBatch& batch : topology.batches) {
    const std::vector<SlotKind>& kinds = batch.type->info.slots;
    if (batch.type->info.role != Role::constraint) continue;
    for (int i = 0; i < batch.count; ++i) {
      bool has_coordinate = false;
      int row = -1;
      for (size_t a = 0; a < kinds.size(); ++a) {
        if (kinds[a] != SlotKind::scalar) continue;
        const Slot& slot = topology.slots[batch.slots[i * kinds.size() + a]];
        slot.multiplier ? row = slot.offset : has_coordinate = true;
      }
      if (has_coordinate && row >= 0) ties[row] = 1;
    }
  }
  return std::all_of(rows.begin(), rows.end(), [&](int row) { return ties[row] != 0; });
}

/// Metric of an assembly by lengths alone, where masses are to mean nothing: 1 for points and their components, L² for directions and a
/// millionth of that for angles and lengths, which follow what they belong to. L: the extent.
std::vector<double> metric_of_lengths(const Topology& topology, double extent) {
  constexpr double follows = 1e-6;
  const double turn = extent * extent;
  std::vector<double> metric(static_cast<size_t>(topology.ncoord), turn);
  for (size_t s = 0; s < topology.slots.size(); ++s) {
    const Slot& slot = topology.slots[s];
    const bool is_component = slot.kind == SlotKind::scalar && topology.slot_names[s].ends_with(']');
    if (slot.multiplier || slot.kind == SlotKind::vector || (is_component && !slot.is_length)) continue;
    const double of_slot = slot.kind == SlotKind::point || is_component ? 1 : follows * turn;
    for (int i = slot.offset; i < std::min(slot.offset + slot.size, topology.ncoord); ++i)
      metric[static_cast<size_t>(i)] = of_slot;
  }
  return metric;
}

void expand(ActiveModel& active, State<double>& state) {
  active.system().assembler.expand(state.q.data(), state.v.data(), state.a.data());
}

/// Whether the constraints are closed but for roundings at the signals that are set.
bool fits(Constraints& constraints, ActiveModel& active) {
  State<double> guess = active.state;
  expand(active, guess);
  const std::vector<double> before = guess.q;
  if (!constraints.project_positions(guess).converged) return false;
  const double size = extent(active.topology(), before);
  return is_within(move_between(active.scene(), before, guess.q, size), closed, size);
}

void project_positions(Constraints& constraints, ActiveModel& active, const SceneDocument& document,
                       StartReport& start) {
  const SceneModel& scene = active.scene();
  const bool assemble = document.head.boolean("assemble");
  const double size = extent(active.topology(), active.state.q);
  State<double> guess = active.state;
  expand(active, guess);
  const std::vector<double> before = guess.q;
  const std::vector<int> open = open_rows(constraints, guess);
  const int ny = active.topology().ny;
  std::vector<double> to_turn = JointAngles(active.topology()).open_angles(guess.q, ny);
  const std::vector<double> revolutions = stated_revolutions(scene.model, guess.q);
  for (size_t row = 0; row < to_turn.size(); ++row) to_turn[row] -= revolutions[row];
  // By lengths alone; in the metric of masses where that leads to no solution or to a wrong one.
  const State<double> begin = guess;
  constraints.measure_by(metric_of_lengths(active.topology(), size));
  ProjectionReport report = constraints.turn_to_positions(guess, to_turn);
  constraints.measure_by({});
  if (!report.converged || !reversed_joint(scene, guess.q).empty()) {
    State<double> other = begin;
    const ProjectionReport by_mass = constraints.turn_to_positions(other, to_turn);
    if (by_mass.converged || !report.converged) report = by_mass, guess = std::move(other);
  }
  const StartMove way = move_between(scene, before, guess.q, size);
  const bool near = is_within(way, closed, size);
  const bool is_driven_there = way.is_rigid && are_coordinates(active.topology(), open);
  if (!report.converged) {
    constraints.motion(guess);
    const OpenLoop loop = explain_open_loop(
        active.topology(), std::span(constraints.motion(guess).phi, static_cast<size_t>(active.topology().ny)),
        parts_of_slots(scene));
    refuse(document, author_of(scene, report.worst),
           fmt::format("the joints cannot be closed: {}{}", loop.text(),
                       assemble ? "" : "; the initial positions may be too far away"));
  }
  if (!near && !assemble && !is_driven_there)
    refuse(document, open.empty() ? std::string() : author_of(scene, open.front()),
           fmt::format("the initial positions do not fit {}: to close them, {} would {}; `assemble = true` at the top "
                       "of the scene brings them together",
                       list_authors(scene, open), part_at(scene, way.slot),
                       motion_text("move by", way, "turn by", closed * size, closed)));
  if (const std::string reversed = near ? "" : reversed_joint(scene, guess.q); !reversed.empty())
    refuse(document, "joint." + reversed,
           "the initial positions are too far away: brought together, the joint would hold its parts the wrong way "
           "round; let "
           "them start (`initial`) less than a quarter of a revolution from where it holds them");
  active.state = std::move(guess);
  start.moved = way.moved;
  start.turned = way.angle;
  if (!is_within(way, noticeable, size))
    start.moves =
        fmt::format("{} at most, {}", motion_text("moved by", way, "turned by", noticeable * size, noticeable),
                    part_at(scene, way.slot));
}

/// Drives that contradict each other, or a joint: the velocities say so where the positions still agree.
void project_velocities(Constraints& constraints, ActiveModel& active, const SceneDocument& document) {
  const ProjectionReport report = constraints.project_velocities(active.state);
  if (report.converged) return;
  const double* rate = constraints.motion(active.state).rate;
  std::vector<int> rows(constraints.rows().begin(), constraints.rows().end());
  std::erase_if(rows, [&](int row) { return !(std::fabs(rate[row]) > 0.1 * report.violation); });
  if (!std::isfinite(report.violation) || rows.empty())
    refuse(document, author_of(active.scene(), report.worst),
           "no velocities can be found at the start: a signal has no finite rate there, or numbers are too extreme");
  refuse(
      document, author_of(active.scene(), report.worst),
      fmt::format("no velocities fit {} and the other joints and drives at the start: they contradict each other, or "
                  "the mechanism is at a dead centre",
                  list_authors(active.scene(), rows)));
}

void describe(StartReport& start, const Topology& topology) {
  start.count_text = start.freedom.text(topology);
  if (!topology.implied.empty())
    start.count_text +=
        fmt::format("; {} more constraints follow from others and are left out", topology.implied.size());
}

StartReport count_unconstrained(const Topology& topology) {
  StartReport start;
  for (const Slot& slot : topology.slots) {
    if (slot.multiplier) continue;
    start.freedom.coordinates += slot.size;
    if (slot.dependent >= 0) start.freedom.eliminated += slot.size;
  }
  start.freedom.dof = topology.ncoord;
  describe(start, topology);
  return start;
}

std::vector<int> free_coordinates(const ActiveModel& active, const std::vector<int>& slots) {
  std::vector<int> coordinates;
  for (int s : slots) {
    const Slot& slot = active.topology().slots[s];
    for (int i = 0; i < slot.size && slot.dependent < 0; ++i) coordinates.push_back(slot.offset + i);
  }
  return coordinates;
}

}  // namespace

std::string authors_of(const SceneModel& scene, std::span<const int> rows) {
  std::vector<std::string> names;
  for (const int row : rows) {
    std::string name = author_of(scene, row);
    name.resize(std::min(name.size(), name.find(',')));  // "body.rod, rigidity 1"
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(std::move(name));
  }
  return list_names(names);
}

std::string StartReport::moved_text() const {
  std::string text;
  if (!moves.empty()) text = fmt::format("initial positions {}", moves);
  for (const std::string& velocity : velocities) text += (text.empty() ? "" : "; ") + velocity;
  return text;
}

StartReport count_freedom(ActiveModel& active) {
  const Topology& topology = active.topology();
  StartReport start;
  if (!active.has_constraints()) return count_unconstrained(topology);
  start.freedom = count_dof(active.constraints(), topology, active.state);
  describe(start, topology);
  const std::vector<NearlyRedundantRow> nearly = nearly_redundant_rows(active.constraints());
  std::vector<int> exactly = start.freedom.redundant, rows;
  double left = 0;
  for (const NearlyRedundantRow& row : nearly) {
    std::erase(exactly, row.row);
    rows.push_back(row.row);
    left = std::max(left, row.left);
  }
  const SingularStart singular = singular_start(active.system(), active.constraints(), active.state);
  for (const int row : singular.set_aside) {
    std::erase(exactly, row);
    std::erase(rows, row);
  }
  if (!singular.rows.empty())
    start.warnings.push_back(
        fmt::format("where the motion starts the constraints of {} depend on each other: a dead point, or one from "
                    "which the mechanism can go on in another way",
                    authors_of(active.scene(), singular.rows)));
  if (const size_t n = exactly.size(); n > 0)
    start.warnings.push_back(fmt::format(
        "{} redundant: {}; the motion does not depend on how they share their forces, the multipliers "
        "reported are those of least size",
        n == 1 ? "one constraint is" : fmt::format("{} constraints are", n), list_authors(active.scene(), exactly)));
  if (!rows.empty())
    start.warnings.push_back(fmt::format(
        "{} nearly redundant: all but {:.2g} of it follows from other joints, and it is left out; it may open, and "
        "its reaction says nothing; move these joints apart, or remove one",
        list_authors(active.scene(), rows) + " is", left));
  return start;
}

std::string overlap_text(ActiveModel& active, std::string* who) {
  if (active.topology().contacts == nullptr) return {};
  State<double> now = active.state;  // with what signals prescribe
  active.system().assembler.expand(now.q.data(), now.v.data(), now.a.data());
  const std::optional<Overlap> overlap = find_overlap(active.system(), now.q);
  if (!overlap) return {};
  const ContactModel& contacts = *active.topology().contacts;
  const auto& [a, b] = overlap->key;
  if (who != nullptr) {
    const int later = contacts.is_plane(b) ? a : b;  // in the scene
    const std::string& family = contacts.spheres[later].family;
    *who = family.empty() ? contacts.name(later) : family;
  }
  return fmt::format("\"{}\" and \"{}\" lie {:.3g} m in each other, and may touch by contact.{}: move them apart",
                     contacts.name(a), contacts.name(b), overlap->depth, contacts.groups[overlap->group].name);
}

namespace {

/// Whether signals prescribe coordinates or move constraints: statics bring them there with the load factor, from where they are without.
bool is_driven(const Topology& topology) {
  const auto follows_signals = [](const Dependent& dependent) { return !dependent.drives.empty(); };
  if (std::any_of(topology.dependents.begin(), topology.dependents.end(), follows_signals)) return true;
  return std::any_of(topology.batches.begin(), topology.batches.end(), [](const ItemBatch& batch) {
    const std::vector<SlotKind>& kinds = batch.type->info.slots;
    return batch.type->info.role == Role::constraint &&
           std::find(kinds.begin(), kinds.end(), SlotKind::signal) != kinds.end();
  });
}

}  // namespace

/// What moves or swings needs mass that resists; equilibria and prescribed motions do not.
void refuse_negative_mass(ActiveModel& active, const SceneDocument& document) {
  if (const NegativeMass found = find_negative_mass(active); !found.item.empty())
    refuse(document, found.item, found.message);
}

StartReport make_consistent(ActiveModel& active, const SceneDocument& document, const AnalysisSpec& first) {
  choose_geared_revolutions(active.scene(), active.state.q);
  active.set_signals(active.state.t);
  const bool is_unloaded = first.finds_equilibria() && is_driven(active.topology());
  const auto unload = [&] {
    active.system().assembler.set_signals(std::vector<SignalValue>(active.topology().signals.size()));
  };
  if (is_unloaded) unload();
  StartReport moves;
  if (active.has_constraints()) {
    Constraints& constraints = active.constraints();
    constraints.hold(free_coordinates(active, active.scene().stated_positions));
    if (is_unloaded && !fits(constraints, active)) {  // it may start where the drives are to bring it
      active.set_signals(active.state.t);
      if (!fits(constraints, active)) unload();
    }
    project_positions(constraints, active, document, moves);
    constraints.hold({});
  }
  if (!first.finds_equilibria()) {  // else with the motion behind it
    VelocityReport begins = set_initial_velocities(active, true);
    moves.velocities = std::move(begins.notes);
    moves.warnings = std::move(begins.warnings);
  }
  if (active.has_constraints()) project_velocities(active.constraints(), active, document);
  if (is_unloaded) active.set_signals(active.state.t);
  std::string sphere;
  if (std::string overlap = overlap_text(active, &sphere); !overlap.empty())
    refuse(document, "sphere." + sphere, std::move(overlap));
  if (first.is_dynamic() || first.finds_modes()) refuse_negative_mass(active, document);
  active.begin_memory();  // moves so far were none in time
  StartReport start = count_freedom(active);
  if (first.is_driven() && start.freedom.dof > 0)
    refuse(document, "analysis." + first.name,
           fmt::format("prescribed motions must decide everything, but something is free: {}", start.count_text));
  start.moved = moves.moved;
  start.turned = moves.turned;
  start.moves = moves.moves;
  start.velocities = std::move(moves.velocities);
  start.warnings.insert(start.warnings.begin(), moves.warnings.begin(), moves.warnings.end());
  return start;
}

StartReport check_start(const SceneModels& scene, const SceneDocument& document) {
  const Segment& first = scene.timeline.segments.front();
  const Topology& topology = *scene.models[first.model].model.topology;
  // Nothing to bring together: matrices of a long cable, 2 kB an element, need not be made for it.
  const bool is_free =
      topology.ny == topology.ncoord && topology.contacts == nullptr && !states_velocities(scene.models[first.model]);
  if (is_free && !has_light_nodes(topology) && !scene.timeline.analyses[first.analysis].is_driven())
    return count_unconstrained(topology);
  ActiveModel active(scene, 1);
  active.enter(first.model);
  StartReport start = make_consistent(active, document, scene.timeline.analyses[first.analysis]);
  if (std::string unused = unused_velocities(scene); !unused.empty()) start.warnings.push_back(std::move(unused));
  return start;
}

}  // namespace flexura

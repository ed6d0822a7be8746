#include "flexura/part/machine_builder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "flexura/part/machine_draft.hpp"

namespace flexura {

using detail::JointPlan;
using detail::MachineDraft;
using detail::PartGraph;
using detail::PlateJoint;

struct MachineBuilder::Parts {
  std::vector<CableSpec> cables;
  std::vector<BeamSpec> beams;
  std::vector<PlateSpec> plates;
  std::vector<SolidSpec> solids;
  std::vector<PointSpec> points;
  std::vector<BodySpec> bodies;
  std::vector<GearSpec> gears;
  std::vector<TermSpec> terms;
  std::vector<SphereSpec> spheres;
  std::vector<PlaneSpec> planes;
  std::vector<ContactSpec> contacts;
  std::vector<ChamberSpec> chambers;
  std::vector<LineSpec> lines;
  std::vector<ConstraintSpec> constraints;
  std::vector<std::pair<Triple, EffectiveSignal>> gravity;
  int count = 0;  ///< of all that was added
};

template <class Spec>
Spec MachineBuilder::named(std::string_view kind, Spec spec) {
  const std::string name = fmt::format("{}.{}", kind, spec.name);
  if (spec.origin.path.empty()) spec.origin.path = name;
  spec.origin.order = parts_->count++;
  if constexpr (requires { spec.color; })
    if (!spec.color.empty()) draft_->machine.colors[name] = spec.color;
  return spec;
}

MachineBuilder::MachineBuilder(MachineOptions options)
    : parts_(std::make_unique<Parts>()), draft_(std::make_unique<MachineDraft>(std::move(options))) {}
MachineBuilder::~MachineBuilder() = default;

void MachineBuilder::set_signals(std::shared_ptr<const SignalSet> signals) {
  draft_->builder.set_signals(std::move(signals));
}
void MachineBuilder::add(CableSpec spec) { parts_->cables.push_back(named("cable", std::move(spec))); }
void MachineBuilder::add(BeamSpec spec) { parts_->beams.push_back(named("beam", std::move(spec))); }
void MachineBuilder::add(PlateSpec spec) { parts_->plates.push_back(named("plate", std::move(spec))); }
void MachineBuilder::add(SolidSpec spec) {
  const std::string_view word = spec.mesh.word();
  parts_->solids.push_back(named(word, std::move(spec)));
}
void MachineBuilder::add(PointSpec spec) { parts_->points.push_back(named("point", std::move(spec))); }
void MachineBuilder::add(BodySpec given) {
  BodySpec spec = named("body", std::move(given));
  if (spec.shape && spec.density) {
    const FoundInertia found = inertia_of(*spec.shape, *spec.density);
    if (const auto* none = std::get_if<NoInertia>(&found)) {
      const std::string key = none->member.empty() ? "shape" : "shape." + none->member;
      return problems().wrong(spec.origin, key, none->message);
    }
    spec.inertia = std::get<RigidInertia>(found);
  }
  parts_->bodies.push_back(std::move(spec));
}
void MachineBuilder::add(JointSpec spec) { draft_->joints.push_back(named("joint", std::move(spec))); }
void MachineBuilder::add(GearSpec spec) {
  draft_->other_joints[spec.name] = "gear";
  parts_->gears.push_back(named("joint", std::move(spec)));
}
void MachineBuilder::add(TermSpec spec) {
  const SceneForm& form = spec.term->scene;
  if (form.table == "joint") draft_->other_joints[spec.name] = form.type;
  name_mass(spec);
  TermSpec& term = parts_->terms.emplace_back(named(form.table, std::move(spec)));
  if (form.table == "truss") draft_->members[term.name] = {.spec = term};
}
void MachineBuilder::add(SphereSpec spec) {
  if (spec.at) name(spec.name, *spec.at);
  if (spec.nodes) name(spec.name, *spec.nodes);
  parts_->spheres.push_back(named("sphere", std::move(spec)));
}
void MachineBuilder::add(PlaneSpec spec) { parts_->planes.push_back(named("plane", std::move(spec))); }
void MachineBuilder::add(ContactSpec spec) { parts_->contacts.push_back(named("contact", std::move(spec))); }
void MachineBuilder::add(ChamberSpec spec) { parts_->chambers.push_back(named("chamber", std::move(spec))); }
void MachineBuilder::add(LineSpec spec) { parts_->lines.push_back(named("line", std::move(spec))); }
void MachineBuilder::add(ConstraintSpec spec) { parts_->constraints.push_back(named("constraint", std::move(spec))); }
/// Others refer to a mass as to a part: it stands for its place.
void MachineBuilder::name_mass(const TermSpec& spec) {
  if (spec.term->has_mass && spec.places.size() == 1 && spec.places[0].second.size() == 1)
    name(spec.name, spec.places[0].second[0]);
}
void MachineBuilder::name(const std::string& name, Place place) { draft_->aliases[name] = std::move(place); }
void MachineBuilder::refuse(const std::string& name) { draft_->refused.insert(name); }
void MachineBuilder::without_joint(const std::string& name) { draft_->other_joints[name].clear(); }
void MachineBuilder::without(JointSpec spec) {
  without_joint(spec.name);
  draft_->absent_joints.push_back(named("joint", std::move(spec)));
}
void MachineBuilder::without(TermSpec spec) {
  if (spec.term->scene.table == "joint") without_joint(spec.name);
  name_mass(spec);
  const std::string_view table = spec.term->scene.table;
  draft_->absent_terms.push_back(named(table, std::move(spec)));
}
void MachineBuilder::gravity(const Triple& g, const EffectiveSignal& signal) {
  parts_->gravity.emplace_back(g, signal);
}

Problems& MachineBuilder::problems() { return draft_->problems; }
const Machine& MachineBuilder::machine() const { return draft_->machine; }

MachineDraft& MachineBuilder::draft() {
  assemble();
  return *draft_;
}

namespace {

void note_refused(MachineDraft& draft, const auto& specs, const auto& parts) {
  for (const auto& spec : specs)
    if (std::ranges::find(parts, spec.name, [](const auto& part) { return part.name; }) == parts.end())
      draft.refused.insert(spec.name);
}

/// `parts`: as given, of which the bodies are begun.
void find_loading(MachineDraft& draft, const auto& parts) {
  detail::Loading& loading = draft.loading;
  const auto add_line = [&](const CableSpec& spec) {
    const double length = spec.path.length();
    const SectionNumbers section = spec.section.law.at(0.5, length);
    loading.stiffness += std::max({section.EI, section.EI1, section.EI2}) / (length * length * length);
    loading.length = std::max(loading.length, length);
  };
  for (const CableSpec& spec : parts.cables) add_line(spec);
  for (const BeamSpec& spec : parts.beams) add_line(spec);
  for (const auto& body : draft.bodies) {
    loading.mass += body.spec->inertia.mass;
    if (!body.spec->is_frame()) loading.length = std::max(loading.length, body.extent);
  }
  const auto add_motion = [&](const std::optional<Triple>& velocity, const std::optional<Triple>& angular_velocity) {
    if (angular_velocity) loading.rate = std::max(loading.rate, norm(*angular_velocity));
    if (velocity && loading.length > 0) loading.rate = std::max(loading.rate, norm(*velocity) / loading.length);
  };
  for (const CableSpec& spec : parts.cables) add_motion(spec.motion.velocity, spec.motion.angular_velocity);
  for (const BeamSpec& spec : parts.beams) add_motion(spec.motion.velocity, spec.motion.angular_velocity);
  for (const auto& body : draft.bodies) add_motion(body.spec->velocity, body.spec->angular_velocity);
  for (const TermSpec& spec : parts.terms)
    if (spec.term->has_mass && spec.find_numbers("m") != nullptr) loading.mass += spec.number("m");
  for (const auto& [g, signal] : parts.gravity) loading.acceleration += norm(g);
}

/// The diagonal of the box around all parts, or the longest part [m]. `points`: as given.
double find_size(const MachineDraft& draft, const std::vector<PointSpec>& points) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  Triple low{infinity, infinity, infinity}, high{-infinity, -infinity, -infinity};
  const auto include = [&](const Triple& X) {
    for (size_t i = 0; i < 3; ++i) low[i] = std::min(low[i], X[i]), high[i] = std::max(high[i], X[i]);
  };
  double longest = draft.loading.length;
  for (const PlatePart& plate : draft.machine.plates)
    for (const SurfaceNode& node : plate.mesh.nodes) include(triple_of(node.position));
  for (const SolidPart& solid : draft.machine.solids)
    for (const Vec3& X : solid.mesh.nodes) include(triple_of(X));
  for (const PointSpec& point : points) include(point.position);
  for (const auto& body : draft.bodies)
    for (const auto& [name, X] : body.points) include(body.reference.to_space(X));
  if (low[0] <= high[0]) longest = std::max(longest, norm(high - low));
  return longest > 0 ? longest : 1.0;
}

}  // namespace

void MachineBuilder::assemble() {
  if (assembled_) return;
  assembled_ = true;
  MachineDraft& draft = *draft_;
  for (const CableSpec& spec : parts_->cables) detail::build(draft, spec);
  for (const BeamSpec& spec : parts_->beams) detail::build(draft, spec);
  for (PlateSpec& spec : parts_->plates) detail::build(draft, spec);
  for (SolidSpec& spec : parts_->solids) detail::build(draft, spec);
  note_refused(draft, parts_->cables, draft.machine.cables);
  note_refused(draft, parts_->plates, draft.machine.plates);
  note_refused(draft, parts_->solids, draft.machine.solids);
  for (const PointSpec& spec : parts_->points) detail::build(draft, spec);
  for (const SphereSpec& spec : parts_->spheres) detail::build(draft, spec);
  for (const BodySpec& spec : parts_->bodies) begin_body(draft, spec);
  find_loading(draft, *parts_);
  draft.size = find_size(draft, parts_->points);
  draft.builder.set_length(draft.size);
  for (const JointSpec& spec : draft.joints) begin_joint(draft, spec);
  part_shared_nodes(draft, parts_->terms, parts_->spheres);
  share_turns(draft);
  share_places(draft);
  drive_bodies(draft);
  for (size_t k = 0; k < draft.bodies.size(); ++k) finish_body(draft, static_cast<int>(k));
  if (!draft.options.assemble)
    for (const JointPlan& plan : draft.plans) check_initial_poses(draft, plan);
  for (JointPlan& plan : draft.plans) finish_joint(draft, plan);
  note_shared_forces(draft);
  for (const GearSpec& spec : parts_->gears)
    if (!ties_length(draft, spec)) add_gear(draft, spec);
  keep_coordinates(draft);
  // What slides takes what the others leave.
  std::stable_partition(draft.plate_joints.begin(), draft.plate_joints.end(),
                        [](const PlateJoint& joint) { return !slides(joint); });
  for (PlateJoint& joint : draft.plate_joints) finish_plate_joint(draft, joint);
  for (const GearSpec& spec : parts_->gears)  // trusses may be between places of plates
    if (ties_length(draft, spec)) add_gear(draft, spec);
  note_drives(draft);
  for (const TermSpec& spec : parts_->terms) detail::build(draft, spec);
  add_chambers(draft, parts_->chambers, parts_->lines);
  add_constraints(draft, parts_->constraints);
  add_contacts(draft, parts_->spheres, parts_->planes, parts_->contacts);
  note_holds(draft);
  for (const auto& [g, signal] : parts_->gravity)
    draft.builder.gravity({g.data(), static_cast<size_t>(draft.dim())}, draft.builder.effective(signal));
}

/// A point of its own moves only with a mass on it or a joint that ties it to something.
void MachineBuilder::check_masses() {
  PartGraph& graph = draft_->graph;
  for (const CablePart& cable : draft_->machine.cables) graph.give_mass(cable.name);
  for (const PlatePart& plate : draft_->machine.plates) graph.give_mass(plate.name);
  for (const SolidPart& solid : draft_->machine.solids) graph.give_mass(solid.name);
  graph.lend_mass();
  for (const PointSpec& point : parts_->points)
    if (!point.fixed && !graph.has_mass(point.name))
      problems().wrong(point.origin, "",
                       fmt::format("has no mass: put a mass on it (at = \"{0}\"), tie it to a part by a joint, or let "
                                   "it be fixed",
                                   point.name));
}

/// In statics every part must hang together with the ground.
void MachineBuilder::check_held() {
  const std::string& analysis = draft_->options.statics;
  const auto check = [&](const auto& specs, const char* place) {
    for (const auto& spec : specs)
      if (draft_->graph.knows(spec.name) && !draft_->graph.is_held(spec.name))
        problems().wrong(spec.origin, "",
                         fmt::format("nothing holds this part in the static analysis \"{}\"; join it to the ground, "
                                     "as with a [joint.NAME] of = [\"ground\", \"{}{}\"]",
                                     analysis, spec.name, place));
  };
  if (analysis.empty()) return;
  check(parts_->cables, ".start");
  check(parts_->beams, ".start");
  check(parts_->plates, ".start");
  check(parts_->solids, ".bottom");
  check(parts_->points, "");
  check(parts_->spheres, "");
  check(parts_->bodies, "");
}

Machine MachineBuilder::build() {
  assemble();
  check_held();
  check_masses();
  draft_->builder.constant_signal();
  std::vector<Problem> found = problems().errors;
  if (!found.empty()) {
    const std::vector<Problem>& others = draft_->builder.problems();
    found.insert(found.end(), others.begin(), others.end());
    throw InputError(std::move(found));
  }
  draft_->machine.relations = draft_->builder.stated();
  draft_->machine.model = draft_->builder.build();
  draft_->machine.index_items();
  return std::move(draft_->machine);
}

}  // namespace flexura

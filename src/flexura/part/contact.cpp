// Spheres, planes, and which of them may touch.

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "flexura/base/nearest_name.hpp"
#include "flexura/body/point_mass.hpp"
#include "flexura/part/machine_draft.hpp"

namespace flexura::detail {
namespace {

void add_mass(MachineDraft& draft, const SphereSpec& spec, int slot, const std::string& part) {
  draft.graph.give_mass(part);
  in_space(draft.dim(), [&]<int D>() {
    draft.builder.item<PointMass<D>>({slot}, {.m = *spec.mass}, spec.origin.path, draft.options.mass_damping,
                                     spec.origin.source);
  });
}

/// False after a problem.
bool check_numbers(MachineDraft& draft, const SphereSpec& spec) {
  const size_t before = draft.problems.count();
  if (!(spec.radius >= 0)) draft.wrong(spec.origin, "radius", "must be 0 or more");
  if (!spec.mass && !spec.at && !spec.nodes)
    draft.wrong(spec.origin, "",
                draft.dim() == 3 ? "has no mass: give \"m\" or \"density\"" : "has no mass: give \"m\"");
  if (spec.mass && !std::isfinite(*spec.mass)) {
    draft.wrong(spec.origin, spec.origin.states("density") ? "density" : "m",
                "with this radius the mass is outside the range of numbers");
  } else if (spec.mass && !(*spec.mass > 0)) {
    draft.wrong(spec.origin, spec.origin.states("density") ? "density" : "m",
                fmt::format("the mass would be {:.6g} kg: it must be more than 0", *spec.mass));
  }
  return draft.problems.count() == before;
}

/// Spheres, planes and groups that are being made.
class ContactDraft {
 public:
  ContactDraft(MachineDraft& draft, const std::vector<SphereSpec>& spheres, const std::vector<PlaneSpec>& planes)
      : draft_(draft), spheres_(spheres), planes_(planes), model_(draft.machine.contacts) {}

  void add_spheres() {
    std::map<std::string_view, int> own;
    for (const PointPart& point : draft_.machine.points) own.emplace(point.name, point.slot);
    for (const SphereSpec& spec : spheres_) {
      if (spec.nodes) {
        put_on_nodes(spec);
        continue;
      }
      ContactSphere& sphere = model_.spheres.emplace_back(ContactSphere{spec.name, 0, spec.radius});
      if (spec.at) {
        put_on_part(spec, sphere);
      } else if (const auto slot = own.find(spec.name); slot != own.end()) {
        carry(sphere, slot->second);
      }
    }
  }

  void add_planes() {
    for (const PlaneSpec& spec : planes_) {
      for (const SphereSpec& sphere : spheres_)
        if (sphere.name == spec.name)
          draft_.wrong(
              spec.origin, "",
              fmt::format("\"{}\" is already the name of a sphere; what may touch needs different names", spec.name));
      Triple normal = spec.normal;
      if (draft_.dim() == 2) normal[2] = 0;
      const double length = norm(normal);
      if (!(length > 0)) draft_.wrong(spec.origin, "normal", "must not be zero");
      ContactPlane plane{spec.name, {}, {}};
      std::copy(spec.point.begin(), spec.point.end(), plane.point);
      for (int i = 0; i < 3 && length > 0; ++i) plane.normal[i] = normal[i] / length;
      model_.planes.push_back(std::move(plane));
    }
  }

  void add_group(const ContactSpec& spec) {
    if (!(spec.restitution >= 0 && spec.restitution <= 1))
      draft_.wrong(spec.origin, "restitution", fmt::format("must be from 0 to 1; this is {:.6g}", spec.restitution));
    ContactGroup group{spec.name, spec.restitution, members(spec)};
    if (group.members.empty()) return;
    check_touching(spec, group);
    model_.groups.push_back(std::move(group));
  }

 private:
  void put_on_part(const SphereSpec& spec, ContactSphere& sphere) {
    if (!check_numbers(draft_, spec)) return;
    std::optional<Location> location = locate(draft_, *spec.at, spec.origin.path_of("at"));
    if (!location) return;
    const int slot = point_slot(draft_, *location);
    if (slot < 0) return;
    carry(sphere, slot);
    if (location->body() >= 0) sphere.carrier = location->body();
    if (!spec.mass) return;
    if (location->is_ground()) return draft_.wrong(spec.origin, "m", "the ground does not move: leave its mass out");
    add_mass(draft_, spec, slot, location->part);
  }

  /// A surface of a solid by its nodes. What is carried alike never touches: neighbours do not push each other.
  void put_on_nodes(const SphereSpec& spec) {
    if (!check_numbers(draft_, spec)) return;
    const std::optional<Location> location = locate(draft_, *spec.nodes, spec.origin.path_of("nodes"));
    if (!location) return;
    if (!location->on_solid() || location->at.set < 0)
      return draft_.wrong(spec.origin, "nodes",
                          fmt::format("\"{}\" is no set of nodes of a solid: name one of its faces, as in \"NAME.top\"",
                                      spec.nodes->text));
    if (spec.mass) return draft_.wrong(spec.origin, "m", "the nodes have their solid's mass: leave it out");
    const SolidPart& solid = draft_.machine.solids[location->at.part];
    const int together = first_family + families_++;
    for (const int node : location->at.nodes)
      model_.spheres.push_back({.name = fmt::format("{}.{}", spec.name, node + 1),
                                .slot = solid.model.nodes[node],
                                .radius = spec.radius,
                                .carrier = together,
                                .family = spec.name});
  }

  /// Carriers are numbered bodies first, then slots; families far behind.
  void carry(ContactSphere& sphere, int slot) const {
    sphere.slot = slot;
    sphere.carrier = static_cast<int>(draft_.bodies.size()) + slot;
  }

  /// Ascending; none after a problem.
  std::vector<int> members(const ContactSpec& spec) {
    std::vector<char> is_member(static_cast<size_t>(model_.size()), 0);
    bool complete = true;
    for (size_t k = 0; k < spec.between.size(); ++k) {
      bool any = false;
      for (int member = 0; member < model_.size(); ++member)
        if (matches(spec.between[k], member)) is_member[member] = any = true;
      if (!any && !was_refused(spec.between[k])) say_none(spec, static_cast<int>(k));
      complete &= any;
    }
    std::vector<int> out;
    for (int member = 0; member < model_.size() && complete; ++member)
      if (is_member[member]) out.push_back(member);
    return out;
  }

  bool matches(const NamePattern& pattern, int member) const {
    return pattern.matches(kind_of(member), model_.name(member)) ||
           (!model_.is_plane(member) && !model_.spheres[member].family.empty() &&
            pattern.matches("sphere", model_.spheres[member].family));
  }
  const char* kind_of(int member) const { return model_.is_plane(member) ? "plane" : "sphere"; }

  /// A face of a solid whose spheres could not be made, which was said.
  bool was_refused(const NamePattern& pattern) const {
    return std::any_of(spheres_.begin(), spheres_.end(), [&](const SphereSpec& sphere) {
      return sphere.nodes && pattern.matches("sphere", sphere.name);
    });
  }

  void say_none(const ContactSpec& spec, int k) {
    const NamePattern& pattern = spec.between[k];
    std::vector<std::string> names;
    for (int member = 0; member < model_.size(); ++member) {
      if (!model_.is_plane(member) && !model_.spheres[member].family.empty()) continue;
      names.push_back(model_.name(member));
      names.push_back(fmt::format("{}.{}", kind_of(member), model_.name(member)));
    }
    for (const SphereSpec& sphere : spheres_)
      if (sphere.nodes) names.push_back(sphere.name), names.push_back("sphere." + sphere.name);
    const bool several = pattern.is_glob();
    draft_.problems.errors.push_back({pattern.source, spec.origin.path_of("between", k),
                                      several
                                          ? fmt::format("no sphere and no plane has a name like \"{}\"", pattern.text)
                                          : fmt::format("there is no sphere or plane named \"{}\"", pattern.text),
                                      several ? "" : nearest_name(pattern.text, names)});
  }

  /// Some pair must be able to touch, and none by two laws.
  void check_touching(const ContactSpec& spec, const ContactGroup& group) {
    const std::vector<int>& of = group.members;
    const auto some_pair = [&](const std::vector<int>& among) -> std::optional<ContactKey> {
      for (size_t i = 0; i < among.size() && !model_.is_plane(among[i]); ++i)
        for (size_t j = i + 1; j < among.size(); ++j)
          if (const ContactKey key{among[i], among[j]}; !model_.are_tied(key)) return key;
      return {};
    };
    if (!some_pair(of))
      return draft_.wrong(
          spec.origin, "between",
          "names no two things that could touch: at least one sphere, and something else that is not of "
          "the same body");
    for (const ContactGroup& other : model_.groups) {
      std::vector<int> both;
      std::set_intersection(of.begin(), of.end(), other.members.begin(), other.members.end(), std::back_inserter(both));
      const std::optional<ContactKey> pair = some_pair(both);
      if (!pair) continue;
      return draft_.wrong(spec.origin, "between",
                          fmt::format("\"{}\" and \"{}\" may touch by contact.{} already", model_.name(pair->a),
                                      model_.name(pair->b), other.name));
    }
  }

  static constexpr int first_family = 1 << 30;
  int families_ = 0;
  MachineDraft& draft_;
  const std::vector<SphereSpec>& spheres_;
  const std::vector<PlaneSpec>& planes_;
  ContactModel& model_;
};

}  // namespace

void build(MachineDraft& draft, const SphereSpec& spec) {
  if (spec.at || spec.nodes || !check_numbers(draft, spec)) return;
  build(draft, PointSpec{.origin = spec.origin,
                         .name = spec.name,
                         .position = spec.position,
                         .initial = {},
                         .velocity = spec.velocity,
                         .fixed = false});
  add_mass(draft, spec, draft.machine.points.back().slot, spec.name);
}

void add_contacts(MachineDraft& draft, const std::vector<SphereSpec>& spheres, const std::vector<PlaneSpec>& planes,
                  const std::vector<ContactSpec>& contacts) {
  ContactDraft making(draft, spheres, planes);
  making.add_spheres();
  making.add_planes();
  for (const ContactSpec& spec : contacts) making.add_group(spec);
  draft.builder.contacts(draft.machine.contacts);
}

}  // namespace flexura::detail

#include "flexura/run/indeterminate_reactions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <tuple>

#include "flexura/math/decompositions.hpp"
#include "flexura/observe/body_motion.hpp"
#include "flexura/part/forms.hpp"
#include "flexura/part/joint_types.hpp"
#include "flexura/part/specs.hpp"

namespace flexura {
namespace {

using On = MaterialPlace::On;

constexpr int max_unknowns = 1000;
/// What is left of a row, relative to the longest: nearly redundant joints are another warning.
constexpr double dependent_row = 1e-6;
constexpr double in_row_space = 1e-5;  ///< distance of a unit vector from it

/// A force at a place (moment = false) or a moment, along a unit vector, of one carrier on another.
struct Unknown {
  int link;
  bool is_moment;
  Triple along;
};

/// What a joint connects: indices of carriers, −1 the ground.
struct Link {
  int carrier[2];
  Triple at;
  const JointPart* joint;
  int first = 0, last = 0;  ///< unknowns
};

Triple unit(const Triple& a) { return (1 / std::max(norm(a), 1e-300)) * a; }

/// Unit vectors of the model's space perpendicular to a.
std::vector<Triple> across(const Triple& a, int dim) {
  if (dim == 2) return {unit({-a[1], a[0], 0})};
  int k = 0;
  for (int i = 1; i < 3; ++i)
    if (std::fabs(a[i]) < std::fabs(a[k])) k = i;
  Triple e{};
  e[k] = 1;
  const Triple first = unit(cross(a, e));
  return {first, unit(cross(a, first))};
}

class Balance {
 public:
  Balance(const SceneModel& scene, const std::vector<double>& q)
      : scene_(scene), q_(q), dim_(scene.model.topology->dim) {
    for (const JointPart& joint : scene.joints) add_joint(joint);
    for (const TermPart& term : scene.terms) add_rod(term);
    for (const BodyPart& body : scene.bodies) add_nodes(body);
    split();
  }

  std::vector<IndeterminateReaction> find() {
    std::vector<IndeterminateReaction> out;
    for (const Link& link : links_) {
      if (link.joint == nullptr) continue;
      const std::string components = components_of(link);
      if (!components.empty()) out.push_back({link.joint->name, components});
    }
    return out;
  }

 private:
  struct Component {
    std::vector<int> links, carriers;
    int unknowns = 0;
    std::map<int, int> column;             ///< link → its first column
    std::optional<Eigen::MatrixXd> space;  ///< orthonormal columns that span the row space; made when first needed
  };

  int carrier(const MaterialPlace& at) {
    if (at.on == On::ground || (at.on == On::point && scene_.points[at.part].fixed)) return -1;
    const bool is_node = at.on == On::cable && at.node >= 0;
    const bool is_rigid = at.on == On::body || at.on == On::point;
    // Elsewhere on a flexible part a place has nodes that no other joint holds, or its sensor is refused.
    const int place = is_rigid ? 0 : is_node ? at.node : -1 - free_places_++;
    return carriers_.try_emplace({at.on, at.part, place}, static_cast<int>(carriers_.size())).first->second;
  }

  Triple position(const MaterialPlace& at) const {
    Triple out{};
    evaluate(form_at(scene_, at, Carried::point), *scene_.model.topology, q_, std::span(out).first(dim_));
    return out;
  }

  /// A direction of the reference configuration, as the part has it now; of what has no frame itself.
  Triple direction_now(const MaterialPlace& side, const Triple& v) const {
    if (side.on != On::body) return unit(v);
    const BodyPart& body = scene_.bodies[side.part];
    if (body.spec == nullptr || body.axes < dim_) return unit(v);
    const BodyFrame frame = body_frame(body, *scene_.model.topology, q_);
    const Triple local = body.spec->reference.turned_back(v);
    Triple out{};
    for (int k = 0; k < body.axes; ++k)
      for (int i = 0; i < 3; ++i) out[i] += local[k] * frame.axes[k][i];
    return unit(out);
  }

  void add_link(const MaterialPlace& a, const MaterialPlace& b, const JointPart* joint,
                const std::vector<Triple>& forces, const std::vector<Triple>& moments) {
    Link link{{carrier(a), carrier(b)}, position(b), joint, static_cast<int>(unknowns_.size()), 0};
    for (const Triple& along : forces) unknowns_.push_back({static_cast<int>(links_.size()), false, along});
    for (const Triple& along : moments) unknowns_.push_back({static_cast<int>(links_.size()), true, along});
    link.last = static_cast<int>(unknowns_.size());
    links_.push_back(link);
  }

  std::vector<Triple> all_forces() const {
    std::vector<Triple> out{{1, 0, 0}, {0, 1, 0}};
    if (dim_ == 3) out.push_back({0, 0, 1});
    return out;
  }
  std::vector<Triple> all_moments() const { return dim_ == 2 ? std::vector<Triple>{{0, 0, 1}} : all_forces(); }

  void add_joint(const JointPart& joint) {
    const JointRow* row = joint.spec == nullptr ? nullptr : find_joint(joint.type, dim_);
    if (row == nullptr || row->ties_joints || row->is_term) return;
    const JointSpec& spec = *joint.spec;
    if (spec.method == JointSpec::Method::compliant) return;
    const auto& [first, second] = joint.places;
    std::vector<Triple> forces, moments;
    if (row->is_driven) {
      for (size_t i = 0; i < static_cast<size_t>(dim_); ++i)
        if (spec.motion[i]) forces.push_back(all_forces()[i]);
      return add_link(first, second, &joint, forces, moments);
    }
    const Triple axis = spec.axis ? direction_now(first, *spec.axis) : Triple{0, 0, 1};
    if (row->coincide) forces = all_forces();
    if (row->on_line) forces = across(axis, dim_);
    if (row->in_plane) forces = {axis};
    if (row->keeps_turn) moments = all_moments();
    for (const MaterialPlace& side : joint.places)  // a cable's node has its tangent alone
      if (row->keeps_turn && dim_ == 3 && side.on == On::cable && !scene_.cables[side.part].has_axes()) {
        Triple tangent{};
        evaluate(form_at(scene_, side, Carried::along), *scene_.model.topology, q_, tangent);
        moments = across(unit(tangent), 3);
      }
    if (row->keeps_axis && dim_ == 3) moments = across(axis, 3);
    if (row->keeps_right && spec.axes.size() == 2)
      moments = {unit(cross(direction_now(first, spec.axes[0]), direction_now(second, spec.axes[1])))};
    if (spec.angle) moments.push_back(axis);
    if (spec.displacement) forces.push_back(axis);
    add_link(first, second, &joint, forces, moments);
  }

  /// Distances and rigid trusses.
  void add_rod(const TermPart& term) {
    if (term.spec == nullptr || term.spec->term == nullptr || term.spec->term->role != Role::constraint) return;
    std::vector<MaterialPlace> ends;
    for (const std::vector<MaterialPlace>& places : term.places) ends.insert(ends.end(), places.begin(), places.end());
    if (ends.size() != 2) return;
    const JointPart* joint = nullptr;
    for (const JointPart& part : scene_.joints)
      if (part.spec == nullptr && std::ranges::find(part.items, term.spec->origin.path) != part.items.end())
        joint = &part;
    if (joint != nullptr) add_link(ends[0], ends[1], joint, {unit(position(ends[1]) - position(ends[0]))}, {});
  }

  /// Points that a body stands on move with it.
  void add_nodes(const BodyPart& body) {
    if (body.spec == nullptr) return;
    for (const Place& node : body.spec->nodes)
      for (size_t k = 0; k < scene_.points.size(); ++k)
        if (scene_.points[k].name == node.part) {
          MaterialPlace whole, point;
          whole.on = On::body, whole.part = static_cast<int>(&body - scene_.bodies.data());
          point.on = On::point, point.part = static_cast<int>(k);
          add_link(whole, point, nullptr, all_forces(), {});
        }
  }

  /// Links that depend on each other through carriers: nothing goes through the ground.
  void split() {
    std::vector<int> parent(carriers_.size());
    std::iota(parent.begin(), parent.end(), 0);
    const auto root = [&](int i) {
      while (parent[i] != i) i = parent[i] = parent[parent[i]];
      return i;
    };
    for (const Link& link : links_)
      if (link.carrier[0] >= 0 && link.carrier[1] >= 0) parent[root(link.carrier[0])] = root(link.carrier[1]);
    std::map<int, int> number;
    of_link_.assign(links_.size(), -1);
    for (size_t k = 0; k < links_.size(); ++k) {
      const Link& link = links_[k];
      const int any = std::max(link.carrier[0], link.carrier[1]);
      if (any < 0) continue;
      const auto [found, is_new] = number.try_emplace(root(any), static_cast<int>(components_.size()));
      if (is_new) components_.emplace_back();
      Component& of = components_[of_link_[k] = found->second];
      of.links.push_back(static_cast<int>(k));
      of.column[static_cast<int>(k)] = of.unknowns;
      of.unknowns += link.last - link.first;
      for (const int c : link.carrier)
        if (c >= 0 && std::ranges::find(of.carriers, c) == of.carriers.end()) of.carriers.push_back(c);
    }
  }

  /// Without a loop, through the ground either, each joint carries what the balance of all behind it asks for.
  bool is_tree(const Component& of) const {
    return of.links.size() <= of.carriers.size() &&
           std::ranges::none_of(of.links, [&](int k) { return links_[k].carrier[0] == links_[k].carrier[1]; });
  }

  /// The equations of balance, lengths in units of the component's size about its middle.
  Eigen::MatrixXd equations(const Component& of) const {
    Triple middle{};
    for (const int k : of.links) middle = middle + (1.0 / static_cast<double>(of.links.size())) * links_[k].at;
    double size = 0;
    for (const int k : of.links) size = std::max(size, norm(links_[k].at - middle));
    const double scale = size > 0 ? 1 / size : 1;
    Eigen::MatrixXd rows = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(6 * of.carriers.size()), of.unknowns);
    for (const int k : of.links)
      for (int u = links_[k].first; u < links_[k].last; ++u) {
        const Unknown& x = unknowns_[u];
        const Triple force = x.is_moment ? Triple{} : x.along;
        const Triple moment = x.is_moment ? x.along : cross(scale * (links_[k].at - middle), x.along);
        for (const int side : {0, 1}) {
          if (links_[k].carrier[side] < 0) continue;
          const auto at = std::ranges::find(of.carriers, links_[k].carrier[side]) - of.carriers.begin();
          const int column = of.column.at(k) + u - links_[k].first;
          for (int i = 0; i < 3; ++i) {
            rows(6 * at + i, column) += side == 0 ? -force[i] : force[i];
            rows(6 * at + 3 + i, column) += side == 0 ? -moment[i] : moment[i];
          }
        }
      }
    return rows;
  }

  /// Orthonormal columns that span the row space.
  static Eigen::MatrixXd row_space(const Eigen::MatrixXd& equations) {
    const PivotedQr factor(equations.transpose(), dependent_row);
    return factor.q(factor.rank());
  }

  /// Which components of its force and moment sensors read and are not in the row space.
  std::string components_of(const Link& link) {
    const auto number = &link - links_.data();
    if (of_link_[number] < 0) return {};
    Component& of = components_[of_link_[number]];
    std::string out;
    for (const bool is_moment : {false, true}) {
      const std::string_view quantity = is_moment ? "reaction_moment" : "reaction";
      if (std::ranges::none_of(scene_.sensors, [&](const SensorSpec& s) {
            return s.of == link.joint->name && s.quantity != nullptr && s.quantity->name == quantity;
          }))
        continue;
      if (of.unknowns > max_unknowns || is_tree(of)) continue;
      if (!of.space) of.space = row_space(equations(of));
      for (int i = is_moment && dim_ == 2 ? 2 : 0; i < (is_moment ? 3 : dim_); ++i) {
        Eigen::MatrixXd e = Eigen::MatrixXd::Zero(of.unknowns, 1);
        for (int u = link.first; u < link.last; ++u)
          if (unknowns_[u].is_moment == is_moment)
            e(of.column.at(static_cast<int>(number)) + u - link.first, 0) = unknowns_[u].along[i];
        for (int pass = 0; pass < 2; ++pass) e -= product(*of.space, transposed_product(*of.space, e));
        if (e.norm() > in_row_space)
          out += fmt::format("{}{} {}", out.empty() ? "" : ", ", is_moment ? "moment" : "force", "xyz"[i]);
      }
    }
    return out;
  }

  const SceneModel& scene_;
  const std::vector<double>& q_;
  int dim_, free_places_ = 0;
  std::map<std::tuple<On, int, int>, int> carriers_;
  std::vector<Unknown> unknowns_;
  std::vector<Link> links_;
  std::vector<int> of_link_;
  std::vector<Component> components_;
};

}  // namespace

std::vector<IndeterminateReaction> find_indeterminate_reactions(const SceneModel& scene, const std::vector<double>& q) {
  const bool is_read = std::ranges::any_of(scene.sensors, [](const SensorSpec& s) {
    return s.quantity != nullptr && !s.of.empty() && s.quantity->name.starts_with("reaction");
  });
  return is_read ? Balance(scene, q).find() : std::vector<IndeterminateReaction>{};
}

}  // namespace flexura

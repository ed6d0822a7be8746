#pragma once
// What may touch: spheres on points of the model, planes of the ground, and which of them meet.
//
//     n from the second to the first, g = n·(x_a − x_b) − r_a − r_b ≥ 0      of a plane: n its normal, r_b = 0
//
// Its numbers are shared by all simulations of an ensemble.

#include <cstdint>
#include <string>
#include <vector>

namespace flexura {

/// Sphere (planar: disc) about a point of the model; of radius 0 it is the point itself.
struct ContactSphere {
  std::string name;
  int slot = 0;             ///< its centre
  double radius = 0;        ///< [m]
  int carrier = -1;         ///< spheres of one (a rigid body, a point) never touch each other; −1: of none
  std::string family = {};  ///< name for all the nodes of a set, of which it is one; "": it is by itself
};

/// Half-space of the ground: what is behind the plane is solid.
struct ContactPlane {
  std::string name;
  double point[3] = {0, 0, 0};   ///< on it [m]
  double normal[3] = {0, 0, 0};  ///< unit vector, out of the solid
};

/// Any two of its members may touch, but two planes.
struct ContactGroup {
  std::string name;
  double restitution = 0;    ///< Newton's: normal velocity after over before, 0 … 1
  std::vector<int> members;  ///< of ContactModel, ascending
};

/// Two members that may touch, a < b: contacts are ordered by it.
struct ContactKey {
  std::int32_t a = 0, b = 0;

  auto operator<=>(const ContactKey&) const = default;
  std::int64_t packed() const { return (static_cast<std::int64_t>(a) << 32) | b; }
  static ContactKey unpacked(std::int64_t x) {
    return {static_cast<std::int32_t>(x >> 32), static_cast<std::int32_t>(x & 0xffffffff)};
  }
};

/// Members are the spheres and, behind them, the planes.
struct ContactModel {
  std::vector<ContactSphere> spheres;
  std::vector<ContactPlane> planes;
  std::vector<ContactGroup> groups;

  bool empty() const { return groups.empty(); }
  int size() const { return static_cast<int>(spheres.size() + planes.size()); }
  bool is_plane(int member) const { return member >= static_cast<int>(spheres.size()); }
  const ContactPlane& plane(int member) const { return planes[member - spheres.size()]; }
  const std::string& name(int member) const { return is_plane(member) ? plane(member).name : spheres[member].name; }
  int find(const std::string& name) const;        ///< −1 if there is none; the first of a family by its name
  int find_group(const std::string& name) const;  ///< likewise
  /// The same, or of one family.
  bool belong_together(int a, int b) const {
    return a == b ||
           (!is_plane(a) && !is_plane(b) && !spheres[a].family.empty() && spheres[a].family == spheres[b].family);
  }
  int group_of(ContactKey key) const;  ///< the first one that lets them touch, −1: none
  /// They are carried by the same thing, which is rigid.
  bool are_tied(ContactKey key) const {
    return !is_plane(key.b) && spheres[key.a].carrier >= 0 && spheres[key.a].carrier == spheres[key.b].carrier;
  }
};

/// Why what knows no contacts is not for a model that has some; "": it has none.
std::string contacts_refusal(const ContactModel* contacts);
/// Throws InputError where the model has contacts: `method` cannot treat them.
void refuse_contacts(const ContactModel* contacts, const std::string& method);

}  // namespace flexura

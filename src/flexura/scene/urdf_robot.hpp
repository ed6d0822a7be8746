#pragma once
// What a URDF file says: links and joints of a tree, with the place of every value in the text. The only door to the XML library.

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "flexura/base/problem.hpp"
#include "flexura/scene/placement.hpp"

namespace flexura {

struct UrdfGeometry {
  enum class Kind { box, cylinder, sphere, mesh };
  Kind kind = Kind::box;
  std::array<double, 3> size{};          ///< of a box [m]
  double radius = 0, length = 0;         ///< [m]; a cylinder lies along z
  bool has_round_ends = false;           ///< of a cylinder: half a sphere beyond either end, a capsule
  std::string file;                      ///< of a mesh, as it is written: "package://arm/base.stl"
  std::array<double, 3> scale{1, 1, 1};  ///< of a mesh: metres per unit of the file
  Source source;
};

/// <visual> or <collision>.
struct UrdfLook {
  Placement placed;  ///< in the link's frame
  UrdfGeometry geometry;
  std::string color;  ///< "#rrggbb"; empty: none is given
  Source source;
};

struct UrdfLink {
  std::string name;
  bool has_inertial = false;
  bool mend = false;                ///< its inertia is none that a mass can have (UrdfInertia::mended)
  double mass = 0;                  ///< [kg]
  std::array<double, 6> inertia{};  ///< xx, yy, zz, xy, yz, xz about the centre, along the axes of `center` [kg m²]
  Placement center;                 ///< of mass, in the link's frame
  std::vector<UrdfLook> visuals, collisions;
  Source source, mass_source, inertia_source;
};

struct UrdfJoint {
  enum class Type { revolute, continuous, prismatic, fixed, floating, planar };
  struct Mimic {
    std::string joint;
    double multiplier = 1, offset = 0;
    Source source;
  };
  std::string name, parent, child;
  Type type = Type::fixed;
  Placement placed;                        ///< of the child's frame in the parent's, at 0
  std::array<double, 3> axis{1, 0, 0};     ///< in the child's frame
  std::optional<double> lower, upper;      ///< [rad or m]
  std::optional<double> effort, velocity;  ///< largest [N m or N, rad/s or m/s]
  double damping = 0, friction = 0;        ///< [N m s/rad or N s/m, N m or N]
  std::optional<Mimic> mimic;
  Source source, parent_source, child_source, limit_source, dynamics_source;

  bool turns() const { return type == Type::revolute || type == Type::continuous; }
  bool has_coordinate() const { return turns() || type == Type::prismatic; }
  bool has_axis() const { return has_coordinate() || type == Type::planar; }
  bool moves() const { return type != Type::fixed; }
};

/// What becomes of inertia that no mass can have.
enum class UrdfInertia {
  strict,  ///< it is a problem of the file
  mended   ///< it is marked: UrdfLink::mend
};

/// Links and joints in the order of the text. Without problems they are a tree.
struct UrdfRobot {
  std::string name;
  std::vector<UrdfLink> links;
  std::vector<UrdfJoint> joints;
  std::vector<std::string>
      left_out;  ///< tags and attributes for which there is no use, each with how often it stands there
  Source first_left_out;

  int find_link(std::string_view link) const;    ///< −1: there is none
  int find_joint(std::string_view joint) const;  ///< the same
  int joint_above(std::string_view link) const;  ///< the joint whose child it is; −1: the root
  /// Joints in an order in which each follows those above it.
  std::vector<int> from_root() const;
};

struct UrdfReading {
  UrdfRobot robot;
  std::vector<Problem> problems, warnings;
};

/// What of a file a scene uses: faults of the rest are warnings.
struct UrdfUse {
  UrdfInertia inertia = UrdfInertia::strict;
  bool limits = true;  ///< of positions and efforts
  bool rates = true;   ///< limits of velocities
};

/// Every problem of the text is found in one reading. `file` is its name in messages. Faults of visuals, collisions and materials are
/// warnings, and what has them is left out.
UrdfReading read_urdf(const std::string& text, const std::string& file, const UrdfUse& use);

}  // namespace flexura

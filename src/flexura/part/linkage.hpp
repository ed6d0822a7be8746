#pragma once
// Mechanisms of rigid trusses that stand for a joint, each in a frame of its own: points, members between them, and frames on points to which anything
// is welded. They have no slides and no pins but shared points [meijaard-truss].
//
//     linkage.lift.type = "sarrus"              → points lift.Q …, trusses lift.Q_M1 …, the frame lift.top
//     SarrusLinkage lift; lift.width = 0.2; …   add_linkage(builder, "lift", lift);

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "flexura/base/settings.hpp"
#include "flexura/part/machine_builder.hpp"

namespace flexura {

/// What a linkage is made of, by names of its own.
struct LinkageParts {
  struct Node {
    std::string name;
    Triple position{};  ///< in its frame [m]
    bool fixed = false;
  };
  struct Member {
    std::array<std::string, 2> between;  ///< nodes

    std::string name() const { return between[0] + "_" + between[1]; }
  };
  /// A body without mass on its nodes: in the plane two, in space four.
  struct Frame {
    std::string name;
    std::vector<std::string> nodes;
  };
  std::vector<Node> nodes;
  std::vector<Member> members;
  std::vector<Frame> frames;
};

struct Linkage : Settings {
  enum class Base { fixed, free };
  double m = 0;  ///< of each member [kg]
  Base base =
      Base::fixed;  ///< free: its base is a frame, "base", to be welded to something; it has no members of its own

  void fields(SettingsVisitor& field) override;
  bool is_fixed() const { return base == Base::fixed; }
  /// Only of what has no problems().
  virtual LinkageParts parts() const = 0;
};

/// The coupler moves without turning, each of its points on a circle.
///
///      D o────────o C      A D and B C are as long and start at `inclination` from x,
///       /        /         A B and D C are `width` long
///      A o──────o B
///
/// Where all lie on a line it may fold another way: a branch (docs/frames.md).
struct ParallelogramLinkage final : Linkage {
  double length = 0, width = 0;             ///< [m]
  double inclination = 1.5707963267948966;  ///< [rad]
  void fields(SettingsVisitor& field) override;
  std::vector<SettingsProblem> problems() const override;
  LinkageParts parts() const override;
};

/// Peaucellier and Lipkin's inversor: D moves on the line x = (arm² − side²)/(2 crank).
///
///              A             O A = O B = arm, A C B D a rhombus:  O C · O D = arm² − side²
///           / / \ \          C moves on a circle of radius `crank` about P that goes through O, so D moves on a line
///     P o──O─C───D
///           \ \ / /
///              B
struct StraightLineLinkage final : Linkage {
  double arm = 0, side = 0, crank = 0;  ///< [m]
  void fields(SettingsVisitor& field) override;
  std::vector<SettingsProblem> problems() const override;
  LinkageParts parts() const override;
};

/// Sarrus' linkage: the top moves along z and does not turn.
///
///        T2 o───o G ───o T1       Two pairs of panels fold about edges along x and along y. Each pair keeps the direction of an edge of the
///          /   /│\      \         top, G T1 or G T2, in a plane of motion; together they leave one motion, up and down.
///      M2 o   / │ \      o M1     Each panel is a pyramid: three members, a diagonal and four to an apex, which is `apex` off it: four points in a plane
///          \ o──o──o    /         would not be rigid to first order.
///            S  Q  R              base Q R S, top G T1 T2 with the apex U
///
/// The top has no member T1 T2, which would be redundant.
struct SarrusLinkage final : Linkage {
  double width = 0;            ///< of the panels [m]
  double leg = 0;              ///< height of a panel [m]: twice as much is the stroke's end
  double height = 0;           ///< of the top in the reference [m]
  std::optional<double> apex;  ///< [m]; leg/4
  void fields(SettingsVisitor& field) override;
  std::vector<SettingsProblem> problems() const override;
  LinkageParts parts() const override;
};

/// Those of models of so many dimensions.
SettingsRows linkages(int dim);

/// Adds its parts, with names that begin with "NAME.". What is wrong with its numbers goes to the builder's problems.
void add_linkage(MachineBuilder& builder, int dim, const std::string& name, const Linkage& linkage,
                 const RigidFrame& placed = {});

}  // namespace flexura

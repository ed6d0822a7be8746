#pragma once
// A machine from what it is made of.
//
//     MachineBuilder builder({.dim = 3});
//     builder.add(CableSpec{.name = "hose", .path = PathCurve::polyline({{0, 0, 0}, {1, 0, 0}}), .section = {...}});
//     builder.add(JointSpec{.name = "clamp", .type = JointType::weld, .of = {ground(), place_on("hose", "start")}});
//     builder.gravity({0, 0, -9.81});
//     Machine machine = builder.build();     // throws InputError with every problem
//
// Names are given in any order; slots are made in a fixed one: cables, beams, plates, solids, points, spheres, bodies,
// joints, terms.

#include <memory>
#include <string>

#include "flexura/part/chamber_spec.hpp"
#include "flexura/part/constraint_spec.hpp"
#include "flexura/part/machine.hpp"
#include "flexura/part/specs.hpp"

namespace flexura {
namespace detail {
struct MachineDraft;
}

class MachineBuilder {
 public:
  explicit MachineBuilder(MachineOptions options);
  ~MachineBuilder();
  MachineBuilder(const MachineBuilder&) = delete;
  MachineBuilder& operator=(const MachineBuilder&) = delete;

  /// Those that specifications refer to by their index. Default: none.
  void set_signals(std::shared_ptr<const SignalSet> signals);
  void add(CableSpec spec);
  void add(BeamSpec spec);
  void add(PlateSpec spec);
  void add(SolidSpec spec);
  void add(PointSpec spec);
  void add(BodySpec spec);
  void add(JointSpec spec);
  void add(GearSpec spec);
  void add(TermSpec spec);
  void add(SphereSpec spec);
  void add(PlaneSpec spec);
  void add(ContactSpec spec);
  void add(ChamberSpec spec);
  void add(LineSpec spec);
  void add(ConstraintSpec spec);
  /// Another name for a place. Masses and spheres on parts have theirs already.
  void name(const std::string& name, Place place);
  /// Not there now, but at other times: what reads from it has nothing to read, and bodies look as they do then.
  void without(JointSpec spec);
  void without(TermSpec spec);
  void without_joint(const std::string& name);
  /// A part that cannot be described, which was said: what names it has no further fault.
  void refuse(const std::string& name);
  /// g [m/s²] times a signal.
  void gravity(const Triple& g, const EffectiveSignal& signal = {});

  Problems& problems();
  const Machine& machine() const;  ///< as far as it is made: no model yet
  /// Makes what was added, but for the model, so that places and joints can be asked for; once.
  void assemble();
  /// The functions of part/location.hpp and part/joint_plan.hpp, on what was assembled.
  detail::MachineDraft& draft();

  /// Throws InputError with every problem, those of the caller in problems() too.
  Machine build();

 private:
  struct Parts;
  template <class Spec>
  Spec named(std::string_view kind, Spec spec);
  void name_mass(const TermSpec& spec);
  void check_masses();
  void check_held();

  std::unique_ptr<Parts> parts_;
  std::unique_ptr<detail::MachineDraft> draft_;
  bool assembled_ = false;
};

}  // namespace flexura

#pragma once
// The model that a run is in: its system, its state and what reads sensors from it.

#include <memory>

#include "flexura/observe/counted_angles.hpp"
#include "flexura/observe/sensor_probe.hpp"
#include "flexura/scene/scene_model.hpp"
#include "flexura/solve/constraints.hpp"

namespace flexura {

/// Numbers that an item of `to` remembers, and those that the item of the same name and kind had in `from`: −1, it begins where it is.
struct CarriedMemory {
  int from, to, count;
};
std::vector<CarriedMemory> carried_memories(const Topology& from, const Topology& to);

class ActiveModel {
 public:
  ActiveModel(const SceneModels& scene, int threads) : scene_(scene), threads_(threads) {}

  /// Makes `model` the one; the state goes on from that of the model before, slot by slot of the same name.
  /// `unsymmetric`: AssemblerOptions::unsymmetric, for methods that need it.
  void enter(int model, bool unsymmetric = false);
  /// The same where `state` is already one of `model`, read from a checkpoint. Its signals are for set_signals() to set.
  void enter_saved(int model, bool unsymmetric = false);

  bool entered() const { return index_ >= 0; }
  int index() const { return index_; }
  const SceneModel& scene() const { return scene_.models[std::max(0, index_)]; }
  System<double>& system() { return *system_; }
  SensorProbe& probe() { return *probe_; }
  /// True if constraints carry multipliers; only then is it worth to make Constraints.
  bool has_constraints() const { return probe_->violations().has_rows(); }
  Constraints& constraints();
  const Topology& topology() const { return *scene().model.topology; }
  const CountedAngles& angles() const { return *angles_; }
  /// What terms and angles remember begins at the state.
  void begin_memory();

  /// Energies at the state. `baseline`: put in or taken out other than by work [J].
  Energies energies(double baseline) { return energies_at(state, baseline); }
  /// The same at another state of this model, with the signals that are set.
  Energies energies_at(const State<double>& at, double baseline);
  /// Signals of the state's time, of the segment that begins at `from`.
  void set_signals(double from);

  State<double> state;

 private:
  void build(int model, bool unsymmetric);
  void carry_over(const SceneModel& from, const State<double>& old);
  void carry_history(const Topology& from, const State<double>& old);
  void carry_angles(const SceneModel& from, const CountedAngles& before, const State<double>& old);
  void carry_contacts(const Topology& from, const ContactHistory& old);
  /// Angles and displacements that the model before did not count begin as their parts stand and move.
  void begin_coordinates(const std::vector<int>& origin);
  void carry_anchors(const SceneModel& from, const State<double>& old, const std::vector<int>& origin);

  const SceneModels& scene_;
  int threads_, index_ = -1;
  bool unsymmetric_ = false;
  std::unique_ptr<System<double>> system_;
  std::unique_ptr<SensorProbe> probe_;
  std::unique_ptr<Constraints> constraints_;  ///< made when first needed
  std::unique_ptr<CountedAngles> angles_;
};

}  // namespace flexura

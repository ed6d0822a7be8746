#pragma once
// The steps of several runs that differ in numbers alone, made together, one in each lane of System<Lanes>, to the same bits as by
// themselves. Each stays a Run, which samples, watches and warns as ever; its stepper hands the step over to LaneSteps.

#include <memory>
#include <vector>

#include "flexura/integrate/implicit_methods.hpp"
#include "flexura/integrate/known_energies.hpp"

namespace flexura {

/// Whether one assembler serves both models.
bool same_structure(const Model& a, const Model& b);
/// Whether runs of the model may go together at all: nothing touches, no end stops, no functions of the program.
bool model_fits_lanes(const Model& model);

/// Whoever asks for its step first has it made for all; the others find theirs made.
class LaneSteps {
 public:
  explicit LaneSteps(std::size_t lanes) : members_(lanes) {}

  struct Member {
    const Model* model = nullptr;
    const State<double>* state = nullptr;  ///< where it begins; null: it does not take part in the next step
    bool left = false;                     ///< for good

   private:
    friend class LaneSteps;
    friend class LaneStepper;
    System<double>* system_ = nullptr;
    std::unique_ptr<Stepper> alone_;  ///< starts motions
    bool fresh_ = false;              ///< its motion has started since the last step
    long resets_ = 0;
    bool made_ = false;    ///< its next step has been made
    bool within_ = false;  ///< the lane holds it since the last motion of any began
    bool gone_ = false;    ///< its state is where the last step of all ended
    State<double> next_;   ///< where its next step ends, until it asks for it
  };
  Member& member(std::size_t lane) { return members_[lane]; }
  /// For the motion of the member's run: in place of `alone`, its own, which must not be adaptive and of the Newmark family (else the
  /// member leaves).
  std::unique_ptr<Stepper> stepper(std::size_t lane, System<double>& system, std::unique_ptr<Stepper> alone);

 private:
  friend class LaneStepper;
  StepReport step(std::size_t lane, State<double>& state, double t1);
  void make(double t1);
  void begin(std::size_t any);
  void hand_out();
  StateEnergies<double> energies(std::size_t lane);

  std::vector<Member> members_;
  FamilyMethod method_;
  std::vector<Drives> drives_;                               ///< by lane: members may end before the others
  std::vector<std::shared_ptr<const Topology>> topologies_;  ///< that they are of
  std::unique_ptr<System<Lanes>> system_;
  std::unique_ptr<GeneralizedAlpha<Lanes>> integrator_;
  State<Lanes> joint_;
  MaskOf<Lanes> converged_ = uniform_mask<Lanes>(false);
  StateEnergies<Lanes> energies_;
  bool knows_energies_ = false;  ///< of the last step
  double t1_ = 0;
  long resets_ = 0;
  int iterations_ = 0, factorizations_ = 0;
};

}  // namespace flexura

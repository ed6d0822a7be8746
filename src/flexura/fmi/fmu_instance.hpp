#pragma once
// One instance of an FMU: a session between communication points, for both versions of the interface.
//
// The scene makes its own steps. A communication point that a step ends at, within a millionth of the step, is that state as
// `flexura run` has it, bit for bit. At any other the last step goes beyond it: outputs are then interpolated linearly between
// the step's ends, and inputs that are set there act from the next step on.

#include <optional>
#include <string>
#include <vector>

#include "flexura/fmi/fmu_content.hpp"
#include "flexura/output/journal_record.hpp"
#include "flexura/run/session.hpp"

namespace flexura {

/// Everything here throws std::exceptions whose texts are for the user.
class FmuInstance {
 public:
  /// `resources`: the FMU's folder of that name. `token`: of its description, must be that of the folder.
  FmuInstance(const std::string& resources, const std::string& token);

  double get(unsigned reference);
  void set(unsigned reference, double value);

  /// Time of the environment at which the scene begins [s]; without it the scene's own.
  void start_at(double time);
  void enter_initialization();
  void exit_initialization();
  /// From the time that the last step came to.
  void step(double time, double length);
  double time() const { return time_; }  ///< of the environment [s]
  void terminate();
  void reset();

  /// Everything that the instance is, for this or another one of the same FMU. As Session::save it makes the solver forget
  /// what it had kept.
  Checkpoint save();
  void restore(const Checkpoint& state);

  /// Warnings of the scene that have not been taken yet.
  std::vector<std::string> take_warnings();

 private:
  enum class Phase { instantiated, initializing, stepping, terminated, failed };

  const FmuVariable& variable(unsigned reference) const;
  void expect(Phase phase, const char* what) const;
  bool before_steps() const { return phase_ == Phase::instantiated || phase_ == Phase::initializing; }
  /// The session of the present parameters and inputs, with its analyses before the first motion done.
  Session& session();
  void advance(double target, double near);
  std::vector<double> outputs();
  double present(unsigned reference);

  FmuContent content_;
  SceneDocument scene_;
  Phase phase_ = Phase::instantiated;
  std::optional<Session> session_;
  std::vector<double> values_;   ///< by reference: parameters and inputs
  std::vector<double> begun_;    ///< the same where the session began, which is of another scene with other ones
  double start_ = 0, time_ = 0;  ///< of the environment [s]
  double before_time_ = 0;       ///< of the scene, where the step began that goes beyond time_ [s]
  std::vector<double> before_;   ///< outputs there, by reference; empty: time_ is the end of a step
  size_t told_ = 0;              ///< warnings
};

}  // namespace flexura

#pragma once
// Equilibria of a scene as a function of its inputs: y(u), sensors at the equilibrium with inputs u, and its derivative
//
//     K dq = B du,    dy = ∂y/∂q dq + ∂y/∂u du        exact in K and B by duals; ∂y by differences of sixth order, which leave 1e-11
//
// A branch is followed: each equilibrium is sought from the one before. Part of flexura_ensemble.

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "flexura/scene/document.hpp"
#include "flexura/scene/scene_model.hpp"
#include "flexura/solve/state.hpp"
#include "flexura/study/sensor_row.hpp"

namespace flexura {

/// The scene's model under constant inputs. Its first model counts, at time 0; inputs are signals of type "input", and what
/// follows them with a lag has come to rest.
class SteeredStatics {
 public:
  /// Throws InputError where the scene cannot be built or has no input.
  explicit SteeredStatics(SceneDocument document, int threads = 1);
  ~SteeredStatics();
  SteeredStatics(SteeredStatics&&) noexcept;
  SteeredStatics& operator=(SteeredStatics&&) noexcept;

  const std::vector<std::string>& inputs() const;
  /// Follows the equilibria from the present inputs to these, in the order of inputs(). False: there is none on the way that
  /// is stable and found; then everything is as before.
  bool move_to(const std::vector<double>& values);
  /// The same in pieces of the way, each so short that the equilibrium moves as its tangent at the piece's begin says, to half of
  /// its length: what snaps over, or turns by half a turn too many, is not followed. From restart() on the loads come first. False:
  /// even 1/1024 of the way is too long. `turns`: a row whose angles go on counting turns over each piece.
  bool follow_to(const std::vector<double>& values, SensorRow* turns = nullptr);
  std::vector<double> values() const;
  /// Back to the start, all inputs at the scene's values and no loads.
  void restart();

  /// What a sensor reads now. Throws InputError for an unknown name.
  std::vector<double> read(std::string_view sensor);
  /// What a row reads now; angles count turns from its `last`.
  void read(const SensorRow& row, std::span<double> out);
  /// ∂row/∂u of these inputs, places in inputs(), column after column [numbers of the row × inputs]. False: there is none, of what
  /// touches, or of an equilibrium that is singular.
  bool slopes(const SensorRow& row, std::span<const int> inputs, std::span<double> out);

  const SceneModel& model() const;
  const SceneDocument& document() const;
  const State<double>& state() const;
  bool stands() const;  ///< the state is an equilibrium that was found
  /// A state of before.
  void return_to(const State<double>& state);
  long equilibria() const;  ///< that were sought, with all pieces of a way

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace flexura

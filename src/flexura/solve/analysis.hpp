#pragma once
// What one [[analysis]] of a scene asks for, with its keys; those that happen at a fixed time. The rows of all are in
// integrate/analyses.hpp.

#include "flexura/base/settings.hpp"
#include "flexura/solve/newton.hpp"

namespace flexura {

class Analysis : public Settings {
 public:
  /// Along what its results go.
  enum class Axis { time, load_factor, mode };
  virtual Axis axis() const = 0;
  /// For the report: "static, load step 0.1". It lasts from `begin` to `end` [s].
  virtual std::string label(double begin, double end) const = 0;
  /// For `flexura check`: "static, at t = 0 s".
  virtual std::string outline(double begin, double end) const = 0;
  /// Why it is not for that model, at which key; message "": it is.
  virtual SettingsProblem refusal(const Topology& topology) const;

 protected:
  /// The keys `tolerance` and `max_iterations` of Newton's method.
  static FieldSpec tolerance_field(double usual);
  static FieldSpec iterations_field(int usual);
};

/// "t", "load_factor", "mode": what results call it.
const char* axis_name(Analysis::Axis axis);

/// The end of a path of equilibria: its first point behind the start at which a number of a sensor has the value.
struct PathEnd final : Settings {
  std::string sensor;
  std::string component;  ///< "x"; "" of a sensor that reads one number
  double value = 0;       ///< SI

  void fields(SettingsVisitor& field) override;
  std::string label() const;  ///< "mid.y = -0.01"
};

/// Equilibrium, in steps of the load factor or along the path of equilibria.
struct StaticAnalysis final : Analysis {
  double tolerance = 1e-9;  ///< of Newton's method, relative to the forces
  int max_iterations = 20;
  double load_step = 0.1;
  std::vector<double> load_levels;  ///< load factors on the way that are met exactly, ascending, below 1
  bool arc_length = false;
  /// The bifurcation, counted from 1, at which the path goes on along the branch; negative: to its other side; 0: nowhere.
  int branch = 0;
  int max_points = 1000;         ///< of the path of equilibria; it ends there
  double largest_step = 0.2;     ///< length of a step on it (solve/arc_length.hpp)
  std::optional<PathEnd> until;  ///< it ends there, where that comes before the whole load

  std::vector<SettingsProblem> problems() const override;
  void fields(SettingsVisitor& field) override;
  SettingsProblem refusal(const Topology& topology) const override;
  Axis axis() const override { return Axis::load_factor; }
  std::string label(double begin, double end) const override;
  std::string outline(double begin, double end) const override;
};

/// Eigenfrequencies and modes about the state reached.
struct ModesAnalysis final : Analysis {
  int count = 10;
  bool damped = false;

  void fields(SettingsVisitor& field) override;
  Axis axis() const override { return Axis::mode; }
  std::string label(double begin, double end) const override;
  std::string outline(double begin, double end) const override;
};

}  // namespace flexura

#pragma once
// Builds the model of one set of acting things. One file per concern: interpret_cable, _place, _joint, _term, _sensor.

#include <map>
#include <optional>
#include <set>

#include "flexura/model/model_builder.hpp"
#include "flexura/scene/nearest.hpp"
#include "flexura/scene/path_curve.hpp"
#include "flexura/scene/scene_model.hpp"

namespace flexura::detail {

/// Stiffnesses and laws of a [section.NAME].
struct SectionValues {
  double EA = 0, EI = 0, rhoA = 0, damping_stretch = 0, damping_bend = 0, mass_damping = 0;
  std::string axial, curvature;
};

class Interpreter {
 public:
  /// `acting`: one flag per record of scene.tables.
  Interpreter(const SceneDocument& scene, const Timeline& timeline, const std::vector<bool>& acting, bool statics)
      : scene_(scene), timeline_(timeline), acting_(acting), statics_(statics), builder_(scene.dim) {}

  SceneModel build();
  std::vector<Problem> problems;

 private:
  /// Where a place is: slots, and its reference position and direction.
  struct Location {
    bool ground = false;
    std::string part;
    int point = -1, vector = -1;
    int cable = -1, element = -1, node = -1;  ///< node −1: inside the element
    double xi = 0;
    std::vector<double> X, direction;  ///< [m, 1]; empty for the ground as a whole
  };
  struct Relation {  ///< for reactions: the dependent end of a joint
    const Record* record;
    int point = -1, vector = -1, master_point = -1;
    double sign = 1;
    bool separable = true;
  };

  // interpret_cable.cpp
  void add_cable(const Record& record);
  std::optional<SectionValues> section_of(const Record& cable);
  std::optional<SectionValues> make_section(const Record& record);
  std::optional<PathCurve> curve_of(const Record& record, std::string_view key);
  std::optional<PathCurve> curve_from_file(const Record& path, const Record& owner);
  void add_elements(const Record& record, const SectionValues& section, CablePart& part);
  void add_point(const Record& record);

  // interpret_place.cpp
  std::optional<Location> locate(const Place& place, const std::string& path);
  std::optional<Location> locate_on_part(const Place& place, const std::string& path);
  std::optional<Location> on_cable(const Place& place, const std::string& path);
  /// Slot of the place, made if need be; −1 after a problem.
  int point_slot(Location& location, const Place& place, const std::string& path);
  int vector_slot(Location& location, const Place& place, const std::string& path);
  LinearForm inside(const Location& location, bool gradient) const;

  // interpret_joint.cpp
  void add_joint(const Record& record);
  void weld(const Record& record, Location& a, Location& b, const std::vector<Place>& places);
  void pin(const Record& record, Location& a, Location& b, const std::vector<Place>& places);
  void clamp_direction(const Record& record, Location& a, Location& b, const std::vector<Place>& places);
  void prescribe(const Record& record, Location& a, Location& b, const std::vector<Place>& places);
  void hold(const Record& record, Location& location, const Place& place, bool direction);
  void remember(const Record& record, const Location& dependent, const Location* master, double sign, bool direction);
  void check_initial(const Record& record, const Location& location);
  void check_held();
  void check_masses();
  static bool are_same(const Location& a, const Location& b);
  void join(const std::string& a, const std::string& b);
  std::string root(std::string part) const;

  // interpret_term.cpp
  void add_term(const Record& record);
  void add_along_cable(const Record& record, const std::string& cable);
  std::vector<double> parameters_of(const Record& record, const std::vector<Location>& places, double element_length);
  std::vector<int> options_of(const Record& record);
  int effective(const Record& record, std::string_view key);
  bool check_places(const Record& record, const std::string& key, const std::vector<Location>& locations);
  void check_rod(const Record& record, const std::vector<int>& ends, double length);
  void add_gravity();

  // interpret_sensor.cpp
  void add_sensor(const Record& record);
  void add_reaction(const Record& record, SensorSpec& sensor);
  void add_share(int point, int vector, std::vector<SensorSpec::Share>& shares, std::set<int>& seen) const;

  void wrong(const Record& record, std::string_view key, std::string message, std::string nearest = {});
  bool acts(const Record& record) const;

  const SceneDocument& scene_;
  const Timeline& timeline_;
  const std::vector<bool>& acting_;
  bool statics_;
  ModelBuilder builder_;
  SceneModel result_;
  std::map<std::string, std::optional<SectionValues>> sections_;
  std::map<std::string, int> cable_index_;
  std::map<std::string, int> point_slots_;
  std::map<int, std::vector<double>> initial_;  ///< slot → q₀ where it differs from the reference
  std::map<std::string, int> made_slots_;       ///< fixed points and places inside elements
  std::vector<Relation> relations_;
  std::set<int> claimed_;                                         ///< points that a joint already decides
  std::set<std::string> massive_;                                 ///< parts with mass
  std::vector<std::pair<std::string, std::string>> ties_;         ///< parts that share a place: what has mass lends it
  std::map<std::string, std::string> parent_;                     ///< parts that hold each other
  std::map<std::string, std::pair<int, std::vector<int>>> rods_;  ///< distance joints: multiplier, ends
};

}  // namespace flexura::detail

#pragma once
// The drawing of a machine, and where in the model the numbers are read that go with it over time.

#include <span>

#include "flexura/observe/drawing.hpp"
#include "flexura/observe/sensor.hpp"

namespace flexura {

/// Where a number is read inside an item of the model: DrawnFields knows how.
struct ItemPlace {
  int batch = -1, item = -1;  ///< −1: nowhere
  double where = 0;           ///< share of the element's length
  double across = 0;          ///< and of its width
  double through = 0;         ///< and of a solid's third direction
};

/// Where the numbers of a drawing's fields and quantities are read.
struct DrawnPlaces {
  struct FieldPoint {
    /// Of cables, beams, plates and solids; where elements meet all of them, whose mean counts.
    std::vector<ItemPlace> inside;
    /// At an edge of a plate, where what is drawn is extrapolated: the points of the 2 x 2 Gauss rule behind those.
    std::vector<ItemPlace> deeper;
    bool at_edge = false;
    ItemPlace between;  ///< of lines
    int cable = -1;     ///< index into Machine::cables
    int plate = -1;     ///< index into Machine::plates
    int chamber = -1;   ///< of a solid: index into Machine::chambers of the one whose wall it is
    /// Of its section there: radius and inner, or width and height [m].
    std::array<double, 2> size{};
    bool on_plate = false, on_solid = false, has_fibres = false;
    double along = 0;  ///< share of the cable's length
  };
  /// Of a pneumatic load, between two places of a cable; or what parts enclose.
  struct Chamber {
    std::string name;  ///< of the load or chamber
    ItemPlace item;
    int cable = -1;
    double from = 0, to = 1;       ///< shares of its length
    std::vector<int> around = {};  ///< enclosed by these cables, in space plates; points of solids know
    int enclosed = -1;             ///< index into Machine::chambers
  };
  /// What the items do to those of their slots: Σ f, Σ x × f, or a joint's force or torque along its axis.
  struct Effort {
    enum class Kind { force, moment, along_axis };
    Kind kind = Kind::force;
    std::vector<ItemPlace> items;
    std::vector<int> slots;  ///< of an item, in its order
    int drawable = -1;       ///< along_axis: whose tangent
  };
  std::vector<FieldPoint> points;  ///< [field_points]
  SlotMap point_position;          ///< where its speed is read; bodies: centre of mass
  std::vector<Chamber> chambers;
  std::vector<Effort> efforts;  ///< [quantities]
};

struct DrawnModel {
  Drawing drawing;
  DrawnPlaces places;
};

/// Parts, joints, loads and sensors of the machine, and nothing else.
DrawnModel draw_model(const Machine& machine, std::span<const SensorSpec> sensors);

}  // namespace flexura

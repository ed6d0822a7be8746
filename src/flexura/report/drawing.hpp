#pragma once
// What a scene's model looks like: every place that is drawn is a linear combination of slots, so that a report needs
// the slots of each frame and this description, once (docs/report-format.md).

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "flexura/scene/scene_model.hpp"

namespace flexura {

/// Σ weight · slot for each of a list of points or vectors, row by row. Slots are numbered as in Drawing::slots.
struct SlotMap {
  std::vector<std::uint32_t> start{0};  ///< [size + 1]
  std::vector<std::uint32_t> slot;
  std::vector<float> weight;

  int size() const { return static_cast<int>(start.size()) - 1; }
  void add(std::uint32_t s, double w) {
    slot.push_back(s);
    weight.push_back(static_cast<float>(w));
  }
  void end_row() { start.push_back(static_cast<std::uint32_t>(slot.size())); }
};

/// A solid in the frame of a body.
struct BodyShape {
  enum class Type { box, sphere, ellipsoid, cylinder, cone, link, mesh };
  Type type = Type::box;
  std::array<double, 3> center{};  ///< [m]; cylinder, cone: halfway along the axis; link: where it begins
  std::array<std::array<double, 3>, 3> axes{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  /// [m] box: edges; ellipsoid: semi-axes; sphere, link: radius; cylinder, cone: radius, radius at the end, length along
  /// the third axis
  std::array<double, 3> size{};
  std::array<double, 3> to{};   ///< link: where it ends [m]
  std::vector<float> vertices;  ///< mesh [3 n], [m]
  std::vector<std::uint32_t> triangles;
};

/// Cross-section of a curve, in its plane of d1 and d2 [m]. Planar models: d1 is the tangent turned by +90°, d2 is Z.
struct SectionShape {
  enum class Type { round, tube, rectangle };
  Type type = Type::round;
  double radius = 0, inner = 0;  ///< round, tube
  double width = 0, height = 0;  ///< rectangle: along d1, along d2
  bool is_nominal = false;       ///< the scene states stiffnesses only: drawn with a size that can be seen
};

struct Drawable {
  enum class Kind { curve, surface, body, line, point, joint, arrow, sensor };
  Kind kind = Kind::curve;
  std::string name;   ///< "cable.hose", "joint.clamp": table and name in the scene
  std::string label;  ///< type and what else helps: "weld ground", "spring linear", "force"
  std::string color;  ///< of the scene, "#rrggbb"; empty: any
  SlotMap position;   ///< curve: its samples; surface: vertices; body: origin; line: two ends; others: one
  /// curve: dr/dS, S the length in the reference; surface: along u; body: first axis; joint: axis, of a weld or clamp the
  /// tangent of the cable (empty: none)
  SlotMap tangent;
  SlotMap second;                    ///< curve: d1 (empty: any); surface: along v; body: second axis
  SlotMap third;                     ///< curve: d2; body: third axis
  SectionShape section;              ///< curve; where it tapers that of its thickest sample
  std::vector<double> sizes;         ///< curve that tapers: radius and inner, or width and height, per sample [m]
  std::vector<double> thickness;     ///< surface: per vertex [m]
  std::vector<std::uint32_t> quads;  ///< surface: 4 vertices each
  std::vector<BodyShape> shapes;     ///< body
  double radius = 0;                 ///< point: of its sphere [m]; 0: a marker of fixed size on the screen
  int field = -1, field_count = 0;   ///< numbers of the fields that colour it: first and how many
  int quantity = -1;                 ///< arrow: which of the vector quantities
  bool is_moment = false;            ///< arrow
};

/// Where a number is read inside an item of the model: DrawnFields knows how.
struct ItemPlace {
  int batch = -1, item = -1;  ///< −1: nowhere
  double where = 0;           ///< share of the element's length
  double across = 0;          ///< and of its width
};

/// One model of a scene, drawn.
struct Drawing {
  std::vector<int> slots;                    ///< of the topology, points and vectors, that anything is drawn with
  std::vector<std::array<double, 3>> fixed;  ///< further slots that never move, numbered behind them [m]
  std::vector<Drawable> drawables;
  int field_points = 0;  ///< numbers per field
  struct Quantity {
    std::string name, unit;  ///< "load.tip", "N"
    /// What the items do to those of their slots: Σ f, Σ x × f, or a joint's force or torque along its axis.
    enum class Kind { force, moment, along_axis };
    Kind kind = Kind::force;
    std::vector<ItemPlace> items;
    std::vector<int> slots;  ///< of an item, in its order
    int drawable = -1;       ///< along_axis: whose tangent
  };
  std::vector<Quantity> quantities;  ///< vectors over time: forces, moments

  // For DrawnFields; a report does not hold it.
  struct FieldPoint {
    /// Of cables, beams and plates; where elements meet all of them, whose mean counts.
    std::array<ItemPlace, 4> inside;
    ItemPlace between;  ///< of lines
    int cable = -1;     ///< index into SceneModel::cables
    /// Of its section there: radius and inner, or width and height [m].
    std::array<double, 2> size{};
    bool on_plate = false;
    double along = 0;  ///< share of the cable's length
  };
  /// Of a pneumatic load, between two places of a cable.
  struct Chamber {
    std::string name;  ///< of the load
    ItemPlace item;
    int cable = -1;
    double from = 0, to = 1;  ///< shares of its length
  };
  std::vector<FieldPoint> points;  ///< [field_points]
  SlotMap point_position;          ///< where its speed is read; bodies: centre of mass
  SlotMap point_tangent;           ///< dr/dS of cables; elsewhere empty rows
  std::vector<Chamber> chambers;
};

/// A number at each field point, over time.
struct DrawnField {
  std::string name, unit, doc;
  bool is_signed = false;  ///< zero is in the middle of its colours
};

/// `document` and `model` belong together. Parts, joints and loads that act in this model, and nothing else.
Drawing make_drawing(const SceneDocument& document, const SceneModel& model);

}  // namespace flexura

#pragma once
// What a model looks like, as data. Every place that is drawn is a constant linear combination of slots, so that a picture
// needs the states and this description, once. Results files hold it (docs/results-format.md); it knows no model.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

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
  bool operator==(const SlotMap&) const = default;
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

  bool operator==(const BodyShape&) const = default;
};

/// Cross-section of a curve, in its plane of d1 and d2 [m]. Planar models: d1 is the tangent turned by +90°, d2 is Z.
struct SectionShape {
  enum class Type { round, tube, rectangle };
  Type type = Type::round;
  double radius = 0, inner = 0;  ///< round, tube
  double width = 0, height = 0;  ///< rectangle: along d1, along d2
  bool is_nominal = false;       ///< the scene states stiffnesses only: drawn with a size that can be seen

  bool operator==(const SectionShape&) const = default;
};

inline constexpr std::uint32_t no_node_field = 0xffffffff;

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
  SlotMap nodes;                     ///< solid: its nodes
  /// Solid: field point of each node, and no_node_field inside, where the drawing needs none.
  std::vector<std::uint32_t> node_fields;
  std::vector<std::uint32_t> cells;       ///< solid: nodes of one cell after the other, in the order of VTK's cells
  std::vector<std::uint32_t> cell_nodes;  ///< how many each cell has: 8, 20, 27 hexahedron; 4, 10 tetrahedron
  std::vector<BodyShape> shapes;          ///< body
  double radius = 0;                      ///< point: of its sphere [m]; 0: a marker of fixed size on the screen
  int field = -1, field_count = 0;        ///< numbers of the fields that colour it: first and how many
  int quantity = -1;                      ///< arrow: which of the vector quantities
  bool is_moment = false;                 ///< arrow

  bool operator==(const Drawable&) const = default;
};

/// A number at each field point, over time.
struct DrawnField {
  std::string name, unit, doc;
  bool is_signed = false;  ///< zero is in the middle of its colours

  bool operator==(const DrawnField&) const = default;
};

/// One model of a scene, drawn.
struct Drawing {
  /// A point or vector of the model that anything is drawn with.
  struct MovingSlot {
    int offset = 0;  ///< of its first coordinate in q
    bool is_vector = false;
    std::array<double, 3> reference{};  ///< in the reference configuration [m or 1]

    bool operator==(const MovingSlot&) const = default;
  };
  /// A vector over time, that an arrow shows.
  struct Quantity {
    std::string name, unit;  ///< "load.tip", "N" or "N m"

    bool is_moment() const { return unit == "N m"; }
    bool operator==(const Quantity&) const = default;
  };
  int dim = 3;  ///< coordinates of a slot
  std::vector<MovingSlot> slots;
  std::vector<std::array<double, 3>> fixed;  ///< further slots that never move, numbered behind them [m]
  std::vector<Drawable> drawables;
  std::vector<Quantity> quantities;
  std::vector<DrawnField> fields;
  int field_points = 0;  ///< numbers per field

  bool operator==(const Drawing&) const = default;
};

}  // namespace flexura

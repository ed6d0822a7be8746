#include "flexura/part/joint_types.hpp"

#include <algorithm>

namespace flexura {
namespace {

using enum JointRow::Space;
using Direction = JointRow::Direction;

constexpr JointRow rows[] = {
    {.type = JointType::weld,
     .name = "weld",
     .doc =
         "position and directions as in the reference configuration, offset kept; cables and plates may stretch there",
     .coincide = true,
     .keeps_turn = true},
    {.type = JointType::clamp_direction,
     .name = "clamp_direction",
     .doc = "of a cable: place and tangent, as weld; also on a body or beam in space, which may turn about the tangent",
     .coincide = true,
     .keeps_turn = true,
     .clamps = true},
    {.type = JointType::pin, .name = "pin", .doc = "the places coincide and may turn", .coincide = true},
    {.type = JointType::prescribed, .name = "prescribed", .doc = "coordinates follow signals", .is_driven = true},
    {.type = JointType::revolute,
     .name = "revolute",
     .doc = "a pin with an angle",
     .space = planar,
     .coincide = true,
     .has_angle = true},
    {.type = JointType::prismatic,
     .name = "prismatic",
     .doc = "slides along an axis of the first place, without turning",
     .space = planar,
     .direction = Direction::axis,
     .keeps_turn = true,
     .on_line = true,
     .has_displacement = true},
    {.type = JointType::spherical, .name = "spherical", .doc = "the same as pin", .space = spatial, .coincide = true},
    {.type = JointType::revolute,
     .name = "revolute",
     .doc = "turns about an axis",
     .space = spatial,
     .direction = Direction::axis,
     .coincide = true,
     .keeps_axis = true,
     .has_angle = true},
    {.type = JointType::prismatic,
     .name = "prismatic",
     .doc = "slides along an axis, without turning",
     .space = spatial,
     .direction = Direction::axis,
     .keeps_turn = true,
     .on_line = true,
     .has_displacement = true},
    {.type = JointType::cylindrical,
     .name = "cylindrical",
     .doc = "turns about an axis and slides along it",
     .space = spatial,
     .direction = Direction::axis,
     .keeps_axis = true,
     .on_line = true,
     .has_angle = true,
     .has_displacement = true},
    {.type = JointType::universal,
     .name = "universal",
     .doc = "the places coincide; an axis of each, perpendicular to each other",
     .space = spatial,
     .direction = Direction::axes,
     .coincide = true,
     .keeps_right = true},
    {.type = JointType::planar,
     .name = "planar",
     .doc = "the second place slides and turns in a plane of the first; of an edge of a plate: a plane of symmetry",
     .space = spatial,
     .direction = Direction::normal,
     .keeps_axis = true,
     .in_plane = true},
    {.type = JointType::point_on_line,
     .name = "point_on_line",
     .doc = "the second place stays on a line of the first",
     .direction = Direction::axis,
     .on_line = true,
     .has_displacement = true},
    {.type = JointType::point_on_plane,
     .name = "point_on_plane",
     .doc = "the second place stays in a plane of the first",
     .space = spatial,
     .direction = Direction::normal,
     .in_plane = true,
     .has_displacement = true},
    {.type = JointType::gear,
     .name = "gear",
     .doc = "ties the angles or displacements of two joints: second = ratio first + what they are in the reference",
     .ties_joints = true},
    {.type = JointType::distance, .name = "distance", .doc = "keeps two points at a distance", .is_term = true}};

FieldSpec of_field() { return places_field("of", 2, "the two places").required(); }

FieldSpec direction_field(Direction direction, int dim) {
  switch (direction) {
    case Direction::axes:
      return points_field("axes", "1", dim, "one of the first place, one of the second")
          .turning(Turns::direction)
          .required();
    case Direction::normal:
      return vector_field("normal", "1", dim, "of the plane").turning(Turns::direction).required();
    default:
      return vector_field("axis", "1", dim,
                          "direction of the axis in the reference configuration; moves with the first place")
          .turning(Turns::direction)
          .required();
  }
}

FieldSpec method_field() {
  return choice_field("method", "how its equations are kept",
                      {{"eliminated", "linear ones by elimination, exactly; the rest by multipliers"},
                       {"multipliers", "all by multipliers"}});
}

FieldSpec stretch_field() {
  return choice_field("stretch", "of a cable or plate, at the weld",
                      {{"free", "place and direction are held; the material stretches as it does elsewhere"},
                       {"held", "all coordinates of the nodes: of a cable on the ground, of plates"}});
}

/// A weld of a plate and a body may be kept in other ways too.
std::vector<FieldSpec> spatial_weld_fields() {
  return {
      choice_field("method", "how its equations are kept",
                   {{"eliminated", "linear ones by elimination, exactly; the rest by multipliers"},
                    {"multipliers", "all by multipliers; not of plates"},
                    {"relations", "plate and body: distances, angles and orthogonalities of each node, five of nine"},
                    {"compliant", "plate and body: springs in place of equations"}}),
      number_field("stiffness", "N/m", "compliant: of all nodes together").more_than(0),
      number_field("damping", "N s/m", "compliant: of all nodes together").defaults_to(0.0).at_least(0),
      number_field("direction_length", "m", "compliant: the gradients' springs have stiffness times its square")
          .more_than(0)
          .defaults_to(std::string("the plate's thickness"))};
}

/// Displacements that follow signals: at least one.
void add_motions(VariantSpec& variant, int dim) {
  for (const char* axis : {"x", "y", "z"}) {
    if (static_cast<int>(variant.at_least_one.size()) == dim) return;
    variant.fields.push_back(signal_field(axis, "m",
                                          "displacement of the second place from its reference position, "
                                          "seen from the first; free if left out")
                                 .turning(Turns::component));
    variant.at_least_one.push_back(axis);
  }
}

std::vector<FieldSpec> gear_fields() {
  return {reference_field("first", {"joint", "truss"}, "the first joint or truss").required(),
          reference_field("second", {"joint", "truss"}, "the second joint or truss").required(),
          number_field("ratio", "second/first", "turns of the second for one of the first; of a rack m/rad").required(),
          number_field("offset", "second", "of the second where the first is at 0").defaults_to(0.0)};
}

VariantSpec variant_of(const JointRow& row, int dim) {
  VariantSpec variant{std::string(row.name), std::string(row.doc), {}};
  std::vector<FieldSpec>& fields = variant.fields;
  if (row.ties_joints) {
    fields = gear_fields();
    return variant;
  }
  fields.push_back(of_field());
  if (row.is_driven) add_motions(variant, dim);
  if (!row.takes_method()) return variant;
  fields.push_back(vector_field("at", "m", dim, "reference position of the joint, where `of` names whole bodies")
                       .turning(Turns::position)
                       .defaults_to(std::string("the places")));
  if (row.direction != Direction::none) fields.push_back(direction_field(row.direction, dim));
  if (row.type == JointType::weld) fields.push_back(stretch_field());
  if (row.type == JointType::weld && dim == 3) {
    for (FieldSpec& field : spatial_weld_fields()) fields.push_back(std::move(field));
  } else {
    fields.push_back(method_field());
  }
  if (row.has_angle)
    fields.push_back(signal_field("angle", "rad", "prescribes the angle from the reference; free if left out"));
  if (row.has_angle)
    fields.push_back(number_field("initial_angle", "rad",
                                  "angle that the joint starts with, where that is more than half a revolution: of the "
                                  "initial poses, which leave whole revolutions open")
                         .defaults_to(std::string("within half a revolution")));
  if (row.has_displacement)
    fields.push_back(signal_field("displacement", "m", "prescribes the displacement along the axis; free if left out"));
  if (row.has_angle != row.has_displacement) {
    const std::string effort = row.has_angle ? "N m" : "N", rate = row.has_angle ? "rad/s" : "m/s";
    fields.push_back(number_field("max_effort", effort,
                                  "largest effort of what drives it: the limit of motors and servos that state none; a "
                                  "prescribed motion that needs more is told")
                         .more_than(0)
                         .defaults_to(std::string("none")));
    fields.push_back(number_field("max_rate", rate, "largest rate to which motors and servos drive it that state none")
                         .more_than(0)
                         .defaults_to(std::string("none")));
  }
  return variant;
}

}  // namespace

int JointRow::removes(int dim) const {
  if (ties_joints || is_term) return 1;
  const int turns = dim == 2 ? 1 : 3;
  return (coincide ? dim : 0) + (keeps_turn ? turns : 0) + (keeps_axis ? 2 : 0) + (keeps_right ? 1 : 0) +
         (on_line ? dim - 1 : 0) + (in_plane ? 1 : 0);
}

std::span<const JointRow> joint_rows() { return rows; }

const JointRow* find_joint(std::string_view name, int dim) {
  const auto found =
      std::find_if(std::begin(rows), std::end(rows), [&](const JointRow& r) { return r.name == name && r.is_in(dim); });
  return found == std::end(rows) ? nullptr : &*found;
}

std::vector<VariantSpec> joint_variants(int dim) {
  std::vector<VariantSpec> variants;
  for (const JointRow& row : rows)
    if (row.is_in(dim) && !row.is_term) variants.push_back(variant_of(row, dim));
  return variants;
}

}  // namespace flexura

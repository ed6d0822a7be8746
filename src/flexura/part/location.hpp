#pragma once
// Places of a machine that is being made: where they are in the reference configuration, and the slots that they have or
// are given when somebody needs them.

#include <optional>
#include <string>

#include "flexura/part/forms.hpp"
#include "flexura/part/origin.hpp"
#include "flexura/part/place.hpp"

namespace flexura::detail {

struct MachineDraft;

struct Location {
  MaterialPlace at;             ///< on which part, and where on it
  Place place;                  ///< as it was named
  std::string path;             ///< where that stands: "joint.clamp.of[1]"
  std::string part;             ///< its name; "ground"
  std::optional<Triple> X;      ///< reference position [m]; none: the ground as a whole
  int point = -1, vector = -1;  ///< slots of the place and of the direction there, once there are any

  using On = MaterialPlace::On;
  bool is_ground() const { return at.on == On::ground; }
  bool on_plate() const { return at.on == On::plate; }
  bool on_solid() const { return at.on == On::solid; }
  /// Index into Machine::cables or bodies, −1 on anything else.
  int cable() const { return at.on == On::cable ? at.part : -1; }
  int body() const { return at.on == On::body ? at.part : -1; }
  Triple position() const { return X.value_or(Triple{}); }
};

/// Nothing after a problem, or where the part could not be made, which was said.
std::optional<Location> locate(MachineDraft& draft, const Place& place, const std::string& path);
/// The same without a word, of something that is not there now.
std::optional<MaterialPlace> find_quietly(const MachineDraft& draft, const Place& place);
/// The same point of the same part.
bool are_same(const Location& a, const Location& b);
/// A node of a beam, which has directions of its own.
bool is_on_frame(const MachineDraft& draft, const Location& location);
/// A node of a beam of full elements, whose section deforms.
bool is_on_fibres(const MachineDraft& draft, const Location& location);

/// Slot of the place, made if need be; −1 after a problem.
int point_slot(MachineDraft& draft, Location& location);
/// Slot of the direction that the place carries: of a curve ∂r/∂x, of a body its first axis.
int vector_slot(MachineDraft& draft, Location& location);
/// Slot of the vector that the part carries and that is `n` in the reference configuration; −1 after a problem, which is
/// the joint's that asks.
int direction_slot(MachineDraft& draft, Location& location, const Triple& n, const Origin& joint);

/// Of a form over slots with their reference coordinates; planar: z = 0.
Triple reference_of(const MachineDraft& draft, const LinearForm& form);
/// ∂r/∂x of a curve at the place in the reference configuration.
Triple reference_direction(const MachineDraft& draft, const Location& location);

}  // namespace flexura::detail

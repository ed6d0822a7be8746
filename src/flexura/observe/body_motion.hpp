#pragma once
// Frames of rigid bodies and how they turn, from the slots that carry them.

#include <array>
#include <span>
#include <vector>

#include "flexura/observe/channel_column.hpp"
#include "flexura/part/machine.hpp"

namespace flexura {

/// Origin and unit axes of a body, or their first or second derivatives: whichever `from` holds, in q order. In planar
/// models z is zero. Axes that the body does not have are zero.
struct BodyFrame {
  std::array<double, 3> origin{};
  std::array<std::array<double, 3>, 3> axes{};
};
BodyFrame body_frame(const BodyPart& body, const Topology& topology, const std::vector<double>& from);

/// ½ Σ e_i × ė_i, the angular velocity; with ë_i the angular acceleration, for Σ ė_i × ė_i = 0. Of a slender rod e × ė.
/// `axes`: how many the body has; 3 of a node of a beam, whose directors are axes.
std::array<double, 3> turning(int axes, const BodyFrame& frame, const BodyFrame& rates);

/// Position, then the planar angle [rad] that is nearest to the last one, or quat_xyzw with the sign of the last one:
/// `out` and `last` hold 3 or 7 numbers. A slender rod in space has the shortest rotation that takes X to its axis.
void read_frame(int axes, const BodyFrame& frame, std::span<double> out, std::span<const double> last);
void read_frame(const BodyPart& body, const Topology& topology, const std::vector<double>& q, std::span<double> out,
                std::span<const double> last);
/// 3 planar, 7 spatial.
inline int frame_numbers(int dim) { return dim == 2 ? 3 : 7; }
/// The same as columns: "position", and "angle" or "quat_xyzw".
std::vector<ChannelColumn> frame_columns(int dim, const std::string& doc);
/// A vector of the world, as a column.
ChannelColumn vector_column(int dim, std::string name, std::string unit, std::string doc);

/// `angle` and whole turns, so that it is nearest to `last`.
double unwrapped(double angle, double last);

}  // namespace flexura

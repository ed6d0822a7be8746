#include "flexura/mesh/surface_shapes.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <random>

#include "flexura/mesh/surface_gradients.hpp"

namespace flexura {
namespace {

using std::numbers::pi;
constexpr double full_turn = 2 * pi;
constexpr double close_turn = 1e-12;  // relative: an angle typed with twelve digits is a full turn

void check_turn(ParameterCheck& check, double angle, std::string_view field) {
  check.require(std::isfinite(angle) && angle > 0 && angle <= full_turn * (1 + close_turn), field,
                "must be above 0 and at most a full turn, 2 pi rad");
}
bool is_full(double angle) { return angle >= full_turn * (1 - close_turn); }

void check_gradings(ParameterCheck& check, const Grading& u, const Grading& v) {
  check.positive(u.ratio, "grading_u", "");
  check.positive(v.ratio, "grading_v", "");
}

/// Moves nodes inside the edges at random; sides become straight lines.
void distort(SurfaceMesh& mesh, const FlatPlate& plate, const SurfaceGrid& grid) {
  const auto smallest = [](const std::vector<double>& lines) {
    double out = lines.back() - lines.front();
    for (size_t k = 1; k < lines.size(); ++k) out = std::min(out, lines[k] - lines[k - 1]);
    return out;
  };
  const double dx = smallest(grid.u) * plate.distortion, dy = smallest(grid.v) * plate.distortion;
  std::mt19937 random(plate.seed);
  const auto share = [&] { return 2 * (random() / 4294967295.0) - 1; };
  for (int i = 1; i + 1 < mesh.nodes_u; ++i)
    for (int j = 1; j + 1 < mesh.nodes_v; ++j) {
      Vec3& r = mesh.nodes[i * mesh.nodes_v + j].position;
      r[0] += dx * share();
      r[1] += dy * share();
    }
  recover_gradients(mesh);
}

/// Frames at given places, and between them one step on from the place before.
class FramedPath {
 public:
  FramedPath(TubePath path, std::vector<double> places, const Vec3& up)
      : path_(std::move(path)), places_(std::move(places)), frames_(minimal_twist_frames(path_, places_, up)) {}
  PathPoint at(double s) const { return path_.at(s); }
  PathFrame frame(double s) const {
    const auto above = std::upper_bound(places_.begin() + 1, places_.end(), s);
    const size_t k = above - places_.begin() - 1;
    if (places_[k] == s) return frames_[k];
    return minimal_twist_frames(path_, {places_[k], s}, frames_[k].normal).back();
  }

 private:
  TubePath path_;
  std::vector<double> places_;
  std::vector<PathFrame> frames_;
};

}  // namespace

SurfaceMesh make_mesh(const FlatPlate& plate) {
  ParameterCheck check;
  check.positive(plate.length, "length");
  check.positive(plate.width, "width");
  check.count(plate.elements_u, "elements_u");
  check.count(plate.elements_v, "elements_v");
  check_gradings(check, plate.grading_u, plate.grading_v);
  check.require(plate.distortion >= 0 && plate.distortion < 0.4, "distortion", "must be 0 or above, and below 0.4");
  check.done();
  SurfaceGrid grid;
  grid.map = [](double x, double y) { return SurfacePoint{{x, y, 0}, {1, 0, 0}, {0, 1, 0}}; };
  grid.u = grid_lines(0, plate.length, plate.elements_u, plate.grading_u);
  grid.v = grid_lines(0, plate.width, plate.elements_v, plate.grading_v);
  grid.scale_u = grid.scale_v = 1;
  grid.warp = plate.warp;
  grid.thickness = plate.thickness;
  SurfaceMesh mesh = structured_mesh(grid);
  if (plate.distortion > 0) distort(mesh, plate, grid);
  return mesh;
}

SurfaceMesh make_mesh(const CylinderPanel& panel) {
  ParameterCheck check;
  check.positive(panel.radius, "radius");
  check.positive(panel.width, "width");
  check.count(panel.elements_u, "elements_u");
  check.count(panel.elements_v, "elements_v");
  check_turn(check, panel.angle, "angle");
  check_gradings(check, panel.grading_u, panel.grading_v);
  check.done();
  SurfaceGrid grid;
  grid.map = [R = panel.radius](double arc, double y) {
    const double c = std::cos(arc / R), s = std::sin(arc / R);
    return SurfacePoint{{R * s, y, R * (1 - c)}, {c, 0, s}, {0, 1, 0}};
  };
  grid.u = grid_lines(0, panel.radius * panel.angle, panel.elements_u, panel.grading_u);
  grid.v = grid_lines(0, panel.width, panel.elements_v, panel.grading_v);
  grid.scale_u = grid.scale_v = 1;
  grid.warp = panel.warp;
  grid.thickness = panel.thickness;
  return structured_mesh(grid);
}

SurfaceMesh make_mesh(const LoftedTube& tube) {
  ParameterCheck check;
  check.require(tube.path.at != nullptr && std::isfinite(tube.path.length) && tube.path.length > 0, "path",
                "must be a curve with a length above 0 m");
  check.require(tube.radius != nullptr, "radius", "must be given");
  check.count(tube.along, "along");
  check_turn(check, tube.angle, "angle");
  check.count(tube.around, "around", is_full(tube.angle) ? 3 : 1);
  check.finite(tube.first_angle, "first_angle");
  check.positive(tube.grading.ratio, "grading", "");
  check.positive(tube.grading_around.ratio, "grading_around", "");
  check.require(norm(tube.up) > 0, "up", "must not be 0");
  check.done();

  SurfaceGrid grid;
  grid.u = grid_lines(0, tube.path.length, tube.along, tube.grading);
  grid.v = grid_lines(tube.first_angle, tube.first_angle + (is_full(tube.angle) ? full_turn : tube.angle), tube.around,
                      tube.grading_around);
  double mean = 0;
  for (const double s : grid.u) {
    const double radius = tube.radius(s).value;
    check.positive(radius, "radius");
    check.require(radius * norm(tube.path.at(s).curvature) < 1, "radius",
                  "must be below the path's radius of curvature, else the tube cuts through itself");
    check.done();
    mean += radius / static_cast<double>(grid.u.size());
  }
  grid.scale_u = 1;
  grid.scale_v = mean;
  grid.closed_v = is_full(tube.angle);
  grid.warp = tube.warp;
  grid.thickness = tube.thickness;
  const auto path = std::make_shared<const FramedPath>(tube.path, grid.u, tube.up);
  grid.map = [path, radius = tube.radius](double s, double theta) {
    const PathPoint c = path->at(s);
    const PathFrame frame = path->frame(s);
    const RadiusPoint R = radius(s);
    const double co = std::cos(theta), si = std::sin(theta);
    const Vec3 out = co * frame.normal + si * frame.binormal;
    return SurfacePoint{c.position + R.value * out, (1 - R.value * dot(c.curvature, out)) * c.tangent + R.slope * out,
                        R.value * (co * frame.binormal - si * frame.normal)};
  };
  return structured_mesh(grid);
}

SurfaceMesh make_mesh(const Cone& cone) {
  ParameterCheck check;
  check.positive(cone.radius_start, "radius_start");
  check.positive(cone.radius_end, "radius_end");
  check.positive(cone.length, "length");
  check.done();
  LoftedTube tube;
  tube.path = straight_path({0, 0, 0}, {cone.length, 0, 0});
  tube.radius = linear_radius(cone.radius_start, cone.radius_end, cone.length);
  tube.along = cone.along;
  tube.around = cone.around;
  tube.first_angle = cone.first_angle;
  tube.angle = cone.angle;
  tube.grading = cone.grading;
  tube.warp = cone.warp;
  tube.thickness = cone.thickness;
  return make_mesh(tube);
}

SurfaceMesh make_mesh(const Hemisphere& hemisphere) {
  const double turn = hemisphere.to - hemisphere.from;
  ParameterCheck check;
  check.positive(hemisphere.radius, "radius");
  check.require(hemisphere.hole > 0 && hemisphere.hole < pi / 2, "hole",
                "must be above 0, as elements cannot meet in the pole, and below pi/2 rad");
  check.finite(hemisphere.from, "from");
  check_turn(check, turn, "to");
  check.count(hemisphere.elements_u, "elements_u", is_full(turn) ? 3 : 1);
  check.count(hemisphere.elements_v, "elements_v");
  check_gradings(check, hemisphere.grading_u, hemisphere.grading_v);
  check.done();
  SurfaceGrid grid;
  grid.map = surface_map([R = hemisphere.radius]<class T>(const T& azimuth, const T& latitude) {
    return Vec<3, T>{R * cos(latitude) * cos(azimuth), R * cos(latitude) * sin(azimuth), R * sin(latitude)};
  });
  const double height = pi / 2 - hemisphere.hole;
  grid.closed_u = is_full(turn);
  grid.u = grid_lines(hemisphere.from, grid.closed_u ? hemisphere.from + full_turn : hemisphere.to,
                      hemisphere.elements_u, hemisphere.grading_u);
  grid.v = grid_lines(0, height, hemisphere.elements_v, hemisphere.grading_v);
  grid.scale_u = hemisphere.radius * std::sin(height) / height;  // mean radius of the parallels
  grid.scale_v = hemisphere.radius;
  grid.warp = hemisphere.warp;
  return structured_mesh(grid);
}

SurfaceMesh make_mesh(const Annulus& annulus) {
  ParameterCheck check;
  check.positive(annulus.inner, "inner");
  check.require(std::isfinite(annulus.outer) && annulus.outer > annulus.inner, "outer", "must be above \"inner\"");
  check_turn(check, annulus.angle, "angle");
  check.require(!annulus.closed || is_full(annulus.angle), "closed", "needs a full turn");
  check.count(annulus.radial, "radial");
  check.count(annulus.around, "around", is_full(annulus.angle) ? 3 : 1);
  check.positive(annulus.grading.ratio, "grading", "");
  check.positive(annulus.grading_around.ratio, "grading_around", "");
  check.done();
  SurfaceGrid grid;
  grid.map = surface_map([]<class T>(const T& radius, const T& angle) {
    return Vec<3, T>{radius * cos(angle), radius * sin(angle), T(0.0)};
  });
  grid.u = grid_lines(annulus.inner, annulus.outer, annulus.radial, annulus.grading);
  grid.v = grid_lines(0, is_full(annulus.angle) ? full_turn : annulus.angle, annulus.around, annulus.grading_around);
  grid.closed_v = annulus.closed;
  grid.scale_u = 1;
  grid.scale_v = (annulus.inner + annulus.outer) / 2;
  grid.warp = annulus.warp;
  return structured_mesh(grid);
}

void move(SurfaceMesh& mesh, const Vec3& x, const Vec3& y, const Vec3& z, const Vec3& origin) {
  const auto turn = [&](const Vec3& a) { return a[0] * x + a[1] * y + a[2] * z; };
  for (SurfaceNode& node : mesh.nodes) {
    node.position = turn(node.position) + origin;
    node.gradient_u = turn(node.gradient_u);
    node.gradient_v = turn(node.gradient_v);
  }
}

}  // namespace flexura

#pragma once
// Surfaces, volumes, curves and laws given by formulas.

#include <functional>
#include <string>

#include "flexura/mesh/surface_grid.hpp"
#include "flexura/mesh/surface_path.hpp"
#include "flexura/signal/expression.hpp"

namespace flexura {

/// The surface x(u, v), y(u, v), z(u, v) [m]; its derivatives are exact. Throws InputError with every mistake in the
/// texts, under the paths "x", "y", "z" with the column in the text.
SurfaceMap expression_surface(const std::string& x, const std::string& y, const std::string& z,
                              const Parameters& parameters = {});

/// The volume x(u, v, w), y(u, v, w), z(u, v, w) [m]. Throws as expression_surface.
std::function<Vec3(double u, double v, double w)> expression_volume(const std::string& x, const std::string& y,
                                                                    const std::string& z,
                                                                    const Parameters& parameters = {});

/// A number depending on u, v and w, under the path `field` in errors.
std::function<double(double u, double v, double w)> expression_of_uvw(const std::string& text, const std::string& field,
                                                                      const Parameters& parameters = {});

/// A factor or other number depending on u and v, under the path `field` in errors.
std::function<double(double u, double v)> expression_of_uv(const std::string& text, const std::string& field,
                                                           const Parameters& parameters = {});

/// The curve x(u), y(u), z(u) [m] from u = `from` to `to`, by its arc length.
TubePath expression_path(const std::string& x, const std::string& y, const std::string& z, double from, double to,
                         const Parameters& parameters = {});

/// A radius as a formula in the arc length s [m].
RadiusLaw expression_radius(const std::string& text, const Parameters& parameters = {});

/// A surface given by formulas, as a mesh.
struct ExpressionSurface {
  std::string x = {}, y = {}, z = {};                 ///< in u and v [m]
  Parameters parameters = {};                         ///< named numbers in the formulas
  double from_u = 0, to_u = 1, from_v = 0, to_v = 1;  ///< ranges of u and v
  int elements_u = 8, elements_v = 8;
  Grading grading_u = {}, grading_v = {};
  bool closed_u = false, closed_v = false;
  double warp = 0;
  std::string thickness = {};  ///< factor in u and v; empty: 1
};
SurfaceMesh make_mesh(const ExpressionSurface& surface);

}  // namespace flexura

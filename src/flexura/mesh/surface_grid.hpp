#pragma once
// Structured meshes: a surface r(u, v) on lines of constant u and v.

#include <concepts>
#include <functional>
#include <string>
#include <vector>

#include "flexura/base/problem.hpp"
#include "flexura/math/dual.hpp"
#include "flexura/mesh/surface_mesh.hpp"

namespace flexura {

/// r(u, v) with its derivatives along u and v.
using SurfaceMap = std::function<SurfacePoint(double u, double v)>;

/// The map of a formula f(u, v) → Vec<3, T> for any scalar T: exact derivatives by dual numbers.
template <class F>
  requires requires(const F& f, Dual<double> x) {
    { f(x, x) } -> std::convertible_to<Vec<3, Dual<double>>>;
  }
SurfaceMap surface_map(F f) {
  return [f = std::move(f)](double u, double v) {
    const Vec<3, Dual<double>> by_u = f(Dual<double>(u, 1), Dual<double>(v)),
                               by_v = f(Dual<double>(u), Dual<double>(v, 1));
    SurfacePoint out;
    for (int i = 0; i < 3; ++i) out.position[i] = by_u[i].v, out.along_u[i] = by_u[i].d, out.along_v[i] = by_v[i].d;
    return out;
  };
}

/// Distances between the lines of a direction grow by one factor from each to the next; the last is `ratio` times the
/// first. `ends`: the last of each half, counted from the ends, is `ratio` times the first. `lines`: where they lie, as
/// shares of the length from 0 to 1, in place of a ratio.
struct Grading {
  double ratio = 1;
  bool ends = false;
  std::vector<double> lines = {};
};

/// `count` + 1 values from `from` to `to`; both are met exactly. Throws InputError where `count` is not that of the lines.
std::vector<double> grid_lines(double from, double to, int count, const Grading& grading = {});

/// Elements on a length [m] of which none is longer than `size` [m], or at least `per_metre` in each metre.
int divisions_of_size(double length, double size, int least = 1);
int divisions_per_metre(double length, double per_metre, int least = 1);

struct SurfaceGrid {
  SurfaceMap map;
  std::vector<double> u, v;                 ///< lines, ascending; of a closed direction the last is the first again
  bool closed_u = false, closed_v = false;  ///< r(u_last, v) = r(u_first, v), and for v
  double scale_u = 0, scale_v = 0;          ///< parametric length [m] of one unit of u, v; 0: mean of |∂r/∂u|, |∂r/∂v|
  double warp = 0;                          ///< lines bent by this share of the sides inside the edges, below 1/(2π)
  std::function<double(double u, double v)> thickness;  ///< factor on the section's thickness; none: 1
};

/// Nodes row by row along v; edges of open directions are sets "start" and "end" (first and last u), "bottom" and "top"
/// (first and last v), in the order of the other parameter; where both are open, corners "corner_start_bottom", ….
/// Throws InputError for lines that do not ascend, closed directions that do not close and places that are not finite.
///
///     g_u = ∂r/∂u / scale_u,   length_u = Δu scale_u       one scale for the whole mesh: neighbours conform exactly
SurfaceMesh structured_mesh(const SurfaceGrid& grid);

/// Gathers what is wrong with a generator's parameters.
class ParameterCheck {
 public:
  void require(bool holds, std::string_view field, std::string_view message) {
    if (!holds) problems_.push_back({{}, std::string(field), std::string(message), {}});
  }
  void positive(double value, std::string_view field, std::string_view unit = "m");
  void finite(double value, std::string_view field);
  void count(int value, std::string_view field, int least = 1);
  void done() const;  ///< throws InputError if anything was wrong

 private:
  std::vector<Problem> problems_;
};

inline constexpr int most_divisions = 10000;        ///< of one direction
inline constexpr int most_surface_nodes = 2000000;  ///< of one mesh

}  // namespace flexura

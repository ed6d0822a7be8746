#pragma once
// Patch tests of the thin plate: a mesh with a small displacement given at its edge nodes, solved for the inner ones.

#include <Eigen/SparseCholesky>
#include <functional>
#include <map>
#include <set>

#include "flexura/element/ancf_thin_plate_kernel.hpp"
#include "flexura/mesh/surface_gradients.hpp"
#include "tests/support/shells.hpp"

namespace flexura::test {

/// A small displacement of a surface, linear in the load, with constant strain and curvature.
struct PatchState {
  const char* name;
  /// u and its derivatives along two directions at a place; these directions are in `at`.
  std::function<SurfacePoint(const SurfacePoint& at)> displacement;
  std::array<double, 6> strain;  ///< ε_11, ε_22, 2 ε_12, κ_11, κ_22, 2 κ_12 in orthonormal axes of the patch
};

struct PatchResult {
  double displacement = 0;  ///< largest error of an inner node's place, of the largest displacement
  double energy = 0;        ///< |U/U_exact − 1|
  double strain = 0;        ///< √ of the energy of the error at the nodes, of that of the state
};

/// u(X) for X in the plane or on a cylinder, by a formula of position in any scalar.
template <class F>
std::function<SurfacePoint(const SurfacePoint&)> displacement_field(F f) {
  return [f](const SurfacePoint& at) {
    using D = Dual<double>;
    const auto along = [&](const Vec3& direction) {
      return f(
          Vec<3, D>{D(at.position[0], direction[0]), D(at.position[1], direction[1]), D(at.position[2], direction[2])});
    };
    const Vec<3, D> u = along(at.along_u), v = along(at.along_v);
    SurfacePoint out;
    for (int i = 0; i < 3; ++i) out.position[i] = u[i].v, out.along_u[i] = u[i].d, out.along_v[i] = v[i].d;
    return out;
  };
}

/// Nodes of sides that have one element.
inline std::set<int> edge_nodes(const SurfaceMesh& mesh) {
  std::map<std::pair<int, int>, int> sides;
  for (const SurfaceElement& e : mesh.elements)
    for (int k = 0; k < 4; ++k) ++sides[std::minmax(e.nodes[k], e.nodes[(k + 1) % 4])];
  std::set<int> out;
  for (const auto& [side, count] : sides)
    if (count == 1) out.insert({side.first, side.second});
  return out;
}

/// The plate's stiffness about the reference, nodes × (r, g_u, g_v).
inline Eigen::SparseMatrix<double> plate_stiffness(const SurfaceMesh& mesh, const PlateSection& section) {
  using P = AncfThinPlateKernel;
  const Laminate& l = section.laminate;
  const P::Options options{section.integration, section.curvature, P::Damped::no};
  std::vector<Eigen::Triplet<double>> entries;
  for (size_t e = 0; e < mesh.elements.size(); ++e) {
    const SurfaceElement& element = mesh.elements[e];
    P::Params<double> p{};
    p.length = element.length_u, p.width = element.length_v, p.rho_h = l.rho_h, p.thickness = l.thickness;
    for (int i = 0; i < 6; ++i) p.A[i] = l.A[i], p.B[i] = l.B[i], p.D[i] = l.D[i];
    for (int i = 0; i < 4; ++i) p.thickness_factor[i] = mesh.nodes[element.nodes[i]].thickness;
    Eigen::MatrixXd to_corners = Eigen::MatrixXd::Zero(36, 36);
    Eigen::VectorXd nodal(36);
    for (int k = 0; k < 4; ++k) {
      const SurfaceNode& node = mesh.nodes[element.nodes[k]];
      const CornerMap map = mesh.corner_map(static_cast<int>(e), k);
      const double block[3][3] = {{1, 0, 0}, {0, map.uu, map.uv}, {0, map.vu, map.vv}};
      for (int i = 0; i < 3; ++i) {
        nodal[9 * k + i] = node.position[i];
        nodal[9 * k + 3 + i] = node.gradient_u[i];
        nodal[9 * k + 6 + i] = node.gradient_v[i];
        for (int row = 0; row < 3; ++row)
          for (int column = 0; column < 3; ++column)
            to_corners(9 * k + 3 * row + i, 9 * k + 3 * column + i) = block[row][column];
      }
    }
    const Eigen::VectorXd X = to_corners * nodal;
    const auto data = P::prepare(p, options, X.data());
    Eigen::Matrix<double, 36, 36, Eigen::RowMajor> K;
    P::tangent(data, options, Context<double>{}, X.data(), X.data(), 0.0, K.data());
    const Eigen::MatrixXd whole = to_corners.transpose() * K.selfadjointView<Eigen::Lower>() * to_corners;
    for (int i = 0; i < 36; ++i)
      for (int j = 0; j < 36; ++j)
        entries.emplace_back(9 * element.nodes[i / 9] + i % 9, 9 * element.nodes[j / 9] + j % 9, whole(i, j));
  }
  const auto size = static_cast<Eigen::Index>(9 * mesh.nodes.size());
  Eigen::SparseMatrix<double> out(size, size);
  out.setFromTriplets(entries.begin(), entries.end());
  return out;
}

/// Holds the edge's nodes in the state and solves for the inner ones.
inline PatchResult patch_test(const SurfaceMesh& mesh, const PlateSection& section, const PatchState& state) {
  const Eigen::SparseMatrix<double> K = plate_stiffness(mesh, section);
  Eigen::VectorXd exact(K.rows());
  double largest = 0;
  for (size_t k = 0; k < mesh.nodes.size(); ++k) {
    const SurfaceNode& n = mesh.nodes[k];
    const SurfacePoint u = state.displacement({n.position, n.gradient_u, n.gradient_v});
    for (int i = 0; i < 3; ++i) {
      const auto at = static_cast<Eigen::Index>(9 * k + i);
      exact[at] = u.position[i], exact[at + 3] = u.along_u[i], exact[at + 6] = u.along_v[i];
    }
    largest = std::max(largest, norm(u.position));
  }
  const std::set<int> edge = edge_nodes(mesh);
  Eigen::VectorXd u = exact;
  std::vector<int> inner(mesh.nodes.size(), -1);
  int count = 0;
  for (size_t k = 0; k < mesh.nodes.size(); ++k)
    if (!edge.contains(static_cast<int>(k))) {
      inner[k] = count++;
      u.segment(static_cast<Eigen::Index>(9 * k), 9).setZero();
    }
  const auto place = [&](Eigen::Index i) { return inner[i / 9] < 0 ? -1 : 9 * inner[i / 9] + i % 9; };
  const Eigen::VectorXd load = K * u;
  Eigen::VectorXd right(9 * count);
  std::vector<Eigen::Triplet<double>> entries;
  for (Eigen::Index column = 0; column < K.outerSize(); ++column) {
    if (place(column) < 0) continue;
    right[place(column)] = -load[column];
    for (Eigen::SparseMatrix<double>::InnerIterator at(K, column); at; ++at)
      if (place(at.row()) >= 0) entries.emplace_back(place(at.row()), place(column), at.value());
  }
  Eigen::SparseMatrix<double> inside(9 * count, 9 * count);
  inside.setFromTriplets(entries.begin(), entries.end());
  const Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> factor(inside);
  Eigen::VectorXd solution = factor.solve(right);
  solution += factor.solve(right - inside * solution);
  PatchResult out;
  for (Eigen::Index i = 0; i < K.rows(); ++i)
    if (place(i) >= 0) {
      u[i] = solution[place(i)];
      if (i % 9 < 3) out.displacement = std::max(out.displacement, std::fabs(u[i] - exact[i]) / largest);
    }
  const Laminate& l = section.laminate;
  double density = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const int at = triangle(i, j);
      const double *e = state.strain.data(), *kappa = e + 3;
      density += e[i] * l.A[at] * e[j] / 2 + e[i] * l.B[at] * kappa[j] + kappa[i] * l.D[at] * kappa[j] / 2;
    }
  const double energy = density * area(mesh);
  const Eigen::VectorXd error = u - exact;
  out.energy = std::fabs(0.5 * u.dot(K * u) / energy - 1);
  out.strain = std::sqrt(std::max(0.0, 0.5 * error.dot(K * error)) / energy);
  return out;
}

/// Of a plane patch, to be put on any mesh in the XY plane: κ = −∂²w.
inline std::vector<PatchState> plane_states() {
  const auto in_plane = [](double xx, double yy, double xy, double yx) {
    return displacement_field([=](const auto& X) {
      using T = std::remove_cvref_t<decltype(X[0])>;
      return Vec<3, T>{T(xx) * X[0] + T(xy) * X[1], T(yx) * X[0] + T(yy) * X[1], T(0.0)};
    });
  };
  const auto across = [](double xx, double yy, double xy) {
    return displacement_field([=](const auto& X) {
      using T = std::remove_cvref_t<decltype(X[0])>;
      return Vec<3, T>{T(0.0), T(0.0), T(0.5 * xx) * X[0] * X[0] + T(0.5 * yy) * X[1] * X[1] + T(xy) * X[0] * X[1]};
    });
  };
  return {{"stretch along x", in_plane(1, 0, 0, 0), {1, 0, 0, 0, 0, 0}},
          {"stretch along y", in_plane(0, 1, 0, 0), {0, 1, 0, 0, 0, 0}},
          {"shear", in_plane(0, 0, 0.7, 0.3), {0, 0, 1, 0, 0, 0}},
          {"bending along x", across(1, 0, 0), {0, 0, 0, -1, 0, 0}},
          {"bending along y", across(0, 1, 0), {0, 0, 0, 0, -1, 0}},
          {"twist", across(0, 0, 1), {0, 0, 0, 0, 0, -2}}};
}

// Meshes of n × n elements on the unit square: rectangles of unequal sides; parallelograms; lines of a smooth map; four
// quadrilaterals of which each is bisected along both sides; nodes moved at random.
inline SurfaceMesh graded_patch(int n) {
  return make_mesh(FlatPlate{.elements_u = n, .elements_v = n, .grading_u = {3}, .grading_v = {0.5}});
}
inline SurfaceMesh sheared_patch(int n) {
  SurfaceGrid grid;
  grid.map = surface_map([](auto u, auto v) {
    using T = decltype(u);
    return Vec<3, T>{u + T(0.5) * v, T(0.2) * u + v, T(0.0)};
  });
  grid.u = grid_lines(0, 1, n, {2});
  grid.v = grid_lines(0, 1, n);
  return structured_mesh(grid);
}
inline SurfaceMesh warped_patch(int n) { return make_mesh(FlatPlate{.elements_u = n, .elements_v = n, .warp = 0.1}); }
inline SurfaceMesh random_patch(int n) {
  return make_mesh(FlatPlate{.elements_u = n, .elements_v = n, .distortion = 0.3});
}
inline SurfaceMesh bisected_patch(int n) {
  SurfaceMesh mesh = make_mesh(FlatPlate{.elements_u = n, .elements_v = n});
  for (SurfaceNode& node : mesh.nodes) {  // the middle of the square moves to (0.6, 0.42)
    const double share = (1 - std::fabs(2 * node.position[0] - 1)) * (1 - std::fabs(2 * node.position[1] - 1));
    node.position += share * Vec3{0.1, -0.08, 0};
  }
  recover_gradients(mesh);
  return mesh;
}
/// 1.5 rad of a cylinder of radius 1 about y, length 1; its lines bent where warp > 0.
inline SurfaceMesh cylinder_patch(int n, double warp) { return vault(1, 1.5, 1, n, n, warp); }

/// Of a cylinder about y of that radius, as `vault` makes it (normal outwards), ν = 0; axes: along the arc s, along y:
///
///     ε_ss = v_s + w/R,  ε_yy = u_y,  2 ε_sy = u_s + v_y,  κ_ss = −w_ss + 2 v_s/R + w/R²,  κ_sy = −w_sy + v_y/R
///
/// with u along y, v along s, w outwards. No force acts inside where E h ε_ss = −D κ_ss/R.
inline std::vector<PatchState> cylinder_states(double R, double h) {
  const auto field = [R](double w, double v_s, double v_y, double u_s, double u_y) {
    return displacement_field([=](const auto& X) {
      using T = std::remove_cvref_t<decltype(X[0])>;
      const T length = sqrt(X[0] * X[0] + X[2] * X[2]);
      const T c = X[2] / length, s = X[0] / length, arc = T(R) * atan2(X[0], X[2]);
      const T v = T(v_s) * arc + T(v_y) * X[1], u = T(u_s) * arc + T(u_y) * X[1];
      return Vec<3, T>{T(w) * s + v * c, u, T(w) * c - v * s};
    });
  };
  const double strain = -h * h / (12 * R), w = R * (2 * strain - R), v_s = strain - w / R;
  return {{"stretch along the axis", field(0, 0, 0, 0, 1), {0, 1, 0, 0, 0, 0}},
          {"shear", field(0, 0, 1, 0, 0), {0, 0, 1, 0, 0, 2 / R}},
          {"bending along the arc", field(w, v_s, 0, 0, 0), {strain, 0, 0, 1, 0, 0}},
          {"twist", field(0, 0, R, -R, 0), {0, 0, 0, 0, 0, 2}}};
}

}  // namespace flexura::test

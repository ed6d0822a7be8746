#pragma once
// What the cases of head and trunk share. Scenes have the sensors `head` (frame), `momentum` (angular) and `ring`
// (position of a node where the trunk begins).

#include <functional>

#include "flexura/mesh/surface_mesh.hpp"
#include "validation/ghoneimy2025/cases.hpp"

namespace flexura::detail {

/// A unit quaternion.
struct Rotation {
  Vec3 v;
  double w;

  Vec3 operator()(const Vec3& x) const;
  Vec3 back(const Vec3& x) const { return Rotation{-1.0 * v, w}(x); }
};

Vec3 vector_at(const Series& s, size_t i, int first = 0);
/// Of a sensor of type frame.
Rotation rotation_at(const Series& frame, size_t i);

/// Of the absolute values.
double largest(const Series& s, int component);
std::vector<double> norms(const Series& s);
double largest_distance(const Series& a, const Series& b);

/// Largest difference of angular momentum and impulse [N m s].
double momentum_error(const SceneRun& run, const std::function<Vec3(double)>& impulse);
/// Largest difference of work and kinetic + strain, over the largest work.
double work_error(const SceneRun& run);
/// Largest distance of the ring's node from where the head, as it stands, would carry it [m].
double weld_gap(const SceneRun& run);

CaseDefinition feeding_case();
CaseDefinition double_action_case();
CaseDefinition long_run_case();

}  // namespace flexura::detail

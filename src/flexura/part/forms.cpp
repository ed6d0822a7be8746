#include "flexura/part/forms.hpp"

#include <algorithm>
#include <array>

#include "flexura/element/cubic_line.hpp"
#include "flexura/element/thin_plate_shape.hpp"

namespace flexura {
namespace {

using Weights = std::vector<std::pair<int, double>>;

/// Nodes of a beam's element.
int nodes_per_element(const CablePart& beam) {
  return static_cast<int>((beam.points.size() - 1) / beam.elements.size()) + 1;
}

/// Lagrange's polynomials through two or three nodes, and their derivatives by ξ.
std::array<double, 3> lagrange(int nodes, double x) {
  if (nodes == 2) return {1 - x, x, 0};
  return {(1 - x) * (1 - 2 * x), 4 * x * (1 - x), x * (2 * x - 1)};
}
std::array<double, 3> lagrange_slope(int nodes, double x) {
  if (nodes == 2) return {-1, 1, 0};
  return {4 * x - 3, 4 - 8 * x, 4 * x - 1};
}

/// Of slots that beams have one of per node.
Weights on_nodes(const CablePart& beam, int element, const std::array<double, 3>& shape, auto&& slot) {
  const int nodes = nodes_per_element(beam), first = element * (nodes - 1);
  Weights out;
  for (int a = 0; a < nodes; ++a) out.emplace_back(slot(first + a), shape[a]);
  return out;
}

bool is_beam(const CablePart& cable) { return !cable.frames.empty(); }

/// Over r₀, g₀, r₁, g₁ of a cable's element.
Weights on_cubic(const ElementRef& element, const std::array<double, 4>& c) {
  Weights out;
  for (int a = 0; a < 4; ++a) out.emplace_back(element.slots[a], c[a]);
  return out;
}

/// ∂r/∂x from the shape functions of (Δ, g₀, g₁), Δ = (r₁ − r₀)/l.
std::array<double, 4> cubic_along(double xi, double length) {
  const CubicShape shape = cubic_shape(xi);
  return {-shape.f[0] / length, shape.f[1], shape.f[0] / length, shape.f[2]};
}

}  // namespace

LinearTerm scaled(int slot, int dim, double factor) {
  LinearTerm term{slot, std::vector<double>(static_cast<size_t>(dim) * dim, 0.0)};
  for (int i = 0; i < dim; ++i) term.matrix[i * dim + i] = factor;
  return term;
}

LinearForm form_of(std::span<const std::pair<int, double>> weights, int dim) {
  LinearForm form{dim, {}, std::vector<double>(dim, 0.0), {}};
  for (const auto& [slot, weight] : weights) form.terms.push_back(scaled(slot, dim, weight));
  return form;
}

LinearForm cable_point(const CablePart& cable, int element, double xi, int dim) {
  if (is_beam(cable))
    return form_of(
        on_nodes(cable, element, lagrange(nodes_per_element(cable), xi), [&](int k) { return cable.points[k]; }), dim);
  const ElementRef& e = cable.elements[element];
  std::array<double, 4> c = cubic_position_shape(xi);
  c[1] *= e.length, c[3] *= e.length;
  return form_of(on_cubic(e, c), dim);
}

LinearForm cable_along(const CablePart& cable, int element, double xi, int dim) {
  if (is_beam(cable)) return beam_director(cable, element, xi, 2);
  const ElementRef& e = cable.elements[element];
  return form_of(on_cubic(e, cubic_along(xi, e.length)), dim);
}

LinearForm cable_slope(const CablePart& cable, int element, double xi, int dim) {
  if (!is_beam(cable)) {
    const ElementRef& e = cable.elements[element];
    std::array<double, 4> c = cubic_along(xi, e.length);
    for (double& x : c) x *= e.length;
    return form_of(on_cubic(e, c), dim);
  }
  return form_of(
      on_nodes(cable, element, lagrange_slope(nodes_per_element(cable), xi), [&](int k) { return cable.points[k]; }),
      dim);
}

LinearForm beam_director(const CablePart& beam, int element, double xi, int i) {
  if (beam.is_full()) {
    if (i == 2) return cable_along(beam, element, xi, 3);
    return form_of(Weights{{beam.fibres[element][i], 1 - xi}, {beam.fibres[element + 1][i], xi}}, 3);
  }
  return form_of(
      on_nodes(beam, element, lagrange(nodes_per_element(beam), xi), [&](int k) { return beam.frames[k][i]; }), 3);
}

LinearForm plate_form(const PlatePart& plate, const MaterialPlace& at, Carried what) {
  Weights out;
  const int derivative = what == Carried::point ? 0 : what == Carried::along ? 1 : 2;
  if (!at.nodes.empty()) {
    const double share = 1 / static_cast<double>(at.nodes.size());
    for (const int node : at.nodes) {
      const PlateNode& slots = plate.model.nodes[node];
      out.emplace_back(derivative == 0 ? slots.r : derivative == 1 ? slots.g_u : slots.g_v, share);
    }
    return form_of(out, 3);
  }
  const ThinPlateShape shape = ThinPlateShape::at(at.xi, at.eta);
  const PlateElement& element = plate.model.elements[at.element];
  const double length[3] = {1, element.parameters[0], element.parameters[1]};
  for (int k = 0; k < 12; ++k) {
    const double value = derivative == 0 ? shape.value[k] : shape.d[k][derivative - 1] / length[derivative];
    if (value != 0) out.emplace_back(element.slots[k], value * length[k % 3]);
  }
  return form_of(out, 3);
}

LinearForm solid_form(const SolidPart& solid, const MaterialPlace& at, Carried what) {
  Weights out;
  if (what == Carried::point && at.set >= 0) {
    for (const auto& [node, weight] : solid.set_means[at.set]) out.emplace_back(solid.model.nodes[node], weight);
    return form_of(out, 3);
  }
  const SolidCell& cell = solid.mesh.elements[at.element];
  const SolidFunctions shape = solid_functions(cell.kind, at.xi, at.eta, at.zeta);
  double rate[3] = {0, 0, 0};  // of ξ, η, ζ along the axis: slopeᵀ rate = axis
  if (what != Carried::point) {
    const SolidPoint p = solid_point(solid.mesh, at.element, {at.xi, at.eta, at.zeta});
    const Triple& axis = solid.placed.axes[what == Carried::along ? 0 : what == Carried::across ? 1 : 2];
    const Vec3 e{axis[0], axis[1], axis[2]};
    for (int i = 0; i < 3; ++i) rate[i] = dot(e, cross(p.slope[(i + 1) % 3], p.slope[(i + 2) % 3])) / p.jacobian();
  }
  for (size_t a = 0; a < cell.all().size(); ++a) {
    double weight = what == Carried::point ? shape.value[a] : 0;
    for (int i = 0; i < 3 && what != Carried::point; ++i) weight += shape.slope[a][i] * rate[i];
    if (weight != 0) out.emplace_back(solid.model.nodes[cell.nodes[a]], weight);
  }
  return form_of(out, 3);
}

LinearForm body_form(const BodyPart& body, const Triple& local, bool is_point, int dim) {
  const size_t n = body.slots.size();
  Weights out;
  for (size_t a = 0; a < n; ++a) {
    double weight = is_point ? body.weights[a] : 0.0;
    for (int k = 0; k < body.axes; ++k) weight += local[k] * body.weights[(k + 1) * n + a];
    if (weight != 0) out.emplace_back(body.slots[a], weight);
  }
  return form_of(out, dim);
}

LinearForm form_at(const Machine& machine, const MaterialPlace& at, Carried what) {
  const int dim = machine.model.topology->dim;
  const size_t axis = what == Carried::across ? 1 : what == Carried::third ? 2 : 0;
  Triple unit{};
  unit[axis] = 1;
  switch (at.on) {
    case MaterialPlace::On::point:
      return form_of(Weights{{machine.points[at.part].slot, 1.0}}, dim);
    case MaterialPlace::On::cable: {
      const CablePart& cable = machine.cables[at.part];
      if (at.node >= 0) {
        const int slot = what == Carried::point ? cable.points[at.node] : cable.vectors[at.node];
        return form_of(Weights{{slot, 1.0}}, dim);
      }
      return what == Carried::point ? cable_point(cable, at.element, at.xi, dim)
                                    : cable_along(cable, at.element, at.xi, dim);
    }
    case MaterialPlace::On::plate:
      return plate_form(machine.plates[at.part], at, what);
    case MaterialPlace::On::solid:
      return solid_form(machine.solids[at.part], at, what);
    case MaterialPlace::On::body:
      return body_form(machine.bodies[at.part], what == Carried::point ? at.local : unit, what == Carried::point, dim);
    default:
      break;
  }
  const Triple& x = what == Carried::point ? at.local : unit;
  return {dim, {}, {x.begin(), x.begin() + dim}, {}};
}

void evaluate(const LinearForm& form, const Topology& topology, std::span<const double> from, std::span<double> out) {
  for (int i = 0; i < form.rows; ++i) out[i] = form.constant.empty() ? 0.0 : form.constant[i];
  for (const LinearTerm& term : form.terms) {
    const Slot& slot = topology.slots[term.slot];
    for (int i = 0; i < form.rows; ++i)
      for (int j = 0; j < slot.size; ++j) out[i] += term.matrix[i * slot.size + j] * from[slot.offset + j];
  }
}

}  // namespace flexura

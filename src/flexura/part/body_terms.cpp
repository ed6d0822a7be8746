// What keeps a body rigid, and its mass.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "flexura/body/rigid_mass.hpp"
#include "flexura/constraint/distance.hpp"
#include "flexura/constraint/inner_product.hpp"
#include "flexura/constraint/offset.hpp"
#include "flexura/constraint/vector_length.hpp"
#include "flexura/part/machine_draft.hpp"

namespace flexura::detail {
namespace {

/// Distances, lengths and inner products of what carries a body.
template <int D>
class Rigidity {
 public:
  Rigidity(MachineDraft& draft, const RigidBody& body) : draft_(draft), body_(body) {
    // A direction without mass needs a pivot; one of the size of inertia over a short time squared does no harm. Short
    // is a seventeenth of the time in which the machine would fall its own length, in any unit of time; without gravity, a
    // tenth of the time in which it turns by one radian at the start.
    const double* J = body.spec->inertia.inertia;
    const double light = 0.01 * body.extent * body.extent;  // of a frame on a plate
    const Loading& loading = draft.loading;
    const auto rate_squared = [&] {
      constexpr double at_rest = 1e4;
      if (loading.acceleration > 0 && loading.length > 0) return 300 * loading.acceleration / loading.length;
      const double swings = loading.mass > 0 ? loading.stiffness / loading.mass : 0;
      const double fastest = std::max(swings, 100 * loading.rate * loading.rate);
      return fastest > 0 ? fastest : at_rest;
    };
    penalty_ = rate_squared() * (body.spec->is_frame() ? light : std::max({J[0], J[1], J[2]}));
  }

  /// Between two of the basis, b < a.
  void keep(int a, int b) {
    const BodyPlace &x = (*body_.basis)[a], &y = (*body_.basis)[b];
    const std::vector<int>& slots = body_.slots;
    if (x.is_point && y.is_point) {
      add<Distance<D>>({slots[b], slots[a]}, {.length = norm(x.local - y.local)});
    } else if (b == 0) {
      add<VectorLength<D>>({slots[a]}, {.length = norm(x.local), .penalty = penalty_});
    } else if (!x.is_point && !y.is_point) {
      add<InnerProduct<D>>({slots[b], slots[a]}, {.value = dot(x.local, y.local), .penalty = penalty_});
    } else {
      const int point = x.is_point ? a : b, vector = x.is_point ? b : a;
      const double value = dot((*body_.basis)[point].local - (*body_.basis)[0].local, (*body_.basis)[vector].local);
      const double L2 = body_.extent * body_.extent;
      add<Offset<D, false>>({slots[0], slots[point], slots[vector]}, {.value = value, .penalty = penalty_ / L2});
    }
  }

 private:
  /// Unless nothing of it moves, or another body has it already.
  template <class E>
  void add(const std::array<int, slots_of<E> - 1>& of, const GivenParams<E>& parameters) {
    // Where places that are brought together tear the body, the constraint stays and is told as a contradiction.
    if (std::all_of(of.begin(), of.end(), [&](int slot) { return draft_.fixed.contains(slot); }) &&
        draft_.builder.holds<E>(of, parameters))
      return;
    std::vector<int> key(of.begin(), of.end());
    std::sort(key.begin(), key.end());
    if (!draft_.kept.insert(key).second) return;
    const Origin& origin = body_.spec->origin;
    const std::string name = fmt::format("{}, rigidity {}", origin.path, ++number_);
    std::array<int, slots_of<E>> slots{};
    std::copy(of.begin(), of.end(), slots.begin());
    slots.back() = draft_.builder.multiplier(name + ".lambda", body_.stiffening_node);
    draft_.builder.may_be_implied(slots.back());
    draft_.builder.item<E>(slots, parameters, name, 0, origin.source);
    draft_.machine.constraints[name] = {"rigidity", body_.spec->name};
  }

  MachineDraft& draft_;
  const RigidBody& body_;
  double penalty_;
  int number_ = 0;
};

/// ∫ρ x xᵀ about the centre; planar: only the sum of the diagonal counts.
std::array<double, 9> second_moment(const RigidInertia& J, int dim) {
  if (dim == 2) return {0.5 * J.inertia[2], 0, 0, 0, 0.5 * J.inertia[2], 0, 0, 0, 0};
  const double half = 0.5 * (J.inertia[0] + J.inertia[1] + J.inertia[2]);
  const double offs[3] = {-J.inertia[3], -J.inertia[4], -J.inertia[5]};
  return {half - J.inertia[0], offs[0], offs[2], offs[0], half - J.inertia[1], offs[1], offs[2], offs[1],
          half - J.inertia[2]};
}

/// The same about the frame's origin, from that about the centre.
std::array<double, 9> about_origin(std::array<double, 9> E, double mass, const Triple& c) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) E[3 * i + j] += mass * c[i] * c[j];
  return E;
}

/// Direction of the line of two points that a planar body's centre lies on: a rod, without the normal.
std::optional<Triple> line_of_rod(const RigidBody& body) {
  const BodyBasis& basis = *body.basis;
  if (!basis[1].is_point) return {};
  const Triple d = basis[1].local - basis[0].local, t = (1 / norm(d)) * d;
  const Triple off = body.center() - basis[0].local;
  if (norm(off - dot(off, t) * t) > 1e-14 * body.extent) return {};
  return t;
}

template <class Mass>
void add_item(MachineDraft& draft, const RigidBody& body, const BodyBasis& basis, const std::array<double, 9>& E) {
  const std::vector<double> m = basis.mass_matrix(body.spec->inertia.mass, body.center(), E);
  GivenParams<Mass> parameters;
  for (int k = 0; k < Mass::pairs; ++k) parameters.m[k] = m[k];
  std::array<int, slots_of<Mass>> slots{};
  std::copy_n(body.slots.begin(), slots.size(), slots.begin());
  draft.builder.item<Mass>(slots, parameters, body.spec->origin.path, draft.options.mass_damping,
                           body.spec->origin.source);
}

/// Of barycentric coordinates c with m_ij = ∫ ρ c_i c_j dV:  member 6 m_ij,  node m_ii − 2 Σ_j≠i m_ij.
BodyTrusses trusses_of(const RigidBody& body, int dim) {
  BodyTrusses out;
  const BodyBasis& basis = *body.basis;
  for (int i = 0; i < basis.size(); ++i)
    if (basis[i].is_point) out.nodes.push_back({basis[i].local});
  const RigidInertia& J = body.spec->inertia;
  const std::array<double, 9> E = about_origin(second_moment(J, dim), J.mass, body.center());
  const std::vector<double> m = basis.mass_matrix(J.mass, body.center(), E);
  size_t pair = 0;
  for (int i = 0; i < static_cast<int>(out.nodes.size()); ++i)
    for (int j = 0; j <= i; ++j) {
      const double part = dim == 3 ? m[pair++] : 0;
      if (i == j) {
        out.nodes[i].mass += part;
        continue;
      }
      out.members.push_back({j, i, 6 * part});
      out.nodes[i].mass -= 2 * part;
      out.nodes[j].mass -= 2 * part;
    }
  return out;
}

}  // namespace

void add_rigidity(MachineDraft& draft, int index) {
  const RigidBody& body = draft.bodies[index];
  const int count = draft.dim() == 2 ? 2 : body.basis->size();
  in_space(draft.dim(), [&]<int D>() {
    Rigidity<D> rigidity(draft, body);
    for (int a = 0; a < count; ++a)
      for (int b = 0; b < a; ++b) rigidity.keep(a, b);
  });
}

void add_mass(MachineDraft& draft, int index) {
  const RigidBody& body = draft.bodies[index];
  if (body.spec->of_trusses) draft.machine.bodies[index].trusses = trusses_of(body, draft.dim());
  const RigidInertia& J = body.spec->inertia;
  const BodyBasis& basis = *body.basis;
  std::array<double, 9> E = second_moment(J, draft.dim());
  if (draft.dim() == 3) return add_item<RigidMass3d>(draft, body, basis, about_origin(E, J.mass, body.center()));
  const std::optional<Triple> t = line_of_rod(body);
  if (!t) return add_item<RigidMass2d>(draft, body, basis, about_origin(E, J.mass, body.center()));
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) E[3 * i + j] = J.inertia[2] * (*t)[i] * (*t)[j];
  add_item<RodMass2d>(draft, body, BodyBasis({basis[0], basis[1]}), about_origin(E, J.mass, body.center()));
}

}  // namespace flexura::detail

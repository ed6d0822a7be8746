#pragma once
// Every material point of a part is a constant linear combination of slots, and so is every direction that its material
// carries. Here each kind of part states these forms, once; whoever speaks of a place uses them.
//
//     curve     r(x) = Σ S_a(ξ) s_a,  r_x = ∂r/∂x,  directors dᵢ(x) of beams
//     plate     r(u, v),  r_u, r_v;  of a set of nodes their mean
//     solid     r(ξ, η, ζ),  ∂r/∂X_i along the axes of its own frame;  of a set the mean over its area or volume
//     body      origin + Σ X_k e_k;  the axes e_k of its frame

#include <span>
#include <utility>
#include <vector>

#include "flexura/math/triple.hpp"
#include "flexura/part/machine.hpp"
#include "flexura/part/material_place.hpp"

namespace flexura {

/// Which of the material's quantities at a place: the point itself, or a direction that is carried there.
enum class Carried {
  point,
  along,   ///< ∂r/∂x of a curve (a cable's gradient, a beam's d₃), ∂r/∂u of a plate, first axis of a body
  across,  ///< ∂r/∂v of a plate, second axis of a body
  third,   ///< third axis of a body
};

/// factor · slot: a term of a form with `dim` rows.
LinearTerm scaled(int slot, int dim, double factor);
/// Σ weight · slot with `dim` rows; terms of weight 0 are kept.
LinearForm form_of(std::span<const std::pair<int, double>> weights, int dim);

/// r at the share ξ of an element of a cable or beam [m].
LinearForm cable_point(const CablePart& cable, int element, double xi, int dim);
/// ∂r/∂x there, x the element's parameter [1]. Of a beam: its third director, the normal of the section.
LinearForm cable_along(const CablePart& cable, int element, double xi, int dim);
/// ∂r/∂ξ of the curve itself, also of beams, whose sections may shear [m].
LinearForm cable_slope(const CablePart& cable, int element, double xi, int dim);
/// Director i of a beam's section [1]; of full elements r_y, r_z or r_x.
LinearForm beam_director(const CablePart& beam, int element, double xi, int i);

/// r, ∂r/∂u or ∂r/∂v of a plate at a place of an element, or the mean of `nodes` where there are any.
LinearForm plate_form(const PlatePart& plate, const MaterialPlace& at, Carried what);

/// r of a solid, or what its first, second or third axis has become there: a column of the deformation gradient.
LinearForm solid_form(const SolidPart& solid, const MaterialPlace& at, Carried what);

/// A point of a body from its place in the body's frame [m], or a direction.
LinearForm body_form(const BodyPart& body, const Triple& local, bool is_point, int dim);

/// The form of a place that is not on the ground; of the ground: a constant.
LinearForm form_at(const Machine& machine, const MaterialPlace& at, Carried what);

/// Σ matrix · slot + constant, of numbers in q order: q, v, a or the reference. Prescribed parts of the form count as 0.
/// `out` [rows of the form].
void evaluate(const LinearForm& form, const Topology& topology, std::span<const double> from, std::span<double> out);

}  // namespace flexura

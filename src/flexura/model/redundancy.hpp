#pragma once
// Constraints that follow from others, found before anything is solved.
//
// After the elimination of linear relations a distance, a length, an inner product or an offset is a polynomial of
// second degree in the free coordinates,
//
//     Φ = Σ a_m m(y, u) + c,      m: products of at most two coordinates or signals
//
// Rows whose polynomials without c are linearly dependent say the same thing: |e|² = 1 of a hinge axis e that two bodies
// share, or the closing equations of a planar loop in space. If their constants agree too, the later ones are implied;
// if not, they contradict each other.
//
// A row with a monomial of its own is independent of all others. Such rows are set aside until none is left, in a time
// proportional to the model; Gaussian elimination, the largest pivots first, sees only the rest.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "flexura/model/linear_relations.hpp"

namespace flexura {

/// Coefficient of a monomial. `size`: of what was added up to it; smaller by ten digits is zero.
struct Coefficient {
  std::uint64_t monomial = 0;  ///< 0: the constant
  double value = 0, size = 0;
  double at = 0;  ///< the monomial in the reference
};

/// Monomials in ascending order, each once, the constant first; `size` of the constant: what counts as zero is measured
/// on the terms of the equation in the reference.
struct QuadraticConstraint {
  std::vector<Coefficient> terms;

  /// True where no coordinate and no signal is left.
  bool says_nothing() const { return terms.size() <= 1; }
};

struct Redundancy {
  struct Contradiction {
    int constraint = 0;
    double mismatch = 0;    ///< |c| of the equation that cannot hold
    std::vector<int> with;  ///< constraints that it contradicts, ascending
  };
  std::vector<int> implied;  ///< ascending; each follows from the others, of like ones the later from the earlier
  std::vector<Contradiction> contradictions;
  std::int64_t work = 0;  ///< coefficients and constraints read in the elimination
};

Redundancy find_redundancy(std::span<const QuadraticConstraint> constraints);
inline std::vector<int> implied_constraints(std::span<const QuadraticConstraint> constraints) {
  return find_redundancy(constraints).implied;
}

/// Components of a slot as affine forms of numbered variables: first[slot] + component, signals from `signals` on. Variables are
/// measured in units of their own, so that what rounding leaves of places and of directions can be compared.
struct AffineVector {
  struct Part {
    int variable;
    double factor;
  };
  std::vector<std::vector<Part>> parts;  ///< per component
  std::vector<double> constant;
  std::vector<double> size;  ///< of what was added up to `constant`: smaller by ten digits is zero
};
/// `unit`: per variable, the same for all of a slot; empty: 1.
AffineVector affine_vector(const LinearForm& form, std::span<const int> first, int signals,
                           std::span<const double> unit = {});

/// Whether quadratic_constraint knows constraints of that name (distance_2d, …).
bool is_quadratic(std::string_view term);
/// The constraint on its slots without the multiplier, in the term's order. `y`: reference values of the variables.
QuadraticConstraint quadratic_constraint(std::string_view term, std::span<const AffineVector> slots,
                                         std::span<const double> parameters, std::span<const double> y);

}  // namespace flexura

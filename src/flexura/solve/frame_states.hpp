#pragma once
// States of self-stress and mechanisms of what a model's constraints and elastic members make of it (Maxwell, Calladine):
//
//     A = Jᵀ: equilibrium matrix,  J: a row for each constraint, Φ_q, and each elastic member, its elongation
//     rows − coordinates = s − m        s: forces s with Jᵀ s = 0        m: motions u with J u = 0, rigid ones among them
//
// What a mechanism does to lengths at second order tells whether prestress stiffens it (Pellegrino and Calladine 1986): with
// Φ̈_i(u, u) of each row, Q_k(u, u) = Σ_i s_ki Φ̈_i(u, u) is the stiffness that state k gives. A mechanism that no state acts on
// goes on at second order. Where some Σ α_k Q_k is positive definite on all others, they are infinitesimal: that prestress
// holds them.
//
// Rows have unit length, vectors are measured in extents. One sparse QR factorisation Jᵀ P = Q R; a row of which less than
// 1e-8 is left beside others depends on them.

#include <optional>
#include <string>
#include <vector>

#include "flexura/solve/redundancy.hpp"

namespace flexura {

/// An elastic truss: no constraint of the model, but a member of the frame.
struct ElasticMember {
  std::string name;
  int slots[2] = {-1, -1};
  double tension = 0;  ///< at the state [N]
  bool is_cable = false;
};
/// The model's elastic trusses, at the state.
std::vector<ElasticMember> elastic_members(const Model& model, const State<double>& state);

enum class MechanismKind {
  finite,         ///< no self-stress acts on it: it goes on to second order
  infinitesimal,  ///< prestress stiffens it
  branching       ///< self-stress acts on it, but none stiffens all: paths may cross here
};

struct FrameStates {
  int coordinates = 0;  ///< of the model without multipliers
  int constraints = 0;  ///< rows of Φ; they come first among the rows
  int rank = 0;
  int rigid = 0;                     ///< motions of all as one body
  double weakest = 1;                ///< what is left of a row that counts beside those before it, at least [1]
  std::vector<std::string> rows;     ///< names: item or, of several of one item, multiplier
  std::vector<std::string> members;  ///< of each row: item that it belongs to
  std::vector<ElasticMember> elastic;
  std::vector<std::vector<double>> stresses;  ///< by row; tension positive; the largest has size 1
  struct Mechanism {
    MechanismKind kind = MechanismKind::finite;
    std::vector<double> motion;  ///< by q, dependents expanded; the largest move of a point is 1 [m]
  };
  std::vector<Mechanism> listed;  ///< all, rigid motions apart, or none where there are too many
  /// The elastic members' tensions as part of a state of self-stress.
  struct Prestress {
    double misfit = 0;           ///< what of the tensions is none, over their size
    bool stiffens = false;       ///< all mechanisms that are not finite
    std::vector<double> forces;  ///< by row [N]; empty where it does not fit
  };
  std::optional<Prestress> prestress;
  std::string problem;  ///< why nothing was counted

  int count() const { return static_cast<int>(rows.size()); }
  int self_stress() const { return count() - rank; }
  int mechanisms() const { return coordinates - rank - rigid; }
  /// Of the mechanisms that are listed.
  int of_kind(MechanismKind kind) const;
};

/// At the state; its signals must be set.
FrameStates frame_states(System<double>& system, const Model& model, const State<double>& state);

}  // namespace flexura

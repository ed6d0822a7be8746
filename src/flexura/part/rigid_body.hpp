#pragma once
// Rigid bodies while a machine is made.
//
// A body is carried by D + 1 points and vectors (natural coordinates). Those that joints share with other bodies come
// first, so that the joint costs nothing; the rest are its own.

#include <optional>
#include <string>
#include <vector>

#include "flexura/model/linear_relations.hpp"
#include "flexura/part/rigid_frame.hpp"
#include "flexura/part/specs.hpp"

namespace flexura::detail {

struct MachineDraft;

struct RigidBody {
  const BodySpec* spec = nullptr;
  RigidFrame reference, initial;
  std::vector<std::pair<std::string, Triple>> points;  ///< "center" first
  std::vector<int> nodes;                              ///< slots of stated points that carry it
  Triple spin_of_nodes{};                              ///< as these start [rad/s]
  double extent = 0;                                   ///< size, to tell near from far [m]
  int node = -1;                                       ///< of its own slots
  std::vector<int> marks;                              ///< its places and directions that joints share
  int carrier = -1;    ///< joint plan by which it has its orientation (and place) from another part
  bool begun = false;  ///< its basis is made, or being made
  std::optional<BodyBasis> basis;
  std::vector<int> slots;       ///< of the basis
  bool rigid_by_itself = true;  ///< needs rigidity constraints
  int stiffening_node = -1;     ///< of their multipliers

  Triple center() const { return {spec->inertia.center[0], spec->inertia.center[1], spec->inertia.center[2]}; }
  Triple velocity() const { return spec->velocity.value_or(Triple{}); }
  Triple spin() const { return spec->angular_velocity.value_or(spin_of_nodes); }
  /// Where a point or vector that is X in the reference configuration starts.
  Triple start_of(const Triple& X) const { return initial.to_space(reference.to_local(X)); }
  Triple start_turned(const Triple& v) const { return initial.turned(reference.turned_back(v)); }
  BodyPlace point_at(const Triple& X) const { return {true, reference.to_local(X)}; }
  BodyPlace vector_along(const Triple& n) const { return {false, reference.turned_back(n)}; }
};

/// A place or direction of a part that joints share with those of other parts: they get one slot.
struct Mark {
  int body = -1;  ///< −1: not of a body, its slot is given
  BodyPlace place;
  int slot = -1;
  int parent = -1;  ///< union–find; −1: a root, whose slot is that of all
  int count = 1;
};

class Marks {
 public:
  int add(const Mark& mark);
  const Mark& operator[](int mark) const { return marks_[mark]; }
  Mark& root(int mark);
  const Mark& root(int mark) const;
  bool are_one(int a, int b) const { return &root(a) == &root(b); }
  /// Several places share it, or its slot is given.
  bool is_shared(int mark) const { return root(mark).slot >= 0 || root(mark).count > 1; }
  /// Gives two marks one slot, unless each has its own already.
  void unite(int a, int b);

 private:
  std::vector<Mark> marks_;
};

/// J is that of a mass distribution if E = tr(J)/2 I − J = ∫ρ x xᵀ has no negative eigenvalue. `principal_ones`: whether the
/// diagonal by itself could be one.
bool can_be_inertia(const double* J, bool& principal_ones);

// rigid_body.cpp
void begin_body(MachineDraft& draft, const BodySpec& spec);
/// Chooses the slots that carry a body, and gives it mass and rigidity; once.
void finish_body(MachineDraft& draft, int body);
/// The mark of a place of a body, the one that is there or a new one.
int mark_of(MachineDraft& draft, int body, const BodyPlace& place);
int slot_of_mark(MachineDraft& draft, int mark);  ///< made where there is none
/// Slot of a place or direction of a body, a combination of its basis; −1 after a problem.
int body_slot(MachineDraft& draft, int body, const BodyPlace& place);
int axis_slot(MachineDraft& draft, int body, int axis);  ///< of the body's frame
/// Σ c_a · slot of the basis.
LinearForm on_basis(const MachineDraft& draft, int body, const std::vector<double>& c);
/// A slot of the body's own.
int new_body_slot(MachineDraft& draft, int body, const BodyPlace& place);

// body_basis.cpp
/// Shared points and vectors first, then its own.
void choose_basis(MachineDraft& draft, int body);
/// Place and orientation, or the orientation only, from the part that a weld or a slide ties it to.
void carry_basis(MachineDraft& draft, int body);

// body_terms.cpp
void add_rigidity(MachineDraft& draft, int body);
void add_mass(MachineDraft& draft, int body);

}  // namespace flexura::detail

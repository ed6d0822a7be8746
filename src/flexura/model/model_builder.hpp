#pragma once
// Collects named things, validates them, reports every problem at once, and builds a Model.
//
//     ModelBuilder b(2);
//     int node = b.node();
//     int r0 = b.slot("cable.0.r", SlotKind::point, X, node);
//     b.fix(r0, "joint.clamp");
//     b.item<AncfCable2d>({r0, g0, r1, g1}, {.EA = 2000.0, .EI = 0.02, .rhoA = 0.12, .length = 0.1},
//                         {.curvature = AncfCable2d::Curvature::geometric}, "cable, element 0");
//     Model model = b.build();          // throws InputError

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "flexura/model/contact_model.hpp"
#include "flexura/model/linear_relations.hpp"
#include "flexura/model/model.hpp"
#include "flexura/term/numbers.hpp"

namespace flexura {

class ModelBuilder {
 public:
  explicit ModelBuilder(int dim) : dim_(dim) {}
  int dim() const { return dim_; }

  /// A group of slots that the linear solver keeps in one block.
  int node() { return nodes_++; }
  /// A slot with reference coordinates X, initial coordinates the same, at rest. node < 0: a node of its own.
  int slot(std::string name, SlotKind kind, std::span<const double> X, int node = -1);
  /// A multiplier; those of one node share a block of the linear solver.
  int multiplier(std::string name, int node = -1);
  /// The constraint of this multiplier may be left out where others imply it: of a body's rigidity, whose forces nobody
  /// asks for. Others stay, so that their loads can be shared and reported.
  void may_be_implied(int multiplier) { expendable_.insert(multiplier); }
  /// The size of the model [m], by which coefficients of places and of directions are compared.
  void set_length(double length) { length_ = length; }
  void set_initial(int slot, std::span<const double> q0, std::span<const double> v0);
  int slot_size(int slot) const { return sizes_[slot]; }
  std::span<const double> reference(int slot) const { return reference_[slot]; }
  const std::string& slot_name(int slot) const { return names_[slot]; }

  /// Points and vectors that constraints keep rigid: integrators let them turn together.
  void rigid_body(std::vector<int> slots) { rigid_bodies_.push_back(std::move(slots)); }
  /// Two points that a constraint keeps at a distance: the same.
  void rod(int a, int b, std::string name) { rods_.push_back({{a, b}, std::move(name)}); }
  /// Two points that constraints keep together.
  void pin(int a, int b, std::string name) { pins_.push_back({{a, b}, std::move(name)}); }

  /// Signals of the model; `effective` gives the index that items and drives refer to.
  void set_signals(std::shared_ptr<const SignalSet> signals) { signal_set_ = std::move(signals); }
  int effective(const EffectiveSignal& signal);
  int constant_signal() { return effective({}); }
  /// A signal that is 0 at all times.
  bool stays_zero(const EffectiveSignal& signal) const;
  /// A law that an item of the model calls.
  void keep(std::shared_ptr<const RegisteredLaw> law) { laws_.push_back(std::move(law)); }

  /// Linear relations. `author` is the name that messages use, `source` its place.
  void fix(int slot, const std::string& author, Source source = {});
  /// slot = X + Σ direction u(t)
  void prescribe(int slot, const std::map<int, std::vector<double>>& drives, const std::string& author,
                 Source source = {});
  /// slot = Σ matrix · other + constant + Σ direction u(t)
  void equate(int slot, LinearForm form, const std::string& author, Source source = {});
  /// The same of a slot that has its place from the others: forces on it are theirs. A relation like any other where they depend on it.
  void define(int slot, LinearForm form, const std::string& author, Source source = {});
  bool is_defined(int slot) const { return defined_.contains(slot); }
  /// Whether nothing is left of a combination once slots that others define are replaced by those.
  bool follows_from_definitions(const std::vector<LinearTerm>& terms) const;
  /// form = 0 with rows given by the form.
  void relate(LinearForm form, const std::string& author, Source source = {});
  /// Where the slot is, if by what has been related so far it does not move.
  std::optional<std::vector<double>> constant(int slot) const;
  /// Whether a constraint holds between slots that do not move, whose places are their references (model/redundancy.hpp).
  template <DeclaredTerm E>
  bool holds(const std::array<int, slots_of<E> - 1>& slots, const GivenParams<E>& parameters) const {
    return holds(E::name, slots, numbers_of<E>(parameters));
  }
  /// A new slot that is a fixed combination of others (a place inside an element), with reference and initial
  /// coordinates combined likewise.
  int combination(std::string name, SlotKind kind, LinearForm form, const std::string& author);
  /// All of these relations, in the order in which they were stated.
  const std::vector<StatedRelation>& stated() const { return stated_; }
  /// Index there of the relation that is stated next.
  int next_relation() const { return static_cast<int>(stated_.size()); }

  /// An item of a registered term: slots in the term's order (signals: effective indices), parameters and options by
  /// name. Parameters that are left out take the default that the term declares; one without is a problem.
  template <DeclaredTerm E>
  void item(const std::array<int, slots_of<E>>& slots, const GivenParams<E>& parameters, const OptionsOf<E>& options,
            std::string name, double mass_damping = 0, Source source = {}) {
    item(std::string(E::name), slots, numbers_of<E>(parameters), choices_of<E>(options), std::move(name), mass_damping,
         std::move(source));
  }
  /// With the default of every option.
  template <DeclaredTerm E>
  void item(const std::array<int, slots_of<E>>& slots, const GivenParams<E>& parameters, std::string name,
            double mass_damping = 0, Source source = {}) {
    item<E>(slots, parameters, OptionsOf<E>{}, std::move(name), mass_damping, std::move(source));
  }
  /// An item of a term that a record names by its text: `parameters` in the order of its fields, `options` in that of its
  /// choices.
  void item(const std::string& type, std::span<const int> slots, std::span<const double> parameters,
            std::span<const int> options, std::string name, double mass_damping = 0, Source source = {});
  void gravity(std::span<const double> g, int signal);
  /// What may touch; its slots are points of this builder. Replaces what was set before.
  void contacts(ContactModel contacts) { contacts_ = std::move(contacts); }

  /// A problem that the caller found; build() reports it with the others.
  void problem(Problem problem) { problems_.push_back(std::move(problem)); }
  const std::vector<Problem>& problems() const { return problems_; }

  Model build();

 private:
  bool depends_on(const std::vector<LinearTerm>& terms, int slot) const;
  struct Item {
    const TermType* type;
    std::vector<int> slots, options;
    std::vector<double> parameters;
    std::string name;
    double mass_damping;
  };
  bool holds(std::string_view type, std::span<const int> slots, std::span<const double> parameters) const;
  void drop_implied(Topology& topology);
  bool is_length(int slot) const;
  void number(Topology& topology) const;
  void eliminate(Topology& topology, Values& values) const;
  void collect(Topology& topology, Values& values) const;
  void initial_state(const Topology& topology, Values& values) const;
  void check_multipliers();

  int dim_, nodes_ = 0;
  std::vector<std::string> names_;
  std::vector<SlotKind> kinds_, split_kinds_;  ///< those of components: of what they are components of
  std::vector<int> sizes_, node_of_;
  std::vector<bool> multiplier_;
  std::set<int> expendable_;  ///< multipliers
  std::vector<std::vector<double>> reference_, q0_, v0_;
  LinearRelations relations_{sizes_};
  double length_ = 1;
  std::vector<StatedRelation> stated_;
  std::map<int, int> defined_;  ///< slot → index of its definition
  std::vector<std::vector<int>> rigid_bodies_;
  std::vector<Rod> rods_, pins_;
  std::vector<EffectiveSignal> effective_;
  std::shared_ptr<const SignalSet> signal_set_;
  std::vector<std::shared_ptr<const RegisteredLaw>> laws_;
  std::vector<Item> items_;
  std::vector<GravityField> gravity_;
  ContactModel contacts_;
  std::vector<Problem> problems_;
};

}  // namespace flexura

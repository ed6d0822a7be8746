#pragma once
// Elimination of linear relations between slots, at build time.
//
// A relation Σ_k A_k s_k + c₀ + Σ_j c_j u_j(t) = 0 is solved for as many coordinates as it has independent equations.
// A slot that is solved for becomes dependent; if only some of its coordinates are, it is first split into one
// coordinate each. Chains are flattened as they arise, so every dependent slot refers to free ones only.

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace flexura {

/// rows × columns(slot), row-major.
struct LinearTerm {
  int slot = 0;
  std::vector<double> matrix;
};

/// Σ matrix · slot + constant + Σ drive · u(t); all with the same number of rows.
struct LinearForm {
  int rows = 0;
  std::vector<LinearTerm> terms;
  std::vector<double> constant;
  std::map<int, std::vector<double>> drives;  ///< effective signal → direction [rows]
};

/// A relation as it was stated, before dependent slots were replaced by their masters: so it is known what each does to which slot.
struct StatedRelation {
  int rows = 0;
  std::vector<LinearTerm>
      terms;  ///< Σ matrix · slot, and what does not depend on slots, is 0; or is the slot that they define
  std::string author;
  int defines = -1;  ///< slot; −1: none
};

/// A combination of slots by those that none of the relations defines: slot → matrix, row by row. `defined`: slot → its definition.
std::map<int, std::vector<double>> undefined_slots_of(const std::vector<LinearTerm>& terms,
                                                      std::span<const StatedRelation> relations,
                                                      const std::map<int, int>& defined);

class LinearRelations {
 public:
  explicit LinearRelations(std::vector<int>& slot_sizes) : sizes_(slot_sizes) {}

  /// Outcome of imposing a relation: what it clashes with, if it cannot hold.
  struct Conflict {
    std::vector<std::string> with;  ///< authors of the relations that it contradicts
    double mismatch = 0;            ///< |0 − c| of the equation that cannot hold
    bool in_time = false;           ///< at some times only: what differs are signals
  };
  /// Imposes form = 0. `author` names it in messages; `scale` is the size that counts as zero [unit of the slot]. The
  /// coordinate with the largest coefficient becomes dependent, times `weight` of its slot, which makes lengths of numbers.
  std::optional<Conflict> impose(const LinearForm& form, const std::string& author, double scale,
                                 const std::function<double(int)>& weight);

  /// A fresh slot, that nothing refers to yet, as a combination of others: it becomes the dependent one whatever the
  /// coefficients are.
  void define_fresh(int slot, const LinearForm& form, const std::string& author) { define(slot, expand(form), author); }

  /// slot as a form of free slots; a free slot is itself.
  LinearForm expand(int slot) const;
  LinearForm expand(const LinearForm& form) const;
  bool is_free(int slot) const { return !defined_.contains(slot); }
  const std::map<int, LinearForm>& dependents() const { return defined_; }
  /// Slot of a fresh coordinate made by a split → the slot that it came from.
  const std::map<int, int>& split_from() const { return split_from_; }

 private:
  void define(int slot, LinearForm form, const std::string& author);
  void store(int slot, LinearForm form);
  void split(int slot, const std::string& author);

  std::vector<int>& sizes_;
  std::map<int, LinearForm> defined_;
  std::map<int, std::set<int>> users_;               ///< free slot → dependents that refer to it
  std::map<int, std::vector<std::string>> authors_;  ///< dependent slot → relations that shaped it
  std::map<int, int> split_from_;
};

}  // namespace flexura

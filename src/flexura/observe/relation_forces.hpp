#pragma once
// Forces of linear relations between slots, which the equations no longer hold once they are eliminated.
//
//     slot  ──defines──▶  slot  ──tie──▶ ground, another part          r: residual, force on each slot before reduction
//
// A slot that others define hands on what acts on it. On slots that none defines what arrives, c, is balanced by the other relations,
// c + Aᵀμ = 0 with rows of A of size one: of all μ that balance it those of least size, μ = −A (AᵀA)⁺ c. A is constant.

#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "flexura/linear/scalar_factor.hpp"
#include "flexura/math/triple.hpp"
#include "flexura/part/machine.hpp"

namespace flexura {

class RelationForces {
 public:
  /// `size`: of residuals. `authors`: of relations that `carried_without` leaves out.
  RelationForces(const Machine& machine, const Topology& topology, size_t size, const std::set<std::string>& authors);

  /// From the residual in q order.
  void find(std::span<const double> residual);

  /// In q order: at each slot what acts on it and on all that it defines, relations between slots included.
  const std::vector<double>& carried() const { return carried_; }
  /// The same without the relations of one author.
  const std::vector<double>& carried_without(const std::string& author) const;
  /// What a relation does to a slot of it.
  Triple force(int relation, int slot) const;
  /// What states the relations whose forces did not balance the rest so far, by path.
  const std::set<std::string>& unbalanced() const { return unbalanced_; }

 private:
  struct Row {
    int relation = 0, row = 0;
    double factor = 1;                          ///< makes its largest entry 1
    std::vector<std::pair<int, double>> terms;  ///< column, entry of A
    double force = 0;                           ///< μ
    double added = 0;                           ///< to −μ by the last pass
  };
  void order_definitions();
  void expand_rows();
  std::span<const double> row_of(int slot, const std::vector<double>& matrix, int row) const;
  void factor(ScalarFactor& factor, double added) const;
  void balance();
  /// What the last pass added to a force at most, and what the next one would, of the largest force.
  struct Addition {
    double size = 0, of_largest = 0;
  };
  Addition balance(ScalarFactor& factor, int most_passes);
  void hand_on(std::vector<double>& force) const;

  const Machine& machine_;
  const Topology& topology_;
  std::vector<const StatedRelation*> definitions_;  ///< each before those of its masters
  std::vector<Row> rows_;
  std::map<int, std::pair<int, int>> rows_of_;  ///< relation → its first row, and behind its last
  std::vector<int> columns_;                    ///< coordinates in q order
  ScalarFactor factor_;                         ///< of AᵀA, made definite
  std::optional<ScalarFactor> fine_factor_;     ///< the same by less, where rows nearly say the same
  std::set<std::string> unbalanced_;
  std::vector<double> left_, x_, carried_;
  std::map<std::string, std::vector<double>> without_;
};

}  // namespace flexura

#pragma once
// Forces of linear relations between slots, which the equations no longer hold once they are eliminated.
//
//     slot  ──defines──▶  slot  ──tie──▶ ground, another part          r: residual, force on each slot before reduction
//
// A slot that others define hands on what acts on it. On slots that none defines what arrives, c, is balanced by the other relations,
// c + Aᵀμ = 0 with rows of A of size one: of all μ that balance it those of least size, μ = −A (AᵀA)⁺ c. A is constant.

#include <map>
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

 private:
  struct Row {
    int relation = 0, row = 0;
    double factor = 1;                          ///< makes its largest entry 1
    std::vector<std::pair<int, double>> terms;  ///< column, entry of A
    double force = 0;                           ///< μ
  };
  void order_definitions();
  void expand_rows();
  std::span<const double> row_of(int slot, const std::vector<double>& matrix, int row) const;
  void factor();
  void balance();
  void hand_on(std::vector<double>& force) const;

  const Machine& machine_;
  const Topology& topology_;
  std::vector<const StatedRelation*> definitions_;  ///< each before those of its masters
  std::vector<Row> rows_;
  std::map<int, std::pair<int, int>> rows_of_;  ///< relation → its first row, and behind its last
  std::vector<int> columns_;                    ///< coordinates in q order
  ScalarFactor factor_;                         ///< of AᵀA, made definite
  std::vector<double> left_, x_, carried_;
  std::map<std::string, std::vector<double>> without_;
};

}  // namespace flexura

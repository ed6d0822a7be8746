#pragma once
// The time series of a results file: sensors, energies, violations, solver statistics, joints.

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "flexura/output/hdf5_reader.hpp"
#include "flexura/report/block.hpp"

namespace flexura {

/// Where a table of the report stands in the results file: datasets of one group and one unit.
struct TableSource {
  std::string name;   ///< of the sensor or joint, "energies", "solver.step"
  std::string group;  ///< sensor, energy, violation, solver, joint
  std::string unit, doc;
  std::string analysis;  ///< of sensors by load factor; otherwise ""
  std::string axis, axis_unit;
  std::string axis_path;
  std::vector<std::string> paths;
  std::vector<std::string> columns;  ///< of all datasets, one after the other
  std::uint64_t rows = 0;
};

struct TableData {
  std::vector<double> at;
  std::vector<double> values;  ///< [rows][columns]
};

/// Where names stand in a list, and what belongs to them: "tip.x" to "tip".
class NamePlaces {
 public:
  explicit NamePlaces(const std::vector<std::string>& names);
  /// Of the first that is the name or, with a dot behind it, begins it; else the length of the list.
  std::size_t find(std::string_view name) const;
  /// How often the list was asked so far: once for each word of a name, however long the list is.
  std::size_t asked() const { return asked_; }

 private:
  std::map<std::string, std::size_t, std::less<>> places_;
  std::size_t end_;
  mutable std::size_t asked_ = 0;
};

/// All tables that have rows; sensors first and, as far as `sensors` names them, in that order.
std::vector<TableSource> list_tables(const ResultsFile& results, const std::vector<std::string>& sensors);

/// At most about `most` rows, so chosen that the extremes of every column stay.
Outcome<TableData> read_table(const ResultsFile& results, const TableSource& source, std::size_t most);

Json table_json(const TableSource& source, const TableData& data, BlockStore& blocks);

}  // namespace flexura

#pragma once
// The time series of a results file: sensors, energies, violations, solver statistics, joints.

#include <string>
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

/// All tables that have rows; sensors first and, as far as `sensors` names them, in that order.
std::vector<TableSource> list_tables(const ResultsFile& results, const std::vector<std::string>& sensors);

/// At most about `most` rows, so chosen that the extremes of every column stay.
Outcome<TableData> read_table(const ResultsFile& results, const TableSource& source, std::size_t most);

Json table_json(const TableSource& source, const TableData& data, BlockStore& blocks);

}  // namespace flexura

// Any bytes as an expression, a unit, a place and a table of numbers.

#include <cmath>
#include <cstdlib>
#include <string>

#include "flexura/scene/place.hpp"
#include "flexura/scene/units.hpp"
#include "flexura/signal/csv.hpp"
#include "flexura/signal/expression.hpp"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, size_t size) {
  using namespace flexura;
  if (size > 4000) return 0;
  const std::string text(reinterpret_cast<const char*>(data), size);
  const Parameters parameters{{"L", 0.2}, {"radius", 6e-3}};
  const ParsedExpression constant = Expression::parse(text, parameters, ExpressionScope::constants);
  if (constant.ok())
    static_cast<void>(constant.expression.value());
  else if (constant.errors.empty())
    std::abort();
  static_cast<void>(Expression::parse(text, parameters, ExpressionScope::signals));
  std::string unknown;
  if (const auto unit = parse_unit(text, &unknown)) static_cast<void>(unit->to_si(1));
  nearest_unit(unknown);
  split_quantity(text);
  parse_place(text, [](std::string_view name) { return name == "hose"; });
  const CsvTable csv = parse_csv(text);
  if (!csv.ok()) return 0;
  for (const auto& column : csv.columns)
    for (const double x : column)
      if (!std::isfinite(x) || column.size() != csv.lines.size()) std::abort();
  for (const Interpolation interpolation :
       {Interpolation::linear, Interpolation::hold, Interpolation::cubic, Interpolation::spline}) {
    std::vector<CsvError> errors;
    if (const auto table = table_from_csv(csv, 0, 1, interpolation, {}, errors))
      static_cast<void>(table->at(0.5));
    else if (errors.empty())
      std::abort();
  }
  return 0;
}

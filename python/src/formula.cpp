// The formula language of scenes over numbers that Python names.

#include <fmt/format.h>

#include "binding.hpp"
#include "flexura/scene/column_unit.hpp"
#include "flexura/signal/expression.hpp"
#include "readable.hpp"

namespace flexura::python {
namespace {

using Rows = nb::ndarray<const double, nb::c_contig, nb::device::cpu>;

/// signal(NAME) is the number of that name.
class Formula {
 public:
  Formula(const Text& text, const std::vector<Text>& names) {
    ParsedExpression parsed = Expression::parse(text.bytes, {}, ExpressionScope::signals);
    std::string wrong;
    for (const ExpressionError& error : parsed.errors) wrong += (wrong.empty() ? "" : "\n") + to_string(error);
    std::vector<int> places;
    for (const std::string& name : parsed.expression.inputs()) {
      int at = -1;
      for (std::size_t k = 0; k < names.size(); ++k)
        if (names[k].bytes == name) at = static_cast<int>(k);
      if (at < 0) {
        wrong += fmt::format("{}there is no '{}'; there are", wrong.empty() ? "" : "\n", name);
        for (const Text& known : names) wrong += " " + known.bytes;
      }
      places.push_back(at);
    }
    if (!wrong.empty()) throw nb::value_error(fmt::format("\"{}\": {}", text.bytes, wrong).c_str());
    expression_ = parsed.expression.bind(places);
    count_ = names.size();
  }
  double value(double t, const std::vector<double>& numbers) const {
    if (numbers.size() != count_)
      throw nb::value_error(fmt::format("{} numbers, not {}", count_, numbers.size()).c_str());
    return expression_.value(t, numbers);
  }
  /// Of many: times (n,) and numbers (n, count).
  nb::object values(const Rows& t, const Rows& numbers) const {
    const std::size_t n = t.size();
    if (numbers.size() != n * count_) throw nb::value_error(fmt::format("{} numbers for each time", count_).c_str());
    std::vector<double> out(n);
    for (std::size_t k = 0; k < n; ++k)
      out[k] = expression_.value(t.data()[k], std::span(numbers.data() + k * count_, count_));
    return owned_array(std::move(out), {n});
  }

 private:
  Expression expression_;
  std::size_t count_ = 0;
};

}  // namespace

double quantity(const Text& text, const std::string& expected) {
  const std::optional<WrittenNumber> written = split_quantity(text.bytes);
  if (!written || !parse_unit(written->unit))
    throw nb::value_error(fmt::format("\"{}\" is no number with a unit, as \"20 kPa\"", text.bytes).c_str());
  const ColumnUnit given = column_unit(written->unit, expected);
  if (!given.problem.empty()) throw nb::value_error(fmt::format("\"{}\": {}", text.bytes, given.problem).c_str());
  return given.unit.to_si(written->number);
}

void bind_formula(nb::module_& m) {
  nb::class_<Formula>(m, "Formula", "A formula of scenes over numbers by name.")
      .def(nb::init<const Text&, const std::vector<Text>&>(), nb::arg("text"), nb::arg("names"))
      .def("value", &Formula::value, nb::arg("t"), nb::arg("numbers"), "At a time [s], of as many numbers as names.")
      .def("values", &Formula::values, nb::arg("t"), nb::arg("numbers"),
           nb::sig("def values(self, t: numpy.typing.NDArray[numpy.float64], numbers: "
                   "numpy.typing.NDArray[numpy.float64]) -> numpy.typing.NDArray[numpy.float64]"),
           "Of many, times (n,) and numbers (n, names).");
  m.def(
      "quantity", [](const Text& text, const Text& unit) { return quantity(text, unit.bytes); }, nb::arg("text"),
      nb::arg("unit"), nb::sig("def quantity(text: str, unit: str) -> float"),
      "A number with a unit, in SI. `unit`: of the dimension that is allowed, or \"*\". Raises ValueError.");
}

}  // namespace flexura::python

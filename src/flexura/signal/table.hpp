#pragma once

#include <optional>
#include <vector>

#include "flexura/signal/signal_problem.hpp"
#include "flexura/signal/signal_value.hpp"

namespace flexura {

/// How a table is read between its rows.
enum class Interpolation {
  hold,    ///< the last row's value: jumps at the rows
  linear,  ///< kinks at the rows
  cubic,   ///< monotone between rows, no overshoot, once continuously differentiable (Fritsch and Butland 1984)
  spline,  ///< natural cubic spline, periodic where `period` is given: twice continuously differentiable
};

/// Points (t_i, u_i) with interpolation. Outside, the first and the last value are held; with a period p the table
/// repeats, u(t + p) = u(t) for all t. A period longer than the table closes it with a piece from the last row to the
/// first. Two rows of the same time are a jump (linear only): the second one holds at that time.
class TableSignal {
 public:
  TableSignal() = default;
  /// times [s], not decreasing; values [u], as many. Check `problems()` before the first use.
  TableSignal(std::vector<double> times, std::vector<double> values,
              Interpolation interpolation = Interpolation::linear, std::optional<double> period = {});

  bool operator==(const TableSignal& other) const {
    return times_ == other.times_ && values_ == other.values_ && interpolation_ == other.interpolation_ &&
           period_ == other.period_;
  }
  SignalValue at(double t) const;
  /// Jumps and kinks in (t0, t1]; of a smooth table only its ends.
  void breakpoints(double t0, double t1, std::vector<double>& out) const;
  bool is_constant() const;
  std::vector<SignalProblem> problems() const;

  const std::vector<double>& times() const { return times_; }    ///< rows, the closing one included
  const std::vector<double>& values() const { return values_; }  ///< rows, the closing one included
  Interpolation interpolation() const { return interpolation_; }
  std::optional<double> period() const { return period_; }

 private:
  bool usable() const { return !times_.empty() && times_.size() == values_.size(); }
  bool breaks_at(int row) const;
  double wrapped(double t) const;
  SignalValue inside(double t) const;

  std::vector<double> times_, values_, slopes_;
  Interpolation interpolation_ = Interpolation::linear;
  std::optional<double> period_;
  std::vector<SignalProblem> problems_;
};

}  // namespace flexura

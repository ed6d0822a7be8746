#pragma once
// Signals that the program around the simulation computes.

#include <memory>
#include <string>
#include <vector>

#include "flexura/signal/called_code.hpp"
#include "flexura/signal/signal_problem.hpp"
#include "flexura/signal/signal_value.hpp"

namespace flexura {

/// u(t) as a program gives it. NaN and infinities are failures: the step that asked fails. The functions are called in
/// the thread that steps, at any time within a step and, for differences, shortly before and after it, several times at
/// the same. They must give the same for the same t, and must not throw.
struct ExternalSignal {
  double (*value)(void* context, double t) = nullptr;         ///< u [u]
  double (*rate)(void* context, double t) = nullptr;          ///< u' [u/s]; none: central differences
  double (*acceleration)(void* context, double t) = nullptr;  ///< u'' [u/s²]; none: central differences
  std::shared_ptr<void> context;                              ///< kept as long as the functions may be called
  std::vector<double> breakpoints;  ///< times at which a step should end, since u or a derivative jumps, ascending [s]
  double difference = 1e-5;         ///< step of the differences [s]; they do not reach across breakpoints
};

/// A function with its name in messages.
class SignalCode : public CalledCode {
 public:
  SignalCode(const std::string& name, ExternalSignal signal);

  const ExternalSignal& signal() const { return signal_; }
  double value(double t) const;  ///< NaN after a failure
  SignalValue at(double t) const;

 private:
  double checked(double x, double t) const;
  double middle_of_differences(double t) const;
  ExternalSignal signal_;
};

/// The shape of a signal from code: without a function yet, as a scene is read, or with one.
struct CodeSignal {
  std::string function;  ///< name under which the program gives it; empty: the signal's own
  std::shared_ptr<const SignalCode> code = {};

  bool operator==(const CodeSignal&) const = default;
  double value(double t) const { return code->value(t); }
  SignalValue at(double t) const { return code->at(t); }
  void breakpoints(double t0, double t1, std::vector<double>& out) const;
  bool is_constant() const { return false; }
  std::vector<SignalProblem> problems() const;
};

}  // namespace flexura

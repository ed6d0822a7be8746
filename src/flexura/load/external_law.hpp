#pragma once
// Forces that the program around the simulation computes.

#include <memory>
#include <string>

#include "flexura/signal/called_code.hpp"

namespace flexura {

/// A force f(t, x, v) as a program gives it, n numbers each: of a point, n = 2 or 3, x [m], v [m/s], f [N]; or of a
/// joint's coordinate, n = 1, its angle or displacement, rate, and moment or force.
struct ExternalLaw {
  /// Writes f [n]; ∂f/∂x and ∂f/∂v [n × n] by rows to dx and dv, where these are not null (both or none). Returns 0;
  /// anything else, or a number that is not finite, is a failure: the step that asked fails. Must not throw, and must
  /// give the same for the same numbers: Newton's iterations and the account of energy ask again.
  int (*force)(void* context, int n, double t, const double* x, const double* v, double* f, double* dx,
               double* dv) = nullptr;
  bool gives_tangent = false;     ///< writes dx and dv; otherwise they are found by differences and never asked for
  bool thread_safe = false;       ///< may be called from any thread; otherwise assembly takes one, the one that steps
  std::shared_ptr<void> context;  ///< kept as long as the law may be called
};

/// A law under a number that a term's parameter can hold, as long as this object lives.
class RegisteredLaw : public CalledCode {
 public:
  /// [published in a table of the process; thread-safe]
  static std::shared_ptr<const RegisteredLaw> make(const std::string& name, ExternalLaw law);
  /// The law with this number; null if there is none (any more).
  static std::shared_ptr<const RegisteredLaw> find(double id);
  ~RegisteredLaw();

  int id() const { return id_; }
  const ExternalLaw& law() const { return law_; }

  static constexpr int largest = 3;  ///< n
  /// Steps of the differences for a tangent: central, this share of max(1, |x|) and max(1, |v|).
  static constexpr double difference = 1e-6;

  /// f [n], all NaN after a failure; the derivatives too where asked for, of v only where dv is not null.
  void call(int n, double t, const double* x, const double* v, double* f, double* dx = nullptr,
            double* dv = nullptr) const;

 private:
  RegisteredLaw(const std::string& name, ExternalLaw law);
  bool ask(int n, double t, const double* x, const double* v, double* f, double* dx, double* dv) const;
  bool differences(int n, double t, const double* x, const double* v, double* dx, double* dv) const;

  ExternalLaw law_;
  int id_ = 0;
};

}  // namespace flexura

#pragma once
// Steps of Adams' method (adams.hpp) differentiated as they were done, forwards: with the past, differences of slopes, and through the way
// back to the constraints (index1_tangent.hpp). Orders and steps stay what they were. Part of flexura_ensemble.

#include <map>

#include "flexura/integrate/adams.hpp"
#include "flexura/integrate/index1_tangent.hpp"
#include "flexura/integrate/step_tangent.hpp"

namespace flexura {

class AdamsTangent final : public StepTangent {
 public:
  AdamsTangent(TangentFactor& factor, const AdamsOptions& options);

  void until(double t) override { until_ = t; }
  void open(const State<double>& state, double end) override;
  std::string begin(const State<double>& before, const State<double>& after,
                    std::span<const SignalValue> signals) override;
  std::span<const double> times() const override { return times_; }
  bool forward(DualResidual& residual, const State<Tangent>& before, State<Tangent>& after,
               std::span<const TangentSignals> signals, double negligible) override;

 private:
  /// What the front of the integration changes by: q and v, and their differences of slopes, [2 n] each.
  struct Past {
    std::vector<double> front;
    std::vector<std::vector<double>> differences;
  };
  Past past_of(const State<Tangent>& state) const;

  TangentFactor& factor_;
  AdamsOptions options_;
  int n_;
  Adams mirror_;  ///< takes the steps of the run once more
  Index1Tangent motion_;
  double until_ = 0;
  std::vector<double> times_;  ///< ends of the steps that it took, then the time that was asked for
  std::map<DualResidual*, Past> past_;
};

}  // namespace flexura

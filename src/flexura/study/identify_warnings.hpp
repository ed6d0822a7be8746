#pragma once
// What is to be known of a fit before its numbers are believed.

#include "flexura/study/identify.hpp"

namespace flexura {

/// Adds warnings to a report that is complete: numbers at bounds, numbers that the records do not tell apart, residuals that are
/// no noise, samples that were not used. `scales`: of the parameters of the fit.
void warn_of_fit(const Identification& what, const LeastSquaresReport& fit, const std::vector<double>& scales,
                 IdentifyReport& report);

}  // namespace flexura

#include "flexura/integrate/generalized_alpha.hpp"

namespace flexura {

NewmarkFamily NewmarkFamily::generalized_alpha(double rho) {
  NewmarkFamily m;
  m.alpha_m = (2 * rho - 1) / (rho + 1);
  m.alpha_f = rho / (rho + 1);
  m.gamma = 0.5 + m.alpha_f - m.alpha_m;
  m.beta = 0.25 * (0.5 + m.gamma) * (0.5 + m.gamma);
  return m;
}

NewmarkFamily NewmarkFamily::hht(double alpha) {
  NewmarkFamily m;
  m.alpha_f = -alpha;
  m.gamma = 0.5 + m.alpha_f;
  m.beta = 0.25 * (0.5 + m.gamma) * (0.5 + m.gamma);
  return m;
}

}  // namespace flexura

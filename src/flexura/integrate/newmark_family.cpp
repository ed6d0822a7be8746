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

NewmarkFormulas formulas_of(const NewmarkFamily& method, double h) {
  const auto [am, af, beta, gamma] = method;
  NewmarkFormulas f;
  f.h = f.q_v = h;
  f.q_before = h * h * (0.5 - beta);
  f.q_after = h * h * beta;
  f.v_before = h * (1 - gamma);
  f.v_after = h * gamma;
  f.a_old = -am / (1 - am);
  f.acc_new = (1 - af) / (1 - am);
  f.acc_old = af / (1 - am);
  f.weights.cm = f.weights.da = (1 - am) / ((1 - af) * beta * h * h);
  f.weights.cd = f.weights.dv = gamma / (beta * h);
  return f;
}

}  // namespace flexura
